"""The decision tree of lectures and textbooks, with every criterion and estimate of the package."""

from collections import ChainMap
from functools import partial

from ranktrees_engine.basics.arguments import check_number, choose, integer, one_of, real, shown
from ranktrees_engine.basics.kinds import ClassWeight
from ranktrees_engine.criteria.criteria import CRITERIA, SYNONYMS, entropy, gini
from ranktrees_engine.criteria.split import SPLITS
from ranktrees_engine.estimates import ESTIMATES
from ranktrees_engine.estimates.within import Within
from ranktrees_engine.estimator.params import param
from ranktrees_engine.estimator.rules import Rules, best_attribute, best_nodes, unpruned
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.growing.best import split_kind
from ranktrees_engine.growing.grow import Stop
from ranktrees_engine.growing.monotonic import check_signs, monotone_attribute, signs_of
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.models import parameters as fields
from ranktrees_engine.prune.weakest_link import cut_at
from ranktrees_engine.reading.encoder import Encoder


def check_criterion(what: str, name: object) -> None:
    """Raise ValueError, listing the known ones, unless a criterion has this name."""
    choose(what, name, ChainMap(SYNONYMS, CRITERIA))  # asked now: a reader may have added one


def check_significance(what: str, value: object) -> None:
    """Raise TypeError or ValueError unless a p-value is a number in (0, 1], or None."""
    check_number(what, value, 0, none=True)
    if value is not None and not 0 < value <= 1:
        raise ValueError(f"{what} must lie in (0, 1], not {shown(value)}")


def cut_by_price(alpha: float, criterion: str, tree: Tree, cases: object) -> Tree:
    """Return the tree that cost-complexity pruning leaves at the price `alpha` of a leaf."""
    return cut_at(tree, alpha, "impurity" if criterion == "gini" else "entropy")


