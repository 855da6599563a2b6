"""Cross-validated naive Bayes of many would-be leaves at once.

The training counts of a fold are the counts of all folds minus those of the fold, so that one count
serves all folds. The sum over the attributes of log P(x_b | c) takes one look-up per case and
attribute. No model is fitted twice, and there is no loop over cases.
"""

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.growing.forest import TrainingSets


class OpenNodes:
    """The cases of some open nodes, node by node: m cases, S nodes, A attributes, C classes.

    `y` (m,), `node` (m,) ascending, `cell` (m, A) the place of each value among all M values of all
    attributes, `sizes` (S, A) declared values of each attribute, `path` (S, A) which attributes are
    tested above a node, `counts` (S, C). `n` (S, M) counts the values at each node, and `column`
    (m, A) numbers those that occur there.
    """

    def __init__(
        self,
        sets: TrainingSets,
        first: Array,
        on_path: Array,
        cases: Array,
        node: Array,
        counts: Array,
    ):
        case_of_node = cases[np.searchsorted(node, np.arange(len(counts)))]
        self.cases, self.y, self.node, self.counts = cases, sets.y[cases], node, counts
        self.cell = sets.take(cases) + first[:-1]
        self.sizes, self.path = sets.sizes[sets.root[case_of_node]], on_path[case_of_node]
        S, M = len(counts), int(first[-1])
        cell_of_node = node[:, None] * M + self.cell
        self.n = np.bincount(cell_of_node.ravel(), minlength=S * M).reshape(S, M)
        occurs = self.n > 0
        self.n_values = np.add.reduceat(occurs, first[:-1], axis=1, dtype=np.intp)
        self.width = self.n_values.sum(axis=1)
        number = occurs.cumsum(axis=1) - 1
        self.column = number.ravel().take(cell_of_node)


class InnerBayes:
    """Naive Bayes in inner cross-validation, for `k` folds and training sets of some trees."""

    def __init__(self, most_cases: int, sizes: np.ndarray, C: int, k: int):
        self.C, self.k = C, k
        self.distinct = np.unique(sizes)
        self.log = np.log(np.arange(1, most_cases + self.distinct[-1] + 2))  # log[i] = log(i + 1)

    def log_joint(
        self,
        level: OpenNodes,
        pair: Array,
        group: Array,
        fold: Array,
        node: Array,
        used: Array,
        tested: Array | None = None,
    ) -> Array:
        """Return log P(c, x) (q, R) of q pairs of a case and a would-be leaf that it belongs to.

        Pair i is the case pair[i] of the level, in leaf group[i] with fold number fold[i]; what is
        counted are the leaf's cases of other folds. Leaf g lies at the node node[g] and leaves out
        used[g] attributes: those of the path and, if `tested` (G,) is given, attribute tested[g].
        For two classes R = 1, the log odds; a constant is left out for more.
        """
        result = np.empty((len(pair), 1 if self.C == 2 else self.C))
        weight = self._size_weights(level, node, tested)
        n = np.bincount(group, minlength=len(node))
        cells = np.maximum(level.width[node] * self.k * self.C, n * level.column.shape[1])
        order = np.argsort(group.astype(np.min_scalar_type(len(node))), kind="stable")
        ends = np.append(0, n.cumsum())
        for leaves in blocks(len(node), cells):
            some = order[ends[leaves.start] : ends[leaves.stop]]
            part = (pair[some], group[some] - leaves.start, fold[some], node[leaves])
            result[some] = self._block(level, *part, used[leaves], weight[leaves])
        return result

    def _size_weights(self, level, node, tested):
        """Count the attributes of each distinct size that take part in a leaf: (G, D)."""
        taking = np.stack([(level.sizes == d) & ~level.path for d in self.distinct], axis=-1)
        weight = taking.sum(axis=1)[node]
        if tested is not None:
            weight -= taking[node, tested]
        return weight

    def _block(self, level, pair, group, fold, node, used, weight):
        C, k, y = self.C, self.k, level.y[pair]
        width = level.width[node]
        first = np.cumsum(width) - width
        W, G = int(width.sum()), len(node)
        row = level.column[pair]
        row += (fold * W + first[group])[:, None]
        counts = np.bincount((row * C + y[:, None]).ravel(), minlength=k * W * C)
        table = self.log_of_others(counts.reshape(k, W * C)).reshape(k * W, C)
        n = np.bincount((fold * G + group) * C + y, minlength=k * G * C).reshape(k, G, C)
        base = self._base(n.sum(axis=0) - n, used, weight).reshape(k * G, C)
        if C == 2:
            odds = table[:, 1] - table[:, 0]
            total = odds.take(row).sum(axis=1)[:, None]
            base = base[:, 1:] - base[:, :1]
        else:
            total = table.take(row[:, 0], axis=0)
            for b in range(1, row.shape[1]):
                total += table.take(row[:, b], axis=0)
        total += base.take(fold * G + group, axis=0)
        return total

    def log_of_others(self, counts: np.ndarray) -> np.ndarray:
        """Return log(1 + count) in the other folds, from counts (k, ...) of each."""
        np.subtract(counts.sum(axis=0), counts, out=counts)
        return self.log.take(counts)

    def _base(self, n, used, weight):
        """Return the terms that do not depend on the values (k, G, C): prior and denominators.

        An attribute that is left out has a single value in the leaf: its look-up adds log(n_c + 1),
        which is taken off here.
        """
        base = (1 - used)[:, None] * self.log.take(n)
        for d, size in enumerate(self.distinct):
            base -= weight[:, d, None] * self.log.take(n + size - 1)
        return base
