"""Doubts about numbers: in disguise as text, mixed with text, and codes for missing values."""

import re

import numpy as np
import pandas as pd

from ranktrees_engine.reading.checks import text_of_numbers
from ranktrees_engine.reading.columns import Column
from ranktrees_files.csv_values import bare, written_numbers
from ranktrees_files.doubt import FEW, GAP, MANY, START, Doubt, HowRead, Values, in_words, texts

# Marks of thousands and of fractions in numbers.
MARKS = [("", "."), (",", "."), ("", ","), (".", ",")]
MARKS += [(mark, point) for mark in "'’ \xa0\u202f" for point in ".,"]
UNIT = r"\d\s*([^\W\d_]+[²³]?)$"
CENSORED = r"[<>≤≥~]\s*=?\s*[+-]?[\d.,]+.*"  # as below the limit of detection
# Codes for missing values, and those that stand beside them: 8 "don't know", 9 "no answer".
CODE = re.compile(r"-?(9+(\.9+)?|7{3,}|8{3,})|-1|-999\.25")
BESIDE = re.compile(r"-?(7+|8+|9+[78]?)")
LEAST = 3  # cases of a code
OTHERS = 5  # distinct values of a column whose only negative one is a code


def has_digits(column: Values) -> bool:
    """Return whether a column is text, and half of it or more begins as a number or a date does."""
    is_text = column.values is not None and all(isinstance(v, str) for v in column.values)
    return is_text and column.share(lambda some: some.str.match(START)) >= 0.5


def of_numbers(column: Values, read: HowRead) -> Doubt | None:
    """Return the doubt about a column of text of which half or more are numbers but for signs."""
    how, plain, odd, other = _as_numbers(column, read)
    share = column.counts[plain.index].sum() / column.n_known
    limits = odd[odd.str.fullmatch(CENSORED)]
    units = plain.str.extract(UNIT, expand=False).dropna().unique() if "numbers" in how else ()
    if len(units) > 1 or (len(units) and len(plain) < FEW):  # codes as 3b, 5more
        return None
    if share + column.counts[limits.index].sum() / column.n_known < 0.5:
        return _of_form(column)
    if plain.str.match(r"[+-]?0\d").any():  # codes as 007
        return None
    name = f"column {column.name!r:.60}"
    category = f'dtype={{{column.name!r:.60}: "category"}}'
    if not how and not len(odd):  # it is text to pandas alone
        said = text_of_numbers(column.name, len(plain), plain.iloc[0])
        how = {"numbers": [column.name]}
        return Doubt("numbers", (column.name,), said, how) if len(plain) > MANY else None
    if len(limits) or not _are_gaps(odd, len(plain), share, bool(how)):
        return _mixed(column, limits if len(limits) else odd) if len(plain) >= FEW else None
    how |= {"na_values": odd.tolist()} if len(odd) else {}
    example = odd if len(odd) else plain[~written_numbers(plain) | ("thousands" in how)]
    example = example if len(example) else plain
    said = f"{name} is text by {example.iloc[0]!r:.60}, and otherwise numbers: {in_words(how):.200}"
    said += f", or {in_words(other)}," if other else ""
    said += f" reads it so, {category} as names"
    return Doubt("numbers", (column.name,), said, how)


def _mixed(column, odd):
    """The doubt about a column of numbers and of texts such as the odd ones (V,)."""
    said = f"column {column.name!r:.60} mixes numbers with text, such as {odd.iloc[0]!r:.60}, so "
    said += f"that it is nominal: make numbers of it, or dtype={{{column.name!r:.60}: "
    return Doubt("mixed", (column.name,), f'{said}"category"}} takes all as names', {})


def _of_form(column):
    """The doubt about many texts of one form with digits, as 12:30, 1.5±0.2 or 3.1D-02."""
    some, counts = column.some
    forms = some.str.replace(r"\d+(\.\d+)?", "0", regex=True)
    of_each = np.bincount(pd.factorize(forms)[0], counts)
    is_one_form = np.sort(of_each)[-3:].sum() >= 0.9 * counts.sum()
    is_form = is_one_form and MANY < column.n_values < column.n_known
    return _mixed(column, some) if is_form and not some.str.match(r"[+-]?0\d").all() else None


