"""Average ranks of methods, and which of them are too close to call."""

import numpy as np
import pandas as pd

from ranktrees.arguments import check_number
from ranktrees.evaluate.significance import groups
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import COLOURS, SMALL, shorten, some, text_width

WIDTH, LEFT, RIGHT = 7.5, 2.4, 5.1  # inches: the picture, and the ends of the axis of ranks
HEAD, BAR, ROW = 0.85, 0.13, 0.24  # inches: above the axis, for each joining bar, for each name


def critical_difference(results, cd=None, measure="auc", alpha=0.05, figure=None) -> Picture:
    """Methods on an axis of average ranks, 1 best at the left; bars join what `cd` cannot tell.

    `results` of `compare`, whose ranks by `measure` and Nemenyi's critical difference at `alpha`
    are taken, or ranks {method: average rank} with their `cd`. Raises ValueError for fewer than two
    methods, ranks that are not numbers from 1 to the number of methods, or a missing `cd`.
    Source: Demsar 2006, Fig. 1.
    """
    if hasattr(results, "critical_difference"):
        cd = results.critical_difference(measure, alpha) if cd is None else cd
        results = results.ranks(measure)
    ranks = _checked(results, cd)
    joined = groups(ranks.to_numpy(), cd)
    rows = -(-len(ranks) // 2)
    height = HEAD + BAR * (len(joined) + 1) + ROW * rows + 0.15
    fig = picture(figure, (WIDTH, height))
    ax = axes(fig, 0, 0, WIDTH, height, ticks=False)
    ax.set(xlim=(0, WIDTH), ylim=(0, height))
    line = height - HEAD
    _axis(ax, len(ranks), line)
    _gauge(ax, len(ranks), cd, height - 0.32)
    _names(ax, ranks, line, line - BAR * (len(joined) + 1))
    for i, (first, last) in enumerate(joined):
        start, end = _place(ranks.iloc[[first, last]].to_numpy(), len(ranks))
        y = line - BAR * (i + 1)
        ax.plot([start - 0.05, end + 0.05], [y, y], lw=4, color=COLOURS["score"])
    fig.alt = _sentence(ranks, cd, joined)
    return fig


def _checked(ranks, cd):
    ranks = pd.Series(ranks, dtype=float).sort_values(kind="stable")
    k = len(ranks)
    if k < 2:
        raise ValueError(f"a ranking needs at least two methods, not {k}")
    if not ((ranks >= 1) & (ranks <= k)).all():
        raise ValueError(f"average ranks of {k} methods lie between 1 and {k}: {ranks.to_dict()}")
    if cd is None:
        raise ValueError("give cd, the critical difference that belongs to these ranks")
    check_number("cd", cd, 0)
    return ranks


def _place(rank, k):
    """Where a rank lies, in inches from the left."""
    return LEFT + (np.asarray(rank) - 1) / (k - 1) * (RIGHT - LEFT)


def _axis(ax, k, line):
    ax.plot([LEFT, RIGHT], [line, line], color="black", lw=1)
    for rank in range(1, k + 1, -(-k // 12)):
        x = _place(rank, k)
        ax.plot([x, x], [line, line + 0.06], color="black", lw=1)
        ax.text(x, line + 0.09, str(rank), ha="center", va="bottom", fontsize=SMALL)
    ax.text(LEFT - 0.2, line + 0.09, "average rank", ha="right", va="bottom", fontsize=SMALL)


def _gauge(ax, k, cd, y):
    """The critical difference as a length, cut at the end of the axis."""
    end = min(float(_place(1 + cd, k)), RIGHT)
    ax.plot([LEFT, end], [y, y], color=COLOURS["best"], lw=2)
    for x in (LEFT, end):
        ax.plot([x, x], [y - 0.05, y + 0.05], color=COLOURS["best"], lw=2)
    words = f"critical difference {cd:.2f}" + (", beyond the axis" if cd > k - 1 else "")
    ax.text(LEFT, y + 0.08, words, color=COLOURS["best"], fontsize=SMALL, va="bottom")


def _names(ax, ranks, line, top):
    """Names at both sides, the better half at the left, each led to its place on the axis."""
    half = -(-len(ranks) // 2)
    for i, (name, rank) in enumerate(ranks.items()):
        left = i < half
        y = top - ROW * ((i if left else len(ranks) - 1 - i) + 0.5)
        x, end = float(_place(rank, len(ranks))), LEFT - 0.15 if left else RIGHT + 0.15
        ax.plot([x, x, end], [line, y, y], color="black", lw=0.8)
        number = f"{rank:.2f}"
        room = (end if left else WIDTH - end) - 0.25 - text_width("  " + number)
        label = f"{shorten(name, room)}  {number}"
        at = end - 0.06 if left else end + 0.06
        ax.text(at, y, label, ha="right" if left else "left", va="center", fontsize=SMALL)


def _sentence(ranks, cd, joined):
    told = ", ".join(f"{name} {rank:.2f}" for name, rank in ranks.items())
    within = [some(ranks.index[first : last + 1], len(ranks)) for first, last in joined]
    close = "every two differ" if not joined else f"too close to tell apart: {'; '.join(within)}"
    head = f"Average ranks of {len(ranks)} methods, 1 best: {told}."
    return f"{head} Critical difference {cd:.2f}: {close}."
