"""Reading answers: numbers, names, tables and functions, in any form that people give them."""

import functools
import math
import re
from collections.abc import Callable, Iterable, Mapping

import numpy as np
import pandas as pd

from ranktrees_lab.ask.numbers import bare, read_number

BETWEEN = re.compile(r"\s*(?:[,;\n]|\band\b)\s*")
NOT_A_NUMBER = "0 log 0 counts 0, and 0 / 0 has no value: leave out what is 0."
LISTS = list, tuple, set, frozenset, np.ndarray, pd.Series, pd.Index, pd.Categorical


class Unclear(Exception):
    """An answer in the wrong form; the text, which is not a hint, is shown immediately."""


class Untouched(Exception):
    """An answer that is still `...`, as a whole or in a part."""


def form(right: bool, text: str) -> None:
    """Raise `Unclear` with this text unless the answer has the right form."""
    if not right:
        raise Unclear(text)


def number(answer: object, what: str = "", share: bool = False) -> float:
    """Read one number: an int, a Fraction, "7/10", "70 %", "0.9 bits", or a list of one.

    `what` begins the message about an invalid answer; for a `share`, "15 of 20" is 0.75, else 15.
    """
    one, text = alone(answer), f"{what}Give one number"
    if isinstance(one, str):
        return _typed(one, text, share)
    form(not np.shape(one), f"{text}, not {np.size(one)}.")
    form(not isinstance(one, bool | np.bool_), f"{text}, not {one}.")
    try:
        value = float(one)
    except (TypeError, ValueError):
        raise Unclear(f"{text}, such as 0.7 or 7/10, not a {type(one).__name__}.") from None
    form(not math.isnan(value), f"{text}: this is NaN. {NOT_A_NUMBER}")
    return value


def _typed(typed, text, share):
    for read in (float, lambda each: read_number(each, "share" * ("%" in each))):
        try:
            value = read(bare(typed, share))
        except ValueError:
            continue
        if not math.isnan(value):
            return value
    raise Unclear(f"{text}, such as 0.7 or 7/10: {typed!r:.40} cannot be read.")


def alone(answer: object) -> object:
    """Return the only element of a list, array or table, however deep; else the answer as it is."""
    if answer is ...:
        raise Untouched
    if isinstance(answer, pd.DataFrame):
        answer = answer.to_numpy().ravel()
    if isinstance(answer, np.ndarray) and not answer.ndim:
        return answer.item()
    return alone(next(iter(answer))) if isinstance(answer, LISTS) and len(answer) == 1 else answer


def count(answer: object, most: int, what: str = "") -> int:
    """Read a whole number from 0 to `most`, such as 17 or "17 of 20"."""
    value = number(answer, what)
    right = 0 <= value <= most and value == int(value)
    form(right, f"{what}Give a whole number from 0 to {most}, not {value:g}.")
    return int(value)


def numbers(answer: object, n: int, text: str) -> list[float]:
    """Read this many numbers, from a list, array, Series, the values of a dict, or "15.5; 6.5"."""
    if isinstance(answer, str):
        answer = re.split(r"\s*;\s*|,\s+|\s+and\s+", answer.strip("()[] "))
    rows = list(answer.values()) if isinstance(answer, Mapping) else answer
    form(isinstance(rows, LISTS) and np.size(rows) == n, text)
    return [number(each) for each in np.ravel(np.asarray(rows, object))]


def names(answer: object, known: Iterable[str], text: str) -> list[str]:
    """Read known names, in their order: in a list, a set, a Series, or one text with commas."""
    known = {_letters(name): name for name in known}
    if isinstance(answer, str):
        answer = answer.strip("()[]{} ")
        parts = re.split(r"\s*[;\n>]\s*", answer) if re.search(r"[;\n>]", answer) else [answer]
        apart = [part for part in BETWEEN.split(answer) if part]
        ways = parts, apart, answer.split()  # with blanks alone between them, if all are known
        answer = next((way for way in ways if all(_letters(n) in known for n in way)), apart)
    if isinstance(answer, pd.DataFrame):
        answer = answer.to_numpy().ravel()
    form(isinstance(answer, LISTS), text)
    if any(each is ... for each in answer):
        raise Untouched
    for each in answer:
        form(_letters(each) in known, f"{text} {str(each)!r:.40} is none of them.")
    return [known[_letters(each)] for each in answer]


def one_name(answer: object, known: Iterable[str], text: str) -> str:
    """Read one of the known names, alone or in a list."""
    found = names(answer, known, text)
    form(len(found) == 1, text)
    return found[0]


def _letters(name):
    """Reduce a name or a key to its letters and digits, or its value as a number."""
    try:
        return f"{float(str(name).replace(',', '.')):g}"
    except ValueError:
        return re.sub(r"[\W_]+", "", str(name).casefold()) or str(name)


def table(answer: object, keys: Iterable, text: str) -> dict:
    """Read the answer by these keys: a dict, Series, frame or pairs, or an array in their order."""
    keys = list(keys)
    rows = _rows(answer, keys)
    form(rows is not None, text)
    known = {_letters(key): key for key in keys}
    named = {known.get(_letters(key)): value for key, value in rows}
    form(set(named) == set(keys) and len(rows) == len(keys), text)
    if any(value is ... for value in named.values()):
        raise Untouched
    return {key: named[key] for key in keys}


def _rows(answer, keys):
    """Return pairs (key, value) of a table in any form; None if it has none."""
    if isinstance(answer, pd.DataFrame):
        flat = answer.T if _like(answer.columns, keys) else answer
        if not _like(flat.index, keys) and flat.shape[1] > 1 and _like(flat.iloc[:, 0], keys):
            flat = flat.set_index(flat.columns[0])
        values = flat.iloc[:, 0] if flat.shape[1] == 1 else [row for _, row in flat.iterrows()]
        return list(zip(flat.index, values, strict=True))
    if hasattr(answer, "items"):
        return list(answer.items())
    if not isinstance(answer, LISTS) or isinstance(answer, set | frozenset):
        return None
    pairs = all(isinstance(each, list | tuple) and len(each) == 2 for each in answer)
    if pairs and _like([key for key, _ in answer], keys):
        return list(answer)
    return list(zip(keys, answer, strict=True)) if len(answer) == len(keys) else None


def _like(found, keys):
    return bool(keys) and {_letters(key) for key in found} == {_letters(key) for key in keys}


def function(answer: object) -> Callable:
    """Return the function that was given; it is untouched if it returns `...`."""
    if answer is ...:
        raise Untouched
    form(callable(answer), "Give the function itself, by its name and without parentheses.")

    @functools.wraps(answer, ())
    def called(*arguments):
        result = answer(*arguments)
        if result is ...:
            raise Untouched
        return result

    return called


def array(result: object, shape: tuple, text: str) -> np.ndarray:
    """Read numbers of this shape from a function; `text` has a placeholder for their {shape}."""
    result = np.asarray(result, float)
    form(result.shape == shape, text.format(shape=result.shape))
    return result
