"""Explore a Newton tree: one case moves, and the masses of prototypes pull it down the tree."""

import copy
from functools import cache

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import DATASET, check_like, check_number
from ranktrees_engine.basics.kinds import Dataset
from ranktrees_engine.models import NewtonTree
from ranktrees_engine.models.newton import READINGS
from ranktrees_engine.newton.attributes import ascending, hashable
from ranktrees_engine.newton.tree import value_text
from ranktrees_lab.explore.base import Explorer, table_html
from ranktrees_lab.explore.controls import case_slider, choice, named_choice, numbers
from ranktrees_lab.plot.layout import frame_plan, readable_depth
from ranktrees_lab.plot.parts import write
from ranktrees_lab.plot.picture import axes
from ranktrees_lab.plot.style import BLACK, MARKERS, class_colours, other_font, shorten
from ranktrees_lab.plot.trees import fitting, legend_names, pulled, sentence

MOST = 12  # ends of the tree that is drawn: more are neither quick nor read at a glance
STEPS = 41  # values of an attribute
CURVES, LEAST_WIDTH = 1.75, 5.6  # inches: above the tree, near the sliders; of the picture
HEAD = ["on the way to", "mass", "distance", "pull", "all pulls", "share", "product"]


def newton_explorer(
    data: Dataset,
    attribute: str | None = None,
    case: int = 0,
    depth: int = 2,
    distances: dict | None = None,
) -> Explorer:
    """Explore a small Newton tree and one example, moved through an attribute's values.

    `data` is a Dataset with a `case` to start from; `attribute` that is moved (default: the
    root's), `depth` of the tree, `distances` as in `NewtonTree`. `step` walks down the tree, from
    pulls to shares and their product: numbers below it are hidden. Other controls set the exponent
    of the distance and the `reading` of the talk.
    """
    check_like(DATASET, data, "X", "y")
    check_number("depth, which is max_depth,", depth, 1, whole=True)
    case = case_slider(len(data.X), case)
    example, names = Example(data, depth, distances), [str(name) for name in data.X.columns]
    if attribute is None:
        attribute = example.model(2.0, "nearest").tree_.root.name

    def value(now):
        places = example.values(now["attribute"], now["case"])
        start = example.start(now["attribute"], now["case"])
        return choice("value", places, start, ("attribute", "case"), slider=True)

    return Explorer(
        example.draw,
        {"model": example.model, "values": example.values},
        case=case,
        attribute=named_choice("attribute", names, attribute, none=True),
        exponent=numbers("exponent", 0.5, 8, 0.5, 2),
        reading=choice("reading", READINGS, "nearest"),
        value=value,  # the two that are moved most are next to the picture
        step=numbers("step", 0, depth, 1, depth),
    )


class Example:
    """A case of a data set with any value of one attribute, and its trees."""

    def __init__(self, data, depth, distances):
        def grown(exponent, reading):
            model = NewtonTree(distances, reading, exponent, max_depth=depth)
            return model.fit(data.X, data.y)

        self.data, self.grown, self.places = data, cache(grown), cache(self._places)

    def model(self, exponent, reading) -> NewtonTree:
        """Return the tree for these settings; the nearest prototype is so for any exponent."""
        grown = self.grown(2.0 if reading == "nearest" else exponent, reading)
        return copy.copy(grown).set_params(exponent=exponent)

    def values(self, attribute, case) -> list[tuple[str, object]]:
        """Return (text, value) of an attribute's slider positions, including a case's own value."""
        places, now = self.places(attribute), self.present(attribute, case)
        if _is_number(self.data.X[attribute]):
            places = sorted({*places, *([] if pd.isna(now) else [now])})
        elif len(places) > STEPS:
            kept = {places[k] for k in np.linspace(0, len(places) - 1, STEPS).astype(int)}
            places = [value for value in places if value in kept or value == now]
        return [(value_text(v), v) for v in places]

    def _places(self, attribute):
        """Return an attribute's values in order: of numbers, steps, and peaks at prototypes."""
        x = self.data.X[attribute].dropna()
        if not _is_number(x):
            return ascending(dict.fromkeys(map(hashable, x)))
        steps = np.linspace(float(x.min()), float(x.max()), STEPS)
        tree = self.model(2.0, "nearest").tree_
        inner = [node for node in tree.nodes() if not node.is_leaf and node.name == attribute]
        prototypes = {float(tree.value(child.id)) for node in inner for child in node.children}
        return sorted({float(f"{v:.3g}") for v in steps} | prototypes)

    def present(self, attribute, case):
        """Return a case's own value."""
        value = self.data.X[attribute].iloc[case]
        value = np.nan if value is pd.NA else value  # a missing value is in no list of places
        return float(value) if _is_number(self.data.X[attribute]) else hashable(value)

    def start(self, attribute, case):
        """Return the position of a case's own value; the first if that is missing."""
        places, now = [v for _, v in self.values(attribute, case)], self.present(attribute, case)
        return now if now in places else places[0]

    def draw(self, case, attribute, value, step, exponent, reading):
        """Draw the tree with the example's pulls down to a step, and P along the attribute.

        Below are the pulls on the path to the likeliest leaf, and the probabilities.
        """
        model = self.model(exponent, reading)
        texts, places = map(list, zip(*self.values(attribute, case), strict=True))
        x, here = self.data.X[attribute], places.index(value)
        rows = self.data.X.iloc[[case] * len(places)].reset_index(drop=True)
        dtype = float if _is_number(x) else x.dtype
        rows[attribute] = pd.Series(places, dtype=object).astype(dtype)
        pull, tree = pulled(model, rows.iloc[[here]]) | {"step": step}, model.tree_
        depth, plan = fitting(tree, pull, readable_depth(tree, None, MOST))
        fig = frame_plan(plan, legend_names(tree, pull), CURVES, LEAST_WIDTH)
        bottom = plan.size[1] + 0.72
        ax = axes(fig, 0.7, bottom, -0.25, bottom + CURVES - 0.82)
        _curves(ax, places if _is_number(x) else None, model.predict_proba(rows), here)
        words = shorten(f"{attribute} = {texts[here]}", 4.5)
        ax.set_xlabel(words, **other_font(words))
        fig.alt = f"Case {case} with {attribute} = {texts[here]}; exponent {exponent:g}, reading "
        fig.alt += f"{reading}. {sentence(tree, depth, pull)}"
        way = _way(tree, pull)
        words, middle = _product(pull, way), fig.get_figwidth() / 2
        write(fig, middle, plan.size[1] + 0.1, words, ha="center")
        now = {str(self.data.y[case]): "own class"}
        classes = [str(c) for c in model.classes_]
        table = [(c, p, now.get(c, "")) for c, p in zip(classes, pull["proba"], strict=True)]
        best = int(pull["proba"].argmax())
        walked = _walked(model, rows.iloc[here], pull, way)
        return fig, walked + table_html(["class", "P", ""], table, ".3f", bold=best)


