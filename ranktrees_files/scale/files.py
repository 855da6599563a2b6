"""Cases in files: Parquet or CSV, read in batches, so that they are never in memory together."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import (
    as_list,
    as_names,
    as_path,
    check_like,
    check_number,
    choose,
)
from ranktrees_engine.basics.kinds import AnyPath, Budget, Classes
from ranktrees_engine.estimator.classifier import BUDGET, Classifier
from ranktrees_engine.models.naive_bayes import FactoredBayes
from ranktrees_engine.models.path_forest import PathForest
from ranktrees_engine.reading.bins import class_cuts, in_classes
from ranktrees_engine.reading.columns import Column, read_columns
from ranktrees_engine.reading.folds import generator
from ranktrees_engine.reading.labels import read_labels
from ranktrees_engine.reading.weights import check_weights
from ranktrees_files.adopted.models import NotRefitted
from ranktrees_files.csv_advice import comments_first
from ranktrees_files.csv_files import opened, read_batches
from ranktrees_files.csv_values import as_classes
from ranktrees_files.dataset import Dataset, of_uncut
from ranktrees_files.doubts import warn_of
from ranktrees_files.scale.fit import fit_bayes, fit_tree
from ranktrees_files.scale.folder import remove_left
from ranktrees_files.scale.forest_fit import fit_forest
from ranktrees_files.scale.predictions import predict_batches, share_right, write_batches
from ranktrees_files.scale.sources import (
    check_columns,
    check_no_classes,
    common_types,
    csv_options,
    doubts_of,
    file_kind,
    naming_file,
    partitions_of,
    paths_of,
    read_parquet_rows,
    with_partition,
)

BATCH = 1 << 16  # rows that are read at a time


class Batch(NamedTuple):
    """Cases that count: columns, class codes (m,), their classes, weights (m,) or None."""

    columns: list[Column]
    y: np.ndarray
    labels: np.ndarray
    weight: np.ndarray | None


class Scan:
    """The cases of Parquet or CSV files, which `fit` and `predict_proba` read in batches.

    Made by `rt.scan`. `files` are their paths in order; `target`, `weight` and `names` the columns
    of the class, of the cases' weights (if None, 1) and of the attributes; `doubts` those about the
    first rows. Reading a batch of rows raises ValueError with the name of its file.
    """

    def __init__(
        self, partitions: dict, target: str, types: dict, weight: str | None, csv: dict | None
    ):
        self.files, self.target, self.types = list(partitions), target, types
        self.partitions, self.weight, self.csv = partitions, weight, csv
        self.names = [name for name in types if name not in (target, weight)]
        self.doubts, self._cuts = (), None

    def __repr__(self):
        n, A = len(self.files), len(self.names)
        weight = "" if self.weight is None else f", weight {self.weight!r}"
        return f"<Scan of {n} file{'s' * (n > 1)}: {A} attributes, class {self.target!r}{weight}>"

    def frames(
        self, names: Sequence[str] | None = None, size: int = 0
    ) -> Iterator[tuple[str, pd.DataFrame]]:
        """Yield batches of rows as (position, DataFrame), with all columns or those named.

        A file's batches have `size` rows, but not fewer than others.
        """
        check_number("size", size, 0, whole=True)
        known = [*self.names, self.target, *([] if self.weight is None else [self.weight])]
        names = known if names is None else as_list("names", names)
        for name in names:
            choose("name", name, known)
        for file in self.files:
            first = 0
            partition = self.partitions[file]
            inside = [n for n in names if n not in partition] or [*self.types][:1]
            for frame in with_partition(
                self._rows(file, inside, max(size, BATCH)), names, partition
            ):
                if len(frame):
                    yield f"{file.name}, rows {first} to {first + len(frame) - 1}", frame
                    first += len(frame)

    def _rows(self, file, names, size):
        kinds = {name: self.types[name] for name in names}
        csv, read = self.csv, read_parquet_rows
        for frame in read_batches(file, csv, kinds, size) if csv else read(file, names, size):
            if self.target in frame and self._cuts is not None:
                frame[self.target] = in_classes(frame[self.target], self._cuts)
            elif (
                self.target in frame and self.csv is not None and self.types[self.target] != "text"
            ):
                frame[self.target] = as_classes(frame[self.target])
            yield frame

    def labels(self, frame: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
        """Return the class codes (m,) of a batch of rows, and their classes."""
        return read_labels(frame[self.target], "A scan", f"the class {self.target!r}")

    def weights(self, frame: pd.DataFrame) -> np.ndarray:
        """Return the column of weights (m,), or 1 for each case."""
        if self.weight is None:
            return np.ones(len(frame))
        weight = frame[self.weight].to_numpy(float, na_value=np.nan)
        check_weights(f"the weight {self.weight!r}", weight)
        return weight

    def batches(self, weigh: Callable | None = None) -> Iterator[Batch]:
        """Yield the cases that count, batch by batch; `weigh` says how much.

        A batch also knows the classes and categories of cases that do not count.
        """
        orders = {}
        for where, frame in self.frames():
            with naming_file(where):
                (y, labels), weight = self.labels(frame), None if weigh is None else weigh(frame)
                columns = read_columns(frame[self.names], "A scan")
                _check_orders(columns, orders)
            if weight is not None and not weight.all():
                rows = np.flatnonzero(weight)
                columns, y = [column.take(rows) for column in columns], y[rows]
                weight = weight[rows]
            yield Batch(columns, y, labels, weight)

    def stamp(self) -> list[tuple[str, tuple[int, ...]]]:
        """Return the state of each file; programs cannot reset its `st_ctime`."""
        each = [(f.name, f.stat()) for f in self.files]
        return [(name, (s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns)) for name, s in each]

    def sample(self, n: int, seed: int = 1) -> Dataset:
        """Draw n cases without replacement, in the order of the files, as a `Dataset`.

        All cases if there are at most n. A scan of the classes alone counts the rows. Raises
        ValueError for a scan with weights, which a `Dataset` does not have.
        """
        check_number("n", n, 1, whole=True)
        if self.weight is not None:
            raise ValueError(
                f"a sample would lose the weights {self.weight!r}: scan the files without weight=, "
                f"data = rt.scan(files, {self.target!r}).sample(n), then "
                f"fit(data.X.drop(columns={self.weight!r}), data.y, data.X[{self.weight!r}])"
            )
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

    def fit(
        self, model: Classifier, y: Classes = None, budget: Budget = None, **how: Any
    ) -> Classifier:
        """Fit a model to these cases, as `model.fit(scan, ...)` does."""
        check_like("a model, such as C45()", model, "fit")
        check_no_classes(y)
        kinds = {NotRefitted: NotRefitted.fit, FactoredBayes: fit_bayes, PathForest: fit_forest}
        fitted = next((kinds[kind] for kind in kinds if isinstance(model, kind)), fit_tree)
        return fitted(model, self, BUDGET if budget is None else budget, **how)

    def predict_proba(self, model: Classifier) -> Iterator[np.ndarray]:
        """Yield class probabilities (m, C) of a fitted model, batch by batch, file after file.

        A large `PathForest` is asked for more rows at a time than others.
        """
        return predict_batches(self, model)

    def score(self, model: Classifier, y: Classes = None) -> float:
        """Return the share of cases that a fitted model predicts right, or of their weight."""
        check_no_classes(y)
        return share_right(self, model)

    def write_proba(self, model: Classifier, path: AnyPath) -> Path:
        """Write a model's class probabilities to a Parquet file, a column for each class.

        The file appears once it is complete. Raises ValueError if the scan itself reads this file.
        """
        write_batches(self, model, path := as_path("path", path))
        return path


def scan(
    files: AnyPath | Sequence[AnyPath],
    target: str,
    weight: str | None = None,
    cut: int | None = None,
    **options: Any,
) -> Scan:
    """Scan Parquet or CSV files, whose cases are read in batches by `fit` and `predict_proba`.

    `files` is a path, a glob, a folder or a list of paths; folders named column=value, as in Hive,
    add a column to the files in them. `target` names the column of the class, `weight` one with the
    weights of cases, like `sample_weight` of `fit`. All files need the same columns with the same
    types. Categories that files declare are merged by value; text has the values that occur. `cut`
    turns a quantity into that many classes, drop=["id"] leaves columns out. CSV files, compressed
    (.csv.gz, .csv.zst) or not, are read as by `rt.read_csv`, with its sep, encoding, header,
    skiprows, comment, decimal, thousands, na_values, numbers and dtype. Warns of `doubts` about the
    first rows. Raises ValueError if files, columns or types do not match.

    >>> import tempfile, ranktrees as rt
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rt.load("iris").frame.to_parquet(f"{folder}/iris.parquet")
    ...     scan(f"{folder}/*.parquet", target="class")
    <Scan of 1 file: 4 attributes, class 'class'>
    """
    if not isinstance(target, str):
        raise TypeError(f"target names the column of the class, a text, not {target!r:.60}")
    if not isinstance(weight, str | None) or weight == target:
        raise TypeError(f"weight names a column beside the class, not {weight!r:.60}")
    remove_left()
    paths = paths_of(files)
    csv = csv_options(file_kind(paths), options)
    partitions = partitions_of(paths)
    drop = as_names("drop", options.get("drop", ()))
    with comments_first(paths[0], {"comment": ""} if csv is None else csv, opened):
        first, head = common_types(paths, csv, partitions, target, drop)
        check_columns(paths[0].name, first, target, weight)
    scanned = Scan(partitions, target, first, weight, csv)
    found = doubts_of(paths[0], head, first, target, options)
    scanned.doubts = tuple(doubt for doubt in found if cut is None or not of_uncut(doubt, target))
    if cut is not None:
        y = [frame[target] for _, frame in scanned.frames([target])]
        scanned._cuts = class_cuts(pd.concat(y), cut)
    warn_of(scanned.doubts, paths[0].name)
    return scanned


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


def _same_categories(frames):
    """The frames with the categories of all in each of their columns, in order of appearance."""
    for name in frames[0]:
        if isinstance(frames[0][name].dtype, pd.CategoricalDtype):
            union = pd.api.types.union_categoricals([f[name] for f in frames], ignore_order=True)
            ordered = bool(frames[0][name].dtype.ordered)
            dtype = pd.CategoricalDtype(union.categories, ordered)
            frames = [f.assign(**{name: f[name].astype(dtype)}) for f in frames]
    return frames
