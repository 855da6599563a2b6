"""Error and AUC against the size of a tree: under- and overfitting, and one tree of the row."""

from collections.abc import Sequence

import numpy as np

from ranktrees.teach.plot.layout import items, leaves_at
from ranktrees.teach.plot.legend import class_legend, legend_height
from ranktrees.teach.plot.nodes import Boxes
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.plans import NOTE, Sideways, Upright
from ranktrees.teach.plot.style import (
    BLACK,
    COLOURS,
    DASHES,
    GREEN,
    GREY,
    PURPLE,
    SKY,
    SMALL,
    class_colours,
    shorten,
)

LEFT, PANEL, NAMES, SPACE = 0.7, 2.4, 0.95, 0.6  # inches: margin, curves, their names, between
WIDTH, HEIGHT = LEFT + 2 * (PANEL + NAMES) + SPACE, 2.3
TREE = 3.0  # below the curves: the tree
NARROW = ((1.35, 1.45), (0.95, 1.0), (0.75, 0.8), (0.6, 0.65))  # for names and conditions
FEW = 10  # ends of a tree that is drawn
LINE = 0.19
LINES = {  # errors: no colour of the first classes, which the tree below shows
    "training": (GREY, DASHES[0]),
    "test": (BLACK, DASHES[1]),
    "frequency": (GREEN, DASHES[1]),
}
OTHERS = ((PURPLE, DASHES[0]), (SKY, DASHES[2]))


def sizes(
    leaves: Sequence[float],
    train: Sequence[float],
    test: Sequence[float],
    auc: dict[str, Sequence[float]] | None = None,
    chosen: int | None = None,
    tree=None,
    figure: Picture | None = None,
) -> Picture:
    """Training and test error (K,) of trees by their number of leaves (K,), least error marked.

    `auc` {name: (K,)}, at most two, are drawn beside the errors; `chosen`, a position in the row,
    is marked by a line; `tree` is drawn below, of a large one its size and the upper levels that
    fit. Raises ValueError for lengths that differ and a position outside the row.
    """
    leaves, lines = _checked(leaves, train, test, auc or {}, chosen)
    low = 0.6 + (TREE if tree is not None else 0)
    wide = WIDTH if auc else LEFT + 1.6 * PANEL + NAMES
    fig = picture(figure, (wide, low + HEIGHT + 0.15))
    order = np.argsort(leaves, kind="stable")
    right = LEFT + (PANEL if auc else 1.6 * PANEL)
    panels = [_panel(fig, LEFT, right, low, leaves, "error (%)")]
    both = {k: 100 * lines[k][order] for k in ("training", "test")}
    _draw(fig, panels[0], right, leaves[order], both)
    if auc:
        panels.append(_panel(fig, WIDTH - NAMES - PANEL, WIDTH - NAMES, low, leaves, "test AUC"))
        ranks = {name: lines[name][order] for name in auc}
        _draw(fig, panels[1], WIDTH - NAMES, leaves[order], ranks)
    best = int(order[lines["test"][order].argmin()])
    _mark(panels, leaves, lines, list(auc or {}), best, chosen)
    if tree is not None:
        _tree(fig, tree)
    fig.alt = _sentence(leaves, lines, list(auc or {}), best, chosen, tree)
    return fig


def _checked(leaves, train, test, auc, chosen):
    leaves = np.asarray(leaves, float)
    lines = {"training": train, "test": test, **auc}
    lines = {str(name): np.asarray(values, float) for name, values in lines.items()}
    if leaves.ndim != 1 or not len(leaves) or leaves.min() < 1:
        raise ValueError("leaves must be a row of numbers from 1 on, one a tree")
    if len(auc) > 2 or len(lines) < 2 + len(auc):
        raise ValueError(f"auc takes one or two lines of other names, not {list(auc)}")
    for name, values in lines.items():
        if values.shape != leaves.shape:
            raise ValueError(f"{name!r} has shape {values.shape}, but leaves {leaves.shape}")
    if chosen is not None and not 0 <= chosen < len(leaves):
        raise ValueError(f"chosen must be 0 to {len(leaves) - 1}, not {chosen!r}")
    return leaves, lines


def _panel(fig, left, right, bottom, leaves, label):
    ax = axes(fig, left, bottom, right, bottom + HEIGHT)
    ax.set_xscale("log", base=2)
    high = max(leaves.max(), 2)
    ticks = [t for t in 2 ** np.arange(12) if t <= high]
    ax.set(xlim=(0.85, 1.15 * high), xlabel="leaves", ylabel=label)
    ax.set_xticks(ticks, [str(t) for t in ticks])
    ax.minorticks_off()
    ax.grid(axis="y", color="#E5E5E5", lw=0.6)
    return ax


