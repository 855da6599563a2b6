"""Checks of the measures' input: classes, scores, probabilities, matrices."""

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import as_list, floats, shown
from ranktrees_engine.basics.places import places
from ranktrees_engine.basics.warn import warn
from ranktrees_engine.reading.columns import as_array
from ranktrees_engine.reading.frames import as_pandas
from ranktrees_engine.reading.labels import read_labels


class UndefinedMeasure(ValueError):
    """The input is valid, but the measure has no value on it, as AUC on a single class."""


class NotProbabilities(ValueError):
    """The scores are not probabilities, but the measure needs them."""


def class_codes(y, classes=None, what: str = "y") -> tuple[np.ndarray, pd.Index]:
    """Return class codes (n,) of y and the classes (C,), sorted, or in the order of `classes`.

    Whole numbers are codes if the classes are names, or if `classes` is `range(C)`. Raises
    ValueError, which calls y `what`, if there is no case, for a missing label (its row), numbers
    that are not whole and a label that is not in `classes`.
    """
    if isinstance(classes, range) and isinstance(y, np.ndarray) and y.dtype.kind in "iu":
        return _in_range(y, len(classes), what), pd.RangeIndex(len(classes))
    codes, labels = read_labels(y, "A measure", what)
    labels = pd.Index(labels)
    if classes is None:
        return _in_range(codes, len(labels), what), labels
    known = pd.Index(as_array(as_list("classes", classes)))
    if not known.is_unique:
        raise ValueError(f"classes names {shown(known[known.duplicated()][0])} more than once")
    if pd.api.types.is_integer_dtype(labels.dtype) and known.dtype.kind not in "biuf":
        return _in_range(labels.to_numpy()[codes], len(known), what), known
    found = known.get_indexer(labels)[codes]
    if (found < 0).any():
        label = shown(labels[codes[found.argmin()]])
        raise ValueError(f"{what} holds {label}, which is none of {listed(known)}")
    return _in_range(found, len(known), what), known


def _in_range(codes, C, what):
    if not len(codes):
        raise UndefinedMeasure(f"{what} is empty: there is no case to measure")
    outside = (codes < 0) | (codes >= C)
    if outside.any():
        row = int(outside.argmax())
        raise ValueError(
            f"row {row} of {what} is {codes[row]}, no code of {C} classes: 0 to {C - 1}"
        )
    return places(codes)


def listed(classes) -> str:
    """Return the classes in words, a long list cut short."""
    names = [shown(c) for c in list(classes)[:12]]
    return f"the classes {', '.join(names)}{', ...' if len(classes) > 12 else ''}"


def positive_code(classes: pd.Index, pos_label=None) -> int:
    """Return the code of `pos_label`, by default the last of two classes; ValueError otherwise."""
    if pos_label is None:
        if len(classes) > 2:
            raise ValueError(
                f"there are {len(classes)} classes: name the positive one with pos_label=, one of "
                f"{listed(classes)}; hand_till ranks them all"
            )
        return len(classes) - 1
    for code, label in enumerate(classes):
        if label == pos_label:
            return code
    raise ValueError(f"pos_label {shown(pos_label)} does not occur in y: it has {listed(classes)}")


def positive_scores(y, score, pos_label=None, measure=None) -> tuple[np.ndarray, np.ndarray]:
    """Return which cases are positive (n,), and the scores (n,) as floats.

    Raises ValueError for scores of another shape and for NaN (its row). If `measure` is named,
    warns of classes in place of scores, and raises UndefinedMeasure unless both positive and
    negative cases occur.
    """
    codes, classes = class_codes(y)
    positive = positive_code(classes, pos_label)
    hits = codes == positive
    if measure and (hits.all() or not hits.any()):
        how = "all" if hits.all() else "none"
        raise UndefinedMeasure(
            f"{measure} is undefined: {how} of the {len(hits)} cases of y are of the class "
            f"{shown(classes[positive])}, but it compares positive with negative cases"
        )
    if measure is None:
        return hits, score_row("score", score, len(hits))
    return hits, _scores(measure, score, classes, len(hits))


