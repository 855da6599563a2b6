"""Checks of exercises: right answers, wrong ones, common slips, untouched ones."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_lab.check import Verdict, base
from ranktrees_lab.check.answers import Unclear, table

ALL = [name for name in rt.check.__all__ if name not in ("Verdict", "challenge")]


@pytest.mark.parametrize("name", ALL)
def test_an_untouched_answer_gets_three_words(name):
    verdict = getattr(rt.check, name)(...)
    assert verdict.right is None
    assert repr(verdict) == "No answer yet."
    assert not verdict


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("nonsense", ["abc", None, [1, 2], lambda *a: "x", {"a": 1}, -1e9])
def test_nonsense_is_answered_never_raised(name, nonsense):
    verdict = getattr(rt.check, name)(nonsense)
    assert isinstance(verdict, Verdict)
    assert verdict.right is False


def saved(n):
    return n.max(axis=-1).sum(axis=-1) - n.sum(axis=-2).max(axis=-1)


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (lambda n: n.sum(), "shape"),
        (lambda n: np.ones(n.shape[:-2]), "single row"),
        (lambda n: rt.criteria.gini_gain(n) / n.shape[-2], "empty row"),
        (lambda n: -rt.criteria.gini_gain(n), "larger is better"),
        (saved, "divide by all cases"),
        (rt.CRITERIA["gini"], "That is gini of rt.CRITERIA"),
        (rt.CRITERIA["dkm"], "That is dkm of rt.CRITERIA"),
    ],
)
def test_criterion_finds_broken_contracts(function, complaint):
    verdict = rt.check.criterion(function)
    assert verdict.right is False
    assert complaint in repr(verdict)


def test_an_invented_criterion_is_right_and_an_untouched_one_is_none():
    assert rt.check.criterion(lambda n: saved(n) / np.maximum(n.sum(axis=(-2, -1)), 1))
    assert rt.check.criterion(lambda n: 2 * rt.CRITERIA["gini"](n) ** 2)
    assert rt.check.criterion(lambda *arguments: ...).right is None


@pytest.mark.parametrize(
    ("name", "answer", "slip"),
    [
        ("pairs_by_hand", 8 / 12, "left out the ties"),
        ("pairs_by_hand", 10 / 12, "one half"),
        ("pairs_by_hand", [1, 2], "one number"),
        ("cartype_order", ["a", "b", "c"], "these three"),
    ],
)
def test_a_slip_is_named(name, answer, slip):
    assert slip in repr(getattr(rt.check, name)(answer))
    assert not getattr(rt.check, name)(answer)


def test_keys_of_a_study_may_be_text():
    means = {1: 0.6, 5: 0.7}
    for form in ({"1": 0.6, "5": 0.7}, pd.Series(means)):
        assert table(form, (1, 5), "Give a dict.") == means
    with pytest.raises(Unclear, match="Give a dict"):
        table({**means, "1": 0.6}, (1, 5), "Give a dict.")


# When a hint comes, and how precise an answer must be


@pytest.fixture
def patient(monkeypatch):
    """As in a notebook that was just started."""
    monkeypatch.setattr(base, "PATIENCE", 1)
    base.TRIES.clear()


@pytest.mark.usefixtures("patient")
def test_a_hint_comes_at_the_second_wrong_try_of_the_same_check():
    assert "next try gets a hint" in repr(rt.check.pairs_by_hand(0.1))
    order = ["multiway", "sports", "sports,luxury"]
    assert "next try gets a hint" in repr(rt.check.cartype_order(order))
    assert "Hint:" in repr(rt.check.pairs_by_hand(0.1))
    assert "how pure the larger branch is" in repr(rt.check.cartype_order(order))
    first = repr(rt.check.criterion(lambda n: n["a"]))
    assert "IndexError" in first
    assert "Hint:" not in first
    assert "Hint:" in repr(rt.check.criterion(lambda n: n["a"]))


@pytest.mark.parametrize(
    ("marking", "hinted"), [({}, False), ({"NBGRADER_EXECUTION": "autograde"}, True)]
)
def test_what_nbgrader_marks_gets_its_hint_at_once(marking, hinted):
    """The page that it gives back has no next try."""
    code = "import ranktrees as rt; print(rt.check.pairs_by_hand(0.1))"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | marking, capture_output=True, text=True
    )
    assert ("Hint:" in done.stdout) is hinted
    assert ("next try" in done.stdout) is not hinted


@pytest.mark.parametrize(("name", "right"), [("pairs_by_hand", 9 / 12), ("printed_auc", 0.4)])
def test_a_share_is_right_with_enough_decimals_and_never_misread(name, right):
    check = getattr(rt.check, name)
    for digits in range(2, 7):
        assert check(round(right, digits))
        assert "not per cent" in repr(check(round(100 * right, digits)))
