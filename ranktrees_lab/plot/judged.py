"""One of several scores in colour, the others pale: its ROC curve, and beside it how reliable."""

from ranktrees_engine.basics.kinds import ArrayLike, Scores
from ranktrees_engine.evaluate import Blocks, calibration_curve
from ranktrees_lab.plot.inputs import check_known, scored
from ranktrees_lab.plot.picture import Picture, axes, picture, title
from ranktrees_lab.plot.rankings import CHANCE, IDEAL, RATES, rate_plane
from ranktrees_lab.plot.reliability import draw_reliability
from ranktrees_lab.plot.style import NORMAL, cut, line_looks

SIDE, LEFT, GAP, LOW, TOP = 2.9, 0.75, 0.85, 0.6, 0.4  # inches of a plane, and around it
PALE = {"color": "#C4C4C4", "lw": 1.1, "zorder": 1}


def judged(
    y: ArrayLike,
    scores: Scores,
    chosen: str,
    positive: object = None,
    figure: Picture | None = None,
) -> Picture:
    """Draw the ROC curve and the reliability of the score `chosen`; other scores are pale lines.

    `y` (n,) classes, `scores` {name: (n,) probabilities} of the class `positive` (default the
    last). Raises ValueError for an unknown name and scores that are no probabilities.
    """
    hits, scores, positive = scored(y, scores, positive)
    check_known("score", chosen, scores)
    fig = picture(figure, (LEFT + 2 * SIDE + GAP + 0.2, LOW + SIDE + TOP))
    looks = dict(zip(scores, line_looks(scores, lw=2.2, ms=4), strict=True))
    look = {**looks[chosen], "ls": "-"}
    auc = _roc(fig, hits, scores, chosen, look)
    ylabel = f"share of {cut(positive, 1.3, NORMAL)} that occurred"
    plane = _plane(fig, LEFT + SIDE + GAP, "predicted probability", ylabel, 1)
    plane.plot([0, 1], [0, 1], **IDEAL)
    for name in scores.keys() - {chosen}:
        curve = calibration_curve(hits, scores[name], 10, pos_label=True)
        plane.plot(curve.predicted, curve.observed, **PALE)
    error, gap = draw_reliability(plane, hits, scores[chosen], look)
    title(plane, f"Brier score {error:.3f}", SIDE)
    fig.alt = (
        f"{chosen}: area under the ROC curve of class {positive} ({hits.sum()} of {len(hits)} "
        f"cases) {auc:.3f}; reliability in 10 bins: Brier score {error:.3f}, on average {gap:.3f} "
        f"off. {_pale(scores, chosen)}"
    )
    return fig


def _roc(fig, hits, scores, chosen, look) -> float:
    """Draw the ROC curves at the left; return the area under the chosen one."""
    plane = _plane(fig, LEFT, *RATES, 100)
    plane.plot([0, 100], [0, 100], **CHANCE)
    blocks = {name: Blocks.of(hits, score) for name, score in scores.items()}
    for name, each in blocks.items():
        line = {**look, "marker": None, "zorder": 3} if name == chosen else PALE
        plane.plot(*(100 * rate for rate in each.roc()), **line)
    title(plane, f"AUC {blocks[chosen].auc:.3f}, {chosen}", SIDE)  # a name may be cut
    return blocks[chosen].auc


def _plane(fig, left, xlabel, ylabel, unit):
    """Return a square plane at this distance from the left."""
    return rate_plane(None, xlabel, ylabel, unit, axes(fig, left, LOW, left + SIDE, LOW + SIDE))[1]


def _pale(scores, chosen):
    others = [name for name in scores if name != chosen]
    return f"Pale lines: {', '.join(others)}." if others else ""
