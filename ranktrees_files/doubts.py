"""Doubts about a table: a header that is missing, numbers written as text, dates, identifiers.

`doubts` looks at what was read, in any way. Each doubt has a remedy: keywords of `rt.read_csv`,
`rt.read_arff` and `rt.scan` that read the file as it may be meant.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import choose
from ranktrees_engine.basics.warn import warn
from ranktrees_engine.reading.checks import NO_VALUE, about, listed, text_of_numbers
from ranktrees_engine.reading.columns import Column, read_columns
from ranktrees_files.csv_values import written_numbers
from ranktrees_files.paths import brief

SAMPLE = 100  # distinct texts that show how a column is written
FEW, MANY = 10, 20  # distinct values: of codes at most, of a quantity at least
IDENTIFIER = 100  # values of an identifier, at least
# Marks of thousands and of fractions in numbers.
MARKS = [("", "."), (",", "."), ("", ","), (".", ",")]
MARKS += [(mark, point) for mark in "'’ \xa0\u202f" for point in ".,"]
GAP = re.compile(r"\W*|n\W?a\W?n?|k\W*a\W*|null?|none|nil|unk(nown)?|missing|not available", re.I)
DATE = r"\d{4}([-/.])\d{1,2}\1\d{1,2}([T ].*)?|\d{1,2}([-/.])\d{1,2}\3\d{2,4}( .*)?"
START = r"(EUR|USD|GBP|CHF)?[^a-zA-Z]*\d"
UNIT = r"\d\s*([^\W\d_]+[²³]?)$"
ID = re.compile(r"(.*[_ .-])?(id|nr|no|index|key|row|unnamed: 0)|[a-z]+I[dD]", re.ASCII)
SETS = (frozenset, tuple)  # values that have distances, and are no identifiers
OF_ALL = ("identifier", "constant", "empty")  # kinds that some of the rows do not show


class Doubt(NamedTuple):
    """What may be wrong with `columns`, in a sentence, and keywords that would correct it.

    `kind` is "header", "comment", "class", "numbers", "mixed", "dates", "identifier", "constant",
    "empty" or "rows".
    """

    kind: str
    columns: tuple[str, ...]
    sentence: str
    remedy: dict[str, Any]


class Values(NamedTuple):
    """The distinct values (V,) of a column, how often each occurs, and its cases, known and all.

    For a column of numbers `n_values` is 0, 1 or, for more, 2, and there are no `values`.
    """

    name: str
    values: Sequence | None
    counts: np.ndarray | None
    n_values: int
    n_known: int
    n: int
    declared: bool = False


def doubts(frame: pd.DataFrame, target: str | None = None) -> list[Doubt]:
    """The doubts about a table; `target` names the column of the class, if any.

    Raises ValueError or TypeError, naming it, for a column that cannot be read.
    """
    columns = read_columns(frame)
    choose("target", target, [column.name for column in columns], none=True)
    if found := _of_header(frame, columns, target):
        return found  # all else may follow from that
    found = [d for c in columns if c.name == target and (d := _of_class(c))]
    return found + of_columns([column for column in columns if column.name != target])


def of_columns(columns: list[Column]) -> list[Doubt]:
    """Return the doubts about attributes."""
    serial = [c.name for c in columns if ID.fullmatch(c.name) and _is_serial(c.values, c.kind)]
    numbered = _together("identifier", serial, "counts the cases: drop it if it is an identifier")
    return numbered + of_values([_values_of(column) for column in columns])


def of_values(columns: Sequence[Values], gap_is_value: bool = False) -> list[Doubt]:
    """Return the doubts about attributes of which only the values are known.

    With `gap_is_value` a missing value counts as a value, too.
    """
    texts = [c for c in columns if not c.declared and c.n_values > 1 and _has_digits(c)]
    dates = [c.name for c in texts if _share(c, lambda some: some.str.fullmatch(DATE)) >= 0.9]
    found = [d for c in texts if c.name not in dates and (d := _of_numbers(c))]
    known = {*dates, *(name for doubt in found for name in doubt.columns)}
    many = [c for c in columns if c.values is not None and c.n_values > max(IDENTIFIER, c.n / 2)]
    many = [c for c in many if c.name not in known and not isinstance(c.values[0], SETS)]
    size = f"has {many[0].n_values} different values in {many[0].n} cases" if many else ""
    same = [c.name for c in columns if c.n_values == 1 and not (gap_is_value and c.n_known < c.n)]
    empty = [c.name for c in columns if not c.n_values]
    drop = f"{size}: it looks like an identifier; drop it if it is one"
    return [
        *found,
        *_together("dates", dates, "holds dates as text: turn them into numbers, or drop it"),
        *_together("identifier", [c.name for c in many], drop),
        *_together("constant", same, "has only one value: it says nothing about the class"),
        *_together("empty", empty, NO_VALUE),
    ]


def _of_class(column):
    """The doubt about a class that may be a quantity, or an identifier."""
    known, n = column.values[~column.missing], len(column.values)
    is_number = column.kind == "numeric"
    V = len(np.unique(known))
    is_whole = is_number and (known % 1 == 0).all()
    if (MANY if is_whole else 0 if is_number else max(MANY, n // 2)) >= V:
        return None
    advice = "cut=3 makes three classes of it, as rt.cut_classes(y, 3) does, or " * is_number
    said = f"the class {column.name!r:.60} has {V} different values in {n} cases: {advice}"
    remedy = {"target": column.name, "cut": 3} if is_number else {}
    return Doubt("class", (column.name,), f"{said}name another target", remedy)


def warn_of(found: Sequence[Doubt], of: str = "") -> None:
    """Give one warning about all these doubts: some of them, and how many more there are."""
    if found:
        said = listed([brief(doubt.sentence) for doubt in found])
        warn(f"{of}: {said}" if of else said, same=f"doubts {of}")


def _together(kind, names, predicate):
    """One doubt about all these columns, which can be left out."""
    if not names:
        return []
    return [Doubt(kind, tuple(names), about(names, predicate), {"drop": names})]


def _values_of(column):
    x, n = column.values, len(column.values)
    if column.kind == "numeric":
        n_known = n - np.count_nonzero(np.isnan(x))
        n_values = (n_known > 0) + int(np.fmin.reduce(x) < np.fmax.reduce(x))
        return Values(column.name, None, None, n_values, n_known, n)
    counts = np.bincount(x[x >= 0], minlength=len(column.categories))
    values, counts = column.categories[counts > 0], counts[counts > 0]
    return Values(column.name, values, counts, len(values), counts.sum(), n, column.declared)


def _is_serial(x, kind="numeric", least=FEW):
    """Whether numbers x (n,) count the cases: 1, 2, 3 ..."""
    return kind == "numeric" and len(x) > least and bool((np.diff(x) == 1).all())


def _has_digits(column):
    """Whether a column is text, and half of it or more begins as a number or a date does."""
    is_text = column.values is not None and all(isinstance(v, str) for v in column.values)
    return is_text and _share(column, lambda texts: texts.str.match(START)) >= 0.5


def _texts(values):
    """Values (V,) as a column of text, in which half a character, unknown to Arrow, is a ?."""
    try:
        return pd.Series(values, dtype="str")
    except UnicodeEncodeError:
        return pd.Series([v.encode("utf-8", "replace").decode() for v in values], dtype="str")


def _share(column, is_so):
    """The share of the values of which a function of some distinct texts (V,) is true."""
    step = slice(None, None, 1 + len(column.values) // SAMPLE)
    counts = column.counts[step]
    is_true = is_so(_texts(column.values[step])).to_numpy(bool)
    return counts[is_true].sum() / counts.sum()


# Numbers in disguise


def _of_numbers(column):
    """The doubt about a column of text of which half or more are numbers but for some signs."""
    how, plain, odd = _as_numbers(column)
    share = column.counts[plain.index].sum() / column.n_known
    units = plain.str.extract(UNIT, expand=False).dropna().unique() if "numbers" in how else ()
    if len(units) > 1 or (len(units) and len(plain) < FEW):  # codes as 3b, 5more
        return None
    if share < 0.5 or plain.str.match(r"[+-]?0\d").any():  # codes as 007
        return None
    name = f"column {column.name!r:.60}"
    category = f'{{{column.name!r:.60}: "category"}}'
    if not how and not len(odd):  # it is text to pandas alone
        said = text_of_numbers(column.name, len(plain), plain.iloc[0])
        how = {"numbers": [column.name]}
        return Doubt("numbers", (column.name,), said, how) if len(plain) > MANY else None
    if not _are_gaps(odd, len(plain), share, bool(how)):
        is_mixed = len(plain) > FEW and len(odd) > MANY and not odd.str.contains(r"\d").any()
        said = f"{name} mixes numbers with text, such as {odd.iloc[0]!r:.60}"
        return Doubt("mixed", (column.name,), said, {}) if is_mixed else None
    how |= {"na_values": odd.tolist()} if len(odd) else {}
    example = odd if len(odd) else plain[~written_numbers(plain) | ("thousands" in how)]
    words = ", ".join(f"{key}={value!r}" for key, value in how.items())
    said = f"{name} is text by {example.iloc[0]!r:.60}, and otherwise numbers: {words:.200}"
    said += f" reads it so, dtype={category} as names"
    return Doubt("numbers", (column.name,), said, how)


def _as_numbers(column):
    """The marks and signs with which most of a column reads as numbers, these, and the rest."""
    ways = [(signs, *marks) for signs in (False, True) for marks in MARKS]
    way, most = ways[0], 0.0
    for other in ways:
        share = _share(column, lambda texts, other=other: written_numbers(texts, *other))
        way, most = (other, share) if share > most else (way, most)
        if most == 1:  # no other reads more
            break
    signs, thousands, decimal = way
    how = {"thousands": thousands} if thousands else {}
    how |= {"decimal": decimal} if decimal != "." else {}
    how |= {"numbers": [column.name]} if signs else {}
    texts = _texts(column.values)
    is_number = written_numbers(texts, *way)
    return how, texts[is_number], texts[~is_number]


def _are_gaps(odd, n_plain, share, marked):
    """Whether odd texts (V,) among numbers stand for missing values, and are not codes like 4+."""
    if odd.str.contains(r"\d").any():
        return n_plain >= FEW and len(odd) <= 3 and share >= 0.9
    is_gap = all(GAP.fullmatch(text) for text in odd)
    is_rare = share >= 0.9 or n_plain >= FEW or (is_gap and n_plain > 2)
    return len(odd) <= MANY and (marked or is_rare)


# The header


def _of_header(frame, columns, target):
    """The doubt about a header without names: a case, or a comment."""
    names = [name if isinstance(name, str) else "" for name in frame]
    if not all(names):
        return []
    if names[0].startswith("# ") or (names[0][0] == "#" and _has_comments(columns[0])):
        said = f"the first line, {names[0]!r:.60}, is a comment: comment='#' leaves such lines out"
        return [Doubt("comment", (), said, {"comment": "#"})]
    read = [_could_be_value(name, c) for name, c in zip(names, columns, strict=True)]
    is_class = target is None or read[[c.name for c in columns].index(target)]
    is_numbered = all(re.fullmatch(r"\d{1,9}", n) for n in names) and _is_serial(
        [*map(int, names)], least=1
    )
    if False in read or not is_class or is_numbered or read.count(True) < 2:
        return []
    said = f"the header, {', '.join(names):.60}, is a case as the others: header=None reads it so"
    return [Doubt("header", (), said, {"header": None})]


def _has_comments(column):
    return column.kind != "numeric" and str(column.categories[0]).startswith("#")


def _could_be_value(name, column):
    """Whether a name is one of its column's values, or None where that cannot be told."""
    if not name or name == "?" or column.missing.all():
        return None
    if column.kind == "numeric":
        return bool(written_numbers(_texts([name])).iloc[0])
    if name in {str(value) for value in column.categories}:
        return True
    return None if len(column.categories) > len(column.values) / 2 else False
