"""Checks of exercises on splits (tables, cuts and criteria), and on ranking, AUC and chance."""

import numpy as np

from ranktrees.criteria.criteria import CRITERIA, gini, gini_gain
from ranktrees.criteria.split import cut_tables
from ranktrees.growing.count import tally
from ranktrees.reading.bins import exact
from ranktrees_lab.check.answers import array, count, form, function, names, number, table
from ranktrees_lab.check.base import (
    exercise,
    need,
    one_number,
    same,
    slip,
)

CHANCE = (1, 10, 100)
OURS = dict(CRITERIA)  # as they are now: a reader adds others


@exercise("how many of the 1,000 cases have the class good?")
def always_good(answer):
    """The accuracy of saying `good` to everyone in credit-g."""
    from ranktrees_lab.data import load

    share = float((load("credit-g").y == "good").mean())
    hint = "accuracy is the share of cases predicted right, here the share of good ones"
    slips = {
        1 - share: "That is the share of wrong answers.",
        0.5: "The classes are not equally frequent: count them.",
    }
    one_number(answer, share, hint, slips)
    return f"{share:.2f}: any model must be measured against that."


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


@exercise("np.argsort(-score) lists the cases from the highest score down")
def reached_function(answer):
    """A function bad_reached(bad, score, k): how many of the k highest scores are bad cases."""
    answer, rng = function(answer), np.random.default_rng(0)
    for n, k in ((10, 3), (200, 40), (200, 200)):
        bad, score = rng.random(n) < 0.3, rng.random(n)
        reached = number(answer(bad, score, k))
        order = np.argsort(score)
        expected, lowest = int(bad[order[-k:]].sum()), int(bad[order[:k]].sum())
        text = f"Of {n} cases, {k} letters reach {expected} bad, not {reached:g}."
        sort = "You wrote to the lowest scores: sort from the highest down."
        same(reached, expected, [(lowest, sort)], text)
    return "It counts the bad cases among the k that are ranked first."


@exercise("idxmax(axis=1) of both tables, then count the splits in which they are the same depth")
def same_depth(answer):
    """In how many of 20 splits accuracy and AUC choose the same of four depths, on credit-g."""
    from ranktrees.evaluate import repeated
    from ranktrees.models import DecisionTree
    from ranktrees_lab.data import load

    answer = number(answer, "The splits in which both choose the same depth: ")
    data, how = load("credit-g"), ("gini", "binary", "laplace")
    trees = {str(depth): DecisionTree(*how, max_depth=depth) for depth in (1, 2, 4, 8)}
    by_auc, by_accuracy = (repeated(trees, data, measure=m).table for m in ("auc", "accuracy"))
    agree = int((by_auc.idxmax(axis=1) == by_accuracy.idxmax(axis=1)).sum())
    equal = int((by_auc == by_accuracy).to_numpy().sum())
    slips = {
        len(by_auc) - agree: "Those are the splits in which they choose differently.",
        agree / len(by_auc): "That is the share: give the number of splits.",
        equal: "Compare the depths that are chosen, not the values: idxmax(axis=1).",
    }
    if answer not in slips:
        answer = count(answer, len(by_auc))
    one_number(answer, agree, "use the two tables as they are, and idxmax of each", slips)
    return f"In {agree} of {len(by_auc)}: if you need a ranking, choose by AUC."


@exercise("S_0 = 8 + 7 + 6, and the printed n_0 is the number of negative cases")
def printed_auc(answer):
    """What Su & Zhang's Eq. 1 (2004), as printed, gives for 3 positive cases above 5 negative."""
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


@exercise("for each m: the mean, over many repetitions, of the best of m AUCs of random scores")
def best_of_chance(answer):
    """The mean best AUC {m: value} of m rankings by chance of 50 positive and 50 negative cases."""
    answer = table(answer, CHANCE, f"Give a dict with the keys {', '.join(map(str, CHANCE))}.")
    for m, right in expected_best().items():
        value = number(answer[m], f"m = {m}, the mean over repetitions: ", share=True)
        form(0 <= value <= 1, f"m = {m}: an AUC lies between 0 and 1, not at {value:g}.")
        slips = [
            (0.5, f"m = {m}: {value:.3f} is their mean. Take the best each."),
            (1 - right, f"m = {m}: {value:.3f} is the worst of them."),
        ]
        text = f"m = {m}: {value:.3f} is far from the {right:.3f} of many repetitions. "
        text += "Repeat at least 200 times, with 50 cases of each class."
        same(value, right, slips, text, tol=0.015)
    return (
        f"No model knows anything, but the best of 100 has {value:.2f}: "
        "if you choose by the test cases, report on other cases."
    )


def expected_best(repetitions: int = 2000) -> dict[int, float]:
    """The mean of the best of m AUCs by chance; they scatter as a Mann-Whitney statistic does."""
    deviation = np.sqrt((50 + 50 + 1) / (12 * 50 * 50))
    rng = np.random.default_rng(0)
    return {
        m: 0.5 + deviation * float(rng.standard_normal((repetitions, m)).max(axis=1).mean())
        for m in CHANCE
    }


# Splits


@exercise("Gini of each branch is 1 - sum p^2; weigh them by their shares of the cases")
def gini_of_split(answer):
    """The weighted Gini index of the branches (6, 1) | (1, 2)."""
    table = np.array([[6, 1], [1, 2]])
    each, share = gini(table), table.sum(axis=1) / table.sum()
    expected = float((share * each).sum())
    slips = {
        float(each.mean()): "You took the plain mean: weigh the branches by 7/10 and 3/10.",
        float(gini_gain(table)): "That is the gain, the drop from the node's 0.42.",
        float((share[::-1] * each).sum()): "The weights are swapped: 7/10 goes with the first.",
        float(each.sum()): "That is the sum of the two: weigh them by 7/10 and 3/10.",
    }
    one_number(answer, expected, "1 - (6/7)^2 - (1/7)^2 = 0.245 for the first", slips)
    return f"7/10 x {each[0]:.3f} + 3/10 x {each[1]:.3f} = {expected:.3f}."


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


@exercise("rt.criteria.gini_gain on all cut tables at once, then argmax")
def best_cut(answer):
    """The income at which the ten tax payers are best cut by Gini gain."""
    from ranktrees_lab.data import load

    data = load("tax-payers")
    income = data.X.select_dtypes("number").iloc[:, 0].to_numpy()
    values, code = np.unique(income, return_inverse=True)
    gains, value = (
        gini_gain(cut_tables(tally((len(values), 2), code, data.y.codes))),
        number(answer),
    )
    best = int(gains.argmax())
    here = gini_gain(tally((2, 2), (income > value).astype(int), data.y.codes))
    possible = f"{gains[best]:.3f} is possible"
    text = f"A cut at {value:g} gains {float(here):.3f}; {possible}."
    need(values[best] <= value < values[best + 1], text)
    return f"{exact(values)[best]:g} thousand, with a gain of {gains[best]:.3f}."


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
