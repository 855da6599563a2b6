"""The recommended model: path Bayes over C4.5's pruned tree."""

import numpy as np

from ranktrees_engine.basics.arguments import check_like, integer, one_of
from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.kinds import ClassWeight
from ranktrees_engine.criteria.split import multiway_two
from ranktrees_engine.estimator.params import param
from ranktrees_engine.estimator.rules import Rules
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.growing.tree import less_children
from ranktrees_engine.models import parameters as fields
from ranktrees_engine.models.c45_rules import Pruning, c45_rules
from ranktrees_engine.reading.encoder import Encoder


class PathBayes(GrownTree):
    """Ranking by a tree and naive Bayes together, each attribute at the depths of most evidence.

    It is C4.5's pruned tree with a branch per value (`C45`), whose estimate is path Bayes: on the
    path of a case, the tree's class shares and each attribute's share of its value are averaged
    over all prunings by their evidence, and the two estimates are pooled (see `rt.path_bayes`). The
    tree has one half of the pool; the weights of the prior and of each attribute are learnt by
    leaving each case out of its own counts. Nothing is tuned. A missing value has no factor, and
    the tree follows the mean or most frequent one. For cases in files (`rt.scan`) it keeps only the
    counts of each node.

    Parameters
    ----------
    min_child : a test needs two branches with at least this number of cases.
    estimate : "path-bayes"; "path-bayes-em" learns how deep the tree's own estimate looks.
    discretize : how numbers are cut: "entropy-mdl" looks at the classes of the training data;
        `DecisionTree` compares it with bins of equal width.
    weights : "learnt", or "equal": one half each, as with `estimate="path-bayes"` of other trees.
    missing, class_weight, seed : as in `DecisionTree`. Ordered attributes also have a branch per
        value.

    `pool_weights_` (1 + A,) are the learnt weights of the prior and of each attribute;
    `feature_importances_` count an attribute's factor as well as the tests of it.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> rt.PathBayes().fit(data.X, data.y).predict_proba(data.X)[0].round(2).tolist()
    [0.87, 0.13]
    """

    min_child: int = param(default=2, check=integer(1))
    estimate: str = fields.estimate_field("path-bayes")
    discretize: str = fields.discretize_field("entropy-mdl")
    missing: str = fields.missing_field()
    class_weight: ClassWeight = fields.class_weight_field()
    weights: str = param(default="learnt", check=one_of("learnt", "equal"))
    seed: int = fields.seed_field()

    learnt = "pool_weights_"
    pool_weights_ = None  # (1 + A,) of the prior and of each attribute, where they are learnt

    def make_rules(self) -> Rules:
        """Return the rules by which the tree grows: C4.5's, with a branch for every value."""
        encoder = Encoder("bins", self.discretize, 10, None, self.missing, cut_at="value")
        return c45_rules(encoder, lambda info: multiway_two, self.min_child, pruning=Pruning())

    def _copy(self, **changes):
        return super()._copy(**{"pool_weights_": None, **changes})  # of another tree or estimate

    def _set_estimate(self):
        super()._set_estimate()
        if self.weights == "learnt" and self.estimate_.pools:
            if self.pool_weights_ is None:
                self.pool_weights_ = self.estimate_.learn_weights()
            self.estimate_ = self.estimate_.with_weights(self.pool_weights_)
        return self

    def path_factors(self) -> tuple[list[tuple], np.ndarray]:
        """Return the factors, the tree's nodes as ends of paths, weights (A,) and their schema.

        Also the number of training cases that end at each node (T,).
        """
        check_fitted(self, "tree_")
        tree, learnt = self.tree_, self.estimate_
        check_like("path Bayes", learnt, "factors")
        one = learnt.factors, np.arange(len(tree)), learnt.all_weights[1:], tree.schema
        return [one], less_children(tree, tree.counts.sum(axis=1)).astype(float)
