"""Class names beside their colours, in rows along a picture's top edge."""

from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from ranktrees.teach.plot.style import SMALL, shorten, text_width

ROW, SWATCH, SPACE = 0.2, 0.18, 0.2  # inches: a row's height, a swatch's and a gap's width
NAME = 1.7
ROWS = 4


def legend_rows(names, room: float) -> list[list[str]]:
    """The names, shortened, in rows of `room` inches; the last row says how many find no place."""
    rows, used = [[]], 0.0
    for i, name in enumerate(names):
        label = shorten(name, NAME)
        width = SWATCH + text_width(label) + SPACE
        if rows[-1] and used + width > room:
            rows.append([])
            used = 0.0
        if len(rows) > ROWS:
            shown = [*rows[ROWS - 1][:-1], f"+ {len(names) - i + 1} more"]
            return [*rows[: ROWS - 1], shown]
        rows[-1].append(label)
        used += width
    return rows


def legend_height(names, width: float, left: float = 0.1) -> float:
    """Inches that the legend of a picture so wide takes at its top."""
    return 0.12 + ROW * len(legend_rows(names, width - left - 0.1))


def class_legend(figure, names, colours, left: float = 0.1, markers=None, top=None) -> None:
    """Write the names along the top edge, from `left` inches on, each beside its colour.

    `top`: inches from the picture's lower edge, where the names shall hang below another line.
    """
    wide, high = figure.get_size_inches()
    top = high if top is None else top
    n = 0
    for r, row in enumerate(legend_rows(names, wide - left - 0.1)):
        x, y = left, top - 0.17 - r * ROW
        for label in row:
            if label.startswith("+ ") and n < len(names) and r == ROWS - 1 and label == row[-1]:
                figure.text(x / wide, y / high, label, fontsize=SMALL, va="center")
                return
            _swatch(figure, x, y, colours[n], markers[n % len(markers)] if markers else None)
            place = ((x + SWATCH) / wide, y / high)
            figure.text(*place, label, fontsize=SMALL, va="center")
            x += SWATCH + text_width(label) + SPACE
            n += 1


def _swatch(figure, x, y, colour, marker):
    wide, high = figure.get_size_inches()
    if marker is None:
        box = ((x / wide, (y - 0.06) / high), 0.13 / wide, 0.12 / high)
        figure.add_artist(Rectangle(*box, color=colour))
    else:
        spot = [[(x + 0.065) / wide], [y / high]]
        figure.add_artist(Line2D(*spot, marker=marker, color=colour, ls="", mec="white", mew=0.5))
