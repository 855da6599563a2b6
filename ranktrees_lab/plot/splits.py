"""One split as a picture: what it does to the classes, and how the criterion scores all cuts."""

from typing import NamedTuple

import numpy as np
from matplotlib.patches import StepPatch

from ranktrees_engine.basics.kinds import Classes, Data
from ranktrees_engine.criteria.criteria import CRITERIA, entropy
from ranktrees_engine.criteria.split import cut_tables
from ranktrees_engine.growing.count import tally
from ranktrees_engine.reading.bins import exact
from ranktrees_engine.reading.schema import number
from ranktrees_lab.plot.inputs import check_known, one_attribute
from ranktrees_lab.plot.numbers import joined
from ranktrees_lab.plot.parts import frame, label, row_names, share_bars, write
from ranktrees_lab.plot.picture import Picture, axes, title
from ranktrees_lab.plot.style import (
    COLOURS,
    LARGE,
    SMALL,
    cases,
    class_colours,
    cut,
    other_font,
    shorten,
    some,
)

MOST, BINS = 20, 40  # values drawn one by one; more distinct numbers than this share bars
LINE = 0.17  # inches that a line of text needs
WIDTH, LEFT, RIGHT, EDGE = 7.0, 1.75, 1.15, 0.85  # inches; the last one is left of numbers


def split(
    data: Data,
    attribute: str,
    y: Classes = None,
    threshold: object = None,
    criterion: str = "information_gain",
    figure: Picture | None = None,
) -> Picture:
    """Draw the split of a data set's root on one attribute, scored by a criterion.

    A nominal attribute: the classes before, then for each value, as bars as thick as its cases.
    Numbers: the cases, the criterion's score of every cut, the best one and the `threshold` chosen
    (default: the best). An ordered attribute is cut like its codes; its `threshold` is a value (the
    last below the cut) or a number between codes. Cases with a missing value are left out. Raises
    ValueError for an unknown attribute or criterion, or a threshold of a nominal attribute.
    """
    check_known("criterion", criterion, CRITERIA)
    column, values, codes, classes = one_attribute(data, attribute, y)
    if not len(values):
        raise ValueError(f"every value of {attribute!r} is missing: nothing can be split")
    names = None if column.kind == "numeric" else [str(v) for v in column.categories]
    if column.kind != "nominal":
        cuts = Cuts.of(values.astype(float), codes, len(classes), criterion, names)
        chosen = _threshold(threshold, names, attribute)
        fig = _draw_cuts(cuts, attribute, codes, classes, chosen, figure)
    elif threshold is not None:
        raise ValueError(f"{attribute!r} is nominal, a threshold needs numbers: leave it out")
    else:
        table = tally((len(names), len(classes)), values, codes)
        fig = _draw_values(table, names, attribute, classes, criterion, figure)
    if missing := int(column.missing.sum()):
        are = "is" if missing == 1 else "are"
        fig.alt += f" {cases(missing)} without a value of {attribute} {are} left out."
    return fig


def _threshold(threshold, ticks, attribute):
    """Return the threshold as a number; an ordered value lies half a code below its cut."""
    if threshold is None:
        return None
    if ticks is not None and str(threshold) in ticks:
        return ticks.index(str(threshold)) + 0.5
    try:
        value = float("nan" if isinstance(threshold, bool) else threshold)
    except (TypeError, ValueError, OverflowError) as error:
        message = f"threshold of {attribute!r} must be a number, not {threshold!r}"
        raise ValueError(message) from error
    if not np.isfinite(value):
        raise ValueError(f"threshold of {attribute!r} must be finite, not {threshold!r}")
    return value


def judged(table, criterion) -> tuple[float | None, str]:
    """Return a criterion's score of a table and the words for it; or why it takes no such table."""
    name = criterion.replace("_", " ")
    try:
        value = float(CRITERIA[criterion](table))
    except ValueError as error:
        why = str(error).split(", but")[0]
        return None, f"no {name}: {why}"
    return value, f"{name} {value:.4f}"


def _counts(table, classes, most=4):
    return some([f"{n:g} {c}" for n, c in zip(table, classes, strict=True)], most)


