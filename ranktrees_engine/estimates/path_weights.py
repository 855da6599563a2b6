"""The weight of each part of a pool, learnt by leaving each training case out of its own counts.

    ln P(c | x) = the trees' part + w_0 ln(n_c + 1/2) + sum_j w_j mean_e ln f_ej(c) - const

The weights w are at least 0 and make the classes of the training cases likely, while each case is
left out of the counts: its class has one case less at each node of its path, and so has its value.
Trees, stop probabilities, grids, the prior and the trees' part, which has seen the case, stay as
they are. This has a closed form, so that nothing is fitted again. A normal prior of deviation 1/3
around the start keeps the weights near it where data are few. Where attributes outnumber the cases,
Newton's step is computed in the dual, with as many unknowns as there are cases. Weights of
attributes in naive Bayes: Zaidi et al. (2013). `ranktrees.plain.path_weights` is the same in loops.
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
RIDGE = 1 / DEVIATION**2  # of the Hessian
PASSES, GAIN = 10, 1e-6  # over the cases at most; a relative gain below this one ends them
ROUNDING = 1e-20  # a variance below it is that of a constant
KEPT = 1 << 26  # cells of parts that are kept from pass to pass; of more they are made again


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
        for gathered, left_out in member.of_training(codes, end, y, removed):
            for some, cases, log_f in gathered:
                log_p[1:][some, cases] += log_f
            for some, cases, log_f in left_out:
                own[some, cases] += log_f
    log_p[1:, np.arange(q), y] = own
    log_p[1:] /= sum(end.size for end in ends) // q
    return log_p


def learn_weights(passes: Callable[[], Iterable[LeftOut]], n: int, start: float) -> np.ndarray:
    """Learn weights (n,) by Newton's steps from `start`, each of which is a pass over the cases.

    A step is halved while the loss grows; the best weights of ten passes count, at least 0 each.
    """
    w, step, least = np.full(n, start), np.zeros(n), np.inf
    few = _few_cases(passes, n)
    hessian = Hessian(n) if few is None else DualHessian(few)
    for _ in range(PASSES):
        loss, gradient = _loss(passes() if few is None else [few], w - step, start, hessian)
        if loss > least:
            step = step / 2
            continue
        w, gain, least = w - step, least - loss, loss
        if gain < GAIN * loss:
            break
        step = hessian.solve(gradient)
    return np.maximum(w, 0)


def _few_cases(passes, n):
    """Return all cases, if a Hessian of n weights has no more cells than their parts, or None."""
    passed, some, left = passes(), [], n
    if not isinstance(passed, list) and n**2 <= KEPT:
        return None  # what is not kept has more cases than that
    for parts in passed:
        some.append(parts)
        left -= parts.fixed[:, 1:].size
        if left <= 0:
            return None
    if len(some) == 1:
        return some[0]
    fixed, log_p, y, weight = zip(*some, strict=True)
    weight = None if weight[0] is None else np.concatenate(weight)
    return LeftOut(np.concatenate(fixed), np.concatenate(log_p, axis=1), np.concatenate(y), weight)


def _loss(passed, w, start, hessian):
    """Return minus ln of likelihood and prior at weights w, and its gradient; count the Hessian."""
    loss, gradient = 0.0, np.zeros(len(w))
    hessian.clear()
    for parts in passed:
        n, C = parts.fixed.shape
        # each block is added to all of the Hessian, and so should be as large
        for some in blocks(n, len(w) * (C - 1), max(LIMIT, len(w) ** 2)):
            each = _take(parts, some)
            p, lost = _classes(each, w)
            hessian.add(each, p)
            p[np.arange(len(p)), each.y] -= 1
            p *= each.weight[:, None]
            loss, gradient = loss + lost, gradient + each.log_p.reshape(len(w), -1) @ p.ravel()
    gradient[hessian.is_constant()] = 0  # which keeps its start exactly
    away = w - start
    return loss + (away**2).sum() * RIDGE / 2, gradient + away * RIDGE


def _take(parts, some):
    """Return the parts of some cases, with a weight for each."""
    y, weight = parts.y[some], parts.weight
    weight = np.ones(len(y)) if weight is None else weight[some]
    return LeftOut(parts.fixed[some], parts.log_p[:, some], y, weight)


def _classes(parts, w):
    """Return P(c | x) (q, C) at weights w, and minus ln of the likelihood."""
    pool = parts.fixed + np.tensordot(w, parts.log_p, 1)
    pool -= pool.max(axis=1, keepdims=True)
    p = np.exp(pool)
    total = p.sum(axis=1)
    p /= total[:, None]
    lost = parts.weight * (np.log(total) - pool[np.arange(len(p)), parts.y])
    return p, lost.sum()


class Hessian:
    """The Hessian of n weights, the covariance of the parts under P: S S' + ridge."""

    def __init__(self, n: int):
        self.matrix = np.zeros((n, n))

    def clear(self) -> None:
        """Set the covariance to 0."""
        self.matrix[:] = 0

    def add(self, parts: LeftOut, p: np.ndarray) -> None:
        """Add cases of classes' probabilities p (q, C): each gives C - 1 columns of S.

        With d_c = ln p_c - ln p_C of the parts, and m = sum_c p_c d_c, these are
        sqrt(p_c) (d_c - m / (1 + sqrt(p_C))).
        """
        spread, share = _apart(parts.log_p), p[:, :-1] / (1 + np.sqrt(p[:, -1:]))
        spread -= np.einsum("qc,jqc->jq", share, spread)[..., None]
        spread *= np.sqrt(parts.weight[:, None] * p[:, :-1])
        spread = spread.reshape(len(spread), -1)
        self.matrix += spread @ spread.T

    def is_constant(self) -> np.ndarray:
        """Return which parts (n,) have no variance."""
        return self.matrix.diagonal() < ROUNDING

    def solve(self, gradient: np.ndarray) -> np.ndarray:
        """Return the step (n,) whose product with the Hessian is the gradient (n,)."""
        return _solve(self.matrix, gradient)


