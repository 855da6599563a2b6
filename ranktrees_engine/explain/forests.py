"""What the trees of a path forest and each attribute add to one prediction, and to all."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.logarithms import tiny_is_zero
from ranktrees_engine.estimates.mixing import class_stops, reaching
from ranktrees_engine.estimates.path_counts import ROOM
from ranktrees_engine.estimates.path_forest import TREES
from ranktrees_engine.estimates.path_weights import log_prior
from ranktrees_engine.estimates.shown import (
    Pooled,
    added_by_tests,
    as_a_sum,
    between_classes,
    heaviest_first,
    shares_of_all,
    weighed,
)
from ranktrees_engine.explain.explanation import Explanation, one_case
from ranktrees_engine.reading.encoder import Codes
from ranktrees_engine.reading.schema import number

CASES = 4 * ROOM  # cells of what is said of training cases at once


@dataclass(frozen=True)
class ForestLooks(Pooled):
    """The parts of E trees, and of attributes along their paths, in one case, to be averaged.

    `depth` (E, 1 + A): how deep each looks, the mean depth of the nodes that it mixes.
    """

    depth: np.ndarray


def forest_looks(model, codes: np.ndarray, grids: list[np.ndarray]) -> ForestLooks:
    """Compute the `ForestLooks` of one case, coded by the model's `encode`."""
    depth, log_p = [], []
    for e, member in enumerate(model.members_):
        end = member.tree.apply(codes)
        says = np.zeros((1 + codes.shape[1], member.log_t.shape[1]))
        says[0] = member.log_t[end[0]]
        for some, _, log_f in member.factors.gathered(grids[e % len(grids)], end):
            says[1:][some] += log_f[:, 0]
        log_p.append(says)
        depth.append(_depths(member, end[0]))
    shares = np.insert(model.pool_weights_, 1, TREES)
    return ForestLooks(np.array(log_p), log_prior(model.trees_[0]), shares, np.array(depth))


def _depths(member, end):
    """Compute how deep (1 + A,) the tree and each attribute look on the path to a node."""
    tree = member.tree
    nodes = tree.paths()[end]
    nodes = nodes[nodes >= 0]
    stop = np.hstack([class_stops(tree), member.factors.stop])
    come = reaching(tree, stop)[nodes]
    return come[1:].sum(axis=0)  # the mean of a depth is the sum of P(at least as deep)


@tiny_is_zero()
def explain_forest(model, case) -> Explanation:
    """Explain the prediction of a fitted `PathForest` for a case, as for `one_case`, as a sum.

    The table has a row for the trees' estimate and for each attribute, the largest first: value,
    how deep it looks on average over the trees, what it adds to the log odds of the most probable
    class against the next, and the least and the most that a single tree would add. With the
    prior's they add up to the log odds of the prediction.
    """
    X = one_case(model, case)
    coded, proba = model.encode(X), model.predict_proba(X)[0]
    looks = forest_looks(model, *coded)
    two, prior, each = looks.odds(proba)
    adds = each.mean(axis=0)
    table = pd.DataFrame({"value": pd.Series(["", *_values(model, X, coded)], dtype=object)})
    table["depth"] = looks.depth.mean(axis=0)
    if model.weights == "learnt":
        odds = looks.log_p[..., two].mean(axis=0)
        table["weight"], table["factor"] = looks.shares[1:], np.exp(odds[:, 0] - odds[:, 1])
    table["log odds"], table["least"], table["most"] = adds, each.min(axis=0), each.max(axis=0)
    table.index = pd.Index(["the trees", *(info.name for info in model.schema_)], name="who")
    order = heaviest_first(adds, table["value"].isna())
    lines = _lines(model, two, prior, adds)
    return Explanation.of(model.classes_, proba, lines, table.iloc[order])


def _lines(model, two, prior, adds):
    A, E = model.n_features_in_, len(model.trees_)
    classes = [str(model.classes_[c]) for c in two]
    counts = ", ".join(
        f"{n:g} {c}" for n, c in zip(model.class_count_, model.classes_, strict=True) if n
    )
    trees, learnt = f"{E} trees, each of which may test {(A + 1) // 2} of {A} attributes. ", []
    trees += "The mean logarithm of what they say counts two thirds, that of the prior and of "
    trees += "all attributes one third."
    if model.weights == "learnt":
        trees = trees.replace("one third", "as much as each one's learnt weight")
        learnt = [weighed(classes, "trees' estimate, two thirds of the pool,")]
    return [f"Training data: {counts}.", trees, as_a_sum(classes, prior, adds, "trees'"), *learnt]


def _values(model, X, coded):
    """Return each attribute's value as text, None where it takes no part."""
    codes, grids = coded
    columns = None if isinstance(X, Codes) else model._read_new(X)
    for j, info in enumerate(model.schema_):
        if grids[0][0, j] < 0:
            yield None
        elif info.kind == "numeric" and columns is not None:
            yield number(float(columns[j].numbers()[0]))
        else:
            yield str(info.labels[codes[0, j]])


@tiny_is_zero()
def forest_importances(model) -> np.ndarray:
    """Compute each attribute's share (A,) in all changes of log odds over the training cases.

    As path Bayes' importances, for a path forest: an attribute changes the log odds of two classes
    in a case by the mean of its factors, and by each test of it on the paths.
    """
    members, counts = model.members_, model.class_count_
    E, A, C, n = len(members), model.n_features_in_, len(counts), len(model.y_)
    prior, total = counts / counts.sum(), np.zeros(A)
    weight = np.ones(n) if model.weight_ is None else model.weight_
    weights = model.pool_weights_[1:, None] / E
    by_tests = [added_by_tests(member.tree, member.log_t) for member in members]
    for few in blocks(n, A * C, CASES):
        change = np.zeros((few.stop - few.start, A, C))
        for member, tests in zip(members, by_tests, strict=True):
            cases_of = member.factors.counts
            change += TREES / E * tests[cases_of.end[few]]
            for some, cases, log_f in member.factors.gathered(cases_of.X[few], cases_of.end[few]):
                change[cases, some] += weights[some] * log_f.swapaxes(0, 1)
        total += (weight[few, None] * between_classes(change, prior)).sum(axis=0)
    return shares_of_all(total, weight.sum())
