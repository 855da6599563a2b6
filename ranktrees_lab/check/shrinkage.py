"""Checks of exercises on shrinkage and WPE."""

import numpy as np

from ranktrees.evaluate import repeated
from ranktrees.models import C45, NaiveBayes
from ranktrees_lab.check.answers import count, form, function, named_first, numbers
from ranktrees_lab.check.base import exercise, known_set, need, one_number, same, slip

MOST = 1000


@exercise(
    "late trains: 4 of the week vote with 4 + 1, 2 of a weekend with 3 + 1; the one on time: 4 + 1"
)
def wpe_by_hand(answer):
    """P(late) at the leaf north of (foul, rush, north, week): (28 + 1/2) / (33 + 1)."""
    slips = {
        22.5 / 27: "Each vote is sim + 1: a case that shares no value still has a vote.",
        28 / 33: "Equation 6 adds 1/C to the numerator and 1 to the denominator.",
        28.5 / 35: "Equation 6 adds 1/C = 1/2 above and 1 below the line, not 1 and C.",
        6.5 / 8: "That is Equation 1, which counts cases. Weigh each case by its similarity + 1.",
        26.5 / 31: "That is the weekend train. Now the trains of the week agree in all four.",
        5.5 / 34: "That is the probability of on time.",
    }
    one_number(answer, 28.5 / 34, "all seven agree in the first three", slips, tol=0.0009)
    return "28.5 / 34: the train on time is of the week, too, and votes with 5."


@exercise("[sum(pair[c] for pair in found) for c in (0, 1)] with the pairs that table.get(v) finds")
def look_up_function(answer):
    """A function (tables, case) -> [sum of class 0, sum of class 1] of similarities at a node."""
    rng = np.random.default_rng(12)
    answer = function(answer)
    for _ in range(20):
        rows, classes = rng.integers(0, 3, (8, 4)), rng.integers(0, 2, 8)
        case, tables = rng.integers(0, 4, 4), [{} for _ in range(4)]
        for row, c in zip(rows.tolist(), classes, strict=True):
            for table, value in zip(tables, row, strict=True):
                table.setdefault(value, [0, 0])[c] += 1
        right = [int((rows[classes == c] == case).sum()) for c in (0, 1)]
        sums = numbers(answer(tables, tuple(case.tolist())), 2, "Give two numbers, one per class.")
        votes = np.array(right) + np.bincount(classes, minlength=2)
        slips = [
            (right[::-1], "The other way round: first late, then on time."),
            (votes, "That is the sum of sim + 1: the similarities alone are asked for."),
        ]
        text = f"On random tables you get {sums}, but comparing the cases gives {right}."
        same(np.asarray(sums, float), np.array(right, float), slips, text)
    return "As many look-ups as attributes: no two cases were compared."


@exercise("late: 4 votes of 3 + 1 + 1, one of 4 + 1 + 1, and of the south line 2 of 4, one of 5")
def wpe_in_training(answer):
    """P(late) at N3 of a late weekend train that is left out: (39 + 1/2) / (53 + 1)."""
    slips = {
        45.5 / 60: "x is still among the voters: take it out first.",
        31.5 / 46: "In training classes are compared, too: late trains agree in one thing more.",
        26.5 / 31: "That is the leaf's. Six trains of the south line vote as well.",
        31.5 / 42: "The vote is the similarity + 1.",
        36.5 / 51: "That is a new case's: in training x is left out, and classes are compared.",
        8.5 / 13: "That is Equation 1, which counts cases. Weigh each by its similarity + 1.",
        39 / 53: "Equation 6 adds 1/C above and 1 below the line.",
        14.5 / 54: "That is the probability of on time.",
    }
    one_number(answer, 39.5 / 54, "take x out, then vote by line and day", slips, tol=0.0009)
    return "39.5 / 54: in the wider node fewer are late, and it has twelve voters in place of six."


@exercise("take a late train out of the leaf's 6 and 1, and then the one that is on time")
def note_refuted(answer):
    """(step, number): Step 2 takes x out, so the leaf gives 5.5/7 and 6.5/7 for late."""
    step, different = numbers(answer, 2, "Give two numbers: the step, and how many estimates.")
    slip(step != 3, "Step 3 is where the note looks. What happened to the counts before it?")
    need(step == 2, "Which step changes the counts from which Step 3 estimates?")
    slip(different != 7, "Six of the seven trains are late, and without any of them 5 are left.")
    slip(different != 1, "Without a late train 5 of 6 are late. Without the one on time?")
    need(different == 2, "The leaf's estimate depends on the class of the train that is out.")
    return "Without a late train the leaf gives 5.5/7, without the one on time 6.5/7."


TOGETHER = {"WPE": {"estimate": "wpe"}, "shrinkage with WPE": {"estimate": "shrinkage+wpe"}}
WPE_DUELS = ("shrinkage with WPE", "WPE"), ("shrinkage with WPE", "naive Bayes")


SHOWN = ["credit-g", "breast-cancer", "diabetes", "glass", "vote", "ionosphere"]  # by lesson 11


@exercise('a tuple such as ("iris", 12, 8): set, wins over WPE alone, wins over naive Bayes')
def wpe_study(answer):
    """(set, k, k): in how many of 20 splits shrinkage with WPE ranks better than two others."""
    rules = {rule: C45(**how) for rule, how in TOGETHER.items()} | {"naive Bayes": NaiveBayes()}
    return _wins(answer, rules, WPE_DUELS, [*SHOWN, "labor"])


def _wins(answer, rules, duels, shown):
    """Judge (set, wins, wins) by 20 splits of a small set that the lesson has not shown."""
    from ranktrees.reading.encoder import prepare

    three = "Give three things: the set's name and two numbers of splits."
    name, wins = named_first(answer, three)
    form(isinstance(wins, list | tuple | np.ndarray) and len(wins) == 2, three)
    wins, data = [count(k, 20) for k in wins], known_set(name, MOST)
    form(data.name not in shown, f"{data.name} is measured above: choose another set.")
    result = repeated(rules, prepare(data, "papers"))
    for (a, b), k in zip(duels, wins, strict=True):
        swapped = f"{k} are the wins of {b} over {a}."
        slip(k == result.wins(a, b) or k != result.wins(b, a), swapped)
        need(k == result.wins(a, b), f"{result.in_k_of(a, b)}, not {k}.")
    return f"On {data.name} {result.in_k_of(*duels[0])}; {result.in_k_of(*duels[1])}."
