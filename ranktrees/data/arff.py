"""Read ARFF, the file format of Weka, as it occurs in practice."""

import math
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from . import scan
from .dataset import Dataset
from .files import nearest
from .scan import BLANK, QUOTED, ScanError

_ATTRIBUTE = re.compile(rf"({QUOTED}|[^\x00-\x20{{'\"][^\x00-\x20{{]*)[\x00-\x20]*(.*)", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_DIGITS = frozenset("0123456789.+-eE")
MOST_SHOWN = 12  # declared values that an error lists


class ArffError(ValueError):
    """A malformed ARFF file: says the file, the line (from 1) and what is wrong there."""

    def __init__(self, message: str, path: Path | str, line: int):
        super().__init__(f"{Path(path).name}, line {line}: {message}")
        self.path, self.line = Path(path), line


class Declared(NamedTuple):
    """An attribute as declared: name, kind, the values of a nominal one."""

    name: str
    kind: str  # "nominal", "numeric" or "string"
    values: tuple[str, ...] = ()

    @property
    def unlisted(self) -> str | None:
        """The value that a sparse row leaves out: 0, no text, or the first value."""
        return {"numeric": "0", "string": ""}.get(self.kind, next(iter(self.values), None))


def read_arff(path, target: str | None = None) -> Dataset:
    """The data set in an ARFF file; its class is the last attribute unless target names it.

    Raises ArffError with the line number for a malformed file, ValueError for a target that the
    file does not declare. Format: Weka 3.6; sparse rows and string attributes included.
    """
    path = Path(path)
    relation, frame, lines = _read(path)
    target = frame.columns[-1] if target is None else target
    if target not in frame:
        raise ValueError(f"{path.name} has no attribute {target!r}; {nearest(target, frame)}")
    y = frame.pop(target)
    if not isinstance(y.dtype, pd.CategoricalDtype):
        raise ValueError(f"{path.name}: the class {target!r} is not nominal; name another target")
    if y.isna().any():
        raise ArffError(f"the class {target!r} is missing", path, lines[y.isna().argmax()])
    return Dataset(frame, y.array, name=relation, source=path.name, target=target)


def read_arff_frame(path) -> pd.DataFrame:
    """All attributes of an ARFF file as one frame, for files without a nominal class."""
    return _read(Path(path))[1]


def _read(path):
    """Relation, frame of all attributes, and the line number of each row."""
    lines, columns = enumerate(_lines(path.read_bytes()), 1), {}
    relation, declared, start = _header(lines, path)
    rows, numbers = _rows(lines, declared, path)
    if not rows:
        raise ArffError("no cases after @data", path, start)
    for attribute, texts in zip(declared, zip(*rows, strict=True), strict=True):
        try:
            columns[attribute.name] = _COLUMNS[attribute.kind](attribute, texts)
        except ScanError as error:
            raise ArffError(str(error), path, numbers[error.row]) from None
    return relation, pd.DataFrame(columns), numbers


def _header(lines, path):
    """Relation, attributes, and the number of the line @data."""
    relation, declared, number = path.stem, [], 0
    try:
        for number, line in lines:
            keyword, rest = _keyword(line)
            if keyword == "@data":
                if rest and not rest.startswith("%"):
                    raise ScanError(f"@data must stand alone on its line, not with {rest[:40]!r}")
                if not declared:
                    raise ScanError("@data without any @attribute before it")
                return relation, declared, number
            if keyword == "@relation":
                quoted = re.match(QUOTED, rest)  # the name means nothing, so that any text will do
                name = scan.unquote(quoted[0]) if quoted else rest.partition(" %")[0].strip(BLANK)
                relation = name or path.stem
            elif keyword == "@attribute":
                declared.append(_attribute(rest, declared))
            elif keyword:
                line = line.strip(BLANK)[:40]
                raise ScanError(f"expected @relation, @attribute or @data, not {line!r}")
        raise ScanError("the file ends without @data")
    except ScanError as error:
        raise ArffError(str(error), path, number) from None


def _rows(lines, declared, path):
    """Rows of texts, None where missing, and the line number of each."""
    rows, numbers = [], []
    for number, line in lines:
        try:
            row = _row(line, declared)
        except ScanError as error:
            raise ArffError(str(error), path, number) from None
        if row:
            rows.append(row)
            numbers.append(number)
    return rows, numbers


def _lines(raw):
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")  # older files; every byte is a character there
    # splitlines would also cut at characters that values may hold
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _keyword(line):
    """A header line's first word in small letters and what follows it; "" for an empty line."""
    line = line.strip(BLANK)
    if not line or line.startswith("%"):
        return "", ""
    keyword, rest = re.match(rf"([^{BLANK}]+)(.*)", line, re.DOTALL).groups()
    return keyword.lower(), rest.strip(BLANK)


def _attribute(text, known):
    match = _ATTRIBUTE.fullmatch(text)
    if not match:
        raise ScanError("unclosed quote in @attribute" if text else "@attribute without a name")
    name, kind = match.groups()
    name = scan.unquote(name) if name[0] in "'\"" else name
    if any(name == other.name for other in known):
        raise ScanError(f"attribute {name!r} is declared twice")
    if kind.startswith("{"):
        return Declared(name, "nominal", _values(name, kind))
    return Declared(name, _kind(name, kind))


def _values(name, text):
    inside, rest = scan.split_braces(text)
    if rest:
        raise ScanError(f"attribute {name!r}: unexpected {rest!r} after its values")
    values = tuple("?" if v is None else v for v in scan.split_values(inside))
    if len(set(values)) < len(values):
        twice = next(v for i, v in enumerate(values) if v in values[:i])
        raise ScanError(f"attribute {name!r} declares {twice!r} twice")
    return values


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


def _row(line, declared):
    """The values of a row, None where missing; nothing for a line that is none."""
    if scan.PLAIN_ROW.fullmatch(line):  # most lines of most files: nothing to scan
        row = line.split(",")
        if "?" in row:
            row = [None if value == "?" else value for value in row]
    elif not (line := line.strip(BLANK)) or line[0] == "%":
        return None
    elif line[0] == "{":
        given = scan.split_sparse(line)
        if given and max(given) >= len(declared):
            raise ScanError(f"index {max(given)}, but the last attribute has {len(declared) - 1}")
        row = [given.get(i, attribute.unlisted) for i, attribute in enumerate(declared)]
    else:
        row = scan.split_values(line, single=len(declared) == 1)
    if len(row) != len(declared):
        raise ScanError(f"{len(row)} values for {len(declared)} attributes")
    return row


def _nominal(attribute, texts):
    code = {value: i for i, value in enumerate(attribute.values)}
    code[None] = -1
    codes = list(map(code.get, texts))
    if None in codes:
        row = codes.index(None)
        values = ", ".join(map(repr, attribute.values[:MOST_SHOWN])) or "nothing"
        more = ", ..." if len(attribute.values) > MOST_SHOWN else ""
        raise ScanError(
            f"attribute {attribute.name!r} does not declare {texts[row]!r}, only {values}{more}",
            row,
        )
    return pd.Categorical.from_codes(codes, categories=pd.Index(attribute.values, dtype="str"))


def _numeric(attribute, texts):
    try:
        numbers = np.array([float("nan" if text is None else text) for text in texts])
        if _DIGITS.issuperset("".join(filter(None, texts))) and not np.isinf(numbers).any():
            return numbers
    except ValueError:
        pass
    return np.array([_number(attribute, text, row) for row, text in enumerate(texts)])


def _number(attribute, text, row):
    """What a text means, where float takes more than ARFF does, and less of blanks."""
    if text is None:
        return math.nan
    if not _NUMBER.fullmatch(text.strip(BLANK)):
        raise ScanError(f"attribute {attribute.name!r}: {text!r} is not a number", row)
    if math.isinf(number := float(text.strip(BLANK))):
        raise ScanError(f"attribute {attribute.name!r}: {text!r} is not finite", row)
    return number


_COLUMNS = {
    "nominal": _nominal,
    "numeric": _numeric,
    "string": lambda attribute, texts: pd.Series(texts, dtype=object),
}
