"""Read ARFF, the file format of Weka, as it occurs in practice."""

import io
import re
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import pandas as pd

from ranktrees.basics.arguments import check_number
from ranktrees.basics.files import InMemory, brief, located, nearest
from ranktrees.basics.kinds import AnyPath
from ranktrees.reading import scan
from ranktrees.reading.arff_columns import Columns, Declared
from ranktrees.reading.dataset import Dataset, drop_unknown
from ranktrees.reading.scan import BLANK, QUOTED, ScanError

_ATTRIBUTE = re.compile(rf"({QUOTED}|[^\x00-\x20{{'\"][^\x00-\x20{{]*)[\x00-\x20]*(.*)", re.DOTALL)
_DATA = re.compile(r"^[\x00-\x20]*@data(?![^\x00-\x20]).*\n", re.IGNORECASE | re.MULTILINE)
BLOCK = 1 << 20  # characters of lines that are read together
CELLS = 10**7  # rows x attributes that any file may have; more, the longer it is


class ArffError(ValueError):
    """A malformed ARFF file: says the file, the line (from 1) and what is wrong there."""

    def __init__(self, message: str, path: Path | str | InMemory, line: int):
        self.path, self.line = located(path), line
        super().__init__(f"{self.path.name}, line {line}: {brief(message)}")


def read_arff(
    path: AnyPath,
    target: str | None = None,
    missing_class: str = "error",
    max_cells: int | None = None,
) -> Dataset:
    """The data set in an ARFF file; its class is the last attribute unless target names it.

    A row without a class is an error, or with missing_class="drop", as in Weka, left out with a
    warning. A short file with sparse rows may be a huge table: reading ends at `max_cells` (rows x
    attributes), by default ten million and one for each letter of the file, more than any rows that
    are not sparse have. Raises ArffError with the line number for a malformed file or one of more
    cells, ValueError for a target that the file does not declare. Format: Weka 3.6; sparse rows and
    string attributes included.
    """
    path = located(path)
    check_number("max_cells", max_cells, 1, whole=True, none=True)
    relation, columns = _read(path, max_cells)
    frame = columns.frame()
    target = frame.columns[-1] if target is None else target
    if target not in list(frame):
        raise ValueError(f"{path.name} has no attribute {target!r}; {nearest(target, frame)}")
    y = frame.pop(target)
    if not isinstance(y.dtype, pd.CategoricalDtype):
        name = brief(repr(target))
        raise ValueError(f"{path.name}: the class {name} is not nominal; name another target")
    frame, y = drop_unknown(frame, y, path, missing_class)
    if y.isna().any():
        problem = f'the class {target!r} is missing (missing_class="drop" leaves such rows out)'
        raise ArffError(problem, path, int(columns.lines[y.isna().argmax()]))
    return Dataset(frame, y.array, name=relation, source=path.name, target=target)


def read_arff_frame(path, nrows: int | None = None) -> pd.DataFrame:
    """All attributes of an ARFF file, of all rows or the first ones: no class is needed."""
    return _read(located(path), nrows=nrows)[1].frame()


def _read(path, max_cells=None, nrows=None):
    """Relation and columns of all rows, or of the first `nrows`."""
    text = _text(path.read_bytes()) + "\n"
    found = _DATA.search(text)
    start = found.end() if found else len(text)
    relation, declared, line = _header(enumerate(io.StringIO(text[:start]), 1), path)
    A, max_cells = len(declared), CELLS + len(text) if max_cells is None else max_cells
    limit = max_cells // A
    too_many = (
        f"more than {limit:,} rows of {A:,} attributes, which is more than max_cells={max_cells}: "
        "leave out rows or attributes, or give a larger max_cells (a cell takes up to 8 bytes)"
    )
    if nrows is not None and nrows <= limit:
        limit, too_many = nrows, None
    columns = Columns(declared, min(limit, text.count("\n", start)))
    for first, lines in _blocks(text, start, line + 1):
        _add(columns, lines, first, path, too_many)
        if columns.n == nrows:
            break
    if not columns.n:
        raise ArffError("no cases after @data", path, line)
    return relation, columns


def _blocks(text: str, start: int, number: int) -> Iterator[tuple[int, list[str]]]:
    """The lines of a text from a place on, some at a time, and the number of the first of them."""
    while start < len(text):
        end = text.find("\n", start + BLOCK - 1) + 1 or len(text)
        lines = text[start : end - 1].split("\n")
        yield number, lines
        start, number = end, number + len(lines)


