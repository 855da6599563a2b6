"""A data set: attributes, class and origin; and reading one from a CSV file."""

from collections.abc import Callable, Iterable
from dataclasses import InitVar, dataclass
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import (
    as_list,
    as_names,
    check_name,
    check_text,
    choose,
    even,
)
from ranktrees_engine.basics.kinds import AnyPath
from ranktrees_engine.basics.typos import nearest
from ranktrees_engine.basics.warn import warn
from ranktrees_engine.reading.bins import cut_classes
from ranktrees_engine.reading.checks import TOLD
from ranktrees_engine.reading.columns import are_numbers
from ranktrees_engine.reading.frames import as_pandas, refuse_twice
from ranktrees_engine.reading.labels import one_dimensional
from ranktrees_files.csv_advice import comments_first
from ranktrees_files.csv_files import read_whole, stem
from ranktrees_files.csv_lines import in_file, opened
from ranktrees_files.csv_values import as_classes, check_finite, declared, overruled
from ranktrees_files.doubt import MANY, Doubt, HowRead, completed
from ranktrees_files.doubts import of_table, warn_of
from ranktrees_files.paths import located

NUMBERED = "header=None reads the first line as a case, and names the columns 0, 1 and so on"


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Cases with a class: X (m x A attributes), y (m classes), and their provenance.

    y may also be the name of a column of X, which is the class then, as rt.Dataset(frame, "late").
    X may be an array or a list of rows, if `names` names its columns.
    The categories of y are all declared classes in declared order; ids names the columns of X
    that merely identify a case. weight (m,) holds the cases' weights in the file, if it has any;
    doubts are those about the file.
    Raises TypeError or ValueError when the parts do not fit together.
    """

    X: pd.DataFrame
    y: pd.Categorical
    name: str = "data"
    source: str = ""
    ids: tuple[str, ...] = ()
    target: str = "class"
    weight: np.ndarray | None = None
    doubts: tuple[Doubt, ...] = ()
    names: InitVar[Iterable[str] | None] = None

    def __post_init__(self, names):
        object.__setattr__(self, "X", _with_names(as_pandas(self.X), names))
        if not isinstance(self.X, pd.DataFrame):
            raise TypeError(
                f"X must be a pandas DataFrame, not {type(self.X).__name__}: names=[...] names the "
                "columns of an array"
            )
        self._take_class()
        object.__setattr__(self, "X", _as_numbers(self.X, self.ids))
        y = as_pandas(self.y)
        flat = y.ndim == 1 if hasattr(y, "ndim") else even("y", y).ndim == 1
        y = pd.Categorical(y if flat else one_dimensional(y))
        object.__setattr__(self, "y", y)
        check_text(name=self.name, source=self.source)
        check_name("target", self.target)
        object.__setattr__(self, "ids", tuple(as_list("ids", self.ids)))
        _check(self.X, y, self.ids, self.target)

    def _take_class(self):
        """Take the class out of X if y is the name of its column."""
        name = self.y
        if not isinstance(name, str | Integral) or isinstance(name, bool):
            return
        if name not in list(self.X):
            raise ValueError(f"X has no column {name!r:.60} as its class; {nearest(name, self.X)}")
        if self.target not in ("class", name):
            said = f"the class is {name!r:.60} and not {self.target!r:.60}"
            raise ValueError(f"{said}: leave target= out")
        for part, value in (("target", name), ("y", self.X[name])):
            object.__setattr__(self, part, value)
        object.__setattr__(self, "X", self.X.drop(columns=name))

    def __len__(self):
        return len(self.X)

    def __repr__(self):
        f = self.facts
        return (
            f"<Dataset {self.name}: {f['cases']} cases, {f['attributes']} attributes "
            f"({f['nominal']} nominal, {f['numeric']} numeric), {f['classes']} classes>"
        )

    @property
    def facts(self) -> dict[str, int]:
        """Counts of cases, attributes, nominal and numeric attributes, declared classes."""
        numeric = sum(map(pd.api.types.is_numeric_dtype, self.X.dtypes))
        return {
            "cases": len(self.X),
            "attributes": self.X.shape[1],
            "nominal": self.X.shape[1] - numeric,
            "numeric": numeric,
            "classes": len(self.y.categories),
        }

    @property
    def frame(self) -> pd.DataFrame:
        """A copy of X with the class as its last column (m x A + 1)."""
        frame = self.X.copy()
        frame[self.target] = self.y
        return frame


def _with_names(X, names):
    """X as a frame with these names of columns, if there are any."""
    if names is None:
        return X
    names = as_names("names", names)
    values = X if isinstance(X, pd.DataFrame) else even("X", X)
    if np.ndim(values) != 2 or np.shape(values)[1] != len(names):
        raise ValueError(f"names has {len(names)}, but X is of shape {np.shape(values)}")
    return pd.DataFrame(values).set_axis(names, axis=1)


def _as_numbers(X, ids):
    """X with numbers that are objects, such as Decimals, as pandas has numbers."""
    frame = X
    for j, (name, x) in enumerate(X.items()):
        if x.dtype == object and name not in ids and are_numbers(x):
            frame = X.copy(deep=False) if frame is X else frame
            frame.isetitem(j, x.to_numpy(float, na_value=np.nan))
    return frame


def _check(X, y, ids, target):
    if len(X) != len(y):
        raise ValueError(f"X has {len(X)} rows, but the class {target!r:.60} has {len(y)} values")
    if len(rows := np.flatnonzero(y.codes < 0)):
        shown = ", ".join(map(str, rows[:5])) + (", ..." if len(rows) > 5 else "")
        raise ValueError(
            f"the class {target!r:.60} is missing in {len(rows)} of {len(y)} rows ({shown}, "
            "counted from 0): drop these rows or fill in their class"
        )
    refuse_twice(X.columns)
    if target in X.columns:
        raise ValueError(f"X still holds the class column {target!r}: drop it from X")
    if unknown := [name for name in ids if name not in list(X.columns)]:
        raise ValueError(f"ids names columns that X does not have: {unknown}")


def named(target: object, frame: pd.DataFrame, file: str, more: str = "") -> str:
    """Return the name of the class in a frame; if None, that of the last column.

    Raises ValueError for an unknown name, and says `more` where it is the place of a column.
    """
    target = frame.columns[-1] if target is None else str(target)
    if target not in frame:
        advice = nearest(target, frame)
        if more and target.isdecimal() and int(target) < frame.shape[1]:
            advice = more
        raise ValueError(f"{file} has no column {target!r:.60}; {advice}")
    return target


def of_uncut(doubt: Doubt, target: str) -> bool:
    """Return whether a doubt is about the class, which says nothing once it is cut."""
    return doubt.kind == "class" and doubt.columns == (target,)


def data_set(
    X: pd.DataFrame,
    y: pd.Series,
    file: str,
    missing_class: str,
    cut: int | None,
    at: Callable[[int, str], Exception],
    found: Iterable[Doubt] = (),
    weight: np.ndarray | None = None,
    **more: Any,
) -> Dataset:
    """Make the data set of a file's columns, and warn of doubts; `at` makes an error for a row."""
    choose("missing_class", missing_class, ("error", "drop"))
    if not X.shape[1]:
        raise ValueError(
            f"{file} has no column besides the class {y.name!r:.60}: there is no attribute to "
            "learn from (drop= and index_col= take columns away)"
        )
    found = tuple(doubt for doubt in found if cut is None or not of_uncut(doubt, y.name))
    known = y.notna().to_numpy()
    if missing_class == "drop" and known.any() and not known.all():
        warn(f"{file}: {(~known).sum()} of {len(y)} rows, which have no class, are left out")
        X, y = X[known].reset_index(drop=True), y[known].reset_index(drop=True)
        weight = weight if weight is None else weight[known]
    elif not known.all():
        odd = [doubt.sentence for doubt in found if doubt.kind == "header"]
        drop = 'missing_class="drop" leaves such rows out, target= names another class'
        advice = odd[0] if odd else drop
        n, row = (~known).sum(), int(known.argmin())
        raise at(row, f"the class {y.name!r:.60} is missing in {n} of {len(y)} rows ({advice})")
    y = as_classes(y) if cut is None else pd.Series(cut_classes(y, cut), name=y.name)
    if pd.api.types.is_float_dtype(y) and (y % 1 != 0).any():
        first = X.iloc[:, 0]
        is_class = isinstance(first.dtype, pd.CategoricalDtype) and 1 < first.nunique() <= MANY
        such = f", such as target={str(first.name)!r:.60}" * is_class
        raise ValueError(
            f"{file}: the column {y.name!r:.60} holds measurements, not classes: cut=3 makes three "
            f"classes of it, or name another target{such}"
        )
    X.attrs[TOLD] = "doubts"
    warn_of(found, file)
    labels = pd.Categorical(y.infer_objects())
    return Dataset(X, labels, source=file, target=y.name, weight=weight, doubts=found, **more)


