"""Explore how a tree grows: an impurity's curve, splits, cases that fall, numbers in bins."""

from collections.abc import Sequence
from itertools import product

import numpy as np

from ranktrees_engine.basics.arguments import DATASET, as_list, check_like, check_number
from ranktrees_engine.basics.kinds import Dataset
from ranktrees_engine.estimates import estimate_names
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_lab import plot
from ranktrees_lab.explore.base import Explorer
from ranktrees_lab.explore.controls import case_slider, choice, named_choice, numbers
from ranktrees_lab.plot.growth import LENSES

# Which pairs of values a, b are of the second class, and how the two are called
RULES = {
    "a and b differ": (lambda a, b: a != b, ("even", "odd")),
    "a and b are both 1": (lambda a, b: a and b, ("no", "yes")),
    "a is 1": (lambda a, b: a, ("no", "yes")),
}


def lens_explorer(
    node: Sequence[int] = (6, 6), branch: Sequence[int] = (5, 2), impurity: str = "entropy"
) -> Explorer:
    """Explore the binary splits of a node of two classes, on the curve of an impurity.

    `node` has the node's class counts, `branch` those of the first branch. Raises ValueError for a
    branch with cases that the node does not have, or an unknown impurity.
    """
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
        impurity=named_choice("impurity", LENSES, impurity),
    )


def _two(what, counts):
    """Return two class counts; TypeError or ValueError, naming `what`, for anything else."""
    counts = as_list(what, counts)
    if len(counts) != 2:
        raise ValueError(f"{what} must be two class counts, not {counts!r:.80}")
    for n in counts:
        check_number(what, n, 0, whole=True)
    return counts


def growing_explorer(model: GrownTree, data: Dataset, case: int = 0) -> Explorer:
    """Explore a fitted tree's splits, one after the other, and one case's path.

    `data` is a Dataset of at most 26 cases, from its training or others. It opens with all splits
    made.
    """
    check_like("a fitted model of one tree", model, "tree_", "encode")
    check_like(DATASET, data, "X", "y")
    most = int((~model.tree_.is_leaf).sum())

    def draw(splits, case):
        return plot.growing(model, data, splits, case), ""

    return Explorer(
        draw, splits=numbers("splits", 0, most, 1, most), case=case_slider(len(data.X), case)
    )


def falling_cases_explorer(
    model: GrownTree, data: Dataset, positive: str | None = None
) -> Explorer:
    """Explore cases that fall through a fitted tree, level by level, and become a ranking.

    `data` is a Dataset of at most 120 cases; `positive` the class whose probability is their score
    (default: the first). The estimate is a control: it changes the scores, but not the ties.
    """
    check_like("a fitted model of one tree", model, "tree_", "with_estimate")
    known = estimate_names("counts")
    first = model.estimate if model.estimate in known else "frequency"

    def draw(level, estimate):
        return plot.falling_cases(model.with_estimate(estimate), data, level, positive), ""

    return Explorer(
        draw,
        level=numbers("levels", 0, model.tree_.depth, 1, 0),
        estimate=choice("estimate", known, first),
    )


def bins_explorer(data: Dataset, attribute: str | None = None, n_bins: int = 5) -> Explorer:
    """Explore the bins of a data set's numbers; ValueError if it has none."""
    check_like(DATASET, data, "X", "y")
    check_number("n_bins", n_bins, 2, whole=True)
    names = [str(name) for name in data.X.select_dtypes("number")]
    if not names:
        raise ValueError("there is no numeric attribute to cut into bins")

    def draw(attribute, n_bins):
        return plot.bins(data, attribute, n_bins), ""

    return Explorer(
        draw,
        attribute=named_choice("attribute", names, attribute, none=True),
        n_bins=numbers("bins", 2, max(12, n_bins), 1, n_bins),
    )


def separable_explorer(rule: str = "a and b differ") -> Explorer:
    """Explore naive Bayes on all cases and in two branches: where it takes a split.

    Each of the four pairs of values of a and b stands in the table two to six times; the class is
    by a `rule`, but for some copies that have the other one. Raises ValueError for another rule.
    """

    def draw(rule, split, copies, wrong):
        is_second, classes = RULES[rule]
        n = np.zeros((2, 2, 2), int)
        for a, b in product((0, 1), repeat=2):
            second = int(is_second(a, b))
            n[a, b, second], n[a, b, 1 - second] = copies - wrong, wrong
        picture = plot.separable(n, split, classes)
        but = f", but for {wrong} of the {copies} copies of each pair" * bool(wrong)
        picture.alt = f"The class is {classes[1]} where {rule}{but}. {picture.alt}"
        return picture, ""

    def wrong(now):
        return numbers("of the other class", 0, now["copies"] // 2, 1, 0, follows=("copies",))

    return Explorer(
        draw,
        rule=named_choice("rule", RULES, rule),
        split=choice("branches of", ["a", "b"], "a"),
        copies=numbers("copies", 2, 6, 1, 2),
        wrong=wrong,
    )
