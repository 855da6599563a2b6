"""Dividing cases: folds, also Weka's (golden/record_folds.py), holdouts, the bootstrap."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_validate import Shares, table

import ranktrees as rt
from ranktrees_engine import evaluate as ev
from ranktrees_engine.evaluate import JavaRandom, bootstrap, holdout, stratified_folds, weka_folds

pytestmark = pytest.mark.filterwarnings("ignore:the smallest class has:UserWarning")

FOLDER = Path(__file__).parents[1] / "golden" / "folds"
GOLDEN = {path.stem: json.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.json")}
DRAWS = GOLDEN.pop("random")

labels = st.lists(st.integers(0, 4), min_size=4, max_size=60).filter(lambda y: len(set(y)) > 1)


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_every_case_is_tested_in_the_fold_and_order_of_weka(name):
    y, recorded = rt.load(name).y, GOLDEN[name]
    for k in (3, 10):
        for seed in range(1, 6):
            fold = weka_folds(y, k, seed)
            assert "".join(map(str, fold)) == recorded["folds"][str(k)][str(seed)]
    assert (weka_folds(np.asarray(y), k, seed) == fold).all()
    splits = ev.weka_splits(y, 3)
    assert [train.tolist() for train, _ in splits] == recorded["trained"]
    assert [test.tolist() for _, test in splits] == recorded["tested"]


def test_draws_are_those_of_java():
    for draws in DRAWS["draws"]:
        bounds = np.resize(DRAWS["bounds"], len(draws["numbers"]))
        assert JavaRandom(draws["seed"]).integers(bounds).tolist() == draws["numbers"]
    for bad in ([0], [2**31], [5, -1]):
        with pytest.raises(ValueError, match="between 1 and"):
            JavaRandom(1).integers(bad)


@settings(max_examples=40)
@given(labels, st.integers(2, 6), st.integers(0, 9))
def test_folds_and_their_classes_are_as_even_as_whole_cases_allow(y, k, seed):
    k, y = min(k, len(y)), np.array(y)
    # Weka lays its folds across the ends of the classes, so that theirs may differ by one more
    for folds, most in ((stratified_folds, 1), (weka_folds, 2)):
        counts = pd.crosstab(y, folds(y, k, seed)).reindex(columns=range(k), fill_value=0)
        assert np.ptp(counts.sum()) <= 1
        assert (np.ptp(counts, axis=1) <= most).all()


def test_small_classes_warn_and_folds_are_rows():
    with pytest.warns(UserWarning, match="smallest class has 9 cases, fewer than k=10"):
        stratified_folds(rt.load("glass").y, 10)
    rows = [(a.tolist(), b.tolist()) for a, b in ev.fold_rows(np.array([1, 0, 1]))]
    assert rows == [([0, 2], [1]), ([1], [0, 2])]


def test_impossible_divisions_are_refused():
    for folds in (stratified_folds, weka_folds):
        with pytest.raises(ValueError, match=r"k=7 folds need at least 7 cases.*there are 6"):
            folds(list("aaabbb"), 7)
        with pytest.raises(ValueError, match="lacks the class of 1 of its 4 cases"):
            folds(["a", None, "b", "b"], 2)
    for size, match in ((6, "leaves 0 for training"), (0, "0 for testing"), (1.0, "below 1")):
        with pytest.raises(ValueError, match=match):
            holdout(list("aaabbb"), size)


@settings(max_examples=40)
@given(labels, st.floats(0.2, 0.8), st.integers(0, 5), st.booleans())
def test_a_holdout_divides_all_cases_and_every_class(y, share, seed, stratify):
    train, test = holdout(y, share, seed, stratify)
    assert np.sort(np.concatenate([train, test])).tolist() == list(range(len(y)))
    assert len(test) == len(holdout(y, round(share * len(y)))[1]) == round(share * len(y))
    if stratify:
        expected = len(test) / len(y) * np.bincount(y)
        counts = np.bincount(np.array(y)[test], minlength=len(expected))
        assert (np.abs(counts - expected) <= 1).all()


def test_every_case_is_held_out_equally_often():
    y = np.repeat([0, 1], [30, 7])
    tested = sum(np.isin(np.arange(37), test) for _, test in ev.random_subsampling(y, 900))
    assert np.abs(tested / 900 - 12 / 37).max() < 0.08


def test_a_bootstrap_leaves_out_one_over_e():
    splits = bootstrap(500, 40)
    for train, out in splits:
        assert len(train) == len(np.union1d(train, out)) == 500
        assert not np.isin(train, out).any()
    assert np.mean([len(out) / 500 for _, out in splits]) == pytest.approx(1 / np.e, abs=0.01)


def test_bootstrap_632_weighs_its_two_parts_and_leaves_out_runs_of_one_class():
    X, y = table([40, 20])
    found = ev.bootstrap_632(Shares(), X, y, runs=8)
    share = [np.mean(np.asarray(y)[out] == "a") for _, out in bootstrap(60, 8)]
    assert found.runs.tolist() == pytest.approx(share)
    assert found.apparent == pytest.approx(2 / 3)
    assert found.estimate == pytest.approx(0.368 * 2 / 3 + 0.632 * np.mean(share))
    found = ev.bootstrap_632(rt.DecisionTree(), rt.load("glass"), runs=6, measure="auc")
    assert found.out_of_bag < found.estimate < found.apparent
    X, y = table([7, 1])
    alone = [(y[drawn] == y[drawn][0]).all() for drawn, _ in bootstrap(8, 25)]
    found = ev.bootstrap_632(rt.NaiveBayes(), X, y, runs=25)
    assert np.isnan(found.runs).tolist() == alone
    assert found.out_of_bag == pytest.approx(np.nanmean(found.runs))
