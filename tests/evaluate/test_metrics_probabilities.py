"""Measures of probabilities and the named measures of a test fold."""

import numpy as np
import pandas as pd
import pytest
from oracles import SKLEARN
from sklearn import calibration, metrics

from ranktrees_engine import evaluate as ev
from ranktrees_engine.evaluate import MEASURES, NotProbabilities, brier, log_loss


def drawn(C, n=200, seed=0):
    """Codes drawn from the probabilities that go with them."""
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(C), n)
    return np.array([rng.choice(C, p=p) for p in proba]), proba


def measured(y, proba):
    return {name: measure(y, proba) for name, measure in MEASURES.items()}


def test_brier_and_log_loss_by_hand():
    """Classes a, b, c; c has no case, and counts among the three all the same."""
    proba, certain = [[0.5, 0.3, 0.2], [0.1, 0.9, 0]], np.array([[1.0, 0], [1, 0]])
    squares = (0.25 + 0.09 + 0.04) + (0.01 + 0.01)
    assert brier(["a", "b"], proba, list("abc")) == pytest.approx(squares / 2 / 3)
    assert brier(pd.Categorical(["a", "b"], list("abc")), proba) == pytest.approx(squares / 6)
    assert brier([0, 1], np.eye(2)[::-1]) == 1
    assert log_loss(["a", "b"], proba, list("abc")) == pytest.approx(-np.log(0.45) / 2)
    assert log_loss([0, 1], certain) == np.inf
    assert log_loss([0, 1], certain, eps=1e-3) == pytest.approx(-np.log(1e-3) / 2)


@pytest.mark.parametrize("C", [2, 3, 6])
def test_brier_and_log_loss_equal_those_of_scikit_learn(C):
    y, proba = drawn(C)
    if C == 2 or SKLEARN >= (1, 7):  # the first for more than two classes
        theirs = metrics.brier_score_loss(y, proba[:, 1] if C == 2 else proba)
        assert brier(y, proba) == pytest.approx(theirs / (1 if C == 2 else C), abs=1e-12)
    assert log_loss(y, proba) == pytest.approx(metrics.log_loss(y, proba), abs=1e-12)


@pytest.mark.parametrize(
    ("proba", "words"),
    [
        ([[0.5, 0.5], [0.9, 0.2]], r"sums to 1.1 in row 1, not to 1 \(1 such rows\)"),
        ([[0.5, 0.5], [0.5, 0.499998]], "sums to 0.999998 in row 1"),
        ([[1.5, -0.5], [0.5, 0.5]], "negative value, -0.5, in row 0"),
        ([[0.5, 0.5], [np.inf, 0]], "sums to inf in row 1"),
    ],
)
def test_probabilities_must_sum_to_one(proba, words):
    for measure in (brier, log_loss, ev.classwise_calibration_error):
        with pytest.raises(NotProbabilities, match=words):
            measure([0, 1], proba)
        assert measure([0, 1], [[0.5, 0.5 + 9e-7], [0.5, 0.5]]) > 0


def test_calibration_by_hand():
    """A score on a cut goes to the lower bin; empty bins are left out."""
    y, score = [0, 1, 0, 1, 0, 1], [0.0, 0.5, 0.25, 0.75, 0.76, 1.0]
    found = ev.calibration_curve(y, score, bins=4)
    np.testing.assert_allclose(found.predicted, [0.125, 0.5, 0.75, 0.88])
    np.testing.assert_allclose(found.observed, [0, 1, 1, 0.5])
    np.testing.assert_array_equal(found.count, [2, 1, 1, 2])
    gap = (2 * 0.125 + 0.5 + 0.25 + 2 * 0.38) / 6
    other = (3 * 0.17 + 0.5 + 0.25 + 0) / 6  # of the other class, whose cuts are mirrored
    both = np.column_stack([1 - np.array(score), score])
    assert ev.classwise_calibration_error(y, both, bins=4) == pytest.approx((gap + other) / 2)
    assert len(ev.calibration_curve([0, 1], [0.05, 0.95]).count) == 2
    with pytest.raises(NotProbabilities, match=r"score is 1\.2 in row 1"):
        ev.calibration_curve([0, 1], [0.1, 1.2])


