"""Trees that grow together: their training sets end to end, and afterwards each on its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ranktrees.encode import Codes
from ranktrees.tree import Tree

MOST_CELLS = 1 << 24  # trees grow together as long as their cases have no more codes than this


@dataclass(frozen=True)
class TrainingSets:
    """The training sets of R trees, `each` of them coded, their m cases end to end.

    Case i has the codes values[rows[i]] and the class y[i], and belongs to tree root[i], which
    ascends. `rows` is None where case i has values[i].
    """

    each: list[Codes]
    values: np.ndarray
    rows: np.ndarray | None
    y: np.ndarray
    root: np.ndarray

    @classmethod
    def single(cls, codes: Codes, y: np.ndarray) -> "TrainingSets":
        """The training set of one tree."""
        return cls([codes], codes.values, None, y, np.zeros(len(y), np.intp))

    @classmethod
    def of(cls, parts: Sequence[tuple[Codes, np.ndarray]], y: Sequence) -> "TrainingSets":
        """Training sets given as (codes, rows of them), with their classes."""
        each, taken = [codes for codes, _ in parts], [rows for _, rows in parts]
        root = np.repeat(np.arange(len(each)), [len(rows) for rows in taken])
        rows, values = np.concatenate(taken), each[0].values
        if any(codes is not each[0] for codes in each):
            rows = None
            values = np.concatenate([c.values[r] for c, r in parts])
        return cls(each, values, rows, np.concatenate(y), root)

    @cached_property
    def sizes(self) -> np.ndarray:
        """(R, A) number of codes of each attribute in each set."""
        return np.stack([codes.sizes for codes in self.each])

    def take(self, cases) -> np.ndarray:
        """Codes (m', A) of these cases."""
        return self.values[cases if self.rows is None else self.rows[cases]]

    def numbers(self, attributes: np.ndarray) -> np.ndarray:
        """What the codes of these attributes stand for (m, A'): numbers, or the codes themselves.

        A numeric attribute's code v stands for its cut v, as `discretize.every_value` has them.
        """
        codes = np.asfortranarray(self.take(slice(None))[:, attributes])
        numbers = codes.astype(float)
        ends = np.searchsorted(self.root, np.arange(len(self.each) + 1))
        for r, coded in enumerate(self.each):
            mine = slice(ends[r], ends[r + 1])  # the cases of a tree lie together
            for j, a in enumerate(attributes):
                if (info := coded.schema[a]).kind == "numeric":
                    beyond = np.full(info.size - len(info.cuts), np.inf)
                    numbers[mine, j] = np.append(info.cuts, beyond).take(codes[mine, j])
        return numbers


def check_training(training: Sequence, y: np.ndarray) -> list[np.ndarray]:
    """Row arrays into the cases y (n,), each with two classes; ValueError names a bad set."""
    training = [
        np.array(rows, object) if isinstance(rows, tuple) else np.asarray(rows) for rows in training
    ]
    for number, rows in enumerate(training):
        if rows.ndim != 1 or rows.dtype.kind not in "iu":
            raise ValueError(
                f"training set {number} must be one array of row numbers, not {rows!r}"
            )
        if len(rows) and (rows.min() < 0 or rows.max() >= len(y)):
            raise ValueError(f"training set {number} names rows outside 0 to {len(y) - 1}")
        if not (y[rows] != y[rows[:1]]).any():
            raise ValueError(f"training set {number} needs cases of at least two classes")
    return training


def in_batches(parts: Sequence[tuple[Codes, np.ndarray]]) -> Iterator[slice]:
    """As many training sets at a time as have `MOST_CELLS` codes together, one at least."""
    most = max((len(rows) * len(codes.schema) for codes, rows in parts), default=1)
    step = max(1, MOST_CELLS // max(most, 1))
    return (slice(start, start + step) for start in range(0, len(parts), step))


def plant(forest: Tree, schemas) -> list[Tree]:
    """One `Tree` for each of the R roots of a forest, with the schema of each.

    A forest is a Tree whose first R nodes are roots. The children of a test lie end to end, as many
    as the attribute has codes in the tree where it has most; each tree keeps its own number.
    """
    sizes = np.array([[info.size for info in schema] for schema in schemas])
    if len(sizes) == 1:
        return [forest]
    tree, width = tree_of(forest), np.diff(forest.offset)
    size = sizes[tree, forest.attribute]
    own = np.where(forest.attribute < 0, 0, np.where(forest.cut >= 0, 2, size))
    outcome = np.arange(len(forest.child)) - np.repeat(forest.offset[:-1], width)
    kept = outcome < np.repeat(own, width)
    nodes = _by_tree(tree, len(sizes))
    slots = _by_tree(np.repeat(tree, width)[kept], len(sizes))
    number = np.empty(len(tree) + 1, np.intp)
    number[-1] = -1  # so that -1, an empty branch or a root's parent, stays as it is
    for mine in nodes:
        number[mine] = np.arange(len(mine))
    parent, child = number[forest.parent], number[forest.child[kept]]
    return [
        Tree(
            *(part[mine] for part in (parent, forest.attribute, forest.cut)),
            child[slot],
            np.concatenate([[0], np.cumsum(own[mine])]),
            forest.counts[mine],
            tuple(schema),
            forest.classes,
        )
        for mine, slot, schema in zip(nodes, slots, schemas, strict=True)
    ]


def tree_of(forest: Tree) -> np.ndarray:
    """The number (T,) of the tree, counted by its root, to which each node of a forest belongs."""
    tree = np.arange(len(forest))
    for level in forest.levels[1:]:
        tree[level] = tree[forest.parent[level]]
    return tree


def _by_tree(tree, n_trees):
    """The places of each tree, in their order."""
    small = tree.astype(np.min_scalar_type(n_trees))  # 16 bits and fewer are sorted by radix
    order = np.argsort(small, kind="stable")
    return np.split(order, np.searchsorted(tree[order], np.arange(1, n_trees)))
