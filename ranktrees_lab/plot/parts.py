"""Parts that pictures share: text, names at rows and lines, bars, legends of classes and lines."""

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D

from ranktrees_lab.plot.picture import Picture, axes, picture
from ranktrees_lab.plot.style import NORMAL, SMALL, cut, ink, other_font, plain, shorten, text_width

LINE = 0.19  # inches from one line of text to the next
GRID = "#E5E5E5"
ROW, SWATCH, SPACE = 0.2, 0.18, 0.2  # inches: a row's height, a swatch's and a gap's width
NAME, ROWS = 1.7, 4  # inches of a name, and rows of names


def write(where, x, y, text, room=None, points=SMALL, **style):
    """Write a line of text at (x, y) of axes, or inches of a picture, cut to `room` inches."""
    if isinstance(where, Picture):
        x, y = x / where.get_figwidth(), y / where.get_figheight()
    text = plain(text) if room is None else shorten(text, room, points)
    style = {"fontsize": points, "va": "center_baseline", **style, **other_font(text)}
    return where.text(x, y, text, **style)


def canvas(figure, left, bottom, right, top):
    """Return invisible axes, in inches from the upper left corner of this part of a picture."""
    ax = axes(figure, left, bottom, right, top, ticks=False)
    ax.set(xlim=(0, right - left), ylim=(top - bottom, 0))
    return ax


def label(ax, x="", y="", grid="") -> None:
    """Label the two axes, cut to their lengths; draw grey lines of `grid` "x", "y" or "both"."""
    box, (width, height) = ax.get_position(), ax.figure.get_size_inches()
    x = shorten(x, max(box.width * width, 1), NORMAL)
    y = shorten(y, max(box.height * height, 1), NORMAL)
    ax.set_xlabel(x, **other_font(x))
    ax.set_ylabel(y, **other_font(y))
    if grid:
        ax.grid(axis=grid, color=GRID, lw=0.6)


