"""Counts at the nodes of a tree from those at the ends of paths, where no cases are kept.

Most paths of a large tree end at a node with few others. Their counts, by value and class, take a
byte each; those of the nodes at which more cases end take as many bytes as these need.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.estimates.path_counts import ROOM, PathCounts, small_type, value_sizes
from ranktrees_engine.growing.count import as_slice
from ranktrees_engine.growing.forest import join, joined_numbers
from ranktrees_engine.growing.tree import Tree, less_children, sum_below

MOST = 255  # cases whose counts take one byte


@dataclass(frozen=True, eq=False)
class Ended:
    """Cases at the nodes where paths end, by value and class: `few` (S, M, C), `many` (S', M, C).

    The M values of all attributes lie end to end. `few` has the nodes at which at most 255 cases
    end, in order, `many` those of more; of weights that are not whole, all nodes are among these.
    """

    few: np.ndarray
    many: np.ndarray

    def parts(self, tree: Tree) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the nodes and the counts of `few`, and those of `many`."""
        return [*zip(end_nodes(tree), (self.few, self.many), strict=True)]


def end_nodes(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Return the nodes (S,) at which few paths end, and those (S',) at which many do."""
    n = less_children(tree, tree.counts).sum(axis=1)
    many = (n > MOST) if n.dtype.kind in "iu" else n > 0
    return np.flatnonzero((n > 0) & ~many), np.flatnonzero(many)


def check_ends(trees: Sequence[Tree], schemas: Sequence, budget: float) -> None:
    """Raise ValueError, naming the column, if its counts in one tree take more than the budget."""
    each = [len(few) + len(many) for few, many in map(end_nodes, trees)]
    T, C = max(each), trees[0].counts.shape[1]
    V, name = max(
        (V, s.name) for schema in schemas for V, s in zip(value_sizes(schema), schema, strict=True)
    )
    if budget < T * V * C:
        raise ValueError(
            f"budget: a path forest counts {V:,} values of column {name!r} and {C} classes at "
            f"{T:,} nodes, which takes {T * V * C:,} bytes: give as many, or leave the column out"
        )


class Counting:
    """The `Ended` of a tree while cases are counted, batch by batch; `sizes` (A,) are the values'.

    Bytes are added four at a time, as one number: NumPy has no fast way for single ones. None of
    the four overflows, since no more cases end at a node than a byte counts.
    """

    def __init__(self, tree: Tree, sizes: Sequence[int]):
        self.tree, self.M, self.C = tree, int(sum(sizes)), tree.counts.shape[1]
        self.offsets = np.cumsum([0, *sizes])
        nodes = end_nodes(tree)
        self.row = np.full((2, len(tree)), -1)
        for row, some in zip(self.row, nodes, strict=True):
            row[some] = np.arange(len(some))
        self.shapes = [(len(some), self.M, self.C) for some in nodes]
        small = small_type(less_children(tree, tree.counts))
        few, many = (int(np.prod(shape)) for shape in self.shapes)
        self.few, self.many = np.zeros(few // 4 + 1, np.uint32), np.zeros(many, small)

    def add(self, j: int, x: Array, end: Array, y: Array, weight: Array | None) -> None:
        """Count cases of values x (m,) of attribute j, -1 if missing, at the `end` (m,) of each."""
        for k, row in enumerate(self.row):
            row = row.take(end)
            known = np.flatnonzero((row >= 0) & (x >= 0))
            cell = (row[known] * self.M + self.offsets[j] + x[known]) * self.C + y[known]
            w = None if weight is None else weight[known]
            _add_bytes(self.few, cell, w) if k == 0 else _add(self.many, cell, w)

    def finished(self) -> Ended:
        """Return the counts, when all cases are counted."""
        n = int(np.prod(self.shapes[0]))
        few = self.few.view(np.uint8)[:n].reshape(self.shapes[0])
        return Ended(few, self.many.reshape(self.shapes[1]))


def _add_bytes(table, cell, weight):
    place = (cell & 3 if sys.byteorder == "little" else 3 - (cell & 3)).astype(np.uint32)
    one = np.uint32(1) if weight is None else weight.astype(np.uint32)
    np.add.at(table, cell >> 2, one << (place * np.uint32(8)))


def _add(table, cell, weight):
    if weight is None:
        np.add.at(table, cell, table.dtype.type(1))
    else:
        np.add.at(table, cell, weight.astype(table.dtype))


class EndCounts(PathCounts):
    """Counts of the training cases at the nodes of a tree, or of a forest, from those at ends.

    `sizes` (A,) are the numbers of values, `parts` the nodes of ends with their counts (S, M, C).
    """

    def __init__(self, tree: Tree, sizes: Sequence[int], parts: list[tuple[Array, Array]]):
        self._set_values(tree, sizes)
        self.X, self.parts = None, parts

    @property
    def has_paths(self) -> bool:
        """Whether the cases of single nodes can be counted: those of the ends below can."""
        return True

    @cached_property
    def table(self) -> np.ndarray | None:
        """Cases (T, M, C) of all nodes by value and class, if there is room for them."""
        cells = len(self.tree) * len(self.attribute) * self.n_classes
        if cells > ROOM:
            return None
        whole = self._from_cases(np.arange(len(self.attribute)))
        return whole.astype(small_type(self.tree.counts))

    def _from_cases(self, values):
        n = np.zeros((len(self.tree), len(values), self.n_classes), self.tree.counts.dtype)
        some = as_slice(values)
        for nodes, table in self.parts:
            n[nodes] = table[:, some]
        return sum_below(self.tree, n)


def joined_ends(
    trees: Sequence[Tree], ended: Sequence[Ended], sizes: Sequence[Sequence[int]], together: int
) -> Iterator[tuple[EndCounts, int]]:
    """Yield counts of trees that share a grid, and its number, joined up to `together` cells.

    Tree e has grid e, e + 1 ... of the G grids, whose `sizes` (G, A) are the numbers of values.
    """
    for g, widths in enumerate(sizes):
        some = [*zip(trees, ended, strict=True)][g :: len(sizes)]
        cells = np.array([tree.counts.size * sum(widths) for tree, _ in some], np.int64)
        for few in blocks(len(some), cells, together):
            own, each = zip(*some[few], strict=True)
            parts = [
                (number[nodes], table)
                for tree, number, one in zip(own, joined_numbers(own), each, strict=True)
                for nodes, table in one.parts(tree)
            ]
            yield EndCounts(join(own), widths, parts), g


def count_all_ends(
    trees: Sequence[Tree], sizes: Sequence[Sequence[int]], batches: Iterable
) -> list[Ended]:
    """Count the ends of paths in E trees, in one pass over the cases; grids as in `joined_ends`.

    A batch is `known(g, j)`, the codes (m,) of attribute j in grid g, -1 where missing; the ends
    {tree: (m,)}, the classes (m,) and weights (m,) or None.
    """
    each = [Counting(tree, sizes[e % len(sizes)]) for e, tree in enumerate(trees)]
    for known, ends, y, weight in batches:
        y = y.astype(np.intp)
        for g, j in np.ndindex(len(sizes), len(sizes[0])):
            x = known(g, j)
            for e in range(g, len(trees), len(sizes)):
                each[e].add(j, x, ends[e], y, weight)
    return [counting.finished() for counting in each]
