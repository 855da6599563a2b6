"""Which case trains and which is tested in every round of an evaluation."""

import numpy as np
from matplotlib.colors import to_rgb

from ranktrees.labels import read_classes
from ranktrees.teach.plot.legend import frame
from ranktrees.teach.plot.parts import label, share_bars, write
from ranktrees.teach.plot.picture import Picture, axes
from ranktrees.teach.plot.style import COLOURS, class_colours

WIDTH, LEFT, HEIGHT = 7.6, 0.7, 2.7  # inches
TABLE, BALANCE = (0.7, 4.45), (4.75, 5.95)  # inches from the left; the values stand behind
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
    fig = frame(figure, WIDTH, HEIGHT + 0.85, names, colours, LEFT)
    counts = np.array([np.bincount(codes[test], minlength=len(names)) for _, test in splits])
    _cases(_panel(fig, TABLE, len(splits), "tested, grey: training"), codes, splits, colours)
    ax = _panel(fig, BALANCE, len(splits), "test cases")
    height = 0.86 if len(splits) <= 25 else 1.0
    share_bars(ax, counts, 0, 100, np.arange(len(splits)) + 0.5, height, colours)
    for edge in 100 * np.cumsum(np.bincount(codes, minlength=len(names)) / len(codes))[:-1]:
        ax.axvline(edge, color="black", lw=1.2 if len(names) == 2 else 0.7, ls="--")
    ax.set(xlim=(0, 100), xticks=[0, 50, 100], xlabel="classes (%)")
    if values is not None:
        values = np.asarray(values, float)
        _values(_panel(fig, (BALANCE[1] + 0.3, WIDTH - 0.2), len(splits), ""), values, measure)
    fig.alt = _sentence(codes, names, splits, counts, values, measure)
    return fig


def _panel(fig, sides, n, head):
    """Axes with a row for each round."""
    ax = axes(fig, sides[0], 0.6, sides[1], 0.6 + HEIGHT)
    write(fig, sides[0], HEIGHT + 0.72, head)
    ax.set(ylim=(n, 0), yticks=[])
    return ax


def _cases(ax, codes, splits, colours):
    """The table of rounds and cases, the cases class by class."""
    n, order = len(splits), np.argsort(codes, kind="stable")
    drawn = np.array([np.bincount(train, minlength=len(codes)) for train, _ in splits])
    grey = LIGHT - (LIGHT - DARK) * (drawn - 1) / max(1, drawn.max() - 1)
    image = np.repeat(np.where(drawn == 0, UNUSED, grey)[:, :, None], 3, axis=2)
    palette = np.array([to_rgb(c) for c in colours])
    for row, (_, test) in enumerate(splits):
        image[row, test] = palette[codes[test]]
    box = 0, len(codes), n, 0
    ax.imshow(image[:, order], aspect="auto", interpolation="nearest", extent=box)
    for edge in np.cumsum(np.bincount(codes))[:-1]:
        ax.axvline(edge, color="white", lw=1.5)
    if n <= 25:
        ax.hlines(np.arange(1, n), 0, len(codes), color="white", lw=1.2)
    shown = range(0, n, max(1, -(-n // 10)))
    ax.set_yticks([r + 0.5 for r in shown], [str(r + 1) for r in shown])
    ax.tick_params(axis="y", length=0)
    ax.set(xlabel="case, class by class", ylabel="round")


def _values(ax, values, measure):
    """A dot per round and a line at their mean."""
    known, style = np.isfinite(values), {"transform": ax.transAxes}
    ax.set_xticks([])
    label(ax, measure)
    if not known.any():
        write(ax, 0.5, 0.5, "no value in any round", rotation=90, ha="center", va="center", **style)
        return
    places = np.arange(len(values))[known] + 0.5
    style |= {"ha": "right"}
    ax.plot(values[known], places, "o", ms=4.5, color=COLOURS["chosen"], clip_on=False, zorder=3)
    ax.axvline(values[known].mean(), color=COLOURS["random"], lw=1.5)
    write(ax, 1, 1.045, f"mean {values[known].mean():.3f}", **style)
    low, high = min(values[known].min(), 0.5), max(values[known].max(), 1.0)
    ax.set_xlim(low - 0.05, high + 0.05)
    ax.set_xticks(np.arange(np.ceil(low * 2), np.floor(high * 2) + 1) / 2)


def _span(numbers, form="{}"):
    low, high = form.format(min(numbers)), form.format(max(numbers))
    return low if low == high else f"{low} to {high}"


def _sentence(codes, names, splits, counts, values, measure):
    tested = np.bincount(np.concatenate([test for _, test in splits]), minlength=len(codes))
    once, often = "each case is tested once", f"{_span(tested.tolist())} times"
    times = f"{'each' if np.ptp(tested) == 0 else 'a'} case is tested {often}"
    first = _span((counts[:, 0] / np.maximum(counts.sum(axis=1), 1)).tolist(), "{:.0%}")
    text = (
        f"Rounds: {len(splits)} over {len(codes)} cases, {_span(counts.sum(axis=1).tolist())} "
        f"tested in each; {once if (tested == 1).all() else times}. Class {names[0]} is {first} of "
        f"the test cases, {(codes == 0).mean():.0%} of all."
    )
    if values is None:
        return text
    known = values[np.isfinite(values)].tolist()
    if not known:
        return f"{text} {measure} has no value in any round."
    text += f" {measure} {_span(known, '{:.3f}')}"
    text += f", mean {np.mean(known):.3f}" if len(known) > 1 else ""
    missing = len(values) - len(known)
    return f"{text}, none in {missing} round{'s' * (missing > 1)}." if missing else f"{text}."
