"""Naive Bayes on all cases against naive Bayes in two branches: XOR becomes separable."""

from collections.abc import Sequence

import numpy as np
from matplotlib.colors import to_rgb

from ranktrees_engine.basics.arguments import as_names, floats
from ranktrees_engine.basics.kinds import ArrayLike
from ranktrees_engine.evaluate import auc
from ranktrees_lab.plot.inputs import check_known
from ranktrees_lab.plot.parts import frame, label, mark, rectangles, write
from ranktrees_lab.plot.picture import Picture, axes, title
from ranktrees_lab.plot.style import LETTERS, SMALL, class_colours

SIDE, HIGH = 2.4 * LETTERS, 1.5 / LETTERS  # inches: a panel's width and height
BETWEEN, LEFT = 1.05, 0.75  # the room beside it
BARS, FOOT = 0.85, 0.55  # the bars of the cases by their estimates, and the axis below them
GAP, PALE = 0.12, 0.6  # between two branches; how pale a cell is
DOTS, KINDS = 6, "o^"  # in a row of a cell; the marker of each class


def by_naive_bayes(n, split: str = "") -> np.ndarray:
    """Return P(second class) (2, 2) by values of a and b, from counts (2, 2, 2): a, b, class.

    Naive Bayes, with Laplace, of all cases, or in each branch of the attribute `split`, "a" or "b".
    """
    n = floats("n", n)
    if split == "b":
        return by_naive_bayes(n.swapaxes(0, 1), "a").T
    parts = n[:, None] if split else n[None]  # a branch: its values of a, of b, and classes
    N = parts.sum(axis=(1, 2), keepdims=True)
    shares = (parts.sum(axis=1, keepdims=True) + 1) / (N + 2)
    if not split:
        shares = shares * (parts.sum(axis=2, keepdims=True) + 1) / (N + 2)
    joint = (N + 1) / (N.sum(axis=-1, keepdims=True) + 2) * shares
    return (joint[..., 1] / joint.sum(axis=-1)).reshape(2, 2)


def separable(
    n: ArrayLike,
    split: str = "a",
    classes: Sequence[str] = ("even", "odd"),
    figure: Picture | None = None,
) -> Picture:
    """Draw, twice, cases of two attributes with two values, and naive Bayes' estimates for them.

    `n` (2, 2, 2) counts cases by the values of a and b and by class. At the left is one naive Bayes
    of all cases, at the right one in each branch of `split`, "a" or "b". Below are the cases by
    their estimates: piles are ties. Raises ValueError for other counts, and for a class without a
    case.
    """
    n, names = floats("n", n), as_names("classes", classes)
    if len(names) != 2:
        raise ValueError(f"classes must be two names, not {len(names)}")
    check_known("split", split, ["a", "b"])
    if n.shape != (2, 2, 2) or (n % 1).any() or (n < 0).any() or not n.sum(axis=(0, 1)).all():
        raise ValueError("n must count cases of both classes by a, b and class: shape (2, 2, 2)")
    colours, parts = class_colours(2), []
    size = LEFT + 2 * SIDE + BETWEEN + 0.3, FOOT + BARS + 0.5 + HIGH + 0.3
    fig = frame(figure, *size, names, colours, markers=KINDS)
    ways = {"one naive Bayes": "", f"one in each branch of {split}": split}
    for k, (way, at) in enumerate(ways.items()):
        p, left = by_naive_bayes(n, at), LEFT + k * (SIDE + BETWEEN)
        area = auc(*_ranked(n, p), 1)
        bottom = FOOT + BARS + 0.5
        ax = axes(fig, left, bottom, left + SIDE, bottom + HIGH)
        _cells(ax, n, p, at, colours)
        title(ax, f"{way}: AUC {area:.2f}", SIDE + BETWEEN - 0.1)
        _bars(axes(fig, left, FOOT, left + SIDE, FOOT + BARS), n, p, names[1], colours)
        values = [f"a = {a}, b = {b} {p[a, b]:.2f}" for a in (0, 1) for b in (0, 1)]
        parts.append(f"{way}, AUC {area:.2f}: {', '.join(values)}")
    fig.alt = (
        f"{n.sum():g} cases, {n[..., 1].sum():g} of them {names[1]}. P({names[1]}) by "
        f"{'; by '.join(parts)}."
    )
    return fig


def _ranked(n, p):
    """Return classes and estimates of all cases, in the order of the counts n."""
    each = n.astype(int).ravel()
    return np.tile([0, 1], 4).repeat(each), np.repeat(p, 2).repeat(each)


def _cells(ax, n, p, split, colours):
    """Draw four cells with their cases as dots, as dark in a class's colour as it is probable."""
    ax.set(xlim=(-0.15, 2.15), ylim=(-0.15, 2.15))
    low, high = (np.array(to_rgb(colour)) for colour in colours)
    for (a, b), value in np.ndenumerate(p):
        x, y = a + GAP * (split == "a") * (2 * a - 1), b + GAP * (split == "b") * (2 * b - 1)
        sure = PALE * abs(2 * value - 1)
        fill = 1 - sure * (1 - (high if value > 0.5 else low))
        style = {"facecolors": [fill], "edgecolors": "black", "lw": 1}
        rectangles(ax, [x], [y], [x + 1], [y + 1], **style)
        kinds = np.repeat([0, 1], n[a, b].astype(int))
        for i, c in enumerate(kinds):
            row, column = divmod(i, DOTS)
            here = x + 0.14 + 0.14 * column, y + 0.4 - 0.2 * row
            ax.plot(*here, **mark(colours[c], KINDS[c], 6))
        write(ax, x + 0.95, y + 0.84, f"{value:.2f}", ha="right", fontweight="bold")
    for axis, name in ((ax.xaxis, "a"), (ax.yaxis, "b")):
        apart = GAP * (split == name)
        axis.set_ticks([0.5 - apart, 1.5 + apart], ["0", "1"])
    ax.tick_params(length=0, labelsize=SMALL)
    ax.spines[:].set_visible(False)
    label(ax, "a", "b")


def _bars(ax, n, p, name, colours):
    """Draw the cases at their estimates: a bar for each value, as high as it has cases."""
    values, place = np.unique(p.round(9), return_inverse=True)
    counts = np.zeros((len(values), 2))
    np.add.at(counts, place.ravel(), n.reshape(4, 2))
    ax.set(xlim=(0, 1), ylim=(0, n.sum() * 1.05))
    for value, table in zip(values, counts, strict=True):
        edges = np.array([0, table[0], table.sum()])
        style = {"facecolors": colours, "edgecolors": "white", "lw": 0.5}
        rectangles(ax, value - 0.015, edges[:-1], value + 0.015, edges[1:], **style)
    ax.tick_params(labelsize=SMALL)
    label(ax, f"P({name})", "cases")
