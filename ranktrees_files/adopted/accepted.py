"""The fitted models that can be adopted, and what is said about all others."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.optional import optional
from ranktrees_files.adopted.routes import Routes

ACCEPTED = (
    "rt.adopt takes a fitted DecisionTreeClassifier or ExtraTreeClassifier of scikit-learn, a tree "
    "of imodels that holds one, or a RandomForestClassifier, ExtraTreesClassifier or "
    "BaggingClassifier of trees"
)
BOOSTING = "GradientBoostingClassifier HistGradientBoostingClassifier AdaBoostClassifier"
BOOSTERS = "xgboost lightgbm catboost"  # packages
SEARCHES = "GridSearchCV RandomizedSearchCV HalvingGridSearchCV HalvingRandomSearchCV"


@dataclass(frozen=True)
class Found:
    """What was found in a fitted model: its trees, and the columns (A',) that each one sees.

    `model` is scikit-learn's own, `outer` what was given. `columns` is None for all columns.
    """

    model: Any
    outer: Any
    trees: list
    columns: list[np.ndarray | None]
    is_forest: bool

    @cached_property
    def routes(self) -> list[Routes]:
        """Tests of each tree."""
        pairs = zip(self.trees, self.columns, strict=True)
        return [Routes.of(tree.tree_, columns) for tree, columns in pairs]

    @property
    def n_grown_on(self) -> int | None:
        """Number of cases that the trees were grown on; None if samples were drawn of them."""
        if self.is_forest and getattr(self.model, "bootstrap", True) is not False:
            return None
        if getattr(self.model, "max_samples", None) not in (None, 1.0):
            return None
        return int(self.trees[0].tree_.n_node_samples[0])

    @property
    def importances(self) -> np.ndarray:
        """Importances (A,) by the fitted model itself; a bag has none: the mean of its trees'."""
        if hasattr(self.model, "feature_importances_"):
            return np.array(self.model.feature_importances_)
        total = np.zeros(self.model.n_features_in_)
        for tree, columns in zip(self.trees, self.columns, strict=True):
            np.add.at(total, columns, tree.feature_importances_)
        return total / len(self.trees)

    @property
    def class_weight(self) -> Any:
        """Weights of classes with which the trees were grown."""
        own = getattr(self.model, "class_weight", None)
        return own if own is not None else getattr(self.trees[0], "class_weight", None)


def find_trees(fitted: Any) -> Found:
    """Return the trees of a fitted model.

    Raises TypeError or ValueError, which says what to do, for anything else.
    """
    optional("sklearn.tree", "adopted trees", "lab")
    from sklearn.base import is_regressor

    if isinstance(fitted, type):
        raise TypeError(f"{fitted.__name__} is a class: fit a model, {fitted.__name__}().fit(X, y)")
    inner = unwrapped(fitted)
    _refuse_kinds(inner)
    if hasattr(inner, "get_params") and is_regressor(inner):
        raise TypeError(
            f"{type(inner).__name__} predicts numbers, and estimates here are of classes: fit a "
            "classifier, or make classes of the target with rt.cut_classes"
        )
    found = _of_forest(inner, fitted) or _of_tree(inner, fitted)
    if found is None:
        raise TypeError(f"{ACCEPTED}, not {type(fitted).__name__}")
    _refuse_outputs(found)
    return found


def unwrapped(fitted: Any) -> Any:
    """Return the model inside a `FrozenEstimator`, or inside one of imodels."""
    from sklearn.frozen import FrozenEstimator

    while True:
        if isinstance(fitted, FrozenEstimator):
            fitted = fitted.estimator
        elif _package(fitted) == "imodels" and not hasattr(fitted, "tree_"):
            inner = getattr(fitted, "estimator_", None)
            if inner is None:
                return fitted
            fitted = inner
        else:
            return fitted


def _package(thing):
    return type(thing).__module__.partition(".")[0]


def _refuse_kinds(model):
    """Raise TypeError for a model of which it is known what to do instead."""
    name = type(model).__name__
    if name == "Pipeline":
        raise TypeError(
            "a Pipeline holds its tree in the last step: rt.adopt(pipe[-1], "
            "pipe[:-1].transform(X), y)"
        )
    if name in SEARCHES.split():
        raise TypeError(
            f"{name} holds the tree that it found: rt.adopt(search.best_estimator_, ...)"
        )
    if name in BOOSTING.split() or _package(model) in BOOSTERS.split():
        raise TypeError(
            f"{name} is boosting, whose leaves hold steps and not classes: adopt a tree or a forest"
        )
    if _package(model) in ("ranktrees_engine", "ranktrees_files"):
        raise TypeError(f"{name} is one of our models: model.with_estimate(name) is what you need")


def _of_tree(model, outer):
    from sklearn.tree import DecisionTreeClassifier

    if not isinstance(model, DecisionTreeClassifier):  # ExtraTreeClassifier is one
        return None
    check_fitted(model, "tree_")
    return Found(model, outer, [model], [None], is_forest=False)


def _of_forest(model, outer):
    from sklearn.ensemble import BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier

    if not isinstance(model, BaggingClassifier | ExtraTreesClassifier | RandomForestClassifier):
        return None
    check_fitted(model, "estimators_")
    trees = list(model.estimators_)
    for tree in trees:
        if not isinstance(tree, DecisionTreeClassifier):
            raise TypeError(f"{type(model).__name__} must hold trees, not {type(tree).__name__}")
    columns = getattr(model, "estimators_features_", [None] * len(trees))
    return Found(model, outer, trees, list(columns), is_forest=True)


def _refuse_outputs(found):
    """Raise ValueError for trees of several outputs, and of monotonic constraints."""
    name = type(found.model).__name__
    if found.trees[0].n_outputs_ > 1:
        raise ValueError(
            f"{name} predicts {found.trees[0].n_outputs_} outputs at once: fit one model for each"
        )
    if found.trees[0].monotonic_cst is not None:
        raise ValueError(
            f"{name} was grown with monotonic_cst, which no estimate here keeps: fit it without, "
            "or keep scikit-learn's own leaves"
        )


def refuse_unweighted(found: Found) -> NoReturn:
    """Raise ValueError: the trees were grown with class weights, and none are given."""
    name, given = type(found.model).__name__, found.class_weight
    raise ValueError(
        f"{name} was grown with class_weight={given!r}: give these weights, sample_weight="
        f"sklearn.utils.class_weight.compute_sample_weight({_shown(given)}, y), times any "
        "sample_weight of its fit"
    )


def _shown(class_weight):
    """Return class weights as `compute_sample_weight` takes them for all cases."""
    return "'balanced'" if class_weight == "balanced_subsample" else repr(class_weight)
