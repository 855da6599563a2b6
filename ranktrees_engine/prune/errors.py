"""Pruning by the cost of a tree: errors on any set, errors with a penalty, or bits (R&M 9.6)."""

import numpy as np

from ranktrees_engine.basics.arguments import check_number, choose
from ranktrees_engine.basics.ties import TIE
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.prune.surgery import (
    Costs,
    bottom_up,
    cases_reaching,
    check_tree,
    cut_back,
    read_cases,
    subtree_costs,
    sum_leaves,
)

WEKA_COLLAPSE = 1e-3


def training_errors(tree: Tree) -> np.ndarray:
    """Count the training cases (T,) outside the majority class of each node."""
    check_tree(tree)
    return tree.counts.sum(axis=1) - tree.counts.max(axis=1)


def collapse(tree: Tree) -> Tree:
    """Replace subtrees, from the top, that make at least as many training errors as a leaf.

    C4.5 does so before pruning (Quinlan 1993; Weka's `collapse`, which allows 1e-3 of an error).
    """
    return cut_back(tree, collapsing(tree, training_errors(tree))[0])


def collapsing(tree: Tree, leaf_errors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which nodes (T,) `collapse` makes leaves, and the errors (T,) of all subtrees.

    The `leaf_errors` (T,) of a leaf are those of what grows below it elsewhere.
    """
    errors = sum_leaves(tree, leaf_errors)
    return errors >= training_errors(tree) - WEKA_COLLAPSE, errors


def reduced_error_costs(tree: Tree, codes: np.ndarray, y: np.ndarray) -> Costs:
    """Count errors on a pruning set, codes (n, A) and class codes (n,), of training majorities.

    A case that stops at an inner node, since its value is unknown there, is classified by that
    node, and its error counts for the test.
    """
    come, ended = cases_reaching(tree, *read_cases(tree, codes, y))
    majority = tree.counts.argmax(axis=1)[:, None]
    wrong = [n.sum(axis=1) - np.take_along_axis(n, majority, axis=1)[:, 0] for n in (come, ended)]
    return Costs(*wrong)


def reduced_error(tree: Tree, codes: np.ndarray, y: np.ndarray) -> Tree:
    """Return the smallest pruned tree with the fewest errors on a pruning set (R&M 9.6.3).

    The set, codes (n, A) and class codes (n,), must not have been used for growing. Source:
    Quinlan 1987. Raises ValueError for an empty set, other widths or lengths, unknown codes.
    """
    return bottom_up(tree, reduced_error_costs(tree, codes, y))


def minimum_error_costs(tree: Tree, weight: float | None = None) -> Costs:
    """Compute each node's expected errors as a leaf: its cases times its error rate.

    This is R&M's l-probability error rate.
    """
    check_tree(tree)
    weight = tree.counts.shape[1] if weight is None else weight
    check_number("weight", weight, 0)
    total, prior = tree.counts.sum(axis=1), tree.counts[0] / tree.counts[0].sum()
    right = (tree.counts + weight * prior).max(axis=1) / (total + weight)
    return Costs(total * (1 - right))


def minimum_error(tree: Tree, weight: float | None = None) -> Tree:
    """Prune by minimum error: 1 - max_c (n_c + l p_c) / (n + l), l being `weight` (R&M 9.6.4).

    p are the class shares at the root; a subtree's error is the mean of its branches' errors,
    weighted by their cases. Default weight: the number of classes. Sources: Niblett & Bratko 1986,
    Cestnik & Bratko 1991, Olaru & Wehenkel 2003.
    """
    return bottom_up(tree, minimum_error_costs(tree, weight))


def pessimistic_costs(tree: Tree, penalty: float = 0.5) -> Costs:
    """Compute each node's training errors as a leaf, and the `penalty` that a leaf adds (Yang)."""
    check_number("penalty", penalty, 0)
    return Costs(training_errors(tree) + penalty)


def pessimistic_rate(tree: Tree, penalty: float = 0.5) -> float:
    """Estimate the error rate: (errors + penalty * leaves) / cases (R&M 9.6.5; Yang's slides).

    >>> from ranktrees_engine.growing.tree import single_leaf
    >>> pessimistic_rate(single_leaf([7, 3]))
    0.35
    """
    costs = pessimistic_costs(tree, penalty).leaf
    return float(costs[tree.is_leaf].sum() / tree.counts[0].sum())


def pessimistic(tree: Tree, rule: str = "rokach", penalty: float = 0.5) -> Tree:
    """Prune by training errors plus a `penalty` per leaf; no other set is needed.

    rule "rokach": from the top, a node becomes a leaf if its error rate with the continuity
    correction, eps + leaves / (2 n), is then no higher than with its whole subtree (R&M 9.6.5).
    "standard-error": the same, but a leaf may be one standard error worse (Quinlan 1987). "yang":
    from the bottom, compared with what is left of the subtree (Yang's slides).
    """
    choose("rule", rule, ("rokach", "yang", "standard-error"))
    costs = pessimistic_costs(tree, penalty)
    if rule == "yang":
        return bottom_up(tree, costs)
    allowed = sum_leaves(tree, costs.leaf)
    if rule == "standard-error":
        cases = tree.counts.sum(axis=1)
        allowed = allowed + np.sqrt(allowed * np.maximum(cases - allowed, 0) / cases)
    return cut_back(tree, costs.leaf <= allowed + TIE)


def mdl_costs(tree: Tree) -> Costs:
    """Count the bits that tell the classes to a receiver (Quinlan & Rivest 1989).

    The receiver has the attributes. A leaf of n cases, e of them errors: 1 bit (a leaf), log2 C
    (its class), log2(n + 1) (how many errors), log2 (n choose e) (which cases), e log2(C - 1)
    (their classes). A test: 1 bit (a test), log2 A (which attribute), and for an attribute of V
    values log2(V - 1) for a cut, nothing for a branch per value, V log2 B for a grouping into B
    branches.
    """
    wrong = training_errors(tree)
    classes, cases = tree.counts.shape[1], tree.counts.sum(axis=1)
    leaf = 1 + np.log2(classes) + np.log2(cases + 1) + _log2_choose(cases, wrong)
    leaf = leaf + wrong * np.log2(max(classes - 1, 1))
    return Costs(leaf, 1 + np.log2(max(len(tree.schema), 1)) + _split_bits(tree))


def mdl(tree: Tree) -> Tree:
    """Return the pruned tree of least description length; see `mdl_costs` for the code."""
    return bottom_up(tree, mdl_costs(tree))


def description_length(tree: Tree) -> float:
    """Return the bits for the tree and its errors, by the code of `mdl_costs`."""
    return float(subtree_costs(tree, mdl_costs(tree))[0])


def _log2_choose(n, k):
    from scipy.special import gammaln

    return (gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)) / np.log(2)


def _split_bits(tree):
    """Count the bits (T,) that name the cut or the grouping of each test, 0 at a leaf."""
    if tree.is_leaf.all():
        return np.zeros(len(tree))
    T, row = len(tree), np.repeat(np.arange(len(tree)), np.diff(tree.offset))
    sizes = np.array([info.size for info in tree.schema])[tree.attribute]
    children = np.bincount(tree.parent[1:], minlength=T)
    occupied = np.bincount(row[tree.child >= 0], minlength=T)
    grouped = (tree.cut < 0) & (occupied > children)  # values that share a child
    grouping = np.where(grouped, sizes * np.log2(np.maximum(children, 1)), 0.0)
    return np.where(tree.cut >= 0, np.log2(np.maximum(sizes - 1, 1)), grouping)
