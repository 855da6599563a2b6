"""Checks of exercises: answers in any form, slips by name, hints, solutions, what is done."""

import json
import runpy
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_lab import progress
from ranktrees_lab.check import EXERCISES, base
from ranktrees_lab.check.answers import Unclear, numbers, table
from ranktrees_lab.check.papers import JUDGED
from ranktrees_lab.check.trees import STUDY as DISTANCES
from ranktrees_lab.check.trees import SUPPORTED
from ranktrees_lab.student import copy_text, lessons_folder
from tools import lessons

TITLE = "00 · Who should get the letter? Ranking with a decision tree"
ALL = [name for name in rt.check.__all__ if name not in ("Verdict", "challenge")]
UNREAD = ["seven", "", "1/0", [0.1, 0.2], np.nan, "nan", True, print, object(), {"a": 1}]


@pytest.fixture(autouse=True)
def anew(monkeypatch, tmp_path):
    """A kernel that has just begun, in an empty folder."""
    monkeypatch.setattr(base, "PATIENCE", 1)
    progress.TRIES.clear()
    monkeypatch.setattr(progress, "DONE", {kind: set() for kind in progress.KINDS})
    monkeypatch.chdir(tmp_path)


def check(name, answer):
    return getattr(rt.check, name)(answer)


@pytest.mark.parametrize("name", ALL)
def test_nonsense_is_wrong_and_an_untouched_answer_gets_three_words(name):
    assert repr(check(name, ...)) == "No answer yet."
    assert check(name, ...).right is None
    for nonsense in (lambda *a: "x", {"a": 1}, -1e9):
        assert check(name, nonsense).right is False


@pytest.mark.parametrize(
    "form",
    [
        Fraction,
        lambda a, b: f" {a}/{b} ",
        lambda a, b: Decimal(a) / b,
        lambda a, b: [a / b],
        lambda a, b: np.array([[a / b]]),
        lambda a, b: np.float64(a / b),
        lambda a, b: pd.Series({"answer": a / b}),
        lambda a, b: pd.DataFrame({"answer": [a / b]}),
        lambda a, b: f"{a / b:.7f}".replace(".", ","),
        lambda a, b: f"≈ {a / b!r} bits",
    ],
)
def test_a_number_is_right_in_any_form(form):
    assert check("bits_of_parity", form(1, 1))
    assert check("pairs_by_hand", form(9, 12))
    assert check("printed_auc", form(2, 5))


def test_a_share_is_right_with_enough_decimals_and_is_not_in_per_cent():
    for name, right in (("pairs_by_hand", 9 / 12), ("printed_auc", 0.4)):
        for digits in (2, 6):
            assert check(name, round(right, digits))
            assert "not per cent" in repr(check(name, round(100 * right, digits)))
    assert check("pairs_by_hand", "75,0 %")
    assert check("pairs_by_hand", "9 of 12")
    for unread in UNREAD:
        assert "Give one number" in repr(check("pairs_by_hand", unread))
    assert not base.TRIES, "what cannot be read is no try"


@pytest.mark.parametrize(
    "form",
    [
        pd.Series,
        lambda table: {f" {key} ": value for key, value in table.items()},
        lambda table: list(table.items()),
        lambda table: list(table.values()),
        lambda table: pd.DataFrame({"name": list(table), "value": list(table.values())}),
        lambda table: pd.Series(table).to_frame(),
        lambda table: pd.DataFrame([table]),
        lambda table: {key: str(value) for key, value in table.items()},
        lambda table: {key: [value] for key, value in table.items()},
        lambda table: dict(reversed(table.items())),
    ],
)
def test_a_table_is_right_in_any_form(form):
    assert check("followed_down", form({"Ann": "No", "Ben": "Yes", "Cem": "No"}))
    assert check("supported_reading", form(SUPPORTED))
    assert check("distance_study", form(DISTANCES))
    assert check("judged", form(JUDGED))


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("cartype_order", "multiway; sports,luxury; sports"),
        ("cartype_order", "Multiway > Sports, Luxury > sports"),
        ("cartype_order", pd.Series(["multiway", " sports, luxury ", "SPORTS"])),
        ("pruned_tests", " Owner "),
        ("pruned_tests", {"owner"}),
        ("harmful_copies", [" Purpose"]),
        ("where_it_gains", "tic-tac-toe, monks-1"),
        ("where_it_gains", pd.Index(["monks 1", "Tic Tac Toe"])),
        ("scans_per_level", "1, 1, 2, 4, 8 and 13"),
        ("scans_per_level", pd.Series([1.0, 1, 2, 4, 8, 13])),
        ("criterion", lambda n: saved(n) / np.maximum(n.sum(axis=(-2, -1)), 1)),
        ("criterion", lambda n: 2 * rt.CRITERIA["gini"](n) ** 2),
    ],
)
def test_names_lists_and_functions_are_right_in_any_form(name, answer):
    assert check(name, answer).right is True


