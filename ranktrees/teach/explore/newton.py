"""Explore a Newton tree: move an example through an attribute and watch the masses pull."""

import copy
from functools import cache

import ipywidgets as widgets
import numpy as np
import pandas as pd

from ranktrees.models import NewtonTree
from ranktrees.newton.attributes import ascending, hashable
from ranktrees.newton.tree import value_text
from ranktrees.teach.explore.base import Explorer, choice, numbers, table_html
from ranktrees.teach.plot.inputs import unknown
from ranktrees.teach.plot.layout import leaves_at
from ranktrees.teach.plot.legend import class_legend, legend_height
from ranktrees.teach.plot.newton import draw_plan, fitting, legend_names, pulled, sentence
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import BLACK, MARKERS, class_colours, shorten

MOST = 12  # ends of the tree that is drawn
STEPS = 41  # values of a numeric attribute
CURVES = 2.3  # inches below the tree
LEAST_WIDTH = 5.6
MASSES = ("unit", "class")


def newton_explorer(
    data, attribute: str | None = None, case: int = 0, depth: int = 2, distances=None
) -> Explorer:
    """An explorer of a small Newton tree and one example, moved through an attribute's values.

    `data` is a Dataset with a `case` to start from; `attribute` that is moved (default: the
    root's), `depth` of the tree, `distances` as in `NewtonTree`. Sliders set the exponent of the
    distance and whether prototypes weigh alike in a split ("unit") or as their classes ("class").
    """
    n, names = len(data.X), [str(name) for name in data.X.columns]
    if not 0 <= case < n:
        raise ValueError(f"case must be a number from 0 to {n - 1}, not {case!r}")
    example = Moved(data, depth, distances)
    if attribute is None:
        attribute = example.model(2.0, "unit").tree_.root.name or names[0]
    if attribute not in names:
        raise unknown("attribute", attribute, names)

    def value(now):
        places = example.values(now["attribute"], now["case"])
        start = example.nearest(now["attribute"], now["case"])
        return choice("value", places, start, ("attribute", "case"), widgets.SelectionSlider)

    return Explorer(
        example.draw,
        {"model": example.model, "values": example.values},
        case=numbers("case", 0, n - 1, 1, case),
        attribute=choice("attribute", names, attribute),
        value=value,
        exponent=numbers("exponent", 0.5, 8, 0.5, 2),
        mass=choice("split mass", MASSES, "unit"),
    )


