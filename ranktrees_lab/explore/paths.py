"""Explore the path of one case: its nodes, all estimates at them, and those of path Bayes."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import numpy as np

from ranktrees_engine.basics.arguments import check_like, choose
from ranktrees_engine.basics.kinds import ArrayLike, Dataset
from ranktrees_engine.estimates import TrainingCases, make_estimate
from ranktrees_engine.estimates.path_bayes import both_estimates
from ranktrees_engine.estimates.shrinkage import along_path, local_of, mix, weights_by
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.growing.tree import sum_below
from ranktrees_engine.models import C44, C45, PathBayes
from ranktrees_lab import plot
from ranktrees_lab.explore.base import Explorer, table_html
from ranktrees_lab.explore.controls import Control, case_slider, named_choice, numbers
from ranktrees_lab.explore.estimates import half, new_split
from ranktrees_lab.plot.paths import check_estimate
from ranktrees_lab.plot.style import cases

LOCALS = {
    "shares": local_of("shrinkage"),
    "WPE": local_of("shrinkage+wpe"),
    "naive Bayes": local_of("shrinkage+naive-bayes"),
}
WEIGHTS = ("DIW", "uniform", "mine")
CLASSES = 3  # columns of the table of estimates
# Estimates that look at one path, by what they look at: how the course calls them, and their names.
ALL_ESTIMATES = {
    "the last node alone": {
        "frequency": "frequency",
        "Laplace": "laplace",
        "WPE": "wpe",
        "naive Bayes there": "naive-bayes",
    },
    "one upper node": {"m-estimate": "m", "curtailment": "curtailment"},
    "all nodes of the path": {
        "m-branch": "m-branch",
        "shrinking": "shrinking",
        "hierarchical shrinkage": "hierarchical-shrinkage",
        "DIW": "shrinkage",
        "DIW of WPE": "shrinkage+wpe",
        "path Bayes": "path-bayes",
    },
}


def one_case_of(data, case, model, train) -> tuple[Callable, Control, dict[str, Control]]:
    """Return `Paths` by number of a split, made once each; controls of case and new splits."""
    on = cache(lambda split: Paths(data, half(data, train, split), model))
    return on, case_slider(len(on(1).truth), case), new_split(train)


def shrinkage_explorer(
    data: Dataset,
    case: int = 0,
    model: GrownTree | None = None,
    train: ArrayLike | None = None,
    estimate: str = "shares",
    weights: str = "DIW",
) -> Explorer:
    """Explore one case's path: local estimates, weights and the mixed result.

    The tree of `model` (default: C4.5's) grows on the rows `train` (default: a random half, and a
    control for new ones); `case` is a number among the other rows. `estimate` "shares", "WPE" or
    "naive Bayes"; `weights` "DIW", "uniform" or "mine", a slider for each node, which sets the
    weight for all classes; the last one sets all nodes deeper than the first tree.
    """
    on, case, new = one_case_of(data, case, C45() if model is None else model, train)
    first = on(1)

    def draw(case, estimate, weights, split=1, **sliders):
        return on(split).draw(case, estimate, weights, list(sliders.values()))

    def slider(i, now):
        works = now["weights"] == "mine" and i < len(on(now.get("split", 1)).nodes(now["case"]))
        return numbers(f"N{i}", 0, 1, 0.05, 1, enabled=works)

    return Explorer(
        draw,
        {"paths": first, "path": first.path, "nodes": first.nodes},
        case=case,
        estimate=named_choice("estimate", LOCALS, estimate),
        weights=named_choice("weights", WEIGHTS, weights),
        **new,
        **{f"N{i}": partial(slider, i) for i in range(first.model.tree_.depth + 2)},
    )


class Paths:
    """The paths of the cases not in training, `coded` (m, A), with true classes `truth` (m,)."""

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
        """Return the names of the nodes on a case's path, the uniform one first."""
        sizes = self.model.tree_.counts[self.passed(case)].sum(axis=1)
        named = enumerate(zip(self.conditions(case), sizes, strict=True), start=1)
        return ["N0 uniform", *[f"N{i} {what} ({n:g})" for i, (what, n) in named]]

    def passed(self, case: int) -> np.ndarray:
        """Return the ids (K,) of the nodes on a case's path, the root first."""
        path = self.model.tree_.paths()[self.ends[case]]
        return path[path >= 0]

    def conditions(self, case: int) -> list[str]:
        """Return what leads to each node on a case's path, "root" to the first."""
        tree, inner = self.model.tree_, self.passed(case)[1:]
        tested = [tree.schema[tree.attribute[tree.parent[t]]].name for t in inner]
        words = zip(tested, inner, strict=True)
        return ["root", *[f"{name} {tree.conditions[t]}" for name, t in words]]

    def cases_at_end(self, case: int) -> np.ndarray:
        """Return training cases (p,) of a path's last node; any first n have like shares."""
        tree, (X, y) = self.model.tree_, self.model.training_
        rows = np.flatnonzero((tree.paths()[tree.apply(X)] == self.ends[case]).any(axis=1))
        n = np.bincount(y[rows])
        seen = [np.count_nonzero(y[rows[:i]] == y[row]) for i, row in enumerate(rows)]
        return rows[np.argsort((np.array(seen) + 0.5) / n[y[rows]], kind="stable")]

    def estimates(self, case: int, left: int | None, c: int) -> tuple[np.ndarray, dict]:
        """Return counts (K, C) on a case's path, and all `ALL_ESTIMATES` of class c.

        Only the first `left` of `cases_at_end` stay in the tree, whose tests are as they were.
        """
        tree, (X, y), gaps = self.model.tree_, self.model.training_, self.model.gaps_
        stays = np.ones(len(y), bool)
        stays[self.cases_at_end(case)[len(y) if left is None else left :]] = False
        X, y, gaps = X[stays], y[stays], None if gaps is None else gaps[stays]
        ended = np.zeros_like(tree.counts)
        np.add.at(ended, (tree.apply(X), y), 1)
        tree = replace(tree, counts=sum_below(tree, ended), tables=None, node_model=None)
        one, kept = self.coded.take([case]), TrainingCases(tree, X, y, None, gaps)

        def says(name):
            return make_estimate(name).learn(tree, kept).proba(one.values, one.gaps)[0, c]

        with np.errstate(invalid="ignore"):  # branches below the last node may be empty now
            said = {
                group: {name: float(says(short)) for name, short in named.items()}
                for group, named in ALL_ESTIMATES.items()
            }
        return tree.counts[self.passed(case)], said

    def path(self, case, estimate, weights, own=()) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return local probabilities (K, C), weights (K, C) and the mixed result (C,) of a case.

        `own` (K,) holds the weights if `weights` is "mine"; further ones are ignored.
        """
        choose("weights", weights, WEIGHTS)
        counts, local = self.model.cases_.counts, LOCALS[estimate]
        K, end = len(self.nodes(case)), self.ends[[case]]
        proba = along_path(counts, local, end, self.codes[[case]])[0, :K]
        if weights == "mine":
            table = np.repeat(own_weights(own[:K])[:, None], proba.shape[1], axis=1)
        else:
            table = weights_by(weights.lower())(counts, local, end)[0, :K]
        result = mix(proba, table)
        return proba, table, result / result.sum()

    def draw(self, case, estimate, weights, own) -> tuple[plot.Picture, str]:
        """Draw `path` and a table of `results`; the last of `own` is that of all deeper nodes."""
        own = own + own[-1:] * self.model.tree_.depth
        path = self.path(case, estimate, weights, own)
        picture = plot.path(self.nodes(case), *path[:2], self.names, path[2])
        truth = f"Case {case} is of class {self.truth[case]}; {estimate}, weights {weights}."
        picture.alt = f"{truth} {picture.alt}"
        return picture, self.results(case, estimate, weights, own)

    def results(self, case, estimate, weights, own) -> str:
        """Return each rule's result, and that of the leaf alone, by class, in HTML."""
        rules = WEIGHTS if weights == "mine" else WEIGHTS[:2]
        rows = {rule: self.path(case, estimate, rule, own)[2] for rule in rules}
        rows["leaf alone"] = self.path(case, estimate, "uniform")[0][-1]
        order = np.argsort(-rows[weights], kind="stable")[:CLASSES]
        size = cases(self.model.tree_.counts[self.ends[case]].sum())
        head = [f"{estimate}, {size} at the end", *[self.names[c] for c in order]]
        cells = [(rule, *p[order]) for rule, p in rows.items()]
        return table_html(head, cells, ".3f", bold=list(rows).index(weights))


