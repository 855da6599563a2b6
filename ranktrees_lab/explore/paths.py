"""Explore the path of one case: its local estimates and weights, and what path Bayes says of it."""

from functools import cache, partial

import numpy as np

from ranktrees.basics.arguments import check_like, choose
from ranktrees.estimates.path_bayes import words
from ranktrees.estimates.shrinkage import along_path, local_of, mix, weights_by
from ranktrees.models import C44, C45, PathBayes
from ranktrees_lab import plot
from ranktrees_lab.explore.base import Explorer, case_slider, choice, numbers, table_html
from ranktrees_lab.explore.estimates import half, new_split
from ranktrees_lab.plot.paths import check_estimate
from ranktrees_lab.plot.style import cases

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

    The tree of `model` (default: C4.5's) grows on the rows `train` (default: a random half, and a
    control for new ones); `case` is a number among the other rows. `estimate` "shares", "WPE" or
    "naive Bayes"; `weights` "DIW", "uniform" or "mine", a slider for each node, which then stands
    for all classes, the last one for all nodes that are deeper than the first tree.
    """
    choose("estimate", estimate, LOCALS)
    choose("weights", weights, WEIGHTS)
    grower = C45() if model is None else model
    on = cache(lambda split: Paths(data, half(data, train, split), grower))
    first = on(1)
    case = case_slider(len(first.truth), case)

    def draw(case, estimate, weights, split=1, **sliders):
        paths, by_hand = on(split), list(sliders.values())
        by_hand += by_hand[-1:] * paths.model.tree_.depth
        path = paths.path(case, estimate, weights, by_hand)
        picture = plot.path(paths.nodes(case), *path[:2], paths.names, path[2])
        truth = f"Case {case} is of class {paths.truth[case]}; {estimate}, weights {weights}."
        picture.alt = f"{truth} {picture.alt}"
        return picture, paths.results(case, estimate, weights, by_hand)

    def slider(i, now):
        works = now["weights"] == "mine" and i < len(on(now.get("split", 1)).nodes(now["case"]))
        return numbers(f"N{i}", 0, 1, 0.05, 1, enabled=works)

    return Explorer(
        draw,
        {"paths": first, "path": first.path, "nodes": first.nodes},
        case=case,
        estimate=choice("estimate", list(LOCALS), estimate),
        weights=choice("weights", WEIGHTS, weights),
        **new_split(train),
        **{f"N{i}": partial(slider, i) for i in range(first.model.tree_.depth + 2)},
    )


class Paths:
    """The paths of the cases that did not train, `coded`, (m, A), of the classes `truth` (m,)."""

    def __init__(self, data, inside, model):
        if inside.all():
            raise ValueError("train holds every row: leave at least one case to look at")
        check_like("a model of one tree, such as C45()", model, "with_tree")
        self.model = type(model)(**model.get_params()).fit(data.X[inside], data.y[inside])
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

    `model` (default: `PathBayes()`) learns from the rows `train` (default: a random half, and a
    control for new ones); `case` is a number among the other rows. Below the picture stand the
    probabilities of its two words, each alone, and of C4.4's leaf. Raises TypeError for a model
    with another estimate.
    """
    model = PathBayes() if model is None else model
    check_estimate(model)

    @cache
    def on(split):
        inside = half(data, train, split)
        paths = Paths(data, inside, model)
        codes, (tree_says, bayes_says) = paths.coded, words(paths.model, paths.coded)
        leaf = C44().fit(data.X[inside], data.y[inside]).predict_proba(data.X[~inside])
        return paths, {
            "path Bayes": paths.model.predict_proba(codes),
            "the tree's word": tree_says,
            "naive Bayes' word": bayes_says,
            "C4.4's leaf": leaf,
        }

    def draw(case, split=1):
        paths, said = on(split)
        picture = plot.path_bayes(paths.model, paths.coded.take([case]))
        picture.alt = f"Case {case} is of class {paths.truth[case]}. {picture.alt}"
        order = (-said["path Bayes"][case].round(9)).argsort(kind="stable")[:CLASSES]
        head = ["probability", *[paths.names[c] for c in order]]
        rows = [(name, *proba[case, order]) for name, proba in said.items()]
        return picture, table_html(head, rows, ".3f", bold=0)

    first, said = on(1)
    case = case_slider(len(first.truth), case)
    return Explorer(draw, {"paths": first, "said": said}, case=case, **new_split(train))


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
