"""Types of arguments and results, for signatures: what a caller may pass, under one name each.

Classes of higher rooms are Protocols here: the attributes and methods that are needed.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
import pandas as pd

Array = np.ndarray


class Model(Protocol):
    """A learner that gives probabilities: of the package, of scikit-learn, or your own."""

    def fit(self, X: Any, y: Any, /) -> Any: ...

    def predict_proba(self, X: Any, /) -> Any: ...


class TreeModel(Model, Protocol):
    """A model with a single tree, which can learn from several training sets at once."""

    def fit_folds(self, X: Any, y: Any, training: Any, /) -> list: ...

    def with_tree(self, tree: Any, /) -> Any: ...


class Splitter(Protocol):
    """A way to divide cases that has scikit-learn's methods, such as `StratifiedGroupKFold(5)`."""

    def split(self, X: Any, y: Any = None, groups: Any = None, /) -> Any: ...

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None, /) -> int: ...


class Arrow(Protocol):
    """A table of polars, pyarrow, DuckDB or another library that exports its columns this way."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class Codes(Protocol):
    """A coded data set: `values` (n, A), whole numbers, and what they mean for each attribute."""

    @property
    def values(self) -> Array: ...

    @property
    def schema(self) -> tuple: ...

    def take(self, rows: Any, /) -> Any: ...


@runtime_checkable
class Scan(Protocol):
    """Cases in files, read in batches; a model passes itself to it to be fitted or to predict."""

    def fit(self, model: Any, y: Any = None, budget: Any = None, **how: Any) -> Any: ...

    def predict_proba(self, model: Any) -> Iterator[Array]: ...

    def score(self, model: Any, y: Any = None) -> float: ...

    def batches(self) -> Iterator: ...


class Dataset(Protocol):
    """Cases with their classes: attributes X, classes y, and the columns that identify a case."""

    @property
    def X(self) -> pd.DataFrame: ...

    @property
    def y(self) -> pd.Categorical: ...

    @property
    def name(self) -> str: ...

    @property
    def ids(self) -> tuple[str, ...]: ...


class Explanation(Protocol):
    """Why one case gets its probabilities: the answer, steps in words, a table, P of each class."""

    title: str
    lines: list[str]
    table: pd.DataFrame
    proba: dict


class Tree(Protocol):
    """A finished tree, as its nodes see it; `growing.tree.Tree` says what each array holds."""

    parent: Array
    attribute: Array
    counts: Array
    schema: tuple
    depths: Array
    n_below: Array
    conditions: tuple[str, ...]
    path_words: tuple[str, ...]
    node_model: Callable | None

    def branches_of(self, t: int) -> Array: ...

    def class_name(self, c: int) -> str: ...


class Kind:
    """The name of a type, which signatures show instead of its parts."""

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __or__(self, other: object) -> "Kind":
        return Kind(f"{self} | {getattr(other, '__name__', other)}")


if TYPE_CHECKING:  # type checkers read the parts, readers see the name
    from numpy.typing import ArrayLike as ArrayLike
    from scipy.sparse import csr_array as Sparse  # noqa: F401

    AnyPath = str | os.PathLike[str]
    Budget = int | str | None  # bytes, or text with a unit, or None for the usual
    Classes = ArrayLike | None  # of the cases, or all declared ones; None where the data say them
    ClassWeight = dict | str | None
    Pairs = Iterator[tuple[ArrayLike, ArrayLike]] | Sequence[tuple[ArrayLike, ArrayLike]]
    Folds = str | ArrayLike | Splitter | Pairs  # a scheme by its name, numbers, or rows
    Groups = str | ArrayLike | None  # of the cases, or the column that holds them
    Frame = ArrayLike | Arrow  # a table of cases: a DataFrame, an array, another library's
    Input = Frame | Codes | Scan | dict  # what models take; a dict is one case
    Case = Input | dict  # a single one; a Series is a column
    Data = Dataset | Input  # what models are measured on
    Names = str | Sequence[str]
    Measures = Names | Mapping[str, Callable | str] | Sequence[str | Mapping[str, Callable]]
    Scores = ArrayLike | Mapping[str, ArrayLike]  # of one model, or of several by name
    Weights = ArrayLike | None  # of the cases; if None, every case has weight 1
else:
    KINDS = """
        AnyPath ArrayLike Budget Case Classes ClassWeight Data Folds Frame Groups Input Measures
        Names Scores Sparse Weights
    """
    globals().update({name: Kind(name) for name in KINDS.split()})
