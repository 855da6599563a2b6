"""What the measures are given, checked once for all: classes, scores, probabilities, costs."""

import numpy as np
import pandas as pd

from ranktrees.columns import as_array
from ranktrees.labels import read_labels


class UndefinedMeasure(ValueError):
    """The input is sound, but the measure has no value on it, as AUC on a single class."""


class NotProbabilities(ValueError):
    """Scores that are no probabilities, where a measure needs them."""


def class_codes(y, classes=None, what: str = "y") -> tuple[np.ndarray, pd.Index]:
    """Class codes (n,) of y and the classes (C,), sorted, or in the order given by `classes`.

    Whole numbers are codes where the classes are names, and where `classes` is `range(C)`. Raises
    ValueError, which calls y `what`, for no case, a missing label (its row), numbers that are not
    whole and a label that is not in `classes`.
    """
    if isinstance(classes, range) and isinstance(y, np.ndarray) and y.dtype.kind in "iu":
        return _in_range(y, len(classes), what), pd.RangeIndex(len(classes))
    codes, labels = read_labels(y, "A measure", what)
    if not len(codes):
        raise UndefinedMeasure(f"{what} is empty: there is no case to measure")
    labels = pd.Index(labels)
    if classes is None:
        return codes, labels
    known = _declared(classes)
    numbers = pd.api.types.is_integer_dtype(labels.dtype)
    if numbers and not pd.api.types.is_numeric_dtype(known.dtype):
        return _in_range(labels.to_numpy()[codes], len(known), what), known
    place = known.get_indexer(labels)
    unknown = (place < 0) & (np.bincount(codes, minlength=len(labels)) > 0)
    if unknown.any():
        label = shown(labels[unknown.argmax()])
        raise ValueError(f"{what} holds {label}, which is none of {listed(known)}")
    return place[codes], known


def _declared(classes):
    known = pd.Index(as_array(list(classes)))
    if not known.is_unique:
        raise ValueError(f"classes names {known[known.duplicated()][0]!r} more than once")
    return known


def _in_range(codes, C, what):
    if not len(codes):
        raise UndefinedMeasure(f"{what} is empty: there is no case to measure")
    if codes.min() < 0 or codes.max() >= C:
        row = int(((codes < 0) | (codes >= C)).argmax())
        raise ValueError(
            f"row {row} of {what} is {codes[row]}, no code of {C} classes: 0 to {C - 1}"
        )
    return codes


def listed(classes) -> str:
    """The classes in words, a long list cut short."""
    names = [shown(c) for c in list(classes)[:12]]
    return f"the classes {', '.join(names)}{', ...' if len(classes) > 12 else ''}"


def shown(label) -> str:
    """A label as it is written: not `np.int64(3)` but 3."""
    return repr(label.item() if isinstance(label, np.generic) else label)


def positive_code(classes: pd.Index, pos_label=None) -> int:
    """The code of `pos_label`, by default the last of two classes; ValueError for any other."""
    if pos_label is None:
        if len(classes) > 2:
            raise ValueError(
                f"there are {len(classes)} classes: name the positive one with pos_label=, one of "
                f"{listed(classes)}; hand_till ranks them all"
            )
        return len(classes) - 1
    found = [k for k, label in enumerate(classes) if label == pos_label]
    if not found:
        raise ValueError(f"pos_label {pos_label!r} does not occur in y: it has {listed(classes)}")
    return found[0]


def positives(y, pos_label=None, measure: str | None = None) -> np.ndarray:
    """(n,) which cases are positive; with `measure` named, UndefinedMeasure unless both occur."""
    codes, classes = class_codes(y)
    at = positive_code(classes, pos_label)
    hits = codes == at
    if measure and (hits.all() or not hits.any()):
        how = "all" if hits.all() else "none"
        raise UndefinedMeasure(
            f"{measure} is undefined: {how} of the {len(hits)} cases of y are of the class "
            f"{shown(classes[at])}, but it compares positive with negative cases"
        )
    return hits


def scores(score, n: int) -> np.ndarray:
    """Scores (n,) as floats; ValueError for another shape and for NaN (its row)."""
    score = floats("score", score)
    if score.ndim == 2 and score.shape[1] == 2:
        raise ValueError("score has two columns: give that of the positive class, score[:, 1]")
    if score.shape != (n,):
        raise ValueError(f"score has shape {score.shape}, but y has {n} cases")
    if np.isnan(score).any():
        raise ValueError(f"score is NaN in row {np.isnan(score).argmax()}: give every case a score")
    return score


def floats(what: str, values) -> np.ndarray:
    """The values as floats; ValueError, naming `what`, for text and for rows of unequal length."""
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what} must hold numbers only, in even rows: {error}") from error


def shares(score: np.ndarray) -> np.ndarray:
    """The scores (n,), which must be probabilities; NotProbabilities names the row outside 0..1."""
    outside = (score < 0) | (score > 1)
    if outside.any():
        row = int(outside.argmax())
        raise NotProbabilities(f"score is {score[row]:g} in row {row}: no probability of 0 to 1")
    return score


def class_scores(y, proba, classes=None) -> tuple[np.ndarray, np.ndarray]:
    """Class codes (n,) and scores (n, C) with a column for each class, checked to fit together.

    `classes` names the columns; by default the names of a DataFrame, else those of `class_codes`.
    """
    if classes is None and isinstance(proba, pd.DataFrame):
        named = not isinstance(proba.columns, pd.RangeIndex)
        classes = proba.columns if named else None
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
    """Scores (n, C) as floats; ValueError for another shape and for NaN (its row)."""
    proba = floats("proba", proba)
    if proba.ndim != 2:
        raise ValueError(f"proba needs a row a case and a column a class, not shape {proba.shape}")
    gap = np.isnan(proba)
    if gap.any():
        row, column = np.argwhere(gap)[0]
        raise ValueError(f"proba is NaN in row {row}, column {column}: a model must score all")
    return proba


def check_probabilities(proba: np.ndarray, tolerance: float = 1e-6) -> None:
    """Raise NotProbabilities, naming row and sum, unless each row (C,) is >= 0 and sums to 1."""
    wrong = proba.min(axis=1) < 0
    if wrong.any():
        row = int(wrong.argmax())
        raise NotProbabilities(f"proba has a negative value, {proba[row].min():g}, in row {row}")
    total = proba.sum(axis=1)
    wrong = ~(np.abs(total - 1) <= tolerance)
    if wrong.any():
        row = int(wrong.argmax())
        raise NotProbabilities(
            f"proba sums to {total[row]:.6g} in row {row}, not to 1 ({wrong.sum()} such rows): "
            "divide each row by its sum"
        )
