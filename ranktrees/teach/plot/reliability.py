"""Reliability diagram: how often what was predicted occurred."""

import numpy as np

from ranktrees.evaluate import calibration_curve
from ranktrees.teach.plot.inputs import scored
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import COLOURS, DASHES, MARKERS, MODELS, NORMAL, SMALL, shorten

SIZE = (7.6, 4.5)


def calibration(y, scores, positive=None, bins=10, figure=None) -> Picture:
    """Observed shares by predicted probabilities, in bins of equal width, for each model.

    `y` (n,) classes, `scores` {model: (n,) probabilities} of the class `positive` (default the
    last). A dot's area is its bin's number of cases; on the diagonal, predictions come true as
    often as they say. The Brier score counts the two classes `positive` and all others.
    Raises ValueError for scores that are no probabilities. Source: Murphy & Winkler 1977.
    """
    hits, scores, positive = scored(y, scores, positive)
    fig = picture(figure, SIZE)
    ax = axes(fig, 0.75, 0.55, 4.55, -0.15)
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="predicted probability")
    ax.set_ylabel(f"share of {shorten(positive, 1.5, NORMAL)} that occurred")
    ax.grid(color="#E5E5E5", lw=0.6)
    ax.plot([0, 1], [0, 1], color=COLOURS["ideal"], lw=1, ls=":", label="as often as predicted")
    told = []
    for k, (name, score) in enumerate(scores.items()):
        curve = calibration_curve(hits, score, bins, pos_label=True)
        error = float(np.mean((score - hits) ** 2))
        gap = float((np.abs(curve.predicted - curve.observed) * curve.count).sum() / len(hits))
        _curve(ax, curve, k, f"{shorten(name, 1.5)}, Brier {error:.3f}", len(hits))
        told.append(f"{name}: Brier score {error:.3f}, on average {gap:.3f} off")
    ax.legend(loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False, fontsize=SMALL)
    fig.alt = (
        f"Reliability of P({positive}) for {len(hits)} cases, {hits.sum()} of class {positive}, in "
        f"{bins} bins; {'; '.join(told)}."
    )
    return fig


def _curve(ax, curve, k, label, n):
    """The line, and dots as large as their bins are full; empty bins have none."""
    colour = MODELS[k % len(MODELS)]
    marker = MARKERS[k % len(MARKERS)]
    style = {"color": colour, "ls": DASHES[k % len(DASHES)], "marker": marker, "ms": 4}
    ax.plot(curve.predicted, curve.observed, lw=1.6, label=label, zorder=3, **style)
    area = 15 + 700 * curve.count / n
    ax.scatter(curve.predicted, curve.observed, area, color=colour, alpha=0.35, lw=0, zorder=2)
