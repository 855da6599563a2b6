"""Decisions that cost: cost matrices (C, C) with rows true and columns predicted classes."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees.evaluate.decisions import matched, square
from ranktrees.evaluate.inputs import UndefinedMeasure, class_codes, positive_code, score_matrix
from ranktrees.evaluate.inputs import scores as checked_scores
from ranktrees.evaluate.ranking import Blocks
from ranktrees.ties import TIE, first_best


def total_cost(confusion, cost) -> float:
    """The sum over cells of cases times cost; both (C, C), two DataFrames are matched by label.

    Yang's C(i|j), the cost of calling a case of class j class i, stands in row j, column i.

    >>> total_cost([[150, 40], [60, 250]], [[-1, 100], [1, 0]])
    3910.0
    """
    n, cost = matched(confusion, cost, "cost")
    return float((n * cost).sum())


def expected_cost(confusion, cost) -> float:
    """The mean cost of a case, `total_cost` over the number of cases.

    Where every right decision costs a and every error b it is (a - b) accuracy + b (Yang).
    """
    n, _ = matched(confusion, cost, "cost")
    if not n.sum():
        raise UndefinedMeasure("the expected cost is undefined: confusion has no case")
    return total_cost(confusion, cost) / float(n.sum())


def least_cost_class(proba, cost, classes=None) -> np.ndarray:
    """The class (n,) of minimal expected cost for probabilities (n, C); of equals the first.

    The names come from `classes` (C,), else from a DataFrame `cost`; without either, codes. Rows of
    `proba` need not sum to 1. ValueError for NaN, negative values and a cost of another shape.
    """
    values = score_matrix(proba)
    if values.size and values.min() < 0:
        raise ValueError(f"proba has a negative value, {values.min():g}")
    named = cost.columns if isinstance(cost, pd.DataFrame) else None
    if named is not None and list(cost.index) != list(named):
        raise ValueError("cost must label its rows and columns with the same classes in one order")
    best = _cheapest(values, square("cost", cost, values.shape[1]))
    if classes is None and named is None:
        return best
    names = np.asarray(named if classes is None else classes)
    if names.shape != (values.shape[1],):
        raise ValueError(f"classes names {names.size}, but proba has {values.shape[1]} columns")
    if classes is not None and named is not None and list(names) != list(named):
        raise ValueError(f"cost is labelled {list(named)}, but classes are {list(names)}")
    return names[best]


def _cheapest(values, cost):
    """The class (n,) of least expected cost, summed class by class; of equals the first."""
    expected, largest = np.zeros(values.shape), np.abs(cost).max()
    for true, row in enumerate(cost):
        expected += values[:, true, None] * row
    return first_best(-expected, TIE * largest * values.sum(axis=1, keepdims=True))


class Threshold(NamedTuple):
    """Call a case positive if its score is at least `threshold`; `cost` is the mean of a case."""

    threshold: float
    cost: float


def best_threshold(y, score, cost, pos_label=None) -> Threshold:
    """The threshold of least mean cost on these cases; of equal ones the highest.

    `y` (n,) of two classes, `score` (n,), `cost` (2, 2) in the order of the sorted classes or a
    DataFrame by label; inf calls no case positive. A choice made on training cases is too hopeful:
    measure it on others. ValueError for other than two classes.
    """
    codes, classes = class_codes(y)
    if len(classes) != 2:
        raise ValueError(f"a threshold decides between two classes, but y has {len(classes)}")
    at = positive_code(classes, pos_label)
    if isinstance(cost, pd.DataFrame):
        _, cost = matched(pd.DataFrame(np.zeros((2, 2)), classes, classes), cost, "cost")
    cost = square("cost", cost, 2)
    blocks = Blocks.of(codes == at, checked_scores(score, len(codes)))
    extra = cost[:, at] - cost[:, 1 - at]  # of calling a case positive, by its true class
    steps = blocks.positive * extra[at] + blocks.negative * extra[1 - at]
    none = cost[at, 1 - at] * (codes == at).sum() + cost[1 - at, 1 - at] * (codes != at).sum()
    costs = np.concatenate([[none], none + np.cumsum(steps)]) / len(codes)
    best = int(first_best(-costs, TIE * np.abs(cost).max()))
    return Threshold(float(np.append(np.inf, blocks.score)[best]), float(costs[best]))


def cost_threshold(cost) -> float:
    """The probability of the second class from which calling it is cheaper (Elkan 2001, Eq. 2).

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
