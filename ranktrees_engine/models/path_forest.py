"""The path forest: path Bayes over trees that see half of the attributes."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ranktrees_engine.basics.arguments import check_jobs, integer, one_of
from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.kinds import (
    ArrayLike,
    Case,
    Classes,
    ClassWeight,
    Explanation,
    Input,
    Names,
    Weights,
)
from ranktrees_engine.basics.logarithms import normalised, tiny_is_zero
from ranktrees_engine.basics.warn import WarnOnce, progress_bar
from ranktrees_engine.estimates.path_forest import (
    FACTORS,
    TREES,
    Member,
    halves,
    learn,
    log_pool,
    without_gaps,
)
from ranktrees_engine.estimates.path_weights import log_prior
from ranktrees_engine.estimator.classifier import Classifier, fits_whole
from ranktrees_engine.estimator.params import param
from ranktrees_engine.estimator.refusals import IN_FILES, refuse_of_scans, refuse_weights
from ranktrees_engine.estimator.summary import Summary
from ranktrees_engine.evaluate.fitting import unfitted
from ranktrees_engine.explain.forests import explain_forest, forest_importances
from ranktrees_engine.explain.many import Sum, forest_parts
from ranktrees_engine.explain.sql_paths import MAX_BYTES, paths_to_sql
from ranktrees_engine.explain.sql_trees import PathTree
from ranktrees_engine.growing.forest import check_training, in_batches
from ranktrees_engine.models.forest_members import (
    members_one_by_one,
    members_together,
    schemas_of_grids,
)
from ranktrees_engine.models.grids import in_grids, learn_encoders
from ranktrees_engine.models.subspaces import grow_subspaces
from ranktrees_engine.reading.columns import SAMPLE, is_scan, take_cases
from ranktrees_engine.reading.encoder import Codes
from ranktrees_engine.reading.schema import AttributeInfo


class PathForest(Classifier):
    """Ranking by path Bayes over many trees, each of which may test half of the attributes.

    Each tree is C4.5's, pruned, with numbers cut in two; its estimate and all attributes' factors
    are averaged over its prunings (see `PathBayes`). Factors of numbers use one of three grids:
    cuts by description length, five or ten bins of equal frequency. The log odds are a sum: the
    trees' estimate, which has two thirds of the pool and is not a sum over attributes, the prior,
    and one number per attribute, which `explain` shows. The weights of the prior and of each
    attribute are learnt by leaving each case out of its own counts. For the trees, missing is a
    value of its own; in the sum over attributes a missing value is ignored.

    Parameters
    ----------
    n_models : number of trees; 24 are hardly better than 12, and 6 slightly worse.
    seed : draws the halves.
    missing : "value", or "error", which refuses missing values.
    weights : "learnt", or "equal": the prior and all attributes weigh one third each.
    class_weight : as in `DecisionTree`.
    n_jobs : processes that grow trees of cases in memory, -1 for one per processor, None for one or
        joblib's context; it does not change the trees.

    Attributes: `trees_`, `pool_weights_` (1 + A,) of the prior and of each attribute, `classes_`,
    `class_count_`, `n_features_in_`, `feature_names_in_`.
    `feature_importances_` count an attribute's factors as well as the tests of it. A model of cases
    in files (`rt.scan`) keeps what ends at each node, cases or counts of them, and has none.

    >>> import ranktrees as rt
    >>> data = rt.load("iris")
    >>> rt.PathForest().fit(data.X, data.y).predict_proba(data.X)[0].round(2).tolist()
    [1.0, 0.0, 0.0]
    """

    _instead = 'missing="value"'
    learnt = "codes_ known_ grids_ y_ weight_ ended_ trees_ joined_ members_ pool_weights_"
    ended_ = None  # of cases in files: what ends at the nodes of each tree (`Ended`)
    n_models: int = param(default=12, check=integer(1))
    seed: int = param(default=1, check=integer(0, most=float("inf")))
    missing: str = param(default="value", check=one_of("value", "error"))
    weights: str = param(default="learnt", check=one_of("learnt", "equal"))
    class_weight: ClassWeight = param(default=None)
    n_jobs: int | None = param(default=None, check=check_jobs)

    @fits_whole
    def fit(
        self,
        X: Input,
        y: Classes = None,
        sample_weight: Weights = None,
        *,
        budget: int | str | None = None,
        engine: str | None = None,
        progress: bool | None = False,
    ) -> "PathForest":
        """Grow the trees on cases X (n, A) with classes y (n,); X may be a `Codes`, too.

        `sample_weight` (n,) and `class_weight` weigh the cases, see `rt.weights`. `progress` shows
        a bar. X may also be an `rt.scan`, with `budget` and `engine` as in `DecisionTree.fit`.
        """
        if is_scan(X):
            refuse_weights(self, IN_FILES, sample_weight=sample_weight)
            return X.fit(self, y, budget, engine=engine, progress=progress)
        refuse_of_scans(self, budget=budget, engine=engine)
        with WarnOnce():
            cases, y = self._read_training(X, y)
            self._learn(*self._weigh(cases, y, sample_weight))
        grow_together([self], progress)
        return self

    @tiny_is_zero()
    def fit_folds(
        self, X: Input, y: ArrayLike, training: Sequence[np.ndarray]
    ) -> list["PathForest"]:
        """Return a fitted copy for each array of training rows (which may repeat), grown together.

        The trees equal those of single fits. Every copy knows all classes of y, and all values of a
        nominal column of X.
        """
        whole = unfitted(self)
        whole._check_parameters()
        models = []
        with WarnOnce():
            cases, y = whole._read_training(X, y)
            for rows in check_training(training, y):
                rows, codes, weight = whole._weigh(rows, y[rows])
                models.append(whole._copy()._learn(take_cases(cases, rows), codes, weight))
        for few in in_batches([(model.codes_, model.y_) for model in models]):
            grow_together(models[few])
        return models

    @tiny_is_zero()
    def predict_proba(self, X: Input) -> np.ndarray:
        """Return class probabilities (n, C), one column for each of `classes_`.

        For an `rt.scan` of files, return an iterator over its batches.
        """
        if is_scan(X):
            return X.predict_proba(self)
        codes, grids = self.encode(X)
        log_p = log_pool(self.joined_, codes, grids, self.pool_weights_)
        return normalised(log_p, np.ones(log_p.shape[1]))

    def encode(self, X: Input) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return codes (n, A) of these cases for the trees, and for the factors in each grid.

        -1 stands for a value never seen, and in grids also for a missing one.
        """
        check_fitted(self, "trees_")
        if isinstance(X, Codes):
            X.check(self.schema_, unseen=True)
            return X.values, [without_gaps(X).values]
        self._check_read()
        with WarnOnce():
            columns = self._read_new(X)
            self._refuse_missing(columns)
            codes = self.encoder_.apply(columns)
            grids = [grid.values for grid in in_grids(codes, columns, self.grids_)]
            return codes.values, grids

    def parts(self, X: Input) -> Sum:
        """Return the sum that each prediction is: the prior, the trees and each attribute."""
        check_fitted(self, "trees_")
        return forest_parts(self, X)

    def summary(self) -> Summary:
        """Return what the model was fitted on and what it learnt."""
        trees = f"{len(self.trees_)} trees, such as {self.trees_[0]!r}"
        n_cases = self.class_count_.sum()
        said = super().summary()
        return said._replace(attributes=self.schema_, n_cases=n_cases, learnt=(trees,))

    def explain(self, case: Case) -> Explanation:
        """Explain one prediction as a sum of the trees' estimate, the prior and each attribute.

        The table says how deep each attribute looks. `case` is one case (1, A), as for
        `DecisionTree.explain`.
        """
        return explain_forest(self, case)

    def to_sql(
        self,
        table: str,
        keep: Names = (),
        *,
        tables: bool = False,
        max_bytes: int = MAX_BYTES,
        dialect: str = "any",
    ) -> str | tuple[str, str]:
        """Return a SELECT of `predict_proba` for each row of a table, otherwise as `rt.to_sql`.

        The query searches every tree and adds up factors, which are part of it. With `tables` the
        factors are in a table of their own: the result is the statements that make it, and the
        query. The `dialect` "any" is for SQLite 3.35, DuckDB and PostgreSQL; "duckdb" is twice as
        fast there. Raises ValueError for a query of more than `max_bytes`.
        """
        check_fitted(self, "trees_")
        E, trees = len(self.trees_), []
        weights = self.pool_weights_[1:] / E
        for member in self.members_:
            log_t, schema = member.log_t * (TREES / E), schemas_of_grids(self)[member.grid]
            each = member.tree, log_t, member.factors, weights, member.grid, schema
            trees.append(PathTree(*each))
        log_p = self.pool_weights_[0] * log_prior(self.trees_[0])
        refuse = self.missing == "error"
        return paths_to_sql(trees, log_p, table, keep, None, refuse, tables, max_bytes, dialect)

    def path_factors(self) -> tuple[list[tuple], np.ndarray]:
        """Return, per tree, its factors, path ends (n,), weights (A,) and the schema they read.

        Return also the weights of the n training cases.
        """
        each, weights = [], self.pool_weights_[1:] / len(self.trees_)
        self._check_cases("the effect of an attribute is")
        for member in self.members_:
            schema = schemas_of_grids(self)[member.grid]
            each.append((member.factors, member.factors.counts.end, weights, schema))
        return each, np.ones(len(self.y_)) if self.weight_ is None else self.weight_

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share (A,) of each attribute in all changes of log odds over the training cases."""
        check_fitted(self, "trees_")
        self._check_cases("feature_importances_ are")
        return forest_importances(self)

    def _check_cases(self, what: str) -> None:
        """Raise ValueError for a model of cases in files: `what` is a sum over training cases."""
        if self.ended_ is not None:
            raise ValueError(
                f"{what} a sum over all training cases, which a PathForest of files does not keep: "
                f"explain(case) needs none, or {SAMPLE}"
            )

    @property
    def schema_(self) -> tuple[AttributeInfo, ...]:
        """Meaning of the trees' codes, by attribute."""
        return self.encoder_.schema_ if self.ended_ is not None else self.codes_.schema

    @property
    def class_count_(self) -> np.ndarray:
        """Number (C,) of training cases of each class."""
        return self.trees_[0].counts[0]

    @cached_property
    def joined_(self) -> list[Member]:
        """Trees that share a grid, with their factors, which are counted when first needed."""
        return members_together(self)

    @cached_property
    def members_(self) -> list[Member]:
        """Trees with their factors, one by one, which only explanations need."""
        return members_one_by_one(self)

    def _learn(self, cases, y, weight):
        """Learn the codes of the training cases, as trees and as factors see them."""
        self.y_, self.weight_ = y, weight
        if isinstance(cases, Codes):
            self.codes_ = cases.take(np.arange(len(cases)))  # later changes do not affect it
            self.known_ = [without_gaps(self.codes_)]
            return self
        self.encoder_, self.grids_ = learn_encoders(cases, y, weight)
        self.codes_ = self.encoder_.apply(cases)
        self.known_ = list(in_grids(self.codes_, cases, self.grids_))
        return self

    def _set_trees(self, trees):
        self.trees_ = trees
        return self.joined_  # made now, since predictions leave a model as it is

    def _set_weights(self, learn_them=lambda model: learn(model.joined_)):
        equal = np.full(1 + self.n_features_in_, FACTORS)
        self.pool_weights_ = learn_them(self) if self.weights == "learnt" else equal


def grow_together(models: list[PathForest], progress=False) -> None:
    """Grow the trees of models with the same parameters, as many as fit in the same passes."""
    first = models[0]
    each = [(model.codes_, model.y_, model.weight_) for model in models]
    parts = halves(first.n_features_in_, first.n_models, first.seed)
    trees, classes = [], first.classes_.tolist()
    with progress_bar(len(parts), progress, "trees") as advance:
        for some in grow_subspaces(parts, each, classes, first.n_jobs):
            trees += some
            advance(len(some))
    for model, own in zip(models, zip(*trees, strict=True), strict=True):
        model._set_trees(list(own))
        model._set_weights()
