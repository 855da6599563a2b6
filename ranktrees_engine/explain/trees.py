"""One prediction of a tree: the path of a case, its counts, and how the estimate is computed."""

from itertools import pairwise

import numpy as np
import pandas as pd

from ranktrees_engine.basics.kinds import Case, Model
from ranktrees_engine.basics.logarithms import tiny_is_zero
from ranktrees_engine.estimates.shown import MOST_CLASSES
from ranktrees_engine.explain.explanation import Explanation, one_case
from ranktrees_engine.reading.encoder import Codes
from ranktrees_engine.reading.schema import number


@tiny_is_zero()
def explain_tree(model: Model, case: Case) -> Explanation:
    """Explain one case's path down a fitted tree, test by test, and how its probabilities arise.

    `case` as for `one_case`. The table has a row for each node on the path, with the counts and the
    node's estimate of each class; with very many classes the least probable are put together. With
    shrinkage it has the weights, too, and a first row, node -1, for the uniform node. With path
    Bayes it has a row for each attribute: how deep it looks, and what it adds.
    """
    X = one_case(model, case)
    coded, proba = model.encode(X), model.predict_proba(X)[0]
    tree, codes = model.tree_, coded.values[0]
    nodes = tree.paths()[tree.apply(codes[None])[0]]
    nodes = nodes[nodes >= 0]
    lines = [f"Training data: {_counts(tree, 0)}."]
    for above, below in pairwise(nodes):
        test = _test(model, X, tree.attribute[above], codes, tree.conditions[below])
        lines.append(f"{test}: {_counts(tree, below)}.")
    lines.append(_end(model, X, tree.attribute[nodes[-1]], codes))
    gaps = None if coded.gaps is None else coded.gaps[0]
    more, table = model.estimate_.explain(nodes, codes, gaps, proba)
    return Explanation.of(model.classes_, proba, lines + more, table)


def _test(model, X, j, codes, condition):
    """Say how the case answers a test: `petal length 4.9 lies in (3.95, 4.54]`."""
    name, subject = model.tree_.schema[j].name, _subject(model, X, j, codes)
    if condition.startswith("is "):  # missing, or any number
        return f"{name} {condition}"
    if condition.startswith("= "):
        named = isinstance(X, Codes) or subject.endswith(",")
        return f"{subject if named else name} is {condition[2:]}"
    return f"{subject} {'lies' if condition.startswith('in (') else 'is'} {condition}"


def _subject(model, X, j, codes):
    """Return an attribute with the case's own value, or with a note where that is missing."""
    info = model.tree_.schema[j]
    if isinstance(X, Codes):
        return f"{info.name} code {codes[j]}"
    raw = X.iloc[0, j] if isinstance(X, pd.DataFrame) else X[0, j]
    if not pd.isna(raw):
        return f"{info.name} {number(float(raw)) if info.kind == 'numeric' else raw}"
    if model.encoder_.missing != "impute":
        return f"{info.name}, missing,"
    fill = model.encoder_.fill_[j]
    taken = number(float(fill)) if info.kind == "numeric" else info.values[fill]
    return f"{info.name}, missing and taken as {taken},"


def _end(model, X, j, codes):
    """Say why a path ends at a node that tests attribute j: a leaf, an unseen value, no branch."""
    if j < 0:
        return "This is a leaf."
    if codes[j] < 0:
        what = _subject(model, X, j, codes)
        return f"{what} was never seen in training: the case stops here."
    test = _test(model, X, j, codes, model.tree_.schema[j].describe([codes[j]]))
    return f"{test}, where this node has no training case: the case stops here."


def _counts(tree, t):
    """Return the cases of node t in words, the most frequent classes first."""
    counts = tree.counts[t]
    order = [int(c) for c in np.argsort(-counts, kind="stable") if counts[c] > 0]
    named = order if len(order) <= MOST_CLASSES + 1 else order[:MOST_CLASSES]
    words = [f"{counts[c]:g} {tree.class_name(c)}" for c in named]
    if len(named) < len(order):
        words.append(f"{len(order) - len(named)} more classes")
    cases = counts.sum()
    return f"{cases:g} case{'' if cases == 1 else 's'} ({', '.join(words)})"
