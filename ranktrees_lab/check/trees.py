"""Checks of exercises on pruning, C4.4, CITree and Newton trees."""

import numpy as np

from ranktrees_lab.check.answers import array, function, named_first, names, one_name, table
from ranktrees_lab.check.base import (
    MEAN_AUC,
    exercise,
    judge_measured,
    judge_study,
    known_set,
    need,
    one_number,
    same,
    slip,
)

TESTS = ("savings", "income", "owner")
CONFIDENCES = (0.5, 0.25, 0.1, 0.01)
SETS = ("tic-tac-toe", "monks-1", "credit-g", "diabetes", "balance-scale")
GAINING = {"tic-tac-toe", "monks-1"}
STUDIED = ("NB", "C4.4", "NBTree", "CITree")
MOST_CASES, MOST_ATTRIBUTES = 1000, 20
READINGS = "nearest", "talk", "neither"
SUPPORTED = {"nominal": "neither", "numeric": "nearest", "mixed": "neither"}
UNSUPPORTED = {
    "nominal": "Both readings have the same margins there: they grow the same trees.",
    "numeric": "Compare each reading with print, measure by measure; look at squared error, too.",
    "mixed": "How far are the readings from one another, and how far from print?",
}
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


@exercise("bad cases: 1 and 3, good ones: 30 and 15; count the pairs of one bad and one good")
def two_leaves_auc(answer):
    """AUC of the leaves owner=yes (30 good, 1 bad) and owner=no (15 good, 3 bad): 127.5 / 180."""
    wins, ties, pairs = 3 * 30, 3 * 15 + 1 * 30, 4 * 45
    expected = (wins + ties / 2) / pairs
    slips = {
        wins / pairs: "Within a leaf a pair is tied: it counts one half, not nothing. (By chance "
        "that is also the AUC of one leaf, where all pairs are tied.)",
        (wins + ties) / pairs: "Ties count one half, not a whole win. (The accuracy, 45/49, is "
        "close to this, and it is the same with one leaf and with two.)",
        wins + ties / 2: f"These are the pairs won. Divide by all of them, 4 * 45 = {pairs}.",
        1 - expected: "Upside down: bad is the positive class, and owner=no has more of it.",
    }
    one_number(answer, expected, "3 bad in owner=no beat 30 good in owner=yes", slips)
    return f"({wins} + {ties}/2) / {pairs} = {expected:.3f}, at the same accuracy."


@exercise("add 1 to every count, and C to the sum over the last axis (keepdims=True)")
def laplace_function(answer):
    """A function counts (..., C) -> probabilities (..., C) with Laplace's (n_c + 1) / (N + C)."""
    counts = np.random.default_rng(3).integers(0, 9, (6, 3))
    counts[0] = 0
    expected = (counts + 1) / (counts.sum(axis=1, keepdims=True) + 3)
    answer, three = function(answer), "Three counts must give three numbers, but gave {shape}."
    n, N = counts[1], counts[1].sum()
    one = array(answer(n.copy()), (3,), three)
    slips = [
        (n / N, "These are plain shares: add 1 to each count, and C below."),
        ((n + 1) / (N + 2), "N + 2 is for two classes: here there are three, so N + C is N + 3."),
        ((n + 2) / (N + 6), "You added 2 to each count: Laplace adds 1."),
        ((n + 1) / N, "Add C below as well, N + C, or the three do not sum to 1."),
        (n / (N + 3), "Add 1 to each count above as well, or the three do not sum to 1."),
    ]
    text = f"{n} should give {expected[1].round(3)}, not {one.round(3)}."
    if not np.isclose(one.sum(), 1):
        text = f"The three must sum to 1, but sum to {one.sum():.3g}: N + C below."
    same(one, expected[1], slips, text)
    six = "One node works, six at once do not: sum over axis=-1, keepdims=True."
    same(np.asarray(answer(counts.copy()), float), expected, [], six)
    return "It takes all nodes of a tree at once, and an empty one gives 1/C."


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


@exercise("the sum over the folds is counts.sum(axis=0); take each fold's own counts away from it")
def other_folds(answer):
    """A function counts (k, ...) -> (k, ...): those of all other folds."""
    counts = np.random.default_rng(4).integers(0, 9, (5, 3, 2))
    answer, before, all_folds = function(answer), counts.copy(), counts.sum(axis=0)
    shape = f"Each fold has its own training counts: shape {counts.shape}, not {{shape}}."
    others = array(answer(counts), counts.shape, shape)
    changed = "Your function changes the counts that it is given: make new ones."
    slip((counts == before).all(), changed)
    expected = all_folds - counts
    slips = [
        (-expected, "The right numbers with the wrong sign: all less own."),
        (all_folds + 0 * counts, "These are all cases. A fold must not train for itself."),
    ]
    text = f"For fold 0 the first cell should be {expected[0, 0, 0]}: sum over the folds (axis 0) "
    same(others, expected, slips, text + "and subtract.")
    three = np.arange(6).reshape(3, 2)
    vectors = "It works for five folds of tables, but not for three of vectors."
    same(np.asarray(answer(three)), three.sum(axis=0) - three, [], vectors)
    return "One subtraction instead of five rounds of counting, whatever the shape."


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


@exercise("rt.cross_validate(model, data)['auc'].mean() of NaiveBayes, C44, NBTree and CITree")
def citree_study(answer):
    """A pair (set, {model: mean AUC}): four models, ten folds of seed 1."""
    from ranktrees.models import C44, CITree, NaiveBayes, NBTree

    name, study = named_first(answer, "Give a pair: a set's name and {model: mean AUC}.")
    data = known_set(name, MOST_CASES, MOST_ATTRIBUTES)
    models = dict(zip(STUDIED, (NaiveBayes(), C44(), NBTree(), CITree()), strict=True))
    auc = judge_study(study, models, data)
    best, lead = max(auc, key=auc.get), auc["CITree"] - max(auc["NB"], auc["C4.4"])
    return (
        f"On {name} the best of the four is {best}; CITree is {abs(lead):.3f} "
        f"{'above' if lead > 0 else 'below'} the better of its two parents, by one run."
    )


@exercise("for each row: how far is each reading from print, and how far is one from the other?")
def supported_reading(answer):
    """{"nominal": ..., "numeric": ..., "mixed": ...}: which reading of the talk the margins fit."""
    text = f"Give a dict with the keys {', '.join(map(repr, SUPPORTED))}."
    for group, reading in table(answer, SUPPORTED, text).items():
        one = f"{group}: Each is 'nearest', 'talk' or 'neither'."
        yours = one_name(str(reading).replace("None", "neither"), READINGS, one)
        slip(yours == SUPPORTED[group], f"{group}: {UNSUPPORTED[group]}")
    return (
        "Nominal distances are 0 or 1, and both readings grow the same trees. On mixed sets they "
        "differ by less than either differs from print. On numeric sets the talk's formula is "
        "further from print by all three measures, and its squared error is worse than J48's. But "
        "the nearest prototype does not give the printed margins either."
    )


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
