"""One path, all estimates: the nodes of a case's path, and the result of each estimate."""

from collections.abc import Mapping, Sequence

import numpy as np

from ranktrees_engine.basics.arguments import as_names, check_dict, check_number, floats
from ranktrees_engine.basics.kinds import ArrayLike
from ranktrees_lab.plot.inputs import check_known
from ranktrees_lab.plot.parts import (
    LINE,
    frame,
    label,
    mark,
    rectangles,
    row_names,
    share_bars,
    write,
)
from ranktrees_lab.plot.picture import Picture, axes
from ranktrees_lab.plot.style import LETTERS, RED, ROSE, TEAL, class_colours, wrapped

LEFT, RIGHT, GROUP = 3.1 + 1.2 * (LETTERS - 1), 0.7, 1.3  # inches: the margins, a group's name
WIDTH = LEFT + 4.5
NODE, ROW, GAP, FOOT = 0.22, 0.175, 0.07, 0.45  # inches: a node, an estimate, between groups, below
MOST = 6  # nodes of a path that are drawn: the root and the last ones
LOOKS = ((ROSE, "o"), (TEAL, "^"), (RED, "s"))  # of each group
GUIDE, PALE = "#BBBBBB", "#F4F4F4"


def one_path(
    nodes: Sequence,
    counts: ArrayLike,
    said: Mapping[str, Mapping[str, float]],
    classes: Sequence,
    positive: str,
    before: Mapping[str, Mapping[str, float]] | None = None,
    figure: Picture | None = None,
) -> Picture:
    """Draw the class shares at the nodes of one path, and below a marker for each estimate.

    `nodes` (K,) names, the root first, `counts` (K, C) their training cases, `classes` (C,) names;
    `said` {group: {estimate: probability of the class `positive`}}; a ring shows the value in
    `before` if it differs. All share one axis, the probability of that class, where a node's bar
    changes its colour. With more than six nodes the root and the last ones are drawn. Raises
    ValueError for shapes that differ and an unknown class.
    """
    nodes, names = as_names("nodes", nodes), as_names("classes", classes)
    counts, before = _checked(nodes, counts, said, names, before)
    check_known("positive", positive, names)
    c, K = names.index(positive), min(len(nodes), MOST)
    high = FOOT + ROW * sum(map(len, said.values())) + GAP * len(said) + NODE * K + 0.1
    fig = frame(figure, WIDTH, high, names, class_colours(len(names)), LEFT)
    ax = axes(fig, LEFT, FOOT, -RIGHT, high - 0.05)
    top, pitch = (high - 0.05 - FOOT) / ROW, NODE / ROW  # an estimate is one unit of the axis high
    ax.set(xlim=(0, 1), ylim=(0, top), yticks=[], axisbelow=True)
    ax.spines["left"].set_visible(False)
    label(ax, f"P({positive})", grid="x")
    shown = [0, *range(len(nodes) - K + 1, len(nodes))]
    words = [nodes[k] for k in shown]
    words[1:2] = [f"… {word}" if len(nodes) > K else word for word in words[1:2]]
    _bars(ax, counts[shown], c, top - pitch * (np.arange(K) + 0.5), words)
    _marks(ax, said, before, top - pitch * K - GAP / ROW)
    fig.alt = _sentence(nodes, counts[:, c], counts.sum(axis=1), said, positive)
    return fig


def _checked(nodes, counts, said, names, before):
    """Return counts as numbers, and what was said before; ValueError if that is not like `said`."""
    counts = floats("counts", counts)
    if counts.shape != (shape := (len(nodes), len(names))):
        raise ValueError(f"counts {counts.shape} must be (nodes, classes), here {shape}")
    before = said if before is None else before
    _check_said("said", said, said)
    _check_said("before", before, said)
    return counts, before


def _check_said(what, said, like):
    """Raise TypeError or ValueError unless it holds a probability of each estimate of `like`."""
    check_dict(what, said, "{group: {estimate: probability}}")
    for group, estimates in like.items():
        check_dict(f"each group of {what}", said.get(group), "{estimate: probability}")
        for name in estimates:
            check_number(f"{name!r} of {what}", said[group].get(name), 0)


def _bars(ax, counts, c, places, words):
    """Draw the nodes, class `c` first in each bar, and lines down from the first and last one."""
    order = [c, *[k for k in range(counts.shape[1]) if k != c]]
    colours = class_colours(counts.shape[1])
    shares = counts[:, c] / np.maximum(counts.sum(axis=1), 1)
    for k in {0, len(shares) - 1}:
        ax.plot([shares[k]] * 2, [0, places[k]], color=GUIDE, lw=1, ls="--", zorder=0)
    table = counts[:, order]
    share_bars(ax, table, 0, 1, places, 1.1, [colours[k] for k in order], "{:g}")
    row_names(ax, places, words, LEFT - 0.15)


def _marks(ax, said, before, top):
    """Draw a row per estimate, group after group: its marker, and its number at the right."""
    left = -LEFT / (WIDTH - LEFT - RIGHT)
    sides = {"transform": ax.get_yaxis_transform()}
    for k, (group, estimates) in enumerate(said.items()):
        colour, marker = LOOKS[k % len(LOOKS)]
        low = top - len(estimates)
        rectangles(ax, 0, low, 1, top, facecolors=PALE, zorder=-1)
        for i, line in enumerate(wrapped(group, GROUP - 0.1, bold=True)):
            y = top - 0.5 - i * LINE / ROW
            write(ax, left + 0.02, y, line, fontweight="bold", **sides)
        for i, (name, p) in enumerate(estimates.items()):
            y, was = top - 0.5 - i, before[group][name]
            if abs(was - p) > 5e-4:
                ax.plot([was, p], [y, y], color=colour, lw=1, zorder=3)
                ax.plot([was], [y], **mark(colour, "ring", 4), zorder=3, clip_on=False)
            ax.plot([p], [y], **mark(colour, marker), zorder=4, clip_on=False)
            write(ax, 1.03, y, f"{p:.3f}", **sides)
        row_names(ax, top - 0.5 - np.arange(len(estimates)), list(estimates), LEFT - GROUP - 0.2)
        top = low - GAP / ROW


def _sentence(nodes, n, total, said, positive):
    parts = [f"{name} {a:g} of {b:g}" for name, a, b in zip(nodes, n, total, strict=True)]
    parts[MOST:-1] = ["…"] * (len(parts) > MOST + 1)
    groups = []
    for group, estimates in said.items():
        numbers = ", ".join(f"{name} {p:.3f}" for name, p in estimates.items())
        groups.append(f"{group}: {numbers}")
    path = f"On the path are of class {positive}: {'; '.join(parts)}."
    return f"{path} P({positive}) by {'; '.join(groups)}."
