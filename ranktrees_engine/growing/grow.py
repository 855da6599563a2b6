"""The tree half of growing: the open nodes, their tests, children, counts and ids.

Growing goes level by level. `Rows` know where the cases are: in memory (`growing.rows.Cases`), in
files, on a cluster. A proposer, `propose(rows, level) -> Proposal`, decides for each open node of a
level which attribute to test and where the values go. The rest is the same for every method and is
here.

For example, ID3 splits the 14 golf days by outlook (attribute 0). Of its branches, sunny and rainy
are the S = 2 open nodes of the next level; all overcast days are "yes", so that node is a leaf. The
two nodes test humidity (2) and windy (3); their Q = 4 branches are numbered from node to node:

    open node   id   no yes   attribute    width   start     branch       no yes   child
    0 sunny      1    3   2   2 humidity       2       0     0 high        3   0       4
                                                             1 normal      0   2       5
    1 rainy      3    2   3   3 windy          2       2     2 TRUE        2   0       6
                                                             3 FALSE       0   3       7

The columns are arrays. Below, each level prints `counts` (S, C) of its nodes; of its tests
`attribute`, `width` and `start` (S,); and `counts` (Q, C). `ranktrees.plain.growing.id3` grows the
same tree, one node after the other.

>>> import ranktrees as rt
>>> from ranktrees_engine.growing.best import BestAttribute, multiway
>>> from ranktrees_engine.growing.forest import TrainingSets
>>> from ranktrees_engine.growing.rows import Cases
>>> data = rt.load("weather.nominal")
>>> codes = rt.Encoder().fit_transform(data.X)
>>> sets = TrainingSets.single(codes, (data.y == "yes").astype(int))
>>> best = BestAttribute(sets.sizes, sets.n_cases, [multiway] * 4, "information_gain")
>>> def propose(rows, level):
...     tests = best(rows, level)
...     print(level.counts.tolist(), tests.attribute, tests.width, tests.start)
...     print("   ", tests.counts.tolist())
...     return tests
>>> tree = grow(Cases(sets, 2), propose, ["no", "yes"])
[[5, 9]] [0] [3] [0]
    [[3, 2], [0, 4], [2, 3]]
[[3, 2], [2, 3]] [2 3] [2 2] [0 2]
    [[3, 0], [0, 2], [2, 0], [0, 3]]
>>> tree.attribute.tolist(), tree.child.tolist()
([0, 2, -1, 3, -1, -1, -1, -1], [1, 2, 3, 4, 5, 6, 7])
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.criteria.criteria import p_value
from ranktrees_engine.growing.tree import Tree


class Level(NamedTuple):
    """The open nodes of a level: the `root` (S,) of each one's tree, and class `counts` (S, C).

    `branch` (S,) says which of the roots, or of all branches of the level above, each node is.
    """

    root: np.ndarray
    counts: np.ndarray
    branch: np.ndarray | None = None


class Proposal(NamedTuple):
    """Tests of S open nodes, and where their outcomes lead.

    `attribute` (S,), -1 for a leaf. The outcome of a test is the attribute's code or, where `cut`
    (S,) is not -1, 0 for codes up to the cut and 1 above; if None, there are no cuts. Each outcome
    has its own branch, except at nodes that test subsets: there `branch` (S, V) gives the branch of
    each code, -1 for none, -2 for no such code; if None, there are no subsets. `width` (S,) is the
    number of branches, 0 for a leaf, and `counts` (Q, C) the cases of all of them, node by node; if
    None, the rows count them. If a test does not look at codes, `outcome` (m,) has the outcome of
    each case in memory. -1 is a missing value, for cases that have a weight: the case goes down
    every branch, with as much of its weight as the branch has of that of all others.
    """

    attribute: np.ndarray
    width: np.ndarray
    cut: np.ndarray | None = None
    branch: np.ndarray | None = None
    counts: np.ndarray | None = None
    outcome: np.ndarray | None = None

    @property
    def start(self) -> np.ndarray:
        """Index (S,) of each node's first branch among all of them."""
        return self.width.cumsum() - self.width


class Rows(Protocol):
    """The row half of growing: where the cases are, and their counts."""

    def counts(self) -> np.ndarray:
        """Count the classes (R, C) of the roots' cases."""

    def tables(
        self, level: Level, groups: Sequence[np.ndarray]
    ) -> Iterator[tuple[np.ndarray, list[np.ndarray]]]:
        """Yield (nodes (S',), count tables (S', A', V, C') of each group of attributes).

        All open nodes come once, in blocks of bounded memory. V is the size of the group's widest
        attribute. C' is C, or the largest number of classes that occur in one of these nodes,
        renumbered.
        """

    def send(self, tests: Proposal | None, number: np.ndarray) -> None:
        """Send every case down its branch q of (Q,), to the open node number[q]; -1: no further.

        Without tests (None) the cases of each root stay together.
        """


