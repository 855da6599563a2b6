"""Doubts about the lines of a table: titles, comments, a header without names, odd lines."""

import re

import numpy as np
import pandas as pd

from ranktrees_engine.reading.columns import Column
from ranktrees_files.csv_values import is_number
from ranktrees_files.doubt import GAP, START, Doubt, HowRead, texts

TOP = 5  # rows in which the names may stand below a title
NAMELESS = "Unnamed: "  # what pandas calls a column without a name


def of_header(
    frame: pd.DataFrame, columns: list[Column], target: str | None, how: HowRead
) -> list[Doubt]:
    """Return the doubt from which all else may follow: a wrong header, or odd lines.

    `skiprows` and `header` of its remedy count as in a file that begins with the header.
    """
    if not how.has_lines:
        return []
    names = [name if isinstance(name, str) else "" for name in frame]
    is_named = all(names) and how.has_names
    return (
        (_of_comment(names, columns) if all(names) else [])
        or (_of_title(frame, names) if is_named else [])
        or _of_rows(columns)
        or (_of_case(names, columns, target) if is_named else [])
    )


def _of_comment(names, columns):
    """The doubt about a first line that is a comment."""
    if names[0].startswith("# ") or (names[0][0] == "#" and _has_comments(columns[0])):
        said = f"the first line, {names[0]!r:.60}, is a comment: comment='#' leaves such lines out"
        return [Doubt("comment", (), said, {"comment": "#"})]
    return []


def _has_comments(column):
    return column.kind != "numeric" and str(column.categories[0]).startswith("#")


def _of_title(frame, names):
    """The doubt about a title in place of the names, which stand in one of the rows below."""
    nameless = [name.startswith(NAMELESS) for name in names]
    if nameless.count(False) != 1 or len(names) < 2 or nameless[0]:
        return []
    for row, cells in enumerate(frame.head(TOP).to_numpy(object)):
        given = [cell.strip() for cell in cells if isinstance(cell, str) and cell.strip()]
        if len({*given}) == len(names) and not any(map(is_number, given)):
            some = ", ".join(given)
            said = (
                f"the first line, {names[0]!r:.60}, is a title, and the names, {some:.60}, stand "
                f"in data row {row + 1}: header={row + 1} takes them from there"
            )
            return [Doubt("header", (), said, {"header": row + 1})]
    return []


def _of_case(names, columns, target):
    """The doubt about a header without names, which is a case."""
    read = [_could_be_value(name, c) for name, c in zip(names, columns, strict=True)]
    is_class = target is None or read[[c.name for c in columns].index(target)]
    is_numbered = all(re.fullmatch(r"\d{1,9}", n) for n in names)
    numbers = np.sort([*map(int, names)]) if is_numbered else np.zeros(2)
    if False in read or not is_class or (np.diff(numbers) == 1).all() or read.count(True) < 2:
        return []
    said = f"the header, {', '.join(names):.60}, is a case as the others: header=None reads it so"
    return [Doubt("header", (), said, {"header": None})]


def _could_be_value(name, column):
    """Whether a name is one of its column's values, or None where that cannot be told."""
    if not name or name == "?" or column.missing.all():
        return None
    if column.kind == "numeric":
        return is_number(name)
    if name in {str(value) for value in column.categories}:
        return True
    return None if len(column.categories) > len(column.values) / 2 else False


# Odd lines: questions, types or units below the names, the names again, a source


def _of_rows(columns):
    """The doubt about rows in which no column has a value as in the others, or of sums."""
    if _ends_in_sums(columns):
        n = len(columns[0].values)
        said = f"data row {n}, the last one, holds the sums of the others: skiprows=[{n}] leaves it"
        return [Doubt("header", (), f"{said} out", {"skiprows": [n]})]
    rows = _odd_rows(columns)
    if not len(rows) or len(rows) > max(3, len(columns[0].values) // 20):
        return []
    signs = [_sign(column, rows) for column in columns]
    rows = [row for k, row in enumerate(rows) if _is_no_case([sign[k] for sign in signs])]
    if not rows:
        return []
    cells = [c.categories[c.values[rows[0]]] for c in columns if not c.missing[rows[0]]]
    lines = [row + 1 for row in rows]
    which = f"data row {lines[0]}" + f" and {len(rows) - 1} more" * (len(rows) > 1)
    are = "are no cases" if len(rows) > 1 else "is no case"
    names = f", or header={lines[0]} takes the names from it" * (rows == [0] and len(cells) > 1)
    said = f"{which}, {', '.join(map(str, cells)):.60}, {are} as the others: "
    said += f"skiprows={lines!s:.100} leaves {'them' if len(rows) > 1 else 'it'} out{names}"
    return [Doubt("header", (), said, {"skiprows": lines})]


def _ends_in_sums(columns):
    """Whether in two columns of numbers or more, and most of them, the last is the others' sum."""
    numeric = [c.values for c in columns if c.kind == "numeric"]
    n_sums = 0
    for place, x in enumerate(numeric):
        last, rest = x[-1], x[:-1]
        is_sum = last == last and last != 0 and np.isclose(np.nansum(rest), last, rtol=1e-9, atol=0)
        n_sums += bool(is_sum and len(rest) > 2 and np.nanmax(np.abs(rest)) < abs(last))
        if 2 * n_sums < place:  # as nearly always from the second one on
            return False
    return n_sums > 1 and 2 * n_sums > len(numeric)


def _odd_rows(columns):
    """The rows in which each column has no value, one that occurs once, or its own name."""
    is_odd = is_missing = True
    for column in sorted(columns, key=lambda c: c.kind != "numeric"):
        gap = column.missing
        is_missing = is_missing & gap
        if column.kind == "numeric":
            is_odd = is_odd & gap
        else:
            counts = np.bincount(column.values[~gap], minlength=len(column.categories))
            is_rare = (counts == 1) | (column.categories == column.name)
            is_odd = is_odd & np.append(is_rare, True)[column.values]
        if not is_odd.any():
            return ()
    return np.flatnonzero(is_odd & ~is_missing)


def _sign(column, rows):
    """What each row (R,) has: a "strong", "weak" or "other" text, its "name", a "mark" or ""."""
    if column.kind == "numeric":
        return [""] * len(rows)
    codes = column.values[rows]
    words = [str(column.categories[code]) if code >= 0 else "" for code in codes]
    rest = np.delete(column.values, rows)
    counts = np.bincount(rest[rest >= 0], minlength=len(column.categories))
    values = texts(column.categories[counts > 0].map(str))
    has_numbers = len(values) > 2 and bool(values.str.match(START).mean() >= 0.9)
    is_few = 0 < len(values) <= np.count_nonzero(rest >= 0) / 3
    usual = "strong" if has_numbers else "weak" if is_few else "other"
    signs = []
    for word in words:
        sign = "" if not word else "other" if has_numbers and re.match(START, word) else usual
        sign = "mark" if sign in ("strong", "weak") and GAP.fullmatch(word) else sign
        signs.append("name" if word == column.name and word not in {*values} else sign)
    return signs


def _is_no_case(signs):
    """Whether the signs of all columns together speak against a row as a case."""
    strong, weak, given = signs.count("strong"), signs.count("weak"), len(signs) - signs.count("")
    if signs.count("name") > 1 or strong > 1:
        return True
    if strong:
        return weak > 0 or (given == 1 and len(signs) > 2)
    return weak + signs.count("mark") == len(signs) > 2  # a line of dashes, say
