"""The tests of a scikit-learn tree, exactly: where it sends a case, our `Tree` sends it, too.

scikit-learn rounds a case to single precision: it goes left at a threshold if float32(x) <=
threshold. Of all doubles x that do, the largest one is the cut of our tree.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.growing.tree import Tree, sum_below
from ranktrees_engine.reading.schema import AttributeInfo
from ranktrees_engine.reading.weights import class_counts

BEYOND = 2.0**128  # what would follow the largest number of single precision


class Routes(NamedTuple):
    """The tests of a fitted tree of S nodes, depth first as in scikit-learn.

    `left` and `right` (S,) are children, -1 at a leaf; a case whose value of `attribute` (S,) is at
    most `cut` (S,) goes left, and one without a value does if `missing_left` (S,). A cut of
    infinity asks whether the value is known.
    """

    left: np.ndarray
    right: np.ndarray
    attribute: np.ndarray
    cut: np.ndarray
    missing_left: np.ndarray

    @classmethod
    def of(cls, fitted, columns: Array | None = None) -> "Routes":
        """Read scikit-learn's `tree_`; a tree of a bag has its own `columns` (A',) of the data."""
        left, right, leaf = fitted.children_left, fitted.children_right, fitted.children_left < 0
        tested = np.where(leaf, 0, fitted.feature)
        attribute = np.where(leaf, -1, tested if columns is None else np.asarray(columns)[tested])
        missing_left = fitted.missing_go_to_left.astype(bool) & ~leaf
        return cls(left, right, attribute, exact_cuts(fitted.threshold), missing_left)


def exact_cuts(threshold: np.ndarray) -> np.ndarray:
    """Return the largest double (K,) that is at most each threshold (K,) in single precision.

    It lies next to the middle m of two neighbours in single precision, of which the lower one is at
    most the threshold: m is rounded to the one whose last bit is 0.
    """
    with np.errstate(over="ignore", under="ignore"):
        low = threshold.astype(np.float32)
        low = np.where(low > threshold, np.nextafter(low, np.float32(-np.inf)), low)
        high = np.nextafter(low, np.float32(np.inf)).astype(float)
        high[np.isinf(high) & np.isfinite(low)] = BEYOND
        middle = (low.astype(float) + high) / 2
        return np.where(low.view(np.int32) & 1, np.nextafter(middle, -np.inf), middle)


def cuts_of(trees: list[Routes], n_attributes: int) -> list[np.ndarray]:
    """Return, per attribute, the different finite cuts of all trees, ascending."""
    attribute = np.concatenate([routes.attribute for routes in trees])
    cut = np.concatenate([routes.cut for routes in trees])
    known = np.isfinite(cut)
    return [np.unique(cut[known & (attribute == j)]) for j in range(n_attributes)]


def as_tree(
    routes: Routes, codes: Array, y: Array, weight: Array | None, schema: tuple, classes: tuple
) -> Tree:
    """Return the tree over codes (n, A) of a schema that has all cuts, with counts of the cases.

    y (n,) are class codes; each case weighs `weight` (n,), or 1 if that is None. A node that no
    case reaches is left out: a new case stops above it.
    """
    tree = _counted(routes, np.ones(len(routes.left), bool), codes, y, weight, schema, classes)
    order = _breadth_first(routes.left, routes.right)
    keep = np.zeros(len(order), bool)
    keep[order] = tree.counts.sum(axis=1) > 0
    return tree if keep.all() else _counted(routes, keep, codes, y, weight, schema, classes)


def _counted(routes, keep, codes, y, weight, schema, classes):
    """Return the tree of the nodes to `keep` (S,), which are whole subtrees from the root down."""
    left = np.where(keep[routes.left] & (routes.left >= 0), routes.left, -1)
    right = np.where(keep[routes.right] & (routes.right >= 0), routes.right, -1)
    order = _breadth_first(left, right)
    number = np.full(len(keep) + 1, -1)  # the last is for a child that there is not
    number[order] = np.arange(len(order))
    parent = np.full(len(order), -1)
    for child in (left[order], right[order]):
        parent[number[child[child >= 0]]] = np.flatnonzero(child >= 0)
    tests = _tests(routes, order, schema)
    child, offset = _branches(routes, order, tests, (number[left[order]], number[right[order]]))
    cut, counts = np.where(tests.is_cut, tests.place, -1), np.zeros((len(order), len(classes)), int)
    tree = Tree(parent, tests.attribute, cut, child, offset, counts, schema, classes)
    ended = class_counts(tree.apply(codes), y, weight, counts.shape)
    return replace(tree, counts=sum_below(tree, ended))


def _breadth_first(left, right):
    """Return the nodes in the order of our trees: level by level, left before right."""
    order, level = [], np.zeros(1, np.intp)
    while len(level):
        order.append(level)
        children = np.stack([left[level], right[level]], axis=1).ravel()
        level = children[children >= 0]
    return np.concatenate(order)


class Tests(NamedTuple):
    """The tests of N nodes on codes: `place` (N,) is the last code of a number that goes left.

    `is_cut` (N,) says whether all codes above it go right; where missing values go left, the test
    is a set of codes. `last` (N,) is the last code of the attribute, `has_gap` (N,) whether that
    stands for missing values.
    """

    attribute: np.ndarray
    place: np.ndarray
    is_cut: np.ndarray
    last: np.ndarray
    has_gap: np.ndarray


def _tests(routes, nodes, schema):
    """Return the `Tests` of nodes (N,); ValueError for a cut that the schema does not have."""
    attribute, place = routes.attribute[nodes], np.full(len(nodes), -1)
    for j in np.unique(attribute[attribute >= 0]).tolist():
        here, cuts = attribute == j, np.array(schema[j].cuts)
        cut = routes.cut[nodes][here]
        place[here] = np.searchsorted(cuts, cut)
        absent = ~np.isin(cut, np.append(cuts, np.inf))
        if absent.any():
            raise ValueError(
                f"the tree cuts {schema[j].name!r} at {cut[absent][0]:.17g}, which the model does "
                "not know: it was adopted from another tree"
            )
    last = np.array([info.size - 1 for info in schema])[attribute]
    has_gap = np.array([info.missing for info in schema])[attribute]
    is_cut = (attribute >= 0) & (place < last) & ~(routes.missing_left[nodes] & has_gap)
    return Tests(attribute, place, is_cut, last, has_gap)


def _branches(routes, nodes, tests, children):
    """Return the children of nodes (N,), end to end by outcome, and where each node's begin."""
    width = np.where(tests.attribute < 0, 0, np.where(tests.is_cut, 2, tests.last + 1))
    offset = np.concatenate([[0], np.cumsum(width)])
    node = np.repeat(np.arange(len(nodes)), width)
    outcome = np.arange(offset[-1]) - offset[node]
    is_missing = tests.has_gap[node] & (outcome == tests.last[node])
    left = np.where(is_missing, routes.missing_left[nodes][node], outcome <= tests.place[node])
    left = np.where(tests.is_cut[node], outcome == 0, left)
    return np.where(left, children[0][node], children[1][node]), offset


