"""How strongly the prototypes of a tree attract every place of a plane of two attributes."""

import numpy as np
import pandas as pd
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb

from ranktrees.labels import read_classes
from ranktrees.teach.plot.inputs import frame_and_classes
from ranktrees.teach.plot.newton import tree_of
from ranktrees.teach.plot.picture import Picture
from ranktrees.teach.plot.regions import limits, plane, two_numeric, typical
from ranktrees.teach.plot.style import MARKERS, cases, class_colours, some

GRID = (150, 116)  # points at which the model is asked
WIDTH = 6.2
SOFTEST = 0.8  # of white in the paint, so that marks stand out
DISC = 900  # area in square points of a prototype that has all mass
MANY = 30  # regions, whose borders are drawn fine
LEVELS = 2  # below the root whose prototypes are marked
LEAST = 0.02  # share of the cases that a marked prototype has


def attraction_map(model, data, attributes=None, points=True, figure=None) -> Picture:
    """The predicted probabilities of a tree of prototypes as mixed colours over two attributes.

    `data` is a Dataset, `attributes` two of its numeric ones (default the first two); all others
    stand at their mean or most frequent value. Black lines part the places that lie nearest to
    different leaves, as training cases do. A prototype of the first two levels is a line across the
    region of its parent, with a disc as large as its mass; with `points` the cases are shown.
    Raises ValueError for attributes that are unknown or not numeric.
    """
    tree = tree_of(model)
    X, y = frame_and_classes(data)
    codes, classes = read_classes(y, "plot")
    if hasattr(model, "feature_names_in_"):
        X = X[list(model.feature_names_in_)]
    pair = two_numeric(X, attributes)
    known = X[list(pair)].notna().all(axis=1).to_numpy()
    spot, codes = X.loc[known, list(pair)].to_numpy(float), codes[known]
    if not len(spot):
        raise ValueError(f"no case has both {pair[0]!r} and {pair[1]!r}: there is nothing to draw")
    low, high = limits(spot)
    sides = [
        lo + (np.arange(k) + 0.5) / k * (hi - lo) for lo, hi, k in zip(low, high, GRID, strict=True)
    ]
    asked = _plane(X, pair, np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2))
    asked = asked if hasattr(model, "feature_names_in_") else asked.to_numpy()
    proba, leaf = model.predict_proba(asked), model.apply(asked).reshape(GRID[::-1])
    names = [str(c) for c in classes]
    colours = class_colours(len(names))
    fig, ax = plane(figure, names, pair, low, high)
    _paint(ax, proba, colours, low, high)
    _borders(ax, leaf, low, high)
    marked = _prototypes(ax, tree, pair, leaf, sides, colours)
    if points:
        _cases(ax, spot, codes, colours)
    fig.alt = _sentence(tree, pair, names, proba, leaf, marked, X.shape[1])
    if not known.all():
        fig.alt += f" {cases(int((~known).sum()))} with a missing value left out."
    return fig


def _plane(X, pair, points):
    """A frame of these points (k, 2), all other attributes held fixed."""
    columns = dict(zip(pair, points.T, strict=True))
    for name in X.columns:
        if name not in pair:
            fixed = pd.Series([typical(X[name])]).astype(X[name].dtype)
            columns[name] = fixed.repeat(len(points)).array
    return pd.DataFrame(columns)[list(X.columns)]


def _paint(ax, proba, colours, low, high):
    """Each place in the classes' colours, mixed as the probabilities are."""
    mixed = proba @ np.array([to_rgb(c) for c in colours])
    light = (mixed * SOFTEST + 1 - SOFTEST).reshape(*GRID[::-1], 3).clip(0, 1)
    extent = (low[0], high[0], low[1], high[1])
    ax.imshow(light, origin="lower", extent=extent, aspect="auto", interpolation="bilinear")


def _borders(ax, leaf, low, high):
    """Lines between neighbouring places of different leaves."""
    step = [(hi - lo) / k for lo, hi, k in zip(low, high, GRID, strict=True)]
    rows, columns = np.nonzero(leaf[:, 1:] != leaf[:, :-1])
    x, y = low[0] + (columns + 1) * step[0], low[1] + rows * step[1]
    upright = np.stack([x, y, x, y + step[1]], axis=-1)
    rows, columns = np.nonzero(leaf[1:] != leaf[:-1])
    x, y = low[0] + columns * step[0], low[1] + (rows + 1) * step[1]
    flat = np.stack([x, y, x + step[0], y], axis=-1)
    lines = np.concatenate([upright, flat]).reshape(-1, 2, 2)
    width = 1.0 if len(np.unique(leaf)) <= MANY else 0.35
    style = {"colors": "black", "linewidths": width, "capstyle": "projecting"}
    ax.add_collection(LineCollection(lines, **style), autolim=False)


def _prototypes(ax, tree, pair, leaf, sides, colours):
    """A line and a disc for each prototype of the first levels; how many there are."""
    paths, marked = tree.paths(), 0
    names = [info.name for info in tree.schema]
    least = LEAST * tree.mass[0]
    for node in tree.nodes():
        if not 0 < node.depth <= LEVELS or tree.mass[node.id] < least:
            continue
        above = tree.parent[node.id]
        if names[tree.attribute[above]] not in pair:
            continue
        here = np.isin(leaf, np.flatnonzero((paths == above).any(axis=1)))
        if here.any():
            which = pair.index(names[tree.attribute[above]])
            _prototype(ax, node, which, _ends(here, which, sides), colours, node.depth)
            marked += 1
    return marked


def _ends(here, which, sides):
    """The ends and the middle, along the other attribute, of the region `here`."""
    places = sides[1 - which][np.flatnonzero(here.any(axis=1 - which))]
    return places[0], (places[0] + places[-1]) / 2, places[-1]


def _prototype(ax, node, which, ends, colours, depth):
    tree, value = node.tree, float(node.tree.value(node.id))
    colour = colours[int(node.counts.argmax())]
    line = [[value, value], [ends[0], ends[2]]]
    spot = [value, ends[1]]
    x, y = line if which == 0 else line[::-1]
    ax.plot(x, y, color=colour, lw=2.2 if depth == 1 else 1.2, ls=(0, (4, 2)), zorder=3)
    spot = spot if which == 0 else spot[::-1]
    size = max(20, DISC * tree.mass[node.id] / tree.mass[0])
    ax.scatter(*spot, s=size, color=colour, edgecolors="black", linewidths=1, zorder=5)


def _cases(ax, spot, codes, colours):
    for c, colour in enumerate(colours):
        here = spot[codes == c]
        style = {"marker": MARKERS[c % len(MARKERS)], "ms": 4, "mec": "white", "mew": 0.4}
        ax.plot(here[:, 0], here[:, 1], ls="", color=colour, zorder=4, **style)


def _sentence(tree, pair, names, proba, leaf, marked, width):
    largest = proba.max(axis=1)
    areas = np.bincount(proba.argmax(axis=1), minlength=len(names)) / len(proba)
    parts = [f"{name} {share:.0%}" for name, share in zip(names, areas, strict=True)]
    regions = len(np.unique(leaf))
    text = (
        f"Probabilities of a tree of prototypes over {pair[0]} and {pair[1]}; most probable class, "
        f"share of the area: {some(parts, 8)}. The largest probability runs from "
        f"{largest.min():.2f} to {largest.max():.2f}. The nearest leaves make {regions} "
        f"region{'s' if regions > 1 else ''}; {marked} prototypes are marked."
    )
    if width > 2:
        text += " All other attributes stand at their mean or most frequent value."
    return text
