"""Challenges: a tempting answer does not meet one; time, seeds and forms.

Answers that meet them stand in the lessons, which are executed: test_lesson_answers.py.
"""

import sys
import threading

import numpy as np
import pandas as pd
import pytest
from lesson_cells import NOTEBOOKS

import ranktrees as rt
from ranktrees_lab.check import breaking, challenges
from ranktrees_lab.check.challenges import all_tasks
from ranktrees_lab.student import CHECK


def rings(seed):
    """A class inside a ring: no threshold tells it."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 2))
    return pd.DataFrame(X, columns=["x", "y"]).assign(inside=(X**2).sum(axis=1) < 1.4)


TEMPTING = {  # what does not break the sentence
    "00.fewer": ("tic-tac-toe", 2),
    "01.many": "credit-g",
    "02.small": "breast-cancer",
    "03.twice": ("vote", "mx-missile"),
    "04.fewer": "breast-cancer",
    "05.threshold": ("tic-tac-toe", rt.C44()),
    "06.equals": rt.NaiveBayes(numeric="gaussian"),
    "07.pruned": ("breast-cancer", 0.01),
    "08.leaves": lambda counts: counts / counts.sum(axis=1, keepdims=True),
    "09.both": "glass",
    "10.exact": "breast-cancer",
    "11.shrunk": "glass",
    "12.both": "monks-1",
    "13.again": ("monks-1", 1),
    "14.tenth": (1, 1000),
    "15.whole": "tic-tac-toe",
}
SLOW = "06.equals"
TRIED = [pytest.param(k, marks=[pytest.mark.long] * (k == SLOW)) for k in TEMPTING]


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    """Few splits and much time for a slow processor; each test begins with no wrong tries."""
    monkeypatch.setattr(challenges, "SECONDS", 120)
    for task in all_tasks().values():
        monkeypatch.setitem(task, "splits", 5)
        monkeypatch.setitem(task, "needs", 5)
    challenges.WRONG.clear()


def test_each_lesson_has_one():
    lessons = {path.name[:2] for path in NOTEBOOKS.glob("*.ipynb")} - {"16"}
    assert sorted(key[:2] for key in all_tasks()) == sorted(lessons)
    assert all_tasks().keys() == TEMPTING.keys()
    with pytest.raises(ValueError, match=r"no challenge '99': there are 00\.fewer, 01\.many"):
        rt.check.challenge("99")
    text = 'rt.check.challenge("02.small", small)\nrt.check.pairs_by_hand(x)'
    assert CHECK.findall(text) == ["02.small", "pairs_by_hand"]


@pytest.mark.parametrize("key", TRIED)
def test_the_task_is_said_and_nonsense_and_a_tempting_answer_are_not_taken(key):
    task, asked = all_tasks()[key], rt.check.challenge(key)
    assert asked.right is None
    assert task["sentence"] in repr(asked)
    for nonsense in (None, "abc", [], -1, {"a": 1}, lambda *a: "x", (1, 2, 3, 4)):
        verdict = rt.check.challenge(key, nonsense)
        assert verdict.right is False, nonsense
        assert "fresh splits" not in repr(verdict), nonsense
    challenges.WRONG.clear()
    verdict = rt.check.challenge(key, TEMPTING[key])
    assert verdict.right is False
    assert f"of 5 fresh splits {task['found']}" in repr(verdict)
    assert challenges.WRONG[key] == 1


def test_a_table_a_function_of_a_seed_and_a_dict_do_as_well(monkeypatch):
    monkeypatch.setitem(all_tasks()["10.exact"], "needs", 3)
    assert rt.check.challenge("10.exact", rings)
    assert rt.check.challenge("10.exact", rings(5)).text.startswith("On ")
    assert rt.check.challenge("02.small", {"data": rt.load("balance-scale")})


def test_what_was_found_by_trying_seeds_is_told_so():
    data = rt.load("glass")
    lucky = next(s for s in range(100) if breaking.leaf_alone_better(s, data))
    verdict = rt.check.challenge("11.shrunk", ("glass", lucky))
    assert verdict.right is False
    assert f"With your seed {lucky} it is so: that was found by trying seeds" in repr(verdict)
    nothing = rt.check.challenge("13.again", ("iris", 1))
    assert "the t test finds no difference" in repr(nothing)


def test_each_wrong_try_gets_splits_of_its_own(monkeypatch):
    seen = []
    monkeypatch.setattr(breaking, "large_tree", lambda seed, data: seen.append(seed))
    for _ in range(3):
        rt.check.challenge("02.small", "iris")
    assert len(set(seen)) == 15


def no_thread(_):
    """What a browser does instead of starting a thread."""
    raise RuntimeError("can't start new thread")


def calling(counts):
    """Never return, always in functions of packages."""
    while True:
        counts = np.median(counts + np.ptp(counts))


def looping(counts):
    """Never return, and call nothing."""
    while True:
        counts = counts + 1


@pytest.mark.parametrize("forever", [looping, calling])
@pytest.mark.parametrize("starts", [True, False])
def test_an_endless_answer_ends(monkeypatch, starts, forever):
    monkeypatch.setattr(challenges, "SECONDS", 3)
    if not starts:
        monkeypatch.setattr(threading.Thread, "start", no_thread)
    ended, before = [], sys.gettrace()

    def endless(counts):
        try:
            forever(counts)
        finally:
            ended.append(True)

    verdict = rt.check.challenge("08.leaves", endless)
    assert "After 3 seconds this was not judged" in repr(verdict)
    assert ended, "nothing goes on behind the reader's back"
    assert sys.gettrace() is before
    assert not challenges.WRONG


def test_what_an_answer_raises_is_said():
    verdict = rt.check.challenge("08.leaves", lambda counts: counts / 0 * [1, 2, 3])
    assert "could not be judged: ValueError" in repr(verdict)
    assert not [name for name in rt.estimate.ESTIMATES if name.startswith("yours")]


def test_without_threads_answers_are_judged_as_with_them(monkeypatch):
    monkeypatch.setattr(threading.Thread, "start", no_thread)
    assert rt.check.challenge("02.small", "balance-scale")
    failed = rt.check.challenge("08.leaves", lambda counts: 1 / 0)
    assert "could not be judged: ZeroDivisionError" in repr(failed)


@pytest.mark.parametrize(
    ("key", "answer", "said"),
    [
        ("05.threshold", ("vote", rt.NaiveBayes), "NaiveBayes is a class: with brackets"),
        ("05.threshold", ("vote", "C45"), "'C45' is text: give the model itself"),
        ("03.twice", ("physician-fee-freeze", "vote"), "Yours are in the other order"),
        ("03.twice", ("vote", "zebra"), "Give an attribute of vote: 'zebra' is none of them."),
        ("03.twice", ("zebra", "age"), "rt.datasets() lists them. 'zebra' is none of them."),
    ],
)
def test_a_slip_of_form_is_named(key, answer, said):
    tries = challenges.WRONG[key]
    assert said in repr(rt.check.challenge(key, answer))
    assert challenges.WRONG[key] == tries


def test_an_attribute_may_be_typed_with_blanks():
    assert rt.check.challenge("03.twice", ("vote", "Physician fee freeze"))


def test_equal_warnings_of_all_splits_are_said_once():
    def drawn(seed):
        random = np.random.default_rng(seed)
        table = {"empty": np.full(100, np.nan), "class": random.choice(["x", "y"], 100)}
        return pd.DataFrame({"a": random.normal(size=100), **table})

    with pytest.warns(UserWarning, match="'empty' has no value") as said:
        rt.check.challenge("02.small", drawn)
    assert len(said) == 1
