"""Lecture mode in a real JupyterLab: large type, nothing at the sides, machinery folded."""

import re
from pathlib import Path

import pytest
from browser import CONNECTED, POLL, Lab

from tools import lessons

ROOT = Path(__file__).parents[1]
LESSON = "07_pruning.ipynb"
TYPE = re.search(r"^LARGE_TYPE := (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)[1]


@pytest.fixture
def lecture(chromium, tmp_path):
    """A JupyterLab with the settings of `make lab LECTURE=1`, over one lesson with its outputs."""
    folder, private = tmp_path / "lessons", tmp_path / "private"
    folder.mkdir()
    lessons.write(lessons.read(ROOT / "notebooks" / LESSON), folder / LESSON)
    themes = private / "settings/@jupyterlab/apputils-extension/themes.jupyterlab-settings"
    themes.parent.mkdir(parents=True)
    themes.write_text(TYPE, encoding="utf-8")
    server = Lab(folder, private)
    try:
        server.wait()
        yield server
    finally:
        server.stop()


def test_a_lecture_has_large_type_and_no_sidebar(page, lecture):
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(lecture.url(f"doc/tree/{LESSON}"))
    page.wait_for_function("() => window.jupyterapp !== undefined", polling=POLL)
    page.wait_for_function(CONNECTED, polling=POLL)
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    assert page.locator(".jp-RenderedMarkdown p").first.evaluate(size) == 20
    assert page.locator(".jp-InputArea-editor .cm-content").first.evaluate(size) == 18
    assert not page.locator("#jp-left-stack").is_visible()
    assert page.locator(".jp-NotebookPanel").first.bounding_box()["width"] > 900
    folded = "() => [...jupyterapp.shell.currentWidget.content.widgets].map(w => w.inputHidden)"
    hidden = page.evaluate(folded)
    notebook = lessons.read(ROOT / "notebooks" / LESSON)
    tagged = [bool({"verify", "solution"} & lessons.tags(cell)) for cell in notebook.cells]
    assert hidden == tagged
