"""Which attribute does a node test: the best by a criterion, for all open nodes of a level."""

import itertools
from collections.abc import Callable, Sequence

import numpy as np

from ranktrees.criteria import CRITERIA, entropy, gain_and_information
from ranktrees.level import LevelCounter, SortedScan
from ranktrees.proposal import Proposal
from ranktrees.split import (
    MULTIWAY,
    SPLITS,
    c45_least_branch,
    multiway,
    multiway_two,
    threshold,
)

BELOW_AVERAGE = 1e-3  # C4.5: an attribute may lie so far below the average gain
MANY_VALUED = 0.3  # Weka: with so many values a case, an attribute is left out of the average
WIDE = 32  # an ordered attribute with more values is cut by a walk over its sorted cases


def split_kind(info, split: str, numeric: str = "bins", child_rule: str = "every") -> Callable:
    """The split function of one attribute: what has an order is cut, never torn.

    `split` "multiway", "binary" or "threshold" is for nominal attributes and for bins; an ordinal
    attribute, and a number with numeric="thresholds", is always cut in two. `child_rule` "every" or
    "two": how many branches of a multiway split must have the smallest number of cases.
    """
    if info.kind == "ordinal" or (info.kind == "numeric" and numeric == "thresholds"):
        return threshold
    if split == "multiway":
        return multiway if child_rule == "every" else multiway_two
    return threshold if info.ordered else SPLITS[split]


def group_attributes(members: Sequence, sizes: np.ndarray, kinds: Sequence) -> list[np.ndarray]:
    """Attributes split alike whose sizes differ at most eightfold, the widest first."""
    rest, groups = sorted(members, key=lambda a: -sizes[a]), []
    while rest:
        kind, widest = kinds[rest[0]], sizes[rest[0]]
        alike = [kinds[a] is kind and sizes[a] * 8 >= widest for a in rest]
        groups.append(np.array(sorted(itertools.compress(rest, alike))))
        rest = [a for a, same in zip(rest, alike, strict=True) if not same]
    return groups


