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


def test_an_untouched_function_is_no_answer():
    assert rt.check.criterion(lambda *arguments: ...).right is None


def test_pairs_by_hand():
    assert rt.check.pairs_by_hand(9 / 12)
    assert "left out the ties" in repr(rt.check.pairs_by_hand(8 / 12))
    assert "one half" in repr(rt.check.pairs_by_hand(10 / 12))


def test_cartype_order():
    assert rt.check.cartype_order(["multiway", "sports,luxury", "sports"])
    assert not rt.check.cartype_order(["sports", "multiway", "sports,luxury"])
    assert "these three" in repr(rt.check.cartype_order(["a", "b", "c"]))


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (lambda n: n.sum(), "shape"),
        (lambda n: np.ones(n.shape[:-2]), "single row"),
        (lambda n: rt.criteria.gini_gain(n) / n.shape[-2], "empty row"),
        (lambda n: -rt.criteria.gini_gain(n), "larger is better"),
    ],
)
def test_criterion_finds_broken_contracts(function, complaint):
    assert complaint in repr(rt.check.criterion(function))


def test_a_criterion_of_counts_is_named():
    def saved(n):
        return n.max(axis=-1).sum(axis=-1) - n.sum(axis=-2).max(axis=-1)

    verdict = rt.check.criterion(saved)
    assert verdict.right is False
    assert "divide by all cases" in repr(verdict)
    assert rt.check.criterion(lambda n: saved(n) / np.maximum(n.sum(axis=(-2, -1)), 1))


def test_keys_of_a_study_may_be_text():
    means = {1: 0.6, 5: 0.7}
    for form in ({"1": 0.6, "5": 0.7}, pd.Series(means)):
        assert table(form, (1, 5), "Give a dict.") == means
    with pytest.raises(Unclear, match="Give a dict"):
        table({**means, "1": 0.6}, (1, 5), "Give a dict.")


@pytest.mark.parametrize("name", ["gini", "gain_ratio", "dkm"])
def test_an_invented_criterion_is_none_of_ours(name):
    assert f"That is {name} of rt.CRITERIA" in repr(rt.check.criterion(rt.CRITERIA[name]))
    assert rt.check.criterion(lambda n: 2 * rt.CRITERIA[name](n) ** 2)


# When a hint comes, and how precise an answer must be

SHARES = {  # what is right, and the fewest decimals that are enough
    "pairs_by_hand": (9 / 12, 2),
    "printed_auc": (0.4, 1),
    "held_out_probability": (5 / 6, 2),
}


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


@pytest.mark.usefixtures("patient")
def test_the_form_of_an_answer_is_no_hint_and_no_try():
    assert "one number" in repr(rt.check.pairs_by_hand([1, 2]))
    assert "not per cent" in repr(rt.check.pairs_by_hand(75))
    rt.check.pairs_by_hand(...)
    assert rt.check.pairs_by_hand(0.75)
    assert not base.TRIES


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


@pytest.mark.parametrize("name", SHARES)
def test_a_share_is_right_with_enough_decimals_and_never_misread(name):
    check, (right, enough) = getattr(rt.check, name), SHARES[name]
    for digits in range(enough, 7):
        assert check(round(right, digits))
    for digits in (0, 1, 2, 5):
        assert "not per cent" in repr(check(round(100 * right, digits)))
    if enough > 2:
        assert f"give {enough} decimals" in repr(check(round(right, enough - 1)))