def one_path_explorer(
    data: Dataset,
    case: int = 0,
    model: GrownTree | None = None,
    train: ArrayLike | None = None,
    positive: str | None = None,
) -> Explorer:
    """Explore one path and all estimates of the course, as its cases become fewer.

    `model` (default: `C44()`) grows on the rows `train` (default: a random half, and a control for
    new ones); `case` is a number among the other rows, `positive` the class whose probability is
    shown (default: the first). A slider takes cases away from the node where the case ends, keeping
    the class shares as equal as possible; rings show the estimates with all cases.
    """
    on, case, new = one_case_of(data, case, C44() if model is None else model, train)
    names = on(1).names
    before = cache(lambda split, case, c: on(split).estimates(case, None, c)[1])

    def draw(case, left, positive, split=1):
        paths, c = on(split), names.index(positive)
        told = *paths.estimates(case, left, c), names, positive, before(split, case, c)
        picture = plot.one_path(paths.conditions(case), *told)
        picture.alt = f"Case {case} is of class {paths.truth[case]}. {picture.alt}"
        return picture, ""

    def cases_left(now):
        paths = on(now.get("split", 1))
        n = len(paths.cases_at_end(now["case"]))
        return numbers("cases at its end", 1, n, 1, n, enabled=n > 1, follows=("case", *new))

    return Explorer(
        draw,
        {"paths": on(1)},
        case=case,
        left=cases_left,
        positive=named_choice("class", names, positive, "probability of", none=True),
        **new,
    )


