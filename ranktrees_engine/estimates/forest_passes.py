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
from ranktrees_engine.estimates.mixing import log_evidence, log_numerators, stops
from ranktrees_engine.estimates.path_factors import Part, PathFactors
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
        first, V = factors[e].counts.offsets[j], int(factors[e].counts.sizes[j])
        values = [first + np.arange(V)[some] for some in blocks(V, cells[e], room)]
        units += [Unit(j, e, k, values) for k in range(len(values))]
        n_bytes += [cells[e] * len(some) for some in values]
    return [units[some] for some in blocks(len(units), np.array(n_bytes), room)]


def parts_of(factors: PathFactors, j: int, values: list[Array]) -> Iterator[Part]:
    """Yield counts of some of the values of attribute j at a time, whose stops are made again.

    `factors` keep nothing of these, since an attribute of many nodes takes much room.
    """
    counts, tree, log_e, known = factors.counts, factors.tree, 0, 0
    for some in values:
        n = counts.count(some)
        log_e = log_e + log_numerators(n).sum(axis=1)
        known = known + n.sum(axis=1)
    log_e = log_evidence(log_e, known, counts.sizes[j]).sum(axis=1, keepdims=True)
    stop = stops(tree, log_e, factors.is_end[:, [j]])
    for some in values:
        n = n if len(values) == 1 else counts.count(some)
        yield Part(some, n, known[:, None], stop)


class Looked:
    """ln P(value | class) of a unit's values at the ends of the tree's paths.

    A training case is left out of the counts of its own class. If `in_parts`, cases may weigh less
    than 1, and then only this part of a case can be left out.
    """

    def __init__(self, factors: PathFactors, unit: Unit, in_parts: bool):
        parts = parts_of(factors, unit.j, unit.blocks)
        part = next(part for k, part in enumerate(parts) if k == unit.k)
        self.first = int(part.values[0] - factors.counts.offsets[unit.j])
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
    factors: Sequence[PathFactors], units: list[Unit], batches: Iterable, n_grids: int, in_parts
) -> Iterator[dict[int, np.ndarray]]:
    """Yield, per batch, sums {attribute: (m, C)} over the units of ln P(value | class).

    A batch is `known(g, j)`, the codes (m,) of attribute j in grid g, the ends {tree: (m,)}, the
    classes (m,) and weights (m,) or None. Tree e has the codes of grid e, e + 1 ... of `n_grids`.
    """
    looked = [Looked(factors[unit.e], unit, in_parts) for unit in units]
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
