"""The bounds that cuts of attributes with a sign set to P(second class) at the nodes below."""

import numpy as np

from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.growing.grow import Proposal
from ranktrees_engine.growing.tree import Tree


def bounds_of(tree: Tree, sign: Array, roots: Array | None = None) -> Array:
    """Return the bounds (T, 2) of P(second class) at each node, by the `sign` (A,) of attributes.

    `roots` (R, 2) are those of the roots, 0 and 1 if None. Raises ValueError for a test of such an
    attribute that is no cut.
    """
    signs = np.where(tree.is_leaf, 0, sign[tree.attribute])
    if len(several := np.flatnonzero((signs != 0) & (tree.cut < 0))):
        name = tree.schema[tree.attribute[several[0]]].name
        raise ValueError(f"monotonic: the tree does not cut {name!r:.60} in its order")
    share, bounds = share_of(tree.counts), np.tile([0.0, 1.0], (len(tree), 1))
    if roots is not None:
        bounds[tree.levels[0]] = roots
    left, middle = np.full(len(tree), -1), np.zeros(len(tree))
    cuts = np.flatnonzero(signs)
    left[cuts], right = (tree.child[tree.offset[cuts] + side] for side in (0, 1))
    middle[cuts] = (share[left[cuts]] + share[right]) / 2
    for level in tree.levels[1:]:
        up, node = tree.parent[level], np.arange(level.start, level.stop)
        within = middle[up].clip(*bounds[up].T)  # raised subtrees may go beyond
        bounds[level] = narrow(bounds[up], signs[up], left[up] == node, within)
    return bounds


def bounds_below(tests: Proposal, sign: Array, here: Array) -> Array:
    """Return the bounds (Q, 2) of all branches of the tests of nodes with bounds `here` (S, 2)."""
    signs, share = np.where(tests.attribute < 0, 0, sign[tests.attribute]), share_of(tests.counts)
    middle, cut = np.zeros(len(signs)), np.flatnonzero(signs)
    middle[cut] = (share[tests.start[cut]] + share[tests.start[cut] + 1]) / 2
    up = np.arange(len(signs)).repeat(tests.width)
    is_left = np.arange(len(up)) == tests.start[up]
    return narrow(here[up], signs[up], is_left, middle[up])


def narrow(bounds: Array, sign: Array, is_left: Array, middle: Array) -> Array:
    """Set one bound (K, 2) of nodes below cuts of a sign (K,) to the cut's `middle` (K,)."""
    cut = np.flatnonzero(sign)
    from_above = (sign > 0) == is_left
    bounds[cut, from_above[cut].astype(int)] = middle[cut]
    return bounds


def share_of(counts: Array) -> Array:
    """Return the share (...) of the second class in counts (..., 2), 0 without cases."""
    return counts[..., 1] / np.maximum(counts.sum(axis=-1), 1e-300)
