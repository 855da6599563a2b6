"""How a tree shrinks as the price of a leaf rises."""

import numpy as np
from pandas import DataFrame

from ranktrees_engine.basics.arguments import check_number
from ranktrees_lab.plot.inputs import check_frame
from ranktrees_lab.plot.parts import key, label
from ranktrees_lab.plot.picture import Picture, axes, picture
from ranktrees_lab.plot.style import COLOURS, line_looks

COLUMNS = ("ccp_alpha", "leaves", "impurity", "error")
HEIGHT, WIDTH, GAP = 1.9, 4.6, 0.45  # inches of each of the two axes


def prune_path(
    path: DataFrame, chosen: float | None = None, figure: Picture | None = None
) -> Picture:
    """Draw the table of `rt.prune.path`: leaves, impurity and error by the price of a leaf.

    Each is a step, which holds from one ccp_alpha to the next; the price has a logarithmic scale,
    and its first step, the full tree, begins at the left edge. `chosen` marks a price. Raises
    ValueError for a table without these columns or of the root alone.
    """
    check_number("chosen", chosen, 0, none=True)
    alphas, leaves, impurity, error = _columns(path)
    fig = picture(figure, (7.6, 2 * HEIGHT + GAP + 0.8))
    least = alphas[alphas > 0].min()
    edges = np.append(np.maximum(alphas, least / 2), alphas[-1] * 2)
    looks = [*line_looks(["leaves", "impurity", "error"], marker=None, lw=1.8)]
    upper = axes(fig, 0.8, 0.6 + HEIGHT + GAP, 0.8 + WIDTH, 0.6 + 2 * HEIGHT + GAP)
    lower = axes(fig, 0.8, 0.6, 0.8 + WIDTH, 0.6 + HEIGHT)
    _steps(upper, edges, leaves, looks[0])
    upper.set_yscale("log")
    upper.set_yticks(ticks := np.unique(np.geomspace(1, leaves[0], 4).round()), ticks.astype(int))
    upper.minorticks_off()
    _steps(lower, edges, impurity, looks[1])
    _steps(lower, edges, error, looks[2])
    entries = [("leaves", looks[0]), ("impurity of all leaves", looks[1])]
    entries.append(("training error", looks[2]))
    if chosen is not None:
        style = {"color": COLOURS["chosen"], "lw": 1.2, "ls": "--"}
        for ax in (upper, lower):
            ax.axvline(max(chosen, edges[0]), **style)
        entries.append((f"chosen: {chosen:.3g}", style))
    label(upper, "", "leaves", "both")
    label(lower, "price of a leaf, ccp_alpha", "per case", "both")
    key(fig, 0.8 + WIDTH + 0.15, fig.get_figheight() - 0.3, entries, 1.5)
    at = int(np.searchsorted(alphas, chosen, side="right") - 1) if chosen is not None else None
    picked = "" if at is None else f" At {chosen:.3g} it has {leaves[at]:.0f} leaves."
    fig.alt = (
        f"Cost-complexity pruning from {leaves[0]:.0f} leaves to 1 in {len(alphas) - 1} steps, as "
        f"a leaf's price rises from {least:.3g} to {alphas[-1]:.3g}: training error "
        f"{error[0]:.3f} to {error[-1]:.3f}, impurity {impurity[0]:.3f} to {impurity[-1]:.3f}."
        f"{picked}"
    )
    return fig


def _columns(path):
    """Return the columns of the table as numbers (k,), checked."""
    check_frame("a path", path)
    if missing := [name for name in COLUMNS if name not in path]:
        raise ValueError(f"path lacks the column {missing[0]!r}: give what rt.prune.path gives")
    alphas, *others = (path[name].to_numpy(float) for name in COLUMNS)
    if len(alphas) < 2 or not alphas[-1] > 0:
        raise ValueError("path holds a single tree, the root: there is nothing to prune")
    return alphas, *others


def _steps(ax, edges, values, look):
    ax.step(edges, np.append(values, values[-1]), where="post", **look)
    ax.set(xscale="log", xlim=(edges[0], edges[-1]))
    ticks = np.geomspace(edges[0], edges[-1], 5)[1:-1]
    ax.set_xticks(ticks, [f"{tick:.2g}" for tick in ticks])
    ax.minorticks_off()
