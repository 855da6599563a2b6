"""Whether predicted probabilities come true as often as they say."""

import numpy as np

from ranktrees_engine.basics.kinds import ArrayLike, Scores
from ranktrees_engine.evaluate import calibration_curve
from ranktrees_lab.plot.given import Given, Size
from ranktrees_lab.plot.inputs import scored
from ranktrees_lab.plot.picture import Picture
from ranktrees_lab.plot.rankings import IDEAL, plane_key, rate_plane
from ranktrees_lab.plot.style import NORMAL, cut, line_looks


def calibration(
    y: ArrayLike,
    scores: Scores,
    positive: object = None,
    bins: int = 10,
    figure: Picture | None = None,
    *,
    ax: Given | None = None,
    figsize: Size = None,
) -> Picture | Given:
    """Draw observed shares by predicted probabilities, in bins of equal width, for each model.

    `y` (n,) classes, `scores` {model: (n,) probabilities} of the class `positive` (default the
    last). A dot's area is its bin's number of cases; on the diagonal, predictions come true as
    often as they say. The Brier score counts the two classes `positive` and all others. Raises
    ValueError for scores that are no probabilities. Source: Murphy & Winkler 1977. `ax`: axes of
    matplotlib to draw on and to return, `figsize` (width, height) in inches.
    """
    hits, scores, positive = scored(y, scores, positive)
    ylabel = f"share of {cut(positive, 1.5, NORMAL)} that occurred"
    fig, plane = rate_plane(figure, "predicted probability", ylabel, 1, ax, figsize)
    plane.plot([0, 1], [0, 1], **IDEAL)
    entries, parts = [("as often as predicted", IDEAL)], []
    looks = line_looks(scores, lw=1.8, ms=4)
    for (name, score), look in zip(scores.items(), looks, strict=True):
        error, gap = draw_reliability(plane, hits, score, look, bins)
        entries.append((f"{cut(name, 1.3)}, Brier {error:.3f}", look))
        parts.append(f"{name}: Brier score {error:.3f}, on average {gap:.3f} off")
    alt = (
        f"Reliability of P({positive}) for {len(hits)} cases, {hits.sum()} of class {positive}, in "
        f"{bins} bins; {'; '.join(parts)}."
    )
    return plane_key(fig, entries, alt, ax, figsize)


def draw_reliability(plane, hits, score, look: dict, bins: int = 10) -> tuple[float, float]:
    """Draw observed shares by probabilities (n,), a disc for each bin's cases; with this look.

    Return the Brier score, and how far a case's bin is off on average.
    """
    curve = calibration_curve(hits, score, bins, pos_label=True)
    error = float(np.mean((score - hits) ** 2))
    gap = float((np.abs(curve.predicted - curve.observed) * curve.count).sum() / len(hits))
    dots, area = (curve.predicted, curve.observed), 15 + 700 * curve.count / len(hits)
    plane.plot(*dots, zorder=3, **look)
    plane.scatter(*dots, area, color=look["color"], alpha=0.35, lw=0, zorder=2)
    return error, gap
