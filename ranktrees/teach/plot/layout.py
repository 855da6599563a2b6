"""Where the nodes of a drawn tree go: what is shown, how large it is, and a tidy placement.

All lengths are in inches. `at` is a node's place across the levels (downwards when the root is at
the left, rightwards when it is at the top).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ranktrees.node import Node
from ranktrees.teach.plot.style import SMALL, shorten, text_width
from ranktrees.tree import Tree

LEAVES = 30  # more are readable only in part
MOST = 60  # drawn at all, even where a depth is asked for
WIDEST = 11.5  # inches, beyond which a notebook shrinks the text
GAP = 0.09  # between neighbours of a level
ROOMS = ((1.35, 1.45), (1.15, 1.2), (0.95, 1.0))  # for names and conditions: the widest that fit
LINE = 0.17


@dataclass
class Item:
    """A drawn node: its words, its class counts (C,), and where it goes."""

    name: str
    count: str
    condition: str
    counts: np.ndarray
    leaf: bool
    level: int
    note: str = ""
    children: list["Item"] = field(default_factory=list)
    at: float = 0.0
    shift: float = 0.0
    width: float = 0.0
    height: float = 0.0

    def walk(self) -> Iterator["Item"]:
        """This item and all below it, from the top."""
        pending = [self]
        while pending:
            item = pending.pop()
            yield item
            pending += reversed(item.children)


def leaves_at(tree: Tree, depth: int) -> int:
    """How many nodes end the picture when it is cut at this depth."""
    return int(((tree.depths == depth) | (tree.is_leaf & (tree.depths < depth))).sum())


def readable_depth(tree: Tree, max_depth: int | None) -> int:
    """The depth to draw to: what was asked for, as far as the leaves stay readable."""
    most = LEAVES if max_depth is None else MOST
    depth = tree.depth if max_depth is None else min(max_depth, tree.depth)
    while depth > 1 and leaves_at(tree, depth) > most:
        depth -= 1
    return depth


def subtree_sizes(tree: Tree) -> np.ndarray:
    """(T,) number of nodes of each node's subtree, itself included."""
    size = np.ones(len(tree), np.intp)
    for depth in range(tree.depth, 0, -1):
        nodes = np.flatnonzero(tree.depths == depth)
        np.add.at(size, tree.parent[nodes], size[nodes])
    return size


def items(tree: Tree, depth: int, rooms=ROOMS[0]) -> Item:
    """The nodes down to a depth; what lies below a node is said in its note."""
    sizes = subtree_sizes(tree)
    root = _item(tree.root, depth, sizes, rooms)
    pending = [(tree.root, root)]
    while pending:
        node, item = pending.pop()
        if node.depth == depth:
            continue
        children = node.children
        for child in children[: MOST if len(children) > MOST else None]:
            item.children.append(_item(child, depth, sizes, rooms))
            pending.append((child, item.children[-1]))
        if len(children) > MOST:
            item.note = f"… {len(children) - MOST} more branches"
    return root


def _item(node: Node, depth, sizes, rooms):
    words = node.tree.class_name(int(node.counts.argmax())) if node.is_leaf else node.name
    cut = node.depth == depth and not node.is_leaf
    below = int(sizes[node.id]) - 1
    return Item(
        name=shorten(words, rooms[0]),
        count=f"{node.counts.sum():g}",
        condition=shorten(node.condition, rooms[1]),
        counts=node.counts,
        leaf=node.is_leaf,
        level=node.depth,
        note=f"… {below} node{'s' if below > 1 else ''} below" if cut else "",
    )


def tidy(root: Item, extent) -> tuple[float, float]:
    """Give every item its `at`; `extent(item)` is its size across the levels. Returns the ends.

    Subtrees are moved together until their contours touch, a parent stands over the middle of its
    children (Reingold and Tilford 1981).
    """
    low, high = _contour(root, extent)
    start = -min(low)
    root.at = start
    for item in root.walk():
        for child in item.children:
            child.at = item.at + child.shift
    return 0.0, start + max(high)


def _contour(item, extent):
    """Lowest and highest reach of the subtree at each level, seen from its root."""
    half = extent(item) / 2
    low, high, shifts = [], [], []
    for child in item.children:
        child_low, child_high = _contour(child, extent)
        touching = zip(high, child_low, strict=False)
        shift = max((h - c + GAP for h, c in touching), default=0.0)
        shifts.append(shift)
        low = _merge(low, child_low, shift, min)
        high = _merge(high, child_high, shift, max)
    if not shifts:
        return [-half], [half]
    middle = (shifts[0] + shifts[-1]) / 2
    for child, shift in zip(item.children, shifts, strict=True):
        child.shift = shift - middle
    return [-half, *(x - middle for x in low)], [half, *(x - middle for x in high)]


def _merge(old, new, shift, choose):
    both = [choose(a, b + shift) for a, b in zip(old, new, strict=False)]
    return both + old[len(new) :] + [b + shift for b in new[len(old) :]]


def label_width(text: str) -> float:
    """Width of a label, with a little room; 0 for none."""
    return text_width(text, SMALL) + 0.06 if text else 0.0
