"""Attraction: a mass m at distance d draws a case with m / d**2, and a tree predicts by it.

All functions have the K prototypes of a node on the first axis, from the heaviest class down.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.ties import TIE
from ranktrees_engine.newton.attributes import Attribute
from ranktrees_engine.newton.measured import distinct_values, line_numbers
from ranktrees_engine.newton.tree import PrototypeTree

SMALL = 1 << 10  # a tree of at most this many nodes is followed as a whole
NEGLIGIBLE = 1e-18  # a case of so small a probability is not followed further


def shares(distance, mass, exponent=2.0) -> np.ndarray:
    """Return each mass's share (K, ...) in the total attraction, at distances (K, ...).

    Each attracts by m / d**exponent (Martinez 2010, step 1). This is computed as m (d_min /
    d)**exponent, which cannot overflow. If d_min is 0, only masses at distance 0 have a share; if a
    value is missing (distances NaN), the masses alone decide.
    """
    with np.errstate(invalid="ignore"):
        pull = distance.min(axis=0) / distance
    pull[np.isnan(pull)] = 1  # 0 / 0, or a missing value
    pull = np.square(pull, out=pull) if exponent == 2 else pull**exponent
    pull *= mass
    pull /= pull.sum(axis=0)
    return pull


def nearest_slot(distance, mass=1.0, power=0.0) -> np.ndarray:
    """Return which (...) of K masses (K, ...) has the least distance (K, ...) / mass**power.

    Of several nearly equal ones it is the first. The power 1/2 finds the greatest m / d**2.
    """
    if power:
        distance = distance / mass**power
    near = distance.min(axis=0) * (1 + TIE)
    which = np.full(near.shape, len(distance) - 1)
    for k in range(len(distance) - 2, -1, -1):
        which = np.where(distance[k] <= near, k, which)
    return which


def crisp_shares(distance, mass, power=0.0) -> np.ndarray:
    """Return shares (K, ...): 1 for the `nearest_slot`; by the masses if a value is missing."""
    p, missing = only(nearest_slot(distance, mass, power), len(distance)), np.isnan(distance)
    return np.where(missing, shares(distance, mass), p) if missing.any() else p


def only(which, K: int) -> np.ndarray:
    """Return shares (K, ...): 1 for this one (...) of K, 0 for all others."""
    return (which == np.arange(K).reshape(-1, *[1] * which.ndim)).astype(float)


def all_shares(tree: PrototypeTree, attract: Callable, cases: slice) -> np.ndarray:
    """Return each node's share (T, m) among its siblings in the attraction of cases; 1 at the root.

    `attract(child (K, F), cases)` gives the shares (K, F, m) of F groups of K siblings.
    """
    p = np.ones((len(tree), cases.stop - cases.start))
    for _, child in tree.families(np.arange(len(tree))):
        p[child] = attract(child, cases)
    return p


def reaches(tree: PrototypeTree, attract: Callable, n: int) -> Iterator:
    """Yield nodes (q,), cases (m,) and the probability (q, m) that these cases reach these nodes.

    The probability is the product of the shares on the path from the root. In a tree of T > 1024
    nodes a case may be dropped at nodes that it reaches with a probability of at most 1e-18: all
    leaves together lose less than T * 1e-18.
    """
    if len(tree) > SMALL:
        for cases in blocks(n, 32):
            yield from _part_by_part(tree, attract, cases)
        return
    for cases in blocks(n, len(tree)):
        p = all_shares(tree, attract, cases)
        for level in tree.levels[1:]:
            p[level] *= p[tree.parent[level]]
        yield np.arange(len(tree)), cases, p


def _part_by_part(tree, attract, cases):
    """Yield what `reaches` yields, depth first, for a large tree."""
    root = np.zeros(1, np.intp), cases, np.ones((1, cases.stop - cases.start))
    yield root
    pending = [root]
    while pending:
        node, cases, reach = pending.pop()
        for parents, child in tree.families(node):
            p = attract(child, cases)
            p *= reach[parents]
            child, p = child.ravel(), p.reshape(child.size, -1)
            yield child, cases, p
            inner = (tree.n_children[child] > 0).nonzero()[0]
            for part in blocks(len(inner), 4 * p.shape[1]):
                pending.append((child[inner[part]], *_followed(cases, p[inner[part]])))


def _followed(cases, p):
    """Return cases and their probabilities (q, m), without the negligible ones if many are."""
    some = p.max(axis=0) > NEGLIGIBLE
    if 2 * np.count_nonzero(some) > len(some):
        return cases, p
    cases = np.arange(cases.start, cases.stop) if isinstance(cases, slice) else cases
    return cases[some], p[:, some]


def leaf_sums(reach: np.ndarray, estimate: np.ndarray) -> np.ndarray:
    """Average the leaves' estimates (q, C), weighted by `reach` (q, m), in fixed order: (C, m)."""
    return np.array([(column[:, None] * reach).sum(axis=0) for column in estimate.T])


