"""C4.5 and C4.4, by the rules of Weka's J48 or of the ranking papers."""

from dataclasses import replace
from functools import partial

import numpy as np

from ranktrees import prune
from ranktrees.basics.arguments import check_flag, one_of
from ranktrees.basics.split import J48_TIE
from ranktrees.growing.forest import TrainingSets, tree_numbers
from ranktrees.growing.tree import Tree, descend
from ranktrees.models.tree import DecisionTree
from ranktrees.prune.in_batches import c45_in_batches
from ranktrees.reading.encoder import Encoder


class C45(DecisionTree):
    """C4.5 (Quinlan 1993), equal to Weka 3.6's J48.

    The attribute of best gain ratio among those of at least average gain; a test needs two branches
    of `min_child` cases, a node twice as many. Numbers in bins branch on every bin; with
    numeric="thresholds" they are cut in two, by the rules of C4.5 release 8. A grown tree is
    collapsed where a subtree makes no fewer training errors than a leaf, then pruned.

    Parameters
    ----------
    prune, confidence, raising : pruning by the upper limit of the error at this confidence, and
        whether a node may be replaced by its largest branch.
    collapse : None follows `rules`: only the C4.4 of "wang2006" does without.
    rules : "weka", or "wang2006" for the trees behind Wang & Zhang's tables, where Laplace counts
        the classes of the leaf's parent (see `rt.estimate.laplace`).
    estimate, estimate_params, numeric, discretize, n_bins, missing, class_weight, seed : as of
        `DecisionTree`.
    max_codes : None: every cut of a number is tried; a number limits them to quantiles.

    Missing values are imputed (Weka sends parts of a case down all branches); a value that was
    never seen, and one whose branch had no training case, stops at its node and gets its estimate.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> len(rt.C45().fit(data.X, data.y).tree_)
    8
    """

    criterion, split, child_rule = "gain_ratio", "multiway", "two"
    max_depth, significance, tie, min_gain = None, None, J48_TIE, J48_TIE
    _c45 = True
    _checks = DecisionTree._checks | {
        "prune": check_flag,
        "raising": check_flag,
        "collapse": partial(check_flag, none=True),
        "rules": one_of("weka", "wang2006"),
    }

    def __init__(
        self,
        prune=True,
        confidence=0.25,
        raising=True,
        collapse=None,
        rules="weka",
        min_child=2,
        estimate="frequency",
        estimate_params=None,
        numeric="bins",
        discretize="equal-width",
        n_bins=10,
        max_codes=None,
        missing="impute",
        class_weight=None,
        seed=1,
    ):
        self._keep(locals())

    @property
    def min_parent(self) -> int:
        """A node needs twice `min_child` cases to be split."""
        return 2 * self.min_child

    def _collapses(self):
        return (self.prune or self.rules == "weka") if self.collapse is None else self.collapse

    def _trim(self, forest, sets):
        forest = cuts_at_values(forest, sets)
        return prune.collapse(forest) if self._collapses() else forest

    def _prune(self, tree, batches=None):
        if not self.prune:
            return tree
        if self.raising and batches is not None:
            return c45_in_batches(tree, batches, self.confidence)
        how = self.confidence, self.raising
        return prune.c45(tree, *self.training_, *how, weight=self.weight_)

    def _params(self):
        if self.rules == "wang2006" and self.estimate == "laplace":
            return {"classes": "parent", **super()._params()}
        return super()._params()

    def _encoder(self):
        rule = self.numeric, self.discretize, self.n_bins, self.max_codes, self.missing
        return Encoder(*rule, cut_at="value")

    def _check_parameters(self):
        super()._check_parameters()
        if self.prune:
            prune.check_confidence(self.confidence)


class C44(C45):
    """C4.4 (Provost & Domingos 2003): C4.5 without pruning, and the Laplace estimate at the leaves.

    With rules="weka" it equals Weka 3.6's `J48 -U -A`, which collapses; "wang2006" is the C4.4 of
    the ranking papers, which does not. Parameters as of `C45`, but for those of pruning.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> rt.C44().fit(data.X, data.y).predict_proba(data.X)[0].round(3).tolist()
    [0.8, 0.2]
    """

    prune, confidence, raising = False, None, False

    def __init__(
        self,
        collapse=None,
        rules="weka",
        min_child=2,
        estimate="laplace",
        estimate_params=None,
        numeric="bins",
        discretize="equal-width",
        n_bins=10,
        max_codes=None,
        missing="impute",
        class_weight=None,
        seed=1,
    ):
        self._keep(locals())


def cuts_at_values(forest: Tree, sets: TrainingSets) -> Tree:
    """The trees with each cut at the largest value of its training set below the cut's middle.

    C4.5 places the cut of a node between two values of the node's own cases, and then moves it to
    the largest value of the whole training set that is not above their middle.
    """
    if not (forest.cut >= 0).any():
        return forest
    low, high = _gaps(forest, sets)
    cut, tree = forest.cut.copy(), tree_numbers(forest)
    nodes = np.flatnonzero(cut >= 0)
    for r, a in np.unique(np.stack([tree[nodes], forest.attribute[nodes]], axis=1), axis=0):
        info = sets.each[r].schema[a]
        values = np.array(info.cuts) if info.kind == "numeric" else np.arange(len(info.values))
        mine = nodes[(tree[nodes] == r) & (forest.attribute[nodes] == a)]
        if info.missing:  # all numbers lie on one side, what is missing on the other
            cut[mine[high[mine] == info.size - 1]] = info.size - 2
        mine = mine[high[mine] < len(values)]
        middle = values[low[mine]] / 2 + values[high[mine]] / 2
        cut[mine] = np.searchsorted(values, middle + J48_TIE) - 1
        cut[mine] = np.clip(cut[mine], low[mine], high[mine] - 1)
    return replace(forest, cut=cut)


def _gaps(forest, sets):
    """For each cut (T,) the largest training code below it and the smallest above, at its node."""
    low, high = np.full(len(forest), -1), np.full(len(forest), np.iinfo(np.intp).max)
    for codes, root in sets.batches():
        for cases, node in descend(forest, codes, root):
            is_cut = forest.cut[node] >= 0
            cases, node = cases[is_cut], node[is_cut]
            code = codes[cases, forest.attribute[node]].astype(np.intp)
            left = code <= forest.cut[node]
            np.maximum.at(low, node[left], code[left])
            np.minimum.at(high, node[~left], code[~left])
    return low, high
