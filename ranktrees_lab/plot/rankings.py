"""Rankings: the rank of each case, whom a mailing reaches, ROC curves, pairs."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import StepPatch

from ranktrees_engine.basics.arguments import check_number
from ranktrees_engine.basics.kinds import ArrayLike, Scores
from ranktrees_engine.evaluate import Blocks, UndefinedMeasure
from ranktrees_engine.evaluate.intervals import delong
from ranktrees_lab.plot.given import Given, Size, check_given, placed
from ranktrees_lab.plot.inputs import scored
from ranktrees_lab.plot.parts import key, label, write
from ranktrees_lab.plot.picture import Picture, axes, picture
from ranktrees_lab.plot.style import COLOURS, LETTERS, NORMAL, SMALL, cut, line_looks, plain

STRIP = 0.85 if LETTERS == 1 else 1.3  # inches of a model's strip, its words included
LEFT, SIDE = 0.75, 3.75 if LETTERS == 1 else 3.15  # inches: left of a plane of rates, its side
RATES = "false positive rate (%)", "true positive rate (%)"
CHANCE = {"color": COLOURS["random"], "lw": 1}
IDEAL = {"color": COLOURS["ideal"], "lw": 1, "ls": ":"}
MANY = 6  # models whose intervals have room beside the plane
FEW = 9  # distinct scores that are written beside their corners
CELL, MOST = 0.5, 12  # inches of a pair's cell; cases of a class whose pairs are drawn one by one


def ranking(
    y: ArrayLike, scores: Scores, positive: object = None, figure: Picture | None = None
) -> Picture:
    """Draw, per model, the cases in the order of their score, highest first: a strip of ranks.

    `y` (n,) classes, `scores` {model: (n,)} of the class `positive` (default the last). A positive
    case with a score of its own is a dark tick; tied cases are a block as high as its share of
    positive cases. A line marks the decision, a score of 0.5.
    """
    hits, scores, positive = scored(y, scores, positive)
    fig = picture(figure, (7.5, STRIP * len(scores) + 0.6))
    parts, top, blue = [], fig.get_figheight() - 0.05, COLOURS["decision"]
    for k, (name, score) in enumerate(scores.items()):
        blocks, head = Blocks.of(hits, score), top - STRIP * k - 0.17
        ax = axes(fig, 0.15, head + 0.22 - STRIP, -0.15, head - 0.13)
        _strip(ax, blocks)
        measures = f"accuracy {blocks.accuracy:.1%}, AUC {blocks.auc:.3f}"
        write(fig, 0.15, head, f"{name}: {measures}", 6.2)
        write(fig, 7.35, head, "| cut at 0.5", ha="right", color=blue)
        parts.append(f"{name} ({len(blocks.score)} distinct scores): {measures}")
        if k < len(scores) - 1:
            ax.set_xticks([])
    dark = f"dark: share of {cut(positive, 2, NORMAL)} among cases of equal score"
    label(ax, f"rank by score, highest first ({dark})")
    first = f"Rankings of {len(hits)} cases, {hits.sum()} of class {positive}"
    fig.alt = f"{first}; {'; '.join(parts)}."
    return fig


def _strip(ax, blocks):
    """Draw blocks of tied cases as high as their share of positive ones, and the decision."""
    edges = np.concatenate([[0], np.cumsum(blocks.size)])
    ax.set(xlim=(0, edges[-1]), ylim=(0, 1), yticks=[], facecolor="#E8E8E8")
    ax.spines["left"].set_visible(False)
    share = blocks.positive / blocks.size
    ax.add_artist(StepPatch(share, edges, fill=True, color=COLOURS["positive"], lw=0))
    if len(share) <= 60:
        lines = [((x, 0), (x, 1)) for x in edges[1:-1]]
        ax.add_collection(LineCollection(lines, colors="white", lw=1), autolim=False)
    decision = blocks.size[blocks.score > 0.5].sum()
    ax.plot([decision] * 2, [-0.1, 1.06], color=COLOURS["decision"], lw=2, clip_on=False)


def rate_plane(figure, xlabel, ylabel, unit=100, ax=None, figsize=None) -> tuple:
    """Return a figure and square axes of two rates from 0 to `unit`; or those given."""
    check_given(figure, ax, figsize)
    if ax is None:
        fig = picture(figure, (7.6, SIDE + 0.75))
        ax = axes(fig, LEFT, 0.6, LEFT + SIDE, 0.6 + SIDE)
    else:
        fig = ax.figure
    ax.set(xlim=(-0.02 * unit, 1.02 * unit), ylim=(-0.02 * unit, 1.02 * unit))
    label(ax, xlabel, ylabel, "both")
    return fig, ax


def plane_key(fig, entries, alt="", ax=None, figsize=None):
    """Write what a plane's lines are, outside at its right, so that no curve is hidden; end it.

    In axes that were given it is their legend. Return the picture, or these axes.
    """
    if ax is not None:
        lines = [
            Line2D([], [], **(look or {"ls": ""}), label=plain(text)) for text, look in entries
        ]
        ax.legend(handles=lines)
        return ax
    fig.alt = alt
    key(fig, LEFT + SIDE + 0.15, SIDE + 0.5, entries, 6.15 - SIDE)
    return placed(fig, None, figsize)


def with_looks(hits, scores):
    """Yield (name, blocks of equal score, look of its line) of each model."""
    looks = line_looks(scores, marker=None, lw=1.8)
    for (name, score), look in zip(scores.items(), looks, strict=True):
        yield name, Blocks.of(hits, score), look


def gains(
    y: ArrayLike,
    scores: Scores,
    positive: object = None,
    figure: Picture | None = None,
    letters: float | None = None,
    *,
    ax: Given | None = None,
    figsize: Size = None,
) -> Picture | Given:
    """Draw the mailing's picture: the share of responders reached by the share written to.

    `y` (n,) classes, `scores` {model: (n,)} of the class `positive` (default the last): those who
    respond. Ties are broken at random: straight lines. `letters`: a number of letters to mark.
    `ax`: axes of matplotlib to draw on and to return, `figsize` (width, height) in inches.
    """
    hits, scores, positive = scored(y, scores, positive)
    n, total = len(hits), int(hits.sum())
    check_number("letters", letters, 0, none=True, most=n)
    ylabel = f"{cut(positive, 1.5, NORMAL)}: cases reached (%)"
    fig, plane = rate_plane(figure, "people written to (%)", ylabel, 100, ax, figsize)
    plane.plot([0, 100 * total / n, 100], [0, 100, 100], **IDEAL)
    entries, parts = [("ideal", IDEAL)], []
    place = (n // 5 if letters is None else letters) / n
    for name, blocks, look in with_looks(hits, scores):
        x, reached = blocks.gains()
        plane.plot(100 * x, 100 * reached, zorder=3, **look)
        entries.append((name, look))
        share = float(np.interp(place, x, reached))
        parts.append(f"{name} {share * total:.1f} ({share:.0%})")
        if letters is not None:
            plane.plot([100 * place], [100 * share], "o", color=look["color"], zorder=4)
    plane.plot([0, 100], [0, 100], **CHANCE)
    entries.append(("by chance", CHANCE))
    if letters is not None:
        style = {"color": COLOURS["chosen"], "lw": 1.2, "ls": "--"}
        plane.axvline(100 * place, **style)
        entries.append((f"{letters} letters", style))
    alt = (
        f"Of {total} cases of class {positive} among {n}, the first {place * n:.0f} by score "
        f"reach: {', '.join(parts)}; by chance {place * total:.1f}."
    )
    return plane_key(fig, entries, alt, ax, figsize)


def roc(
    y: ArrayLike,
    scores: Scores,
    positive: object = None,
    figure: Picture | None = None,
    *,
    ax: Given | None = None,
    figsize: Size = None,
) -> Picture | Given:
    """Draw ROC curves: the true positive rate by the false positive rate, ties straight lines.

    `y` (n,) classes, `scores` {model: (n,)} of the class `positive` (default the last). The area
    under each curve is its AUC, the probability that a positive case is ranked above a negative
    one; beside it stands DeLong's interval of 95 %, which is about the choice of test cases. `ax`:
    axes of matplotlib to draw on and to return, `figsize` (width, height) in inches.
    """
    hits, scores, positive = scored(y, scores, positive)
    fig, plane = rate_plane(figure, *RATES, 100, ax, figsize)
    entries, parts = [], []
    for name, blocks, look in with_looks(hits, scores):
        plane.plot(*(100 * rate for rate in blocks.roc()), zorder=3, **look)
        entries.append((f"{cut(name, 1.4)}, AUC {blocks.auc:.3f}", look))
        ends = _ends(hits, scores[name])
        if ends and len(scores) <= MANY:
            entries.append((f"95 %: {ends}", None))
        parts.append(f"{name} {blocks.auc:.3f}{f' ({ends})' if ends else ''}")
    plane.plot([0, 100], [0, 100], **CHANCE)
    alt = (
        f"ROC curves of class {positive} ({hits.sum()} of {len(hits)} cases); area under the "
        f"curve, with its 95 % interval: {', '.join(parts)}."
    )
    return plane_key(fig, [*entries, ("by chance, AUC 0.500", CHANCE)], alt, ax, figsize)


def _ends(hits, score):
    """Return the ends of DeLong's interval in words; nothing for a class of a single case."""
    try:
        return "{1:.3f} to {2:.3f}".format(*delong(hits, score))
    except UndefinedMeasure:
        return ""


