"""One prediction of what answers together: the leaves of a tree of prototypes, a bag's models."""

import numpy as np
import pandas as pd

from ranktrees.base import not_fitted
from ranktrees.explain.explanation import Explanation, one_case
from ranktrees.ties import first_best

MOST_STEPS = 6  # of the way down that are told


def explain_prototypes(model, case) -> Explanation:
    """How one case is drawn down a fitted tree of prototypes, and what it gets at the leaves.

    `case` as for `one_case`. The lines follow the strongest attraction; the table has all leaves,
    the likeliest first, with the probability of reaching them and their estimate of each class.
    """
    X = one_case(model, case)
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


def explain_bag(model, case) -> Explanation:
    """The `Explanation` of a fitted `Bagging` for a single case, as for `one_case`."""
    if not hasattr(model, "models_"):
        raise not_fitted(model)
    case = one_case(model.models_[0], case)
    each = model.each_proba(case)[:, 0]
    names, mean = [str(c) for c in model.classes_], model.predict_proba(case)[0]
    best, votes = int(first_best(mean)), np.bincount(first_best(each), minlength=len(names))
    heard = [f"{votes[c]} for {names[c]}" for c in np.argsort(-votes, kind="stable") if votes[c]]
    column, kinds = each[:, best], {type(member).__name__ for member in model.models_}
    lines = [
        f"{len(each)} models of kind {', '.join(sorted(kinds))}, each fitted to its own sample.",
        f"Their own answers: {', '.join(heard)}.",
        f"P({names[best]}) lies between {column.min():.3f} and {column.max():.3f} among them; "
        f"its mean is {mean[best]:.3f}.",
    ]
    table = pd.DataFrame(each, columns=[f"P({name})" for name in names])
    table.index = pd.RangeIndex(1, len(each) + 1, name="model")
    return Explanation.of(model.classes_, mean, lines, table)
