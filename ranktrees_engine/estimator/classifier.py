"""What all classifiers of the package share: scikit-learn's interface without scikit-learn."""

import copy
from collections.abc import Callable
from functools import wraps
from itertools import compress
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, dataclass_transform

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import is_case
from ranktrees_engine.basics.elsewhere import tells_ours
from ranktrees_engine.basics.fitted import check_fitted, check_same_length
from ranktrees_engine.basics.kinds import Classes, Input, Weights
from ranktrees_engine.basics.logarithms import log, tiny_is_zero
from ranktrees_engine.basics.ties import first_best
from ranktrees_engine.basics.warn import WarnOnce, warn
from ranktrees_engine.estimator import html
from ranktrees_engine.estimator.elsewhere import ATTRIBUTES, ELSEWHERE
from ranktrees_engine.estimator.params import (
    check_parameters,
    learnt_names,
    make_dataclass,
    param,
    parameter_names,
)
from ranktrees_engine.estimator.refusals import IN_FILES, refuse_weights
from ranktrees_engine.estimator.routing import (
    get_metadata_routing,
    set_fit_request,
    set_score_request,
)
from ranktrees_engine.estimator.summary import Summary
from ranktrees_engine.explain.explanation import one_case
from ranktrees_engine.explain.many import Sum, no_parts
from ranktrees_engine.reading.checks import warn_of_columns
from ranktrees_engine.reading.columns import (
    NEVER_SEEN,
    check_same_names,
    is_scan,
    read_columns,
    refuse_missing,
    take_cases,
)
from ranktrees_engine.reading.encoder import Encoder
from ranktrees_engine.reading.frames import as_pandas
from ranktrees_engine.reading.labels import check_among, one_dimensional, read_classes
from ranktrees_engine.reading.weights import case_weights, read_weights

BUDGET = "256MB"  # of memory for a scan of files
Fit = TypeVar("Fit", bound=Callable)


def fits_whole(fit: Fit) -> Fit:
    """Make `fit` all or nothing: a new model learns, and then replaces the model in one step.

    The new model has nothing that was learnt before. If `fit` raises or is interrupted, nothing
    changes.
    """

    @wraps(fit)
    @tiny_is_zero()
    def fit_whole(model, *args, **options):
        new = copy.copy(model)
        learnt = learnt_names(type(model))
        new.__dict__ = {k: v for k, v in vars(model).items() if k not in learnt}
        if isinstance(new, Classifier):  # a scan is given others, too, and refuses them
            new._check_parameters()
        fit(new, *args, **options)
        model.__dict__ = new.__dict__
        return model

    return fit_whole