def test_two_numbers_and_keys_of_a_study_may_be_text():
    for answer in ("15,5 and 6,5", {"width": 15.5, "frequency": 6.5}):
        assert numbers(answer, 2, "Give a pair.") == [15.5, 6.5]
    assert table({"1": 0.6, "5": 0.7}, (1, 5), "Give a dict.") == {1: 0.6, 5: 0.7}
    with pytest.raises(Unclear, match="Give a dict"):
        table({1: 0.6, 5: 0.7, "1": 0.6}, (1, 5), "Give a dict.")


def saved(n):
    return n.max(axis=-1).sum(axis=-1) - n.sum(axis=-2).max(axis=-1)


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("pairs_by_hand", 8 / 12, "left out the ties"),
        ("pairs_by_hand", 10 / 12, "one half"),
        ("printed_auc", 6, "Divide by n_0 n_1"),
        ("pruned_tests", ["owner", "income"], "income is a tie"),
        ("scans_per_level", [1, 1, 2, 4, 7, 11], "bytes by bytes"),
        ("followed_down", {"Ann": "No", "Ben": "No", "Cem": "No"}, "Ben earns more"),
        ("where_it_gains", ["balance-scale"], "more weight on the left"),
        ("cartype_order", ["a", "b", "c"], "these three"),
        ("criterion", rt.criteria.gini_gain, "invent another"),
        ("criterion", lambda n: n.sum(), "shape"),
        ("criterion", lambda n: np.ones(n.shape[:-2]), "single row"),
        ("criterion", lambda n: rt.criteria.gini_gain(n) / n.shape[-2], "empty row"),
        ("criterion", lambda n: -rt.criteria.gini_gain(n), "larger is better"),
        ("criterion", saved, "divide by all cases"),
        ("criterion", rt.CRITERIA["dkm"], "That is dkm of rt.CRITERIA"),
    ],
)
def test_a_known_slip_is_named_at_the_first_try(name, answer, words):
    verdict = check(name, answer)
    assert verdict.right is False
    assert words in repr(verdict)


def test_an_answer_with_a_part_untouched_is_none_and_no_try():
    for name, answer in [
        ("followed_down", {"Ann": "No", "Ben": ..., "Cem": "No"}),
        ("pruned_tests", [...]),
        ("criterion", lambda *arguments: ...),
    ]:
        assert check(name, answer).right is None
    assert not any(base.TRIES.values())


def test_a_hint_comes_at_the_second_wrong_try_of_the_same_check():
    order = ["multiway", "sports", "sports,luxury"]
    assert "next try gets a hint" in repr(rt.check.pairs_by_hand(0.1))
    assert "next try gets a hint" in repr(rt.check.cartype_order(order))
    assert "Hint:" in repr(rt.check.pairs_by_hand(0.1))
    assert "how pure the larger branch is" in repr(rt.check.cartype_order(order))
    first = repr(rt.check.criterion(lambda n: n["a"]))
    assert "IndexError" in first
    assert "Hint:" not in first
    assert "Hint:" in repr(rt.check.criterion(lambda n: n["a"]))


@pytest.mark.parametrize(("marking", "patience"), [("", 1), ("autograde", 0)])
def test_what_nbgrader_marks_gets_its_hint_at_once(marking, patience, monkeypatch):
    """The page that it gives back has no next try."""
    monkeypatch.setenv("NBGRADER_EXECUTION", marking)
    assert runpy.run_path(base.__file__)["PATIENCE"] == patience


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


def test_names_with_blanks_alone_between_them_and_a_swapped_pair_of_names():
    assert check("cartype_order", "multiway sports,luxury sports")
    assert check("headline", "C45-B C44-M  C44-L C44-B")
    assert not check("headline", "C45-B C44-M unknown")


def test_0_log_0_is_named_where_an_answer_is_nan():
    assert "0 log 0 counts 0" in repr(check("printed_auc", float("nan")))

    def nan(X, y, sizes, case):
        return np.array([np.nan, np.nan])

    assert "0 log 0 counts 0" in repr(check("posterior_function", nan))