def _way(tree, pull):
    """Return the nodes (k,) on the way to the likeliest leaf, down to the step; no root."""
    nodes = tree.paths()[int(np.where(tree.is_leaf, pull["reach"], -1).argmax())]
    return nodes[nodes > 0][: pull["step"]]


def _product(pull, way):
    """Return the shares on the way so far, multiplied, in words."""
    shares = " × ".join(f"{pull['share'][t]:.3f}" for t in way) or "1"
    product = f" = {pull['reach'][way[-1]]:.3f}" if len(way) > 1 else ""
    return f"on the way to the likeliest leaf: {shares}{product}"


def _walked(model, row, pull, way):
    """Return a table of the steps so far: masses over distances are pulls, shares multiply."""
    tree, lines = model.tree_, []
    for t in way:
        a, siblings = tree.tested[t], (tree.parent == tree.parent[t]).nonzero()[0]
        values, now = [tree.value(k) for k in siblings], hashable(row.iloc[a])
        missing = not isinstance(now, tuple | frozenset) and pd.isna(now)
        far = np.full(len(values), np.nan)
        if not missing:
            far = model.attributes_[a].between(values, [now])[:, 0]
        mass, here = tree.mass[siblings], siblings == t
        pulls = _pulls(far, mass, model.exponent)
        branch = f"{tree.schema[a].name}: π = {value_text(tree.value(t))}"
        distance = "missing" if missing else f"{far[here][0]:.4g}"
        numbers = mass[here][0], distance, pulls[here][0], pulls.sum()
        lines.append((branch, *numbers, pull["share"][t], pull["reach"][t]))
    return table_html(HEAD, lines, ["", *[".4g"] * 4, *[".3f"] * 2]) if lines else ""


def _pulls(far, mass, exponent):
    """Return the pulls (K,) of masses (K,) at distances (K,): where one is 0 or missing, masses."""
    if np.isnan(far).any() or not far.all():
        return mass * ~(far > 0)
    return mass / far**exponent


def _curves(ax, x, curves, here):
    """Draw P (n, C) of each class over an attribute's values: numbers `x` (n,), or dots if None."""
    places = np.arange(len(curves)) if x is None else np.array(x, float)
    for c, colour in enumerate(class_colours(curves.shape[1])):
        dots = {"ls": "", "marker": MARKERS[c % len(MARKERS)]}
        ax.plot(places, curves[:, c], color=colour, **(dots if x is None else {"lw": 1.8}))
    ax.axvline(places[here], color=BLACK, lw=1, ls=":")
    ax.set(ylim=(-0.03, 1.03), ylabel="P(class)", yticks=[0, 0.5, 1])
    if x is None:
        ax.set_xticks([])


def _is_number(x):
    return pd.api.types.is_numeric_dtype(x) and not pd.api.types.is_bool_dtype(x)
