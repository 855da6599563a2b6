"""Checks of exercises on pruning, C4.4, CITree and Newton trees."""

import numpy as np

from ranktrees_lab.check.answers import array, function, names, one_name, table
from ranktrees_lab.check.base import (
    MEAN_AUC,
    exercise,
    judge_measured,
    need,
    one_number,
    same,
    slip,
)

TESTS = ("savings", "income", "owner")
CONFIDENCES = (0.5, 0.25, 0.1, 0.01)
SETS = ("tic-tac-toe", "monks-1", "credit-g", "diabetes", "balance-scale")
GAINING = {"tic-tac-toe", "monks-1"}
COLLIDING = {"punctual": "red", "late": "blue", "never": None}
STUDY = {"levenshtein": 0.984, "zero-one": 0.521, "length": 0.5}  # mean AUC over five folds


@exercise('a list of tests that become leaves, such as ["owner"]; add 1/2 for each leaf')
def pruned_tests(answer):
    """Which tests of the lesson's small tree go by Yang's rule, from the bottom up: owner alone."""
    gone = names(answer, TESTS, f"Give a list with names among {', '.join(map(repr, TESTS))}.")
    owner = "owner makes 3 + 1 errors with two leaves, 4 with one. Add the 1/2s."
    need("owner" in gone, owner)
    root = "The root as a leaf makes 21 errors: compare with its subtree."
    slip("savings" not in gone, root)
    income = "Against its full subtree, income is a tie at 7.5. But owner is pruned before: "
    slip(
        "income" not in gone, income + "what is left below income makes 2 + 4 errors on two leaves."
    )
    return "owner: 4.5 as a leaf against 5. Then income: 7.5 against 2.5 + 4.5 = 7, it stays."


@exercise("four of the five folds train: four cases (0, 0) of even and four (0, 1) of odd")
def held_out_probability(answer):
    """P(odd | b=1) in the leaf a=0 of XOR with five copies, each fold holding one: 5/6."""
    slips = {
        6 / 7: "The held-out fold must not train: four cases of each kind are left, not five.",
        1.0: "Laplace: (4 + 1) / (4 + 2), so that no probability is 0 or 1.",
        1 / 6: "That is the probability of even.",
        5 / 12: "That is prior times conditional, 1/2 · 5/6. Divide by the sum over both classes.",
        0.75: "That is the answer for three copies. Here there are five, and four of them train.",
        0.5: "In the leaf b does separate the classes: its odd cases all have b = 1.",
    }
    hint = "prior 1/2, P(b=1 | odd) = (4 + 1) / (4 + 2), P(b=1 | even) = (0 + 1) / (4 + 2)"
    one_number(answer, 5 / 6, hint, slips, tol=0.004)
    return "1/2 · 5/6 against 1/2 · 1/6: with more copies it is more certain, the order stays."


@exercise('a set of names, such as {"credit-g", "monks-1"}')
def where_it_gains(answer):
    """Sets in which CITree beats naive Bayes by at least five points: tic-tac-toe and monks-1."""
    answer = set(names(answer, SETS, f"Give a set with names among {', '.join(SETS)}."))
    balance = (
        "balance-scale: more weight on the left is evidence for L, at any distance. The "
        "numbers are evidence that naive Bayes can add up, and a split leaves fewer cases."
    )
    slip("balance-scale" not in answer, balance)
    alone = (
        "In the credit and diabetes data each attribute tells a little on its own. Which sets "
        "follow a rule on combinations of attributes?"
    )
    slip(not answer & {"credit-g", "diabetes"}, alone)
    need(answer, "Name at least one set. Which classes depend on combinations of values?")
    need(answer >= GAINING, "One is missing. Which classes depend on combinations of values?")
    return "These classes depend on combinations of attributes. The next cell measures it."


