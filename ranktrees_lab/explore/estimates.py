"""Explore what a model predicts: smoothing, pruning, and all the prunings of path Bayes."""

from functools import cache

import numpy as np

from ranktrees_engine import prune
from ranktrees_engine.basics.arguments import DATASET, check_like, check_number, even
from ranktrees_engine.basics.kinds import ArrayLike, Case, Dataset
from ranktrees_engine.estimates import ESTIMATES, estimate_names
from ranktrees_engine.estimates.path_bayes import check_branches
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.evaluate import MEASURES
from ranktrees_engine.explain import one_case
from ranktrees_engine.models import C45, NaiveBayes
from ranktrees_engine.reading.encoder import Codes
from ranktrees_engine.reading.labels import read_classes
from ranktrees_lab import plot
from ranktrees_lab.explore.base import Explorer, table_html
from ranktrees_lab.explore.controls import Control, choice, named_choice, numbers
from ranktrees_lab.plot.cases import tables_of
from ranktrees_lab.plot.inputs import check_place
from ranktrees_lab.plot.stops import CLASS, likeliest, named_ends, stop_probabilities, who_looks

SMOOTHINGS = {"none": "plain shares", "laplace": "Laplace", "m": "m-estimate"}
MOST_CLASSES = 12  # rows of the table of words
CONFIDENCES = (0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05, 0.01, 0.001)
STEPS = len(CONFIDENCES)
SPLITS = 20
METHODS = ("C4.5", "cost complexity")
TIMES = (0, 0.25, 0.5, 1, 2, 4)  # what each training case counts


def smoothing_explorer(
    data: Dataset, attribute: str | None = None, case: Case | int = 0, smoothing: str = "laplace"
) -> Explorer:
    """Explore naive Bayes on a data set: attribute, its value, and the smoothing.

    `case`: the number of a row, or a row as for `NaiveBayes.explain`; its `attribute` takes the
    value chosen, all its other values stay. Numbers are binned.
    """
    check_like(DATASET, data, "X", "y")
    model = NaiveBayes().fit(data.X, data.y)
    names = [info.name for info in model.schema_]
    values = {name: [str(v) for v in model.conditional(name).index] for name in names}
    codes = model.encoder_.transform(one_case(model, _row(data.X, case)))

    def value_slider(now):
        known = values[now["attribute"]]
        start = max(int(codes.values[0, names.index(now["attribute"])]), 0)  # the first if missing
        return choice("value", known, known[start], ("attribute",))

    def posterior(attribute, value, smoothing, m=0.0):
        changed = codes.values.copy()
        changed[0, names.index(attribute)] = values[attribute].index(value)
        return model.with_smoothing(smoothing, m).predict_proba(Codes(changed, codes.schema))[0]

    def draw(attribute, value, smoothing, m):
        name = f"m = {m:g}" if smoothing == "m" else SMOOTHINGS[smoothing]
        posteriors = {SMOOTHINGS["none"]: posterior(attribute, value, "none")}
        posteriors[name] = posterior(attribute, value, smoothing, m)
        smoothed = model.with_smoothing(smoothing, m)
        picture = plot.conditionals(smoothed, attribute, value, posteriors)
        return picture, _fractions(smoothed, attribute, values[attribute].index(value))

    return Explorer(
        draw,
        {"posterior": posterior, "values": values},
        attribute=named_choice("attribute", names, attribute, none=True),
        value=value_slider,
        smoothing=named_choice("smoothing", SMOOTHINGS, smoothing),
        m=lambda now: numbers("m", 0, 50, 0.5, 3, enabled=now["smoothing"] == "m"),
    )


def _row(X, case):
    if isinstance(case, bool) or not isinstance(case, int | np.integer):
        return case
    check_place("case", case, len(X))
    return X.iloc[[case]]


def _fractions(model, attribute, v):
    """Return a value's counts, its imagined cases, and the estimate, by class, in HTML."""
    table, _, counts = tables_of(model, attribute)
    V = len(counts)
    added = {"none": 0.0, "laplace": 1.0, "m": model.m / V}[model.smoothing]
    rows = []
    for c, name in list(enumerate(model.classes_))[:MOST_CLASSES]:
        top, below = f"{counts[v, c]} + {added:.3g}", f"{counts[:, c].sum()} + {V * added:g}"
        rows.append([str(name), f"({top}) / ({below})", table.iloc[v, c]])
    head = ["class", f"P({attribute} = {table.index[v]} | class)", "estimate"]
    return table_html(head, rows, ".3f")


