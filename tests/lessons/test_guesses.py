"""The guesses of the course: nothing gives them away, and what was measured is measured again."""

import ast
import json
import re
import sys
import tomllib
import warnings
from itertools import pairwise
from pathlib import Path

import pytest
from lesson_cells import NOTEBOOKS, cells_of

from ranktrees_lab.ask.guess import REVEALED, guess, kind_of
from ranktrees_lab.ask.questions import FOLDER, read_guess, read_tables
from ranktrees_lab.student import student_copy
from tools import lessons

CALL = re.compile(r'rt\.guess\("([\w.]+)"')
NUMBERS = sorted(path.stem for path in FOLDER.glob("*.toml"))
MEASURED = tomllib.loads(Path(__file__).with_name("guesses.toml").read_text("utf-8"))
DAILY = "05"  # the others in the long tests
LESSONS = [n if n == DAILY else pytest.param(n, marks=pytest.mark.long) for n in [*NUMBERS, "16"]]


def keys_in(cell):
    """The keys of the guesses that a cell asks."""
    return CALL.findall("".join(cell["source"])) if cell["cell_type"] == "code" else []


def run(source, names):
    """Execute a cell in these names, and show the value of its last line as Jupyter would."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), source, "exec"), names)
    if last is not None:
        repr(eval(compile(ast.Expression(last.value), source, "eval"), names))


@pytest.mark.parametrize("number", LESSONS)
def test_an_untouched_copy_runs_and_what_was_measured_is_measured_again(number, monkeypatch):
    """In this process: the kernel, and how outputs are shown, nbval tests with the solutions.

    What the extra "hosted" does not bring cannot be imported.
    """
    monkeypatch.chdir(NOTEBOOKS)
    for name in ("jupyterlab", "dask", "distributed"):
        monkeypatch.setitem(sys.modules, name, None)
    names = {"__name__": "__main__", "display": repr}
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        for cell in student_copy({"cells": cells_of(number)})["cells"]:
            if cell["cell_type"] == "code":
                run("".join(cell["source"]), names)
            for key in MEASURED.keys() & keys_in(cell):
                assert_measured(key, [eval(code, names) for code in MEASURED[key]])


def assert_measured(key, found):
    """The table of a guess has this answer, and its words these texts."""
    answer, *said = json.loads(json.dumps(found, default=lambda number: number.item()))
    table = read_guess(key)
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


@pytest.mark.parametrize("number", NUMBERS)
def test_no_guess_is_given_away_by_what_is_put_out_or_by_the_words_below(number):
    """By what the lesson has put out, which nbval holds to be what it puts out."""
    (path,) = NOTEBOOKS.glob(f"{number}_*.ipynb")
    for cell, after in pairwise([*lessons.read(path).cells, {"cell_type": "code"}]):
        for key in keys_in(cell):
            table, how = read_guess(key), guess(key).kind.how  # as in "a share, such as 0.7"
            seen = [shown(each).replace(how, "") for each in (cell, after)]
            data = (output.get("data", {}) for output in cell.outputs)
            (revealed,) = [each[REVEALED]["texts"] for each in data if REVEALED in each]
            for text in [*revealed[1:], table.get("says", "")]:  # the first is the answer
                assert not text or not any(text in page for page in seen), key
            answer, is_number = table["answer"], isinstance(table["answer"], int | float)
            words = ", ".join(answer) if isinstance(answer, list) else str(answer)
            if isinstance(answer, float | list):
                assert not any(words in page for page in seen), key
            if "choices" in table and len(answer) > 9:
                assert answer not in seen[1], key
            below = after["source"] if after["cell_type"] == "markdown" else ""
            if len(words := words.removeprefix("0")) > (2 if is_number else 9):
                assert not re.search(rf"(?<![\w.]){re.escape(words)}(?!\w)", below), key


def test_each_guess_is_asked_once_by_its_key_alone_and_its_table_is_in_order():
    cells = [cell for number in NUMBERS for cell in cells_of(number)]
    asked = [key for cell in cells for key in keys_in(cell)]
    tables = {number: read_tables(number)[1].get("guess", {}) for number in NUMBERS}
    assert sorted(asked) == sorted(f"{n}.{name}" for n in NUMBERS for name in tables[n])
    assert len(asked) > 30
    assert set(MEASURED) <= set(asked)
    for key in asked:
        assert guess(key).kind.right, key
    trees = (ast.parse("".join(cell["source"])) for cell in cells if keys_in(cell))
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "rt.guess":
            assert [type(arg) for arg in node.args] == [ast.Constant]
            assert {keyword.arg for keyword in node.keywords} <= {"reveal"}


def test_a_guess_that_cannot_be_is_not_taken():
    kind = kind_of({"text": "In how many of 20 splits?", "answer": 17, "digits": 0})
    for typed, said in (("21 of 20", "more than 20"), ("-1", "less than 0")):
        kind.box.value = typed
        with pytest.raises(ValueError, match=said):
            kind.read()
    kind.box.value = "20 of 20"
    assert kind.read() == 20
