"""The lessons in a real JupyterLab: Chromium opens them, runs all cells and moves a slider."""

import os
import secrets
import shutil
import socket
import statistics
import subprocess
import sys
import sysconfig
import time
import urllib.error
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tools import lessons

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
IDLE = "Python 3 (ipykernel) | Idle"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
MOVES = 7
PATIENCE = 300  # seconds after which what is waited for is given up: far more than any of it takes
POLL = 200  # milliseconds between two looks at the notebook in the page
PANEL = "jupyterapp.shell.currentWidget"
CONNECTED = f"""() => {{
    const kernel = {PANEL}?.sessionContext?.session?.kernel;
    return kernel?.connectionStatus === 'connected' && kernel.status === 'idle';
}}"""
# The errors of the cells that have run, once all have run or one has failed; until then null.
ENDED = f"""() => {{
    const cells = [...{PANEL}.model.cells].filter(cell => cell.type === 'code');
    const outputs = cells.flatMap(cell => cell.outputs.toJSON());
    const errors = outputs.filter(output => output.output_type === 'error');
    const rest = cells.filter(cell => cell.executionCount === null);
    return errors.length || !rest.length ? errors.map(e => `${{e.ename}}: ${{e.evalue}}`) : null;
}}"""
# What a line of code prints in the kernel of the notebook in the page.
PRINTED = f"""async code => {{
    const future = {PANEL}.sessionContext.session.kernel.requestExecute({{code}});
    let text = '';
    future.onIOPub = message => {{ text += message.content.text ?? message.content.evalue ?? ''; }};
    await future.done;
    return text;
}}"""
# The page holds only the cells near the visible ones: scroll until the first slider is there.
SCROLLED = f"""() => {{
    const notebook = {PANEL}.content;
    const views = 'application/vnd.jupyter.widget-view+json';
    const find = kinds => [...notebook.model.cells].findIndex(cell => cell.type === 'code'
        && cell.outputs.toJSON().some(({{data}}) => data && kinds.every(kind => kind in data)));
    const explorer = find([views, 'image/png']);  // a quiz or a guess has no picture
    const at = explorer < 0 ? find([views]) : explorer;
    notebook.scrollToItem(at, 'start');
    const cell = notebook.widgets[at].node;
    return cell.isConnected && cell.querySelector('.noUi-handle') !== null
        && cell.querySelector('img')?.naturalWidth > 0;
}}"""


def is_root():
    return hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture(scope="session")
def chromium():
    """The browser's path; without one the tests are skipped, on the build server they fail."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        message = f"NO BROWSER TEST: none of {', '.join(BROWSERS)} is installed"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Lab:
    """A JupyterLab of our own over `folder`: free loopback port, token, private settings."""

    def __init__(self, folder, private, python=sys.executable):
        self.port, self.token, self.folder = free_port(), secrets.token_hex(16), folder
        self.log = private / "server.log"
        names = (
            "JUPYTER_CONFIG_DIR",
            "JUPYTER_DATA_DIR",
            "JUPYTERLAB_WORKSPACES_DIR",
            "IPYTHONDIR",
        )
        self.environment = os.environ | {name: str(private / name.lower()) for name in names}
        self.environment["JUPYTERLAB_SETTINGS_DIR"] = str(private / "settings")
        no_news = private / "settings" / "@jupyterlab/apputils-extension"
        no_news.mkdir(parents=True)
        news = no_news / "notification.jupyterlab-settings"
        news.write_text('{"fetchNews": "false"}', encoding="utf-8")
        command = [python, "-m", "jupyterlab", "--no-browser", "--ServerApp.ip=127.0.0.1"]
        command += [f"--ServerApp.port={self.port}", "--ServerApp.port_retries=0"]
        command += ["--expose-app-in-browser"]  # so that the page can say how far it is
        command += [f"--IdentityProvider.token={self.token}", f"--ServerApp.root_dir={folder}"]
        command += ["--allow-root"] if is_root() else []
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command, env=self.environment, stdout=log, stderr=subprocess.STDOUT
            )

    def url(self, path):
        return f"http://127.0.0.1:{self.port}/{path}?token={self.token}"

    def wait(self):
        """Return when the server answers; a RuntimeError if it ends or takes too long."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            try:
                return opener.open(self.url("api/status"), timeout=5).close()
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.1)
        raise RuntimeError("JupyterLab did not start:\n" + self.output())

    def stop(self):
        """End the server, which ends its kernels; kill it if it does not end."""
        self.process.terminate()
        try:
            self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def output(self):
        return self.log.read_text(encoding="utf-8", errors="replace")


