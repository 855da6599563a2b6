"""What every classifier of the package shares: scikit-learn's habits without scikit-learn."""

import copy
import inspect
import sys

import numpy as np
import pandas as pd

from ranktrees.columns import as_array, check_same_names, is_scan, read_columns
from ranktrees.labels import one_dimensional, read_classes
from ranktrees.page import model_html
from ranktrees.sql import model_sql
from ranktrees.ties import first_best
from ranktrees.warn import warn


class Classifier:
    """Parameters, classes, checks of names and columns, and `predict` from `predict_proba`.

    `__init__` of a subclass only stores its arguments; what `fit` learns ends in an underscore.
    """

    _repr_html_, to_sql = model_html, model_sql

    def get_params(self, deep: bool = True) -> dict:
        """The constructor's arguments by name."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self, **params) -> "Classifier":
        """Set constructor arguments; ValueError lists the known names for any other."""
        known = self._parameter_names()
        for name, value in params.items():
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for {type(self).__name__}: "
                    f"choose one of {', '.join(known)}"
                )
            setattr(self, name, value)
        return self

    @classmethod
    def _parameter_names(cls):
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = {k: v for k, v in self.get_params(deep=False).items() if v != defaults[k].default}
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in changed.items())})"

    def __sklearn_tags__(self):
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(),
            input_tags=InputTags(allow_nan=self._allows_missing(), categorical=True),
        )

    def _allows_missing(self):
        return getattr(self, "missing", "impute") != "error"

    def predict(self, X) -> np.ndarray:
        """The most probable class (n,) of each case; of equals the first in `classes_`.

        Probabilities are equal where they differ by rounding alone.
        """
        if is_scan(X):
            return (self.classes_[first_best(proba)] for proba in self.predict_proba(X))
        best = first_best(self.predict_proba(X))
        return self.classes_[best]

    def score(self, X, y) -> float:
        """Share of cases predicted right; ValueError where y and X do not belong together."""
        predicted, y = self.predict(X), one_dimensional(y)
        check_same_length(len(predicted), len(y))
        gap = pd.isna(y)
        if gap.any():
            raise ValueError(f"the class is missing in {gap.sum()} rows of y, first {gap.argmax()}")
        known = pd.Index(self.classes_).get_indexer(pd.Index(y)) >= 0
        if not known.any():
            raise ValueError(
                f"y holds none of the classes {', '.join(map(repr, self.classes_.tolist()))}: "
                f"its labels are such as {y[0]!r}"
            )
        return float(np.mean(predicted == np.asarray(y)))

    def _copy(self, **changes) -> "Classifier":
        """A shallow copy with other attributes: what was fitted is shared, not computed anew."""
        other = copy.copy(self)
        vars(other).update(changes)
        return other

    def _read_training(self, X, y):
        """Columns of X and class codes (n,) of y; sets what scikit-learn expects of `fit`."""
        columns = read_columns(X, type(self).__name__)
        self._remember_names(X, columns)
        codes, self.classes_ = read_classes(y, type(self).__name__)
        check_same_length(len(columns[0].values), len(codes))
        return columns, codes

    def _read_codes(self, codes, y, unseen=False):
        """Class codes (n,) of y for a `Codes`, -1 in it only where `unseen`; no names are kept."""
        y, self.classes_ = read_classes(y, type(self).__name__)
        codes.check(codes.schema, unseen=unseen)
        check_same_length(len(codes), len(y))
        self.n_features_in_ = len(codes.schema)
        for name in ("encoder_", "feature_names_in_", "_names"):
            vars(self).pop(name, None)
        return y

    def _remember(self, names, classes):
        """Names and classes of a scan, as of a DataFrame."""
        self.n_features_in_, self._names, self.classes_ = len(names), list(names), classes
        self.feature_names_in_ = np.array(names, dtype=object)

    def _remember_names(self, X, columns):
        self.n_features_in_ = len(columns)
        vars(self).pop("feature_names_in_", None)
        self._names = [column.name for column in columns] if isinstance(X, pd.DataFrame) else None
        if isinstance(X, pd.DataFrame) and all(isinstance(name, str) for name in X.columns):
            self.feature_names_in_ = np.array(X.columns, dtype=object)

    def _read_new(self, X):
        """Columns of new data, which must be those of the training data, in their order."""
        if not hasattr(self, "classes_"):
            raise not_fitted(self)
        columns = read_columns(X, type(self).__name__)
        self._check_feature_names(X)
        if len(columns) != self.n_features_in_:
            raise ValueError(
                f"X has {len(columns)} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        return columns

    def _check_feature_names(self, X):
        fitted = getattr(self, "feature_names_in_", None)
        named = isinstance(X, pd.DataFrame) and all(isinstance(name, str) for name in X.columns)
        if isinstance(X, pd.DataFrame) and self._names is not None:
            check_same_names(self._names, [str(name) for name in X.columns])
        elif named != (fitted is not None):
            has, was = ("has", "without") if named else ("does not have valid", "with")
            warn(f"X {has} feature names, but {type(self).__name__} was fitted {was} feature names")


def take_rows(values, rows: np.ndarray):
    """These rows of a DataFrame, Series, Categorical, list, array or `Codes`."""
    if isinstance(values, pd.DataFrame | pd.Series):
        return values.iloc[rows]
    if isinstance(values, pd.Categorical) or hasattr(values, "schema"):
        return values.take(rows)
    return as_array(values)[rows]


def unfitted(model):
    """A new model with the same settings, so that the user's own stays as it is."""
    if not hasattr(model, "get_params"):
        return copy.deepcopy(model)
    return type(model)(**copy.deepcopy(model.get_params(deep=False)))


def fit_each(model, X, y, training) -> list:
    """A model fitted to each of these arrays of rows, all in one pass where the model can."""
    if hasattr(model, "fit_folds"):
        return unfitted(model).fit_folds(X, y, training)
    return [unfitted(model).fit(take_rows(X, rows), take_rows(y, rows)) for rows in training]


def line_up(model, learnt: np.ndarray, classes: pd.Index) -> np.ndarray:
    """A model's probabilities (n, its classes) with a column for every class (n, C), 0 if new."""
    if len(model.classes_) == len(classes) and (np.asarray(model.classes_) == classes).all():
        return learnt
    place = classes.get_indexer(pd.Index(model.classes_))
    if (place < 0).any():
        strange = model.classes_[place.argmin()]
        raise ValueError(f"{type(model).__name__} predicts {strange!r}, which y does not have")
    proba = np.zeros((len(learnt), len(classes)))
    proba[:, place] = learnt
    return proba


def check_same_length(cases: int, classes: int) -> None:
    """Raise ValueError unless X has as many cases as y has classes."""
    if cases != classes:
        raise ValueError(
            f"X has {cases} cases, but y has {classes}: inconsistent numbers of samples"
        )


def not_fitted(estimator) -> Exception:
    """scikit-learn's NotFittedError where scikit-learn is loaded, else one of its own kind."""
    module = sys.modules.get("sklearn.exceptions")
    kind = module.NotFittedError if module else NotFittedError
    return kind(f"This {type(estimator).__name__} is not fitted yet: call fit(X, y) first")


class NotFittedError(ValueError, AttributeError):
    """Raised when a model is used before `fit`."""
