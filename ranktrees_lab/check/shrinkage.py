"""Checks of exercises on shrinkage and WPE."""

import numpy as np

from ranktrees.evaluate import repeated
from ranktrees.models import C45, NaiveBayes
from ranktrees_lab.check.answers import array, count, form, function, named_first, numbers
from ranktrees_lab.check.base import exercise, known_set, need, one_number, same, slip

MOST = 1000
ONE_ZERO = "A single node may have weight 0: refuse weights that are all 0 for a class."


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


@exercise("weights / weights.sum(axis=0), then the sum over axis 0 of weights * proba, normalised")
def mixture_function(answer):
    """A function (proba (K, C), weights (K, C)) -> (C,): Eq. 2, weights and result normalised."""
    rng = np.random.default_rng(6)
    proba, weights = rng.random((5, 3)), rng.integers(1, 9, (5, 3)).astype(float)
    mixed = (weights / weights.sum(axis=0) * proba).sum(axis=0)
    answer, shape = function(answer), "Three classes need three numbers, not the shape {shape}."
    result = array(answer(proba.copy(), weights.copy()), (3,), shape)
    wrong = (weights * proba).sum(axis=0)
    slips = [
        (mixed, "The mixture is right. Now divide it by its sum."),
        (wrong / wrong.sum(), "The weights sum to one for each class: weights.sum(axis=0)."),
    ]
    expected = mixed / mixed.sum()
    same(result, expected, slips, f"The first class should have {expected[0]:.3f}.")
    slip(not _refuses(answer, proba, np.diag([1.0, 1, 1, 1, 0]) @ weights), ONE_ZERO)
    for which, bad in {
        "all zero for a class": weights * [0, 1, 1],
        "negative": weights - 8,
    }.items():
        refused = _refuses(answer, proba, bad)
        slip(refused, f"Weights that are {which} should raise a ValueError.")
    return "It mixes class by class, and refuses weights that cannot sum to one."


def _refuses(mixture, proba, weights):
    try:
        mixture(proba, weights)
    except ValueError:
        return True
    return False


@exercise("the squared error is (1 - w)² 0.2² + w² 0.2165²: where is its derivative 0?")
def leaf_weight(answer):
    """The weight of a leaf of three cases, true share .5, against a root of .3: least error."""
    bias, spread = 0.2, 0.75**0.5 / 4
    best = bias**2 / (bias**2 + spread**2)
    slips = {
        1 - best: "That is the root's weight: the leaf's is the rest.",
        0.5: "Half of each is near, but the leaf's spread is a little larger than the root's bias.",
        bias / (bias + spread): "Square both: errors add up as bias² + spread².",
    }
    one_number(answer, best, "set the derivative of the squared error to 0", slips, tol=0.002)
    return "A little less than half: the leaf's spread (.217) is larger than the root's bias (.2)."


@exercise("the leaf's 3.5/7 over the sum of all five estimates of late, 1/40 among them")
def weight_without_removal(answer):
    """The weight for late of a leaf (3, 3) after a round of DIW in which no case is taken out."""
    late = np.array([1 / 40, 15.5 / 41, 13.5 / 24, 9.5 / 14, 3.5 / 7])
    right = late[-1] / late.sum()
    slips = {
        late[-1] / late[1:].sum(): "The uniform node, which gives 1/40, is one of them, too.",
        0.2: "All start with 1/5; after a round a node has its share of the mixture.",
        late[-1]: "That is the leaf's estimate: its weight is its share of the sum of all five.",
        late[-1] / (late[1:].sum() + 0.5): "Here the uniform node gives 1/40, not 1/2.",
        6.5 / 8 / (late[:-1].sum() + 6.5 / 8): "That is the leaf north; south has 3 and 3 trains.",
    }
    one_number(answer, right, "every case gives the leaf the same share", slips, tol=0.0009)
    return "Every case of the leaf gives the same shares, so one case is enough."


SPLIT_RULES = {
    "C4.5's leaves": {},
    "DIW": {"estimate": "shrinkage"},
    "uniform": {"estimate": "shrinkage", "estimate_params": {"weights": "uniform"}},
}
DUELS = ("DIW", "C4.5's leaves"), ("DIW", "uniform")
TOGETHER = {"WPE": {"estimate": "wpe"}, "shrinkage with WPE": {"estimate": "shrinkage+wpe"}}
WPE_DUELS = ("shrinkage with WPE", "WPE"), ("shrinkage with WPE", "naive Bayes")


SHOWN = ["credit-g", "breast-cancer", "diabetes", "glass", "vote", "ionosphere"]  # by lesson 11


@exercise('a tuple such as ("iris", 12, 8): set, wins over the leaves, wins over uniform weights')
def path_study(answer):
    """(set, k, k): in how many of 20 splits DIW's shrinkage ranks better than two others."""
    return _wins(answer, {rule: C45(**how) for rule, how in SPLIT_RULES.items()}, DUELS, SHOWN)


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
