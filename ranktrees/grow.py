"""The one driver that grows every tree, level by level.

A proposer, `propose(cases (m,), node (m,), counts (S, C)) -> Proposal`, says for each open node of
a level which attribute to test and where its values go. All else, stopping, children, counts and
ids, is the same for every method and stands here. Not split are a pure node, one at `max_depth` or
with fewer than `min_parent` cases, and one whose best split chi-squared does not find significant
at the level `significance` (R&M 9.5; Yang's slides).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ranktrees.counts import tally
from ranktrees.criteria import p_value
from ranktrees.proposal import Proposal, n_outcomes, outcome_of
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
) -> Tree:
    """Grow a tree on the cases of each root 0, 1, ..., in the same passes: one Tree of many roots.

    Case i of m has codes X[rows[i]] (None: X[i]), class y[i], root root[i] (None: 0); `sizes` (A,)
    are the attributes' numbers of codes. The schema is still to be given.
    """
    root = np.zeros(len(y), np.intp) if root is None else root
    counts = tally((root.max() + 1, len(classes)), root, y)
    X, parent, levels, first = np.ascontiguousarray(X), np.full(len(counts), -1), [], 0
    is_open = stop.may_split(counts, 0)
    cases, node = _descend(np.arange(len(root)), _open_number(is_open)[root])
    while len(counts):
        attribute, cut = np.full((2, len(counts)), -1)
        child, above, below = np.zeros(0, np.intp), np.zeros(0, np.intp), counts[:0]
        opened = is_open.nonzero()[0]
        if len(opened):
            tests = propose(cases, node, counts[opened])
            tests, opened, cases, node = _only_splits(tests, opened, cases, node)
        if len(opened):
            width, slot, tables = _branch(X, y, rows, len(classes), tests, sizes, cases, node)
            width = width * stop.accept(tables)
            number = _number(inside := tables.any(axis=-1) & (width > 0)[:, None])
            attribute[opened] = np.where(width > 0, tests.attribute, -1)
            cut[opened] = np.where(width > 0, -1 if tests.cut is None else tests.cut, -1)
            child = _child_ids(number, tests.branch, width, first + len(counts))
            above, below = first + opened[inside.nonzero()[0]], tables[inside]
            is_open = stop.may_split(below, len(levels) + 1)
            cases, node = _descend(cases, _open_number(is_open)[number.ravel()].take(slot))
        levels.append((parent, attribute, cut, child, counts))
        parent, first, counts = above, first + len(counts), below
    return _tree(levels, classes, sizes)


def _branch(X, y, rows, C, tests, sizes, cases, node):
    """Outcomes of each test (S,), class counts (S, V, C) below, where each case (m,) counts there.

    Flat indices, since numpy takes by one of them much faster than by two.
    """
    at = cases if rows is None else rows.take(cases)
    to = X.ravel().take(at * X.shape[1] + tests.attribute.take(node))
    width = sizes[tests.attribute]
    if tests.cut is not None:
        to = outcome_of(to, tests.cut.take(node))
        width = n_outcomes(tests.attribute, tests.cut, sizes)
    if tests.branch is not None:
        to = tests.branch[node, to]
    slot, shape = node * width.max() + to, (len(width), width.max(), C)
    tables = np.bincount(slot * C + y.take(cases), minlength=math.prod(shape)).reshape(shape)
    return width, slot, tables


def _tree(levels, classes, sizes):
    parent, attribute, cut, child, counts = map(np.concatenate, zip(*levels, strict=True))
    offset = np.concatenate([[0], np.cumsum(n_outcomes(attribute, cut, sizes))])
    return Tree(parent, attribute, cut, child, offset, counts, (), tuple(classes))


def _only_splits(tests, opened, cases, node):
    """Drop the nodes for which no test was good enough, and their cases."""
    if (split := tests.attribute >= 0).all():
        return tests, opened, cases, node
    tests = Proposal(*(part if part is None else part[split] for part in tests))
    return tests, opened[split], *_descend(cases, _number(split)[node])


def _number(mask):
    """The position of each True among all, counted from 0; -1 where False."""
    return np.where(mask, mask.cumsum().reshape(mask.shape) - 1, -1)


def _open_number(is_open):
    """`_number` of a level's nodes, and a last -1 for cases that go nowhere."""
    number = np.full(len(is_open) + 1, -1)
    opened = is_open.nonzero()[0]
    number[opened] = np.arange(len(opened))
    return number


def _descend(cases, node):
    """Keep the cases whose node goes on."""
    if (on := node >= 0).all():
        return cases, node
    return cases.compress(on), node.compress(on)


def _child_ids(number, branch, width, first):
    """Ids of the children of each outcome, end to end; an empty branch stays -1."""
    if branch is not None:
        branch = branch[:, : number.shape[1]]
        number = np.where(branch < 0, -1, number[np.arange(len(number))[:, None], branch])
    ids = np.where(number < 0, -1, number + first)
    return ids[np.arange(ids.shape[1]) < width[:, None]]
