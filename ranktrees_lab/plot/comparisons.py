"""Numbers of several things as dots: methods on data sets, what was printed and measured."""

import numpy as np

from ranktrees.basics.arguments import (
    as_list,
    check_dict,
    check_flag,
    check_like,
    check_number,
    check_text,
    floats,
)
from ranktrees_lab.plot.inputs import check_frame, check_known, known_numbers
from ranktrees_lab.plot.parts import (
    GRID,
    doubling,
    end_names,
    frame,
    label,
    mark,
    row_names,
    write,
)
from ranktrees_lab.plot.picture import Picture, axes, picture
from ranktrees_lab.plot.style import (
    BLACK,
    BLUE,
    COLOURS,
    GREY,
    MARKERS,
    MODELS,
    cut,
    some,
    text_width,
)

ROW, NAMES = 0.3, 3.0  # inches: a row's height, the widest name
COUNTS, GOLDEN = 1.0, 0.6180339887  # inches for "in 12 of 20"; of the width of a row
PANEL, WIDE, SPACE = 2.1, 4.6, 0.25  # one panel of several, a single one, between two
WIDTH, STRIP, COUNT = 7.7, 0.45, 1.25  # of strips: the picture, a row, the text beside it
MEASURE_NAMES = {"auc": "AUC", "log-loss": "log loss", "brier": "Brier score"}
LOOKS = tuple(zip((*MODELS, BLACK, GREY), MARKERS, strict=True))
NEEDED = ["dataset", "method", "published", "measured"]