def half(data, train=None, seed: int = 1) -> np.ndarray:
    """Return which cases of a Dataset train (n,): the rows `train`, or a random half by seed."""
    check_like(DATASET, data, "X", "y")
    n = len(data)
    inside = np.zeros(n, bool)
    rows = np.random.default_rng(seed).permutation(n)[: (n + 1) // 2] if train is None else train
    rows = even("train", rows)
    needed = f"train must hold rows from 0 to {n - 1}"
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or not len(rows):
        raise ValueError(f"{needed}, not {train!r:.80}")
    if rows.min() < 0 or rows.max() >= n:
        raise ValueError(f"{needed}, not {rows.min()} to {rows.max()}")
    inside[rows] = True
    return inside


def new_split(train, first: int = 1) -> dict[str, Control]:
    """Return a control `split`, the seed of the half that trains, unless that is given."""
    return {} if train is not None else {"split": numbers("new split", 1, SPLITS, 1, first)}


def pruning_explorer(
    data: Dataset,
    train: ArrayLike | None = None,
    method: str = "C4.5",
    estimate: str = "laplace",
    model: GrownTree | None = None,
    split: int = 1,
) -> Explorer:
    """Explore one tree, cut back in ten steps: sizes, errors, AUC, and the tree itself.

    `train`: the rows to grow on, all others test (default: a random half, by the seed `split` from
    1 to 20, and a control for new ones); `method` "C4.5" (by confidence) or "cost complexity" (by
    alpha), strength 0 being the unpruned tree; `estimate` a name in `rt.estimate.ESTIMATES`;
    `model`: what grows (default: C4.5's tree). Raises ValueError if a half has a single class.
    """
    check_number("split", split, 1, whole=True, most=SPLITS)
    model = C45(prune=False, collapse=False) if model is None else model
    studies = cache(lambda split: PrunedTrees(data, half(data, train, split), model))

    def draw(method, strength, estimate, split=1):
        study = studies(split)
        measures, label = study.measures(method, estimate), study.labels[method][strength]
        auc = {estimate: measures["auc"]}
        auc["frequency"] = study.measures(method, "frequency")["auc"]
        lines = measures["leaves"], measures["training"], measures["test"]
        picture = plot.sizes(*lines, auc, strength, study.trees[method][strength])
        picture.alt = f"{method[0].upper()}{method[1:]}, {label}, {estimate}. {picture.alt}"
        return picture, _marked_trees(measures, study.labels[method], strength)

    return Explorer(
        draw,
        {"study": studies(split), "measures": studies(split).measures},
        method=named_choice("method", METHODS, method, "pruning"),
        strength=numbers("strength", 0, STEPS, 1, CONFIDENCES.index(0.25) + 1),
        estimate=named_choice("estimate", _known_to(studies(1).model.tree_, estimate), estimate),
        **new_split(train, split),
    )


def _known_to(tree, estimate):
    """Return the estimates for a tree: path Bayes needs a branch per value; else ValueError."""
    try:
        check_branches(tree)
    except ValueError:
        if estimate in estimate_names("tables"):
            raise
        return estimate_names("counts", "cases")
    return [*ESTIMATES]


class PrunedTrees:
    """A tree pruned by each of `METHODS`: `trees` and `labels`, (strengths,) by method."""

    def __init__(self, data, inside, model):
        codes = read_classes(data.y, "pruning")[0]
        self.train, self.test = ((data.X[rows], data.y[rows]) for rows in (inside, ~inside))
        self.y = codes[inside], codes[~inside]
        for name, y in zip(("train", "test"), self.y, strict=True):
            if len(np.unique(y)) < 2:
                raise ValueError(f"the {name} cases need at least two classes: choose other rows")
        check_like("a model of one tree, such as C45()", model, "with_tree")
        self.model = type(model)(**model.get_params()).fit(*self.train)
        self.codes = [self.model.encode(X) for X, _ in (self.train, self.test)]
        grown = self.model.tree_
        collapsed, path = prune.collapse(grown), prune.cost_complexity(grown)
        known, weight = self.model.training_, self.model.weight_
        pruned = [prune.c45(collapsed, *known, c, weight=weight) for c in CONFIDENCES]
        steps = np.linspace(0, len(path.trees) - 1, STEPS + 1).round().astype(int)
        alphas = [f"alpha {path.alphas[i]:.2g}" if i else "no pruning" for i in steps]
        trees = [grown, *pruned], [path.trees[i] for i in steps]
        labels = ["no pruning", *(f"confidence {c:g}" for c in CONFIDENCES)], alphas
        self.trees = dict(zip(METHODS, trees, strict=True))
        self.labels = dict(zip(METHODS, labels, strict=True))
        self.measures = cache(self._measures)

    def _measures(self, method, estimate) -> dict[str, np.ndarray]:
        """Return leaves, distinct scores, training and test error, test AUC: (strengths,) each."""
        rows = []
        for tree in self.trees[method]:
            model = self.model.with_tree(tree).with_estimate(estimate)
            proba = [model.predict_proba(codes) for codes in self.codes]
            wrong = [1 - MEASURES["accuracy"](y, p) for y, p in zip(self.y, proba, strict=True)]
            scores = len(np.unique(proba[1].round(10), axis=0))
            rows.append((tree.n_leaves, scores, *wrong, MEASURES["auc"](self.y[1], proba[1])))
        names = ("leaves", "scores", "training", "test", "auc")
        return dict(zip(names, map(np.array, zip(*rows, strict=True)), strict=True))


def _marked_trees(measures, labels, strength):
    """Compare, in HTML, the chosen tree with the unpruned one, the least error and the best AUC."""
    places = {"chosen": strength, "not pruned": 0}
    places["least test error"] = int(measures["test"].argmin())
    places["best test AUC"] = int(measures["auc"].argmax())
    columns = labels, *measures.values()
    rows = [(name, *(column[i] for column in columns)) for name, i in places.items()]
    head = ["tree", "setting", "leaves", "distinct scores", "training error", "test error"]
    forms = "", "", "", "", ".1%", ".1%", ".3f"
    return table_html([*head, "test AUC"], rows, forms, bold=0)


def stops_explorer(model: GrownTree, who: str = CLASS) -> Explorer:
    """Explore the prunings of a small tree: the chooser, and how much each case counts.

    `model` a fitted `PathBayes`, or a tree with its estimate, of at most twelve leaves; `who` is
    "the class" or an attribute. Raises ValueError for others, TypeError for another estimate.
    """
    stop_probabilities(model, who)
    tree, everybody = model.tree_, who_looks(model)

    def draw(who, times):
        found = likeliest(tree, *stop_probabilities(model, who, times))
        rows = [(named_ends(tree, pruning), pruning.p) for pruning in found]
        return plot.stops(model, who, times), table_html(["pruning", "probability"], rows, ".3f")

    return Explorer(
        draw,
        who=choice("who looks", everybody, who),
        times=choice("each case counts", [(f"{t:g}", t) for t in TIMES], 1, slider=True),
    )
