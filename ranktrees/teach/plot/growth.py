"""A split on the curve of an impurity: its branches, the chord between them, the gain above it."""

import numpy as np

from ranktrees.arguments import floats
from ranktrees.criteria import IMPURITIES, impurity_gain
from ranktrees.teach.plot.inputs import check_known
from ranktrees.teach.plot.parts import label, write
from ranktrees.teach.plot.picture import Picture, axes, picture, title
from ranktrees.teach.plot.style import COLOURS

STEPS, EDGE = 240, 0.13  # of the curve; a share so near to 0 or 1 has its words inside


def error_rate(counts) -> np.ndarray:
    """The share of cases (...,) that the largest class of counts (..., C) gets wrong."""
    counts = np.asarray(counts)
    return 1 - counts.max(axis=-1) / np.maximum(counts.sum(axis=-1), 1)


LENSES = {**IMPURITIES, "error rate": error_rate}


def lens(table, impurity: str = "entropy", figure=None) -> Picture:
    """The curve of an impurity, on it a node and its two branches, and the gain over their chord.

    `table` (2, 2), branch x class; `impurity` "entropy", "gini", "dkm" or "error rate". The mean
    of the branches, weighted, lies on the chord straight below the node; between them is the gain.
    Raises ValueError for another table or impurity, and for a table without a case.
    """
    check_known("impurity", impurity, LENSES)
    n, measure = floats("table", table), LENSES[impurity]
    if n.shape != (2, 2) or not (n >= 0).all() or not n.sum():
        raise ValueError(f"a lens needs a table of two branches and two classes, not {n.tolist()}")
    first = np.arange(STEPS + 1)
    curve, x = measure(np.stack([first, STEPS - first], axis=1)), first / STEPS
    fig = picture(figure, (6.6, 3.7))
    ax = axes(fig, 0.75, 0.55, -0.2, -0.35)
    ax.plot(x, curve, color=COLOURS["score"], lw=2)
    ax.set(xlim=(0, 1), ylim=(0, 1.12 * curve.max()))
    label(ax, "share of the first class", impurity)
    gain = float(impurity_gain(n, measure))
    title(ax, f"gain in {impurity}: {gain:.3f}")
    fig.alt = _draw_chord(ax, n, x, curve, measure, gain)
    return fig


def _draw_chord(ax, n, x, curve, measure, gain):
    """Node, branches, chord and gain; returns the sentence that says where they are."""
    total = n.sum(axis=0)
    p, before = total[0] / total.sum(), float(measure(total))
    words = f"The node ({total[0]:g}, {total[1]:g}) has impurity {before:.3f}"
    ax.plot([p], [before], "o", ms=9, color=COLOURS["parent"], zorder=5)
    used = n[n.any(axis=1)]
    if len(used) == 1:
        return f"{words}. One branch has no case: nothing is split, and the gain is 0."
    share, height = used[:, 0] / used.sum(axis=1), measure(used)
    ends = np.argsort(share)
    between = (x >= share.min()) & (x <= share.max())
    chord = np.interp(x[between], share[ends], height[ends])
    ax.fill_between(x[between], chord, curve[between], color=COLOURS["score"], alpha=0.15, lw=0)
    ax.plot(share, height, "o-", ms=7, lw=1.4, color=COLOURS["chosen"], zorder=4)
    ax.plot([p, p], [before - gain, before], lw=4, color=COLOURS["best"], zorder=3)
    rows = zip((True, False), used[ends], share[ends], height[ends], strict=True)
    for left, counts, at, high in rows:
        _name_branch(ax, left, f"({counts[0]:g}, {counts[1]:g})", at, high)
    parts = [f"({a:g}, {b:g}) {h:.3f}" for (a, b), h in zip(used, height, strict=True)]
    return (
        f"{words}, its branches {' and '.join(parts)}; their weighted mean, on the chord below the "
        f"node, is {before - gain:.3f}: a gain of {gain:.3f}."
    )


def _name_branch(ax, left, text, at, high):
    """The counts beside an end of the chord: outside of the curve where there is room for them."""
    inside = at < EDGE if left else at > 1 - EDGE
    outward = -1 if left else 1
    above = not inside and (at <= 0.5 if left else at >= 0.5)
    x = at + 0.02 * (outward if not inside else -outward)
    y = high + (0.05 if above else -0.06) * ax.get_ylim()[1]
    ha = "right" if left != inside else "left"
    write(ax, x, max(y, 0.04 * ax.get_ylim()[1]), text, ha=ha)
