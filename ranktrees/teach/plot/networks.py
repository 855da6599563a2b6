"""A belief network as boxes and arrows, parents above their children."""

from collections.abc import Iterable

import numpy as np
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from ranktrees.bayes import BayesNet
from ranktrees.bayes.structure import read_parents
from ranktrees.teach.plot.inputs import unknown
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import BLACK, COLOURS, GREY, SMALL, shorten, some, text_width

NARROWEST, WIDEST = 4.5, 9.5  # inches
GAP, LEVEL, BOX = 0.25, 0.95, 0.3  # inches: between boxes, from level to level, a box's height
NAME = 1.6
FILL, SEEN = "#EAF2F8", "#FBE3B5"


def belief_network(net, words=None, evidence=(), apart=None, figure=None) -> Picture:
    """The graph of a `BayesNet`, or of {node: its parents}.

    `words` {node: text} stands below a node's name, `evidence` names nodes whose value is known.
    `apart` is a parent of very many nodes (the class), whose arrows a note replaces. Raises
    ValueError for names that are no nodes, or if nothing but `apart` is left.
    """
    parents = net.parents if isinstance(net, BayesNet) else read_parents(net)
    words, evidence = dict(words or {}), list(_names(evidence))
    for name in [*words, *evidence, *([] if apart is None else [apart])]:
        if name not in parents:
            raise unknown("node", name, parents)
    shown = {n: [p for p in above if p != apart] for n, above in parents.items() if n != apart}
    if not shown:
        raise ValueError(f"{apart!r} is the only node: there is nothing to draw without it")
    links = _neighbours(shown)
    levels = _levels(shown, links)
    widest = max(len(level) for level in levels)
    labels = {n: _label(n, min(NAME, (WIDEST - 0.2) / widest - GAP - 0.2)) for n in shown}
    place, width = _places(levels, links, {n: _width(labels[n], words.get(n)) for n in shown})
    tall = BOX + (0.18 if words else 0) + (0.15 if any("\n" in x for x in labels.values()) else 0)
    height = LEVEL * (len(levels) - 1) + tall + 0.3 + (0.3 if apart else 0)
    fig = picture(figure, (width, height))
    ax = axes(fig, 0, 0, width, height, ticks=False)
    ax.set(xlim=(0, width), ylim=(height, 0))
    top = 0.15 + (0.3 if apart else 0) + tall / 2
    spots = {n: (x, top + LEVEL * level) for n, (x, level) in place.items()}
    for child, above in shown.items():
        for parent in above:
            _arrow(ax, spots[parent], spots[child], tall)
    for name, spot in spots.items():
        _box(ax, spot, tall, labels[name], words.get(name), name in evidence)
    if apart is not None:
        _note(ax, parents, apart, width)
    fig.alt = _sentence(parents, words, evidence, apart)
    return fig


def _names(evidence) -> Iterable[str]:
    return [evidence] if isinstance(evidence, str) else evidence


def _label(name, inches):
    """The name in one line or two, cut where it is wider than so many inches all the same."""
    name = str(name)
    places = [i + 1 for i, letter in enumerate(name[:-1]) if letter in "-_ "]
    if text_width(name, bold=True) <= inches or not places:
        return shorten(name, inches)
    halves = [(name[:i].rstrip(), name[i:]) for i in places]
    best = min(halves, key=lambda two: max(text_width(half, bold=True) for half in two))
    return "\n".join(shorten(half, inches) for half in best)


def _neighbours(parents):
    """The parents and children of every node."""
    links = {n: list(above) for n, above in parents.items()}
    for name, above in parents.items():
        for p in above:
            links[p].append(name)
    return links


def _levels(parents, links) -> list[list[str]]:
    """Nodes by the longest way down to them, each level in an order with few crossings."""
    depth = {}
    for name, above in parents.items():  # parents come first
        depth[name] = max((depth[p] + 1 for p in above), default=0)
    levels = [[n for n in parents if depth[n] == d] for d in range(max(depth.values()) + 1)]
    for _ in range(4):
        at = {n: (i + 0.5) / len(level) for level in levels for i, n in enumerate(level)}
        for d, level in enumerate(levels):
            mean = {n: np.mean([at[m] for m in links[n]] or [at[n]]) for n in level}
            levels[d] = sorted(level, key=mean.get)
            at.update({n: (i + 0.5) / len(level) for i, n in enumerate(levels[d])})
    return levels


