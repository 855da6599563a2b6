"""The methods, data sets and measures that `claims.toml` names, and their values on halves."""

from functools import cache, partial

import numpy as np
import pandas as pd

import ranktrees as rt
from ranktrees.evaluate import MEASURES
from ranktrees_lab.data import structured

SPLITS = 20
BINARY = {"criterion": "gini", "split": "binary"}
PLAIN_C45 = {"prune": False, "collapse": False}
HALVED = {"numeric": "thresholds", "estimate": "laplace"}
HOURS = {"distances": {"hour": ("cyclic", 24)}}


class Made:
    """What `fitted(X, y, ...)` of a subclass gives, as an estimator."""

    def __init__(self, *how):
        self.how = how

    def __repr__(self):
        return f"{type(self).__name__}{self.how}"

    def fit(self, X, y):
        self.model = self.fitted(X, y, *self.how)
        self.classes_ = self.model.classes_
        return self

    def predict_proba(self, X):
        return self.model.predict_proba(X)


class Copies(Made):
    """Naive Bayes, with one attribute ten times in its table."""

    def fitted(self, X, y, attribute):
        return rt.NaiveBayes().fit(ten_times(X, attribute), y)

    def predict_proba(self, X):
        return self.model.predict_proba(ten_times(X, *self.how))


def ten_times(X, attribute):
    return X.assign(**{f"copy {i}": X[attribute] for i in range(9)})


class Crisp(Made):
    """1 for the rarer class from a cut on, else 0; a case of it counts as `weight` cases."""

    def fitted(self, X, y, make, cut, weight=1):
        self.rare, self.cut = pd.Series(y).value_counts().idxmin(), cut
        weights = {"class_weight": {self.rare: weight}} if weight != 1 else {}
        return make(**weights).fit(X, y)

    def predict_proba(self, X):
        rare = self.classes_ == self.rare
        called = self.model.predict_proba(X)[:, rare] >= self.cut
        return np.where(rare, called, ~called).astype(float)


class OfLeaves(Made):
    """The tree of a minimum gain where it has so many leaves, else that of no rule."""

    def fitted(self, X, y, least, most):
        model = rt.DecisionTree(min_gain=0.05).fit(X, y)
        few_or_many = not least <= model.tree_.n_leaves <= most
        return rt.DecisionTree().fit(X, y) if few_or_many else model


class TAN(Made):
    """Tree-augmented naive Bayes, as lesson 04 builds it."""

    def fit(self, X, y):
        frame = X.assign(target=y)
        self.net = rt.BayesNet(rt.bayes.tan_structure(frame, "target")).fit(frame)
        self.classes_ = np.array(self.net.states_["target"])
        return self

    def predict_proba(self, X):
        return self.net.predict_proba(X, "target")


class Pessimistic(Made):
    """C4.5's tree, pruned by half an error a leaf, by a rule of `rt.prune.pessimistic`."""

    def fitted(self, X, y, rule):
        grown = rt.C45(**PLAIN_C45).fit(X, y)
        return grown.with_tree(rt.prune.pessimistic(grown.tree_, rule))


class OneDeal(rt.CITree):
    """CITree whose pruning asks the folds that have chosen its tests."""

    def _proposer(self, sets, n_classes=None):
        proposer = super()._proposer(sets, n_classes)
        proposer.folds.place[1] = proposer.folds.place[0]
        return proposer


