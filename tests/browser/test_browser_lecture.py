"""`make lab LECTURE=1` in a browser: large type, nothing at the sides, machinery folded, copies."""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from browser import CONNECTED, PANEL, PATIENCE, POLL, PRINTED, Lab, free_port, run_all

from ranktrees_lab.student import sources
from tools import lessons

ROOT = Path(__file__).parents[2]
LESSON = "07_pruning.ipynb"
PARTS = ("Makefile", "pyproject.toml", "constraints.txt", ".gitignore")
# Edits the first cell as a reader's key would, then saves as JupyterLab's timer does.
EDIT_AND_SAVE = f"""async () => {{
    const panel = {PANEL};
    const first = [...panel.model.cells][0].sharedModel;
    first.setSource('Said in the lecture. ' + first.getSource());
    await panel.context.save();
}}"""


DOCUMENTS = """async () => {
    const {settings} = jupyterapp.serviceManager;
    return (await settings.fetch('@jupyterlab/docmanager-extension:plugin')).raw;
}"""
SHOWN = f"""index => {{
    const {{widgets}} = {PANEL}.content;
    return widgets[index].node.querySelector('.jp-OutputArea')?.innerText ?? '';
}}"""
# Of the explorer in a cell: how wide its sliders are, how high it is, and its picture: width and
# height of its box, and those that it was drawn for.
DRAWN = """cell => {
    const view = cell.querySelector('.rt-view'), image = view.querySelector('.widget-image');
    const size = part => [part.getBoundingClientRect().width, part.getBoundingClientRect().height];
    const tracks = [...view.querySelectorAll('.slider-container')].map(track => size(track)[0]);
    return [tracks, size(view)[1], size(image), [image.naturalWidth / 2, image.naturalHeight / 2]];
}"""


