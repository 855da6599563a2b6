"""What a node of a drawn tree looks like: a box with a bar, or a pie."""

import numpy as np
from matplotlib.patches import Rectangle, Wedge

from ranktrees.teach.plot.layout import LINE, Item
from ranktrees.teach.plot.style import SMALL, text_width

BOX = 0.34  # height of a box: a line of text over a bar
RADIUS = 0.27  # of the root's disc
FRAME = "#555555"


class Boxes:
    """Boxes of a line of text over a thin bar of class shares."""

    def __init__(self, root, upright):
        for item in root.walk():
            item.width = max(0.75, text_width(item.name) + text_width(item.count) + 0.26)
            item.height = BOX
        self.stretch = not upright  # the boxes of a column are alike

    def draw(self, ax, item: Item, x, y, width, colours):
        """The box with its left edge at x, its middle at y; the patches are returned."""
        top, inner = y - BOX / 2, width - 0.1
        frame = Rectangle((x, top), width, BOX, fc="white", ec=FRAME, lw=0.8)
        if item.leaf:
            frame.set(facecolor="#F0F0F0", linewidth=1.2, edgecolor="black")
        style = {"fontsize": SMALL, "va": "center_baseline"}
        ax.text(x + 0.06, top + 0.12, item.name, **style)
        ax.text(x + width - 0.06, top + 0.12, item.count, ha="right", color="#444444", **style)
        stop = np.cumsum(item.counts / max(item.counts.sum(), 1)) * inner
        start = np.concatenate([[0], stop[:-1]])
        bars = [
            Rectangle((x + 0.05 + a, top + 0.23), b - a, 0.07, fc=colour, ec="none")
            for a, b, colour in zip(start, stop, colours, strict=True)
            if b > a
        ]
        return [frame, *bars]


class Discs:
    """Pies as large as the node has cases, with the words beside or, upright, below."""

    stretch = False

    def __init__(self, root, upright):
        self.upright, self.total = upright, max(root.counts.sum(), 1)
        for item in root.walk():
            words, r = text_width(self.words(item), bold=item.leaf), self.radius(item)
            item.width = max(2 * r, words) if upright else 2 * r + 0.06 + words
            item.height = 2 * r + LINE + 0.02 if upright else max(2 * r, LINE + 0.02)

    def radius(self, item):
        """Area in proportion to cases, but never too small to see the shares."""
        return max(0.05, RADIUS * float(np.sqrt(item.counts.sum() / self.total)))

    def words(self, item):
        """Name and cases."""
        return f"{item.name} ({item.count})"

    def draw(self, ax, item, x, y, width, colours):
        """The pie with the item's left edge at x, its middle at y; the patches are returned."""
        r = self.radius(item)
        if self.upright:
            centre, ha = (x + width / 2, y - item.height / 2 + r), "center"
            spot = (centre[0], y + item.height / 2 - LINE / 2)
        else:
            centre, spot, ha = (x + r, y), (x + 2 * r + 0.06, y), "left"
        style = {"fontsize": SMALL, "va": "center_baseline", "ha": ha}
        ax.text(*spot, self.words(item), fontweight="bold" if item.leaf else "normal", **style)
        turn = np.cumsum(item.counts / max(item.counts.sum(), 1)) * 360 - 90
        start = np.concatenate([[-90], turn[:-1]])
        edge = "white" if np.count_nonzero(item.counts) > 1 else "none"
        return [
            Wedge(centre, r, a, b, fc=colour, ec=edge, lw=0.5)
            for a, b, colour in zip(start, turn, colours, strict=True)
            if b > a
        ]