def _draw(fig, ax, right, x, lines):
    """The lines of one panel, with their names at the right."""
    ends = {}
    for k, (name, y) in enumerate(lines.items()):
        colour, dash = LINES.get(name, OTHERS[k])
        ax.plot(x, y, "o", ms=3.5, lw=1.8, color=colour, ls=dash)
        ends[name] = (y[-1], colour)
    ax.margins(y=0.1)
    (low, high), place = ax.get_ylim(), ax.get_position()
    before, tall = -np.inf, fig.get_figheight()
    for name in sorted(ends, key=lambda name: ends[name][0]):
        share = (ends[name][0] - low) / (high - low)
        before = max(before + LINE, (place.y0 + place.height * share) * tall)
        colour = "#666666" if ends[name][1] == GREY else ends[name][1]
        style = {"fontsize": SMALL, "va": "center_baseline", "color": colour}
        at = (right + 0.08) / fig.get_figwidth(), before / tall
        fig.text(*at, name, **style)


def _mark(panels, leaves, lines, ranks, best, chosen):
    """A diamond at the least test error and at the best AUC; a line at the chosen tree."""
    ring = {"ms": 8, "mfc": "none", "mec": COLOURS["best"], "mew": 1.8, "zorder": 5}
    panels[0].plot([leaves[best]], [100 * lines["test"][best]], "D", **ring)
    if ranks:
        top = int(lines[ranks[0]].argmax())
        panels[1].plot([leaves[top]], [lines[ranks[0]][top]], "D", **ring)
    if chosen is None:
        return
    shown = [[100 * lines["training"], 100 * lines["test"]], [lines[name] for name in ranks]]
    for ax, values in zip(panels, shown, strict=False):
        ax.axvline(leaves[chosen], color=COLOURS["chosen"], lw=1, ls=(0, (4, 2)), zorder=1)
        dots = [line[chosen] for line in values]
        ax.plot([leaves[chosen]] * len(dots), dots, "o", ms=7, color=COLOURS["chosen"], zorder=4)


def _tree(fig, tree):
    """The tree in the room below; of a large one its size, and the upper levels that fit."""
    names = [tree.class_name(c) for c in range(tree.counts.shape[1])]
    wide, room = fig.get_figwidth(), legend_height(names, fig.get_figwidth())
    ax = axes(fig, 0, 0, wide, TREE, ticks=False)
    depth, plan = _fitting(tree, wide, TREE - room)
    told = f"{tree.n_leaves} leaves, {len(tree)} nodes, depth {tree.depth}"
    if plan is None:
        ax.set(xlim=(0, wide), ylim=(TREE, 0))
        text = f"{told}: too large to draw"
        ax.text(wide / 2, TREE / 2, text, ha="center", va="center", color=NOTE)
        return
    left, over = (wide - plan.size[0]) / 2, (TREE - room - plan.size[1]) / 2
    ax.set(xlim=(-left, wide - left), ylim=(TREE - room - over, -room - over))
    colours = class_colours(len(names))
    class_legend(fig, names, colours, top=TREE)
    plan.draw(ax, colours)
    if depth < tree.depth:
        style = {"va": "bottom", "fontsize": SMALL, "color": NOTE}
        ax.text(0.1 - left, TREE - room - over - 0.08, f"{told}: only the top is drawn", **style)


def _fitting(tree, wide, high):
    """The greatest depth to which the tree fits this room in inches, and its layout, or None."""
    rooms = _rooms(tree)
    for depth in range(tree.depth, 0, -1):
        space = high if depth == tree.depth else high - LINE
        if leaves_at(tree, depth) <= FEW and (plan := _plan(tree, depth, wide, space, rooms)):
            return depth, plan
    return 0, None if tree.depth else _plan(tree, 0, wide, high, rooms)


def _rooms(tree):
    """Room for names and conditions, but not so narrow that names of classes become the same."""
    names = {tree.class_name(c) for c in range(tree.counts.shape[1])}
    told_apart = [r for r in NARROW if len({shorten(n, r[0]) for n in names}) == len(names)]
    return told_apart or NARROW


def _plan(tree, depth, wide, high, narrow):
    """The layout of the upper levels, the root on top if possible; None where none fits."""
    for upright in (True, False):
        for rooms in narrow:
            root = items(tree, depth, rooms)
            plan = (Upright if upright else Sideways)(Boxes(root, upright=upright), root)
            if plan.size[0] <= wide and plan.size[1] <= high:
                return plan
    return None


def _sentence(leaves, lines, ranks, best, chosen, tree):
    train, test = lines["training"], lines["test"]
    small, large = int(leaves.argmin()), int(leaves.argmax())
    text = (
        f"From {_leaves(leaves[small])} to {_leaves(leaves[large])} the training error goes from "
        f"{train[small]:.1%} to {train[large]:.1%}, the test error from {test[small]:.1%} to "
        f"{test[large]:.1%}; the least is {test[best]:.1%} with {_leaves(leaves[best])}."
    )
    for name in ranks[:1]:
        top = int(lines[name].argmax())
        text += f" The best AUC ({name}) is {lines[name][top]:.3f} with {_leaves(leaves[top])}."
    if chosen is not None:
        here = [f"training error {train[chosen]:.1%}", f"test error {test[chosen]:.1%}"]
        here += [f"AUC {lines[name][chosen]:.3f} ({name})" for name in ranks]
        text += f" Chosen: {_leaves(leaves[chosen])}, {', '.join(here)}."
    if tree is not None and not tree.root.is_leaf:
        text += f" Its root tests {tree.root.name}."
    return text


def _leaves(n):
    return f"{n:g} leaf" if n == 1 else f"{n:g} leaves"
