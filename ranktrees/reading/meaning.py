"""What a value means, whatever type it comes in: "1", 1 and 1.0; "true", "True" and True; 0 and 1.

Data change their type on the way: a file has text where a database had True and False, and numbers
with a gap among them are written 1.0. Where a value can mean one thing only, it is taken for that.
"""

import re
from decimal import Decimal
from numbers import Real

import numpy as np
import pandas as pd

from ranktrees.basics.warn import warn

TRUTH = {"true": True, "false": False}
# As programs write numbers: other digits, as in "007", may be a number or the name of something.
NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?([eE][+-]?[0-9]{1,2})?")
CODE = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)")
WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.0)?")
EXACT = 2**53  # numbers of a column are doubles, which tell whole ones up to here
SPELT = 20  # different texts, of which each may be a number by chance or design
MANY = 20  # known values of a batch, most of which should have been seen in training
NEVER_SEEN = "were never seen in training"
PLAIN = {"string", "boolean", "numbers", "interval"}  # found as they are


def kind_of(values: pd.Index) -> str:
    """The type of these values as pandas infers it, of whole numbers and others "numbers"."""
    kind = values.inferred_type
    return "numbers" if kind in ("integer", "floating") else kind


def is_number(value) -> bool:
    """Whether a value is a real number; True and False are none."""
    return isinstance(value, Real | Decimal) and not isinstance(value, bool)


def are_numbers(x: pd.Series, found: str | None = None) -> bool:
    """Whether objects that are `found`, as pandas infers, are numbers, of one type or of many."""
    found = found or pd.api.types.infer_dtype(x, skipna=True)
    if found in ("floating", "integer", "mixed-integer-float", "decimal"):
        return True
    return found in ("mixed", "mixed-integer") and all(map(is_number, x.dropna()))


def is_truth(value) -> bool:
    """Whether a value is True or False."""
    return isinstance(value, bool | np.bool_)


def warn_of_spelt_numbers(name: str, categories: pd.Index | None) -> None:
    """Warn of a column of plain text whose many different values all read as numbers."""
    if categories is None or len(categories) <= SPELT:
        return
    if all(isinstance(text, str) and NUMBER.fullmatch(text) for text in categories):
        warn(
            f"column {name!r} is text, and its {len(categories)} different values, such as "
            f"{categories[0]!r}, all read as numbers: turn them into numbers, or say that they are "
            f'names: X[{name!r}].astype("category")',
            same=f"{name} all read as numbers",
        )


def places(name: str, known: pd.Index, given: pd.Index) -> np.ndarray:
    """Where each of the given values (V,) stands among known ones, by what it means; -1: nowhere.

    A value that is new, but could stand there, is nowhere. Raises ValueError, which names the
    column and both types, for one that has no certain meaning among values of another type.
    """
    if not len(known) or not len(given):
        return np.full(len(given), -1)
    kind = kind_of(known)
    if kind in PLAIN and kind == kind_of(given):
        place = known.get_indexer(given)
        if kind != "string" or (place >= 0).all():
            return place
        if len(known) > 2 or not _Meanings(name, known.tolist()).is_two_sided:
            return _respelt(known, given, place)
    return _Meanings(name, known.tolist()).places(given.tolist())


def names_of(name: str, known: pd.Index, x: np.ndarray) -> tuple[pd.Index, np.ndarray]:
    """The distinct numbers of x (n,) and their codes (n,), -1 for NaN, to be found among names.

    Raises ValueError where the known names are numbers that doubles cannot tell from one another.
    """
    code, numbers = pd.factorize(x)
    if len(numbers) and np.abs(numbers).max() >= EXACT and known.inferred_type != "floating":
        large = [v for v in known if is_number(m := _meaning(v)[1]) and abs(m) >= EXACT]
        if large:
            raise ValueError(
                f"column {name!r} held names such as {large[0]!r} in training but now holds "
                "numbers, which cannot tell whole ones of 2**53 and more: convert it to categories"
            )
    return pd.Index(numbers), code


def warn_of_new(name: str, given: pd.Index, new: np.ndarray, code: np.ndarray) -> None:
    """Warn where most of many values, given[code (n,)], -1 for none, are `new` (V,) ones."""
    n, n_new = np.count_nonzero(code >= 0), np.count_nonzero(np.append(new, False)[code])
    if n >= MANY and n_new > n / 2:
        some = ", ".join(map(repr, given[new][:3].tolist()))
        warn(
            f"column {name!r}: {n_new / n:.0%} of its values {NEVER_SEEN}, such as {some:.200}: "
            "see whether they are written otherwise now",
            same=f"{name} {NEVER_SEEN}",
        )


