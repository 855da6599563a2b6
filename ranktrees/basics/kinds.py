"""Kinds of arguments and results, for signatures: what a caller may give, under one name each."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np


class Model(Protocol):
    """What learns and gives probabilities: a model of the package, of scikit-learn, your own."""

    def fit(self, X: Any, y: Any, /) -> Any: ...

    def predict_proba(self, X: Any, /) -> Any: ...


class Arrow(Protocol):
    """A table of polars, pyarrow, DuckDB and others, which hands over its columns like this."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class Kind:
    """The name of a kind of argument or result, which signatures show in place of its parts."""

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __or__(self, other: object) -> "Kind":
        return Kind(f"{self} | {other.__name__ if isinstance(other, type) else other}")


Array = np.ndarray
if TYPE_CHECKING:  # what signatures name: type checkers read the parts, readers see the name
    from numpy.typing import ArrayLike as ArrayLike
    from scipy.sparse import csr_array as Sparse  # noqa: F401

    from ranktrees.explain import Explanation as Explanation
    from ranktrees.reading.dataset import Dataset
    from ranktrees.reading.encoder import Codes
    from ranktrees_scale import Scan

    AnyPath = str | os.PathLike[str]
    Budget = int | str | None  # bytes, or text with a unit; None: what is usual
    Classes = ArrayLike | None  # of the cases, or all declared ones; None where the data say them
    ClassWeight = dict | str | None
    Folds = str | ArrayLike  # a scheme by its name, or numbers
    Frame = ArrayLike | Arrow  # a table of cases: a DataFrame, an array, another library's
    Input = Frame | Codes | Scan  # what models take
    Case = Input | dict  # a single one; a Series is a column
    Data = Dataset | Input  # what models are measured on
    Names = str | Sequence[str]
    Scores = ArrayLike | Mapping[str, ArrayLike]  # of one model, or of several by name
    Weights = ArrayLike | None  # of the cases; None: 1 each
else:
    KINDS = "AnyPath ArrayLike Budget Case Classes ClassWeight Data Dataset Explanation Folds Frame"
    KINDS += " Input Names Scan Scores Sparse Weights"
    globals().update({name: Kind(name) for name in KINDS.split()})
