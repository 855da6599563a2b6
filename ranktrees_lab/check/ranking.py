"""Checks of exercises on splits (tables, cuts and criteria), and on ranking and AUC."""

import numpy as np

from ranktrees_engine.criteria.criteria import CRITERIA
from ranktrees_engine.evaluate import auc
from ranktrees_lab.check.answers import array, form, function, names, number, numbers
from ranktrees_lab.check.base import (
    exercise,
    need,
    one_number,
    slip,
)

OURS = dict(CRITERIA)  # as they are now: a reader adds others


@exercise("the bad ones above all good ones, and all eleven below 1/2")
def perfect_and_lazy(answer):
    """Check scores of five bad and six good cases: AUC 1, but nobody reaches the threshold 1/2."""
    text = "Give eleven scores from 0 to 1: those of five bad people, then those of six good ones."
    scores, bad = np.array(numbers(answer, 11, text)), np.arange(11) < 5
    form(scores.min() >= 0 and scores.max() <= 1, text)
    called, area = int((scores >= 0.5).sum()), float(auc(bad, scores))
    slip(area > 0, "The good ones stand first: the AUC of bad is 0.")
    slip(np.ptp(scores) > 0, "All scores are equal: every pair is a tie, and the AUC is 1/2.")
    slip(area == 1, f"The AUC is {area:.2f}: each bad one needs a higher score than each good one.")
    slip(not called, f"The order is perfect, but {called} of them are called bad, at 1/2 or more.")
    return "AUC 1, and the accuracy of the lazy model: accuracy asks on which side of 1/2 you are."


@exercise("list all pairs of one bad and one good case, and count wins and ties")
def pairs_by_hand(answer):
    """Check the AUC of the scores .9 .6 .6 (bad) against .8 .6 .3 .1 (good)."""
    wins, ties, pairs = 8, 2, 3 * 4
    slips = {
        wins / pairs: "You left out the ties: a tie counts one half.",
        (wins + ties) / pairs: "You counted a tie as a whole win: it counts one half.",
        wins + ties / 2: "Now divide by the number of pairs, 3 x 4.",
    }
    hint = "(wins + ties / 2) / pairs, with 3 x 4 pairs"
    one_number(answer, (wins + ties / 2) / pairs, hint, slips)
    return f"{wins} wins and {ties} ties of {pairs} pairs."


@exercise("S_0 = 8 + 7 + 6, and the printed n_0 is the number of negative cases")
def printed_auc(answer):
    """Check what Su & Zhang's Eq. 1 (2004), as printed, gives for 3 positive above 5 negative."""
    slips = {
        1: "That is the right AUC. What does the formula give, with n_0 = 5 negative cases?",
        0.6: "That is by how much it is too low: what does it give?",
        -0.6: "You ranked from the top: the highest of the 8 scores has rank 8.",
        6: "Divide by n_0 n_1 = 15.",
        21 / 15: "Subtract n_0 (n_0 + 1) / 2 from the sum of the ranks, 21.",
    }
    one_number(answer, 0.4, "which number is n_0?", slips)
    return (
        "(21 - 15) / 15 = 0.4, though every pair is ranked right. n_0 must be the number of the "
        "cases whose ranks are summed, the positive ones: (21 - 6) / 15 = 1."
    )


# Splits


@exercise('a list of three names: "multiway", "sports,luxury", "sports"')
def cartype_order(answer):
    """Check the order of the three splits of CarType, the best (smallest Gini index) first."""
    right = ["multiway", "sports,luxury", "sports"]
    known = f"Use these three names, each once: {', '.join(map(repr, right))}."
    order = names(answer, right, known)
    form(sorted(order) == sorted(right), known)
    tear = "Can the weighted Gini become larger if a branch is divided in two?"
    slip(order[0] == "multiway", tear)
    need(order == right, "Multiway is first; now compare how pure the larger branch is.")
    return "A further split never raises Gini, and Family is the purest branch to separate."


@exercise("tables come as (..., V, C): sum over axis -1 for branches, -2 for classes")
def criterion(answer):
    """Check a function of a table (..., V, C) that keeps the criteria's contract."""
    answer, tables = function(answer), np.random.default_rng(0).integers(0, 9, (20, 3, 2))
    batch = array(answer(tables), (20,), "20 tables must give shape (20,), but gave {shape}.")
    single = [number(answer(table)) for table in tables]
    slip(np.allclose(batch, single), "A batch must give what the tables give one by one.")
    more = np.concatenate([tables, np.zeros((20, 1, 2), int)], axis=1)
    empty = "An empty row (a value that no case has) must change nothing."
    slip(np.allclose(answer(more), batch), empty)
    row = abs(number(answer(np.array([[3, 4]]))))
    slip(row <= 1e-12, "A table with a single row splits nothing and must score 0.")
    pure, useless = (number(answer(np.array(n))) for n in ([[5, 0], [0, 5]], [[3, 3], [2, 2]]))
    larger = "A pure split must score more than a useless one: larger is better."
    slip(pure > useless + 1e-12, larger)
    saved = tables.max(axis=-1).sum(axis=-1) - tables.sum(axis=-2).max(axis=-1)
    cases = "Those are counts of cases: divide by all cases of the node."
    slip(not np.allclose(batch, saved), cases)
    two = tables[:, :2]  # some compare two branches only
    for name, ours in OURS.items():
        known = f"That is {name} of rt.CRITERIA: invent another one."
        slip(not np.allclose(answer(two), ours(two)), known)
    return "It keeps the contract: rt.CRITERIA can take it, and a tree grow by it."
