"""The way of one case through a tree, and what the nodes on it say (Wang & Zhang 2006, Fig. 2)."""

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.patches import Rectangle

from ranktrees.teach.plot.legend import class_legend, legend_height
from ranktrees.teach.plot.nodes import FRAME
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import CLASSES, SMALL, class_colours, shorten, some

WIDTH, BOX = 7.4, 2.35  # inches: the picture, a node's box
PANELS = ((2.6, 4.65), (5.1, 7.0))  # from and to of the local probabilities and of the weights
BAR, GAP = 0.17, 0.16  # inches: a class's bar, the room between two nodes
FOOT, HEAD = 0.12, 0.3
LEAST = 0.005
MOST = 4  # classes that are drawn, those of highest result


def path(nodes, proba, weights, classes, result=None, figure=None) -> Picture:
    """A case's path from the top down: each node's local probabilities and weights by class.

    `nodes` (K,) names, the uniform node first, `proba` and `weights` (K, C), `classes` (C,) names.
    The last row is the `result` (C,), by default the weighted sum, normalised. Of more than four
    classes those of the highest result are drawn. Raises ValueError for shapes that differ.
    """
    proba, weights = np.asarray(proba, float), np.asarray(weights, float)
    names = [str(c) for c in classes]
    if not proba.shape == weights.shape == (len(nodes), len(names)):
        raise ValueError(
            f"proba {proba.shape} and weights {weights.shape} must both be (nodes, classes), here "
            f"({len(nodes)}, {len(names)})"
        )
    if result is None:
        result = (weights * proba).sum(axis=0)
        result = result / result.sum()
    result = np.asarray(result, float)
    shown = np.sort(np.argsort(-result, kind="stable")[:MOST])
    colours = class_colours(len(names))
    colours = [colours[c] for c in shown] if len(names) <= len(CLASSES) else class_colours(MOST)
    told = [names[c] for c in shown]
    row = max(2, len(shown)) * BAR + GAP
    tall = FOOT + row * (len(nodes) + 1) + 0.1 + HEAD
    fig = picture(figure, (WIDTH, tall + legend_height(told, WIDTH)))
    _boxes(fig, [*map(str, nodes), "the case: mixed"], row, tall)
    _panel(fig, PANELS[0], "local probability", np.vstack([proba, result])[:, shown], row, colours)
    _panel(fig, PANELS[1], "weight", weights[:, shown], row, colours, len(nodes) + 1)
    class_legend(fig, told, colours)
    fig.alt = _sentence(nodes, weights, names, result, shown)
    return fig


def _middles(n, row):
    """Inches from the lower edge to the middle of each of n rows; the last one stands apart."""
    at = FOOT + row * (np.arange(n)[::-1] + 0.5) + 0.1
    at[-1] -= 0.1
    return at


def _boxes(fig, names, row, tall):
    """A box for each node, joined from the top down, and one for the result."""
    ax = axes(fig, 0, 0, BOX + 0.2, tall, ticks=False)
    ax.set(xlim=(0, BOX + 0.2), ylim=(0, tall))
    middles, high = _middles(len(names), row), 0.26
    for i, (name, y) in enumerate(zip(names, middles, strict=True)):
        last = i == len(names) - 1
        style = {"fc": "#F0F0F0" if last else "white", "ec": "black" if last else FRAME}
        style["ls"] = (0, (3, 2)) if i == 0 else "-"
        ax.add_patch(Rectangle((0.1, y - high / 2), BOX, high, lw=0.9, **style))
        ax.text(
            0.1 + BOX / 2,
            y,
            shorten(name, BOX - 0.15),
            fontsize=SMALL,
            ha="center",
            va="center_baseline",
            fontweight="bold" if last else "normal",
        )
        if 0 < i < len(names) - 1:
            top, bottom = middles[i - 1] - high / 2, y + high / 2
            ax.plot([0.1 + BOX / 2] * 2, [top, bottom], color=FRAME, lw=1, zorder=0)


def _panel(fig, edges, words, values, row, colours, rows=None):
    """Bars of all classes beside each node, with their numbers."""
    middles = _middles(rows or len(values), row)[: len(values)]
    tall = _middles(rows or len(values), row)[0] + row / 2
    ax = axes(fig, edges[0], 0, edges[1], tall, ticks=False)
    ax.set(xlim=(0, 1), ylim=(0, tall))
    ax.plot([0, 0], [middles[-1] - row / 2, tall], color="#888888", lw=0.8, clip_on=False)
    for k, colour in enumerate(colours):
        at = middles + (len(colours) / 2 - k - 0.5) * BAR
        low, high, zero = at - BAR * 0.4, at + BAR * 0.4, np.zeros(len(at))
        corners = [zero, low, values[:, k], low, values[:, k], high, zero, high]
        corners = np.stack(corners, axis=-1).reshape(-1, 4, 2)
        ax.add_collection(PolyCollection(corners, facecolors=colour, lw=0), autolim=False)
        for x, y in zip(values[:, k], at, strict=True):
            if x >= LEAST:  # what would read 0.00 has no bar, either
                ax.text(x + 0.02, y, f"{x:.2f}", fontsize=8, va="center_baseline", color="#333333")
    high = fig.get_figheight()
    fig.text(edges[0] / WIDTH, (tall + 0.1) / high, words, fontsize=SMALL)


def _sentence(nodes, weights, names, result, shown):
    best = shown[int(result[shown].argmax())]
    mixed = some([f"{names[c]} {result[c]:.3f}" for c in shown], MOST)
    top = int(weights[:, best].argmax())
    rest = len(names) - len(shown)
    more = f" {rest} classes of lower result are not drawn." if rest else ""
    return (
        f"A path of {len(nodes)} nodes from {nodes[0]} to {nodes[-1]}. Mixed, the case has {mixed}."
        f"{more} For {names[best]} the greatest weight is {weights[top, best]:.3f}, of "
        f"{nodes[top]}, and the smallest {weights[:, best].min():.3f}."
    )