@exercise("30 / 2**2 against 10 / 1**2, as a share of their sum")
def attraction_by_hand(answer):
    """Share of a mass of 30 at 2 beside one of 10 at 5, for an example at 4: 7.5 / 17.5."""
    heavy, light = 30 / 4, 10 / 1
    slips = {
        15 / 25: "The force depends on the square of the distance: 30 / 2**2, not 30 / 2.",
        0.25 / 1.25: "The masses attract, too: 30 and 10, not 1 and 1.",
        light / (heavy + light): "That is the share of the lighter prototype, at 5.",
        30 / 40: "That is the share of the masses. Divide each by its squared distance first.",
        heavy: f"7.5 is the attraction. Divide it by the sum of both, {heavy + light:g}.",
    }
    one_number(answer, heavy / (heavy + light), "add up 7.5 and 10", slips, tol=0.002)
    return "7.5 / 17.5: three times the mass is not enough against twice the distance."


@exercise('a dict such as {"punctual": "red", "late": ...}, all three; None: no value of its own')
def collision_by_hand(answer):
    """Prototypes of three classes that all like red best: red, blue, and none."""
    text = f"Give a dict with the keys {', '.join(map(repr, COLLIDING))}."
    colours = table(answer, COLLIDING, text)
    known, one = ("red", "blue", "green", "None"), "Each is 'red', 'blue', 'green' or None."
    colours = {
        name: one_name(str(each).replace("nan", "None"), known, one)
        for name, each in colours.items()
    }
    heaviest = "The heaviest class chooses first: which value is best for it?"
    slip(colours["punctual"] == "red", heaviest)
    next_best = "red is taken. What is the next-best value that late itself has?"
    slip(colours["late"] != "red", next_best)
    green = "No late bus is green: a class can only choose among its own values."
    slip(colours["late"] != "green", green)
    never = "never has red and no other value. It merges with punctual; that is None here."
    slip(colours["never"] == "None", never)
    late = "late has red, red and blue. Which of its own values is free?"
    need(colours["late"] == "blue", late)
    return "The heaviest class chooses first, others take their next-best value or merge."


@exercise("the smallest distance divided by each, squared, times the mass; then shares of the sum")
def shares_function(answer):
    """A function (mass (K,), distance (K,)) -> shares (K,), safe with zeros and any size."""
    answer, mass = function(answer), np.array([30.0, 10.0, 5.0])
    shape = "Three masses need three shares, not the shape {shape}."
    cases = {
        "ordinary distances": ([2.0, 1.0, 4.0], [7.5, 10, 0.3125]),
        "one distance of zero": ([2.0, 0.0, 4.0], [0, 1, 0]),
        "two distances of zero": ([0.0, 0.0, 4.0], [30, 10, 0]),
        "distances of 1e-200": ([2e-200, 1e-200, 4e-200], [7.5, 10, 0.3125]),
        "distances of 1e200": ([2e200, 1e200, 4e200], [7.5, 10, 0.3125]),
    }
    for name, (distance, pull) in cases.items():
        with np.errstate(all="ignore"):
            shares = array(answer(mass.copy(), np.array(distance)), (3,), shape)
        gap = f"With {name} there is a NaN: {shares}. Only the nearest ones attract."
        slip(not np.isnan(shares).any(), gap)
        expected = np.array(pull) / np.sum(pull)
        text = f"With {name} the shares are {expected.round(3)}, not {shares.round(3)}."
        same(shares, expected, [], text)
    return "Zeros share by mass, and no distance is too small or too large."


@exercise("rt.cross_validate(rt.NewtonTree(distances={'fragment': d}), data, k=5)['auc'].mean()")
def distance_study(answer):
    """A dict {distance: mean AUC} for three distances of texts, on fragments(100, seed=5)."""
    study = table(answer, STUDY, f"Give a dict with the keys {', '.join(map(repr, STUDY))}.")
    how = "Use structured.fragments(100, seed=5), five folds and the default seed."
    judge_measured(study, STUDY, MEAN_AUC + how)
    return (
        f"{max(STUDY, key=STUDY.get)} wins: the distance defines what similar means. "
        "Lengths are similar in both classes, and hardly any text occurs twice, so the other two "
        "find almost nothing."
    )
