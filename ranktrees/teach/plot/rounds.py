"""Which case trains and which is tested in every round of an evaluation."""

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb

from ranktrees.labels import read_classes
from ranktrees.teach.plot.legend import class_legend, legend_height
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import COLOURS, SMALL, class_colours

WIDTH, LEFT, TABLE, BALANCE = 7.6, 0.7, 3.75, 1.2  # inches; the last two: widths of the panels
HEIGHT = 2.7
GAP = 0.3
UNUSED, LIGHT, DARK = 1.0, 0.91, 0.55  # greys of training cases: drawn never, once, most often


def rounds(y, splits, values=None, measure: str = "value", figure=None) -> Picture:
    """A row for each round, a column for each case: grey trains, its class's colour is tested.

    `y` (n,) classes, `splits` a list of (train, test) rows, where training rows may repeat (the
    darker, the more often). The middle panel shows the classes of the test cases, beside all cases
    (dashed); the right one, with `values` (rounds,), each round's `measure` and their mean, nan and
    inf left out. Raises ValueError for no round and for values that are not one a round.
    """
    codes, classes = read_classes(y, "plot")
    if not splits:
        raise ValueError("there is no round to draw: give a list of (train, test) rows")
    if values is not None and len(values) != len(splits):
        raise ValueError(f"there are {len(values)} values for {len(splits)} rounds")
    names, colours = [str(c) for c in classes], class_colours(len(classes))
    room = 0.25 + legend_height(names, WIDTH, LEFT)
    fig = picture(figure, (WIDTH, HEIGHT + 0.6 + room))
    edges = LEFT, LEFT + TABLE, LEFT + TABLE + GAP, LEFT + TABLE + GAP + BALANCE
    panels = [axes(fig, edges[i], 0.6, edges[i + 1], 0.6 + HEIGHT) for i in (0, 2)]
    _cases(panels[0], codes, splits, colours)
    shares = _balance(panels[1], codes, splits, colours)
    class_legend(fig, names, colours, LEFT)
    if values is not None:
        values = np.asarray(values, float)
        _values(axes(fig, edges[3] + GAP, 0.6, -0.2, 0.6 + HEIGHT), values, measure)
    for x, words in ((edges[0], "tested, grey: training"), (edges[2], "test cases")):
        fig.text(x / WIDTH, (0.68 + HEIGHT) / fig.get_figheight(), words, fontsize=SMALL)
    fig.alt = _sentence(codes, names, splits, shares, values, measure)
    return fig


def _cases(ax, codes, splits, colours):
    """The table of rounds and cases, the cases class by class."""
    order = np.argsort(codes, kind="stable")
    drawn = np.array([np.bincount(train, minlength=len(codes)) for train, _ in splits])
    most = max(2, drawn.max())
    grey = np.where(drawn == 0, UNUSED, LIGHT - (LIGHT - DARK) * (drawn - 1) / (most - 1))
    image = np.repeat(grey[:, :, None], 3, axis=2)
    palette = np.array([to_rgb(c) for c in colours])
    for row, (_, test) in enumerate(splits):
        image[row, test] = palette[codes[test]]
    ax.imshow(image[:, order], aspect="auto", interpolation="nearest", extent=_box(codes, splits))
    for edge in np.cumsum(np.bincount(codes))[:-1]:
        ax.axvline(edge, color="white", lw=1.5)
    if len(splits) <= 25:
        ax.hlines(np.arange(1, len(splits)), 0, len(codes), color="white", lw=1.2)
    _rounds_axis(ax, len(splits))
    ax.set(xlabel="case, class by class", ylabel="round")


def _box(codes, splits):
    return 0, len(codes), len(splits), 0


def _rounds_axis(ax, n, names=True):
    step = max(1, -(-n // 10))
    shown = range(0, n, step)
    ax.set_yticks([r + 0.5 for r in shown], [str(r + 1) for r in shown] if names else [])
    ax.set_ylim(n, 0)
    ax.tick_params(axis="y", length=0)


def _balance(ax, codes, splits, colours):
    """Stacked bars of the test cases' classes; returns their shares (rounds, C)."""
    C = len(colours)
    counts = np.array([np.bincount(codes[test], minlength=C) for _, test in splits])
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    start = np.cumsum(shares, axis=1) - shares
    height = 0.86 if len(splits) <= 25 else 1.0
    at = np.arange(len(splits)) + 0.5
    for c, colour in enumerate(colours):
        left, right = 100 * start[:, c], 100 * (start[:, c] + shares[:, c])
        low, high = at - height / 2, at + height / 2
        corners = np.stack([left, low, right, low, right, high, left, high], -1)
        ax.add_collection(PolyCollection(corners.reshape(-1, 4, 2), facecolors=colour, lw=0))
    for edge in 100 * np.cumsum(np.bincount(codes, minlength=C) / len(codes))[:-1]:
        ax.axvline(edge, color="black", lw=1.2 if C == 2 else 0.7, ls="--")
    ax.set(xlim=(0, 100), xticks=[0, 50, 100], xlabel="classes (%)")
    _rounds_axis(ax, len(splits), names=False)
    return shares


def _values(ax, values, measure):
    known = np.isfinite(values)
    at = np.arange(len(values)) + 0.5
    ax.plot(values[known], at[known], "o", ms=4.5, color=COLOURS["chosen"], clip_on=False, zorder=3)
    if known.any():
        mean = values[known].mean()
        ax.axvline(mean, color=COLOURS["random"], lw=1.5)
        style = {"fontsize": SMALL, "ha": "right", "transform": ax.transAxes}
        ax.text(1, 1.03, f"mean {mean:.3f}", **style)
        low, high = min(values[known].min(), 0.5), max(values[known].max(), 1.0)
        ax.set_xlim(low - 0.05, high + 0.05)
        ax.set_xticks(np.arange(np.ceil(low * 2), np.floor(high * 2) + 1) / 2)
    else:
        ax.set_xticks([])
        middle = {"transform": ax.transAxes, "ha": "center", "va": "center"}
        ax.text(0.5, 0.5, "no value in any round", rotation=90, fontsize=SMALL, **middle)
    ax.set_xlabel(measure)
    _rounds_axis(ax, len(values), names=False)


def _times(tested):
    low, high = int(tested.min()), int(tested.max())
    if low == high:
        return "each case is tested once" if low == 1 else f"each case is tested {low} times"
    return f"a case is tested {low} to {high} times"


def _span(numbers, form=str):
    low, high = min(numbers), max(numbers)
    return form(low) if form(low) == form(high) else f"{form(low)} to {form(high)}"


def _sentence(codes, names, splits, shares, values, measure):
    tested = np.bincount(np.concatenate([test for _, test in splits]), minlength=len(codes))
    sizes = _span([len(test) for _, test in splits])
    first = _span(shares[:, 0].tolist(), lambda s: f"{s:.0%}")
    text = (
        f"Rounds: {len(splits)} over {len(codes)} cases, {sizes} tested in each; {_times(tested)}. "
        f"Class {names[0]} is {first} of the test cases, {(codes == 0).mean():.0%} "
        "of all."
    )
    if values is None:
        return text
    known = values[np.isfinite(values)]
    if not len(known):
        return f"{text} {measure} has no value in any round."
    found = f"{text} {measure} {_span(known.tolist(), lambda v: f'{v:.3f}')}"
    if len(known) > 1:
        found += f", mean {known.mean():.3f}"
    lost = len(values) - len(known)
    noun = "round" if lost == 1 else "rounds"
    return f"{found}, none in {lost} {noun}." if lost else f"{found}."
