"""Models of probabilities: a tree with a naive Bayes at every leaf, and a belief network."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from ranktrees_engine.basics.arguments import as_list, check_dict, check_number
from ranktrees_engine.basics.kinds import Names
from ranktrees_engine.bayes import BayesNet
from ranktrees_engine.bayes.structure import read_parents
from ranktrees_engine.estimator.classifier import Classifier
from ranktrees_engine.growing.node import Node
from ranktrees_lab.plot.inputs import check_known
from ranktrees_lab.plot.layout import Spot, class_names, readable_depth, spots
from ranktrees_lab.plot.parts import canvas, frame, rectangles, share_bars, spread, write
from ranktrees_lab.plot.picture import Picture, picture
from ranktrees_lab.plot.style import COLOURS, both, cases, class_colours, cut, some, text_width

ROWS = 40  # nodes that are drawn
ROW, INDENT, LABEL = 0.25, 0.2, 3.6  # inches: height of a row, a level's indent, widest condition
CASES, PRIOR, SLOT = 0.55, 1.25, 2.45  # inches: columns of the table beside the tree
WIDEST_SLOT = 3.4  # where names need it
SAYS = "strongest value, × how much likelier"
GUIDE, INK = "#999999", "#555555"
NARROWEST, WIDEST = 4.5, 9.5  # inches of a network
GAP, LEVEL, BOX = 0.25, 0.95, 0.3  # inches: between boxes, from level to level, a box's height
NAME = 1.7  # inches of a node's name
APART = 8  # each of this many classes has a colour


class Evidence(NamedTuple):
    """A value in favour of a class: P(value | class) is `factor` times that of the others."""

    attribute: str
    condition: str
    favours: int
    factor: float
    bits: float


def citree(
    model: Classifier,
    max_depth: int | None = None,
    strongest: int = 2,
    figure: Picture | None = None,
) -> Picture:
    """Draw a fitted CITree or NBTree: each leaf's cases, prior, and most informative values.

    The `strongest` attributes of each leaf's naive Bayes are named with their most informative
    value, the class it favours, by colour, and how many times as likely it is in that class as in
    others. A tree of more than 40 nodes is drawn down to the depth that fits, or to `max_depth`.
    Raises TypeError for a model without a naive Bayes at its leaves.
    """
    tree = getattr(model, "tree_", None)
    if tree is None or tree.tables is None:
        raise TypeError("a fitted CITree or NBTree is needed: it has a naive Bayes at its leaves")
    check_number("strongest", strongest, 0, whole=True)
    depth = readable_depth(tree, max_depth, ROWS, ROWS, lambda tree, d: (tree.depths <= d).sum())
    rows = list(spots(tree, depth, _described).walk())
    names, more = class_names(tree), len(rows) - ROWS
    left = max(spot.x + text_width(spot.name) for spot in rows) + 0.25 + CASES
    slot = _slot(rows[:ROWS], strongest)
    width = left + PRIOR + max(slot * strongest, text_width(SAYS) + 0.1)
    height, rows = ROW * (min(len(rows), ROWS + 1) + 1) + 0.1, rows[:ROWS]
    colours = class_colours(len(names))
    fig = frame(figure, width, height, names, colours)
    ax = canvas(fig, 0, 0, width, height)
    write(ax, left - 0.12, ROW / 2, "cases", ha="right", color=INK)
    write(ax, left, ROW / 2, "class shares", color=INK)
    write(ax, left + PRIOR, ROW / 2, SAYS, color=INK)
    for i, spot in enumerate(rows):
        spot.y = (i + 1.5) * ROW
        _row(ax, spot, left, colours, strongest, slot)
    counts, middle = np.array([s.node.counts for s in rows]), [s.y for s in rows]
    share_bars(ax, counts, left, PRIOR - 0.15, middle, 0.12, colours)
    _guides(ax, rows)
    if more > 0:
        write(ax, 0.1, height - 0.1 - ROW / 2, f"… {more} more branches", style="italic")
    fig.alt = _tree_sentence(tree, depth, names)
    return fig


def evidence(node: Node, most: int = 2) -> list[Evidence]:
    """Return at most `most` of the most informative attributes in a node's naive Bayes.

    Each has its most informative value: the one with the largest part of the attribute's
    information, by the model's own probabilities. Empty if the node is pure.
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
    """Return a node's condition, indented, and its cases."""
    words = "all cases" if node.parent is None else f"{node.parent.name} {node.condition}"
    spot = Spot(node, cut(words, LABEL), f"{node.counts.sum():g}")
    spot.x = 0.1 + INDENT * node.depth
    return spot


