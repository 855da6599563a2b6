"""What is equal but for rounding is equal: the first one wins, whatever the last digit says."""

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_engine.basics.ties import first_best
from ranktrees_engine.bayes import tan_structure
from ranktrees_engine.reading.bins import entropy_mdl


def test_the_first_within_the_tie_wins():
    score = np.array([[0.3, 0.1 + 0.2, 0.0], [0.1 + 0.2, 0.3, 0.0], [0.0, 0.3, 0.3 + 1e-6]])
    assert first_best(score).tolist() == [0, 0, 2]
    assert first_best(score.T, axis=0).tolist() == [0, 0, 2]


def test_equally_probable_classes_are_told_by_their_order():
    """Naive Bayes finds left and right as probable in the states of a scale with mirrored arms."""
    balance = rt.load("balance-scale")
    arms = balance.X.to_numpy(int)
    mirrored = (np.sort(arms[:, :2]) == np.sort(arms[:, 2:])).all(axis=1)
    model = rt.NaiveBayes().fit(balance.X, balance.y)
    proba = model.predict_proba(balance.X)
    heaviest = np.sort(proba)[:, -2:]
    tied = np.abs(heaviest[:, 1] - heaviest[:, 0]) < 1e-12
    assert tied.sum() == 45
    assert (tied == mirrored).all()
    assert (heaviest[tied, 0] != heaviest[tied, 1]).any()  # rounding does tell them apart
    largest = np.isclose(proba[tied], heaviest[tied, 1:], rtol=0, atol=1e-12)
    first = model.classes_[largest.argmax(axis=1)]
    assert (model.predict(balance.X)[tied] == first).all()


def test_equal_expected_costs_go_to_the_first_class():
    """Both classes cost .4 .4 + .6 0 = .4 .1 + .6 .2 = .16: which is less, rounding says."""
    cost = np.array([[0.4, 0.1, 0.3], [0.0, 0.2, 0.4], [0.1, 0.5, 0.3]])
    for unit in (1e-9, 1.0, 1e9):
        assert rt.least_cost_class([[0.4, 0.6, 0.0]], unit * cost).tolist() == [0]
        assert rt.least_cost_class([[0.6, 0.4, 0.0]], unit * cost).tolist() == [1]
    assert rt.least_cost_class([[40.0, 60.0, 0.0]], cost).tolist() == [0]  # need not sum to 1


@pytest.mark.parametrize("parts", [1e-9, 1, 7, 10, 3e8])
def test_equal_costs_of_thresholds_take_the_highest(parts):
    """In steps of +3 and -2 the mean cost is 12 / 12 at two thresholds, but for rounding."""
    y = np.array([1, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1])
    cost = np.array([[0, 3], [2, 0]]) / parts
    found = rt.best_threshold(y, np.arange(12), cost)
    assert found.threshold == 10
    assert np.isclose(found.cost * parts, 1)


def test_of_equal_cuts_the_lowest_is_taken():
    """Turned over, values and classes, the table is itself: its second and third cut are alike."""
    table = np.array([[16, 27, 43], [16, 20, 43], [27, 30, 27], [43, 20, 16], [43, 27, 16]])
    x = np.repeat(np.repeat(np.arange(5), 3), table.ravel())
    y = np.repeat(np.tile(np.arange(3), 5), table.ravel())
    assert entropy_mdl(x, y=y).tolist() == [1.5]
    assert entropy_mdl(4 - x[::-1], y=2 - y[::-1]).tolist() == [1.5]


def test_equally_informed_parents_are_taken_in_order():
    """Three copies of one attribute, under other names of values, tell the same of each other."""
    rng = np.random.default_rng(27)
    codes = rng.choice(5, 200)
    copies = {name: rng.permutation(5)[codes].astype(str) for name in "uvw"}
    frame = pd.DataFrame(copies | {"class": rng.choice(["p", "n", "q"], 200)})
    parents = tan_structure(frame, "class")
    assert parents == {"class": [], "u": ["class"], "v": ["class", "u"], "w": ["class", "u"]}
