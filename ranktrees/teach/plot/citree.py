"""A tree with a naive Bayes at every leaf, as an outline with what each leaf's model goes by."""

from typing import NamedTuple

import numpy as np
from matplotlib.collections import LineCollection

from ranktrees.arguments import check_number
from ranktrees.node import Node
from ranktrees.teach.plot.layout import Spot, class_names, spots
from ranktrees.teach.plot.parts import canvas, frame, rectangles, share_bars, write
from ranktrees.teach.plot.picture import Picture
from ranktrees.teach.plot.style import CLASSES, both, cases, class_colours, cut, some, text_width

ROWS = 40  # nodes that are drawn
ROW, INDENT, LABEL = 0.25, 0.2, 3.6  # inches: height of a row, a level's indent, widest condition
CASES, PRIOR, SLOT = 0.55, 1.25, 2.45  # inches: columns of the table beside the tree
SAYS = "says most: value, × how much likelier"
GUIDE, GREY = "#999999", "#555555"


class Evidence(NamedTuple):
    """A value that speaks for a class: P(value | class) is `factor` times that of the others."""

    attribute: str
    condition: str
    favours: int
    factor: float
    bits: float


def citree(model, max_depth=None, strongest: int = 2, figure=None) -> Picture:
    """A fitted CITree or NBTree: each leaf's cases, prior, and the values that say most in it.

    Of each leaf's naive Bayes the `strongest` attributes are named, with their most telling value,
    the class it favours, by colour, and how many times as likely it is there as elsewhere. A tree
    of more than 40 nodes is drawn down to the depth that fits, or to `max_depth`. Raises TypeError
    for a model without a naive Bayes at its leaves.
    """
    tree = getattr(model, "tree_", None)
    if tree is None or tree.tables is None:
        raise TypeError("a fitted CITree or NBTree is needed: it has a naive Bayes at its leaves")
    for what, number in {"max_depth": max_depth or 0, "strongest": strongest}.items():
        check_number(what, number, 0, whole=True)
    depth = tree.depth if max_depth is None else min(max_depth, tree.depth)
    while depth > 1 and (tree.depths <= depth).sum() > ROWS:
        depth -= 1
    rows = list(spots(tree, depth, _described).walk())
    names, more = class_names(tree), len(rows) - ROWS
    left = max(spot.x + text_width(spot.name) for spot in rows) + 0.25 + CASES
    width = left + PRIOR + max(SLOT * strongest, text_width(SAYS) + 0.1)
    height, rows = ROW * (min(len(rows), ROWS + 1) + 1) + 0.1, rows[:ROWS]
    colours = class_colours(len(names))
    fig = frame(figure, width, height, names, colours)
    ax = canvas(fig, 0, 0, width, height)
    write(ax, left - 0.12, ROW / 2, "cases", ha="right", color=GREY)
    write(ax, left, ROW / 2, "class shares", color=GREY)
    write(ax, left + PRIOR, ROW / 2, SAYS, color=GREY)
    for i, spot in enumerate(rows):
        spot.y = (i + 1.5) * ROW
        ink = "black" if spot.node.is_leaf else GREY
        write(ax, spot.x, spot.y, spot.name, color=ink)
        write(ax, left - 0.12, spot.y, spot.count, ha="right", color=ink)
        _says(ax, spot, left + PRIOR, colours, strongest)
    counts, middle = np.array([s.node.counts for s in rows]), [s.y for s in rows]
    share_bars(ax, counts, left, PRIOR - 0.15, middle, 0.12, colours)
    _guides(ax, rows)
    if more > 0:
        write(ax, 0.1, height - 0.1 - ROW / 2, f"… {more} more branches", style="italic")
    fig.alt = _sentence(tree, depth, names)
    return fig


