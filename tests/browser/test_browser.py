"""Lessons in a real JupyterLab: a student's evening with a wheel, questions, and guesses."""

import re
from pathlib import Path

import pytest
from browser import (
    CONNECTED,
    DISTORTED,
    PANEL,
    POLL,
    PRINTED,
    look,
    open_lesson,
    ready,
    run_all,
)
from fresh import served, surroundings, typed
from nbformat.v4 import new_code_cell, new_notebook

from ranktrees_lab.ask.card import marked
from ranktrees_lab.ask.guess import REVEALED, SHOW
from ranktrees_lab.ask.questions import read_guess, read_questions
from ranktrees_lab.student import copy_text
from tools import lessons

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LESSON, PAIRS = "00_ranking.ipynb", "rt.check.pairs_by_hand"
WHERE = f"text => [...{PANEL}.model.cells].findIndex(c => c.sharedModel.source.includes(text))"
CELL = f"i => {PANEL}.content.widgets[i].node"
SELECT = f"""async i => {{
    const notebook = {PANEL}.content;
    notebook.activeCellIndex = i;
    await notebook.scrollToItem(i, 'center');
}}"""
CODE = f"(from, to) => [...{PANEL}.model.cells].slice(from, to).filter(c => c.type === 'code')"
FORGET = f"([from, to]) => ({CODE})(from, to).forEach(cell => cell.clearExecution())"
RAN = f"""([from, to]) => ({CODE})(from, to).every(cell => cell.executionCount !== null)
    && ({CONNECTED})()"""
CLOSE = f"async () => {{ await {PANEL}.context.save(); await {PANEL}.sessionContext.shutdown(); }}"


def part(page, i, kind):
    """A part of a cell, which is scrolled into view."""
    page.evaluate(SELECT, i)
    return page.evaluate_handle(CELL, i).as_element().wait_for_selector(kind)


def run_above(page, i):
    """What the pages say of a kernel's restart: Run > Run All Above Selected Cell."""
    page.evaluate(FORGET, [0, i])  # a lesson with its outputs looks as if it had run
    page.evaluate(SELECT, i)
    page.locator(".lm-MenuBar-itemLabel").get_by_text("Run", exact=True).click()
    page.locator(".lm-Menu-itemLabel").get_by_text("Run All Above Selected Cell").click()
    page.wait_for_function(RAN, arg=[0, i], polling=POLL)


