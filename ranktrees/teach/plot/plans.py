"""A tree laid out with its root at the left or on top: places, edges and conditions."""

from matplotlib.collections import LineCollection, PatchCollection

from ranktrees.teach.plot.layout import LINE, label_width, tidy
from ranktrees.teach.plot.style import SMALL

EDGE, NOTE = "#888888", "#555555"
MARGIN = 0.1
STUB = 0.13  # from a node to where its edges part
ROWS = 0.46  # between two levels of an upright tree, for edges and conditions


class Plan:
    """Levels, one after the other along one direction; `size` (width, height) in inches."""

    def __init__(self, body, root):
        self.body, self.root = body, root
        self.levels = [[]]
        for item in root.walk():
            while len(self.levels) <= item.level:
                self.levels.append([])
            self.levels[item.level].append(item)
        _, across = tidy(root, self.extent)
        self.starts, along = self.measure()
        self.size = self.oriented(along + MARGIN, across + 2 * MARGIN)

    def draw(self, ax, colours) -> None:
        """Edges, then nodes, then words."""
        lines, patches = [], []
        for item in self.root.walk():
            if item.children:
                lines += self.edges(item)
            patches += self.draw_item(ax, item, colours)
            for text, x, y, settings in self.words(item):
                ax.text(x, y, text, fontsize=SMALL, **settings)
        ax.add_collection(LineCollection(lines, colors=EDGE, lw=1, zorder=0), autolim=False)
        ax.add_collection(PatchCollection(patches, match_original=True), autolim=False)

    def edges(self, item):
        """Lines from an item to its children, parting at right angles."""
        level = self.starts[item.level + 1]
        part = level - self.between[item.level + 1] + STUB
        ends = [child.at for child in item.children]
        lines = [((self.end(item), item.at), (part, item.at))]
        lines += [((part, min(ends)), (part, max(ends)))]
        lines += [((part, at), (level, at)) for at in ends]
        return [[self.point(*a), self.point(*b)] for a, b in lines]

    def point(self, along, at):
        """(x, y) of a point along and across the levels."""
        return self.oriented(along, at + MARGIN)


class Sideways(Plan):
    """The root at the left; each level is a column, so names stand under each other."""

    def oriented(self, along, across):
        """(x, y)."""
        return along, across

    def extent(self, item):
        """Height that an item needs: its own, and that of its condition above the edge."""
        return max(item.height, 1.4 * LINE)

    def measure(self):
        """The columns' left ends, and where the last one ends."""
        self.wide = [max(item.width for item in level) for level in self.levels]
        labels = [max(label_width(i.condition) for i in level) for level in self.levels]
        self.between = [0.0, *(STUB + 0.06 + label for label in labels[1:])]
        starts, x = [], MARGIN
        for between, wide in zip(self.between, self.wide, strict=True):
            starts.append(x + between)
            x += between + wide
        notes = [self.right(i, starts) + label_width(i.note) + 0.06 for i in self.root.walk()]
        return starts, max(x, *notes)

    def right(self, item, starts):
        """The right end of an item."""
        return starts[item.level] + self.width(item)

    def width(self, item):
        """An item's width: boxes of a column are alike."""
        return self.wide[item.level] if self.body.stretch else item.width

    def end(self, item):
        """Where the edges of an item start."""
        return self.right(item, self.starts) + (0 if self.body.stretch else 0.05)

    def draw_item(self, ax, item, colours):
        """The node itself."""
        x, y = self.point(self.starts[item.level], item.at)
        return self.body.draw(ax, item, x, y, self.width(item), colours)

    def words(self, item):
        """The condition over the edge, the note behind the node."""
        start = self.starts[item.level]
        if item.condition:
            x, y = self.point(start - self.between[item.level] + STUB + 0.06, item.at - 0.02)
            yield item.condition, x, y, {"va": "bottom"}
        if item.note:
            x, y = self.point(self.right(item, self.starts) + 0.06, item.at)
            yield item.note, x, y, {"va": "center", "color": NOTE, "style": "italic"}


class Upright(Plan):
    """The root on top; each level is a row."""

    def oriented(self, along, across):
        """(x, y)."""
        return across, along

    def extent(self, item):
        """Width that an item needs: its own, or that of its condition or note."""
        return max(item.width, label_width(item.condition) + 0.06, label_width(item.note))

    def apart(self):
        """The space between two rows."""
        return ROWS

    def measure(self):
        """The rows' upper ends, and where the last one ends."""
        high = [max(item.height for item in level) for level in self.levels]
        self.between = [0.0] + [self.apart()] * (len(high) - 1)
        starts, y = [], MARGIN
        for between, height in zip(self.between, high, strict=True):
            starts.append(y + between)
            y += between + height
        return starts, y + (LINE if any(i.note for i in self.root.walk()) else 0)

    def end(self, item):
        """Where the edges of an item start."""
        return self.starts[item.level] + item.height

    def draw_item(self, ax, item, colours):
        """The node itself."""
        x, y = self.point(self.starts[item.level] + item.height / 2, item.at)
        return self.body.draw(ax, item, x - item.width / 2, y, item.width, colours)

    def words(self, item):
        """The condition on the edge, the note below the node."""
        if item.condition:
            x, y = self.point(self.starts[item.level] - 0.15, item.at)
            back = {"facecolor": "white", "edgecolor": "none", "pad": 1}
            yield item.condition, x, y, {"va": "center", "ha": "center", "bbox": back}
        if item.note:
            x, y = self.point(self.end(item) + LINE / 2 + 0.02, item.at)
            style = {"va": "center", "ha": "center", "color": NOTE, "style": "italic"}
            yield item.note, x, y, style