# CSV


def read_csv(
    path: AnyPath,
    target: str | None = None,
    missing_class: str = "error",
    cut: int | None = None,
    **options: Any,
) -> Dataset:
    """Read the data set in a CSV file; its class is the last column unless target names it.

    Text columns become nominal with sorted values, numbers float64; an empty field, ?, NA and NaN
    are missing. missing_class="drop" leaves rows without a class out, `cut` turns a quantity into
    that many classes, drop=["id"] leaves columns out, and numbers=["price"] strips signs of
    percent, currency and units. Other options, such as sep=";", decimal="," and na_values=["n/a"],
    are those of pandas.read_csv; na_values={"age": [999]} is for a column, with None as a name for
    all, and dates are not read. Warns of `Dataset.doubts`. Raises ValueError for an empty file,
    another separator, a wrong name or row, an infinite number, an unknown target, and a class that
    has missing values or is a measurement.
    """
    path, asked, options = located(path), options, overruled(options)
    with comments_first(path, options, opened):
        return _read(path, target, missing_class, cut, options, asked)


def _read(path, target, missing_class, cut, options, asked):
    """Read the file under the options, those that were `asked` for and the usual ones."""
    frame, found = read_whole(path, options)
    given, target = target, named(target, frame, path.name, NUMBERED)
    for _, column in frame.items():
        check_finite(column, path.name)
    y = frame.pop(target)
    X = frame.apply(_column, options=options)
    y = y.astype("category") if declared(options, target) else y
    found += csv_doubts(X.assign(**{target: y}), target, path, asked)
    if str(given).isdecimal() and any(doubt.remedy == {"header": None} for doubt in found):
        raise ValueError(f"{path.name} has no header, so that {target!r} is a value: {NUMBERED}")
    X = X.apply(lambda x: x if x.dtype == float else x.astype("category"))

    def at(row, said):
        return ValueError(f"{path.name}: {said}, first in data row {row + 1}")

    return data_set(X, y, path.name, missing_class, cut, at, found, name=stem(path))


def csv_doubts(frame: pd.DataFrame, target: str | None, path, options: dict) -> list[Doubt]:
    """Return the doubts about the rows of a CSV file that was read with a caller's options."""
    has_names = options.get("header", "infer") is not None and "names" not in options
    decimal, has_commas = options.get("decimal", "."), options.get("sep", ",") != ";"
    how = HowRead(has_names=has_names, has_commas=has_commas, decimal=decimal)
    found = in_file(of_table(frame, target, how), path, options)
    return completed(found, options)


def read_csv_frame(path, **options) -> pd.DataFrame:
    """Read all columns of a CSV file whose class is yet to be chosen."""
    return read_whole(located(path), overruled(options))[0]


def _column(column, options):
    """A column of numbers; of text; or, where its type was asked for, of names."""
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        return column.astype("float64")
    if pd.api.types.infer_dtype(column) == "string" and not declared(options, column.name):
        return column
    return column.astype("category").cat.rename_categories(str)
