"""The factor of an attribute with many values, of which few occur at each node."""

import numpy as np

from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.logarithms import log
from ranktrees_engine.estimates.factor_parts import attribute_stops
from ranktrees_engine.estimates.mixing import log_evidence, log_numerators, reaching
from ranktrees_engine.estimates.path_counts import PathCounts
from ranktrees_engine.reading.weights import bincount


class RareValues:
    """The factor of one attribute of V values, of which few occur at each node.

    P pairs of a node and a value that occurs there replace its table: `key` (P + 1,) is V times the
    node plus the value, in ascending order; the last one is larger than all. `known` (T, C) counts
    the cases whose value is known. `stop` (T, 1) and `settled` (A,) are as in `PathFactors`.
    """

    def __init__(self, counts: PathCounts, j: int, settled: Array):
        self.paths, self.V = counts.paths, int(counts.sizes[j])
        (T, C), x = counts.tree.counts.shape, counts.X[:, j].astype(np.intp)
        nodes = np.where(x[:, None] < 0, -1, self.paths[counts.end])
        passed = nodes >= 0
        case = np.nonzero(passed)[-2]
        key, pair = np.unique(nodes[passed] * self.V + x[case], return_inverse=True)
        weight = None if counts.weight is None else counts.weight[case]
        n = bincount(pair * C + counts.y[case], weight, len(key) * C).reshape(-1, C)
        node, self.known = key // self.V, np.zeros((T, C), n.dtype)
        np.add.at(self.known, node, n)
        log_e = log_evidence(0, self.known, self.V).sum(axis=1)
        log_e += np.bincount(node, log_numerators(n).sum(axis=1), T)
        self.stop = attribute_stops(counts.tree, settled, log_e[:, None], np.array([j]))
        self.reach, self.n = reaching(counts.tree, self.stop), np.vstack([n, np.zeros_like(n[:1])])
        per_case = self.reach / (self.known + self.V / 2)
        self.key, self.absent_share = np.append(key, T * self.V), per_case / 2
        self.pair_share = np.vstack([(n + 0.5) * per_case[node], np.zeros(C)])

    def logarithms(self, x: Array, end: Array) -> np.ndarray:
        """Return ln P(x | c) (m, C) of values x (m,) on paths to `end` (m,); 0 where x < 0."""
        above, p = np.zeros((2, len(x), self.known.shape[1]))
        for node in self.paths[end].T:
            case = np.flatnonzero((node >= 0) & (x >= 0))
            node, key = node[case], node[case] * self.V + x[case]
            pair = np.searchsorted(self.key, key)
            occurs = (self.key[pair] == key)[:, None]
            weighted = np.where(occurs, self.pair_share[pair], self.absent_share[node])
            p[case] = above[case] + weighted
            above[case] += weighted * self.stop[node]
        p[x < 0] = 1
        return log(p)

    def log_left_out(self, end: Array, x: Array, y: Array, removed: Array | int) -> np.ndarray:
        """Return ln P(x | y) (m,) of training values, with the part `removed` of each left out."""
        above, p = np.zeros((2, len(x)))
        removed = np.broadcast_to(removed, len(x))
        for node in self.paths[end].T:
            case = np.flatnonzero((node >= 0) & (x >= 0))
            node, c, less = node[case], y[case], removed[case]
            pair = np.searchsorted(self.key, node * self.V + x[case])
            share = (self.n[pair, c] - less + 0.5) / (self.known[node, c] - less + self.V / 2)
            weighted = share * self.reach[node, 0]
            p[case] = above[case] + weighted
            above[case] += weighted * self.stop[node, 0]
        p[x < 0] = 1
        return log(p)
