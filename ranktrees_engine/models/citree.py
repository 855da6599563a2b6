"""CITree and NBTree: trees with a naive Bayes at every leaf."""

from dataclasses import replace
from typing import Self

from ranktrees_engine.basics.arguments import check_flag, check_number, integer, one_of, shown
from ranktrees_engine.basics.kinds import Classes, Input
from ranktrees_engine.basics.warn import warn_of_time
from ranktrees_engine.citree import SCORINGS, BestRanking, InnerFolds, Rule, cut_where_no_better
from ranktrees_engine.citree.propose import FOLDS
from ranktrees_engine.estimates.path_counts import PathCounts
from ranktrees_engine.estimator.classifier import ELSEWHERE, Classifier, refuse_weights
from ranktrees_engine.estimator.params import param
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.models.naive_bayes import node_bayes
from ranktrees_engine.models.parameters import check_estimate
from ranktrees_engine.reading.encoder import Encoder

MOST_KEPT = 1 << 26  # cells of the value counts that a tree keeps
# Seconds per case, attribute and class of a level, as measured; it often ends after three of them.
PACE = {"auc": 1.5e-7, "accuracy": 4e-8, "log_loss": 4e-8}


def check_share(what, value) -> None:
    """Raise TypeError or ValueError unless `value` is a number from 0 to 1."""
    check_number(what, value, 0)
    if value > 1:
        raise ValueError(f"{what} is a share of at most 1, not {shown(value)}")


class BayesTree(GrownTree):
    """What CITree and NBTree share: a search by inner cross-validation, and models at leaves."""

    _from_tables = False
    numeric, max_codes = "bins", None
    significance, class_weight = None, None
    min_reduction, lazy, prune = None, False, None

    def fit(
        self, X: Input, y: Classes = None, *, progress: bool | None = False, **options: object
    ) -> Self:
        """Grow the tree on cases X (n, A) with classes y (n,), which all count the same.

        With `progress` a bar shows the progress.
        """
        why = f"its inner folds deal and rank whole cases; {ELSEWHERE['class_weight']}"
        refuse_weights(self, why, **options)
        return super().fit(X, y, progress=progress)

    def _proposer(self, sets, n_classes=None):
        folds = InnerFolds(sets.root, sets.y, self.inner_folds, self.folds, self.seed)
        lazy = self.lazy and self.prune is not None
        kind = self.scoring, self.inner_folds, self.folds, self.min_cases
        rule = Rule(*kind, lazy, self.min_reduction)
        return BestRanking(sets, n_classes or len(self.classes_), folds, rule)

    def _grow(self, sets, classes, progress=False):
        cells, A = sets.sizes.shape[1] * len(sets.y), sets.sizes.shape[1]
        levels = min(self.max_depth or 3, 3)
        warn_of_time(levels * PACE[self.scoring] * cells * len(self.classes_) * (1 + A / 50))
        return super()._grow(sets, classes, progress)

    def _trim(self, forest, sets):
        if self.prune is None or self.lazy:
            return forest
        return cut_where_no_better(forest, self._proposer(sets), self.prune)

    def _set_tree(self, tree):
        counts = PathCounts(replace(tree, tables=None), *self.training_)
        tables = counts.all_tables(MOST_KEPT)
        make = None if tables is None else node_bayes
        return super()._set_tree(replace(tree, tables=tables, node_model=make))

    def _encoder(self):
        return Encoder("bins", self.discretize, self.n_bins, missing=self.missing)


class Search(Classifier):
    """How inner folds judge a test."""

    scoring: str = param(default="auc", check=one_of(*SCORINGS))
    inner_folds: int = param(default=5, check=integer(2))
    folds: str = param(default="global", check=one_of(*FOLDS))
    min_cases: int = param(default=5, check=integer(1))


