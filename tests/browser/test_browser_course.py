"""One made-up notebook with every explorer, a quiz and a guess: what readers of the lessons see."""

import re
from pathlib import Path

import axe_playwright_python
import pytest
from browser import DISTORTED, PANEL, browse, go_to, look, open_lesson, run_all
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools import lessons

EXPLORERS = [  # with the arguments of the lessons
    """import numpy as np
import ranktrees as rt
credit, payers, iris = rt.load("credit-g"), rt.load("tax-payers"), rt.load("iris")
cancer = rt.prepare(rt.load("breast-cancer"), "papers")
model = rt.C44().fit(credit.X, credit.y)
scores = {"C4.4": model.predict_proba(credit.X)[:, 0]}
growth = None""",
    """eleven = np.array(["bad"] * 5 + ["good"] * 6)
rt.explore.pairs(eleven, np.array([6, 10, 8, 4, 2, 7, 6, 5, 3, 1, 0]), "bad")""",
    'rt.explore.mailing(credit.y, scores, positive="bad")',
    "rt.explore.lens(node=(6, 6), branch=(5, 2))",
    "rt.explore.separable()",
    'rt.explore.split(credit, "duration", criterion="gini")',
    """cuts = {"criterion": "gini", "split": "binary", "numeric": "thresholds"}
rt.explore.growing(rt.DecisionTree(**cuts).fit(payers.X, payers.y), payers, case=7)""",
    """shallow = rt.DecisionTree(criterion="gini", split="binary", max_depth=3)
some = rt.Dataset(credit.X[:100], credit.y[:100], "some", "")
rt.explore.falling_cases(shallow.fit(credit.X, credit.y), some)""",
    'rt.explore.bins(credit, "age", n_bins=5)',
    """married = {"Refund": "No", "Status": "Married", "Income": 92.0}
rt.explore.smoothing(payers, "Status", case=married, smoothing="m")""",
    'rt.explore.roc(credit.y, scores["C4.4"], positive="bad")',
    'rt.explore.folds(rt.load("labor"), rt.C44())',
    'rt.explore.pruning(credit, method="C4.5", estimate="m-branch")',
    'rt.explore.citree_growth(rt.load("vote"))',
    "rt.explore.newton(iris, case=70)",
    'rt.explore.shrinkage(cancer, case=2, weights="mine")',
    'rt.explore.shrinkage(cancer, case=2, estimate="WPE")',
    "rt.explore.wpe_votes(cancer, case=2)",
    "rt.explore.one_path(credit, case=2)",
    'rt.explore.results("wang2006")',
    'rt.explore.path_bayes(credit, rt.C45(estimate="path-bayes"), case=2)',
    """weather = rt.load("weather.nominal")
rt.explore.stops(rt.C45(estimate="path-bayes").fit(weather.X, weather.y))""",
    """days = rt.DecisionTree(criterion="information_gain").fit(weather.X, weather.y)
rt.explore.rainforest(days, weather, "RF-Read", room=2, step=16)""",
]
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
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
PLACES = [".jp-OutputArea-output", ".jp-RenderedMarkdown"]
# Not ours: a wide table of pandas scrolls in an output that the Tab key does not reach: JupyterLab;
# a link among words is told by its colour alone: nbconvert.
FAULTS = """async places => {
    const style = document.createElement('style');  // or contrast is looked at in sight alone
    style.textContent = '* {content-visibility: visible !important; overflow: visible !important}';
    document.head.append(style);
    const off = ['scrollable-region-focusable', 'link-in-text-block'];
    const rules = Object.fromEntries(off.map(name => [name, {enabled: false}]));
    const found = await axe.run({include: places.map(place => [place])}, {rules});
    style.remove();
    const faults = found.violations.filter(({impact}) => ['critical', 'serious'].includes(impact));
    return faults.map(({id, nodes}) => [id, ...nodes.slice(0, 3).map(node => node.html)]);
}"""
NO_KERNEL = "() => jupyterapp.serviceManager.sessions.shutdownAll()"


def refuse(route):
    """No kernel starts; what runs may be asked for."""
    route.abort() if route.request.method == "POST" else route.continue_()


@pytest.fixture(scope="module")
def course(chromium, lab, tmp_path_factory):
    """The page of the notebook after Run All; its first cell makes what the others show."""
    folder = tmp_path_factory.mktemp("course")
    cells = [new_code_cell(text) for text in (*EXPLORERS, *ASKING)]
    cells.insert(1, new_markdown_cell(WORDS))
    lessons.write(lessons.strip(new_notebook(cells=cells)), folder / "course.ipynb")
    with browse(chromium, folder / "profile", 1280, 800) as page:
        open_lesson(page, lab, folder / "course.ipynb")
        assert run_all(page) == []
        page.keyboard.press("Control+s")
        page.locator(".jp-mod-dirty").wait_for(state="detached")
        yield page


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1024, 768)])
def test_controls_and_picture_are_seen_together(course, width, height):
    """With the sidebar open, and closed: from the first control to the picture's lower edge."""
    course.set_viewport_size({"width": width, "height": height})
    for _ in range(2):
        sizes = [size for size in look(course, HEIGHTS) if size is not None]
        assert len(sizes) == len(EXPLORERS) - 1
        assert all(100 < picture <= both < room for picture, both, room in sizes), sizes
        course.keyboard.press("Control+b")