# Name in claims.toml: what makes the model
METHODS = {
    "AODE": rt.AODE,
    "AODE, 30 cases": partial(rt.AODE, min_count=30),
    "C4.4": rt.C44,
    "C4.4 by thresholds": partial(rt.C44, numeric="thresholds"),
    "C4.4, weights of four": partial(Crisp, rt.C44, 0.5, 4),
    "C4.4, from .2": partial(Crisp, rt.C44, 0.2),
    "C4.5, weights of four": partial(Crisp, rt.C45, 0.5, 4),
    "C4.5, from .2": partial(Crisp, rt.C45, 0.2),
    "naive Bayes, weights of four": partial(Crisp, rt.NaiveBayes, 0.5, 4),
    "naive Bayes, from .2": partial(Crisp, rt.NaiveBayes, 0.2),
    "C4.5": rt.C45,
    "C4.5, Laplace": partial(rt.C45, estimate="laplace"),
    "CITree": rt.CITree,
    "CITree, accuracy": partial(rt.CITree, scoring="accuracy"),
    "CITree, folds of each leaf": partial(rt.CITree, folds="leaf"),
    "CITree, one deal": OneDeal,
    "CITree, subtree": partial(rt.CITree, prune="subtree", lazy=False),
    "NBTree": rt.NBTree,
    "Newton": rt.NewtonTree,
    "Newton by the talk": partial(rt.NewtonTree, reading="talk"),
    "Newton, 10 paths": partial(rt.NewtonTree, stochastic=10),
    "Newton by AUC": partial(rt.NewtonTree, criterion="auc"),
    "Newton, imputed": partial(rt.NewtonTree, missing="impute"),
    "TAN": TAN,
    "bagged C4.4": rt.Bagging,
    "pessimistic, Yang's": partial(Pessimistic, "yang"),
    "pessimistic, the book's": partial(Pessimistic, "rokach"),
    "stump": partial(rt.DecisionTree, **BINARY, max_depth=1, estimate="laplace"),
    "binary": partial(rt.DecisionTree, **BINARY),
    "binary, Laplace": partial(rt.DecisionTree, **BINARY, estimate="laplace"),
    "binary by gain": partial(rt.DecisionTree, "information_gain", "binary"),
    "binary by gain ratio": partial(rt.DecisionTree, "gain_ratio", "binary"),
    "binary by Kolmogorov-Smirnov": partial(rt.DecisionTree, "kolmogorov_smirnov", "binary"),
    "binary, depth 3": partial(rt.DecisionTree, **BINARY, max_depth=3),
    "binary, depth 3, Laplace": partial(rt.DecisionTree, **BINARY, max_depth=3, estimate="laplace"),
    "checking_status ten times": partial(Copies, "checking_status"),
    "residence_since ten times": partial(Copies, "residence_since"),
    "purpose ten times": partial(Copies, "purpose"),
    "duration ten times": partial(Copies, "duration"),
    "no brake": rt.DecisionTree,
    "depth 3": partial(rt.DecisionTree, max_depth=3),
    "min_parent 50": partial(rt.DecisionTree, min_parent=50),
    "min_child 10": partial(rt.DecisionTree, min_child=10),
    "min_gain .05": partial(rt.DecisionTree, min_gain=0.05),
    "min_gain .05, 10 to 60 leaves": partial(OfLeaves, 10, 60),
    "min_gain .05, over 60 leaves": partial(OfLeaves, 61, 1000),
    "missing imputed": partial(rt.DecisionTree, max_depth=6),
    "missing as a value": partial(rt.DecisionTree, max_depth=6, missing="value"),
    "significance .01": partial(rt.DecisionTree, significance=0.01),
    "thresholds, 40 cases": partial(rt.DecisionTree, numeric="thresholds", min_parent=40),
    "full C4.5": partial(rt.C45, **PLAIN_C45, estimate="laplace"),
    "full C4.5, thresholds": partial(rt.C45, **PLAIN_C45, **HALVED),
    "full C4.4": partial(rt.C44, collapse=False),
    "bagged full C4.4": lambda: rt.Bagging(rt.C44(collapse=False)),
    "full C4.4, shares": partial(rt.C44, collapse=False, estimate="frequency"),
    "naive Bayes": rt.NaiveBayes,
    "Gaussian": partial(rt.NaiveBayes, numeric="gaussian"),
    "MDL bins": partial(rt.NaiveBayes, discretize="entropy-mdl"),
    "Newton, baskets": partial(rt.NewtonTree, **HOURS),
    "distance tree, baskets": partial(rt.DistanceTree, **HOURS),
    "centre splitting, baskets": partial(rt.CentreSplitting, **HOURS),
    "DIW": partial(rt.C45, estimate="shrinkage"),
    "DIW, ten rounds": partial(rt.C45, estimate="shrinkage", estimate_params={"iterations": 10}),
    "uniform": partial(rt.C45, estimate="shrinkage", estimate_params={"weights": "uniform"}),
    "WPE": partial(rt.C45, estimate="wpe"),
    "shrinkage with WPE": partial(rt.C45, estimate="shrinkage+wpe"),
}
TOGETHER = {
    "uniform": {"weights": "uniform"},
    "consistent": {"reading": "consistent"},
    "as published": {"reading": "as_published"},
    "ten iterations": {"iterations": 10},
}
METHODS |= {
    f"shrinkage with WPE, {name}": partial(rt.C45, estimate="shrinkage+wpe", estimate_params=how)
    for name, how in TOGETHER.items()
}
METHODS |= {
    f"{name}, 40 cases": partial(rt.DecisionTree, discretize=name, n_bins=5, min_parent=40)
    for name in rt.bins.DISCRETIZERS
}
METHODS |= {f"confidence {c}": partial(rt.C45, confidence=c, **HALVED) for c in (0.25, 0.001)}
PATH = ["m", "curtailment", "m-branch", "ling-yan"]
METHODS |= {f"full C4.4, {e}": partial(rt.C44, collapse=False, estimate=e) for e in PATH}


@cache
def data_set(name):
    """A shipped or made-up set by name; "prepared " before it: as the papers prepare theirs."""
    made = {"clean": structured.board, "baskets": structured.baskets}
    made["noisy"] = partial(structured.board, noise=0.3)
    if name in made:
        return made[name]()
    if name.startswith("prepared "):
        return rt.prepare(rt.load(name.removeprefix("prepared ")), "papers")
    return rt.load(name)


def found_at(share, y, P):
    """Which share of the bad payers is found at this share of false alarms."""
    return np.interp(share, *rt.roc_curve(y == "bad", P[:, 0])[:2])


def saved(y, P):
    """Less the expected cost of calling the rarer class from one half on; a miss costs four."""
    classes, n = np.unique(y, return_counts=True)
    matrix = rt.confusion_matrix(y == classes[n.argmin()], P[:, n.argmin()] >= 0.5)
    return -rt.expected_cost(matrix, [[0, 1], [4, 0]])


OTHER_MEASURES = {
    "found at .1": partial(found_at, 0.1),
    "found at .5": partial(found_at, 0.5),
    "saved": saved,
}


@cache
def values(method, name, measure, seed, halves=SPLITS):
    """The measure of a method on so many halves from `seed` on (20,), larger is better."""
    data, model = data_set(name), METHODS[method]()
    if measure in MEASURES:
        table = rt.repeated({method: model}, data, measure=measure, n=halves, seed=seed).table
        return table[method].to_numpy() * (1 if rt.Results.larger_is_better(measure) else -1)
    y, found = np.asarray(data.y), []
    for train, test in rt.random_subsampling(data.y, halves, test=0.5, seed=seed):
        P = model.fit(data.X.iloc[train], data.y[train]).predict_proba(data.X.iloc[test])
        found.append(OTHER_MEASURES[measure](y[test], P))
    return np.array(found)
