"""What the pictures are given, checked: one attribute of a data set, its classes, scores."""

import difflib

import numpy as np
import pandas as pd

from ranktrees.basics.arguments import is_dataset
from ranktrees.evaluate.inputs import score_row
from ranktrees.reading.classifier import check_same_length
from ranktrees.reading.columns import Column, as_pandas, read_columns
from ranktrees.reading.labels import read_classes


def one_attribute(data, attribute: str, y=None) -> tuple[Column, np.ndarray, list[str]]:
    """A column by name, from a Dataset or from X with y; class codes (n,), and their classes.

    Raises ValueError for no such attribute (with the nearest names), no cases, no classes.
    """
    X, y = frame_and_classes(data, y)
    names = [str(name) for name in X.columns]
    check_known("attribute", str(attribute), names)
    place = names.index(str(attribute))
    column = read_columns(X.iloc[:, [place]], "plot")[0]
    codes, classes = read_classes(y, "plot")
    check_same_length(len(column.values), len(codes))
    return column, codes, [str(c) for c in classes]


def frame_and_classes(data, y=None) -> tuple[pd.DataFrame, object]:
    """The pandas DataFrame and classes of a Dataset, or of X (a frame or an array) and y."""
    if y is None and is_dataset(data):
        data, y = data.X, data.y
    if y is None:
        raise ValueError("the classes are missing: give a Dataset, or y beside X")
    data = as_pandas(data)
    if not isinstance(data, pd.DataFrame):
        data = np.asarray(data)
        if data.ndim != 2:
            raise ValueError(f"X must have two dimensions, cases and attributes, not {data.ndim}")
        data = pd.DataFrame(data, columns=[f"x{j}" for j in range(data.shape[1])])
    if not len(data):
        raise ValueError("X is empty: there is no case to draw")
    return data, y


def check_known(what: str, name, known) -> None:
    """Raise ValueError for an unknown name, with the nearest known ones or all of a few."""
    if name in known:
        return
    known = [str(k) for k in known]
    near = difflib.get_close_matches(str(name), known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "there is"
    if not near or len(known) <= 6:
        hint += f" {', '.join(known[:12])}{', ...' if len(known) > 12 else ''}"
    raise ValueError(f"no {what} {name!r}: {hint}")


def scored(y, scores: dict, positive=None) -> tuple[np.ndarray, dict[str, np.ndarray], str]:
    """Which cases are positive (n,), the scores (n,) of each model, and the class meant.

    `positive` defaults to the last class. Raises ValueError for lengths that differ, scores that
    are missing, a class that does not occur or the only one.
    """
    codes, classes = read_classes(y, "plot")
    names = [str(c) for c in classes]
    positive = names[-1] if positive is None else str(positive)
    check_known("class", positive, names)
    hits = codes == names.index(positive)
    if hits.all() or not hits.any():
        raise ValueError(f"class {positive!r} has {hits.sum()} of {len(hits)} cases: need both")
    if not isinstance(scores, dict):
        scores = {"model": scores}
    checked = {str(name): _score(name, score, len(hits)) for name, score in scores.items()}
    if not checked:
        raise ValueError("scores is empty: give {name: scores} of at least one model")
    return hits, checked, positive


def _score(name, score, n):
    score = score_row(f"the score of {name!r}", score, n)
    if np.isinf(score).any():
        raise ValueError(f"the score of {name!r} is infinite in row {np.isinf(score).argmax()}")
    return score
