"""Cost-complexity pruning: a nested sequence of trees, and the choice of one of them."""

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_like, check_number, choose, floats
from ranktrees_engine.basics.kinds import Array, ArrayLike, Input, TreeModel
from ranktrees_engine.criteria.criteria import entropy, gini
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.prune.errors import training_errors
from ranktrees_engine.prune.surgery import (
    Costs,
    bottom_up,
    check_tree,
    cut_back,
    read_cases,
    sum_below,
)
from ranktrees_engine.reading.folds import stratified_folds
from ranktrees_engine.reading.labels import read_classes
from ranktrees_engine.reading.weights import read_weights

RULES, RISKS = ("best", "one-se"), ("error", "impurity", "entropy")
TIE = 1e-12  # links as weak as the weakest, up to rounding


@dataclass(frozen=True)
class CostComplexityPath:
    """Trees from the full one to the root alone; `alphas` (k,): the price of a leaf in each.

    Tree i is the smallest with least risk + alpha * leaves for alpha from alphas[i] to the next.
    """

    alphas: np.ndarray
    trees: tuple[Tree, ...]

    def at(self, alpha: float) -> Tree:
        """Return the tree of the sequence for this `alpha`, 0 or more."""
        check_number("alpha", alpha, 0, finite=False)
        return self.trees[int(self.positions(alpha))]

    def positions(self, alpha: ArrayLike) -> np.ndarray:
        """Return the position in `trees` for each alpha, of any shape."""
        if not ((alpha := floats("alpha", alpha)) >= 0).all():
            raise ValueError("alpha must be numbers of 0 or more")
        return np.searchsorted(self.alphas, alpha, side="right") - 1


def cost_complexity(tree: Tree, risk: str = "error") -> CostComplexityPath:
    """Prune the weakest link, the least increase in risk per pruned leaf, again and again.

    risk "error": the training error rate (R&M 9.6.2; Breiman et al. 1984); "impurity": the Gini
    index of the leaves, weighted by cases, as in scikit-learn; "entropy" in its place. The first
    tree is the full one, with alpha 0; if some subtree gains nothing, the second has alpha 0, too.
    """
    weakest = _weakest(tree, _risks(tree, risk))
    alphas = np.unique(weakest[~tree.is_leaf])
    trees = [tree, *(cut_back(tree, weakest <= alpha) for alpha in alphas)]
    return CostComplexityPath(np.concatenate([[0.0], alphas]), tuple(trees))


def cut_at(tree: Tree, alpha: float, risk: str) -> Tree:
    """Return the tree of the sequence for this `alpha`; with 0, as in scikit-learn, the full one.

    `risk` as in `cost_complexity`. The tree of a single price is the smallest of the cheapest ones,
    which one pass from the bottom finds (Breiman et al. 1984).
    """
    if alpha == 0:
        return tree
    risks = _risks(tree, risk)
    return bottom_up(tree, Costs(risks + alpha * tree.counts[0].sum()))


def path(model: TreeModel | Tree, risk: str | None = None) -> pd.DataFrame:
    """Return the trees of cost-complexity pruning as a table, from the full tree to the root alone.

    Columns: ccp_alpha (from which on this tree is the best), leaves, impurity (the risk of all
    leaves) and error (the training error rate). A `DecisionTree` with this `ccp_alpha` is the tree
    of its row; where tests gain nothing, ccp_alpha is 0 twice, and the second row is the tree of
    any number just above. `risk` as in `cost_complexity`, by default the impurity by which the
    model's `ccp_alpha` prunes. `rt.plot.prune_path` draws the table. TypeError for a model without
    a single tree. Source: scikit-learn's `cost_complexity_pruning_path`.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> path(rt.DecisionTree("gini").fit(data.X, data.y)).round(3).iloc[[0, -1]]
       ccp_alpha  leaves  impurity  error
    0      0.000       5     0.000  0.000
    1      0.115       1     0.459  0.357
    """
    named = "tree_" if hasattr(model, "fit") else "counts"
    check_like("a fitted model with a single tree", model, named)
    tree = getattr(model, "tree_", model)
    usual = "impurity" if getattr(model, "criterion", "gini") == "gini" else "entropy"
    risks = _risks(tree, usual if risk is None else risk)
    weakest = _weakest(tree, risks)
    alphas = np.append(0.0, np.unique(weakest[~tree.is_leaf]))
    first = np.where(tree.is_leaf, 0, alphas[1:].searchsorted(weakest) + 1)
    last = np.full(len(tree), len(alphas))  # from here on a node above is a leaf, or gone
    for level in tree.levels[1:]:
        last[level] = np.minimum(last, first)[tree.parent[level]]
    n = tree.counts[0].sum()
    of_nodes = {"leaves": np.ones(len(tree), int), "impurity": risks / n}
    of_nodes["error"] = training_errors(tree) / n
    sums = {name: _while_leaf(value, first, last, len(alphas)) for name, value in of_nodes.items()}
    return pd.DataFrame({"ccp_alpha": alphas, **sums})


def _while_leaf(value, first, last, n):
    """Sum a value (T,) of nodes over those that are leaves in tree 0 to n - 1: first to `last`."""
    leaves = first < last
    change = np.zeros(n + 1, value.dtype)
    np.add.at(change, first[leaves], value[leaves])
    np.subtract.at(change, last[leaves], value[leaves])
    return np.maximum(np.cumsum(change[:-1]), 0)


def _risks(tree, risk):
    """Return the risk (T,) of each node as a leaf, times its cases."""
    choose("risk", risk, RISKS)
    check_tree(tree)
    if risk == "error":
        return training_errors(tree)
    return tree.counts.sum(axis=1) * (gini if risk == "impurity" else entropy)(tree.counts)


