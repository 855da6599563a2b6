"""Pruning by description length: the bits of the tree and of its errors."""

import numpy as np

from ranktrees.prune.errors import training_errors
from ranktrees.prune.rule import Costs, bottom_up, subtree_costs
from ranktrees.prune.surgery import check_tree
from ranktrees.tree import Tree


def mdl_costs(tree: Tree) -> Costs:
    """Bits that tell the classes to one who has the attributes' values (Quinlan & Rivest 1989).

    A leaf of n cases, e of them errors: 1 bit (a leaf), log2 C (its class), log2(n + 1) (how many
    errors), log2 (n choose e) (which cases), e log2(C - 1) (their classes). A test: 1 bit (a test),
    log2 A (which attribute), and of an attribute of V values log2(V - 1) for a cut, nothing for a
    branch a value, V log2 B for a grouping into B branches.
    """
    classes, cases = tree.counts.shape[1], tree.counts.sum(axis=1)
    wrong = training_errors(tree)
    leaf = 1 + np.log2(classes) + np.log2(cases + 1) + _log2_choose(cases, wrong)
    leaf = leaf + wrong * np.log2(max(classes - 1, 1))
    return Costs(leaf, 1 + np.log2(max(len(tree.schema), 1)) + _split_bits(tree))


def mdl(tree: Tree) -> Tree:
    """The pruned tree of least description length; see `mdl_costs` for the code."""
    check_tree(tree)
    return bottom_up(tree, mdl_costs(tree))


def description_length(tree: Tree) -> float:
    """Bits of the tree and its errors, by the code of `mdl_costs`."""
    return float(subtree_costs(tree, mdl_costs(tree))[0])


def _log2_choose(n, k):
    factorial = np.concatenate([[0.0], np.cumsum(np.log2(np.arange(1, n.max() + 1)))])
    return factorial[n] - factorial[k] - factorial[n - k]


def _split_bits(tree):
    """Bits (T,) that name the cut or the grouping of each test, 0 at a leaf."""
    if tree.is_leaf.all():
        return np.zeros(len(tree))
    T, row = len(tree), np.repeat(np.arange(len(tree)), np.diff(tree.offset))
    sizes = np.array([info.size for info in tree.schema])[tree.attribute]
    children = np.bincount(tree.parent[1:], minlength=T)
    occupied = np.bincount(row[tree.child >= 0], minlength=T)
    grouped = (tree.cut < 0) & (occupied > children)  # values that share a child
    grouping = np.where(grouped, sizes * np.log2(np.maximum(children, 1)), 0.0)
    return np.where(tree.cut >= 0, np.log2(np.maximum(sizes - 1, 1)), grouping)
