"""Checks of exercises on tests that judge methods, and on the papers' tables."""

import numpy as np

from ranktrees_lab.check.answers import number, one_name, table
from ranktrees_lab.check.base import exercise, one_number, slip

VERDICTS = "holds", "holds partly", "not shown", "does not hold"
JUDGED = {  # of the pages of verdicts; a test holds both alike
    "combination": "holds partly",
    "CITree": "holds",
    "Newton": "not shown",
}
MISJUDGED = {
    ("combination", "holds"): "Look for the pair whose p is above .05.",
    ("combination", "not shown"): "Seven of the eight pairs have a p below .05.",
    (
        "CITree",
        "holds partly",
    ): "There is one pair, it is shown, and 13 wins are not fewer than 10.",
    ("CITree", "not shown"): "p is below .05, and the honest wins are more than the printed ones.",
    ("Newton", "holds"): "The difference is as printed, but look at p, by both readings.",
    ("Newton", "holds partly"): "By neither reading is p below .05.",
}


@exercise("count the pairs whose p is below .05, then compare the sizes with the printed ones")
def judged(answer):
    """{"combination": ..., "CITree": ..., "Newton": ...}: the verdicts on three printed claims."""
    text = f"Give a dict with the keys {', '.join(JUDGED)}."
    for name, verdict in table(answer, JUDGED, text).items():
        yours = one_name(verdict, VERDICTS, f"{name}: Choose one of {', '.join(VERDICTS)}.")
        opposite = "That needs the opposite direction with p below .05: there is none."
        hint = opposite if yours == VERDICTS[-1] else MISJUDGED.get((name, yours), "")
        slip(yours == JUDGED[name], f"{name}: {hint}")
    return (
        "Against bagging on C4.4 the combination is not shown, and of some printed wins fewer than "
        "half are left. CITree wins on more sets than printed, and its one loss is no evidence. "
        "Newton trees have the printed difference, but it may be chance."
    )


# Cross-validation and tests


@exercise("leave one bad case out, then one good case: how many bad ones are among the 56 others?")
def pooled_share(answer):
    """The pooled AUC of leave-one-out for a model that says the others' share of positive cases."""
    slips = {
        0.5: "The scores are not all equal: which share does a bad case get, which a good one?",
        1: "Look which way round: with a bad case left out, are there more bad ones or fewer?",
        20 / 57: "That is the share of bad cases; asked is how the scores rank.",
    }
    one_number(answer, 0, "19/56 stands against 20/56 in every pair", slips)
    return "Each bad case gets 19/56, each good one 20/56: only the folds lose every pair."


@exercise("mean / sqrt(variance x (1/J + 1/4)), with a J beyond all bounds")
def corrected_limit(answer):
    """Where the corrected t of five folds goes as runs grow, at mean .04 and variance .001."""
    grows = "That is the plain t: in the corrected one n_test/n_train stays beside 1/J."
    slip(not np.isinf(number(answer)), grows)
    slips = {
        0.04 / (0.001 * (1 / 5 + 1 / 4)) ** 0.5: "That is one run, J = 5: let J grow.",
        0.04 / (0.001 / 5) ** 0.5: "That is the plain t of one run.",
        0.04 / (0.001 / 9) ** 0.5: "1/9 belongs to ten folds: with five, n_test/n_train is 1/4.",
        0.04 / 0.001**0.5: "1/J goes to 0, but 1/4 stays under the root.",
        0.04 / (0.001 / 4): "Take the root of the variance.",
    }
    one_number(answer, 0.04 / (0.001 / 4) ** 0.5, "only 1/4 of the bracket remains", slips)
    return "0.04 / sqrt(0.001 / 4) = 2.530: no number of runs makes it larger."


@exercise("2.569 x sqrt(4 x 5 / (6 N)) must be less than 0.8: solve for N and round up")
def sets_needed(answer):
    """The least number of data sets at which four methods 0.8 ranks apart can be distinguished."""
    exact = 2.569**2 * 4 * 5 / (6 * 0.8**2)
    slips = {
        exact: "There are no parts of data sets: round up.",
        int(exact): "With so many, the critical difference is still a little above 0.8: round up.",
        np.ceil(2.569 * (20 / 6) ** 0.5 / 0.8): "N stands under a root: square both sides.",
    }
    one_number(answer, np.ceil(exact), "N > (2.569 / 0.8)^2 x 20 / 6", slips)
    return "N > 34.4, so 35: about as many as the papers of this course have."
