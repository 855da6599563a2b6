"""Checks of exercises on shrinkage and WPE."""

import numpy as np

from ranktrees.evaluate import repeated
from ranktrees.models import C45
from ranktrees_lab.check.answers import array, count, form, function, named_first, names
from ranktrees_lab.check.base import exercise, known_set, need, one_number, same, slip

MOST = 1000
RIVALS = "C45-M", "C45-L", "C45-B", "C44-M", "C44-L", "C44-B"
NOT_BEATEN = {"C45-B", "C44-M", "C44-L", "C44-B"}
ONE_ZERO = "A single node may have weight 0: refuse weights that are all 0 for a class."


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
SHOWN = ["credit-g", "breast-cancer", "diabetes", "glass", "vote", "ionosphere"]  # by lesson 11


@exercise('a tuple such as ("iris", 12, 8): set, wins over the leaves, wins over uniform weights')
def path_study(answer):
    """(set, k, k): in how many of 20 splits DIW's shrinkage ranks better than two others."""
    return _wins(answer, {rule: C45(**how) for rule, how in SPLIT_RULES.items()}, DUELS, SHOWN)


@exercise('a set of names, such as {"C45-M", "C44-B"}; binomtest(16, 20).pvalue is .012')
def headline(answer):
    """Rivals that shrinkage with WPE is not shown to beat, by a sign test without ties."""
    answer = set(names(answer, RIVALS, f"Give a set with names among {', '.join(RIVALS)}."))
    need(
        answer, "The paper's sentence does not hold against all six. Begin with the closest count."
    )
    more = "C44-B wins more often than it loses. Can C be shown to beat it?"
    slip("C44-B" in answer, more)
    ten = "10 to 4 looks like much. A coin gives 14 throws so uneven in 18 of 100 trials."
    slip("C44-L" in answer, ten)
    wrong = sorted(answer - NOT_BEATEN)
    text = "{} wins {}: a coin does that in {} of 1,000 trials. So C is shown to be better."
    for rival, counts, trials in (("C45-M", "4 and loses 16", 12), ("C45-L", "3 and loses 12", 35)):
        slip(rival not in wrong, text.format(rival, counts, trials))
    need(answer >= NOT_BEATEN, "One or two are missing: 8 to 4 and 5 to 4 are what a coin does.")
    return (
        "Against M and L on C4.5 the headline holds. Against bagging, and against all three "
        "on C4.4, it is not shown. Wilcoxon's test, which also uses small differences, "
        "adds all but C44-B (lesson 13)."
    )


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
