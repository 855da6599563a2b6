"""Checks of exercises on splits (tables, cuts and criteria), and on ranking and AUC."""

import numpy as np

from ranktrees.criteria.criteria import CRITERIA
from ranktrees.evaluate import auc, auc_from_ranks, midranks, roc_curve
from ranktrees_lab.check.answers import array, form, function, names, number, numbers
from ranktrees_lab.check.base import (
    exercise,
    need,
    one_number,
    same,
    slip,
)

RANKED = np.array([0.9, 0.8, 0.5, 0.5, 0.2])  # of `rank_auc`
HITS = np.array([True, True, True, False, False])
LEAVES = np.array([[3, 1], [6, 2], [0, 4], [1, 3], [5, 5]])  # of `corners`: positive, negative
OURS = dict(CRITERIA)  # as they are now: a reader adds others


@exercise("the bad ones above all good ones, and all eleven below 1/2")
def perfect_and_lazy(answer):
    """Scores of five bad cases and six good ones: AUC 1, and nobody is called bad from 1/2 on."""
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
    """The AUC of the scores .9 .6 .6 (bad) against .8 .6 .3 .1 (good)."""
    wins, ties, pairs = 8, 2, 3 * 4
    slips = {
        wins / pairs: "You left out the ties: a tie counts one half.",
        (wins + ties) / pairs: "You counted a tie as a whole win: it counts one half.",
        wins + ties / 2: "Now divide by the number of pairs, 3 x 4.",
    }
    hint = "(wins + ties / 2) / pairs, with 3 x 4 pairs"
    one_number(answer, (wins + ties / 2) / pairs, hint, slips)
    return f"{wins} wins and {ties} ties of {pairs} pairs."


@exercise("rank from the lowest, equal scores share the mean rank; then (S - n(n + 1)/2) / (n m)")
def rank_auc(answer):
    """AUC by ranks of five cases, of which the first three are positive."""
    total, n, m = midranks(RANKED)[HITS].sum(), int(HITS.sum()), int((~HITS).sum())
    high, low = (np.argsort(np.argsort(x, kind="stable")) + 1 for x in (RANKED, RANKED[::-1]))
    expected = float(auc(HITS, RANKED))
    slips = {
        (total - m * (m + 1) / 2) / (n * m): "That takes n for the negatives: n(n + 1)/2 belongs "
        "to the cases whose ranks you summed, the three positive ones.",
        1 - expected: "You ranked from the top: the lowest score has rank 1.",
        total - n * (n + 1) / 2: f"Those are the pairs won. Divide by all of them, n m = {n * m}.",
        total / (n * m): "That is S / (n m): take away n(n + 1)/2, the least that S can be.",
        auc_from_ranks(high[HITS].sum(), n, m): "The two scores of 0.5 share rank 2.5.",
        auc_from_ranks(low[::-1][HITS].sum(), n, m): "The two scores of 0.5 share rank 2.5.",
    }
    one_number(answer, expected, "S is the sum of three ranks", slips)
    return f"S = {total:g}, so ({total:g} - {n * (n + 1) // 2}) / {n * m} = {expected:.3f}."


@exercise("one corner for each distinct score, and (0, 0) before the first")
def corners(answer):
    """Points of the ROC curve of five leaves with Laplace estimates, (0, 0) counted."""
    share = LEAVES[:, 0] / LEAVES.sum(axis=1)
    laplace = (LEAVES[:, 0] + 1) / (LEAVES.sum(axis=1) + 2)
    expected = len(np.unique(laplace)) + 1
    slips = {
        expected - 1: "You left out (0, 0), where nobody is called positive, or took two leaves "
        "for one: with Laplace, (3, 1) and (6, 2) differ.",
        expected + 1: "(1, 1) is the corner of the lowest score: count it once.",
        2: "Two points are the ends, (0, 0) and (1, 1): what about the scores between them?",
        3: "That would be a crisp tree: (0, 0), its one point, (1, 1).",
        len(np.unique(share)): "Those are the distinct shares: count (0, 0), and use Laplace.",
    }
    one_number(answer, expected, "five leaves; do any two score alike?", slips)
    scores = ", ".join(f"{s:.3f}" for s in sorted(laplace, reverse=True))
    return f"The scores are {scores}; by plain shares two leaves would be one corner."


@exercise("sum the areas of the trapezia: width times mean height, with np.diff")
def area_under(answer):
    """A function of rates (B + 1,), (B + 1,) that gives the area under the curve."""
    answer, rng = function(answer), np.random.default_rng(0)
    for _ in range(20):
        hits = rng.random(30) < 0.4
        score = np.round(rng.random(30) + 0.2 * hits, 1)
        fpr, tpr, _ = roc_curve(hits, score, True)
        area = number(answer(fpr, tpr), "Sum the trapezia: ")
        right, width = auc(hits, score, True), np.diff(fpr)
        slips = [
            (2 * right, "That is twice the area: the mean height is half of the sum."),
            ((width * tpr[1:]).sum(), "You took each step at its right end, so a tie counts 1."),
            ((width * tpr[:-1]).sum(), "You took each step at its left end, so a tie counts 0."),
            (1 - right, "That is the area above the curve: fpr runs along the x axis."),
        ]
        same(area, right, slips, f"On one curve you get {area:.4f}, but its AUC is {right:.4f}.")
    return "The same as the pairs, on twenty samples full of ties."


@exercise("try np.inf and each distinct score as threshold, and take the one of least cost")
def cheapest_threshold(answer):
    """A function cheapest(hits, score, miss): the score from which on calling costs least."""
    answer, rng = function(answer), np.random.default_rng(0)
    for miss in (1, 0.2, 4, 50):
        hits = rng.random(40) < 0.3
        score = np.round(0.7 * rng.random(40) + 0.3 * hits, 1)
        yours = number(answer(hits, score, miss), "The score from which on cases are positive: ")
        tried = np.append(np.inf, np.unique(score))
        costs = [threshold_cost(hits, score, t, miss) for t in tried]
        swapped = [threshold_cost(hits, score, t, 1 / miss) for t in tried]
        text = f"With miss = {miss} you call from {yours:g} on, at a cost of "
        text += f"{threshold_cost(hits, score, yours, miss):g}; {min(costs):g} is possible. "
        right = threshold_cost(hits, score, yours, miss) <= min(costs) + 1e-9
        for wrong, why in (
            (tried[1:][np.argmin(costs[1:])], "There nobody should be called: try np.inf, too."),
            (min(costs), "Did you return the cost? Return its threshold."),
            (tried[np.argmin(swapped)], "Which error costs `miss`? A positive case below it."),
            (tried[np.argmax(costs)], "That one costs most."),
        ):
            slip(right or yours != wrong, text + why)
        need(right, text)
    return "It is cheapest on four samples, whatever a miss costs."


def threshold_cost(hits, score, threshold, miss) -> float:
    """What it costs to call cases (n,) positive from a score on: a false alarm costs 1."""
    called = score >= threshold
    return float((~hits & called).sum() + miss * (hits & ~called).sum())


# Splits


@exercise('a list of three names: "multiway", "sports,luxury", "sports"')
def cartype_order(answer):
    """The three splits of CarType, the best (smallest Gini index) first."""
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
    """A function of a table (..., V, C) that keeps the criteria's contract."""
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
