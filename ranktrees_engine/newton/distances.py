"""Distances between values of any type, all pairs at once: functions (a, b) -> (len a, len b).

Each takes two lists of values and raises TypeError for a value of an unsuitable type.
"""

from collections.abc import Callable, Hashable, Sequence
from numbers import Real

import numpy as np

from ranktrees_engine.basics.arguments import shown
from ranktrees_engine.basics.blocks import blocks


def absolute(a: Sequence, b: Sequence) -> np.ndarray:
    """Return |x - y|, for numbers."""
    a, b = as_numbers(a, "absolute"), as_numbers(b, "absolute")
    return np.abs(a[:, None] - b)


def zero_one(a: Sequence, b: Sequence) -> np.ndarray:
    """Return 1 where two values differ, 0 where they are equal (the slides' d_nom)."""
    number = {value: v for v, value in enumerate(dict.fromkeys([*a, *b]))}
    a, b = (np.array([number[value] for value in part], np.intp) for part in (a, b))
    return (a[:, None] != b).astype(np.int8)


def jaccard(a: Sequence, b: Sequence) -> np.ndarray:
    """Return 1 - |x and y| / |x or y|, for sets; two empty sets are equal."""
    _check_types("jaccard", "sets", set | frozenset, *a, *b)
    items = {item: i for i, item in enumerate(dict.fromkeys(i for s in a for i in s))}
    common = _incidence(a, items) @ _incidence(b, items).T  # whole numbers, in any order of sums
    sizes = (np.array([len(s) for s in part], float) for part in (a, b))
    either = np.add.outer(*sizes) - common
    return 1 - np.divide(common, either, out=np.ones_like(common), where=either > 0)


def levenshtein(a: Sequence, b: Sequence) -> np.ndarray:
    """Count the fewest letters to insert, delete or replace, for strings (Levenshtein 1966)."""
    _check_types("levenshtein", "texts", str, *a, *b)
    return _edits(a, b)


def edit(a: Sequence, b: Sequence) -> np.ndarray:
    """Count the fewest items to insert, delete or replace, for tuples and lists."""
    _check_types("edit", "tuples or lists", tuple | list, *a, *b)
    return _edits(a, b)


def cyclic(a: Sequence, b: Sequence, period: float) -> np.ndarray:
    """Return the distance the shorter way round a circle of this length, as for hours."""
    a, b = (np.mod(as_numbers(part, "cyclic"), period) for part in (a, b))
    way = np.abs(a[:, None] - b)
    return np.minimum(way, period - way)


DISTANCES: dict[str, Callable] = {
    "absolute": absolute,
    "zero-one": zero_one,
    "ordinal": absolute,  # between ranks
    "cyclic": cyclic,
    "jaccard": jaccard,
    "levenshtein": levenshtein,
    "edit": edit,
}


def of_function(function: Callable, a: Sequence, b: Sequence) -> np.ndarray:
    """Return a function's distances of all pairs; TypeError or ValueError names a bad pair."""
    failures = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
    distances = np.empty((len(a), len(b)))
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            try:
                distances[i, j] = function(x, y)
            except failures as error:
                kind = TypeError if isinstance(error, TypeError | AttributeError) else ValueError
                why = f"{type(error).__name__}: {error}"
                raise kind(f"the distance cannot take {shown(x)} and {shown(y)}: {why}") from error
    return distances


def as_numbers(values: Sequence, name: str) -> np.ndarray:
    """Return values as floats; TypeError, naming the distance, if one is not a number."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiu":
        return values.astype(float, copy=False)
    for kind in set(map(type, values)):
        if issubclass(kind, bool) or not issubclass(kind, Real):
            raise _wrong(name, "numbers", next(v for v in values if type(v) is kind))
    try:
        return np.array(values, float)
    except OverflowError as error:
        raise ValueError(f"a number is too large: {error}") from error


def _check_types(name, what, kinds, *values):
    for value in values:
        if not isinstance(value, kinds):
            raise _wrong(name, what, value)


def _wrong(name, what, value):
    kind = type(value).__name__
    return TypeError(f"the distance {name!r} is one of {what}, but {value!r} is of type {kind}")


def _incidence(sets, items):
    """Return 1 where the set has the item: (sets, items)."""
    table = np.zeros((len(sets), len(items)))
    for row, members in enumerate(sets):
        table[row, [items[i] for i in members if i in items]] = 1
    return table


def _edits(a, b):
    """Return the edit distances of all pairs, half of them if `a` is `b`."""
    symbols: dict[Hashable, int] = {}
    (A, length), (B, _) = _padded(a, symbols, -1), _padded(b, symbols, -2)
    ends = np.array([len(s) for s in b], np.intp)
    distances = np.empty((len(a), len(b)), np.int32)
    for rows in blocks(len(a), len(b) * (B.shape[1] + 1)):
        rest = slice(rows.start if a is b else 0, None)
        distances[rows, rest] = _edit_block(A[rows], length[rows], B[rest], ends[rest])
        if a is b:
            distances[rest, rows] = distances[rows, rest].T
    return distances


def _padded(sequences, symbols, pad):
    """Return symbol codes (len, longest) and lengths; new symbols get the next number."""
    length = np.array([len(s) for s in sequences], np.intp)
    table = np.full((len(sequences), length.max(initial=0)), pad)
    for row, sequence in enumerate(sequences):
        table[row, : len(sequence)] = [symbols.setdefault(s, len(symbols)) for s in sequence]
    return table, length


def _edit_block(A, length, B, ends):
    """Compute one row of the dynamic program for all pairs at once: k rows of A with all of B.

    Insertions, which would go letter by letter, are a running minimum of (cost - position).
    """
    small = np.int16 if A.shape[1] + B.shape[1] < 1 << 14 else np.int32
    place, which = np.arange(B.shape[1] + 1, dtype=small), np.arange(len(B))
    row = np.broadcast_to(place, (len(A), len(B), len(place))).copy()
    distances = np.broadcast_to(ends, (len(A), len(B))).copy()  # where A's sequence is empty
    for i in range(A.shape[1]):
        differs = A[:, i, None, None] != B
        best = np.minimum(row[..., 1:] + small(1), row[..., :-1] + differs)
        row[..., 0] = i + 1
        row[..., 1:] = best
        row -= place
        np.minimum.accumulate(row, axis=-1, out=row)
        row += place
        done = length == i + 1
        distances[done] = row[done][:, which, ends]
    return distances