@pytest.fixture(scope="module")
def lab(chromium, tmp_path_factory):
    """A running server over an empty folder; its log is printed, pytest shows it on failure."""
    server = Lab(tmp_path_factory.mktemp("lessons"), tmp_path_factory.mktemp("private"))
    try:
        server.wait()
        yield server
    finally:
        server.stop()


@pytest.fixture
def page(chromium, lab, tmp_path):
    """A page of a fresh browser profile; on the way out the server's log goes to stdout."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path / "profile",
            executable_path=chromium,
            chromium_sandbox=not is_root(),  # Chromium refuses to start as root with its sandbox
            args=FLAGS,
        )
        try:
            context.set_default_timeout(PATIENCE * 1000)
            yield context.new_page()
        finally:
            context.close()
            print(lab.output())


def open_lesson(page, lab, path):
    """Put a copy without outputs into the server's folder, open it and wait for its kernel."""
    notebook = lessons.read(path)
    for cell in lessons.code_cells(notebook):
        cell.outputs, cell.execution_count = [], None
    lessons.write(notebook, lab.folder / path.name)
    go_to(page, lab, path.name)


def go_to(page, lab, name):
    """Open a notebook of the server's folder and wait for its kernel."""
    page.goto(lab.url(f"lab/tree/{name}") + "&reset")
    page.wait_for_function("() => window.jupyterapp !== undefined", polling=POLL)
    page.wait_for_function(CONNECTED, polling=POLL)
    page.get_by_text(IDLE).wait_for()


def run_all(page):
    """Run all cells through the menu; return the errors, once all have run or one has failed."""
    page.get_by_text("Run", exact=True).first.click()
    page.get_by_text("Run All Cells", exact=True).click()
    errors = page.wait_for_function(ENDED, polling=POLL).json_value()
    page.wait_for_function(CONNECTED, polling=POLL)
    return errors


def find_slider(page):
    """Scroll to the first cell with a slider and return the cell, once its picture is drawn."""
    page.wait_for_function(SCROLLED, polling=POLL)
    return page.locator(".jp-Cell:has(.widget-slider)").first


def move(page, cell):
    """Move the slider one step by the arrow key; return the seconds until the new picture."""
    handle, picture = cell.locator(".noUi-handle").first, cell.locator("img").first
    old = picture.get_attribute("src")
    at_end = handle.get_attribute("aria-valuenow") == handle.get_attribute("aria-valuemax")
    handle.focus()
    start = time.perf_counter()
    handle.press("ArrowLeft" if at_end else "ArrowRight")
    page.wait_for_function(
        "([image, old]) => image.src !== old && image.complete && image.naturalWidth > 0",
        arg=[picture.element_handle(), old],
    )
    return time.perf_counter() - start


def check_slider(page, lab, path, capsys):
    """Open, run and move: the whole test of a lesson with an explorer."""
    open_lesson(page, lab, path)
    assert run_all(page) == []
    cell = find_slider(page)
    seconds = [move(page, cell) for _ in range(MOVES)]
    with capsys.disabled():
        median = statistics.median(seconds)
        print(f"\n{path.name}: slider to new picture, median of {MOVES}: {median:.3f} s")


SMALL = [
    "import io\nimport ipywidgets\nfrom matplotlib.figure import Figure",
    """def picture(width):
    figure, file = Figure(), io.BytesIO()
    figure.add_subplot().plot([0, width])
    figure.savefig(file, format="png")
    return file.getvalue()""",
    """slider = ipywidgets.IntSlider(3, 1, 6, continuous_update=False)
image = ipywidgets.Image(value=picture(3))
slider.observe(lambda change: setattr(image, "value", picture(change.new)), "value")
ipywidgets.VBox([slider, image])""",
]


