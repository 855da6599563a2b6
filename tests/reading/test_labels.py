"""Class labels of every kind, read in one order by models, measures and folds, and scikit-learn."""

import zlib

import numpy as np
import pandas as pd
import pytest
from oracles import SKLEARN, quietly
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import get_scorer

import ranktrees as rt
from ranktrees_engine.reading.labels import read_classes

GOOD_BAD = pd.Categorical(["good", "bad", "bad"], categories=["good", "unknown", "bad"])


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (GOOD_BAD, ["bad", "good", "unknown"]),
        (pd.Series(GOOD_BAD, index=[7, 7, 3]), ["bad", "good", "unknown"]),
        (["good", "bad", "bad"], ["bad", "good"]),
        (pd.Series([10.0, 2, 2], dtype="Float64"), [2.0, 10.0]),
        (pd.array([True, False, False], dtype="boolean"), [False, True]),
        (pd.Categorical([10, 2, 2], categories=[10, 2]), [2, 10]),
        (pd.Series(["b", "a", "a"], dtype="string"), ["a", "b"]),
    ],
)
def test_codes_of_sorted_classes(y, classes):
    codes, found = read_classes(y)
    assert found.tolist() == classes
    assert codes.tolist() == [1, 0, 0]
    assert codes.dtype == np.intp


MIXED = pd.Categorical(["a", 1, "a"], categories=["a", 1])
YEARS = pd.period_range("2026", periods=3, freq="Y")


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (YEARS, "y holds dates or times, such.*names or whole"),
        (pd.interval_range(0, 3), r"y holds values of type Interval, such.*\[str\(label\) for"),
        ([b"a", b"b", b"b"], r"y holds values of type bytes, such.*\[label\.decode\(\) for"),
        (MIXED, "y mixes text with other types, such as 1: cl"),
    ],
)
def test_labels_of_no_use_are_named(y, words):
    numbers = np.arange(2.0 * len(y)).reshape(-1, 2)
    for use in (rt.DecisionTree().fit, lambda X, y: rt.hand_till(y, X)):
        with pytest.raises(ValueError, match=words):
            use(numbers, y)


@pytest.mark.parametrize(
    ("name", "folds", "held_out"),
    [
        ("labor", 3856057039, 737094398),
        ("soybean", 3640318373, 4004078365),
    ],
)
def test_folds_are_those_of_the_first_edition(name, folds, held_out):
    """Cases are dealt out in declared order, as they were before classes were sorted."""
    data, model = rt.load(name), rt.DecisionTree(max_depth=1)
    given, (_, rows) = rt.stratified_folds(data.y, 3, 2), rt.holdout(data.y, seed=2)
    found = [zlib.crc32(each.astype(np.int64).tobytes()) for each in (given, rows)]
    assert found == [folds, held_out]
    drawn = rt.cross_val_proba(model, data, k=3, seed=2)
    assert np.array_equal(drawn, rt.cross_val_proba(model, data, folds=given))


@pytest.mark.parametrize("name", ["labor", "glass"])
def test_the_scorers_of_scikit_learn_agree(name):
    """Of the model itself and of what calibration makes of it; its Brier score is C times ours."""
    data = rt.load(name)
    X, y = data.X, data.y.remove_unused_categories()
    tree = quietly(rt.DecisionTree(max_depth=3, estimate="laplace").fit, X, y)
    for model in (tree, CalibratedClassifierCV(FrozenEstimator(tree), cv=2, ensemble=False)):
        proba, classes = model.fit(X, y).predict_proba(X), model.classes_
        by_class = [rt.auc(y, p, c) for p, c in zip(proba.T, classes, strict=True)]
        ours = {"neg_log_loss": -rt.log_loss(y, proba)}
        if len(classes) == 2:  # its Brier scorer cannot tell which of two texts is positive
            ours["roc_auc"] = by_class[1]
        else:
            ours |= {"roc_auc_ovr": np.mean(by_class), "roc_auc_ovo": rt.hand_till(y, proba)}
            ours["neg_brier_score"] = -rt.brier(y, proba) * len(classes)
        for scorer, value in ours.items():
            if scorer != "neg_brier_score" or SKLEARN >= (1, 7):
                assert get_scorer(scorer)(model, X, y) == pytest.approx(value, abs=1e-12), scorer
        assert rt.hand_till(y, proba) > 0.7
