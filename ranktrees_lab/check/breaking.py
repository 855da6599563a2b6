"""Whether an answer breaks a sentence of a lesson on one fresh split: a function per challenge."""

from itertools import count

import numpy as np
import pandas as pd

from ranktrees_engine.basics.ties import TIE
from ranktrees_engine.criteria.criteria import gain_ratio
from ranktrees_engine.criteria.split import cut_tables
from ranktrees_engine.estimates import ESTIMATES, Estimate
from ranktrees_engine.evaluate import auc, cross_validate, holdout, paired_t, repeated
from ranktrees_engine.growing.count import tally
from ranktrees_engine.models import AODE, C44, C45, CITree, DecisionTree, NaiveBayes, NewtonTree
from ranktrees_files.dataset import Dataset
from ranktrees_lab.check.answers import form, one_name
from ranktrees_lab.data import agrawal, load

COST = np.array([[0, 1], [4, 0]])  # a miss of the rarer class costs four
LARGE, ALPHA = 25, 0.05
SHOWN = "tic-tac-toe"  # by lesson 09, which asks for another
NUMBER = count(1)  # of estimates that were given: each has a name of its own


def drawn(data, seed: int) -> Dataset:
    """Return a set as it is, or draw one by a function of a seed."""
    return data(seed) if callable(data) else data


def better(a, b, data, seed: int, measure: str = "auc") -> bool:
    """Return whether model a is better than b on the half of the cases that this seed holds out."""
    models = {"a": a, "b": b}
    one = repeated(models, drawn(data, seed), n=1, measure=measure, seed=seed)
    return one.wins("a", "b") == 1


def grown(model, data, seed: int):
    """Return a model fitted to one half of the cases, and X, y of the other half."""
    data = drawn(data, seed)
    train, test = holdout(data.y, 0.5, seed)
    return model.fit(data.X.iloc[train], data.y[train]), data.X.iloc[test], data.y[test]


def fewer_tests(seed, data, depth):
    """Return whether a tree of this depth ranks better than the full one (lesson 00)."""
    how = {"criterion": "gini", "split": "binary"}
    return better(DecisionTree(**how, max_depth=depth), DecisionTree(**how), data, seed)


def identifier(seed, data):
    """Return whether gain ratio prefers a number of the case to all attributes (lesson 01)."""
    data = drawn(data, seed)
    rows, _ = holdout(data.y, 0.5, seed)
    y = pd.Categorical(data.y[rows]).codes
    codes = {"identifier": np.arange(len(y))}
    best = {name: gain_ratio(_counts(code, y)) for name, code in codes.items()}
    for name in data.X:
        values = data.X[name].iloc[rows]
        known = values.notna().to_numpy()
        table = _counts(pd.factorize(values[known], sort=True)[0], y[known], y.max() + 1)
        if len(table) < 2:
            continue
        numeric = pd.api.types.is_numeric_dtype(values)
        best[name] = gain_ratio(cut_tables(table)).max() if numeric else gain_ratio(table)
    return best.pop("identifier") > max(best.values()) + TIE


def _counts(codes, y, C=None):
    return tally((codes.max(initial=0) + 1, C or y.max() + 1), codes, y)


def large_tree(seed, data):
    """Return whether the tree that stops below a gain of 0.05 has over 25 leaves (lesson 02)."""
    model, _, _ = grown(DecisionTree("gini", "binary", min_gain=0.05), data, seed)
    return model.tree_.complexity()["leaves"] > LARGE


def copied(seed, data, attribute):
    """Return whether a second copy of this attribute helps naive Bayes to rank (lesson 03)."""
    data = drawn(data, seed)
    attribute = one_name(attribute, data.X, f"Give an attribute of {data.name}:")
    twice = Dataset(data.X.assign(**{f"{attribute} again": data.X[attribute]}), data.y)
    rows = [
        repeated({"a": NaiveBayes()}, each, n=1, seed=seed).table["a"] for each in (twice, data)
    ]
    return rows[0].iloc[0] > rows[1].iloc[0] + TIE


def assuming_more(seed, data):
    """Return whether naive Bayes ranks better than AODE (lesson 04)."""
    return better(NaiveBayes(), AODE(), data, seed)


