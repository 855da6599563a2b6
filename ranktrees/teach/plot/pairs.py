"""All pairs of a positive and a negative case as a grid: the ROC curve is its staircase."""

import numpy as np

from ranktrees.evaluate import Blocks
from ranktrees.teach.plot.inputs import scored
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import COLOURS, NORMAL, SMALL, shorten

CELL = 0.5  # inches
MOST = 12  # cases of a class whose pairs are drawn one by one


def pairs(y, score, positive=None, figure=None) -> Picture:
    """Each pair of a positive and a negative case as a cell, shaded where it is ranked right.

    `y` (n,) classes, `score` (n,) of the class `positive` (default the last). Rows are positive
    cases from the bottom, columns negative ones from the left, highest scores first; the area under
    the line is the AUC. Raises ValueError for more than 12 cases of a class.
    """
    hits, scores, positive = scored(y, score, positive)
    score = scores["model"]
    rows, columns = (np.sort(score[here])[::-1] for here in (hits, ~hits))
    if max(len(rows), len(columns)) > MOST:
        raise ValueError(
            f"{len(rows)} x {len(columns)} pairs are too many to draw one by one: give at most "
            f"{MOST} cases of each class, or draw the curve with rt.plot.roc"
        )
    width, height = CELL * len(columns), CELL * len(rows)
    fig = picture(figure, (width + 1.15 + 2.4, height + 1.05))
    ax = axes(fig, 1.0, 0.75, 1.0 + width, 0.75 + height)
    _grid(ax, rows, columns, shorten(positive, height, NORMAL))
    _curve(ax, hits, score)
    wins, ties = (int(f(rows[:, None], columns).sum()) for f in (np.greater, np.equal))
    total = len(rows) * len(columns)
    auc = (wins + ties / 2) / total
    fig.text(
        (1.25 + width) / fig.get_figwidth(),
        (0.75 + height) / fig.get_figheight(),
        f"{total} pairs\n{wins} ranked right\n{ties} tied: one half each\n\n"
        f"area = ({wins} + {ties}/2) / {total}\n= {auc:.3f}",
        fontsize=NORMAL,
        va="top",
    )
    fig.alt = (
        f"Grid of {len(rows)} positive cases ({positive}) and {len(columns)} negative ones: of "
        f"{total} pairs {wins} are ranked right and {ties} tied, so that the area under the ROC "
        f"curve, the edge of the right ones, is {auc:.3f}."
    )
    return fig


def _grid(ax, rows, columns, positive):
    for side in ("top", "right"):
        ax.spines[side].set_visible(True)
    ax.set(xlim=(0, len(columns)), ylim=(0, len(rows)))
    ax.set_xticks(np.arange(len(columns)) + 0.5, [f"{s:g}" for s in columns], fontsize=SMALL)
    ax.set_yticks(np.arange(len(rows)) + 0.5, [f"{s:g}" for s in rows], fontsize=SMALL)
    ax.tick_params(length=0)
    ax.set_xlabel("negative cases by score")
    ax.set_ylabel(f"{positive} by score")
    for x in range(1, len(columns)):
        ax.axvline(x, color="#BBBBBB", lw=0.8, zorder=2)
    for y in range(1, len(rows)):
        ax.axhline(y, color="#BBBBBB", lw=0.8, zorder=2)


def _curve(ax, hits, score):
    fpr, tpr = Blocks.of(hits, score).roc()
    x, y = fpr * (~hits).sum(), tpr * hits.sum()
    ax.fill_between(x, y, color=COLOURS["score"], alpha=0.25, lw=0, zorder=1)
    ax.plot(x, y, color=COLOURS["score"], lw=2.5, clip_on=False, zorder=3)
