"""A tree that grows level by level: how it is fitted, predicts and explains, whatever its rules."""

from dataclasses import replace
from typing import Self

import numpy as np

from ranktrees_engine.basics.arguments import check_flag, check_like, check_number, choose
from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.kinds import Case, Classes, Explanation, Input, Names, Sparse, Weights
from ranktrees_engine.basics.logarithms import log, tiny_is_zero
from ranktrees_engine.basics.warn import progress_bar
from ranktrees_engine.estimates import CountedCases, TrainingCases
from ranktrees_engine.estimates.path_weights import log_prior
from ranktrees_engine.estimator.classifier import fits_whole
from ranktrees_engine.estimator.grown import FoldsTogether
from ranktrees_engine.estimator.refusals import IN_FILES, refuse_of_scans, refuse_weights
from ranktrees_engine.estimator.rules import GrownFrom, Rules
from ranktrees_engine.estimator.summary import Summary
from ranktrees_engine.explain.many import Sum, no_parts, node_parts, path_parts
from ranktrees_engine.explain.sql import to_sql
from ranktrees_engine.explain.sql_paths import DIALECTS, MAX_BYTES, paths_to_sql
from ranktrees_engine.explain.sql_trees import PathTree
from ranktrees_engine.explain.trees import explain_tree
from ranktrees_engine.growing.forest import TrainingSets, plant
from ranktrees_engine.growing.grow import grow
from ranktrees_engine.growing.rows import Cases
from ranktrees_engine.growing.tree import Tree, descend
from ranktrees_engine.reading.columns import is_scan
from ranktrees_engine.reading.encoder import Codes
from ranktrees_engine.reading.weights import warn_of_little


