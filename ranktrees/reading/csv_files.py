"""One reading of a CSV file, packed or not: whole (`rt.read_csv`) or in batches (`rt.scan`)."""

import gzip
import io
import warnings
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import dropwhile
from json import dumps
from pathlib import PurePath

import numpy as np
import pandas as pd

from ranktrees.basics.files import InMemory, brief, nearest
from ranktrees.basics.warn import warn
from ranktrees.reading.csv_values import (
    DEFAULTS,
    IN_BATCHES,
    are_truths,
    asked_types,
    clean,
    declared,
    marks_of,
    numbers,
)
from ranktrees.reading.frames import refuse_twice, unpacking

# How the header alone is read, before pandas makes a, a.1 of a, a.
HEADER = {"header": None, "nrows": 1, "usecols": None, "na_filter": False, "dtype": "str"}
HEADER |= {"index_col": False, "parse_dates": False, "converters": None, "skipfooter": 0}
HEAD = 10_000  # rows that show of what kind the columns are
PACKED = (".gz", ".zst")


def stem(path) -> str:
    """The name of a file without its endings, as "tax" of tax.csv.gz."""
    return PurePath(path.stem).stem if path.name.endswith(PACKED) else path.stem


# Whole files


def read_whole(path, options: dict) -> pd.DataFrame:
    """The file's frame, without columns that have neither name nor value.

    Raises ValueError for a file that is no table, or one of another separator or encoding.
    """
    frame = read_rows(path, options)
    frame = frame.loc[:, ~(nameless(frame) & frame.isna().all())]
    if frame.empty:
        raise ValueError(f"{path.name} has no cases")
    if options.keys() <= {*DEFAULTS, "low_memory", *IN_BATCHES} and frame.iloc[:, -1].hasnans:
        warn_of_short_rows(path, options)
    return frame


def nameless(frame: pd.DataFrame) -> np.ndarray:
    """Which columns have no name in the header."""
    return frame.columns.astype("str").str.startswith("Unnamed: ")


def read_rows(path, options: dict) -> pd.DataFrame:
    """`read_whole` of a file that may have no rows, all columns."""
    frame, wrong, advice = None, "", ""
    try:
        frame = _parse(path, options)
    except pd.errors.EmptyDataError:
        raise ValueError(f"{path.name} is empty") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} {what_is_wrong(error)}") from error
    except (ValueError, pd.errors.ParserWarning) as error:
        wrong = what_is_wrong(error)
    if frame is None or frame.shape[1] == 1:
        for sep in sorted({*",;\t|"} - {options.get("sep", ",")}):
            with suppress(ValueError, pd.errors.ParserWarning):
                if _parse(path, {**options, "sep": sep, "nrows": 5}).shape[1] > 1:
                    wrong = wrong or "has one column"
                    advice = f": give its separator, sep={dumps(sep)}"
    if wrong:
        raise ValueError(f"{path.name} {wrong}{advice}")
    if not {"header", "names"} & options.keys():
        header = _pandas(path, {**options, **HEADER}).iloc[0].str.strip()
        refuse_twice(header[header != ""], f"{path.name}: column", "stands twice in the header")
    names = [str(name) for name in frame]
    for name in asked_types(options):
        if str(name).strip() not in names and "usecols" not in options:
            raise ValueError(f"{path.name} has no column {name!r:.60}; {nearest(name, names)}")
    return frame


def what_is_wrong(error: Exception) -> str:
    """What an error of pandas says of a file, as the end of a sentence, and what to do."""
    if isinstance(error, UnicodeDecodeError):
        return f"is not UTF-8: name its encoding= ({error})"
    if isinstance(error, pd.errors.ParserWarning):
        return (
            "is not a regular table: its first row is longer than its header; skiprows=1 leaves "
            "out a line above it, index_col=0 takes names of rows"
        )
    return f"is not a regular table: {brief(str(error).strip())}"


def warn_of_short_rows(path, options: dict) -> None:
    """Warn of rows that end before the last name of the header: what they lack is missing."""
    import csv

    how = {"delimiter": options.get("sep", ","), "skipinitialspace": True}
    widths = []
    with suppress(csv.Error, TypeError), as_lines(path, options.get("encoding")) as lines:
        for row in csv.reader(lines, **how):
            if len(row) > 1 or "".join(row).strip():
                names = dropwhile(lambda cell: not cell.strip(), reversed(row))
                widths.append(len(row) if widths else len([*names]))
    short = [n for n, width in enumerate(widths) if width < widths[0]]
    if short:
        warn(
            f"{path.name}: {len(short)} of {len(widths) - 1} rows are shorter than the header, the "
            f"first in data row {short[0]}: what they lack is missing"
        )


@contextmanager
def as_lines(path, encoding: str | None) -> Iterator:
    """The text of a file, packed or not."""
    with opened(path) as source:
        if source is path:
            source = (gzip.open if path.name.endswith(".gz") else open)(path, "rb")
        with io.TextIOWrapper(source, encoding or "utf-8-sig", newline="") as lines:
            yield lines


