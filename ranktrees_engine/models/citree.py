"""CITree: a tree that makes the attributes independent, with a naive Bayes at every leaf."""

from ranktrees_engine.basics.arguments import check_flag, integer, one_of
from ranktrees_engine.citree import SCORINGS, Rule, cut_where_no_better
from ranktrees_engine.citree.propose import FOLDS
from ranktrees_engine.estimator.params import param
from ranktrees_engine.estimator.rules import Rules, as_grown
from ranktrees_engine.growing.grow import Stop
from ranktrees_engine.models import parameters as fields
from ranktrees_engine.models.bayes_tree import BayesTree, announced, search
from ranktrees_engine.reading.encoder import Encoder


class CITree(BayesTree):
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

    scoring: str = param(default="auc", check=one_of(*SCORINGS))
    inner_folds: int = param(default=5, check=integer(2))
    folds: str = param(default="global", check=one_of(*FOLDS))
    min_cases: int = param(default=5, check=integer(1))
    prune: str | None = param(default="children", check=one_of("children", "subtree", none=True))
    lazy: bool = param(default=True, check=check_flag)
    max_depth: int | None = fields.max_depth_field()
    estimate: str = fields.estimate_field("leaf-naive-bayes")
    estimate_params: dict | None = fields.estimate_params_field()
    discretize: str = fields.discretize_field()
    n_bins: int = fields.n_bins_field()
    missing: str = fields.missing_field()
    seed: int = fields.seed_field()

    def make_rules(self) -> Rules:
        """Return the rules by which the tree grows, and where it is cut back."""
        rule = self.scoring, self.inner_folds, self.folds, self.min_cases
        lazy = self.lazy and self.prune is not None
        propose = search((self.inner_folds, self.folds, self.seed), Rule(*rule, lazy, None))

        def cut(forest, sets):
            proposer = propose(sets, forest.counts.shape[1])
            return cut_where_no_better(forest, proposer, self.prune)

        return Rules(
            Encoder("bins", self.discretize, self.n_bins, missing=self.missing),
            announced(propose, self.scoring, self.max_depth),
            Stop(self.max_depth, max(2, self.min_cases)),
            as_grown if self.prune is None or self.lazy else cut,
            from_tables=False,
        )

    def _check_parameters(self):
        super()._check_parameters()
        if self.lazy and self.prune == "subtree":
            raise ValueError(
                'prune="subtree" compares a node with all that is grown below it: set lazy=False'
            )
