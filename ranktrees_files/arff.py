"""Read ARFF, Weka's file format, as found in practice."""

import gzip
import re
from array import array
from itertools import islice
from pathlib import Path, PurePath
from typing import Any

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_number
from ranktrees_engine.basics.kinds import AnyPath
from ranktrees_files import arff_tokens as scan
from ranktrees_files.arff_columns import Declared
from ranktrees_files.arff_tokens import BLANK, QUOTED, ScanError
from ranktrees_files.csv_files import checked
from ranktrees_files.csv_values import clean_text, overruled
from ranktrees_files.dataset import Dataset, data_set, named
from ranktrees_files.doubts import doubts
from ranktrees_files.paths import InMemory, brief, lines_of, located, nearest

_ATTRIBUTE = re.compile(rf"({QUOTED}|[^\x00-\x20{{'\"][^\x00-\x20{{]*)[\x00-\x20]*(.*)", re.DOTALL)
BLOCK = 1 << 16  # cells of rows that are read together
CELLS = 10**7  # rows x attributes that any file may have; more, the longer it is
CODES = 10  # whole numbers of a class, at most
OPTIONS = ("na_values", "thousands", "decimal", "numbers")  # of `rt.read_csv`


class ArffError(ValueError):
    """A malformed ARFF file: the message has the file, the line (from 1) and what is wrong."""

    def __init__(self, message: str, path: Path | str | InMemory, line: int):
        self.path, self.line = located(path), line
        super().__init__(f"{self.path.name}, line {line}: {brief(message)}")


def read_arff(
    path: AnyPath,
    target: str | None = None,
    missing_class: str = "error",
    max_cells: int | None = None,
    cut: int | None = None,
    **options: Any,
) -> Dataset:
    """The data set in an ARFF file, packed (.arff.gz) or not, whose class is the last attribute.

    `target` names another one, which may have at most ten whole numbers as values; `cut` turns any
    numbers into that many classes. Weights of rows go into `Dataset.weight`. A row without a class
    is an error; missing_class="drop" leaves it out, as Weka does. drop=["day"] leaves attributes
    out, such as dates and relations, which cannot be read; na_values, numbers, thousands and
    decimal are those of `rt.read_csv`. A short file with sparse rows may be a huge table: reading
    stops at `max_cells` (rows x attributes), by default ten million plus one for each byte of the
    file. Warns of `Dataset.doubts`. Raises ArffError with the line number for a malformed file or
    one of more cells, ValueError for a target that the file does not declare. Format: Weka 3.6.
    """
    path = located(path)
    check_number("max_cells", max_cells, 1, whole=True, none=True)
    relation, frame, lines, weight = _read(path, max_cells, options)
    name = named(target, frame, path.name)
    found = [doubt for doubt in doubts(frame, name) if doubt.kind not in ("header", "comment")]
    y = frame.pop(name)
    is_nominal = isinstance(y.dtype, pd.CategoricalDtype)
    is_code = target is not None and y.dtype == float and y.nunique() <= CODES
    if cut is None and not is_nominal and not (is_code and (y.dropna() % 1 == 0).all()):
        name, advice = (
            brief(repr(y.name)),
            "name another target, or cut=3 makes three classes of it",
        )
        raise ValueError(f"{path.name}: the class {name} is not nominal; {advice}")

    def at(row, said):
        return ArffError(said, path, int(lines[row]))

    more = {"name": relation, "weight": weight, "found": found}
    return data_set(frame, y, path.name, missing_class, cut, at, **more)


def read_arff_frame(path, **options) -> pd.DataFrame:
    """All attributes of an ARFF file: no class is needed."""
    return _read(located(path), None, options)[1]


def _read(path, max_cells, options):
    """Relation, frame, the rows' lines and weights, if any."""
    for name in options.keys() - {"drop", *OPTIONS}:
        raise TypeError(f"an ARFF file has no {name!r} to be read by: {', '.join(OPTIONS)}, drop")
    how = overruled({"keep_default_na": False, **options})  # a quoted ? is a value
    raw = path.read_bytes()
    raw = gzip.decompress(raw) if path.name.endswith(".gz") else raw
    lines = enumerate(lines_of(raw), 1)
    relation, declared, line = _header(lines, path, how["drop"])
    most = CELLS + len(raw) if max_cells is None else max_cells
    numbers, weights = _fill(lines, declared, path, most)
    if not numbers:
        raise ArffError("no cases after @data", path, line)
    frame = pd.DataFrame({a.name: a.column() for a in declared}, copy=False)
    for name in [*how["drop"], *how["numbers"]]:
        if name not in frame:
            raise ValueError(f"{path.name} has no column {name!r:.60}; {nearest(name, frame)}")
    frame = frame.drop(columns=how["drop"]) if how["drop"] else frame
    frame = frame.apply(_as_said, file=path.name, options=how) if options else frame
    weight = np.array(weights) if {*weights} - {1.0} else None
    return relation, frame, numbers, weight


