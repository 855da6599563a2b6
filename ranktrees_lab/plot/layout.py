"""A drawn tree: which nodes are shown, where they go, and one pass that draws them.

Lengths are in inches. `across` is a node's position within its level, `start` that of its level: to
the right and downwards if the root is on top, the other way round if it is at the left.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.path import Path

from ranktrees_engine.basics.arguments import check_number
from ranktrees_engine.growing.node import Node
from ranktrees_engine.growing.tree import Tree
from ranktrees_lab.plot.parts import canvas, frame, write
from ranktrees_lab.plot.picture import Picture
from ranktrees_lab.plot.style import class_colours, text_width

LEAVES, MOST = 30, 60  # more are readable only in part; drawn at all, even if a depth is asked for
PAGE = (11.5, np.inf)  # inches: a notebook shrinks the text of what is wider
UPRIGHT, FLAT = 9.5, 6  # inches and tests: a tree so narrow and flat has its root on top
GAP, MARGIN, LINE = 0.09, 0.1, 0.17
EDGE, NOTE = "#999999", "#555555"


@dataclass
class Spot:
    """A drawn node: its words, the width of the edge that leads to it, and its position.

    A name, and words at the edge, may have several lines.
    """

    node: Node
    name: str
    count: str
    edge: tuple[str, ...] = ()  # words at the edge that leads here
    end: str = ""  # a line below the name
    note: str = ""
    force: float = 1 / 72
    children: list["Spot"] = field(default_factory=list)
    across: float = 0.0
    start: float = 0.0
    bends: float = 0.0  # where the level above ends, and the edge to here turns
    width: float = 0.0
    height: float = 0.0
    x: float = 0.0  # left edge
    y: float = 0.0  # middle

    @property
    def edge_lines(self) -> list[str]:
        """Lines of all words at the edge."""
        return [line for text in self.edge for line in text.split("\n")]

    @property
    def first_lines(self) -> int:
        """How many lines the first words at the edge have."""
        return len(self.edge[0].split("\n")) if self.edge else 0

    def walk(self) -> Iterator["Spot"]:
        """Yield this one and all below it, from the top."""
        pending = [self]
        while pending:
            spot = pending.pop()
            yield spot
            pending += reversed(spot.children)


def leaves_at(tree: Tree, depth: int) -> int:
    """Count the nodes that end the picture when it is cut at this depth."""
    return int(((tree.depths == depth) | (tree.is_leaf & (tree.depths < depth))).sum())


def readable_depth(tree: Tree, max_depth, leaves=LEAVES, most=MOST, drawn=leaves_at) -> int:
    """Return the depth to draw to: the requested one, as far as the leaves stay readable.

    That is up to `leaves` leaves, or `most` if a depth is requested; `drawn(tree, depth)` counts
    them.
    """
    check_number("max_depth", max_depth, 0, whole=True, none=True)
    most = leaves if max_depth is None else most
    depth = tree.depth if max_depth is None else min(max_depth, tree.depth)
    while depth > 1 and drawn(tree, depth) > most:
        depth -= 1
    return depth


def spots(tree: Tree, depth: int, describe: Callable, rooms=None) -> Spot:
    """Return the root of the nodes down to a depth, each a Spot by `describe(node, rooms)`.

    Its note says what lies below it and is not drawn.
    """
    root = describe(tree.root, rooms)
    pending = [root]
    while pending:
        spot = pending.pop()
        if spot.node.depth == depth:
            spot.note = "" if spot.node.is_leaf else f"… {spot.node.n_below} below"
            continue
        children = spot.node.children
        spot.children = [describe(child, rooms) for child in children[:MOST]]
        if len(children) > MOST:
            spot.note = f"… {len(children) - MOST} more branches"
        pending += spot.children
    return root


def arrange(spot: Spot, start: float, extent: Callable[[Spot], float]) -> float:
    """Set `across` of a node and all below it, in a band of their own; return its end.

    `extent(spot)` is the room for the node itself. It is placed over the middle of its children.
    """
    end, need = start - GAP, extent(spot)
    for child in spot.children:
        end = arrange(child, end + GAP, extent)
    spare = need - (end - start)
    if spare > 0:
        for below in spot.walk():
            below.across += spare / 2
        end += spare
    middles = [child.across for child in spot.children] or [start + need / 2]
    middle = (middles[0] + middles[-1]) / 2
    spot.across = min(max(middle, start + need / 2), end - need / 2)
    return end


def class_names(tree: Tree) -> list[str]:
    """Return the names of a tree's classes, (C,)."""
    return [tree.class_name(c) for c in range(tree.counts.shape[1])]