def _guides(ax, rows):
    """Draw lines from each node down to its children."""
    lines = []
    for spot in rows:
        x, top = spot.x + 0.07, spot.y + 0.09
        for y, right in [(child.y, child.x - 0.03) for child in spot.children if child.y]:
            lines += [[(x, top), (x, y)], [(x, y), (right, y)]]
    ax.add_collection(LineCollection(lines, colors=GUIDE, lw=0.9), autolim=False)


def _slot(rows, strongest):
    """Return the inches for one of a leaf's values, so that few names are cut."""
    leaves = [spot.node for spot in rows if spot.node.is_leaf] if strongest else []
    said = [e for node in leaves for e in evidence(node, strongest)]
    words = [f"{e.attribute} {e.condition} ×{e.factor:.1f}" for e in said]
    return min(max([SLOT, *(text_width(each) + 0.4 for each in words)]), WIDEST_SLOT)


def _row(ax, spot, left, colours, strongest, slot):
    """Draw a node, its cases, and its test or, at a leaf, the values that say most."""
    node, x = spot.node, left + PRIOR
    colour = "black" if node.is_leaf else INK
    write(ax, spot.x, spot.y, spot.name, color=colour)
    write(ax, left - 0.12, spot.y, spot.count, ha="right", color=colour)
    if not node.is_leaf:
        words = f"tests {node.name}" + (f"  {spot.note}" if spot.note else "")
        write(ax, x, spot.y, words, slot * max(strongest, 1) - 0.1, color=INK)
        return
    said = evidence(node, strongest) if strongest else []
    if strongest and not said:
        words = "one class alone" if np.count_nonzero(node.counts) < 2 else "no attribute left"
        write(ax, x, spot.y, words, color=INK, style="italic")
    for left, e in zip(x + slot * np.arange(len(said)), said, strict=True):
        box = [left], spot.y - 0.06, left + 0.12, spot.y + 0.06
        rectangles(ax, *box, facecolors=colours[e.favours])
        tail = f"×{e.factor:.1f}"
        if len(colours) > APART:  # so many colours cannot be distinguished
            tail += f" {cut(node.tree.class_name(e.favours), 0.7)}"
        words = both(e.attribute, e.condition, slot - 0.35 - text_width(tail))
        write(ax, left + 0.17, spot.y, f"{words} {tail}")


def _tree_sentence(tree, depth, names):
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


def belief_network(
    net: BayesNet | Mapping,
    words: Mapping[str, str] | None = None,
    evidence: Names = (),
    apart: str | None = None,
    figure: Picture | None = None,
) -> Picture:
    """Draw the graph of a `BayesNet`, or of {node: its parents}.

    `words` {node: text} is written below a node's name; `evidence` names nodes whose value is
    known. `apart` is a parent of very many nodes (the class); a note replaces its arrows. Raises
    ValueError for names that are not nodes, or if nothing but `apart` is left.
    """
    parents, shown, words, evidence = _network(net, words, evidence, apart)
    levels, links = _levels(shown)
    lines = {n: two for level in levels for n, two in _names(level).items()}
    lines = {n: [*lines[n], *([cut(words[n], NAME)] if n in words else [])] for n in shown}
    wide = {n: max(text_width(line, bold=True) for line in lines[n]) + 0.2 for n in shown}
    middle, width = _places(levels, links, wide)
    tall, note = BOX + 0.17 * (max(map(len, lines.values())) - 1), 0.3 if apart else 0.0
    height = LEVEL * (len(levels) - 1) + tall + 0.3 + note
    fig = picture(figure, (width, height))
    ax = canvas(fig, 0, 0, width, height)
    top = {n: 0.15 + note + LEVEL * d for d, level in enumerate(levels) for n in level}
    for child, above in shown.items():
        for parent in above:
            ends = (middle[parent], top[parent] + tall), (middle[child], top[child])
            style = {"arrowstyle": "-|>", "mutation_scale": 11, "shrinkA": 0, "shrinkB": 0}
            ax.add_patch(FancyArrowPatch(*ends, color=COLOURS["parent"], lw=1.3, zorder=1, **style))
    for n in shown:
        corner = middle[n] - wide[n] / 2, top[n]
        _box(ax, corner, (wide[n], tall), lines[n], n in words, n in evidence)
    if apart is not None:
        below, rest = sum(apart in above for above in parents.values()), len(parents) - 1
        text = f"{apart}: a parent of {'all' if below == rest else f'{below} of'} {rest} others"
        write(ax, 0.1, 0.17, f"{text} (arrows not drawn)", width - 0.2)
    fig.alt = _network_sentence(parents, words, evidence, apart)
    return fig


