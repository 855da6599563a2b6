"""Use of a Newton tree: masses that attract a case, and the share of each among its siblings.

A child of mass m at distance d attracts a case with m / d**2. Its share p is taken relative to the
nearest sibling, m (d_min / d)**2: a softmax of ln m - 2 ln d with its maximum subtracted, without
logarithms. No number can overflow, and where d_min is 0 only siblings at distance 0 have a share.
"""

import numpy as np

from ranktrees.newton.tree import PrototypeTree


def shares(tree: PrototypeTree, distance: np.ndarray, exponent: float = 2.0) -> np.ndarray:
    """p (T, n) of each node among its siblings, 1 at the root, from distances (T, n).

    Where the value is missing, and distances are NaN, p is the share of the mass.
    """
    p = np.ones(distance.shape)
    if len(tree) > 1:
        pull = _relative(tree, distance[1:])
        pull = np.square(pull, out=pull) if exponent == 2 else pull**exponent
        pull *= tree.mass[1:, None]
        np.divide(pull, _of_group(tree, _reduce(np.add, tree, pull)), out=p[1:])
    return p


def crisp_shares(tree, distance, exponent=2.0, by_mass=False) -> np.ndarray:
    """1 for the nearest sibling (`by_mass`: the one that attracts most), 0 for all others.

    Of equal ones the first, which is the heaviest. Missing values go by the mass as in `shares`.
    """
    p = shares(tree, distance, exponent)
    if len(tree) == 1:
        return p
    near = p[1:] if by_mass else -distance[1:]
    most = _of_group(tree, _reduce(np.maximum, tree, near))
    place = np.where(near == most, np.arange(len(near))[:, None], len(near))
    first = _of_group(tree, _reduce(np.minimum, tree, place))
    winner = first == np.arange(len(near))[:, None]
    p[1:] = np.where(np.isnan(distance[1:]), p[1:], winner)
    return p


def reached(tree: PrototypeTree, p: np.ndarray) -> np.ndarray:
    """Probability (T, n) that a case comes to each node: the product of p on the way."""
    reach = np.empty_like(p)
    reach[0] = p[0]
    for level in tree.levels[1:]:
        np.multiply(p[level], reach.take(tree.parent[level], axis=0), out=reach[level])
    return reach


class Families:
    """Groups of siblings of a tree, their nodes `at` (q,) from the first on, for use as a tree.

    Shares hang on siblings alone, so that those of some nodes can be had without the others.
    """

    def __init__(self, tree: PrototypeTree, at: np.ndarray):
        self.siblings = np.flatnonzero(np.diff(tree.parent[at], prepend=-1))
        self.n_siblings = np.diff(self.siblings, append=len(at))
        self.mass = np.append(0.0, tree.mass[at])

    def __len__(self) -> int:
        return len(self.mass)


def walk(tree: PrototypeTree, p: np.ndarray) -> np.ndarray:
    """Leaf (n,) to which a case comes that takes the child of the largest p at every node."""
    at = np.zeros(p.shape[1], np.intp)
    if len(tree) == 1:
        return at
    most = _of_group(tree, _reduce(np.maximum, tree, p[1:]))
    best = p[1:] == most
    first_child = np.zeros(len(tree), np.intp)
    first_child[tree.parent[tree.siblings + 1]] = tree.siblings + 1
    place = np.where(best, np.arange(1, len(tree))[:, None], len(tree))
    group = np.cumsum(np.isin(np.arange(len(tree) - 1), tree.siblings)) - 1
    winner = _reduce(np.minimum, tree, place)
    columns = np.arange(p.shape[1])
    for _ in range(tree.depth):
        inner = tree.attribute[at] >= 0
        at = np.where(inner, winner[group[first_child[at] - 1], columns], at)
    return at


def _relative(tree, distance):
    """d_min / d (T - 1, n), with d_min the least of the siblings': 1 for the nearest, 0 / 0 too."""
    least = _of_group(tree, _reduce(np.minimum, tree, distance))
    with np.errstate(invalid="ignore"):
        pull = np.divide(least, distance, out=least)
    pull[np.isnan(pull)] = 1
    return pull


def _reduce(operation, tree, values):
    """What `reduceat` along the first axis gives for each group of siblings, sibling by sibling.

    Groups are small and rows are long, for which this is several times as fast.
    """
    sizes, first = tree.n_siblings, tree.siblings
    found, least = values.take(first, axis=0), int(sizes.min())
    for k in range(1, int(sizes.max())):
        if k < least:
            operation(found, values.take(first + k, axis=0), out=found)
        else:
            more = (sizes > k).nonzero()[0]
            found[more] = operation(found.take(more, axis=0), values.take(first[more] + k, axis=0))
    return found


def _of_group(tree, values):
    """Values (G, n) of each group of siblings, for each of its nodes (T - 1, n)."""
    return np.repeat(values, tree.n_siblings, axis=0)