@dataclass_transform(field_specifiers=(param,))
class Classifier:
    """Parameters, classes, checks of names and columns, and `predict` from `predict_proba`.

    A subclass declares its parameters as fields (see `params`), and in `learnt` what `fit` sets
    besides what its bases list.
    """

    learnt: ClassVar[str] = "classes_ n_features_in_ feature_names_in_ encoder_ _names"

    classes_: np.ndarray
    n_features_in_: int
    feature_names_in_: np.ndarray
    encoder_: Encoder | None = None  # of columns; None for a model fitted on `Codes`
    _names: list[str] | None = None  # of the columns; None for those of an array
    get_metadata_routing = get_metadata_routing
    set_fit_request, set_score_request = set_fit_request, set_score_request
    __getattr__ = tells_ours(ATTRIBUTES)
    _instead = 'missing="impute" or missing="value"'  # of "error"
    _takes_unseen = False  # codes of -1, in training

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        make_dataclass(cls)

    def __new__(cls, *args, **params) -> Self:
        """Make a model; TypeError for a parameter that is called otherwise here, or not offered."""
        for name in ELSEWHERE.keys() & params.keys():
            if name not in parameter_names(cls):
                raise TypeError(f"{cls.__name__} has no {name}: {ELSEWHERE[name]}")
        return super().__new__(cls)

    if TYPE_CHECKING:  # what subclasses bring

        def predict_proba(self, X: Input) -> np.ndarray: ...

    def get_params(self, deep: bool = True) -> dict:
        """Return the constructor's arguments by name."""
        return {name: getattr(self, name) for name in parameter_names(type(self))}

    def set_params(self, **params: Any) -> "Classifier":
        """Set constructor arguments; ValueError lists the known names if one is unknown."""
        known = parameter_names(type(self))
        for name, value in params.items():
            if name not in known:
                hint = ELSEWHERE.get(name, f"choose one of {', '.join(known)}")
                raise ValueError(f"Invalid parameter {name!r} for {type(self).__name__}: {hint}")
            setattr(self, name, value)
        return self

    def _check_parameters(self) -> None:
        """Check every parameter; the TypeError or ValueError names the first invalid one."""
        check_parameters(self)

    def __repr__(self) -> str:
        defaults = type(self).__dataclass_fields__
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

    def predict(self, X: Input) -> np.ndarray:
        """Predict the most probable class (n,) of each case; on a tie, the first in `classes_`.

        Probabilities that differ by rounding alone are equal.
        """
        if is_scan(X):
            return (self.classes_[first_best(proba)] for proba in self.predict_proba(X))
        best = first_best(self.predict_proba(X))  # first, since it refuses a model without a fit
        return self.classes_[best]

    def predict_log_proba(self, X: Input) -> np.ndarray:
        """Return natural logarithms of `predict_proba` (n, C), -inf for 0."""
        if is_scan(X):
            return map(log, self.predict_proba(X))
        return log(self.predict_proba(X))

    def score(self, X: Input, y: Classes = None, sample_weight: Weights = None) -> float:
        """Return the share of cases, or of their weight, predicted right; an `rt.scan` has y, too.

        Raises ValueError if y and X do not belong together.
        """
        if is_scan(X):
            refuse_weights(self, IN_FILES, sample_weight=sample_weight)
            check_fitted(self, "classes_")
            return X.score(self, y)
        if y is None:
            raise TypeError("score needs the classes y of the cases: score(X, y)")
        predicted, y = self.predict(X), one_dimensional(y)
        check_same_length(len(predicted), len(y))
        check_among(y, self.classes_)
        weight = None if sample_weight is None else case_weights(sample_weight, len(y))
        return float(np.average(predicted == np.asarray(y), weights=weight))

    def unseen(self, X: Input) -> pd.Series:
        """Count each column's values not seen in training; numbers and gaps do not count.

        X may be a single case, or an `rt.scan` of files. Raises ValueError as `predict_proba` does.
        """
        if is_scan(X):
            return sum(self.unseen(frame) for _, frame in X.frames(X.names))
        with WarnOnce(without=(NEVER_SEEN,)):
            new = self._new_values(X)
        names = self._names or [f"x{j}" for j in range(new.shape[1])]
        return pd.Series(new.sum(axis=0), pd.Index(names, name="column"), name="unseen")

    def _new_values(self, X):
        """Return which values (n, A) were never seen in training."""
        check_fitted(self, "classes_")
        self._check_read()
        columns = self._read_new(X)
        coded = ~getattr(self, "gaussian_", np.zeros(len(columns), bool))
        new = np.zeros((len(columns[0].values), len(columns)), bool)
        if coded.any():
            new[:, coded] = self.encoder_.unseen(list(compress(columns, coded)))
        return new

    def _repr_html_(self) -> str:
        return html.model_html(self)

    @property
    def is_fitted(self) -> bool:
        """True once `fit` has set what the model learns."""
        return "classes_" in vars(self)

    def summary(self) -> Summary:
        """Return what the model was fitted on and what it learnt, as far as it stores this."""
        check_fitted(self, "classes_")
        reads = "columns" if "encoder_" in vars(self) else "codes"
        known = self.n_features_in_, self._names, self.classes_.tolist(), reads
        return Summary(*known, self.encoder_)

    def parts(self, X: Input) -> Sum:
        """Return the sum over attributes that each prediction is; TypeError if it is not one."""
        no_parts(self)

    def _copy(self, **changes) -> "Classifier":
        """Make a shallow copy with other attributes: what was fitted is shared, not recomputed."""
        other = copy.copy(self)
        vars(other).update(changes)
        return other

    def _read_training(self, X, y):
        """Return columns of X, or X if `Codes`, and class codes (n,) of y; set what `fit` sets."""
        X = as_pandas(X)
        if isinstance(getattr(X, "schema", None), tuple):
            return X, self._read_codes(X, y)
        columns = read_columns(X, type(self).__name__)
        warn_of_columns(X, columns)
        self._remember_names(X, columns)
        codes, self.classes_ = read_classes(y, type(self).__name__)
        check_same_length(len(columns[0].values), len(codes))
        self._refuse_missing(columns)
        return columns, codes

    def _weigh(self, cases, y, sample_weight=None):
        """Return the cases of positive weight, as columns, codes or rows, their y and weights."""
        weight = read_weights(sample_weight, self.class_weight, y, self.classes_)
        if weight is None or weight.all():
            return cases, y, weight
        rows = np.flatnonzero(weight)
        return take_cases(cases, rows), y[rows], weight[rows]

    def _refuse_missing(self, columns):
        if not self._allows_missing():
            refuse_missing(columns, self._instead)

    def _read_codes(self, codes, y):
        """Return class codes (n,) of y for a `Codes`; no names are kept."""
        y, self.classes_ = read_classes(y, type(self).__name__)
        codes.check(codes.schema, unseen=self._takes_unseen)
        check_same_length(len(codes), len(y))
        self.n_features_in_ = len(codes.schema)
        return y

    def _check_read(self):
        """Raise TypeError for a model that learnt from codes and can read nothing else."""
        if "encoder_" not in vars(self):
            raise TypeError(f"{type(self).__name__} was fitted on Codes: give it Codes again")

    def _remember(self, names, classes):
        """Store names and classes of a scan, as of a DataFrame."""
        self.n_features_in_, self._names, self.classes_ = len(names), list(names), classes
        self.feature_names_in_ = np.array(names, dtype=object)

    def _remember_names(self, X, columns):
        self.n_features_in_ = len(columns)
        self._names = [column.name for column in columns] if isinstance(X, pd.DataFrame) else None
        if isinstance(X, pd.DataFrame) and all(isinstance(name, str) for name in X.columns):
            self.feature_names_in_ = np.array(X.columns, dtype=object)

    def _read_new(self, X):
        """Return columns of new data, which must be those of the training data, in order."""
        check_fitted(self, "classes_")
        X = one_case(self, X) if is_case(X) else as_pandas(X)
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