def weights_cheaper(seed, data, model):
    """Return whether weights of 4 to 1 cost less than the threshold 0.2 (lesson 05)."""
    data = drawn(data, seed)
    form(len(data.y.categories) == 2, f"{data.name} has not two classes.")
    rare = data.y.value_counts().idxmin()
    costs = []
    for each, cut in ((_weighted(model, rare), 0.5), (model, 0.2)):
        fitted, X, y = grown(each, data, seed)
        called = fitted.predict_proba(X)[:, list(fitted.classes_).index(rare)] >= cut
        costs.append(tally((2, 2), (y == rare) * 1, called * 1).ravel() @ COST.ravel())
    return costs[0] < costs[1]


def _weighted(model, rare):
    return type(model)(**(model.get_params(deep=False) | {"class_weight": {rare: 4}}))


def false_alarm(seed, model):
    """Return whether a t test over ten folds calls one of two equals better (lesson 06).

    It does if p < .05.
    """
    rng = np.random.default_rng(seed)
    y = np.arange(200) % 2
    x = rng.normal(0.5 * y[:, None], 1, (200, 2))
    folds = rng.permutation(200) % 10
    right = []
    for column in x.T:
        data = Dataset(pd.DataFrame({"x": column}), pd.Categorical(y))
        right.append(cross_validate(model, data, folds=folds, measures=["accuracy"])["accuracy"])
    return paired_t(*right).p < ALPHA


def whole_tree_right(seed, data, confidence):
    """Return whether C4.5's tree is better unpruned than with this confidence (lesson 07)."""
    return better(C45(prune=False), C45(confidence=confidence), data, seed, "accuracy")


def leaf_estimate(seed, estimate):
    """Return whether a nodes' estimate beats Laplace's at C4.4's leaves, credit-g (lesson 08)."""
    name = f"yours, number {next(NUMBER)}"
    ESTIMATES[name] = estimate if isinstance(estimate, type) else _of_counts(estimate)
    try:
        return better(C44(estimate=name), C44(), load("credit-g"), seed)
    finally:
        del ESTIMATES[name]


def _of_counts(function):
    """Return the estimate of a function of counts (nodes, C); ValueError for no probabilities."""

    class Given(Estimate):
        def of_nodes(self, tree):
            return np.asarray(function(tree.counts.copy()), float)

    return Given


def parents_better(seed, data):
    """Return whether naive Bayes or C4.4 ranks better than CITree (lesson 09)."""
    data = drawn(data, seed)
    form(data.name != SHOWN, f"The lesson has shown {SHOWN}: give another set.")
    return any(better(parent, CITree(), data, seed) for parent in (NaiveBayes(), C44()))


def newton_better(seed, data):
    """Return whether a Newton tree ranks better than C4.4 (lesson 10)."""
    return better(NewtonTree(), C44(), data, seed)


def leaf_alone_better(seed, data):
    """Return whether Laplace at C4.5's leaves ranks better than shrinkage (lesson 11)."""
    return better(C45(estimate="laplace"), C45(estimate="shrinkage"), data, seed)


def votes_better(seed, data):
    """Return whether WPE ranks better than shrinkage with WPE (lesson 12)."""
    return better(C45(estimate="wpe"), C45(estimate="shrinkage+wpe"), data, seed)


def not_again(seed, data):
    """Return whether the t test over ten folds finds no difference by this seed (lesson 13)."""
    how = {"data": drawn(data, 1), "seed": seed, "measures": ["auc"]}
    return (
        paired_t(*(cross_validate(each, **how)["auc"] for each in (C44(), NaiveBayes()))).p >= ALPHA
    )


def tenth_worse(seed, function, rows):
    """Return whether C4.4 from a tenth of these rows ranks worse than from all (lesson 14)."""
    data = agrawal(rows, function, noise=0.05, seed=seed)
    new = agrawal(2000, function, noise=0.05, seed=seed + 1_000_000)
    aucs = []
    for n in (rows // 10, rows):
        scores = C44().fit(data.X.iloc[:n], data.y[:n]).predict_proba(new.X)[:, 1]
        aucs.append(auc(new.y, scores))
    return aucs[0] < aucs[1] - TIE


def pruned_better(seed, data):
    """Return whether path Bayes ranks better on C4.5's tree than on C4.4's whole (lesson 15)."""
    return better(C45(estimate="path-bayes"), C44(estimate="path-bayes"), data, seed)
