"""Different spellings of one value: "1", 1 and 1.0; "true", "TRUE" and True.

Data change their type in transfer: a file has text where a database had True and False, and numbers
with a gap among them are written 1.0. A table made in training says which spellings mean which
value.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from numbers import Real

import numpy as np

TRUTH = ("true", "false")
NUMBER = re.compile(r"[+-]?([0-9]{1,18}(\.[0-9]{0,18})?|\.[0-9]{1,18})([eE][+-]?[0-9]{1,2})?")
READS = re.compile(f"(?i:true|false)|{NUMBER.pattern}")
ZERO_ONE = ("0", "1", "0.0", "1.0")
EXACT = 2**53  # numbers of a column are doubles, which tell whole ones up to here


def spellings(name: str, values: Sequence) -> dict[tuple, int]:
    """Return {(kind, text): code}: all spellings of a column's values; others are new values.

    Each value has its own text, booleans in lower case. A value that reads as a number has that
    number, and its shortest text, with and without ".0" if it is whole. If all values are 0, 1 or
    booleans, 0 and False are the same, and so are 1 and True: at most four keys per value. Raises
    ValueError, which names the column and both values, if two have the same key.
    """
    binary = all(key(v)[0] == "truth" or str(v) in ZERO_ONE for v in values)
    table = {}
    for code, value in enumerate(values):
        is_plain = isinstance(value, str) and not READS.fullmatch(value)  # as nearly all are
        for one in [("text", value)] if is_plain else _keys(value, binary):
            if (same := table.setdefault(one, code)) != code:
                raise ValueError(
                    f"column {name!r} holds {values[same]!r} and {value!r}, which may both be "
                    f"written {one[1]}: write them alike, or put a letter before each of its values"
                )
    return table


def key(value) -> tuple:
    """Return the key by which a value is looked up: its kind and its text."""
    if isinstance(value, str):
        return ("truth", value.lower()) if value.lower() in TRUTH else ("text", value)
    if is_truth(value):
        return "truth", str(value).lower()
    return ("number", _shortest(value)) if is_number(value) else (type(value).__name__, value)


def _keys(value, binary):
    own = key(value)
    number = number_of(value)
    if binary and own[0] == "truth":
        number = int(own[1] == "true")
    if number is None:
        return [own]
    text = _shortest(number)
    keys = [own, ("number", text), ("text", text)]
    keys += [("text", f"{text}.0")] * text.removeprefix("-").isdigit()
    return keys + [("truth", "true" if number else "false")] * binary


def number_of(value):
    """Return the number that a value is or reads as, or None."""
    if isinstance(value, str) and NUMBER.fullmatch(value):
        return float(value) if re.search("[.eE]", value) else int(value)
    return value if is_number(value) else None


def _shortest(number):
    number = float(number) if isinstance(number, Decimal) else number
    return str(int(number)) if number % 1 == 0 else repr(float(number))


def look_up(name: str, known: Sequence, table: dict, given: Sequence) -> np.ndarray:
    """Return the code (V,) of each given value in the table of `spellings`; -1 if it is new.

    Raises ValueError, which names the column and both types, for a new value whose type differs
    from those of the known values, unless one of them reads as a value of that type.
    """
    code = np.array([table.get(key(value), -1) for value in given], np.intp)
    types = set(map(type, known))
    other = [given[v] for v in np.flatnonzero(code < 0) if types and type(given[v]) not in types]
    kinds = set(map(_kind, known)) if other else set()
    if other := [value for value in other if _kind(value) not in kinds]:
        raise ValueError(
            f"column {name!r} held {_type(known[0])} such as {known[0]!r} in training but now "
            f"holds {_type(other[0])} such as {other[0]!r}: convert it to what it was"
        )
    return code


def is_number(value) -> bool:
    """Return whether a value is a real number; True and False are not."""
    return isinstance(value, Real | Decimal) and not isinstance(value, bool)


def is_truth(value) -> bool:
    """Return whether a value is True or False."""
    return isinstance(value, bool | np.bool_)


def _kind(value):
    """Return the kind of value that a value reads as."""
    kind = key(value)[0]
    return "number" if kind == "text" and number_of(value) is not None else kind


def _type(value):
    """Return the type of a value in words."""
    if is_truth(value):
        return "True or False"
    kind = "text" if isinstance(value, str) else f"values of type {type(value).__name__}"
    return "numbers" if is_number(value) else kind
