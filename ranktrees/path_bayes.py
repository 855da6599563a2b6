"""Path Bayes: the tree, and every factor of naive Bayes, decides how deep on a path to look.

A case goes down a tree. Which nodes of its path should say how probable a class is, and which how
probable a value is in that class? The counts of a node have an *evidence*: the probability of its
cases where nothing is known of the shares. From it follows how probable each pruning of the tree
is, and from that the weight of each node of a path: for the class, and for each attribute anew.
Both words, the tree's T and naive Bayes' B, are then pooled: P(c | x) ~ sqrt(T(c | x) B(c | x)).

No number is tuned: each value starts with half a case (Krichevsky & Trofimov 1981), and a pruning
stops at a node with probability 1/2. Averages over all prunings: Buntine (1992), Willems, Shtarkov
& Tjalkens (1995); naive Bayes along a path: Wang & Zhang (2006, section 7); logarithmic pools:
Genest & Zidek (1986).

Of T nodes, tables (T, M, K) have the M values of all attributes, end to end, by K classes.
"""

from collections.abc import Iterator
from functools import cached_property, partial

import numpy as np

from ranktrees.bayes.tables import normalised, offsets_of
from ranktrees.blocks import LIMIT, blocks
from ranktrees.logarithms import log, log_gamma_halves
from ranktrees.tree import Tree
from ranktrees.weights import bincount

ROOM = 16 * LIMIT  # cells of the tables that are made at once, and kept where they are all


def share(n, N, V):
    """(n + 1/2)/(N + V/2): of N cases n have one of V values, each of which starts with 1/2."""
    return (n + 0.5) / (N + V / 2)


def log_evidence(log_n: np.ndarray, N, V) -> np.ndarray:
    """ln E, the probability of N cases, one after the other, by the `share` of those before.

    E = prod_v Gamma(n_v + 1/2)/Gamma(1/2) * Gamma(V/2)/Gamma(N + V/2), of V values; `log_n` is the
    sum of `log_numerators` over the values (Krichevsky & Trofimov 1981).
    """
    return log_n + log_gamma_halves(V) - log_gamma_halves(2 * N + V)


def log_numerators(n: np.ndarray) -> np.ndarray:
    """ln Gamma(n + 1/2)/Gamma(1/2) = ln(1/2) + ln(3/2) + ... + ln(n - 1/2)."""
    return log_gamma_halves(2 * n + 1) - log_gamma_halves(1)


def stops(tree: Tree, log_e: np.ndarray, is_end=False) -> np.ndarray:
    """Probability (T, A) that a pruning which comes to a node stops there, given all cases.

    W = E/2 + prod(W of the children)/2, and E at an end; stop = E/(2 W), and 1 at an end: the sum
    over all prunings in one pass, from the leaves up (Willems, Shtarkov & Tjalkens 1995).
    """
    log_w, stop = log_e.copy(), np.ones(log_e.shape)
    is_end = np.broadcast_to(is_end, log_e.shape)
    for level in tree.levels[:0:-1]:
        up, below = sum_families(tree, level, log_w)
        log_2w = np.logaddexp(log_e[up], below)
        stop[up] = np.where(is_end[up], 1, np.exp(log_e[up] - log_2w))
        log_w[up] = np.where(is_end[up], log_e[up], log_2w - np.log(2))
    return stop


