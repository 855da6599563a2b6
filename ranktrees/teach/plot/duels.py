"""Two methods on the same folds: the difference in each fold, and what a test makes of it."""

import numpy as np

from ranktrees.arguments import choose
from ranktrees.papers.wins import TESTS, verdict
from ranktrees.teach.plot.bars import spread
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import BLUE, COLOURS, GREY, SMALL, VERMILLION, shorten

WIDTH, LEFT, RIGHT, HEIGHT = 7.7, 0.9, 1.75, 3.5  # inches: the picture and its margins
WORDS = {1: "significantly higher", -1: "significantly lower", 0: "not significantly different"}
BARE = {1: "higher on average", -1: "lower on average", 0: "the same on average"}
WITHOUT = ("wilcoxon", "higher")  # tests that have no interval


def duel(a, b, names=("a", "b"), test="corrected", alpha=0.05, mark=None, figure=None) -> Picture:
    """The difference a - b of values (runs, folds) in each fold, with the mean and its interval.

    `test` of `rt.experiment.verdict`; for a t-test the band is the interval at level 1 - `alpha`,
    and the verdict "different" means that it does not reach 0; the verdict stands at the right,
    below. `mark`: a difference to compare
    with, such as the published one. Folds in which either is NaN are left out. Raises ValueError
    for shapes that differ or no fold left.
    """
    choose("test", test, TESTS)
    a, b = np.asarray(a, float), np.asarray(b, float)
    if a.ndim != 2 or a.shape != b.shape:
        raise ValueError(f"values must be (runs, folds) alike, not {a.shape} and {b.shape}")
    d = a - b
    if np.isnan(d).all():
        raise ValueError("there is no fold in which both methods have a value")
    found = verdict(a, b, a.shape[1], test, alpha)
    span = interval(d, test, alpha)
    fig = picture(figure, (WIDTH, HEIGHT))
    ax = axes(fig, LEFT, 0.6, -RIGHT, -0.2)
    _dots(ax, d)
    mean = float(np.nanmean(d))
    if span is not None:
        ax.axhspan(*span, color=COLOURS["score"], alpha=0.18, lw=0, zorder=1)
    lines = {f"mean {mean:+.2f}": (mean, COLOURS["score"], "-")}
    if mark is not None:
        lines[f"published {mark:+.2f}"] = mark, VERMILLION, (0, (5, 2))
    _lines(fig, ax, lines, names)
    words = (BARE if test == "higher" else WORDS)[found]
    short = words.replace("not significantly different", "not significant")
    fig.text((WIDTH - RIGHT + 0.1) / WIDTH, 0.25 / HEIGHT, short, fontsize=SMALL, weight="bold")
    fig.alt = _sentence(d, names, test, words, span, mark)
    return fig


def interval(d, test: str, alpha: float = 0.05) -> tuple[float, float] | None:
    """The interval of the mean of differences d (runs, folds) by a t-test; None for other tests."""
    from scipy.stats import t

    if test in WITHOUT:
        return None
    if test == "paired, runs":
        values = np.nanmean(d[~np.isnan(d).all(axis=1)], axis=1)
    else:
        values = d[~np.isnan(d)]
    n = len(values)
    if n < 2:
        return None
    share = 1 / (d.shape[1] - 1) if test == "corrected" else 0.0
    half = t.ppf(1 - alpha / 2, n - 1) * np.sqrt(values.var(ddof=1) * (1 / n + share))
    return float(values.mean() - half), float(values.mean() + half)


def _dots(ax, d):
    """A dot a fold, the runs side by side, every second run on a shaded ground."""
    runs, folds = d.shape
    for run in range(1, runs, 2):
        ax.axvspan(run * folds - 0.5, (run + 1) * folds - 0.5, color="#F2F2F2", lw=0, zorder=0)
    x, y = np.arange(d.size), d.ravel()
    for here, colour, marker in ((y > 0, BLUE, "^"), (y < 0, "#5F5F5F", "v"), (y == 0, GREY, "o")):
        ax.plot(x[here], y[here], marker, ls="", ms=5, color=colour, mec="white", mew=0.4, zorder=3)
    ax.axhline(0, color="black", lw=1, zorder=2)
    ax.set_xlim(-1, d.size)
    step = -(-runs // 10)
    ticks = np.arange(0, runs, step)
    ax.set_xticks(ticks * folds + (folds - 1) / 2, [str(t + 1) for t in ticks])
    ax.tick_params(axis="x", length=0)
    ax.set_xlabel("run (a dot is a fold)")


def _lines(fig, ax, lines, names):
    """Level lines with their words at the right, and what is above and below 0."""
    for value, colour, dashes in lines.values():
        ax.axhline(value, color=colour, lw=1.8, ls=dashes, zorder=4)
    ax.margins(y=0.08)
    ax.set_ylabel(f"{shorten(names[0], 1.1)} - {shorten(names[1], 1.1)}")
    (low, high), place, tall = ax.get_ylim(), ax.get_position(), fig.get_figheight()
    bottom, height = place.y0 * tall, place.height * tall
    order = sorted(lines, key=lambda text: lines[text][0])
    wanted = [bottom + height * (lines[text][0] - low) / (high - low) for text in order]
    for text, y in zip(order, spread(np.array(wanted), 0.2), strict=True):
        style = {"fontsize": SMALL, "va": "center_baseline", "color": lines[text][1]}
        fig.text((WIDTH - RIGHT + 0.1) / WIDTH, y / tall, text, **style)


def _sentence(d, names, test, words, span, mark):
    known = d[~np.isnan(d)]
    up, down = int((known > 0).sum()), int((known < 0).sum())
    level = f" (interval {span[0]:+.2f} to {span[1]:+.2f})" if span is not None else ""
    printed = f" The published difference is {mark:+.2f}." if mark is not None else ""
    return (
        f"{names[0]} against {names[1]} in {len(known)} folds: higher in {up}, lower in {down}, "
        f"equal in {len(known) - up - down}; the mean difference is {np.mean(known):+.2f}{level}. "
        f"By the test '{test}' {names[0]} is {words}.{printed}"
    )
