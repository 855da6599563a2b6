"""NBTree: naive Bayes at the leaves, tests chosen by accuracy (Kohavi 1996)."""

import numpy as np

from ranktrees.plain.citree import DECIMALS, TIE, Search, grow, score
from ranktrees.plain.tree import Node


def accuracy(proba: np.ndarray, y: np.ndarray) -> float:
    """The share of cases whose most probable class, the first of equals, is right."""
    return float(np.mean(np.log(proba).round(DECIMALS).argmax(axis=1) == y))


def nbtree(s: Search, min_parent: int = 30, min_reduction: float = 0.05) -> Node:
    """A node of 30 cases or more is split if that takes a twentieth of its error or more."""

    def accept(rows: np.ndarray, path: list[int], best: float) -> bool:
        error = 1 - score(s, [(rows, path)], 0)
        is_better = error > 0 and 1 - best <= (1 - min_reduction) * error + TIE
        return len(rows) >= min_parent and is_better

    return grow(s._replace(score=accuracy), np.arange(len(s.y)), [], accept)
