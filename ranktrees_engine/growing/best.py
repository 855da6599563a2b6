"""The attribute that a node tests: the best by a criterion, for all open nodes of a level.

For example, a test of windy has divided the 14 golf days into S = 2 open nodes. CART divides the
values of each of A = 4 attributes into two groups, and scores them by the gain in Gini index. The
tables of outlook (attribute 0), whose V = 3 values occur with C = 2 classes, and its best groups:

    open node   no yes     sunny     overcast      rainy     score     branch of each value
                          no yes       no yes     no yes
    0 TRUE       3   3     1   1        0   2      2   0     0.25       0  0  1
    1 FALSE      2   6     2   1        0   2      0   3     0.208      0  1  1

So the windy days are divided into the rainy ones and the others. No other attribute has so high a
score at either node; windy, which has one value left, scores -inf. `ranktrees.plain.growing.cart`
finds the same, one node after the other.

>>> import ranktrees as rt
>>> from ranktrees_engine.growing.forest import TrainingSets
>>> from ranktrees_engine.growing.grow import Level
>>> from ranktrees_engine.growing.rows import Cases
>>> data = rt.load("weather.nominal")
>>> codes = rt.Encoder().fit_transform(data.X)
>>> sets = TrainingSets.single(codes, (data.y == "yes").astype(int))
>>> rows, windy = Cases(sets, 2), Proposal(attribute=np.array([3]), width=np.array([2]))
>>> rows.send(None, np.array([0]))  # all days start at the root
>>> level = Level(root=np.array([0, 0]), counts=rows.count(windy))
>>> rows.send(windy, np.array([0, 1]))  # each branch leads to an open node
>>> best = BestAttribute(sets.sizes, sets.n_cases, [SPLITS["binary"]] * 4, "gini")
>>> ((nodes, (n,)),) = rows.tables(level, best.groups)  # one block, one group: n (S, A, V, C)
>>> n[:, 0].tolist()
[[[1, 1], [0, 2], [2, 0]], [[2, 1], [0, 2], [0, 3]]]
>>> score, branch = SPLITS["binary"](n, best.criterion)  # (S, A) and (S, A, V)
>>> score.round(3).tolist()
[[0.25, 0.1, 0.056, -inf], [0.208, 0.042, 0.125, -inf]]
>>> branch[:, 0].tolist()
[[0, 0, 1], [0, 1, 1]]
>>> tests = best(rows, level)
>>> tests.attribute.tolist(), tests.branch.tolist(), tests.counts.tolist()
([0, 0], [[0, 0, 1], [0, 1, 1]], [[1, 3], [2, 0], [2, 1], [0, 5]])
"""

import itertools
from collections.abc import Callable, Sequence

import numpy as np

from ranktrees_engine.basics.ties import first_best
from ranktrees_engine.criteria.criteria import CRITERIA, entropy, gain_and_information
from ranktrees_engine.criteria.split import (
    MULTIWAY,
    SPLITS,
    c45_least_branch,
    multiway,
    multiway_two,
    threshold,
)
from ranktrees_engine.growing.count import as_slice
from ranktrees_engine.growing.grow import Proposal

BELOW_AVERAGE = 1e-3  # C4.5: an attribute may lie so far below the average gain
MANY_VALUED = 0.3  # Weka: with this many values per case an attribute is left out of the average


