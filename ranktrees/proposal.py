"""What a proposer answers, and what a test's outcomes are."""

from typing import NamedTuple

import numpy as np


class Proposal(NamedTuple):
    """What each of S open nodes tests, and where the outcomes of the test lead.

    `attribute` (S,), -1 for a leaf. The outcome of a test is the attribute's code or, where `cut`
    (S,) is not -1, 0 for codes up to the cut and 1 above; None: no cuts. `branch` (S, V) gives each
    outcome its branch, -1 for none; None: each outcome is a branch of its own.

    Where a test is not of codes, `outcome` (m,) has that of each case, below `width` (S,), the
    number of outcomes of each node. -1 is a missing value, for cases that have a weight: the case
    goes down every branch, with as much of its weight as the branch has of that of all others.
    """

    attribute: np.ndarray
    cut: np.ndarray | None = None
    branch: np.ndarray | None = None
    outcome: np.ndarray | None = None
    width: np.ndarray | None = None

    def only(self, nodes: np.ndarray, cases: np.ndarray) -> "Proposal":
        """What is said of these nodes, a mask (S,), and of the cases in them, a mask (m,)."""
        mine = {"outcome": cases}
        parts = zip(self._fields, self, strict=True)
        return Proposal(*(None if p is None else p[mine.get(name, nodes)] for name, p in parts))

    def outcomes(self, sizes: np.ndarray) -> np.ndarray:
        """Number of outcomes (S,) of each test, for attributes of so many codes (A,)."""
        if self.width is not None:
            return self.width
        if self.cut is None:
            return sizes[self.attribute]
        return n_outcomes(self.attribute, self.cut, sizes)


def outcome_of(code: np.ndarray, cut: np.ndarray) -> np.ndarray:
    """The outcome (m,) of tests on codes (m,): the code, or where there is a cut, code > cut."""
    return np.where(cut >= 0, code > cut, code)


def n_outcomes(attribute: np.ndarray, cut: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Number of outcomes (T,) of each node's test: none at a leaf, two at a cut."""
    return np.where(attribute < 0, 0, np.where(cut >= 0, 2, sizes[attribute]))
