"""The methods, data sets and measures that `claims.toml` names, and their values on halves."""

import tomllib
from functools import cache, partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd

import ranktrees as rt
from ranktrees_engine.citree import InnerFolds
from ranktrees_engine.evaluate import MEASURES
from ranktrees_lab.data import structured

SPLITS = 20
FILE = tomllib.loads(Path(__file__).with_name("claims.toml").read_text("utf-8"))


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
        return rt.NaiveBayes().fit(with_copies(X, attribute), y)

    def predict_proba(self, X):
        return self.model.predict_proba(with_copies(X, *self.how))


def with_copies(X, attribute, more=9):
    return X.assign(**{f"copy {i}": X[attribute] for i in range(more)})


class Crisp(Made):
    """1 for the rarer class from a cut on, else 0; a case of it counts as `weight` cases."""

    def fitted(self, X, y, model, cut, weight=1):
        self.rare, self.cut = pd.Series(y).value_counts().idxmin(), cut
        weights = {"class_weight": {self.rare: weight}} if weight != 1 else {}
        return getattr(rt, model)(**weights).fit(X, y)

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
        grown = rt.C45(prune=False, collapse=False).fit(X, y)
        return grown.with_tree(rt.prune.pessimistic(grown.tree_, rule))


class ChoosingFolds(InnerFolds):
    """Inner folds that prune by those that have chosen."""

    def deal(self, which, cases, group):
        return super().deal(0, cases, group)


class OneDeal(Made):
    """CITree whose pruning asks the folds that have chosen its tests."""

    def fitted(self, X, y):
        with patch("ranktrees_engine.models.bayes_tree.InnerFolds", ChoosingFolds):
            model = rt.CITree().fit(X, y)
        self.tree_ = model.tree_
        return model


def made(model, how=(), **params):
    """What makes a model of a class of this file or of the package."""
    return partial(globals().get(model) or getattr(rt, model), *how, **params)


# Name in claims.toml: what makes the model
METHODS = {name: made(**row) for name, row in FILE["methods"].items()}
METHODS["bagged full C4.4"] = lambda: rt.Bagging(rt.C44(collapse=False))
HOURS = {"distances": {"hour": ("cyclic", 24)}}
METHODS["Newton, baskets"] = partial(rt.NewtonTree, **HOURS)
METHODS["distance tree, baskets"] = partial(rt.DistanceTree, **HOURS)
METHODS["centre splitting, baskets"] = partial(rt.CentreSplitting, **HOURS)


@cache
def data_set(name):
    """A shipped or made-up set by name; "prepared " before it: as the papers prepare theirs."""
    made = {"clean": structured.board, "baskets": structured.baskets}
    made["noisy"] = partial(structured.board, noise=0.3)
    if name.startswith("prepared "):
        return rt.prepare(rt.load(name.removeprefix("prepared ")), "papers")
    return made[name]() if name in made else rt.load(name)


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
