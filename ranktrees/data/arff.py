"""Read ARFF, the file format of Weka, as it occurs in practice."""

import math
import re
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd

from .dataset import Dataset
from .names import nearest
from .scan import (
    BLANK,
    PLAIN_ROW,
    QUOTED,
    ScanError,
    split_braces,
    split_sparse,
    split_values,
    unquote,
)

_ATTRIBUTE = re.compile(rf"({QUOTED}|[^\x00-\x20{{'\"][^\x00-\x20{{]*)[\x00-\x20]*(.*)", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_DIGITS = frozenset("0123456789.+-eE")


class ArffError(ValueError):
    """A malformed ARFF file: says the file, the line (from 1) and what is wrong there."""

    def __init__(self, message: str, path: Path | str, line: int):
        super().__init__(f"{Path(path).name}, line {line}: {message}")
        self.path, self.line = Path(path), line


@dataclass(frozen=True)
class Attribute:
    """A declared attribute: its name, its kind and the values of a nominal one."""

    name: str
    kind: str  # "nominal", "numeric" or "string"
    declared: tuple[str, ...] = ()

    @property
    def unlisted(self):
        """The value that a sparse row leaves out: 0, the first declared value, or no text."""
        return {"numeric": "0", "nominal": next(iter(self.declared), None), "string": ""}[self.kind]


def read_arff(path, target: str | None = None) -> Dataset:
    """The data set in an ARFF file; its class is the last attribute unless target names it.

    Raises ArffError with the line number for a malformed file, ValueError for a target that the
    file does not declare. Format: Weka 3.6; sparse rows and string attributes included.
    """
    path = Path(path)
    relation, attributes, rows, lines = _parse(path)
    target = _target([a.name for a in attributes], target, path)
    frame = _frame(attributes, rows, lines, path)
    y = frame.pop(target)
    if not isinstance(y.dtype, pd.CategoricalDtype):
        raise ValueError(f"{path.name}: the class {target!r} is not nominal; name another target")
    absent = np.flatnonzero(y.isna())
    if len(absent):
        raise ArffError(f"the class {target!r} is missing", path, lines[absent[0]])
    return Dataset(frame, y.array, name=relation, source=path.name, target=target)


def read_arff_frame(path) -> pd.DataFrame:
    """All attributes of an ARFF file as one frame, for files without a nominal class."""
    path = Path(path)
    _, attributes, rows, lines = _parse(path)
    return _frame(attributes, rows, lines, path)


def _target(names, target, path):
    if target is None:
        return names[-1]
    if target not in names:
        raise ValueError(f"{path.name} has no attribute {target!r}; {nearest(target, names)}")
    return target


def _parse(path):
    """Relation, attributes, rows of texts (None: missing) and the line number of each row."""
    text = _decode(path.read_bytes()).replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")  # splitlines would also cut at characters that values may hold
    relation, attributes, start = _header(lines, path)
    rows, numbers = _rows(lines, start, attributes, path)
    if not rows:
        raise ArffError("no cases after @data", path, start)
    return relation or path.stem, attributes, rows, numbers


def _decode(raw):
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")  # older files; every byte is a character there


def _header(lines, path):
    relation, attributes = "", []
    for number, line in enumerate(lines, 1):
        line = line.strip(BLANK)
        if not line or line.startswith("%"):
            continue
        keyword, rest = re.match(rf"([^{BLANK}]+)(.*)", line, re.DOTALL).groups()
        keyword, rest = keyword.lower(), rest.strip(BLANK)
        try:
            if keyword == "@data":
                _check_data_line(rest, attributes)
                return relation, attributes, number
            if keyword == "@relation":
                relation = _relation(rest)
            elif keyword == "@attribute":
                attributes.append(_attribute(rest, attributes))
            else:
                raise ScanError(f"expected @relation, @attribute or @data, not {line[:40]!r}")
        except ScanError as error:
            raise ArffError(str(error), path, number) from None
    raise ArffError("the file ends without @data", path, len(lines))


def _relation(text):
    """The relation's name; it means nothing to a reader, so that any text will do."""
    quoted = re.match(QUOTED, text)
    return unquote(quoted[0]) if quoted else text.partition(" %")[0].strip(BLANK)


def _check_data_line(rest, attributes):
    if rest and not rest.startswith("%"):
        raise ScanError(f"@data must stand alone on its line, not with {rest[:40]!r}")
    if not attributes:
        raise ScanError("@data without any @attribute before it")


def _attribute(text, known):
    match = _ATTRIBUTE.fullmatch(text)
    if not match:
        raise ScanError("unclosed quote in @attribute" if text else "@attribute without a name")
    name, kind = match.groups()
    name = unquote(name) if name[0] in "'\"" else name
    if any(name == other.name for other in known):
        raise ScanError(f"attribute {name!r} is declared twice")
    if kind.startswith("{"):
        return Attribute(name, "nominal", _declared(name, kind))
    return Attribute(name, _kind(name, kind))


def _declared(name, text):
    inside, rest = split_braces(text)
    if rest:
        raise ScanError(f"attribute {name!r}: unexpected {rest!r} after its values")
    values = tuple("?" if v is None else v for v in split_values(inside))
    if len(set(values)) < len(values):
        twice = next(v for i, v in enumerate(values) if v in values[:i])
        raise ScanError(f"attribute {name!r} declares {twice!r} twice")
    return values


def _kind(name, text):
    word = re.match(r"[^\x00-\x20\[%]*", text)[0].lower()
    if word in ("numeric", "real", "integer"):
        return "numeric"
    if word == "string":
        return "string"
    if word in ("date", "relational"):
        raise ScanError(
            f"attribute {name!r}: {word} attributes are not read; turn it into numbers or "
            "nominal values, or remove it"
        )
    raise ScanError(f"attribute {name!r}: unknown type {text!r} (numeric, string or {{values}})")


def _rows(lines, start, attributes, path):
    rows, numbers = [], []
    expected = len(attributes)
    for number, line in enumerate(islice(lines, start, None), start + 1):
        if PLAIN_ROW.fullmatch(line):  # most lines of most files: nothing to scan
            row = line.split(",")
            if "?" in row:
                row = [None if value == "?" else value for value in row]
        else:
            line = line.strip(BLANK)
            if not line or line[0] == "%":
                continue
            row = _scan(line, attributes, path, number)
        if len(row) != expected:
            raise ArffError(f"{len(row)} values for {expected} attributes", path, number)
        rows.append(row)
        numbers.append(number)
    return rows, numbers


def _scan(line, attributes, path, number):
    try:
        if line[0] != "{":
            return split_values(line, single=len(attributes) == 1)
        given = split_sparse(line)
        if given and max(given) >= len(attributes):
            raise ScanError(f"index {max(given)}, but the last attribute has {len(attributes) - 1}")
        return [given.get(i, a.unlisted) for i, a in enumerate(attributes)]
    except ScanError as error:
        raise ArffError(str(error), path, number) from None


def _frame(attributes, rows, lines, path):
    make = {"nominal": _nominal, "numeric": _numeric, "string": _string}
    columns = zip(*rows, strict=True)
    return pd.DataFrame(
        {a.name: make[a.kind](a, c, lines, path) for a, c in zip(attributes, columns, strict=True)}
    )


def _nominal(attribute, column, lines, path):
    code = {value: i for i, value in enumerate(attribute.declared)}
    code[None] = -1
    codes = list(map(code.get, column))
    if None in codes:
        row = codes.index(None)
        declared = ", ".join(map(repr, attribute.declared[:12])) or "nothing"
        more = ", ..." if len(attribute.declared) > 12 else ""
        raise ArffError(
            f"attribute {attribute.name!r} does not declare {column[row]!r}, only {declared}{more}",
            path,
            lines[row],
        )
    return pd.Categorical.from_codes(codes, categories=pd.Index(attribute.declared, dtype="str"))


def _numeric(attribute, column, lines, path):
    texts = ["nan" if value is None else value for value in column]
    if not _DIGITS.issuperset("".join(filter(None, column))):
        _check_numbers(attribute, column, lines, path)
    try:
        numbers = np.array(list(map(float, texts)))
    except ValueError:
        _check_numbers(attribute, column, lines, path)
        raise
    if np.isinf(numbers).any():
        _check_numbers(attribute, column, lines, path)
    return numbers


def _check_numbers(attribute, column, lines, path):
    """Raise for the first value that is not a finite number."""
    for value, line in zip(column, lines, strict=True):
        text = value.strip(BLANK) if value is not None else "0"
        if not _NUMBER.fullmatch(text):
            raise ArffError(f"attribute {attribute.name!r}: {value!r} is not a number", path, line)
        if math.isinf(float(text)):
            raise ArffError(f"attribute {attribute.name!r}: {value!r} is not finite", path, line)


def _string(attribute, column, lines, path):
    return pd.Series(column, dtype=object)
