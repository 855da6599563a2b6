"""Path Bayes: the tree, and every factor of naive Bayes, decides how deep on a path to look.

A case goes down a tree. Which nodes of its path should say how probable a class is, and which how
probable a value is in that class? The counts of a node have an *evidence*: the probability of its
cases where nothing is known of the shares. From it follows how probable each pruning of the tree
is, and from that the weight of each node of a path: for the class, and for each attribute anew.
Both estimates, the tree's T and naive Bayes' B, are pooled: P(c | x) ~ sqrt(T(c | x) B(c | x)).

No number is tuned: each value starts with half a case (Krichevsky & Trofimov 1981), and a pruning
stops at a node with probability 1/2. Averages over all prunings: Buntine (1992), Willems, Shtarkov
& Tjalkens (1995); naive Bayes along a path: Wang & Zhang (2006, section 7); logarithmic pools:
Genest & Zidek (1986).

Of T nodes, tables (T, M, K) have the M values of all attributes, end to end, by K classes.
"""

from collections.abc import Callable, Iterator
from functools import cached_property, partial

import numpy as np

from ranktrees.basics.arguments import check_like
from ranktrees.basics.kinds import Array, ArrayLike, Input
from ranktrees.basics.logarithms import log, log_gamma_halves, normalised
from ranktrees.estimates.path_counts import ROOM, Coded, PathCounts, known_codes
from ranktrees.estimator.classifier import Classifier
from ranktrees.growing.tree import (
    Tree,
    check_counted,
    less_children,
    sum_above,
    sum_below,
    sum_families,
)

PURPOSE = "path Bayes needs"  # the training cases


def share(n: ArrayLike, N: ArrayLike, V: ArrayLike) -> np.ndarray:
    """(n + 1/2)/(N + V/2): of N cases n have one of V values, each of which starts with 1/2."""
    return (n + 0.5) / (N + V / 2)


def log_evidence(log_n: np.ndarray, N: ArrayLike, V: ArrayLike) -> np.ndarray:
    """ln E, the probability of N cases, one after the other, by the `share` of those before.

    E = prod_v Gamma(n_v + 1/2)/Gamma(1/2) * Gamma(V/2)/Gamma(N + V/2), of V values; `log_n` is the
    sum of `log_numerators` over the values (Krichevsky & Trofimov 1981).
    """
    return log_n + log_gamma_halves(V) - log_gamma_halves(2 * N + V)


def log_numerators(n: np.ndarray) -> np.ndarray:
    """ln Gamma(n + 1/2)/Gamma(1/2) = ln(1/2) + ln(3/2) + ... + ln(n - 1/2)."""
    return log_gamma_halves(2 * n + 1) - log_gamma_halves(1)


def stops(tree: Tree, log_e: np.ndarray, is_end: np.ndarray | bool = False) -> np.ndarray:
    """Probability (T, A) that a pruning which comes to a node stops there, given all cases.

    W = E/2 + prod(W of the children)/2, and E at an end; stop = E/(2 W), and 1 at an end: the sum
    over all prunings in one pass, from the leaves up (Willems, Shtarkov & Tjalkens 1995).
    """
    log_w, stop = log_e.copy(), np.ones(log_e.shape)
    is_end = np.broadcast_to(is_end, log_e.shape)
    for depth in range(tree.depth, 0, -1):
        up, _ = tree.families[depth]
        log_2w = np.logaddexp(log_e[up], sum_families(tree, depth, log_w))
        stop[up] = np.where(is_end[up], 1, np.exp(log_e[up] - log_2w))
        log_w[up] = np.where(is_end[up], log_e[up], log_2w - np.log(2))
    return stop


