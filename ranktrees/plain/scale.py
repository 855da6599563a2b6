"""Growing from data too large for memory: RainForest's passes, SPRINT's sorted lists.

RainForest (Gehrke, Ramakrishnan & Ganti 1998) has in memory, of each open node, only its AVC group:
the class counts of every attribute's values. One pass over the cases fills those of a whole level.
SPRINT (Shafer, Agrawal & Mehta 1996) sorts a list of each attribute once; split it stays sorted.
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
    """The tree that `growing.id3` grows."""
    root = Node(np.zeros(C, int))
    for _, c in scan():
        root.counts[c] += 1
    level = [root]
    while level := [node for node in level if (node.counts > 0).sum() > 1]:
        for node, group in avc_groups(scan, root, level, sizes, C).items():
            scores = [criterion(n) if n.any(axis=1).sum() > 1 else 0 for n in group]
            if max(scores) > TIE:
                node.attribute = first_best(scores)
                rows = group[node.attribute]  # of the table: the class counts of the branches
                node.branches = [Node(counts) if counts.any() else None for counts in rows]
        level = [child for node in level for child in node.children]
    return root


def avc_groups(scan: Scan, root: Node, level: list[Node], sizes: Sizes, C: int) -> Groups:
    """The AVC group of each open node, tables (V, C) of every attribute, in one pass."""
    groups = {node: [np.zeros((V, C), int) for V in sizes] for node in level}
    for case, c in scan():
        leaf = root.leaf_of(case)
        for j, table in enumerate(groups.get(leaf, ())):
            table[case[j], c] += 1
    return groups


def sprint(X: Array, y: Array, C: int, criterion: Criterion = gini_gain) -> Node:
    """A tree of cuts, `value <= threshold`, of numbers X (n, A) without gaps."""
    lists = [sorted(zip(x, y, range(len(y)), strict=True)) for x in X.T]
    return grow_from_lists(lists, np.bincount(y, minlength=C), criterion)


def grow_from_lists(lists: list[list[Entry]], counts: Array, criterion: Criterion) -> Node:
    """A node of the cases in these lists, and all below it."""
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
    """Every cut of attribute j's list."""
    left = np.zeros_like(counts)
    for (value, label, _), (following, *_) in pairwise(entries):
        left[label] += 1
        if value < following:
            score = criterion(np.array([left, counts - left]))
            yield score, j, between(value, following), left.copy()
