"""All binary cuts of an ordered attribute: the cases above, the criterion's score below."""

from typing import NamedTuple

import numpy as np
from matplotlib.patches import StepPatch

from ranktrees.bins import exact
from ranktrees.count import tally
from ranktrees.criteria import CRITERIA
from ranktrees.schema import number
from ranktrees.split import cut_tables
from ranktrees.teach.plot.bars import judged
from ranktrees.teach.plot.legend import class_legend, legend_height
from ranktrees.teach.plot.picture import Picture, axes, picture, title
from ranktrees.teach.plot.style import (
    COLOURS,
    LARGE,
    NORMAL,
    SMALL,
    class_colours,
    shorten,
    some,
)

BINS = 40  # more distinct values than this share bars
WIDTH, LEFT, RIGHT = 7.0, 0.85, 0.2


class Cuts(NamedTuple):
    """An attribute's distinct values (K,), the tables and scores of the K - 1 cuts between them.

    `score` is None where the criterion takes no such tables, `best` where there is no score.
    """

    attribute: str
    criterion: str
    ticks: list[str] | None
    distinct: np.ndarray
    tables: np.ndarray
    score: np.ndarray | None
    best: float | None

    @classmethod
    def of(cls, values, codes, n_classes, attribute, criterion, ticks=None) -> "Cuts":
        """All cuts of values (n,) with class codes (n,), by cumulative sums."""
        distinct, at = np.unique(values, return_inverse=True)
        tables = cut_tables(tally((len(distinct), n_classes), at, codes))
        if not len(tables) or judged(CRITERIA[criterion], tables[0], criterion)[0] is None:
            return cls(attribute, criterion, ticks, distinct, tables, None, None)
        score = CRITERIA[criterion](tables)
        best = float(exact(distinct)[np.argmax(score)])
        return cls(attribute, criterion, ticks, distinct, tables, score, best)

    def table(self, cut: float) -> np.ndarray:
        """Count table (2, C) of the cut `value <= cut`."""
        total = self.tables[0].sum(axis=0) if len(self.tables) else None
        k = int(np.searchsorted(self.distinct, cut, side="right"))
        if 0 < k < len(self.distinct):
            return self.tables[k - 1]
        return np.stack([total, 0 * total] if k else [0 * total, total])

    def words(self, cut: float) -> str:
        """The test `<= 2.5`, or `<= medium` for an ordered attribute."""
        if self.ticks is None:
            return f"<= {number(cut)}"
        if cut < 0:
            return f"< {self.ticks[0]}"
        return f"<= {self.ticks[min(int(cut), len(self.ticks) - 1)]}"


def draw_cuts(cuts: Cuts, values, codes, classes, chosen=None, figure=None) -> Picture:
    """The cases (n,) as stacked bars; below, the score of each cut, the best and the chosen one."""
    top = 0.27 + legend_height(classes, WIDTH, LEFT)
    fig = picture(figure, (WIDTH, 3.8 + top))
    colours = class_colours(len(classes))
    upper = axes(fig, LEFT, 2.3, -RIGHT, -top)
    lower = axes(fig, LEFT, 0.5, -RIGHT, 2.1)
    edges = bar_edges(cuts.distinct)
    _stack(upper, values, codes, edges, colours)
    if cuts.score is not None:
        lower.step(cuts.distinct, [*cuts.score, np.nan], where="post", color=COLOURS["score"])
    marks = _marks(cuts, chosen)
    for cut, name, dashes, width in marks:
        upper.axvline(cut, color=COLOURS[name], ls=dashes, lw=width, label=f"_{name}")
        lower.axvline(cut, color=COLOURS[name], ls=dashes, lw=width, label=f"_{name}")
    _finish(cuts, upper, lower, edges, [mark[0] for mark in marks])
    title(upper, _title(cuts, marks))
    class_legend(fig, classes, colours, left=LEFT)
    fig.alt = _sentence(cuts, marks, values, codes, classes)
    return fig


def _marks(cuts, chosen):
    """(cut, concept, dashes, line width) of the lines to draw: the best first."""
    marks = [] if cuts.best is None else [(cuts.best, "best", "-", 2.2)]
    return marks if chosen is None else [*marks, (chosen, "chosen", "--", 1.6)]


