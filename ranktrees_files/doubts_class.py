"""Doubts about the class, and about columns that stand for it or for the case."""

import re

import numpy as np
import pandas as pd

from ranktrees_engine.reading.checks import about
from ranktrees_engine.reading.columns import Column
from ranktrees_files.csv_values import are_truths
from ranktrees_files.doubt import FEW, MANY, Doubt, Values, texts, together

FIRST = 64  # cases that mostly show that a column is not the class
# Names of identifiers: their last word, or a word before it without a gap, as in userid.
LAST = "id|nr|no|num|number|index|idx|key|row|rownames?|rownum|unnamed 0|uuid|guid|uid|#|№"
OF = "user|customer|client|patient|passenger|case|person|subject|record|row|order|product|item"
OF += "|account|member|student|employee|sample|loan|session|device|transaction|invoice|ticket"
IS_ID = re.compile(rf"(.* )?((({OF}) ?)?({LAST}))")
ALPHABET = 3  # categories whose order may be their alphabet's, at least
APPEARANCE = 4  # categories whose order may be that in which they appear, at least
NOMINAL = "colou?r|city|country|state|region|sex|gender|race|religion|ethnicity|job|occupation"
NOMINAL += "|profession|purpose|type|category|brand|make|model|species|name|marital|status"
IS_NOMINAL = re.compile(rf"(.* )?({NOMINAL})( .*)?")


# The class


def of_class(column: Column, attributes: list[Column]) -> list[Doubt]:
    """Return the doubts about a class, and about attributes that are nothing but the class."""
    known = column.values[~column.missing] if column.missing.any() else column.values
    is_number = column.kind == "numeric"
    values, codes = np.unique(known, return_inverse=True) if is_number else (None, known)
    counts = np.bincount(codes)
    C, single = np.count_nonzero(counts), np.flatnonzero(counts == 1)
    found = _of_quantity(column, known, C)
    if len(known) <= FEW or (found and not is_number):
        return found
    same = [c.name for c in attributes if _is_same(c, column, codes, C)]
    found += together("class", same, "is the class in other words: drop it if it is")
    if len(known) > MANY and len(single) and not any("cut" in doubt.remedy for doubt in found):
        found.append(_of_single(column, values[single] if is_number else single))
    return found


def _of_single(column, single):
    """The doubt about classes that have one case each."""
    label = single[0] if column.kind == "numeric" else column.categories[single[0]]
    row = int((column.values == single[0]).argmax()) + 1
    more = f" and {len(single) - 1} more classes have" if len(single) > 1 else " has"
    said = f"the class {str(label)!r:.60}{more} a single case, the first in data row {row}: see "
    said += f"whether {column.name!r:.60} is written right there, or leave that case out"
    return Doubt("class", (column.name,), said, {})


