"""What a model predicts over two numeric attributes, with the cases on top."""

import numpy as np
import pandas as pd
from matplotlib.colors import to_rgb

from ranktrees.labels import read_classes
from ranktrees.teach.plot.inputs import frame_and_classes, unknown
from ranktrees.teach.plot.legend import class_legend, legend_height
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import (
    COLOURS,
    DASHES,
    MARKERS,
    NORMAL,
    SMALL,
    cases,
    class_colours,
    shorten,
    some,
)

GRID = (180, 140)  # points at which the model is asked
LIGHT = 0.65  # share of white in a region's colour
WIDTH = 6.2


def boundaries(model, data, attributes=None, lines=None, figure=None) -> Picture:
    """A fitted model's predicted class as coloured regions over two numeric attributes.

    `data` is a Dataset, `attributes` two of its numeric attributes (default the first two); all
    others stand at their mean or most frequent value. `lines` {label: (w_a, w_b, c)} adds oblique
    lines w_a a + w_b b = c. Raises ValueError for attributes that are unknown or not numeric.
    """
    X, y = frame_and_classes(data)
    codes, classes = read_classes(y, "plot")
    names = [str(c) for c in classes]
    if hasattr(model, "feature_names_in_"):
        X = X[list(model.feature_names_in_)]
    a, b = two_numeric(X, attributes)
    known = X[[a, b]].notna().all(axis=1).to_numpy()
    spot, codes = X.loc[known, [a, b]].to_numpy(float), codes[known]
    if not len(spot):
        raise ValueError(f"no case has both {a!r} and {b!r}: there is nothing to draw")
    low, high = limits(spot)
    predict = _predictor(model, X, (a, b), names)
    fig, ax = plane(figure, names, (a, b), low, high)
    regions = _regions(ax, predict, low, high, class_colours(len(names)))
    _points(ax, spot, codes, class_colours(len(names)))
    _lines(ax, lines or {}, low, high)
    right = int((predict(spot) == codes).sum())
    fig.alt = _sentence((a, b), names, regions, right, len(codes), lines, X.shape[1])
    if not known.all():
        fig.alt += f" {cases(int((~known).sum()))} with a missing value left out."
    return fig


def two_numeric(X: pd.DataFrame, attributes=None) -> tuple[str, str]:
    """Two different numeric columns, the first two by default; ValueError for any others."""
    numeric = [c for c in X.columns if pd.api.types.is_numeric_dtype(X[c])]
    if attributes is None:
        attributes = numeric[:2]
        if len(numeric) < 2:
            raise ValueError(f"two numeric attributes are needed, there is {len(numeric)}")
    if len(attributes) != 2 or attributes[0] == attributes[1]:
        raise ValueError(f"attributes must be two different names, not {attributes!r}")
    for name in attributes:
        if name not in X.columns:
            raise unknown("attribute", name, X.columns)
        if name not in numeric:
            raise ValueError(f"{name!r} is not numeric: choose two of {some(numeric, 12)}")
    return tuple(attributes)


def limits(spot: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest values of the cases (n, 2), with a margin."""
    low, high = spot.min(axis=0), spot.max(axis=0)
    margin = np.where(high > low, 0.04 * (high - low), 0.5)
    return low - margin, high + margin


def _predictor(model, X, pair, names):
    """A function from points (k, 2) to class codes (k,), all other attributes held fixed."""
    fixed = {c: typical(X[c]) for c in X.columns if c not in pair}

    def predict(points):
        columns = dict(zip(pair, points.T, strict=True))
        for name, value in fixed.items():
            columns[name] = pd.Series([value]).astype(X[name].dtype).repeat(len(points)).array
        frame = pd.DataFrame(columns)[list(X.columns)]
        told = model.predict(frame if hasattr(model, "feature_names_in_") else frame.to_numpy())
        code = {name: c for c, name in enumerate(names)}
        return np.array([code[str(t)] for t in told])

    return predict


def typical(x: pd.Series):
    """The mean of numbers, rounded where they are whole; else the most frequent value."""
    if pd.api.types.is_bool_dtype(x) or not pd.api.types.is_numeric_dtype(x):
        return x.mode().iloc[0] if x.notna().any() else np.nan
    return round(x.mean()) if pd.api.types.is_integer_dtype(x) else x.mean()


def plane(figure, names, pair, low, high) -> tuple:
    """A figure and axes over two attributes, with a legend of the classes."""
    top = legend_height(names, WIDTH, 0.8) + 0.05
    fig = picture(figure, (WIDTH, 4.1 + top))
    ax = axes(fig, 0.8, 0.55, -0.2, -top)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    ax.set_xlabel(shorten(pair[0], 4, NORMAL))
    ax.set_ylabel(shorten(pair[1], 3.4, NORMAL))
    class_legend(fig, names, class_colours(len(names)), 0.8, markers=MARKERS)
    return fig, ax


def _regions(ax, predict, low, high, colours):
    """Paint the regions; the share (C,) of the area that each class has."""
    sides = [
        lo + (np.arange(k) + 0.5) / k * (hi - lo) for lo, hi, k in zip(low, high, GRID, strict=True)
    ]
    points = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)
    code = predict(points).reshape(GRID[1], GRID[0])
    light = np.array([to_rgb(c) for c in colours]) * (1 - LIGHT) + LIGHT
    extent = (low[0], high[0], low[1], high[1])
    ax.imshow(light[code], origin="lower", extent=extent, aspect="auto", interpolation="nearest")
    return np.bincount(code.ravel(), minlength=len(colours)) / code.size


def _points(ax, spot, codes, colours):
    for c, colour in enumerate(colours):
        here = spot[codes == c]
        style = {"marker": MARKERS[c % len(MARKERS)], "ms": 5.5, "mec": "white", "mew": 0.4}
        ax.plot(here[:, 0], here[:, 1], ls="", color=colour, **style)


def _lines(ax, lines, low, high):
    """Oblique lines, each from one edge of the picture to another."""
    for k, (label, (wa, wb, c)) in enumerate(lines.items()):
        if wa == 0 and wb == 0:
            raise ValueError(f"line {label!r}: both weights are 0")
        if abs(wb) * (high[1] - low[1]) >= abs(wa) * (high[0] - low[0]):
            x = np.array([low[0], high[0]])
            ends = x, (c - wa * x) / wb
        else:
            y = np.array([low[1], high[1]])
            ends = (c - wb * y) / wa, y
        style = {"color": COLOURS["oblique"], "ls": DASHES[(k + 1) % len(DASHES)], "lw": 1.8}
        ax.plot(*ends, label=shorten(label, 2), scalex=False, scaley=False, **style)
    if lines:
        ax.legend(loc="best", fontsize=SMALL, framealpha=0.9)


def _sentence(pair, names, regions, right, n, lines, width):
    areas = [f"{name} {share:.0%}" for name, share in zip(names, regions, strict=True)]
    text = f"Predicted class over {pair[0]} and {pair[1]}, share of the area: {some(areas, 8)}."
    if width > 2:
        text += " All other attributes stand at their mean or most frequent value."
    text += f" {right} of {cases(n)} lie in a region of their own class."
    return text + (f" Lines: {some(lines)}." if lines else "")
