"""The one driver that grows every tree, level by level.

A proposer, `propose(cases (m,), node (m,), counts (S, C)) -> Proposal`, says for each open node of
a level which attribute to test and where its values go; where cases have a weight (m,), that is its
fourth argument. All else, stopping, children, counts and ids, is the same for every method and
stands here. Not split are a pure node, one at `max_depth` or with fewer than `min_parent` cases,
and one whose best split chi-squared does not find significant at the level `significance` (R&M 9.5;
Yang's slides).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ranktrees.counts import tally
from ranktrees.criteria import p_value
from ranktrees.proposal import outcome_of
from ranktrees.schema import AttributeInfo
from ranktrees.tree import Tree


class Stop(NamedTuple):
    """When a node is not split: see the module's words."""

    max_depth: int | None = None
    min_parent: int = 2
    significance: float | None = None

    def may_split(self, counts: np.ndarray, depth: int) -> np.ndarray:
        """(S,) which nodes of a level, with class counts (S, C), are worth a test."""
        if self.max_depth is not None and depth >= self.max_depth:
            return np.zeros(len(counts), bool)
        total = counts.sum(axis=1)
        return (total >= self.min_parent) & (counts.max(axis=1) < total)

    def accept(self, tables: np.ndarray) -> np.ndarray:
        """(S,) whether the tests with these tables (S, V, C) are significant."""
        if self.significance is None:
            return np.ones(len(tables), bool)
        return p_value(tables) <= self.significance


class Cases(NamedTuple):
    """The cases `at` (m,) that are still on their way, in open `node` (m,), of a `weight` or 1."""

    at: np.ndarray
    node: np.ndarray
    weight: np.ndarray | None

    def go(self, node: np.ndarray) -> "Cases":
        """The cases in other nodes (m,), without those in none, -1."""
        if (on := node >= 0).all():
            return self._replace(node=node)
        weight = None if self.weight is None else self.weight.compress(on)
        return Cases(self.at.compress(on), node.compress(on), weight)


ONLY_PURE = Stop()  # nodes of one class, or of one case, and no others


def grow(
    X: np.ndarray,
    y: np.ndarray,
    schema: Sequence[AttributeInfo],
    classes: Sequence,
    propose: Callable,
    **limits,
) -> Tree:
    """Grow a tree on codes `X` (n, A), classes `y` (n,): `propose(cases, node, counts)` tests."""
    sizes = np.array([info.size for info in schema])
    forest = grow_forest(X, y, sizes, classes, propose, stop=Stop(**limits))
    return replace(forest, schema=tuple(schema))


def grow_forest(
    X: np.ndarray,
    y: np.ndarray,
    sizes: np.ndarray,
    classes: Sequence,
    propose: Callable,
    rows: np.ndarray | None = None,
    root: np.ndarray | None = None,
    stop: Stop = ONLY_PURE,
    weight: np.ndarray | None = None,
) -> Tree:
    """Grow a tree on the cases of each root 0, 1, ..., in the same passes: one Tree of many roots.

    Case i of m has codes X[rows[i]] (None: X[i]), class y[i], root root[i] (None: 0); `sizes` (A,)
    are the attributes' numbers of codes. Cases with a `weight` (m,) count as much, and may go down
    several branches. The schema is still to be given.
    """
    root = np.zeros(len(y), np.intp) if root is None else root
    counts = _root_counts(root, y, len(classes), weight)
    X, parent, levels, first = np.ascontiguousarray(X), np.full(len(counts), -1), [], 0
    is_open = stop.may_split(counts, 0)
    cases = Cases(np.arange(len(root)), root, weight).go(_open_number(is_open)[root])
    while len(counts):
        width = child = above = np.zeros(0, np.intp)
        below = counts[:0]
        tests, opened, cases = _good_tests(propose, is_open.nonzero()[0], cases, counts)
        if len(opened):
            width = tests.outcomes(sizes)
            to, cases = _send(X, rows, tests, sizes, width, cases)
            slot, tables = _count(to, width, y, len(classes), cases)
            width = width * stop.accept(tables)
            number = _number(inside := tables.any(axis=-1) & (width > 0)[:, None])
            child = _child_ids(number, tests.branch, width, first + len(counts))
            above, below = first + opened[inside.nonzero()[0]], tables[inside]
            is_open = stop.may_split(below, len(levels) + 1)
            cases = cases.go(_open_number(is_open)[number.ravel()].take(slot))
        levels.append((parent, *_of_level(opened, tests, width, len(counts)), child, counts))
        parent, first, counts = above, first + len(counts), below
    return _tree(levels, classes)


