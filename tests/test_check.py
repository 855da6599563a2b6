"""Checks of exercises: right answers, wrong ones, common slips, untouched ones."""

import numpy as np
import pytest

import ranktrees as rt
from ranktrees.teach.check import Verdict

ALL = [name for name in rt.check.__all__ if name != "Verdict"]


@pytest.mark.parametrize("name", ALL)
def test_an_untouched_answer_gets_a_hint(name):
    verdict = getattr(rt.check, name)(...)
    assert verdict.right is None
    assert "Hint:" in repr(verdict)
    assert not verdict


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("nonsense", ["abc", None, [1, 2], lambda *a: "x", {"a": 1}, -1e9])
def test_nonsense_is_answered_never_raised(name, nonsense):
    verdict = getattr(rt.check, name)(nonsense)
    assert isinstance(verdict, Verdict)
    assert verdict.right is False


@pytest.mark.parametrize("name", ["reached_function", "criterion"])
def test_an_untouched_function_gets_a_hint(name):
    assert getattr(rt.check, name)(lambda *arguments: ...).right is None


def test_always_good():
    assert rt.check.always_good(0.7)
    assert "wrong answers" in repr(rt.check.always_good(0.3))
    assert "percent" in repr(rt.check.always_good(70))


def test_pairs_by_hand():
    assert rt.check.pairs_by_hand(9 / 12)
    assert "left out the ties" in repr(rt.check.pairs_by_hand(8 / 12))
    assert "one half" in repr(rt.check.pairs_by_hand(10 / 12))


def test_reached_function():
    assert rt.check.reached_function(lambda bad, s, k: bad[np.argsort(-s)][:k].sum())
    lowest = rt.check.reached_function(lambda bad, s, k: bad[np.argsort(s)][:k].sum())
    assert lowest.right is False
    assert rt.check.reached_function(lambda bad, s, k: k).right is False
    nearly = rt.check.reached_function(lambda bad, s, k: bad[np.argsort(-s)][:k].sum() + 0.4)
    assert ".4." in repr(nearly), "a number is compared as it is, not cut to a whole one"


def test_depth_study_knows_a_wrong_depth():
    verdict = rt.check.depth_study(dict.fromkeys(range(1, 9), 0.5))
    assert verdict.right is False
    assert "Depth 1" in repr(verdict)
    assert "keys" in repr(rt.check.depth_study({1: 0.7}))


def test_gini_of_split_names_the_slips():
    assert rt.check.gini_of_split(0.3714)
    assert "plain mean" in repr(rt.check.gini_of_split(0.364))
    assert "swapped" in repr(rt.check.gini_of_split(0.357))
    assert "gain" in repr(rt.check.gini_of_split(0.129))


def test_cartype_order():
    assert rt.check.cartype_order(["multiway", "sports,luxury", "sports"])
    assert not rt.check.cartype_order(["sports", "multiway", "sports,luxury"])
    assert "these three" in repr(rt.check.cartype_order(["a", "b", "c"]))


def test_best_cut_accepts_any_place_between_the_neighbours():
    assert rt.check.best_cut(97.5)
    assert rt.check.best_cut(95)
    assert rt.check.best_cut(80).right is False


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


def test_criterion_takes_all_of_ours():
    assert all(rt.check.criterion(rt.CRITERIA[name]) for name in ("gini", "gain_ratio", "dkm"))
