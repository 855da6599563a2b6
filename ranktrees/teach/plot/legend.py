"""What colours, markers and lines mean: class names along the top edge, or a key beside."""

import numpy as np
from matplotlib.lines import Line2D

from ranktrees.teach.plot.parts import write
from ranktrees.teach.plot.picture import Picture, picture
from ranktrees.teach.plot.style import cut, text_width

ROW, SWATCH, SPACE = 0.2, 0.18, 0.2  # inches: a row's height, a swatch's and a gap's width
NAME, ROWS = 1.7, 4  # inches of a name, and rows of names


def frame(figure, width, height, names, colours, left=0.1, markers=None) -> Picture:
    """A picture so large (inches), above which a legend of the classes is put, from `left` on."""
    fig = picture(figure, (width, height + legend_height(names, width, left)))
    class_legend(fig, names, colours, left, markers)
    return fig


def legend_rows(names, room: float) -> list[list[tuple[int | None, str]]]:
    """(number, name) in rows of `room` inches; the last one says how many find no place."""
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
    """Inches that the legend of a picture so wide takes at its top."""
    return 0.12 + ROW * len(legend_rows(names, width - left - 0.1))


def class_legend(figure, names, colours, left=0.1, markers=None, top=None) -> None:
    """The names in rows along the top edge, from `left` inches on, each beside its colour.

    `top`: inches from the picture's lower edge, where the names shall hang below another line.
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
    """The style of a marker alone; "ring" is wide, so that another may lie in it."""
    if marker in ("_", "|"):
        return {"marker": marker, "ls": "", "ms": 1.7 * size, "color": colour, "mew": 1.8}
    if marker == "ring":
        return {"marker": "o", "ls": "", "ms": 1.7 * size, "mfc": "none", "mec": colour, "mew": 1.5}
    return {"marker": marker, "ls": "", "ms": size, "color": colour, "mec": "white", "mew": 0.5}


def key(figure, x, y, entries, room) -> None:
    """Entries (text, style of a line) below each other from (x, y) inches, each beside its line."""
    wide, high = figure.get_size_inches()
    for text, style in entries:
        if style:
            line = np.array([x, x + 0.2, x + 0.4]) / wide, [y / high] * 3
            figure.add_artist(Line2D(*line, markevery=[1], **style))
        write(figure, x + 0.5, y, text, room)
        y -= 0.23
