"""The lessons in a real JupyterLab: Chromium opens them, runs all cells and moves a slider."""

import re
import statistics
import subprocess
import time
from pathlib import Path

import pytest
from browser import DISTORTED, PANEL, POLL, PRINTED, Lab, go_to, look, open_lesson, run_all
from nbformat.v4 import new_code_cell, new_notebook

from ranktrees_lab.ask.card import marked
from ranktrees_lab.ask.guess import REVEALED, SHOW
from ranktrees_lab.ask.questions import read_guess, read_questions
from ranktrees_lab.student import copy_text
from tools import lessons

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
MOVES = 7
# The page holds only the cells near the visible ones: scroll until the first slider is there.
SCROLLED = f"""() => {{
    const notebook = {PANEL}.content;
    const views = 'application/vnd.jupyter.widget-view+json';
    const find = kinds => [...notebook.model.cells].findIndex(cell => cell.type === 'code'
        && kinds.every(kind => cell.outputs.toJSON().some(({{data}}) => data && kind in data)));
    const explorer = find([views, 'image/png']);  // a quiz or a guess has no picture
    const at = explorer < 0 ? find([views]) : explorer;
    notebook.scrollToItem(at, 'start');
    const cell = notebook.widgets[at].node;
    return cell.isConnected && cell.querySelector('.noUi-handle') !== null
        && cell.querySelector('img')?.naturalWidth > 0;
}}"""


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
    distorted, seen = zip(*look(page, DISTORTED), strict=True)
    assert [alts for alts in distorted if alts] == []
    assert sum(seen) >= 3  # what guesses reveal is not there yet


def test_slider_of_the_second_lesson_redraws(page, lab, capsys):
    check_slider(page, lab, NOTEBOOKS / "01_what_is_a_good_split.ipynb", capsys)


def test_a_course_from_the_wheel_alone(page, fresh, tmp_path):
    """In a new folder and environment: one command writes the lessons, one opens them."""
    write = [fresh, "-m", "ranktrees", "lessons", "my-course"]
    done = subprocess.run(write, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith('open them: python -m jupyterlab "my-course"\n')
    course = Lab(tmp_path / "my-course", tmp_path / "private", fresh)
    try:
        course.wait()
        go_to(page, course, "01_what_is_a_good_split.ipynb")
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
    'guess = rt.guess("05.pairs")\nguess',
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
    assert quiz.get_by_role("alert").inner_text().startswith("Right.")
    guess.get_by_label("Guess").focus()
    page.keyboard.type("70 %")
    page.keyboard.press("Tab")  # to the button
    page.keyboard.press("Enter")
    assert (
        "0.08 higher. 12 pairs are right and 1 is tied" in guess.get_by_role("alert").inner_text()
    )
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


@pytest.mark.parametrize("name", ["03_naive_bayes.ipynb", "05_auc.ipynb"])
def test_no_guess_gives_itself_away_before_show_me_is_pressed(page, lab, tmp_path, name):
    """In a student's copy, after Run All; then the words and the pictures are there."""
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
            return
        page.wait_for_timeout(POLL)
    missing = [t for place, texts in expected.items() for t in texts if t not in seen[place]]
    raise AssertionError(missing)
