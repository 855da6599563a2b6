"""Explore shrinkage: what the nodes on one case's path say, and how they are weighed."""

import html

import ipywidgets as widgets
import numpy as np

from ranktrees import plot
from ranktrees.arguments import choose
from ranktrees.models import C45
from ranktrees.shrinkage import along_path, local_of, mix, weights_by
from ranktrees.teach.explore.base import Explorer, table_html
from ranktrees.teach.plot.picture import Picture
from ranktrees.teach.plot.style import cases

ESTIMATES = {
    "shares": "shrinkage",
    "WPE": "shrinkage+wpe",
    "naive Bayes": "shrinkage+naive-bayes",
}
WEIGHTS = ("DIW", "uniform", "mine")
CLASSES = 3  # columns of the table of words


def shrinkage(data, case: int = 0, model=None, train=None, estimate="shares", weights="DIW"):
    """An explorer of one case's path: local estimates, weights and the mixed result.

    The tree of `model` (default: C4.5's) grows on the rows `train` (default: a random half); `case`
    is a number among the other rows. `estimate` "shares", "WPE" or "naive Bayes"; `weights` "DIW",
    "uniform" or "mine", a slider for each node, which then stands for all classes.
    """
    return ShrinkageExplorer(data, case, model, train, estimate, weights)


def own_weights(values) -> np.ndarray:
    """Weights (K,) in proportion to these values (K,), which sum to 1.

    Raises ValueError where that cannot be: a negative value, one that is no number, all zero.

    >>> own_weights([2, 1, 1]).tolist()
    [0.5, 0.25, 0.25]
    """
    values = np.asarray(values, float)
    if values.ndim != 1 or not len(values):
        raise ValueError("weights must be a row of numbers, one for each node of the path")
    for i, value in enumerate(values):
        if not np.isfinite(value) or value < 0:
            raise ValueError(f"the weight of N{i} is {value:g}: weights must be 0 or more")
    if values.sum() == 0:
        raise ValueError("all weights are 0 and cannot sum to 1: raise at least one")
    return values / values.sum()


class ShrinkageExplorer(Explorer):
    """The widget behind `rt.explore.shrinkage`."""

    def __init__(self, data, case, model, train, estimate, weights):
        choose("estimate", estimate, ESTIMATES)
        choose("weights", weights, WEIGHTS)
        self.figure = Picture()
        test = self._grow(data, C45() if model is None else model, train)
        if not 0 <= case < len(test):
            raise ValueError(f"case must be a number from 0 to {len(test) - 1}, not {case!r}")
        sliders = {
            f"w{i}": widgets.FloatSlider(min=0, max=1, step=0.05, value=1, description=f"N{i}")
            for i in range(self.model.tree_.depth + 2)
        }
        super().__init__(
            {
                "case": widgets.IntSlider(min=0, max=len(test) - 1, value=case, description="case"),
                "estimate": widgets.Dropdown(
                    options=list(ESTIMATES), value=estimate, description="estimate"
                ),
                "weights": widgets.Dropdown(options=WEIGHTS, value=weights, description="weights"),
                **sliders,
            }
        )
        self._enable()

    def _grow(self, data, model, train):
        """Fit the tree, keep the other cases; returns their rows."""
        n = len(data)
        if train is None:
            train = np.random.default_rng(1).permutation(n)[: (n + 1) // 2]
        inside = np.zeros(n, bool)
        inside[np.asarray(train)] = True
        if inside.all():
            raise ValueError("train holds every row: leave at least one case to look at")
        self.model = model.fit(data.X[inside], data.y[inside])
        test = data.X[~inside]
        self.codes, self.truth = self.model.encode(test).values, np.asarray(data.y)[~inside]
        self.ends = self.model.tree_.apply(self.codes)
        return test

    def nodes(self, case: int) -> list[str]:
        """The names of the nodes on a case's path, the uniform one first."""
        tree = self.model.tree_
        path = [t for t in tree.paths()[self.ends[case]] if t >= 0]
        names = ["N0 uniform"]
        for i, t in enumerate(path, start=1):
            above = tree.schema[tree.attribute[tree.parent[t]]].name if t else ""
            what = f"{above} {tree.conditions[t]}" if t else "root"
            names.append(f"N{i} {what} ({tree.counts[t].sum():g})")
        return names

    def path(self, case, estimate, weights, own=()) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Local probabilities (K, C), weights (K, C) and the mixed result (C,) of a case.

        `own` (K,) holds the weights where `weights` is "mine"; more of them are left out.
        """
        choose("weights", weights, WEIGHTS)
        counts, local = self.model.path_counts_, local_of(ESTIMATES[estimate])
        K, end = len(self.nodes(case)), self.ends[[case]]
        proba = along_path(counts, local, end, self.codes[[case]])[0, :K]
        if weights == "mine":
            table = np.repeat(own_weights(own[:K])[:, None], proba.shape[1], axis=1)
        else:
            table = weights_by(weights.lower())(counts, local, end)[0, :K]
        result = mix(proba[None], table[None])[0]
        return proba, table, result / result.sum()

    def draw(self, case, estimate, weights, **sliders):
        """The path of a case with its numbers, and a table of the rules' results."""
        nodes, own = self.nodes(case), list(sliders.values())
        proba, table, result = self.path(case, estimate, weights, own)
        names = [str(c) for c in self.model.classes_]
        picture = plot.path(nodes, proba, table, names, result, self.figure)
        truth = f"Case {case} is of class {self.truth[case]}; {estimate}, weights {weights}."
        picture.alt = f"{truth} {picture.alt}"
        words = f"<p>{html.escape(picture.alt)}</p>" + self._table(case, estimate, weights, own)
        return picture, words

    def _table(self, case, estimate, weights, own):
        """The result for each rule of weights, beside the leaf alone, by class."""
        names, rows = [str(c) for c in self.model.classes_], []
        found = {rule: self.path(case, estimate, rule, own)[2] for rule in WEIGHTS[:2]}
        if weights == "mine":
            found["mine"] = self.path(case, estimate, "mine", own)[2]
        found["leaf alone"] = self.path(case, estimate, "DIW")[0][-1]
        order = np.argsort(-found[weights], kind="stable")[:CLASSES]
        for rule, p in found.items():
            rows.append([rule, *[f"{p[c]:.3f}" for c in order]])
        at = cases(self.model.tree_.counts[self.ends[case]].sum())
        head = [f"{estimate}, {at} at the end", *[names[c] for c in order]]
        return table_html(head, rows, bold=list(found).index(weights))

    def _enable(self):
        """Sliders work for nodes on the path, and only where the weights are mine."""
        mine, K = (
            self.controls["weights"].value == "mine",
            len(self.nodes(self.controls["case"].value)),
        )
        for i in range(self.model.tree_.depth + 2):
            self.controls[f"w{i}"].disabled = not mine or i >= K

    def _changed(self, change):
        self._enable()
        super()._changed(change)
