"""Challenges: each is met by one answer and not by a tempting one; time, seeds and forms."""

import time

import numpy as np
import pandas as pd
import pytest
from lesson_cells import cells_of, put_out_in_words

import ranktrees as rt
from ranktrees_lab.check import breaking, challenges
from ranktrees_lab.check.challenges import all_tasks
from ranktrees_lab.student import CHECK, lessons_folder


def plain_shares(counts):
    return counts / counts.sum(axis=1, keepdims=True)


class TowardsParents(rt.estimate.Estimate):
    """m-branch: each node's share is drawn to that of the node above."""

    def of_nodes(self, tree):
        return rt.estimate.m_branch(tree)


def rings(seed):
    """A class inside a ring: no threshold tells it."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 2))
    return pd.DataFrame(X, columns=["x", "y"]).assign(inside=(X**2).sum(axis=1) < 1.4)


ANSWERS = {  # one that breaks the sentence, and a tempting one that does not
    "00.fewer": (("credit-g", 3), ("tic-tac-toe", 2)),
    "01.many": ("tic-tac-toe", "credit-g"),
    "02.small": ("balance-scale", "breast-cancer"),
    "03.twice": (("vote", "physician-fee-freeze"), ("vote", "mx-missile")),
    "04.fewer": ("balance-scale", "breast-cancer"),
    "05.threshold": (("tic-tac-toe", rt.C45()), ("tic-tac-toe", rt.C44())),
    "06.equals": (rt.C45(), rt.NaiveBayes(numeric="gaussian")),
    "07.pruned": (("tic-tac-toe", 0.01), ("breast-cancer", 0.01)),
    "08.leaves": (TowardsParents, plain_shares),
    "09.both": ("breast-cancer", "glass"),
    "10.exact": ("balance-scale", "breast-cancer"),
    "11.shrunk": ("tic-tac-toe", "glass"),
    "12.both": ("tic-tac-toe", "monks-1"),
    "13.again": (("iris", 13), ("monks-1", 1)),
    "14.tenth": ((2, 1000), (1, 1000)),
    "15.whole": ("balance-scale", "tic-tac-toe"),
}


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """A slow processor may take its time; each test begins with no wrong tries."""
    monkeypatch.setattr(challenges, "SECONDS", 120)
    challenges.WRONG.clear()


def test_each_lesson_has_one():
    lessons = {path.name[:2] for path in lessons_folder().glob("*.ipynb")} - {"16"}
    assert sorted(key[:2] for key in all_tasks()) == sorted(lessons)
    assert all_tasks().keys() == ANSWERS.keys()
    for task in all_tasks().values():
        assert callable(getattr(breaking, task["judge"]))
        assert task["sentence"].endswith(".")


@pytest.mark.parametrize("key", ANSWERS)
def test_a_counterexample_is_taken_and_a_tempting_one_is_not(key):
    task, (right, wrong) = all_tasks()[key], ANSWERS[key]
    taken, not_taken = rt.check.challenge(key, right), rt.check.challenge(key, wrong)
    assert taken.right is True, taken
    assert f"of {task['splits']} fresh splits {task['found']}" in repr(taken)
    assert not_taken.right is False
    assert f"of {task['splits']} fresh splits {task['found']}" in repr(not_taken)
    assert challenges.WRONG[key] == 1


@pytest.mark.parametrize("key", ANSWERS)
def test_the_lesson_s_own_answer_is_right(key):
    (cell,) = [
        c
        for c in cells_of(key[:2])
        if "solution" in c["metadata"].get("tags", ()) and f'"{key}"' in "".join(c["source"])
    ]
    assert put_out_in_words(cell).startswith("Right.")


@pytest.mark.parametrize("key", ANSWERS)
@pytest.mark.parametrize("nonsense", [None, "abc", [], -1, {"a": 1}, lambda *a: "x", (1, 2, 3, 4)])
def test_nonsense_is_answered_never_raised(key, nonsense):
    verdict = rt.check.challenge(key, nonsense)
    assert verdict.right is False
    assert "fresh splits" not in repr(verdict)


@pytest.mark.parametrize("key", ANSWERS)
def test_the_task_is_said_first(key):
    verdict = rt.check.challenge(key)
    assert verdict.right is None
    assert all_tasks()[key]["sentence"] in repr(verdict)


def test_an_unknown_one_lists_all():
    with pytest.raises(ValueError, match=r"no challenge '99': there are 00\.fewer, 01\.many"):
        rt.check.challenge("99")


def test_a_table_a_function_of_a_seed_and_a_dict_do_as_well():
    assert rt.check.challenge("10.exact", rings)
    assert rt.check.challenge("10.exact", rings(5)).text.startswith("On ")
    assert rt.check.challenge("02.small", {"data": rt.load("balance-scale")})


def test_what_was_found_by_trying_seeds_is_told_so():
    data = rt.load("glass")
    lucky = next(s for s in range(100) if breaking.leaf_alone_better(s, data))
    verdict = rt.check.challenge("11.shrunk", ("glass", lucky))
    assert verdict.right is False
    assert f"With your seed {lucky} it is so: that was found by trying seeds" in repr(verdict)
    assert "seeds" not in repr(rt.check.challenge("11.shrunk", "glass"))


def test_without_a_difference_there_is_nothing_to_find_again():
    verdict = rt.check.challenge("13.again", ("iris", 1))
    assert "the t test finds no difference" in repr(verdict)


def test_each_wrong_try_gets_splits_of_its_own(monkeypatch):
    seen = []
    monkeypatch.setattr(breaking, "large_tree", lambda seed, data: seen.append(seed))
    for _ in range(3):
        rt.check.challenge("02.small", "iris")
    assert len(set(seen)) == 60


def test_an_endless_answer_ends(monkeypatch):
    monkeypatch.setattr(challenges, "SECONDS", 1)
    ended = []

    def endless(counts):
        try:
            while True:
                counts = counts + 1
        finally:
            ended.append(True)

    began = time.monotonic()
    verdict = rt.check.challenge("08.leaves", endless)
    assert time.monotonic() - began < 10
    assert "After 1 seconds this was not judged" in repr(verdict)
    assert ended, "nothing goes on behind the reader's back"
    assert not challenges.WRONG


def test_what_an_answer_raises_is_said():
    verdict = rt.check.challenge("08.leaves", lambda counts: counts / 0 * [1, 2, 3])
    assert "could not be judged: ValueError" in repr(verdict)
    assert not [name for name in rt.estimate.ESTIMATES if name.startswith("yours")]


def test_a_challenge_is_counted_by_its_own_name():
    text = 'rt.check.challenge("02.small", small)\nrt.check.pairs_by_hand(x)'
    assert CHECK.findall(text) == ["02.small", "pairs_by_hand"]
