"""What adopted trees and forests become: models that predict, explain and store, but do not fit."""

from typing import Any, NoReturn, Self

import numpy as np

from ranktrees_engine.basics.arguments import check_dict, one_of
from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.kinds import Case, Explanation, Input, Names
from ranktrees_engine.basics.logarithms import tiny_is_zero
from ranktrees_engine.estimates import ESTIMATES, TrainingCases, make_estimate
from ranktrees_engine.estimates.path_forest import TREES
from ranktrees_engine.estimates.path_weights import log_prior
from ranktrees_engine.estimator.params import check_parameters, param
from ranktrees_engine.explain.explanation import one_case
from ranktrees_engine.explain.forests import explain_forest
from ranktrees_engine.explain.many import Sum, no_parts
from ranktrees_engine.explain.sql_paths import MAX_BYTES, PathTree, paths_to_sql
from ranktrees_engine.explain.trees import explain_tree
from ranktrees_engine.explain.votes import explain_votes
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.models import DecisionTree, PathForest
from ranktrees_engine.reading.schema import number
from ranktrees_files.adopted.path import Path
from ranktrees_files.adopted.temperature import Tempered

REFIT = "adopted trees are not refitted: use rt.Reestimated(estimator)"


def check_estimate(what: str, name: object) -> None:
    """Raise ValueError, listing the known names, unless a tree's estimate has this name."""
    one_of("path", *ESTIMATES)(what, name)


def check_forests(what: str, name: object) -> None:
    """Raise ValueError, listing the known names, unless a forest's estimate has this name."""
    one_of("path", "temperature", *ESTIMATES)(what, name)


class NotRefitted:
    """What refuses to fit: `fit`, cross-validation and scikit-learn's `clone` raise TypeError.

    A fit would grow one of our trees in place of the one that was adopted.
    """

    def fit(self, X: Any = None, y: Any = None, *args: Any, **params: Any) -> NoReturn:
        """Raise TypeError: there is nothing to fit."""
        raise TypeError(REFIT)

    def fit_folds(self, *args: Any, **params: Any) -> NoReturn:
        """Raise TypeError: there is nothing to fit."""
        raise TypeError(REFIT)

    def __sklearn_clone__(self) -> NoReturn:
        raise TypeError(REFIT)


class AdoptedTree(NotRefitted, DecisionTree):
    """A tree that scikit-learn grew, with one of our estimates: see `rt.adopt`.

    It does what a fitted `DecisionTree` does, except that it is not fitted again. `estimate` may
    also be "path", with `estimate_params` "further" and "lam": see `rt.adopt`.
    """

    learnt = "grids_"
    estimate: str = param(default="path", check=check_estimate)

    def _set_estimate(self):
        check_parameters(self, "estimate")
        kinds = ESTIMATES | {"path": Path}
        made = make_estimate(self.estimate, self._estimate_params(), kinds)
        if isinstance(made, Path):
            made.grids = [encoder.schema_ for encoder in self.grids_]
        self.estimate_ = made.learn(self.tree_, self.cases_)
        return self

    @tiny_is_zero()
    def parts(self, X: Input) -> Sum:
        """Return the sum over attributes that each prediction for X (n, A) is, see `Sum`."""
        if isinstance(getattr(self, "estimate_", None), Path):
            return self.estimate_.parts(self.encode(X).values)
        return super().parts(X)

    def explain(self, case: Case) -> Explanation:
        """Explain the probabilities of one case (1, A): its path, counts and estimate."""
        said = explain_tree(self, case)
        if isinstance(self.estimate_, Path):  # it has seen codes alone
            columns = self._read_new(one_case(self, case))
            for column, info in zip(columns, self.tree_.schema, strict=True):
                value = column.numbers(True)[0]
                said.table.loc[info.name, "value"] = None if np.isnan(value) else number(value)
        return said

    def to_sql(
        self, table: str, keep: Names = (), *, tables: bool = False, max_bytes: int = MAX_BYTES
    ) -> str | tuple[str, str]:
        """Return a SELECT of `predict_proba` for each row of a table: see `DecisionTree.to_sql`."""
        check_fitted(self, "tree_")
        if not isinstance(self.estimate_, Path):
            return super().to_sql(table, keep, tables=tables, max_bytes=max_bytes)
        said, E = self.estimate_, len(self.estimate_.members)
        trees = [
            PathTree(self.tree_, m.log_t * (TREES / E), m.factors, said.pool_weights[1:] / E, g, s)
            for g, (m, s) in enumerate(zip(said.members, said.grids, strict=True))
        ]
        log_p = said.pool_weights[0] * log_prior(self.tree_)
        return paths_to_sql(trees, log_p, table, keep, None, False, tables, max_bytes)


