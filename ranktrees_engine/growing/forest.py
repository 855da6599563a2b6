"""Trees that grow together from training sets laid end to end, and are then separated."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.places import places
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.reading.encoder import Codes

TOGETHER = 1 << 24  # trees grow together as long as their cases have no more codes than this


@dataclass(frozen=True)
class TrainingSets:
    """The training sets of R trees, `each` of them coded, their m cases end to end.

    Case i has the codes values[rows[i]] and the class y[i], and belongs to tree root[i], which
    ascends. If `rows` is None, case i has values[i]; if `weight` is None, each case counts 1.
    """

    each: list[Codes]
    values: np.ndarray
    rows: np.ndarray | None
    y: np.ndarray
    root: np.ndarray
    weight: np.ndarray | None = None

    @classmethod
    def single(
        cls, codes: Codes, y: np.ndarray, weight: np.ndarray | None = None
    ) -> "TrainingSets":
        """Make the training set of one tree."""
        return cls([codes], codes.values, None, y, np.zeros(len(y), np.intp), weight)

    @classmethod
    def of(cls, parts: Sequence[tuple], y: Sequence, weights: Sequence = ()) -> "TrainingSets":
        """Make training sets of (codes, rows of them), with their classes, and weights or None."""
        each, taken = [codes for codes, _ in parts], [rows for _, rows in parts]
        root = np.repeat(np.arange(len(each)), [len(rows) for rows in taken])
        distinct = list({id(codes): codes for codes in each}.values())
        if len(distinct) == len(each) > 1:
            rows, values = None, np.concatenate([c.values[r] for c, r in parts])
        else:  # some trees share codes
            ends = np.cumsum([0, *map(len, distinct)]).tolist()
            first = {id(codes): start for codes, start in zip(distinct, ends, strict=False)}
            rows = np.concatenate([first[id(codes)] + rows for codes, rows in parts])
            values = distinct[0].values
            if len(distinct) > 1:
                values = np.concatenate([codes.values for codes in distinct])
        weight = None
        if any(w is not None for w in weights):
            pairs = zip(taken, weights, strict=True)
            weight = np.concatenate([np.ones(len(r), int) if w is None else w for r, w in pairs])
        return cls(each, values, rows, np.concatenate(y), root, weight)

    @cached_property
    def sizes(self) -> np.ndarray:
        """Numbers (R, A) of codes of each attribute in each set."""
        return np.stack([codes.sizes for codes in self.each])

    @cached_property
    def numbers(self) -> np.ndarray:
        """Meanings (A, R, V) of codes in each set: numbers, or the codes themselves.

        A numeric attribute's code v stands for its cut v (see `bins.every_value`), and the last
        code for infinity. The code of missing values stands for NaN.
        """
        return code_numbers([codes.schema for codes in self.each], int(self.sizes.max()))

    @property
    def n_cases(self) -> np.ndarray:
        """Number (R,) of cases of each set, or their total weight."""
        return np.bincount(self.root, self.weight)

    def take(self, cases: np.ndarray) -> np.ndarray:
        """Return the codes (m', A) of these cases."""
        return self.values[cases if self.rows is None else self.rows[cases]]


def code_numbers(schemas: Sequence, V: int) -> np.ndarray:
    """Return what the codes 0 ... V - 1 stand for, (A, R, V), by schema: see `TrainingSets`."""
    numbers = np.tile(np.arange(V, dtype=float), (len(schemas[0]), len(schemas), 1))
    for r, schema in enumerate(schemas):
        for a, info in enumerate(schema):
            if info.kind == "numeric":
                numbers[a, r] = np.inf
                numbers[a, r, : len(info.cuts)] = info.cuts
            if info.missing:
                numbers[a, r, info.size - 1 :] = np.nan
    return numbers


def check_training(training: Sequence, y: np.ndarray) -> list[np.ndarray]:
    """Return the training sets, rows of the cases y (n,), as arrays; check each of them.

    Each needs two classes; ValueError names a bad set.
    """
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
    return [places(rows) for rows in training]


def in_batches(parts: Sequence[tuple[Codes, np.ndarray]]) -> Iterator[slice]:
    """Yield slices of training sets with `TOGETHER` codes in total at most, or of one set."""
    cells = np.array([len(rows) * len(codes.schema) for codes, rows in parts])
    return blocks(len(parts), cells, limit=TOGETHER)


def plant(forest: Tree, schemas: Sequence) -> list[Tree]:
    """Make one `Tree` for each of the R roots of a forest, with the schema of each.

    A forest is a Tree whose first R nodes are roots.
    """
    if len(schemas) == 1:
        return [forest]
    tree, width = np.arange(len(forest)), np.diff(forest.offset)
    for level in forest.levels[1:]:
        tree[level] = tree[forest.parent[level]]
    nodes = _by_tree(tree, len(schemas))
    outcomes = _by_tree(np.repeat(tree, width), len(schemas))
    number = np.empty(len(tree) + 1, np.intp)
    number[-1] = -1  # so that -1, an empty branch or a root's parent, stays as it is
    for part in nodes:
        number[part] = np.arange(len(part))
    parent, child = number[forest.parent], number[forest.child]
    return [
        Tree(
            *(array[part] for array in (parent, forest.attribute, forest.cut)),
            child[places],
            np.concatenate([[0], np.cumsum(width[part])]),
            forest.counts[part],
            tuple(schema),
            forest.classes,
        )
        for part, places, schema in zip(nodes, outcomes, schemas, strict=True)
    ]


def join(trees: Sequence[Tree]) -> Tree:
    """Make one forest of R trees, the inverse of `plant`, with the schema of the first."""
    if len(trees) == 1:
        return trees[0]
    first = np.cumsum([0, *map(len, trees)])[:-1].tolist()
    number = np.append(np.concatenate(joined_numbers(trees)), -1)  # -1 stays as it is
    order = np.argsort(number[:-1])
    parent, child = (
        np.concatenate(
            [
                number[np.where(ids < 0, -1, ids + start)]
                for ids, start in zip(parts, first, strict=True)
            ]
        )
        for parts in ([tree.parent for tree in trees], [tree.child for tree in trees])
    )
    width = np.concatenate([np.diff(tree.offset) for tree in trees])
    before, width = (np.cumsum(width) - width)[order], width[order]
    offset = np.concatenate([[0], np.cumsum(width)])
    outcomes = np.repeat(before - offset[:-1], width) + np.arange(offset[-1])
    each = (
        np.concatenate([getattr(tree, name) for tree in trees])[order]
        for name in ("attribute", "cut", "counts")
    )
    attribute, cut, counts = each
    rest = counts, trees[0].schema, trees[0].classes
    return Tree(parent[order], attribute, cut, child[outcomes], offset, *rest)


def joined_numbers(trees: Sequence[Tree]) -> list[np.ndarray]:
    """Return the number (T,) that each node of each tree has in the forest that `join` makes."""
    order = np.argsort(np.concatenate([tree.depths for tree in trees]), kind="stable")
    number = np.empty(len(order), np.intp)
    number[order] = np.arange(len(order))
    return np.split(number, np.cumsum([len(tree) for tree in trees])[:-1])


def _by_tree(tree, n_trees):
    """Return the positions of each tree's nodes, in their order."""
    small = tree.astype(np.min_scalar_type(n_trees))  # 16 bits and fewer are sorted by radix
    order = np.argsort(small, kind="stable")
    return np.split(order, np.searchsorted(tree[order], np.arange(1, n_trees)))
