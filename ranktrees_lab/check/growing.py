"""Checks of exercises on growing a tree: gains, a way down, bins, when to stop."""

import numpy as np

from ranktrees.criteria.criteria import gini, gini_gain
from ranktrees_lab.check.answers import numbers, one_name, table
from ranktrees_lab.check.base import exercise, judge_measured, need, one_number, slip

REFUND = np.array([[3, 0], [4, 3]])  # of the ten tax payers: yes and no, by class No and Yes
ELEVENTH = {"Ann": "No", "Ben": "Yes", "Cem": "No"}
LEAST = (1, 5, 20, 80)


@exercise("7/10 No and 3/10 Yes before; after it 3 of 10 cases are pure, 7 have (4, 3)")
def refund_gain(answer):
    """Gini gain of Refund at the root of the ten tax payers: .42 - .7 * .490 = .077."""
    each, share = gini(REFUND), REFUND.sum(axis=1) / 10
    before, after = gini(REFUND.sum(axis=0)), float((share * each).sum())
    slips = {
        after: "That is the impurity after the split: take it from the .42 before.",
        float(
            before - each.mean()
        ): "You took the plain mean: weigh the branches by 3/10 and 7/10.",
        float(before): "That is the node before the split.",
        0.5 - after: "The node is not (5, 5): it has 7 No and 3 Yes.",
    }
    one_number(answer, float(gini_gain(REFUND)), "before less after", slips, tol=0.002)
    return f"{before:.2f} - (3/10 x 0 + 7/10 x {each[1]:.3f}) = {gini_gain(REFUND):.3f}."


@exercise('a dict such as {"Ann": "Yes", "Ben": ..., "Cem": ...}')
def followed_down(answer):
    """What the tree says of three new tax payers: No, Yes, No."""
    names = "Give a dict with the keys 'Ann', 'Ben' and 'Cem'."
    said = table(answer, ELEVENTH, names)
    said = {name: one_name(said[name], ("No", "Yes"), "Each is No or Yes.") for name in said}
    ann = "Ann is divorced and has no refund: her income decides, and 60 is at most 72.5."
    slip(said["Ann"] == ELEVENTH["Ann"], ann)
    ben = "Ben earns more than all three cheats do, but the tree asks only whether it is over 72.5."
    slip(said["Ben"] == ELEVENTH["Ben"], ben)
    slip(said["Cem"] == ELEVENTH["Cem"], "Cem is married: the first question decides.")
    return "Ben is called a cheat as well: the tree tests for no upper limit of income."


@exercise("a pair: half-way from least to largest, and half-way between the third and the fourth")
def two_bins(answer):
    """The cuts of 1, 2, 3, 10, 20, 30 into two bins of equal width and frequency: 15.5, 6.5."""
    pair = "Give a pair: (cut of equal width, cut of equal frequency)."
    width, frequency = numbers(answer, 2, pair)
    swapped = "These are the two cuts in the other order: equal width comes first."
    slip((width, frequency) != (6.5, 15.5), swapped)
    slip(width != 15, "Equal width: 15 is half of 30, but the numbers begin at 1.")
    need(width == 15.5, f"Equal width: from 1 to 30, half-way is not at {width:g}.")
    three = "Equal frequency: three cases below and three above, half-way between neighbours."
    need(frequency == 6.5, three)
    return "At 15.5 there are four cases and two; at 6.5 three and three."


@exercise(
    "rt.repeated({str(k): rt.DecisionTree(..., min_child=k) for k in ...}, data).table.mean()"
)
def stopping_study(answer):
    """A dict {min_child: mean AUC} over 20 halves of diabetes, binary trees by Gini."""
    study = table(answer, LEAST, f"Give a dict with the keys {', '.join(map(str, LEAST))}.")
    expected = measured_stopping()
    text = "min_child {key} has a mean AUC of {right}, you have {yours}. "
    how = 'Use criterion="gini", split="binary", numeric="thresholds", and rt.repeated as it is.'
    judge_measured(study, expected, text + how)
    best = max(expected, key=expected.get)
    return f"{best} ranks best on average. That was chosen by test cases: lesson 06."


def measured_stopping() -> dict[int, float]:
    """What the study gives, {min_child: mean AUC}."""
    from ranktrees.evaluate import repeated
    from ranktrees.models import DecisionTree
    from ranktrees_lab.data import load

    how = {"criterion": "gini", "split": "binary", "numeric": "thresholds"}
    models = {str(k): DecisionTree(**how, min_child=k) for k in LEAST}
    mean = repeated(models, load("diabetes")).table.mean()
    return {k: float(mean[str(k)]) for k in LEAST}
