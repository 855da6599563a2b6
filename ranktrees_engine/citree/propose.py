"""A node tests the attribute after which naive Bayes in the branches ranks best.

Splits of a grown tree that do not rank better are then removed (Su & Zhang 2004, section 4.1).
"""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.ties import TIE, first_best
from ranktrees_engine.citree.inner import InnerBayes, OpenNodes
from ranktrees_engine.citree.scoring import PERFECT, SCORINGS
from ranktrees_engine.growing.count import offsets_of
from ranktrees_engine.growing.forest import TrainingSets
from ranktrees_engine.growing.grow import Level, Proposal
from ranktrees_engine.growing.rows import Cases
from ranktrees_engine.growing.tree import Tree, descend
from ranktrees_engine.prune import cut_back
from ranktrees_engine.reading.folds import by_class, generator

FOLDS = ("global", "leaf")


class Rule(NamedTuple):
    """Rule for judging candidates: the search arguments of `CITree` and `NBTree`."""

    scoring: str
    inner_folds: int
    folds: str
    min_cases: int
    lazy: bool = False  # a split must beat its node on the second folds
    min_reduction: float | None = None  # or: lower the node's error on the first by this share


class InnerFolds:
    """The training cases dealt into stratified folds twice: once to choose, once to prune.

    "global": each case keeps its fold in every node. "leaf": the cases of each would-be leaf are
    dealt again, as in Su & Zhang (2004). Each training set is dealt as if it were alone.
    """

    def __init__(self, root: np.ndarray, y: np.ndarray, k: int, kind: str, seed: int):
        self.k, self.kind = min(k, len(y)), kind  # more folds than cases would stay empty
        self.position = np.empty((2, len(y)), np.intp)
        ends = np.searchsorted(root, np.arange(root[-1] + 2))
        for start, end in itertools.pairwise(ends):
            rng = generator(seed)
            for position in self.position:
                position[start + by_class(y[start:end], rng)] = np.arange(end - start)

    def deal(self, which: int, cases: np.ndarray, group: np.ndarray) -> np.ndarray:
        """Return each case's fold (q,) for choosing (0) or pruning (1), in its group (q,)."""
        position = self.position[which].take(cases)
        if self.kind == "global":
            return position % self.k
        order = np.lexsort((position, group))
        dealt = group[order]
        fold = np.empty(len(order), np.intp)
        fold[order] = (np.arange(len(order)) - np.searchsorted(dealt, dealt)) % self.k
        return fold


