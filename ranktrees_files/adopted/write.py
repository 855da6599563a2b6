"""Writing back: a copy of a scikit-learn model whose leaves hold our probabilities."""

import copy
from typing import Any

import numpy as np

from ranktrees_engine.basics.arguments import check_like
from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.logarithms import tiny_is_zero
from ranktrees_engine.estimates import Estimate, TrainingCases
from ranktrees_engine.estimates.by_case import Shrinkage, ShrinkageOfWPE
from ranktrees_files.adopted.accepted import find_trees
from ranktrees_files.adopted.models import AdoptedForest, AdoptedTree
from ranktrees_files.adopted.routes import same_nodes

LAM = 20  # of hierarchical shrinkage, by default


@tiny_is_zero()
def write_back(
    model: AdoptedTree | AdoptedForest,
    fitted: Any,
    estimate: str | None = None,
    **params: Any,
) -> Any:
    """Return a copy of the scikit-learn model, whose leaves hold the probabilities of a model.

    `model` is `rt.adopt(fitted, X, y)`, perhaps loaded from a file; `fitted` stays as it is.
    `estimate`, with `params`, is one that is the same for all cases of a leaf, such as
    "hierarchical-shrinkage", whose `lam` is 20 unless it is given; if None, the model's own. So
    whatever reads scikit-learn's trees goes on: ONNX, treelite, SHAP, saved pipelines. `predict` of
    the copy can differ from that of `fitted`; scikit-learn's `clone`, and a new fit, forget the
    probabilities. Raises ValueError for an estimate that differs from case to case, and for a model
    that was adopted from another tree.
    """
    if not isinstance(model, AdoptedTree | AdoptedForest):
        raise TypeError(f"model is what rt.adopt(fitted, X, y) returns, not {type(model).__name__}")
    check_fitted(model, "classes_")
    if estimate == "hierarchical-shrinkage":
        params = {"lam": LAM} | params
    chosen = model if estimate is None else model.with_estimate(estimate, **params)
    written = copy.deepcopy(fitted)
    found = find_trees(written)
    trees, learnt = (
        (chosen.trees_, chosen.estimates_)
        if isinstance(chosen, AdoptedForest)
        else ([chosen.tree_], [chosen.estimate_])
    )
    if not isinstance(learnt, list) or not all(map(_is_of_leaves, learnt)):
        raise ValueError(
            f"the estimate {chosen.estimate!r} differs from case to case, but a leaf of "
            'scikit-learn has one answer: give estimate="hierarchical-shrinkage"'
        )
    if len(trees) != len(found.trees):
        raise ValueError(f"the forest has {len(found.trees)} trees, the model {len(trees)}")
    for tree, routes, ours, said in zip(found.trees, found.routes, trees, learnt, strict=True):
        _write(tree, same_nodes(routes, ours), _of_nodes(said))
    return written


def _is_of_leaves(learnt: Estimate) -> bool:
    """Return whether an estimate is the same for all cases of a leaf."""
    return learnt.needs == "counts" or (
        isinstance(learnt, Shrinkage) and not isinstance(learnt, ShrinkageOfWPE)
    )


def _of_nodes(learnt: Estimate) -> np.ndarray:
    """Return the estimate (T, C) for cases that stop at each node, where there are any."""
    if learnt.needs == "counts":
        return learnt.node_proba
    check_like("an estimate that was learnt from cases", learnt.cases, "X")
    cases: TrainingCases = learnt.cases
    end, proba = learnt.tree.apply(cases.X), np.array(learnt.node_proba)
    ends, row = np.unique(end, return_index=True)
    proba[ends] = learnt.proba(cases.X[row])
    return proba


def _write(tree, node: np.ndarray, proba: np.ndarray) -> None:
    """Set the values of a fitted tree's leaves to the probabilities of our nodes (S,)."""
    values, leaf = tree.tree_.value, tree.tree_.children_left < 0
    if values.shape[2] != proba.shape[1]:
        raise ValueError(
            f"a tree of the bag has seen {values.shape[2]} of {proba.shape[1]} classes, and has no "
            "room for the others: fit the bag on cases of all classes"
        )
    values[leaf, 0] = proba[node[leaf]]