def mixed(tree: Tree, shares: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """Shares (T, M, K) of all nodes of a path, by their weights, for the paths to each node.

    A node weighs `stop` (T, M) times the probability of coming to it; the last takes the rest.
    """
    shares = shares.copy()
    mix_along(tree, shares, stop)
    return shares


def mix_along(tree: Tree, shares: Array, stop: Array, j: Array | slice = slice(None)) -> None:
    """`mixed` in place, level by level; with `stop` (T, A) value m's is that of attribute j[m]."""
    come, above = reaching(tree, stop)[:, j, None], np.zeros((1, 1, 1))
    for depth, level in enumerate(tree.levels):
        last = shares[level] * come[level]
        np.add(above, last, out=shares[level])
        if depth < tree.depth:
            up, first = tree.families[depth + 1]
            stay = last[up - level.start] * stop[up][:, j, None]
            stay += above if depth == 0 else above[up - level.start]
            above = np.repeat(stay, np.diff(first), axis=0)


def tree_word(tree: Tree, stops: Callable = stops) -> np.ndarray:
    """T(c | x) (T, C): class shares (n_c + 1/2)/(N + C/2), mixed over the nodes of each path."""
    n, C = tree.counts, tree.counts.shape[1]
    shares = share(n, n.sum(axis=1, keepdims=True), C)
    return mixed(tree, shares[..., None], class_stops(tree, stops))[..., 0]


def class_stops(tree: Tree, stops: Callable = stops) -> np.ndarray:
    """Stop probabilities (T, 1) of the classes themselves, by `stops` or `learnt_stops`."""
    check_counted(tree)
    n, C = tree.counts, tree.counts.shape[1]
    log_n = log_numerators(n).sum(axis=1, keepdims=True)
    return stops(tree, log_evidence(log_n, n.sum(axis=1, keepdims=True), C))


def pool(log_t: np.ndarray, log_b: np.ndarray) -> np.ndarray:
    """sqrt(T B) (m, C), normalised: the logarithmic pool in which both estimates weigh the same."""
    return normalised((log_t + log_b) / 2, np.ones(log_t.shape[1]))


def reaching(tree: Tree, stop: np.ndarray) -> np.ndarray:
    """Probability (T, A) that no node above stops."""
    return np.exp(sum_above(tree, log(1 - stop)))


def learnt_stops(tree: Tree, log_e: np.ndarray, steps: int = 10) -> np.ndarray:
    """Stop probabilities (T, 1) that make the classes of the training cases likely, for `stops`.

    Each case is left out of its counts: a node gives its class n_c/(N + C - 1). By expectation and
    maximisation from 1/2: where of n cases that come to a node, and could go on, r are expected to
    stop, it is (r + 1)/(n + 2).
    """
    counts, leaf = tree.counts, tree.is_leaf[:, None]
    ended = less_children(tree, counts)
    own = counts / (counts.sum(axis=1, keepdims=True) + counts.shape[1] - 1)
    stop = np.where(leaf, 1, 0.5)
    for _ in range(steps):
        come, likely = reaching(tree, stop), mixed(tree, own[..., None], stop)[..., 0]
        vote = np.divide(ended, likely, out=np.zeros(ended.shape), where=ended > 0)
        last = (come * own * vote).sum(axis=1, keepdims=True)  # of those that can go no further
        stay = (come * stop * own * (sum_below(tree, vote) - vote)).sum(axis=1, keepdims=True)
        stop = np.where(leaf, 1, (stay + 1) / (sum_below(tree, stay + last) - last + 2))
    return stop


# Naive Bayes' estimate


class PathFactors:
    """P(value | class) along the paths of a tree, from what training cases count at its nodes.

    `stop` (T, A) is the probability that an attribute stops at a node. Raises ValueError for a tree
    without a branch per value.
    """

    def __init__(self, counts: PathCounts):
        check_branches(counts.tree)
        self.counts, self.tree = counts, counts.tree
        tested = self.tree.attribute[:, None] == np.arange(len(counts.sizes))
        self.stop = stops(self.tree, self._log_evidence(), tested)

    def _log_evidence(self):
        """ln E (T, A) of what all classes count of an attribute's values."""
        known, attribute = self.counts.known, self.counts.attribute
        log_e = log_evidence(0, known, self.counts.sizes[:, None]).sum(axis=2)
        for values in self.counts.blocks():
            log_n = log_numerators(self.counts.of_values(values)).reshape(len(log_e), -1)
            first = np.flatnonzero(np.diff(attribute[values], prepend=-1))
            each = np.add.reduceat(log_n, first * known.shape[2], axis=1)
            log_e[:, attribute[values[first]]] += each
        return log_e

    def factors(self, values: np.ndarray) -> np.ndarray:
        """P(value | c) (T M' + 1, C) of values (M',), for the paths to each node.

        The rows of the nodes lie end to end; the last one, 1, is of a value that takes no part.
        """
        counts, C = self.counts, self.counts.n_classes
        j = counts.attribute[values]
        shares = share(counts.of_values(values), counts.known[:, j], counts.sizes[j, None])
        mix_along(self.tree, shares, self.stop, j)
        return np.concatenate([shares.reshape(-1, C), np.ones((1, C))])

    @cached_property
    def all_factors(self) -> tuple[np.ndarray, np.ndarray]:
        """All values and their factors, which are kept where there is room for them."""
        values = np.arange(len(self.counts.attribute))
        return values, self.factors(values)

    def gathered(self, X: np.ndarray, end: np.ndarray) -> Iterator[tuple]:
        """Yield attributes, cases and ln P(x_j | c) (A', q, C), which add up over what is yielded.

        Of codes X (m, A) whose paths end at nodes (m,); 0 of a missing or new value.
        """
        counts = self.counts
        is_small = len(counts.attribute) * self.tree.counts.size <= ROOM
        parts = [self.all_factors] if is_small else ((v, self.factors(v)) for v in counts.blocks(X))
        for values, factors in parts:
            yield from counts.logarithms(values, factors, X, end)

    def log_word(self, X: np.ndarray, end: np.ndarray) -> np.ndarray:
        """ln B(c | x) (m, C), not normalised: (n_c + 1/2) prod_j P(x_j | c), n_c at the root."""
        total = np.tile(log(self.tree.counts[0] + 0.5), (len(X), 1))
        for _, cases, log_p in self.gathered(X, end):
            total[cases] += log_p.sum(axis=0)
        return total

    def proba(self, X: np.ndarray, gaps: np.ndarray | None, word: np.ndarray) -> np.ndarray:
        """P(c | x) (m, C) of codes X (m, A) with `gaps`, where the nodes' T is `word` (T, C)."""
        end = self.tree.apply(X)
        return pool(log(word)[end], self.log_word(known_codes(X, gaps), end))


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


def path_bayes(
    tree: Tree,
    X_train: Coded,
    y_train: Array | None,
    X: Array,
    gaps: Array | None = None,
    stops: Callable = stops,
) -> Array:
    """P(c | x) ~ sqrt(T B), (m, C), of codes X (m, A) with `gaps`: see the top of this file."""
    counts = PathCounts(tree, X_train, y_train, purpose=PURPOSE)
    return PathFactors(counts).proba(X, gaps, tree_word(tree, stops))


def words(model: Classifier, X: Input) -> tuple[np.ndarray, np.ndarray]:
    """T(c | x) and B(c | x), (m, C) each, of cases X, for a fitted model that pools the two."""
    check_like("a fitted model, such as PathBayes()", model, "encode", "path_factors_")
    codes, known = model.encode(X), model.path_factors_
    end = known.tree.apply(codes.values)
    log_b = known.log_word(known_codes(codes.values, codes.gaps), end)
    return model.node_proba_[end], normalised(log_b, np.ones(log_b.shape[1]))


STOPS = {"path-bayes": stops, "path-bayes-em": learnt_stops}
PATH_BAYES = {name: partial(path_bayes, stops=how) for name, how in STOPS.items()}
