"""The decision tree: scikit-learn's interface over the driver, the proposers, the estimates."""

from collections import ChainMap
from dataclasses import replace
from functools import cached_property, partial
from typing import Self

import numpy as np

from ranktrees.basics.arguments import check_like, check_number, choose, integer, one_of, real
from ranktrees.basics.kinds import Case, Classes, ClassWeight, Explanation, Input, Sparse, Weights
from ranktrees.basics.warn import progress_bar
from ranktrees.criteria.criteria import CRITERIA, SYNONYMS
from ranktrees.criteria.split import SPLITS
from ranktrees.estimates.nodes import ESTIMATES
from ranktrees.estimates.path_bayes import PATH_BAYES, PURPOSE, STOPS, PathFactors, tree_word
from ranktrees.estimates.path_counts import PathCounts
from ranktrees.estimates.shrinkage import CASEWISE, LOCAL
from ranktrees.estimator.classifier import IN_FILES, check_fitted, refuse_of_scans, refuse_weights
from ranktrees.estimator.grown import FoldsTogether
from ranktrees.growing.best import BestAttribute, split_kind
from ranktrees.growing.forest import TrainingSets, plant
from ranktrees.growing.grow import Stop, grow
from ranktrees.growing.rows import Cases
from ranktrees.growing.tree import Tree, descend
from ranktrees.reading.columns import SAMPLE, is_scan
from ranktrees.reading.encoder import Codes, Encoder
from ranktrees.reading.weights import as_whole_cases, warn_of_little


def check_significance(what, value) -> None:
    """Raise TypeError or ValueError unless a p-value is a number in (0, 1], or None."""
    check_number(what, value, 0, none=True)
    if value is not None and not 0 < value <= 1:
        raise ValueError(f"{what} must lie in (0, 1], not {value!r}")