def git(folder, *words):
    """What git prints in a folder."""
    who = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    command = ["git", *who, *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A git repository with the Makefile and the lessons, which uses this environment."""
    if not (shutil.which("make") and shutil.which("git")):
        pytest.skip("make or git is not installed")
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "notebooks").mkdir()
    shutil.copytree(ROOT / "tools" / "lecture", folder / "tools" / "lecture")
    for path in [*(ROOT / name for name in PARTS), *(ROOT / "notebooks").glob("*.ipynb")]:
        shutil.copy(path, folder / path.relative_to(ROOT))
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Lessons")
    return folder


class Lecture(Lab):
    """The server that `make lab LECTURE=1` starts in a checkout, with the Makefile's settings."""

    def __init__(self, checkout, private):
        self.port, self.token, self.folder = free_port(), secrets.token_hex(16), checkout
        self.log, stamp = private / "server.log", private / "ready"
        stamp.write_text(f"{checkout}\n", encoding="utf-8")
        flags = f"--no-browser --ServerApp.port={self.port} --ServerApp.port_retries=0 "
        flags += f"--IdentityProvider.token={self.token} --expose-app-in-browser"
        command = ["make", "lab", "LECTURE=1", f"PY={sys.executable}", f"STAMP={stamp}"]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        folders = {f"JUPYTER_{name}_DIR": str(private / name) for name in ("CONFIG", "DATA")}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, f"LAB_FLAGS={flags}"],
                cwd=checkout,
                env=kept | folders | {"IPYTHONDIR": str(private / "ipython")},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # make and its server end together
            )

    def stop(self):
        """End make and the server, which ends its kernels."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(timeout=PATIENCE)


@pytest.fixture
def lecture(chromium, checkout, tmp_path):
    server = Lecture(checkout, tmp_path)
    try:
        server.wait()
        yield server
    finally:
        server.stop()
        print(server.output())


def open_copy(page, lecture):
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(lecture.url(f"doc/tree/lecture/{LESSON}"))
    page.wait_for_function("() => window.jupyterapp !== undefined", polling=POLL)
    page.wait_for_function(CONNECTED, polling=POLL)


def test_a_lecture_has_large_type_and_no_sidebar(page, lecture):
    open_copy(page, lecture)
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    assert page.locator(".jp-RenderedMarkdown p").first.evaluate(size) == 20
    assert page.locator(".jp-InputArea-editor .cm-content").first.evaluate(size) == 18
    assert not page.locator("#jp-left-stack").is_visible()
    assert not any(bar.is_visible() for bar in page.locator(".jp-SideBar").all())
    assert page.locator(".jp-NotebookPanel").first.bounding_box()["width"] == 1024
    assert json.loads(page.evaluate(DOCUMENTS))["autosave"] is False
    folded = "() => [...jupyterapp.shell.currentWidget.content.widgets].map(w => w.inputHidden)"
    hidden = page.evaluate(folded)
    notebook = lessons.read(ROOT / "notebooks" / LESSON)
    tagged = [bool({"verify", "solution"} & lessons.tags(cell)) for cell in notebook.cells]
    assert hidden == tagged


def each_solution_appears_on_its_button(page):
    for i, cell in enumerate(lessons.read(ROOT / "notebooks" / LESSON).cells):
        if "solution" in lessons.tags(cell):
            page.evaluate(f"i => {PANEL}.content.scrollToItem(i, 'start')", i)
            button = page.locator(f".jp-Cell[data-windowed-list-index='{i}'] button.jupyter-button")
            button.wait_for()
            line = cell.source.splitlines()[0]
            assert line not in page.evaluate(SHOWN, i)
            button.press("Enter")
            page.wait_for_function(f"([i, line]) => ({SHOWN})(i).includes(line)", arg=[i, line])


def the_explorer_takes_the_room_and_fits(page):
    """At 1280 x 720: controls and all of the picture, its letters 20 pixels high."""
    page.set_viewport_size({"width": 1280, "height": 720})
    cells = lessons.read(ROOT / "notebooks" / LESSON).cells
    (place,) = (i for i, cell in enumerate(cells) if "explore.pruning" in cell.source)
    page.evaluate(f"i => {PANEL}.content.scrollToItem(i, 'start')", place)
    cell = page.locator(f".jp-Cell[data-windowed-list-index='{place}']")
    cell.get_by_role("button", name="Show me").press("Enter")
    cell.locator(".rt-view .widget-image").wait_for()
    page.wait_for_function(f"cell => ({DRAWN})(cell)[3][0]", arg=cell.element_handle())
    tracks, high, box, drawn = cell.evaluate(DRAWN)
    assert min(tracks) >= 300
    assert high <= 720 - 100
    scale = min(box[0] / drawn[0], box[1] / drawn[1])
    letters = float(
        page.evaluate(PRINTED, "from ranktrees_lab.plot import style; print(style.SMALL)")
    )
    assert letters / 72 * 100 * scale >= 20


def test_what_is_run_changed_and_saved_in_a_lecture_leaves_the_lessons_alone(page, lecture):
    copy = lecture.folder / "notebooks" / "lecture" / LESSON
    fresh = sources(copy)
    assert not any(cell.get("outputs") for cell in lessons.read(copy).cells)
    open_copy(page, lecture)
    assert run_all(page) == []
    each_solution_appears_on_its_button(page)
    the_explorer_takes_the_room_and_fits(page)
    page.evaluate(EDIT_AND_SAVE)
    saved = sources(copy)
    assert saved[0][1].startswith("Said in the lecture. # 07")
    assert any(cell.get("outputs") for cell in lessons.read(copy).cells)
    assert git(lecture.folder, "status", "--porcelain") == ""
    lecture.stop()
    again = subprocess.run(
        [sys.executable, "-m", "ranktrees", "lecture"],
        cwd=lecture.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"{Path('notebooks/lecture/changed', LESSON)} now" in again.stdout
    assert sources(copy) == fresh
    assert sources(copy.parent / "changed" / LESSON) == saved
    assert git(lecture.folder, "status", "--porcelain") == ""
