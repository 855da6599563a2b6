"""Checks of exercises on pruning and on leaves' estimates, judged over twenty splits."""

import numpy as np

from ranktrees.prune import added_errors
from ranktrees_lab.check.answers import function, names, number, table
from ranktrees_lab.check.base import exercise, judge_measured, need, one_number, slip

CONFIDENCES = (0.5, 0.25, 0.05, 0.001)
REPORT = {  # a sentence of the report by its letter, and what the lesson measured
    "a": "with Laplace at both the full tree is behind on credit-g and diabetes",
    "b": "that was measured on all seven sets, and it holds on new splits",
    "c": "the twenty splits that chose m also gave the number: new ones must judge it",
    "d": "its order is better, but its Brier score is worse in 19 or 20 of 20 splits",
    "e": "an estimate is computed from the finished tree",
}
TRUE = "be"
OWNER = [4, 45], {"no": ([3, 15], {}), "yes": ([1, 30], {})}
INCOME = [7, 47], {"high": OWNER, "low": ([3, 2], {})}


@exercise("no error in three cases: (1 - U)^3 = 0.25, and then three times U")
def limit_without_errors(answer):
    """Errors that C4.5 assumes in a leaf of three cases of one class: 1.11."""
    rate = 1 - 0.25 ** (1 / 3)
    slips = {
        rate: "That is the rate U. Three cases of this rate make 3 U errors.",
        0.25 ** (1 / 3): "That is 1 - U: the chance that one case is not an error.",
        3 * 0.25 ** (1 / 3): "0.63 is 1 - U, the chance that one case is not an error.",
        0.75: "0.25 is a confidence, not an error rate: find U from (1 - U)^3 = 0.25.",
        3 * (1 - 0.75 ** (1 / 3)): "(1 - U)^3 is 0.25, not 0.75.",
    }
    hint = "the third root of 0.25 is 0.63"
    one_number(answer, float(added_errors(3, 0)), hint, slips, tol=0.015)
    return f"3 x (1 - 0.630) = {3 * rate:.2f}, more than a third of the cases."


@exercise("a leaf costs cost(counts); a test costs the sum of what the same function gives below")
def subtree_cost(answer):
    """A function (node, cost) -> the cost of all leaves below a node (counts, branches)."""

    def half(counts):
        return sum(counts) - max(counts) + 0.5

    answer = function(answer)
    leaf = number(answer(OWNER[1]["no"], half))
    need(np.isclose(leaf, 3.5), f"The leaf of 3 and 15 costs 3 + 0.5, not {leaf:g}.")
    owner = number(answer(OWNER, half))
    slip(not np.isclose(owner, 9.5), "You counted the test too: a test has no errors of its own.")
    slip(not np.isclose(owner, 4.5), "That is owner as a leaf: add up its two branches.")
    need(np.isclose(owner, 5), f"owner's leaves cost 3.5 + 1.5 = 5, not {owner:g}.")
    income = number(answer(INCOME, half))
    deep = f"income's leaves cost 5 + 2.5 = 7.5, not {income:g}: "
    cut = "its branch owner stays a test here, since nothing is pruned."
    slip(not np.isclose(income, 7), deep + cut)
    need(np.isclose(income, 7.5), deep + "let the function call itself for each branch.")
    return "income: 7.5 below it, and 7.5 as a leaf: a tie, if owner stays."


@exercise("rt.repeated(models, data, measure='accuracy').table.mean(), and the same for 'auc'")
def confidence_study(answer):
    """A dict {confidence: (accuracy, AUC)} on credit-g, means over 20 splits, Laplace."""
    ask = f"The keys must be the confidences {', '.join(map(str, CONFIDENCES))}."
    answer = table(
        answer, CONFIDENCES, f"{ask} Give (accuracy, AUC) for each.", ("accuracy", "auc")
    )
    from ranktrees.models import C45

    best = {}
    for i, measure in enumerate(("accuracy", "auc")):
        models = {c: C45(confidence=c, estimate="laplace") for c in CONFIDENCES}
        expected = _means(models, "credit-g", measure)
        text = f"Confidence {{key}} gives {measure} {{right}}, you have {{yours}}. "
        yours = {c: pair[i] for c, pair in answer.items()}
        judge_measured(
            yours, expected, text + "Use 20 splits (the default) and estimate='laplace'."
        )
        best[measure] = max(expected, key=expected.get)
    return f"Accuracy chooses confidence {best['accuracy']:g}, AUC {best['auc']:g}."


@exercise("compare each sentence with the picture or table that it is about")
def report_on_leaves(answer):
    """The letters of the sentences that nothing measured supports: a, c and d."""
    given = names(
        list(answer) if str(answer).isalpha() else answer, REPORT, "Give letters, a to e."
    )
    for letter, why in REPORT.items():
        slip((letter in given) == (letter not in TRUE), f"Look at {letter} again: {why}.")
    return (
        "a holds on tic-tac-toe only, c chose its splits, and d takes an order for probabilities."
    )


def _means(models, name, measure):
    """Mean of a measure over 20 splits, {key: value}; known splits are not measured again."""
    from ranktrees.evaluate import repeated
    from ranktrees_lab.data import load

    named = {str(key): model for key, model in models.items()}
    return dict(zip(models, repeated(named, load(name), measure=measure).table.mean(), strict=True))
