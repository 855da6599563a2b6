"""A tree with a naive Bayes at every leaf, as an outline with what each leaf's model goes by."""

from typing import NamedTuple

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import Rectangle

from ranktrees.arguments import check_number
from ranktrees.node import Node
from ranktrees.teach.plot.legend import class_legend, legend_height
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import (
    BLACK,
    CLASSES,
    SMALL,
    cases,
    class_colours,
    shorten,
    some,
    text_width,
)

ROWS = 40  # nodes that are drawn
ROW, INDENT, LABEL = 0.25, 0.2, 3.6  # inches: height of a row, a level's indent, widest condition
CASES, PRIOR, SLOT = 0.55, 1.1, 2.45  # inches: columns of the table beside the tree
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
    if max_depth is not None and max_depth < 0:
        raise ValueError(f"max_depth must be at least 0 or None, not {max_depth!r}")
    check_number("strongest", strongest, 0, whole=True)
    depth = _readable_depth(tree, max_depth)
    nodes, left_out = _outline(tree, depth)
    names = [tree.class_name(c) for c in range(tree.counts.shape[1])]
    colours = class_colours(len(names))
    label = max(_indent(n) + min(text_width(_label(n)), LABEL) for n in nodes) + 0.25
    width = label + CASES + PRIOR + 0.15 + max(SLOT * strongest, text_width(SAYS) + 0.1)
    tall = ROW * (len(nodes) + 1 + bool(left_out)) + 0.1
    fig = picture(figure, (width, tall + legend_height(names, width)))
    ax = axes(fig, 0, 0, width, tall, ticks=False)
    ax.set(xlim=(0, width), ylim=(tall, 0))
    _head(ax, label)
    _guides(ax, nodes)
    for i, node in enumerate(nodes):
        _row(ax, node, (i + 1.5) * ROW, label, colours, strongest, depth)
    if left_out:
        words = f"… {left_out} more branches"
        ax.text(0.1, (len(nodes) + 1.5) * ROW, words, fontsize=SMALL, va="center", style="italic")
    class_legend(fig, names, colours)
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
    prior = (model.class_count_ + 1) / (model.class_count_ + 1).sum()
    found = []
    for j, info in enumerate(model.schema_):
        counts = model.counts_[model.offsets_[j] : model.offsets_[j + 1]]
        given = (counts + 1) / (model.class_count_ + info.size)
        value = given @ prior
        parts = (given * prior * np.log2(given / value[:, None])).sum(axis=1)
        v = int(parts.argmax())
        elsewhere = (value[v] - given[v] * prior) / (1 - prior)
        c = int((given[v] / elsewhere).argmax())
        factor = float(given[v, c] / elsewhere[c])
        found.append(Evidence(info.name, info.describe([v]), c, factor, float(parts.sum())))
    return sorted(found, key=lambda e: -e.bits)[:most]


def _readable_depth(tree, max_depth):
    depth = tree.depth if max_depth is None else min(max_depth, tree.depth)
    while depth > 1 and (tree.depths <= depth).sum() > ROWS:
        depth -= 1
    return depth


def _outline(tree, depth):
    """The nodes to draw, each before its children, and how many find no place."""
    nodes, pending = [], [tree.root]
    while pending:
        node = pending.pop()
        nodes.append(node)
        if node.depth < depth:
            pending += reversed(node.children)
    return nodes[:ROWS], max(0, len(nodes) - ROWS)


def _indent(node):
    return 0.1 + INDENT * node.depth


def _label(node):
    return "all cases" if node.parent is None else f"{node.parent.name} {node.condition}"


def _head(ax, label):
    style = {"fontsize": SMALL, "va": "center", "color": GREY}
    ax.text(label + CASES - 0.12, ROW / 2, "cases", ha="right", **style)
    ax.text(label + CASES, ROW / 2, "class shares", **style)
    ax.text(label + CASES + PRIOR + 0.15, ROW / 2, SAYS, **style)


def _guides(ax, nodes):
    """Lines from each node down to its children."""
    at = {node.id: (i + 1.5) * ROW for i, node in enumerate(nodes)}
    lines = []
    for node in nodes[1:]:
        x, y = _indent(node.parent) + 0.07, at[node.id]
        lines += [[(x, at[node.parent.id] + 0.09), (x, y)], [(x, y), (_indent(node) - 0.03, y)]]
    ax.add_collection(LineCollection(lines, colors=GUIDE, lw=0.9), autolim=False)


def _row(ax, node, y, label, colours, strongest, depth):
    """One node: its condition, cases, class shares and, at an end, its model in short."""
    style = {"fontsize": SMALL, "va": "center"}
    ink = BLACK if node.is_leaf else GREY
    ax.text(_indent(node), y, shorten(_label(node), LABEL), color=ink, **style)
    ax.text(label + CASES - 0.12, y, f"{node.counts.sum():g}", ha="right", color=ink, **style)
    x = label + CASES
    for n, colour in zip(node.counts / node.counts.sum(), colours, strict=True):
        ax.add_patch(Rectangle((x, y - 0.06), PRIOR * n, 0.12, fc=colour, ec="none"))
        x += PRIOR * n
    x = label + CASES + PRIOR + 0.15
    if not node.is_leaf:
        words = f"tests {node.name}"
        if node.depth == depth:
            words += f"  … {node.n_below} below"
        ax.text(x, y, shorten(words, SLOT * max(strongest, 1) - 0.1), color=GREY, **style)
        return
    found = evidence(node, strongest)
    if not found and strongest:
        words = "one class alone" if np.count_nonzero(node.counts) < 2 else "no attribute left"
        ax.text(x, y, words, color=GREY, style="italic", **style)
    for k, e in enumerate(found):
        left = x + k * SLOT
        ax.add_patch(Rectangle((left, y - 0.06), 0.12, 0.12, fc=colours[e.favours], ec="none"))
        tail = f"×{e.factor:.1f}"
        if len(colours) > len(CLASSES):  # so many colours are not told apart
            tail += f" {shorten(node.tree.class_name(e.favours), 0.7)}"
        words = _value(e, SLOT - 0.35 - text_width(tail))
        ax.text(left + 0.17, y, f"{words} {tail}", **style)


def _value(said: Evidence, room: float) -> str:
    """Attribute and condition within so many inches; either may have what the other leaves."""
    room -= text_width(" ")
    name = max(room / 2, room - text_width(said.condition))
    condition = max(room / 2, room - text_width(said.attribute))
    return f"{shorten(said.attribute, name)} {shorten(said.condition, condition)}"


def _sentence(tree, depth, names):
    largest = max((n for n in tree.nodes() if n.is_leaf), key=lambda node: node.counts.sum())
    said = [
        f"{e.attribute} {e.condition} for {names[e.favours]}, {e.factor:.1f} times as likely"
        for e in evidence(largest)
    ]
    if len(tree) == 1:
        text = f"A single leaf of {cases(largest.counts.sum())} with a naive Bayes"
    else:
        text = f"A tree of {len(tree)} nodes and {tree.n_leaves} leaves with a naive Bayes at each "
        text += f"leaf; the root tests {tree.root.name}. The largest leaf ({largest.path}) has "
        text += cases(largest.counts.sum())
    text += (
        f", and goes most by {some(said, last='and by')}." if said else ", with nothing to tell."
    )
    hidden = int((tree.depths > depth).sum())
    if hidden:
        text += f" Drawn to depth {depth}; {hidden} nodes lie below."
    return text