def staircase(
    y: ArrayLike, scores: Scores, positive: object = None, figure: Picture | None = None
) -> Picture:
    """Draw ROC curves with a dot at each corner: cases of equal score are one straight piece.

    `y` (n,) classes, `scores` {model: (n,)} of the class `positive` (default the last), at most
    four models. Where a model has at most nine distinct scores, each is written at its corner:
    the curve up to there calls positive all cases from this score on.
    """
    hits, scores, positive = scored(y, scores, positive)
    if len(scores) > 4:
        raise ValueError(f"{len(scores)} curves with dots hide each other: give at most four")
    fig, ax = rate_plane(figure, RATES[0], f"{cut(positive, 1.5)}: found (%)")
    ax.plot([0, 100], [0, 100], **CHANCE)
    entries, parts = [], []
    for name, blocks, look in with_looks(hits, scores):
        few, (fpr, tpr) = len(blocks.score) <= FEW, (100 * rate for rate in blocks.roc())
        ax.plot(fpr, tpr, zorder=3, **{**look, "marker": "o", "ms": 6 if few else 3})
        corners = zip(fpr[1:-1], tpr[1:-1], blocks.score[:-1], strict=True) if few else ()
        for x, height, value in corners:
            # outside of the curve, unless that is where the axis has its numbers
            ha, dx, dy = ("right", -1.5, 2.5) if x > 12 else ("left", 1.5, -3)
            write(ax, x + dx, height + dy, f"{value:.2f}", ha=ha, color=look["color"])
        words = f"{len(blocks.score)} score{'s' if len(blocks.score) > 1 else ''}"
        words += f"{{}}AUC {blocks.auc:.3f}"
        entries += [(name, look), (words.format(", "), None)]
        parts.append(f"{name} has {words.format(' and ')}")
    plane_key(fig, entries)
    fig.alt = (
        f"ROC curves of class {positive} ({hits.sum()} of {len(hits)} cases), a dot for every "
        f"distinct score: {'; '.join(parts)}."
    )
    return fig


