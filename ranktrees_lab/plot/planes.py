"""What a model predicts over two numeric attributes, with the cases on top."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb

from ranktrees_engine.basics.arguments import as_list, check_dict, check_flag, check_like, floats
from ranktrees_engine.basics.kinds import Dataset, Model
from ranktrees_engine.estimator.classifier import Classifier
from ranktrees_engine.reading.labels import read_classes
from ranktrees_lab.plot.inputs import check_known, frame_and_classes, prototypes_of
from ranktrees_lab.plot.parts import frame, label, mark
from ranktrees_lab.plot.picture import Picture, axes
from ranktrees_lab.plot.style import COLOURS, MARKERS, MODELS, cases, class_colours, some

WIDTH, HEIGHT = 6.2, 4.1  # inches
LIGHT, SOFTEST = 0.35, 0.8  # of a class's colour in its region; in mixed probabilities
LINES = (COLOURS["oblique"], *MODELS)
DISC = 900  # area in square points of a prototype that has all mass
MANY = 30  # regions, whose borders are drawn fine
LEVELS, LEAST = 2, 0.02  # below the root whose prototypes are marked; their share of the cases


class Plane(NamedTuple):
    """Two attributes of a data set `X`, the cases (n, 2) that have both, and their classes."""

    X: pd.DataFrame
    pair: tuple[str, str]
    spots: np.ndarray
    codes: np.ndarray
    classes: list[str]

    @classmethod
    def of(cls, model, data, attributes=None) -> "Plane":
        """Return the plane of two numeric attributes, by default the first, that a model reads."""
        X, y = frame_and_classes(data)
        codes, classes = read_classes(y, "plot")
        if hasattr(model, "feature_names_in_"):
            X = X[list(model.feature_names_in_)]
        pair = two_numeric(X, attributes)
        known = X[list(pair)].notna().all(axis=1).to_numpy()
        if not known.any():
            names = f"{pair[0]!r} and {pair[1]!r}"
            raise ValueError(f"no case has both {names}: there is nothing to draw")
        spots = X.loc[known, list(pair)].to_numpy(float)
        return cls(X, pair, spots, codes[known], [str(c) for c in classes])

    def limits(self) -> tuple[np.ndarray, np.ndarray]:
        """Return lowest and highest values of the cases, with a margin."""
        low, high = self.spots.min(axis=0), self.spots.max(axis=0)
        margin = np.where(high > low, 0.04 * (high - low), 0.5)
        return low - margin, high + margin

    def sides(self, size) -> list[np.ndarray]:
        """Return the positions along both attributes of a grid with these columns and rows."""
        ends = zip(*self.limits(), size, strict=True)
        return [low + (np.arange(k) + 0.5) / k * (high - low) for low, high, k in ends]

    def asked(self, model, points):
        """Return points (k, 2) as the model reads them, all other attributes at a typical value."""
        columns = dict(zip(self.pair, np.reshape(points, (-1, 2)).T, strict=True))
        for name, x in self.X.items():
            if name not in self.pair:
                fixed = pd.Series([typical(x)]).astype(x.dtype)
                columns[name] = fixed.repeat(len(columns[self.pair[0]])).array
        table = pd.DataFrame(columns)[list(self.X.columns)]
        return table if hasattr(model, "feature_names_in_") else table.to_numpy()

    def axes(self, figure, lines=()) -> tuple:
        """Return a figure and axes with a legend of the classes, and of lines by name."""
        colours = [
            *class_colours(len(self.classes)),
            *(LINES[k % len(LINES)] for k in range(len(lines))),
        ]
        markers = [MARKERS[c % len(MARKERS)] for c in range(len(self.classes))]
        markers += ["_"] * len(lines)
        fig = frame(figure, WIDTH, HEIGHT, [*self.classes, *lines], colours, 0.8, markers)
        ax = axes(fig, 0.8, 0.55, -0.2, HEIGHT - 0.05)
        (left, bottom), (right, top) = self.limits()
        ax.set(xlim=(left, right), ylim=(bottom, top))
        label(ax, *self.pair)
        return fig, ax

    def paint(self, ax, pixels, smoothing) -> None:
        """Draw the colours (rows, columns, 3) of a grid."""
        extent = np.stack(self.limits()).T.ravel()
        ax.imshow(pixels, origin="lower", extent=extent, aspect="auto", interpolation=smoothing)

    def draw_cases(self, ax, size) -> None:
        """Draw each case as the mark of its class."""
        for c, colour in enumerate(class_colours(len(self.classes))):
            style = mark(colour, MARKERS[c % len(MARKERS)], size)
            ax.plot(*self.spots[self.codes == c].T, **style, zorder=4)

    def areas(self, codes) -> str:
        """Return the share of the area that each class has, in words."""
        share = np.bincount(codes.ravel(), minlength=len(self.classes)) / codes.size
        return some([f"{c} {s:.0%}" for c, s in zip(self.classes, share, strict=True)], 8)

    def notes(self) -> tuple[str, str]:
        """Return notes about the other attributes, and about cases that are left out."""
        others = " All other attributes stand at their mean or most frequent value."
        missing = len(self.X) - len(self.spots)
        gaps = f" {cases(missing)} with a missing value left out." if missing else ""
        return others if self.X.shape[1] > 2 else "", gaps


def two_numeric(X: pd.DataFrame, attributes=None) -> tuple[str, str]:
    """Return two numeric columns, by default the first two; ValueError for any others."""
    numeric = [c for c in X.columns if pd.api.types.is_numeric_dtype(X[c])]
    if attributes is None:
        attributes = numeric[:2]
        if len(numeric) < 2:
            raise ValueError(f"two numeric attributes are needed, there is {len(numeric)}")
    attributes = as_list("attributes", attributes)
    if len(attributes) != 2 or attributes[0] == attributes[1]:
        raise ValueError(f"attributes must be two different names, not {attributes!r}")
    for name in attributes:
        check_known("attribute", name, X.columns)
        if name not in numeric:
            raise ValueError(f"{name!r} is not numeric: choose two of {some(numeric, 12)}")
    return tuple(attributes)


def typical(x: pd.Series):
    """Return the mean of numbers, rounded if they are whole; else the most frequent value."""
    if pd.api.types.is_bool_dtype(x) or not pd.api.types.is_numeric_dtype(x):
        return x.mode().iloc[0] if x.notna().any() else np.nan
    return round(x.mean()) if pd.api.types.is_integer_dtype(x) else x.mean()


def boundaries(
    model: Model,
    data: Dataset,
    attributes: Sequence[str] | None = None,
    lines: Mapping[str, Sequence[float]] | None = None,
    figure: Picture | None = None,
) -> Picture:
    """Draw a fitted model's predicted class as coloured regions over two numeric attributes.

    `data` is a Dataset, `attributes` two of its numeric attributes (default the first two); all
    others have their mean or most frequent value. `lines` {label: (w_a, w_b, c)} adds oblique lines
    w_a a + w_b b = c. Raises ValueError for attributes that are unknown or not numeric.
    """
    check_like("a fitted model", model, "predict")
    check_dict("lines", {} if lines is None else lines, "{label: (w_a, w_b, c)}")
    plane = Plane.of(model, data, attributes)
    code = {name: c for c, name in enumerate(plane.classes)}

    def predict(points):
        return np.array([code[str(c)] for c in model.predict(plane.asked(model, points))])

    sides, lines = plane.sides((180, 140)), lines or {}
    codes = predict(np.stack(np.meshgrid(*sides), axis=-1)).reshape(140, 180)
    fig, ax = plane.axes(figure, lines)
    colours = np.array([to_rgb(c) for c in class_colours(len(plane.classes))])
    plane.paint(ax, (1 - LIGHT * (1 - colours))[codes], "nearest")
    plane.draw_cases(ax, 5.5)
    for k, (name, line) in enumerate(lines.items()):
        ends = _ends(name, line, *plane.limits())
        ax.plot(*ends, color=LINES[k % len(LINES)], ls=(0, (6, 2)), lw=1.8)
    right, (others, gaps) = int((predict(plane.spots) == plane.codes).sum()), plane.notes()
    fig.alt = (
        f"Predicted class over {plane.pair[0]} and {plane.pair[1]}, share of the area: "
        f"{plane.areas(codes)}.{others} {right} of {cases(len(plane.codes))} lie in a region of "
        f"their own class.{f' Lines: {some(lines)}.' if lines else ''}{gaps}"
    )
    return fig


def _ends(name, line, low, high):
    """Return x and y where an oblique line meets two edges of the picture."""
    line = floats(f"line {name!r}", line)
    if line.shape != (3,):
        raise ValueError(f"line {name!r} must be three numbers, (w_a, w_b, c)")
    wa, wb, c = line
    if wa == 0 and wb == 0:
        raise ValueError(f"line {name!r}: both weights are 0")
    if abs(wb) * (high[1] - low[1]) >= abs(wa) * (high[0] - low[0]):
        x = np.array([low[0], high[0]])
        return x, (c - wa * x) / wb
    y = np.array([low[1], high[1]])
    return (c - wb * y) / wa, y


def attraction_map(
    model: Classifier,
    data: Dataset,
    attributes: Sequence[str] | None = None,
    points: bool = True,
    figure: Picture | None = None,
) -> Picture:
    """Draw a tree of prototypes' predicted probabilities as mixed colours over two attributes.

    `data` is a Dataset, `attributes` two of its numeric ones (default the first two); all others
    have their mean or most frequent value. Black lines separate the regions of different leaves, by
    the nearest prototypes, as for training cases. A prototype of the first two levels is a line
    across the region of its parent, with a disc as large as its mass; with `points` the cases are
    shown. Raises ValueError for attributes that are unknown or not numeric.
    """
    check_flag("points", points)
    tree, plane = prototypes_of(model), Plane.of(model, data, attributes)
    sides = plane.sides((150, 116))
    asked = plane.asked(model, np.stack(np.meshgrid(*sides), axis=-1))
    proba, leaf = model.predict_proba(asked), model.apply(asked).reshape(116, 150)
    fig, ax = plane.axes(figure)
    colours = class_colours(len(plane.classes))
    mixed = (proba[:, :, None] * np.array([to_rgb(c) for c in colours])).sum(axis=1)
    light = (mixed * SOFTEST + 1 - SOFTEST).clip(0, 1)
    plane.paint(ax, light.reshape(116, 150, 3), "bilinear")
    _borders(ax, leaf, *plane.limits())
    marked = _prototypes(ax, tree, plane.pair, leaf, sides, colours)
    if points:
        plane.draw_cases(ax, 4)
    largest, regions, (others, gaps) = proba.max(axis=1), len(np.unique(leaf)), plane.notes()
    fig.alt = (
        f"Probabilities of a tree of prototypes over {plane.pair[0]} and {plane.pair[1]}; most "
        f"probable class, share of the area: {plane.areas(proba.argmax(axis=1))}. The largest "
        f"probability runs from {largest.min():.2f} to {largest.max():.2f}. The nearest leaves "
        f"make {regions} region{'s' if regions > 1 else ''}; {marked} prototypes are marked."
        f"{others}{gaps}"
    )
    return fig


def _borders(ax, leaf, low, high):
    """Draw lines between neighbouring places of different leaves."""
    step = (high - low) / leaf.shape[::-1]
    lines = []
    for across in (0, 1):  # between columns, between rows
        rows, columns = np.nonzero(np.diff(leaf, axis=1 - across))
        first = np.stack([columns, rows], axis=-1) + (np.eye(2, dtype=int)[across])
        lines.append(np.stack([first, first + np.eye(2, dtype=int)[1 - across]], axis=1))
    width = 1.0 if len(np.unique(leaf)) <= MANY else 0.35
    style = {"colors": "black", "linewidths": width, "capstyle": "projecting"}
    places = low + np.concatenate(lines) * step
    ax.add_collection(LineCollection(places, **style), autolim=False)


def _prototypes(ax, tree, pair, leaf, sides, colours):
    """Draw a line and a disc per prototype of the first levels; return how many there are."""
    paths, names, marked = tree.paths(), [info.name for info in tree.schema], 0
    for node in tree.nodes():
        if not 0 < node.depth <= LEVELS or tree.mass[node.id] < LEAST * tree.mass[0]:
            continue
        above = tree.parent[node.id]
        here = np.isin(leaf, np.flatnonzero((paths == above).any(axis=1)))
        if names[tree.attribute[above]] not in pair or not here.any():
            continue
        side = pair.index(names[tree.attribute[above]])
        reach = sides[1 - side][np.flatnonzero(here.any(axis=1 - side))]
        value, colour = float(tree.value(node.id)), colours[int(node.counts.argmax())]
        line, spot = ([value, value], reach[[0, -1]]), (value, (reach[0] + reach[-1]) / 2)
        turn = slice(None, None, 1 if side == 0 else -1)
        style = {"color": colour, "lw": 2.2 if node.depth == 1 else 1.2, "ls": (0, (4, 2))}
        ax.plot(*line[turn], zorder=3, **style)
        size = max(20, DISC * tree.mass[node.id] / tree.mass[0])
        ax.scatter(*spot[turn], s=size, color=colour, edgecolors="black", linewidths=1, zorder=5)
        marked += 1
    return marked
