"""Pruning a tree that is fully grown, on the second folds (Su & Zhang 2004, section 4.1)."""

import numpy as np

from ranktrees.citree.propose import BestRanking
from ranktrees.prune import cut_back
from ranktrees.ties import TIE
from ranktrees.tree import Tree, descend


def cut_where_no_better(tree: Tree, proposer: BestRanking, against: str) -> Tree:
    """The tree, or several of several roots, without the splits that do not rank better.

    Bottom-up, a node's children go unless their pooled cross-validated probabilities have a better
    score than the node's own as a leaf: those of the direct children as leaves (`against`
    "children") or of the leaves that are left of the subtree ("subtree").
    """
    sets, leaf = proposer.sets, tree.is_leaf.copy()
    ends, joints = zip(*_as_leaves(tree, proposer), strict=True)
    current = joints[-1]
    for depth in reversed(range(len(tree.levels) - 1)):
        alone, below = joints[depth], joints[depth + 1] if against == "children" else current
        cases = np.flatnonzero(~tree.is_leaf[ends[depth]] & (ends[depth] >= 0))
        cases = cases[np.argsort(ends[depth][cases], kind="stable")]
        inner, node = np.unique(ends[depth][cases], return_inverse=True)
        both = np.stack([alone[cases], below[cases]], axis=1)
        score = proposer.score_of(both, sets.y[cases], node, tree.counts[inner])
        leaf[inner] = score[:, 1] <= score[:, 0] + TIE
        here = ends[depth] >= 0
        stays = here & leaf[ends[depth]]
        current = np.where(stays[:, None], alone, current)
    return cut_back(tree, leaf)


def _as_leaves(tree, proposer):
    """For each level the node (m,) of each case, -1 below its leaf, and what it says (m, R)."""
    sets = proposer.sets
    proposer.on_path[:] = False
    walk = descend(tree, sets.take(slice(None)), sets.root)
    for level, (cases, at) in zip(tree.levels, walk, strict=True):
        node, joint = np.full(len(sets.y), -1), np.zeros((len(sets.y), proposer.R))
        node[cases] = at
        for _, some in proposer.levels(cases, at - level.start, tree.counts[level]):
            joint[some.cases] = proposer.as_leaves(some, 1)[:, 0]
        yield node, joint
        inner = ~tree.is_leaf[at]
        proposer.on_path[cases[inner], tree.attribute[at[inner]]] = True