def _weakest(tree, risks):
    """Return the alpha (T,) from which on each node is a leaf or gone; inf for leaves.

    The weakest link is cut, and only the nodes above it change: O(T log T) for trees of any form
    but a chain.
    """
    risk = (risks / tree.counts[0].sum()).tolist()
    at_leaves = np.where(tree.is_leaf, risk, 0.0)
    below, leaves = sum_below(tree, at_leaves), sum_below(tree, tree.is_leaf.astype(int))
    state = _Links(risk, below.tolist(), leaves.tolist(), tree.parent.tolist(), _children(tree))
    weakest, alpha = np.full(len(tree), np.inf), 0.0
    heap = [(state.strength(t), t) for t in np.flatnonzero(~tree.is_leaf).tolist()]
    heapify(heap)
    while heap:
        link, t = heappop(heap)
        if weakest[t] < np.inf or link != state.strength(t):
            continue  # gone, or weaker links below it were cut since
        alpha = link if link > alpha + TIE else alpha
        weakest[state.inner_from(t, weakest)] = alpha
        for above in state.cut(t):
            heappush(heap, (state.strength(above), above))
    return weakest


class _Links(NamedTuple):
    """What is left of a tree, node by node: its risk, that of the leaves below, their number."""

    risk: list
    below: list
    leaves: list
    parent: list
    children: dict

    def strength(self, t) -> float:
        """Return the increase in risk per leaf that cutting at node t prunes."""
        return (self.risk[t] - self.below[t]) / max(self.leaves[t] - 1, 1)

    def cut(self, t) -> list:
        """Make node t a leaf; return the nodes above it, which lose its leaves."""
        fewer, more, above = self.leaves[t] - 1, self.risk[t] - self.below[t], []
        while t >= 0:
            self.leaves[t] -= fewer
            self.below[t] += more
            t = self.parent[t]
            above.append(t)
        return above[:-1]

    def inner_from(self, t, weakest) -> list:
        """Return node t and the inner nodes below it that are still there."""
        inner, ahead = [], [t]
        while ahead:
            t = ahead.pop()
            if t in self.children and weakest[t] == np.inf:
                inner.append(t)
                ahead += self.children[t]
        return inner


def _children(tree):
    """Return the children of each inner node."""
    children = {}
    for t, up in enumerate(tree.parent.tolist()):
        children.setdefault(up, []).append(t)
    return children


def choose_tree(errors, cases: float, rule: str) -> int:
    """Choose a position in a sequence, largest tree first, by errors (k,) on so many `cases`.

    rule "best": fewest errors; "one-se": within one standard error of the fewest (Breiman et al.
    1984). Of the trees that qualify, the smallest.
    """
    choose("rule", rule, RULES)
    rate = np.asarray(errors) / cases
    least = rate.min()
    allowed = least + np.sqrt(least * (1 - least) / cases) * (rule == "one-se")
    return int(np.flatnonzero(rate <= allowed + TIE)[-1])


def cost_complexity_best(
    path: CostComplexityPath, codes: Array, y: Array, rule: str = "best"
) -> Tree:
    """Return the tree of the sequence that does best on a pruning set; `choose_tree` has `rule`.

    The set, codes (n, A) and class codes (n,), must not have been used for growing.
    """
    check_like("a path of trees, as cost_complexity gives it", path, "trees", "alphas")
    codes, y = read_cases(path.trees[0], codes, y)
    errors = [_errors(tree, codes, y) for tree in path.trees]
    return path.trees[choose_tree(errors, len(y), rule)]


def cost_complexity_cv(
    model: TreeModel,
    X: Input,
    y: ArrayLike,
    k: int = 10,
    seed: int = 1,
    rule: str = "one-se",
    risk: str = "error",
) -> TreeModel:
    """Return a fitted copy of `model` with the tree that cross-validation chooses (R&M 9.6.2).

    The trees of k folds are evaluated at the geometric means of neighbouring alphas of the tree
    grown on all cases (Breiman et al. 1984). Raises TypeError unless the model is a `DecisionTree`,
    ValueError unless 2 <= k <= n.
    """
    check_like("a model with one tree to prune, such as DecisionTree()", model, "with_tree")
    choose("rule", rule, RULES)
    truth, fold = read_classes(y, "cost_complexity_cv")[0], stratified_folds(y, k, seed)
    rows = [np.flatnonzero(fold != i) for i in range(-1, k)]  # no case is of fold -1: all cases
    whole, *models = model.fit_folds(X, y, rows)
    path = cost_complexity(whole.tree_, risk)
    weight = read_weights(None, model.class_weight, truth, whole.classes_)
    weight = np.ones(len(fold)) if weight is None else weight
    between = np.append(np.sqrt(path.alphas[:-1] * path.alphas[1:]), np.inf)
    errors = np.zeros(len(between))
    for i, fitted in enumerate(models):
        codes, part = fitted.encode(X).values[fold == i], cost_complexity(fitted.tree_, risk)
        known = codes, truth[fold == i], weight[fold == i]
        of_tree = [_errors(tree, *known) for tree in part.trees]
        errors += np.array(of_tree)[part.positions(between)]
    return whole.with_tree(path.trees[choose_tree(errors, weight.sum(), rule)])


def _errors(tree, codes, y, weight=None):
    """Count cases, or their weight, outside the majority class of the node at which they end."""
    return np.bincount(tree.counts.argmax(axis=1)[tree.apply(codes)] != y, weight, 2)[1]