def test_no_picture_is_distorted(course):
    distorted, seen = zip(*look(course, DISTORTED), strict=True)
    assert [alts for alts in distorted if alts] == []
    assert sum(seen) == len(EXPLORERS) - 1


def test_sliders_and_pictures_have_names(course):
    """A slider that is disabled is passed over by the Tab key."""
    names = course.locator(".rt-view .noUi-handle")
    labels = course.locator(".rt-view .widget-slider .widget-label")
    found = names.evaluate_all("all => all.map(one => [one.ariaLabel, one.tabIndex])")
    assert [name for name, _ in found] == labels.all_text_contents()
    disabled = course.locator(".rt-view .slider[disabled]").count()
    assert [tab for _, tab in found].count(-1) == disabled == 4


def test_the_alt_text_follows_the_slider(course):
    view = course.locator(".rt-view").nth(2)  # the lens
    assert "its branches (5, 2)" in view.locator("img").first.get_attribute("alt")
    view.locator(".noUi-handle").first.press("ArrowLeft")
    view.locator("img[alt*='(4, 2)']").first.wait_for()


def test_axe_finds_no_serious_fault(course):
    """Nor misses one: words in pale grey at the end of the notebook."""
    course.evaluate(AXE)
    pale = "() => { document.querySelectorAll('.rt-ask p')[%d].style.color = '%s' }"
    last = course.locator(".rt-ask p").count() - 1
    course.evaluate(pale % (last, "#DDDDDD"))
    ((fault, *words),) = course.evaluate(FAULTS, PLACES)
    assert fault == "color-contrast"
    assert "Put the three in order" in "".join(words)
    course.evaluate(pale % (last, ""))
    assert course.evaluate(FAULTS, PLACES) == []


@pytest.fixture
def paper(course):
    """A second page of the same browser."""
    page = course.context.new_page()
    yield page
    page.close()
    course.bring_to_front()


def test_a_page_that_nbconvert_writes_has_no_serious_fault(paper, lab, tmp_path):
    """Of its outputs and words; what code looks like is nbconvert's own."""
    notebook = lessons.strip(lessons.read(lab.folder / "course.ipynb"))
    page, _ = HTMLExporter().from_notebook_node(notebook)
    path = tmp_path / "course.html"
    path.write_text(re.sub(r'<script src="http.*?</script>', "", page), encoding="utf-8")
    paper.goto(path.as_uri())
    paper.evaluate(AXE)
    assert paper.evaluate(FAULTS, PLACES) == []


def test_words_are_readable_on_a_dark_ground(course):
    theme = "apputils:change-theme"
    course.evaluate(f"() => jupyterapp.commands.execute('{theme}', {{theme: 'JupyterLab Dark'}})")
    course.locator("body[data-jp-theme-light=false]").wait_for(state="attached")
    assert course.evaluate(FAULTS, PLACES) == []
    grounds = course.locator(".rt-view > .widget-image").evaluate_all(
        "all => [...new Set(all.map(one => getComputedStyle(one).backgroundColor))]"
    )
    assert grounds == ["rgb(255, 255, 255)"]
    course.evaluate(f"() => jupyterapp.commands.execute('{theme}', {{theme: 'JupyterLab Light'}})")


def kept(lab):
    """What the saved notebook says of each cell to readers without a kernel."""
    cells = lessons.code_cells(lessons.read(lab.folder / "course.ipynb"))[1:]
    return [cell.outputs[1].data["text/plain"] for cell in cells]


def assert_kept(seen, texts):
    for (shown,), text in zip(seen, texts, strict=True):  # one output of the two is seen
        first = shown.strip().splitlines()[0]
        assert len(first) > 20
        assert text.startswith(first)


def test_a_saved_notebook_keeps_its_pictures_without_a_kernel(course, lab):
    course.evaluate(NO_KERNEL)
    course.route("**/api/sessions*", refuse)
    course.goto(lab.url("lab/tree/course.ipynb") + "&reset")
    course.get_by_text("Error Starting Kernel").wait_for()
    course.keyboard.press("Enter")
    assert_kept(look(course, SEEN)[2:], kept(lab))
    course.unroute("**/api/sessions*")


def test_a_saved_notebook_keeps_its_pictures_beside_a_new_kernel(course, lab):
    go_to(course, lab, "course.ipynb")
    assert_kept(look(course, SEEN)[2:], kept(lab))
