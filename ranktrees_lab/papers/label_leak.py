"""What happens if a test case's own class is compared, too: the class as one more attribute.

Weighted probability estimation compares a test case with training cases, value by value. If the
class stays in the table, every training case of the test case's own class gets one more match. The
numbers then look excellent, even with permuted classes.
"""

from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import DATASET, check_like, check_seed, choose, even
from ranktrees_engine.basics.kinds import Data, Dataset, Folds, Input
from ranktrees_engine.estimates.path_counts import PathCounts
from ranktrees_engine.estimates.shrinkage import at_nodes, local_of, shrink, weights_by
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.evaluate.cross import in_runs
from ranktrees_engine.evaluate.fitting import take_rows
from ranktrees_engine.evaluate.task import fit_all, read_task
from ranktrees_engine.models import C45
from ranktrees_engine.reading.schema import AttributeInfo

LEAKY = ("wpe", "shrinkage+wpe")


def leaked_proba(
    model: GrownTree,
    X: Input,
    y: np.ndarray,
    estimate: str = "shrinkage+wpe",
    iterations: int = 1,
) -> np.ndarray:
    """Return a fitted tree's scores (n, C) for X when their class codes y (n,) are compared, too.

    `estimate` "wpe" or "shrinkage+wpe" (with `iterations` of Algorithm DIW), otherwise as in the
    reading "as_published": the class is a last column of the training and of the test cases, which
    the tree itself never tests.
    """
    choose("estimate", estimate, LEAKY)
    check_like("a fitted model of one tree", model, "encode", "training_", "tree_")
    X, y = model.encode(X).values, even("y", y)
    if y.shape != (len(X),) or y.dtype.kind not in "iu":
        raise ValueError(f"y must be {len(X)} class codes, one a case, not {y.dtype}{y.shape}")
    info = AttributeInfo("the class", "nominal", tuple(map(str, model.tree_.classes)))
    tree = replace(model.tree_, schema=(*model.tree_.schema, info), tables=None)
    known, classes = model.training_
    counts = PathCounts(tree, np.column_stack([known, classes]), classes)
    local, cases = local_of(estimate, "consistent"), np.column_stack([X, y])
    if estimate == "shrinkage+wpe":
        return shrink(counts, local, weights_by("diw", iterations), cases)
    return at_nodes(counts, local, tree.apply(cases), cases)


def honest_proba(model, X, y, estimate: str = "", **params) -> np.ndarray:
    """Return scores without the leak, by the model's or another estimate; class codes y are unused.

    Shrinkage has the reading "as_published".
    """
    if estimate.startswith("shrinkage"):
        params["reading"] = "as_published"
    return (model.with_estimate(estimate, **params) if estimate else model).predict_proba(X)


def in_declared_order(y: pd.Categorical) -> pd.Categorical:
    """Return the codes of y as classes 0 to C - 1: sorted, they keep the order that y declares.

    That order decides ties in Weka and the sums of papers that rank by one class of each pair.
    """
    return pd.Categorical.from_codes(y.codes, range(len(y.categories)))


def label_leak(
    data: Data,
    model: GrownTree | None = None,
    runs: int = 1,
    k: int = 10,
    seed: int = 1,
    folds: Folds = "weka",
    measure: str = "auc-wang2006",
) -> pd.DataFrame:
    """Cross-validate WPE, alone and with shrinkage, with and without the leak, on the same trees.

    `data` a Dataset or a pair (X, y); `model` a decision tree, by default `C45()`; run r uses the
    folds of seed + r. A row for each run and fold: run, fold, estimate, honest, leaked, both in the
    unit of the `measure` (a name in `rt.evaluate.MEASURES`), and for "none" the tree's own
    estimate. With shrinkage the reading is "as_published": rows need not sum to 1, so "brier" gives
    NaN.
    """
    model, task = C45() if model is None else model, read_task(data)
    if not hasattr(model, "with_estimate"):
        raise TypeError(f"model must be a decision tree such as C45(), not {model!r}")
    given, drawn = (task.X, in_declared_order(task.y)), {"k": k, "seed": seed, "folds": folds}
    return in_runs(partial(_both_ways, model), given, [measure], False, runs=runs, **drawn)


def _both_ways(model, task, divided, scores, seed):
    """Yield the rows of one run: every estimate with and without the leak on each fold's tests."""
    splits, (score,) = divided.splits, scores.values()
    models = fit_all(model, task, [train for train, _ in splits])
    for number, (fitted, (_, test)) in enumerate(zip(models, splits, strict=True)):
        X, y = fitted.encode(take_rows(task.X, test)), task.codes[test]
        plain = score(y, fitted.predict_proba(X))
        yield {"fold": number, "estimate": "none", "honest": plain, "leaked": np.nan}
        for name in LEAKY:
            ways = {"honest": honest_proba, "leaked": leaked_proba}
            values = {way: score(y, proba(fitted, X, y, name)) for way, proba in ways.items()}
            yield {"fold": number, "estimate": name, **values}


def permuted(data: Dataset, seed: int = 1) -> Dataset:
    """Permute the classes of a data set at random, so that nothing can be learnt from it."""
    check_like(DATASET, data, "X", "y")
    check_seed(seed)
    order = np.random.default_rng(seed).permutation(len(data))
    return replace(data, y=data.y[order], source=f"{data.source}, classes permuted")
