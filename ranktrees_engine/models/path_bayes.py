"""The recommended model: path Bayes over C4.5's pruned tree."""

import numpy as np

from ranktrees_engine.basics.arguments import check_like, integer, one_of
from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.kinds import ClassWeight
from ranktrees_engine.criteria.split import multiway_two
from ranktrees_engine.estimator.params import param
from ranktrees_engine.growing.tree import less_children
from ranktrees_engine.models.c45 import C45Rules
from ranktrees_engine.models.parameters import check_estimate


class PathBayes(C45Rules):
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

    prune, confidence, raising, collapse, rules = True, 0.25, True, None, "weka"
    estimate_params, numeric, n_bins, max_codes = None, "bins", 10, None

    min_child: int = param(default=2, check=integer(1))
    estimate: str = param(default="path-bayes", check=check_estimate)
    discretize: str = param(default="entropy-mdl")
    missing: str = param(default="impute")
    class_weight: ClassWeight = param(default=None)
    weights: str = param(default="learnt", check=one_of("learnt", "equal"))
    seed: int = param(default=1, check=integer(0, most=float("inf")))

    pool_weights_ = None  # (1 + A,) of the prior and of each attribute, where they are learnt

    def _kinds(self, schema):
        return [multiway_two for _ in schema]

    def _copy(self, **changes):
        return super()._copy(**{"pool_weights_": None, **changes})  # of another tree or estimate

    def _set_estimate(self):
        super()._set_estimate()
        if self.weights == "learnt" and hasattr(self.estimate_, "learn_weights"):
            if self.pool_weights_ is None:
                self.pool_weights_ = self.estimate_.learn_weights()
            self.estimate_ = self.estimate_.with_weights(self.pool_weights_)
        return self

    def path_factors(self) -> tuple[list[tuple], np.ndarray]:
        """The factors, the tree's nodes as ends of paths, weights (A,) and the schema they read.

        Also the number of training cases that end at each node (T,).
        """
        check_fitted(self, "tree_")
        tree, learnt = self.tree_, self.estimate_
        check_like("path Bayes", learnt, "factors")
        one = learnt.factors, np.arange(len(tree)), learnt.all_weights[1:], tree.schema
        return [one], less_children(tree, tree.counts.sum(axis=1)).astype(float)
