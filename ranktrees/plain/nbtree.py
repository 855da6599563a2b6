"""NBTree: naive Bayes at the leaves, tests chosen by accuracy (Kohavi 1996).

root = nbtree(Search(X, y, sizes, C, place, score=accuracy))
leaf_naive_bayes(root, (X, y, sizes, C), X)          # what it says of cases; see `wpe.py`
"""

import numpy as np

from ranktrees.plain.citree import TIE, grow
from ranktrees.plain.citree_scores import Search, score
from ranktrees.plain.tree import Node


def nbtree(s: Search, min_parent: int = 30, min_reduction: float = 0.05) -> Node:
    """A node of 30 cases and more is split if that takes a twentieth of its error or more."""

    def accept(rows: np.ndarray, path: list[int], best: float) -> bool:
        error = 1 - score(s, [(rows, path)], 0)
        is_better = error > 0 and 1 - best <= (1 - min_reduction) * error + TIE
        return len(rows) >= min_parent and is_better

    return grow(s, np.arange(len(s.y)), [], accept)
