"""Growing from data too large for memory: RainForest (Gehrke, Ramakrishnan & Ganti 1998).

Of each open node only its AVC group, the class counts of every attribute's values, is in memory.
One pass over the cases fills the groups of a whole level; the rows of the table of the attribute
that a node takes are the class counts of its branches.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ranktrees.plain.criteria import information_gain
from ranktrees.plain.growing import TIE
from ranktrees.plain.tree import Node

Case = tuple[np.ndarray, int]  # codes (A,) without gaps, and class
Scan = Callable[[], Iterable[Case]]  # reads all cases once more


def rf_read(scan: Scan, sizes: Sequence, C: int, criterion: Callable = information_gain) -> Node:
    """The tree that `growing.id3` grows."""
    root = Node(np.zeros(C, int))
    for _, c in scan():
        root.counts[c] += 1
    level = [root]
    while level := [node for node in level if (node.counts > 0).sum() > 1]:
        for node, group in avc_groups(scan, root, level, sizes, C).items():
            take_best(node, group, criterion)
        level = [child for node in level for child in node.children]
    return root


def avc_groups(
    scan: Scan, root: Node, level: list[Node], sizes: Sequence, C: int
) -> dict[Node, list[np.ndarray]]:
    """The AVC group of each open node, tables (V, C) of every attribute, in one pass."""
    groups = {node: [np.zeros((V, C), int) for V in sizes] for node in level}
    for case, c in scan():
        leaf = root.leaf_of(case)
        for j, table in enumerate(groups.get(leaf, ())):
            table[case[j], c] += 1
    return groups


def take_best(node: Node, group: list[np.ndarray], criterion: Callable) -> None:
    """The node tests the first best attribute; the rows of its table are the branches' counts."""
    scores = [criterion(n) if n.any(axis=1).sum() > 1 else 0 for n in group]
    if max(scores) <= TIE:
        return
    node.attribute = next(j for j, score in enumerate(scores) if score >= max(scores) - TIE)
    table = group[node.attribute]
    node.branches = [Node(counts) if counts.any() else None for counts in table]
