"""The classes before a split and in each of its branches, as horizontal bars."""

from typing import NamedTuple

import numpy as np
from matplotlib.collections import LineCollection

from ranktrees.count import tally
from ranktrees.criteria import entropy
from ranktrees.teach.plot.legend import class_legend, legend_height
from ranktrees.teach.plot.picture import Picture, axes, picture, title
from ranktrees.teach.plot.style import (
    LARGE,
    SMALL,
    cases,
    class_colours,
    ink,
    shorten,
    some,
    text_width,
)

MOST = 20  # values drawn one by one; the rarest beyond are drawn as one bar
LINE = 0.17  # inches that a line of text needs
WIDTH, LEFT, RIGHT = 7.0, 1.75, 1.15


class Bars(NamedTuple):
    """A count table (V, C), its values and classes, and how many rare values the last row joins."""

    table: np.ndarray
    full: np.ndarray
    values: list[str]
    classes: list[str]
    joined: int

    @classmethod
    def count(cls, values, codes, names, classes) -> "Bars":
        """The table of value codes (n,) and class codes (n,), its rarest values joined."""
        full = tally((len(names), len(classes)), values, codes)
        if len(names) <= MOST:
            return cls(full, full, names, classes, 0)
        common = np.sort(np.argsort(-full.sum(axis=1), kind="stable")[: MOST - 1])
        rest = full.sum(axis=0) - full[common].sum(axis=0)
        joined = len(names) - len(common)
        shown = [names[v] for v in common]
        names = [*shown, f"{joined} others"]
        return cls(np.vstack([full[common], rest]), full, names, classes, joined)


def draw_bars(bars, attribute, criterion, score, gone, figure=None) -> Picture:
    """The parent's class bar on top, below it a bar a value, as thick as it has cases."""
    rows = np.vstack([bars.table.sum(axis=0), bars.table])
    heights, middle = _rows(rows)
    at = spread(middle, LINE * 1.1)
    above, below = min(0, at[0] - LINE / 2), max(middle[-1] + heights[-1] / 2, at[-1] + LINE / 2)
    left = LEFT if len(bars.classes) <= 6 else 0.1
    top = 0.3 + legend_height(bars.classes, WIDTH, left)
    fig = picture(figure, (WIDTH, below - above + 0.5 + top))  # a unit of the y axis is an inch
    ax = axes(fig, LEFT, 0.5, -RIGHT, -top)
    ax.set(xlim=(0, 100), ylim=(below, above), yticks=[], xlabel="share of the cases (%)")
    ax.spines["left"].set_visible(False)
    colours = class_colours(len(bars.classes))
    _segments(ax, rows, middle, heights, colours)
    _labels(ax, rows, middle, at, heights, ["all cases", *bars.values])
    told = judged(score, bars.full, criterion)[1]
    title(ax, shorten(f"{shorten(attribute, 1.9, LARGE)}: {told}", WIDTH - LEFT - 0.1, LARGE))
    class_legend(fig, bars.classes, colours, left)
    fig.alt = _sentence(bars, attribute, told) + gone
    return fig


def _rows(rows):
    """Height and middle in inches of the parent's bar and of the values' bars."""
    V = len(rows) - 1
    share = rows[1:].sum(axis=1) / rows[0].sum()
    heights = np.concatenate([[0.35], share * max(1.9, 0.24 * V)])
    gaps = np.concatenate([[0.14], np.full(V, min(0.06, 0.6 / V))])
    top = np.cumsum(np.concatenate([[0], (heights + gaps)[:-1]]))
    return heights, top + heights / 2


def judged(score, table, criterion) -> tuple[float | None, str]:
    """The criterion's score of a table and the words for it; or why it takes no such table."""
    name = criterion.replace("_", " ")
    try:
        value = float(score(table))
    except ValueError as error:
        why = str(error).split(", but")[0]
        return None, f"no {name}: {why}"
    return value, f"{name} {value:.4f}"


def _segments(ax, rows, middle, heights, colours):
    """Class shares side by side, one bar a row; counts where they fit."""
    total = np.maximum(rows.sum(axis=1, keepdims=True), 1)
    stop = np.cumsum(rows / total * 100, axis=1)
    start = np.concatenate([np.zeros((len(rows), 1)), stop[:, :-1]], axis=1)
    inch = (ax.figure.get_figwidth() - LEFT - RIGHT) / 100
    for c, colour in enumerate(colours):
        ax.barh(middle, stop[:, c] - start[:, c], heights, start[:, c], color=colour)
        for r in np.flatnonzero(rows[:, c]):
            label = f"{rows[r, c]:g}"
            fits = text_width(label) + 0.06 < (stop[r, c] - start[r, c]) * inch
            if fits and heights[r] >= LINE:
                x = (start[r, c] + stop[r, c]) / 2
                style = {"color": ink(colour), "fontsize": SMALL, "ha": "center"}
                ax.text(x, middle[r], label, va="center_baseline", **style)


def _labels(ax, rows, middle, at, heights, names):
    """Names at the left and cases at the right; those of thin bars are spread, with a line."""
    for r, name in enumerate(names):
        text = {"fontsize": SMALL, "va": "center", "fontweight": "bold" if r == 0 else "normal"}
        ax.text(-5, at[r], shorten(name, LEFT - 0.4), ha="right", **text)
        counts = cases(rows[r].sum())
        if rows[r].any() and heights[r] < LINE and rows.shape[1] <= 3:
            counts = " + ".join(f"{n:g}" for n in rows[r])
        ax.text(105, at[r], shorten(counts, RIGHT - 0.3), ha="left", **text)
    for x, edge in ((-0.5, -4), (100.5, 104)):
        lines = [((x, m), (edge, y)) for m, y in zip(middle, at, strict=True)]
        ax.add_collection(LineCollection(lines, colors="#AAAAAA", lw=0.7, clip_on=False))


def spread(at: np.ndarray, least: float) -> np.ndarray:
    """Ascending positions, moved as little as needed to lie `least` apart (pooled neighbours)."""
    blocks = []  # first position, number of positions
    for x in at:
        blocks.append((x, 1))
        while len(blocks) > 1 and blocks[-1][0] - blocks[-2][0] < blocks[-2][1] * least:
            (x1, n1), (x2, n2) = blocks[-2:]
            first = (x1 * n1 + (x2 - n1 * least) * n2) / (n1 + n2)
            blocks[-2:] = [(first, n1 + n2)]
    return np.concatenate([x + np.arange(n) * least for x, n in blocks])


def _sentence(bars, attribute, told):
    order = np.argsort(-bars.full.sum(axis=1), kind="stable")
    used = [v for v in order if bars.full[v].any()]
    names = bars.values if not bars.joined else None
    parts = []
    for v in used if names and len(used) <= 4 else ():
        counts = some([f"{n:g} {c}" for n, c in zip(bars.full[v], bars.classes, strict=True)], 3)
        parts.append(f"{names[v]}: {counts}")
    before = some([f"{n:g} {c}" for n, c in zip(bars.full.sum(axis=0), bars.classes, strict=True)])
    split = f"{attribute} splits {before} into {len(used)} branches ({told})"
    pure = int(sum(entropy(bars.full[v]) == 0 for v in used))
    end = f"; {'; '.join(parts)}." if parts else f", {pure or 'none'} of them pure."
    unused = len(bars.full) - len(used)
    values = "declared value does" if unused == 1 else "declared values do"
    return split + end + (f" {unused} {values} not occur." if unused else "")
