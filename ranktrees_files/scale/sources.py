"""The files that a scan reads, their columns, and their rows batch by batch."""

import glob
import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

import pandas as pd

from ranktrees_engine.basics.arguments import as_path
from ranktrees_engine.basics.optional import optional
from ranktrees_engine.reading.frames import refuse_twice
from ranktrees_files.csv_files import HEAD, kinds_of
from ranktrees_files.csv_lines import short_rows
from ranktrees_files.csv_values import IN_BATCHES, overruled
from ranktrees_files.dataset import csv_doubts
from ranktrees_files.doubts import OF_ALL, of_orders_in
from ranktrees_files.foreign import PARQUET, refuse_foreign

ENDINGS = dict.fromkeys((".parquet", ".pq"), "parquet")
ENDINGS |= dict.fromkeys((".csv", ".csv.gz", ".csv.zst"), "csv")
WHOLE = re.compile("0|-?[1-9][0-9]{0,17}")
HIVE_GAP = "__HIVE_DEFAULT_PARTITION__"


def paths_of(files) -> list[Path]:
    """Return the files to read, in order; those of a folder and a glob are sorted by name.

    A folder without files stands for those of its subfolders, as with partitions.
    """
    if isinstance(files, str | Path):
        path = as_path("files", files)
        if path.is_dir():
            listed = _inside(path, "*") or _inside(path, "**/*")
        elif path.exists():
            listed = [path]
        else:
            listed = [Path(p) for p in sorted(glob.glob(str(path), recursive=True))]
    else:
        try:
            listed = [as_path("files", file) for file in files]
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


def _inside(folder, pattern):
    """The files in a folder, but for those that programs hide by their names."""
    return sorted(
        path
        for path in folder.glob(pattern)
        if path.name.endswith(tuple(ENDINGS))
        and not any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    )


def partitions_of(paths: list[Path]) -> dict[Path, dict]:
    """Return {file: {column: value}} from the folders it is in, named column=value as in Hive.

    A column is numeric if all its values are whole numbers, else text.
    """
    each = {path: _partition(path) for path in paths}
    for name in {name for values in each.values() for name in values}:
        given = {values[name] for values in each.values() if name in values} - {None}
        if given and all(WHOLE.fullmatch(text) for text in given):
            for values in each.values():
                if values.get(name) is not None:
                    values[name] = int(values[name])
    return each


def _partition(path):
    above = [*itertools.takewhile(lambda folder: "=" in folder.name, path.absolute().parents)]
    pairs = [tuple(map(unquote, folder.name.split("=", 1))) for folder in above[::-1]]
    return {name: None if value == HIVE_GAP else value for name, value in pairs}


def with_partition(frames: Iterator, names: list[str], partition: dict) -> Iterator[pd.DataFrame]:
    """Yield the frames with the columns of a partition, in the order of the names."""
    for frame in frames:
        yield frame.assign(**{n: partition[n] for n in names if n in partition})[names]


def file_kind(paths: list[Path]) -> str:
    """Return "parquet" or "csv" if all files are of this kind, packed or not; else ValueError."""
    endings = {next((e for e in ENDINGS if path.name.endswith(e)), path.suffix) for path in paths}
    kinds = {ENDINGS.get(ending) for ending in endings}
    for path in paths if None in kinds else ():
        if not path.name.endswith(tuple(ENDINGS)):
            refuse_foreign(path, PARQUET)
    if len(kinds) > 1 or None in kinds:
        names = ", ".join(sorted(endings))
        raise ValueError(f"files must be all .parquet or all .csv, not {names}")
    return kinds.pop()


def types_of(
    path: Path, options: dict | None, partition: dict
) -> tuple[dict[str, str], pd.DataFrame | None]:
    """Return {column: type, "" for no value} of a file, and for a CSV file its first rows.

    `options` are those of a CSV file, None for Parquet; the columns of the partition come last.
    ValueError for a file that cannot be read.
    """
    words = {str: "text", int: "number", type(None): ""}
    of_folders = {name: words[type(value)] for name, value in partition.items()}
    types, head = _types_inside(path, options)
    if both := of_folders.keys() & types.keys():
        raise ValueError(
            f"{path.name} has a column {min(both)!r}, and so has the folder that it is in: rename "
            "one of them"
        )
    return types | of_folders, head


def _types_inside(path, options):
    if options is not None:
        return kinds_of(path, options)
    try:
        schema = optional("pyarrow.parquet").read_schema(path)
    except (optional("pyarrow").ArrowException, OSError) as error:
        raise ValueError(f"{path.name} cannot be read: {error}") from error
    refuse_twice(schema.names, f"{path.name}: column", "occurs more than once")
    index = (schema.pandas_metadata or {}).get("index_columns", [])
    return {f.name: _in_words(f.type) for f in schema if f.name not in index}, None


def _in_words(kind):
    types = optional("pyarrow").types
    if types.is_dictionary(kind):
        order = "ordered categories" if kind.ordered else "categories"
        return f"{order} of {_in_words(kind.value_type)}"
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return "number"
    if types.is_string(kind) or types.is_large_string(kind):
        return "text"
    return "" if types.is_null(kind) else str(kind)


