"""`make lab LECTURE=1` in a browser: large type, nothing at the sides, machinery folded, copies."""

import json
from pathlib import Path

from browser import PANEL, PRINTED, ready, run_all
from fresh import ROOT, served, surroundings, typed

from ranktrees_lab.student import sources
from tools import lessons

LESSON = "07_pruning.ipynb"
CELLS = lessons.read(ROOT / "notebooks" / LESSON).cells
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


def type_is_large_and_nothing_is_at_the_sides(page):
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    assert page.locator(".jp-RenderedMarkdown p").first.evaluate(size) == 20
    assert page.locator(".jp-InputArea-editor .cm-content").first.evaluate(size) == 18
    assert not page.locator("#jp-left-stack").is_visible()
    assert not any(bar.is_visible() for bar in page.locator(".jp-SideBar").all())
    assert page.locator(".jp-NotebookPanel").first.bounding_box()["width"] == 1024
    assert json.loads(page.evaluate(DOCUMENTS))["autosave"] is False
    hidden = page.evaluate(f"() => [...{PANEL}.content.widgets].map(w => w.inputHidden)")
    tagged = [bool({"verify", "solution"} & lessons.tags(cell)) for cell in CELLS]
    assert hidden == tagged


def each_solution_appears_on_its_button(page):
    for i, cell in enumerate(CELLS):
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
    (place,) = (i for i, cell in enumerate(CELLS) if "explore.pruning" in cell.source)
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


def test_a_lecture_steps_through_a_lesson_and_leaves_the_lessons_alone(page, clone, tmp_path):
    page.set_viewport_size({"width": 1024, "height": 768})
    shell = surroundings(clone / ".venv/bin/python", tmp_path / "private")
    line = "make lab LECTURE=1 LAB_FLAGS='--no-browser --expose-app-in-browser'"
    with served(line, clone, shell, tmp_path / "log") as address:
        copy = clone / "notebooks" / "lecture" / LESSON
        fresh = sources(copy)
        assert not any(cell.get("outputs") for cell in lessons.read(copy).cells)
        ready(page, address.replace("00_ranking.ipynb", LESSON))
        type_is_large_and_nothing_is_at_the_sides(page)
        assert run_all(page) == []
        each_solution_appears_on_its_button(page)
        the_explorer_takes_the_room_and_fits(page)
        page.evaluate(EDIT_AND_SAVE)
    saved = sources(copy)
    assert saved[0][1].startswith("Said in the lecture. # 07")
    assert any(cell.get("outputs") for cell in lessons.read(copy).cells)
    said = typed("python -m ranktrees lecture", clone, shell)
    assert f"{Path('notebooks/lecture/changed', LESSON)} now" in said
    assert sources(copy) == fresh
    assert sources(copy.parent / "changed" / LESSON) == saved
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        assert (clone / "notebooks" / path.name).read_bytes() == path.read_bytes()
