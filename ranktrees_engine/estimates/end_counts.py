"""Counts at the nodes of a tree from what ends at its nodes, where not all cases are kept.

Most paths of a large tree end at a node with few others. These cases are kept, since their codes
take less room than a table of values and classes. Where more cases end, there is such a table.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.estimates.path_counts import ROOM, PathCounts, small_type, value_sizes
from ranktrees_engine.growing.count import as_slice
from ranktrees_engine.growing.forest import join, joined_numbers
from ranktrees_engine.growing.tree import Tree, less_children


@dataclass(frozen=True, eq=False)
class Ended:
    """The cases that end at the nodes of a tree: themselves where they are few, or their counts.

    `codes` (m, A) are those of the few, -1 where missing, with classes `y` (m,); they end at `end`
    (m,), which ascends. `counts` (S, M, C) are of the others, which end at `nodes` (S,), by value
    and class, the M values of all attributes end to end. Each of the few weighs `weight` (m,), or 1
    if that is None.
    """

    codes: np.ndarray
    end: np.ndarray
    y: np.ndarray
    nodes: np.ndarray
    counts: np.ndarray
    weight: np.ndarray | None = None


def check_ends(n_ended: Sequence[Array], schemas: Sequence, C: int, budget: float) -> None:
    """Raise ValueError, naming the column, if its counts in one tree are more than the budget.

    At the nodes of each tree, `n_ended` (T,) cases end.
    """
    T = max(np.count_nonzero(n) for n in n_ended)
    V, name = max(
        (V, s.name) for schema in schemas for V, s in zip(value_sizes(schema), schema, strict=True)
    )
    if budget < T * V * C:
        raise ValueError(
            f"budget: a path forest counts {V:,} values of column {name!r} and {C} classes at "
            f"{T:,} nodes, and needs a byte for each of these {T * V * C:,} cells: give as many, "
            "or leave the column out"
        )


class Ending:
    """The `Ended` of a tree while its cases come, batch by batch, in the order in which they come.

    `n_ended` (T,) cases end at each node; `sizes` (A,) are the numbers of values, `weight` is the
    type of weights, or None.
    """

    def __init__(self, tree: Tree, n_ended: Array, sizes: Sequence[int], weight: np.dtype | None):
        A, M, C = len(sizes), int(sum(sizes)), tree.counts.shape[1]
        self.offsets = np.cumsum([0, *sizes])
        code, node = np.min_scalar_type(-max(sizes)), np.min_scalar_type(-len(tree))
        row_bytes = A * code.itemsize + node.itemsize + 1
        self.few = n_ended * row_bytes <= 2 * M * C  # as a table with two bytes a cell
        self.next = np.cumsum(n_ended * self.few) - n_ended * self.few
        m, counted = int((n_ended * self.few).sum()), np.flatnonzero(~self.few & (n_ended > 0))
        self.number = np.full(len(tree), -1)
        self.number[counted] = np.arange(len(counted))
        least = less_children(tree, tree.counts)[counted]
        self.ended = Ended(
            np.empty((m, A), code),
            np.repeat(np.arange(len(tree), dtype=node), n_ended * self.few),
            np.empty(m, np.min_scalar_type(C - 1)),
            counted,
            np.zeros((len(counted), M, C), small_type(least)),
            None if weight is None else np.empty(m, weight),
        )

    def add(self, known: Callable, end: Array, y: Array, weight: Array | None) -> None:
        """Add cases whose paths end at `end` (m,); `known(j)` are the codes of an attribute."""
        few, place = self._places(end)
        many = np.flatnonzero(~self.few[end])
        M, C = self.ended.counts.shape[1:]
        row, y_many = self.number[end[many]] * M, y[many]
        rows = np.empty((len(few), len(self.offsets) - 1), self.ended.codes.dtype)
        counts = self.ended.counts.reshape(-1)
        one = counts.dtype.type(1) if weight is None else weight[many].astype(counts.dtype)
        for j, start in enumerate(self.offsets[:-1]):
            x = known(j)
            rows[:, j], x = x[few], x[many]
            cell = ((row + start + x) * C + y_many)[x >= 0]
            np.add.at(counts, cell, one if weight is None else one[x >= 0])
        self.ended.codes[place], self.ended.y[place] = rows, y[few]
        if weight is not None:
            self.ended.weight[place] = weight[few]

    def _places(self, end):
        """Return the cases (m',) that end with few others, and the place of each among these."""
        few = np.flatnonzero(self.few[end])
        few = few[np.argsort(end[few], kind="stable")]
        nodes, first, n = np.unique(end[few], return_index=True, return_counts=True)
        place = np.repeat(self.next[nodes] - first, n) + np.arange(len(few))
        self.next[nodes] += n
        return few, place


class FewCases(PathCounts):
    """Counts of some of the training cases alone, codes `X` (m, A), which end at `end` (m,)."""

    def __init__(
        self, tree: Tree, sizes: Sequence[int], X: Array, end: Array, y: Array, weight: Array | None
    ):
        self._set_values(tree, sizes)
        self.X, self.end, self.y, self.weight = X, end, y, weight


class EndCounts(PathCounts):
    """Counts of the training cases at the nodes of a tree, or of a forest, from what ended there.

    `sizes` (A,) are the numbers of values, `few` the cases that are kept, and `tables` the nodes of
    all others with their counts (S, M, C).
    """

    def __init__(self, tree: Tree, sizes: Sequence[int], few: tuple, tables: list[tuple]):
        self._set_values(tree, sizes)
        self.X, self.tables = None, tables
        self.few = FewCases(tree, sizes, *few)

    @property
    def has_paths(self) -> bool:
        """Whether the cases of single nodes can be counted: those that end below can."""
        return True

    @cached_property
    def table(self) -> np.ndarray | None:
        """Cases (T, M, C) of all nodes by value and class, if there is room for them."""
        cells = len(self.tree) * len(self.attribute) * self.n_classes
        if cells > ROOM:
            return None
        whole = self._from_cases(np.arange(len(self.attribute)))
        return whole.astype(small_type(self.tree.counts))

    def _ended(self, values):
        n = self.few._ended(values)
        for nodes, table in self.tables:
            n[nodes] = table[:, as_slice(values)]
        return n


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
            yield EndCounts(join(own), widths, *_joined(own, each)), g


def _joined(trees, ended):
    """Lay cases of several trees end to end, and number the nodes of tables as `join` does."""
    if len(trees) == 1:  # nothing is copied
        (one,) = ended
        return (one.codes, one.end, one.y, one.weight), [(one.nodes, one.counts)]
    each = [*zip(joined_numbers(trees), ended, strict=True)]
    end = np.concatenate([number[one.end] for number, one in each])
    codes, y = (np.concatenate([getattr(one, part) for one in ended]) for part in ("codes", "y"))
    weight = None if ended[0].weight is None else np.concatenate([one.weight for one in ended])
    return (codes, end, y, weight), [(number[one.nodes], one.counts) for number, one in each]


def end_all(
    trees: Sequence[Tree],
    n_ended: Sequence[Array],
    sizes: Sequence[Sequence[int]],
    weight: np.dtype | None,
    batches: Iterable,
) -> list[Ended]:
    """Return what ends in E trees, in one pass over the cases; grids as in `joined_ends`.

    A batch is `known(g, j)`, the codes (m,) of attribute j in grid g, -1 where missing; the ends
    {tree: (m,)}, the classes (m,) and weights (m,) or None, which are of type `weight`. At the
    nodes of a tree, `n_ended` (T,) cases end.
    """
    G = len(sizes)
    each = [
        Ending(*one, sizes[e % G], weight) for e, one in enumerate(zip(trees, n_ended, strict=True))
    ]
    for known, ends, y, w in batches:
        for e, one in enumerate(each):
            one.add(partial(known, e % G), ends[e], y.astype(np.intp), w)
    return [one.ended for one in each]
