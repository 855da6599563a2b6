"""A path forest's factors for training cases that come in batches: an attribute of some trees each.

The tables of all factors along all paths are larger than the cases. Those of one attribute, or of
some of its values, are made for as many trees as fit, used for all cases, and forgotten. What they
add to each case is summed up outside, and then each of Newton's steps reads these sums.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.logarithms import log
from ranktrees_engine.estimates.factor_parts import Part, stops_in_blocks, values_in_blocks
from ranktrees_engine.estimates.path_factors import PathFactors
from ranktrees_engine.estimates.path_forest import TREES
from ranktrees_engine.estimates.path_weights import LeftOut, log_prior
from ranktrees_engine.growing.tree import Tree

BYTES = 64  # of a cell, while the tables of a factor are made


class Unit(NamedTuple):
    """The k-th of the `blocks` of values of attribute j in tree e: all are needed for its stops."""

    j: int
    e: int
    k: int
    blocks: list[np.ndarray]


def units_of(factors: Sequence[PathFactors], room: int) -> list[list[Unit]]:
    """Return groups of units, attribute by attribute, whose tables take at most `room` bytes.

    A single value may take more: as many as its tree has nodes.
    """
    cells = [BYTES * one.tree.counts.size for one in factors]
    units, n_bytes = [], []
    for j, e in np.ndindex(len(factors[0].counts.sizes), len(factors)):
        values = values_in_blocks(factors[e].counts, j, room // BYTES)
        units += [Unit(j, e, k, values) for k in range(len(values))]
        n_bytes += [cells[e] * len(some) for some in values]
    return [units[some] for some in blocks(len(units), np.array(n_bytes), room)]


class Parts:
    """Counts of units, in their order: what all blocks of an attribute need is counted once."""

    def __init__(self, factors: Sequence[PathFactors]):
        self.factors, self.last = factors, None

    def of(self, unit: Unit) -> Part:
        """Return the counts of a unit."""
        one, n, which = self.factors[unit.e], None, (unit.j, unit.e)
        if self.last is None or self.last[0] != which:
            n, *rest = stops_in_blocks(one.counts, one.settled, unit.j, unit.blocks)
            self.last = which, *rest
        _, known, stop = self.last
        values = unit.blocks[unit.k]
        if n is None or len(unit.blocks) > 1:
            n = one.counts.count(values)
        return Part(values, n, known[:, None], stop)


class Looked:
    """ln P(value | class) of a unit's values at the ends of the tree's paths.

    A training case is left out of the counts of its own class. If `in_parts`, cases may weigh less
    than 1, and then only this part of a case can be left out.
    """

    def __init__(self, factors: PathFactors, j: int, part: Part, in_parts: bool):
        self.first = int(part.values[0] - factors.counts.offsets[j])
        self.n, self.log_p = len(part.values), log(factors.table_of(part))
        self.part, self.factors = (part if in_parts else None), factors
        with np.errstate(invalid="ignore"):  # of cells that have no case
            self.left_out = None if in_parts else log(factors.table_of(part, 1)).ravel()

    def add_to(self, sums: Array, x: Array, end: Array, y: Array, weight: Array | None) -> None:
        """Add to sums (m, C) for training cases of values x (m,), -1 if missing."""
        some = np.flatnonzero((x >= self.first) & (x < self.first + self.n))
        row, y = end[some].astype(np.intp) * self.n + (x[some] - self.first), y[some]
        log_f, cell = self.log_p.take(row, axis=0), row * sums.shape[1] + y
        if self.left_out is not None:
            own = self.left_out.take(cell)
        else:
            own = log(self.factors.shares_of(self.part, cell, np.minimum(weight[some], 1)))
        log_f[np.arange(len(some)), y] = own
        sums[some] += log_f


def factor_sums(
    parts: Parts, units: list[Unit], batches: Iterable, n_grids: int, in_parts: bool
) -> Iterator[dict[int, np.ndarray]]:
    """Yield, per batch, sums {attribute: (m, C)} over the units of ln P(value | class).

    A batch is `known(g, j)`, the codes (m,) of attribute j in grid g, the ends {tree: (m,)}, the
    classes (m,) and weights (m,) or None. Tree e has the codes of grid e, e + 1 ... of `n_grids`.
    """
    factors = parts.factors
    looked = [Looked(factors[unit.e], unit.j, parts.of(unit), in_parts) for unit in units]
    C = factors[0].tree.counts.shape[1]
    for known, ends, y, weight in batches:
        y, sums = y.astype(np.intp), {unit.j: np.zeros((len(y), C)) for unit in units}
        for unit, each in zip(units, looked, strict=True):
            x = known(unit.e % n_grids, unit.j)
            each.add_to(sums[unit.j], x, ends[unit.e], y, weight)
        yield sums


def left_out(
    trees: Sequence[Tree], log_t: Sequence[Array], ends: Sequence[Array], sums: Array, y, weight
) -> LeftOut:
    """Return the parts of the pool for m cases from sums (1 + A, m, C) of their factors.

    The first of the sums are replaced by the prior's. `log_t` (T, C) are the trees' estimates.
    """
    E = len(trees)
    fixed = sum(one[end] for one, end in zip(log_t, ends, strict=True)) * (TREES / E)
    sums[1:] /= E
    sums[0] = log_prior(trees[0])
    return LeftOut(fixed, sums, y.astype(np.intp), weight)
