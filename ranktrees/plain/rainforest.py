"""RainForest's algorithms that write: RF-Write and RF-Hybrid (Gehrke, Ramakrishnan & Ganti 1998).

Like `scale.rf_read`, they know only the class counts of values: the AVC group of a node. A
partition, the cases of one node, stands for a file.
"""

from functools import partial

import numpy as np

from ranktrees.plain.criteria import Criterion, information_gain
from ranktrees.plain.scale import Case, Scan, avc_groups, count_classes, is_open, take_best_test
from ranktrees.plain.tree import Node, Sizes

Partitions = dict[Node, list[Case]]


def rf_write(scan: Scan, sizes: Sizes, C: int, criterion: Criterion = information_gain) -> Node:
    """Grow the tree of `rf_read` by two passes over the cases of each node."""
    root = Node(count_classes(scan, C))
    write_below(root, scan, sizes, criterion)
    return root


def write_below(root: Node, scan: Scan, sizes: Sizes, criterion: Criterion) -> None:
    """Grow the tree below a node whose cases are `scan`."""
    if not is_open(root):
        return
    group = avc_groups(scan, root, [root], sizes, len(root.counts))[root]  # the first pass counts
    take_best_test(root, group, criterion)
    for child, cases in partitions(scan, root, root.children).items():  # the second pass writes
        write_below(child, partial(iter, cases), sizes, criterion)


def rf_hybrid(
    scan: Scan, sizes: Sizes, C: int, budget: int, criterion: Criterion = information_gain
) -> Node:
    """Grow the tree of `rf_read`, with at most `budget` cells of tables in memory, or a node's.

    It is RF-Read as long as the AVC groups of a level fit. When they do not, each open node gets a
    partition, with which the algorithm begins again.
    """
    root = Node(count_classes(scan, C))
    hybrid_below(root, scan, sizes, budget, criterion)
    return root


def hybrid_below(root: Node, scan: Scan, sizes: Sizes, budget: int, criterion: Criterion) -> None:
    """Grow the tree below a node whose cases are `scan`."""
    C, level = len(root.counts), [root]
    while level := [node for node in level if is_open(node)]:
        if len(level) > 1 and len(level) * sum(sizes) * C > budget:
            for node, cases in partitions(scan, root, level).items():
                hybrid_below(node, partial(iter, cases), sizes, budget, criterion)
            return
        for node, group in avc_groups(scan, root, level, sizes, C).items():
            take_best_test(node, group, criterion)
        level = [child for node in level for child in node.children]


def partitions(scan: Scan, root: Node, nodes: list[Node]) -> Partitions:
    """Write the cases of some leaves below the root in one pass; make no pass without a leaf."""
    parts: Partitions = {node: [] for node in nodes}
    for case, c in scan() if nodes else ():
        leaf = root.leaf_of(case)
        if leaf in parts:
            parts[leaf].append((case, c))
    return parts


if __name__ == "__main__":
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 2), [0, 1, 1, 1] * 2

    def scan():
        print("a pass over all cases")
        return zip(X, y, strict=True)

    print(len(rf_write(scan, [2, 2], 2).leaves()), "leaves by RF-Write")
    print(len(rf_hybrid(scan, [2, 2], 2, budget=100).leaves()), "leaves by RF-Hybrid")
    # a pass over all cases
    # a pass over all cases
    # a pass over all cases
    # 3 leaves by RF-Write
    # a pass over all cases
    # a pass over all cases
    # a pass over all cases
    # 3 leaves by RF-Hybrid
