"""Doubts about a table: a header that is missing, numbers written as text, dates, identifiers.

`doubts` looks at what was read, in any way. Each doubt has a remedy: keywords of `rt.read_csv`,
`rt.read_arff` and `rt.scan` that read the file as it may be meant.
"""

from collections.abc import Sequence

import pandas as pd

from ranktrees_engine.basics.arguments import choose
from ranktrees_engine.basics.typos import brief
from ranktrees_engine.basics.warn import warn
from ranktrees_engine.reading.checks import NO_VALUE, in_one_text
from ranktrees_engine.reading.columns import Column, read_columns
from ranktrees_files.doubt import AS_USUAL, FEW, Doubt, HowRead, Values, in_words, together
from ranktrees_files.doubts_class import (
    is_identifier,
    of_class,
    of_numbering,
    of_orders,
    of_spellings,
)
from ranktrees_files.doubts_header import of_header
from ranktrees_files.doubts_numbers import has_digits, of_codes, of_numbers

IDENTIFIER = 100  # values of an identifier, at least
DATE = r"\d{4}([-/.])\d{1,2}\1\d{1,2}([T ].*)?|\d{1,2}([-/.])\d{1,2}\3\d{2,4}( .*)?"
SETS = (frozenset, tuple)  # values that have distances, and are no identifiers
OF_ALL = ("identifier", "constant", "empty")  # kinds that some of the rows do not show


def doubts(frame: pd.DataFrame, target: str | None = None) -> list[Doubt]:
    """Return the doubts about a table; `target` names the column of the class, if any.

    Raises ValueError or TypeError, naming it, for a column that cannot be read.
    """
    return of_table(frame, target, AS_USUAL)


def of_table(frame: pd.DataFrame, target: str | None, how: HowRead) -> list[Doubt]:
    """Return the doubts about a table that was read in this way; errors as in `doubts`."""
    columns = read_columns(frame)
    choose("target", target, [column.name for column in columns], none=True)
    if found := of_header(frame, columns, target, how):
        return found  # all else may follow from that
    attributes = [column for column in columns if column.name != target]
    for column in columns:
        if column.name == target:
            found += of_class(column, attributes)
            found += of_spellings([Values.of(column)], target)
    return found + _by_column(of_columns(attributes, how), columns)


def _by_column(found, columns):
    """Limit marks of missing values to the doubt's columns if others have them as values."""
    for k, doubt in enumerate(found):
        marks = doubt.remedy.get("na_values")
        others = [c for c in columns if c.name not in doubt.columns and c.kind != "numeric"]
        if isinstance(marks, list) and any(c.categories.isin(marks).any() for c in others):
            marked = {"na_values": dict.fromkeys(doubt.columns, marks)}
            said = doubt.sentence.replace(in_words({"na_values": marks}), in_words(marked))
            found[k] = doubt._replace(sentence=said, remedy=doubt.remedy | marked)
    return found


def of_columns(columns: list[Column], how: HowRead = AS_USUAL) -> list[Doubt]:
    """Return the doubts about attributes."""
    numbered = of_numbering(columns)
    known = {name for doubt in numbered for name in doubt.columns}
    rest = of_values([Values.of(column) for column in columns], how=how)
    codes = of_codes([column for column in columns if column.name not in known])
    return numbered + codes + of_orders(columns) + rest


def of_orders_in(frame: pd.DataFrame | None) -> list[Doubt]:
    """Return the doubts about the orders that some rows declare, if there are any."""
    return [] if frame is None or frame.empty else of_orders(read_columns(frame))


def of_values(
    columns: Sequence[Values], gap_is_value: bool = False, how: HowRead = AS_USUAL
) -> list[Doubt]:
    """Return the doubts about attributes of which only the values are known.

    With `gap_is_value` a missing value counts as a value, too.
    """
    written = [c for c in columns if not c.declared and c.n_values > 1 and has_digits(c)]
    dates = [c.name for c in written if c.share(lambda some: some.str.fullmatch(DATE)) >= 0.9]
    found = [d for c in written if c.name not in dates and (d := of_numbers(c, how))]
    known = {*dates, *(name for doubt in found for name in doubt.columns)}
    many = [c for c in columns if c.values is not None and c.name not in known and _names_cases(c)]
    size = f"has {many[0].n_values} different values in {many[0].n} cases" if many else ""
    same = [c.name for c in columns if c.n_values == 1 and not (gap_is_value and c.n_known < c.n)]
    empty = [c.name for c in columns if not c.n_values]
    drop = f"{size}: it looks like an identifier; drop it if it is one"
    return [
        *found,
        *together("dates", dates, "holds dates as text: turn them into numbers, or drop it"),
        *together("identifier", [c.name for c in many], drop),
        *of_spellings(columns),
        *together("constant", same, "has only one value: it says nothing about the class"),
        *together("empty", empty, NO_VALUE),
    ]


def _names_cases(column):
    """Return whether most values, or all if the name is an identifier's, occur once."""
    is_named = column.n_values == column.n > FEW and is_identifier(column.name)
    is_many = column.n_values > max(IDENTIFIER, column.n / 2)
    return (is_many or is_named) and not isinstance(column.values[0], SETS)


def warn_of(found: Sequence[Doubt], of: str = "") -> None:
    """Give one warning about all these doubts: some of them, and how many more there are."""
    if found:
        said = in_one_text([brief(doubt.sentence) for doubt in found])
        warn(f"{of}: {said}" if of else said, same=f"doubts {of}")
