"""What algorithms for data in files read and write: scans by level, and bytes in total."""

import numpy as np

from ranktrees_engine.basics.arguments import check_dict, check_text
from ranktrees_lab.plot.inputs import check_frame
from ranktrees_lab.plot.parts import label, rectangles, row_names, write
from ranktrees_lab.plot.picture import Picture, axes, picture, title
from ranktrees_lab.plot.style import INDIGO, TEAL, WINE, some

WIDTH, HEIGHT, LEFT, SCANS = 8.0, 3.1, 0.7, 3.3  # inches: the picture, its margin, the left panel
ROWS, BEYOND = 4.9, 0.25  # inches: where bars of bytes begin, and what stays free at the right
UNITS = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "KB"), (1, "B"))


def in_bytes(n: float) -> str:
    """Format a number of bytes with its unit, in three digits: `8.25 MB`."""
    size, unit = next((u for u in UNITS if n >= u[0]), UNITS[-1])
    text = f"{n / size:.3g}" if n < 999.5 * size else f"{n / size:.0f}"
    return f"{text} {unit}"


def traffic(
    tables: dict,
    chosen: str | None = None,
    heading: str | None = None,
    figure: Picture | None = None,
) -> Picture:
    """Draw scans by level of one algorithm, and the bytes that each algorithm reads and writes.

    `tables` {algorithm: DataFrame} as `rt.scale.grow` counts them, with `scans`, `read` and
    `written`; `chosen` (default: the first) is shown level by level, under its name or a `heading`.
    Raises ValueError if there is no table, or none for the chosen algorithm.
    """
    if not tables:
        raise ValueError("there is nothing to draw: give {algorithm: its table}")
    check_dict("tables", tables, "{algorithm: its table}")
    for table in tables.values():
        check_frame("each of tables", table)
    check_text(heading="" if heading is None else heading)
    chosen = next(iter(tables)) if chosen is None else chosen
    if chosen not in list(tables):
        raise ValueError(f"chosen must be one of {some(tables, 9, 'or')}, not {chosen!r}")
    fig = picture(figure, (WIDTH, HEIGHT))
    scans = tables[chosen]["scans"].to_numpy(float)
    heading = f"{chosen}: scans per level" if heading is None else heading
    _scans(axes(fig, LEFT, 0.55, LEFT + SCANS, -0.35), scans, heading)
    sums = {name: (t["read"].sum(), t["written"].sum()) for name, t in tables.items()}
    _bytes(axes(fig, ROWS, 0.55, -BEYOND, -0.35), sums, chosen)
    parts = [f"{n} reads {in_bytes(r)} and writes {in_bytes(w)}" for n, (r, w) in sums.items()]
    levels = ", ".join(f"{s:g}" for s in scans)
    fig.alt = f"Scans of the data by {chosen}, level by level: {levels}. In all, "
    fig.alt += f"{some(parts, len(parts))}."
    return fig


def _scans(ax, scans, heading):
    """Draw a bar per level, with its height above it."""
    level = np.arange(len(scans))
    rectangles(ax, level - 0.36, 0.0, level + 0.36, scans, facecolors=INDIGO)
    ax.set(xlim=(-0.6, len(scans) - 0.4), ylim=(0, 1.15 * max(scans.max(), 1)), xticks=level)
    for x, y in zip(level, scans, strict=True):
        write(ax, x, y + 0.06 * ax.get_ylim()[1], f"{y:.3g}", ha="center")
    ax.set_axisbelow(True)
    label(ax, "level", "scans of all rows", "y")
    title(ax, heading, ROWS - LEFT - 0.1)


def _bytes(ax, sums, chosen):
    """Draw two bars per algorithm: bytes read and, below, bytes written."""
    most = max(1, *(max(pair) for pair in sums.values()))
    size, unit = next((u for u in UNITS if most >= u[0]), UNITS[-1])
    rows = np.arange(len(sums))
    for k, colour in enumerate((TEAL, WINE)):
        width = np.array([pair[k] for pair in sums.values()]) / size
        y = rows + (k - 0.5) * 0.36
        rectangles(ax, 0.0, y - 0.17, width, y + 0.17, facecolors=colour)
        for at, x in zip(y, width, strict=True):
            write(ax, x + 0.02 * most / size, at, f"{x:.3g}")
    ax.set(xlim=(0, 1.2 * most / size), ylim=(len(sums) - 0.4, -0.6), yticks=[])
    row_names(ax, rows, list(sums), 0.85, bold=(chosen,))
    label(ax, unit)
    title(ax, "read (upper bar), written (lower bar)")
