"""Growing from data too large for memory: RainForest's passes, SPRINT's sorted lists.

RainForest (Gehrke, Ramakrishnan & Ganti 1998) keeps in memory only the AVC group of each open node:
the class counts of every attribute's values. In RF-Read one pass over the cases fills those of a
whole level. SPRINT (Shafer, Agrawal & Mehta 1996) sorts a list for each attribute once; its parts
stay sorted.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

import numpy as np

from ranktrees.plain.bins import between
from ranktrees.plain.criteria import TIE, Criterion, first_best, gini_gain, information_gain
from ranktrees.plain.tree import Array, Node, Sizes

Case = tuple[Array, int]  # codes (A,) without gaps, and class
Scan = Callable[[], Iterable[Case]]  # reads all cases once more
Groups = dict[Node, list[Array]]
Entry = tuple[float, int, int]  # value, class and case, in the list of an attribute
Cut = tuple[float, int, float, Array]  # score, attribute, threshold, class counts up to it


def rf_read(scan: Scan, sizes: Sizes, C: int, criterion: Criterion = information_gain) -> Node:
    """Grow the tree of `growing.id3` by one pass for each level."""
    root = Node(count_classes(scan, C))
    level = [root]
    while level := [node for node in level if is_open(node)]:
        for node, group in avc_groups(scan, root, level, sizes, C).items():
            take_best_test(node, group, criterion)
        level = [child for node in level for child in node.children]
    return root


def count_classes(scan: Scan, C: int) -> Array:
    """Count the cases of each class (C,)."""
    return np.bincount([c for _, c in scan()], minlength=C)


def is_open(node: Node) -> bool:
    """Return whether a node has cases of two classes."""
    return bool(np.count_nonzero(node.counts) > 1)


def take_best_test(node: Node, group: list[Array], criterion: Criterion) -> None:
    """Give a node the first best test by its AVC group, whose rows are the children's counts."""
    scores = [criterion(n) if n.any(axis=1).sum() > 1 else 0 for n in group]
    if max(scores) > TIE:
        node.attribute = first_best(scores)
        rows = group[node.attribute]
        node.branches = [Node(counts) if counts.any() else None for counts in rows]


def avc_groups(scan: Scan, root: Node, level: list[Node], sizes: Sizes, C: int) -> Groups:
    """Return the AVC group of each open node, tables (V, C) of every attribute, from one pass."""
    groups = {node: [np.zeros((V, C), int) for V in sizes] for node in level}
    for case, c in scan():
        leaf = root.leaf_of(case)
        for j, table in enumerate(groups.get(leaf, ())):
            table[case[j], c] += 1
    return groups


def sprint(X: Array, y: Array, C: int, criterion: Criterion = gini_gain) -> Node:
    """Grow a tree of cuts, `value <= threshold`, of numbers X (n, A) without gaps."""
    lists = [sorted(zip(x, y, range(len(y)), strict=True)) for x in X.T]
    return grow_from_lists(lists, np.bincount(y, minlength=C), criterion)


def grow_from_lists(lists: list[list[Entry]], counts: Array, criterion: Criterion) -> Node:
    """Grow a node of the cases in these lists, and all below it."""
    node, cuts = Node(counts), list[Cut]()
    for j, entries in enumerate(lists):
        cuts += read_list(entries, j, counts, criterion)
    scores = [score for score, *_ in cuts]
    if max(scores, default=0) <= TIE:
        return node
    _, node.attribute, node.threshold, left = cuts[first_best(scores)]
    side = {case: value > node.threshold for value, _, case in lists[node.attribute]}
    for b, below in enumerate((left, counts - left)):
        part = [[entry for entry in entries if side[entry[2]] == b] for entries in lists]
        node.branches.append(grow_from_lists(part, below, criterion))
    return node


def read_list(entries: list[Entry], j: int, counts: Array, criterion: Criterion) -> Iterator[Cut]:
    """Yield every cut of attribute j's list."""
    left = np.zeros_like(counts)
    for (value, label, _), (following, *_) in pairwise(entries):
        left[label] += 1
        if value < following:
            score = criterion(np.array([left, counts - left]))
            yield score, j, between(value, following), left.copy()


if __name__ == "__main__":
    X, y = np.array([[1.0, 5.0], [2.0, 1.0], [3.0, 4.0], [4.0, 2.0]]), np.array([0, 0, 1, 0])
    for node in sprint(X, y, 2).nodes():
        print(node.counts, "attribute", node.attribute, "<=", node.threshold)
    codes = (X > 2).astype(int)
    print(len(rf_read(lambda: zip(codes, y, strict=True), [2, 2], 2).leaves()), "leaves by RF-Read")
    # [3 1] attribute 0 <= 2.5
    # [2 0] attribute -1 <= None
    # [1 1] attribute 0 <= 3.5
    # [0 1] attribute -1 <= None
    # [1 0] attribute -1 <= None
    # 3 leaves by RF-Read
