"""A finished tree: a frozen record of parallel arrays."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ranktrees_engine.basics.arguments import as_names, check_like, even
from ranktrees_engine.basics.elsewhere import tells_ours
from ranktrees_engine.basics.places import places
from ranktrees_engine.growing import text
from ranktrees_engine.growing.elsewhere import ELSEWHERE
from ranktrees_engine.growing.html import tree_html
from ranktrees_engine.growing.node import Node
from ranktrees_engine.reading.schema import AttributeInfo

WIDE = 256  # numbers of a node, from which to add up nodes one by one is the fastest


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """A decision tree of T nodes, breadth first: a parent's id is below its children's.

    `parent` (T,), -1 at the root; `attribute` (T,), -1 at a leaf; `counts` (T, C) training cases of
    each class. The outcome v of node t's test is its attribute's code or, where `cut` (T,) is not
    -1, whether the code lies above the cut. It leads to `child[offset[t] + v]`, -1 where no
    training case went; the children of all nodes lie end to end. `tables` (T, M, C), if a model has
    them, count each node's cases by value and class, all values end to end; from them
    `node_model(tree, t)` makes the model of node t's cases. All arrays are read-only.
    """

    parent: np.ndarray
    attribute: np.ndarray
    cut: np.ndarray
    child: np.ndarray
    offset: np.ndarray
    counts: np.ndarray
    schema: tuple[AttributeInfo, ...] = ()
    classes: tuple = ()
    tables: np.ndarray | None = None
    node_model: Callable | None = None
    of_prototypes = False  # whether tests compare distances
    __getattr__ = tells_ours(ELSEWHERE)

    def __post_init__(self):
        for name in ("parent", "attribute", "cut", "child", "offset", "counts"):
            getattr(self, name).setflags(write=False)
        if isinstance(self.tables, np.ndarray):
            self.tables.setflags(write=False)

    @cached_property
    def levels(self) -> tuple[slice, ...]:
        """Ids of each level, from the root down: breadth first, a level is one slice."""
        ends = [0, int(np.searchsorted(self.parent, 0))]  # several roots stand in the first level
        while ends[-1] < len(self.parent):
            ends.append(int(np.searchsorted(self.parent, ends[-1])))
        return tuple(slice(*pair) for pair in itertools.pairwise(ends))

    @cached_property
    def families(self) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        """Parents (P,) of each level, and where in it the children of each begin (P + 1,)."""
        first = np.concatenate([[0], np.flatnonzero(np.diff(self.parent)) + 1, [len(self)]])
        ends = np.searchsorted(first, [0, *(level.stop for level in self.levels)])
        spans = [first[i : j + 1] for i, j in itertools.pairwise(ends.tolist())]
        return tuple((self.parent[span[:-1]], span - span[0]) for span in spans)

    @cached_property
    def depths(self) -> np.ndarray:
        """Number (T,) of tests above each node."""
        sizes = [level.stop - level.start for level in self.levels]
        depths = np.repeat(np.arange(len(sizes)), sizes)
        depths.setflags(write=False)
        return depths

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def n_below(self) -> np.ndarray:
        """Number (T,) of nodes in the subtree below each node."""
        below = np.zeros(len(self), np.intp)
        for level in self.levels[:0:-1]:
            np.add.at(below, self.parent[level], below[level] + 1)
        below.setflags(write=False)
        return below

    @cached_property
    def heights(self) -> np.ndarray:
        """Number (T,) of nodes on the longest path down from each node; a leaf's is 1."""
        heights = np.ones(len(self), np.intp)
        for level in self.levels[:0:-1]:
            np.maximum.at(heights, self.parent[level], heights[level] + 1)
        heights.setflags(write=False)
        return heights

    @property
    def is_leaf(self) -> np.ndarray:
        """Mask (T,) of the leaves."""
        return self.attribute < 0

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(self.is_leaf.sum())

    @property
    def depth(self) -> int:
        """Number of tests on the longest path."""
        return len(self.levels) - 1

    def apply(
        self, codes: np.ndarray, root: np.ndarray | None = None, rows: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the node id (n,) at which each case of codes (n, A) ends; -1 is unseen.

        A case stops at an inner node if its value there is unseen or had no training case. In a
        forest it starts at its `root` (n,), and may have the codes of one of the `rows` (n,).
        """
        end = np.zeros(len(codes) if rows is None else len(rows), np.intp)
        for cases, node in descend(self, codes, root, rows):
            end[cases] = node
        return end

    @cached_property
    def settled(self) -> np.ndarray:
        """Mask (T, A) of attributes with one value left at a node, fixed by a branch above."""
        settled = np.zeros((len(self), len(self.schema)), bool)
        outcomes = np.bincount(self.child[self.child >= 0], minlength=len(self))
        for level in self.levels[1:]:
            parent = self.parent[level]
            settled[level] = settled[parent]
            alone = (self.cut[parent] < 0) & (outcomes[level] == 1)
            nodes = np.arange(level.start, level.stop)[alone]
            settled[nodes, self.attribute[parent[alone]]] = True
        settled.setflags(write=False)
        return settled

    def branches_of(self, t: int) -> np.ndarray:
        """Return the child id of each code of node t, -1 where no training case went."""
        below = self.child[self.offset[t] : self.offset[t + 1]]
        if self.attribute[t] < 0:
            return below
        size = self.schema[self.attribute[t]].size
        return below[outcome_of(np.arange(size), self.cut[t])]

    def n_outcomes(self) -> np.ndarray:
        """Count the outcomes (T,) of each node's test."""
        sizes = np.array([info.size for info in self.schema], int)
        tested = np.where(self.cut >= 0, 2, sizes[self.attribute])
        return np.where(self.attribute < 0, 0, tested)

    def paths(self) -> np.ndarray:
        """Return ids (T, depth + 1) from the root to each node, -1 beyond its end."""
        paths = np.full((len(self), self.depth + 1), -1)
        at = np.arange(len(self))
        while len(nodes := np.flatnonzero(at >= 0)):
            paths[nodes, self.depths[at[nodes]]] = at[nodes]
            at = np.where(at >= 0, self.parent[at], -1)
        return paths

    # In words: functions of the arrays.
    nodes = text.nodes
    conditions = cached_property(text.conditions)
    path_words = cached_property(text.path_words)
    rules, to_frame, to_json = text.rules, text.to_frame, text.to_json
    to_text, to_dot, to_mermaid = text.to_text, text.to_dot, text.to_mermaid
    __str__, _repr_html_ = text.to_text, tree_html

    @property
    def root(self) -> Node:
        """Node view of the root."""
        return Node(self, 0)

    def with_names(self, names: Iterable[str]) -> "Tree":
        """Return the tree with other names of its A attributes, as where it was fitted on an array.

        ValueError for more or fewer names, and for one that occurs twice.
        """
        names = as_names("names", names)
        if len(names) != len(self.schema) or len({*names}) < len(names):
            raise ValueError(f"names must be {len(self.schema)} different ones, not {names!r:.80}")
        schema = (replace(info, name=n) for info, n in zip(self.schema, names, strict=True))
        return replace(self, schema=tuple(schema))

    def complexity(self) -> dict[str, int]:
        """Count nodes, leaves, depth and attributes used: R&M's four measures (section 9.1)."""
        used = np.unique(self.attribute[~self.is_leaf])
        sizes = {"nodes": len(self), "leaves": self.n_leaves, "depth": self.depth}
        return sizes | {"attributes": len(used)}

    def class_name(self, c: int) -> str:
        """Return the name of class code c."""
        return str(self.classes[c]) if self.classes else str(c)

    def __repr__(self) -> str:
        return f"Tree({len(self)} nodes, {self.n_leaves} leaves, depth {self.depth})"


def descend(
    tree: Tree, codes: np.ndarray, root: np.ndarray | None = None, rows: np.ndarray | None = None
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield, level by level, the cases (m,) that go on and the node (m,) of each.

    The first level has all cases of codes (n, A), at their `root` (n,) or at node 0; or, with
    `rows`, a case for each of these rows of the codes. A case goes no further when its value, -1
    where unseen, has no branch with training cases. Indices are flat, since NumPy takes by one
    index much faster than by two.
    """
    codes = np.ascontiguousarray(codes)
    flat, width = codes.ravel(), codes.shape[1]
    cases = np.arange(len(codes) if rows is None else len(rows))
    node = np.zeros(len(cases), np.intp) if root is None else root
    has_cuts = (tree.cut >= 0).any()
    while len(cases):
        yield cases, node
        inner = tree.attribute.take(node) >= 0
        cases, node = cases.compress(inner), node.compress(inner)
        row = cases if rows is None else rows.take(cases)
        code = flat.take(row * width + tree.attribute.take(node))
        outcome = outcome_of(code, tree.cut.take(node)) if has_cuts else code
        # an unseen value, -1, may look anywhere: what it reads there is not taken
        child = tree.child.take(places(tree.offset.take(node) + outcome), mode="clip")
        onward = (child >= 0) & (code >= 0)
        cases, node = cases.compress(onward), child.compress(onward)


def outcome_of(code: np.ndarray, cut: np.ndarray) -> np.ndarray:
    """Return the outcome (m,) of tests on codes (m,): the code or, with a cut, code > cut."""
    return np.where(cut >= 0, code > cut, code)


def sum_above(tree: Tree, x: np.ndarray) -> np.ndarray:
    """Sum x (T, ...) over all nodes above each node."""
    total = np.zeros(x.shape, x.dtype)
    for level, (up, first) in zip(tree.levels[1:], tree.families[1:], strict=True):
        total[level] = np.repeat(total[up] + x[up], np.diff(first), axis=0)
    return total


def check_counted(tree: object) -> None:
    """Raise TypeError unless this is a tree with class counts."""
    check_like("a Tree, such as model.tree_", tree, "counts", "parent")


def sum_below(tree: Tree, x: np.ndarray) -> np.ndarray:
    """Sum x (T, ...) over each node and all nodes below it."""
    check_counted(tree)
    total = np.array(even("x", x))
    if total.shape[:1] != tree.parent.shape or total.dtype.kind not in "biuf":
        raise ValueError(f"x must be {len(tree)} rows of numbers, one per node, not {total.shape}")
    for depth in range(tree.depth, 0, -1):
        total[tree.families[depth][0]] += sum_families(tree, depth, total)
    return total


def firsts_below(tree: Tree, ended: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many cases end at or below each node (T,), and the place (T,) of the first.

    `ended` (T,) end at each node. The cases at and below a node stand together, its own first.
    """
    n, first = sum_below(tree, ended), np.zeros(len(tree), np.intp)
    roots = tree.levels[0]
    first[roots] = np.cumsum(n[roots]) - n[roots]
    for level, (up, start) in zip(tree.levels[1:], tree.families[1:], strict=True):
        before = np.cumsum(n[level]) - n[level]
        shift = first[up] + ended[up] - before[start[:-1]]
        first[level] = before + np.repeat(shift, np.diff(start))
    return n, first


def less_children(tree: Tree, x: np.ndarray) -> np.ndarray:
    """Subtract its children's x (T, ...) from each node's: of arrivals, those that end."""
    rest, first = np.array(x), tree.levels[0].stop  # behind the root, or a forest's
    np.subtract.at(rest, tree.parent[first:], x[first:])
    return rest


def sum_families(tree: Tree, depth: int, x: np.ndarray) -> np.ndarray:
    """Sum x (T, ...) over the children, at this depth, of each of P parents: (P, ...)."""
    first, x = tree.families[depth][1], x[tree.levels[depth]]
    if x[0].size < WIDE:
        return np.add.reduceat(x, first[:-1], axis=0)
    return np.stack([x[start:end].sum(axis=0) for start, end in itertools.pairwise(first)])


def single_leaf(counts: np.ndarray, classes: tuple = ()) -> Tree:
    """Make a tree that is one leaf with these class counts (C,)."""
    leaf, offset = np.array([-1]), np.zeros(2, np.intp)
    child, counts = np.zeros(0, np.intp), np.asarray(counts)[None]
    return Tree(leaf, leaf.copy(), leaf.copy(), child, offset, counts, (), classes)