def split_kind(info, split: str, numeric: str = "bins", child_rule: str = "every") -> Callable:
    """Return the split function of one attribute; ordered values are cut in their order.

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
    """Group attributes split alike whose sizes differ at most eightfold, the widest first.

    A group shares one array of tables, padded to its widest attribute. So an attribute of 3,000
    values does not widen the tables of those with two.
    """
    rest, groups = sorted(members, key=lambda a: -sizes[a]), []
    while rest:
        kind, widest = kinds[rest[0]], sizes[rest[0]]
        alike = [kinds[a] is kind and sizes[a] * 8 >= widest for a in rest]
        groups.append(np.array(sorted(itertools.compress(rest, alike))))
        rest = [a for a, same in zip(rest, alike, strict=True) if not same]
    return groups


class BestAttribute:
    """Proposer of ID3, C4.5 and CART: it scores every attribute and takes the best.

    `sizes` (R, A) are the attributes' numbers of codes in each tree to grow, `n_cases` (R,) the
    trees' cases, `kinds` the split function of each attribute. The best score must exceed
    `min_gain`, every branch have `min_child` cases; the first attribute within `tie` of the best
    wins. Gain ratio goes in two stages: only attributes of at least average gain compete, and
    nominal ones of very many values do not count towards the average (R&M 9.3.8; Quinlan 1993).
    With `c45` the latter do not split a node that no other attribute can split, and cuts follow
    C4.5's rules, see `growing.cuts`. The proposer sees count tables alone; only ordered attributes
    of more than `wide` codes, and all with `c45`, are cut by `rows.cuts`. `allowed` (R, A) says
    which attributes each tree may test; if None, all. As plain/growing.py `decision_tree`, and
    plain/c45.py `best_ratio`, all attributes of all open nodes at once.
    """

    def __init__(
        self,
        sizes: np.ndarray,
        n_cases: np.ndarray,
        kinds: Sequence[Callable],
        criterion: str,
        *,
        min_child=1,
        min_gain=1e-9,
        tie=1e-9,
        c45=False,
        wide=0,
        allowed=None,
    ):
        self.sizes, self.c45 = sizes, c45
        self.min_child, self.min_gain, self.tie = min_child, min_gain, tie
        widest = sizes.max(axis=0)
        cut = np.array([kind is threshold for kind in kinds])
        wide = cut & (c45 | (widest > wide))
        self.wide, narrow = np.flatnonzero(wide), np.flatnonzero(~wide)
        self.groups = group_attributes(narrow.tolist(), widest, kinds)
        self.kinds = [kinds[members[0]] for members in self.groups]
        self.columns = [as_slice(members) for members in self.groups]
        self.group, self.position = np.full((2, len(kinds) + 1), -1)  # the last: of no attribute
        for g, members in enumerate([*self.groups, self.wide]):
            self.group[members], self.position[members] = g, np.arange(len(members))
        self.two_stage = criterion == "gain_ratio"
        self.criterion = CRITERIA["information_gain" if self.two_stage else criterion]
        averaged = cut | (sizes < MANY_VALUED * n_cases[:, None])
        if allowed is not None:
            averaged &= allowed
        self.averaged, self.allowed = averaged | ~averaged.any(axis=1, keepdims=True), allowed

    def __call__(self, rows, level) -> Proposal:
        """Propose the best test of each open node of a level, with what its branches count."""
        attribute, winners, cuts = np.full(len(level.counts), -1), [], None
        if len(self.wide):
            how = [self.criterion, self._least(level.counts), self.c45]
            if self.allowed is not None:
                how.append(self.allowed[:, self.wide].T.take(level.root, axis=1))
            cuts = rows.cuts(level, self.wide, *how, **self._cut_limits())
        for nodes, tables in rows.tables(level, self.groups):
            score, ratio = np.empty((2, len(nodes), self.sizes.shape[1]))
            counts, branches = level.counts[nodes], []
            for columns, kind, n in zip(self.columns, self.kinds, tables, strict=True):
                found = self._evaluate(kind, n, counts, self._criterion_at(nodes, columns))
                score[:, columns], ratio[:, columns], branch = found
                branches.append(branch)
            if cuts:
                gain, n_left = cuts.score[:, nodes].T, cuts.left[:, nodes].sum(axis=-1).T
                score[:, self.wide] = gain
                ratio[:, self.wide] = gain / _two_sided(n_left, counts.sum(axis=1)[:, None])
            if self.allowed is not None:
                score[~self.allowed[level.root[nodes]]] = -np.inf
            attribute[nodes] = best = self._choose(score, ratio, self.averaged[level.root[nodes]])
            winners += self._winners(nodes, best, tables, branches)
        return self._proposal(level, attribute, winners, cuts)

    def within(self, bounds) -> "BestAttribute":
        """Return a proposer for trees whose roots have these `bounds`, see `bounds_at`."""
        return self

    def bounds_at(self, top, nodes):
        """Return what growing on from open `nodes` (S,) of the tree `top` must know; None here."""

    def _cut_limits(self):
        """Return what `rows.cuts` is given besides, by name."""
        return {}

    def _criterion_at(self, nodes, columns):
        """Return the criterion of tests of these attributes at nodes (S',) of the level."""
        return self.criterion

    def _least(self, counts):
        """Return the cases that each side of a cut needs: a number, or (S,) by C4.5's rule."""
        if not self.c45:
            return self.min_child
        return c45_least_branch(counts.sum(axis=1), counts.shape[1], self.min_child)

    def _evaluate(self, kind, n, counts, criterion):
        """Score a group's tables: score, gain ratio (S, A') and branches, None for multiway."""
        if kind in MULTIWAY:
            rows = n.sum(axis=-1)
            valid = MULTIWAY[kind](rows, self.min_child)
            if not self.two_stage:
                score = np.where(valid, criterion(n), -np.inf)
                return score, score, None
            gain, information = gain_and_information(n, rows, counts[:, None])
            return np.where(valid, gain, -np.inf), gain / np.maximum(information, 1e-300), None
        score, branch = kind(n, criterion, self.min_child)
        if not self.two_stage:
            return score, score, branch
        rows = n.sum(axis=-1)
        return score, score / _two_sided((rows * (branch == 0)).sum(-1), rows.sum(-1)), branch

    def _choose(self, score, ratio, averaged):
        """Choose the best attribute (S,) of each node, -1 where none is good enough."""
        if self.two_stage:
            score = self._second_stage(score, ratio, averaged)
        return np.where((score > self.min_gain).any(axis=1), first_best(score, self.tie), -1)

    def _second_stage(self, gain, ratio, averaged):
        """Return gain ratios (S, A) of attributes of at least average gain, -inf for others."""
        counted = (gain > -np.inf) & averaged
        total, number = np.where(counted, gain, 0).sum(axis=1), counted.sum(axis=1)
        average = total / np.maximum(number, 1) - BELOW_AVERAGE
        if self.c45:
            average[number == 0] = np.inf
        return np.where(gain >= average[:, None], ratio, -np.inf)

    def _winners(self, nodes, best, tables, branches):
        """Yield, per group, the nodes (k,) that test its attributes, kind, table, branches."""
        group = self.group[best]
        for g, (kind, n, branch) in enumerate(zip(self.kinds, tables, branches, strict=True)):
            row = (group == g).nonzero()[0]
            if len(row):
                winner = row, self.position[best[row]]
                yield nodes[row], kind, n[winner], None if branch is None else branch[winner]

    def _proposal(self, level, attribute, winners, cuts):
        """Return the tests, and what the branches of the winners' tables count."""
        width = self.sizes[level.root, attribute] * (attribute >= 0)
        cut = np.full(len(width), -1) if threshold in self.kinds or cuts else None
        branch, parts, C = None, [], level.counts.shape[1]
        for nodes, kind, n, sides in winners:
            if n.shape[2] < C:
                n = _all_classes(n, level.counts[nodes])
            if kind not in MULTIWAY:
                left = np.where((sides == 0)[..., None], n, 0).sum(axis=1)
                n = np.stack([left, level.counts[nodes] - left], axis=1)
                if kind is threshold:
                    cut[nodes] = (sides == 0).sum(axis=1) - 1
                else:
                    branch = self._subsets(branch, nodes, sides, width)
                width[nodes] = 2
            parts.append((nodes, n))
        if cuts:
            nodes = np.flatnonzero(self.group[attribute] == len(self.groups))
            best_cut = self.position[attribute[nodes]], nodes
            cut[nodes], width[nodes], left = cuts.code[best_cut], 2, cuts.left[best_cut]
            parts.append((nodes, np.stack([left, level.counts[nodes] - left], axis=1)))
        return Proposal(attribute, width, cut, branch, _end_to_end(parts, width, level.counts))

    def _subsets(self, branch, nodes, sides, width):
        """Fill the sides (k, V') of codes at nodes (k,) into the branches (S, V); return these."""
        if branch is None:
            branch = np.full((len(width), self.sizes.max()), -2)
        codes = np.arange(sides.shape[1])
        branch[nodes, : len(codes)] = np.where(codes < width[nodes, None], sides, -2)
        return branch


def _end_to_end(parts, width, counts):
    """Lay the class counts of all branches end to end (Q, C); parts are nodes and tables."""
    if len(parts) == 1:
        ((nodes, n),) = parts
        is_branch = np.arange(n.shape[1]) < width[nodes, None]
        return n.reshape(-1, n.shape[2]).compress(is_branch.ravel(), axis=0)
    start = np.cumsum(width) - width
    branch_counts = np.zeros((width.sum(), counts.shape[1]), counts.dtype)
    for nodes, n in parts:
        outcome = np.arange(n.shape[1])
        is_branch = outcome < width[nodes, None]
        branch_counts[(start[nodes, None] + outcome)[is_branch]] = n[is_branch]
    return branch_counts


def _all_classes(n, counts):
    """Widen tables (k, V, C') of each node's own classes to tables (k, V, C) of all classes."""
    present = counts > 0
    table = np.zeros((len(n), present.shape[1], n.shape[1]), n.dtype)
    is_present = np.arange(n.shape[2]) < present.sum(axis=1)[:, None]
    table[present] = n.swapaxes(1, 2)[is_present]
    return table.swapaxes(1, 2)


def _two_sided(left, total):
    """Compute the split information of two branches, in bits and never quite 0, of any shape."""
    return np.maximum(entropy(np.stack([left, total - left], axis=-1)), 1e-300)
