"""The methods, data sets and measures that `claims.toml` names, and their values on halves."""

from functools import cache, partial

import numpy as np

import ranktrees as rt
from ranktrees.evaluate import MEASURES
from ranktrees_lab.data import structured

SPLITS = 20
BINARY = {"criterion": "gini", "split": "binary"}
PLAIN_C45 = {"prune": False, "collapse": False}
HALVED = {"numeric": "thresholds", "estimate": "laplace"}
HOURS = {"distances": {"hour": ("cyclic", 24)}}


class Copies:
    """Naive Bayes, with one attribute ten times in its table."""

    def __init__(self, attribute):
        self.attribute = attribute

    def __repr__(self):
        return f"Copies({self.attribute!r})"

    def _more(self, X):
        return X.assign(**{f"copy {i}": X[self.attribute] for i in range(9)})

    def fit(self, X, y):
        self.model = rt.NaiveBayes().fit(self._more(X), y)
        self.classes_ = self.model.classes_
        return self

    def predict_proba(self, X):
        return self.model.predict_proba(self._more(X))


class Crisp:
    """A model that says 1 of bad where `made` says at least `cut`, else 0."""

    def __init__(self, made, cut):
        self.model, self.cut = made, cut

    def __repr__(self):
        return f"Crisp({self.model!r}, {self.cut})"

    def fit(self, X, y):
        self.classes_ = self.model.fit(X, y).classes_
        return self

    def predict_proba(self, X):
        bad = self.model.predict_proba(X)[:, 0] >= self.cut
        return np.column_stack([bad, ~bad]).astype(float)


class TAN:
    """Tree-augmented naive Bayes, as lesson 04 builds it."""

    def fit(self, X, y):
        frame = X.assign(target=y)
        self.net = rt.BayesNet(rt.bayes.tan_structure(frame, "target")).fit(frame)
        self.classes_ = np.array(self.net.states_["target"])
        return self

    def predict_proba(self, X):
        return self.net.predict_proba(X, "target")


