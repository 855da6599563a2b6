"""The guesses of the course: nothing gives them away, and what was measured is measured again."""

import ast
import json
import re
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from lesson_cells import NOTEBOOKS, cells_of
from nbformat.v4 import new_code_cell

from ranktrees_lab.ask.guess import REVEALED, guess, kind_of
from ranktrees_lab.ask.questions import FOLDER, read_guess, read_tables
from tools import lessons

CALL = re.compile(r'rt\.guess\("([\w.]+)"')
NUMBERS = sorted(path.stem for path in FOLDER.glob("*.toml"))
PROBE = """import json
print(json.dumps([{}], default=lambda number: number.item()))"""

MEASURED = tomllib.loads(Path(__file__).with_name("guesses.toml").read_text("utf-8"))


def keys(number):
    """The keys of a lesson's guesses, in the order of its file."""
    return [f"{number}.{name}" for name in read_tables(number)[1].get("guess", {})]


def calls(source):
    """The calls of rt.guess in the source of a cell."""
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return [node for node in nodes if ast.unparse(node.func) == "rt.guess"]


DAILY = "05"  # the others in the long tests
LESSONS = [n if n == DAILY else pytest.param(n, marks=pytest.mark.long) for n in NUMBERS]


@pytest.mark.parametrize("number", LESSONS)
def test_what_was_measured_is_measured_again(number):
    """A kernel runs a lesson, and after each guess a cell that measures its answer."""
    (path,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    notebook, probes = lessons.read(path), {}
    cells, notebook.cells = notebook.cells, []
    for cell in cells:
        notebook.cells.append(cell)
        asked = CALL.search(cell.source) if cell.cell_type == "code" else None
        if asked and asked[1] in MEASURED:
            probes[asked[1]] = new_code_cell(PROBE.format(", ".join(MEASURED[asked[1]])))
            notebook.cells.append(probes[asked[1]])
    lessons.execute(notebook, path.parent)
    for key, probe in probes.items():
        table, (answer, *said) = read_guess(key), json.loads(probe.outputs[0].text)
        if isinstance(answer, int | float):
            answer = round(answer, table.get("digits", 2))
        assert answer == table["answer"], key
        for text in said:
            assert text in f"{table['text']} {table.get('says', '')}", (key, text)


def shown(cell):
    """What the outputs of a cell show before anything is unfolded or pressed."""
    texts = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        page = re.sub(r"<details>.*?</details>", "", data.get("text/html", ""), flags=re.DOTALL)
        texts += [output.get("text", ""), data.get("text/plain", ""), page]
    return "\n".join(texts)


def hidden(cell):
    """What a guess shows afterwards: its answer and words, and the texts of what it reveals."""
    found = [output.get("data", {}).get(REVEALED) for output in cell["outputs"]]
    return next(data for data in found if data is not None)["texts"]


@pytest.mark.parametrize("number", NUMBERS)
def test_no_guess_is_given_away_after_all_cells_have_run(number):
    """By what the lesson has put out, which nbval holds to be what it puts out."""
    (path,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    cells = lessons.read(path).cells
    for cell, after in pairwise([*cells, {"outputs": []}]):
        for key in CALL.findall(cell.source) if cell.cell_type == "code" else []:
            table, how = read_guess(key), guess(key).kind.how  # as in "a share, such as 0.7"
            seen = [shown(each).replace(how, "") for each in (cell, after)]
            for text in [*hidden(cell)[1:], table.get("says", "")]:
                assert not text or not any(text in page for page in seen), key
            if isinstance(table["answer"], float) or "order" in table:
                right = str(table["answer"]) if "order" not in table else ", ".join(table["answer"])
                assert not any(right in page for page in seen), key
            if "choices" in table and len(table["answer"]) > 9:
                assert table["answer"] not in seen[1], key


@pytest.mark.parametrize("number", NUMBERS)
def test_no_words_below_a_guess_answer_it(number):
    """What explains the answer is among the words of the guess, which appear with it."""
    cells = cells_of(number)
    for cell, below in pairwise(cells):
        source = "".join(cell["source"])
        for key in CALL.findall(source) if below["cell_type"] == "markdown" else []:
            answer = read_guess(key)["answer"]
            words = ", ".join(answer) if isinstance(answer, list) else str(answer)
            long = len(words.removeprefix("0")) > (2 if isinstance(answer, int | float) else 9)
            right = rf"(?<![\w.]){re.escape(words.removeprefix('0'))}(?!\w)"
            assert not (long and re.search(right, "".join(below["source"]))), key


def test_each_guess_is_asked_once_and_nothing_else_is_measured():
    cells = [cell for number in NUMBERS for cell in cells_of(number) if cell["cell_type"] == "code"]
    asked = [key for cell in cells for key in CALL.findall("".join(cell["source"]))]
    assert sorted(asked) == sorted(key for number in NUMBERS for key in keys(number))
    assert len(asked) > 30
    assert set(MEASURED) <= set(asked)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_call_holds_nothing_but_key_and_reveal(number):
    for cell in cells_of(number):
        for call in calls("".join(cell["source"])) if cell["cell_type"] == "code" else []:
            assert [type(arg) for arg in call.args] == [ast.Constant]
            assert {keyword.arg for keyword in call.keywords} <= {"reveal"}


def test_each_table_of_a_guess_is_in_order():
    for key in (key for number in NUMBERS for key in keys(number)):
        assert guess(key).question == read_guess(key)["text"]
        assert guess(key).kind.right, key


@pytest.mark.parametrize(
    ("table", "typed", "said"),
    [
        ({"text": "In how many of 20 splits?", "unit": "splits"}, "21 of 20", "more than 20"),
        ({"text": "What part of them?", "unit": "per cent"}, "101", "more than 100"),
        ({"text": "How many leaves?"}, "-1", "less than 0"),
    ],
)
def test_a_guess_that_cannot_be_is_not_taken(table, typed, said):
    kind = kind_of({"answer": 17, "digits": 0, **table})
    kind.box.value = typed
    with pytest.raises(ValueError, match=said):
        kind.read()
    kind.box.value = "20 of 20"
    assert kind.read() == 20
