"""Counts of the values of attributes at the nodes of a tree, some of them at a time.

Where the tables of one attribute are large, some of its values are counted at a time: all of them
once for the stops of its prunings, which need all, and then again.
"""

from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.blocks import LIMIT, blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.estimates.mixing import log_evidence, log_numerators, stops
from ranktrees_engine.estimates.path_counts import PathCounts, small_type
from ranktrees_engine.growing.tree import Tree


class Part(NamedTuple):
    """Counts n (T, M', C) of `values` (M',), `known` (T, A', C) and `stop` (T, A') of attributes.

    These are the attributes from that of the first value to that of the last.
    """

    values: Array
    n: Array
    known: Array
    stop: Array


class Known:
    """The cases at each node whose value of an attribute is known: all, unless values are missing.

    `counts` (T, C) are all cases; other counts are kept for attributes with missing values alone.
    """

    def __init__(self, counts: Array):
        self.counts, self.less = counts, {}

    def add(self, j: int, known: Array) -> None:
        """Set the counts (T, C) of attribute j."""
        if not np.array_equal(known, self.counts):
            self.less[j] = known.astype(small_type(self.counts))

    def of(self, nodes: Array | slice, attributes: range) -> np.ndarray:
        """Return the counts (S, A', C) of some nodes and attributes, which is not to be changed."""
        n = self.counts[nodes][:, None]
        n = np.broadcast_to(n, (len(n), len(attributes), n.shape[2]))
        if less := self.less.keys() & attributes:
            n = n.copy()
            for j in less:
                n[:, j - attributes.start] = self.less[j][nodes]
        return n


def attribute_stops(tree: Tree, settled: Array, log_e: Array, attributes: Array) -> np.ndarray:
    """Return `stops` (T, A') of some attributes, from ln of their evidence (T, A').

    A pruning also ends at a test of one of the `settled` (A,), since that settles its value.
    """
    is_end = (tree.attribute[:, None] == attributes) & settled[attributes]
    return stops(tree, log_e, is_end)


def whole_part(counts: PathCounts, settled: Array, some: Array, values: Array) -> tuple:
    """Count all `values` (M',) of `some` attributes (A',): n (T, M', C), known, stop (T, A')."""
    n, sizes = counts.count(values), counts.sizes[some]
    first = np.cumsum(sizes) - sizes
    known = np.add.reduceat(n, first, axis=1)
    log_e = log_evidence(0, known, sizes[:, None]).sum(axis=2)
    occurring, log_n = _log_occurring(n)
    log_n = np.bincount(occurring // n.shape[2], log_n, n[..., 0].size)
    log_e += np.add.reduceat(log_n.reshape(n.shape[:2]), first, axis=1)
    return n, known, attribute_stops(counts.tree, settled, log_e, some)


def _log_occurring(n):
    """Return which counts are not 0, and their `log_numerators`: what no case has adds 0."""
    occurring = np.flatnonzero(n)
    return occurring, log_numerators(n.ravel()[occurring])


def stops_in_blocks(
    counts: PathCounts, settled: Array, j: int, values: list[Array]
) -> tuple[Array, Array, Array]:
    """Count attribute j, some values at a time: the last n, known (T, C), stop (T, 1).

    The stops need the counts of all values, which are not kept.
    """
    (T, C), log_e, known = counts.tree.counts.shape, 0, 0
    for some in values:
        n = counts.count(some)
        occurring, log_n = _log_occurring(n)
        cell = occurring // (len(some) * C) * C + occurring % C
        log_e = log_e + np.bincount(cell, log_n, T * C).reshape(T, C)
        known = known + n.sum(axis=1)
    log_e = log_evidence(log_e, known, counts.sizes[j]).sum(axis=1, keepdims=True)
    return n, known, attribute_stops(counts.tree, settled, log_e, np.array([j]))


def is_rare(counts: PathCounts) -> np.ndarray:
    """Return which attributes (A,) have far more cells in a table of all nodes than cases."""
    (T, C), D = counts.tree.counts.shape, counts.tree.depth + 1
    if counts.X is None:
        return np.zeros(len(counts.sizes), bool)
    return (counts.sizes * (T * C) > LIMIT) & (counts.sizes * T > 2 * D * counts.end.size)


def values_in_blocks(counts: PathCounts, j: int, room: float) -> list[np.ndarray]:
    """Return the values of attribute j, as many together as have `room` cells at all nodes."""
    values = np.arange(counts.offsets[j], counts.offsets[j + 1])
    return [values[few] for few in blocks(len(values), counts.tree.counts.size, room)]