def mixed(tree: Tree, shares: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """Shares (T, M, K) of all nodes of a path, by their weights, for the paths to each node.

    A node weighs `stop` (T, M) times the probability of coming to it; the last takes the rest.
    """
    come = reaching(tree, stop)
    return sum_above(tree, (come * stop)[..., None] * shares) + come[..., None] * shares


def tree_word(tree: Tree, stops=stops) -> np.ndarray:
    """T(c | x) (T, C): class shares (n_c + 1/2)/(N + C/2), mixed over the nodes of each path."""
    n, C = tree.counts, tree.counts.shape[1]
    shares = share(n, n.sum(axis=1, keepdims=True), C)
    return mixed(tree, shares[..., None], class_stops(tree, stops))[..., 0]


def class_stops(tree: Tree, stops=stops) -> np.ndarray:
    """Stop probabilities (T, 1) of the classes themselves, by `stops` or `learnt_stops`."""
    n, C = tree.counts, tree.counts.shape[1]
    log_n = log_numerators(n).sum(axis=1, keepdims=True)
    return stops(tree, log_evidence(log_n, n.sum(axis=1, keepdims=True), C))


def pool(log_t: np.ndarray, log_b: np.ndarray) -> np.ndarray:
    """sqrt(T B) (m, C), normalised: the logarithmic pool in which both words weigh the same."""
    return normalised((log_t + log_b) / 2, np.ones(log_t.shape[1]))


# What the formulas need of a tree


def reaching(tree: Tree, stop: np.ndarray) -> np.ndarray:
    """Probability (T, A) that no node above stops."""
    return np.exp(sum_above(tree, log(1 - stop)))


def sum_above(tree: Tree, x: np.ndarray) -> np.ndarray:
    """The sum (T, ...) of x (T, ...) over all nodes above each node."""
    total = np.zeros(x.shape)
    for level in tree.levels[1:]:
        up = tree.parent[level]
        total[level] = total[up] + x[up]
    return total


def sum_below(tree: Tree, x: np.ndarray) -> np.ndarray:
    """The sum (T, ...) of x (T, ...) over each node and all nodes below it."""
    total = x.copy()
    for level in tree.levels[:0:-1]:
        up, below = sum_families(tree, level, total)
        total[up] += below
    return total


def sum_families(tree: Tree, level: slice, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The parents (P,) of a level's nodes, and the sum (P, ...) of x (T, ...) of their children."""
    parent = tree.parent[level]
    first = np.flatnonzero(np.diff(parent, prepend=-1))
    return parent[first], np.add.reduceat(x[level], first, axis=0)


def learnt_stops(tree: Tree, log_e: np.ndarray, steps: int = 10) -> np.ndarray:
    """Stop probabilities (T, 1) that make the classes of the training cases likely, for `stops`.

    Each case is left out of its counts: a node gives its class n_c/(N + C - 1). By expectation and
    maximisation from 1/2: where of n cases that come to a node, and could go on, r are expected to
    stop, it is (r + 1)/(n + 2).
    """
    counts, leaf = tree.counts, tree.is_leaf[:, None]
    ended = np.array(counts)  # less those that went on
    np.subtract.at(ended, tree.parent[1:], counts[1:])
    own = counts / (counts.sum(axis=1, keepdims=True) + counts.shape[1] - 1)
    stop = np.where(leaf, 1, 0.5)
    for _ in range(steps):
        come, likely = reaching(tree, stop), mixed(tree, own[..., None], stop)[..., 0]
        vote = np.divide(ended, likely, out=np.zeros(ended.shape), where=ended > 0)
        last = (come * own * vote).sum(axis=1, keepdims=True)  # of those that can go no further
        stay = (come * stop * own * (sum_below(tree, vote) - vote)).sum(axis=1, keepdims=True)
        stop = np.where(leaf, 1, (stay + 1) / (sum_below(tree, stay + last) - last + 2))
    return stop


# Naive Bayes' word


class PathTables:
    """What training cases, codes X (n, A) of classes y (n,), count at the nodes of a tree.

    `weight` (n,), None: 1 each; `gaps` (n, A) the values that were missing and are filled in: the
    tree sees them, the tables do not. Raises ValueError for a tree without a branch per value, and
    for other cases than those of its counts.
    """

    def __init__(self, tree: Tree, X: np.ndarray, y: np.ndarray, weight=None, gaps=None):
        check_branches(tree)
        self.tree, self.y, self.weight, self.end = tree, y, weight, tree.apply(X)
        self.X, self.gaps = X, gaps
        C = tree.counts.shape[1]
        at_ends = bincount(self.end * C + y, weight, tree.counts.size).reshape(-1, C)
        if not np.array_equal(sum_below(tree, at_ends), tree.counts):
            raise ValueError(
                f"the tree's counts are not those of the {len(y)} training cases: path Bayes needs "
                "the cases that the tree was grown on"
            )
        self.sizes = np.array([info.size for info in tree.schema], np.intp)
        self.offsets = offsets_of(self.sizes)
        self._learn()

    def _learn(self):
        """Known cases (T, A, C), and the probability (T, A) that an attribute stops at a node."""
        T, C = self.tree.counts.shape
        self.known = np.zeros((T, len(self.sizes), C), self.tree.counts.dtype)
        log_n = np.zeros(self.known.shape)
        for values in self.blocks():
            n, some, first = self.counts(values), *self.attributes(values)
            self.known[:, some] += np.add.reduceat(n, first, axis=1)
            log_n[:, some] += np.add.reduceat(log_numerators(n), first, axis=1)
        log_e = log_evidence(log_n, self.known, self.sizes[:, None]).sum(axis=2)
        tested = self.tree.attribute[:, None] == np.arange(len(self.sizes))
        self.stop = stops(self.tree, log_e, tested)

    def blocks(self) -> Iterator[slice]:
        """All M values, as many at a time as have `ROOM` cells in all nodes and classes."""
        return blocks(int(self.offsets[-1]), self.tree.counts.size, ROOM)

    def attributes(self, values: slice) -> tuple[slice, np.ndarray]:
        """The attributes that some values, end to end, belong to, and where each begins there."""
        start, stop = np.searchsorted(self.offsets, (values.start, values.stop - 1), "right")
        some = slice(start - 1, stop)
        return some, np.maximum(self.offsets[some] - values.start, 0)

    def cells(self, X: np.ndarray, gaps, values: slice) -> np.ndarray:
        """Places (m, A') of codes X (m, A) among some values; -1 for unknown and other values."""
        some, _ = self.attributes(values)
        place = X[:, some] + (self.offsets[:-1][some] - values.start)
        none = (X[:, some] < 0) | (place < 0) | (place >= values.stop - values.start)
        return np.where(none if gaps is None else none | gaps[:, some], -1, place)

    def counts(self, values: slice) -> np.ndarray:
        """Training cases (T, M', C) of each node by some of the values and by class."""
        T, C = self.tree.counts.shape
        shape = T, values.stop - values.start, C
        rows = self.rows(self.X, self.gaps, self.end, values)
        weight = None if self.weight is None else np.repeat(self.weight, rows.shape[1])
        cells = (rows * C + self.y[:, None]).ravel()
        n = bincount(cells, weight, (shape[0] * shape[1] + 1) * C)
        return sum_below(self.tree, n[:-C].reshape(shape))

    def rows(self, X: np.ndarray, gaps, end: np.ndarray, values: slice) -> np.ndarray:
        """Row (m, A') in the tables of some values, laid end to end, of codes X (m, A) at `end`.

        It is one row more than they have for a value that is unknown, or not among these.
        """
        some, _ = self.attributes(values)
        width = values.stop - values.start
        place = X[:, some] + (self.offsets[:-1][some] - values.start)
        none = (X[:, some] < 0) | (place < 0) | (place >= width)
        if gaps is not None:
            none |= gaps[:, some]
        return np.where(none, len(self.tree) * width, end[:, None] * width + place)

    def factors(self, values: slice) -> np.ndarray:
        """ln P(value | c) (T, M', C) of some of the values, for the paths to each node."""
        attribute = np.repeat(np.arange(len(self.sizes)), self.sizes)[values]
        n, N = self.counts(values), self.known[:, attribute]
        shares = share(n, N, self.sizes[attribute, None])
        return log(mixed(self.tree, shares, self.stop[:, attribute]))

    @cached_property
    def all_factors(self) -> list[tuple[slice, np.ndarray]]:
        """The factors of all values, where these are few enough to be kept."""
        return [(values, self.factors(values)) for values in self.blocks()]

    def gathered(self, X: np.ndarray, gaps, end: np.ndarray) -> Iterator[tuple]:
        """Yield attributes, cases and ln P(x_j | c) (A', q, C), which add up over what is yielded.

        Of codes X (m, A) whose paths end at nodes (m,); 0 of a missing or new value.
        """
        C, parts = self.tree.counts.shape[1], list(self.blocks())
        kept = self.all_factors if len(parts) == 1 else ((v, self.factors(v)) for v in parts)
        for values, factors in kept:
            padded = np.concatenate([factors.reshape(-1, C), np.zeros((1, C))])
            rows = self.rows(X, gaps, end, values).T
            for cases in blocks(len(X), len(rows) * C):
                yield self.attributes(values)[0], cases, padded.take(rows[:, cases], axis=0)

    def proba(self, X: np.ndarray, gaps, word: np.ndarray) -> np.ndarray:
        """P(c | x) (m, C) of codes X (m, A) with `gaps`, where the nodes' T is `word` (T, C)."""
        end = self.tree.apply(X)
        return pool(log(word)[end], self.log_word(X, gaps, end))

    def log_word(self, X: np.ndarray, gaps, end: np.ndarray) -> np.ndarray:
        """ln B(c | x) (m, C), not normalised: (n_c + 1/2) prod_j P(x_j | c), n_c at the root."""
        total = np.tile(log(self.tree.counts[0] + 0.5), (len(X), 1))
        for _, cases, log_p in self.gathered(X, gaps, end):
            total[cases] += log_p.sum(axis=0)
        return total


def check_branches(tree: Tree) -> None:
    """Raise ValueError, which names the attribute, unless each value has its own branch."""
    joined = np.bincount(tree.child[tree.child >= 0], minlength=len(tree)) > 1
    wrong = np.flatnonzero((tree.cut >= 0) | np.isin(np.arange(len(tree)), tree.parent[joined]))
    if len(wrong):
        name = tree.schema[tree.attribute[wrong[0]]].name
        raise ValueError(
            f"path Bayes needs a branch per value, but node {wrong[0]} splits {name!r} in two: "
            'take split="multiway", numeric="bins" and a column without order '
            "(Series.cat.as_unordered()), or rt.PathBayes"
        )


def path_bayes(tree: Tree, X_train, y_train, X, gaps=None, stops=stops) -> np.ndarray:
    """P(c | x) ~ sqrt(T B), (m, C), of codes X (m, A) with `gaps`: see the top of this file."""
    return PathTables(tree, X_train, y_train).proba(X, gaps, tree_word(tree, stops))


STOPS = {"path-bayes": stops, "path-bayes-em": learnt_stops}
PATH_BAYES = {name: partial(path_bayes, stops=how) for name, how in STOPS.items()}
