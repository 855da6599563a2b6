"""Dividing cases: folds, holdouts, the bootstrap."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_validate import Shares, table

import ranktrees as rt
from ranktrees import evaluate as ev
from ranktrees.evaluate import bootstrap, holdout, stratified_folds, weka_folds

labels = st.lists(st.integers(0, 4), min_size=4, max_size=60).filter(lambda y: len(set(y)) > 1)


@pytest.mark.filterwarnings("ignore:the smallest class has:UserWarning")
@pytest.mark.parametrize("folds", [stratified_folds, weka_folds])
@given(labels, st.integers(2, 6), st.integers(0, 9))
def test_folds_and_their_classes_are_as_even_as_whole_cases_allow(folds, y, k, seed):
    k, y = min(k, len(y)), np.array(y)
    fold = folds(y, k, seed)
    counts = pd.crosstab(y, fold).reindex(columns=range(k), fill_value=0)
    spread = counts.max(axis=1) - counts.min(axis=1)
    assert fold.shape == (len(y),)
    assert np.ptp(counts.sum()) <= 1
    # Weka lays its folds across the ends of the classes, so that theirs may differ by one more
    assert (spread <= (1 if folds is stratified_folds else 2)).all()


def test_folds_depend_on_the_seed_alone():
    y = rt.load("glass").y
    folds = []
    for seed in (3, 3, 4):
        np.random.seed(len(folds))  # noqa: NPY002
        with pytest.warns(UserWarning, match="smallest class has 9 cases, fewer than k=10"):
            folds.append(stratified_folds(y, 10, seed))
    one, same, other = folds
    assert (same == one).all()
    assert (other != one).any()
    assert np.bincount(one).tolist() == [22] * 4 + [21] * 6
    assert ev.leave_one_out(3).tolist() == [0, 1, 2]
    rows = [(a.tolist(), b.tolist()) for a, b in ev.fold_rows(np.array([1, 0, 1]))]
    assert rows == [([0, 2], [1]), ([1], [0, 2])]


@pytest.mark.parametrize("folds", [stratified_folds, weka_folds])
def test_impossible_folds_are_refused(folds):
    for k, error, match in [
        (1, ValueError, "at least 2"),
        (7, ValueError, r"k=7 folds need at least 7 cases.*there are 6"),
        (2.5, TypeError, "whole number"),
    ]:
        with pytest.raises(error, match=match):
            folds(list("aaabbb"), k)
    with pytest.raises(ValueError, match="lacks the class of 1 of its 4 cases"):
        folds(["a", None, "b", "b"], 2)


@given(labels, st.floats(0.2, 0.8), st.integers(0, 5), st.booleans())
def test_a_holdout_divides_all_cases_and_every_class(y, share, seed, stratify):
    y = np.array(y)
    train, test = holdout(y, share, seed, stratify)
    assert np.sort(np.concatenate([train, test])).tolist() == list(range(len(y)))
    assert len(test) == round(share * len(y))
    if stratify:
        expected = len(test) / len(y) * np.bincount(y)
        assert (np.abs(np.bincount(y[test], minlength=len(expected)) - expected) <= 1).all()


def test_a_holdout_may_name_a_number_of_cases():
    assert len(holdout(list("aabbcc"), 2)[1]) == 2
    bad = {
        6: "leaves 0 for training",
        0: "0 for testing",
        2.5: "whole number",
        1.0: "share below 1",
    }
    for size, error in bad.items():
        with pytest.raises(ValueError, match=error):
            holdout(list("aabbcc"), size)


def test_every_case_is_held_out_equally_often():
    y = np.repeat([0, 1], [30, 7])
    tested = sum(np.isin(np.arange(37), test) for _, test in ev.random_subsampling(y, 900))
    assert np.abs(tested / 900 - 12 / 37).max() < 0.08


def test_a_bootstrap_leaves_out_one_over_e():
    assert len(bootstrap(500, 1)) == 1
    splits = bootstrap(500, 40)
    for train, out in splits:
        assert len(train) == len(np.union1d(train, out)) == 500
        assert not np.isin(train, out).any()
    assert np.mean([len(out) / 500 for _, out in splits]) == pytest.approx(1 / np.e, abs=0.01)


def test_bootstrap_632_weighs_its_two_parts():
    X, y = table([40, 20])
    found = ev.bootstrap_632(Shares(), X, y, runs=8)
    share = [np.mean(np.asarray(y)[out] == "a") for _, out in bootstrap(60, 8)]
    assert found.runs.tolist() == pytest.approx(share)
    assert found.apparent == pytest.approx(2 / 3)
    assert found.estimate == pytest.approx(0.368 * 2 / 3 + 0.632 * np.mean(share))
    found = ev.bootstrap_632(rt.DecisionTree(), rt.load("glass"), runs=6, measure="auc")
    assert found.out_of_bag < found.estimate < found.apparent


def test_runs_of_one_class_alone_are_left_out():
    X, y = table([7, 1])
    alone = [(y[drawn] == y[drawn][0]).all() for drawn, _ in bootstrap(8, 25)]
    assert 0 < sum(alone) < 25
    found = ev.bootstrap_632(rt.NaiveBayes(), X, y, runs=25)
    assert np.isnan(found.runs).tolist() == alone
    assert found.out_of_bag == pytest.approx(np.nanmean(found.runs))
    assert np.isfinite(found.estimate)


@pytest.mark.parametrize("divide", [stratified_folds, weka_folds, holdout, ev.random_subsampling])
def test_seeds_are_whole_numbers(divide):
    for bad in (None, 1.5, "1"):
        with pytest.raises(TypeError, match="seed must be a whole number"):
            divide(list("aabb"), 2, seed=bad)
    with pytest.raises(TypeError, match="seed must be a whole number"):
        bootstrap(4, seed=None)
    if divide is not weka_folds:  # Java's seeds have a sign
        with pytest.raises(ValueError, match="seed must be at least 0"):
            divide(list("aabb"), 2, seed=-1)
