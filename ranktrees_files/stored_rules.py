"""Rules for what a file holds: a few kinds of values, from which `stored_checks` makes its tables.

A rule says in words what a value must be, and whether it is. The fields of one object share sizes:
the first array with T rows, say, says what T is, and then all others must have as many.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

WRONG = TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError
Sizes = dict[str, int]


@dataclass(frozen=True)
class Rule:
    """A requirement in words, and its test `holds(value, sizes)`, which may raise, too."""

    words: str
    holds: Callable[[Any, Sizes], bool]


@dataclass(frozen=True)
class Check:
    """The requirements of an object in a file: a rule per field, and rules for the whole.

    `whole` has, for each field that must fit the others, functions of the object by what they say.
    """

    fields: dict[str, Rule] = field(default_factory=dict)
    whole: dict[str, dict[str, Callable[[Any], bool]]] = field(default_factory=dict)

    def of_fields(self, name: str, parts: dict) -> None:
        """Raise ValueError, naming class and field, for a field that cannot be so."""
        sizes: Sizes = {}
        for each, rule in self.fields.items():
            if each in parts and not holds(rule.holds, parts[each], sizes):
                known = "".join(f"; {size} is {n}" for size, n in sizes.items())
                given = shown(parts[each])
                raise ValueError(f"{name}.{each} must be {rule.words}, not {given}{known}")

    def of_whole(self, name: str, made: object) -> None:
        """Raise ValueError, naming class and field, for a field that does not fit the others."""
        for each, rules in self.whole.items():
            for words, function in rules.items() if each in vars(made) else ():
                if not holds(function, made):
                    raise ValueError(f"{name}.{each} must {words}")


def holds(function: Callable, *values: object) -> bool:
    """Return whether a function is true of values; not if a value lacks an operation for it."""
    try:
        return bool(function(*values))
    except WRONG:
        return False


def shown(value: object) -> str:
    """Return a value in a few words."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} of shape {value.shape}"
    if isinstance(value, str | int | float | bool | None):
        return f"{value!r:.60}"
    return f"this {type(value).__name__}"


def fits(name: str, n: int, sizes: Sizes) -> bool:
    """Return whether n is the size of this name ("T", or "T+1"), which it sets if it is new.

    The name "*" stands for any size.
    """
    if name == "*":
        return True
    base, _, more = name.partition("+")
    return sizes.setdefault(base, n - int(more or 0)) + int(more or 0) == n


def value(words: str, holds: Callable[[Any], bool]) -> Rule:
    """Return a rule for a value that needs no sizes."""
    return Rule(words, lambda given, _: holds(given))


def size(name: str) -> Rule:
    """Return a rule for a whole number above 0 that is the size of this name."""

    def holds(given, sizes):
        return type(given) is int and given > 0 and fits(name, given, sizes)

    return Rule(f"the whole number {name}", holds)


def made(*classes: type) -> Rule:
    """Return a rule for an object of one of these classes."""
    names = " or ".join(cls.__name__ for cls in classes)
    return value(f"of class {names}", lambda given: isinstance(given, classes))


def optional(rule: Rule) -> Rule:
    """Return a rule for a value that may also be None."""
    return Rule(
        f"{rule.words}, or null", lambda given, sizes: given is None or rule.holds(given, sizes)
    )


def several(kind: type, rule: Rule, size: str = "", least: int = 0) -> Rule:
    """Return a rule for a tuple or list of `size` items, or of at least some."""

    def holds(given, sizes):
        long = fits(size, len(given), sizes) if size else len(given) >= least
        return type(given) is kind and long and all(rule.holds(item, sizes) for item in given)

    number = size or (f"at least {least}" if least else "any number")
    return Rule(f"a {kind.__name__} of {number}, each {rule.words}", holds)


def each(*rules: Rule) -> Rule:
    """Return a rule for a tuple with an item for each of these rules."""

    def holds(given, sizes):
        pairs = zip(given, rules, strict=True)
        return type(given) is tuple and all(rule.holds(item, sizes) for item, rule in pairs)

    return Rule(f"a tuple of {' and '.join(rule.words for rule in rules)}", holds)


def array(
    kinds: str, *shape: str, least: float = -math.inf, most: float = math.inf, below: str = ""
) -> Rule:
    """Return a rule for an array of these kinds of types, this shape, and numbers within bounds."""

    bounded = bool(below) or least > -math.inf or most < math.inf

    def holds(given, sizes):
        if not isinstance(given, np.ndarray) or given.dtype.kind not in kinds:
            return False
        pairs = zip(shape, given.shape, strict=True)
        if len(shape) != given.ndim or not all(fits(*pair, sizes) for pair in pairs):
            return False
        if not bounded or not given.size:
            return True
        low, high = given.min().item(), given.max().item()  # bounds are beyond narrow types
        return low >= least and high <= most and (not below or high < sizes[below])

    bounds = f" from {least:g}" * (least > -math.inf) + f" to {most:g}" * (most < math.inf)
    bounds += f" below {below}" * bool(below)
    what = {"b": "True or False", "i": "whole numbers", "iu": "whole numbers"}.get(kinds, "values")
    return Rule(f"an array ({', '.join(shape)}) of {what}{bounds}", holds)


def is_scalar(given: object) -> bool:
    """Return whether a value can be that of a nominal attribute, or a class."""
    if isinstance(given, str | bool | int | np.bool_ | pd.Interval):
        return True
    return isinstance(given, Real) and math.isfinite(given)


def are_scalars(given: object) -> bool:
    """Return whether a value is a tuple of scalars."""
    known = type(given) is tuple and {*map(type, given)} <= {str, bool, int}  # as nearly always
    return known or (type(given) is tuple and all(map(is_scalar, given)))


def is_compound(given: object) -> bool:
    """Return whether a value can have a distance: a scalar, or tuples and sets, with None in them.

    A centre has None for an attribute without any known value.
    """
    return is_scalar(given) or (
        isinstance(given, tuple | frozenset)
        and all(item is None or is_compound(item) for item in given)
    )


def ascending(numbers: Sequence) -> bool:
    """Return whether finite numbers do not fall."""
    return all(map(math.isfinite, numbers)) and all(a <= b for a, b in pairwise(numbers))


TEXT = value("text", lambda given: isinstance(given, str))
FLAG = value("true or false", lambda given: isinstance(given, bool | np.bool_))
FINITE = value(
    "a finite number",
    lambda given: isinstance(given, Real) and type(given) is not bool and math.isfinite(given),
)
SCALARS = value("a tuple of text, finite numbers, true, false and intervals", are_scalars)
