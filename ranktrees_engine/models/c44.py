"""C4.4, with the rules of Weka's J48 or of the ranking papers."""

from functools import partial

from ranktrees_engine.basics.arguments import check_flag, integer, one_of
from ranktrees_engine.basics.kinds import ClassWeight
from ranktrees_engine.estimator.params import param
from ranktrees_engine.estimator.rules import Rules
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.growing.best import split_kind
from ranktrees_engine.models import parameters as fields
from ranktrees_engine.models.c45_rules import c45_rules, parent_classes
from ranktrees_engine.reading.encoder import Encoder


class C44(GrownTree):
    """C4.4 (Provost & Domingos 2003): C4.5 without pruning, and the Laplace estimate at the leaves.

    With rules="weka" it equals Weka 3.6's `J48 -U -A`, which collapses; "wang2006" is the C4.4 of
    the ranking papers, which does not. Parameters as in `C45`, except those of pruning.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> rt.C44().fit(data.X, data.y).predict_proba(data.X)[0].round(3).tolist()
    [0.8, 0.2]
    """

    collapse: bool | None = param(default=None, check=partial(check_flag, none=True))
    rules: str = param(default="weka", check=one_of("weka", "wang2006"))
    min_child: int = param(default=2, check=integer(1))
    estimate: str = fields.estimate_field("laplace")
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
        """Return the rules by which the tree grows: C4.5's, without pruning."""
        numbers = self.numeric, self.discretize, self.n_bins, self.max_codes
        return c45_rules(
            Encoder(*numbers, self.missing, cut_at="value"),
            lambda info: split_kind(info, "multiway", self.numeric, "two"),
            self.min_child,
            self.rules == "weka" if self.collapse is None else self.collapse,
            max_leaf_nodes=self.max_leaf_nodes,
        )

    def _estimate_params(self):
        return parent_classes(self.rules, self.estimate, self.estimate_params)
