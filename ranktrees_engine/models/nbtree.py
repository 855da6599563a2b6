"""NBTree: naive Bayes at the leaves, splits chosen by its cross-validated accuracy."""

from ranktrees_engine.basics.arguments import check_number, integer, one_of, shown
from ranktrees_engine.citree import SCORINGS, Rule
from ranktrees_engine.citree.propose import FOLDS
from ranktrees_engine.estimator.params import param
from ranktrees_engine.estimator.rules import Rules
from ranktrees_engine.growing.grow import Stop
from ranktrees_engine.models import parameters as fields
from ranktrees_engine.models.bayes_tree import BayesTree, announced, search
from ranktrees_engine.reading.encoder import Encoder


def check_share(what, value) -> None:
    """Raise TypeError or ValueError unless `value` is a number from 0 to 1."""
    check_number(what, value, 0)
    if value > 1:
        raise ValueError(f"{what} is a share of at most 1, not {shown(value)}")


class NBTree(BayesTree):
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

    scoring: str = param(default="accuracy", check=one_of(*SCORINGS))
    inner_folds: int = param(default=5, check=integer(2))
    folds: str = param(default="global", check=one_of(*FOLDS))
    min_cases: int = param(default=5, check=integer(1))
    min_parent: int = param(default=30, check=integer(2))
    min_reduction: float = param(default=0.05, check=check_share)
    max_depth: int | None = fields.max_depth_field()
    estimate: str = fields.estimate_field("leaf-naive-bayes")
    estimate_params: dict | None = fields.estimate_params_field()
    discretize: str = fields.discretize_field()
    n_bins: int = fields.n_bins_field()
    missing: str = fields.missing_field()
    seed: int = fields.seed_field()

    def make_rules(self) -> Rules:
        """Return the rules by which the tree grows."""
        rule = self.scoring, self.inner_folds, self.folds, self.min_cases
        deal = self.inner_folds, self.folds, self.seed
        propose = search(deal, Rule(*rule, False, self.min_reduction))
        return Rules(
            Encoder("bins", self.discretize, self.n_bins, missing=self.missing),
            announced(propose, self.scoring, self.max_depth),
            Stop(self.max_depth, self.min_parent),
            from_tables=False,
        )
