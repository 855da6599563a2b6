"""A belief network as boxes and arrows, parents above their children."""

import numpy as np
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from ranktrees.bayes import BayesNet
from ranktrees.bayes.structure import read_parents
from ranktrees.teach.plot.inputs import check_known
from ranktrees.teach.plot.parts import canvas, spread, write
from ranktrees.teach.plot.picture import Picture, picture
from ranktrees.teach.plot.style import COLOURS, GREY, cut, some, text_width

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
    words, evidence = dict(words or {}), [evidence] if isinstance(evidence, str) else [*evidence]
    for name in [*words, *evidence, *([] if apart is None else [apart])]:
        check_known("node", name, parents)
    shown = {n: [p for p in above if p != apart] for n, above in parents.items() if n != apart}
    if not shown:
        raise ValueError(f"{apart!r} is the only node: there is nothing to draw without it")
    levels, links = _levels(shown)
    room = min(NAME, (WIDEST - 0.2) / max(map(len, levels)) - GAP - 0.2)
    lines = {n: [*_halves(n, room), *([cut(words[n], NAME)] if n in words else [])] for n in shown}
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
            ax.add_patch(FancyArrowPatch(*ends, color=GREY, lw=1.3, zorder=1, **style))
    for n in shown:
        corner = middle[n] - wide[n] / 2, top[n]
        _box(ax, corner, (wide[n], tall), lines[n], n in words, n in evidence)
    if apart is not None:
        below, rest = sum(apart in above for above in parents.values()), len(parents) - 1
        text = f"{apart}: a parent of {'all' if below == rest else f'{below} of'} {rest} others"
        write(ax, 0.1, 0.17, f"{text} (arrows not drawn)", width - 0.2)
    fig.alt = _sentence(parents, words, evidence, apart)
    return fig


def _halves(name, inches):
    """The name in one line or two, cut where it is wider than so many inches all the same."""
    name = str(name)
    places = [i + 1 for i, letter in enumerate(name[:-1]) if letter in "-_ "]
    if text_width(name, bold=True) <= inches or not places:
        return [cut(name, inches)]
    halves = [(name[:i].rstrip(), name[i:]) for i in places]
    best = min(halves, key=lambda two: max(text_width(half, bold=True) for half in two))
    return [cut(half, inches) for half in best]


def _levels(parents):
    """Nodes by the longest way down to them, in an order with few crossings; each one's links."""
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
    """Each node's middle in inches, near those of its neighbours, and the picture's width."""
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
    """A node's box with its name and, in plain letters, what stands below it."""
    style = {"boxstyle": "round,pad=0,rounding_size=0.06", "lw": 1.8 if seen else 1.0}
    style |= {"fc": SEEN if seen else FILL, "ec": "black" if seen else COLOURS["score"]}
    ax.add_patch(FancyBboxPatch(corner, *size, **style, zorder=2))
    x, y = corner[0] + size[0] / 2, corner[1] + size[1] / 2
    for i, line in enumerate(lines):
        weight = "normal" if last_plain and i == len(lines) - 1 else "bold"
        place = x, y + 0.17 * (i - (len(lines) - 1) / 2)
        write(ax, *place, line, ha="center", fontweight=weight, zorder=3)


def _sentence(parents, words, evidence, apart):
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