# Name in claims.toml: what makes the model
METHODS = {
    "AODE": rt.AODE,
    "C4.4": rt.C44,
    "C4.4 by thresholds": partial(rt.C44, numeric="thresholds"),
    "C4.4, bad counts four": lambda: Crisp(rt.C44(class_weight={"bad": 4}), 0.5),
    "C4.4, from .2": lambda: Crisp(rt.C44(), 0.2),
    "C4.4 by shares, from .2": lambda: Crisp(rt.C44(estimate="frequency"), 0.2),
    "C4.4, shares": partial(rt.C44, estimate="frequency"),
    "C4.5": rt.C45,
    "C4.5, Laplace": partial(rt.C45, estimate="laplace"),
    "CITree": rt.CITree,
    "CITree, subtree": partial(rt.CITree, prune="subtree", lazy=False),
    "NBTree": rt.NBTree,
    "Newton": rt.NewtonTree,
    "Newton by the talk": partial(rt.NewtonTree, reading="talk"),
    "Newton, 10 paths": partial(rt.NewtonTree, stochastic=10),
    "Newton by AUC": partial(rt.NewtonTree, criterion="auc"),
    "Newton, imputed": partial(rt.NewtonTree, missing="impute"),
    "TAN": TAN,
    "bagged C4.4": rt.Bagging,
    "path Bayes, ten bins": partial(rt.C45, estimate="path-bayes"),
    "path forest": partial(rt.PathForest, weights="equal"),
    "stump": partial(rt.DecisionTree, **BINARY, max_depth=1, estimate="laplace"),
    "binary": partial(rt.DecisionTree, **BINARY),
    "binary, Laplace": partial(rt.DecisionTree, **BINARY, estimate="laplace"),
    "binary, depth 3": partial(rt.DecisionTree, **BINARY, max_depth=3),
    "checking_status ten times": partial(Copies, "checking_status"),
    "residence_since ten times": partial(Copies, "residence_since"),
    "purpose ten times": partial(Copies, "purpose"),
    "duration ten times": partial(Copies, "duration"),
    "no brake": rt.DecisionTree,
    "depth 3": partial(rt.DecisionTree, max_depth=3),
    "min_parent 50": partial(rt.DecisionTree, min_parent=50),
    "min_child 10": partial(rt.DecisionTree, min_child=10),
    "min_gain .05": partial(rt.DecisionTree, min_gain=0.05),
    "significance .01": partial(rt.DecisionTree, significance=0.01),
    "thresholds, 40 cases": partial(rt.DecisionTree, numeric="thresholds", min_parent=40),
    "full C4.5": partial(rt.C45, **PLAIN_C45, estimate="laplace"),
    "full C4.5, thresholds": partial(rt.C45, **PLAIN_C45, **HALVED),
    "full C4.4": partial(rt.C44, collapse=False),
    "full C4.4, shares": partial(rt.C44, collapse=False, estimate="frequency"),
    "naive Bayes": rt.NaiveBayes,
    "Gaussian": partial(rt.NaiveBayes, numeric="gaussian"),
    "MDL bins": partial(rt.NaiveBayes, discretize="entropy-mdl"),
    "Newton, baskets": partial(rt.NewtonTree, **HOURS),
    "distance tree, baskets": partial(rt.DistanceTree, **HOURS),
    "centre splitting, baskets": partial(rt.CentreSplitting, **HOURS),
    "DIW": partial(rt.C45, estimate="shrinkage"),
    "uniform": partial(rt.C45, estimate="shrinkage", estimate_params={"weights": "uniform"}),
    "WPE": partial(rt.C45, estimate="wpe"),
    "shrinkage with WPE": partial(rt.C45, estimate="shrinkage+wpe"),
    "shrinkage with WPE, uniform": partial(
        rt.C45, estimate="shrinkage+wpe", estimate_params={"weights": "uniform"}
    ),
}
CRITERIA = ["gini", "kolmogorov_smirnov"]
METHODS |= {c: partial(rt.DecisionTree, criterion=c, split="binary", max_depth=6) for c in CRITERIA}
METHODS |= {
    f"{name}, 40 cases": partial(rt.DecisionTree, discretize=name, n_bins=5, min_parent=40)
    for name in rt.bins.DISCRETIZERS
}
METHODS |= {f"confidence {c}": partial(rt.C45, confidence=c, **HALVED) for c in (0.25, 0.001)}
PATH = ["curtailment", "shrinking", "hierarchical-shrinkage", "m-branch", "ling-yan"]
METHODS |= {f"C4.4, {name}": partial(rt.C44, estimate=name) for name in PATH}


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
    """Less the expected cost of calling bad all from one half on, where a miss costs four."""
    matrix = rt.confusion_matrix(y == "bad", P[:, 0] >= 0.5)
    return -rt.expected_cost(matrix, [[0, 1], [4, 0]])


OTHER_MEASURES = {
    "found at .1": partial(found_at, 0.1),
    "found at .5": partial(found_at, 0.5),
    "saved": saved,
}


@cache
def values(method, name, measure, seed):
    """The measure of a method on the twenty halves from `seed` on (20,), larger is better."""
    data, model = data_set(name), METHODS[method]()
    if measure in MEASURES:
        table = rt.repeated({method: model}, data, measure=measure, n=SPLITS, seed=seed).table
        return table[method].to_numpy() * (1 if rt.Results.larger_is_better(measure) else -1)
    y, found = np.asarray(data.y), []
    for train, test in rt.random_subsampling(data.y, SPLITS, test=0.5, seed=seed):
        P = model.fit(data.X.iloc[train], data.y[train]).predict_proba(data.X.iloc[test])
        found.append(OTHER_MEASURES[measure](y[test], P))
    return np.array(found)
