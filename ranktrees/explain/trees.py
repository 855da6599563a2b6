"""One prediction of a tree: the path of a case, the counts there, the estimate."""

from itertools import pairwise

import numpy as np
import pandas as pd

from ranktrees.encode import Codes
from ranktrees.explain.case import one_case
from ranktrees.explain.explanation import Explanation
from ranktrees.explain.mixtures import in_words, mixture_of
from ranktrees.schema import number
from ranktrees.shrinkage import CASEWISE
from ranktrees.ties import first_best

MOST_CLASSES = 5  # that a line names with their counts


def explain_tree(model, case) -> Explanation:
    """The way of one case down a fitted tree, test by test, and how its probabilities come about.

    `case` as for `one_case`. The table has a row for each node on the way, with the counts and
    the node's estimate of each class; of very many classes the least probable are put together.
    With shrinkage it has the weights, too, and a first row, node -1, for the uniform node.
    """
    X = one_case(model, case)
    codes, proba = model.encode(X).values[0], model.predict_proba(X)[0]
    tree = model.tree_
    path = tree.paths()[tree.apply(codes[None])[0]]
    nodes = list(map(int, path[path >= 0]))
    best = int(first_best(proba))
    lines = [f"Training data: {_counts(tree, 0)}."]
    for above, below in pairwise(nodes):
        test = _test(model, X, int(tree.attribute[above]), codes, tree.conditions[below])
        lines.append(f"{test}: {_counts(tree, below)}.")
    mixture = mixture_of(model, codes)
    lines.append(_end(model, X, nodes[-1], codes))
    if mixture:
        name, cases = tree.class_name(best), tree.counts[nodes[-1]].sum()
        lines.append(in_words(model, mixture, best, name, cases, proba[best]))
    else:
        lines.append(_estimate(model, nodes, best, proba))
    return Explanation.of(model.classes_, proba, lines, _table(model, nodes, proba, mixture))


def _test(model, X, j, codes, condition):
    """How the case answers a test: `petal length 4.9 lies in (3.95, 4.54]`."""
    info = model.tree_.schema[j]
    value, note = _value(model, X, j, codes)
    if condition == "is missing":
        return f"{info.name} {condition}"
    subject = f"{info.name}, {note}," if note else f"{info.name} {value}"
    if condition.startswith("= "):
        return f"{subject if note or isinstance(X, Codes) else info.name} is {condition[2:]}"
    return f"{subject} {'lies' if condition.startswith('in (') else 'is'} {condition}"


def _value(model, X, j, codes):
    """The case's own value as text, and what to note about it if it is missing."""
    if isinstance(X, Codes):
        return f"code {codes[j]}", ""
    raw = X.iloc[0, j] if isinstance(X, pd.DataFrame) else X[0, j]
    info = model.tree_.schema[j]
    if not pd.isna(raw):
        return number(float(raw)) if info.kind == "numeric" else str(raw), ""
    if model.encoder_.missing != "impute":
        return "", "missing"
    fill = model.encoder_.fill_[j]
    taken = number(float(fill)) if info.kind == "numeric" else str(info.values[fill])
    return taken, f"missing and taken as {taken}"


def _end(model, X, t, codes):
    """Why the way ends at node t: a leaf, an unseen value, or an empty branch."""
    tree = model.tree_
    j = int(tree.attribute[t])
    if j < 0:
        return "This is a leaf."
    info, code = tree.schema[j], int(codes[j])
    if code >= 0:
        test = _test(model, X, j, codes, info.describe([code]))
        return f"{test}, where this node has no training case: the case stops here."
    value, note = _value(model, X, j, codes)
    what = f"{info.name}, {note}," if note else f"{info.name} {value}"
    return f"{what} was never seen in training: the case stops here."


def _counts(tree, t):
    """Cases of node t in words, the most frequent classes first."""
    counts = tree.counts[t]
    order = [int(c) for c in np.argsort(-counts, kind="stable") if counts[c] > 0]
    named = order if len(order) <= MOST_CLASSES + 1 else order[:MOST_CLASSES]
    words = [f"{counts[c]:g} {tree.class_name(c)}" for c in named]
    if len(named) < len(order):
        words.append(f"{len(order) - len(named)} more classes")
    cases = counts.sum()
    return f"{cases:g} case{'' if cases == 1 else 's'} ({', '.join(words)})"


def _estimate(model, nodes, c, proba):
    """How the probability of class c comes about at the last node, in numbers."""
    name, own = model.tree_.class_name(c), model.node_proba_[nodes[-1], c]
    if model.estimate in CASEWISE:
        return (
            f'Estimate "{model.estimate}" looks at the whole case: P({name}) = {proba[c]:.3f}, '
            f"where this node alone says {own:.3f}."
        )
    if formula := _formula(model, nodes[-1], c):
        return f'Estimate "{model.estimate}": P({name}) = {formula} = {own:.3f}.'
    steps = ", ".join(f"{p:.3f}" for p in model.node_proba_[nodes, c])
    return f'Estimate "{model.estimate}": P({name}) from the root down is {steps}.'


def _formula(model, t, c):
    """The estimate of class c at node t as a formula in numbers, "" for one of many nodes."""
    counts, params = model.tree_.counts, model._params()
    n, N = counts[t, c], counts[t].sum()
    if model.estimate == "frequency":
        return f"{n:g} / {N:g}"
    if model.estimate == "m":
        m = params.get("m", 2)
        return f"({n:g} + {m:g} * {counts[0, c] / counts[0].sum():.3f}) / ({N:g} + {m:g})"
    if model.estimate != "laplace":
        return ""
    if params.get("classes") != "parent":
        return f"({n:g} + 1) / ({N:g} + {counts.shape[1]})"
    if not model.tree_.is_leaf[t]:
        return f"1 / {np.count_nonzero(counts[t])}"
    parent = counts[max(int(model.tree_.parent[t]), 0)]
    return f"({n:g} + 1) / ({N:g} + {np.count_nonzero(parent)})"


def _table(model, nodes, proba, mixture):
    tree = model.tree_
    words = [
        f"{tree.schema[tree.attribute[a]].name} {tree.conditions[b]}" for a, b in pairwise(nodes)
    ]
    words, rows, counts = ["all cases", *words], nodes, tree.counts[nodes]
    said = mixture.local[1:] if mixture else model.node_proba_[nodes]
    if weights := mixture and mixture.weights is not None:
        words, rows, said = ["uniform node", *words], [-1, *nodes], mixture.local
        counts = np.concatenate([np.zeros_like(counts[:1]), counts])
    table = pd.DataFrame(
        {"condition": words, "cases": counts.sum(axis=1)}, index=pd.Index(rows, name="node")
    )
    groups = _groups(tree, proba)
    for label, values in (("n", counts), ("P", said)):
        for name, members in groups.items():
            table[f"{label}({name})"] = values[:, members].sum(axis=1)
    for name, members in groups.items() if weights else ():
        if len(members) == 1:
            table[f"w({name})"] = mixture.weights[:, members[0]]
    return table


def _groups(tree, proba):
    """Classes by name; of very many the most probable ones, and all others together."""
    order, few = np.argsort(-proba, kind="stable"), len(proba) <= MOST_CLASSES + 1
    alone = range(len(proba)) if few else order[:MOST_CLASSES]
    groups = {tree.class_name(c): [c] for c in alone}
    return groups if few else groups | {f"{len(proba) - len(alone)} others": order[len(alone) :]}