def path_bayes_explorer(
    data: Dataset, model: GrownTree | None = None, case: int = 0, train: ArrayLike | None = None
) -> Explorer:
    """Explore path Bayes' estimates for each case that it was not fitted on.

    `model` (default: `PathBayes()`) learns from the rows `train` (default: a random half, and a
    control for new ones); `case` is a number among the other rows. Below the picture are the
    probabilities of its two estimates, each alone, and of C4.4's leaf. Raises TypeError for a model
    with another estimate.
    """
    model = PathBayes() if model is None else model
    check_estimate(model)
    on, case, new = one_case_of(data, case, model, train)

    @cache
    def says(split):
        inside, paths = half(data, train, split), on(split)
        tree_says, bayes_says = both_estimates(paths.model, paths.coded)
        leaf = C44().fit(data.X[inside], data.y[inside]).predict_proba(data.X[~inside])
        return {
            "path Bayes": paths.model.predict_proba(paths.coded),
            "the tree's estimate": tree_says,
            "naive Bayes' estimate": bayes_says,
            "C4.4's leaf": leaf,
        }

    def draw(case, split=1):
        paths, said = on(split), says(split)
        picture = plot.path_bayes(paths.model, paths.coded.take([case]))
        picture.alt = f"Case {case} is of class {paths.truth[case]}. {picture.alt}"
        order = (-said["path Bayes"][case].round(9)).argsort(kind="stable")[:CLASSES]
        head = ["probability", *[paths.names[c] for c in order]]
        rows = [(name, *proba[case, order]) for name, proba in said.items()]
        return picture, table_html(head, rows, ".3f", bold=0)

    return Explorer(draw, {"paths": on(1), "said": says(1)}, case=case, **new)


def own_weights(values) -> np.ndarray:
    """Return weights (K,) in proportion to these values (K,), with sum 1.

    Raises ValueError for a negative value, one that is not a number, and if all are zero.

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
