"""CITree: a tree that makes attributes independent, grown for AUC (Su & Zhang 2004: AUC-CITree).

A node tests the attribute after which naive Bayes models in the branches rank the cases best, in
cross-validation; then, from the leaves up, tests go that do not rank better on second folds.

    random = np.random.default_rng(1)
    root = citree(Search(X, y, sizes, C, [places(y, random), places(y, random)]))
    leaf_naive_bayes(root, Cases(X, y, sizes, C), X)         # of folds.py, wpe.py
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ranktrees.plain import measures
from ranktrees.plain.naive_bayes import learn, posterior
from ranktrees.plain.tree import Node

TIE = 1e-9  # scores so near to each other are equal
DECIMALS = 9  # and so are logarithms that agree so far

Leaf = tuple[np.ndarray, list[int]]  # the rows of a would-be leaf, and the attributes of its path


def auc(proba: np.ndarray, y: np.ndarray) -> float:
    """Area under the ROC curve of P(c), (m, C); of more classes Hand and Till's M."""
    log_p = np.log(proba)
    if proba.shape[1] > 2:
        return measures.hand_till(y, log_p.round(DECIMALS))
    log_odds = (log_p[:, 1] - log_p[:, 0]).round(DECIMALS)
    return measures.auc(log_odds[y == 1], log_odds[y == 0])


class Search(NamedTuple):
    """Training cases, and how candidates are judged.

    `place` (2, n): where each case stands, class after class, in two shuffles: one makes the folds
    that choose, one those that prune. A leaf deals its cases `anew`, or each keeps its fold.
    """

    X: np.ndarray
    y: np.ndarray
    sizes: Sequence[int]
    C: int
    place: Sequence[np.ndarray]
    k: int = 5
    anew: bool = True
    score: Callable = auc
    min_cases: int = 5


def citree(s: Search, below: Callable | None = None) -> Node:
    """The tree of all cases, pruned by what is `below` a node: its `children`, or the `subtree`."""
    rows = np.arange(len(s.y))
    root = grow(s, rows, [], accept=lambda *_: True)
    prune(s, root, rows, [], below or children)
    return root


def grow(s: Search, rows: np.ndarray, path: list[int], accept: Callable) -> Node:
    """The tree below a node: always the best attribute, unless accept(rows, path, score) fails."""
    node, off = Node(np.bincount(s.y[rows], minlength=s.C)), candidates(s, rows, path)
    if len(rows) < s.min_cases or np.count_nonzero(node.counts) < 2 or not off:
        return node
    scores = {a: score(s, branches(s, rows, path, a), 0) for a in off}
    best = next(a for a in off if scores[a] >= max(scores.values()) - TIE)
    if accept(rows, path, scores[best]):
        node.attribute, node.branches = best, [None] * s.sizes[best]
        for part, longer in branches(s, rows, path, best):
            node.branches[s.X[part[0], best]] = grow(s, part, longer, accept)
    return node


def candidates(s: Search, rows: np.ndarray, path: list[int]) -> list[int]:
    """The attributes off the path that have two values or more among the cases."""
    return [a for a in range(len(s.sizes)) if a not in path and len(np.unique(s.X[rows, a])) > 1]


def branches(s: Search, rows: np.ndarray, path: list[int], a: int) -> list[Leaf]:
    """A would-be leaf for each value of attribute a that occurs."""
    codes = s.X[rows, a]
    return [(rows[codes == v], [*path, a]) for v in np.unique(codes)]


def score(s: Search, leaves: list[Leaf], t: int) -> float:
    """What would-be leaves are worth: their cases pooled; t = 0 chooses, t = 1 prunes."""
    proba = np.concatenate([cross_validated(s, rows, path, t) for rows, path in leaves])
    return s.score(proba, s.y[np.concatenate([rows for rows, _ in leaves])])


def cross_validated(s: Search, rows: np.ndarray, path: list[int], t: int) -> np.ndarray:
    """P(c | case), (m, C), by naive Bayes, off the path, of the leaf's cases in other folds."""
    if len(rows) < s.min_cases:  # the paper's random probability
        return np.full((len(rows), s.C), 1 / s.C)
    fold, off = deal(s, rows, t), [a for a in range(len(s.sizes)) if a not in path]
    X, y, sizes = s.X[rows][:, off], s.y[rows], [s.sizes[a] for a in off]
    models = [learn(X[fold != f], y[fold != f], sizes, s.C) for f in range(s.k)]
    return np.array([posterior(models[f], x) for f, x in zip(fold, X, strict=True)])


def deal(s: Search, rows: np.ndarray, t: int) -> np.ndarray:
    """The fold (m,) of each case of a would-be leaf."""
    place = s.place[t][rows]
    return (place.argsort().argsort() if s.anew else place) % s.k


def prune(s: Search, node: Node, rows: np.ndarray, path: list[int], below: Callable) -> None:
    """Bottom-up: a test goes unless what is below ranks better than the node as a leaf."""
    if node.is_leaf:
        return
    for part, longer in children(s, node, rows, path):
        prune(s, node.branches[s.X[part[0], node.attribute]], part, longer, below)
    if score(s, below(s, node, rows, path), 1) <= score(s, [(rows, path)], 1) + TIE:
        node.make_leaf()


def children(s: Search, node: Node, rows: np.ndarray, path: list[int]) -> list[Leaf]:
    """The direct children of a node as leaves, by which the paper's pruning judges it."""
    return branches(s, rows, path, node.attribute)


def subtree(s: Search, node: Node, rows: np.ndarray, path: list[int]) -> list[Leaf]:
    """All leaves below a node: the other reading, by which trees grow too large."""
    if node.is_leaf:
        return [(rows, path)]
    parts = children(s, node, rows, path)
    below = [subtree(s, node.branches[s.X[part[0], node.attribute]], part, p) for part, p in parts]
    return [leaf for leaves in below for leaf in leaves]