class GrownTree(FoldsTogether):
    """A model whose tree grows level by level by the `Rules` that it makes of its parameters.

    A new one is a class with fields and `make_rules`:

        class Stump(GrownTree):
            criterion: str = param(default="gini")
            estimate: str = estimate_field("laplace")
            estimate_params: dict | None = estimate_params_field()
            missing: str = missing_field()
            class_weight: ClassWeight = class_weight_field()

            def make_rules(self):
                kind = lambda info: multiway  # of criteria.split: a branch per value
                propose = partial(best_attribute, kind=kind, criterion=self.criterion)
                return Rules(Encoder(missing=self.missing), propose, Stop(max_depth=1))
    """

    learnt = "training_ weight_ gaps_ ended_"
    training_ = np.zeros((0, 0), np.int8), np.zeros(0, np.intp)  # codes and classes, where kept
    weight_ = None  # of the training cases, where not every case has weight 1
    gaps_ = None  # which of their values were missing and are filled in, where some are
    ended_ = None  # what path Bayes counts of cases in files: see `count_ends`

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
    ) -> Self:
        """Grow the tree on cases X (n, A) with classes y (n,); X may be a `Codes`, too.

        `sample_weight` (n,) and `class_weight` weigh the cases, also in all limits (see
        `rt.weights`). With `progress` a bar shows the progress. X may also be an `rt.scan` of
        files, which brings its classes: then `budget` bounds the memory for tables ("256MB"), and
        engine="dask" counts them on a cluster.
        """
        if is_scan(X):
            refuse_weights(self, IN_FILES, sample_weight=sample_weight)
            return X.fit(self, y, budget, engine=engine, progress=progress)
        refuse_of_scans(self, budget=budget, engine=engine)
        cases, y = self._read_training(X, y)
        cases, y, weight = self._weigh(cases, y, sample_weight)
        if isinstance(cases, Codes):
            codes = cases.take(np.arange(len(cases)))  # later changes do not affect the model
        else:
            self.encoder_ = self.make_rules().encoder
            self.encoder_.learn(cases, y, weight)
            codes = self.encoder_.apply(cases)
        sets = TrainingSets.single(codes, y, weight)
        tree = self._grow(sets, self.classes_.tolist(), progress)[0]
        return self._finish(tree, codes, y, weight)

    @tiny_is_zero()
    def predict_proba(self, X: Input) -> np.ndarray:
        """Return class probabilities (n, C), a column for each of `classes_`.

        For an `rt.scan` of files, return an iterator over its batches.
        """
        if is_scan(X):
            return X.predict_proba(self)
        return self._proba(self.encode(X))

    def _proba(self, codes):
        return self.estimate_.proba(codes.values, codes.gaps)

    def apply(self, X: Input) -> np.ndarray:
        """Return the node (n,) at which a case ends: a leaf, or where its value has no branch."""
        values = self.encode(X).values  # first, since it refuses a model without a fit
        return self.tree_.apply(values)

    def decision_path(self, X: Input) -> Sparse:
        """Return the nodes each case passes, a sparse matrix (n, T) of ones as in scikit-learn."""
        from scipy.sparse import csr_array

        values = self.encode(X).values
        passed = list(descend(self.tree_, values))
        cases, node = (np.concatenate(part) for part in zip(*passed, strict=True))
        shape = len(values), len(self.tree_)
        return csr_array((np.ones(len(cases), np.int64), (cases, node)), shape)

    def encode(self, X: Input) -> Codes:
        """Return the codes (n, A) of these cases as the tree sees them; -1 for a new value."""
        check_fitted(self, "tree_")
        if isinstance(X, Codes):
            X.check(self.tree_.schema, unseen=True)
            return X
        self._check_read()
        return self.encoder_.apply(self._read_new(X))

    def with_tree(self, tree: Tree) -> Self:
        """Return a fitted copy with another tree, such as a pruned one.

        The tree must have the same attributes and classes.
        """
        check_fitted(self, "tree_")
        check_like("a Tree, such as model.tree_", tree, "schema", "classes")
        if tree.schema != self.tree_.schema or tree.classes != self.tree_.classes:
            raise ValueError("the tree has other attributes or classes than this model's")
        return self._copy(ended_=None)._set_tree(tree)

    def explain(self, case: Case) -> Explanation:
        """Explain the probabilities of one case (1, A): its path, counts and estimate."""
        return explain_tree(self, case)

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

        With missing="error" NULL and NaN give NULL. `tables`, `max_bytes` and `dialect` are for
        path Bayes, see `PathForest.to_sql`. Raises ValueError for other estimates that differ from
        case to case.
        """
        check_fitted(self, "tree_")
        check_flag("tables", tables)
        check_number("max_bytes", max_bytes, 1, whole=True)
        choose("dialect", dialect, DIALECTS)
        imputes = self.missing == "impute" and self.encoder_ is not None
        fill, refuse = self.encoder_.fill_ if imputes else None, self.missing == "error"
        if self.estimate_.pools:
            learnt, schema = self.estimate_, self.tree_.schema
            prior, *weights = learnt.all_weights
            log_t = log(self.node_proba_) / 2
            paths = [PathTree(self.tree_, log_t, learnt.factors, np.array(weights), 0, schema)]
            log_p = prior * log_prior(self.tree_)
            return paths_to_sql(paths, log_p, table, keep, fill, refuse, tables, max_bytes, dialect)
        if self.estimate_.needs != "counts":
            raise ValueError(
                f"{type(self).__name__}: the estimate {self.estimate!r} differs from case to case, "
                'but SQL has one answer for each node: take with_estimate("laplace").to_sql(...)'
            )
        return to_sql(self.tree_, table, keep, self.node_proba_, fill, refuse)

    def parts(self, X: Input) -> Sum:
        """Return the sum over attributes that each prediction for X (n, A) is, see `Sum`.

        Raises TypeError for estimates that differ from case to case, except path Bayes.
        """
        check_fitted(self, "tree_")
        if self.estimate_.pools:
            return path_parts(self, X)
        if self.estimate_.needs == "counts":
            return node_parts(self, X)
        return no_parts(self, f" with the estimate {self.estimate!r}")

    def summary(self) -> Summary:
        """Return what the model was fitted on and what it learnt."""
        of_tree = {"n_cases": self.tree_.counts[0].sum(), "learnt": (repr(self.tree_),)}
        return super().summary()._replace(attributes=self.tree_.schema, **of_tree)

    def make_rules(self) -> Rules:
        """Return the rules by which the tree grows, made of the parameters."""
        raise NotImplementedError(f"{type(self).__name__} must have make_rules()")

    @property
    def needs(self) -> str:
        """Part of the training cases that a fitted model keeps: "counts", "tables" or "cases"."""
        return self.estimate_.needs if self.make_rules().from_tables else "cases"

    def _grow(self, sets: TrainingSets, classes: list, progress: bool | None = False) -> list[Tree]:
        """Grow the trees of training sets with these classes together; they are not yet pruned."""
        return grow_trees(self.make_rules(), sets, classes, progress)

    def _finish(self, tree, codes, y, weight=None):
        self.training_, self.weight_, self.gaps_ = (codes.values, y), weight, codes.gaps
        return self._set_tree(self.make_rules().prune(tree, GrownFrom(codes.values, y, weight)))

    def _set_tree(self, tree, passes=None):
        """Set the tree and its estimate; `passes` reads the files that it was grown from."""
        self.tree_: Tree = tree
        if len(self.training_[1]):
            self.cases_ = TrainingCases(tree, *self.training_, self.weight_, self.gaps_)
            return self._set_estimate()
        self.cases_ = CountedCases(tree, self.ended_)
        with self.cases_.read_by(passes):
            return self._set_estimate()


def grow_trees(
    rules: Rules, sets: TrainingSets, classes: list, progress: bool | None = False
) -> list[Tree]:
    """Grow the trees of training sets with these classes together, level by level; not pruned."""
    forest = grow_forest(rules, sets, classes, progress)
    return plant(forest, [codes.schema for codes in sets.each])


def grow_forest(
    rules: Rules, sets: TrainingSets, classes: list, progress: bool | None = False
) -> Tree:
    """Grow as `grow_trees` does, and leave the trees in one forest, with the first set's schema."""
    if sets.weight is not None:
        warn_of_little(sets.n_cases.min(), rules.stop.min_parent, rules.stop.set_by)
    rows = Cases(sets, len(classes))
    with progress_bar(None, progress, "levels") as advance:
        proposer = rules.propose(sets, len(classes))
        forest = grow(rows, proposer, classes, rules.stop, advance)
    return rules.trim(replace(forest, schema=sets.each[0].schema), sets)
