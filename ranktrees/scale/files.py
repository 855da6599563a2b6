"""Cases in files: Parquet or CSV, read in batches, so that they never are in memory together."""

import glob
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ranktrees.arguments import check_number
from ranktrees.columns import Column, read_columns, refuse_twice
from ranktrees.data import Dataset
from ranktrees.folds import generator
from ranktrees.labels import read_labels
from ranktrees.optional import optional

BATCH = 1 << 16  # rows that are read at a time
MISSING = ["", "?", "NA", "NaN", "nan"]  # what `rt.read_csv` takes for a missing value, too


class Scan:
    """The cases of Parquet or CSV files, which `fit` and `predict_proba` read in batches.

    Made by `rt.scan`. `files` are their paths in order, `target` the name of the class, `names`
    those of the attributes. Reading a batch of rows raises ValueError with the name of its file.
    """

    def __init__(self, files: Sequence[Path], target: str, types: dict):
        self.files, self.target, self.types = list(files), target, types
        self.names = [name for name in types if name != target]

    def __repr__(self):
        n, A = len(self.files), len(self.names)
        return f"<Scan of {n} file{'s' * (n > 1)}: {A} attributes, class {self.target!r}>"

    def frames(self, names: Sequence[str] | None = None) -> Iterator[tuple[str, pd.DataFrame]]:
        """Yield batches of rows as (where they are, DataFrame), of all columns or those named."""
        names = [*self.names, self.target] if names is None else list(names)
        types = {name: self.types[name] for name in self.names}  # the class stays what it is
        for file in self.files:
            first = 0
            for batch in _batches(file, names, types):
                if len(batch):
                    where = f"{file.name}, rows {first} to {first + len(batch) - 1}"
                    yield where, batch.to_pandas(ignore_metadata=True)[names]
                    first += len(batch)

    def batches(self) -> Iterator[tuple[list[Column], np.ndarray, np.ndarray]]:
        """Yield of each batch its columns, and class codes with the classes they are codes of."""
        orders = {}
        for where, frame in self.frames():
            try:
                y = frame.pop(self.target)
                columns = read_columns(frame, "A scan")
                _check_orders(columns, orders)
                yield columns, *read_labels(y, "A scan", f"the class {self.target!r}")
            except (ValueError, TypeError) as error:
                raise type(error)(f"{where}: {error}") from error

    def stamp(self) -> list[tuple[str, int, int]]:
        """Size and time of each file: whether one has changed between two scans."""
        return [(f.name, (s := f.stat()).st_size, s.st_mtime_ns) for f in self.files]

    def sample(self, n: int, seed: int = 1) -> Dataset:
        """n cases drawn without replacement, in the order of the files, as a `Dataset`.

        All cases where there are no more than n. One scan of the classes alone counts the rows.
        """
        check_number("n", n, 1, whole=True)
        total = sum(len(frame) for _, frame in self.frames([self.target]))
        if not total:
            raise ValueError(f"the files of {self!r} hold no rows")
        rng = generator(seed).spawn(1)[0]  # not the stream with which data of this seed were made
        chosen = np.sort(rng.choice(total, min(n, total), replace=False))
        parts, first, orders = [], 0, {}
        for _, frame in self.frames():
            low, high = np.searchsorted(chosen, [first, first + len(frame)])
            _check_orders(read_columns(frame, "A scan"), orders)
            parts.append(frame.iloc[chosen[low:high] - first])
            first += len(frame)
        whole = pd.concat(_same_categories(parts), ignore_index=True)
        y = whole.pop(self.target)
        y = y.array if isinstance(y.dtype, pd.CategoricalDtype) else pd.Categorical(y)
        source = f"{len(chosen)} of {total} cases, seed {seed}"
        return Dataset(whole, y, name="sample", source=source, target=self.target)

    def predict_proba(self, model) -> Iterator[np.ndarray]:
        """Class probabilities (m, C) of a fitted model, batch by batch, file after file."""
        for where, frame in self.frames(self.names):
            try:
                yield model.predict_proba(frame)
            except (ValueError, TypeError) as error:
                raise type(error)(f"{where}: {error}") from error

    def write_proba(self, model, path) -> Path:
        """Write a model's class probabilities to a Parquet file, a column for each class."""
        pa, parquet = optional("pyarrow"), optional("pyarrow.parquet")
        path, part = Path(path), Path(f"{path}.part")  # a file that is there is whole
        names = [str(label) for label in model.classes_]
        schema = pa.schema([(name, pa.float64()) for name in names])
        with parquet.ParquetWriter(part, schema) as writer:
            for proba in self.predict_proba(model):
                writer.write_table(pa.table(list(proba.T), schema=schema))
        return part.replace(path)


def scan(files, target: str) -> Scan:
    """Cases in Parquet or CSV files that are read in batches: for `fit`, `predict_proba`, `sample`.

    `files` is a path, a glob, a folder or a list of paths; `target` names the column of the class.
    All files need the same columns with the same types. Categories that files declare are merged
    by value; text has the values that occur; an empty field, ?, NA and NaN of a CSV file are
    missing. Raises ValueError where no file matches, and for a file or column that does not fit.

    >>> import tempfile, ranktrees as rt
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rt.load("iris").frame.to_parquet(f"{folder}/iris.parquet")
    ...     scan(f"{folder}/*.parquet", target="class")
    <Scan of 1 file: 4 attributes, class 'class'>
    """
    paths = _paths(files)
    kinds = {path.suffix for path in paths}
    if len(kinds) > 1 or not kinds <= {".parquet", ".csv"}:
        raise ValueError(f"files must be all .parquet or all .csv, not {', '.join(sorted(kinds))}")
    types = [_types(path) for path in paths]
    if kinds == {".csv"}:  # as in `rt.read_csv`, all but numbers is text, dates and "True", too
        types = [
            {n: k if k in ("number", "") or n == target else "text" for n, k in kind.items()}
            for kind in types
        ]
    known = {name: kind for kinds in reversed(types) for name, kind in kinds.items() if kind}
    first = {name: known.get(name, "number") for name in types[0]}  # no value in any file: a number
    for path, other in zip(paths, types, strict=True):
        _check_same(path, other, paths[0], first)
    if target not in types[0]:
        raise ValueError(f"{paths[0].name} has no column {target!r}: it has {', '.join(types[0])}")
    if "sample_weight" in first:
        raise ValueError(
            "column 'sample_weight': every case of files counts once; leave it out, or give it "
            "another name where it is an attribute"
        )
    if len(types[0]) < 2:
        raise ValueError(f"{paths[0].name} has no column besides the class {target!r}")
    return Scan(paths, target, first)