def doubts_of(
    path: Path, head: pd.DataFrame | None, types: dict, target: str, options: dict
) -> tuple:
    """Return the doubts that the first rows of a file show, the `head` of a CSV file."""
    if head is None:
        ordered = [name for name, kind in types.items() if kind.startswith("ordered")]
        rows = read_parquet_rows(path, ordered, HEAD) if ordered else ()
        return tuple(of_orders_in(next(iter(rows), None)))
    if head.empty:
        return ()
    with naming_file(f"{path.name}, rows 0 to {len(head) - 1}"):
        found = csv_doubts(head, target if target in head else None, path, options)
    return (*short_rows(path, head, options), *(doubt for doubt in found if _is_sure(doubt, head)))


def _is_sure(doubt, head):
    """Whether more rows would show the same."""
    is_number = [pd.api.types.is_numeric_dtype(head[name]) for name in doubt.columns]
    return doubt.kind not in OF_ALL or (doubt.kind == "identifier" and all(is_number))


def common_types(
    paths: list[Path], csv: dict | None, partitions: dict, target: str, drop: list[str]
) -> tuple[dict[str, str], pd.DataFrame | None]:
    """Return {column: type} of all files, without those to drop; the first rows of the first.

    Raises ValueError for a file whose columns or types differ.
    """
    types, heads = zip(*[types_of(path, csv, partitions[path]) for path in paths], strict=True)
    types = [{n: _as_read(k, n == target) for n, k in t.items() if n not in drop} for t in types]
    known = {name: kind for kinds in reversed(types) for name, kind in kinds.items() if kind}
    first = {name: known.get(name, "number") for name in types[0]}  # no value in any file: a number
    for path, other in zip(paths, types, strict=True):
        check_same(path, other, paths[0], first, csv is not None)
    return first, heads[0]


def check_columns(file: str, types: dict, target: str, weight: str | None) -> None:
    """Raise ValueError unless a file has a class, numeric weights, and attributes."""
    for name in (target, weight):
        if name is not None and name not in types:
            raise ValueError(f"{file} has no column {name!r}: it has {', '.join(types)}")
    if weight is not None and types[weight] != "number":
        raise ValueError(f"the weight {weight!r} is {types[weight]}: weights are numbers")
    if "sample_weight" in types and weight != "sample_weight":
        raise ValueError(
            "column 'sample_weight': every case of files counts once, unless weight="
            "'sample_weight' is given; leave it out, or give it another name where it is an "
            "attribute"
        )
    if types.keys() <= {target, weight}:
        raise ValueError(f"{file} has no column besides the class {target!r} and weights")


def _as_read(kind, is_class):
    """Words for true and false are text as all others, but of the class."""
    return "text" if kind == "truth values" and not is_class else kind


def check_same(path: Path, types: dict, first_path: Path, first: dict, is_csv: bool) -> None:
    """Raise ValueError unless a file has the columns and types of the first."""
    missing, new = [n for n in first if n not in types], [n for n in types if n not in first]
    if missing or new:
        what = f"lacks column {missing[0]!r}" if missing else f"has a column {new[0]!r} more"
        raise ValueError(f"{path.name} {what} than {first_path.name}: files need the same columns")
    for name, kind in first.items():
        if types[name] not in (kind, ""):
            advice = f'; dtype={{{name!r}: "category"}} takes all as they are written' * is_csv
            raise ValueError(
                f"column {name!r} is {types[name]} in {path.name}, but {kind} in "
                f"{first_path.name}: files need the same types{advice}"
            )


def read_parquet_rows(path: Path, names: list[str], size: int) -> Iterator[pd.DataFrame]:
    """Yield DataFrames of `size` rows with these columns; ValueError names a broken file."""
    pa, how = optional("pyarrow"), {"pre_buffer": False, "buffer_size": 1 << 20}
    try:  # with other settings whole files are in memory
        with optional("pyarrow.parquet").ParquetFile(path, **how) as file:
            for batch in file.iter_batches(size, columns=names):
                yield batch.to_pandas(ignore_metadata=True)[names]
    except pa.ArrowMemoryError as error:
        raise MemoryError(f"{path.name} needs more memory than there is: {error}") from error
    except (pa.ArrowException, OSError, KeyError) as error:
        raise ValueError(
            f"{path.name} cannot be read (it is broken, or changed, or a value is not of its "
            f"column's type): {error}"
        ) from error


def check_no_classes(y) -> None:
    """Raise ValueError for classes that are given with a scan."""
    if y is not None:
        raise ValueError("a scan has its classes with it, in the column it names: leave y out")


@contextmanager
def naming_file(where: str) -> Iterator:
    """Add the file to an error that is raised within this context."""
    try:
        yield
    except (ValueError, TypeError) as error:
        raise type(error)(f"{where}: {error}") from error


def csv_options(kind, options):
    """Return the options for `rt.read_csv` if these are CSV files; None for Parquet."""
    for name in options:
        if name not in IN_BATCHES:
            raise TypeError(f"a scan has no option {name!r}: it takes {', '.join(IN_BATCHES)}")
        if kind != "csv" and name != "drop":
            raise TypeError(f"{name} is an option of CSV files, but these are Parquet")
    return overruled(options) if kind == "csv" else None
