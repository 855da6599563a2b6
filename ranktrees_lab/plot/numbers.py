"""Numbers: a count table as shaded cells, measured numbers as lines."""

from collections.abc import Mapping, Sequence

import numpy as np

from ranktrees_engine.basics.arguments import check_flag, check_like, check_text, floats
from ranktrees_engine.basics.kinds import ArrayLike
from ranktrees_engine.growing.tree import Tree
from ranktrees_lab.plot.inputs import all_names, ascending, check_level, check_place, lines_over
from ranktrees_lab.plot.parts import canvas, doubling, end_names, label, rectangles, write
from ranktrees_lab.plot.picture import Picture, axes, picture
from ranktrees_lab.plot.style import (
    COLOURS,
    DASHES,
    INDIGO,
    LETTERS,
    OLIVE,
    STONE,
    cut,
    line_looks,
    some,
    text_width,
)
from ranktrees_lab.plot.trees import draw_top

ROW, NAME, MOST = 0.28, 2.0, 40  # inches of a row, of a name; rows drawn
WIDTH, LEFT, RIGHT, HEIGHT = 7.0, 0.8, 1.9, 3.4  # inches: a series and its margins
PANEL, ENDS, SPACE = 2.4, 0.95, 0.6  # a panel of sizes, its names, between two
TALL, TREE = (2.1, 2.6) if LETTERS == 1 else (1.8, 2.1)  # of a panel, of a tree below
LINES = {  # errors: no colour of the first classes, which the tree below shows
    "training": (COLOURS["parent"], DASHES[0]),
    "test": ("black", DASHES[1]),
    "frequency": (STONE, DASHES[1]),
}
OTHERS = ((INDIGO, DASHES[0]), (OLIVE, DASHES[2]))


def table(
    n: ArrayLike,
    rows: Sequence | None = None,
    classes: Sequence | None = None,
    figure: Picture | None = None,
) -> Picture:
    """Draw a count table (V, C), value x class, with margins; darker cells have larger shares.

    `rows` names the V values, `classes` the C classes. Beyond 40 rows the rarest values are added
    up. Raises ValueError for other counts, or names that do not match.
    """
    n = floats("n", n)
    if n.ndim != 2 or not n.size:
        raise ValueError(f"a count table has two axes, value x class, but n has shape {n.shape}")
    if not (n >= 0).all():
        raise ValueError("counts cannot be negative or missing")
    rows = all_names("rows", rows, n.shape[0], "value")
    classes = all_names("classes", classes, n.shape[1], "class")
    shown, labels = joined(n, rows, MOST)
    full, total = np.column_stack([shown, shown.sum(axis=1)]), n.sum()
    words = [["", *classes, "cases"]]
    for name, counts in zip([*labels, "all"], [*full, full.sum(axis=0)], strict=True):
        words.append([name, *(_number(count, total) for count in counts)])
    columns = zip(*words, strict=True)
    widths = [max(text_width(cut(word, NAME), bold=True) for word in c) for c in columns]
    edges = np.cumsum([0.05, widths[0] + 0.2, *np.maximum(np.add(widths[1:], 0.2), 0.75)])
    fig = picture(figure, (edges[-1] + 0.15, ROW * len(words) + 0.16))
    _cells(canvas(fig, 0, 0, *fig.get_size_inches()), shown, words, edges)
    parts = []
    for name, counts in zip(rows[:6], n, strict=False):
        words = some([f"{_number(k, total)} {c}" for k, c in zip(counts, classes, strict=True)])
        parts.append(f"{name}: {words}")
    more = f"; and {len(rows) - 6} more values" if len(rows) > 6 else ""
    size = f"{_number(total, total)} {'case' if total == 1 else 'cases'}"
    fig.alt = f"Count table of {size}: {'; '.join(parts)}{more}."
    return fig


def _cells(ax, table, words, edges):
    """Draw a table's cells, the darker the larger their share, and all words between the edges."""
    share = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    colour = 1 - share.reshape(-1, 1) * (1 - np.array([0.65, 0.60, 0.80]))
    top, style = ROW * (np.arange(len(table))[:, None] + 1.3), {"edgecolors": "white", "lw": 1.5}
    rectangles(ax, edges[1:-2], top, edges[2:-1], top + ROW, facecolors=colour, **style)
    middle, (rows, columns) = (edges[:-1] + edges[1:]) / 2, np.shape(words)
    for (r, c), word in np.ndenumerate(words):
        bold = r in (0, rows - 1) or c == columns - 1
        style = {"ha": "center" if c else "right", "fontweight": "bold" if bold else "normal"}
        write(ax, middle[c] if c else edges[1] - 0.1, ROW * (r + 0.8), word, NAME, **style)


