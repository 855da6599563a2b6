"""One prediction of a tree: the path of a case, the counts there, how the estimate comes about."""

from itertools import pairwise

import numpy as np
import pandas as pd

from ranktrees.basics.kinds import Case
from ranktrees.basics.ties import first_best
from ranktrees.estimates.path_bayes import PATH_BAYES
from ranktrees.estimates.shrinkage import CASEWISE, LOCAL, at_nodes, local_of, weights_by
from ranktrees.explain.explanation import Explanation, one_case
from ranktrees.explain.paths import path_says
from ranktrees.models.tree import DecisionTree
from ranktrees.reading.encoder import Codes
from ranktrees.reading.schema import number

MOST_CLASSES = 5  # that a line names with their counts


def explain_tree(model: DecisionTree, case: Case) -> Explanation:
    """The way of one case down a fitted tree, test by test, and how its probabilities come about.

    `case` as for `one_case`. The table has a row for each node on the way, with the counts and
    the node's estimate of each class; of very many classes the least probable are put together.
    With shrinkage it has the weights, too, and a first row, node -1, for the uniform node. Of path
    Bayes it says how deep each attribute looks, and what it adds: see `path_says`.
    """
    X = one_case(model, case)
    codes, proba = model.encode(X).values[0], model.predict_proba(X)[0]
    tree, best = model.tree_, int(first_best(proba))
    nodes = tree.paths()[tree.apply(codes[None])[0]]
    nodes = nodes[nodes >= 0]
    lines = [f"Training data: {_counts(tree, 0)}."]
    for above, below in pairwise(nodes):
        test = _test(model, X, tree.attribute[above], codes, tree.conditions[below])
        lines.append(f"{test}: {_counts(tree, below)}.")
    lines.append(_end(model, X, tree.attribute[nodes[-1]], codes))
    if model.estimate in PATH_BAYES:
        more, table = path_says(model, model.encode(X), nodes, proba)
        return Explanation.of(model.classes_, proba, lines + more, table)
    said, weights = _nodes_say(model, nodes, codes)
    lines.append(_in_words(model, nodes, codes, said, weights, best, proba[best]))
    table = _table(tree, nodes, said, weights, _groups(tree, proba))
    return Explanation.of(model.classes_, proba, lines, table)


def _test(model, X, j, codes, condition):
    """How the case answers a test: `petal length 4.9 lies in (3.95, 4.54]`."""
    name, subject = model.tree_.schema[j].name, _subject(model, X, j, codes)
    if condition == "is missing":
        return f"{name} {condition}"
    if condition.startswith("= "):
        named = isinstance(X, Codes) or subject.endswith(",")
        return f"{subject if named else name} is {condition[2:]}"
    return f"{subject} {'lies' if condition.startswith('in (') else 'is'} {condition}"


def _subject(model, X, j, codes):
    """An attribute with the case's own value, or with what to note where that is missing."""
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
    """Why the way ends at a node that tests attribute j: a leaf, an unseen value, no branch."""
    if j < 0:
        return "This is a leaf."
    if codes[j] < 0:
        what = _subject(model, X, j, codes)
        return f"{what} was never seen in training: the case stops here."
    test = _test(model, X, j, codes, model.tree_.schema[j].describe([codes[j]]))
    return f"{test}, where this node has no training case: the case stops here."


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