def _of_quantity(column, known, V):
    """The doubt about a class of V values that may be a quantity, or an identifier."""
    n = len(column.values)
    is_number = column.kind == "numeric"
    is_whole = is_number and (known % 1 == 0).all()
    if (MANY if is_whole else 0 if is_number else max(MANY, n // 2)) >= V:
        return []
    advice = "cut=3 makes three classes of it, as rt.cut_classes(y, 3) does, or " * is_number
    said = f"the class {column.name!r:.60} has {V} different values in {n} cases: {advice}"
    remedy = {"target": column.name, "cut": 3} if is_number else {}
    return [Doubt("class", (column.name,), f"{said}name another target", remedy)]


def _is_same(column, of_class, codes, C):
    """Whether each value of a column goes with one class of codes (n,), and each class with it."""
    x = column.values if not of_class.missing.any() else column.values[~of_class.missing]
    for part in (slice(FIRST), slice(None)):
        some, y = x[part], codes[part]
        has = some >= 0 if column.kind != "numeric" else ~np.isnan(some)
        if np.count_nonzero(has) <= len(some) / 2:
            return False
        values, place = np.unique(some[has], return_inverse=True)
        n_pairs = len(np.unique(place * (int(codes.max()) + 1) + y[has]))
        if not len(values) == n_pairs == len(np.unique(y[has])):
            return False
    return n_pairs == C


# Attributes by which cases are numbered, or named


def of_numbering(columns: list[Column]) -> list[Doubt]:
    """Return the doubt about numbers that count the cases, or that only name them."""
    numeric = [c for c in columns if c.kind == "numeric" and len(c.values) > FEW]
    counting = [c.name for c in numeric if any(counts_from(c.values, k) for k in (0, 1))]
    named = [c for c in numeric if c.name not in counting and is_identifier(c.name)]
    different = [c.name for c in named if _are_different(c.values)]
    told = "has another whole number in each case: drop it if it is an identifier"
    return of_counting(counting) + together("identifier", different, told)


def of_counting(names: list[str]) -> list[Doubt]:
    """Return the doubt about columns that count the cases."""
    return together("identifier", names, "counts the cases: drop it if it is an identifier")


def counts_from(x: np.ndarray, first: int) -> bool:
    """Return whether numbers x (n,) are first, first + 1, ..."""
    n = len(x)
    return bool(n and x[0] == first and x[-1] == first + n - 1 and (np.diff(x) == 1).all())


def _are_different(x):
    return bool((x % 1 == 0).all()) and len(np.unique(x)) == len(x)


def is_identifier(name: str) -> bool:
    """Return whether a name is an identifier's, as ID, PassengerId or lfd. Nr., but not Paid."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return IS_ID.fullmatch(" ".join(re.findall(r"[^\W_]+|[#№]", words)).lower()) is not None


# Values


def of_spellings(columns: list[Values], target: str | None = None) -> list[Doubt]:
    """Return the doubts about columns with values that differ in case, blanks or a final point."""
    found = []
    for column in columns:
        if column.values is None or not 1 < column.n_values <= max(FEW, column.n / 4):
            continue
        if column.name == target and not column.declared and are_truths(texts(column.values)):
            continue  # True and TRUE are one class
        spelt = {}
        for value in column.values:
            spelt.setdefault(_plain(value), []).append(value)
        if len(spelt) == column.n_values:
            continue
        one, other = next(values for values in spelt.values() if len(values) > 1)[:2]
        kind = "class" if column.name == target else "spelling"
        what = "the class" if kind == "class" else "column"
        said = f"{what} {column.name!r:.60} holds {one!r:.60} and {other!r:.60}, which may be one "
        said += "value: write them alike in the file"
        if str(one).casefold() == str(other).casefold():
            said += f", or give converters={{{column.name!r:.60}: str.lower}}"
        found.append(Doubt(kind, (column.name,), said, {}))
    return found


def _plain(value):
    """A value without what may be chance in its spelling: not that of hId, which is no word."""
    if not isinstance(value, str):
        return value
    bare = " ".join(value.split()).rstrip(".").rstrip() or value
    usual = (bare.lower(), bare.upper(), bare.capitalize(), bare.title())
    return usual[0] if bare in usual else bare


def of_orders(columns: list[Column]) -> list[Doubt]:
    """Return the doubt about ordered categories that look as if they had no order."""
    names = [c.name for c in columns if c.kind == "ordinal" and _is_doubtful(c)]
    told = (
        "has categories that are declared as ordered, and so are cut in this order, which looks "
        "like chance: if they have no order, X[name].cat.as_unordered() says so; from DuckDB take "
        "to_arrow_table(), not df()"
    )
    return [Doubt("ordered", tuple(names), about(names, told), {})] if names else []


def _is_doubtful(column):
    """Whether an order is the alphabet's or that of appearance, or the name is a nominal one's."""
    values = [str(value) for value in column.categories]
    if len(values) < ALPHABET or any(re.search(r"\d", v) or len(v) == 1 for v in values):
        return False
    if values == sorted(values) or IS_NOMINAL.fullmatch(column.name.replace("_", " ").lower()):
        return True
    seen = pd.unique(column.values[~column.missing])
    return len(seen) >= APPEARANCE and bool((np.diff(seen) > 0).all())
