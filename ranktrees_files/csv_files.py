"""Reading CSV files, compressed or not: whole (`rt.read_csv`) or in batches (`rt.scan`)."""

import re
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import PurePath

import numpy as np
import pandas as pd

from ranktrees_engine.basics.typos import brief
from ranktrees_engine.reading.frames import refuse_twice
from ranktrees_files.csv_advice import advice, comments_first
from ranktrees_files.csv_lines import above_header, opened, short_rows
from ranktrees_files.csv_values import (
    are_truths,
    as_options_say,
    asked_types,
    check_finite,
    check_named,
    clean,
    declared,
    for_pandas,
)
from ranktrees_files.doubt import Doubt
from ranktrees_files.foreign import UTF16, refuse_foreign

# How the header alone is read, before pandas makes a, a.1 of a, a.
HEADER = {"header": None, "nrows": 1, "usecols": None, "na_filter": False, "dtype": "str"}
HEADER |= {"index_col": False, "parse_dates": False, "converters": None, "skipfooter": 0}
HEAD = 10_000  # rows that show of what kind the columns are
PACKED = (".gz", ".zst")
SKIP = '; rt.read_csv takes on_bad_lines="warn", which leaves such rows out'
SCAN = "rt.scan(path, target) reads it in batches"


class IrregularError(ValueError):
    """The file is not a table with these options, but may be one with another separator."""


def stem(path) -> str:
    """Return the name of a file without its endings, as "tax" for tax.csv.gz."""
    return PurePath(path.stem).stem if path.name.endswith(PACKED) else path.stem


# Whole files


def read_whole(path, options: dict) -> tuple[pd.DataFrame, list[Doubt]]:
    """Read the file's frame, without columns that have neither name nor value, and short rows.

    Raises ValueError if the file is not a table, or has another separator or encoding.
    """
    frame = read_rows(path, options)
    frame = frame.loc[:, ~(nameless(frame) & frame.isna().all())]
    if frame.empty:
        raise ValueError(f"{path.name} has no cases")
    for name in options["numbers"]:
        checked(frame[name], "number", path.name, 1, options)
    return frame, short_rows(path, frame, options)


def nameless(frame: pd.DataFrame) -> np.ndarray:
    """Return which columns have no name in the header."""
    return frame.columns.astype("str").str.startswith("Unnamed: ")


def read_rows(path, options: dict) -> pd.DataFrame:
    """Read all columns that are not dropped, of a file that may have no rows."""
    refuse_foreign(path, *([UTF16] if options.get("encoding") else []))
    with comments_first(path, options, opened):
        return _read_rows(path, options)


def _read_rows(path, options):
    try:
        frame, wrong = _parse(path, options), "has one column"
    except IrregularError as error:
        frame, wrong = None, str(error)
    if frame is None or frame.shape[1] < 2:
        advised = advice(options, partial(_parse, path))
        if frame is None or advised:
            raise ValueError(f"{path.name} {wrong}{advised}")
    names = list(frame)
    if "usecols" in options:  # others may be meant, too
        names = [str(n).strip() for n in _pandas(path, {**options, "usecols": None, "nrows": 0})]
    check_named(options, names, path.name, str.strip)
    return frame.drop(columns=options["drop"], errors="ignore")


def _parse(path, options):
    """What pandas reads, cleaned: words for true and false are read again, as they are written."""
    if "names" not in options and isinstance(first := options.get("header", 0), int):
        _check_header(path, options | ({"skiprows": above_header(path, options)} if first else {}))
    frame = _pandas(path, options)
    names, asked = {str(raw).strip(): raw for raw in frame}, asked_types(options)
    types = {names.get(str(name).strip(), name): kind for name, kind in asked.items()}
    truths = {raw: "str" for name, raw in names.items() if _of_truths(frame[raw], name, options)}
    if truths or types != asked:
        frame = _pandas(path, {**options, "dtype": types | truths})
    return clean(frame, options)


def _check_header(path, options):
    """Raise ValueError for a name that stands twice, and for a row of more values."""
    how = {**options, **HEADER}
    try:
        header = _pandas(path, {**how, "index_col": None, "nrows": 2}).iloc[0].str.strip()
    except IrregularError:  # the first row is longer, if only by separators
        header = _pandas(path, how).iloc[0].str.strip()
        names = {"names": range(2 * len(header) + 50), "nrows": options.get("nrows")}
        if "index_col" not in options:
            beyond = _pandas(path, {**how, **names, "na_filter": True}).iloc[1:, len(header) :]
            _refuse_longer(beyond.notna().any(axis=1).to_numpy())
    twice = "stands twice in the header: if that is the first case, give header=None"
    refuse_twice(header[header != ""], f"{path.name}: column", twice)


def _refuse_longer(longer):
    """Raise IrregularError for the first of the rows (n,) that have more values than the header."""
    if longer.any():
        raise IrregularError(
            f"is not a regular table: data row {longer.argmax() + 1} is longer than its header; "
            "skiprows=1 leaves out a line above it, index_col=0 takes names of rows"
        )