def _respelt(known, given, place):
    """The places of texts; new ones are looked for as they may be written elsewhere, too."""
    new = [(v, s) for v in (place < 0).nonzero()[0] for s in _spellings(given[v])]
    if new:
        which, texts = zip(*new, strict=True)
        found = known.get_indexer(pd.Index(texts))
        which, found = np.array(which)[found >= 0], found[found >= 0]
        once = np.bincount(which, minlength=len(place))[which] == 1
        place[which[once]] = found[once]
    return place


def _spellings(text):
    """How truth, and a whole number, may be written besides."""
    if text.lower() in TRUTH:
        return {text.lower(), text.title(), text.upper()} - {text}
    if WHOLE.fullmatch(text):
        return [text.removesuffix(".0") if text.endswith(".0") else f"{text}.0"]
    return ()


def also_written(known: tuple) -> dict[str, object]:
    """Other texts, in small letters, that databases may write for known values, and for which."""
    meanings, texts = _Meanings("", known), {}
    for kind, thing in meanings.table:
        if kind == "number" and abs(thing) < EXACT:
            whole = [str(int(thing))] * (thing == int(thing))
            texts |= dict.fromkeys([repr(float(thing)), *whole], thing)
    if meanings.is_truth:
        texts |= {"1": 1, "1.0": 1, "0": 0, "0.0": 0}
    if meanings.is_binary or "truth" in meanings.kinds:
        texts |= TRUTH
    found = {text: meanings.find(value)[0] for text, value in texts.items()}
    same = set(map(str, known)) - TRUTH.keys()
    return {text: known[v] for text, v in found.items() if v >= 0 and text not in same}


class _Meanings:
    """What the known values of a column mean: a kind and, within it, the thing that is meant."""

    def __init__(self, name, known):
        self.name, self.known, self.table = name, list(known), {}
        for place, value in enumerate(self.known):
            self.table.setdefault(_meaning(value), []).append(place)
        self.kinds = {kind for kind, _ in self.table}
        self.types = set(map(_type_words, self.known))
        self.is_truth = self.kinds == {"truth"}
        self.is_binary = self.table.keys() <= {("number", 0), ("number", 1)}
        self.is_two_sided = self.is_truth or self.is_binary

    def places(self, given):
        """Where each of the given values (V,) stands, -1 where it is new; ValueError: see above."""
        return np.array([self._place(value) for value in given], np.intp)

    def _place(self, value):
        place, may = self.find(value)
        if place >= 0 or may is None:
            return place
        may = f", which may mean {' or '.join(map(repr, may))}" if may else ""
        raise ValueError(
            f"column {self.name!r} held {_type_words(self.known[0])} such as {self.known[0]!r} in "
            f"training but now holds {_type_words(value)} such as {value!r}{may}: convert it to "
            "what it was"
        )

    def find(self, value) -> tuple[int, list | None]:
        """Where a value stands; or -1 and, unless it could stand there, what it may mean."""
        kind, thing = _meaning(value)
        if self.is_truth and kind == "number" and thing in (0, 1):
            kind, thing = "truth", bool(thing)
        elif self.is_binary and kind == "truth":
            kind, thing = "number", int(thing)
        words, there = _type_words(value), self.table.get((kind, thing), [])
        if kind == "number":
            there = there + self.table.get(("code", thing), [])
        same = [v for v in there if _type_words(self.known[v]) == words and self.known[v] == value]
        if same or (len(there) == 1 and _meaning(self.known[there[0]])[0] == kind):
            return (same or there)[0], None
        if words in self.types or (kind in self.kinds and not there):
            return -1, None
        return -1, [self.known[v] for v in there]


def _meaning(value):
    """The kind of thing that a value means, and which of its kind."""
    if isinstance(value, str):
        if value.lower() in TRUTH:
            return "truth", TRUTH[value.lower()]
        if NUMBER.fullmatch(value):
            return "number", float(value) if re.search("[.eE]", value) else int(value)
        return ("code", float(value)) if CODE.fullmatch(value) else ("text", value)
    if is_number(value):
        return "number", float(value) if isinstance(value, Decimal) else value
    if is_truth(value):
        return "truth", bool(value)
    return type(value).__name__, value


def _type_words(value):
    """The type of a value in words."""
    if is_truth(value):
        return "True or False"
    kind = "text" if isinstance(value, str) else f"values of type {type(value).__name__}"
    return "numbers" if is_number(value) else kind