def _nodes_say(model, nodes: np.ndarray, case: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Estimates (K, C) of the nodes (K,) on the way of a case, codes (A,), and their weights.

    With shrinkage the uniform node stands before the root; no weights, None, for other estimates.
    """
    if model.estimate not in LOCAL:
        return model.node_proba_[nodes], None
    tree, counts, params = model.tree_, model.path_counts_, dict(model._params())
    local, rows = local_of(model.estimate, params.pop("reading", "as_written")), case[None]
    settled = tree.settled[nodes] & (model.estimate == "leaf-naive-bayes")
    said = at_nodes(counts, local, nodes, np.where(settled, -1, rows))
    if not model.estimate.startswith("shrinkage"):
        return said, None
    said = np.concatenate([np.full_like(said[:1], 1 / len(counts.y)), said])
    return said, weights_by(**params)(counts, local, nodes[-1:])[0, : len(said)]


def _in_words(model, nodes: np.ndarray, case: np.ndarray, said, weights, c: int, p: float) -> str:
    """How the probability p of class c comes about at the last node."""
    name, here = model.tree_.class_name(c), said[-1, c]
    start, say = f'Estimate "{model.estimate}"', f"P({name})"
    if weights is not None:
        return f"{start}: {_mixture(model, said, weights, c, name, p)}"
    if model.estimate == "wpe":
        return f"{start}: {_votes(model, nodes[-1:], case, c, name)} = {p:.3f}."
    if model.estimate in LOCAL:
        cases = f"a naive Bayes of the cases of this node, {model.tree_.counts[nodes[-1]].sum():g},"
        return f"{start}: {cases} gives {say} = {p:.3f}."
    if model.estimate in CASEWISE:
        alone = f"where this node alone says {here:.3f}"
        return f"{start} looks at the whole case: {say} = {p:.3f}, {alone}."
    if formula := _formula(model, nodes[-1], c):
        return f"{start}: {say} = {formula} = {here:.3f}."
    steps = ", ".join(f"{share:.3f}" for share in said[:, c])
    return f"{start}: {say} from the root down is {steps}."


def _mixture(model, said, weights, c, name, p):
    parts = weights * said
    terms = zip(weights[:, c], said[:, c], strict=True)
    text = " + ".join(f"{weight:.3f} * {share:.3f}" for weight, share in terms)
    line = (
        "weight times estimate of the uniform node above the root, of the root and of each node on "
        f"the way is {text} = {parts[:, c].sum():.3f} for {name}"
    )
    published = model._params().get("reading") == "as_published"
    if published and model.estimate == "shrinkage+wpe":
        return f"{line}; as published, it is not divided by the sum over all classes."
    return f"{line}; divided by the sum over all classes, {parts.sum():.3f}: P({name}) = {p:.3f}."


def _votes(model, end, case, c, name):
    """WPE as what each class's cases at the last node weigh."""

    def weigh(n, _, agree, *__):
        return agree.sum(axis=0) + n

    votes = at_nodes(model.path_counts_, weigh, end, case[None])[0]
    return (
        "each case of this node weighs the number of attributes in which it agrees with this one, "
        f"plus 1; all weigh {votes.sum():g}, those of {name} {votes[c]:g}: "
        f"P({name}) = ({votes[c]:g} + 1/{len(votes)}) / ({votes.sum():g} + 1)"
    )


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


def _table(tree, nodes, said, weights, groups):
    """A row for each node on the way; with weights one more, for the uniform node."""
    pairs = pairwise(nodes)
    words = [f"{tree.schema[tree.attribute[a]].name} {tree.conditions[b]}" for a, b in pairs]
    words, rows, counts = ["all cases", *words], nodes, tree.counts[nodes]
    if weights is not None:
        words, rows = ["uniform node", *words], [-1, *nodes]
        counts = np.concatenate([np.zeros_like(counts[:1]), counts])
    table = pd.DataFrame(
        {"condition": words, "cases": counts.sum(axis=1)}, index=pd.Index(rows, name="node")
    )
    for label, values in (("n", counts), ("P", said)):
        for name, members in groups.items():
            table[f"{label}({name})"] = values[:, members].sum(axis=1)
    for name, members in groups.items() if weights is not None else ():
        if len(members) == 1:
            table[f"w({name})"] = weights[:, members[0]]
    return table


def _groups(tree, proba):
    """Classes by name; of very many the most probable ones, and all others together."""
    order, few = np.argsort(-proba, kind="stable"), len(proba) <= MOST_CLASSES + 1
    alone = range(len(proba)) if few else order[:MOST_CLASSES]
    groups = {tree.class_name(c): [c] for c in alone}
    return groups if few else groups | {f"{len(proba) - len(alone)} others": order[len(alone) :]}
