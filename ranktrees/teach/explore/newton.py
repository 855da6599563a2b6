"""Explore a Newton tree: move an example through an attribute and watch the masses pull."""

import copy
import html

import ipywidgets as widgets
import numpy as np
import pandas as pd

from ranktrees.models import NewtonTree
from ranktrees.newton.attributes import ascending, hashable
from ranktrees.newton.tree import value_text
from ranktrees.teach.explore.base import Explorer, table_html
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


def newton(data, attribute: str | None = None, case: int = 0, depth: int = 2, distances=None):
    """An explorer of a small Newton tree and one example, moved through an attribute's values.

    `data` is a Dataset with a `case` to start from; `attribute` that is moved (default: the
    root's), `depth` of the tree, `distances` as in `NewtonTree`. Sliders set the exponent of the
    distance and whether prototypes weigh alike in a split ("unit") or as their classes ("class").
    """
    return NewtonExplorer(data, attribute, case, depth, distances)


class NewtonExplorer(Explorer):
    """The widget behind `rt.explore.newton`."""

    def __init__(self, data, attribute=None, case=0, depth=2, distances=None):
        self.data, self.depth, self.distances = data, depth, distances
        self.figure, self.models, self.distinct = Picture(), {}, {}
        if not 0 <= case < len(data.X):
            raise ValueError(f"case must be a number from 0 to {len(data.X) - 1}, not {case!r}")
        names = [str(name) for name in data.X.columns]
        root = self.model(2.0, "unit").tree_.root
        start = attribute if attribute is not None else root.name or names[0]
        if start not in names:
            raise unknown("attribute", start, names)
        controls = {
            "case": widgets.IntSlider(min=0, max=len(data.X) - 1, value=case, description="case"),
            "attribute": widgets.Dropdown(options=names, value=start, description="attribute"),
            "value": widgets.SelectionSlider(
                options=self.values(start, case), value=self.own(start, case), description="value"
            ),
            "exponent": widgets.FloatSlider(
                min=0.5, max=8, step=0.5, value=2, description="exponent"
            ),
            "mass": widgets.Dropdown(options=MASSES, value="unit", description="split mass"),
        }
        super().__init__(controls)

    def model(self, exponent, mass) -> NewtonTree:
        """The tree for these settings; in a split of unit masses the exponent has no part."""
        grown = (2.0 if mass == "unit" else exponent), mass
        if grown not in self.models:
            settings = {"distances": self.distances, "max_depth": self.depth}
            model = NewtonTree(exponent=grown[0], split_mass=mass, **settings)
            self.models[grown] = model.fit(self.data.X, self.data.y)
        return copy.copy(self.models[grown]).set_params(exponent=exponent)

    def values(self, attribute, case) -> list[tuple[str, object]]:
        """(text, value) of the places of an attribute's slider, of many kinds a choice with it."""
        x = self.data.X[attribute]
        if attribute not in self.distinct:
            known = x.dropna()
            if _is_number(x):
                grid = np.linspace(float(known.min()), float(known.max()), STEPS)
                found = sorted({float(f"{v:.3g}") for v in grid} | self._prototypes(attribute))
            else:
                found = ascending(dict.fromkeys(map(hashable, known)))
            self.distinct[attribute] = found
        found, own = self.distinct[attribute], x.iloc[case]
        if _is_number(x):
            found = sorted({*found, *([] if pd.isna(own) else [float(own)])})
        elif len(found) > STEPS:
            kept = {found[k] for k in np.linspace(0, len(found) - 1, STEPS).astype(int)}
            found = [value for value in found if value in kept or value == hashable(own)]
        return [(value_text(v), v) for v in found]

    def _prototypes(self, attribute):
        """A number's prototypes in the tree of the default settings: there its curves peak."""
        tree = self.model(2.0, "unit").tree_
        inner = [node for node in tree.nodes() if not node.is_leaf and node.name == attribute]
        return {float(tree.value(child.id)) for node in inner for child in node.children}

    def own(self, attribute, case):
        """The slider's place that is nearest to a case's own value; the first where missing."""
        places = [value for _, value in self.values(attribute, case)]
        value = self.data.X[attribute].iloc[case]
        if _is_number(self.data.X[attribute]):
            far = np.abs(np.array(places) - value)
            return places[0 if np.isnan(far).all() else int(np.nanargmin(far))]
        return hashable(value) if hashable(value) in places else places[0]

    def _changed(self, change):
        if change["owner"] in (self.controls["attribute"], self.controls["case"]):
            slider = self.controls["value"]
            attribute, case = self.controls["attribute"].value, self.controls["case"].value
            slider.unobserve(self._changed, names="value")
            slider.options = self.values(attribute, case)
            slider.value = self.own(attribute, case)
            slider.observe(self._changed, names="value")
        super()._changed(change)

    def draw(self, case, attribute, value, exponent, mass):
        """The tree with the example's pulls, and the probabilities along the attribute."""
        model = self.model(exponent, mass)
        texts, places = map(list, zip(*self.values(attribute, case), strict=True))
        at = places.index(value) if value in places else places.index(self.own(attribute, case))
        rows = self._moved(case, attribute, places)
        pull, curves = pulled(model, rows.iloc[[at]]), model.predict_proba(rows)
        depth, plan = fitting(model.tree_, pull, self._shown(model.tree_))
        names = legend_names(model.tree_, pull)
        width, height = max(plan.size[0], LEAST_WIDTH), plan.size[1]
        total = CURVES + height + legend_height(names, width)
        fig, colours = picture(self.figure, (width, total)), class_colours(len(names))
        draw_plan(fig, plan, CURVES, colours)
        class_legend(fig, names, colours)
        self._curves(fig, places, texts, curves, at, attribute, colours)
        setting = f"case {case} with {attribute} = {texts[at]}; exponent {exponent:g}, mass {mass}"
        fig.alt = f"{setting[0].upper()}{setting[1:]}. {sentence(model.tree_, depth, pull)}"
        return fig, f"<p>{html.escape(fig.alt)}</p>" + self._table(model, pull, case)

    def _shown(self, tree):
        """The depth to draw: a picture of more ends is neither quick nor read at a glance."""
        depth = self.depth
        while depth > 1 and leaves_at(tree, depth) > MOST:
            depth -= 1
        return depth

    def _moved(self, case, attribute, places):
        """The case as often as there are places, with each one's value in the attribute."""
        rows = self.data.X.iloc[[case] * len(places)].reset_index(drop=True)
        dtype = self.data.X[attribute].dtype
        rows[attribute] = pd.Series(places, dtype=object).astype(dtype)
        return rows

    def _curves(self, fig, places, texts, curves, at, attribute, colours):
        """P of each class over the attribute's values, the example's marked."""
        line = _is_number(self.data.X[attribute])
        x = np.array(places, float) if line else np.arange(len(places))
        ax = axes(fig, 0.7, 0.55, -0.25, CURVES - 0.1)
        for c, colour in enumerate(colours):
            style = {"lw": 1.8} if line else {"ls": "", "marker": MARKERS[c % len(MARKERS)]}
            ax.plot(x, curves[:, c], color=colour, **style)
        ax.axvline(x[at], color=BLACK, lw=1, ls=":")
        ax.set(ylim=(-0.03, 1.03), ylabel="P(class)")
        ax.set_yticks([0, 0.5, 1])
        if not line:
            ax.set_xticks([])
        ax.set_xlabel(shorten(f"{attribute} = {texts[at]}", 4.5))

    def _table(self, model, pull, case):
        """The classes, their probabilities, and which is the case's own."""
        own = str(self.data.y[case])
        rows = [
            [str(c), f"{p:.3f}", "own class" if str(c) == own else ""]
            for c, p in zip(model.classes_, pull["proba"], strict=True)
        ]
        return table_html(["class", "P", ""], rows, bold=int(pull["proba"].argmax()))


def _is_number(x):
    return pd.api.types.is_numeric_dtype(x) and not pd.api.types.is_bool_dtype(x)
