"""One prediction of a tree of prototypes: what draws a case where, and what the leaves say."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ranktrees.base import not_fitted
from ranktrees.explain.explanation import Explanation
from ranktrees.ties import first_best

MOST_STEPS = 6  # of the way down that are told


def explain_prototypes(model, case) -> Explanation:
    """How one case is drawn down a fitted tree of prototypes, and what it gets at the leaves.

    `case` is a DataFrame or array of one row, a Series, a dict {attribute: value} or a list. The
    lines follow the strongest attraction; the table has all leaves, the likeliest first, with the
    probability of reaching them and their estimate of each class.
    """
    if not hasattr(model, "tree_"):
        raise not_fitted(model)
    X = one_row(model, case)
    tree, proba = model.tree_, model.predict_proba(X)[0]
    reach, p = model.reach(X)[0], model.attraction(X)[0]
    lines, node = [f"Training data: {tree.root.summary}, {tree.mass[0]:g} cases."], tree.root
    while not node.is_leaf and len(lines) <= MOST_STEPS:
        below = max(node.children, key=lambda child: p[child.id])
        lines.append(
            f"{node.name}, {below.condition}, draws it with {p[below.id]:.3f} of the attraction of "
            f"{len(node.children)} prototypes: {below.summary}, reached with {reach[below.id]:.3f}."
        )
        node = below
    best = int(first_best(proba))
    lines.append(
        f"All {tree.n_leaves} leaves together, each by the probability of reaching it, give "
        f"P({tree.class_name(best)}) = {proba[best]:.3f}."
    )
    return Explanation.of(model.classes_, proba, lines, _leaves(model, reach))


def _leaves(model, reach):
    """All leaves (L rows), the likeliest first: path, cases, p(leaf), P of each class."""
    tree = model.tree_
    leaves = np.flatnonzero(tree.is_leaf)
    leaves = leaves[np.argsort(-reach[leaves], kind="stable")]
    table = pd.DataFrame(
        {
            "path": [tree.path_words[t] for t in leaves],
            "cases": tree.mass[leaves],
            "p(leaf)": reach[leaves],
        },
        index=pd.Index(leaves, name="node"),
    )
    for c in range(tree.counts.shape[1]):
        table[f"P({tree.class_name(c)})"] = model.node_proba_[leaves, c]
    return table


def one_row(model, case):
    """The case as the model reads it; ValueError for several, or for attributes that lack."""
    names = [attribute.name for attribute in model.attributes_]
    if isinstance(case, pd.Series):
        case = case.to_dict() if model._names is not None else case.to_numpy()
    if isinstance(case, Mapping):
        if set(map(str, case)) != set(names):
            raise ValueError(f"the case must have exactly the attributes {', '.join(names)}")
        case = [{str(name): value for name, value in case.items()}[name] for name in names]
    if isinstance(case, str) or not hasattr(case, "__len__"):
        raise TypeError(f"a case is a row, Series, dict or list of its values, not {case!r}")
    if isinstance(case, list | tuple) or getattr(case, "ndim", 2) == 1:
        if len(case) != len(names):
            raise ValueError(f"the case has {len(case)} values, the model {len(names)} attributes")
        if model._names is None:
            return np.array([case])
        return pd.DataFrame({name: [value] for name, value in zip(names, case, strict=True)})
    if len(case) != 1:
        raise ValueError(f"one case can be explained, but there are {len(case)}: pick one")
    return case