def _as_numbers(column, read):
    """The marks and signs with which most of a column reads as numbers, these, and the rest.

    Also another mark that reads the same texts: 12,731 may have a mark of thousands or a decimal
    one. Beside commas between values the former is more likely, else the latter.
    """
    way = signs, thousands, decimal = _best_way(column, read.decimal)
    some = texts(column.values)
    is_number = written_numbers(some, *way)
    how = {"thousands": thousands} if thousands else {}
    how |= {"decimal": decimal} if decimal != read.decimal else {}
    other = _other_way(some[is_number], *way)
    if other and thousands == "," and not read.has_commas:
        how, other = other, how
    how = how | ({"numbers": [column.name]} if signs else {})
    return how, some[is_number], some[~is_number], other


def _other_way(plain, signs, thousands, decimal):
    """The keywords that read all these texts (V,) in another way, if there are any."""
    mark, point = thousands or decimal, {",": ".", ".": ","}.get(decimal, ".")
    if mark not in ",." or not plain.str.contains(mark, regex=False).any():
        return {}
    way = ("", mark) if thousands else (mark, point)
    fits = written_numbers(plain, signs, *way).all()
    names = {"thousands": way[0], "decimal": way[1]}
    return {name: value for name, value in names.items() if value} if fits else {}


def _best_way(column, decimal):
    """The signs and marks with which most of a column reads as numbers, this decimal one first."""
    some, counts = column.some
    without = bare(some)
    letters = {*"".join(some)}
    marks = [("", decimal)] + [two for two in MARKS if {two[0] or two[1]} <= letters]
    marks.sort(key=lambda two: two[1] != decimal)
    way, most = (False, "", decimal), 0
    for signs in (False, True) if (without != some).any() else (False,):
        for two in marks:
            is_number = written_numbers(without if signs else some, False, *two).to_numpy(bool)
            if (n := counts[is_number].sum()) > most:
                way, most = (signs, *two), n
            if most == counts.sum():  # no other reads more
                return way
    return way


def _are_gaps(odd, n_plain, share, marked):
    """Whether odd texts (V,) among numbers stand for missing values, and are not codes like 4+."""
    if odd.str.contains(r"\d").any():
        return n_plain >= FEW and len(odd) <= 3 and share >= 0.9
    is_gap = all(GAP.fullmatch(text) for text in odd)
    is_rare = share >= 0.9 or n_plain >= FEW or (is_gap and n_plain > 2)
    return len(odd) <= MANY and (marked or is_rare)


# Codes for missing values


def of_codes(columns: list[Column]) -> list[Doubt]:
    """Return the doubt about numbers that stand for missing values, as -999 far below the others.

    A code is one of nines, of three and more sevens or eights, -1, or the -999.25 of well logs;
    beside it stand those that end in 7 or 8. It occurs `LEAST` times, and is farther from its
    neighbour than all others are apart, or the only negative one.
    """
    codes = {c.name: found for c in columns if c.kind == "numeric" and (found := _codes(c))}
    if not codes:
        return []
    (name, first), *_ = codes.items()
    x = next(c.values for c in columns if c.name == name)
    n = np.count_nonzero(np.isin(x, first))
    others = "".join(f", {name!r:.60}" for name in [*codes][1:5]).removeprefix(", ")
    others = f" (so have {others})" if others else ""
    said = f"column {name!r:.60} has {first[0]!r} in {n} of {len(x)} cases, far from its other "
    said += f"numbers{others}: if they stand for missing values, {in_words({'na_values': codes})}"
    return [Doubt("code", (*codes,), f"{said} makes them missing", {"na_values": codes})]


def _codes(column):
    """The codes for missing values among the numbers of a column."""
    x = column.values
    low, high = np.fmin.reduce(x), np.fmax.reduce(x)
    ends = [end for end in (low, high) if CODE.fullmatch(_written(end))]
    if not ends:  # as nearly always
        return []
    values, counts = np.unique(x[~column.missing], return_counts=True)
    found = []
    for end in ends:
        found += _at_end(values, counts, end == high)
    return [int(code) if code == int(code) else code for code in found]


def _at_end(values, counts, is_high):
    """The codes at one end of the sorted values (V,)."""
    order = slice(None, None, -1) if is_high else slice(None)
    values, counts = values[order].tolist(), counts[order]
    n = 1
    while n < len(values) and BESIDE.fullmatch(_written(values[n])):
        n += 1
    while n and not _is_far(values[:n], values[n:]):
        n -= 1
    return values[:n] if n and counts[:n].max() >= LEAST else []


def _is_far(codes, others):
    """Whether the last of the codes is far from the others, or all of them alone are negative."""
    if len(others) < 2 or min(codes) < 0 < max(codes):
        return False
    span, gap = abs(others[0] - others[-1]), abs(codes[-1] - others[0])
    return gap > span or (max(codes) < 0 <= min(others) and len(others) >= OTHERS)


def _written(number):
    return f"{number:.10g}"