def same_nodes(routes: Routes, tree: Tree) -> np.ndarray:
    """Return, for each node (S,) of a fitted tree, the node of our tree where its cases stop.

    Raises ValueError unless our tree was adopted from this one.
    """
    ours, met = np.zeros(len(routes.left), np.intp), 1
    level, is_whole = np.zeros(1, np.intp), np.ones(len(routes.left), bool)
    while len(level := level[routes.left[level] >= 0]):
        node, whole = ours[level], is_whole[level]
        tests = _tests(routes, level, tree.schema)
        cut = np.where(tests.is_cut, tests.place, -1)
        if ((tree.attribute[node] != tests.attribute) | (tree.cut[node] != cut))[whole].any():
            raise ValueError("the tree's tests are not the model's: it was adopted from another")
        right = np.where(tests.is_cut, 1, tests.place + 1)
        known = tests.last - tests.has_gap
        has_right = tests.is_cut | (tests.place < known)
        for child, outcome, there in ((routes.left, 0, True), (routes.right, right, has_right)):
            found = tree.child.take(tree.offset[node] + outcome, mode="clip")
            on = is_whole[child[level]] = whole & there & (found >= 0)
            ours[child[level]] = np.where(on, found, node)
            met += np.count_nonzero(on)
        level = np.concatenate([routes.left[level], routes.right[level]])
    if met != len(tree):
        raise ValueError(f"the tree has {met} of the model's {len(tree)} nodes: it is another one")
    return ours


def schema_of(
    names: list[str], cuts: list[np.ndarray], gaps: np.ndarray
) -> tuple[AttributeInfo, ...]:
    """Return the attributes with these names, cuts and, where `gaps` (A,), a code of no value."""
    rows = zip(names, cuts, gaps.tolist(), strict=True)
    return tuple(AttributeInfo(name, "numeric", (), tuple(c.tolist()), g) for name, c, g in rows)
