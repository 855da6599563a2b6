"""One made-up notebook with every explorer, a quiz and a guess: what readers of the lessons see."""

import pytest
from browser import PANEL, browse, go_to, open_lesson, run_all
from nbformat.v4 import new_code_cell, new_notebook

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
    'rt.explore.split(credit, "duration", criterion="gini")',
    """cuts = {"criterion": "gini", "split": "binary", "numeric": "thresholds"}
rt.explore.growing(rt.DecisionTree(**cuts).fit(payers.X, payers.y), payers, case=7)""",
    'rt.explore.bins(credit, "duration", n_bins=5)',
    """married = {"Refund": "No", "Status": "Married", "Income": 92.0}
rt.explore.smoothing(payers, "Status", case=married, smoothing="m")""",
    'rt.explore.roc(credit.y, scores["C4.4"], positive="bad")',
    'rt.explore.folds(rt.load("labor"), rt.C44())',
    'rt.explore.pruning(credit, method="C4.5", estimate="m-branch")',
    'rt.explore.citree(rt.load("vote"))',
    'rt.explore.citree_growth(rt.load("vote"))',
    "rt.explore.newton(iris, case=70)",
    'rt.explore.shrinkage(cancer, case=2, weights="mine")',
    'rt.explore.shrinkage(cancer, case=2, estimate="WPE")',
    'rt.explore.results("wang2006")',
    'rt.explore.path_bayes(credit, rt.C45(estimate="path-bayes"), case=2)',
]
ASKING = [
    'rt.quiz("05")',
    'rt.guess("Which share?", 0.79, unit="share", says="Ties count one half.")',
]
# Call `look(cell)` on each cell once it is in sight, and return what it gives.
EACH = f"""async look => {{
    const panel = {PANEL}.content, found = [];
    for (let i = 0; i < panel.widgets.length; i++) {{
        panel.scrollToItem(i, 'start');
        await new Promise(resolve => setTimeout(resolve, 100));
        found.push(look(panel.widgets[i].node));
    }}
    return found;
}}"""
# For each output of a cell that is seen: its alt texts, or else its text.
SEEN = """cell => [...cell.querySelectorAll('.jp-OutputArea-child')].filter(o => o.offsetHeight > 0)
    .map(o => [...o.querySelectorAll('img')].map(i => i.alt).join() || o.innerText)"""
NO_KERNEL = "() => jupyterapp.serviceManager.sessions.shutdownAll()"


def refuse(route):
    """No kernel starts; what runs may be asked for."""
    route.abort() if route.request.method == "POST" else route.continue_()


def look(page, what):
    return page.evaluate(f"() => ({EACH})({what})")


@pytest.fixture(scope="module")
def course(chromium, lab, tmp_path_factory):
    """The page of the notebook after Run All; its first cell makes what the others show."""
    folder = tmp_path_factory.mktemp("course")
    cells = [new_code_cell(text) for text in (*EXPLORERS, *ASKING)]
    lessons.write(lessons.strip(new_notebook(cells=cells)), folder / "course.ipynb")
    with browse(chromium, folder / "profile", 1280, 800) as page:
        open_lesson(page, lab, folder / "course.ipynb")
        assert run_all(page) == []
        page.keyboard.press("Control+s")
        page.locator(".jp-mod-dirty").wait_for(state="detached")
        yield page


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
    assert_kept(look(course, SEEN)[1:], kept(lab))
    course.unroute("**/api/sessions*")


def test_a_saved_notebook_keeps_its_pictures_beside_a_new_kernel(course, lab):
    go_to(course, lab, "course.ipynb")
    assert_kept(look(course, SEEN)[1:], kept(lab))
