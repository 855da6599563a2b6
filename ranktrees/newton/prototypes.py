"""The prototypes of classes: the own value of each class with the lowest mean distance to it.

In an attribute of a node the heaviest class chooses first. A class whose value is taken gets its
next-best own value; if all are taken, it merges with the class that has its best one.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from ranktrees.newton.measured import Measured

TIE = 1e-9  # costs so near to each other, relatively, are equal: the smaller value wins
PAIRS = 1 << 20  # of values whose distances are summed at a time


class Prototypes(NamedTuple):
    """For A attributes, S nodes and K slots: value codes, -1 where none, and masses (A, S, K).

    The slots of a node are in the order of their masses, the heaviest first; those of equal mass
    in the order of their classes' masses.
    """

    code: np.ndarray
    mass: np.ndarray


class Runs(NamedTuple):
    """The distinct values of each segment, a class of a node in an attribute, from the smallest up.

    `start` (A * S * K + 1,) where a segment's runs begin; `code` and `weight` of each run.
    """

    start: np.ndarray
    code: np.ndarray
    weight: np.ndarray

    def of(self, segments: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All runs of these, none of them empty: places, whose they are, where each begins."""
        return ranges(self.start, segments)


def ranges(start: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places start[w] to start[w + 1] of each w, end to end; whose they are; where each begins."""
    begin = start.take(which)
    length = start.take(which + 1) - begin
    first = length.cumsum() - length
    whose = np.arange(len(which)).repeat(length)
    return np.arange(len(whose)) + (begin - first).take(whose), whose, first


class Segments:
    """The value codes (A, m) of cases in places (m,), sorted within each attribute and place.

    `weight` (m,) is that of the cases, None: 1 each. Missing values, -1, are left out.
    """

    def __init__(self, data: Measured, codes, place, n_places: int, weight=None):
        A, V = len(codes), int(data.sizes.max())
        small = np.int32 if A * n_places * V < 1 << 31 else np.int64
        key = codes.astype(small)
        key += (place * V).astype(small)
        key += (np.arange(A) * (n_places * V)).astype(small)[:, None]
        self.n_places, self.shape, self.V = n_places, codes.shape, V
        self.size = np.bincount(place, minlength=n_places)
        self.weight = None
        self.is_plain = weight is None and data.on_line.all() and not data.has_missing
        if self.is_plain:
            key.sort(axis=1)
            self.key = key.ravel()
            return
        known = (codes >= 0).ravel()
        key = key.ravel()[known]
        order = np.argsort(key, kind="stable")
        weight = np.ones(codes.shape[1]) if weight is None else weight
        self.key = key[order]
        self.weight = np.broadcast_to(weight, codes.shape).ravel()[known][order]

    @cached_property
    def runs(self) -> Runs:
        """The distinct values of each segment."""
        key, of = self.key, self.weight
        first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]])) if len(key) else key
        segment, code = np.divmod(key[first], key.dtype.type(self.V))
        if of is None:
            amount = np.diff(first, append=len(key))
        else:
            amount = np.add.reduceat(of, first) if len(key) else of
        start = np.searchsorted(segment, np.arange(self.shape[0] * self.n_places + 1))
        return Runs(start, code.astype(np.intp), amount)

    @cached_property
    def sorted_start(self) -> np.ndarray:
        """Where the cases of each segment begin, if none has a weight or a missing value."""
        A, m = self.shape
        start = np.append(0, np.cumsum(self.size))[:-1]
        return np.append(start + m * np.arange(A)[:, None], A * m)

    def of(self, segments: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All values of these, none of them empty: places, whose they are, where each begins.

        Those are distinct; only where all attributes are lines each case has its own.
        """
        if not self.is_plain:
            return self.runs.of(segments)
        return ranges(self.sorted_start, segments)

    def codes(self, at: np.ndarray) -> np.ndarray:
        """The value codes in these places."""
        return (self.key[at] % self.V).astype(np.intp) if self.is_plain else self.runs.code[at]

    def weights(self, at: np.ndarray) -> np.ndarray | None:
        """The weights in these places, None: 1 each."""
        return None if self.is_plain else self.runs.weight[at]

    def lower_medians(self, attributes: np.ndarray) -> np.ndarray:
        """(A', n_places) smallest value up to which lies half the weight; -1 in empty places."""
        found = np.full((len(attributes), self.n_places), -1)
        if not self.is_plain:
            segments = (attributes[:, None] * self.n_places + np.arange(self.n_places)).ravel()
            filled = self.runs.start[segments + 1] > self.runs.start[segments]
            if filled.any():
                found.ravel()[filled] = _lower_medians(self.runs, segments[filled])
            return found
        filled = np.flatnonzero(self.size)
        size = self.size[filled]
        middle = np.cumsum(size) - size + (size - 1) // 2
        key = self.key.reshape(self.shape)[attributes[:, None], middle]
        base = (attributes[:, None] * self.n_places + filled) * self.V
        found[:, filled] = key - base
        return found


def find_prototypes(data: Measured, codes, place, mass, weight=None) -> Prototypes:
    """Prototypes from value codes (A, m) of cases in class ranks `place` = node * K + rank (m,).

    `mass` (S, K) is what the classes of each node weigh, the heaviest first; `weight` (m,) what
    the cases do, None: 1 each.
    """
    A, (S, K) = len(codes), mass.shape
    segments = Segments(data, codes, place, S * K, weight)
    best, cost = _first_choice(data, segments)
    code = best.reshape(A, S, K).copy()
    owner = np.broadcast_to(np.arange(K), code.shape).copy()
    for k in range(1, K):
        taken = code[..., :k] == code[..., k, None]
        a, s = np.nonzero(taken.any(axis=-1) & (code[..., k] >= 0))
        if len(a):
            segment = (a * S + s) * K + k
            found = _next_best(data, segments, cost, segment, a, code[a, s, :k], code[a, s, k])
            code[a, s, k] = found
            owner[a, s, k] = np.where(found < 0, taken[a, s].argmax(axis=-1), k)
    return in_order(code, best.reshape(A, S, K), owner, mass)


def best_values(data: Measured, codes, place, n_places: int) -> np.ndarray:
    """(A, n_places) value code of each class's own prototype, collisions or not; -1 where none."""
    return _first_choice(data, Segments(data, codes, place, n_places))[0]


def in_order(code, best, owner, mass) -> Prototypes:
    """Prototypes of slots that classes `owner` (A, S, K) have, the heaviest slots first.

    `best` is -1 for a class that is not there; a merged one adds its mass to its owner's.
    """
    K = code.shape[-1]
    weight = np.where(best >= 0, mass, 0)
    merged = owner != np.arange(K)
    if merged.any():
        a, s, k = merged.nonzero()
        np.add.at(weight, (a, s, owner[a, s, k]), weight[a, s, k])
        weight[merged] = 0
    if K > 1 and (weight[..., :-1] < weight[..., 1:]).any():
        order = np.argsort(-weight, axis=-1, kind="stable")
        code, weight = (np.take_along_axis(part, order, axis=-1) for part in (code, weight))
    return Prototypes(code, weight)


def _first_choice(data, segments):
    """(A, n_places) best value of each segment, -1 if it has none; the cost of each run.

    On lines it is the median, and costs are not needed; None where all attributes are lines.
    """
    best = np.full((segments.shape[0], segments.n_places), -1)
    lines, others = np.flatnonzero(data.on_line), np.flatnonzero(~data.on_line)
    if len(lines):
        best[lines] = segments.lower_medians(lines)
    if not len(others):
        return best, None
    runs = segments.runs
    cost = np.full(len(runs.code), np.inf)
    place = (others[:, None] * segments.n_places + np.arange(segments.n_places)).ravel()
    place = place[runs.start[place + 1] > runs.start[place]]
    if len(place):
        at, whose, first = runs.of(place)
        cost[at] = _costs(data, runs, place // segments.n_places, at, whose, first)
        best.ravel()[place] = runs.code[at[_cheapest(cost[at], whose, first)]]
    return best, cost


def _lower_medians(runs, segments):
    """The smallest value up to which lies half the weight of a segment."""
    at, whose, first = runs.of(segments)
    weight = runs.weight[at]
    up_to = np.cumsum(weight)
    before = up_to[first] - weight[first]
    half = np.add.reduceat(weight, first) / 2
    enough = up_to - before[whose] >= half[whose] * (1 - TIE)
    return runs.code[at[_first_true(enough, first)]]


def _first_true(mask, first):
    """The place of the first True of each segment, all of which have one."""
    place = np.where(mask, np.arange(len(mask)), len(mask))
    return np.minimum.reduceat(place, first)


def _cheapest(cost, whose, first):
    """The first run of lowest cost in each segment; equal costs go to the smaller value."""
    least = np.minimum.reduceat(cost, first)
    return _first_true(cost <= least[whose] * (1 + TIE), first)


def _costs(data, runs, attribute, at, whose, first):
    """The sum of distances of each run from all cases of its segment."""
    weight = runs.weight[at]
    cost = np.add.reduceat(weight, first)[whose] - weight  # nominal: all that are not equal
    cost = cost.astype(float)
    for a in np.unique(attribute):
        if data.table[a] is not None:
            mine = np.flatnonzero(attribute[whose] == a)
            cost[mine] = _table_costs(data.table[a], runs.code[at[mine]], weight[mine], whose[mine])
    return cost


def _table_costs(table, code, weight, whose):
    """Sums over all pairs of runs of a segment, so many pairs at a time as `PAIRS` allows."""
    first = np.flatnonzero(np.concatenate([[True], whose[1:] != whose[:-1]]))
    length = np.diff(first, append=len(code))
    other, length = np.repeat(first, length), np.repeat(length, length)
    cost, ends = np.empty(len(code)), np.cumsum(length)
    start = 0
    while start < len(code):
        before = ends[start] - length[start]
        stop = max(start + 1, int(np.searchsorted(ends, before + PAIRS, "right")))
        rows = slice(start, stop)
        begin = ends[rows] - length[rows] - before
        row = np.repeat(np.arange(start, stop), length[rows])
        to = np.arange(len(row)) + np.repeat(other[rows] - begin, length[rows])
        cost[rows] = np.add.reduceat(table[code[row], code[to]] * weight[to], begin)
        start = stop
    return cost


def _next_best(data, segments, cost, which, attribute, taken, first_choice):
    """The best value of each of `which` segments that is none of `taken` (q, k), or -1."""
    at, whose, first = segments.of(which)
    code = segments.codes(at)
    free = np.ones(len(at), bool)
    for k in range(taken.shape[1]):
        free &= code != taken[:, k].take(whose)
    found = np.full(len(which), -1)
    some = np.logical_or.reduceat(free, first)
    is_line = data.on_line[attribute]
    if (mine := some & is_line).any():
        of = (code, segments.weights(at), whose, first)
        found[mine] = _beside(data, attribute, of, free, first_choice)[mine]
    if (mine := some & ~is_line).any():
        price = np.where(free, cost[at], np.inf)
        found[mine] = code[_cheapest(price, whose, first)][mine]
    return found


def _beside(data, attribute, of, free, median):
    """The free value next to the median, below or above, from which the class lies less far.

    The mean distance is convex along a line, so that no other value can be better.
    """
    code, weight, whose, first = of
    far, middle = 1 << 62, median.take(whose)
    below = np.maximum.reduceat(np.where(free & (code < middle), code, -1), first)
    above = np.minimum.reduceat(np.where(free & (code > middle), code, far), first)
    low, high = below >= 0, above < far
    number = data.numbers(attribute.take(whose), code)
    down, up = (
        _sums(weight, np.abs(number - data.numbers(attribute, x).take(whose)), first)
        for x in (np.where(low, below, median), np.where(high, above, median))
    )
    return np.where(low & (~high | (down <= up * (1 + TIE))), below, np.where(high, above, -1))


def _sums(weight, distance, first):
    return np.add.reduceat(distance if weight is None else weight * distance, first)
