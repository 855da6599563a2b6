"""Checks of exercises on shrinkage, WPE and leaks."""

import numpy as np

from ranktrees_lab.check.base import (
    MEAN_AUC,
    NotYet,
    as_asked,
    exercise,
    form,
    judge_measured,
    keyed,
    need,
    one_number,
    same,
)

STUDIED = ("frequency", "m-branch", "wpe", "shrinkage+wpe", "shrinkage+naive-bayes")
MOST = 1000
LEAK_WAYS = ("honest", "leaked")


@exercise(
    "five similarities first, plus 1 each; the two yes cases have 4 + 4, the no cases 2 + 3 + 2"
)
def wpe_by_hand(answer):
    """P(yes) at the node sunny of (sunny, cool, normal, TRUE): (8 + 1/2) / (15 + 1)."""
    slips = {
        6.5 / 11: "Each weight is sim + 1: a case that shares no value still has a say.",
        8 / 15: "Equation 6 adds 1/C above and 1 below the line.",
        9 / 17: "Equation 6 adds 1/C = 1/2 above and 1 below, not 1 and C.",
        2.5 / 6: "That is Equation 1, which counts cases. Weigh each case by its similarity + 1.",
        1 - 8.5 / 16: "That is the probability of no.",
    }
    one_number(answer, 8.5 / 16, "outlook agrees everywhere", slips, tol=0.0009)
    return "8.5 / 16: by counts alone (2.5 / 6) the node says no, by similar cases it says yes."


@exercise("[sum(pair[c] for pair in found) for c in (0, 1)] with the pairs that table.get(v) finds")
def look_up_function(answer):
    """A function (tables, case) -> [sum of class 0, sum of class 1] of similarities at a node."""
    rng = np.random.default_rng(12)
    for _ in range(20):
        rows, classes = rng.integers(0, 3, (8, 4)), rng.integers(0, 2, 8)
        case, tables = rng.integers(0, 4, 4), [{} for _ in range(4)]
        for row, c in zip(rows.tolist(), classes, strict=True):
            for table, value in zip(tables, row, strict=True):
                table.setdefault(value, [0, 0])[c] += 1
        right = [int((rows[classes == c] == case).sum()) for c in (0, 1)]
        sums = answer(tables, tuple(case.tolist()))
        if sums is ...:
            raise TypeError("ellipsis")  # untouched
        form(np.shape(sums) == (2,), "Give two numbers, one per class.")
        slips = [
            (right[::-1], "The other way round: first the class no."),
            (
                np.array(right) + np.bincount(classes, minlength=2),
                "That is the sum of sim + 1: the similarities alone are asked for.",
            ),
        ]
        text = f"On random tables you get {list(sums)}, but comparing the cases gives {right}."
        same(np.asarray(sums, float), np.array(right, float), slips, text)
    return "As many look-ups as attributes: no two cases were compared."


@exercise("the four similarities of the day with itself, plus 1, go to no: (10 + 5 + 1/2) / ...")
def own_vote(answer):
    """P(no) of (sunny, cool, high, TRUE), of class no, where it votes itself: 15.5 / 22."""
    slips = {
        14.5 / 21: "It agrees with itself in four attributes: its weight is 4 + 1.",
        13.5 / 20: "That is its class compared with the three of no. Here it votes, instead.",
        16.5 / 23: "With its class compared to itself, too, it would weigh 6. Here it is not.",
        10.5 / 17: "That is the honest number: the day itself does not vote in it.",
        10.5 / 22: "Its own weight belongs above the line, too, since its class is no.",
        1 - 15.5 / 22: "That is the probability of yes.",
    }
    one_number(answer, 15.5 / 22, "the votes were 10 and 6", slips, tol=0.0009)
    return "15.5 / 22: its own class gets five votes, more than any other case gives."


@exercise('a pair such as ("labor", {"honest": 0.5, "leaked": 0.6})')
def control_study(answer):
    """A pair (set, {"honest", "leaked"}): mean AUC of WPE on classes permuted with seed 1."""
    from ranktrees_lab.papers import label_leak, permuted

    name, study = answer
    study = keyed(study, LEAK_WAYS, 'The second part needs the keys "honest" and "leaked".')
    frame = label_leak(permuted(_small(name), 1))
    right = frame[frame["estimate"] == "wpe"][list(LEAK_WAYS)].mean()
    for way in LEAK_WAYS:
        as_asked(float(study[way]), right[way], 0.001, f"{way}: ")
    judge_measured(study, right.to_dict(), MEAN_AUC + "Ten folds of seed 1, estimate wpe.")
    return f"On {name} chance for the one, {right['leaked']:.3f} for the other."


