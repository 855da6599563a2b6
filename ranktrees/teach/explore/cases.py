"""Explore one case on its path: local estimates, their mixture, what each attribute adds."""

from functools import partial

import numpy as np

from ranktrees import plot
from ranktrees.arguments import check_like, check_number, choose
from ranktrees.models import C44, C45, PathBayes
from ranktrees.path_bayes import words
from ranktrees.shrinkage import along_path, local_of, mix, weights_by
from ranktrees.teach.explore.base import Explorer, choice, numbers, table_html
from ranktrees.teach.explore.estimates import half
from ranktrees.teach.plot.paths import check_estimate
from ranktrees.teach.plot.style import cases

LOCALS = {
    "shares": local_of("shrinkage"),
    "WPE": local_of("shrinkage+wpe"),
    "naive Bayes": local_of("shrinkage+naive-bayes"),
}
WEIGHTS = ("DIW", "uniform", "mine")
CLASSES = 3  # columns of the table of words


def shrinkage_explorer(
    data, case: int = 0, model=None, train=None, estimate="shares", weights="DIW"
) -> Explorer:
    """An explorer of one case's path: local estimates, weights and the mixed result.

    The tree of `model` (default: C4.5's) grows on the rows `train` (default: a random half); `case`
    is a number among the other rows. `estimate` "shares", "WPE" or "naive Bayes"; `weights` "DIW",
    "uniform" or "mine", a slider for each node, which then stands for all classes.
    """
    choose("estimate", estimate, LOCALS)
    choose("weights", weights, WEIGHTS)
    paths = Paths(data, half(data, train), C45() if model is None else model)
    case = case_slider(len(paths.truth), case)

    def draw(case, estimate, weights, **sliders):
        by_hand = list(sliders.values())
        path = paths.path(case, estimate, weights, by_hand)
        picture = plot.path(paths.nodes(case), *path[:2], paths.names, path[2])
        truth = f"Case {case} is of class {paths.truth[case]}; {estimate}, weights {weights}."
        picture.alt = f"{truth} {picture.alt}"
        return picture, paths.results(case, estimate, weights, by_hand)

    def slider(i, now):
        works = now["weights"] == "mine" and i < len(paths.nodes(now["case"]))
        return numbers(f"N{i}", 0, 1, 0.05, 1, enabled=works)

    return Explorer(
        draw,
        {"paths": paths, "path": paths.path, "nodes": paths.nodes},
        case=case,
        estimate=choice("estimate", list(LOCALS), estimate),
        weights=choice("weights", WEIGHTS, weights),
        **{f"N{i}": partial(slider, i) for i in range(paths.model.tree_.depth + 2)},
    )


class Paths:
    """The paths of the cases that did not train, `coded`, (m, A), of the classes `truth` (m,)."""

    def __init__(self, data, inside, model):
        if inside.all():
            raise ValueError("train holds every row: leave at least one case to look at")
        check_like("a model of one tree, such as C45()", model, "with_tree")
        self.model = model.fit(data.X[inside], data.y[inside])
        self.names = [str(c) for c in self.model.classes_]
        self.coded = self.model.encode(data.X[~inside])
        self.codes = self.coded.values
        self.truth, self.ends = np.asarray(data.y)[~inside], self.model.tree_.apply(self.codes)

    def nodes(self, case: int) -> list[str]:
        """The names of the nodes on a case's path, the uniform one first."""
        tree, names = self.model.tree_, ["N0 uniform"]
        path = tree.paths()[self.ends[case]]
        for i, t in enumerate(path[path >= 0], start=1):
            above = tree.schema[tree.attribute[tree.parent[t]]].name if t else ""
            what = f"{above} {tree.conditions[t]}" if t else "root"
            names.append(f"N{i} {what} ({tree.counts[t].sum():g})")
        return names

    def path(self, case, estimate, weights, own=()) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Local probabilities (K, C), weights (K, C) and the mixed result (C,) of a case.

        `own` (K,) holds the weights where `weights` is "mine"; more of them are left out.
        """
        choose("weights", weights, WEIGHTS)
        counts, local = self.model.path_counts_, LOCALS[estimate]
        K, end = len(self.nodes(case)), self.ends[[case]]
        proba = along_path(counts, local, end, self.codes[[case]])[0, :K]
        if weights == "mine":
            table = np.repeat(own_weights(own[:K])[:, None], proba.shape[1], axis=1)
        else:
            table = weights_by(weights.lower())(counts, local, end)[0, :K]
        result = mix(proba, table)
        return proba, table, result / result.sum()

    def results(self, case, estimate, weights, own) -> str:
        """The result of each rule of weights, beside the leaf alone, by class, in HTML."""
        rules = WEIGHTS if weights == "mine" else WEIGHTS[:2]
        rows = {rule: self.path(case, estimate, rule, own)[2] for rule in rules}
        rows["leaf alone"] = self.path(case, estimate, "uniform")[0][-1]
        order = np.argsort(-rows[weights], kind="stable")[:CLASSES]
        size = cases(self.model.tree_.counts[self.ends[case]].sum())
        head = [f"{estimate}, {size} at the end", *[self.names[c] for c in order]]
        cells = [(rule, *p[order]) for rule, p in rows.items()]
        return table_html(head, cells, ".3f", bold=list(rows).index(weights))


def path_bayes_explorer(data, model=None, case: int = 0, train=None) -> Explorer:
    """An explorer of what path Bayes says of each case that it was not fitted on.

    `model` (default: `PathBayes()`) learns from the rows `train` (default: a random half); `case`
    is a number among the other rows. Below the picture stand the probabilities of its two words,
    each alone, and of C4.4's leaf. Raises TypeError for a model with another estimate.
    """
    model = PathBayes() if model is None else model
    check_estimate(model)
    inside = half(data, train)
    paths = Paths(data, inside, model)
    codes, tree_says, bayes_says = paths.coded, *words(model, paths.coded)
    said = {
        "path Bayes": model.predict_proba(codes),
        "the tree's word": tree_says,
        "naive Bayes' word": bayes_says,
        "C4.4's leaf": C44().fit(data.X[inside], data.y[inside]).predict_proba(data.X[~inside]),
    }

    def draw(case):
        picture = plot.path_bayes(model, codes.take([case]))
        picture.alt = f"Case {case} is of class {paths.truth[case]}. {picture.alt}"
        order = (-said["path Bayes"][case].round(9)).argsort(kind="stable")[:CLASSES]
        head = ["probability", *[paths.names[c] for c in order]]
        rows = [(name, *proba[case, order]) for name, proba in said.items()]
        return picture, table_html(head, rows, ".3f", bold=0)

    return Explorer(draw, {"paths": paths, "said": said}, case=case_slider(len(codes), case))


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


def case_slider(n, case):
    """A slider over the numbers of n cases; ValueError for a `case` that is not among them."""
    check_number("case", case, whole=True)
    if not 0 <= case < n:
        raise ValueError(f"case must be a number from 0 to {n - 1}, not {case!r}")
    return numbers("case", 0, n - 1, 1, case)
