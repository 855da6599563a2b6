"""Explore pruning: how far a tree is cut back, what its leaves say, and what that does."""

import html

import ipywidgets as widgets
import numpy as np

from ranktrees import plot, prune
from ranktrees.arguments import choose
from ranktrees.estimate import ESTIMATES
from ranktrees.evaluate import MEASURES
from ranktrees.labels import read_classes
from ranktrees.models import C45
from ranktrees.shrinkage import CASEWISE
from ranktrees.teach.explore.base import Explorer, table_html
from ranktrees.teach.plot.picture import Picture

CONFIDENCES = (0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05, 0.01, 0.001)
STEPS = len(CONFIDENCES)
METHODS = ("C4.5", "cost complexity")
ESTIMATE_NAMES = (*ESTIMATES, *CASEWISE)


def pruning(data, train=None, method: str = "C4.5", estimate: str = "laplace", model=None):
    """An explorer of one tree, cut back in ten steps: sizes, errors, AUC, and the tree itself.

    `train`: the rows to grow on, all others test (default: a random half); `method` "C4.5" (by
    confidence) or "cost complexity" (by alpha), strength 0 being the unpruned tree; `estimate` a
    name in `rt.estimate.ESTIMATES` or `rt.casewise.CASEWISE`; `model`: what grows (default:
    C4.5's tree).
    Raises ValueError where a half holds a single class.
    """
    return PruningExplorer(data, train, method, estimate, model)


class PruningExplorer(Explorer):
    """The widget behind `rt.explore.pruning`."""

    def __init__(self, data, train=None, method="C4.5", estimate="laplace", model=None):
        choose("method", method, METHODS)
        choose("estimate", estimate, ESTIMATE_NAMES)
        self.figure, self.measured = Picture(), {}
        self._split(data, train)
        model = C45(prune=False, collapse=False) if model is None else model
        self.model = model.fit(*self.train)
        self.codes = [self.model.encode(X) for X, _ in (self.train, self.test)]
        self.trees, self.labels = {}, {}
        for name, rows in zip(METHODS, (self._by_confidence(), self._by_alpha()), strict=True):
            self.labels[name], self.trees[name] = zip(*rows, strict=True)
        start = CONFIDENCES.index(0.25) + 1
        super().__init__(
            {
                "method": widgets.Dropdown(options=METHODS, value=method, description="pruning"),
                "strength": widgets.IntSlider(
                    min=0, max=STEPS, value=start, description="strength"
                ),
                "estimate": widgets.Dropdown(
                    options=ESTIMATE_NAMES, value=estimate, description="estimate"
                ),
            }
        )

    def _split(self, data, train):
        """The cases to grow on and those to test on, (X, y) each."""
        n = len(data)
        if train is None:
            train = np.random.default_rng(1).permutation(n)[: (n + 1) // 2]
        inside = np.zeros(n, bool)
        inside[np.asarray(train)] = True
        self.train, self.test = ((data.X[rows], data.y[rows]) for rows in (inside, ~inside))
        self.y = [read_classes(data.y, "pruning")[0][rows] for rows in (inside, ~inside)]
        for name, codes in zip(("train", "test"), self.y, strict=True):
            if len(np.unique(codes)) < 2:
                raise ValueError(f"the {name} cases need at least two classes: choose other rows")

    def _by_confidence(self):
        """(what was set, tree) for each strength: C4.5's collapse, limit and raising."""
        grown = self.model.tree_
        rows = [("no pruning", grown)]
        cases = self.model.training_
        for confidence in CONFIDENCES:
            tree = prune.c45(prune.collapse(grown), *cases, confidence)
            rows.append((f"confidence {confidence:g}", tree))
        return rows

    def _by_alpha(self):
        """(what was set, tree) for each strength: ten steps along the nested sequence."""
        path = prune.cost_complexity(self.model.tree_)
        steps = np.linspace(0, len(path.trees) - 1, STEPS + 1).round().astype(int)
        alphas = [f"alpha {path.alphas[i]:.2g}" for i in steps]
        return [
            (a if i else "no pruning", path.trees[i]) for a, i in zip(alphas, steps, strict=True)
        ]

    def measures(self, method, estimate) -> dict[str, np.ndarray]:
        """Leaves, distinct test scores, training and test error, test AUC: (strengths,) each."""
        if (method, estimate) not in self.measured:
            rows = [self._measure(tree, estimate) for tree in self.trees[method]]
            names = ("leaves", "scores", "training", "test", "auc")
            columns = map(np.array, zip(*rows, strict=True))
            self.measured[method, estimate] = dict(zip(names, columns, strict=True))
        return self.measured[method, estimate]

    def _measure(self, tree, estimate):
        model = self.model.with_tree(tree).with_estimate(estimate)
        proba = [model.predict_proba(codes) for codes in self.codes]
        wrong = [1 - MEASURES["accuracy"](y, p) for y, p in zip(self.y, proba, strict=True)]
        scores = len(np.unique(proba[1].round(10), axis=0))
        return tree.n_leaves, scores, *wrong, MEASURES["auc"](self.y[1], proba[1])

    def draw(self, method, strength, estimate):
        """The curves with this strength marked, the tree if it is small, and a table."""
        found, tree = self.measures(method, estimate), self.trees[method][strength]
        auc = {estimate: found["auc"]}
        if estimate != "frequency":
            auc["frequency"] = self.measures(method, "frequency")["auc"]
        lines = found["leaves"], found["training"], found["test"]
        picture = plot.sizes(*lines, auc, strength, tree, self.figure)
        setting = f"{method}, {self.labels[method][strength]}, {estimate}"
        picture.alt = f"{setting[0].upper()}{setting[1:]}. {picture.alt}"
        words = f"<p>{html.escape(picture.alt)}</p>" + self._table(method, found, strength)
        return picture, words

    def _table(self, method, found, strength):
        """The chosen tree beside the unpruned one, that of least test error and of best AUC."""
        places = {
            "chosen": strength,
            "not pruned": 0,
            "least test error": int(found["test"].argmin()),
            "best test AUC": int(found["auc"].argmax()),
        }
        rows = []
        for name, i in places.items():
            numbers = [f"{found['leaves'][i]}", f"{found['scores'][i]}"]
            numbers += [f"{found['training'][i]:.1%}", f"{found['test'][i]:.1%}"]
            rows.append([name, self.labels[method][i], *numbers, f"{found['auc'][i]:.3f}"])
        head = ["tree", "setting", "leaves", "distinct scores", "training error", "test error"]
        return table_html([*head, "test AUC"], rows, bold=0)
