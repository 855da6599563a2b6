"""Rankings as pictures: who stands where, whom a mailing reaches, the ROC curve."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import StepPatch

from ranktrees.evaluate import Blocks
from ranktrees.teach.plot.inputs import scored
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import COLOURS, DASHES, MODELS, NORMAL, SMALL, shorten, text_width

STRIP = 0.85  # inches that a model's strip takes, its words included
SHADE = "#E8E8E8"


def ranking(y, scores, positive=None, figure=None) -> Picture:
    """For each model the cases in the order of their score, highest first: a strip of ranks.

    `y` (n,) classes, `scores` {model: (n,)} of the class `positive` (default the last). Where a
    score is a case's own, a positive case is a dark tick; tied cases are a block as high as its
    share of positive cases. A line stands at the decision, a score of 0.5.
    """
    hits, scores, positive = scored(y, scores, positive)
    fig = picture(figure, (7.5, STRIP * len(scores) + 0.6))
    told = []
    for k, (name, score) in enumerate(scores.items()):
        blocks, last = Blocks.of(hits, score), k == len(scores) - 1
        bottom = 0.55 + STRIP * (len(scores) - 1 - k)
        ax = axes(fig, 0.15, bottom, -0.15, bottom + STRIP - 0.35)
        _strip(ax, blocks, last)
        measures = f"accuracy {blocks.accuracy:.1%}, AUC {blocks.auc:.3f}"
        _head(fig, bottom + STRIP - 0.22, name, measures)
        told.append(f"{name} ({len(blocks.score)} distinct scores): {measures}")
    dark = f"dark: share of {shorten(positive, 2, NORMAL)} among cases of equal score"
    ax.set_xlabel(f"rank by score, highest first ({dark})")
    fig.alt = f"Rankings of {len(hits)} cases, {hits.sum()} of class {positive}; {'; '.join(told)}."
    return fig


def _strip(ax, blocks, last):
    edges = np.concatenate([[0], np.cumsum(blocks.size)])
    ax.set(xlim=(0, edges[-1]), ylim=(0, 1), yticks=[], facecolor=SHADE)
    ax.spines["left"].set_visible(False)
    share = blocks.positive / blocks.size
    ax.add_artist(StepPatch(share, edges, fill=True, color=COLOURS["positive"], lw=0))
    if len(share) <= 60:
        lines = [((x, 0), (x, 1)) for x in edges[1:-1]]
        ax.add_collection(LineCollection(lines, colors="white", lw=1), autolim=False)
    cut = blocks.size[blocks.score > 0.5].sum()
    ax.plot([cut, cut], [-0.1, 1.06], color=COLOURS["decision"], lw=2, clip_on=False)
    if not last:
        ax.set_xticks([])


def _head(fig, y, name, measures):
    """The model's name and measures over its strip, the cut's meaning at the right."""
    width, height = fig.get_size_inches()
    cut = "cut at 0.5"
    text = shorten(f"{name}: {measures}", width - 0.6 - text_width(cut))
    fig.text(0.15 / width, y / height, text, fontsize=SMALL, va="center")
    style = {"fontsize": SMALL, "va": "center", "ha": "right", "color": COLOURS["decision"]}
    fig.text(1 - 0.15 / width, y / height, f"| {cut}", **style)


def gains(y, scores, positive=None, figure=None, letters=None) -> Picture:
    """The mailing's picture: the share of responders reached by the share of people written to.

    `y` (n,) classes, `scores` {model: (n,)} of the class `positive` (default the last): those who
    respond. Ties are broken by lot, hence straight lines. `letters`: a number of letters to mark.
    """
    hits, scores, positive = scored(y, scores, positive)
    n, total = len(hits), int(hits.sum())
    if letters is not None and not 0 <= letters <= n:
        raise ValueError(f"letters must lie between 0 and the {n} cases, not {letters!r}")
    labels = ("people written to (%)", f"{shorten(positive, 1.5, NORMAL)}: cases reached (%)")
    fig, ax = _square(figure, *labels)
    ideal = [0, 100 * total / n, 100], [0, 100, 100]
    ax.plot(*ideal, color=COLOURS["ideal"], lw=1, ls=":", label="ideal")
    told, mark = [], (n // 5 if letters is None else letters) / n
    for k, (name, score) in enumerate(scores.items()):
        x, reached = Blocks.of(hits, score).gains()
        _curve(ax, 100 * x, 100 * reached, k, name)
        at = float(np.interp(mark, x, reached))
        told.append(f"{name} {at * total:.1f} ({at:.0%})")
        if letters is not None:
            ax.plot([100 * mark], [100 * at], "o", color=MODELS[k % len(MODELS)], zorder=4)
    ax.plot([0, 100], [0, 100], color=COLOURS["random"], lw=1, label="by chance")
    if letters is not None:
        ax.axvline(100 * mark, color=COLOURS["chosen"], lw=1.2, ls="--", label=f"{letters} letters")
    _legend(ax)
    fig.alt = (
        f"Of {total} cases of class {positive} among {n}, the first {mark * n:.0f} by score reach: "
        f"{', '.join(told)}; by chance {mark * total:.1f}."
    )
    return fig


def roc(y, scores, positive=None, figure=None) -> Picture:
    """ROC curves: the true positive rate by the false positive rate, ties as straight lines.

    `y` (n,) classes, `scores` {model: (n,)} of the class `positive` (default the last). The area
    under each curve is its AUC, the probability that a positive case is ranked
    above a negative one.
    """
    hits, scores, positive = scored(y, scores, positive)
    fig, ax = _square(figure, "false positive rate (%)", "true positive rate (%)")
    told = []
    for k, (name, score) in enumerate(scores.items()):
        blocks = Blocks.of(hits, score)
        _curve(
            ax,
            *(100 * rate for rate in blocks.roc()),
            k,
            f"{shorten(name, 1.6)}, AUC {blocks.auc:.3f}",
        )
        told.append(f"{name} {blocks.auc:.3f}")
    ax.plot([0, 100], [0, 100], color=COLOURS["random"], lw=1, label="by chance, AUC 0.500")
    _legend(ax)
    fig.alt = (
        f"ROC curves of class {positive} ({hits.sum()} of {len(hits)} cases); area under the "
        f"curve: {', '.join(told)}."
    )
    return fig


def _square(figure, xlabel, ylabel):
    fig = picture(figure, (7.6, 4.4))
    ax = axes(fig, 0.75, 0.55, 4.5, -0.15)
    ax.set(xlim=(0, 100), ylim=(0, 101), xlabel=xlabel, ylabel=ylabel)
    ax.grid(color="#E5E5E5", lw=0.6)
    return fig, ax


def _curve(ax, x, y, k, label):
    style = {"color": MODELS[k % len(MODELS)], "ls": DASHES[k % len(DASHES)]}
    ax.plot(x, y, lw=1.8, label=shorten(label, 2.45), zorder=3, **style)


def _legend(ax):
    """Outside at the right, so that it hides no curve."""
    ax.legend(
        loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False, fontsize=SMALL, handlelength=2.6
    )
