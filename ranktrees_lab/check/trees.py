"""Checks of exercises on growing and pruning, leaves, CITree and Newton trees."""

from ranktrees_lab.check.answers import names, one_name, table
from ranktrees_lab.check.base import (
    MEAN_AUC,
    exercise,
    judge_measured,
    need,
    one_number,
    slip,
)

TESTS = ("savings", "income", "owner")
ELEVENTH = {"Ann": "No", "Ben": "Yes", "Cem": "No"}
REPORT = {  # a sentence of the report by its letter, and what the lesson measured
    "a": "with Laplace at both the full tree is behind on credit-g and diabetes",
    "b": "that was measured on all seven sets, and it holds on new splits",
    "c": "the twenty splits that chose m also gave the number: new ones must judge it",
    "d": "its order is better, but its Brier score is worse in 19 or 20 of 20 splits",
    "e": "an estimate is computed from the finished tree",
}
TRUE = "be"
SETS = ("tic-tac-toe", "monks-1", "credit-g", "diabetes", "balance-scale")
GAINING = {"tic-tac-toe", "monks-1"}
READINGS = "nearest", "talk", "neither"
SUPPORTED = {"nominal": "neither", "numeric": "nearest", "mixed": "neither"}
UNSUPPORTED = {
    "nominal": "Both readings have the same margins there: they grow the same trees.",
    "numeric": "Compare each reading with print, measure by measure; look at squared error, too.",
    "mixed": "How far are the readings from one another, and how far from print?",
}
STUDY = {"levenshtein": 0.984, "zero-one": 0.521, "length": 0.5}  # mean AUC over five folds


@exercise('a dict such as {"Ann": "Yes", "Ben": ..., "Cem": ...}')
def followed_down(answer):
    """Check the tree's predictions for three new tax payers: No, Yes, No."""
    text = "Give a dict with the keys 'Ann', 'Ben' and 'Cem'."
    said = table(answer, ELEVENTH, text)
    said = {name: one_name(said[name], ("No", "Yes"), "Each is No or Yes.") for name in said}
    ann = "Ann is divorced and has no refund: her income decides, and 60 is at most 72.5."
    slip(said["Ann"] == ELEVENTH["Ann"], ann)
    ben = "Ben earns more than all three cheats do, but the tree asks only whether it is over 72.5."
    slip(said["Ben"] == ELEVENTH["Ben"], ben)
    slip(said["Cem"] == ELEVENTH["Cem"], "Cem is married: the first question decides.")
    return "Ben is called a cheat as well: the tree tests for no upper limit of income."


@exercise('a list of tests that become leaves, such as ["owner"]; add 1/2 for each leaf')
def pruned_tests(answer):
    """Check the tests of the small tree that Yang's rule removes, from the bottom: owner."""
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


@exercise("compare each sentence with the picture or table that it is about")
def report_on_leaves(answer):
    """Check the letters of the sentences that no measurement supports: a, c and d."""
    given = names(
        list(answer) if str(answer).isalpha() else answer, REPORT, "Give letters, a to e."
    )
    for letter, why in REPORT.items():
        slip((letter in given) == (letter not in TRUE), f"Look at {letter} again: {why}.")
    return "a is clear on tic-tac-toe only, c chose its splits, d takes an order for probabilities."


@exercise("four of the five folds train: four cases (0, 0) of even and four (0, 1) of odd")
def held_out_probability(answer):
    """Check P(odd | b=1) in the leaf a=0 of XOR with five copies, each fold holding one: 5/6."""
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
    """Check where CITree beats naive Bayes by at least five points: tic-tac-toe and monks-1."""
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


@exercise("rt.cross_validate(rt.NewtonTree(distances={'fragment': d}), data, k=5)['auc'].mean()")
def distance_study(answer):
    """Check {distance: mean AUC} for three distances of texts, on fragments(100, seed=5)."""
    study = table(answer, STUDY, f"Give a dict with the keys {', '.join(map(repr, STUDY))}.")
    how = "Use structured.fragments(100, seed=5), five folds and the default seed."
    judge_measured(study, STUDY, MEAN_AUC + how)
    return (
        f"{max(STUDY, key=STUDY.get)} wins: the distance defines what similar means. "
        "Lengths are similar in both classes, and hardly any text occurs twice, so the other two "
        "find almost nothing."
    )


@exercise("for each row: how far is each reading from print, and how far is one from the other?")
def supported_reading(answer):
    """Check {"nominal": ..., "numeric": ..., "mixed": ...}: the reading that fits the margins."""
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
