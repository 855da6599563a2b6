"""One threshold: who is called, its points on the ROC and precision-recall curves, its costs."""

from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.arguments import check_number
from ranktrees_engine.basics.kinds import ArrayLike
from ranktrees_engine.evaluate import Blocks, convex_hull
from ranktrees_lab.plot.inputs import scored
from ranktrees_lab.plot.parts import canvas, key, label, rectangles, write
from ranktrees_lab.plot.picture import Picture, axes, picture, title
from ranktrees_lab.plot.rankings import CHANCE, RATES
from ranktrees_lab.plot.style import (
    COLOURS,
    LARGE,
    LETTERS,
    NORMAL,
    TEAL,
    class_colours,
)

SIDE, LEFT, APART = (1.9, 0.62, 0.6) if LETTERS == 1 else (1.75, 0.75, 0.7)  # inches of a panel
LOW, WIDE, HIGH = 1.62, 7.75, 3.95  # inches: below the panels; of the picture
BINS = 24
HULL = {"color": TEAL, "lw": 1.5, "ls": (0, (2, 1.5))}
CURVE = {"color": COLOURS["score"], "lw": 1.8}
PALE = 0.35


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
    share: float

    @classmethod
    def of(cls, hits, score, threshold, miss: float, share: float) -> "Operating":
        """Return the corners of scores (n,) of cases that are positive or not (n,)."""
        blocks = Blocks.of(hits, score)
        fpr, tpr = blocks.roc()
        thresholds, weight = np.concatenate([[np.inf], blocks.score]), share * miss
        cost = weight * (1 - tpr) + (1 - share) * fpr
        here = int((thresholds >= threshold).sum()) - 1
        slope = (1 - share) / weight if weight else np.inf
        return cls(fpr, tpr, thresholds, cost, here, int(cost.argmin()), slope, share)

    @property
    def precision(self) -> np.ndarray:
        """Share of positive cases among those called, where the model is used; nan for nobody."""
        hits, alarms = self.share * self.tpr, (1 - self.share) * self.fpr
        return np.divide(hits, hits + alarms, np.full(len(hits), np.nan), where=hits + alarms > 0)

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
    """Draw one threshold: the scores of both classes, its points on two curves, and its cost.

    `y` (n,) classes, `score` (n,) of the class `positive` (default the last): positive if at least
    `threshold`. A false alarm costs 1, a missed positive case `miss`; `share` is that of positive
    cases where the model will be used (default: their share in y). The ROC curve does not know it,
    precision does. Dashed lines are lines of equal cost. Raises ValueError for a share outside 0 to
    1 and a negative cost.
    """
    hits, scores, positive = scored(y, score, positive)
    check_number("threshold", threshold, finite=False)
    check_number("miss", miss, 0)
    share = float(hits.mean()) if share is None else share
    check_number("share", share, 0, most=1)
    score = scores["model"]
    points = Operating.of(hits, score, threshold, miss, share)
    fig = picture(figure, (WIDE, HIGH))
    colours = class_colours(2)[:: 1 if min(map(str, y)) == str(positive) else -1]
    _scores(_panel(fig, 0), hits, score, threshold, positive, colours)
    _roc(_panel(fig, 1), points)
    _recall(_panel(fig, 2), points)
    key(fig, 3.0, 0.85, _key(), 1.35)
    _costs(fig, points, threshold, miss)
    called = score >= threshold
    table = [
        [int((of_class & way).sum()) for way in (called, ~called)] for of_class in (hits, ~hits)
    ]
    _matrix(fig, table, positive)
    fig.alt = _sentence(points, table, positive, threshold, miss)
    return fig


def _sentence(points, table, positive, threshold, miss):
    """Return what is called at this threshold, what it costs, and the least cost."""
    (tp, fn), (fp, tn) = table
    names = "tpr", "fpr", "precision", "cost"
    rate, alarms, precise, here = (getattr(points, name)[points.here] for name in names)
    called = "nobody is called" if np.isnan(precise) else f"precision there {precise:.1%}"
    return (
        f"Scores of both classes, ROC curve and precision by recall of class {positive}: at "
        f"threshold {threshold:g}, {tp} of {tp + fn} positive cases are found (true positive rate "
        f"{rate:.1%}) with {fp} of {fp + tn} false alarms ({alarms:.1%}). With a miss at {miss:g} "
        f"times the cost of a false alarm and {points.share:.0%} positive cases ({called}), a case "
        f"costs {here:.3f}; the least is {points.cost.min():.3f}, {points.rule()}."
    )


def _panel(fig, number):
    """Return the axes of the first, second or third panel from the left."""
    left = LEFT + number * (SIDE + APART)
    return axes(fig, left, LOW, left + SIDE, LOW + SIDE)


