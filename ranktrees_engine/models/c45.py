"""C4.5 and C4.4, with the rules of Weka's J48 or of the ranking papers."""

from functools import partial

from ranktrees_engine import prune
from ranktrees_engine.basics.arguments import check_flag, integer, one_of
from ranktrees_engine.criteria.split import J48_TIE
from ranktrees_engine.estimator.classifier import Classifier
from ranktrees_engine.estimator.params import param
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.models.parameters import Binned, Estimated, Weighted
from ranktrees_engine.reading.encoder import Encoder


class C45Rules(GrownTree):
    """How C4.5 grows, and how it is pruned if the model prunes."""

    criterion, split, child_rule = "gain_ratio", "multiway", "two"
    max_depth, significance, tie, min_gain = None, None, J48_TIE, J48_TIE
    _c45 = True

    @property
    def min_parent(self) -> int:
        """A node needs twice `min_child` cases to be split."""
        return 2 * self.min_child

    def _collapses(self):
        return (self.prune or self.rules == "weka") if self.collapse is None else self.collapse

    def _trim(self, forest, sets):
        return prune.collapse(forest) if self._collapses() else forest

    def _prune(self, tree, file=None):
        if not self.prune:
            return tree
        if self.raising and file is not None:
            return file.c45(tree, self.confidence)
        how = self.confidence, self.raising
        return prune.c45(tree, *self.training_, *how, weight=self.weight_)

    def _estimate_params(self):
        if self.rules == "wang2006" and self.estimate == "laplace":
            return {"classes": "parent", **(self.estimate_params or {})}
        return self.estimate_params

    def _encoder(self):
        rule = self.numeric, self.discretize, self.n_bins, self.max_codes, self.missing
        return Encoder(*rule, cut_at="value")

    def _check_parameters(self):
        super()._check_parameters()
        if self.prune:
            prune.check_confidence(self.confidence)


class Pruned(Classifier):
    """Whether and how C4.5's tree is pruned."""

    prune: bool = param(default=True, check=check_flag)
    confidence: float = param(default=0.25)  # checked where it prunes
    raising: bool = param(default=True, check=check_flag)


class Collapsed(Classifier):
    """Whether a grown tree is collapsed, which rules hold, and the least size of a branch."""

    collapse: bool | None = param(default=None, check=partial(check_flag, none=True))
    rules: str = param(default="weka", check=one_of("weka", "wang2006"))
    min_child: int = param(default=2, check=integer(1))


class C45(Weighted, Binned, Estimated, Collapsed, Pruned, C45Rules):
    """C4.5 (Quinlan 1993), equal to Weka 3.6's J48.

    A node tests the attribute of best gain ratio among those of at least average gain. A test needs
    two branches of `min_child` cases, a node twice as many. Numbers in bins branch on every bin;
    with numeric="thresholds" they are cut in two, by the rules of C4.5 release 8. A grown tree is
    collapsed where a subtree makes at least as many training errors as a leaf, then pruned.

    Parameters
    ----------
    prune, confidence, raising : pruning by the upper limit of the error at this confidence, and
        whether a node may be replaced by its largest branch.
    collapse : None follows `rules`: only the C4.4 of "wang2006" is not collapsed.
    rules : "weka", or "wang2006" for the trees behind Wang & Zhang's tables, where Laplace counts
        the classes of the leaf's parent (see `rt.estimate.laplace`).
    estimate, estimate_params, numeric, discretize, n_bins, missing, class_weight, seed : as in
        `DecisionTree`.
    max_codes : if None, every cut of a number is tried; a number limits them to quantiles.

    Missing values are imputed (Weka sends parts of a case down all branches). A case whose value
    was never seen, or has a branch without training cases, stops at that node and gets its
    estimate.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> len(rt.C45().fit(data.X, data.y).tree_)
    8
    """


class C44(Weighted, Binned, Estimated, Collapsed, C45Rules):
    """C4.4 (Provost & Domingos 2003): C4.5 without pruning, and the Laplace estimate at the leaves.

    With rules="weka" it equals Weka 3.6's `J48 -U -A`, which collapses; "wang2006" is the C4.4 of
    the ranking papers, which does not. Parameters as in `C45`, except those of pruning.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> rt.C44().fit(data.X, data.y).predict_proba(data.X)[0].round(3).tolist()
    [0.8, 0.2]
    """

    prune, confidence, raising = False, None, False
    estimate: str = param(default="laplace")