def _root_counts(root, y, C, weight):
    """Class counts (R, C) of the roots, in cases or in weight."""
    if weight is None:
        return tally((root.max() + 1, C), root, y)
    R = root.max() + 1
    return np.bincount(root * C + y, weight, minlength=R * C).reshape(R, C)


def _good_tests(propose, opened, cases, counts):
    """The tests of a level's nodes that have one which is good enough; these nodes; their cases."""
    if not len(opened):
        return None, opened, cases
    weight = () if cases.weight is None else (cases.weight,)
    tests = propose(cases.at, cases.node, counts[opened], *weight)
    if (split := tests.attribute >= 0).all():
        return tests, opened, cases
    tests = tests.only(split, split[cases.node])
    return tests, opened[split], cases.go(_number(split)[cases.node])


def _send(X, rows, tests, sizes, width, cases):
    """The branch (m,) of each case, and the cases, with copies of those that go down several.

    Flat indices, since numpy takes by one of them much faster than by two.
    """
    if tests.outcome is not None:
        return (tests.outcome, cases) if cases.weight is None else _spread(tests, width, cases)
    at = cases.at if rows is None else rows.take(cases.at)
    to = X.ravel().take(at * X.shape[1] + tests.attribute.take(cases.node))
    if tests.cut is not None:
        to = outcome_of(to, tests.cut.take(cases.node))
    return to if tests.branch is None else tests.branch[cases.node, to], cases


def _spread(tests, width, cases):
    """Put a copy of each case with outcome -1 into each branch, with a share of its weight."""
    to, (at, node, weight) = tests.outcome, cases
    if (known := to >= 0).all():
        return to, cases
    S, W = len(width), width.max()
    mass = np.bincount((node * W + to)[known], weight[known], minlength=S * W).reshape(S, W)
    lost = np.flatnonzero(~known)
    share = (mass / mass.sum(axis=1, keepdims=True))[node[lost]]
    which, outcome = share.nonzero()
    of = np.concatenate([np.flatnonzero(known), lost[which]])
    part = np.concatenate([np.ones(known.sum()), share[which, outcome]])
    return np.concatenate([to[known], outcome]), Cases(at[of], node[of], weight[of] * part)


def _count(to, width, y, C, cases):
    """Where each case (m,) counts among the branches, and their class counts (S, V, C)."""
    slot, shape = cases.node * width.max() + to, (len(width), width.max(), C)
    place = slot * C + y.take(cases.at)
    return slot, np.bincount(place, cases.weight, minlength=math.prod(shape)).reshape(shape)


def _of_level(opened, tests, width, S):
    """Attribute (S,), cut (S,) and number of outcomes (S,) of all nodes of a level."""
    attribute, cut = np.full((2, S), -1)
    outcomes = np.zeros(S, np.intp)
    if len(opened):
        attribute[opened] = np.where(width > 0, tests.attribute, -1)
        cut[opened] = np.where(width > 0, -1 if tests.cut is None else tests.cut, -1)
        outcomes[opened] = width
    return attribute, cut, outcomes


def _tree(levels, classes):
    parent, attribute, cut, outcomes, child, counts = map(np.concatenate, zip(*levels, strict=True))
    offset = np.concatenate([[0], np.cumsum(outcomes)])
    return Tree(parent, attribute, cut, child, offset, counts, (), tuple(classes))


def _number(mask):
    """The position of each True among all, counted from 0; -1 where False."""
    return np.where(mask, mask.cumsum().reshape(mask.shape) - 1, -1)


def _open_number(is_open):
    """`_number` of a level's nodes, and a last -1 for cases that go nowhere."""
    number = np.full(len(is_open) + 1, -1)
    opened = is_open.nonzero()[0]
    number[opened] = np.arange(len(opened))
    return number


def _child_ids(number, branch, width, first):
    """Ids of the children of each outcome, end to end; an empty branch stays -1."""
    if branch is not None:
        branch = branch[:, : number.shape[1]]
        number = np.where(branch < 0, -1, number[np.arange(len(number))[:, None], branch])
    ids = np.where(number < 0, -1, number + first)
    return ids[np.arange(ids.shape[1]) < width[:, None]]