def test_calibration_equals_that_of_scikit_learn():
    y, proba = drawn(2, n=1000)
    found = ev.calibration_curve(y, proba[:, 1], bins=7)
    theirs = calibration.calibration_curve(y, proba[:, 1], n_bins=7)
    np.testing.assert_allclose((found.observed, found.predicted), theirs)
    sharper = proba**3 / (proba**3).sum(axis=1, keepdims=True)
    honest, certain = (ev.classwise_calibration_error(y, p) for p in (proba, sharper))
    assert honest < 0.06 < certain
    assert honest == pytest.approx(ev.classwise_calibration_error(1 - y, proba[:, ::-1]))


def test_calibration_of_each_class_by_hand():
    """Class c has no case, and counts among the three all the same."""
    proba = [[0.8, 0.2, 0], [0.6, 0.3, 0.1], [0.3, 0.65, 0.05]]
    error = ev.classwise_calibration_error
    each = [0.2 + 0.6 + 0.3, 0.2 + 0.7 + 0.35, 0.0 + 0.1 + 0.05]  # sums over bins, times n
    assert error(["a", "b", "b"], proba, list("abc")) == pytest.approx(sum(each) / 9)
    assert error([0, 1], [[1 + 1e-9, 0], [0, 1]]) == 0


@pytest.mark.parametrize("C", [2, 4])
def test_measures_of_a_fold_are_those_by_name(C):
    y, proba = drawn(C, seed=3)
    assert measured(y, proba) == {
        "accuracy": np.mean(proba.argmax(axis=1) == y),
        "auc": ev.auc(y, proba[:, 1]) if C == 2 else ev.hand_till(y, proba),
        "auc-wang2006": ev.hand_till(y, proba, convention="wang2006"),
        "auc-su2004": ev.hand_till(y, proba, convention="su2004"),
        "average_precision": np.mean(
            [ev.average_precision(y == c, proba[:, c]) for c in ([1] if C == 2 else range(C))]
        ),
        "brier": brier(y, proba),
        "log_loss": log_loss(y, proba),
        "log-loss-clipped": log_loss(y, proba, eps=1e-15),
        "calibration-error": ev.classwise_calibration_error(y, proba),
    }


@pytest.mark.parametrize(("C", "only"), [(2, 0), (2, 1), (3, 1)])
def test_what_a_fold_leaves_undefined_is_nan(C, only):
    y, proba = np.array([only, only]), np.full((2, C), 1 / C)
    found = measured(y, proba)
    without = {name for name, value in found.items() if np.isnan(value)}
    assert without == {"auc", "auc-su2004", "average_precision"}
    assert found["accuracy"] == (only == 0), "of equals the first class is predicted"
    assert found["auc-wang2006"] == 0.5
    assert np.isnan([*measured(y[:0], proba[:0]).values()]).all()


def test_a_fold_may_lack_a_class_and_scores_that_are_no_probabilities_rank_only():
    found = measured(np.array([0, 0, 2, 2]), np.eye(3)[[0, 0, 2, 2]])
    assert found["auc"] == found["auc-su2004"] == found["accuracy"] == 1
    # (0, 1): 0's P(0) tie; (1, 2): 2's P(1) tie; (0, 2): all right
    assert found["auc-wang2006"] == pytest.approx((0.5 + 1 + 0.5) / 3)
    y, scores = np.array([0, 1, 0]), np.array([[2.0, 1], [0, 3], [1, 3]])
    assert MEASURES["auc"](y, scores) == 0.75
    for name in ("brier", "log_loss", "log-loss-clipped", "calibration-error"):
        with pytest.warns(UserWarning, match=f"{name} is nan here: proba sums to 3 in row 0"):
            assert np.isnan(MEASURES[name](y, scores))
    for measure in MEASURES.values():
        with pytest.raises(ValueError, match="row 1 of y is 2, no code of 2 classes"):
            measure(np.array([0, 2]), np.full((2, 2), 0.5))
        with pytest.raises(ValueError, match="NaN in row 1, column 0"):
            measure(np.array([0, 1]), np.array([[0.5, 0.5], [np.nan, np.nan]]))