def spread(wish, least) -> np.ndarray:
    """Return ascending positions at least `least`, a number or (n - 1,), apart, moved minimally.

    Each position, minus the room needed before it, is the target of a least-squares fit by a rising
    step function: neighbours that are too close are pooled (isotonic regression).
    """
    wish = np.asarray(wish, float)
    room = np.concatenate([[0], np.cumsum(np.broadcast_to(least, max(len(wish) - 1, 0)))])
    pools = []  # mean target, number of positions
    for target in wish - room:
        pools.append((target, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (a, n), (b, m) = pools[-2:]
            pools[-2:] = [((a * n + b * m) / (n + m), n + m)]
    return np.repeat([mean for mean, _ in pools], [n for _, n in pools]) + room[: len(wish)]


def end_names(ax, ends: dict, room: float) -> dict:
    """Write names {name: (y, colour)} right of the axes, near their y; return their positions."""
    fig, box = ax.figure, ax.get_position()
    (low, high), (wide, tall) = ax.get_ylim(), fig.get_size_inches()
    names = sorted(ends, key=lambda name: ends[name][0])
    inch = (high - low) / (box.height * tall)
    heights = spread([ends[name][0] / inch for name in names], LINE)
    beyond = heights[-1:] - high / inch - 0.03
    heights -= max([0.0, *beyond])  # none leaves the picture at its top
    x = 1 + 0.1 / (box.width * wide)
    for name, y in zip(names, heights, strict=True):
        style = {"transform": ax.get_yaxis_transform(), "color": ends[name][1]}
        write(ax, x, y * inch, name, room, **style)
    return dict(zip(names, heights * inch, strict=True))


def row_names(ax, places, names, room: float, bold=(), colours=None) -> None:
    """Write names left of the axes, one per row, in black or these colours; `bold` ones bold."""
    x = -0.1 / (ax.get_position().width * ax.figure.get_figwidth())
    style = {"transform": ax.get_yaxis_transform(), "ha": "right"}
    for y, name, colour in zip(places, names, colours or ["black"] * len(names), strict=True):
        weight = "bold" if name in bold else "normal"
        write(ax, x, y, name, room, fontweight=weight, color=colour, **style)


def rectangles(ax, left, bottom, right, top, **style) -> None:
    """Draw rectangles (n,) as one collection, which is faster than n patches."""
    corners = np.broadcast_arrays(left, bottom, right, bottom, right, top, left, top)
    corners = np.stack(corners, axis=-1).reshape(-1, 4, 2)
    ax.add_collection(PolyCollection(corners, **{"lw": 0, **style}), autolim=False)


def share_bars(ax, table, left, width, middle, height, colours, numbers=None) -> None:
    """Draw a bar for each row of a table (R, C), cut by its shares.

    `left`, `width`, `middle` and `height` of the bars: a number or (R,). `numbers` is the form of
    the table's values, which are written where they fit.
    """
    left, width, middle, height = (np.reshape(v, (-1, 1)) for v in (left, width, middle, height))
    share = table / np.maximum(table.sum(axis=1, keepdims=True), 1e-300)
    stop = left + np.cumsum(share, axis=1) * width
    start = stop - share * width
    fill = np.tile(np.asarray(colours), len(table))
    rectangles(ax, start, middle - height / 2, stop, middle + height / 2, facecolors=fill)
    if numbers is None:
        return
    inch = np.ptp(ax.get_xlim()) / (ax.get_position().width * ax.figure.get_figwidth())
    for (r, c), value in np.ndenumerate(table):
        text, room = numbers.format(value), (stop[r, c] - start[r, c]) / inch
        if value and text_width(text) + 0.06 < room:
            place = (start[r, c] + stop[r, c]) / 2, middle[r % len(middle), 0]
            write(ax, *place, text, ha="center", color=ink(colours[c]))


def doubling(ax, ticks) -> None:
    """Set a logarithmic x axis with these ticks, on which equal steps double the value."""
    ax.set_xscale("log", base=2)
    ax.set_xticks(ticks, [f"{t:g}" for t in ticks])
    ax.minorticks_off()


def frame(figure, width, height, names, colours, left=0.1, markers=None) -> Picture:
    """Return a picture of this size (inches) with the classes' legend above, starting at `left`."""
    fig = picture(figure, (width, height + legend_height(names, width, left)))
    class_legend(fig, names, colours, left, markers)
    return fig


def legend_rows(names, room: float) -> list[list[tuple[int | None, str]]]:
    """Return (number, name) in rows of `room` inches; the last one says how many do not fit."""
    rows, used = [[]], 0.0
    for i, name in enumerate(names):
        label = cut(name, NAME)
        width = SWATCH + text_width(label) + SPACE
        if rows[-1] and used + width > room:
            rows.append([])
            used = 0.0
        if len(rows) > ROWS:
            rows[-2][-1] = (None, f"+ {len(names) - i + 1} more")
            return rows[:-1]
        rows[-1].append((i, label))
        used += width
    return rows


def legend_height(names, width: float, left: float = 0.1) -> float:
    """Return the inches that the legend takes at the top of a picture of this width."""
    return 0.12 + ROW * len(legend_rows(names, width - left - 0.1))


def class_legend(figure, names, colours, left=0.1, markers=None, top=None) -> None:
    """Write the names in rows along the top edge from `left` inches on, each beside its colour.

    `top`: inches from the picture's lower edge, if the names should be below another line.
    """
    wide, high = figure.get_size_inches()
    y = (high if top is None else top) - 0.17
    for row in legend_rows(names, wide - left - 0.1):
        x = left
        for i, label in row:
            if i is not None:
                style = mark(colours[i], markers[i % len(markers)], 6) if markers else {}
                style = style or {"color": colours[i], "marker": "s", "ms": 9}
                figure.add_artist(Line2D([(x + 0.065) / wide], [y / high], **style))
                x += SWATCH
            write(figure, x, y, label, va="center")
            x += text_width(label) + SPACE
        y -= ROW


def mark(colour, marker, size=7) -> dict:
    """Return the style of a marker alone; "ring" is wide, so that another fits inside."""
    if marker in ("_", "|"):
        return {"marker": marker, "ls": "", "ms": 1.7 * size, "color": colour, "mew": 1.8}
    if marker == "ring":
        return {"marker": "o", "ls": "", "ms": 1.7 * size, "mfc": "none", "mec": colour, "mew": 1.5}
    return {"marker": marker, "ls": "", "ms": size, "color": colour, "mec": "white", "mew": 0.5}


def key(figure, x, y, entries, room) -> None:
    """Write entries (text, style of a line) in a column from (x, y) inches, beside their lines."""
    wide, high = figure.get_size_inches()
    for text, style in entries:
        if style:
            line = np.array([x, x + 0.2, x + 0.4]) / wide, [y / high] * 3
            figure.add_artist(Line2D(*line, markevery=[1], **style))
        write(figure, x + 0.5, y, text, room)
        y -= 0.23