def _draw_values(full, names, attribute, classes, criterion, figure):
    """Draw the parent's class bar on top, below it a bar per value, as thick as it has cases."""
    table, names = joined(full, names, MOST)
    rows, V = np.vstack([table.sum(axis=0), table]), len(table)
    heights = rows.sum(axis=1) / rows[0].sum() * max(1.9, 0.24 * V)
    heights[0], heights[1:] = 0.35, np.maximum(heights[1:], LINE)
    middle = np.cumsum(heights + 0.05) - 0.05 - heights / 2
    middle[1:] += 0.1
    height = middle[-1] + heights[-1] / 2  # a unit of the y axis is an inch
    colours = class_colours(len(classes))
    fig = frame(figure, WIDTH, height + 0.8, classes, colours, LEFT if len(classes) <= 6 else 0.1)
    ax = axes(fig, LEFT, 0.5, -RIGHT, height + 0.5)
    ax.set(xlim=(0, 100), ylim=(height, 0), yticks=[], xlabel="share of the cases (%)")
    ax.spines["left"].set_visible(False)
    share_bars(ax, rows, 0, 100, middle, heights, colours, "{:g}")
    row_names(ax, middle, ["all cases", *names], LEFT - 0.2, bold=["all cases"])
    for y, n in zip(middle, rows.sum(axis=1), strict=True):
        write(ax, 102, y, cases(n))
    words = judged(full, criterion)[1]
    title(ax, f"{cut(attribute, 1.9, LARGE)}: {words}", WIDTH - LEFT - 0.1)
    fig.alt = _values_sentence(full, names if len(full) == V else None, attribute, classes, words)
    return fig


def _values_sentence(table, names, attribute, classes, words):
    used = [v for v in np.argsort(-table.sum(axis=1), kind="stable") if table[v].any()]
    text = f"{attribute} splits {_counts(table.sum(axis=0), classes)} into {len(used)} branches"
    if names and len(used) <= 4:
        parts = [f"{names[v]}: {_counts(table[v], classes, 3)}" for v in used]
        text += f" ({words}); {'; '.join(parts)}."
    else:
        pure = int(sum(entropy(table[v]) == 0 for v in used))
        text += f" ({words}), {pure or 'none'} of them pure."
    unused = len(table) - len(used)
    noun = "declared value does" if unused == 1 else "declared values do"
    return text + (f" {unused} {noun} not occur." if unused else "")


class Cuts(NamedTuple):
    """Values (n,), the distinct ones (K,), the tables and scores of the K - 1 cuts between them.

    `score` is None where the criterion takes no such tables, `best` where there is no score.
    """

    values: np.ndarray
    criterion: str
    ticks: list[str] | None
    distinct: np.ndarray
    tables: np.ndarray
    score: np.ndarray | None
    best: float | None

    @classmethod
    def of(cls, values, codes, n_classes, criterion, ticks=None) -> "Cuts":
        """Return all cuts of values (n,) with class codes (n,), by cumulative sums."""
        distinct, place = np.unique(values, return_inverse=True)
        tables = cut_tables(tally((len(distinct), n_classes), place, codes))
        score = best = None
        if len(tables) and judged(tables[0], criterion)[0] is not None:
            score = CRITERIA[criterion](tables)
            best = float(exact(distinct)[np.argmax(score)])
        return cls(values, criterion, ticks, distinct, tables, score, best)

    def judged(self, threshold) -> tuple[float | None, str]:
        """Return the score of the cut `value <= threshold`, and the words for it."""
        if not len(self.tables):
            return None, "no score"
        total = self.tables[0].sum(axis=0)
        k = int(np.searchsorted(self.distinct, threshold, side="right"))
        table = np.stack([total, 0 * total] if k else [0 * total, total])
        if 0 < k < len(self.distinct):
            table = self.tables[k - 1]
        return judged(table, self.criterion)

    def words(self, threshold) -> str:
        """Return the test: `<= 2.5`, or `<= medium` for an ordered attribute."""
        if self.ticks is None:
            return f"<= {number(threshold)}"
        if threshold < 0:
            return f"< {self.ticks[0]}"
        return f"<= {self.ticks[min(int(threshold), len(self.ticks) - 1)]}"

    def silence(self) -> str:
        """Return why there is no score: a single value, or a table that the criterion refuses."""
        if not len(self.tables):
            return "a single value: nothing to cut"
        return judged(self.tables[0], self.criterion)[1]


