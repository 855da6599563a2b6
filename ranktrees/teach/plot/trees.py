"""A decision tree as a picture: boxes or discs, with the classes of the cases in every node."""

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.patches import Wedge

from ranktrees.teach.plot.inputs import unknown
from ranktrees.teach.plot.layout import LINE, NOTE, Spot, draw_plan, fit
from ranktrees.teach.plot.legend import frame
from ranktrees.teach.plot.parts import rectangles, share_bars, write
from ranktrees.teach.plot.picture import Picture
from ranktrees.teach.plot.style import cases, class_colours, cut, some, text_width
from ranktrees.tree import Tree

ROOMS = ((1.35, 1.45, 0.2), (1.15, 1.2, 0.2), (0.95, 1.0, 0.2))  # of names, conditions, bends
BOX = 0.34  # height of a box: a line of text over a bar
FRAME = "#555555"


class Boxes:
    """Boxes of a line of text over a thin bar of class shares; those of a column are alike."""

    stretch = True

    def size(self, spot, upright) -> tuple[float, float]:
        """Width and height of a node in inches."""
        return max(0.75, text_width(spot.name) + text_width(spot.count) + 0.26), BOX

    def draw(self, ax, spots, colours, upright) -> None:
        """Frames, words and bars of all nodes."""
        x, y, width = np.array([(s.x, s.y - BOX / 2, s.width) for s in spots]).T
        leaf = np.array([spot.node.is_leaf for spot in spots])
        style = {"facecolors": np.where(leaf, "#F0F0F0", "white"), "lw": np.where(leaf, 1.2, 0.8)}
        style["edgecolors"] = np.where(leaf, "black", FRAME)
        rectangles(ax, x, y, x + width, y + BOX, **style)
        counts = np.array([spot.node.counts for spot in spots])
        share_bars(ax, counts, x + 0.05, width - 0.1, y + 0.265, 0.07, colours)
        for spot, top in zip(spots, y + 0.12, strict=True):
            write(ax, spot.x + 0.06, top, spot.name)
            right = spot.x + spot.width - 0.06
            write(ax, right, top, spot.count, ha="right", color="#444444")


class Discs:
    """Pies as large as the node has cases, with the words beside or, upright, below."""

    stretch = False

    def __init__(self, total: float, radius: float = 0.27, least: float = 0.05):
        self.total, self.largest, self.least = max(total, 1), radius, least

    def radius(self, spot) -> float:
        """Area in proportion to cases, but never too small to be seen."""
        share = float(spot.node.counts.sum()) / self.total
        return max(self.least, self.largest * np.sqrt(share))

    def lines(self, spot) -> list[str]:
        """Name and cases, and what is said at the end of a tree."""
        return [f"{spot.name} ({spot.count})", *([spot.end] if spot.end else [])]

    def size(self, spot, upright) -> tuple[float, float]:
        """Width and height of a node in inches."""
        lines, r = self.lines(spot), self.radius(spot)
        words = max(text_width(line, bold=spot.node.is_leaf) for line in lines)
        tall = LINE * len(lines) + 0.02
        if upright:
            return max(2 * r, words), 2 * r + tall
        return 2 * r + 0.06 + words, max(2 * r, tall)

    def draw(self, ax, spots, colours, upright) -> None:
        """Pies and words of all nodes."""
        wedges = []
        for spot in spots:
            r, lines = self.radius(spot), self.lines(spot)
            if upright:
                middle, top = spot.x + spot.width / 2, spot.y - spot.height / 2
                centre, ha, first = (middle, top + r), "center", (middle, top + 2 * r + LINE / 2)
            else:
                centre, ha = (spot.x + r, spot.y), "left"
                first = spot.x + 2 * r + 0.06, spot.y - LINE / 2 * (len(lines) - 1)
            wedges += self.wedges(spot.node.counts, centre, r, colours)
            weight = "bold" if spot.node.is_leaf else "normal"
            write(ax, *first, lines[0], ha=ha, fontweight=weight)
            for k, line in enumerate(lines[1:], start=1):
                write(ax, first[0], first[1] + k * LINE, line, ha=ha, color=NOTE)
        ax.add_collection(PatchCollection(wedges, match_original=True), autolim=False)

    def wedges(self, counts, centre, r, colours) -> list[Wedge]:
        """A pie's pieces, one per class that occurs."""
        turn = np.cumsum(counts / max(counts.sum(), 1)) * 360 - 90
        start = np.concatenate([[-90], turn[:-1]])
        edge = "white" if np.count_nonzero(counts) > 1 else "none"
        return [
            Wedge(centre, r, a, b, fc=colour, ec=edge, lw=0.5)
            for a, b, colour in zip(start, turn, colours, strict=True)
            if b > a
        ]


