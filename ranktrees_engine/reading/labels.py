"""Reading the class labels of cases: their codes and the sorted classes.

Models, measures, folds and pictures all read labels here, so that a column of probabilities means
the same class to each of them, and to scikit-learn, which also sorts classes.
"""

import sys

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import refuse_masked, shown
from ranktrees_engine.basics.kinds import ArrayLike
from ranktrees_engine.basics.warn import warn
from ranktrees_engine.reading.columns import as_array
from ranktrees_engine.reading.frames import as_pandas


def read_classes(y: ArrayLike, owner: str = "This model") -> tuple[np.ndarray, np.ndarray]:
    """Return class codes (n,) of y and the sorted classes (C,), at least two of which occur.

    y holds labels or codes, of any dtype; all categories of a Categorical are classes, whether they
    occur or not. Raises ValueError, naming the `owner` that needs y, if fewer than two classes
    occur, and as `read_labels` does.
    """
    codes, classes = read_labels(y, owner)
    if np.count_nonzero(np.bincount(codes)) < 2:
        only = f"only one class, {str(classes[codes[0]])!r}" if len(codes) else "no class at all"
        raise ValueError(f"{owner}: y holds {only}; at least two classes are needed to learn")
    return codes, classes


def read_labels(y, owner: str, what: str = "y") -> tuple[np.ndarray, np.ndarray]:
    """Read classes as `read_classes` does, for any number of them; errors call y `what`.

    Raises ValueError for a missing class (its row), for measurements, for more than one dimension
    and for labels that cannot be sorted, as text and numbers together.
    """
    if y is None:
        raise ValueError(f"{owner} requires {what} to be passed, but the target {what} is None")
    y = as_pandas(y)
    codes, classes = _declared(y) if is_declared(y) else _occurring(y, what)
    _refuse_dates(classes, what)
    gap = codes < 0
    if gap.any():
        raise ValueError(
            f"Input {what} contains NaN: {what} lacks the class of {gap.sum()} of its {len(gap)} "
            f"cases, first in row {gap.argmax()}: drop these cases or fill in their class"
        )
    return _sorted(codes, classes, what)


def declared_codes(y, owner: str) -> np.ndarray:
    """Return `read_classes`' codes (n,), but for a Categorical in the order that it declares.

    So cases that are dealt out class by class do not depend on the names of classes.
    """
    y = as_pandas(y)
    codes, _ = read_classes(y, owner)
    return _declared(y)[0] if is_declared(y) else codes


def is_declared(y) -> bool:
    """Return whether y declares its classes, as a Categorical does, alone or in a Series."""
    return isinstance(getattr(y, "dtype", None), pd.CategoricalDtype)


def _declared(y):
    y = y if isinstance(y, pd.Categorical) else y.array
    return y.codes.astype(np.intp), y.categories.to_numpy()


def _occurring(y, what):
    values = one_dimensional(y, what)
    _check_labels(values[~pd.isna(values)], what)
    return pd.factorize(values, sort=True)


def _sorted(codes, classes, what):
    try:
        order = np.argsort(classes, kind="stable")
    except TypeError as error:
        raise _mixed(classes, what) from error
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank[codes], classes[order]


def one_dimensional(y, what: str = "y") -> np.ndarray:
    """Return the values (n,) of y; a single column is flattened with scikit-learn's warning."""
    refuse_masked(y, f"Input {what}", "drop these cases or fill in their class")
    values = as_array(y)
    if values.ndim == 2 and values.shape[1] == 1:
        module = sys.modules.get("sklearn.exceptions")
        category = module.DataConversionWarning if module else UserWarning
        message = "A column-vector y was passed when a 1d array was expected: use y.ravel()"
        warn(message, category)
        return values.ravel()
    if values.ndim != 1:
        raise ValueError(
            f"{what} must have one dimension: a 1d array, not an array of shape {values.shape}"
        )
    return values


def _check_labels(values, what):
    """Raise ValueError unless the known values (n,) are text, or numbers that are whole."""
    if values.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {what} holds complex numbers")
    if values.dtype.kind == "S":
        raise _mixed(values.tolist(), what)
    if values.dtype == object and pd.api.types.infer_dtype(values) != "string":
        try:
            values = values.astype(float)
        except (TypeError, ValueError) as error:
            _refuse_dates(values, what)
            raise _mixed(values, what) from error
    if values.dtype.kind != "f":
        return
    if np.isinf(values).any():
        raise ValueError(f"Input {what} contains infinity (inf): classes must be names or numbers")
    measured = values != np.floor(values)
    if measured.any():
        raise ValueError(
            f"Unknown label type: continuous. {what} holds measurements such as "
            f"{values[measured.argmax()]:g}, not classes: bin them first; measures take true "
            "classes first, then what was predicted of them"
        )


def _refuse_dates(values, what):
    if pd.api.types.infer_dtype(values).startswith(("date", "time", "period")):
        raise ValueError(
            f"Unknown label type: {what} holds dates or times, such as {values[0]}: classes must "
            "be names or whole numbers"
        )


def _mixed(labels, what):
    kinds = {type(label).__name__ for label in labels}
    if len(kinds) == 1 and "str" not in kinds:
        name = "label.decode()" if "bytes" in kinds else "str(label)"
        return ValueError(
            f"Unknown label type: {what} holds values of type {kinds.pop()}, such as "
            f"{labels[0]!r:.80}, but classes are text or whole numbers: give [{name} for label in "
            f"{what}]"
        )
    other = next((label for label in labels if not isinstance(label, str)), labels[0])
    return ValueError(
        f"Unknown label type: {what} mixes text with other types, such as {other!r}: classes must "
        "sort"
    )


def check_among(y: np.ndarray, classes: np.ndarray) -> None:
    """Raise ValueError for a missing class among y (n,), and if none of y is among the classes."""
    gap = pd.isna(y)
    if gap.any():
        raise ValueError(f"the class is missing in {gap.sum()} rows of y, first {gap.argmax()}")
    if not (pd.Index(classes).get_indexer(pd.Index(y)) >= 0).any():
        raise ValueError(
            f"y holds none of the classes {', '.join(map(repr, classes.tolist()))}: "
            f"its labels are such as {shown(y[0])}"
        )
