"""Random tables, coded data and a slow tree, shared by the tests of the core."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import ranktrees as rt
from ranktrees.plain.tree import Node
from ranktrees_engine.criteria.criteria import CRITERIA, information_gain, split_information
from ranktrees_engine.estimates import TrainingCases, make_estimate
from ranktrees_engine.growing.count import tally
from ranktrees_engine.reading.schema import AttributeInfo

TWO_BRANCHES = {"twoing", "orthogonal", "kolmogorov_smirnov"}
TWO_CLASSES = {"dkm", "auc"}


def tables(rows=(1, 6), classes=(2, 4), most=9, dtype=np.int64):
    """Count tables (V, C), rows and columns may be empty."""
    shapes = st.tuples(st.integers(*rows), st.integers(*classes))
    return shapes.flatmap(lambda shape: hnp.arrays(dtype, shape, elements=st.integers(0, most)))


def fits(name, rows=(1, 6), classes=(2, 4)):
    """Shapes that the criterion `name` accepts, as arguments of `tables`."""
    rows = (1, 2) if name in TWO_BRANCHES else rows
    return {"rows": rows, "classes": (2, 2) if name in TWO_CLASSES else classes}


def schema_of(sizes, kinds=None):
    """One attribute a0, a1, ... per size; numeric ones are cut at .5, 1.5, ..."""
    kinds = kinds or ["nominal"] * len(sizes)
    return tuple(
        AttributeInfo(f"a{j}", kind, cuts=tuple(np.arange(size - 1) + 0.5))
        if kind == "numeric"
        else AttributeInfo(f"a{j}", kind, tuple(f"v{v}" for v in range(size)))
        for j, (size, kind) in enumerate(zip(sizes, kinds, strict=True))
    )


def coded(seed, n=60, sizes=(2, 3, 5), classes=3, kinds=None, noise=0.3):
    """Codes and classes that depend on the first two attributes, but for some noise."""
    rng = np.random.default_rng(seed)
    values = np.stack([rng.integers(0, size, n) for size in sizes], axis=1)
    y = (values[:, 0] + values[:, min(1, len(sizes) - 1)]) % classes
    y = np.where(rng.random(n) < noise, rng.integers(0, classes, n), y)
    return rt.Codes(values, schema_of(sizes, kinds)), y.astype(np.intp)  # as classes are read


def recursive_tree(X, y, sizes, kinds, criterion, C, min_child=1, min_gain=1e-9, tie=1e-9, n=None):
    """(counts, attribute, {codes: subtree}) by the textbook's recursion, one table at a time."""
    counts, n = np.bincount(y, minlength=C), n or len(y)
    leaf = (counts.tolist(), -1, {})
    if (counts > 0).sum() < 2:
        return leaf
    found = [
        score_one(tally((V, C), x, y), kind, criterion, min_child)
        for V, kind, x in zip(sizes, kinds, X.T, strict=True)
    ]
    score = np.array([s for s, _, _ in found])
    if criterion == "gain_ratio":
        few = np.array(sizes) < 0.3 * n  # Weka: many-valued attributes are not averaged
        counted = (score > -np.inf) & (few if few.any() else True)
        average = score[counted].mean() if counted.any() else 0
        score = np.array([r if s >= average - 1e-3 else -np.inf for s, r, _ in found])
    best = int(np.flatnonzero(score >= score.max() - tie)[0])
    if not score[best] > min_gain:
        return leaf
    to = found[best][2][X[:, best]]
    below = {}
    for on in (to == b for b in np.unique(to)):
        codes = tuple(np.unique(X[on, best]).tolist())
        below[codes] = recursive_tree(
            X[on], y[on], sizes, kinds, criterion, C, min_child, min_gain, tie, n
        )
    return counts.tolist(), best, below


def score_one(n, kind, criterion, min_child):
    """Score, gain ratio and branches of one attribute's table."""
    gain_ratio = criterion == "gain_ratio"
    score, branch = kind(n, information_gain if gain_ratio else CRITERIA[criterion], min_child)
    ratio = 0.0
    if gain_ratio and score > -np.inf:
        of = np.stack([n[branch == b].sum(axis=0) for b in np.unique(branch[branch >= 0])])
        ratio = float(score / split_information(of))
    return float(score), ratio, branch


def as_recursive(node, X):
    """A node view in the form of `recursive_tree`, for the codes `X` of its cases."""
    if node.is_leaf:
        return node.counts.tolist(), -1, {}
    a, below = int(node.tree.attribute[node.id]), {}
    to = node.branches[X[:, a]]
    for child in node.children:
        here = X[to == child.id]
        below[tuple(np.unique(here[:, a]).tolist())] = as_recursive(child, here)
    return node.counts.tolist(), a, below


def first_difference(one, two, path="root"):
    """Where two trees in the form of `recursive_tree` part ways, None if nowhere."""
    if one[:2] != two[:2]:
        return f"{path}: {one[:2]} != {two[:2]}"
    if set(one[2]) != set(two[2]):
        return f"{path}: branches {list(one[2])} != {list(two[2])}"
    below = (first_difference(one[2][v], two[2][v], f"{path}.{one[1]}={v}") for v in one[2])
    return next((found for found in below if found), None)


def child_of(tree, t, code):
    """The child of node t for a code, read from the flat arrays."""
    outcome = int(code > tree.cut[t]) if tree.cut[t] >= 0 else code
    return int(tree.child[tree.offset[t] + outcome])


def as_plain(tree, t=0):
    """A finished tree, from node t down, as the recursion of nodes that plain/ takes."""
    node = Node(tree.counts[t])
    if tree.attribute[t] < 0:
        return node
    node.attribute = int(tree.attribute[t])
    ids = tree.child[tree.offset[t] : tree.offset[t + 1]].tolist()
    filled = [i for i in ids if i >= 0]
    if tree.cut[t] >= 0:
        node.threshold = int(tree.cut[t])
    elif len(set(filled)) < len(filled):  # values that share a branch
        each = list(dict.fromkeys((i, v if i < 0 else 0) for v, i in enumerate(ids)))
        node.groups = [each.index((i, v if i < 0 else 0)) for v, i in enumerate(ids)]
        ids = [i for i, _ in each]
    node.branches = [None if i < 0 else as_plain(tree, i) for i in ids]
    return node


def by_estimate(name, tree, X, y, new, **params):
    """An estimate's probabilities (m, C) of codes `new` (m, A), learnt from training cases."""
    cases = X if X is None or isinstance(X, TrainingCases) else TrainingCases(tree, X, y)
    return make_estimate(name, params).learn(tree, cases).proba(new)
