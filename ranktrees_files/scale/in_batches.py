"""C4.5's subtree raising for training cases that are not in memory, but come in batches."""

from collections.abc import Callable

import numpy as np

from ranktrees_engine.growing.tree import Tree, descend
from ranktrees_engine.prune.surgery import branches
from ranktrees_engine.prune.upper_limit import TOLERANCE, Raising, estimated_errors


def c45_in_batches(tree: Tree, batches: Callable, confidence: float, slack: float = 0.1) -> Tree:
    """Prune as `rt.prune.c45` does, by the cases that `batches()` yields.

    A batch is codes (m, A), class codes (m,) and weights (m,) or None. All batches are read once
    for each level of the tree, and again for raised branches.
    """
    raising = RaisingInBatches(tree, batches, confidence, slack + TOLERANCE)
    raising.prune(np.zeros(1, np.intp))
    return raising.finished(tree)


class RaisingInBatches(Raising):
    """A tree while it changes, whose cases start again from the root: see `Raising`.

    They can, since nothing above a node changes before the node is done.
    """

    def __init__(self, tree: Tree, batches: Callable, confidence: float, worse: float):
        super().__init__(tree, confidence, worse)
        self.batches, self.errors = batches, estimated_errors(self.counts, confidence)

    def prune(self, tops: np.ndarray, done: np.ndarray | None = None) -> None:
        """Prune the subtrees of nodes (S,) of one level, all of whose cases are counted.

        Those of the nodes that are `done` (T,) have been pruned.
        """
        levels = [tops if done is None else tops[~done[tops]]]
        while len(levels[-1]):
            below = np.unique(branches(self, levels[-1][self.attribute[levels[-1]] >= 0])[1])
            below = below[self.counts[below].any(axis=1)]
            levels.append(below if done is None else below[~done[below]])
        for level in reversed(levels):
            ids = level[self.attribute[level] >= 0]
            if len(ids):
                raised = self.change(ids, lambda some, top, ids=ids: self._errors(ids[some], top))
                if raised.any():
                    self._count(ids[raised])
                    self.prune(ids[raised])

    def _count(self, tops):
        """Count the cases that come to nodes (S,), and to all below them, and their errors."""
        counts, is_top = np.zeros_like(self.counts), np.zeros(len(self.counts), bool)
        is_top[tops] = True
        for codes, y, weight in self.batches():
            is_below = np.zeros(len(y), bool)
            for cases, node in descend(self, codes):
                is_below[cases] |= is_top[node]
                here = is_below[cases]
                add(counts, node[here], cases[here], y, weight)
        come = counts.any(axis=1)
        self.counts[come] = counts[come]
        self.errors[come] = estimated_errors(counts[come], self.confidence)

    def _errors(self, ids, largest):
        """Return the errors (S,) of subtrees `largest` (S,) with all cases of nodes `ids` (S,)."""
        row, row_of = np.full((2, len(self.counts)), -1)
        row[ids] = np.arange(len(ids))
        ended = np.zeros_like(self.counts)
        for codes, y, weight in self.batches():
            for cases, node in descend(self, codes):
                here = row[node] >= 0
                cases, place = cases[here], row[node[here]]
                end = largest[place]
                for some, node_below in descend(self, codes[cases], end.copy()):
                    end[some] = node_below
                add(ended, end, cases, y, weight)
                row_of[end] = place
        ends = np.flatnonzero(ended.any(axis=1))
        errors = estimated_errors(ended[ends], self.confidence)
        return np.bincount(row_of[ends], errors, minlength=len(ids))


def add(counts: np.ndarray, node, cases, y, weight) -> None:
    """Count these cases, of classes y (m,), at a node each, in counts (T, C)."""
    np.add.at(counts, (node, y[cases]), 1 if weight is None else weight[cases])