STYLES = {"boxes": lambda total: Boxes(), "discs": Discs}


def tree(model_or_tree, max_depth=None, style="boxes", figure=None) -> Picture:
    """A fitted model's tree, or a `Tree`: every node with its test or class, cases, class shares.

    `style` "boxes" has a bar of class shares in each box, "discs" a pie whose area is as large as
    the node has cases. A tree of up to 30 leaves is drawn whole; of a larger one only the upper
    levels that fit a page, which the picture says. `max_depth` asks for a depth (at most 60 ends).
    Raises ValueError for an unknown style, TypeError for something without a tree.
    """
    grown = _tree_of(model_or_tree)
    if style not in STYLES:
        raise unknown("style", style, STYLES)
    look = STYLES[style](grown.counts[0].sum())
    depth, plan = fit(grown, described, look, ROOMS, max_depth)
    names = [grown.class_name(c) for c in range(grown.counts.shape[1])]
    colours = class_colours(len(names))
    fig = frame(figure, max(plan.size[0], 3.0), plan.size[1], names, colours)
    draw_plan(fig, plan, 0.0, colours)
    fig.alt = _sentence(grown, depth)
    return fig


def _tree_of(model) -> Tree:
    """The model's tree; ValueError where it is not fitted, TypeError where it has none."""
    found = model if isinstance(model, Tree) else getattr(model, "tree_", None)
    if isinstance(found, Tree):
        return found
    if hasattr(model, "fit"):
        raise ValueError(f"this {type(model).__name__} has no tree yet: call fit(X, y) first")
    raise TypeError(f"a fitted model or a Tree is needed, not {type(model).__name__}")


def described(node, rooms) -> Spot:
    """A node's test or class, its cases, and the condition that leads to it."""
    words = node.tree.class_name(int(node.counts.argmax())) if node.is_leaf else node.name
    edge = () if node.parent is None else (cut(node.condition, rooms[1]),)
    return Spot(node, cut(words, rooms[0]), f"{node.counts.sum():g}", edge)


def _sentence(grown, depth):
    """Size, root test, and where the root's branches lead."""
    root, names = grown.root, [grown.class_name(c) for c in range(grown.counts.shape[1])]
    counts = some([f"{n:g} {c}" for n, c in zip(root.counts, names, strict=True) if n])
    if root.is_leaf:
        return f"A decision tree of a single leaf: {cases(root.counts.sum())} ({counts})."
    size = f"{len(grown)} nodes, {grown.n_leaves} leaves and depth {grown.depth}"
    branches = [f"{c.condition} to {c.summary if c.is_leaf else c.name}" for c in root.children]
    test = f"the root tests {root.name} on {cases(root.counts.sum())} ({counts})"
    text = f"A decision tree with {size}: {test}; {some(branches, 5)}."
    return text + left_out(grown, depth)


def left_out(grown: Tree, depth: int) -> str:
    """How many nodes lie below the depth that is drawn, in words; empty for none."""
    hidden = int((grown.depths > depth).sum())
    levels = f"{depth} level{'s' if depth != 1 else ''}"
    return f" Only {levels} below the root are drawn; {hidden} nodes lie below." if hidden else ""