def _fill(lines, declared, path, max_cells):
    """Fill the attributes with the rows on some lines, block by block: their lines, their weights.

    Raises ArffError, which says what to do, for more than `max_cells`.
    """
    A, numbers, weights = len(declared), array("q"), array("d")
    unlisted, limit = [attribute.unlisted for attribute in declared], max_cells // A
    while block := list(islice(lines, max(1, BLOCK // A))):
        rows, first = [], len(numbers)
        try:
            for number, line in block:
                if (row := _row(line, unlisted)) is None:
                    continue
                if len(numbers) == limit:
                    raise ScanError(
                        f"more than {limit:,} rows of {A:,} attributes, which is more than "
                        f"max_cells={max_cells}: leave out rows or attributes, or give a larger "
                        "max_cells (a cell takes up to 8 bytes)"
                    )
                rows.append(row[0])
                weights.append(row[1])
                numbers.append(number)
            for attribute, texts in zip(declared, zip(*rows, strict=True), strict=bool(rows)):
                attribute.add(texts)
        except ScanError as error:
            line = number if error.row is None else numbers[first + error.row]
            raise ArffError(str(error), path, line) from None
    return numbers, weights


def _as_said(column, file, options):
    """A column with the values that are missing, and the numbers, that the options name."""
    marks = options["na_values"][None] + options["na_values"].get(column.name, [])
    is_nominal = isinstance(column.dtype, pd.CategoricalDtype)
    if is_nominal and column.name not in options["numbers"]:
        return column.cat.remove_categories(column.cat.categories.intersection(marks))
    if is_nominal or column.dtype == object:
        column = clean_text(column.astype(object), column.name, options)
    is_number = column.name in options["numbers"]
    return checked(column, "number", file, 1, options) if is_number else column


def _header(lines, path, drop):
    """Relation, attributes, and the number of the line @data."""
    relation, declared, number = PurePath(path.stem).stem, {}, 0
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
                relation = name or relation
            elif keyword == "@attribute":
                if _declare(rest, declared, drop) == "relational":
                    next(n for n, line in lines if _keyword(line)[0] == "@end")
            elif keyword:
                line = line.strip(BLANK)[:40]
                raise ScanError(f"expected @relation, @attribute or @data, not {line!r}")
        number += 1
        raise ScanError("the file ends without @data")
    except ScanError as error:
        raise ArffError(str(error), path, number) from None


def _keyword(line):
    """A header line's first word in small letters and what follows it; "" for an empty line."""
    line = line.strip(BLANK)
    if not line or line.startswith("%"):
        return "", ""
    keyword, rest = re.match(rf"([^{BLANK}]+)(.*)", line, re.DOTALL).groups()
    return keyword.lower(), rest.strip(BLANK)


def _declare(text, known, drop):
    """Add an attribute to the known ones: its kind."""
    match = _ATTRIBUTE.fullmatch(text)
    if not match:
        raise ScanError("unclosed quote in @attribute" if text else "@attribute without a name")
    name, kind = match.groups()
    name = scan.unquote(name) if name[0] in "'\"" else name
    if name in known:
        raise ScanError(f"attribute {name!r} is declared twice")
    values, rest = {}, re.sub(r"^[^\x00-\x20\[%{]+", "", kind).lstrip(BLANK)
    if kind.startswith("{"):
        values, rest = _values(name, kind)
    if rest.startswith("{"):
        raise ScanError(f"attribute {name!r}: weights of attributes are not read: remove {rest!r}")
    if values and rest:
        raise ScanError(f"attribute {name!r}: unexpected {rest!r} after its values")
    word = "nominal" if kind.startswith("{") else _kind(name, kind, drop)
    known[name] = Declared(name, word, values)
    return word


def _values(name, text):
    """The declared values and their codes, and what stands after them."""
    inside, rest = scan.split_braces(text)
    codes = {}
    for value in scan.split_values(inside)[0]:
        value = "?" if value is None else value
        if value in codes:
            raise ScanError(f"attribute {name!r} declares {value!r} twice")
        codes[value] = len(codes)
    return codes, rest


def _kind(name, text, drop):
    word = re.match(r"[^\x00-\x20\[%]*", text)[0].lower()
    if word in ("numeric", "real", "integer", "string"):
        return "string" if word == "string" else "numeric"
    if word in ("date", "relational") and name in drop:
        return word
    if word in ("date", "relational"):
        raise ScanError(
            f"attribute {name!r}: {word} attributes are not read; drop=[{name!r}] leaves it out, "
            "or turn it into numbers or nominal values"
        )
    raise ScanError(f"attribute {name!r}: unknown type {text!r} (numeric, string or {{values}})")


def _row(line, unlisted):
    """The values of a row, None where missing, and its weight; None for a line without a row."""
    if not (line := line.strip(BLANK)) or line[0] == "%":
        return None
    if line[0] != "{":
        row, weight = scan.split_values(line, len(unlisted))
        if len(row) != len(unlisted):
            raise ScanError(
                f"{len(row)} values for {len(unlisted)} attributes (a missing one is written ?)"
            )
        return row, weight
    given, weight = scan.split_sparse(line)
    if given and max(given) >= len(unlisted):
        raise ScanError(f"index {max(given)}, but the last attribute has {len(unlisted) - 1}")
    row = unlisted.copy()
    for place, text in given.items():
        row[place] = text
    return row, weight
