"""Explore how a tree grows: the curve of an impurity, split after split, numbers in bins."""

import numpy as np

from ranktrees.basics.arguments import DATASET, as_list, check_like, check_number
from ranktrees_lab import plot
from ranktrees_lab.explore.base import Explorer, attribute_choice, case_slider, choice, numbers
from ranktrees_lab.plot.growth import LENSES
from ranktrees_lab.plot.inputs import check_known


def lens_explorer(node=(6, 6), branch=(5, 2), impurity: str = "entropy") -> Explorer:
    """An explorer of the splits in two of a node of two classes, on the curve of an impurity.

    `node` and `branch` are class counts, the second those of the first branch. Raises ValueError
    for a branch with cases that the node does not have, or an unknown impurity.
    """
    check_known("impurity", impurity, LENSES)
    (a, b), (most_a, most_b) = _two("branch", branch), _two("node", node)
    if not (0 <= a <= most_a and 0 <= b <= most_b):
        raise ValueError(f"the branch {branch} holds cases that the node {node} does not have")

    def draw(first, second, impurity):
        left = np.array([first, second])
        return plot.lens([left, np.array(node) - left], impurity), ""

    return Explorer(
        draw,
        first=numbers("first class", 0, most_a, 1, a),
        second=numbers("second class", 0, most_b, 1, b),
        impurity=choice("impurity", list(LENSES), impurity),
    )


def _two(what, counts):
    """Two class counts; TypeError or ValueError, naming `what`, for anything else."""
    counts = as_list(what, counts)
    if len(counts) != 2:
        raise ValueError(f"{what} must be two class counts, not {counts!r:.80}")
    for n in counts:
        check_number(what, n, 0, whole=True)
    return counts


def growing_explorer(model, data, case: int = 0) -> Explorer:
    """An explorer of a fitted tree's splits, one after the other, and of one case on its way down.

    `data` is a Dataset of at most 26 cases, by which the tree was grown or others.
    """
    check_like("a fitted model of one tree", model, "tree_", "encode")
    check_like(DATASET, data, "X", "y")
    most = int((~model.tree_.is_leaf).sum())

    def draw(splits, case):
        return plot.growing(model, data, splits, case), ""

    return Explorer(
        draw,
        splits=numbers("splits", 0, most, 1, 0),
        case=case_slider(len(data.X), case),
    )


def bins_explorer(data, attribute: str | None = None, n_bins: int = 5) -> Explorer:
    """An explorer of the bins of a data set's numbers; ValueError where it has none."""
    check_like(DATASET, data, "X", "y")
    check_number("n_bins", n_bins, 2, whole=True)
    names = [str(name) for name in data.X.select_dtypes("number")]
    if not names:
        raise ValueError("there is no numeric attribute to cut into bins")

    def draw(attribute, n_bins):
        return plot.bins(data, attribute, n_bins), ""

    return Explorer(
        draw,
        attribute=attribute_choice(names, attribute),
        n_bins=numbers("bins", 2, max(12, n_bins), 1, n_bins),
    )
