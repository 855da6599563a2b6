"""Read ARFF, Weka's file format, as found in practice."""

import gzip
from array import array
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_number
from ranktrees_engine.basics.kinds import AnyPath
from ranktrees_engine.basics.typos import brief
from ranktrees_files import arff_tokens as scan
from ranktrees_files.arff_header import ArffError, header_of
from ranktrees_files.arff_tokens import BLANK, ScanError
from ranktrees_files.csv_files import checked
from ranktrees_files.csv_values import (
    check_named,
    clean_text,
    is_text,
    masked,
    overruled,
)
from ranktrees_files.dataset import Dataset, data_set, named
from ranktrees_files.doubt import HowRead, completed
from ranktrees_files.doubts import of_table
from ranktrees_files.foreign import ARFF, refuse_foreign
from ranktrees_files.paths import lines_of, located

BLOCK = 1 << 16  # cells of rows that are read together
CELLS = 10**7  # rows x attributes that any file may have; more, the longer it is
CODES = 10  # whole numbers of a class, at most
OPTIONS = ("na_values", "thousands", "decimal", "numbers", "dtype")  # of `rt.read_csv`


def read_arff(
    path: AnyPath,
    target: str | None = None,
    missing_class: str = "error",
    max_cells: int | None = None,
    cut: int | None = None,
    **options: Any,
) -> Dataset:
    """Read the data set in an ARFF file, packed (.arff.gz) or not, or in one of KEEL (.dat).

    The class is the last attribute, in KEEL the output; `target` names another. It may have at most
    ten whole numbers as values; `cut` turns any numbers into that many classes. Weights of rows go
    into `Dataset.weight`. A row without a class is an error; missing_class="drop" leaves it out, as
    Weka does. drop=["day"] leaves attributes out, such as dates and relations, which cannot be
    read; na_values, numbers, thousands, decimal and dtype={"code": "category"} are those of
    `rt.read_csv`. What KEEL names neither as input nor as output is left out. A short file with
    sparse rows may be a huge table: reading stops at `max_cells` (rows x attributes), by default
    ten million plus one for each byte of the file. Warns of `Dataset.doubts`. Raises ArffError with
    the line number for a malformed file or one of more cells, ValueError for a target that the file
    does not declare. Formats: Weka 3.6, KEEL 3.
    """
    path = located(path)
    check_number("max_cells", max_cells, 1, whole=True, none=True)
    relation, frame, lines, weight, outputs = _read(path, max_cells, options, target)
    name = named(_output(outputs, target, path.name), frame, path.name)
    how = HowRead(has_lines=False, decimal=options.get("decimal", "."))
    found = completed(of_table(frame, name, how), options)
    y = frame.pop(name)
    is_nominal = isinstance(y.dtype, pd.CategoricalDtype)
    is_code = y.dtype == float and y.nunique() <= CODES
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


def _output(outputs, target, file):
    """The class, which may be KEEL's output; ValueError if it has several of them."""
    if len(outputs) > 1 and target in (None, *outputs):
        others = [name for name in outputs if name != (target or outputs[0])]
        raise ValueError(
            f"{file} has {len(outputs)} outputs, {', '.join(map(repr, outputs)):.200}: "
            f"target={target or outputs[0]!r} with drop={others!s:.200} makes one of them the class"
        )
    return outputs[0] if outputs and target is None else target


def read_arff_frame(path, **options) -> pd.DataFrame:
    """Read all attributes of an ARFF file: no class is needed."""
    return _read(located(path), None, options)[1]


def _read(path, max_cells, options, target=None):
    """Relation, frame, the rows' lines and weights, if any, and KEEL's outputs."""
    for name in options.keys() - {"drop", *OPTIONS}:
        raise TypeError(f"an ARFF file has no {name!r} to be read by: {', '.join(OPTIONS)}, drop")
    how = overruled({"keep_default_na": False, **options})  # a quoted ? is a value
    refuse_foreign(path, ARFF)
    raw = path.read_bytes()
    raw = gzip.decompress(raw) if path.name.endswith(".gz") else raw
    lines = enumerate(lines_of(raw), 1)
    relation, declared, line, inputs, outputs = header_of(lines, path, how["drop"])
    asked = _asked(how, [attribute.name for attribute in declared])
    for attribute in declared:
        if asked.get(attribute.name) == "text" and attribute.kind == "numeric":
            attribute.as_text()
    most = CELLS + len(raw) if max_cells is None else max_cells
    numbers, weights = _fill(lines, declared, path, most)
    if not numbers:
        raise ArffError("no cases after @data", path, line)
    frame = pd.DataFrame({a.name: a.column() for a in declared}, copy=False)
    check_named(how, list(frame), path.name)
    frame = frame.drop(columns=how["drop"]) if how["drop"] else frame
    if options.keys() - {"drop", "dtype"}:
        frame = frame.apply(_as_said, file=path.name, options=how)
    frame = _of_types(frame, asked, path.name, how) if asked else frame
    if inputs and outputs:  # KEEL's, which may leave attributes out
        frame = frame[[name for name in frame if name in {*inputs, *outputs, target}]]
    elif inputs:
        outputs = [name for name in frame if name not in inputs]
    weight = np.array(weights) if {*weights} - {1.0} else None
    return relation, frame, numbers, weight, [name for name in outputs if name in frame]


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
    is_nominal = isinstance(column.dtype, pd.CategoricalDtype)
    if column.dtype != object and not (is_nominal and column.name in options["numbers"]):
        return masked(column, options)
    if is_nominal or column.dtype == object:
        column = clean_text(column.astype(object), column.name, options)
    is_number = column.name in options["numbers"]
    return checked(column, "number", file, 1, options) if is_number else column


def _asked(options, names):
    """{name: "text" or "number"} of the attributes whose type is asked for."""
    given = options.get("dtype")
    types = given if isinstance(given, dict) else dict.fromkeys(names, given)
    asked = {}
    for name, kind in types.items():
        is_kind = is_text(kind) or pd.api.types.is_numeric_dtype(kind)
        if kind is not None and (not is_kind or kind in (bool, "bool")):
            raise TypeError(f'dtype={{{name!r:.60}: {kind!r:.60}}}: give "category" or float there')
        asked |= {} if kind is None else {str(name): "text" if is_text(kind) else "number"}
    return asked


def _of_types(frame, asked, file, options):
    """The frame with the attributes that are asked for as names or as numbers."""
    plain = {**options, "dtype": None, "numbers": []}
    for name in frame.columns.intersection(list(asked)):
        x = frame[name]
        if asked[name] == "number" and not pd.api.types.is_numeric_dtype(x):
            text = clean_text(x.astype(object), name, plain)
            frame = frame.assign(**{name: checked(text, "number", file, 1, plain)})
        elif asked[name] == "text" and x.dtype == object:
            frame = frame.assign(**{name: x.astype("category")})
    return frame


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
