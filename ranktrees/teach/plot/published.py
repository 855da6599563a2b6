"""What a paper printed against what was measured: a dot a cell, the furthest ones by name."""

import numpy as np

from ranktrees.arguments import check_number
from ranktrees.teach.plot.bars import spread
from ranktrees.teach.plot.legend import class_legend, legend_height
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import BLACK, COLOURS, GREY, MARKERS, MODELS, SMALL, shorten, some

LEFT, SIDE, NAMES, LOW = 0.75, 4.2, 2.75, 0.6  # inches: margin, plane, names of cells, below
LINE = 0.2  # inches between two names
LOOKS = tuple(zip((*MODELS, BLACK, GREY), MARKERS, strict=True))
NEEDED = ["dataset", "method", "published", "measured"]


def published(cells, most: int = 6, difference: bool = False, figure=None) -> Picture:
    """Cells of a table as dots: published across, measured (or measured - published) upwards.

    `cells`: a DataFrame with the columns dataset, method, published, measured, as of
    `rt.experiment.cell_table`; rows without one of the two numbers are left out. A colour is a
    method, at most eight; the `most` cells that differ most are named at the right. Raises
    ValueError for missing columns, no cell or more methods.
    """
    cells = _checked(cells, most)
    methods = list(dict.fromkeys(cells["method"]))
    wide = LEFT + SIDE + NAMES
    fig = picture(figure, (wide, LOW + SIDE + 0.1 + legend_height(methods, wide, LEFT)))
    ax = axes(fig, LEFT, LOW, LEFT + SIDE, LOW + SIDE)
    x, off = cells["published"].to_numpy(), cells["difference"].to_numpy()
    y = off if difference else cells["measured"].to_numpy()
    _plane(ax, x, y, difference)
    for method, (colour, marker) in zip(methods, LOOKS, strict=False):
        mine = (cells["method"] == method).to_numpy()
        style = {"color": colour, "mec": "white", "mew": 0.5, "ms": 6, "alpha": 0.85}
        ax.plot(x[mine], y[mine], marker, ls="", zorder=3, **style)
    far = np.argsort(-np.abs(off), kind="stable")[:most]
    _name(fig, ax, cells.iloc[far], x[far], y[far])
    colours, marks = zip(*LOOKS, strict=True)
    class_legend(fig, methods, colours, LEFT, marks)
    fig.alt = _sentence(cells, far)
    return fig


def _checked(cells, most):
    check_number("most", most, 0, whole=True)
    if missing := [name for name in NEEDED if name not in cells]:
        raise ValueError(f"cells lack the column {some(missing)}: give what cell_table returns")
    cells = cells[NEEDED].dropna(subset=NEEDED[2:])
    if cells.empty:
        raise ValueError("no cell has both a published and a measured number")
    if (n := cells["method"].nunique()) > len(LOOKS):
        raise ValueError(f"{n} methods are too many for one picture: choose at most {len(LOOKS)}")
    return cells.assign(difference=cells["measured"] - cells["published"])


def _plane(ax, x, y, difference):
    """The axes, and the line on which both numbers are the same."""
    if difference:
        ax.axhline(0, color=COLOURS["ideal"], lw=1, zorder=1)
    else:
        low, high = min(x.min(), y.min()), max(x.max(), y.max())
        room = 0.04 * max(high - low, 1)
        ends = low - room, high + room
        ax.set(xlim=ends, ylim=ends)
        ax.plot(ends, ends, color=COLOURS["ideal"], lw=1, zorder=1)
    ax.set(xlabel="published", ylabel="measured - published" if difference else "measured")
    ax.grid(color="#E5E5E5", lw=0.6)
    ax.set_axisbelow(True)


def _name(fig, ax, cells, x, y):
    """Names at the right, each led to its dot, as near to its height as the others let it."""
    if not len(cells):
        return
    order = np.argsort(y, kind="stable")
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    dots = np.column_stack([(x - left) / (right - left), (y - low) / (high - low)]) * SIDE
    at = spread(dots[order, 1], LINE)
    at -= max(0.0, at[-1] - SIDE)
    wide, tall = fig.get_size_inches()
    over = axes(fig, 0, 0, wide, tall, ticks=False)
    over.set(xlim=(0, wide), ylim=(0, tall))
    for place, height in zip(order, at, strict=True):
        row = cells.iloc[place]
        dot, end = (LEFT + dots[place, 0], LOW + dots[place, 1]), LEFT + SIDE + 0.15
        over.plot([dot[0], end], [dot[1], LOW + height], color="#9A9A9A", lw=0.7, zorder=1)
        number = f" {row['difference']:+.2f}"
        text = shorten(f"{row['dataset']}, {row['method']}", NAMES - 0.85) + number
        over.text(end + 0.06, LOW + height, text, fontsize=SMALL, va="center_baseline")


def _sentence(cells, far):
    off = cells["difference"].abs()
    told = [
        f"{row.dataset}, {row.method}: {row.published:.2f} published, {row.measured:.2f} measured"
        for row in cells.iloc[far].itertuples()
    ]
    head = (
        f"{len(cells)} cells of {cells['method'].nunique()} methods, published against measured: "
        f"the mean difference is {off.mean():.3f}, {(off <= 1).mean():.0%} lie within 1 point."
    )
    return f"{head} Furthest apart: {'; '.join(told)}." if told else head
