"""How the training cases of a node vote on one case (WPE)."""

from collections.abc import Sequence

import numpy as np
from matplotlib.collections import LineCollection

from ranktrees_engine.basics.arguments import as_names, check_number, floats
from ranktrees_engine.basics.kinds import ArrayLike
from ranktrees_engine.estimates.shrinkage import smoothed
from ranktrees_lab.plot.parts import GRID, canvas, frame, row_names, share_bars, write
from ranktrees_lab.plot.picture import Picture, axes
from ranktrees_lab.plot.style import cases, class_colours, some

WIDTH, RIM, START = 7.5, 2.45, 0.5  # inches: of the picture, radii of the fan
BARS, NAMES = 0.95, 2.15  # inches: the two bars below, and their names
THICK, MOST = 9, 240  # points of the widest line; cases that are drawn one by one
TICKS = 8  # arcs at most


def votes(
    similarity: ArrayLike,
    classes: ArrayLike,
    attributes: int,
    names: Sequence,
    figure: Picture | None = None,
) -> Picture:
    """Draw each training case as a line from the case to predict, as long as its vote in WPE.

    `similarity` (N,) says in how many of the `attributes` a training case has the value of the case
    to predict, `classes` (N,) are codes of the class `names` (C,). A vote is similarity + 1, and
    all lines have one width: the more values are shared, the more ink. Below are the classes'
    shares by counts (Wang & Zhang 2006, Eq. 1) and by votes (Eq. 6). With more than 240 cases some
    are drawn. Raises ValueError for shapes that differ or a similarity out of range.
    """
    check_number("attributes", attributes, 1, whole=True)
    names = as_names("names", names)
    similarity, classes = _checked(similarity, classes, attributes, names)
    colours = class_colours(len(names))
    fig = frame(figure, WIDTH, RIM + 0.25 + BARS, names, colours)
    middle = WIDTH / 2
    fan = axes(fig, middle - RIM - 0.1, BARS, middle + RIM + 0.1, BARS + RIM + 0.25, ticks=False)
    fan.set(xlim=(-RIM - 0.1, RIM + 0.1), ylim=(-0.15, RIM + 0.1))
    _arcs(fan, attributes)
    _rays(fan, similarity + 1, classes, attributes, colours)
    proba = _shares(similarity, classes, len(names))
    ax = canvas(fig, NAMES, 0, WIDTH - 0.1, BARS - 0.1)
    share_bars(ax, proba, 0, WIDTH - NAMES - 0.1, [0.2, 0.57], 0.3, colours, "{:.3f}")
    row_names(ax, [0.2, 0.57], ["by counts (Eq. 1)", "by votes (Eq. 6)"], NAMES - 0.2)
    fig.alt = _sentence(similarity, classes, attributes, names, proba)
    return fig


def _checked(similarity, classes, attributes, names):
    similarity, classes = floats("similarity", similarity), floats("classes", classes)
    if similarity.ndim != 1 or similarity.shape != classes.shape or not len(similarity):
        needed = "similarity and classes must be two rows of as many numbers"
        raise ValueError(f"{needed}, not {similarity.shape} and {classes.shape}")
    if similarity.min() < 0 or similarity.max() > attributes:
        raise ValueError(f"each of similarity must lie between 0 and the {attributes} attributes")
    if not np.isin(classes, range(len(names))).all():
        raise ValueError(f"classes must be codes from 0 to {len(names) - 1}, as in names")
    return similarity, classes.astype(int)


def _shares(similarity, classes, n_classes):
    """Return probabilities (2, C) by counts and by votes."""
    weights = np.ones(len(classes)), similarity + 1
    return np.array([smoothed(np.bincount(classes, w, n_classes)) for w in weights])


def _radius(vote, attributes):
    """Return where the line of a vote ends: on the rim if all values are shared."""
    return START + (RIM - START) * np.asarray(vote) / (attributes + 1)


def _arcs(ax, attributes):
    """Draw a half circle for each possible vote, or for some of them, with the number."""
    step = -(-(attributes + 1) // TICKS)
    turn = np.linspace(0, np.pi, 90)
    for vote in range(attributes + 1, 0, -step):
        radius = _radius(vote, attributes)
        ax.plot(radius * np.cos(turn), radius * np.sin(turn), color=GRID, lw=0.8, zorder=0)
        write(ax, radius, -0.1, str(vote), ha="center", color="#555555")
    write(ax, -START, -0.1, "vote = values shared + 1", ha="right", color="#555555")


def _rays(ax, vote, classes, attributes, colours):
    """Draw lines from the case that asks, by class from left to right, the longest first."""
    order = np.lexsort((-vote, classes))
    if len(order) > MOST:
        order = order[np.linspace(0, len(order) - 1, MOST).round().astype(int)]
    turn = np.pi * (1 - (np.arange(len(order)) + 0.5) / len(order))
    way = np.transpose([np.cos(turn), np.sin(turn)])
    ends = way * _radius(vote[order], attributes)[:, None]
    wide = np.clip(0.85 * 72 * np.pi * START / len(order), 1, THICK)
    fill = [colours[c] for c in classes[order]]
    style = {"colors": fill, "linewidths": wide, "zorder": 2}
    ax.add_collection(LineCollection(np.stack([START * way, ends], axis=1), **style))
    ax.scatter(*ends.T, s=np.clip(3 * wide, 6, 30), c=fill, zorder=3, ec="white", lw=0.4)
    write(ax, 0, 0.06, "the case", ha="center")


def _sentence(similarity, classes, attributes, names, proba):
    parts = []
    for c, name in enumerate(names):
        given = similarity[classes == c] + 1
        if len(given):
            least, most = given.min(), given.max()
            each = f"{least:g} each" if least == most else f"{least:g} to {most:g} each"
            parts.append(f"{cases(len(given))} of {name}, {each}, together {given.sum():g}")
    best = int(proba[1].argmax())
    values = "1 attribute" if attributes == 1 else f"{attributes} attributes"
    drawn = f" {MOST} of them are drawn." if len(classes) > MOST else ""
    return (
        f"{cases(len(classes))} vote on a case of {values}, by shared values + 1: "
        f"{some(parts, 6)}.{drawn} P({names[best]}) is {proba[0, best]:.3f} by counts and "
        f"{proba[1, best]:.3f} by votes (WPE)."
    )