class DecisionTree(FoldsTogether):
    """A decision tree grown from the top, one level at a time (R&M 9.2).

    Parameters
    ----------
    criterion : a name in `rt.CRITERIA`; "gain_ratio" goes in two stages, as C4.5 does; "entropy" is
        another name of "information_gain".
    split : "multiway" (a branch a value), "binary" (a subset and the rest) or "threshold" (all
        attributes cut as if ordered). Ordered attributes are always cut in their order.
    estimate : a name in `rt.estimate.ESTIMATES` ("frequency", "laplace", "m", "m-branch",
        "curtailment", "shrinking", "hierarchical-shrinkage", "prunings") or in
        `rt.shrinkage.CASEWISE` ("ling-yan", "shrinkage", "wpe", "shrinkage+wpe", "naive-bayes",
        "shrinkage+naive-bayes", "path-bayes", "path-bayes-em"), with `estimate_params` such as
        {"m": 2}.
    numeric : "bins" (`discretize`, `n_bins`) or "thresholds" (binary cuts over `max_codes` codes).
    discretize : "equal-width", "equal-frequency", "k-means" or "entropy-mdl", which looks at the
        classes of the training data. With path Bayes it had a mean AUC of .927 on 35 sets, equal
        width one of .921: ahead on 14, by 2.8 points in the mean, and behind on 18, by 1.0.
    missing : "impute" (mean, most frequent), "value" (a value of its own) or "error".
    max_depth, min_parent, min_child, min_gain, significance : when to stop: depth, cases of a node
        to be split, cases of a branch, a score (in the criterion's unit) that the best test must
        exceed, highest p-value of chi-squared.
    child_rule : "every" branch needs `min_child` cases, or "two" of them (Quinlan 1993).
    tie : the first attribute within this distance of the best score wins.
    class_weight : {class: weight}, "balanced" (all classes weigh the same in all), None: 1 each.
    seed : part of every model's interface; growing this tree uses no random numbers.

    Attributes: `tree_`, `classes_`, `encoder_`, `n_features_in_`, `feature_names_in_`. A case whose
    value was never seen at a node stops there and gets that node's estimate.

    `classes_` are the declared classes, sorted as scikit-learn's are. Its scorers of probabilities
    ("roc_auc") know classes that occur alone: give them `y.remove_unused_categories()`.

    >>> import ranktrees as rt
    >>> data = rt.load("weather.nominal")
    >>> rt.DecisionTree().fit(data.X, data.y).predict_proba(data.X).shape
    (14, 2)
    """

    _c45 = False  # whether C4.5's own rules for cuts and many-valued attributes hold
    _from_tables = True  # whether count tables are all that growing needs

    tree_: Tree
    _checks = FoldsTogether._checks | {
        "criterion": partial(choose, known=ChainMap(SYNONYMS, CRITERIA)),  # which may be added to
        "split": one_of(*SPLITS),
        "estimate": one_of(*ESTIMATES, *CASEWISE),
        "child_rule": one_of("every", "two"),
        "min_parent": integer(2),
        "min_child": integer(1),
        "max_depth": integer(1, none=True),
        "min_gain": real(0),
        "tie": real(0),
        "significance": check_significance,
    }

    def __init__(
        self,
        criterion: str = "gain_ratio",
        split: str = "multiway",
        estimate: str = "frequency",
        estimate_params: dict | None = None,
        numeric: str = "bins",
        discretize: str = "equal-width",
        n_bins: int = 10,
        max_codes: int | None = 255,
        missing: str = "impute",
        max_depth: int | None = None,
        min_parent: int = 2,
        min_child: int = 1,
        child_rule: str = "every",
        min_gain: float = 1e-9,
        significance: float | None = None,
        tie: float = 1e-9,
        class_weight: ClassWeight = None,
        seed: int = 1,
    ):
        self._keep(locals())

    weight_ = None  # of the training cases, where they do not count 1 each
    gaps_ = None  # which of their values were missing and are filled in, where some are
    ended_ = None  # what path Bayes counts of cases in files: see `count_ends`

    def fit(
        self,
        X: Input,
        y: Classes = None,
        sample_weight: Weights = None,
        *,
        budget: int | str | None = None,
        engine: str | None = None,
        progress: bool | None = False,
    ) -> Self:
        """Grow the tree on cases X (n, A) with classes y (n,); X may be a `Codes`, too.

        A case counts as `sample_weight` (n,) and `class_weight` say, see `rt.weights`; so do all
        limits. With `progress` a bar shows how far it is. X may also be an `rt.scan` of files,
        which has its classes with it: then `budget` bounds the memory for tables ("256MB"), and
        engine="dask" counts them on a cluster.
        """
        if is_scan(X):
            refuse_weights(self, IN_FILES, sample_weight=sample_weight)
            return X.fit(self, y, budget, engine=engine, progress=progress)
        refuse_of_scans(self, budget=budget, engine=engine)
        self._check_parameters()
        cases, y = self._read_training(X, y)
        cases, y, weight = self._weigh(cases, y, sample_weight)
        if isinstance(cases, Codes):
            codes = cases.take(np.arange(len(cases)))  # lest they change afterwards
        else:
            self.encoder_ = self._encoder()
            self.encoder_.learn(cases, y, weight)
            codes = self.encoder_.apply(cases)
        tree = self._grow(TrainingSets.single(codes, y, weight), progress)[0]
        return self._finish(tree, codes, y, weight)

    def predict_proba(self, X: Input) -> np.ndarray:
        """Class probabilities (n, C), a column for each of `classes_`; of a scan an iterator."""
        if is_scan(X):
            return X.predict_proba(self)
        return self._proba(self.encode(X))

    def _proba(self, codes):
        if self.estimate in PATH_BAYES:
            return self.path_factors_.proba(codes.values, codes.gaps, self.node_proba_)
        if self.estimate in CASEWISE:
            return self._by_case(codes.values)
        return self.node_proba_[self.tree_.apply(codes.values)]

    def apply(self, X: Input) -> np.ndarray:
        """Node (n,) at which each case ends: a leaf, or where its value has no branch."""
        values = self.encode(X).values
        return self.tree_.apply(values)

    def decision_path(self, X: Input) -> Sparse:
        """Which nodes each case passes: a sparse matrix (n, T) of ones, as scikit-learn has it."""
        from scipy.sparse import csr_array

        values = self.encode(X).values
        passed = list(descend(self.tree_, values))
        cases, node = (np.concatenate(part) for part in zip(*passed, strict=True))
        shape = len(values), len(self.tree_)
        return csr_array((np.ones(len(cases), np.int64), (cases, node)), shape)

    def encode(self, X: Input) -> Codes:
        """The codes (n, A) in which the tree sees these cases; -1 where a value was never seen."""
        check_fitted(self, "tree_")
        if isinstance(X, Codes):
            X.check(self.tree_.schema, unseen=True)
            return X
        self._check_read()
        return self.encoder_.apply(self._read_new(X))

    def with_tree(self, tree: Tree) -> "DecisionTree":
        """A fitted copy with another tree over the same attributes and classes, as a pruned one."""
        check_fitted(self, "tree_")
        check_like("a Tree, such as model.tree_", tree, "schema", "classes")
        if tree.schema != self.tree_.schema or tree.classes != self.tree_.classes:
            raise ValueError("the tree has other attributes or classes than this model's")
        return self._copy(ended_=None)._set_tree(tree)

    def explain(self, case: Case) -> Explanation:
        """One prediction in words and numbers: path, counts and estimate of one case (1, A)."""
        from ranktrees.explain import explain_tree

        return explain_tree(self, case)

    def _grow(self, sets, progress=False):
        """The trees of all training sets, grown together."""
        stop = Stop(self.max_depth, self.min_parent, self.significance)
        if sets.weight is not None:
            self._warn_of_little(sets.n_cases.min())
        rows = Cases(sets, len(self.classes_))
        with progress_bar(None, progress, "levels") as advance:
            forest = grow(rows, self._proposer(sets), self.classes_.tolist(), stop, advance)
        forest = self._trim(replace(forest, schema=sets.each[0].schema), sets)
        return plant(forest, [codes.schema for codes in sets.each])

    def _warn_of_little(self, total):
        limit = "min_parent" if "min_parent" in self._parameter_names() else "min_child"
        warn_of_little(total, self.min_parent, limit)

    def _finish(self, tree, codes, y, weight=None):
        self.training_, self.weight_, self.gaps_ = (codes.values, y), weight, codes.gaps
        self.ended_ = None
        return self._set_tree(self._prune(tree))

    def _forget_training(self, A):
        """The cases of A attributes are in files, and are not kept."""
        self.training_ = np.zeros((0, A), np.int8), np.zeros(0, np.intp)
        self.weight_ = self.gaps_ = self.ended_ = None

    def _set_tree(self, tree):
        self.tree_ = tree
        for name in ("path_counts_", "path_factors_"):  # those of another tree
            vars(self).pop(name, None)
        return self._set_estimate()

    @cached_property
    def path_counts_(self) -> PathCounts:
        """What the training cases count along the paths, for estimates that differ by case."""
        return PathCounts(self.tree_, *as_whole_cases(*self.training_, self.weight_))

    @cached_property
    def path_factors_(self) -> PathFactors:
        """Path Bayes' factors, of what the training cases count along the paths."""
        if self.ended_ is not None:
            return PathFactors(PathCounts.of_ends(self.tree_, self.ended_))
        cases = *self.training_, self.weight_, self.gaps_
        return PathFactors(PathCounts(self.tree_, *cases, PURPOSE))

    @cached_property
    def _by_case(self):
        """The estimate (m, C) of codes X (m, A), where it differs from case to case."""
        if self.estimate not in CASEWISE:  # inspect.getmembers passes over such an error
            raise AttributeError(f"the estimate {self.estimate!r} is the same for all of a leaf")
        X, y = self.training_
        known = self.path_counts_ if self.estimate in LOCAL else X
        return partial(CASEWISE[self.estimate], self.tree_, known, y, **self._params())

    def _trim(self, forest, sets):
        """What is done to grown trees together, before they are taken apart: nothing here."""
        return forest

    def _prune(self, tree, batches=None):
        """What is done to each grown tree, whose cases `batches()` yields if they are in files."""
        return tree

    def _set_estimate(self):
        self._checks["estimate"]("estimate", self.estimate)
        params = self._params()
        vars(self).pop("_by_case", None)  # that of another estimate
        is_counted = self.estimate in PATH_BAYES and self.ended_ is not None
        if self.estimate in CASEWISE and not is_counted and not len(self.training_[1]):
            counted = "fit the files with it, or " * (self.estimate in PATH_BAYES)
            advice = f"{counted}take one per node, such as 'laplace', or {SAMPLE}"
            raise ValueError(f"the estimate {self.estimate!r} asks for the cases: {advice}")
        if self.estimate in PATH_BAYES:
            self.node_proba_ = tree_word(self.path_factors_.tree, STOPS[self.estimate])
        elif self.estimate in CASEWISE:
            self._by_case(self.training_[0][:0])  # to check its parameters
            self.node_proba_ = ESTIMATES[params.get("leaf", "laplace")](self.tree_)
        else:
            self.node_proba_ = ESTIMATES[self.estimate](self.tree_, **params)
        return self

    def _encoder(self):
        return Encoder(self.numeric, self.discretize, self.n_bins, self.max_codes, self.missing)

    def _proposer(self, sets, **wide):
        limits = {"min_child": self.min_child, "min_gain": self.min_gain, "tie": self.tie}
        how = {"c45": self._c45, **limits, **wide}
        criterion = SYNONYMS.get(self.criterion, self.criterion)
        kinds = self._kinds(sets.each[0].schema)
        return BestAttribute(sets.sizes, sets.n_cases, kinds, criterion, **how)

    def _kinds(self, schema):
        """How each attribute is split."""
        rule = self.split, self.numeric, self.child_rule
        return [split_kind(info, *rule) for info in schema]
