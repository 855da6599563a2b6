"""Measures of crisp predictions: the confusion matrix and what is computed from it."""

import numpy as np
import pandas as pd

from ranktrees.arguments import check_number
from ranktrees.evaluate.inputs import UndefinedMeasure, class_codes, floats, positive_code, shown
from ranktrees.labels import is_declared


def confusion_matrix(y, predicted, classes=None) -> pd.DataFrame:
    """Cases by class, rows true and columns predicted: a DataFrame (C, C) with named axes.

    `y`, `predicted` (n,) labels or codes; `classes` (C,) in the order wanted, by default the
    sorted labels of a Categorical, else of both. Errors as in `class_codes`.

    >>> confusion_matrix(["+", "+", "-"], ["+", "-", "-"]).to_numpy().tolist()
    [[1, 1], [0, 1]]
    """
    true, called, classes = _aligned(y, predicted, classes)
    C = len(classes)
    counts = np.bincount(true * C + called, minlength=C * C).reshape(C, C)
    return pd.DataFrame(
        counts, index=classes.rename("true"), columns=classes.rename("predicted"), copy=False
    )


def _aligned(y, predicted, classes):
    """Codes of the true and the predicted classes (n,) in the same classes."""
    if classes is None:
        classes = _common_classes(y, predicted)
    true, classes = class_codes(y, classes)
    called, _ = class_codes(predicted, classes, "predicted")
    if len(true) != len(called):
        raise ValueError(f"y has {len(true)} cases, but predicted has {len(called)}")
    return true, called, classes


def _common_classes(y, predicted):
    for labels in (y, predicted):
        if is_declared(labels):
            return class_codes(labels)[1]
    true, called = class_codes(y)[1], class_codes(predicted, what="predicted")[1]
    if pd.api.types.is_numeric_dtype(true.dtype) != pd.api.types.is_numeric_dtype(called.dtype):
        raise ValueError(
            f"y holds labels such as {shown(true[0])}, predicted {shown(called[0])}: give both as "
            "labels; confusion_matrix takes classes= where one of them holds codes"
        )
    return true.union(called)


def accuracy(y, predicted) -> float:
    """Share of cases predicted right; `y`, `predicted` (n,) as in `confusion_matrix`.

    >>> accuracy(["no"] * 10, ["no"] * 9 + ["yes"])
    0.9
    """
    true, called, _ = _aligned(y, predicted, None)
    return float(np.mean(true == called))


def error_rate(y, predicted) -> float:
    """Share of cases predicted wrong, 1 - accuracy."""
    return 1 - accuracy(y, predicted)


# Measures of one class against the rest; for (TP, FN, FP) see Yang's confusion matrix


def precision(y, predicted, pos_label=None) -> float:
    """TP / (TP + FP), the share of right ones among the cases called positive.

    The positive class defaults to the last of two. UndefinedMeasure where none is called so.
    """
    tp, _, fp = _counts(y, predicted, pos_label)
    return _ratio(tp, tp + fp, "precision", "no case is predicted to be of the positive class")


def recall(y, predicted, pos_label=None) -> float:
    """TP / (TP + FN), the share of the positive cases that are called so: the true positive rate.

    The positive class defaults to the last of two. UndefinedMeasure where no case is positive.
    """
    tp, fn, _ = _counts(y, predicted, pos_label)
    return _ratio(tp, tp + fn, "recall", "no case of y is of the positive class")


def f_measure(y, predicted, pos_label=None, beta: float = 1.0) -> float:
    """The harmonic mean of precision and recall, 2 TP / (2 TP + FP + FN); beta weights recall.

    (1 + b²) TP / ((1 + b²) TP + b² FN + FP) (van Rijsbergen 1979). UndefinedMeasure where no
    case is of the positive class and none is called so.
    """
    check_number("beta", beta, 0)
    tp, fn, fp = _counts(y, predicted, pos_label)
    right = (1 + beta**2) * tp
    return _ratio(right, right + beta**2 * fn + fp, "F", "no case is positive nor called so")


def _counts(y, predicted, pos_label):
    true, called, classes = _aligned(y, predicted, None)
    at = positive_code(classes, pos_label)
    true, called = true == at, called == at
    return tuple(int(n.sum()) for n in (true & called, true & ~called, ~true & called))


def _ratio(part, whole, measure, why):
    if whole == 0:
        raise UndefinedMeasure(f"{measure} is undefined: {why}")
    return float(part / whole)


def weighted_accuracy(confusion, weights) -> float:
    """Weighted right cases over all weighted cases, (w₁a + w₄d) / (w₁a + w₂b + w₃c + w₄d) (Yang).

    `confusion` and `weights` (C, C), rows true, columns predicted; two DataFrames are matched by
    label. With weights of 1 it is accuracy; where the positive class is first, [[1, 0], [1, 0]] is
    precision, [[1, 1], [0, 0]] recall, [[2, 1], [1, 0]] F. UndefinedMeasure if no case has weight.
    """
    n, weights = matched(confusion, weights, "weights")
    if (weights < 0).any():
        raise ValueError(f"weights must not be negative, but one is {weights.min():g}")
    weighted = n * weights
    why = "the cells with weight have no case"
    return _ratio(np.trace(weighted), weighted.sum(), "weighted accuracy", why)


def matched(confusion, other, what: str) -> tuple[np.ndarray, np.ndarray]:
    """Two matrices (C, C) as floats, the second in the order of the first one's labels.

    Raises ValueError, naming `what`, for other shapes, other labels and values that are not finite.
    """
    n = square("confusion", confusion)
    if isinstance(confusion, pd.DataFrame) and isinstance(other, pd.DataFrame):
        for axis, name in enumerate(("rows", "columns")):
            here, there = confusion.axes[axis], other.axes[axis]
            if set(here) != set(there):
                raise ValueError(
                    f"{what} labels its {name} {list(there)}, but confusion has {list(here)}"
                )
            other = other.reindex(here, axis=axis)
    return n, square(what, other, len(n))


def square(what: str, matrix, C: int | None = None) -> np.ndarray:
    """The matrix (C, C) as floats; ValueError for another shape and values that are not finite."""
    values = floats(what, matrix)
    C = len(values) if C is None and values.ndim else C
    if values.shape != (C, C):
        raise ValueError(
            f"{what} must have one row per true and one column per predicted class, "
            f"{'the same number' if C is None else f'({C}, {C})'}, but its shape is {values.shape}"
        )
    if not np.isfinite(values).all():
        row, column = np.argwhere(~np.isfinite(values))[0]
        raise ValueError(f"{what} is {values[row, column]} in row {row}, column {column}")
    return values
