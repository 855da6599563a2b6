"""Checks of exercises on leaves' estimates along a path."""

import numpy as np

from ranktrees_lab.check.answers import table
from ranktrees_lab.check.base import exercise, judge_measured, one_number

SMOOTHED = (0, 1, 4, 16)  # m of m-branch


@exercise("0.300 at the root; each step is divided by 1 + 1 / (cases of the node it starts from)")
def shrunk_step_by_step(answer):
    """P(bad) by hierarchical shrinkage, lam = 10, on the path 21 of 70, 7 of 54, 3 of 5."""
    shares = 21 / 70, 7 / 54, 3 / 5

    def path(first, second):
        return shares[0] + (shares[1] - shares[0]) / first + (shares[2] - shares[1]) / second

    expected = path(1 + 10 / 70, 1 + 10 / 54)
    slips = {
        path(1 + 10 / 54, 1 + 10 / 5): "Each step is shrunk by the cases of the node in which it "
        "starts, the parent: 70 and 54, not 54 and 5.",
        path(1 + 1 / 70, 1 + 1 / 54): "lam is 10 here, not 1.",
        shares[2]: "That is the leaf's own share: shrink both steps.",
        path(1 + 10 / 70, np.inf): "One step is missing: from income to the leaf.",
    }
    one_number(answer, expected, "start at 0.3 and add two shrunk steps", slips)
    return f"0.300 - 0.170 / 1.143 + 0.470 / 1.185 = {expected:.3f}."


@exercise("rt.repeated({str(m): rt.C44(estimate='m-branch', estimate_params={'m': m})}, data)")
def branch_study(answer):
    """A dict {m: mean AUC} of C4.4's tree with m-branch on credit-g over 20 splits."""
    ask = f"The keys must be {', '.join(map(str, SMOOTHED))}."
    answer = table(answer, SMOOTHED, ask)
    from ranktrees.models import C44

    models = {m: C44(estimate="m-branch", estimate_params={"m": m}) for m in SMOOTHED}
    expected = _means(models, "credit-g", "auc")
    text = "m = {key} gives a mean AUC of {right}, you have {yours}. "
    judge_measured(answer, expected, text + "Use rt.C44, 20 splits (the default), and credit-g.")
    best = max(expected, key=expected.get)
    return f"m = {best} ranks best of these, with a mean AUC of {expected[best]:.3f}."


def _means(models, name, measure):
    """Mean of a measure over 20 splits, {key: value}; known splits are not measured again."""
    from ranktrees.evaluate import repeated
    from ranktrees_lab.data import load

    named = {str(key): model for key, model in models.items()}
    return dict(zip(models, repeated(named, load(name), measure=measure).table.mean(), strict=True))
