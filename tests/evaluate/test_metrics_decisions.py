"""Confusion, cost and probability measures: Yang's numbers, scikit-learn, brute force."""

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

from ranktrees_engine import evaluate as ev

# Yang's two models, the positive class first; missing a positive case costs 100
COST = [[-1, 100], [1, 0]]
M1, M2 = [[150, 40], [60, 250]], [[250, 45], [5, 200]]


def cases(confusion):
    """True and predicted labels of a confusion matrix of + and -."""
    cells = [("+", "+"), ("+", "-"), ("-", "+"), ("-", "-")]
    return np.repeat(cells, np.ravel(confusion), axis=0).T


@pytest.mark.parametrize(("model", "cost", "right"), [(M1, 3910, 0.8), (M2, 4255, 0.9)])
def test_the_more_accurate_model_of_yang_costs_more(model, cost, right):
    y, predicted = cases(model)
    assert ev.total_cost(model, COST) == cost
    assert ev.expected_cost(model, COST) == cost / 500
    assert ev.accuracy(y, predicted) == pytest.approx(right)
    assert ev.error_rate(y, predicted) == pytest.approx(1 - right)
    np.testing.assert_array_equal(ev.confusion_matrix(y, predicted, ["+", "-"]), model)


def test_a_confusion_matrix_names_its_axes():
    y, predicted = pd.Categorical(["a", "c", "a"], ["c", "b", "a"]), ["a", "a", "c"]
    found = ev.confusion_matrix(y, predicted)
    assert (found.index.name, found.columns.name) == ("true", "predicted")
    assert list(found.index) == list(found.columns) == ["a", "b", "c"]
    np.testing.assert_array_equal(found, [[1, 0, 1], [0, 0, 0], [1, 0, 0]])
    np.testing.assert_array_equal(ev.confusion_matrix(y, np.array([0, 0, 2])), found)
    declared = ev.confusion_matrix(y, predicted, ["c", "b", "a"])
    np.testing.assert_array_equal(declared, found.iloc[::-1, ::-1])


def test_weights_turn_into_the_other_measures():
    y, predicted = cases(M1)
    for measure, w in [
        (ev.accuracy(y, predicted), [[1, 1], [1, 1]]),
        (ev.precision(y, predicted, "+"), [[1, 0], [1, 0]]),
        (ev.recall(y, predicted, "+"), [[1, 1], [0, 0]]),
        (ev.f_measure(y, predicted, "+"), [[2, 1], [1, 0]]),
        (1700 / (1700 + 80 + 60), [[3, 2], [1, 5]]),
    ]:
        assert ev.weighted_accuracy(M1, w) == pytest.approx(measure, abs=1e-15)
    with pytest.raises(ev.UndefinedMeasure, match="the cells with weight have no case"):
        ev.weighted_accuracy([[0, 3], [0, 2]], [[1, 0], [1, 0]])
    with pytest.raises(ValueError, match="must not be negative"):
        ev.weighted_accuracy(M1, [[1, -1], [1, 1]])


@pytest.mark.parametrize("beta", [0.5, 1])
def test_precision_recall_and_f_equal_those_of_scikit_learn(beta):
    y, predicted = np.random.default_rng(1).choice(list("abc"), (2, 200))
    theirs = metrics.precision_recall_fscore_support(y, predicted, beta=beta)[:3]
    for label, expected in zip("abc", np.transpose(theirs), strict=True):
        found = [measure(y, predicted, label) for measure in (ev.precision, ev.recall)]
        found.append(ev.f_measure(y, predicted, label, beta))
        assert found == pytest.approx(expected, abs=1e-12)
    with pytest.raises(ev.UndefinedMeasure, match="precision is undefined: no case is predicted"):
        ev.precision(["yes", "no"], ["no", "no"], "yes")
    assert ev.f_measure(["yes", "no"], ["no", "no"], "yes") == 0


