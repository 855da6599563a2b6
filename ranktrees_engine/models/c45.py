"""C4.5, with the rules of Weka's J48 or of the ranking papers."""

from functools import partial

from ranktrees_engine import prune
from ranktrees_engine.basics.arguments import check_flag, integer, one_of
from ranktrees_engine.basics.kinds import ClassWeight
from ranktrees_engine.estimator.params import param
from ranktrees_engine.estimator.rules import Rules
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.growing.best import split_kind
from ranktrees_engine.models import parameters as fields
from ranktrees_engine.models.c45_rules import Pruning, c45_rules, parent_classes
from ranktrees_engine.reading.encoder import Encoder


class C45(GrownTree):
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
    max_leaf_nodes : most leaves before the tree is collapsed and pruned, as in `DecisionTree`.
    max_codes : if None, every cut of a number is tried; a number limits them to quantiles.

    Missing values are imputed (Weka sends parts of a case down all branches). A case whose value
    was never seen, or has a branch without training cases, stops at that node and gets its
    estimate.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> len(rt.C45().fit(data.X, data.y).tree_)
    8
    """

    prune: bool = param(default=True, check=check_flag)
    confidence: float = param(default=0.25)  # checked if the tree is pruned
    raising: bool = param(default=True, check=check_flag)
    collapse: bool | None = param(default=None, check=partial(check_flag, none=True))
    rules: str = param(default="weka", check=one_of("weka", "wang2006"))
    min_child: int = param(default=2, check=integer(1))
    estimate: str = fields.estimate_field()
    estimate_params: dict | None = fields.estimate_params_field()
    numeric: str = fields.numeric_field()
    discretize: str = fields.discretize_field()
    n_bins: int = fields.n_bins_field()
    max_codes: int | None = fields.max_codes_field()
    missing: str = fields.missing_field()
    class_weight: ClassWeight = fields.class_weight_field()
    seed: int = fields.seed_field()
    max_leaf_nodes: int | None = fields.max_leaf_nodes_field()

    def make_rules(self) -> Rules:
        """Return the rules by which the tree grows and is pruned."""
        numbers = self.numeric, self.discretize, self.n_bins, self.max_codes
        return c45_rules(
            Encoder(*numbers, self.missing, cut_at="value"),
            lambda info: split_kind(info, "multiway", self.numeric, "two"),
            self.min_child,
            (self.prune or self.rules == "weka") if self.collapse is None else self.collapse,
            Pruning(self.confidence, self.raising) if self.prune else None,
            self.max_leaf_nodes,
        )

    def _check_parameters(self):
        super()._check_parameters()
        if self.prune:
            prune.check_confidence(self.confidence)

    def _estimate_params(self):
        return parent_classes(self.rules, self.estimate, self.estimate_params)