class Attraction:
    """The attraction of cases, given as columns, by the prototypes of a tree's nodes.

    `share(distances, masses)` gives the shares (K, ...) of K siblings.
    """

    def __init__(self, tree: PrototypeTree, attributes: Sequence[Attribute], columns, share):
        self.tree, self.share = tree, share
        self.on_line = np.array([attribute.is_line for attribute in attributes])
        self.x = np.zeros((len(columns), len(columns[0].values)))
        self.code, self.width = self.x.astype(np.intp), np.zeros(len(columns), np.intp)
        self.number, self.row = np.zeros(len(tree)), np.zeros(len(tree), np.intp)
        tables, size = [np.zeros(0)], 0
        for a in np.unique(tree.tested[1:]).tolist():
            nodes, values = (tree.tested == a).nonzero()[0], tree.schema[a].values
            if self.on_line[a]:
                self.number[nodes] = attributes[a].numbers(values)[tree.prototype[nodes]]
                self.x[a] = line_numbers(attributes[a], columns[a])
                continue
            distinct, code = distinct_values(columns[a])
            table = np.full((len(values), len(distinct) + 1), np.nan)  # the last is for gaps
            table[:, :-1] = attributes[a].between(values, distinct)
            self.code[a] = np.where(code < 0, len(distinct), code)
            self.width[a] = table.shape[1]
            self.row[nodes] = size + tree.prototype[nodes] * table.shape[1]
            tables.append(table.ravel())
            size += table.size
        self.table = np.concatenate(tables)

    def __call__(self, child: np.ndarray, cases) -> np.ndarray:
        """Return shares (K, F, m) of F groups of K siblings (K, F) for cases, a slice or (m,)."""
        attribute = self.tree.tested[child[0]]
        on_line = self.on_line[attribute]
        if on_line.all():
            return self._on_lines(child, attribute, cases)
        if not on_line.any():
            return self._in_tables(child, attribute, cases)
        p = np.empty((*child.shape, self.x[0, cases].size))
        p[:, on_line] = self._on_lines(child[:, on_line], attribute[on_line], cases)
        p[:, ~on_line] = self._in_tables(child[:, ~on_line], attribute[~on_line], cases)
        return p

    def _on_lines(self, child, attribute, cases):
        far = _rows(self.x, attribute, cases) - self.number[child][..., None]
        return self.share(np.abs(far, out=far), self.tree.mass[child][..., None])

    def _in_tables(self, child, attribute, cases):
        """Tabulate distinct values, where they are fewer than the cases, and look these up."""
        code, width = _rows(self.code, attribute, cases), self.width[attribute].max()
        values = np.arange(width) if width < code.shape[1] else code
        far = self.table.take(self.row[child][..., None] + values, mode="clip")
        p = self.share(far, self.tree.mass[child][..., None])
        if values is code:
            return p
        return p.reshape(len(p), -1).take(code + width * np.arange(len(code))[:, None], axis=1)


def _rows(table, which, cases):
    """Return these rows of a table for some cases, a slice or (m,)."""
    return table[which, cases] if isinstance(cases, slice) else table[which[:, None], cases]