@exercise("weights / weights.sum(axis=0), then the sum over axis 0 of weights * proba, normalised")
def mixture_function(answer):
    """A function (proba (K, C), weights (K, C)) -> (C,): Eq. 2, weights and result normalised."""
    rng = np.random.default_rng(6)
    proba, weights = rng.random((5, 3)), rng.integers(1, 9, (5, 3)).astype(float)
    mixed = (weights / weights.sum(axis=0) * proba).sum(axis=0)
    result = np.asarray(answer(proba, weights), float)
    form(
        result.shape == (3,), f"Three classes need three numbers, but the shape is {result.shape}."
    )
    wrong = (weights * proba).sum(axis=0)
    slips = [
        (mixed, "The mixture is right. Divide it by its sum at last."),
        (wrong / wrong.sum(), "The weights sum to one for each class: weights.sum(axis=0)."),
    ]
    expected = mixed / mixed.sum()
    same(result, expected, slips, f"The first class should have {expected[0]:.3f}.")
    for which, bad in {
        "all zero for a class": weights * [0, 1, 1],
        "negative": weights - 8,
    }.items():
        try:
            answer(proba, bad)
        except ValueError:
            continue
        raise NotYet(f"Weights that are {which} should raise a ValueError.")
    return "It mixes, class by class, and refuses weights that cannot sum to one."


@exercise("the squared error is (1 - w)² 0.2² + w² 0.2165²: where is its derivative 0?")
def leaf_weight(answer):
    """The weight of a leaf of three cases, true share .5, against a root of .3: least error."""
    bias, spread = 0.2, 0.75**0.5 / 4
    best = bias**2 / (bias**2 + spread**2)
    slips = {
        1 - best: "That is the root's weight: the leaf's is the rest.",
        0.5: "Half of each is near, but the leaf scatters a little more than the root is off.",
        bias / (bias + spread): "Square both: errors add up as bias² + spread².",
    }
    one_number(answer, best, "set the derivative of the squared error to 0", slips)
    return "A little less than half: the leaf's spread (.217) is larger than the root's bias (.2)."


@exercise("the leaf's 3.5/7 over the sum of all five estimates of late, 1/40 among them")
def weight_without_removal(answer):
    """The weight for late of a leaf (3, 3) after a round of DIW in which no case is taken out."""
    late = np.array([1 / 40, 15.5 / 41, 13.5 / 24, 9.5 / 14, 3.5 / 7])
    right = late[-1] / late.sum()
    slips = {
        late[-1] / late[1:].sum(): "The uniform node, which says 1/40, takes part, too.",
        0.2: "All start with 1/5; after a round a node has its share of the mixture.",
        late[-1]: "That is what the leaf says. Its weight is its share in what all five say.",
        late[-1] / (late[1:].sum() + 0.5): "Here the uniform node says 1/40, not 1/2.",
        6.5 / 8 / (late[:-1].sum() + 6.5 / 8): "That is the leaf north; south has 3 and 3 trains.",
    }
    one_number(answer, right, "every case gives the leaf the same share", slips, tol=0.0009)
    return "Every case of the leaf gives the same shares, so that one case tells the weights."


SPLIT_RULES = {
    "C4.5's leaves": {},
    "DIW": {"estimate": "shrinkage"},
    "uniform": {"estimate": "shrinkage", "estimate_params": {"weights": "uniform"}},
}
DUELS = ("DIW", "C4.5's leaves"), ("DIW", "uniform")


@exercise('a tuple such as ("iris", 12, 8): set, wins over the leaves, wins over uniform weights')
def path_study(answer):
    """(set, k, k): in how many of 20 splits DIW's shrinkage ranks better than two others."""
    from ranktrees.evaluate import repeated
    from ranktrees.models import C45

    name, *wins = answer
    form(len(wins) == 2, "Give three things: the set's name and two numbers of splits.")
    rules = {rule: C45(**how) for rule, how in SPLIT_RULES.items()}
    result = repeated(rules, _small(name))
    for (a, b), k in zip(DUELS, wins, strict=True):
        need(float(k) == result.wins(a, b), f"{result.in_k_of(a, b)}, not {k}.")
    return f"On {name} {result.in_k_of(*DUELS[0])}; {result.in_k_of(*DUELS[1])}."


def _small(name):
    """A set of at most `MOST` cases, prepared as in the papers."""
    from ranktrees.data import load
    from ranktrees.reading.encoder import prepare

    data = load(name)
    form(len(data) <= MOST, f"{name} has {len(data)} cases: choose a set of at most {MOST}.")
    return prepare(data, "papers")
