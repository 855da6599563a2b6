"""Explanations of many cases: what each attribute adds, with a row for each case."""

from itertools import cycle
from typing import NamedTuple, NoReturn

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_like
from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.kinds import Array, Input, Model
from ranktrees_engine.basics.logarithms import log, tiny_is_zero
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_engine.estimates.path_counts import known_codes
from ranktrees_engine.estimates.path_forest import TREES
from ranktrees_engine.estimates.path_weights import log_prior
from ranktrees_engine.estimates.shown import added_by_tests, two_likeliest
from ranktrees_engine.reading.columns import is_scan, refuse_scan
from ranktrees_engine.reading.frames import as_pandas

LEAST = 1e-300  # a probability of 0 counts as this, so that log odds are finite


class Sum(NamedTuple):
    """The summands of log P(c | x) for n cases: `names` (K,), and `log_p` (K, n, C)."""

    names: list[str]
    log_p: Array


@tiny_is_zero()
def explain_table(model: Model, X: Input) -> pd.DataFrame:
    """Compute what each attribute adds to the log odds of each case's class, a row per case.

    X (n, A) are the cases. Rows are named by the case, its most probable class, and the next one,
    `against` which the odds are. Each row adds up to the log odds of the prediction: column
    "(prior)" has those before any attribute, "(tree)" the part of the tree of path Bayes, or of the
    trees of a path forest, and the others have each attribute's part. In a tree whose nodes have an
    estimate, that is what the attribute's tests change. A model whose predictions are not such a
    sum, such as bagging, raises TypeError.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> model = rt.NaiveBayes().fit(data.X, data.y)
    >>> explain_table(model, data.X)["windy"].round(2).tolist()[:3]
    [-0.4, 0.45, 0.4]
    """
    check_like("a model, such as PathBayes()", model, "parts")
    check_fitted(model, "classes_")
    refuse_scan(X, "explain_table")
    X = as_pandas(X)
    with WarnOnce():
        two, parts = two_likeliest(model.predict_proba(X)), model.parts(X)
    n = len(two)
    log_p = np.where(np.isneginf(parts.log_p), np.log(LEAST), parts.log_p)
    first, second = (log_p[:, np.arange(n), two[:, k]] for k in range(2))
    cases = X.index if isinstance(X, pd.DataFrame) else pd.RangeIndex(n)
    rows = [cases, *np.asarray(model.classes_)[two.T]]
    index = pd.MultiIndex.from_arrays(rows, names=["case", "class", "against"])
    return pd.DataFrame((first - second).T, index, parts.names)


def no_parts(model: Model, what: str = "") -> NoReturn:
    """Raise TypeError and say why a model's predictions are not sums over attributes."""
    raise TypeError(
        f"a prediction of {type(model).__name__}{what} is not a sum over attributes: "
        "model.explain(case) explains it; NaiveBayes, PathBayes, PathForest, and trees with an "
        "estimate per node, such as 'laplace', are such sums"
    )


def naive_parts(model: Model, X: Input) -> Sum:
    """Return the prior and the factors of naive Bayes."""
    factors = model.log_factors(X).swapaxes(0, 1)
    names = [info.name for info in model.schema_]
    return _with_prior(names, log(model.class_prior_), factors)


def forest_parts(model: Model, X: Input) -> Sum:
    """Return the prior, the trees and each attribute of a path forest, averaged over its trees."""
    return member_parts(model.members_, model.pool_weights_, *model.encode(X))


def member_parts(members: list, weights: Array, codes: Array, grids: list[Array]) -> Sum:
    """Return the `Sum` of members, each a tree with factors, for codes and grids (n, A)."""
    ends = (member.tree.apply(codes) for member in members)
    each = (
        (TREES * member.log_t[end], member.factors.gathered(grid, end))
        for member, end, grid in zip(members, ends, cycle(grids), strict=False)
    )
    return _of_paths(members[0].tree, weights, len(codes), len(members), each)


def path_parts(model: Model, X: Input) -> Sum:
    """Return the prior, the tree and each attribute of path Bayes."""
    codes, estimate = model.encode(X), model.estimate_
    end = model.tree_.apply(codes.values)
    log_t = log(estimate.node_proba)[end] / 2
    gathered = estimate.factors.gathered(known_codes(codes.values, codes.gaps), end)
    return _of_paths(model.tree_, estimate.all_weights, len(codes), 1, [(log_t, gathered)])


def _of_paths(tree, weights, n, E, each):
    """Make a pool's `Sum` for n cases: the mean of E trees' parts (n, C) and factors, `each`."""
    prior = weights[0] * log_prior(tree)
    log_p = np.zeros((1 + len(tree.schema), n, len(prior)))
    for log_t, gathered in each:
        log_p[0] += log_t / E
        for some, cases, log_f in gathered:
            log_p[1:][some, cases] += weights[1:][some, None, None] * log_f / E
    return _with_prior(["(tree)", *(info.name for info in tree.schema)], prior, log_p)


def node_parts(model: Model, X: Input) -> Sum:
    """Return the root's estimate, and what each attribute's tests change on a case's path."""
    tree, log_t = model.tree_, np.log(np.maximum(model.node_proba_, LEAST))
    changes = added_by_tests(tree, log_t)[model.apply(X)].swapaxes(0, 1)
    return _with_prior([info.name for info in tree.schema], log_t[0], changes)


def _with_prior(names, prior, log_p):
    prior = np.broadcast_to(prior, log_p.shape[1:])
    return Sum(["(prior)", *names], np.concatenate([prior[None], log_p]))


def proba_frame(model: Model, X: Input) -> pd.DataFrame:
    """Return `predict_proba` (n, C) of a fitted model as a DataFrame, a column per class.

    The columns follow `classes_`, which are sorted and not in a Categorical's order; the index is
    that of X.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> rt.proba_frame(rt.NaiveBayes().fit(data.X, data.y), data.X).columns.tolist()
    ['no', 'yes']
    """
    check_like("a model, such as PathForest()", model, "predict_proba", "get_params")
    if is_scan(X):
        raise TypeError("proba_frame needs cases in memory: scan.write_proba names its columns")
    proba, frame = model.predict_proba(X), as_pandas(X)
    index = frame.index if isinstance(frame, pd.DataFrame) else None
    return pd.DataFrame(proba, index, pd.Index(model.classes_, name="class"))
