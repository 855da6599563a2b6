"""C4.5's pruning by the upper confidence limit of the error, with raising, as Weka's J48.

Source: Quinlan 1993, chapter 4; ties and tolerances are those of Weka 3.6.14 (J48).
"""

from statistics import NormalDist
from typing import Self

import numpy as np

from ranktrees_engine.basics.arguments import check_flag, check_number, floats, shown
from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import ArrayLike
from ranktrees_engine.growing.count import distinct
from ranktrees_engine.growing.forest import TrainingSets
from ranktrees_engine.growing.tree import Tree, descend
from ranktrees_engine.prune.surgery import (
    Costs,
    bottom_up,
    branches,
    breadth_first,
    cases_reaching,
    check_tree,
    read_cases,
)
from ranktrees_engine.reading.weights import class_counts

TOLERANCE = 1e-6  # Weka's "smaller or equal"


def added_errors(cases: ArrayLike, errors: ArrayLike, confidence: float = 0.25) -> np.ndarray:
    """Compute the errors to add to reach the upper limit at this confidence.

    Arrays have any shape. Below one error it is exact or interpolated, then the normal
    approximation with a continuity correction (Quinlan 1993). 0 without cases.

    >>> round(float(added_errors(6, 0)), 3)
    1.238
    """
    check_confidence(confidence)
    N, e = floats("cases", cases), floats("errors", errors)
    if not ((N >= 0).all() and (e >= 0).all()):
        raise ValueError("cases and errors must be numbers of 0 or more")
    try:
        N, e = np.broadcast_arrays(N, e)
    except ValueError as error:
        raise ValueError(f"cases {N.shape} and errors {e.shape} must have one shape") from error
    return _added(N, e, confidence)


def _added(N, e, confidence):
    """Compute `added_errors` of arrays that need no check."""
    z2 = (z := NormalDist().inv_cdf(1 - confidence)) ** 2

    def normal_limit(N, e):
        f = np.minimum((e + 0.5) / N, 1.0)
        root = np.sqrt(f / N - f**2 / N + z2 / (4 * N**2))
        rate = (f + z2 / (2 * N) + z * root) / (1 + z2 / N)
        return np.where(e + 0.5 >= N, np.maximum(N - e, 0), rate * N - e)

    occupied = np.where(N > 0, N, 1.0)
    none = occupied * (1 - confidence ** (1 / occupied))
    upper = normal_limit(occupied, np.maximum(e, 1.0))
    return np.where(N > 0, np.where(e < 1, none + e * (upper - none), upper), 0.0)


def check_confidence(confidence: object) -> None:
    """Raise TypeError or ValueError unless `confidence` is a number in (0, 0.5]."""
    check_number("confidence", confidence, 0)
    if not 0 < confidence <= 0.5:
        raise ValueError(f"confidence must lie in (0, 0.5], not {shown(confidence)}")


def estimated_errors(counts: np.ndarray, confidence: float = 0.25) -> np.ndarray:
    """Compute the pessimistic errors (...) of leaves with class counts (..., C).

    They are the leaves' errors plus those added.
    """
    counts = floats("counts", counts)
    if not counts.ndim or not counts.shape[-1]:
        raise ValueError(f"counts must be of classes, (..., C), not of shape {counts.shape}")
    check_confidence(confidence)
    if not (counts >= 0).all():
        raise ValueError("counts must be numbers of 0 or more")
    return _estimated(counts, confidence)


def _estimated(counts, confidence):
    cases = counts.sum(axis=-1)
    wrong = cases - counts.max(axis=-1)
    return wrong + _added(cases, wrong, confidence)


