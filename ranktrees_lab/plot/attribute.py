"""What one attribute adds to the log odds, by its value, for all training cases."""

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_like
from ranktrees_engine.basics.kinds import Model
from ranktrees_engine.explain import attribute_effect
from ranktrees_lab.plot.inputs import check_known
from ranktrees_lab.plot.parts import label, row_names
from ranktrees_lab.plot.picture import Picture, axes, picture
from ranktrees_lab.plot.style import COLOURS, some, text_width

WIDTH, HEIGHT, LEFT = 7.0, 3.4, 0.8  # inches of a curve, and its left margin
ROW, NAMES = 0.3, 2.5  # inches of a row, and of the names at most
LINE = COLOURS["score"]
BAND = {"color": COLOURS["marked"], "lw": 0}
MARGIN = 0.15  # of the cuts' range, beyond the first and the last cut


def attribute(
    model: Model, name: str, positive: object = None, figure: Picture | None = None
) -> Picture:
    """Draw what an attribute adds to the log odds of the class `positive`, by its value.

    `model`: a fitted `PathBayes` or `PathForest`. The factor, times its weight, depends on how deep
    it looks on a case's path: the line is the mean over all training cases, each given the value,
    and the band holds nine tenths of them. `positive` defaults to the last class; with more than
    two classes the odds are against the mean of the others. Raises ValueError for an unknown name.
    """
    check_like("a fitted PathBayes or PathForest", model, "path_factors")
    schema = model.path_factors()[0][0][3]
    names, classes = [info.name for info in schema], model.classes_.tolist()
    check_known("attribute", name, names)
    positive = classes[-1] if positive is None else positive
    check_known("class", positive, classes)
    table = attribute_effect(model, names.index(name), classes.index(positive))
    words = f"adds to the log odds of {positive}"
    draw = _curve if "up_to" in table else _rows
    fig = draw(figure, table, name, words)
    fig.alt = _sentence(table, name, words)
    return fig


def _curve(figure, table, name, words):
    """Draw steps over a number's intervals, with their band."""
    cuts = table["up_to"].to_numpy()[:-1]
    fig = picture(figure, (WIDTH, HEIGHT))
    ax = axes(fig, LEFT, 0.6, -0.2, -0.15)
    reach = MARGIN * (np.ptp(cuts) if len(cuts) > 1 else 1) if len(cuts) else 1
    first, last = (cuts[0], cuts[-1]) if len(cuts) else (0.0, 0.0)
    edges = [first - reach, *cuts, last + reach]
    ax.axhline(0, color=COLOURS["ideal"], lw=1, zorder=1)
    ax.stairs(table["high"], edges, baseline=table["low"].to_numpy(), fill=True, zorder=2, **BAND)
    ax.stairs(table["mean"], edges, baseline=None, color=LINE, lw=2, zorder=3)
    ax.set(xlim=(edges[0], edges[-1]), ylim=_limits(table))
    label(ax, name, words, "y")
    return fig


def _rows(figure, table, name, words):
    """Draw a row for each name, with the mean as a dot and its band as a bar."""
    names, places = list(table.index), np.arange(len(table))
    left = 0.25 + min(max(map(text_width, names)), NAMES)
    tall = ROW * len(names)
    fig = picture(figure, (WIDTH, tall + 0.75))
    ax = axes(fig, left, 0.55, -0.2, 0.55 + tall)
    ax.axvline(0, color=COLOURS["ideal"], lw=1, zorder=1)
    ax.barh(places, table["high"] - table["low"], 0.5, table["low"], zorder=2, **BAND)
    ax.plot(table["mean"], places, "o", ms=6, color=LINE, zorder=3)
    ax.set(xlim=_limits(table), ylim=(len(names) - 0.5, -0.5), yticks=[])
    row_names(ax, places, names, NAMES)
    label(ax, f"{name} {words}", grid="x")
    return fig


def _limits(table):
    """Return the least and the largest that is drawn, and 0, with some room beyond."""
    low, high = min(table["low"].min(), 0), max(table["high"].max(), 0)
    room = 0.06 * (high - low) or 0.1
    return low - room, high + room


def _sentence(table: pd.DataFrame, name, words):
    """Return the picture in words."""
    if "up_to" in table:
        ups = [*(f"up to {cut:.4g}" for cut in table["up_to"][:-1]), "above"]
    else:
        ups = list(table.index)
    each = [f"{up} {mean:+.2f}" for up, mean in zip(ups, table["mean"], strict=True)]
    widest = (table["high"] - table["low"]).max()
    return (
        f"What {name} {words}, in the mean of all training cases: {some(each, 12)}. "
        f"Nine tenths of the cases lie in a band that is at most {widest:.2f} wide."
    )
