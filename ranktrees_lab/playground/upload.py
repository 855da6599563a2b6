"""A file that a reader uploads: read in memory, never run or stored, refused in a sentence."""

import re
from contextlib import suppress

import pandas as pd

from ranktrees.basics.files import InMemory
from ranktrees.reading.arff import read_arff_frame
from ranktrees.reading.dataset import read_csv_frame
from ranktrees.reading.doubts import doubts
from ranktrees_lab.data import Dataset, read_arff, read_csv

MOST_BYTES, MOST_ROWS, MOST_COLUMNS, MOST_CLASSES = 5_000_000, 20_000, 500, 50
_ATTRIBUTE = re.compile(rb"^[\x00-\x20]*@attribute\b", re.IGNORECASE | re.MULTILINE)


class Upload:
    """A table of at most 5 MB, 20,000 rows and 500 columns, whose class is yet to be chosen.

    CSV with commas, semicolons (then also decimal commas) or tabs, or ARFF. Attributes: `name` of
    the file, `columns`, the likely `target`, the last column that can be a class, and `doubts`.
    Raises ValueError, in a sentence, for what is larger, empty or no table.
    """

    def __init__(self, name: str, content: bytes):
        self.name, self.file = name, InMemory(name, bytes(content))
        _check_bytes(self.name, self.file.content)
        self.is_arff = name.lower().endswith(".arff")
        self.options = {} if self.is_arff else _options(name, self.file.content)
        read = read_arff_frame if self.is_arff else read_csv_frame
        self.frame = read(self.file, nrows=MOST_ROWS + 1, **self.options)
        _check_table(self.name, self.frame)
        self.columns = list(self.frame.columns)
        fit = [c for c in self.columns[::-1] if _trouble(self.frame[c]) is None]
        self.target = (fit or self.columns[::-1])[0]
        self.doubts = doubts(self.frame, self.target)
        if self.target != self.columns[-1]:
            self.doubts += doubts(self.frame[self.columns[-1:]], self.columns[-1])

    def dataset(self, target: str) -> Dataset:
        """The cases with this column as their class; ValueError where it can be none."""
        if trouble := _trouble(self.frame[target]):
            raise ValueError(f"The column {target!r:.60} {trouble}: choose another class column.")
        read = read_arff if self.is_arff else read_csv
        return read(self.file, **self._arguments(target))

    def code(self, target: str) -> str:
        """The call that reads the same from the file itself."""
        words = [f"{name}={value!r}" for name, value in self._arguments(target).items()]
        read = "read_arff" if self.is_arff else "read_csv"
        return f"rt.{read}({', '.join([repr(self.name), *words])})"

    def _arguments(self, target):
        gap = {"missing_class": "drop"} if self.frame[target].isna().any() else {}
        return {"target": target, **gap, **self.options}


def _check_bytes(name, content):
    if not content.strip():
        raise ValueError(f"{name} is empty: upload a table with a line of names and its cases.")
    if len(content) > MOST_BYTES:
        raise ValueError(
            f"{name} is too large, {len(content) / 1e6:.1f} MB: at most {MOST_BYTES / 1e6:g} MB "
            "can be uploaded; a sample of its rows will do."
        )
    if b"\0" in content:
        raise ValueError(f"{name} is no table of text: save it as CSV or ARFF first.")
    wide = [line for line in content.splitlines() if len(line) > 2 * MOST_COLUMNS]
    commas = max((max(map(line.count, b",;\t")) for line in wide), default=0)
    if commas > 2 * MOST_COLUMNS:  # before anything is made of them
        raise ValueError(f"{name} has a line of {commas + 1} values: {MOST_COLUMNS} are the most.")
    if (n := len(_ATTRIBUTE.findall(content))) > MOST_COLUMNS:
        raise ValueError(f"{name} declares {n} attributes: {MOST_COLUMNS} are the most.")


def _check_table(name, frame):
    rows, columns = frame.shape
    if rows > MOST_ROWS or columns > MOST_COLUMNS:
        size = f"more than {MOST_ROWS:,}" if rows > MOST_ROWS else f"{rows:,}"
        raise ValueError(
            f"{name} is too large, {size} rows and {columns:,} columns: at most {MOST_ROWS:,} "
            f"rows and {MOST_COLUMNS} columns can be uploaded."
        )
    if columns < 2 or rows < 2:
        raise ValueError(f"{name} is no table: it needs two columns and two rows of values.")


def _options(name, content):
    """How a CSV file is written: its separator, its decimal mark, its encoding."""
    head = re.sub(rb'"[^"]*"', b"", content.lstrip().split(b"\n", 1)[0])
    sep = max(",;\t", key=lambda mark: head.count(mark.encode()))
    options = {} if sep == "," else {"sep": sep}
    if sep != "," and _has_decimal(content, sep, ",") and not _has_decimal(content, sep, "."):
        options["decimal"] = ","
    for encoding in ("utf-8", "cp1252"):  # what Excel writes
        with suppress(UnicodeDecodeError):
            content.decode(encoding)
            return options if encoding == "utf-8" else {**options, "encoding": encoding}
    raise ValueError(f"{name} has letters in an unknown encoding: save it as CSV in UTF-8.")


def _has_decimal(content, sep, mark):
    """Whether a cell is a number with this decimal mark, and no date as 1.2.2020."""
    cell = rf"(?:^|[\r\n{sep}])[ \t]*[+-]?\d*{re.escape(mark)}\d+[ \t]*(?:[\r\n{sep}]|$)"
    return re.search(cell.encode(), content) is not None


def _trouble(column):
    """Why a column can be no class, None where it can."""
    n = column.nunique()
    if n < 2:
        return f"has {'a single value' if n else 'no value'} where there must be two classes"
    if pd.api.types.is_float_dtype(column) and (column.dropna() % 1 != 0).any():
        return f"holds measurements ({n} values), not classes"
    if n > MOST_CLASSES:
        return f"has {n} values, where at most {MOST_CLASSES} classes can be shown"
    return None
