"""Models over many random splits: equal to single holdouts, counted right, measured once."""

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_engine.evaluate import subsamples

MODELS = {"C4.4": rt.C44(), "naive Bayes": rt.NaiveBayes(), "C4.5": rt.C45()}


CREDIT = rt.load("credit-g")
FEW = pd.DataFrame({"x": np.arange(10.0)}), np.array(["a"] * 8 + ["b"] * 2)


def made(measure="auc", **columns):
    return subsamples.Repeated(pd.DataFrame(columns), measure)


def test_each_split_is_a_holdout_of_its_own_seed():
    result = rt.repeated(MODELS, CREDIT, n=2, test=1 / 3, seed=5)
    for name, model in MODELS.items():
        for split in range(2):
            train, test = rt.holdout(CREDIT.y, 1 / 3, 5 + split)
            model.fit(CREDIT.X.iloc[train], CREDIT.y[train])
            p = model.predict_proba(CREDIT.X.iloc[test])[:, 1]
            expected = rt.auc(np.asarray(CREDIT.y)[test] == model.classes_[1], p)
            assert result.table.loc[split + 1, name] == pytest.approx(expected, abs=1e-12)


def test_wins_are_counted_by_hand_and_a_smaller_loss_is_better():
    result = made(A=[0.7, 0.6, 0.5, 0.1 + 0.2], B=[0.6, 0.7, 0.4, 0.3])
    assert result.in_k_of("A", "B") == "A ranks better than B in 2 of 4 (equal in 1)"
    assert repr(result) == "<mean auc over 4 splits: A 0.525, B 0.500>"
    np.testing.assert_allclose(result.difference("A", "B"), [0.1, -0.1, 0.1, 0], atol=1e-12)
    brier = made("brier", A=[0.1, 0.3, 0.1], B=[0.2, 0.2, 0.3])
    assert brier.in_k_of("A", "B") == "A is better than B by brier in 2 of 3"
    accuracy = made("accuracy", A=[0.1], B=[0.2]).in_k_of("A", "B")
    assert accuracy == "A is more accurate than B in 0 of 1"


class Prior:
    """A model that says how often it was fitted, and whose name may have an address."""

    fits = 0

    def __init__(self, name=None):
        self.name = name

    def __repr__(self):
        return self.name or super().__repr__()

    def fit(self, X, y):
        Prior.fits += 1
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.full((len(X), 2), 0.5)


def test_what_was_measured_is_not_measured_again():
    def fits(data=CREDIT, name="Prior of today", **how):
        before = Prior.fits
        result = rt.repeated({"a": Prior(name), "b": Prior(name)}, data, n=1, **how)
        assert result.in_k_of("a", "b").endswith("in 0 of 1 (equal in 1)")
        return Prior.fits - before

    assert [fits(), fits(), fits(rt.load("credit-g"))] == [1, 0, 0]
    others = [{"name": "Another"}, {"seed": 2}, {"measure": "accuracy"}, {"test": 0.2}]
    assert [fits(**other) for other in others] == [1] * 4
    assert [fits(name=None), fits(name=None)] == [2, 2], "an address names no model"
    X, y = CREDIT.X, np.asarray(CREDIT.y)
    other, wider, flipped = X.copy(), X.copy(), y.copy()
    other.iloc[3, 1] += 1
    wider["housing"] = wider["housing"].cat.add_categories("tent")
    flipped[0] = "bad" if y[0] == "good" else "good"
    tasks = [(other, y), (wider, y), (X.rename(columns={"age": "years"}), y), (X, flipped)]
    assert [fits(task) for task in tasks] == [1] * 4
    assert fits((X.copy(), y.copy())) == fits((other, y)) == 0


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (lambda: rt.repeated([rt.C44()], CREDIT), "not list"),
        (lambda: rt.repeated(MODELS, CREDIT, measure="size"), "unknown measure"),
        (lambda: rt.repeated(MODELS, CREDIT, test=0.0001), "of 1000 cases leaves"),
        (lambda: rt.repeated(MODELS, CREDIT, n=0), "n must be at least 1"),
        (lambda: rt.repeated(MODELS, FEW, test=1), "'auc' of 'C4.4' is not defined in split 1"),
        (lambda: made(A=[1.0]).in_k_of("A", "C9"), "unknown model 'C9'"),
        (lambda: rt.plot.strips(made(A=[1.0]), "D"), "no model 'D'"),
        (lambda: rt.plot.strips(CREDIT.X), "not DataFrame"),
    ],
)
def test_wrong_input_is_named(use, words):
    with pytest.raises((TypeError, ValueError), match=words):
        use()


def test_strips_draw_each_split_and_say_the_counts():
    result = made(A=[0.7, 0.6, 0.5], B=[0.6, 0.7, 0.4], C=[0.9, 0.8, 0.7])
    picture = rt.plot.strips(result, "B")
    assert "A 0.600 (0.500 to 0.700), +0.033; A ranks better than B in 2 of 3." in picture.alt
    assert "C ranks better than B in 3 of 3." in picture.alt
    first, second = picture.axes
    dots = [line.get_xdata() for line in first.lines[::2]]
    np.testing.assert_array_equal(dots, result.table.to_numpy().T)
    assert [t.get_text() for t in second.texts] == ["better in 2 of 3", "better in 3 of 3"]