def _places(levels, links, wide):
    """Each node's place (x in inches, level), and the picture's width."""
    at = {}
    for level in levels:
        at.update(zip(level, _apart(np.zeros(len(level)), [wide[n] for n in level]), strict=True))
    for _ in range(12):  # every node towards the middle of its neighbours
        for level in levels:
            wish = [np.mean([at[m] for m in links[n]] or [at[n]]) for n in level]
            at.update(zip(level, _apart(wish, [wide[n] for n in level]), strict=True))
    left = min(at[n] - wide[n] / 2 for n in at)
    span = max(at[n] + wide[n] / 2 for n in at) - left
    width = max(span + 0.2, NARROWEST)
    shift = (width - span) / 2 - left
    return {n: (at[n] + shift, d) for d, level in enumerate(levels) for n in level}, width


def _apart(wish, wide):
    """Middles as near to the wished ones as possible, in order and GAP apart.

    Less the room that the boxes before it need, a wish is the target of a least-squares fit by a
    rising step function: neighbours that are too close pool (isotonic regression).
    """
    half = np.array(wide) / 2
    room = np.concatenate([[0], np.cumsum(half[:-1] + half[1:] + GAP)])
    pools = []
    for target in np.asarray(wish) - room:
        pools.append((target, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (a, n), (b, m) = pools[-2:]
            pools[-2:] = [((a * n + b * m) / (n + m), n + m)]
    means, sizes = zip(*pools, strict=True)
    return np.repeat(means, sizes) + room


def _width(label, text):
    names = [text_width(line, bold=True) for line in label.split("\n")]
    return max(*names, text_width(text or "")) + 0.2


def _arrow(ax, parent, child, tall):
    ends = (parent[0], parent[1] + tall / 2), (child[0], child[1] - tall / 2)
    style = {"arrowstyle": "-|>", "mutation_scale": 11, "shrinkA": 0, "shrinkB": 0}
    ax.add_patch(FancyArrowPatch(*ends, color=GREY, lw=1.3, zorder=1, **style))


def _box(ax, spot, tall, label, text, seen):
    (x, y), wide = spot, _width(label, text)
    shape = FancyBboxPatch(
        (x - wide / 2, y - tall / 2),
        wide,
        tall,
        boxstyle="round,pad=0,rounding_size=0.06",
        facecolor=SEEN if seen else FILL,
        edgecolor=BLACK if seen else COLOURS["score"],
        lw=1.8 if seen else 1.0,
        zorder=2,
    )
    ax.add_patch(shape)
    style = {"ha": "center", "va": "center_baseline", "fontsize": SMALL, "zorder": 3}
    lines = [(line, "bold") for line in label.split("\n")]
    lines += [(shorten(text, NAME), "normal")] if text else []
    step = 0.2 if text else 0.16
    for i, (line, weight) in enumerate(lines):
        at = y + step * (i - (len(lines) - 1) / 2)
        ax.text(x, at, line, fontweight=weight, **style)


def _note(ax, parents, apart, width):
    below = sum(apart in above for above in parents.values())
    every = "all" if below == len(parents) - 1 else f"{below} of"
    text = f"{apart}: a parent of {every} {len(parents) - 1} others (arrows not drawn)"
    ax.text(0.1, 0.17, shorten(text, width - 0.2), fontsize=SMALL, va="center")


def _sentence(parents, words, evidence, apart):
    arrows = sum(len(above) for above in parents.values())
    told = [
        f"{n} depends on {some(above, 6)}"
        for n, above in parents.items()
        if above not in ([], [apart])
    ]
    if apart is not None:
        told.insert(0, f"{sum(apart in a for a in parents.values())} depend on {apart}")
    text = f"A belief network of {len(parents)} nodes and {arrows} arrows"
    text += f": {'; '.join(told)}." if told else ", all nodes on their own."
    if evidence:
        text += f" Known: {some(evidence, 8)}."
    if words:
        text += " " + "; ".join(f"{n}: {w}" for n, w in words.items()) + "."
    return text
