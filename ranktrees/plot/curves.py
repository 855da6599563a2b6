"""A ranking in blocks of equal scores, from which gains, ROC curve and AUC follow."""

from typing import NamedTuple

import numpy as np


class Blocks(NamedTuple):
    """Cases of equal score, highest first: `score`, positive and negative cases (B,)."""

    score: np.ndarray
    positive: np.ndarray
    negative: np.ndarray

    @classmethod
    def of(cls, hits: np.ndarray, score: np.ndarray) -> "Blocks":
        """The blocks of scores (n,) of cases that are positive or not (n,)."""
        levels, at = np.unique(-score, return_inverse=True)
        positive = np.bincount(at, hits, minlength=len(levels))
        return cls(-levels, positive, np.bincount(at, ~hits, minlength=len(levels)))

    @property
    def size(self) -> np.ndarray:
        """(B,) cases of each block."""
        return self.positive + self.negative

    @property
    def auc(self) -> float:
        """Share of pairs ranked right, a tie counting half."""
        below = self.negative.sum() - np.cumsum(self.negative) + self.negative / 2
        pairs = self.positive.sum() * self.negative.sum()
        return float((self.positive * below).sum() / pairs)

    @property
    def accuracy(self) -> float:
        """Share of cases on the right side of 0.5."""
        right = np.where(self.score > 0.5, self.positive, self.negative)
        return float(right.sum() / self.size.sum())

    def gains(self) -> tuple[np.ndarray, np.ndarray]:
        """Shares (B + 1,) of all cases and of the positive ones, from the top of the ranking."""
        return _running(self.size), _running(self.positive)

    def roc(self) -> tuple[np.ndarray, np.ndarray]:
        """False and true positive rates (B + 1,)."""
        return _running(self.negative), _running(self.positive)


def _running(n):
    return np.concatenate([[0.0], np.cumsum(n) / n.sum()])
