"""How methods are compared: rounds of an evaluation, fold by fold, ranks over data sets."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.colors import to_rgb

from ranktrees_engine.basics.arguments import check_number, check_text, floats
from ranktrees_engine.basics.kinds import ArrayLike
from ranktrees_engine.evaluate.results import Results
from ranktrees_engine.evaluate.significance import check_alpha, groups
from ranktrees_engine.reading.labels import read_classes
from ranktrees_lab.plot.inputs import alike, interval, ranks_of, rows_of_rounds
from ranktrees_lab.plot.parts import canvas, end_names, frame, label, share_bars, write
from ranktrees_lab.plot.picture import Picture, axes, picture
from ranktrees_lab.plot.style import COLOURS, GREY, INDIGO, class_colours, cut, some

WORDS = {1: "significantly higher", -1: "significantly lower", 0: "not significantly different"}
BARE = {1: "higher on average", -1: "lower on average", 0: "the same on average"}
AXIS = (2.4, 5.1)  # inches from the left between which average ranks lie
WIDTH, LEFT, HEIGHT = 7.6, 0.7, 2.7  # inches: the picture of rounds
TABLE, BALANCE = (0.7, 4.45), (4.75, 5.95)  # inches from the left; the values stand behind
UNUSED, LIGHT, DARK = 1.0, 0.91, 0.55  # greys of training cases: drawn never, once, most often


def duel(
    a: ArrayLike,
    b: ArrayLike,
    names: Sequence[str] = ("a", "b"),
    test: str = "corrected",
    alpha: float = 0.05,
    mark: float | None = None,
    figure: Picture | None = None,
) -> Picture:
    """Draw the difference a - b of values (runs, folds) in each fold, its mean and interval.

    `test` as in `rt.papers.verdict`; for a t-test the band is the interval at level 1 - `alpha`,
    and the verdict "different" means that it does not include 0; the verdict is at the lower right.
    `mark`: a difference to compare with, such as the published one. Folds in which either is NaN
    are left out. Raises ValueError for shapes that differ or no fold left.
    """
    from ranktrees_lab.papers.wins import verdict

    check_number("mark", mark, none=True)
    a, b = alike(a, b, names)
    side, d = verdict(a, b, max(2, a.shape[1]), test, alpha), a - b
    known = ~np.isnan(d)
    if not known.any():
        raise ValueError("there is no fold in which both methods have a value")
    span, mean = interval(d, test, alpha), float(d[known].mean())
    fig = picture(figure, (7.7, 3.5))
    ax = _folds(fig, d, span)
    levels = {f"mean {mean:+.2f}": (mean, COLOURS["score"])}
    if mark is not None:
        levels[f"published {mark:+.2f}"] = mark, COLOURS["best"]
    for (value, colour), dashes in zip(levels.values(), ("-", (0, (5, 2))), strict=False):
        ax.axhline(value, color=colour, lw=1.8, ls=dashes, zorder=4)
    label(ax, "run (a dot is a fold)", f"{cut(names[0], 1.1)} minus {cut(names[1], 1.1)}")
    end_names(ax, levels, 1.6)
    words = (BARE if test == "higher" else WORDS)[side]
    short = words.replace("not significantly different", "not significant")
    write(fig, 6.05, 0.25, short, fontweight="bold")
    fig.alt = _duel_sentence(d[known], span, names, mark, f"By the test '{test}'", words)
    return fig


def _duel_sentence(d, span, names, mark, by, words):
    up, down, equal = (int(side.sum()) for side in (d > 0, d < 0, d == 0))
    level = f" (interval {span[0]:+.2f} to {span[1]:+.2f})" if span is not None else ""
    printed = f" The published difference is {mark:+.2f}." if mark is not None else ""
    return (
        f"{names[0]} against {names[1]} in {len(d)} folds: higher in {up}, lower in {down}, "
        f"equal in {equal}; the mean difference is {d.mean():+.2f}{level}. {by} "
        f"{names[0]} is {words}.{printed}"
    )


def _folds(fig, d, span):
    """Return axes with a dot per fold, every second run on a shaded ground, and a band."""
    ax = axes(fig, 0.9, 0.6, -1.75, -0.2)
    if span is not None:
        ax.axhspan(*span, color=COLOURS["score"], alpha=0.18, lw=0, zorder=1)
    runs, folds = d.shape
    for run in range(1, runs, 2):
        ax.axvspan(run * folds - 0.5, (run + 1) * folds - 0.5, color="#F2F2F2", lw=0, zorder=0)
    x, y = np.arange(d.size), d.ravel()
    looks = (INDIGO, "^"), ("#5F5F5F", "v"), (GREY, "o")
    for side, (colour, marker) in zip((y > 0, y < 0, y == 0), looks, strict=True):
        style = {"ms": 5, "color": colour, "mec": "white", "mew": 0.4}
        ax.plot(x[side], y[side], marker, zorder=3, **style)
    ax.axhline(0, color="black", lw=1, zorder=2)
    ax.set_xlim(-1, d.size)
    ticks = np.arange(0, runs, -(-runs // 10))
    ax.set_xticks(ticks * folds + (folds - 1) / 2, [str(t + 1) for t in ticks])
    ax.tick_params(axis="x", length=0)
    ax.margins(y=0.08)
    return ax


def rank_diagram(
    results: Results | Mapping[str, float],
    cd: float | None = None,
    measure: str = "auc",
    alpha: float = 0.05,
    figure: Picture | None = None,
) -> Picture:
    """Draw methods on an axis of average ranks, 1 best at the left; bars join those within `cd`.

    `results` of `compare`, whose ranks by `measure` and Nemenyi's critical difference at `alpha`
    are taken, or ranks {method: average rank} with their `cd`. Raises ValueError for fewer than two
    methods, ranks that are not numbers from 1 to the number of methods, or a missing `cd`.
    Source: Demsar 2006, Fig. 1.
    """
    check_text(measure=measure)
    check_alpha(alpha)
    if hasattr(results, "critical_difference"):
        cd = results.critical_difference(measure, alpha) if cd is None else cd
        results = results.ranks(measure)
    ranks = ranks_of(results)
    k = len(ranks)
    if cd is None:
        raise ValueError("give cd, the critical difference that belongs to these ranks")
    check_number("cd", cd, 0)
    joined = groups(ranks.to_numpy(), cd)
    line, below = 0.85, 0.13 * (len(joined) + 1)  # inches above the axis, and to the first name
    height = line + below + 0.24 * -(-k // 2) + 0.15
    fig = picture(figure, (7.5, height))
    ax = canvas(fig, 0, 0, 7.5, height)
    _rank_axis(ax, k, cd, line)
    for i, places in enumerate(joined, start=1):
        first, last = _across(ranks.iloc[list(places)].to_numpy(), k)
        ax.plot([first - 0.05, last + 0.05], [line + 0.13 * i] * 2, lw=4, color=COLOURS["score"])
    _rank_names(ax, ranks, line, line + below)
    parts = ", ".join(f"{name} {rank:.2f}" for name, rank in ranks.items())
    within = [some(ranks.index[first : last + 1], k) for first, last in joined]
    close = "every two differ" if not joined else f"too close to tell apart: {'; '.join(within)}"
    fig.alt = f"Average ranks of {k} methods, 1 best: {parts}. "
    fig.alt += f"Critical difference {cd:.2f}: {close}."
    return fig


def _across(rank, k):
    """Return where a rank lies, in inches from the left."""
    return AXIS[0] + (np.asarray(rank) - 1) / (k - 1) * (AXIS[1] - AXIS[0])


def _rank_axis(ax, k, cd, line):
    """Draw the axis, and over it the critical difference as a length, cut at the axis' end."""
    ax.plot(AXIS, [line, line], color="black", lw=1)
    for rank in range(1, k + 1, -(-k // 12)):
        ax.plot([_across(rank, k)] * 2, [line, line - 0.06], color="black", lw=1)
        write(ax, _across(rank, k), line - 0.16, str(rank), ha="center")
    write(ax, AXIS[0] - 0.2, line - 0.16, "average rank", ha="right")
    end, red = min(float(_across(1 + cd, k)), AXIS[1]), COLOURS["best"]
    ax.plot([AXIS[0], end], [0.32, 0.32], "|-", ms=8, mew=2, lw=2, color=red)
    words = f"critical difference {cd:.2f}" + (", beyond the axis" if cd > k - 1 else "")
    write(ax, AXIS[0], 0.17, words, color=red)


def _rank_names(ax, ranks, line, top):
    """Write names at both sides, the better half at the left, each led to its place on the axis."""
    half = -(-len(ranks) // 2)
    for i, (name, rank) in enumerate(ranks.items()):
        y = top + 0.24 * ((i if i < half else len(ranks) - 1 - i) + 0.5)
        x, end, ha = float(_across(rank, len(ranks))), AXIS[0] - 0.15, "right"
        if i >= half:
            end, ha = AXIS[1] + 0.15, "left"
        ax.plot([x, x, end], [line, y, y], color="black", lw=0.8)
        words = f"{cut(name, 1.6)}  {rank:.2f}"
        write(ax, end + (-0.06 if i < half else 0.06), y, words, ha=ha)


def rounds(
    y: ArrayLike,
    splits: Sequence,
    values: ArrayLike | None = None,
    measure: str = "value",
    figure: Picture | None = None,
) -> Picture:
    """Draw a row per round, a column per case: grey trains, its class's colour is tested.

    `y` (n,) classes, `splits` a list of (train, test) rows, where training rows may repeat (the
    darker, the more often). The middle panel shows the classes of the test cases, beside all cases
    (dashed); the right one, with `values` (rounds,), each round's `measure` and their mean, nan and
    inf left out. Raises ValueError for no round and for values that are not one a round.
    """
    codes, classes = read_classes(y, "plot")
    check_text(measure=measure)
    splits, values = rows_of_rounds(splits), None if values is None else floats("values", values)
    if values is not None and values.shape != (len(splits),):
        raise ValueError(f"there are {values.size} values for {len(splits)} rounds")
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
        _values(_panel(fig, (BALANCE[1] + 0.3, WIDTH - 0.2), len(splits), ""), values, measure)
    fig.alt = _rounds_sentence(codes, names, splits, counts, values, measure)
    return fig


def _panel(fig, sides, n, head):
    """Return axes with a row for each round."""
    ax = axes(fig, sides[0], 0.6, sides[1], 0.6 + HEIGHT)
    write(fig, sides[0], HEIGHT + 0.72, head)
    ax.set(ylim=(n, 0), yticks=[])
    return ax


def _cases(ax, codes, splits, colours):
    """Draw the table of rounds and cases, the cases class by class."""
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
    """Draw a dot per round and a line at their mean."""
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


def _rounds_sentence(codes, names, splits, counts, values, measure):
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
