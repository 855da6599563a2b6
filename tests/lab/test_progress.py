"""What helps a student who is stuck, and what a course remembers: solutions after three tries."""

import json

import pytest

import ranktrees as rt
from ranktrees_lab import progress
from ranktrees_lab.check import EXERCISES, base
from ranktrees_lab.student import copy_text, lessons_folder
from tools import lessons

TITLE = "00 · Who should get the letter? Ranking with a decision tree"


@pytest.fixture(autouse=True)
def anew(monkeypatch, tmp_path):
    """A kernel that has just begun, in an empty folder."""
    monkeypatch.setattr(base, "PATIENCE", 1)
    progress.TRIES.clear()
    monkeypatch.setattr(progress, "DONE", {kind: set() for kind in progress.KINDS})
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def copies(tmp_path):
    """The folder of a student's copies of two lessons."""
    for path in sorted(lessons_folder().glob("0[05]_*.ipynb")):
        (tmp_path / path.name).write_text(copy_text(path), encoding="utf-8")
    return tmp_path


def test_after_three_wrong_tries_the_solution_is_shown():
    with pytest.raises(ValueError, match="no answer was wrong yet"):
        rt.solution()
    for _ in range(2):
        assert "rt.solution()" not in repr(rt.check.pairs_by_hand(0.11))
    with pytest.raises(ValueError, match="pairs_by_hand: 2 tries so far"):
        rt.solution()
    assert "rt.solution()" in repr(rt.check.pairs_by_hand(0.11))
    shown = rt.solution()
    assert shown._repr_markdown_() == f"```python\n{shown}\n```"
    names = {"rt": rt}
    exec(shown, names)
    assert rt.check.pairs_by_hand(names["auc_by_hand"])
    for _ in range(3):
        rt.check.pairs_by_hand(0.11)
        rt.check.cartype_order(["multiway", "sports", "sports,luxury"])
    assert "rt.check.cartype_order" in rt.solution(), "of the check tried last"


def test_every_exercise_has_a_solution_and_one_lesson():
    for name in EXERCISES:
        progress.TRIES.clear()
        progress.TRIES[name] = progress.ENOUGH
        assert f"rt.check.{name}(" in rt.solution()
    progress.DONE["exercises"] = set(EXERCISES)
    done = rt.progress()["exercises"].str.split().str[0]
    assert done.astype(int).sum() == len(EXERCISES)


def test_what_is_done_is_kept_beside_the_copies_of_a_student(copies):
    assert rt.progress().loc[TITLE].tolist() == ["0 of 3", "0 of 2"]
    rt.check.pairs_by_hand(0.11)
    assert not (copies / progress.FILE).exists()
    assert rt.check.pairs_by_hand(0.75)
    quiz = rt.quiz("05")
    for control in quiz.controls:
        assert not progress.DONE["quizzes"]
        control.value = control.options[0][1]
    kept = json.loads((copies / progress.FILE).read_text(encoding="utf-8"))
    assert kept == {"exercises": ["pairs_by_hand"], "quizzes": ["05 end"]}
    for done in progress.DONE.values():
        done.clear()  # as in another kernel
    assert rt.progress().loc[TITLE, "exercises"] == "1 of 3"
    assert (rt.progress() == "1 of 2").any(axis=None)


@pytest.mark.parametrize("text", ["{", '{"exercises": 3}'])
def test_a_file_that_cannot_be_read_is_named_and_stays_and_no_check_fails(copies, text):
    (copies / progress.FILE).write_text(text, encoding="utf-8")
    assert rt.check.pairs_by_hand(0.75)
    with pytest.raises(ValueError, match=r"progress.json cannot be read.*rename or delete it"):
        rt.progress()
    assert (copies / progress.FILE).read_text(encoding="utf-8") == text


def test_beside_lessons_with_solutions_nothing_is_written(tmp_path):
    (path,) = lessons_folder().glob("00_*.ipynb")
    lessons.write(lessons.read(path), tmp_path / path.name)
    assert rt.check.pairs_by_hand(0.75)
    assert rt.progress().loc[TITLE, "exercises"] == "1 of 3"
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
