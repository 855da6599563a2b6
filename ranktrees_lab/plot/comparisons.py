"""Numbers as dots: methods on data sets, and what was printed and measured."""

from itertools import cycle

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import (
    check_flag,
    check_like,
    check_number,
    check_text,
    floats,
)
from ranktrees_engine.evaluate.subsamples import Repeated
from ranktrees_lab.plot.given import Given, Size, check_given, placed
from ranktrees_lab.plot.inputs import check_frame, check_known, known_numbers
from ranktrees_lab.plot.parts import doubling, end_names, frame, label, mark, row_names, write
from ranktrees_lab.plot.picture import Picture, axes, picture
from ranktrees_lab.plot.style import (
    BLACK,
    COLOURS,
    LARGE,
    LETTERS,
    MARKERS,
    cut,
    model_colours,
    some,
    text_width,
)

ROW, NAMES = 0.3, 3.0  # inches: a row's height, the widest name
COUNT, COUNTS = 1.25 * LETTERS, 1.7 * LETTERS  # for "better in 9 of 20", "above 0 in 12 of 20"
WIDE, SPACE, GOLDEN = 4.6, 0.25, 0.6180339887  # a single panel, between two; of a row's width
WIDTH, STRIP = 6.45 + COUNT, 0.45  # of strips: the picture, a row
MEASURE_NAMES = {"auc": "AUC", "log-loss": "log loss", "brier": "Brier score"}
NEEDED = ["dataset", "method", "published", "measured"]


def dumbbells(
    table: pd.DataFrame,
    xlabel: str,
    ring: str | None = None,
    log: bool = False,
    figure: Picture | None = None,
) -> Picture:
    """Draw a row per row of a DataFrame, a marker per column, a line from least to most.

    The column named `ring` is drawn as a wide black ring, which may contain another marker; with
    `log`, equal steps double the value. Raises ValueError for a value that is not finite (or, with
    `log`, not above 0) and for a ring that is not a column.
    """
    check_frame("table", table)
    check_text(xlabel=xlabel)
    check_flag("log", log)
    rows, columns = [str(r) for r in table.index], [str(c) for c in table.columns]
    values = floats("table", table)
    if not values.size or not np.isfinite(values).all():
        raise ValueError("the table is empty or holds a value that is not a number: leave that out")
    if log and values.min() <= 0:
        raise ValueError("a value of 0 or less has no place on a logarithmic axis: leave that out")
    if ring is not None and ring not in columns:
        raise ValueError(f"ring must be one of the columns {some(columns)}, not {ring!r}")
    looks = list(zip(model_colours(columns), cycle(MARKERS[1:])))
    looks = [
        (BLACK, "ring") if name == ring else look for name, look in zip(columns, looks, strict=True)
    ]
    titles = [f"{name} (ring)" if name == ring else name for name in columns]
    fig, ax = _panel(figure, rows, titles, looks)
    ax.hlines(range(len(rows)), values.min(1), values.max(1), color="#C8C8C8", lw=3, zorder=1)
    _dots(ax, values, looks, log)
    label(ax, xlabel, grid="x")
    parts = []
    for row, line in zip(rows, values, strict=True):
        words = [f"{name} {value:.4g}" for name, value in zip(columns, line, strict=True)]
        parts.append(f"{row}: {', '.join(words)}")
    fig.alt = f"{xlabel}, {len(columns)} numbers a row. {'; '.join(parts)}."
    return fig


def _panel(figure, rows, names, looks):
    """Return a figure with a legend and one panel, whose rows are named at the left."""
    left, tall = 0.25 + min(max(map(text_width, rows)), NAMES), ROW * len(rows)
    colours, markers = zip(*looks, strict=True)
    fig = frame(figure, left + WIDE + SPACE, tall + 0.6, names, colours, left, markers)
    ax = axes(fig, left, 0.55, left + WIDE, 0.55 + tall)
    row_names(ax, range(len(rows)), rows, NAMES)
    return fig, ax