def dumbbells(table, xlabel, ring=None, log=False, figure=None) -> Picture:
    """A row for each row of a DataFrame, a marker for each column, a line from least to most.

    The column named `ring` is drawn as a wide black ring, in which another marker may lie; `log`
    doubles equal steps. Raises ValueError for a value that is not finite (or, with `log`, not
    above 0) and for a ring that is no column.
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
    others = iter(zip(MODELS, MARKERS[1:], strict=False))
    looks = [("black", "ring") if name == ring else next(others) for name in columns]
    titles = [f"{name} (ring)" if name == ring else name for name in columns]
    fig, (ax,) = _panels(figure, rows, titles, looks, WIDE)
    ax.hlines(range(len(rows)), values.min(1), values.max(1), color="#C8C8C8", lw=3, zorder=1)
    _dots(ax, values, looks, log)
    label(ax, xlabel, grid="x")
    parts = []
    for row, line in zip(rows, values, strict=True):
        words = [f"{name} {value:.4g}" for name, value in zip(columns, line, strict=True)]
        parts.append(f"{row}: {', '.join(words)}")
    fig.alt = f"{xlabel}, {len(columns)} numbers a row. {'; '.join(parts)}."
    return fig


def methods(tables: dict, log: tuple[str, ...] = (), figure=None) -> Picture:
    """Dots for methods (rows) on data sets (columns), a panel for each measure.

    `tables` {measure: DataFrame of methods x data sets}, alike in rows and columns. A bar marks the
    mean over the sets (the geometric one in panels named in `log`, whose axis is logarithmic).
    Raises ValueError for tables that differ in rows or columns or hold no finite number.
    """
    if not tables:
        raise ValueError("there is no measure to draw: give {measure: DataFrame}")
    check_dict("tables", tables, "{measure: DataFrame}")
    for name in as_list("log", log):
        check_known("measure", name, tables)
    first = next(iter(tables.values()))
    for measure, table in tables.items():
        check_frame("each of tables", table)
        if not (table.index.equals(first.index) and table.columns.equals(first.columns)):
            raise ValueError(f"the table of {measure!r} has other rows or columns than the first")
        if not np.isfinite(floats(f"the table of {measure!r}", table)).all():
            raise ValueError(f"the table of {measure!r} holds a value that is not a number")
    rows, columns = [str(r) for r in first.index], [str(c) for c in first.columns]
    looks = [(MODELS[k % len(MODELS)], MARKERS[k % len(MARKERS)]) for k in range(len(columns))]
    entries = [*columns, "bar: mean"], [*looks, ("black", "|")]
    fig, panels = _panels(figure, rows, *entries, PANEL, len(tables))
    parts = []
    for ax, (measure, table) in zip(panels, tables.items(), strict=True):
        values, geometric = table.to_numpy(float), measure in log
        places = np.arange(len(rows))
        ax.hlines(places, 0, 1, transform=ax.get_yaxis_transform(), color=GRID, lw=0.8)
        _dots(ax, values, looks, geometric)
        mean = np.exp(np.log(values).mean(axis=1)) if geometric else values.mean(axis=1)
        ax.plot(mean, places, "|", ms=17, mew=2, color="black", zorder=2)
        label(ax, measure)
        order = np.argsort(mean, kind="stable")
        low, high = (f"{rows[i]} ({mean[i]:.3g})" for i in order[[0, -1]])
        kind = "geometric mean of" if geometric else "mean"
        parts.append(f"{kind} {measure} is lowest for {low} and highest for {high}")
    fig.alt = f"{len(rows)} methods on {some(columns, 6)}: {'; '.join(parts)}."
    return fig


def _panels(figure, rows, names, looks, width, n=1):
    """A figure with a legend and panels side by side, whose rows are named at the left."""
    left, tall = 0.25 + min(max(map(text_width, rows)), NAMES), ROW * len(rows)
    starts = [left + k * (width + SPACE) for k in range(n + 1)]
    colours, markers = zip(*looks, strict=True)
    fig = frame(figure, starts[-1], tall + 0.6, names, colours, left, markers)
    panels = [axes(fig, start, 0.55, start + width, 0.55 + tall) for start in starts[:-1]]
    row_names(panels[0], range(len(rows)), rows, NAMES)
    return fig, panels


def _dots(ax, values, looks, log):
    """A mark for each value (rows, columns), one row below the other."""
    places = np.arange(len(values))
    for column, (colour, marker) in enumerate(looks[: values.shape[1]]):
        style = mark(colour, marker)
        zorder = 3 if marker == "ring" else 4
        ax.plot(values[:, column], places, zorder=zorder, clip_on=False, **style)
    if log:
        low, high = np.floor(np.log2(values.min())), np.ceil(np.log2(values.max()))
        doubling(ax, 2.0 ** np.arange(low, high + 1, max(1, (high - low) // 4)))
    ax.set_yticks(places, [""] * len(places))
    ax.set_ylim(len(values) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.margins(x=0.06)
    ax.set_axisbelow(True)


def strips(result, against: str | None = None, figure=None) -> Picture:
    """A strip of dots per model, a dot per split, and beside it the differences in each split.

    `result` of `rt.repeated`; the differences are to the model `against`, by default the first. A
    bar marks a mean; at the right stands in how many splits a model is better than `against`.
    Raises TypeError for another result, ValueError for an unknown model.
    """
    check_like("the result of rt.repeated", result, "table", "in_k_of")
    table, names = result.table, list(result.table)
    against = names[0] if against is None else against
    check_known("model", against, names)
    left, tall = 0.25 + min(max(map(text_width, names)), NAMES), STRIP * len(names)
    width = (WIDTH - left - SPACE - COUNT) / 2
    fig = picture(figure, (WIDTH, tall + 0.75))
    first = axes(fig, left, 0.55, left + width, 0.55 + tall)
    second = axes(fig, left + width + SPACE, 0.55, -COUNT, 0.55 + tall)
    second.axvline(0, color=COLOURS["ideal"], lw=1, zorder=1)
    parts = []
    for place, name in enumerate(names):
        colour, values = MODELS[place % len(MODELS)], table[name]
        _strip(first, values, place, colour)
        words = f"{name} {values.mean():.3f} ({values.min():.3f} to {values.max():.3f})"
        if name != against:
            gain = result.difference(name, against)
            _strip(second, gain, place, colour)
            words += f", {gain.mean():+.3f}; {result.in_k_of(name, against)}"
            text = f"better in {result.wins(name, against)} of {len(table)}"
            write(second, 1.04, place, text, COUNT, transform=second.get_yaxis_transform())
        parts.append(words)
    measure = MEASURE_NAMES.get(result.measure, result.measure)
    for ax, title in ((first, measure), (second, f"difference to {against}")):
        label(ax, title, grid="x")
        ax.set_yticks(range(len(names)), [""] * len(names))
        ax.tick_params(axis="y", length=0)
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.locator_params(axis="x", nbins=4)
    row_names(first, range(len(names)), names, NAMES)
    fig.alt = f"Mean {measure} in {len(table)} splits, with the least and the largest, and "
    fig.alt += f"the mean difference to {against}: {'. '.join(parts)}."
    return fig


def _strip(ax, values, place, colour):
    """Dots of one row, moved up and down in turn so that equal ones are seen, and their mean."""
    moved = place + 0.13 * (np.arange(len(values)) % 5 - 2)
    ax.plot(values, moved, "o", ms=5, color=colour, mec="white", mew=0.4, zorder=3)
    ax.plot([values.mean()] * 2, [place - 0.4, place + 0.4], color="black", lw=2, zorder=4)


def differences(table, xlabel, figure=None) -> Picture:
    """A row of dots for each column of a DataFrame `table` of differences, a bar at its mean.

    Rows are what was repeated: splits, or data sets. At the right stands in how many of them the
    difference lies above 0; missing ones are left out. Raises ValueError for a column without any
    number, or with an infinite one.
    """
    check_text(xlabel=xlabel)
    columns = known_numbers(table)
    left, tall = 0.25 + min(max(map(text_width, columns)), NAMES), ROW * len(columns)
    fig = picture(figure, (left + WIDE + COUNTS, tall + 0.7))
    ax = axes(fig, left, 0.55, left + WIDE, 0.6 + tall)
    row_names(ax, range(len(columns)), list(columns), NAMES)
    ax.axvline(0, color=BLACK, lw=1, zorder=2)
    ax.set(yticks=[], ylim=(len(columns) - 0.4, -0.6))
    parts, beyond = [], {"transform": ax.get_yaxis_transform()}
    for row, (name, values) in enumerate(columns.items()):
        y = row + 0.5 * ((0.5 + np.arange(len(values)) * GOLDEN) % 1 - 0.5)
        ax.plot(values, y, **mark(BLUE, "o", 4.5), alpha=0.75, zorder=3, clip_on=False)
        ax.plot(values.mean(), row, "|", ms=19, mew=2.5, color=COLOURS["best"], zorder=4)
        words = f"in {(values > 0).sum()} of {len(values)}"
        write(ax, 1.03, row, words, **beyond)
        ends = f"{values.min():+.3g} to {values.max():+.3g}"
        parts.append(f"{name}: above 0 {words}, {ends}, mean {values.mean():+.3g}")
    ax.margins(x=0.04)
    label(ax, xlabel, grid="x")
    fig.alt = f"{xlabel}, a dot for each difference and a bar at the mean. {'; '.join(parts)}."
    return fig


def published(cells, most: int = 6, difference: bool = False, figure=None) -> Picture:
    """Cells of a table as dots: published across, measured (or measured - published) upwards.

    `cells`: a DataFrame with the columns dataset, method, published, measured, as of
    `rt.papers.cell_table`; rows without one of the two numbers are left out. A colour is a
    method, at most eight; the `most` cells that differ most are named at the right. Raises
    ValueError for missing columns, no cell or more methods.
    """
    check_number("most", most, 0, whole=True)
    check_flag("difference", difference)
    cells = _complete(cells)
    names = list(dict.fromkeys(cells["method"]))
    colours, markers = zip(*LOOKS, strict=True)
    fig = frame(figure, 7.7, 4.9, names, colours, 0.75, markers)
    ax = axes(fig, 0.75, 0.6, 4.95, 4.8)
    x, y = cells["published"].to_numpy(float), cells["measured"].to_numpy(float)
    off, y = y - x, y - x if difference else y
    for name, (colour, marker) in zip(names, LOOKS, strict=False):
        shown = (cells["method"] == name).to_numpy()
        ax.plot(x[shown], y[shown], **mark(colour, marker, 6), alpha=0.85, zorder=3)
    if difference:
        ax.axhline(0, color=COLOURS["ideal"], lw=1, zorder=1)
    else:
        low, high = min(x.min(), y.min()), max(x.max(), y.max())
        ends = low - 0.04 * max(high - low, 1), high + 0.04 * max(high - low, 1)
        ax.set(xlim=ends, ylim=ends)
        ax.plot(ends, ends, color=COLOURS["ideal"], lw=1, zorder=1)
    label(ax, "published", "measured - published" if difference else "measured", "both")
    ax.set_axisbelow(True)
    far = np.argsort(-np.abs(off), kind="stable")[:most]
    named = _furthest(ax, cells.assign(height=y, off=off).iloc[far])
    fig.alt = (
        f"{len(cells)} cells of {len(names)} methods, published against measured: the mean "
        f"difference is {np.abs(off).mean():.3f}, {(np.abs(off) <= 1).mean():.0%} lie within 1 "
        f"point.{named}"
    )
    return fig


def _complete(cells):
    """The cells that have both numbers; ValueError for no such cell and for too many methods."""
    check_frame("cells", cells)
    if missing := [name for name in NEEDED if name not in cells]:
        raise ValueError(f"cells lack the column {some(missing)}: give what cell_table returns")
    cells = cells[NEEDED].dropna(subset=NEEDED[2:])
    if cells.empty:
        raise ValueError("no cell has both a published and a measured number")
    cells, n = cells.assign(method=cells["method"].astype(str)), cells["method"].nunique()
    if n > len(LOOKS):
        raise ValueError(f"{n} methods are too many for one picture: choose at most {len(LOOKS)}")
    return cells


def _furthest(ax, cells):
    """Name these cells at the right, each led to its dot; returns a sentence on them."""
    named = {f"{cut(f'{c.dataset}, {c.method}', 1.9)} {c.off:+.2f}": c for c in cells.itertuples()}
    places = end_names(ax, {name: (c.height, "black") for name, c in named.items()}, 2.6)
    right = ax.get_xlim()[1]
    style = {"color": "#9A9A9A", "lw": 0.7, "clip_on": False, "scalex": False, "scaley": False}
    for name, c in named.items():
        ax.plot([c.published, right], [c.height, places[name]], zorder=1, **style)
    form = "{0.dataset}, {0.method}: {0.published:.2f} published, {0.measured:.2f} measured"
    parts = [form.format(cell) for cell in cells.itertuples()]
    return f" Furthest apart: {'; '.join(parts)}." if parts else ""
