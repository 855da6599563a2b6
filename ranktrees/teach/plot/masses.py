"""What the picture of a Newton tree is made of: discs, bent edges of their own widths, words."""

from dataclasses import dataclass

import numpy as np
from matplotlib.collections import PatchCollection, PathCollection
from matplotlib.path import Path

from ranktrees.teach.plot.layout import LINE, Item, label_width
from ranktrees.teach.plot.nodes import Discs
from ranktrees.teach.plot.plans import MARGIN, NOTE, Sideways, Upright
from ranktrees.teach.plot.style import SMALL, text_width

RADIUS, SMALLEST = 0.36, 0.03  # inches, of the root's disc and of any
WIDE, THIN = 8.0, 0.5  # points: an edge on which an example surely comes, and the least
FORCE = "#A8A8A8"
BETWEEN = 0.62  # inches between the levels of an upright tree


@dataclass
class Mass(Item):
    """A node of the picture: with an example, its share of the pull and the chance to be here."""

    share: float | None = None
    reach: float = 0.0

    @property
    def force(self) -> float:
        """The width in inches of the edge that leads here."""
        return 0.0 if self.share is None else max(THIN, WIDE * self.reach) / 72


class Orbs(Discs):
    """Discs with their words, and for an example p(leaf) on a line below."""

    def __init__(self, root, upright):
        super().__init__(root, upright)
        for item in root.walk():
            end = self.end_words(item)
            if end and upright:
                item.width = max(item.width, text_width(end))
                item.height += LINE
            elif end:
                words = max(text_width(self.words(item), bold=True), text_width(end))
                item.width = 2 * self.radius(item) + 0.06 + words
                item.height = max(item.height, 2 * LINE + 0.02)

    def radius(self, item):
        """Area in proportion to the mass, but never too small to be seen."""
        return max(SMALLEST, RADIUS * float(np.sqrt(item.counts.sum() / self.total)))

    def end_words(self, item):
        """The probability that an example ends here, for leaves."""
        return f"p = {item.reach:.3f}" if item.leaf and item.share is not None else ""

    def draw(self, ax, item, x, y, width, colours):
        """The disc with its left edge at x, its middle at y; the patches are returned."""
        end = self.end_words(item)
        shift = LINE / 2 if end else 0.0
        patches = super().draw(ax, item, x, y, width, colours) if not end else []
        if end:
            patches = self._with_end(ax, item, x, y, width, colours, end, shift)
        return patches

    def _with_end(self, ax, item, x, y, width, colours, end, shift):
        style = {"fontsize": SMALL, "va": "center_baseline"}
        if self.upright:
            item.height -= LINE
            patches = super().draw(ax, item, x, y - shift, width, colours)
            item.height += LINE
            spot = (x + width / 2, y + item.height / 2 - LINE / 2)
            ax.text(*spot, end, ha="center", color=NOTE, **style)
            return patches
        left = x + 2 * self.radius(item) + 0.06
        before = len(ax.texts)
        patches = super().draw(ax, item, x, y, width, colours)
        ax.texts[before].set_y(y - shift)
        ax.text(left, y + shift, end, ha="left", color=NOTE, **style)
        return patches


class _Pulling:
    """Edges of their own widths, bent, and the share of the pull as their number."""

    def draw(self, ax, colours):
        """Edges, then nodes, then words."""
        paths, widths, patches = [], [], []
        for item in self.root.walk():
            for child in item.children:
                paths.append(self.bend(item, child))
                widths.append(72 * child.force if child.share is not None else 1.0)
            patches += self.draw_item(ax, item, colours)
            for text, x, y, settings in self.words(item):
                ax.text(x, y, text, fontsize=SMALL, **settings)
        style = {"facecolors": "none", "edgecolors": FORCE, "capstyle": "butt", "zorder": 0}
        ax.add_collection(PathCollection(paths, linewidths=widths, **style), autolim=False)
        ax.add_collection(PatchCollection(patches, match_original=True), autolim=False)

    def bend(self, item, child):
        """From an item straight on to where the edges part, bent, and straight to its child."""
        level = self.starts[child.level]
        part = level - self.between[child.level]
        bent = part + self.curve
        middle = (part + bent) / 2
        places = [(self.end(item), item.at), (part, item.at), (middle, item.at)]
        places += [(middle, child.at), (bent, child.at), (level, child.at)]
        codes = [Path.MOVETO, Path.LINETO, *[Path.CURVE4] * 3, Path.LINETO]
        return Path([self.point(*place) for place in places], codes)


class Lying(_Pulling, Sideways):
    """The root at the left; prototypes stand over their edges, shares below."""

    def __init__(self, body, root, curve):
        self.curve = curve
        super().__init__(body, root)

    def extent(self, item):
        """Height that an item needs: its own, or that of the words at its edge."""
        return max(item.height, 2 * LINE + item.force + 0.02)

    def measure(self):
        """The columns' left ends, and where the last one ends."""
        self.wide = [max(item.width for item in level) for level in self.levels]
        labels = [max(label_width(i.condition) for i in level) for level in self.levels]
        self.between = [0.0, *(self.curve + 0.1 + label for label in labels[1:])]
        starts, x = [], MARGIN
        for between, wide in zip(self.between, self.wide, strict=True):
            starts.append(x + between)
            x += between + wide
        notes = [self.right(i, starts) + label_width(i.note) + 0.06 for i in self.root.walk()]
        return starts, max(x, *notes)

    def words(self, item):
        """The prototype over the edge, the share below it, the note behind the node."""
        start = self.starts[item.level]
        if item.condition:
            x, y = self.point(start - self.between[item.level] + self.curve + 0.04, item.at)
            yield item.condition, x, y - item.force / 2 - 0.02, {"va": "bottom"}
            if item.share is not None:
                style = {"va": "top", "color": NOTE}
                yield f"{item.share:.2f}", x, y + item.force / 2 + 0.02, style
        if item.note:
            x, y = self.point(self.right(item, self.starts) + 0.06, item.at)
            yield item.note, x, y, {"va": "center", "color": NOTE, "style": "italic"}


class Hanging(_Pulling, Upright):
    """The root on top; prototypes stand on their edges, shares over them."""

    curve = 0.26

    def extent(self, item):
        """Width that an item needs: its own, or that of its words."""
        return max(item.width, label_width(item.condition) + 0.06, label_width(item.note), 0.45)

    def apart(self):
        """The space between two rows, larger where shares are written."""
        return BETWEEN + (self.root.share is not None) * LINE

    def words(self, item):
        """The prototype on the edge, the share over it, the note below the node."""
        back = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
        style = {"va": "center", "ha": "center"}
        if item.condition:
            x, y = self.point(self.starts[item.level] - 0.15, item.at)
            yield item.condition, x, y, {**style, "bbox": back}
            if item.share is not None:
                yield f"{item.share:.2f}", x, y - LINE, {**style, "bbox": back, "color": NOTE}
        if item.note:
            x, y = self.point(self.end(item) + LINE / 2 + 0.02, item.at)
            yield item.note, x, y, {**style, "color": NOTE, "style": "italic"}
