"""Monotone constraints: tests that keep a sign, and the bounds that they set to what is below.

A constraint concerns P(second class) for two classes: with sign 1 it must not fall where the
attribute rises and all others stay the same, with -1 it must not rise. A constrained attribute is
only cut in its order, and only where the shares of the second class left and right of the cut obey
the sign and the bounds of the node. The middle of both shares then bounds all nodes below: those on
one side from above, those on the other from below. Two cases that differ in a constrained attribute
part at such a cut, if at all, so that it is enough if each node's estimate lies within its bounds:
it is moved there (`estimates.within`), since the shares below a split of another attribute may lie
outside. scikit-learn's `monotonic_cst` follows the same rules, and so grows the same trees.
"""

import copy
from collections.abc import Callable, Sequence
from numbers import Integral
from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.arguments import check_dict, shown
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.typos import nearest
from ranktrees_engine.criteria.split import threshold
from ranktrees_engine.growing.best import BestAttribute
from ranktrees_engine.growing.bounds import bounds_below, bounds_of, share_of
from ranktrees_engine.growing.grow import Proposal
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.reading.schema import AttributeInfo


def check_signs(what: str, value: object) -> None:
    """Raise TypeError or ValueError unless `value` is a dict {name: -1, 0 or 1}, or None."""
    if value is None:
        return
    check_dict(what, value, 'such as {"income": -1}')
    for name, sign in value.items():
        if not isinstance(sign, Integral) or isinstance(sign, bool) or sign not in (-1, 0, 1):
            raise ValueError(
                f"{what}: the sign of {name!r:.60} must be -1, 0 or 1, not {shown(sign):.60}"
            )


def signs_of(monotonic: dict, schema: Sequence[AttributeInfo], n_classes: int) -> Array:
    """Return the sign (A,) of each attribute, 0 for none.

    Raises ValueError, naming the attribute, for one that is unknown or without an order.
    """
    if n_classes != 2:
        raise ValueError(
            "monotonic is about the probability of the second of two classes, but y has "
            f"{n_classes}: put classes together, or leave it out"
        )
    names, sign = [info.name for info in schema], np.zeros(len(schema), int)
    for name, value in monotonic.items():
        if name not in names:
            raise ValueError(
                f"monotonic: no attribute is called {name!r:.60}; {nearest(name, names)}"
            )
        info = schema[names.index(name)]
        if value and not info.ordered:
            raise ValueError(
                f"monotonic: {name!r:.60} is nominal, so that its values have no order: give "
                "numbers, or pd.Categorical(values, categories, ordered=True)"
            )
        if value and info.missing:
            raise ValueError(
                f"monotonic: {name!r:.60} has missing values, which are neither small nor large: "
                'take missing="impute", or fill them in'
            )
        sign[names.index(name)] = value
    return sign


class Limits(NamedTuple):
    """What cuts of attributes of a `sign` (A,) must keep at nodes bounded by `bounds` (S, 2)."""

    sign: Array
    bounds: Array

    def keep(self, a: Array, s: Array, left: Array, right: Array) -> Array:
        """Return which cuts of attributes `a` at nodes `s` may be, by the shares of both sides."""
        sign, low, high = self.sign[a], self.bounds[s, 0], self.bounds[s, 1]
        inside = (np.minimum(left, right) >= low) & (np.maximum(left, right) <= high)
        return (sign == 0) | (inside & (sign * (right - left) >= 0))


class MonotoneAttribute(BestAttribute):
    """A proposer that cuts attributes of a `sign` (A,) only where this and the bounds allow it.

    It grows trees once; `roots` (R, 2) bounds their roots, or nothing does if it is None.
    """

    def __init__(self, sign: Array, *args, roots: Array | None = None, **how):
        super().__init__(*args, **how)
        self.sign, self.roots = sign, roots
        self.below = roots  # bounds of the branches that the next level's nodes come from

    def __call__(self, rows, level) -> Proposal:
        """Propose the best test of each open node of a level that its bounds allow."""
        self.here = np.tile([0.0, 1.0], (len(level.counts), 1))
        if self.below is not None:
            self.here = self.below[level.branch]
        tests = super().__call__(rows, level)
        self.below = bounds_below(tests, self.sign, self.here)
        return tests

    def within(self, bounds: Array | None) -> "MonotoneAttribute":
        """Return a proposer for trees whose roots have these bounds (R, 2)."""
        other = copy.copy(self)
        other.roots = other.below = bounds
        return other

    def bounds_at(self, top: Tree, nodes: Array) -> Array:
        """Return the bounds (S, 2) of `nodes` (S,) of the tree that was grown."""
        return bounds_of(top, self.sign, self.roots)[nodes]

    def _cut_limits(self):
        return {"limits": Limits(self.sign[self.wide], self.here)}

    def _criterion_at(self, nodes, columns):
        limits = Limits(self.sign[columns], self.here[nodes])
        if not limits.sign.any():
            return self.criterion

        def bounded(tables):  # (S', A', V - 1, 2, 2)
            share = share_of(tables)
            s, a, _ = np.ogrid[tuple(map(slice, share.shape[:3]))]
            keep = limits.keep(a, s, share[..., 0], share[..., 1])
            return np.where(keep, self.criterion(tables), -np.inf)

        return bounded


def monotone_attribute(
    sets,
    n_classes: int,
    wide: int = 0,
    *,
    monotonic: dict,
    kind: Callable,
    criterion: str,
    **limits,
) -> MonotoneAttribute:
    """Make a proposer as `best_attribute` does, which keeps the signs {name: -1, 0 or 1}."""
    schema = sets.each[0].schema
    sign = signs_of(monotonic, schema, n_classes)
    kinds = [threshold if sign[a] else kind(info) for a, info in enumerate(schema)]
    return MonotoneAttribute(sign, sets.sizes, sets.n_cases, kinds, criterion, wide=wide, **limits)
