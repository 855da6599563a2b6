"""A count table as shaded cells."""

import numpy as np
from matplotlib.collections import PolyCollection

from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import BLACK, SMALL, shorten, some, text_width

ROW = 0.28
MOST = 40  # rows drawn
NAME = 2.0


def table(n, rows=None, classes=None, figure=None) -> Picture:
    """A count table (V, C), value x class, with margins; the darker a cell the larger its share.

    `rows` names the V values, `classes` the C classes. Beyond 40 rows the rarest values are added
    up. Raises ValueError for counts that are no such table, or names that do not fit it.
    """
    n = np.asarray(n)
    if n.ndim != 2 or not n.size:
        raise ValueError(f"a count table has two axes, value x class, but n has shape {n.shape}")
    if not (n >= 0).all():
        raise ValueError("counts cannot be negative or missing")
    rows = _names("rows", rows, n.shape[0], "value")
    classes = _names("classes", classes, n.shape[1], "class")
    shown, labels = _shown(n, rows)
    first = max(text_width(shorten(r, NAME)) for r in [*labels, "all"]) + 0.25
    heads = [shorten(c, NAME) for c in [*classes, "cases"]]
    largest = text_width(_number(n.sum(), n.sum()), bold=True)
    columns = [max(0.75, largest + 0.2, text_width(head, bold=True) + 0.2) for head in heads]
    width, height = first + sum(columns) + 0.15, ROW * (len(shown) + 2) + 0.16
    fig = picture(figure, (width, height))
    ax = axes(fig, 0, 0, width, height, ticks=False)
    ax.set(xlim=(0, width), ylim=(height - 0.08, -0.08))
    edges = first + np.concatenate([[0], np.cumsum(columns)])
    _cells(ax, shown, edges)
    _words(ax, shown, labels, heads, edges)
    fig.alt = _sentence(n, rows, classes)
    return fig


def _names(what, names, size, word):
    names = [f"{word} {i}" for i in range(size)] if names is None else [str(x) for x in names]
    if len(names) != size:
        raise ValueError(f"{what} names {len(names)}, but the table has {size}")
    return names


def _shown(n, rows):
    if len(n) <= MOST:
        return n, rows
    common = np.sort(np.argsort(-n.sum(axis=1), kind="stable")[: MOST - 1])
    rest = n.sum(axis=0) - n[common].sum(axis=0)
    return np.vstack([n[common], rest]), [*(rows[r] for r in common), f"{len(n) - MOST + 1} others"]


def _cells(ax, n, edges):
    """Cells shaded by their share of the row, none below a quarter of the ink."""
    share = n / np.maximum(n.sum(axis=1, keepdims=True), 1)
    r, c = (axis.ravel() for axis in np.indices(n.shape))
    left, right, top, bottom = edges[c], edges[c + 1], ROW * (r + 1), ROW * (r + 2)
    corners = np.stack([left, top, right, top, right, bottom, left, bottom], -1).reshape(-1, 4, 2)
    white, blue = np.ones(3), np.array([0.45, 0.70, 0.87])
    colour = white + share.ravel()[:, None] * (blue - white)
    ax.add_collection(PolyCollection(corners, facecolors=colour, edgecolors="white", lw=1.5))


def _words(ax, n, rows, heads, edges):
    middle = (edges[:-1] + edges[1:]) / 2
    style = {"fontsize": SMALL, "va": "center_baseline"}
    centre = {"ha": "center", **style}
    for x, name in zip(middle, heads, strict=True):
        ax.text(x, ROW / 2, name, fontweight="bold", **centre)
    total, full = n.sum(), np.column_stack([n, n.sum(axis=1)])
    full = np.vstack([full, full.sum(axis=0)])
    for r, (name, counts) in enumerate(zip([*rows, "all"], full, strict=True)):
        y = ROW * (r + 1.5)
        bold = "bold" if r == len(n) else "normal"
        ax.text(edges[0] - 0.1, y, shorten(name, NAME), ha="right", fontweight=bold, **style)
        for c, (x, count) in enumerate(zip(middle, counts, strict=True)):
            weight = "bold" if c == n.shape[1] else bold
            ax.text(x, y, _number(count, total), color=BLACK, fontweight=weight, **centre)


def _number(count, total):
    """A count in full, a fraction short; with 100,000 cases or more the digits are in groups."""
    group = "," if total >= 100_000 else ""
    if not float(count).is_integer():
        return f"{count:{group}.1f}" if count >= 100_000 else f"{count:g}"
    return f"{count:{group}.0f}"


def _sentence(n, rows, classes):
    parts, total = [], n.sum()
    for name, counts in zip(rows[:6], n, strict=False):
        words = some([f"{_number(k, total)} {c}" for k, c in zip(counts, classes, strict=True)])
        parts.append(f"{name}: {words}")
    more = f"; and {len(rows) - 6} more values" if len(rows) > 6 else ""
    noun = "case" if total == 1 else "cases"
    return f"Count table of {_number(total, total)} {noun}: {'; '.join(parts)}{more}."