def c45(
    tree: Tree,
    codes: np.ndarray | None = None,
    y: np.ndarray | None = None,
    confidence: float = 0.25,
    raising: bool = True,
    slack: float = 0.1,
    weight: np.ndarray | None = None,
) -> Tree:
    """Prune as C4.5 does: a node becomes a leaf or, with `raising`, its largest branch.

    From the bottom, the estimated errors of a node as a leaf, of its subtree, and of its largest
    branch with all the node's cases are compared. The leaf, then the branch, is taken if it is at
    most `slack` errors worse than the subtree. A raised branch gets all the node's cases and is
    pruned again; an empty branch of it becomes a leaf if it now has cases. `codes` (n, A) and class
    codes `y` (n,) are the training cases, which only raising needs; `weight` (n,) is what each
    counts, or None if each counts 1.

    Raises ValueError for a confidence outside (0, .5] and for cases that did not grow the tree.
    """
    check_tree(tree)
    check_confidence(confidence)
    check_number("slack", slack, 0)
    check_flag("raising", raising)
    if not raising:
        return bottom_up(tree, Costs(estimated_errors(tree.counts, confidence)), slack + TOLERANCE)
    if codes is None or y is None:
        raise ValueError("raising sends the training cases down the tree: give their codes and y")
    codes, y = read_cases(tree, codes, y)
    if not np.array_equal(cases_reaching(tree, codes, y, weight)[0], tree.counts):
        raise ValueError("these are not the cases on which the tree was grown: its counts differ")
    sets = TrainingSets([], codes, None, y, np.zeros(len(y), np.intp), weight)
    return c45_forest(tree, sets, confidence, slack)


def c45_forest(
    forest: Tree, sets: TrainingSets, confidence: float = 0.25, slack: float = 0.1
) -> Tree:
    """Prune, with raising, the trees that grew together from training sets, in the same passes.

    What a tree becomes depends on its own nodes and cases alone: all are as `c45` prunes them.
    """
    raising = RaisingInMemory(forest, sets, confidence, slack + TOLERANCE)
    raising.prune(np.arange(len(sets.y)), sets.root)
    return raising.finished(forest)


class Raising:
    """Trees while they change: the test, counts (T, C) and errors (T,) of each node.

    As in `Tree`, but node t has `width[t]` children that start at `offset[t]`, so that a node can
    take over those of its largest branch; and each empty branch is a leaf, after all other nodes.
    `worse` is the number of additional errors that do not count.
    """

    def __init__(self, tree: Tree, confidence: float, worse: float):
        self.confidence, self.worse = confidence, worse
        empty = tree.child < 0
        more = 0, int(empty.sum())
        self.attribute = np.pad(tree.attribute, more, constant_values=-1)
        self.cut = np.pad(tree.cut, more, constant_values=-1)
        self.offset, self.width = np.pad(tree.offset[:-1], more), np.pad(np.diff(tree.offset), more)
        self.child = np.where(empty, len(tree) + np.cumsum(empty) - 1, tree.child)
        self.share = len(np.unique(self.child)) < len(self.child)  # outcomes may share a child
        self.counts = np.pad(tree.counts, (more, (0, 0)))
        self.errors = np.zeros(len(self.counts))

    def change(self, ids, errors_in) -> np.ndarray:
        """Make leaves of nodes (S,) of one level, or raise their largest branches: which (S,).

        `errors_in(some, largest)` (S',) are the errors of these branches with all cases of some of
        the nodes, ids[some]. A branch that is a leaf has those of the node as a leaf.
        """
        as_leaf = self.errors[ids]
        as_tree, largest = self._subtrees(ids)
        as_largest, some = as_leaf.copy(), (self.attribute[largest] >= 0).nonzero()[0]
        if len(some):
            as_largest[some] = errors_in(some, largest[some])
        leaf = (as_leaf - as_tree < self.worse) & (as_leaf - as_largest < self.worse)
        raised = ~leaf & (as_largest - as_tree < self.worse)
        self.attribute[ids[leaf]] = -1
        self.errors[ids] = np.where(leaf, as_leaf, as_tree)
        for part in (self.attribute, self.cut, self.offset, self.width):
            part[ids[raised]] = part[largest[raised]]
        return raised

    def _subtrees(self, ids):
        """Return errors (S,) below nodes (S,), and the largest child of each, the last if tied."""
        row, child = branches(self, ids)
        once = slice(None)
        if self.share:
            once = np.sort(np.unique(child, return_index=True)[1])
        errors = np.bincount(row[once], self.errors[child[once]], minlength=len(ids))
        n, start = self.counts[child].sum(axis=1), np.cumsum(self.width[ids]) - self.width[ids]
        is_largest = n == np.maximum.reduceat(n, start)[row]
        last = np.maximum.reduceat(np.where(is_largest, np.arange(len(child)), -1), start)
        return errors, child[last]

    def finished(self, tree: Tree) -> Tree:
        """Return the trees below their roots, breadth first; a child without cases becomes -1."""
        is_leaf = self.attribute < 0
        self.width[is_leaf], self.cut[is_leaf] = 0, -1
        self.child = np.where(self.counts.any(axis=1)[self.child], self.child, -1)
        return breadth_first(self, np.flatnonzero(tree.parent < 0), tree)