def _add(columns, lines, first, path, too_many):
    """Add the rows on some lines, of which `first` is the first one's number, while there is room.

    ArffError says what is wrong or, unless `too_many` is None, what to do with more rows.
    """
    rows, numbers, n = [], [], len(columns.declared)
    try:
        for number, line in enumerate(lines, first):
            is_full = len(rows) == columns.room
            if is_full and too_many is None:
                break
            if (row := _row(line, n)) is None:
                continue
            if is_full:
                raise ScanError(too_many)
            rows.append(row)
            numbers.append(number)
        columns.add(numbers, _given(rows, n))
    except ScanError as error:
        line = number if error.row is None else numbers[error.row]
        raise ArffError(str(error), path, line) from None


def _given(rows, n):
    """Of each of n attributes the rows (None: all) and the texts that rows give."""
    if not any(isinstance(row, dict) for row in rows):
        return zip(repeat(None), zip(*rows, strict=True) if rows else repeat((), n), strict=False)
    given = [([], []) for _ in range(n)]
    for k, row in enumerate(rows):
        for i, text in row.items() if isinstance(row, dict) else enumerate(row):
            given[i][0].append(k)
            given[i][1].append(text)
    return given


def _header(lines, path):
    """Relation, attributes, and the number of the line @data."""
    relation, declared, number = path.stem, {}, 0
    try:
        for number, line in lines:
            keyword, rest = _keyword(line)
            if keyword == "@data":
                if rest and not rest.startswith("%"):
                    raise ScanError(f"@data must stand alone on its line, not with {rest[:40]!r}")
                if not declared:
                    raise ScanError("@data without any @attribute before it")
                return relation, list(declared.values()), number
            if keyword == "@relation":
                quoted = re.match(QUOTED, rest)  # the name means nothing, so that any text will do
                name = scan.unquote(quoted[0]) if quoted else rest.partition(" %")[0].strip(BLANK)
                relation = name or path.stem
            elif keyword == "@attribute":
                _declare(rest, declared)
            elif keyword:
                line = line.strip(BLANK)[:40]
                raise ScanError(f"expected @relation, @attribute or @data, not {line!r}")
        raise ScanError("the file ends without @data")
    except ScanError as error:
        raise ArffError(str(error), path, number) from None


def _text(raw):
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")  # older files; every byte is a character there
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _keyword(line):
    """A header line's first word in small letters and what follows it; "" for an empty line."""
    line = line.strip(BLANK)
    if not line or line.startswith("%"):
        return "", ""
    keyword, rest = re.match(rf"([^{BLANK}]+)(.*)", line, re.DOTALL).groups()
    return keyword.lower(), rest.strip(BLANK)


def _declare(text, known):
    match = _ATTRIBUTE.fullmatch(text)
    if not match:
        raise ScanError("unclosed quote in @attribute" if text else "@attribute without a name")
    name, kind = match.groups()
    name = scan.unquote(name) if name[0] in "'\"" else name
    if name in known:
        raise ScanError(f"attribute {name!r} is declared twice")
    values = _values(name, kind) if kind.startswith("{") else {}
    known[name] = Declared(name, "nominal" if kind.startswith("{") else _kind(name, kind), values)


def _values(name, text):
    inside, rest = scan.split_braces(text)
    if rest:
        raise ScanError(f"attribute {name!r}: unexpected {rest!r} after its values")
    codes = {}
    for value in scan.split_values(inside):
        value = "?" if value is None else value
        if value in codes:
            raise ScanError(f"attribute {name!r} declares {value!r} twice")
        codes[value] = len(codes)
    return codes


def _kind(name, text):
    word = re.match(r"[^\x00-\x20\[%]*", text)[0].lower()
    if word in ("numeric", "real", "integer", "string"):
        return "string" if word == "string" else "numeric"
    if word in ("date", "relational"):
        raise ScanError(
            f"attribute {name!r}: {word} attributes are not read; turn it into numbers or "
            "nominal values, or remove it"
        )
    raise ScanError(f"attribute {name!r}: unknown type {text!r} (numeric, string or {{values}})")


def _row(line, n):
    """The n values of a row, None where missing, or of a sparse one {place: value}; else None."""
    if not (line := line.strip(BLANK)) or line[0] == "%":
        return None
    if line[0] == "{":
        given = scan.split_sparse(line)
        if given and max(given) >= n:
            raise ScanError(f"index {max(given)}, but the last attribute has {n - 1}")
        return given
    row = scan.split_values(line, single=n == 1)
    if len(row) != n:
        raise ScanError(f"{len(row)} values for {n} attributes")
    return row