def _of_truths(column, name, options):
    """Whether pandas has made truth values of a column's words without being told to."""
    told = declared(options, name) or {"true_values", "false_values"} & options.keys()
    return not told and pd.api.types.infer_dtype(column, skipna=True) == "boolean"


def _pandas(path, options):
    with _named(path), opened(path) as source:
        return pd.read_csv(source, **for_pandas(options))


@contextmanager
def _named(path):
    """Say what is wrong with a file, and what to do."""
    try:
        yield
    except pd.errors.EmptyDataError:
        raise ValueError(f"{path.name} is empty") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name} is not UTF-8: name its encoding= ({error})") from error
    except (ValueError, OverflowError) as error:  # of a row's name, a number beyond a double
        if "out of memory" in str(error):
            raise MemoryError(f"{path.name} needs more memory than there is: {SCAN}") from error
        said = brief(_in_words(str(error).strip()))
        raise IrregularError(f"is not a regular table: {said}") from error
    except FileNotFoundError:
        raise
    except ImportError as error:
        raise ImportError(f"to unpack {path.name}: pip install pyarrow") from error
    except (OSError, EOFError, zlib.error) as error:
        if not path.name.endswith(PACKED):
            raise
        raise ValueError(f"{path.name} cannot be unpacked: {error}") from error


def _in_words(said):
    """What pandas' parser says about a row or of a quotation mark."""
    if longer := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", said):
        header, row, values = longer.groups()  # SKIP if two rows above it fit
        return f"row {row} has {values} values, the header {header}{SKIP * (int(row) > 3)}"
    quote = re.fullmatch(r".*EOF inside string starting at row (\d+)", said)
    return f"a quotation mark in row {int(quote[1]) + 1} is not closed" if quote else said


# In batches


def kinds_of(path, options: dict) -> tuple[dict[str, str], pd.DataFrame]:
    """Return {column: "number", "text", "truth values" or, without a value, ""} of a CSV file.

    The first rows, which are returned too, decide; the whole file is read only for columns without
    a value there.
    """

    def kinds_in(frame):
        return {name: _kind(column, declared(options, name)) for name, column in frame.items()}

    head = read_rows(path, {**options, "nrows": HEAD})
    for _, column in head.items():
        check_finite(column, path.name)
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
    return {name: kind for name, kind in kinds.items() if kind or name not in no_column}, head


def _kind(column, is_declared):
    known = column.dropna()
    if not len(known):
        return ""
    if pd.api.types.is_numeric_dtype(column):
        return "number"
    return "truth values" if are_truths(known) and not is_declared else "text"


def read_batches(path, options: dict, kinds: dict, size: int) -> Iterator[pd.DataFrame]:
    """Yield a CSV file's rows, `size` at a time, with columns of known `kinds`; "" is not checked.

    Raises ValueError, naming column and row, for a value of another kind.
    """
    raw = {name: str(name).strip() for name in _pandas(path, {**options, "nrows": 0})}
    types = {str(name).strip(): kind for name, kind in asked_types(options).items()}
    types |= {name: "str" for name, kind in kinds.items() if kind in ("text", "truth values")}
    types = {name: types[text] for name, text in raw.items() if text in types}
    how = options | ({"dtype": types} if types else {})
    if {*raw.values()} - kinds.keys():
        how["usecols"] = [name for name, text in raw.items() if text in kinds]
    first = 1
    with opened(path) as source:
        with _named(path):
            reader = pd.read_csv(source, chunksize=size, **for_pandas(how))
        with reader as parts:
            while (part := _next(path, parts)) is not None:
                frame = clean(part.reset_index(drop=True), how)[list(kinds)]
                for name, kind in kinds.items():
                    frame[name] = checked(frame[name], kind, path.name, first, options)
                yield frame
                first += len(frame)


def _next(path, parts):
    try:
        with _named(path):
            return next(parts, None)
    except IrregularError as error:
        raise ValueError(f"{path.name} {error}") from error


def checked(column: pd.Series, kind: str, file: str, first: int, options: dict) -> pd.Series:
    """Check a batch's column for its kind, and return it; its first row is data row `first`."""
    texts, odd = column.dropna(), None
    if kind == "number" and not pd.api.types.is_numeric_dtype(column):
        texts = texts.astype("str")
        odd = texts[~as_options_say(texts, column.name, options)]
        column = column if len(odd) else column.astype("float64")
    elif kind == "truth values":
        odd = texts[~texts.str.lower().isin(["true", "false"])]
    if odd is None or not len(odd):
        check_finite(column, file, first)
        return column
    value, name, row = odd.iloc[0], f"{column.name!r:.60}", first + odd.index[0]
    raise ValueError(
        f"{file}: column {name} holds {value!r:.60} in data row {row}, and nothing but "
        f"{kind.removesuffix('s')}s above: na_values={[value]!s:.200} makes it missing, "
        f'dtype={{{name}: "category"}} takes all as they are written'
    )
