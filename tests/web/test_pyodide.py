"""The lessons and the engine's tests in Pyodide itself: three lessons daily, all else at night."""

import json

import pytest
from compare import differences
from fresh import ROOT
from in_pyodide import run

from ranktrees_lab.student import find_lessons

LESSONS = [path.stem for path in find_lessons([])]
DAILY = "00_ranking", "03_naive_bayes", "16_playground"
ROOMS = "basics", "citree", "evaluate", "newton", "estimates"


def _compared(out, names):
    run("lessons_in_pyodide.py", out, *names)
    for name in names:
        ran = json.loads((out / f"{name}.json").read_text(encoding="utf-8"))
        lesson = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
        cells = len(ran["outputs"])
        print(f"{name}: {cells} cells, {ran['seconds']:.0f} s, {ran['heap'] >> 20} MB")
        assert differences(lesson, ran["outputs"]) == []
        assert cells > 1


def test_three_lessons_say_what_is_stored(tmp_path):
    _compared(tmp_path, DAILY)


@pytest.mark.long
@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_says_what_is_stored(tmp_path, name):
    _compared(tmp_path, [name])


@pytest.mark.long
@pytest.mark.parametrize("room", ROOMS)
def test_the_unit_tests_pass(tmp_path, room):
    run("unit_in_pyodide.py", tmp_path, f"tests/{room}", lists=("beside", "testing"))


def test_the_rules_of_32_bits_are_those_of_pyodide(tmp_path):
    run("rules32.py", tmp_path, lists=(), packages="numpy,pandas")


@pytest.mark.long
def test_where_no_thread_starts_an_endless_answer_ends(tmp_path):
    assert "After 1 seconds this was not judged" in run("ends_in_pyodide.py", tmp_path)