def bar_edges(distinct: np.ndarray) -> np.ndarray:
    """Edges of the bars: one bar a value where there are few, else bins of equal width.

    Whole numbers get bins of whole width, so that no bin holds more of them than its neighbours.
    """
    if len(distinct) == 1:
        return distinct[0] + np.array([-0.5, 0.5])
    span, gap = distinct[-1] - distinct[0], np.diff(distinct).min()
    if len(distinct) <= BINS and gap >= span / 100:
        return np.ravel([distinct - 0.4 * gap, distinct + 0.4 * gap], order="F")
    if (distinct == np.floor(distinct)).all() and span >= BINS:
        width = np.ceil(span / BINS)
        return np.arange(distinct[0] - 0.5, distinct[-1] + width, width)
    return np.linspace(distinct[0], distinct[-1], BINS + 1)


def _stack(ax, values, codes, edges, colours):
    base = np.zeros(len(edges) - 1)
    for c, colour in enumerate(colours):
        top = base + np.histogram(values[codes == c], edges)[0]
        # not ax.stairs: it searches every step for the data limits, which are known here
        ax.add_artist(StepPatch(top, edges, baseline=base, fill=True, color=colour, lw=0))
        base = top
    ax.set_ylim(0, base.max() * 1.05)


def _finish(cuts, upper, lower, edges, marked):
    """Limits, axis labels and ticks."""
    low, high = min([edges[0], *marked]), max([edges[-1], *marked])
    for ax in (upper, lower):
        ax.set_xlim(low - 0.02 * (high - low), high + 0.02 * (high - low))
        ax.yaxis.get_major_locator().set_params(nbins=5)
    upper.set_xticks([])
    upper.set_ylabel("cases")
    upper.yaxis.get_major_locator().set_params(integer=True)
    lower.set_ylabel(shorten(cuts.criterion.replace("_", " "), 1.6, NORMAL))
    lower.set_xlabel(shorten(cuts.attribute, 5, NORMAL))
    if cuts.ticks is not None:
        room = 0.9 * (WIDTH - LEFT - RIGHT) / len(cuts.ticks)
        labels = [shorten(t, room) for t in cuts.ticks]
        lower.set_xticks(range(len(labels)), labels, fontsize=SMALL)
    if cuts.score is None:
        lower.set_yticks([])
        lower.text(
            0.5, 0.5, shorten(_no_score(cuts), 5.6), transform=lower.transAxes, ha="center",
            fontsize=SMALL, bbox={"facecolor": "white", "edgecolor": "none"},
        )  # fmt: skip


def _no_score(cuts):
    """Why there is no score: a single value, or what the criterion says of such tables."""
    if not len(cuts.tables):
        return "a single value: nothing to cut"
    return judged(CRITERIA[cuts.criterion], cuts.tables[0], cuts.criterion)[1]


def _judge(cuts, cut):
    if not len(cuts.tables):
        return "no score"
    return judged(CRITERIA[cuts.criterion], cuts.table(cut), cuts.criterion)[1]


def _title(cuts, marks):
    parts = [f"{name} {cuts.words(cut)}" for cut, name, *_ in marks]
    if cuts.score is not None:
        parts = [f"{p} ({float(CRITERIA[cuts.criterion](cuts.table(m[0]))):.4f})"
                 for p, m in zip(parts, marks, strict=True)]  # fmt: skip
    return shorten(f"{shorten(cuts.attribute, 2)}: {', '.join(parts)}", 6.0, LARGE)


def _sentence(cuts, marks, values, codes, classes):
    if not marks:
        return f"{cuts.attribute} of {len(values)} cases: {_no_score(cuts)}."
    n, ends = len(values), (number(cuts.distinct[0]), number(cuts.distinct[-1]))
    if cuts.ticks is not None:
        ends = cuts.ticks[int(cuts.distinct[0])], cuts.ticks[int(cuts.distinct[-1])]
    text = f"The attribute {cuts.attribute} of {n} cases runs from {ends[0]} to {ends[1]}."
    for k, (cut, name, *_) in enumerate(marks):
        if k and cut == marks[0][0]:
            text += f" The {name} cut is the {marks[0][1]} one."
            continue
        below = values <= cut
        sides = [
            some([f"{k:g} {c}" for k, c in zip(np.bincount(codes[side], minlength=len(classes)),
                                              classes, strict=True)])
            for side in (below, ~below)
        ]  # fmt: skip
        text += (
            f" The {name} cut {cuts.words(cut)} ({_judge(cuts, cut)}) has "
            f"{sides[0]} below and {sides[1]} above."
        )
    return text
