"""One threshold on a ROC curve: its point, its confusion matrix and what it costs."""

from typing import NamedTuple

import numpy as np
from matplotlib.patches import Rectangle

from ranktrees.arguments import check_number
from ranktrees.evaluate import Blocks, convex_hull
from ranktrees.teach.plot.inputs import scored
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import BLACK, COLOURS, GREEN, LARGE, NORMAL, SMALL, shorten

WIDTH, SQUARE = 7.6, 3.75  # inches: the picture, the side of the curve's axes


class Operating(NamedTuple):
    """A ROC curve's corners (B + 1,) with the cost of a case at each, one chosen and the best one.

    The cost is share x miss x (1 - tpr) + (1 - share) x fpr: a false alarm costs 1.
    """

    fpr: np.ndarray
    tpr: np.ndarray
    threshold: np.ndarray
    cost: np.ndarray
    here: int
    best: int
    slope: float

    @classmethod
    def of(cls, hits, score, threshold, miss: float, share: float) -> "Operating":
        """The corners of scores (n,) of cases that are positive or not (n,)."""
        blocks = Blocks.of(hits, score)
        fpr, tpr = blocks.roc()
        thresholds = np.concatenate([[np.inf], blocks.score])
        cost = share * miss * (1 - tpr) + (1 - share) * fpr
        here = int((thresholds >= threshold).sum()) - 1
        weight = share * miss
        slope = (1 - share) / weight if weight else np.inf
        return cls(fpr, tpr, thresholds, cost, here, int(cost.argmin()), slope)


def operating(
    y, score, threshold: float = 0.5, miss: float = 1, share=None, positive=None, figure=None
) -> Picture:
    """The point of one threshold on the ROC curve, with its line of equal cost and the best one.

    `y` (n,) classes, `score` (n,) of the class `positive` (default the last): called positive from
    `threshold` on. A false alarm costs 1, a missed positive case `miss`; `share` of the positive
    cases where the model will be used (default: their share in y), which the curve does not know.
    Raises ValueError for a share outside 0 to 1 and a negative cost.
    """
    hits, scores, positive = scored(y, score, positive)
    check_number("miss", miss, 0)
    share = float(hits.mean()) if share is None else share
    check_number("share", share, 0)
    if share > 1:
        raise ValueError(f"share must lie between 0 and 1, but it is {share!r}")
    points = Operating.of(hits, scores["model"], threshold, miss, share)
    fig = picture(figure, (WIDTH, 4.5))
    _plane(axes(fig, 0.75, 0.6, 0.75 + SQUARE, 0.6 + SQUARE), points)
    table = _confusion(points, hits)
    side = axes(fig, 4.75, 0, WIDTH, 4.5, ticks=False)
    side.set(xlim=(0, WIDTH - 4.75), ylim=(0, 4.5))
    _key(side)
    _matrix(side, table, positive)
    _costs(side, points, threshold, miss, share)
    fig.alt = _sentence(points, table, positive, threshold, miss, share)
    return fig


def _confusion(points, hits):
    """Counts (2, 2): rows positive and negative cases, columns called so or not."""
    tp = round(points.tpr[points.here] * hits.sum())
    fp = round(points.fpr[points.here] * (~hits).sum())
    return np.array([[tp, hits.sum() - tp], [fp, (~hits).sum() - fp]])


def _plane(ax, points):
    ax.set(xlim=(-2, 102), ylim=(-2, 102))
    ax.set(xlabel="false positive rate (%)", ylabel="true positive rate (%)")
    ax.grid(color="#E5E5E5", lw=0.6)
    ax.plot([0, 100], [0, 100], color=COLOURS["random"], lw=1)
    hull = convex_hull(points.fpr, points.tpr)
    ax.plot(100 * hull[0], 100 * hull[1], color=GREEN, lw=1.5, ls=(0, (2, 1.5)), zorder=2)
    dot = "." if len(points.cost) <= 60 else None
    style = {"color": COLOURS["score"], "marker": dot, "ms": 5, "lw": 1.8, "zorder": 3}
    ax.plot(100 * points.fpr, 100 * points.tpr, **style)
    for place, colour, mark in ((points.here, BLACK, "o"), (points.best, COLOURS["best"], "D")):
        x, y = 100 * points.fpr[place], 100 * points.tpr[place]
        _line(ax, x, y, points.slope, colour)
        ring = {"ms": 9, "mfc": "white", "mec": colour, "mew": 2}
        ax.plot([x], [y], mark, zorder=5, clip_on=False, **ring)


