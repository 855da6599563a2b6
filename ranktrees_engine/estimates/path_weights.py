"""The weight of each part of a pool, learnt by leaving each training case out of its own counts.

    ln P(c | x) = the trees' part + w_0 ln(n_c + 1/2) + sum_j w_j mean_e ln f_ej(c) - const

The weights w are at least 0 and make the classes of the training cases likely, while each case is
left out of the counts: its class has one case less at each node of its path, and so has its value.
Trees, stop probabilities, grids, the prior and the trees' part, which has seen the case, stay as
they are. This has a closed form, so that nothing is fitted again. A normal prior of deviation 1/3
around the start keeps the weights near it where data are few. Weights of attributes in naive Bayes:
Zaidi et al. (2013). `ranktrees.plain.path_weights` is the same in loops.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.blocks import LIMIT, blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.logarithms import log
from ranktrees_engine.estimates.path_factors import PathFactors
from ranktrees_engine.growing.tree import Tree

DEVIATION = 1 / 3  # of the normal prior around the start
PASSES, GAIN = 10, 1e-6  # over the cases at most; a relative gain below this one ends them
ROUNDING = 1e-20  # a variance below it is that of a constant
KEPT = 1 << 25  # cells of parts that are kept from pass to pass; of more they are made again


def log_prior(tree: Tree) -> np.ndarray:
    """Return ln(n_c + 1/2) (C,), of the root."""
    return log(tree.counts[0] + 0.5)


class LeftOut(NamedTuple):
    """Parts of the pool for q cases: the fixed part, and the parts whose weights are learnt.

    `fixed` (q, C), `log_p` (1 + A, q, C), with each case left out, `y` (q,), `weight` (q,) or None.
    """

    fixed: np.ndarray
    log_p: np.ndarray
    y: np.ndarray
    weight: np.ndarray | None


def log_left_out(
    factors: list[PathFactors], X: list, ends: list, log_prior: Array, y: Array, weight=None
) -> np.ndarray:
    """Return ln (1 + A, q, C) of prior (C,) and factors' mean over E trees, each case left out.

    X has codes (q, A), `ends` the nodes (q,) of each tree, or (R, q) of each R trees. Of a case of
    weight w, min(w, 1) is left out of the counts of its class y (q,).
    """
    removed = None if weight is None or weight.min(initial=1) >= 1 else np.minimum(weight, 1)
    q, A = X[0].shape
    log_p, own = np.zeros((1 + A, q, len(log_prior))), np.zeros((A, q))
    log_p[0] = log_prior
    for member, codes, end in zip(factors, X, ends, strict=True):
        for some, cases, log_f in member.gathered(codes, end):
            log_p[1:][some, cases] += log_f
        for some, cases, log_f in member.left_out(codes, end, y, removed):
            own[some, cases] += log_f
    log_p[1:, np.arange(q), y] = own
    log_p[1:] /= sum(end.size for end in ends) // q
    return log_p


def learn_weights(passes: Callable[[], Iterable[LeftOut]], n: int, start: float) -> np.ndarray:
    """Learn weights (n,) by Newton's steps from `start`, each of which is a pass over the cases.

    A step is halved while the loss grows; the best weights of ten passes count, at least 0 each.
    """
    w, step, least = np.full(n, start), np.zeros(n), np.inf
    for _ in range(PASSES):
        loss, gradient, hessian = _loss(passes(), w - step, start)
        if loss > least:
            step = step / 2
            continue
        w, gain, least = w - step, least - loss, loss
        if gain < GAIN * loss:
            break
        step = np.linalg.solve(hessian, gradient)
    return np.maximum(w, 0)


def _loss(passed, w, start):
    """Return minus ln of likelihood and prior at weights w, its gradient and Hessian."""
    loss, gradient, hessian = 0.0, np.zeros(len(w)), np.zeros((len(w), len(w)))
    for parts in passed:
        n, C = parts.fixed.shape
        for few in blocks(n, len(w) * C, LIMIT):
            each = _loss_of(parts, few, w)
            loss, gradient, hessian = loss + each[0], gradient + each[1], hessian + each[2]
    gradient[hessian.diagonal() < ROUNDING] = 0  # a constant attribute keeps its start exactly
    ridge, away = 1 / DEVIATION**2, w - start
    loss += (away**2).sum() * ridge / 2
    return loss, gradient + away * ridge, hessian + np.diag(np.full(len(w), ridge))


def _loss_of(parts, few, w):
    """Return what some cases add: the Hessian is the covariance of the parts under P."""
    log_p, y, weight = parts.log_p[:, few], parts.y[few], parts.weight
    weight = np.ones(len(y)) if weight is None else weight[few]
    pool = parts.fixed[few] + np.tensordot(w, log_p, 1)
    pool -= pool.max(axis=1, keepdims=True)
    p = np.exp(pool)
    total, rows = p.sum(axis=1), np.arange(len(y))
    p /= total[:, None]
    loss = (weight * (np.log(total) - pool[rows, y])).sum()
    mean = np.einsum("qc,jqc->jq", p, log_p)
    gradient = ((mean - log_p[:, rows, y]) * weight).sum(axis=1)
    spread = ((log_p - mean[..., None]) * np.sqrt(weight[:, None] * p)).reshape(len(w), -1)
    return loss, gradient, spread @ spread.T


def passes_over(n: int, cells: int, make: Callable[[slice], LeftOut]) -> Callable:
    """Return passes over n cases of `cells` each, whose parts `make` gives: kept, or made again."""

    def each() -> Iterator[LeftOut]:
        return map(make, blocks(n, cells, KEPT))

    if n * cells > KEPT:
        return each
    kept = list(each())
    return lambda: kept
