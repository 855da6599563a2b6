"""A file that a reader uploads: read in memory, never run or stored, or refused in a sentence."""

import re
from contextlib import suppress

import pandas as pd

from ranktrees_files.arff import read_arff_frame
from ranktrees_files.dataset import csv_doubts, of_uncut, read_csv_frame
from ranktrees_files.doubt import Doubt, HowRead, joined
from ranktrees_files.doubts import doubts, of_table
from ranktrees_files.foreign import ARFF, kind_of
from ranktrees_files.paths import InMemory
from ranktrees_lab.data import Dataset, read_arff, read_csv

MB = 1 << 20
MOST_BYTES, MOST_COLUMNS, MOST_CLASSES = 20 * MB, 500, 50
HEAD, LINES = 1 << 16, 50  # bytes and lines that show where the table begins
WIDTH = 80  # letters, from which on a call has a line for each argument
_ATTRIBUTE = re.compile(rb"^[\x00-\x20]*@attribute\b", re.IGNORECASE | re.MULTILINE)


class Upload:
    """A table of at most 20 MB and 500 columns, whose class is yet to be chosen.

    CSV with commas, semicolons (then also decimal commas) or tabs, ARFF, or KEEL's .dat. `remedies`
    are those of doubts, in the order of choice. Attributes: `name` of the file, `columns`, and the
    `target`: the previous one, or the last column that can be a class. Raises ValueError, in a
    sentence, for a file that is larger, empty or not a table.
    """

    def __init__(self, file: InMemory, remedies: tuple = (), target: str = ""):
        self.name, self.file, self.remedies, name = file.name, file, remedies, file.name
        _check_bytes(self.name, self.file.content)
        self.is_arff = name.lower().endswith(".arff") or kind_of(file) is ARFF  # or KEEL's
        self.options = {} if self.is_arff else _options(name, self.file.content)
        self.cuts = {}
        for remedy in remedies:
            self._follow(**remedy)
        self.frame = (read_arff_frame if self.is_arff else read_csv_frame)(
            self.file, **self.options
        )
        _check_table(self.name, self.frame)
        self.columns = list(self.frame.columns)
        fit = [name for name in self.columns[::-1] if self._trouble(name) is None]
        target = remedies[-1].get("target", target) if remedies else target
        self.target = target if target in fit else (fit or self.columns[::-1])[0]

    def _follow(self, target=None, cut=None, **options):
        """Read as a remedy says: lists grow, other values take the place of earlier ones."""
        if cut:
            self.cuts[target] = cut
        for name, value in options.items():
            self.options[name] = joined(self.options.get(name), value)

    def doubts(self, target: str, found: tuple | None = None) -> list[Doubt]:
        """Return the doubts with this column as the class; `found` are those of reading."""
        found = list(self._doubts(target) if found is None else found)
        found = [d for d in found if target not in self.cuts or not of_uncut(d, target)]
        if {doubt.kind for doubt in found} & {"header", "comment"}:
            return found  # all else may follow from that
        last = self.columns[-1]
        if target != last and last not in self.cuts:
            found += [d for d in doubts(self.frame[[last]], last) if d.kind == "class"]
        if n := self.frame[target].isna().sum():
            said = f"{n} of {len(self.frame)} rows have no class: they are left out"
            found.append(Doubt("rows", (), said, {}))
        return found

    def _doubts(self, target):
        if self.is_arff:
            return of_table(self.frame, target, HowRead(has_lines=False))
        return csv_doubts(self.frame, target, self.file, self.options)

    def dataset(self, target: str) -> Dataset:
        """Return the cases with this column as their class; ValueError if it cannot be a class."""
        if trouble := self._trouble(target):
            raise ValueError(f"The column {target!r:.60} {trouble}: choose another class column.")
        read = read_arff if self.is_arff else read_csv
        return read(self.file, **self._arguments(target))

    def code(self, target: str) -> str:
        """Return the call that reads the same data from the file."""
        words = [f"{name}={value!r}" for name, value in self._arguments(target).items()]
        words, read = [repr(self.name), *words], "read_arff" if self.is_arff else "read_csv"
        if len(call := f"rt.{read}({', '.join(words)})") <= WIDTH:
            return call
        return "\n    ".join([f"rt.{read}(", *(f"{word}," for word in words)]) + "\n)"

    def _arguments(self, target):
        gap = {"missing_class": "drop"} if self.frame[target].isna().any() else {}
        cut = {"cut": self.cuts[target]} if target in self.cuts else {}
        return {"target": target, **gap, **cut, **self.options}

    def _trouble(self, name):
        """Why a column can be no class, None where it can."""
        column, n = self.frame[name], self.frame[name].nunique()
        if n < 2:
            return f"has {'a single value' if n else 'no value'} where there must be two classes"
        if name in self.cuts:
            return None
        if pd.api.types.is_float_dtype(column) and (column.dropna() % 1 != 0).any():
            return f"holds measurements ({n} values), not classes"
        if n > MOST_CLASSES:
            return f"has {n} values, where at most {MOST_CLASSES} classes can be shown"
        return None


def header_of(content: bytes) -> dict:
    """Return the remedy that reads a table below a title, with its separator; or {}."""
    lines, tables = content[:HEAD].decode("utf-8", "replace").splitlines()[:LINES], []
    for sep in ",;\t":
        widths = [re.sub(r'"[^"]*"', "", line).count(sep) for line in lines]
        usual = max(set(widths), key=widths.count, default=0)
        first = widths.index(usual) if usual else 0
        if usual and widths[first:].count(usual) >= max(3, 0.9 * len(widths[first:])):
            tables.append((first, -usual, sep))
    first, _, sep = min(tables, default=(0, 0, ","))
    return {"skiprows": first} | ({"sep": sep} if sep != "," else {}) if first else {}


def _check_bytes(name, content):
    if not content.strip():
        raise ValueError(f"{name} is empty: upload a table with a line of names and its cases.")
    if len(content) > MOST_BYTES:
        raise ValueError(
            f"{name} is too large, {len(content) / MB:.1f} MB: at most {MOST_BYTES / MB:g} MB "
            "can be uploaded; a sample of its rows will do."
        )
    kind = kind_of(InMemory(name, content))
    if kind not in (None, ARFF):
        raise ValueError(f"{name} is {kind.what}: save it as CSV or ARFF first.")
    if b"\0" in content:
        raise ValueError(f"{name} is not a table of text: save it as CSV or ARFF first.")
    head = content.lstrip().split(b"\n", 1)[0]
    n = max(*map(head.count, b",;\t"), len(_ATTRIBUTE.findall(content)))
    if n > 2 * MOST_COLUMNS:  # before anything is made of them
        raise ValueError(f"{name} has {n} columns or more: {MOST_COLUMNS} are the most.")


def _check_table(name, frame):
    rows, columns = frame.shape
    if columns > MOST_COLUMNS:
        raise ValueError(f"{name} has {columns:,} columns: {MOST_COLUMNS} are the most.")
    if columns < 2 or rows < 2:
        raise ValueError(f"{name} is not a table: it needs two columns and two rows of values.")


def _options(name, content):
    """How a CSV file is written: its separator, its decimal mark, its encoding."""
    table = re.sub(rb"\A\s*(#.*\n)*", b"", content)  # without comments above it
    head = re.sub(rb'"[^"]*"', b"", table.split(b"\n", 1)[0])
    sep = max(",;\t", key=lambda mark: head.count(mark.encode()))
    sep = header_of(table).get("sep", sep)
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
