"""A few numbers for each of several things, joined by a line: what was said, what was measured."""

import numpy as np

from ranktrees.teach.plot.legend import class_legend, legend_height
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import MARKERS, MODELS, SMALL, some, text_width

ROW, PANEL = 0.3, 4.6  # inches: a row's height, the room for the numbers


def dumbbells(
    table, xlabel: str, ring: str | None = None, log: bool = False, figure=None
) -> Picture:
    """A row for each row of a DataFrame, a marker for each column, a line from least to most.

    The column named `ring` is drawn as a wide black ring, in which another marker may lie; `log`
    doubles equal steps. Raises ValueError for a value that is not finite (or, with `log`, not
    above 0) and for a ring that is no column.
    """
    rows, columns = [str(r) for r in table.index], [str(c) for c in table.columns]
    values = table.to_numpy(float)
    if not values.size or not np.isfinite(values).all():
        raise ValueError("the table is empty or holds a value that is not a number: leave that out")
    if log and values.min() <= 0:
        raise ValueError("a value of 0 or less has no place on a logarithmic axis: leave that out")
    if ring is not None and ring not in columns:
        raise ValueError(f"ring must be one of the columns {some(columns)}, not {ring!r}")
    left = 0.25 + max(text_width(row) for row in rows)
    wide, tall = left + PANEL + 0.25, ROW * len(rows)
    told = [f"{name} (ring)" if name == ring else name for name in columns]
    fig = picture(figure, (wide, tall + 0.55 + legend_height(told, wide, left)))
    ax = axes(fig, left, 0.55, left + PANEL, 0.55 + tall)
    if log:
        ax.set_xscale("log", base=2)
        ax.xaxis.set_major_formatter("{x:g}")
    at = np.arange(len(rows))
    ax.hlines(at, values.min(axis=1), values.max(axis=1), color="#C8C8C8", lw=3, zorder=1)
    looks = _looks(columns, ring)
    for column, (colour, marker) in enumerate(looks):
        _dots(ax, values[:, column], at, colour, marker, columns[column] == ring)
    ax.set_yticks(at, rows, fontsize=SMALL)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(xlabel)
    ax.grid(axis="x", color="#E5E5E5", lw=0.6)
    ax.set_axisbelow(True)
    class_legend(fig, told, [c for c, _ in looks], left, [m for _, m in looks])
    fig.alt = _sentence(rows, columns, values, xlabel)
    return fig


def _looks(columns, ring):
    """Colour and marker of each column; the ring is black."""
    others = iter(zip(MODELS, MARKERS[1:], strict=False))
    return [("black", "o") if name == ring else next(others) for name in columns]


def _dots(ax, values, at, colour, marker, ring):
    style = {"ms": 7, "color": colour, "mec": "white", "mew": 0.5, "zorder": 4}
    if ring:
        style = {"ms": 12, "mfc": "none", "mec": colour, "mew": 1.5, "zorder": 3}
    ax.plot(values, at, marker, ls="", clip_on=False, **style)


def _sentence(rows, columns, values, xlabel):
    told = [
        f"{row}: {', '.join(f'{c} {v:.4g}' for c, v in zip(columns, line, strict=True))}"
        for row, line in zip(rows, values, strict=True)
    ]
    return f"{xlabel}, {len(columns)} numbers a row. {'; '.join(told)}."