def _parse(path, options):
    """What pandas reads, cleaned: words for true and false are read again, as they are written."""
    frame = _pandas(path, options)
    names, asked = {str(raw).strip(): raw for raw in frame}, asked_types(options)
    types = {names.get(str(name).strip(), name): kind for name, kind in asked.items()}
    found = {raw: "str" for name, raw in names.items() if _of_truths(frame[raw], name, options)}
    if found or types != asked:
        frame = _pandas(path, {**options, "dtype": types | found})
    return clean(frame, options)


def _of_truths(column, name, options):
    """Whether pandas has made truth values of a column's words without being told to."""
    told = declared(options, name) or {"true_values", "false_values"} & options.keys()
    return not told and pd.api.types.infer_dtype(column, skipna=True) == "boolean"


def _pandas(path, options):
    with _strict(path), opened(path) as source:
        return pd.read_csv(source, **options)


@contextmanager
def _strict(path):
    """Rows that are longer than the header are an error, and so is what cannot be unpacked."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("error", "Length of header", pd.errors.ParserWarning)
            yield
    except FileNotFoundError:
        raise
    except ImportError as error:
        raise ImportError(f"to unpack {path.name}: pip install pyarrow") from error
    except (OSError, EOFError, zlib.error) as error:
        if not path.name.endswith(PACKED):
            raise
        raise ValueError(f"it cannot be unpacked: {error}") from error


@contextmanager
def opened(path) -> Iterator:
    """What pandas reads a file from: its path or, where pandas cannot unpack it, its bytes."""
    if isinstance(path, InMemory):
        yield io.BytesIO(path.content)
    elif path.name.endswith(".zst") and (unpacked := unpacking(path)):
        with unpacked as file:
            yield file
    else:
        yield path


# In batches


def kinds_of(path, options: dict) -> dict[str, str]:
    """{column: "number", "text", "truth values" or, without any value, ""} of a CSV file.

    Its first rows say so, and the whole file only of columns that have no value there.
    """

    def kinds_in(frame):
        return {name: _kind(column, declared(options, name)) for name, column in frame.items()}

    head = read_rows(path, {**options, "nrows": HEAD})
    kinds = kinds_in(head)
    unknown = [name for name, kind in kinds.items() if not kind]
    if unknown and len(head) == HEAD:
        with closing(read_batches(path, options, dict.fromkeys(unknown, ""), HEAD)) as frames:
            for frame in frames:
                found = kinds_in(frame)
                kinds |= {name: kind for name, kind in found.items() if kind and not kinds[name]}
                if all(kinds.values()):
                    break
    no_column = {*head.columns[nameless(head)]}
    return {name: kind for name, kind in kinds.items() if kind or name not in no_column}


def _kind(column, is_declared):
    known = column.dropna()
    if not len(known):
        return ""
    if pd.api.types.is_numeric_dtype(column):
        return "number"
    return "truth values" if are_truths(known) and not is_declared else "text"


def read_batches(path, options: dict, kinds: dict, size: int) -> Iterator[pd.DataFrame]:
    """Yield a CSV file's rows, `size` at a time, of columns of known `kinds`; "": as it comes.

    Raises ValueError, naming column and row, for a value of another kind.
    """
    raw = _pandas(path, {**options, "nrows": 0}).columns
    types = {str(name).strip(): kind for name, kind in asked_types(options).items()}
    types |= {name: "str" for name, kind in kinds.items() if kind in ("text", "truth values")}
    types = {name: types[name.strip()] for name in raw if name.strip() in types}
    how = options | ({"dtype": types} if types else {})
    if some := {name.strip() for name in raw} - kinds.keys():
        how["usecols"] = lambda name: name.strip() not in some
    first = 1
    with opened(path) as source:
        with _strict(path):
            reader = pd.read_csv(source, chunksize=size, **how)
        with reader as parts:
            while (part := _next(path, parts)) is not None:
                frame = clean(part.reset_index(drop=True), how)[list(kinds)]
                for name, kind in kinds.items():
                    frame[name] = _checked(frame[name], kind, path.name, first, options)
                yield frame
                first += len(frame)


def _next(path, parts):
    with _strict(path):  # not while others work with a part, whose warnings are theirs
        return next(parts, None)


def _checked(column, kind, file, first, options):
    """A batch's column, whose first row is data row `first`, as one of its kind."""
    texts, odd = column.dropna(), None
    if kind == "number" and not pd.api.types.is_numeric_dtype(column):
        texts = texts.astype("str")
        odd = texts[~numbers(texts, options.get("thousands") or "", options.get("decimal", "."))]
        column = column if len(odd) else column.astype("float64")
    elif kind == "truth values":
        odd = texts[~texts.str.lower().isin(["true", "false"])]
    if odd is None or not len(odd):
        return column
    value, name, row = odd.iloc[0], f"{column.name!r:.60}", first + odd.index[0]
    marks = [*marks_of(options, column.name), value]
    raise ValueError(
        f"{file}: column {name} holds {value!r:.60} in data row {row}, and nothing but "
        f"{kind.removesuffix('s')}s above: na_values={marks!s:.200} makes it missing, "
        f'dtype={{{name}: "category"}} takes all as they are written'
    )
