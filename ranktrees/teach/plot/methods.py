"""Methods side by side: a dot for each data set, a panel for each measure."""

import numpy as np

from ranktrees.teach.plot.legend import class_legend, legend_height
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import MARKERS, MODELS, SMALL, some, text_width

ROW, PANEL, GAP = 0.3, 2.1, 0.25  # inches: a method's row, a panel, the room between two


def methods(tables: dict, log: tuple[str, ...] = (), figure=None) -> Picture:
    """Dots for methods (rows) on data sets (columns), a panel for each measure.

    `tables` {measure: DataFrame of methods x data sets}, alike in rows and columns. A bar marks the
    mean over the sets (the geometric one in panels named in `log`, whose axis is logarithmic).
    Raises ValueError for tables that differ in rows or columns or hold no finite number.
    """
    first = _checked(tables)
    rows, columns = [str(r) for r in first.index], [str(c) for c in first.columns]
    left = 0.25 + max(text_width(row) for row in rows)
    wide = left + len(tables) * (PANEL + GAP)
    room = legend_height(columns, wide, left)
    fig = picture(figure, (wide, 0.6 + ROW * len(rows) + room))
    colours = [MODELS[k % len(MODELS)] for k in range(len(columns))]
    for k, (measure, table) in enumerate(tables.items()):
        start = left + k * (PANEL + GAP)
        ax = axes(fig, start, 0.55, start + PANEL, 0.55 + ROW * len(rows))
        _panel(ax, table.to_numpy(float), colours, measure in log)
        ax.set_yticks(np.arange(len(rows)), rows if k == 0 else [], fontsize=SMALL)
        ax.set_xlabel(measure)
    class_legend(fig, columns, colours, left, MARKERS)
    high = fig.get_figheight()
    fig.text(0.1 / wide, 1 - 0.17 / high, "bar: mean", fontsize=SMALL, va="center")
    fig.alt = _sentence(tables, rows, columns, log)
    return fig


def _checked(tables):
    if not tables:
        raise ValueError("there is no measure to draw: give {measure: DataFrame}")
    first = next(iter(tables.values()))
    for measure, table in tables.items():
        if not (table.index.equals(first.index) and table.columns.equals(first.columns)):
            raise ValueError(f"the table of {measure!r} has other rows or columns than the first")
        if not np.isfinite(table.to_numpy(float)).all():
            raise ValueError(f"the table of {measure!r} holds a value that is not a number")
    return first


def _panel(ax, values, colours, log):
    R = len(values)
    if log:
        ax.set_xscale("log", base=2)
        low, high = np.floor(np.log2(values.min())), np.ceil(np.log2(values.max()))
        ticks = 2.0 ** np.arange(low, high + 1, max(1, (high - low) // 4))
        ax.set_xticks(ticks, [f"{t:g}" for t in ticks])
        ax.minorticks_off()
    ax.set_ylim(R - 0.5, -0.5)
    ax.hlines(np.arange(R), 0, 1, transform=ax.get_yaxis_transform(), color="#E5E5E5", lw=0.8)
    for c, colour in enumerate(colours):
        style = {"color": colour, "mec": "white", "mew": 0.5, "zorder": 3, "clip_on": False}
        ax.plot(values[:, c], np.arange(R), MARKERS[c % len(MARKERS)], ms=7, **style)
    ax.plot(_means(values, log), np.arange(R), "|", ms=17, mew=2, color="black", zorder=2)
    ax.tick_params(axis="y", length=0)
    ax.margins(x=0.06)


def _means(values, log):
    return np.exp(np.log(values).mean(axis=1)) if log else values.mean(axis=1)


def _sentence(tables, rows, columns, log):
    told = []
    for measure, table in tables.items():
        means = _means(table.to_numpy(float), measure in log)
        order = np.argsort(means, kind="stable")
        ends = [f"{rows[i]} ({means[i]:.3g})" for i in (order[0], order[-1])]
        mean = "geometric mean of" if measure in log else "mean"
        told.append(f"{mean} {measure} is lowest for {ends[0]} and highest for {ends[1]}")
    return f"{len(rows)} methods on {some(columns, 6)}: {'; '.join(told)}."
