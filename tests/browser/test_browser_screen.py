"""What fits JupyterLab's pane at 1280 x 720, is easy to read, dark by night, and read aloud."""

import io

import pytest
from browser import PANEL, PATIENCE, look, open_lesson, run_all
from explorers import CELLS
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from PIL import Image

from ranktrees_lab.ask.questions import read_questions
from tools import lessons

TALLEST, WIDEST = 600, 90  # pixels of an output, letters of a line
GUESSES = {
    'rt.guess("05.costlier", reveal=rt.explore.roc(credit.y, scores["C4.4"], "bad"))': "nowhere",
    'rt.guess("09.deal", reveal=rt.explore.citree_growth(rt.load("vote")))': "nothing",
}
PICTURE = 'rt.plot.roc(credit.y, scores, positive="bad")'
PROSE = "A word and another one, no longer than they are elsewhere; " * 12
# Of the explorer in a cell: the heights of its output and of its picture; how far the controls have
# moved once it has been scrolled to its end; how many questions, open or folded, are not one line.
SIZES = """cell => {
    const output = cell.querySelector('.jp-OutputArea-child:has(.rt-view)');
    if (!output) return null;
    const view = output.querySelector('.rt-view'), top = part => part.getBoundingClientRect().top;
    const rows = view.querySelector('.widget-hbox'), before = top(rows);
    view.scrollTop = 1e6;
    const moved = Math.abs(top(rows) - before);
    view.scrollTop = 0;
    const summaries = [...output.querySelectorAll('summary')];
    return [output.offsetHeight, view.querySelector('.widget-image').offsetHeight, moved,
        summaries.filter(line => line.offsetHeight > 30).length];
}"""
# The most letters in a line of a paragraph.
LETTERS = """paragraph => {
    const text = paragraph.firstChild, range = document.createRange(), lines = new Map();
    for (let i = 0; i < text.length; i++) {
        range.setStart(text, i), range.setEnd(text, i + 1);
        const top = Math.round(range.getBoundingClientRect().top);
        lines.set(top, (lines.get(top) ?? 0) + 1);
    }
    return Math.max(...lines.values());
}"""
THEME = "name => jupyterapp.commands.execute('apputils:change-theme', {theme: name})"


@pytest.fixture(scope="module")
def shown(opened, lab, tmp_path_factory):
    """The page of a notebook with all explorers, two of them behind guesses that are made."""
    context = opened.new_context(viewport={"width": 1280, "height": 720})
    context.set_default_timeout(PATIENCE * 1000)
    page, path = context.new_page(), tmp_path_factory.mktemp("screen") / "screen.ipynb"
    cells = [new_code_cell(text) for text in (*CELLS, *GUESSES, PICTURE, 'rt.quiz("05")')]
    cells.insert(0, new_markdown_cell(PROSE))
    lessons.write(lessons.strip(new_notebook(cells=cells)), path)
    open_lesson(page, lab, path)
    assert run_all(page) == []
    look(page, "cell => null")  # all of it is made once it was in sight
    for choice in GUESSES.values():
        guess = page.locator(f".rt-ask:has(button:text-is('{choice}'))")
        guess.get_by_role("button", name=choice, exact=True).press("Enter")
        guess.get_by_role("button", name="That is my guess").press("Enter")
        page.get_by_role("status").get_by_text(f"You chose {choice}").wait_for()
        assert page.evaluate("() => document.activeElement.localName") == "summary"
    page.locator(".rt-ask .rt-view").nth(1).wait_for()
    yield page
    context.close()


def test_no_explorer_is_taller_than_the_screen(shown):
    """With the sidebar open, and closed; its controls stay while the rest scrolls."""
    for _ in range(2):
        sizes = [size for size in look(shown, SIZES) if size]
        assert len(sizes) == len(CELLS) - 1 + len(GUESSES)
        for output, picture, moved, long in sizes:
            assert output <= TALLEST, sizes
            assert 200 < picture <= 480, sizes
            assert (moved < 1, long) == (True, 0), sizes
        shown.keyboard.press("Control+b")


def test_lines_are_short_on_a_wide_screen(shown):
    shown.set_viewport_size({"width": 1920, "height": 1080})
    shown.evaluate(f"() => {PANEL}.content.scrollToItem(0, 'start')")
    letters = shown.locator(".jp-RenderedMarkdown p").first.evaluate(LETTERS)
    words = shown.locator(":is(.rt-words, .rt-said) p:not(:has(*))")
    letters = [letters, *words.evaluate_all(f"all => all.map({LETTERS})")]
    assert 60 < letters[0] <= WIDEST
    assert max(letters) <= WIDEST, letters
    shown.set_viewport_size({"width": 1280, "height": 720})


def test_no_picture_is_a_white_rectangle_by_night(shown):
    """Those of explorers and those that stay, as they are seen."""
    kinds = ".rt-view > .widget-image", ".jp-RenderedHTMLCommon > img"
    for theme, dark in (("JupyterLab Dark", True), ("JupyterLab Light", False)):
        shown.evaluate(THEME, theme)
        shown.locator(f"body[data-jp-theme-light={'false' if dark else 'true'}]").wait_for(
            state="attached"
        )
        for kind in kinds:
            image = shown.locator(kind).last
            image.scroll_into_view_if_needed()
            seen = Image.open(io.BytesIO(image.screenshot())).convert("L")
            brightest = max(value for value, n in enumerate(seen.histogram()) if n)
            assert (brightest < 235) == dark, (kind, theme, brightest)


def test_an_answer_is_read_aloud_and_what_is_chosen_says_so(shown):
    """As the accessibility tree has it."""
    quiz, question = shown.locator(".rt-ask").last, read_questions("05")[0]
    assert set(quiz.get_by_role("status").all_inner_texts()) == {""}
    for choice in sorted(question.choices, key=lambda choice: choice.right):
        quiz.get_by_role("button", name=choice.text, exact=True).press("Enter")
        said = quiz.get_by_role("status").get_by_text(choice.why.split("`")[0])
        said.wait_for()
        assert said.inner_text().startswith(choice.head)
        pressed = quiz.get_by_role("button", pressed=True)
        pressed.get_by_text(choice.text, exact=True).wait_for()
        assert pressed.count() == 1
    tree = quiz.aria_snapshot()
    assert '- status:\n  - paragraph: "Right.' in tree, tree
    assert tree.count("[pressed]") == 1
