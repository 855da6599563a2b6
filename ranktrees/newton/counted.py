"""Splits by prototypes of nominal attributes, from counts of their values: no case is sorted.

A value's nearest prototype is itself if it is one, else the heaviest. So the counts of the values
in each class of a node are all that prototypes and tables hang on.
"""

import numpy as np

from ranktrees.newton.measured import Measured
from ranktrees.newton.prototypes import TIE, in_order

MOST = 32  # values of an attribute that is counted: all have tables as wide as the widest


class Counted:
    """The splits of nominal attributes `at` (A,) of few values; see `NearestPrototype`."""

    def __init__(self, data: Measured, at: np.ndarray):
        self.V = int(data.sizes[at].max())
        self.code = np.where(data.code[at] < 0, self.V, data.code[at])  # the last is for gaps
        self.width = self.V + bool((self.code == self.V).any())

    def __call__(self, cases, node, rank, mass, weight):
        """Prototypes' codes (A, S, K), tables (A, S, K, K), and which slot has which case."""
        S, K = mass.shape
        counts = self._count(cases, node * K + rank, S * K, weight).reshape(-1, S, K, self.width)
        known = counts[..., : self.V]
        code = _prototypes(known, mass, None if weight is None else TIE)
        tables = _tables(known, code, exact=weight is None)
        if self.width > self.V:
            tables = with_lost(tables, counts[:, :, None, :, self.V])

        def slots(at, attribute, chosen):
            return self._slots(chosen, node[at], self.code[attribute, cases[at]])

        return code, tables, slots

    def _count(self, cases, place, n_places, weight):
        """(A, n_places * width) how often each value stands in each place (m,)."""
        A, size = len(self.code), n_places * self.width
        cell = self.code.take(cases, axis=1)
        cell += place * self.width
        cell += np.arange(0, A * size, size)[:, None]
        if weight is not None:
            weight = np.broadcast_to(weight, cell.shape).ravel()
        return np.bincount(cell.ravel(), weight, minlength=A * size)

    def _slots(self, chosen, node, code):
        """The slot (q,) of cases with these codes in nodes of `chosen` prototypes (S, K).

        Other nodes may be split on other attributes, with codes that are none here.
        """
        to = np.zeros((len(chosen), self.V + 1), np.intp)
        for k in range(1, chosen.shape[1]):
            here = ((chosen[:, k] >= 0) & (chosen[:, k] < self.V)).nonzero()[0]
            to[here, chosen[here, k]] = k
        to[:, self.V] = -1
        return to[node, code]


def _prototypes(counts, mass, tie):
    """Codes (A, S, K) of the prototypes, -1 where none, from counts (A, S, K, V)."""
    total = counts.sum(axis=-1)
    best = np.where(total > 0, _most(counts, total, tie), -1)
    code, K = best.copy(), counts.shape[2]
    owner = np.broadcast_to(np.arange(K), code.shape).copy()
    for k in range(1, K):
        taken = (code[..., :k] == code[..., k, None]) & (code[..., k, None] >= 0)
        a, s = taken.any(axis=-1).nonzero()
        if len(a):
            free = counts[a, s, k]
            others = code[a, s, :k]
            q, j = (others >= 0).nonzero()
            free[q, others[q, j]] = 0
            any_left = free.any(axis=-1)
            code[a, s, k] = np.where(any_left, _most(free, total[a, s, k], tie), -1)
            owner[a, s, k] = np.where(any_left, k, taken[a, s].argmax(axis=-1))
    return in_order(code, best, owner, mass).code


def _most(counts, total, tie):
    """The first value (...) of most weight; in weights, costs that are equal but for rounding."""
    if tie is None:
        return counts.argmax(axis=-1)
    top = counts.max(axis=-1)
    return (counts >= (top - tie * (total - top))[..., None]).argmax(axis=-1)


def _tables(counts, code, exact):
    """(A, S, K, K) what each slot has of each class, from counts (A, S, K, V) of its values."""
    A, S, K, V = counts.shape
    rows = np.arange(0, counts.size, V).reshape(A, S, K, 1)
    own = counts.ravel().take(rows + np.maximum(code, 0)[:, :, None])
    own *= (code >= 0)[:, :, None]
    if exact:
        own[..., 0] += counts.sum(axis=-1) - own.sum(axis=-1)
    else:  # a difference of weights need not be 0 where it should be
        rest = counts.copy()
        a, s, k = (code >= 0).nonzero()
        rest[a, s, :, code[a, s, k]] = 0
        own[..., 0] += rest.sum(axis=-1)
    return own.swapaxes(-1, -2)


def with_lost(tables: np.ndarray, lost: np.ndarray) -> np.ndarray:
    """Tables (A, S, K, K) with the `lost` (A, S, 1, K), divided by the mass of the others."""
    rows = tables.sum(axis=-1, keepdims=True)
    total = rows.sum(axis=-2, keepdims=True)
    return tables + lost * np.divide(rows, total, out=np.zeros(rows.shape), where=total > 0)