def test_least_cost_class_by_hand_and_one_by_one():
    cost = np.array([[0, 1], [4, 0]])  # missing the second class costs four times as much
    proba = np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.1, 0.9]])
    np.testing.assert_array_equal(ev.least_cost_class(proba, cost), [0, 0, 1, 1])
    assert ev.cost_threshold(cost) == 0.2
    frame = pd.DataFrame(cost, ["no", "yes"], ["no", "yes"])
    assert ev.least_cost_class(proba, frame).tolist() == ["no", "no", "yes", "yes"]
    assert ev.least_cost_class(3 * proba, cost, ["n", "y"]).tolist() == ["n", "n", "y", "y"]
    rng = np.random.default_rng(0)
    proba, cost = rng.dirichlet(np.ones(4), 30), rng.random((4, 4))
    for p, best in zip(proba, ev.least_cost_class(proba, cost), strict=True):
        assert best == np.argmin([sum(p[i] * cost[i, j] for i in range(4)) for j in range(4)])
    with pytest.raises(ValueError, match="an error must cost more"):
        ev.cost_threshold([[0, 0], [1, 0]])
    with pytest.raises(ValueError, match=r"negative value, -0\.5"):
        ev.least_cost_class([[1.5, -0.5]], [[0, 1], [1, 0]])
    with pytest.raises(ValueError, match="labelled"):
        ev.least_cost_class([[0.5, 0.5]], frame, ["yes", "no"])


@pytest.mark.parametrize("pos_label", ["+", "-", None])
def test_best_threshold_is_the_best_of_all(pos_label):
    rng = np.random.default_rng(2)
    y, score = np.array(list("++-") * 9), np.round(rng.random(27), 1)
    cost = pd.DataFrame(rng.random((2, 2)), ["+", "-"], ["+", "-"])
    positive, negative = ("+", "-") if pos_label == "+" else ("-", "+")

    def spent(t):
        predicted = np.where(score >= t, positive, negative)
        return ev.expected_cost(ev.confusion_matrix(y, predicted, ["+", "-"]), cost)

    found = ev.best_threshold(y, score, cost, pos_label)
    assert found.cost == pytest.approx(spent(found.threshold))
    assert found.cost == pytest.approx(min(map(spent, [np.inf, *score])))
    assert ev.best_threshold(y, score, cost.to_numpy(), pos_label) == found
    alike = ev.best_threshold(y, score, np.ones((2, 2)), pos_label)
    assert alike == (np.inf, 1), "of equally cheap thresholds the highest"
    with pytest.raises(ValueError, match="between two classes, but y has 3"):
        ev.best_threshold(["a", "b", "c"], [1, 2, 3], COST)


def test_matrices_are_matched_by_label_and_bad_ones_are_named():
    confusion = ev.confusion_matrix(*cases(M1), classes=["-", "+"])
    cost = pd.DataFrame(COST, ["+", "-"], ["+", "-"])
    assert ev.total_cost(confusion, cost) == 3910
    with pytest.raises(ValueError, match="cost labels its rows"):
        ev.total_cost(confusion, cost.rename(index={"+": "yes"}))
    for bad, words in [
        ([[0, 1, 2], [1, 0, 2]], r"\(2, 2\), but its shape is \(2, 3\)"),
        ([[0, np.nan], [1, 0]], "cost is nan in row 0, column 1"),
        ([["x", 1], [1, 0]], "cost must hold numbers only, in even rows"),
    ]:
        for use in (ev.total_cost, lambda _, c: ev.least_cost_class([[0.5, 0.5]], c)):
            with pytest.raises(ValueError, match=words):
                use(M1, bad)


@pytest.mark.parametrize(
    ("measure", "given", "words"),
    [
        (ev.accuracy, ("ab", "a"), "y has 2 cases, but predicted has 1"),
        (ev.accuracy, ("ab", [0, 1]), "'a', predicted 0: give both as labels; conf"),
        (ev.accuracy, ([1, 0.2], [1, 0]), r"y holds measurements such as 0\.2, not classes"),
        (ev.accuracy, ("ab", ["a", None]), "predicted lacks the class of 1 of its 2 cases"),
        (ev.confusion_matrix, ("ab", "az", "ab"), "predicted holds 'z', which is none of the"),
        (ev.recall, ("abc", "abc"), "name the positive one with pos_label="),
    ],
)
def test_predictions_that_do_not_fit(measure, given, words):
    with pytest.raises(ValueError, match=words):
        measure(*map(list, given))