def joined(table, names, most) -> tuple[np.ndarray, list[str]]:
    """Return a count table of at most `most` rows and their names; the rarest are added up."""
    if len(table) <= most:
        return table, names
    common = np.sort(np.argsort(-table.sum(axis=1), kind="stable")[: most - 1])
    rest = table.sum(axis=0) - table[common].sum(axis=0)
    shown = [names[v] for v in common]
    return np.vstack([table[common], rest]), [*shown, f"{len(table) - most + 1} others"]


def _number(count, total):
    """Format a count in full, a fraction short; with 100,000 or more, the digits are in groups."""
    group = "," if total >= 100_000 else ""
    if not float(count).is_integer():
        return f"{count:{group}.1f}" if count >= 100_000 else f"{count:g}"
    return f"{count:{group}.0f}"


def series(
    x: ArrayLike,
    lines: Mapping[str, ArrayLike],
    xlabel: str,
    ylabel: str,
    level: tuple[str, float] | None = None,
    spreads: Mapping[str, ArrayLike] | None = None,
    log: bool = False,
    figure: Picture | None = None,
) -> Picture:
    """Draw lines {name: (K,) values} over ascending x (K,), each with its name at its right end.

    `level` (name, value) is a dotted line to compare with; `spreads` {name: (K,)} draws a band
    above and below a line; with `log`, equal steps double x. Raises ValueError for lengths that
    differ, values that are not finite, and no line.
    """
    x = ascending("x", x)
    check_text(xlabel=xlabel, ylabel=ylabel)
    check_flag("log", log)
    check_level(level)
    lines, spreads = lines_over("lines", lines, x, "x"), lines_over("spreads", spreads, x, "x")
    if not lines:
        raise ValueError("there is no line to draw: give {name: values}")
    if unknown := set(spreads) - set(lines):
        raise ValueError(f"spreads name {some(sorted(unknown))}, which is no line")
    fig = picture(figure, (WIDTH, HEIGHT))
    ax = axes(fig, LEFT, 0.6, -RIGHT, -0.15)
    ends = _lines(ax, x, lines, spreads, level)
    if log:
        doubling(ax, x)
    ax.set_xticks(x, [f"{v:g}" for v in x])
    label(ax, xlabel, ylabel, "y")
    end_names(ax, ends, RIGHT - 0.2)
    parts = [f"{name} from {y[0]:.3g} to {y[-1]:.3g}" for name, y in lines.items()]
    compared = f"; to compare: {level[0]}, {level[1]:g}" if level is not None else ""
    head = f"{ylabel} as {xlabel} goes from {x[0]:g} to {x[-1]:g}"
    fig.alt = f"{head[0].upper()}{head[1:]}: {', '.join(parts)}{compared}."
    return fig


def _lines(ax, x, lines, spreads, level):
    """Draw lines with their bands, and the level; return each one's end and colour by its name."""
    ends = {}
    looks = line_looks(lines, ms=5, lw=1.8)
    for (name, y), look in zip(lines.items(), looks, strict=True):
        ax.plot(x, y, **look)
        ends[name] = y[-1], look["color"]
        if name in spreads:
            band = y - spreads[name], y + spreads[name]
            ax.fill_between(x, *band, color=look["color"], alpha=0.15, lw=0)
    if level is not None:
        ax.axhline(level[1], color=COLOURS["random"], lw=1.2, ls=":")
        ends[str(level[0])] = level[1], "#5F5F5F"
    return ends


