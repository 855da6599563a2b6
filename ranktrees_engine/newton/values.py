"""The values of each class in an attribute: how often each one occurs, and its cost.

The cost of a value is the sum of its distances from all cases of the class. The three kinds of
attributes (lines, names, tables of distances) differ only in their distances and costs.
"""

from functools import cached_property

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.places import places
from ranktrees_engine.basics.ties import TIE, first_of_each
from ranktrees_engine.newton.measured import Measured


class Runs:
    """The distinct values of each segment, in their order: `segment`, `code`, `weight` (q,).

    A segment is the values of one class of one node in one attribute. Segments are numbered
    attribute by attribute, `n_places` each. The G segments with values begin at `first` (G,), where
    `begins` (q,) is true.
    """

    def __init__(self, segment: np.ndarray, code: np.ndarray, weight: np.ndarray, n_places: int):
        self.segment, self.code, self.weight, self.n_places = segment, code, weight, n_places
        self.begins = np.append(True, segment[1:] != segment[:-1])[: len(segment)]
        self.first = self.begins.nonzero()[0]

    @cached_property
    def group(self) -> np.ndarray:
        """Index (q,), among the segments that have values, of each run's segment."""
        return self.begins.cumsum() - 1

    @classmethod
    def of(cls, code, V: int, place, n_places: int, weight=None) -> "Runs":
        """Count the value codes (A, m) below V of cases in these places (m,) of each attribute.

        Codes of -1 are left out. If `weight` is None, every case has weight 1 and no code is -1.
        """
        size = len(code) * int(n_places) * int(V)
        key = code.astype(np.int32 if size < 1 << 31 else np.int64)
        key += place.astype(key.dtype) * V
        key += (np.arange(len(code), dtype=key.dtype) * (n_places * V))[:, None]
        if weight is None:
            key = key.ravel()
        else:
            known = code >= 0
            key, weight = key[known], np.broadcast_to(weight, code.shape)[known]
        if size <= 2 * len(key):  # few places: no need to sort
            amount = np.bincount(key, weight, size)
            key = amount.nonzero()[0]
            amount = amount[key]
        elif weight is None:
            key, amount = np.unique(key, return_counts=True)
        else:
            key, place = np.unique(key, return_inverse=True)
            amount = np.bincount(place, weight)
        segment = key // V
        return cls(places(segment), places(key - segment * V), amount, n_places)

    def only(self, segments: np.ndarray) -> "Runs":
        """Return the runs of these segments, a mask of all."""
        inside = segments[self.segment].nonzero()[0]
        return Runs(self.segment[inside], self.code[inside], self.weight[inside], self.n_places)

    def total(self, values: np.ndarray) -> np.ndarray:
        """Sum values (q,) over each segment: (G,)."""
        return np.add.reduceat(values, self.first)

    def cheapest(self, cost: np.ndarray) -> np.ndarray:
        """Return each segment's run (G,) of lowest cost (q,), the first of nearly equal ones."""
        least = np.minimum.reduceat(cost, self.first)
        return first_of_each(cost <= least[self.group] * (1 + TIE), self.first)


class Values:
    """The attributes `members` (A',) of a training set: `code` (A', n), below `V`, of its cases.

    Each kind has `distance(attribute, code, other)`: those (..., q) of values (q,) of attributes
    (q,) from others (..., q); and it picks the cheapest value of each segment, by its `cost` (q,).
    """

    def __init__(self, data: Measured, members: np.ndarray):
        self.members, self.code = members, data.code[members]
        self.V = int(data.sizes[members].max())

    def best(self, runs: Runs) -> np.ndarray:
        """Return the run of lowest cost in each segment (G,)."""
        return runs.cheapest(self.cost(runs))

    def choice(self, runs: Runs) -> np.ndarray:
        """Return the code of the cheapest value in every segment, -1 if the segment is empty."""
        code = np.full(len(self.members) * runs.n_places, -1)
        code[runs.segment[runs.first]] = runs.code[self.best(runs)]
        return code

    def next_best(self, runs: Runs, free: np.ndarray, taken: np.ndarray) -> np.ndarray:
        """Return the run of lowest cost (G,) among those that are free (q,), -1 if none is free."""
        cost = np.where(free, self.cost(runs), np.inf)
        run = runs.cheapest(cost)
        return np.where(cost[run] < np.inf, run, -1)