class BestRanking:
    """The proposer of CITree and NBTree (Su & Zhang 2004; Kohavi 1996).

    Every attribute that is not on the path and has two values at the node is tried: the naive
    Bayes of its branches give every case a cross-validated probability, and these, pooled, a score.
    A branch of fewer than `min_cases` cases gives 1/C. The first attribute within `TIE` of the best
    score is proposed, if `rule` lets it. One proposer serves one growth.
    """

    def __init__(self, sets: TrainingSets, C: int, folds: InnerFolds, rule: Rule):
        self.sets, self.C, self.folds, self.rule = sets, C, folds, rule
        self.R = 1 if C == 2 else C  # numbers that say all of a case: log odds, or one per class
        self.score_of = SCORINGS[rule.scoring]
        widest = sets.sizes.max(axis=0)
        self.first, self.M = offsets_of(widest), int(widest.sum())
        self.attribute_of = np.repeat(np.arange(len(widest)), widest)
        largest = int(np.bincount(sets.root).max())
        self.bayes = InnerBayes(largest, sets.sizes, C, folds.k)
        self.on_path = np.zeros((len(sets.y), len(widest)), bool)

    def __call__(self, rows: Cases, level: Level) -> Proposal:
        """Return the best test of each open node of a level."""
        cases, node, counts = rows.cases, rows.node, level.counts
        attribute = np.full(len(counts), -1)
        for nodes, some in self.levels(cases, node, counts):
            scores = self.scores(some)
            highest = scores.max(axis=1)
            best = np.where(highest > -np.inf, first_best(scores), -1)
            attribute[nodes] = np.where(self._accept(some, best, highest), best, -1)
        chosen = attribute[node]
        self.on_path[cases[chosen >= 0], chosen[chosen >= 0]] = True
        width = np.where(attribute < 0, 0, self.sets.sizes[level.root, attribute])
        return Proposal(attribute, width)

    def levels(self, cases: Array, node: Array, counts: Array) -> Iterator[tuple[slice, OpenNodes]]:
        """Yield the open nodes with their cases, as many at a time as memory allows."""
        order = np.argsort(node.astype(np.min_scalar_type(len(counts))), kind="stable")
        n = counts.sum(axis=1)
        ends = np.append(0, n.cumsum())
        for nodes in blocks(len(n), n * (len(self.first) - 1) * self.R + self.M):
            some = order[ends[nodes.start] : ends[nodes.stop]]
            part = cases[some], node[some] - nodes.start, counts[nodes]
            yield nodes, OpenNodes(self.sets, self.first, self.on_path, *part)

    def scores(self, level: OpenNodes, which: int = 0) -> np.ndarray:
        """Return each attribute's score at each node (S, A) on `which` folds; -inf: none."""
        S, A = level.path.shape
        scores = np.full((S, A), -np.inf)
        candidate = (level.n_values > 1) & ~level.path
        tried = np.flatnonzero(candidate.any(axis=0))
        for part in blocks(len(tried), len(level.node) * self.R):
            joint = self.branches(level, tried[part], candidate, which)
            scores[:, tried[part]] = self.score_of(joint, level.y, level.node, level.counts)
        return np.where(candidate, scores, -np.inf)

    def branches(self, level: OpenNodes, some: Array, candidate: Array, which: int) -> Array:
        """Return log P(c, x) (m, some, R) by naive Bayes in the branches of attributes `some`.

        `candidate` (S, A): which attributes each node may test; `which` folds.
        """
        wanted = np.isin(self.attribute_of, some) & candidate[:, self.attribute_of]
        leaf, number = _numbered(wanted & (level.n >= self.rule.min_cases))
        group = number.take(level.node[:, None] * self.M + level.cell[:, some])
        node, tested = leaf // self.M, self.attribute_of[leaf % self.M]
        return self.held_out(level, group, node, which, tested)

    def as_leaves(self, level: OpenNodes, which: int) -> np.ndarray:
        """Return log P(c, x) (m, 1, R) by naive Bayes of the nodes themselves; `which` folds."""
        large = level.counts.sum(axis=1) >= self.rule.min_cases
        node, number = _numbered(large)
        return self.held_out(level, number.take(level.node)[:, None], node, which)

    def _children(self, level, best):
        """Return log P(c, x) (m, 1, R) by naive Bayes in the chosen branches, second folds."""
        leaf, number = _numbered(level.n >= self.rule.min_cases)
        chosen = level.cell[np.arange(len(level.node)), best[level.node]]
        group = number.take(level.node * self.M + chosen)
        kept, group = np.unique(group, return_inverse=True)
        if kept[0] < 0:
            kept, group = kept[1:], group - 1
        node = leaf[kept] // self.M
        return self.held_out(level, group[:, None], node, 1, best[node])

    def held_out(
        self, level: OpenNodes, group: Array, node: Array, which: int, tested: Array | None = None
    ) -> Array:
        """Return log P(c, x) (m, K, R) of each case in its leaf group[:, k]; 0 where that is -1."""
        K = group.shape[1]
        pairs = np.flatnonzero(group.ravel() >= 0)
        joint = np.zeros((group.size, self.R))
        if len(pairs):
            pair, leaf = pairs // K, group.ravel()[pairs]
            fold = self.folds.deal(which, level.cases[pair], leaf)
            used = level.path.sum(axis=1)[node] + (tested is not None)
            joint[pairs] = self.bayes.log_joint(level, pair, leaf, fold, node, used, tested)
        return joint.reshape(len(group), K, -1)

    def _accept(self, level, best, score):
        """Return which nodes (S,) may be split by the best attribute, of this score."""
        rule, known = self.rule, best >= 0
        if rule.min_reduction is not None:
            error = PERFECT[rule.scoring] - self._score(self.as_leaves(level, 0), level)
            left = PERFECT[rule.scoring] - score
            return known & (error > 0) & (left <= (1 - rule.min_reduction) * error + TIE)
        if not rule.lazy or not known.any():
            return known
        alone = self._score(self.as_leaves(level, 1), level)
        return known & (self._score(self._children(level, best), level) > alone + TIE)

    def _score(self, joint, level):
        return self.score_of(joint, level.y, level.node, level.counts)[:, 0]


def _numbered(mask):
    """Return the flat positions (G,) where `mask` holds, and each position's number, else -1."""
    positions = np.flatnonzero(mask)
    number = np.full(mask.size, -1)
    number[positions] = np.arange(len(positions))
    return positions, number


def cut_where_no_better(tree: Tree, proposer: BestRanking, against: str) -> Tree:
    """Remove the splits of a tree, or several of several roots, that do not rank better.

    Bottom-up, a node's children are removed unless their pooled cross-validated probabilities have
    a better score than those of the node as a leaf: those of the direct children as leaves
    (`against` "children") or of the leaves that are left of the subtree ("subtree").
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
    """Yield, per level, each case's node (m,), -1 below its leaf, and its log P(c, x) (m, R)."""
    sets = proposer.sets
    proposer.on_path[:] = False
    walk = descend(tree, sets.take(slice(None)), sets.root)
    for level, (cases, node_of_case) in zip(tree.levels, walk, strict=True):
        node, joint = np.full(len(sets.y), -1), np.zeros((len(sets.y), proposer.R))
        node[cases] = node_of_case
        for _, some in proposer.levels(cases, node_of_case - level.start, tree.counts[level]):
            joint[some.cases] = proposer.as_leaves(some, 1)[:, 0]
        yield node, joint
        inner = ~tree.is_leaf[node_of_case]
        proposer.on_path[cases[inner], tree.attribute[node_of_case[inner]]] = True