def pairs(
    y: ArrayLike, score: ArrayLike, positive: object = None, figure: Picture | None = None
) -> Picture:
    """Draw each pair of a positive and a negative case as a cell, shaded if it is ranked right.

    `y` (n,) classes, `score` (n,) of the class `positive` (default the last). Rows are positive
    cases from the bottom, columns negative ones from the left, highest scores first; the area under
    the line is the AUC. Raises ValueError for more than 12 cases of a class.
    """
    hits, scores, positive = scored(y, score, positive)
    score = scores["model"]
    rows, columns = (np.sort(score[side])[::-1] for side in (hits, ~hits))
    if max(len(rows), len(columns)) > MOST:
        many = f"{len(rows)} x {len(columns)} pairs are too many to draw one by one"
        raise ValueError(f"{many}: give at most {MOST} cases of each class, or draw rt.plot.roc")
    width, height = CELL * len(columns), CELL * len(rows)
    fig = picture(figure, (width + 3.55, height + 1.05))
    ax = axes(fig, 1.0, 0.75, 1.0 + width, 0.75 + height)
    ax.set(xlim=(0, len(columns)), ylim=(0, len(rows)))
    label(ax, f"not {positive}, by score", f"{positive}, by score")
    for axis, values in ((ax.xaxis, columns), (ax.yaxis, rows)):
        axis.set_ticks(np.arange(len(values)) + 0.5, [f"{s:g}" for s in values])
        axis.set_ticks(range(len(values) + 1), minor=True)
    ax.grid(which="minor", color="#BBBBBB", lw=0.8)
    ax.tick_params(which="both", length=0, labelsize=SMALL)
    curve = np.array(Blocks.of(hits, score).roc()) * [[len(columns)], [len(rows)]]
    ax.fill_between(*curve, color=COLOURS["score"], alpha=0.25, lw=0, zorder=1)
    ax.plot(*curve, color=COLOURS["score"], lw=2.5, clip_on=False, zorder=3)
    wins, ties = (int(f(rows[:, None], columns).sum()) for f in (np.greater, np.equal))
    total = len(rows) * len(columns)
    auc = (wins + ties / 2) / total
    lines = [f"{total} pairs", f"{wins} ranked right", f"{ties} tied: one half each", ""]
    for i, line in enumerate([*lines, f"area = ({wins} + {ties}/2) / {total}", f"= {auc:.3f}"]):
        write(fig, 1.25 + width, height + 0.65 - 0.2 * i, line, points=NORMAL)
    fig.alt = (
        f"Grid of {len(rows)} positive cases ({positive}) and {len(columns)} negative ones: of "
        f"{total} pairs {wins} are ranked right and {ties} tied, so that the area under the ROC "
        f"curve, the edge of the right ones, is {auc:.3f}."
    )
    return fig