def _draw_cuts(cuts, attribute, codes, classes, chosen, figure):
    """Draw cases (n,) as stacked bars; below, each cut's score, the best and the chosen one."""
    colours = class_colours(len(classes))
    fig = frame(figure, WIDTH, 4.07, classes, colours, EDGE)
    upper, lower = axes(fig, EDGE, 2.3, -0.2, 3.8), axes(fig, EDGE, 0.5, -0.2, 2.1)
    edges = _stack(upper, cuts, codes, colours)
    if cuts.score is not None:
        lower.step(cuts.distinct, [*cuts.score, np.nan], where="post", color=COLOURS["score"])
    marks = {"best": cuts.best, "chosen": chosen}
    marks = {name: place for name, place in marks.items() if place is not None}
    low, high = min(edges[0], *marks.values(), np.inf), max(edges[-1], *marks.values(), -np.inf)
    for ax in (upper, lower):
        for name, place in marks.items():
            style = {"ls": "-", "lw": 2.2} if name == "best" else {"ls": "--", "lw": 1.6}
            ax.axvline(place, color=COLOURS[name], label=f"_{name}", **style)
        ax.set_xlim(low - 0.02 * (high - low), high + 0.02 * (high - low))
        ax.yaxis.get_major_locator().set_params(nbins=5, integer=ax is upper)
    if cuts.score is None:
        lower.set_yticks([])
        write(lower, 0.5, 0.5, cuts.silence(), 5.6, ha="center", transform=lower.transAxes)
    label(upper, y="cases")
    label(lower, attribute, cuts.criterion.replace("_", " "))
    if cuts.ticks is not None:
        room = 0.9 * (WIDTH - EDGE - 0.2) / len(cuts.ticks)
        labels = [shorten(t, room) for t in cuts.ticks]
        lower.set_xticks(range(len(labels)), labels, fontsize=SMALL, **other_font("".join(labels)))
    parts = []
    for name, place in marks.items():
        score = cuts.judged(place)[0]
        brackets = "" if score is None else f" ({score:.4f})"
        parts.append(f"{name} {cuts.words(place)}{brackets}")
    title(upper, f"{cut(attribute, 2)}: {', '.join(parts)}", 6.0)
    fig.alt = _cuts_sentence(cuts, attribute, marks, codes, classes)
    return fig


def _stack(ax, cuts, codes, colours) -> np.ndarray:
    """Stack how many cases of each class lie in each bar; return the bars' edges."""
    edges, base = bar_edges(cuts.distinct), 0
    for c, colour in enumerate(colours):
        top = base + np.histogram(cuts.values[codes == c], edges)[0]
        # not ax.stairs: it searches every step for the data limits, which are known here
        ax.add_artist(StepPatch(top, edges, baseline=base, fill=True, color=colour, lw=0))
        base = top
    ax.set(ylim=(0, base.max() * 1.05), xticks=[])
    return edges


def bar_edges(distinct: np.ndarray) -> np.ndarray:
    """Return the bars' edges: a bar per value if there are few, else bins of equal width.

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


def _cuts_sentence(cuts, attribute, marks, codes, classes):
    n, ends = len(cuts.values), cuts.distinct[[0, -1]]
    if not marks:
        return f"{attribute} of {n} cases: {cuts.silence()}."
    first, last = (number(e) if cuts.ticks is None else cuts.ticks[int(e)] for e in ends)
    text = f"The attribute {attribute} of {n} cases runs from {first} to {last}."
    for name, place in marks.items():
        if name == "chosen" and place == cuts.best:
            text += " The chosen cut is the best one."
            continue
        table = tally((2, len(classes)), (cuts.values > place).astype(np.intp), codes)
        below, above = (_counts(row, classes) for row in table)
        text += f" The {name} cut {cuts.words(place)} ({cuts.judged(place)[1]}) has "
        text += f"{below} below and {above} above."
    return text