class BayesLeaves(Classifier):
    """Depth, leaves and codes, and the seed that deals the inner folds."""

    max_depth: int | None = param(default=None, check=integer(1, none=True))
    estimate: str = param(default="leaf-naive-bayes", check=check_estimate)
    estimate_params: dict | None = param(default=None)
    discretize: str = param(default="equal-width")
    n_bins: int = param(default=10)
    missing: str = param(default="impute")
    seed: int = param(default=1, check=integer(0, most=float("inf")))


class Cuts(Classifier):
    """How CITree prunes."""

    prune: str | None = param(default="children", check=one_of("children", "subtree", none=True))
    lazy: bool = param(default=True, check=check_flag)


class CITree(BayesLeaves, Cuts, Search, BayesTree):
    """A tree that makes the attributes independent, grown for AUC (Su & Zhang 2004: AUC-CITree).

    A node tests the attribute after which naive Bayes models in the branches, over the attributes
    not on the path, have the best cross-validated AUC (of more classes: Hand & Till's M); a second
    set of folds decides whether that is better than the node's own model. Numbers are in bins, and
    every value of an attribute, ordered or not, has its branch.

    Parameters
    ----------
    scoring : "auc", "accuracy" or "log_loss" of the pooled cross-validated probabilities.
    inner_folds : number of folds that choose; the same number of other folds prune.
    folds : "global": a case keeps its fold in every node. "leaf": the cases of each branch are
        dealt again, as in the paper.
    min_cases : a node with fewer is not split, and a branch with fewer gives 1/C in the search.
    prune : a node's children are removed unless they are better than the node as a leaf: all direct
        "children" as leaves (as in the paper) or what is left of the "subtree". None: never.
    lazy : stop growing where prune="children" would cut, which gives the same tree sooner. False
        first grows the whole tree, which prune="subtree" needs.
    max_depth : most tests on a path, None for no limit.
    estimate, estimate_params : "leaf-naive-bayes", or what `DecisionTree` has.
    discretize, n_bins, missing : as in `DecisionTree`.
    seed : deals the inner folds.

    Attributes: as in `DecisionTree`; `tree_.tables` (T, M, C) are the value counts of each node and
    `node.model` its naive Bayes. A case whose value has no branch gets the model of the node where
    it stops. The time to grow is proportional to the cases and to the square of the number of
    attributes; thousands of values cost more time, but no more memory.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> model = rt.CITree(min_cases=2).fit(data.X, data.y)
    >>> model.tree_.root.model.conditional("windy").round(2).to_numpy().tolist()
    [[0.57, 0.36], [0.43, 0.64]]
    """

    @property
    def min_parent(self) -> int:
        """A node with fewer cases is not split."""
        return max(2, self.min_cases)

    def _check_parameters(self):
        super()._check_parameters()
        if self.lazy and self.prune == "subtree":
            raise ValueError(
                'prune="subtree" compares a node with all that is grown below it: set lazy=False'
            )


class WhenSplit(Classifier):
    """When NBTree splits a node."""

    min_parent: int = param(default=30, check=integer(2))
    min_reduction: float = param(default=0.05, check=check_share)


class NBTree(BayesLeaves, WhenSplit, Search, BayesTree):
    """The NBTree of Kohavi (1996): naive Bayes at the leaves, splits chosen by accuracy.

    The best split is taken if it lowers the node's cross-validated error by at least the share
    `min_reduction`, and the node has at least `min_parent` cases. (Su & Zhang 2004 write "the
    accuracy improvement is less than 5%".) Kohavi cuts numbers in two by entropy; here they are in
    bins, and every value has its branch.

    Parameters
    ----------
    scoring : "accuracy"; "auc" (the error is 1 - AUC) or "log_loss" (the loss itself).
    min_parent, min_reduction : when a node is split, see above.
    inner_folds, folds, min_cases, max_depth, estimate, estimate_params, discretize, n_bins,
        missing, seed : as in `CITree`.

    >>> import ranktrees as rt
    >>> data = rt.load("vote")
    >>> rt.NBTree().fit(data.X, data.y).tree_.root.name is not None
    True
    """

    scoring: str = param(default="accuracy")