def answer(page, check, text):
    """Type an answer, run it and its check by the keyboard; return what the check says."""
    i = page.evaluate(WHERE, check)
    page.evaluate(FORGET, [i, i + 1])
    part(page, i - 1, ".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.type(text)
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    page.wait_for_function(RAN, arg=[i, i + 1], polling=POLL)
    return part(page, i, ".jp-OutputArea-output").inner_text()


def move_a_slider(page):
    """Press an arrow on the handle of the first explorer, and wait for another picture."""
    cell = page.evaluate_handle(CELL, page.evaluate(WHERE, "rt.explore.")).as_element()
    page.evaluate(SELECT, page.evaluate(WHERE, "rt.explore."))
    picture = cell.wait_for_selector(".rt-view img")
    old = picture.get_attribute("src")
    handle = cell.wait_for_selector(".noUi-handle")
    at_end = handle.get_attribute("aria-valuenow") == handle.get_attribute("aria-valuemax")
    handle.press("ArrowLeft" if at_end else "ArrowRight")
    page.wait_for_function("([img, old]) => img.src !== old", arg=[picture, old])


def test_a_student_answers_saves_and_finds_it_again(page, fresh, tmp_path):
    """In a new environment with the wheel alone, and a new folder."""
    shell = surroundings(fresh, tmp_path / "private")
    said = typed("python -m ranktrees lessons my-course", tmp_path, shell)
    assert said.endswith('open them: python -m jupyterlab "my-course"\n')
    line = "python -m jupyterlab my-course --no-browser --expose-app-in-browser"
    with served(line, tmp_path, shell, tmp_path / "log") as address:
        lesson = address.replace("/lab?", f"/lab/tree/{LESSON}?")
        ready(page, lesson)
        where = page.evaluate(PRINTED, "import ranktrees; print(ranktrees.__file__)").strip()
        assert Path(where).is_relative_to(fresh.parents[1])
        check = page.evaluate(WHERE, PAIRS)
        run_above(page, check - 1)
        move_a_slider(page)
        tries = ("8 / 12", "10 / 12", "75", "9 / 12")
        said = [answer(page, PAIRS, f"auc_by_hand = {value}") for value in tries]
        assert [text.split(".")[0] for text in said] == ["Not yet"] * 3 + ["Right"]
        assert "left out the ties" in said[0]
        assert "one half" in said[1]
        assert "not per cent" in said[2]
        page.keyboard.press("Control+s")
        page.locator(".jp-mod-dirty").wait_for(state="detached")
        page.evaluate(CLOSE)
        page.close()
        again = page.context.new_page()
        ready(again, lesson)
        assert "not defined" in again.evaluate(PRINTED, "auc_by_hand"), "nothing has run"
        typed_in = part(again, check - 1, ".cm-content").inner_text()
        assert typed_in == "auc_by_hand = 9 / 12"
        assert part(again, check, ".jp-OutputArea-output").inner_text() == said[-1]


ASKING = [
    "import ranktrees as rt",
    'rt.quiz("05")',
    'rt.guess("05.pairs", reveal=rt.plot.impurity)',
]


def test_a_quiz_and_a_guess_answer_to_the_keyboard_and_are_saved_as_text(page, lab, tmp_path):
    path = tmp_path / "asking.ipynb"
    cells = [new_code_cell(text) for text in ASKING]
    lessons.write(lessons.strip(new_notebook(cells=cells)), path)
    open_lesson(page, lab, path)
    assert run_all(page) == []
    quiz, guess = (page.locator(".jp-Cell:has(.rt-ask)").nth(i) for i in (0, 1))
    right, wrong = sorted(read_questions("05")[-1].choices, key=lambda c: not c.right)[:2]
    quiz.get_by_role("button", name=right.text, exact=True).focus()
    page.keyboard.press("Enter")
    quiz.get_by_role("status").get_by_text("Right.").wait_for()
    revealed = guess.get_by_role("img")
    assert "Guess first." in guess.inner_text()
    assert "0.78" not in guess.inner_text()
    assert revealed.count() == 0
    guess.get_by_label("Guess").focus()
    page.keyboard.type("70 %")
    page.keyboard.press("Tab")  # to the button
    page.keyboard.press("Enter")
    said = "0.08 higher. 12 pairs are right and 1 is tied"
    guess.get_by_role("status").get_by_text(said).wait_for()
    revealed.wait_for()
    page.keyboard.press("Control+s")
    page.locator(".jp-mod-dirty").wait_for(state="detached")
    saved = lessons.code_cells(lessons.read(lab.folder / path.name))[-2:]
    quiz, guess = (cell.outputs[1].data for cell in saved)  # the first is the widget's
    assert right.why not in quiz["text/plain"] + quiz["text/html"]
    assert f"<li>{marked(wrong.text)}</li>" in quiz["text/html"]
    asked, answered, _ = re.split("</?details>", guess["text/html"])
    assert "0.78" not in guess["text/plain"] + asked
    assert "0.78" in answered


# What a reader sees of a cell's outputs: their words, and the alt texts of their pictures.
SEEN = """cell => [...cell.querySelectorAll('.jp-OutputArea-child')].filter(o => o.offsetHeight > 0)
    .map(output => [output.innerText, ...[...output.querySelectorAll('img')]
        .filter(image => image.checkVisibility()).map(image => image.alt)].join(' ')).join(' ')"""
PRESS = f"""cell => [...cell.querySelectorAll('.rt-ask button')]
    .filter(button => button.innerText === '{SHOW}').forEach(button => button.click())"""


@pytest.mark.long
@pytest.mark.parametrize("name", ["03_naive_bayes.ipynb", "05_auc.ipynb"])
def test_no_guess_gives_itself_away_before_show_me_is_pressed(page, lab, tmp_path, name):
    """In a student's copy, after Run All; then words and pictures are there, none distorted."""
    (tmp_path / name).write_text(copy_text(NOTEBOOKS / name), encoding="utf-8")
    whole = lessons.code_cells(lessons.read(NOTEBOOKS / name))
    bundles = [output.get("data", {}) for cell in whole for output in cell.outputs]
    hidden = [data[REVEALED]["texts"][1:] for data in bundles if REVEALED in data]
    cells = lessons.read(tmp_path / name).cells
    asked = [re.search(r'rt\.guess\("([\w.]+)"', cell.source) for cell in cells]
    asked = {place: found[1] for place, found in enumerate(asked) if found}
    open_lesson(page, lab, tmp_path / name)
    assert run_all(page) == []
    seen, expected = look(page, SEEN), {}
    for (place, key), texts in zip(asked.items(), hidden, strict=True):
        says = read_guess(key).get("says", "")
        assert "Guess first." in seen[place]
        for text in filter(None, [says, *texts]):
            assert text not in seen[place] + seen[place + 1], key
        expected[place] = [text for text in [says, *texts] if "\n" not in text]
    for _ in range(20):
        look(page, PRESS)  # again where a cell was not there yet; once is enough for the guess
        seen = look(page, SEEN)
        if all(text in seen[place] for place, texts in expected.items() for text in texts):
            distorted, counts = zip(*look(page, DISTORTED), strict=True)
            assert [alts for alts in distorted if alts] == []
            assert sum(counts) > 0
            return
        page.wait_for_timeout(POLL)
    missing = [t for place, texts in expected.items() for t in texts if t not in seen[place]]
    raise AssertionError(missing)
