"""One threshold on a ROC curve: its point, its confusion matrix and what it costs."""

from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.arguments import check_number
from ranktrees_engine.basics.kinds import ArrayLike
from ranktrees_engine.evaluate import Blocks, convex_hull
from ranktrees_lab.plot.inputs import scored
from ranktrees_lab.plot.parts import canvas, key, rectangles, write
from ranktrees_lab.plot.picture import Picture
from ranktrees_lab.plot.rankings import CHANCE, RATES, SIDE, rate_plane
from ranktrees_lab.plot.style import COLOURS, LARGE, NORMAL, TEAL

LEFT = SIDE + 0.95  # inches from the left where the words begin


class Operating(NamedTuple):
    """A ROC curve's corners (B + 1,) with the cost per case at each, the chosen and the best one.

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
        """Return the corners of scores (n,) of cases that are positive or not (n,)."""
        blocks = Blocks.of(hits, score)
        fpr, tpr = blocks.roc()
        thresholds, weight = np.concatenate([[np.inf], blocks.score]), share * miss
        cost = weight * (1 - tpr) + (1 - share) * fpr
        here = int((thresholds >= threshold).sum()) - 1
        slope = (1 - share) / weight if weight else np.inf
        return cls(fpr, tpr, thresholds, cost, here, int(cost.argmin()), slope)

    def rule(self) -> str:
        """Return the cheapest rule in words."""
        if self.best in (0, len(self.cost) - 1):
            return "calling everybody" if self.best else "calling nobody"
        return f"from a score of {self.threshold[self.best]:.3f} on"


def operating(
    y: ArrayLike,
    score: ArrayLike,
    threshold: float = 0.5,
    miss: float = 1,
    share: float | None = None,
    positive: object = None,
    figure: Picture | None = None,
) -> Picture:
    """Draw one threshold's point on the ROC curve, with its line of equal cost and the best one.

    `y` (n,) classes, `score` (n,) of the class `positive` (default the last): positive if at least
    `threshold`. A false alarm costs 1, a missed positive case `miss`; `share` is that of positive
    cases where the model will be used (default: their share in y), which the curve does not know.
    Raises ValueError for a share outside 0 to 1 and a negative cost.
    """
    hits, scores, positive = scored(y, score, positive)
    check_number("threshold", threshold, finite=False)
    check_number("miss", miss, 0)
    share = float(hits.mean()) if share is None else share
    check_number("share", share, 0, most=1)
    points = Operating.of(hits, scores["model"], threshold, miss, share)
    fig, ax = rate_plane(figure, *RATES)
    key(fig, LEFT, SIDE + 0.5, _curves(ax, points), 6.05 - SIDE)
    found, alarms, here = (each[points.here] for each in (points.tpr, points.fpr, points.cost))
    tp, fp, least = round(found * hits.sum()), round(alarms * (~hits).sum()), points.cost.min()
    _matrix(fig, [[tp, hits.sum() - tp], [fp, (~hits).sum() - fp]], positive)
    lines = [f"a miss costs {miss:g}, a false alarm 1", f"{share:.0%} of the cases are positive"]
    lines += [f"from {threshold:.3g} on a case costs {here:.3f}", f"least: {least:.3f},"]
    for i, line in enumerate([*lines, points.rule()]):
        colour = "black" if i < 3 else COLOURS["best"]
        write(fig, LEFT, SIDE - 2.05 - SIDE / 15 * i, line, points=NORMAL, color=colour)
    fig.alt = (
        f"ROC curve of class {positive}: at threshold {threshold:g}, {tp} of {hits.sum()} positive "
        f"cases are found (true positive rate {found:.1%}) with {fp} of {(~hits).sum()} false "
        f"alarms ({alarms:.1%}). With a miss at {miss:g} times the cost of a false alarm and "
        f"{share:.0%} positive cases, a case costs {here:.3f}; the least is {least:.3f}, "
        f"{points.rule()}."
    )
    return fig


def _curves(ax, points):
    """Draw the curve, its hull, and two points with lines of equal cost; return key entries."""
    curve = {"color": COLOURS["score"], "lw": 1.8}
    hull = {"color": TEAL, "lw": 1.5, "ls": (0, (2, 1.5))}
    ax.plot([0, 100], [0, 100], **CHANCE)
    ax.plot(*(100 * rate for rate in convex_hull(points.fpr, points.tpr)), zorder=2, **hull)
    dot = "." if len(points.cost) <= 60 else None
    ax.plot(100 * points.fpr, 100 * points.tpr, marker=dot, ms=5, zorder=3, **curve)
    entries = [("ROC curve", curve), ("its convex hull", hull)]
    marks = (("this threshold", points.here, "black", "o"),)
    for words, place, colour, marker in (*marks, ("cheapest", points.best, COLOURS["best"], "D")):
        x, y = 100 * points.fpr[place], 100 * points.tpr[place]
        line = {"color": colour, "lw": 1.3, "ls": (0, (6, 2))}
        if np.isinf(points.slope):
            ax.axvline(x, zorder=4, **line)
        else:
            ax.axline((x, y), slope=points.slope, zorder=4, **line)
        ring = {"marker": marker, "ms": 8, "mfc": "white", "mec": colour, "mew": 2}
        ax.plot([x], [y], ls="", zorder=5, clip_on=False, **ring)
        entries.append((f"{words}; equal cost", {**line, **ring}))
    return entries


def _matrix(fig, table, positive):
    """Draw the confusion matrix, true by called, right decisions shaded."""
    ax = canvas(fig, LEFT, SIDE - 1.8, LEFT + 2.65, SIDE - 0.45)
    write(ax, 1.8, 0.15, "called", ha="center")
    for r, name in enumerate((positive, "other")):
        x, y = 0.95 + 0.85 * np.arange(2), 0.55 + 0.34 * r
        write(ax, x[r] + 0.42, 0.4, name, 0.8, ha="center")
        write(ax, 0.85, y + 0.17, f"true {name}", 0.9, ha="right")
        fill = [COLOURS["marked"] if c == r else "#EFEFEF" for c in range(2)]
        rectangles(ax, x, y, x + 0.85, y + 0.34, facecolors=fill, edgecolors="white", lw=1.5)
        for c in range(2):
            write(ax, x[c] + 0.42, y + 0.17, table[r][c], points=LARGE, ha="center")
