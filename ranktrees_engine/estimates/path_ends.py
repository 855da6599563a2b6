"""Training cases counted batch by batch, as files give them: by the nodes where paths end."""

import math
from collections.abc import Callable, Iterable

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.estimates.path_counts import known_codes, small_type
from ranktrees_engine.growing.count import offsets_of
from ranktrees_engine.growing.tree import Tree, sum_below


def count_ends(tree: Tree, passes: Callable[[], Iterable], budget: float = math.inf) -> np.ndarray:
    """Count cases (T, M, C) by the node at which their path ends, known value and class.

    They are for `PathCounts.of_ends`, in a small type. `passes()` yields batches: a `Codes`,
    classes (m,) and weights (m,), or None. It is called for each group of attributes whose tables
    take at most `budget` bytes while they are counted. Raises ValueError before the first pass if
    one attribute's table takes more, and if these are not the cases of the tree's counts.
    """
    (T, C), sizes = tree.counts.shape, np.array([info.size for info in tree.schema])
    n_bytes, offsets = 16 * T * C * sizes, offsets_of(sizes)  # the sums over subtrees are as many
    if n_bytes.max() > budget:
        info = tree.schema[n_bytes.argmax()]
        raise ValueError(
            f"budget: path Bayes counts {info.size:,} values of column {info.name!r} and {C} "
            f"classes at {T:,} nodes, which takes {n_bytes.max():,} bytes: give as many, or a "
            "larger min_child for fewer nodes"
        )
    ended = np.empty((T, int(offsets[-1]), C), small_type(tree.counts))
    for some in blocks(len(sizes), n_bytes, budget):
        values = slice(offsets[some.start], offsets[some.stop])
        ended[:, values] = _count_some(tree, passes(), some, offsets[some.start : some.stop + 1])
    return ended


def _count_some(tree, batches, some, offsets):
    """Count as `count_ends` some attributes, whose values begin at `offsets` (A' + 1,)."""
    (T, C), dtype = tree.counts.shape, tree.counts.dtype
    ended, table = np.zeros((T, C), dtype), np.zeros((T, offsets[-1] - offsets[0], C), dtype)
    for codes, y, weight in batches:
        end, weight = tree.apply(codes.values), np.ones(len(y), int) if weight is None else weight
        np.add.at(ended, (end, y), weight)
        X = known_codes(codes.values, codes.gaps)[:, some]
        for start, x in zip(offsets - offsets[0], X.T, strict=False):
            known = x >= 0
            np.add.at(table, (end[known], start + x[known], y[known]), weight[known])
    if not np.array_equal(sum_below(tree, ended), tree.counts):
        raise ValueError("these are not the cases on which the tree was grown: its counts differ")
    return table
