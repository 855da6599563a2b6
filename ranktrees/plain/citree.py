"""CITree and NBTree: naive Bayes at the leaves of a tree that makes attributes independent.

A node tests the attribute after which naive Bayes models in the branches rank the cases best, in
cross-validation; then, from the leaves up, tests go that do not rank better on second folds (Su &
Zhang 2004: AUC-CITree). NBTree asks how many are right, and prunes nothing (Kohavi 1996). Classes
are then told by `bayes.leaf_naive_bayes`.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ranktrees.plain.bayes import learn, posterior
from ranktrees.plain.criteria import TIE, first_best
from ranktrees.plain.evaluate import hand_till
from ranktrees.plain.tree import Array, Node, Sizes

DECIMALS = 9  # logarithms that agree so far are equal
Accept = Callable[[Array, list[int], float], bool]  # of rows, path and best score
Leaf = tuple[Array, list[int]]  # the rows of a would-be leaf, and the attributes of its path


def auc(proba: Array, y: Array) -> float:
    """Area under the ROC curve of P(c), (m, C); of more classes Hand and Till's M."""
    log_p = np.log(proba)
    if proba.shape[1] == 2:
        log_p = log_p - log_p[:, ::-1]  # the odds of two classes
    return hand_till(y, log_p.round(DECIMALS))


def accuracy(proba: Array, y: Array) -> float:
    """The share of cases whose most probable class, the first of equals, is right."""
    return float((np.log(proba).round(DECIMALS).argmax(axis=1) == y).mean())


class Search(NamedTuple):
    """Training cases, and how candidates are judged."""

    X: Array
    y: Array
    sizes: Sizes
    C: int
    place: Sequence[Array]  # `evaluate.places` twice: for folds that choose, that prune
    k: int = 5
    anew: bool = True  # whether a leaf deals its cases anew, or each keeps its fold
    score: Callable[[Array, Array], float] = auc
    min_cases: int = 5


def citree(s: Search) -> Node:
    """The tree of all cases, grown and pruned."""
    rows = np.arange(len(s.y))
    root = grow(s, rows, [], accept=lambda rows, path, best: True)
    prune(s, root, rows, [])
    return root


def nbtree(s: Search, min_parent: int = 30, min_reduction: float = 0.05) -> Node:
    """A node of 30 cases or more is split if that takes a twentieth of its error or more."""

    def accept(rows: Array, path: list[int], best: float) -> bool:
        error = 1 - score(s, [(rows, path)], 0)
        is_better = error > 0 and 1 - best <= (1 - min_reduction) * error + TIE
        return len(rows) >= min_parent and is_better

    s = s._replace(score=accuracy)
    return grow(s, np.arange(len(s.y)), [], accept)


def grow(s: Search, rows: Array, path: list[int], accept: Accept) -> Node:
    """The tree below a node: always the best attribute, unless accept(rows, path, score) fails."""
    node, off = Node(np.bincount(s.y[rows], minlength=s.C)), candidates(s, rows, path)
    if len(rows) < s.min_cases or np.count_nonzero(node.counts) < 2 or not off:
        return node
    scores = [score(s, branches(s, rows, path, a), 0) for a in off]
    best = first_best(scores)
    if accept(rows, path, scores[best]):
        node.attribute, node.branches = off[best], [None] * s.sizes[off[best]]
        for part, longer in branches(s, rows, path, node.attribute):
            node.branches[s.X[part[0], node.attribute]] = grow(s, part, longer, accept)
    return node


def candidates(s: Search, rows: Array, path: list[int]) -> list[int]:
    """The attributes off the path that have two values or more among the cases."""
    return [a for a in range(len(s.sizes)) if a not in path and len(np.unique(s.X[rows, a])) > 1]


def branches(s: Search, rows: Array, path: list[int], a: int) -> list[Leaf]:
    """A would-be leaf for each value of attribute a that occurs."""
    codes = s.X[rows, a]
    return [(rows[codes == v], [*path, a]) for v in np.unique(codes)]


def score(s: Search, leaves: list[Leaf], t: int) -> float:
    """What would-be leaves are worth: their cases pooled; t = 0 chooses, t = 1 prunes."""
    proba = np.concatenate([cross_validated(s, rows, path, t) for rows, path in leaves])
    return s.score(proba, s.y[np.concatenate([rows for rows, _ in leaves])])


def cross_validated(s: Search, rows: Array, path: list[int], t: int) -> Array:
    """P(c | case), (m, C), by naive Bayes, off the path, of the leaf's cases in other folds."""
    if len(rows) < s.min_cases:  # the paper's random probability
        return np.full((len(rows), s.C), 1 / s.C)
    fold, off = deal(s, rows, t), [a for a in range(len(s.sizes)) if a not in path]
    X, y, sizes = s.X[rows][:, off], s.y[rows], [s.sizes[a] for a in off]
    models = [learn(X[fold != f], y[fold != f], sizes, s.C) for f in range(s.k)]
    return np.array([posterior(models[int(f)], x) for f, x in zip(fold, X, strict=True)])


def deal(s: Search, rows: Array, t: int) -> Array:
    """The fold (m,) of each case of a would-be leaf."""
    place = s.place[t][rows]
    return (place.argsort().argsort() if s.anew else place) % s.k


def prune(s: Search, node: Node, rows: Array, path: list[int]) -> None:
    """Bottom-up: a test goes unless the node's children rank better than the node as a leaf."""
    if node.is_leaf:
        return
    children = branches(s, rows, path, node.attribute)
    for child, (part, longer) in zip(node.children, children, strict=True):
        prune(s, child, part, longer)
    if score(s, children, 1) <= score(s, [(rows, path)], 1) + TIE:
        node.make_leaf()