def evidence(node: Node, most: int = 2) -> list[Evidence]:
    """The attributes that tell most about the class in a node's naive Bayes, at most so many.

    Each with its most telling value: the one with the largest part in the information that the
    attribute gives, by the model's own probabilities. None where the node is pure.
    """
    model = node.model
    if np.count_nonzero(model.class_count_) < 2:
        return []
    prior, said = (model.class_count_ + 1) / (model.class_count_ + 1).sum(), []
    for j, info in enumerate(model.schema_):
        counts = model.counts_[model.offsets_[j] : model.offsets_[j + 1]]
        given = (counts + 1) / (model.class_count_ + info.size)
        value = (given * prior).sum(axis=1)
        parts = (given * prior * np.log2(given / value[:, None])).sum(axis=1)
        v = int(parts.argmax())
        elsewhere = (value[v] - given[v] * prior) / (1 - prior)
        c = int((given[v] / elsewhere).argmax())
        factor = float(given[v, c] / elsewhere[c])
        said.append(Evidence(info.name, info.describe([v]), c, factor, float(parts.sum())))
    return sorted(said, key=lambda e: -e.bits)[:most]


def _described(node, rooms):
    """A node's condition, indented, and its cases."""
    words = "all cases" if node.parent is None else f"{node.parent.name} {node.condition}"
    spot = Spot(node, cut(words, LABEL), f"{node.counts.sum():g}")
    spot.x = 0.1 + INDENT * node.depth
    return spot


def _guides(ax, rows):
    """Lines from each node down to its children."""
    lines = []
    for spot in rows:
        x, top = spot.x + 0.07, spot.y + 0.09
        for y, right in [(child.y, child.x - 0.03) for child in spot.children if child.y]:
            lines += [[(x, top), (x, y)], [(x, y), (right, y)]]
    ax.add_collection(LineCollection(lines, colors=GUIDE, lw=0.9), autolim=False)


def _says(ax, spot, x, colours, strongest):
    """What a node tests or, at a leaf, the values that say most."""
    node = spot.node
    if not node.is_leaf:
        words = f"tests {node.name}" + (f"  {spot.note}" if spot.note else "")
        write(ax, x, spot.y, words, SLOT * max(strongest, 1) - 0.1, color=GREY)
        return
    said = evidence(node, strongest) if strongest else []
    if strongest and not said:
        words = "one class alone" if np.count_nonzero(node.counts) < 2 else "no attribute left"
        write(ax, x, spot.y, words, color=GREY, style="italic")
    for left, e in zip(x + SLOT * np.arange(len(said)), said, strict=True):
        box = [left], spot.y - 0.06, left + 0.12, spot.y + 0.06
        rectangles(ax, *box, facecolors=colours[e.favours])
        tail = f"×{e.factor:.1f}"
        if len(colours) > len(CLASSES):  # so many colours are not told apart
            tail += f" {cut(node.tree.class_name(e.favours), 0.7)}"
        words = both(e.attribute, e.condition, SLOT - 0.35 - text_width(tail))
        write(ax, left + 0.17, spot.y, f"{words} {tail}")


def _sentence(tree, depth, names):
    largest = max((n for n in tree.nodes() if n.is_leaf), key=lambda node: node.counts.sum())
    form = "{0.attribute} {0.condition} for {1}, {0.factor:.1f} times as likely"
    said = [form.format(e, names[e.favours]) for e in evidence(largest)]
    if len(tree) == 1:
        text = f"A single leaf of {cases(largest.counts.sum())} with a naive Bayes"
    else:
        text = f"A tree of {len(tree)} nodes and {tree.n_leaves} leaves with a naive Bayes at each "
        text += f"leaf; the root tests {tree.root.name}. The largest leaf ({largest.path}) has "
        text += cases(largest.counts.sum())
    known = f"and goes most by {some(said, last='and by')}" if said else "with nothing to tell"
    hidden = int((tree.depths > depth).sum())
    below = f" Drawn to depth {depth}; {hidden} nodes lie below." if hidden else ""
    return f"{text}, {known}.{below}"
