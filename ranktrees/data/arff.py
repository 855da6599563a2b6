"""Read ARFF, the file format of Weka, as it occurs in practice."""

import io
import math
import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from . import scan
from .dataset import Dataset, drop_unknown
from .files import InMemory, located, nearest
from .scan import BLANK, QUOTED, ScanError, brief

_ATTRIBUTE = re.compile(rf"({QUOTED}|[^\x00-\x20{{'\"][^\x00-\x20{{]*)[\x00-\x20]*(.*)", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_DIGITS = frozenset("0123456789.+-eE \t")
BLOCK = 1 << 22  # characters of lines that are read together


class ArffError(ValueError):
    """A malformed ARFF file: says the file, the line (from 1) and what is wrong there."""

    def __init__(self, message: str, path: Path | str | InMemory, line: int):
        self.path, self.line = located(path), line
        super().__init__(f"{self.path.name}, line {line}: {brief(message)}")


class Declared(NamedTuple):
    """An attribute as declared: name, kind, the values of a nominal one and their codes."""

    name: str
    kind: str  # "nominal", "numeric" or "string"
    values: dict[str, int]

    @property
    def unlisted(self) -> str | None:
        """The value that a sparse row leaves out: 0, no text, or the first value."""
        return {"numeric": "0", "string": ""}.get(self.kind, next(iter(self.values), None))


def read_arff(path, target: str | None = None, missing_class: str = "error") -> Dataset:
    """The data set in an ARFF file; its class is the last attribute unless target names it.

    A row without a class is an error, or with missing_class="drop", as in Weka, left out with a
    warning. Raises ArffError with the line number for a malformed file, ValueError for a target
    that the file does not declare. Format: Weka 3.6; sparse rows and string attributes included.
    """
    path = located(path)
    relation, frame, lines = _read(path)
    target = frame.columns[-1] if target is None else target
    if target not in frame:
        raise ValueError(f"{path.name} has no attribute {target!r}; {nearest(target, frame)}")
    y = frame.pop(target)
    if not isinstance(y.dtype, pd.CategoricalDtype):
        name = brief(repr(target))
        raise ValueError(f"{path.name}: the class {name} is not nominal; name another target")
    frame, y = drop_unknown(frame, y, path, missing_class)
    if y.isna().any():
        problem = f'the class {target!r} is missing (missing_class="drop" leaves such rows out)'
        raise ArffError(problem, path, lines[y.isna().argmax()])
    return Dataset(frame, y.array, name=relation, source=path.name, target=target)


def read_arff_frame(path) -> pd.DataFrame:
    """All attributes of an ARFF file as one frame, for files without a nominal class."""
    return _read(located(path))[1]


def _read(path):
    """Relation, frame of all attributes, and the line number of each row."""
    stream = io.StringIO(_text(path.read_bytes()) + "\n")
    relation, declared, start = _header(enumerate(stream, 1), path)
    blocks, numbers, first = [], [], start + 1
    while lines := stream.readlines(BLOCK):
        frame, rows = _block(lines, first, declared, path)
        blocks += [frame] if rows else []
        numbers += rows
        first += len(lines)
    if not numbers:
        raise ArffError("no cases after @data", path, start)
    return relation, pd.concat(blocks, ignore_index=True), numbers


def _block(lines, first, declared, path):
    """The frame of some lines, and the numbers of its rows, where `first` is the first line's."""
    with suppress(ValueError):  # not so simple, or wrong: token by token says where
        numbers = [number for number, line in enumerate(lines, first) if line != "\n"]
        return _frame(declared, _cut(lines, declared)), numbers
    rows, numbers, unlisted = [], [], [attribute.unlisted for attribute in declared]
    try:
        for number, line in enumerate(lines, first):
            if row := _row(line, unlisted):
                rows.append(row)
                numbers.append(number)
        return _frame(declared, zip(*rows, strict=True)), numbers
    except ScanError as error:
        line = number if error.row is None else numbers[error.row]
        raise ArffError(str(error), path, line) from None


def _frame(declared, texts):
    parts = zip(declared, texts, strict=False)  # no texts where there are no rows
    return pd.DataFrame({a.name: _COLUMNS[a.kind](a, column) for a, column in parts})


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


def _cut(lines, declared):
    """Texts of each attribute where every comma parts two values; else ValueError."""
    lines = [line for line in lines if line != "\n"]
    whole = "".join(lines)
    if "%" in whole or {line.count(",") for line in lines} - {len(declared) - 1}:
        raise ScanError("not every comma parts two values")
    texts = whole.replace("\n", ",").split(",")[:-1]
    for i, attribute in enumerate(declared):
        column = texts[i :: len(declared)]
        if attribute.kind != "numeric":  # each text is looked at once
            value = {text: scan.split_values(text, single=True)[0] for text in set(column)}
            column = [value[text] for text in column]
        elif "?" in whole:
            column = [None if text.strip(BLANK) == "?" else text for text in column]
        yield column


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


def _row(line, unlisted):
    """The values of a row, None where missing; nothing for a line that is none."""
    if not (line := line.strip(BLANK)) or line[0] == "%":
        return None
    if line[0] == "{":
        given = scan.split_sparse(line)
        if given and max(given) >= len(unlisted):
            raise ScanError(f"index {max(given)}, but the last attribute has {len(unlisted) - 1}")
        row = unlisted.copy()
        for i, text in given.items():
            row[i] = text
        return row
    row = scan.split_values(line, single=len(unlisted) == 1)
    if len(row) != len(unlisted):
        raise ScanError(f"{len(row)} values for {len(unlisted)} attributes")
    return row


def _nominal(attribute, texts):
    code = attribute.values.get
    codes = [-1 if text is None else code(text) for text in texts]
    if None in codes:
        row = codes.index(None)
        values = ", ".join(map(repr, attribute.values)) or "nothing"
        raise ScanError(
            f"attribute {attribute.name!r} does not declare {texts[row]!r}, only {values}", row
        )
    return pd.Categorical.from_codes(codes, pd.Index(list(attribute.values), dtype="str"))


def _numeric(attribute, texts):
    try:
        number = {text: float("nan" if text is None else text) for text in set(texts)}
        finite = math.inf not in map(abs, number.values())
        if finite and _DIGITS.issuperset("".join(filter(None, number))):
            return np.array([number[text] for text in texts])
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