class RaisingInMemory(Raising):
    """Trees while they change, with their training cases `sets` in memory: see `Raising`."""

    def __init__(self, tree: Tree, sets: TrainingSets, confidence: float, worse: float):
        super().__init__(tree, confidence, worse)
        self.codes, self.y, self.weight = sets.values, sets.y, sets.weight
        self.rows = np.arange(len(sets.y)) if sets.rows is None else sets.rows

    @classmethod
    def part_of(cls, raising: Raising, codes: np.ndarray, y: np.ndarray, weight) -> Self:
        """Return the same trees, changing together, with some of the cases: codes (m, A), y (m,).

        These are all the cases of the nodes that will be pruned.
        """
        self = cls.__new__(cls)
        vars(self).update(vars(raising))
        self.codes, self.y, self.weight, self.rows = codes, y, weight, np.arange(len(y))
        return self

    def prune(self, cases: np.ndarray, node: np.ndarray) -> None:
        """Prune all below the nodes (m,) at which the cases (m,) are, counting them again."""
        passed = list(descend(self, self.codes, node, self.rows[cases]))
        for few in blocks(len(passed), np.array([len(node) for _, node in passed])):
            some, node = map(np.concatenate, zip(*passed[few], strict=True))
            ids, row = distinct(node, len(self.counts))
            self.counts[ids], self.errors[ids] = self._leaves(len(ids), row, cases[some])
        for some, node in reversed(passed):
            inner = self.attribute[node] >= 0
            if inner.any():
                self._decide(cases[some[inner]], node[inner])

    def _decide(self, cases, node):
        ids, row = distinct(node, len(self.counts))
        raised = self.change(ids, lambda some, top: self._errors_in(some, top, row, cases))
        if raised.any():
            again = raised[row]
            self.prune(cases[again], node[again])

    def _errors_in(self, some, top, row, cases):
        """Compute errors (S',) of the subtrees of `top` (S',) if cases of `some` rows go there."""
        number = np.full(row.max() + 1, -1)
        number[some] = np.arange(len(some))
        row = number[row]
        cases, row = cases[row >= 0], row[row >= 0]
        end = top[row]
        for here, node in descend(self, self.codes, end, self.rows[cases]):
            end[here] = node
        ends, place = distinct(end, len(self.counts))
        row_of = np.empty(len(ends), np.intp)
        row_of[place] = row
        return np.bincount(row_of, self._leaves(len(ends), place, cases)[1], minlength=len(top))

    def _leaves(self, size, row, cases):
        """Count the cases of each row (m,) by class (size, C), and their errors as leaves."""
        weight = None if self.weight is None else self.weight[cases]
        counts = class_counts(row, self.y[cases], weight, (size, self.counts.shape[1]))
        return counts, _estimated(counts, self.confidence)