class DecisionTree(GrownTree):
    """A decision tree grown from the top, one level at a time (R&M 9.2).

    Parameters
    ----------
    criterion : a name in `rt.CRITERIA`; "gain_ratio" goes in two stages, as C4.5 does; "entropy"
        and "log_loss" are other names of "information_gain".
    split : "multiway" (a branch per value), "binary" (a subset and the rest) or "threshold" (all
        attributes cut as if ordered). Ordered attributes are always cut in their order.
    estimate : a name in `rt.estimate.ESTIMATES`. Of each node: "frequency", "laplace", "m",
        "m-branch", "curtailment", "shrinking", "hierarchical-shrinkage", "prunings". Of each case:
        "ling-yan", "shrinkage", "wpe", "shrinkage+wpe", "naive-bayes", "leaf-naive-bayes",
        "shrinkage+naive-bayes", "path-bayes", "path-bayes-em".
    estimate_params : parameters of the estimate, such as {"m": 2}.
    numeric : "bins" (`discretize`, `n_bins`) or "thresholds" (binary cuts over `max_codes` codes).
    discretize : "equal-width", "equal-frequency", "k-means" or "entropy-mdl", which looks at the
        classes of the training data. With path Bayes it had a mean AUC of .927 on 35 sets, equal
        width one of .921: better on 14, by 2.8 points on average, and worse on 18, by 1.0.
    missing : "impute" (mean, most frequent), "value" (a value of its own) or "error".
    max_depth, min_parent, min_child, min_gain, significance : when to stop: greatest depth, least
        number of cases to split a node, least number of cases of a branch, score (in the
        criterion's unit) that the best test must exceed, highest p-value of chi-squared.
    child_rule : "every" branch needs `min_child` cases, or "two" of them (Quinlan 1993).
    tie : the first attribute within this distance of the best score wins.
    class_weight : {class: weight}, "balanced" (all classes have the same total weight), or None, if
        every class has weight 1.
    seed : part of every model's interface; growing this tree uses no random numbers.
    max_leaf_nodes : most leaves, or None. The leaf whose test lowers the impurity most, times its
        cases, is split first (in Gini index if that is the criterion, else entropy).
    ccp_alpha : the price of a leaf. The grown tree is cut back to the part with the least impurity
        per case plus this price times leaves (Breiman et al. 1984); `rt.prune.path` lists the
        numbers at which the tree changes. If 0, it is not cut back.
    monotonic : {name: sign}, or None. With sign 1 the probability of the second of two classes
        never falls where this attribute rises and all others stay the same; with -1 it never rises;
        0 is no constraint. Such an attribute, numeric or ordered, is always cut in two, and never
        against its sign. The middle of both sides' shares bounds the probabilities of all nodes
        below, and `estimate`, which must be one of each node, is moved into these bounds. The
        anchor is scikit-learn's `monotonic_cst`.

    Attributes: `tree_`, `classes_`, `encoder_`, `n_features_in_`, `feature_names_in_`. A case whose
    value was never seen at a node stops there and gets that node's estimate.

    `classes_` are the declared classes, sorted as scikit-learn's are. Its scorers of probabilities
    ("roc_auc") know only classes that occur: give them `y.remove_unused_categories()`.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> rt.DecisionTree().fit(data.X, data.y).predict_proba(data.X).shape
    (14, 2)
    """

    criterion: str = param(default="gain_ratio", check=check_criterion)
    split: str = param(default="multiway", check=one_of(*SPLITS))
    estimate: str = fields.estimate_field()
    estimate_params: dict | None = fields.estimate_params_field()
    numeric: str = fields.numeric_field()
    discretize: str = fields.discretize_field()
    n_bins: int = fields.n_bins_field()
    max_codes: int | None = fields.max_codes_field(255)
    missing: str = fields.missing_field()
    max_depth: int | None = fields.max_depth_field()
    min_parent: int = param(default=2, check=integer(2))
    min_child: int = param(default=1, check=integer(1))
    child_rule: str = param(default="every", check=one_of("every", "two"))
    min_gain: float = param(default=1e-9, check=real(0))
    significance: float | None = param(default=None, check=check_significance)
    tie: float = param(default=1e-9, check=real(0))
    class_weight: ClassWeight = fields.class_weight_field()
    seed: int = fields.seed_field()
    max_leaf_nodes: int | None = fields.max_leaf_nodes_field()
    ccp_alpha: float = param(default=0.0, check=real(0))
    monotonic: dict | None = param(default=None, check=check_signs)

    def make_rules(self) -> Rules:
        """Return the rules by which the tree grows."""
        numbers = self.numeric, self.discretize, self.n_bins, self.max_codes
        make = partial(monotone_attribute, monotonic=self.monotonic)
        propose = partial(
            make if self.monotonic else best_attribute,
            kind=lambda info: split_kind(info, self.split, self.numeric, self.child_rule),
            criterion=SYNONYMS.get(self.criterion, self.criterion),
            min_child=self.min_child,
            min_gain=self.min_gain,
            tie=self.tie,
        )
        stop = Stop(self.max_depth, self.min_parent, self.significance)
        trim = best_nodes(self.max_leaf_nodes, self._impurity())
        cut = partial(cut_by_price, self.ccp_alpha, self.criterion) if self.ccp_alpha else unpruned
        return Rules(Encoder(*numbers, self.missing), propose, stop, trim, cut)

    def _check_parameters(self):
        super()._check_parameters()
        if self.monotonic and ESTIMATES[self.estimate].needs != "counts":
            raise ValueError(
                f"monotonic: the estimate {self.estimate!r} differs from case to case and keeps no "
                "sign: choose one of each node, such as 'laplace'"
            )

    def _set_estimate(self):
        if self.monotonic:
            self._check_parameters()  # also of a copy with another estimate
        super()._set_estimate()
        if self.monotonic:
            sign = signs_of(self.monotonic, self.tree_.schema, len(self.tree_.classes))
            within = Within(self.estimate_, sign)
            within.name = self.estimate
            self.estimate_ = within.learn(self.tree_, self.cases_)
        return self

    def _impurity(self):
        return gini if self.criterion == "gini" else entropy