def _line(ax, x, y, slope, colour):
    """The line of equal cost through a point."""
    style = {"color": colour, "lw": 1.3, "ls": (0, (6, 2)), "zorder": 4}
    if np.isinf(slope):
        ax.axvline(x, **style)
    else:
        ax.axline((x, y), slope=slope, **style)


def _key(side):
    entries = [
        (COLOURS["score"], "-", "", "ROC curve"),
        (GREEN, (0, (2, 1.5)), "", "its convex hull"),
        (BLACK, (0, (6, 2)), "o", "this threshold; equal cost"),
        (COLOURS["best"], (0, (6, 2)), "D", "cheapest; equal cost"),
    ]
    for i, (colour, dashes, mark, text) in enumerate(entries):
        y = 4.22 - 0.23 * i
        style = {"color": colour, "ls": dashes, "lw": 1.8}
        side.plot([0.1, 0.5], [y, y], **style)
        side.plot([0.3], [y], mark or "None", ms=7, mfc="white", mec=colour, mew=1.8)
        side.text(0.6, y, text, fontsize=SMALL, va="center_baseline")


def _matrix(side, table, positive):
    """The confusion matrix, right decisions shaded."""
    left, top, cell = 1.05, 2.72, (0.85, 0.34)
    side.text(left + cell[0], top + 0.3, "called", ha="center", fontsize=SMALL)
    for k, name in enumerate((positive, "other")):
        middle = left + cell[0] * (k + 0.5), top - cell[1] * (k + 0.5)
        side.text(middle[0], top + 0.08, shorten(name, 0.8), ha="center", fontsize=SMALL)
        text = shorten(f"true {name}", 0.9)
        style = {"ha": "right", "va": "center_baseline", "fontsize": SMALL}
        side.text(left - 0.1, middle[1], text, **style)
    for (r, c), count in np.ndenumerate(table):
        x, y = left + c * cell[0], top - (r + 1) * cell[1]
        colour = "#BFD9EA" if r == c else "#EFEFEF"
        side.add_patch(Rectangle((x, y), *cell, facecolor=colour, edgecolor="white", lw=1.5))
        side.text(
            x + cell[0] / 2,
            y + cell[1] / 2,
            str(count),
            ha="center",
            va="center_baseline",
            fontsize=LARGE,
        )


def _costs(side, points, threshold, miss, share):
    here, best = points.here, points.best
    lines = [
        f"a miss costs {miss:g}, a false alarm 1",
        f"{share:.0%} of the cases are positive",
        f"from {threshold:.3g} on a case costs {points.cost[here]:.3f}",
    ]
    for i, text in enumerate(lines):
        side.text(0.1, 1.68 - 0.25 * i, text, fontsize=NORMAL)
    text = f"least: {points.cost[best]:.3f},\n{_rule(points)}"
    side.text(0.1, 0.92, text, fontsize=NORMAL, color=COLOURS["best"], va="top")


def _rule(points):
    if points.best in (0, len(points.cost) - 1):
        return "calling everybody" if points.best else "calling nobody"
    return f"from a score of {points.threshold[points.best]:.3f} on"


def _sentence(points, table, positive, threshold, miss, share):
    (tp, fn), (fp, tn) = table
    return (
        f"ROC curve of class {positive}: at threshold {threshold:g}, {tp} of {tp + fn} positive "
        f"cases are found (true positive rate {points.tpr[points.here]:.1%}) with {fp} of "
        f"{fp + tn} false alarms ({points.fpr[points.here]:.1%}). With a miss at {miss:g} times "
        f"the cost of a false alarm and {share:.0%} positive cases, a case costs "
        f"{points.cost[points.here]:.3f}; the least is {points.cost[points.best]:.3f}, "
        f"{_rule(points)}."
    )
