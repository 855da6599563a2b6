"""Entropy, Gini and DKM of a two-class node, whatever the share of its first class."""

import numpy as np

from ranktrees.criteria import IMPURITIES
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import COLOURS, DASHES, SMALL, plain, text_width

NAMES = {"entropy": "entropy (bits)", "gini": "Gini index", "dkm": "DKM"}
WIDTH, LEFT, RIGHT = 6.0, 0.75, 0.2
ROW = 0.19
STEPS = 200


def impurity(points=None, figure=None) -> Picture:
    """Three impurities against the share p of the first class, and Gini doubled as a thin line.

    Each has its maximum at p = 1/2; scaled to the same maximum, Gini lies between the others.
    `points` {label: (n1, n2)} marks nodes by their class counts. Raises ValueError for counts that
    are negative, both 0 or not two.
    """
    marks = {str(label): _counts(label, n) for label, n in (points or {}).items()}
    rows = _rows({label: n[0] / n.sum() for label, n in marks.items()})
    top = 0.15 + ROW * (max(rows.values(), default=-1) + 1)
    fig = picture(figure, (WIDTH, 3.6 + top))
    ax = axes(fig, LEFT, 0.5, -RIGHT, -top)
    ax.set(xlim=(0, 1), ylim=(0, 1.05), ylabel="impurity")
    ax.set_xlabel("p, the share of the first class in the node")
    first = np.arange(STEPS + 1)
    grid = np.stack([first, STEPS - first], axis=1)
    for (name, measure), dashes in zip(IMPURITIES.items(), DASHES, strict=False):
        style = {"color": COLOURS[name], "ls": dashes}
        value = measure(grid)
        ax.plot(first / STEPS, value, lw=2, label=NAMES[name], **style)
        factor = round(1 / float(value.max()), 9)
        if factor != 1:
            scaled = f"{factor:g} × {NAMES[name]}"
            ax.plot(first / STEPS, factor * value, lw=0.9, label=scaled, **style)
    for label, n in marks.items():
        _mark(ax, label, n, rows[label])
    ax.legend(loc="lower center", edgecolor="none", framealpha=1, fontsize=SMALL, handlelength=3)
    fig.alt = _sentence(marks)
    return fig


def _counts(label, n):
    n = np.asarray(n, dtype=float)
    if n.shape != (2,) or not (n >= 0).all() or not n.sum() > 0:
        raise ValueError(f"point {label!r} must be two class counts, at least one above 0: not {n}")
    return n


def _rows(places):
    """For each label the row above the picture in which it meets no other."""
    rows, ends = {}, []
    for label, p in sorted(places.items(), key=lambda pair: pair[1]):
        start, stop = _span(label, p)
        row = next((r for r, end in enumerate(ends) if end < start), len(ends))
        ends[row : row + 1] = [stop]
        rows[label] = row
    return rows


def _span(label, p):
    """Left and right end in inches of a label that stands over p, inside the picture."""
    width = text_width(label) + 0.08
    left = min(LEFT + p * (WIDTH - LEFT - RIGHT) - width / 2, WIDTH - width)
    return max(left, 0), max(left, 0) + width


def _mark(ax, label, n, row):
    p, fig = n[0] / n.sum(), ax.figure
    ax.axvline(p, color=COLOURS["parent"], lw=0.8, ls=":")
    for name, measure in IMPURITIES.items():
        ax.plot([p], [float(measure(n))], "o", ms=5, color=COLOURS[name], clip_on=False, zorder=3)
    width, height = fig.get_size_inches()
    rows_top = height * ax.get_position().y1 + 0.02
    x = (sum(_span(label, p)) / 2) / width
    y = (rows_top + (row + 0.5) * ROW) / height
    fig.text(x, y, plain(label), ha="center", va="center", fontsize=SMALL)


def _sentence(marks):
    text = (
        "Entropy, Gini index and DKM of a node with two classes are 0 when it is pure and largest, "
        "1 bit, 0.5 and 1, when both classes are equally frequent."
    )
    for label, n in marks.items():
        values = [f"{NAMES[k].split(' (')[0]} {float(m(n)):.3f}" for k, m in IMPURITIES.items()]
        counts = f"({n[0]:g}, {n[1]:g})"
        name = counts if label == counts else f"{label} {counts}"
        text += f" {name}: {', '.join(values)}."
    return text
