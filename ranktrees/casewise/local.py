"""Local estimates: what a single node says of a case (Wang & Zhang 2006, sections 3, 4 and 7).

Contract: `Local(counts).at(node (p,), cells (p, A)) -> (p, C)` for cases to be predicted; with
`own` (p,), the classes of training cases, each of them is left out of the counts of its node.
"""

import numpy as np

from ranktrees.casewise.path_counts import PathCounts


class Local:
    """What all local estimates share: the counts that they are computed from."""

    interchangeable = False  # whether cases of one node and class get the same estimate

    def __init__(self, counts: PathCounts):
        self.counts, self.tree = counts, counts.tree

    def at(self, node: np.ndarray, cells: np.ndarray, own: np.ndarray | None = None) -> np.ndarray:
        """Probabilities (p, C) of the pairs' cases at their nodes."""
        raise NotImplementedError(f"{type(self).__name__} must say what a node says")

    def _left_out(self, own, shape):
        """1 at the class of each case to be left out (p, C), 0 elsewhere."""
        ones = np.zeros(shape)
        if own is not None:
            ones[np.arange(len(own)), own] = 1
        return ones


class Share(Local):
    """(n_c + 1/C) / (N + 1): the same for all cases of a node (Eq. 1).

    `leave_out=False` keeps a training case in the counts, against Step 2 of Algorithm DIW.
    """

    interchangeable = True

    def __init__(self, counts: PathCounts, leave_out: bool = True):
        super().__init__(counts)
        self.leave_out = leave_out

    def at(self, node, cells, own=None):
        """The node's smoothed class shares (p, C)."""
        n = self.tree.counts[node]
        return smoothed(n - self._left_out(own if self.leave_out else None, n.shape))


class Similarity(Local):
    """Every training case votes for its class with weight sim + 1 (Eqs. 5 and 6).

    sim is the number of attributes in which two cases agree. Two training cases are also compared
    by their classes, which then count as one more attribute; `label=False` compares attributes
    only.
    """

    def __init__(self, counts: PathCounts, label: bool = True):
        super().__init__(counts)
        self.label = label

    def at(self, node, cells, own=None):
        """The weighted class shares (p, C)."""
        n = self.tree.counts[node]
        weight = self.counts.matches(node, cells) + n
        if own is not None:
            mine = self._left_out(own, n.shape)
            weight = weight + self.label * mine * n  # one match more with each case of its class
            weight -= mine * (cells.shape[1] + self.label + 1)  # and all of it with itself
        return smoothed(weight)


class NaiveBayes(Local):
    """A naive Bayes of the node's cases over all attributes, Laplace throughout (section 7).

    As in `rt.NaiveBayes`, a value that was never seen takes no part.
    """

    def taking_part(self, node, cells):
        """(p, A): which values speak; those that were seen in training."""
        return cells < self.counts.width - 1

    def at(self, node, cells, own=None):
        """Posterior probabilities (p, C)."""
        n = self.tree.counts[node]
        mine = self._left_out(own, n.shape)
        n, values = n - mine, self.counts.sizes[:, None]
        seen = self.taking_part(node, cells)[:, :, None]

        def log_likelihood(counts, pairs):
            share = np.log(counts + 1 - mine[pairs, None]) - np.log(n[pairs, None] + values)
            return (share * seen[pairs]).sum(axis=1)

        log = np.log(n + 1) + self.counts.look_up(node, cells, log_likelihood)
        odds = np.exp(log - log.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True)


class LeafNaiveBayes(NaiveBayes):
    """A naive Bayes over the attributes that are not settled above (Su & Zhang 2004; Kohavi 1996).

    Where each value has its branch, all cases below have the same one. An attribute that was cut
    in two still has values to tell apart.
    """

    def taking_part(self, node, cells):
        """(p, A): values that were seen, of attributes that are not settled at the node."""
        return super().taking_part(node, cells) & ~self.tree.settled[node]


def smoothed(weight: np.ndarray) -> np.ndarray:
    """(w_c + 1/C) / (W + 1) for weights (..., C) of total W: Eqs. 1 and 6."""
    return (weight + 1 / weight.shape[-1]) / (weight.sum(axis=-1, keepdims=True) + 1)