class DualHessian:
    """The same of fewer cases than weights: D V D' + ridge, of which D and D' D are made once.

    D (n, q (C - 1)) are the parts' differences between each class and the last one, V the
    covariance of the classes in each case. (ridge + D V D')^-1 g = (g - D u) / ridge, where
    (ridge + V D' D) u = V D' g.
    """

    def __init__(self, parts: LeftOut):
        self.apart = _apart(parts.log_p).reshape(len(parts.log_p), -1)
        self.gram = self.apart.T @ self.apart
        self.squares = np.einsum("jq,jq->j", self.apart, self.apart)

    def clear(self) -> None:
        """Keep all cases, which stay the same."""

    def add(self, parts: LeftOut, p: np.ndarray) -> None:
        """Take the probabilities p (q, C) of the classes of all cases."""
        self.p, self.weight = p[:, :-1, None].copy(), parts.weight[:, None, None]

    def is_constant(self) -> np.ndarray:
        """Return which parts (n,) are the same for all classes."""
        return self.squares < ROUNDING

    def solve(self, gradient: np.ndarray) -> np.ndarray:
        """Return the step (n,) whose product with the Hessian is the gradient (n,)."""
        right = self._times_covariance((self.apart.T @ gradient)[:, None])[:, 0]
        return (gradient - self.apart @ _solve(self._times_covariance(self.gram), right)) / RIDGE

    def _times_covariance(self, matrix):
        rows = matrix.reshape(*self.p.shape[:2], matrix.shape[1])
        mean = (self.p * rows).sum(axis=1, keepdims=True)
        return (self.weight * self.p * (rows - mean)).reshape(matrix.shape)


def _apart(log_p):
    """Return the differences (n, q, C - 1) of parts (n, q, C) between each class and the last."""
    return log_p[..., :-1] - log_p[..., -1:]


def _solve(matrix, right):
    """Return x of (matrix + ridge) x = right; the ridge is added in place."""
    matrix.flat[:: len(matrix) + 1] += RIDGE
    return np.linalg.solve(matrix, right)


def passes_over(n: int, cells: int, make: Callable[[slice], LeftOut]) -> Callable:
    """Return passes over n cases of `cells` each, whose parts `make` gives: kept, or made again."""

    def each() -> Iterator[LeftOut]:
        return map(make, blocks(n, cells, KEPT))

    if n * cells > KEPT:
        return each
    kept = list(each())
    return lambda: kept
