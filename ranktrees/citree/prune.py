"""Pruning a tree that is fully grown, on the second folds (Su & Zhang 2004, section 4.1)."""

import numpy as np

from ranktrees.citree.propose import BestRanking
from ranktrees.prune import cut_back
from ranktrees.ties import TIE
from ranktrees.tree import Tree, outcome_of


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
    sets, C = proposer.sets, proposer.C
    proposer.on_path[:] = False
    node = sets.root.copy()
    for level in tree.levels:
        joint = np.zeros((len(node), 1 if C == 2 else C))
        cases = np.flatnonzero(node >= 0)
        at = node[cases] - level.start
        for _, some in proposer.levels(cases, at, tree.counts[level]):
            joint[some.cases] = proposer.as_leaves(some, 1)[:, 0]
        yield node, joint
        node = _descend(tree, sets, proposer, node)


def _descend(tree, sets, proposer, node):
    """The child (m,) to which each case goes on, -1 for one that is in a leaf already."""
    below = np.full(len(node), -1)
    moving = np.flatnonzero((node >= 0) & ~tree.is_leaf[node])
    at = node[moving]
    attribute = tree.attribute[at]
    code = sets.take(moving)[np.arange(len(moving)), attribute].astype(np.intp)
    below[moving] = tree.child[tree.offset[at] + outcome_of(code, tree.cut[at])]
    proposer.on_path[moving, attribute] = True
    return below
