"""The candidates for a node's test: their scores, the dependence they leave, the ranking."""

import numpy as np
from matplotlib.collections import LineCollection

from ranktrees.evaluate import roc_curve
from ranktrees.teach.plot.picture import Picture, axes, picture, title
from ranktrees.teach.plot.style import COLOURS, GREY, SMALL, shorten

MOST = 20  # candidates that are drawn
ROW, NAME = 0.21, 1.6  # inches
PANELS = (NAME + 0.1, 3.8, 4.1, 5.35, 5.85, 7.8)  # from and to of scores, dependence, ROC
FOOT, HEAD = 0.65, 0.35
YOURS, BEST, INK = COLOURS["score"], COLOURS["best"], "#444444"


def choices(scores, alone, dependence, chosen, best, ranked, measure="AUC", figure=None) -> Picture:
    """Candidates by score on two deals of folds, their dependence before and after, two ROC curves.

    `scores` a frame (A, 2) by attribute: on the folds that choose (dots) and that prune (rings);
    `alone` (2,) the unsplit node's; `dependence` a frame (A, 2) of bits before and after the split;
    `chosen` and `best` attributes; `ranked` (positive (n,), {name: scores (n,)}, class). Of more
    than 20 candidates the best are drawn, and the chosen one.
    """
    shown = _shown(scores, chosen)
    tall = max(len(shown) * ROW, 2.3)
    fig = picture(figure, (PANELS[-1] + 0.15, tall + FOOT + HEAD))
    at = tall - (np.arange(len(shown)) + 0.5) * tall / len(shown)
    box = (FOOT, FOOT + tall)
    _score_panel(fig, box, scores.loc[shown], alone, (chosen, best), at, measure)
    _dependence_panel(fig, box, dependence.loc[shown], chosen, at)
    areas = _roc_panel(fig, box, *ranked)
    fig.alt = _sentence(scores, alone, dependence, chosen, areas, ranked[2], measure)
    return fig


def _shown(scores, chosen):
    """Attributes from the best down, as many as find a place."""
    order = list(scores.sort_values("choosing", ascending=False, kind="stable").index)
    shown = order[:MOST]
    return shown if chosen in shown else [*shown[:-1], chosen]


def _score_panel(fig, box, scores, alone, marked, at, measure):
    ax = axes(fig, PANELS[0], box[0], PANELS[1], box[1])
    ax.set_ylim(0, box[1] - box[0])
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    ax.axvline(alone[0], color=GREY, lw=1.2)
    ax.axvline(alone[1], color=GREY, lw=1.2, ls=(0, (4, 2)))
    colours = [YOURS if n == marked[0] else BEST if n == marked[1] else INK for n in scores.index]
    values = scores.to_numpy()
    _bridges(ax, values, at, colours)
    ax.scatter(values[:, 0], at, 30, colours, zorder=3)
    ax.scatter(values[:, 1], at, 30, "white", edgecolors=colours, linewidths=1.2, zorder=2)
    for name, y, colour in zip(scores.index, at, colours, strict=True):
        style = {"fontsize": SMALL, "ha": "right", "va": "center", "color": colour}
        weight = "bold" if name in marked else "normal"
        where = ax.get_yaxis_transform()
        ax.text(-0.04, y, shorten(name, NAME - 0.3), transform=where, fontweight=weight, **style)
    ax.margins(x=0.06)
    ax.locator_params(axis="x", nbins=4)
    ax.tick_params(labelsize=SMALL)
    ax.set_xlabel("● first  ○ second folds\n│ ┆  without a split", fontsize=SMALL)
    title(ax, f"inner {measure}")


def _bridges(ax, values, at, colours):
    """A line between the two values (A, 2) of each row."""
    ends = [[(a, y), (b, y)] for (a, b), y in zip(values, at, strict=True)]
    ax.add_collection(LineCollection(ends, colors=colours, lw=1, zorder=1))


def _dependence_panel(fig, box, bits, chosen, at):
    ax = axes(fig, PANELS[2], box[0], PANELS[3], box[1])
    ax.set_ylim(0, box[1] - box[0])
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    ax.axvline(0, color="#CCCCCC", lw=0.8)
    colours = [YOURS if name == chosen else INK for name in bits.index]
    values = bits.to_numpy()
    _bridges(ax, values, at, colours)
    ax.plot(values[:, 0], at, "|", color=GREY, ms=8, mew=1.5)
    ax.scatter(values[:, 1], at, 24, colours, marker="D", zorder=3)
    ax.margins(x=0.08)
    ax.locator_params(axis="x", nbins=3)
    ax.tick_params(labelsize=SMALL)
    ax.set_xlabel("bits\n| before  ◆ after", fontsize=SMALL)
    title(ax, "dependence")


def _roc_panel(fig, box, positive, scores, name):
    """Both curves; returns the areas."""
    side = min(PANELS[5] - PANELS[4], box[1] - box[0])
    ax = axes(fig, PANELS[4], box[1] - side, PANELS[4] + side, box[1])
    ax.plot([0, 1], [0, 1], color="#CCCCCC", lw=0.8)
    areas = []
    for (label, score), colour in zip(scores.items(), (GREY, YOURS), strict=True):
        false, true, _ = roc_curve(positive.astype(int), np.round(score, 12))
        areas.append(float(np.trapezoid(true, false)))
        ax.plot(false, true, color=colour, lw=1.6)
        y = 0.16 if label == "unsplit" else 0.06
        words = f"{shorten(label, 0.95)} {areas[-1]:.3f}"
        ax.text(0.98, y, words, color=colour, ha="right", fontsize=SMALL, va="center")
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
    ax.tick_params(labelsize=SMALL)
    ax.set_xlabel("false positive rate\n(second folds)", fontsize=SMALL)
    title(ax, f"ROC of {shorten(name, 1.4)}")
    return areas


def _sentence(scores, alone, bits, chosen, areas, name, measure):
    first, second = scores.loc[chosen]
    rank = int((scores["choosing"] > first + 1e-9).sum()) + 1
    before, after = bits.loc[chosen]
    return (
        f"Inner {measure} of {len(scores)} candidates: {chosen} is number {rank} with {first:.3f} "
        f"on the first folds and {second:.3f} on the second, without a split {alone[0]:.3f} and "
        f"{alone[1]:.3f}. Dependence between the other attributes goes from {before:.3f} to "
        f"{after:.3f} bits. The area under the ROC curve of {name} goes from {areas[0]:.3f} to "
        f"{areas[1]:.3f}."
    )
