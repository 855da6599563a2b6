"""Measured numbers as lines: a learning curve, a rate by the number of runs."""

from collections.abc import Sequence

import numpy as np

from ranktrees.teach.plot.bars import spread
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import COLOURS, DASHES, MARKERS, MODELS, SMALL, shorten, some

WIDTH, LEFT, RIGHT = 7.0, 0.8, 1.9  # inches: the picture, its margins
LINE = 0.19  # inches between two names


def series(
    x: Sequence[float],
    lines: dict[str, Sequence[float]],
    xlabel: str,
    ylabel: str,
    level: tuple[str, float] | None = None,
    spreads: dict[str, Sequence[float]] | None = None,
    log: bool = False,
    figure: Picture | None = None,
) -> Picture:
    """Lines {name: (K,) values} over ascending x (K,), each with its name at its right end.

    `level` (name, value) is a dotted line to compare with; `spreads` {name: (K,)} draws a band of
    so much above and below a line; `log` doubles equal steps of x. Raises ValueError for lengths
    that differ, values that are not finite, and no line.
    """
    x, lines = _checked(x, lines, spreads)
    fig = picture(figure, (WIDTH, 3.4))
    ax = axes(fig, LEFT, 0.6, -RIGHT, -0.15)
    if log:
        ax.set_xscale("log", base=2)
    for k, (name, values) in enumerate(lines.items()):
        style = {"color": MODELS[k % len(MODELS)], "ls": DASHES[k % len(DASHES)]}
        ax.plot(x, values, marker=MARKERS[k % len(MARKERS)], ms=5, lw=1.8, **style)
        if spreads and name in spreads:
            half = np.asarray(spreads[name], float)
            ax.fill_between(x, values - half, values + half, color=style["color"], alpha=0.15, lw=0)
    if level is not None:
        ax.axhline(level[1], color=COLOURS["random"], lw=1.2, ls=":")
    ax.set_xticks(x, [f"{v:g}" for v in x])
    ax.minorticks_off()
    ax.set(xlabel=xlabel, ylabel=ylabel)
    ax.grid(axis="y", color="#E5E5E5", lw=0.6)
    _names(fig, ax, lines, level)
    fig.alt = _sentence(x, lines, xlabel, ylabel, level)
    return fig


def _checked(x, lines, spreads):
    x = np.asarray(x, float)
    if not lines:
        raise ValueError("there is no line to draw: give {name: values}")
    if unknown := set(spreads or {}) - set(lines):
        raise ValueError(f"spreads name {some(sorted(unknown))}, which is no line")
    found = {str(name): np.asarray(values, float) for name, values in lines.items()}
    for name, values in [*found.items(), *(spreads or {}).items()]:
        if np.shape(values) != x.shape:
            raise ValueError(f"{name!r} has shape {np.shape(values)}, but x has {x.shape}")
        if not np.isfinite(values).all():
            raise ValueError(f"{name!r} holds a value that is not a number: leave that x out")
    if x.ndim != 1 or not len(x) or (np.diff(x) <= 0).any():
        raise ValueError("x must be a row of ascending numbers")
    return x, found


def _names(fig, ax, lines, level):
    """The names at the right, each as near the end of its line as the others let it."""
    ends = {name: values[-1] for name, values in lines.items()}
    colours = {name: MODELS[k % len(MODELS)] for k, name in enumerate(lines)}
    if level is not None:
        ends[level[0]], colours[level[0]] = level[1], "#5F5F5F"
    low, high = ax.get_ylim()
    place, tall = ax.get_position(), fig.get_figheight()
    bottom, height = place.y0 * tall, place.height * tall
    wanted = {name: bottom + height * (end - low) / (high - low) for name, end in ends.items()}
    order = sorted(wanted, key=wanted.get)
    at = spread(np.array([wanted[name] for name in order]), LINE)
    at -= max(0.0, at[-1] - (tall - 0.12))  # of names that would leave the picture at its top
    for name, y in zip(order, at, strict=True):
        text = shorten(name, RIGHT - 0.2)
        x = (WIDTH - RIGHT + 0.12) / WIDTH
        style = {"fontsize": SMALL, "va": "center_baseline", "color": colours[name]}
        fig.text(x, y / tall, text, **style)


def _sentence(x, lines, xlabel, ylabel, level):
    told = [f"{name} from {v[0]:.3g} to {v[-1]:.3g}" for name, v in lines.items()]
    compared = f"; to compare: {level[0]}, {level[1]:g}" if level is not None else ""
    head = f"{ylabel} as {xlabel} goes from {x[0]:g} to {x[-1]:g}"
    return f"{head[0].upper()}{head[1:]}: {', '.join(told)}{compared}."
