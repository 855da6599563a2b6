"""Measured numbers as lines: a learning curve, a rate by the number of runs, errors by size."""

import numpy as np

from ranktrees.teach.plot.layout import LINE, NOTE, class_names, draw_plan, fit
from ranktrees.teach.plot.parts import (
    class_legend,
    doubling,
    end_names,
    label,
    legend_height,
    write,
)
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import COLOURS, DASHES, MODELS, class_colours, cut, line_look, some
from ranktrees.teach.plot.trees import Boxes, described

WIDTH, LEFT, RIGHT, HEIGHT = 7.0, 0.8, 1.9, 3.4  # inches: a series and its margins
PANEL, NAMES, SPACE, TALL = 2.4, 0.95, 0.6, 2.3  # a panel of sizes, its names, between two, height
TREE, FEW = 3.0, 10  # inches below the panels for a tree, and its ends
ROOMS = ((1.35, 1.45, 0.2), (0.95, 1.0, 0.2), (0.75, 0.8, 0.2), (0.6, 0.65, 0.2))
LINES = {  # errors: no colour of the first classes, which the tree below shows
    "training": (COLOURS["parent"], DASHES[0]),
    "test": ("black", DASHES[1]),
    "frequency": (MODELS[1], DASHES[1]),
}
OTHERS = ((MODELS[0], DASHES[0]), (MODELS[2], DASHES[2]))


def series(x, lines, xlabel, ylabel, level=None, spreads=None, log=False, figure=None) -> Picture:
    """Lines {name: (K,) values} over ascending x (K,), each with its name at its right end.

    `level` (name, value) is a dotted line to compare with; `spreads` {name: (K,)} draws a band of
    so much above and below a line; `log` doubles equal steps of x. Raises ValueError for lengths
    that differ, values that are not finite, and no line.
    """
    x = np.asarray(x, float)
    if not lines:
        raise ValueError("there is no line to draw: give {name: values}")
    lines, spreads = _checked(lines, x, "x"), _checked(spreads or {}, x, "x")
    if unknown := set(spreads) - set(lines):
        raise ValueError(f"spreads name {some(sorted(unknown))}, which is no line")
    if x.ndim != 1 or not len(x) or (np.diff(x) <= 0).any():
        raise ValueError("x must be a row of ascending numbers")
    fig = picture(figure, (WIDTH, HEIGHT))
    ax = axes(fig, LEFT, 0.6, -RIGHT, -0.15)
    ends = {}
    for k, (name, y) in enumerate(lines.items()):
        look = line_look(k, ms=5, lw=1.8)
        ax.plot(x, y, **look)
        ends[name] = y[-1], look["color"]
        if name in spreads:
            band = y - spreads[name], y + spreads[name]
            ax.fill_between(x, *band, color=look["color"], alpha=0.15, lw=0)
    if level is not None:
        ax.axhline(level[1], color=COLOURS["random"], lw=1.2, ls=":")
        ends[str(level[0])] = level[1], "#5F5F5F"
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


def _checked(lines, x, axis) -> dict[str, np.ndarray]:
    """The lines by name as arrays; ValueError where one is not as long as x or not finite."""
    lines = {str(name): np.asarray(values, float) for name, values in lines.items()}
    for name, values in lines.items():
        if values.shape != x.shape:
            raise ValueError(f"{name!r} has shape {values.shape}, but {axis} has {x.shape}")
        if not np.isfinite(values).all():
            raise ValueError(f"{name!r} holds a value that is not a number: leave that {axis} out")
    return lines


def sizes(leaves, train, test, auc=None, chosen=None, tree=None, figure=None) -> Picture:
    """Training and test error (K,) of trees by their number of leaves (K,), least error marked.

    `auc` {name: (K,)}, at most two, are drawn beside the errors; `chosen`, a position in the row,
    is marked by a line; `tree` is drawn below, of a large one its size and the upper levels that
    fit. Raises ValueError for lengths that differ and a position outside the row.
    """
    leaves = np.asarray(leaves, float)
    if leaves.ndim != 1 or not len(leaves) or leaves.min() < 1:
        raise ValueError("leaves must be a row of numbers from 1 on, one a tree")
    errors = _checked({"training": train, "test": test}, leaves, "leaves")
    ranks = _checked(auc or {}, leaves, "leaves")
    if len(ranks) > 2 or set(ranks) & set(errors):
        raise ValueError(f"auc takes one or two lines of other names, not {list(ranks)}")
    if chosen is not None and not 0 <= chosen < len(leaves):
        raise ValueError(f"chosen must be 0 to {len(leaves) - 1}, not {chosen!r}")
    low, panel = 0.6 + (TREE if tree is not None else 0), PANEL if ranks else 1.6 * PANEL
    wide = LEFT + panel + NAMES + (SPACE + panel + NAMES if ranks else 0)
    fig = picture(figure, (wide, low + TALL + 0.15))
    order = np.argsort(leaves, kind="stable")
    best = int(order[errors["test"][order].argmin()])
    shown = {name: 100 * values for name, values in errors.items()}
    ax = axes(fig, LEFT, low, LEFT + panel, low + TALL)
    _panel(ax, leaves, shown, "error (%)", ("test", best), chosen)
    if ranks:
        first = next(iter(ranks))
        ax = axes(fig, wide - NAMES - panel, low, wide - NAMES, low + TALL)
        _panel(ax, leaves, ranks, "test AUC", (first, int(ranks[first].argmax())), chosen)
    if tree is not None:
        _tree(fig, tree)
    fig.alt = _sentence(leaves, errors, ranks, best, chosen, tree)
    return fig


def _panel(ax, leaves, lines, ylabel, best, chosen):
    """Lines by size with their names, a diamond at the `best` (line, place), a line at `chosen`."""
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
    end_names(ax, ends, NAMES)


def _tree(fig, tree):
    """The tree in the room below; of a large one its size, and the upper levels that fit."""
    names, wide = class_names(tree), fig.get_figwidth()
    high = TREE - legend_height(names, wide)
    words = f"{tree.n_leaves} leaves, {len(tree)} nodes, depth {tree.depth}"
    size = wide, high - LINE  # below it may stand that only the top is drawn
    # not so narrow that names of classes become the same
    apart = [room for room in ROOMS if len({cut(n, room[0]) for n in names}) == len(set(names))]
    depth, plan = fit(tree, described, Boxes(), apart or ROOMS, leaves=FEW, size=size)
    if plan is None:
        write(fig, wide / 2, TREE / 2, f"{words}: too large to draw", ha="center", color=NOTE)
        return
    class_legend(fig, names, class_colours(len(names)), top=TREE)
    left, bottom = (wide - plan.size[0]) / 2, (high - plan.size[1]) / 2
    draw_plan(fig, plan, bottom, class_colours(len(names)), left)
    if depth < tree.depth:
        write(fig, 0.1, 0.12, f"{words}: only the top is drawn", color=NOTE)


def _sentence(leaves, errors, ranks, best, chosen, tree):
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
