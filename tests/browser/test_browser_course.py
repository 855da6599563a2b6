"""One made-up notebook with explorers, a quiz and guesses: what readers of the lessons see."""

import re

import pytest
from browser import DISTORTED, PANEL, PATIENCE, faults, go_to, look, open_lesson, run_all
from explorers import CELLS as EXPLORERS
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools import lessons

FEW = [0, 3, 6, 10]  # those of every day: what the others show, and three explorers
WORDS = """## A heading (5 min)

Text with $x^2$, a [link](https://example.org) and `code`.

| a | b |
|--|--|
| 1 | 2 |"""
ASKING = [
    'rt.quiz("05")',
    'rt.guess("05.pairs", reveal=rt.plot.impurity)',
    'rt.guess("05.costlier")',
    'rt.guess("02.trees")',
]
# For each output of a cell that is seen: the alt texts of pictures in sight, or else its text.
SEEN = """cell => [...cell.querySelectorAll('.jp-OutputArea-child')].filter(o => o.offsetHeight > 0)
    .map(o => [...o.querySelectorAll('img')].filter(i => i.checkVisibility())
        .map(i => i.alt).join() || o.innerText)"""
# Of an explorer in sight the heights of its picture, of controls and picture, and of the panel.
HEIGHTS = f"""cell => {{
    const view = cell.querySelector('.rt-view'), image = view?.querySelector('.widget-image');
    const [top, box] = [view, image].map(element => element?.getBoundingClientRect());
    return view && [box.height, box.bottom - top.top, {PANEL}.content.node.clientHeight];
}}"""
# Contrast is looked at where it is in sight alone.
ALL_IN_SIGHT = "* {content-visibility: visible !important; overflow: visible !important}"
PLACES = [".jp-OutputArea-output", ".jp-RenderedMarkdown"]
# Not ours: a wide table of pandas scrolls in an output that the Tab key does not reach: JupyterLab;
# a link among words is told by its colour alone: nbconvert.
NOT_OURS = ["scrollable-region-focusable", "link-in-text-block"]
NO_KERNEL = "() => jupyterapp.serviceManager.sessions.shutdownAll()"


def refuse(route):
    """No kernel starts; what runs may be asked for."""
    route.abort() if route.request.method == "POST" else route.continue_()


@pytest.fixture(scope="module", params=["few", pytest.param("all", marks=pytest.mark.long)])
def course(opened, lab, tmp_path_factory, request):
    """The page of the notebook after Run All, and how many explorers it has."""
    chosen = [EXPLORERS[i] for i in FEW] if request.param == "few" else EXPLORERS
    cells = [new_code_cell(text) for text in (*chosen, *ASKING)]
    cells.insert(1, new_markdown_cell(WORDS))
    path = tmp_path_factory.mktemp("course") / "course.ipynb"
    lessons.write(lessons.strip(new_notebook(cells=cells)), path)
    context = opened.new_context()
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    open_lesson(page, lab, path)
    assert run_all(page) == []
    page.keyboard.press("Control+s")
    page.locator(".jp-mod-dirty").wait_for(state="detached")
    yield page, len(chosen) - 1
    context.close()


def test_controls_and_picture_are_seen_together_and_as_drawn(course):
    """With the sidebar open, and closed: from the first control to the picture's lower edge."""
    page, count = course
    for width, height in (1024, 768), (1280, 800):
        page.set_viewport_size({"width": width, "height": height})
        for _ in range(2):
            sizes = [size for size in look(page, HEIGHTS) if size is not None]
            assert len(sizes) == count
            assert all(100 < picture <= both < room for picture, both, room in sizes), sizes
            page.keyboard.press("Control+b")
    distorted, seen = zip(*look(page, DISTORTED), strict=True)
    assert [alts for alts in distorted if alts] == []
    assert sum(seen) == count


def test_sliders_have_names_and_the_alt_text_follows_them(course):
    """A slider that is disabled is passed over by the Tab key."""
    page, _ = course
    names = page.locator(".rt-view .noUi-handle")
    labels = page.locator(".rt-view .widget-slider .widget-label")
    found = names.evaluate_all("all => all.map(one => [one.ariaLabel, one.tabIndex])")
    assert [name for name, _ in found] == labels.all_text_contents() != []
    disabled = page.locator(".rt-view .slider[disabled]").count()
    assert [tab for _, tab in found].count(-1) == disabled
    view = page.locator(".rt-view:has(img[alt*='its branches (5, 2)'])")
    view.locator(".noUi-handle").first.press("ArrowLeft")
    page.locator(".rt-view img[alt*='(4, 2)']").first.wait_for()


def test_axe_finds_no_serious_fault_by_day_and_by_night(course):
    page, _ = course
    page.add_style_tag(content=ALL_IN_SIGHT)
    assert faults(page, *PLACES, off=NOT_OURS) == []
    theme = "apputils:change-theme"
    page.evaluate(f"() => jupyterapp.commands.execute('{theme}', {{theme: 'JupyterLab Dark'}})")
    page.locator("body[data-jp-theme-light=false]").wait_for(state="attached")
    assert faults(page, *PLACES, off=NOT_OURS) == []
    page.evaluate(f"() => jupyterapp.commands.execute('{theme}', {{theme: 'JupyterLab Light'}})")


@pytest.mark.long
def test_a_page_that_nbconvert_writes_has_no_serious_fault(page, course, lab, tmp_path):
    """Of its outputs and words; what code looks like is nbconvert's own."""
    notebook = lessons.strip(lessons.read(lab.folder / "course.ipynb"))
    text, _ = HTMLExporter().from_notebook_node(notebook)
    path = tmp_path / "course.html"
    path.write_text(re.sub(r'<script src="http.*?</script>', "", text), encoding="utf-8")
    page.goto(path.as_uri())
    page.add_style_tag(content=ALL_IN_SIGHT)
    assert faults(page, *PLACES, off=NOT_OURS) == []


def test_a_saved_notebook_keeps_its_pictures_without_a_kernel_and_beside_a_new_one(course, lab):
    page, _ = course
    cells = lessons.code_cells(lessons.read(lab.folder / "course.ipynb"))[1:]
    kept = [cell.outputs[1].data["text/plain"] for cell in cells]
    page.evaluate(NO_KERNEL)
    page.route("**/api/sessions*", refuse)
    page.goto(lab.url("lab/tree/course.ipynb") + "&reset")
    page.get_by_text("Error Starting Kernel").wait_for()
    page.keyboard.press("Enter")
    assert_kept(look(page, SEEN)[2:], kept)
    page.unroute("**/api/sessions*")
    go_to(page, lab, "course.ipynb")
    assert_kept(look(page, SEEN)[2:], kept)


def assert_kept(seen, texts):
    for (shown,), text in zip(seen, texts, strict=True):  # one output of the two is seen
        first = shown.strip().splitlines()[0]
        assert len(first) > 20
        assert text.startswith(first)
