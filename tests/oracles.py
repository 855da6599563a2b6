"""What the tests of several models share: scikit-learn's own checks, the papers' preparation."""

import warnings
from dataclasses import replace
from functools import cache

import numpy as np
import sklearn
from sklearn.utils.estimator_checks import check_estimator

import ranktrees as rt
from ranktrees.plain import citree_scores
from ranktrees_lab.papers.label_leak import in_declared_order

SKLEARN = tuple(map(int, sklearn.__version__.split(".")[:2]))
# Before 1.8 one of its checks subtracts a mean from whole numbers in place, whatever the model.
ITS_OWN_FAULT = "Cannot cast ufunc 'subtract' output"


def assert_every_check_passes(model, **not_meant):
    """scikit-learn's checks of a classifier, of which only that of the array API may be skipped.

    `not_meant`: checks that must fail, and why.
    """
    results = check_estimator(model, on_fail=None)
    assert {r["check_name"] for r in results if r["status"] == "failed"} >= not_meant.keys()
    results = [r for r in results if r["check_name"] not in not_meant]
    failed = {r["check_name"]: str(r["exception"]) for r in results if r["status"] == "failed"}
    if SKLEARN < (1, 8):
        failed = {name: why for name, why in failed.items() if not why.startswith(ITS_OWN_FAULT)}
    assert not failed
    skipped = [r["check_name"] for r in results if r["status"] == "skipped"]
    assert set(skipped) <= {"check_array_api_input"}
    assert len(results) > 45


@cache
def loaded(name):
    """A data set whose classes are their codes, in the order that the file declares and Weka has.

    Sums over classes and ties between them are then Weka's; names that sort otherwise would differ.
    """
    data = rt.load(name)
    return replace(data, y=in_declared_order(data.y))


@cache
def prepared(name):
    """A data set as the ranking papers prepared it, its classes in Weka's order."""
    return rt.prepare(loaded(name), "papers")


def quietly(function, *args, **kwargs):
    """Call a function without the warning of a class of fewer cases than folds."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the smallest class has", UserWarning)
        return function(*args, **kwargs)


def difference(tree, node, t=0):
    """Where a `Tree` from node t on and a plain tree part ways, as text; None if nowhere."""
    if tree.counts[t].tolist() != node.counts.tolist() or tree.attribute[t] != node.attribute:
        return f"{t}: {tree.counts[t]}, {tree.attribute[t]}; {node.counts}, {node.attribute}"
    if node.is_leaf:
        return None
    info, cut = tree.schema[node.attribute], tree.cut[t]
    if cut >= 0:
        cut = info.cuts[cut] if info.kind == "numeric" else cut
        if cut != node.threshold:
            return f"{t}: cut {cut}, {node.threshold}"
    below = tree.child[tree.offset[t] : tree.offset[t + 1]].tolist()
    branches = node.branches
    if node.groups is not None:
        branches = [branches[b] if b >= 0 else None for b in node.groups]
    for child, branch in zip(below, branches, strict=True):
        if (child < 0) != (branch is None):
            return f"{t}: one has an empty branch"
        if child >= 0 and (text := difference(tree, branch, child)):
            return text
    return None


def pruned_by_subtrees(s, root):
    """A plain CITree pruned by pruning's other reading: a node against all leaves below it."""

    def leaves(node, rows, path):
        if node.is_leaf:
            return [(rows, path)]
        return [leaf for part in parts(node, rows, path) for leaf in leaves(*part)]

    def parts(node, rows, path):
        children = citree_scores.branches(s, rows, path, node.attribute)
        return [(node.branches[s.X[part[0], node.attribute]], part, p) for part, p in children]

    def prune(node, rows, path):
        if node.is_leaf:
            return
        for part in parts(node, rows, path):
            prune(*part)
        below, leaf = leaves(node, rows, path), [(rows, path)]
        score, folds = citree_scores.pooled_score, s.pruning
        if score(s, below, folds) <= score(s, leaf, folds) + 1e-9:
            node.make_leaf()

    prune(root, np.arange(len(s.y)), [])
    return root