class Names(Values):
    """Attributes whose values are equal or not: the most frequent value is the cheapest."""

    def distance(self, attribute, code, other) -> np.ndarray:
        return (code != other).astype(float)

    def cost(self, runs: Runs) -> np.ndarray:
        return runs.total(runs.weight)[runs.group] - runs.weight


class Table(Values):
    """An attribute with a table of the distances between its values."""

    def __init__(self, data: Measured, members: np.ndarray):
        super().__init__(data, members)
        self.table = data.table[members[0]].astype(float)

    def distance(self, attribute, code, other) -> np.ndarray:
        return self.table[other, code]

    def cost(self, runs: Runs) -> np.ndarray:
        cost = np.empty(len(runs.code))
        for segment in np.split(np.arange(len(cost)), runs.first[1:]):
            code, weight = runs.code[segment], runs.weight[segment]
            for part in blocks(len(code), len(code)):
                cost[segment[part]] = (self.table[code[part, None], code] * weight).sum(axis=1)
        return cost


class Lines(Values):
    """Attributes whose values are numbers or ranks: the lower median is the cheapest."""

    def __init__(self, data: Measured, members: np.ndarray):
        super().__init__(data, members)
        lines = [data.line[a] for a in members]
        self.start = np.cumsum([0, *map(len, lines)])
        self.number = np.concatenate([*lines, np.zeros(1)])  # `take` needs at least one

    def distance(self, attribute, code, other) -> np.ndarray:
        start = self.start.take(attribute)
        far = self.number.take(start + other, mode="clip") - self.number.take(start + code)
        return np.abs(far, out=far)

    def best(self, runs: Runs) -> np.ndarray:
        """Return the lower median (G,): the first run to reach half the segment's weight."""
        upto = runs.weight.cumsum()
        before = upto[runs.first] - runs.weight[runs.first]
        return upto.searchsorted(before + runs.total(runs.weight) / 2 * (1 - TIE))

    def next_best(self, runs: Runs, free: np.ndarray, taken: np.ndarray) -> np.ndarray:
        """Return the cheaper (G,) of the free runs next to the median `taken` (G,), on both sides.

        The cost is convex along a line, so that no other run can be cheaper.
        """
        q, median = np.arange(len(free)), taken[runs.group]
        below = np.maximum.reduceat(np.where(free & (runs.code < median), q, -1), runs.first)
        above = np.minimum.reduceat(np.where(free & (runs.code > median), q, len(q)), runs.first)
        attribute = runs.segment // runs.n_places
        down, up = (
            runs.total(runs.weight * self.distance(attribute, runs.code, other))
            for other in (runs.code.take(run, mode="clip")[runs.group] for run in (below, above))
        )
        is_below = (below >= 0) & ((above == len(q)) | (down <= up * (1 + TIE)))
        return np.where(is_below, below, np.where(above < len(q), above, -1))


def values_of(data: Measured, cells: int) -> list[Values]:
    """Group all attributes of a training set (lines, names, each table) so as to fit in memory.

    `cells` is the number of cells that one attribute needs.
    """
    lines = np.array([line is not None for line in data.line])
    tables = np.array([table is not None for table in data.table])
    groups = [(Table, np.array([a])) for a in tables.nonzero()[0]]
    for kind, members in ((Lines, lines.nonzero()[0]), (Names, (~lines & ~tables).nonzero()[0])):
        groups += [(kind, members[part]) for part in blocks(len(members), cells)]
    return [kind(data, members) for kind, members in groups]