class BestAttribute:
    """The proposer of ID3, C4.5 and CART: score every attribute, take the best.

    `sets` are the `TrainingSets` of the trees to grow, `kinds` the split function of each
    attribute. The best score must exceed `min_gain`, every branch have `min_child` cases; the first
    attribute within `tie` of the best wins. Gain ratio goes in two stages: only attributes of at
    least average gain take part, and nominal ones of very many values do not count towards the
    average (R&M 9.3.8; Quinlan 1993). With `c45` these do not split a node where no other can, and
    cuts follow C4.5's own rules, see `SortedScan`. One proposer serves one growth.
    """

    def __init__(self, sets, kinds, criterion, *, min_child=1, min_gain=1e-9, tie=1e-9, c45=False):
        self.sizes, self.c45 = sets.sizes.max(axis=0), c45
        self.min_child, self.min_gain, self.tie = min_child, min_gain, tie
        cut = np.array([kind is threshold for kind in kinds])
        wide = cut & (c45 | (self.sizes > WIDE))
        self.wide, narrow = np.flatnonzero(wide), np.flatnonzero(~wide)
        self.scan = SortedScan(sets, self.wide, c45) if wide.any() else None
        groups = group_attributes(narrow.tolist(), self.sizes, kinds)
        self.counter = LevelCounter(sets.values, sets.y, self.sizes, groups, sets.rows)
        self.kinds = [kinds[members[0]] for members in groups]
        self.group, self.position = np.full((2, len(self.sizes)), -1)
        for g, members in enumerate([*groups, self.wide]):
            self.group[members], self.position[members] = g, np.arange(len(members))
        self.slots = [_as_slice(members) for members in groups]
        self.all_multiway = all(kind in MULTIWAY for kind in kinds)
        self.two_stage = criterion == "gain_ratio"
        self.criterion = CRITERIA["information_gain" if self.two_stage else criterion]
        self.root, self.averaged = _count_in_average(sets, cut)

    def __call__(self, cases, node, counts) -> Proposal:
        """The best test of each open node: `cases` (m,) lie in `node` (m,), `counts` (S, C)."""
        score, ratio = np.empty((2, len(counts), len(self.sizes)))
        tables, cuts = self._score_tables(cases, node, counts, score, ratio), None
        if self.scan:
            least = self._least(counts)
            found = self.scan(cases, node, counts, self.criterion, least)
            score[:, self.wide], cuts, left = found
            sides = _two_sided(left, counts.sum(axis=1)[:, None])
            ratio[:, self.wide] = score[:, self.wide] / sides
        if self.two_stage:
            score = self._second_stage(score, ratio, self._averaged(cases, node, counts))
        highest = score.max(axis=1, keepdims=True)
        best = (score >= highest - self.tie).argmax(axis=1)
        return self._proposal(np.where(highest[:, 0] > self.min_gain, best, -1), tables, cuts)

    def _least(self, counts):
        """Cases that each side of a cut needs: a number, or (S,) by C4.5's rule."""
        if not self.c45:
            return self.min_child
        return c45_least_branch(counts.sum(axis=1), counts.shape[1], self.min_child)

    def _averaged(self, cases, node, counts):
        """(A,) or (S, A): which attributes count towards the average gain."""
        if self.root is None:
            return self.averaged
        root = np.empty(len(counts), np.intp)
        root[node] = self.root[cases]
        return self.averaged[root]

    def _score_tables(self, cases, node, counts, score, ratio):
        """Fill in the scores (S, A) of all attributes in tables; list (nodes, group, branches)."""
        done = []
        for nodes, tables in self.counter(cases, node, counts):
            rows = slice(None) if len(nodes) == len(counts) else nodes[:, None]
            for g, n in enumerate(tables):
                members = self.slots[g] if len(nodes) == len(counts) else self.counter.groups[g]
                found = self._evaluate(g, n, counts[nodes])
                score[rows, members], ratio[rows, members], branch = found
                done.append((nodes, g, branch))
        return done

    def _evaluate(self, g, n, counts):
        """Score and gain ratio (S, A') of a group's tables; branches, None for multiway."""
        kind = self.kinds[g]
        if kind in MULTIWAY:
            rows = n.sum(axis=-1)
            valid = MULTIWAY[kind](rows, self.min_child)
            if not self.two_stage:
                score = np.where(valid, self.criterion(n), -np.inf)
                return score, score, None
            gain, information = gain_and_information(n, rows, counts[:, None])
            return np.where(valid, gain, -np.inf), gain / np.maximum(information, 1e-300), None
        score, branch = kind(n, self.criterion, self.min_child)
        if not self.two_stage:
            return score, score, branch
        rows = n.sum(axis=-1)
        return score, score / _two_sided((rows * (branch == 0)).sum(-1), rows.sum(-1)), branch

    def _second_stage(self, gain, ratio, averaged):
        valid = gain > -np.inf
        counted = valid & averaged
        total, number = np.where(counted, gain, 0).sum(axis=1), counted.sum(axis=1)
        average = total / np.maximum(number, 1) - BELOW_AVERAGE
        if self.c45:
            average = np.where(number > 0, average, np.inf)
        return np.where(valid & (gain >= average[:, None]), ratio, -np.inf)

    def _proposal(self, attribute, tables, cuts):
        """Where the best split is a cut or a subset, say so; else each value has its branch."""
        if self.all_multiway:
            return Proposal(attribute)
        cut, branch = np.full(len(attribute), -1), None
        group = np.where(attribute < 0, -1, self.group[attribute])
        for nodes, g, branches in tables:
            if branches is None:
                continue
            mine = np.flatnonzero(group[nodes] == g)
            part = branches[mine, self.position[attribute[nodes[mine]]]]
            if self.kinds[g] is threshold:
                cut[nodes[mine]] = (part == 0).sum(axis=1) - 1
            else:
                if branch is None:
                    branch = np.tile(np.arange(max(2, self.sizes.max())), (len(attribute), 1))
                branch[nodes[mine], : part.shape[1]] = part
        if cuts is not None:
            mine = np.flatnonzero(group == len(self.kinds))
            cut[mine] = cuts[mine, self.position[attribute[mine]]]
        return Proposal(attribute, cut, branch)


def _count_in_average(sets, cut):
    """Which attributes count towards the average gain of a tree's nodes; (A,) where all agree."""
    averaged = cut | (sets.sizes < MANY_VALUED * np.bincount(sets.root)[:, None])
    averaged |= ~averaged.any(axis=1, keepdims=True)
    alike = (averaged == averaged[0]).all()
    return (None, averaged[0]) if alike else (sets.root, averaged)


def _as_slice(members):
    """The same places as a slice where they are neighbours: numpy fills that faster."""
    first, stop = int(members[0]), int(members[-1]) + 1
    return slice(first, stop) if stop - first == len(members) else members


def _two_sided(left, total):
    """Split information of two branches, never quite 0: arrays of cases (...,) -> bits (...,)."""
    return np.maximum(entropy(np.stack([left, total - left], axis=-1)), 1e-300)