def _dots(ax, values, looks, log):
    """Draw a mark for each value (rows, columns), one row below the other."""
    places = np.arange(len(values))
    for column, (colour, marker) in enumerate(looks[: values.shape[1]]):
        style = mark(colour, marker)
        zorder = 3 if marker == "ring" else 4
        ax.plot(values[:, column], places, zorder=zorder, clip_on=False, **style)
    if log:
        low, high = np.floor(np.log2(values.min())), np.ceil(np.log2(values.max()))
        doubling(ax, 2.0 ** np.arange(low, high + 1, max(1, (high - low) // 4)))
    ax.set(ylim=(len(values) - 0.4, -0.6), yticks=[])
    ax.margins(x=0.06)
    ax.set_axisbelow(True)


def strips(
    result: Repeated,
    against: str | None = None,
    figure: Picture | None = None,
    *,
    ax: Given | None = None,
    figsize: Size = None,
) -> Picture | Given:
    """Draw a strip of dots per model, a dot per split, and the differences in each split beside.

    `result` comes from `rt.repeated`; the differences are to the model `against`, by default the
    first, which is grey. A bar marks a mean; the number at the right says in how many splits a
    model is better than `against`. `ax` and `figsize` as in `tree`. Raises TypeError for another
    result, ValueError for an unknown model.
    """
    check_given(figure, ax, figsize)
    check_like("the result of rt.repeated", result, "table", "in_k_of")
    table, names = result.table, list(result.table)
    against = names[0] if against is None else against
    check_known("model", against, names)
    left, tall = 0.25 + min(max(map(text_width, names)), NAMES), STRIP * len(names)
    width = (WIDTH - left - SPACE - COUNT) / 2
    fig = _headed(figure, result.data, left, tall + 0.75)
    first = axes(fig, left, 0.55, left + width, 0.55 + tall)
    second = axes(fig, left + width + SPACE, 0.55, -COUNT, 0.55 + tall)
    second.axvline(0, color=COLOURS["ideal"], lw=1, zorder=1)
    measure, parts = MEASURE_NAMES.get(result.measure, result.measure), []
    for place, name in enumerate(names):
        values, colour = table[name], COLOURS["parent" if name == against else "score"]
        _strip(first, values, place, colour)
        about = f"{name} {values.mean():.3f} ({values.min():.3f} to {values.max():.3f})"
        if name != against:
            gain = result.difference(name, against)
            _strip(second, gain, place, colour)
            about += f", {gain.mean():+.3f}; {result.in_k_of(name, against)}"
            text = f"better in {result.wins(name, against)} of {len(table)}"
            write(second, 1.04, place, text, COUNT, transform=second.get_yaxis_transform())
        parts.append(about)
    for side, title in ((first, measure), (second, f"{measure} minus {against}")):
        label(side, title, grid="x")
        side.set(ylim=(len(names) - 0.5, -0.5), yticks=[])
        side.locator_params(axis="x", nbins=4)
    row_names(first, range(len(names)), names, NAMES)
    where = f" on {result.data}" if result.data else ""
    fig.alt = f"Mean {measure}{where} in {len(table)} splits, with the least and the largest, and "
    fig.alt += f"the mean difference to {against}: {'. '.join(parts)}."
    return placed(fig, ax, figsize)


def _headed(figure, name, left, tall):
    """Return a picture as wide as strips are, with the name of the data, if any, on top."""
    heading = 0.27 * LETTERS * bool(name)
    fig = picture(figure, (WIDTH, tall + heading))
    if name:
        style = {"points": LARGE, "fontweight": "bold"}
        write(fig, left, tall + heading - 0.15 * LETTERS, name, WIDTH - left, **style)
    return fig


def _strip(ax, values, place, colour):
    """Draw a row's dots, moved up and down in turn so that equal ones are seen, and their mean."""
    moved = place + 0.13 * (np.arange(len(values)) % 5 - 2)
    ax.plot(values, moved, "o", ms=5, color=colour, mec="white", mew=0.4, zorder=3)
    ax.plot([values.mean()] * 2, [place - 0.4, place + 0.4], color="black", lw=2, zorder=4)


def differences(table: pd.DataFrame, xlabel: str, figure: Picture | None = None) -> Picture:
    """Draw a row of dots for each column of a DataFrame `table` of differences, a bar at its mean.

    Rows are the repetitions: splits, or data sets. The number at the right says in how many of them
    the difference is above 0; missing ones are left out. Raises ValueError for a column without any
    number, or with an infinite one.
    """
    check_text(xlabel=xlabel)
    columns = known_numbers(table)
    left, tall = 0.25 + min(max(map(text_width, columns)), NAMES), ROW * LETTERS**2 * len(columns)
    fig = picture(figure, (left + WIDE + COUNTS, tall + 0.7))
    ax = axes(fig, left, 0.55, left + WIDE, 0.6 + tall)
    row_names(ax, range(len(columns)), list(columns), NAMES)
    ax.axvline(0, color=BLACK, lw=1, zorder=2)
    ax.set(yticks=[], ylim=(len(columns) - 0.4, -0.6))
    parts, beyond = [], {"transform": ax.get_yaxis_transform()}
    for row, (name, values) in enumerate(columns.items()):
        y = row + 0.5 * ((0.5 + np.arange(len(values)) * GOLDEN) % 1 - 0.5)
        ax.plot(values, y, **mark(COLOURS["score"], "o", 4.5), alpha=0.75, zorder=3, clip_on=False)
        ax.plot(values.mean(), row, "|", ms=19, mew=2.5, color=COLOURS["best"], zorder=4)
        words = f"above 0 in {(values > 0).sum()} of {len(values)}"
        write(ax, 1.03, row, words, **beyond)
        ends = f"{values.min():+.3g} to {values.max():+.3g}"
        parts.append(f"{name}: {words}, {ends}, mean {values.mean():+.3g}")
    ax.margins(x=0.04)
    ax.locator_params(axis="x", nbins=6)
    label(ax, xlabel, grid="x")
    fig.alt = f"{xlabel}, a dot for each difference and a bar at the mean. {'; '.join(parts)}."
    return fig


def residuals(cells: pd.DataFrame, most: int = 6, figure: Picture | None = None) -> Picture:
    """Draw measured minus printed, a dot for each cell of a table, a column of dots per method.

    `cells`: a DataFrame with the columns dataset, method, published, measured, as in
    `rt.papers.cell_table`; rows without one of the two numbers are left out. At most eight methods;
    the `most` cells that differ most are named at the right. Raises ValueError for missing columns,
    no cell or more methods.
    """
    check_number("most", most, 0, whole=True)
    cells = _complete(cells)
    names = list(dict.fromkeys(cells["method"]))
    fig = picture(figure, (7.7, 4.2))
    ax = axes(fig, 0.75, 0.35, 4.95, 4.1)
    cells = cells.assign(off=cells["measured"] - cells["published"], place=0.0)
    below = ax.get_xaxis_transform()
    looks = zip(names, model_colours(names), MARKERS, strict=False)
    for column, (name, colour, marker) in enumerate(looks):
        chosen = cells["method"] == name
        beside = 0.6 * ((0.5 + np.arange(chosen.sum()) * GOLDEN) % 1 - 0.5)
        cells.loc[chosen, "place"] = column + beside
        style = mark(colour, marker, 5.5) | {"alpha": 0.85, "zorder": 3}
        ax.plot(cells.loc[chosen, "place"], cells.loc[chosen, "off"], **style)
        write(ax, column, -0.05, name, 4.1 / len(names), ha="center", transform=below)
    ax.axhline(0, color=COLOURS["ideal"], lw=1, zorder=1)
    ax.set(xlim=(-0.6, len(names) - 0.4), xticks=[])
    label(ax, "", "measured minus printed", "y")
    ax.set_axisbelow(True)
    off = cells["off"].abs()
    named = _furthest(ax, cells.loc[off.sort_values(kind="stable").index[::-1][:most]])
    parts = [f"{name} {part.mean():.3f}" for name, part in off.groupby(cells["method"], sort=False)]
    fig.alt = (
        f"Measured minus printed, {len(cells)} cells of {len(names)} methods; mean size by method: "
        f"{', '.join(parts)}. Within 1 lie {(off <= 1).mean():.0%}.{named}"
    )
    return fig


def _complete(cells):
    """Return the cells that have both numbers; ValueError for none and for too many methods."""
    check_frame("cells", cells)
    if missing := [name for name in NEEDED if name not in cells]:
        raise ValueError(f"cells lack the column {some(missing)}: give what cell_table returns")
    cells = cells[NEEDED].dropna(subset=NEEDED[2:])
    if cells.empty:
        raise ValueError("no cell has both a published and a measured number")
    cells, n = cells.assign(method=cells["method"].astype(str)), cells["method"].nunique()
    if n > len(MARKERS):
        raise ValueError(f"{n} methods are too many for one picture: choose at most {len(MARKERS)}")
    return cells


def _furthest(ax, cells):
    """Name these cells at the right, each led to its dot; return a sentence on them."""
    named = {f"{cut(f'{c.dataset}, {c.method}', 1.9)} {c.off:+.2f}": c for c in cells.itertuples()}
    places = end_names(ax, {name: (c.off, "black") for name, c in named.items()}, 2.6)
    right = ax.get_xlim()[1]
    style = {"color": "#9A9A9A", "lw": 0.7, "clip_on": False, "scalex": False, "scaley": False}
    for name, c in named.items():
        ax.plot([c.place, right], [c.off, places[name]], zorder=1, **style)
    form = "{0.dataset}, {0.method}: {0.published:.2f} printed, {0.measured:.2f} measured"
    parts = [form.format(cell) for cell in cells.itertuples()]
    return f" Furthest apart: {'; '.join(parts)}." if parts else ""