def sizes(
    leaves: ArrayLike,
    train: ArrayLike,
    test: ArrayLike,
    auc: Mapping[str, ArrayLike] | None = None,
    chosen: int | None = None,
    tree: Tree | None = None,
    figure: Picture | None = None,
) -> Picture:
    """Draw training and test error (K,) of trees by their leaves (K,), the least error marked.

    `auc` {name: (K,)}, at most two, are drawn beside the errors; `chosen`, a position in the row,
    is marked by a line; `tree` is drawn below, a large one with its size and the upper levels that
    fit. Raises ValueError for lengths that differ and a position outside the row.
    """
    leaves = floats("leaves", leaves)
    if leaves.ndim != 1 or not len(leaves) or leaves.min() < 1:
        raise ValueError("leaves must be a row of numbers of 1 or more, one per tree")
    errors = lines_over("errors", {"training": train, "test": test}, leaves, "leaves")
    ranks = lines_over("auc", auc, leaves, "leaves")
    if len(ranks) > 2 or set(ranks) & set(errors):
        raise ValueError(f"auc takes one or two lines of other names, not {list(ranks)}")
    if tree is not None:
        check_like("a Tree, such as model.tree_", tree, "root", "levels")
    check_place("chosen", chosen, len(leaves), none=True)
    low, panel = 0.6 + (TREE if tree is not None else 0), PANEL if ranks else 1.6 * PANEL
    wide = LEFT + panel + ENDS + (SPACE + panel + ENDS if ranks else 0)
    fig = picture(figure, (wide, low + TALL + 0.15))
    best = int(np.lexsort((leaves, errors["test"]))[0])
    shown = {name: 100 * values for name, values in errors.items()}
    ax = axes(fig, LEFT, low, LEFT + panel, low + TALL)
    _sizes_panel(ax, leaves, shown, "error (%)", ("test", best), chosen)
    if ranks:
        first = next(iter(ranks))
        ax = axes(fig, wide - ENDS - panel, low, wide - ENDS, low + TALL)
        _sizes_panel(ax, leaves, ranks, "test AUC", (first, int(ranks[first].argmax())), chosen)
    if tree is not None:
        draw_top(fig, tree, TREE)
    fig.alt = _sizes_sentence(leaves, errors, ranks, best, chosen, tree)
    return fig


def _sizes_panel(ax, leaves, lines, ylabel, best, chosen):
    """Draw named lines by size, a diamond at the `best` (line, place), a line at `chosen`."""
    order, ends = np.argsort(leaves, kind="stable"), {}
    for (name, y), other in zip(lines.items(), OTHERS, strict=False):
        colour, dashes = LINES.get(name, other)
        ax.plot(leaves[order], y[order], "o", ms=3.5, lw=1.8, color=colour, ls=dashes)
        ends[name] = y[order][-1], "#666666" if name == "training" else colour
    ring = {"ms": 8, "mfc": "none", "mec": COLOURS["best"], "mew": 1.8, "zorder": 5}
    ax.plot([leaves[best[1]]], [lines[best[0]][best[1]]], "D", **ring)
    if chosen is not None:
        ax.axvline(leaves[chosen], color=COLOURS["chosen"], lw=1, ls=(0, (4, 2)), zorder=1)
        dots = [y[chosen] for y in lines.values()]
        ax.plot([leaves[chosen]] * len(dots), dots, "o", ms=7, color=COLOURS["chosen"], zorder=4)
    high = max(leaves.max(), 2)
    doubling(ax, [t for t in 2 ** np.arange(12) if t <= high])
    ax.set_xlim(0.85, 1.15 * high)
    label(ax, "leaves", ylabel, "y")
    ax.margins(y=0.1)
    end_names(ax, ends, ENDS)


def _sizes_sentence(leaves, errors, ranks, best, chosen, tree):
    train, test = errors["training"], errors["test"]
    small, large = int(leaves.argmin()), int(leaves.argmax())
    text = (
        f"From {_leaves(leaves[small])} to {_leaves(leaves[large])} the training error goes from "
        f"{train[small]:.1%} to {train[large]:.1%}, the test error from {test[small]:.1%} to "
        f"{test[large]:.1%}; the least is {test[best]:.1%} with {_leaves(leaves[best])}."
    )
    for name, area in list(ranks.items())[:1]:
        top = int(area.argmax())
        text += f" The best AUC ({name}) is {area[top]:.3f} with {_leaves(leaves[top])}."
    if chosen is not None:
        here = [f"training error {train[chosen]:.1%}", f"test error {test[chosen]:.1%}"]
        here += [f"AUC {area[chosen]:.3f} ({name})" for name, area in ranks.items()]
        text += f" Chosen: {_leaves(leaves[chosen])}, {', '.join(here)}."
    if tree is not None and not tree.root.is_leaf:
        text += f" Its root tests {tree.root.name}."
    return text


def _leaves(n):
    return f"{n:g} leaf" if n == 1 else f"{n:g} leaves"