def _paths(files):
    """The files that are meant, in order; those of a folder and a glob sorted by name."""
    if isinstance(files, str | Path):
        path = Path(files)
        if path.is_dir():
            listed = sorted([*path.glob("*.parquet"), *path.glob("*.csv")])
        else:
            listed = (
                [path]
                if path.exists()
                else [Path(p) for p in sorted(glob.glob(str(files), recursive=True))]
            )
    else:
        try:
            listed = [Path(file) for file in files]
        except TypeError as error:
            raise TypeError(
                f"files must be a path, a glob, a folder or a list, not {files!r}"
            ) from error
    if not listed:
        raise ValueError(f"no file matches {str(files)!r}: give a path, a glob, a folder or a list")
    for path in listed:
        if not path.is_file():
            raise FileNotFoundError(f"there is no file {str(path)!r}")
    refuse_twice([path.resolve() for path in listed], "file", "is listed more than once")
    return listed


def _types(path):
    """{column: type in words, "" for no value} of a file; ValueError for what cannot be read."""
    pa = optional("pyarrow")
    try:
        if path.suffix == ".parquet":
            schema = optional("pyarrow.parquet").read_schema(path)
        else:
            with _open_csv(path, {}) as reader:
                schema = reader.schema
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{path.name} cannot be read: {error}") from error
    refuse_twice(schema.names, f"{path.name}: column", "occurs more than once")
    index = (schema.pandas_metadata or {}).get("index_columns", [])
    return {field.name: _in_words(field.type) for field in schema if field.name not in index}


def _in_words(kind):
    types = optional("pyarrow").types
    if types.is_dictionary(kind):
        order = "ordered categories" if kind.ordered else "categories"
        return f"{order} of {_in_words(kind.value_type)}"
    if types.is_integer(kind) or types.is_floating(kind):
        return "number"
    if types.is_string(kind) or types.is_large_string(kind):
        return "text"
    return "" if types.is_null(kind) else str(kind)


def _check_orders(columns, orders):
    """Raise ValueError where ordered categories are not, in this order, those of `orders`."""
    for column in columns:
        if column.kind == "ordinal":
            known = orders.setdefault(column.name, column.categories)
            place = known.get_indexer(column.categories)
            if (np.diff(place, prepend=-1) < 1).any():
                raise ValueError(
                    f"column {column.name!r} has the order {column.categories.tolist()}, but the "
                    f"rows before {known.tolist()}: an order must be the same in all files"
                )


def _check_same(path, types, first_path, first):
    missing, new = [n for n in first if n not in types], [n for n in types if n not in first]
    if missing or new:
        what = f"lacks column {missing[0]!r}" if missing else f"has a column {new[0]!r} more"
        raise ValueError(f"{path.name} {what} than {first_path.name}: files need the same columns")
    for name, kind in first.items():
        if types[name] not in (kind, ""):
            raise ValueError(
                f"column {name!r} is {types[name]} in {path.name}, but {kind} in "
                f"{first_path.name}: files need the same types"
            )


def _batches(path, names, types):
    """Yield record batches of these columns; ValueError names a broken file."""
    pa = optional("pyarrow")
    try:
        if path.suffix == ".parquet":
            how = {"pre_buffer": False, "buffer_size": 1 << 20}  # else whole files are in memory
            with optional("pyarrow.parquet").ParquetFile(path, **how) as file:
                yield from file.iter_batches(BATCH, columns=list(names))
        else:
            with _open_csv(path, types) as reader:
                yield from (batch.select(names) for batch in reader)
    except (pa.ArrowException, OSError, KeyError) as error:
        raise ValueError(
            f"{path.name} cannot be read (it is broken, or changed, or a value is not of its "
            f"column's type): {error}"
        ) from error


def _open_csv(path, types):
    """A CSV file's batches; numbers of the first block are decimal numbers everywhere."""
    pa, csv = optional("pyarrow"), optional("pyarrow.csv")
    numbers = {name: pa.float64() for name, kind in types.items() if kind == "number"}
    texts = {name: pa.string() for name, kind in types.items() if kind == "text"}
    how = csv.ConvertOptions(
        null_values=MISSING, strings_can_be_null=True, column_types={**numbers, **texts}
    )
    return csv.open_csv(path, convert_options=how)


def _same_categories(frames):
    """The frames with the categories of all in each of their columns, in order of appearance."""
    for name in frames[0]:
        if isinstance(frames[0][name].dtype, pd.CategoricalDtype):
            union = pd.api.types.union_categoricals([f[name] for f in frames], ignore_order=True)
            ordered = bool(frames[0][name].dtype.ordered)
            dtype = pd.CategoricalDtype(union.categories, ordered)
            frames = [f.assign(**{name: f[name].astype(dtype)}) for f in frames]
    return frames