def _scores(measure, score, classes, n):
    """Scores (n,) as floats, with a warning of classes, which are what predict gives.

    Booleans and the names of classes are never scores. Whole numbers are classes if they are those
    of y; 0.0 and 1.0 may be probabilities, which are so in pure leaves.
    """
    ranks = f"{measure} is of rankings: give it predict_proba(X)[:, 1] and not predict(X)"
    given = np.asarray(score, None if hasattr(score, "dtype") else object).ravel()
    is_text = any(isinstance(value, str) for value in given[:1].tolist())
    try:
        row = score_row("score", score, n)
    except ValueError as error:
        if is_text:
            raise ValueError(f"score holds names such as {shown(given[0])}; {ranks}") from None
        raise error
    kind = given.dtype.kind if given.dtype.kind != "O" else np.asarray(given.tolist()).dtype.kind
    if kind == "b" or is_text or _are_codes(row, kind, classes):
        warn(f"score holds {len(np.unique(row))} values, which look like classes: {ranks}")
    return row


def _are_codes(row, kind, classes):
    """Whether scores (n,) are whole numbers that are all classes."""
    if not pd.api.types.is_numeric_dtype(classes) or not len(row):
        return False
    if kind not in "iu" and row.max() <= 1:
        return False
    return bool(
        (row == np.floor(row)).all() and np.isin(np.unique(row), classes.astype(float)).all()
    )


def score_row(what: str, score, n: int) -> np.ndarray:
    """Return scores (n,) as floats; ValueError, naming `what`, for another shape or NaN (row)."""
    score = floats(what, score)
    if score.ndim == 2 and score.shape[1] == 2:
        raise ValueError(f"{what} has two columns: give that of the positive class, score[:, 1]")
    if score.shape != (n,):
        raise ValueError(f"{what} has shape {score.shape}, but y has {n} cases")
    if np.isnan(score).any():
        raise ValueError(f"{what} is NaN in row {np.isnan(score).argmax()}: score every case")
    return score


def class_scores(y, proba, classes=None) -> tuple[np.ndarray, np.ndarray]:
    """Check class codes (n,) and scores (n, C), a column for each class, together; return both.

    `classes` names the columns; by default the names of a DataFrame, else those of `class_codes`.
    """
    proba = as_pandas(proba)
    if classes is None and isinstance(proba, pd.DataFrame):
        classes = None if isinstance(proba.columns, pd.RangeIndex) else proba.columns
    codes, known = class_codes(y, classes)
    proba = score_matrix(proba)
    if len(proba) != len(codes):
        raise ValueError(f"proba has {len(proba)} rows, but y has {len(codes)} cases")
    if proba.shape[1] != len(known):
        raise ValueError(
            f"proba has {proba.shape[1]} columns, but there are {len(known)} classes, "
            f"{listed(known)}: name all of its columns with classes="
        )
    return codes, proba


def score_matrix(proba) -> np.ndarray:
    """Return scores (n, C) as floats; ValueError for another shape and for NaN (its row)."""
    proba = floats("proba", proba)
    if proba.ndim != 2:
        raise ValueError(
            "proba needs a row per case and a column per class, as predict_proba gives them, not "
            f"shape {proba.shape}"
        )
    if np.isnan(proba).any():
        row, column = np.argwhere(np.isnan(proba))[0]
        raise ValueError(f"proba is NaN in row {row}, column {column}: a model must score all")
    return proba


def check_probabilities(proba: np.ndarray) -> None:
    """Raise NotProbabilities, naming row and sum, unless each row (C,) is >= 0 and sums to 1."""
    if proba.min() < 0:
        row = int(proba.min(axis=1).argmin())
        raise NotProbabilities(f"proba has a negative value, {proba[row].min():g}, in row {row}")
    total = proba.sum(axis=1)
    wrong = ~(np.abs(total - 1) <= 1e-6)
    if wrong.any():
        row = int(wrong.argmax())
        raise NotProbabilities(
            f"proba sums to {total[row]:.6g} in row {row}, not to 1 ({wrong.sum()} such rows): "
            "divide each row by its sum"
        )


def square(what: str, matrix, C: int | None = None) -> np.ndarray:
    """Return the matrix (C, C) as floats; ValueError for another shape or values not finite."""
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


def matched(confusion, other, what: str) -> tuple[np.ndarray, np.ndarray]:
    """Return two matrices (C, C) as floats, the second in the order of the first one's labels.

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
