"""Adopted trees: our estimates on a tree that scikit-learn grew, with its tests to the last bit.

    ln P(c | x) = 2/3 ln T(c | x) + w_0 ln(n_c + 1/2) + sum_j w_j mean_g ln f_gj(c) - const

A fully grown tree chose each test among many: a pruning goes on below a node with probability
1/(2A), not 1/2 (Willems et al. 1995). The factors f_gj are those of path_forest.py, in three grids
g along the path in this tree; w: see path_weights.py. A forest that is to stay gets an exponent,
learnt from the cases that each tree has not seen (Breiman 1996). X (n, A): numbers, NaN if missing.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ranktrees.plain.estimates import hierarchical_shrinkage as shrunk
from ranktrees.plain.path_bayes import Stops, Tables, Training, class_tables, log_evidence, mixed
from ranktrees.plain.path_forest import grid_codes
from ranktrees.plain.path_weights import Case, learn_weights, log_factors, log_parts, pool
from ranktrees.plain.tree import Array, Node


class Test(NamedTuple):
    """A node of scikit-learn's: its children, -1 at a leaf, and what it asks."""

    left: int
    right: int
    attribute: int = -1
    threshold: float = 0
    missing_left: bool = False


@dataclass(eq=False)
class Foreign(Node):
    """A node that knows its branch for a missing value; -1 where training had none."""

    missing: int = -1

    def branch_of(self, value: Any) -> int:
        """Return the branch of a value of the tested attribute."""
        return self.missing if np.isnan(value) else super().branch_of(value)


def exact_cut(threshold: float) -> float:
    """Return the largest double d with float32(d) <= threshold (1.)."""
    low = np.float32(threshold)
    low = np.nextafter(low, np.float32(-np.inf)) if float(low) > threshold else low
    middle = (float(low) + float(np.nextafter(low, np.float32(np.inf)))) / 2
    is_even = low.view(np.int32) % 2 == 0  # the middle is rounded to the number whose last bit is 0
    return middle if is_even else math.nextafter(middle, -math.inf)


def foreign_tree(tests: list[Test], X: Array, y: Array, C: int, gaps: Array, t: int = 0) -> Node:
    """Return the tree of a node with counts of the cases that reach it; `gaps` (A,) (1. - 3.)."""
    node, test = Foreign(np.bincount(y, minlength=C)), tests[t]
    if test.left < 0:
        return node
    node.attribute, node.threshold = test.attribute, exact_cut(test.threshold)
    node.missing = int(not test.missing_left) if gaps[test.attribute] else -1
    branch = np.array([node.outcome(x) for x in X])
    for side, child in enumerate((test.left, test.right)):
        rows = branch == side
        below = foreign_tree(tests, X[rows], y[rows], C, gaps, child) if rows.any() else None
        node.branches.append(below)
    return node


def priced_stops(root: Node, n: Tables, p: float) -> Stops:
    """Return stop = (1 - p) E/W, W = (1 - p) E + p prod(children's W), and W = E at a leaf (4.)."""
    stop: Stops = dict.fromkeys(root.leaves(), 1.0)

    def log_W(node: Node) -> float:
        log_E = sum(map(log_evidence, n[node]))
        if node.is_leaf:
            return log_E
        here = math.log(1 - p) + log_E
        log_w = float(np.logaddexp(here, math.log(p) + sum(map(log_W, node.children))))
        stop[node] = math.exp(here - log_w)
        return log_w

    log_W(root)
    return stop


def path(root: Node, X: Array, y: Array, C: int, cases: Array) -> Array:
    """Return P(c | x), (m, C), of cases (m, A), on a tree of cases X (n, A), y (n,) (5.)."""
    (N, A), every = X.shape, np.vstack([X, cases])
    stop, counts = priced_stops(root, class_tables(root), 1 / (2 * A)), class_tables(root)
    fixed = 2 / 3 * np.log([mixed(root.path(x), stop, counts)[0] for x in every])
    log_f = np.zeros((len(every), A, C))
    for g in range(3):
        coded = [grid_codes(every[:, j], X[:, j], y, 0, g) for j in range(A)]
        known, sizes = np.stack([code for code, _ in coded], axis=1), [V for _, V in coded]
        train, ends = Training(X, y, sizes, C, known[:N], np.ones(N)), [False] * A
        own = log_factors(root, train, ends, X, known[:N], is_training=True)
        log_f += np.concatenate([own, log_factors(root, train, ends, cases, known[N:])]) / 3
    log_p = log_parts(root.counts, log_f)
    w = learn_weights([*map(Case, fixed[:N], log_p[:N], y)], start=1 / 3)
    return np.array([pool(*each, w) for each in zip(fixed[N:], log_p[N:], strict=True)])


def temperature(trees: list[Node], X: Array, y: Array, samples: list[Array], C: int) -> float:
    """Return g of P ~ Q^g, Q = (sum_e P_e + 1/C)/(E + 1) over trees that have not seen a case (6.).

    `trees` have the counts of their own samples, rows of X (n, A).
    """
    total, heard = np.full((len(X), C), 1 / C), np.ones(len(X))
    for root, rows in zip(trees, samples, strict=True):
        for i in set(range(len(X))) - set(rows.tolist()):
            total[i], heard[i] = total[i] + shrunk(root.path(X[i]), 1), heard[i] + 1
    log_Q = np.log(total / heard[:, None])

    def loss(log_g: float) -> float:
        scaled = math.exp(log_g) * log_Q
        return sum(np.log(np.exp(scaled).sum(axis=1)) - scaled[np.arange(len(y)), y])

    low, high = -1.5, 1.5
    while high - low > 1e-7:  # thirds: the loss has one minimum
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if loss(a) < loss(b) else (a, high)
    return math.exp(low)


if __name__ == "__main__":
    X, y = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([0, 0, 1, 1])
    tests = [Test(1, 2, 0, 2.5), Test(-1, -1), Test(-1, -1)]
    root = foreign_tree(tests, X, y, 2, np.array([False]))
    print(exact_cut(0.1), path(root, X, y, 2, X[:1]).round(2))
    # 0.09999999776482582 [[0.76 0.24]]