def _network(net, words, evidence, apart):
    """Return the parents of each node shown; words and evidence as dict and list."""
    parents = net.parents if isinstance(net, BayesNet) else read_parents(net)
    check_dict("words", {} if words is None else words, "{node: text}")
    evidence = [evidence] if isinstance(evidence, str) else as_list("evidence", evidence)
    for name in [*(words or {}), *evidence, *([] if apart is None else [apart])]:
        check_known("node", name, parents)
    shown = {n: [p for p in above if p != apart] for n, above in parents.items() if n != apart}
    if not shown:
        raise ValueError(f"{apart!r} is the only node: there is nothing to draw without it")
    return parents, shown, dict(words or {}), evidence


def _names(level):
    """Return the lines {node: its name} of a level's nodes, which have room side by side."""
    room = min(NAME, (WIDEST - 0.2) / len(level) - GAP - 0.2)
    return {name: _halves(name, room) for name in level}


def _halves(name, inches):
    """Return the name in one line or two, cut if it is still wider than this."""
    name = str(name)
    places = [i + 1 for i, letter in enumerate(name[:-1]) if letter in "-_ "]
    if text_width(name, bold=True) <= inches or not places:
        return [cut(name, inches)]
    halves = [(name[:i].rstrip(), name[i:]) for i in places]
    best = min(halves, key=lambda two: max(text_width(half, bold=True) for half in two))
    return [cut(half, inches) for half in best]


def _levels(parents):
    """Return nodes by the longest way down to them, with few crossings, and each one's links."""
    links, depth = {n: list(above) for n, above in parents.items()}, {}
    for name, above in parents.items():  # parents come first
        depth[name] = max((depth[p] + 1 for p in above), default=0)
        for p in above:
            links[p].append(name)
    levels = [[n for n in parents if depth[n] == d] for d in range(max(depth.values()) + 1)]
    for _ in range(4):
        place = {n: (i + 0.5) / len(level) for level in levels for i, n in enumerate(level)}
        for level in levels:
            mean = {n: np.mean([place[m] for m in links[n]] or [place[n]]) for n in level}
            level.sort(key=mean.get)
            place.update({n: (i + 0.5) / len(level) for i, n in enumerate(level)})
    return levels, links


def _places(levels, links, wide):
    """Return each node's middle in inches, near those of its neighbours, and the total width."""
    place = dict.fromkeys(wide, 0.0)
    for step in range(13):  # at first side by side
        for level in levels:
            wish = [np.mean([place[m] for m in links[n] * (step > 0)] or [place[n]]) for n in level]
            half = np.array([wide[n] for n in level]) / 2
            place.update(zip(level, spread(wish, half[:-1] + half[1:] + GAP), strict=True))
    left = min(place[n] - wide[n] / 2 for n in place)
    span = max(place[n] + wide[n] / 2 for n in place) - left
    width = max(span + 0.2, NARROWEST)
    return {n: x + (width - span) / 2 - left for n, x in place.items()}, width


def _box(ax, corner, size, lines, last_plain, seen):
    """Draw a node's box with its name and, in plain letters, the lines below it."""
    lw, fc, ec = (1.8, COLOURS["marked"], "black") if seen else (1, "#F4F4F4", COLOURS["score"])
    style = {"boxstyle": "round,pad=0,rounding_size=0.06", "zorder": 2}
    ax.add_patch(FancyBboxPatch(corner, *size, lw=lw, fc=fc, ec=ec, **style))
    x, y = corner[0] + size[0] / 2, corner[1] + size[1] / 2
    for i, line in enumerate(lines):
        weight = "normal" if last_plain and i == len(lines) - 1 else "bold"
        place = x, y + 0.17 * (i - (len(lines) - 1) / 2)
        write(ax, *place, line, ha="center", fontweight=weight, zorder=3)


def _network_sentence(parents, words, evidence, apart):
    arrows = sum(len(above) for above in parents.values())
    inner = {n: above for n, above in parents.items() if above not in ([], [apart])}
    parts = [f"{n} depends on {some(above, 6)}" for n, above in inner.items()]
    if apart is not None:
        parts.insert(0, f"{sum(apart in a for a in parents.values())} depend on {apart}")
    text = f"A belief network of {len(parents)} nodes and {arrows} arrows"
    text += f": {'; '.join(parts)}." if parts else ", all nodes on their own."
    if evidence:
        text += f" Known: {some(evidence, 8)}."
    if words:
        text += " " + "; ".join(f"{n}: {w}" for n, w in words.items()) + "."
    return text
