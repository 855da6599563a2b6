"""Predicted classes: the confusion matrix, measures computed from it, and costs of errors.

Cost matrices are (C, C), rows true and columns predicted classes.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_number, even, shown
from ranktrees_engine.basics.kinds import ArrayLike, Classes
from ranktrees_engine.basics.ties import TIE, first_best
from ranktrees_engine.evaluate.inputs import (
    UndefinedMeasure,
    class_codes,
    matched,
    positive_code,
    positive_scores,
    score_matrix,
    square,
)
from ranktrees_engine.evaluate.ranking import Blocks
from ranktrees_engine.growing.count import tally
from ranktrees_engine.reading.labels import is_declared


def confusion_matrix(y: ArrayLike, predicted: ArrayLike, classes: Classes = None) -> pd.DataFrame:
    """Count cases by class, rows true and columns predicted: a DataFrame (C, C) with named axes.

    `y`, `predicted` (n,) are labels or codes; `classes` (C,) in the order wanted. Default: sorted,
    all that a Categorical declares, else the labels of both. Errors as in `class_codes`.

    >>> confusion_matrix(["+", "+", "-"], ["+", "-", "-"]).to_numpy().tolist()
    [[1, 1], [0, 1]]
    """
    true, called, classes = _aligned(y, predicted, classes)
    counts = tally((len(classes), len(classes)), true, called)
    return pd.DataFrame(counts, classes.rename("true"), classes.rename("predicted"))


def _aligned(y, predicted, classes):
    """Return codes of the true and the predicted classes (n,) in the same classes."""
    if classes is None:
        classes = _common_classes(y, predicted)
    true, classes = class_codes(y, classes)
    called, _ = class_codes(predicted, classes, "predicted")
    if len(true) != len(called):
        raise ValueError(f"y has {len(true)} cases, but predicted has {len(called)}")
    return true, called, classes


def _common_classes(y, predicted):
    for labels in (y, predicted):
        if is_declared(labels):
            return class_codes(labels)[1]
    true, called = class_codes(y)[1], class_codes(predicted, what="predicted")[1]
    if pd.api.types.is_numeric_dtype(true.dtype) != pd.api.types.is_numeric_dtype(called.dtype):
        raise ValueError(
            f"y holds labels such as {shown(true[0])}, predicted {shown(called[0])}: give both as "
            "labels; confusion_matrix takes classes= where one of them holds codes"
        )
    return true.union(called)


def accuracy(y: ArrayLike, predicted: ArrayLike) -> float:
    """Return the share of cases predicted right; `y`, `predicted` (n,) as in `confusion_matrix`.

    >>> accuracy(["no"] * 10, ["no"] * 9 + ["yes"])
    0.9
    """
    true, called, _ = _aligned(y, predicted, None)
    return float(np.mean(true == called))


def error_rate(y: ArrayLike, predicted: ArrayLike) -> float:
    """Return the share of cases predicted wrong, 1 - accuracy."""
    return 1 - accuracy(y, predicted)


# Measures of one class against the rest; for (TP, FN, FP) see Yang's confusion matrix


def precision(y: ArrayLike, predicted: ArrayLike, pos_label: object = None) -> float:
    """Return TP / (TP + FP), the share of positive cases among those called positive.

    The positive class defaults to the last of two. UndefinedMeasure if no case is called positive.
    """
    tp, _, fp = _counts(y, predicted, pos_label)
    return _ratio(tp, tp + fp, "precision", "no case is predicted to be of the positive class")


def recall(y: ArrayLike, predicted: ArrayLike, pos_label: object = None) -> float:
    """Return TP / (TP + FN), the share of positive cases called positive: the true positive rate.

    The positive class defaults to the last of two. UndefinedMeasure if no case is positive.
    """
    tp, fn, _ = _counts(y, predicted, pos_label)
    return _ratio(tp, tp + fn, "recall", "no case of y is of the positive class")


def f_measure(
    y: ArrayLike, predicted: ArrayLike, pos_label: object = None, beta: float = 1.0
) -> float:
    """Return the F measure, 2 TP / (2 TP + FP + FN): the harmonic mean of precision and recall.

    `beta` weights recall.

    (1 + b²) TP / ((1 + b²) TP + b² FN + FP) (van Rijsbergen 1979). UndefinedMeasure if no case is
    positive and none is called positive.
    """
    check_number("beta", beta, 0)
    tp, fn, fp = _counts(y, predicted, pos_label)
    right = (1 + beta**2) * tp
    return _ratio(right, right + beta**2 * fn + fp, "F", "no case is positive nor called so")


def _counts(y, predicted, pos_label):
    true, called, classes = _aligned(y, predicted, None)
    positive = positive_code(classes, pos_label)
    true, called = true == positive, called == positive
    return tuple(int(n.sum()) for n in (true & called, true & ~called, ~true & called))


def _ratio(part, whole, measure, why):
    if whole == 0:
        raise UndefinedMeasure(f"{measure} is undefined: {why}")
    return float(part / whole)


def weighted_accuracy(confusion: ArrayLike, weights: ArrayLike) -> float:
    """Return (w₁a + w₄d) / (w₁a + w₂b + w₃c + w₄d), weighted right over all weighted cases (Yang).

    `confusion` and `weights` (C, C), rows true, columns predicted; two DataFrames are matched by
    label. With weights of 1 it is accuracy; where the positive class is first, [[1, 0], [1, 0]] is
    precision, [[1, 1], [0, 0]] recall, [[2, 1], [1, 0]] F. UndefinedMeasure if no case has weight.
    """
    n, weights = matched(confusion, weights, "weights")
    if (weights < 0).any():
        raise ValueError(f"weights must not be negative, but one is {weights.min():g}")
    weighted = n * weights
    why = "the cells with weight have no case"
    return _ratio(np.trace(weighted), weighted.sum(), "weighted accuracy", why)


# Costs


def total_cost(confusion: ArrayLike, cost: ArrayLike) -> float:
    """Sum cases times cost over cells; both (C, C), two DataFrames are matched by label.

    Yang's C(i|j), the cost of calling a case of class j class i, is in row j, column i.

    >>> total_cost([[150, 40], [60, 250]], [[-1, 100], [1, 0]])
    3910.0
    """
    n, cost = matched(confusion, cost, "cost")
    return float((n * cost).sum())


def expected_cost(confusion: ArrayLike, cost: ArrayLike) -> float:
    """Return the mean cost of a case, `total_cost` over the number of cases.

    If every right decision costs a and every error b, it is (a - b) accuracy + b (Yang).
    """
    n, _ = matched(confusion, cost, "cost")
    if not n.sum():
        raise UndefinedMeasure("the expected cost is undefined: confusion has no case")
    return total_cost(confusion, cost) / float(n.sum())


def least_cost_class(proba: ArrayLike, cost: ArrayLike, classes: Classes = None) -> np.ndarray:
    """Return the class (n,) of minimal expected cost for probabilities (n, C).

    The names come from `classes` (C,), else from a DataFrame `cost`; without either it returns
    codes. Rows of `proba` need not sum to 1. ValueError for NaN, negative values, another shape.
    """
    proba = score_matrix(proba)
    if proba.size and proba.min() < 0:
        raise ValueError(f"proba has a negative value, {proba.min():g}")
    values, C = square("cost", cost, proba.shape[1]), proba.shape[1]
    expected = sum(proba[:, [true]] * row for true, row in enumerate(values))
    tie = TIE * np.abs(values).max() * proba.sum(axis=1, keepdims=True)
    best = first_best(-expected, tie)
    named = cost.columns if isinstance(cost, pd.DataFrame) else None
    if named is not None and list(cost.index) != list(named):
        raise ValueError("cost must label its rows and columns with the same classes in one order")
    if classes is None and named is None:
        return best
    names = even("classes", named if classes is None else classes)
    if names.shape != (C,):
        raise ValueError(f"classes names {names.size}, but proba has {C} columns")
    if named is not None and list(names) != list(named):
        raise ValueError(f"cost is labelled {list(named)}, but classes are {list(names)}")
    return names[best]


class Threshold(NamedTuple):
    """A decision: positive if the score is at least `threshold`; `cost` is the mean per case."""

    threshold: float
    cost: float


def best_threshold(
    y: ArrayLike, score: ArrayLike, cost: ArrayLike, pos_label: object = None
) -> Threshold:
    """Return the threshold of least mean cost on these cases; of several equal ones the highest.

    `y` (n,) of two classes, `score` (n,), `cost` (2, 2) in the order of the sorted classes or a
    DataFrame by label; inf calls no case positive. A choice made on training cases is optimistic:
    measure it on other cases. ValueError unless there are two classes.
    """
    _, classes = class_codes(y)
    if len(classes) != 2:
        raise ValueError(f"a threshold decides between two classes, but y has {len(classes)}")
    yes = positive_code(classes, pos_label)
    return cheapest(Blocks.of(*positive_scores(y, score, pos_label)), cost, classes, yes)


def cheapest(blocks: Blocks, cost: ArrayLike, classes: pd.Index, yes: int = 1) -> Threshold:
    """Return the threshold of least mean cost for blocks of cases; class `yes` is the positive."""
    if isinstance(cost, pd.DataFrame):
        _, cost = matched(pd.DataFrame(np.zeros((2, 2)), classes, classes), cost, "cost")
    cost = square("cost", cost, 2)
    no = 1 - yes
    extra = cost[:, yes] - cost[:, no]  # of calling a case positive, by its true class
    steps = blocks.positive * extra[yes] + blocks.negative * extra[no]
    none = cost[yes, no] * blocks.positive.sum() + cost[no, no] * blocks.negative.sum()
    costs = np.append(none, none + np.cumsum(steps)) / blocks.size.sum()
    best = int(first_best(-costs, TIE * np.abs(cost).max()))
    return Threshold(float(np.append(np.inf, blocks.score)[best]), float(costs[best]))


def cost_threshold(cost: ArrayLike) -> float:
    """Return P(second class) above which predicting it costs less (Elkan 2001, Eq. 2).

    `cost` (2, 2), rows true, columns predicted. ValueError unless each error costs more than the
    right decision on the same case.

    >>> cost_threshold([[0, 1], [4, 0]])
    0.2
    """
    cost = square("cost", cost, 2)
    regret = cost[0, 1] - cost[0, 0], cost[1, 0] - cost[1, 1]
    if min(regret) <= 0:
        raise ValueError(f"an error must cost more than the right decision: {cost.tolist()}")
    return float(regret[0] / sum(regret))