class AdoptedForest(NotRefitted, PathForest):
    """A forest that scikit-learn grew, with one of our estimates: see `rt.adopt`.

    With `estimate="path"` it is a `PathForest` over other trees. "temperature" is for forests of
    bootstrap samples; any other estimate is that of each tree, averaged over the trees.

    Attributes as in `PathForest`; `feature_importances_` are those of the adopted forest.
    """

    learnt = "importances_ estimates_ bags_ temperature_"
    estimate: str = param(default="path", check=check_forests)
    estimate_params: dict | None = param(default=None)

    def with_estimate(self, name: str, **params: Any) -> Self:
        """Return a copy with another estimate on the same trees."""
        check_fitted(self, "trees_")
        other = self._copy(estimate=name, estimate_params=params or None)
        return other._set_trees(self.trees_)

    def _set_trees(self, trees):
        """Set the trees and what the estimate needs of them."""
        check_parameters(self, "estimate")
        self.trees_, self.n_models, self.estimates_ = trees, len(trees), None
        if self.estimate == "path":
            if self.estimate_params:
                check_dict("estimate_params of a forest's path", self.estimate_params, "None")
                raise ValueError("a forest's estimate 'path' has no parameters: estimate_params")
            _ = self.members_
            if "pool_weights_" not in vars(self):
                self._set_weights()
        elif self.estimate == "temperature":
            self.estimates_ = Tempered.of(self)
        else:
            self.estimates_ = [self._estimate_of(tree) for tree in trees]
        return self

    def _estimate_of(self, tree: Tree):
        cases = TrainingCases(tree, self.codes_.values, self.y_, self.weight_)
        return make_estimate(self.estimate, self.estimate_params).learn(tree, cases)

    @tiny_is_zero()
    def predict_proba(self, X: Input) -> np.ndarray:
        """Return class probabilities (n, C), one column for each of `classes_`."""
        check_fitted(self, "trees_")
        if self.estimate == "path":
            return super().predict_proba(X)
        codes = self.encode(X)[0]
        if self.estimate == "temperature":
            return self.estimates_.proba(codes)
        return np.mean([learnt.proba(codes) for learnt in self.estimates_], axis=0)

    def explain(self, case: Case) -> Explanation:
        """Explain one prediction: as a sum, or by what each tree says if there is none."""
        if self.estimate != "path":
            return self._explain_votes(one_case(self, case))
        said, E = explain_forest(self, case), len(self.trees_)
        said.lines[1] = (
            f"{E} adopted trees. The mean logarithm of what they say counts two thirds, that of "
            "the prior and of all attributes as much as each one's learnt weight."
        )
        return said

    def _explain_votes(self, case):
        codes, proba = self.encode(case)[0], self.predict_proba(case)[0]
        what = f"{len(self.trees_)} adopted trees, each with the estimate {self.estimate!r}."
        if self.estimate == "temperature":
            each = self.estimates_.each(codes)[:, 0]
            what = f"{len(each)} adopted trees, each with hierarchical shrinkage; their mean and "
            what += f"one uniform tree have the exponent {self.temperature_:.3f}."
        else:
            each = np.stack([learnt.proba(codes)[0] for learnt in self.estimates_])
        return explain_votes(self.classes_, each, proba, what)

    @tiny_is_zero()
    def parts(self, X: Input) -> Sum:
        """Return the sum over attributes that each prediction for X (n, A) is, see `Sum`."""
        check_fitted(self, "trees_")
        if self.estimate == "path":
            return super().parts(X)
        return no_parts(self, f" with the estimate {self.estimate!r}")

    def to_sql(
        self, table: str, keep: Names = (), *, tables: bool = False, max_bytes: int = MAX_BYTES
    ) -> str | tuple[str, str]:
        """Return a SELECT of `predict_proba` for each row of a table: see `PathForest.to_sql`.

        Raises ValueError for another estimate than "path".
        """
        check_fitted(self, "trees_")
        if self.estimate != "path":
            raise ValueError(
                f"SQL of a forest with the estimate {self.estimate!r} is not offered: take "
                'with_estimate("path").to_sql(...), or write it back and export that'
            )
        return super().to_sql(table, keep, tables=tables, max_bytes=max_bytes)

    @property
    def feature_importances_(self) -> np.ndarray:
        """Importances (A,) of the adopted forest, as its own library computed them."""
        check_fitted(self, "importances_")
        return self.importances_