def small_notebook(folder, *sources):
    """Write a notebook of long paragraphs of code, so that its end is out of sight."""
    path = folder / "small.ipynb"
    filler = ["\n".join(f"# line {i}" for i in range(30))] * 8
    cells = [new_code_cell(text) for text in (*filler, *sources)]
    lessons.write(lessons.strip(new_notebook(cells=cells)), path)
    return path


def test_small_slider_redraws(page, lab, tmp_path, capsys):
    check_slider(page, lab, small_notebook(tmp_path, *SMALL), capsys)


def test_an_error_in_a_cell_is_seen(page, lab, tmp_path):
    path = small_notebook(tmp_path, "1 / 0", "2")
    open_lesson(page, lab, path)
    assert run_all(page) == ["ZeroDivisionError: division by zero"]


def test_first_lesson_runs(page, lab):
    path = NOTEBOOKS / "00_ranking.ipynb"
    open_lesson(page, lab, path)
    assert run_all(page) == []


def test_slider_of_the_second_lesson_redraws(page, lab, capsys):
    check_slider(page, lab, NOTEBOOKS / "01_what_is_a_good_split.ipynb", capsys)


@pytest.fixture
def fresh(wheel, tmp_path, monkeypatch):
    """The Python of a new environment that has the wheel, and of all else what this one has.

    A line in a .pth file leads to the packages of this environment. Those that it leads to by .pth
    files in turn, as to an editable checkout, are not found: `ranktrees` is the wheel's or none.
    JupyterLab's page and the sliders' scripts lie in share/.
    """
    monkeypatch.delenv("PYTHONPATH", raising=False)
    home = tmp_path / "fresh"
    venv.create(home)
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    paths = sysconfig.get_paths("venv", vars={"base": str(home), "platbase": str(home)})
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(paths["purelib"])
    others = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (Path(paths["purelib"]) / "others.pth").write_text("\n".join(others), encoding="utf-8")
    (home / "share").symlink_to(Path(sys.prefix) / "share")
    return python


def test_a_course_from_the_wheel_alone(page, fresh, tmp_path):
    """In a new folder and environment: one command writes the lessons, one opens them."""
    write = [fresh, "-m", "ranktrees", "lessons", "my-course"]
    done = subprocess.run(write, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith('open them: python -m jupyterlab "my-course"\n')
    course = Lab(tmp_path / "my-course", tmp_path / "private", fresh)
    try:
        course.wait()
        go_to(page, course, "00_ranking.ipynb")
        where = page.evaluate(PRINTED, "import ranktrees; print(ranktrees.__file__)").strip()
        assert Path(where).is_relative_to(fresh.parents[1])
        assert run_all(page) == []
        move(page, find_slider(page))
    finally:
        course.stop()
        print(course.output())


ASKING = [
    "import ranktrees as rt",
    'rt.quiz("05")',
    'guess = rt.guess("Which share?", 0.79, unit="share", says="Ties count one half.")\nguess',
]


def test_a_quiz_and_a_guess_answer_to_the_keyboard_and_are_saved_as_text(page, lab, tmp_path):
    path = tmp_path / "asking.ipynb"
    cells = [new_code_cell(text) for text in ASKING]
    lessons.write(lessons.strip(new_notebook(cells=cells)), path)
    open_lesson(page, lab, path)
    assert run_all(page) == []
    quiz, guess = (page.locator(".jp-Cell:has(.rt-ask)").nth(i) for i in (0, 1))
    quiz.get_by_role("button", name="Nothing.").first.focus()
    page.keyboard.press("Enter")
    assert quiz.get_by_role("alert").inner_text().startswith("Right.")
    guess.get_by_label("Guess").focus()
    page.keyboard.type("70 %")
    page.keyboard.press("Tab")  # to the button
    page.keyboard.press("Enter")
    assert "0.09 higher. Ties count one half." in guess.get_by_role("alert").inner_text()
    page.keyboard.press("Control+s")
    page.locator(".jp-mod-dirty").wait_for(state="detached")
    saved = lessons.code_cells(lessons.read(lab.folder / path.name))[-2:]
    quiz, guess = (cell.outputs[0].data for cell in saved)
    assert "Squaring keeps" not in quiz["text/plain"] + quiz["text/html"]
    assert "<li>It is squared, too.</li>" in quiz["text/html"]
    assert "0.79" not in guess["text/plain"] + guess["text/html"]