class Moved:
    """A case of a data set, moved through the values of an attribute, and the trees it meets."""

    def __init__(self, data, depth, distances):
        self.data, self.depth, self.distances, self.figure = data, depth, distances, Picture()
        self.grown, self.places = cache(self._grown), cache(self._places)

    def model(self, exponent, mass) -> NewtonTree:
        """The tree for these settings; in a split of unit masses the exponent has no part."""
        grown = self.grown(2.0 if mass == "unit" else exponent, mass)
        return copy.copy(grown).set_params(exponent=exponent)

    def _grown(self, exponent, mass):
        settings = {"distances": self.distances, "max_depth": self.depth}
        model = NewtonTree(exponent=exponent, split_mass=mass, **settings)
        return model.fit(self.data.X, self.data.y)

    def values(self, attribute, case) -> list[tuple[str, object]]:
        """(text, value) of the places of an attribute's slider, a case's own value among them."""
        places, own = self.places(attribute), self.data.X[attribute].iloc[case]
        if _is_number(self.data.X[attribute]):
            places = sorted({*places, *([] if pd.isna(own) else [float(own)])})
        elif len(places) > STEPS:
            kept = {places[k] for k in np.linspace(0, len(places) - 1, STEPS).astype(int)}
            places = [value for value in places if value in kept or value == hashable(own)]
        return [(value_text(v), v) for v in places]

    def _places(self, attribute):
        """Values of an attribute in order: of a number steps, and prototypes, where curves peak."""
        x = self.data.X[attribute].dropna()
        if not _is_number(x):
            return ascending(dict.fromkeys(map(hashable, x)))
        steps = np.linspace(float(x.min()), float(x.max()), STEPS)
        tree = self.model(2.0, "unit").tree_
        inner = [node for node in tree.nodes() if not node.is_leaf and node.name == attribute]
        prototypes = {float(tree.value(child.id)) for node in inner for child in node.children}
        return sorted({float(f"{v:.3g}") for v in steps} | prototypes)

    def nearest(self, attribute, case):
        """The place that is nearest to a case's own value; the first where that is missing."""
        places = [value for _, value in self.values(attribute, case)]
        value = self.data.X[attribute].iloc[case]
        if _is_number(self.data.X[attribute]):
            return places[0] if pd.isna(value) else min(places, key=lambda v: abs(v - value))
        return hashable(value) if hashable(value) in places else places[0]

    def draw(self, case, attribute, value, exponent, mass):
        """The tree with the example's pulls, and the probabilities along the attribute."""
        model = self.model(exponent, mass)
        texts, places = map(list, zip(*self.values(attribute, case), strict=True))
        here, rows = places.index(value), self._rows(case, attribute, places)
        pull, curves = pulled(model, rows.iloc[[here]]), model.predict_proba(rows)
        depth, plan = fitting(model.tree_, pull, self._shown(model.tree_))
        names = legend_names(model.tree_, pull)
        width, height = max(plan.size[0], LEAST_WIDTH), plan.size[1]
        fig = picture(self.figure, (width, CURVES + height + legend_height(names, width)))
        colours = class_colours(len(names))
        draw_plan(fig, plan, CURVES, colours)
        class_legend(fig, names, colours)
        ax = axes(fig, 0.7, 0.55, -0.25, CURVES - 0.1)
        _curves(ax, places if _is_number(rows[attribute]) else None, curves, here, colours)
        ax.set_xlabel(shorten(f"{attribute} = {texts[here]}", 4.5))
        setting = (
            f"Case {case} with {attribute} = {texts[here]}; exponent {exponent:g}, mass {mass}"
        )
        fig.alt = f"{setting}. {sentence(model.tree_, depth, pull)}"
        return fig, self._table(model, pull, case)

    def _shown(self, tree):
        """The depth to draw: a picture of more ends is neither quick nor read at a glance."""
        depth = self.depth
        while depth > 1 and leaves_at(tree, depth) > MOST:
            depth -= 1
        return depth

    def _rows(self, case, attribute, places):
        """The case as often as there are places, with each one's value in the attribute."""
        rows = self.data.X.iloc[[case] * len(places)].reset_index(drop=True)
        dtype = self.data.X[attribute].dtype
        return rows.assign(**{attribute: pd.Series(places, dtype=object).astype(dtype)})

    def _table(self, model, pull, case):
        """The classes, their probabilities, and which is the case's own."""
        rows = [
            [str(c), p, "own class" if str(c) == str(self.data.y[case]) else ""]
            for c, p in zip(model.classes_, pull["proba"], strict=True)
        ]
        return table_html(["class", "P", ""], rows, ".3f", bold=int(pull["proba"].argmax()))


def _curves(ax, x, curves, here, colours):
    """P (n, C) of each class over an attribute's values: numbers `x` (n,), or None and dots."""
    places = np.arange(len(curves)) if x is None else np.array(x, float)
    for c, colour in enumerate(colours):
        dots = {"ls": "", "marker": MARKERS[c % len(MARKERS)]}
        ax.plot(places, curves[:, c], color=colour, **(dots if x is None else {"lw": 1.8}))
    ax.axvline(places[here], color=BLACK, lw=1, ls=":")
    ax.set(ylim=(-0.03, 1.03), ylabel="P(class)", yticks=[0, 0.5, 1])
    if x is None:
        ax.set_xticks([])


def _is_number(x):
    return pd.api.types.is_numeric_dtype(x) and not pd.api.types.is_bool_dtype(x)