def left_out(grown: Tree, depth: int) -> str:
    """Return how many nodes lie below the depth that is drawn, in words; empty for none."""
    hidden = int((grown.depths > depth).sum())
    levels = f"{depth} level{'s' if depth != 1 else ''}"
    return f" Only {levels} below the root are drawn; {hidden} nodes lie below." if hidden else ""


def label_width(text: str) -> float:
    """Return the width of a label, with some margin; 0 without a label."""
    return text_width(text) + 0.06 if text else 0.0


class Plan:
    """A tree laid out, its root on top or at the left; `size` (width, height) in inches.

    `look` has the nodes' sizes and draws them. An edge turns within `bend` inches, in a curve where
    it is `smooth`.
    """

    def __init__(self, root: Spot, look, upright: bool, bend: float = 0.2, smooth: bool = False):
        self.look, self.upright, self.smooth = look, upright, smooth
        self.bend = min(bend, 0.26) if upright else bend
        self.spots = list(root.walk())
        depth = max(spot.node.depth for spot in self.spots)
        self.levels = [[s for s in self.spots if s.node.depth == d] for d in range(depth + 1)]
        for spot in self.spots:
            spot.width, spot.height = look.size(spot, upright)
        across, along = arrange(root, MARGIN, self.extent) + MARGIN, self._start_levels() + MARGIN
        self.size = (across, along) if upright else (along, across)

    def extent(self, spot: Spot) -> float:
        """Return the room that a node needs in its level: itself, its note, the words above."""
        if self.upright and self.smooth:  # words stand at both sides of the edge
            side = max(map(label_width, spot.edge_lines), default=0) + spot.force / 2 + 0.04
            return max(spot.width, 2 * side, label_width(spot.note), 0.4) + 0.06
        if self.upright:
            return max(spot.width, *map(label_width, (*spot.edge_lines, spot.note)), 0.4) + 0.06
        lines = len(spot.edge_lines)
        beside = 1.4 if lines < 2 else max(lines + lines % 2, 2 * spot.first_lines * self.smooth)
        return max(spot.height, LINE * beside + spot.force + 0.02)

    def _start_levels(self):
        """Place one level after the other; return where the last one ends, notes included."""
        end = MARGIN
        for level in self.levels:
            start, texts = end, [text for spot in level for text in spot.edge_lines]
            if texts and self.upright:
                lines = max(s.first_lines if self.smooth else len(s.edge_lines) for s in level)
                start += 0.27 + 0.6 * self.bend + LINE * lines
            elif texts:
                start += self.bend + 0.08 + max(map(label_width, texts))
            size = max(spot.height if self.upright else spot.width for spot in level)
            for spot in level:
                spot.start, spot.bends = start, end
                if self.look.stretch and not self.upright:
                    spot.width = size  # the boxes of a column are alike
            end = start + size
        if self.upright:
            return end + (LINE if any(spot.note for spot in self.spots) else 0.0)
        return max(end, *(s.start + s.width + label_width(s.note) + 0.06 for s in self.spots))

    def draw(self, ax, colours) -> None:
        """Draw edges, nodes and words."""
        for spot in self.spots:
            spot.x, spot.y = spot.start, spot.across
            if self.upright:
                spot.x, spot.y = spot.y - spot.width / 2, spot.x + spot.height / 2
        self.look.draw(ax, self.spots, colours, self.upright)
        edges = [(spot, child) for spot in self.spots for child in spot.children]
        style = {"linewidths": [72 * child.force for _, child in edges], "capstyle": "butt"}
        style |= {"facecolors": "none", "edgecolors": EDGE, "zorder": 0}
        paths = [self._edge(spot, child) for spot, child in edges]
        ax.add_collection(PathCollection(paths, **style), autolim=False)
        for spot in self.spots:
            for text, x, y, settings in self._words(spot):
                write(ax, x, y, text, **settings)

    def _edge(self, spot, child):
        """Return the way from a node straight to the fork, in a turn, and straight to its child."""
        if self.upright:
            end = spot.start + spot.height
        else:
            end = spot.x + spot.width + (0.0 if self.look.stretch else 0.05)
        first, last = child.bends, child.bends + self.bend
        middle = (first + last) / 2
        places = [(end, spot.across), (first, spot.across), (middle, spot.across)]
        places += [(middle, child.across), (last, child.across), (child.start, child.across)]
        turn = Path.CURVE4 if self.smooth else Path.LINETO
        codes = [Path.MOVETO, Path.LINETO, turn, turn, turn, Path.LINETO]
        return Path([(b, a) for a, b in places] if self.upright else places, codes)

    def _words(self, spot):
        """Yield (text, x, y, style) of the words at the edge, and of the note."""
        note = {"color": NOTE, "style": "italic", "va": "center"}
        x, y, gap = spot.x + spot.width / 2, spot.y, spot.force / 2 + 0.02
        order = -1 if self.upright else 1  # from the node upwards
        texts = [text.split("\n")[::order] for text in spot.edge]
        lines = [(line, NOTE if k else "black") for k, text in enumerate(texts) for line in text]
        if self.upright:
            centre = {"ha": "center", "va": "center"}
            edge = {**centre, "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 0.8}}
            first = spot.start - 0.15 - LINE * np.arange(len(lines))
            places = [(x, y, edge) for y in first]
            if self.smooth:
                places = words_beside(spot, x, gap + 0.02)
            last = (x, spot.start + spot.height + LINE / 2 + 0.02, {**note, **centre})
        else:
            left = spot.bends + self.bend + 0.04
            half = spot.first_lines if self.smooth else -(-len(lines) // 2)  # above the edge
            above = [(left, y - gap - LINE * i, {"va": "bottom"}) for i in range(half)]
            below = [(left, y + gap + LINE * i, {"va": "top"}) for i in range(len(lines) - half)]
            places = above[::-1] + below
            last = (spot.x + spot.width + 0.06, y, note)
        for (text, colour), (x, y, style) in zip(lines, places, strict=True):
            yield text, x, y, {**style, "color": colour}
        if spot.note:
            yield spot.note, *last


def words_beside(spot: Spot, x: float, gap: float) -> list[tuple[float, float, dict]]:
    """Return places of the words at an upright edge: the first at its right, others at its left."""
    places = []
    for k, text in enumerate(spot.edge):
        how = {"ha": "right" if k else "left", "va": "center"}
        for line in range(text.count("\n") + 1):
            places.append((x - gap if k else x + gap, spot.start - 0.12 - LINE * line, how))
    return places


def fit(
    tree, describe, look, rooms, max_depth=None, leaves=LEAVES, size=PAGE, smooth=False, flat=FLAT
) -> tuple[int, Plan | None]:
    """Return the greatest depth at which the tree fits into this width and height, and its plan.

    `rooms` are inches for what `describe(node, rooms)` writes, the bend of edges last: the first
    that fit are used. A requested depth, and a tree of at most `leaves` leaves, may be wider; one
    of at most `flat` levels may be upright. There is no plan if nothing fits the height.
    """
    deepest = readable_depth(tree, max_depth, leaves)
    free = size[1] == np.inf and (max_depth is not None or tree.n_leaves <= leaves)
    for depth in range(deepest, deepest - 1 if free else min(deepest, 1) - 1, -1):
        for room in rooms:
            root = spots(tree, depth, describe, room)
            for upright in (depth <= flat, False):
                plan = Plan(root, look, upright, room[-1], smooth)
                widest = min(size[0], UPRIGHT) if upright else size[0]
                if plan.size[0] <= widest and plan.size[1] <= size[1]:
                    return depth, plan
    return depth, plan if plan.size[1] <= size[1] else None


def frame_plan(plan: Plan, names, above=0.0, narrowest=3.0, figure=None) -> Picture:
    """Return a picture of a plan, with free inches above it, and at the top a legend of classes."""
    colours, (width, height) = class_colours(len(names)), plan.size
    fig = frame(figure, max(width, narrowest), above + height, names, colours)
    draw_plan(fig, plan, 0, colours)
    fig.begins = 1 - (height - plan.spots[0].y) / fig.get_figheight()  # the root
    return fig


def draw_plan(figure, plan: Plan, bottom: float, colours, left: float = 0.0) -> None:
    """Draw a plan with its lower left corner at this position in inches."""
    width, height = plan.size
    plan.draw(canvas(figure, left, bottom, left + width, bottom + height), colours)