class Stop(NamedTuple):
    """Stopping rules: a node becomes a leaf if it is pure, at `max_depth`, or too small.

    It is too small with fewer than `min_parent` cases, a limit that the parameter `set_by` sets. A
    split falls if chi-squared does not find it significant at the level `significance` (R&M 9.5;
    Yang).
    """

    max_depth: int | None = None
    min_parent: int = 2
    significance: float | None = None
    set_by: str = "min_parent"

    def may_split(self, counts: np.ndarray, depth: int) -> np.ndarray:
        """Return which nodes (S,) of a level, with class counts (S, C), may be tested."""
        if self.max_depth is not None and depth >= self.max_depth:
            return np.zeros(len(counts), bool)
        total = counts.sum(axis=1)
        return (total >= self.min_parent) & (counts.max(axis=1) < total)

    def accept(self, tests: Proposal, counts: np.ndarray) -> np.ndarray:
        """Return which tests (S,), with the class counts (Q, C) of their branches, stand."""
        stands = tests.attribute >= 0
        if self.significance is None:
            return stands
        width, start = tests.width, tests.start
        for part in blocks(len(width), width.max(initial=0) * counts.shape[1]):
            there = np.arange(width[part].max()) < width[part, None]
            tables = np.zeros((*there.shape, counts.shape[1]))
            tables[there] = counts[start[part][0] : start[part][-1] + width[part][-1]]
            stands[part] &= p_value(tables) <= self.significance
        return stands


ONLY_PURE = Stop()  # nodes of one class, or of one case, and no others
NO_TESTS = (np.zeros(0, np.intp),) * 5  # of a level of leaves, see `_tests`


def grow(rows: Rows, propose, classes: Sequence, stop=ONLY_PURE, advance: Callable = int) -> Tree:
    """Grow a tree from each root of the rows, in the same passes: one Tree with all the roots.

    Its first nodes are the roots. The schema is set later. `advance()` is called after each level.
    As plain/growing.py `grow`, all open nodes of a level at once.
    """
    counts, levels, first = rows.counts(), [], 0
    root, parent = np.arange(len(counts)), np.full(len(counts), -1)
    is_open = stop.may_split(counts, 0)
    tests, number = None, np.where(is_open, is_open.cumsum() - 1, -1)
    branch = np.flatnonzero(is_open)
    while is_open.any():
        rows.send(tests, number)
        opened = is_open.nonzero()[0]
        tests = propose(rows, Level(root[opened], counts[opened], branch))
        below = rows.count(tests) if tests.counts is None else tests.counts
        stands = stop.accept(tests, below)
        occupied = stands.repeat(tests.width) & below.any(axis=1)
        taken = occupied.nonzero()[0]  # the branches that become nodes
        child, number = np.full((2, len(below)), -1)
        child[taken] = np.arange(len(taken)) + (first + len(counts))
        levels.append((parent, counts, *_tests(first + opened, tests, stands, child)))
        above = opened.repeat(tests.width)[taken]
        parent, root = first + above, root[above]
        first, counts = first + len(counts), below[taken]
        is_open = stop.may_split(counts, len(levels))
        branch = taken[is_open]
        number[branch] = np.arange(len(branch))
        advance()
    rows.send(tests, number)  # all are in leaves: what files keep of them is done with
    levels.append((parent, counts, *NO_TESTS))
    return _tree(levels, classes)


def _tests(nodes, tests, stands, child):
    """Return the nodes whose tests stand, their attributes, cuts, outcomes; and all children."""
    cut = np.full(len(stands), -1) if tests.cut is None else tests.cut
    outcomes, child = _outcomes(tests, child)
    each = (part[stands] for part in (nodes, tests.attribute, cut, outcomes))
    return *each, child[stands.repeat(outcomes)]


def _outcomes(tests, child):
    """Return the number of outcomes (S,) of each test, and the child of each, end to end."""
    if tests.branch is None:
        return tests.width, child
    is_subset = (tests.attribute >= 0) & (tests.branch[:, 0] > -2)
    outcomes = np.where(is_subset, (tests.branch > -2).sum(axis=1), tests.width)
    codes = np.arange(outcomes.max(initial=0))
    branch = np.where(is_subset[:, None], tests.branch[:, : len(codes)], codes)
    place = tests.start[:, None] + np.maximum(branch, 0)
    child = np.where(branch < 0, -1, child.take(place, mode="clip"))
    return outcomes, child[codes < outcomes[:, None]]


def _tree(levels, classes):
    parent, counts, nodes, *each, child = map(np.concatenate, zip(*levels, strict=True))
    attribute, cut, outcomes = np.full((3, len(parent)), -1)
    outcomes[:] = 0
    attribute[nodes], cut[nodes], outcomes[nodes] = each
    offset = np.concatenate([[0], np.cumsum(outcomes)])
    return Tree(parent, attribute, cut, child, offset, counts, (), tuple(classes))