def _scores(ax, hits, score, threshold, positive, colours):
    """Draw the scores of both classes, one above and one below; who is not called is pale."""
    low, high = min(score.min(), 0.0), max(score.max(), 1.0)
    if low < 0 or high > 1:
        low, high = score.min(), max(score.max(), score.min() + 1e-9)
    edges = np.linspace(low, high, BINS + 1)
    for of_class, way, colour in zip((hits, ~hits), (1, -1), colours, strict=True):
        for chosen, alpha in ((score >= threshold, 1), (score < threshold, PALE)):
            n = np.histogram(score[of_class & chosen], edges)[0] * 100 / max(of_class.sum(), 1)
            ax.stairs(way * n, edges, fill=True, color=colour, alpha=alpha, lw=0)
    top = 1.3 * max(abs(limit) for limit in ax.get_ylim())
    ax.set(xlim=(low, high), ylim=(-top, top))
    ticks = [tick for tick in ax.get_yticks() if abs(tick) <= top]
    ax.set_yticks(ticks, [f"{abs(tick):g}" for tick in ticks])
    ax.axhline(0, color="black", lw=0.8)
    ax.axvline(min(max(threshold, low), high), color="black", lw=1.5)
    for y, name, colour in ((0.95, positive, colours[0]), (0.05, "other", colours[1])):
        style = {"transform": ax.transAxes, "ha": "right", "fontweight": "bold", "color": colour}
        write(ax, 0.98, y, name, SIDE - 0.2, **style)
    label(ax, "score", "% of the class", "y")
    ax.set_axisbelow(True)
    title(ax, "who is called")


def _roc(ax, points):
    """Draw the ROC curve, its hull, and two points with their lines of equal cost."""
    ax.plot([0, 100], [0, 100], **CHANCE)
    ax.plot(*(100 * rate for rate in convex_hull(points.fpr, points.tpr)), zorder=2, **HULL)
    ax.plot(100 * points.fpr, 100 * points.tpr, zorder=3, **CURVE)
    for corner, look in _marks(points):
        x, y = 100 * points.fpr[corner], 100 * points.tpr[corner]
        line = {"color": look["mec"], "lw": 1.2, "ls": (0, (6, 2)), "zorder": 4}
        ax.plot(*_inside(x, y, points.slope), **line)
        ax.plot([x], [y], ls="", zorder=5, clip_on=False, **look)
    _rates(ax, *(RATES if LETTERS == 1 else ("false alarms (%)", "found (%)")))
    title(ax, "ROC curve")


def _inside(x, y, slope):
    """Return the part of a line through (x, y) that lies in the square from 0 to 100."""
    if np.isinf(slope):
        return [x, x], [0, 100]
    ends = [0.0, 100.0] if slope == 0 else [x - y / slope, x + (100 - y) / slope]
    ends = np.clip(ends, 0, 100)
    return ends, y + slope * (ends - x)


def _recall(ax, points):
    """Draw precision by recall at the share of positive cases where the model is used."""
    precision = 100 * points.precision
    ax.plot([0, 100], [100 * points.share] * 2, **CHANCE)
    recall = 100 * points.tpr[1:]
    ax.step([0, *recall], [precision[1], *precision[1:]], where="pre", zorder=3, **CURVE)
    for corner, look in _marks(points):
        if not np.isnan(precision[corner]):
            here = [100 * points.tpr[corner]], [precision[corner]]
            ax.plot(*here, ls="", zorder=5, clip_on=False, **look)
    _rates(ax, "recall: found (%)", "precision (%)")
    title(ax, f"{points.share:.0%} positive", SIDE + 0.2)


def _rates(ax, xlabel, ylabel):
    ax.set(xlim=(0, 100), ylim=(0, 100), xticks=(ticks := [0, 25, 50, 75, 100]), yticks=ticks)
    label(ax, xlabel, ylabel, "both")
    ax.yaxis.labelpad = 1


def _marks(points):
    """Return (corner, style) of the points: the cheapest, and this threshold on top of it."""
    style = {"ms": 8, "mfc": "white", "mew": 2}
    cheapest = {**style, "marker": "D", "mec": COLOURS["best"], "ms": 9}
    return (points.best, cheapest), (points.here, {**style, "marker": "o", "mec": "black"})


def _key():
    """Return the words for points and lines of both curves."""
    style = {"lw": 1.2, "ls": (0, (6, 2)), "mfc": "white", "mew": 2, "ms": 8}
    best = COLOURS["best"]
    return [
        ("this threshold", {**style, "color": "black", "marker": "o", "mec": "black"}),
        ("the cheapest", {**style, "color": best, "marker": "D", "mec": best}),
        ("convex hull", HULL),
        ("by chance", CHANCE),
    ]


def _costs(fig, points, threshold, miss):
    """Write prices, what a case costs at this threshold, and the least."""
    here, least = points.cost[points.here], points.cost.min()
    lines = [
        (f"costs: miss {miss:g}, alarm 1", "black"),
        (f"from {threshold:g} on: {here:.3f} a case", "black"),
        (f"the least: {least:.3f},", COLOURS["best"]),
        (points.rule(), COLOURS["best"]),
    ]
    for i, (line, colour) in enumerate(lines):
        write(fig, 5.0, 0.85 - 0.23 * i, line, WIDE - 5.05, points=NORMAL, color=colour)


def _matrix(fig, table, positive):
    """Draw the confusion matrix, true by called, right decisions shaded."""
    ax = canvas(fig, 0.05, 0.03, 2.75, 0.99)
    write(ax, 0.92, 0.12, "called", ha="right")
    for r, name in enumerate((positive, "other")):
        x, y = 1.0 + 0.85 * np.arange(2), 0.26 + 0.35 * r
        write(ax, x[r] + 0.42, 0.12, name, 0.8, ha="center")
        write(ax, 0.92, y + 0.17, f"true {name}", 0.9, ha="right")
        fill = [COLOURS["marked"] if c == r else "#EFEFEF" for c in range(2)]
        rectangles(ax, x, y, x + 0.85, y + 0.34, facecolors=fill, edgecolors="white", lw=1.5)
        for c in range(2):
            write(ax, x[c] + 0.42, y + 0.17, table[r][c], points=LARGE, ha="center")
