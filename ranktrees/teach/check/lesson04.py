"""Checks of lesson 04, CITree and NBTree."""

import numpy as np

from ranktrees.teach.check.base import Verdict, close, exercise

SETS = ("tic-tac-toe", "monks-1", "credit-g", "diabetes", "balance-scale")
GAINING = {"tic-tac-toe", "monks-1"}
STUDIED = ("NB", "C4.4", "NBTree", "CITree")
MOST_CASES, MOST_ATTRIBUTES = 1000, 20


@exercise("four of the five folds train: four cases (0, 0) of even and four (0, 1) of odd")
def held_out_probability(answer) -> Verdict:
    """P(odd | b=1) in the leaf a=0 of XOR with five copies, each fold holding one: 5/6."""
    slips = {
        6 / 7: "The held-out fold must not train: four cases of each kind are left, not five.",
        1.0: "Laplace: (4 + 1) / (4 + 2), so that no probability is 0 or 1.",
        1 / 6: "That is the probability of even.",
        5 / 12: "That is prior times conditional, 1/2 · 5/6. Divide by the sum over both classes.",
        0.75: "That is the answer for three copies. Here there are five, and four of them train.",
        0.5: "In the leaf b does tell the classes apart: its odd cases all have b = 1.",
    }
    praise = "1/2 · 5/6 against 1/2 · 1/6: more copies, more confidence, and the same order."
    hint = "prior 1/2, P(b=1 | odd) = (4 + 1) / (4 + 2), P(b=1 | even) = (0 + 1) / (4 + 2)"
    return close(answer, 5 / 6, praise, hint, slips, tol=0.004)


@exercise("the sum over the folds is counts.sum(axis=0); take each fold's own counts away from it")
def other_folds(answer) -> Verdict:
    """A function counts (k, ...) -> (k, ...): those of all other folds."""
    counts = np.random.default_rng(4).integers(0, 9, (5, 3, 2))
    kept = counts.copy()
    found = np.asarray(answer(counts), float)
    if not (counts == kept).all():
        return Verdict(False, "Your function changes the counts that it is given: make new ones.")
    expected = counts.sum(axis=0) - counts
    if found.shape != counts.shape:
        return Verdict(
            False,
            f"Each fold has its own training counts: shape {counts.shape}, not {found.shape}.",
        )
    if (found == -expected).all():
        return Verdict(False, "The right numbers with the wrong sign: all less own.")
    if (found == counts.sum(axis=0)).all():
        return Verdict(False, "These are all cases. A fold must not train for itself.")
    if not (found == expected).all():
        return Verdict(
            False,
            f"For fold 0 the first cell should be {expected[0, 0, 0]}: sum over the folds (axis 0) "
            "and subtract.",
        )
    three = np.arange(6).reshape(3, 2)
    if not (np.asarray(answer(three)) == three.sum(axis=0) - three).all():
        return Verdict(False, "It works for five folds of tables, but not for three of vectors.")
    return Verdict(True, "One subtraction instead of five rounds of counting, whatever the shape.")


@exercise('a set of names, such as {"credit-g", "monks-1"}')
def where_it_gains(answer) -> Verdict:
    """Sets in which CITree beats naive Bayes by at least five points: tic-tac-toe and monks-1."""
    answer = {answer} if isinstance(answer, str) else set(answer)
    if unknown := answer - set(SETS):
        return Verdict(False, f"{sorted(unknown)[0]} is not among {', '.join(SETS)}.")
    if "balance-scale" in answer:
        return Verdict(
            False,
            "balance-scale: more weight on the left speaks for L, however far out it hangs. Each "
            "number pushes one way, which naive Bayes can add up, and a split takes cases away.",
        )
    if answer & {"credit-g", "diabetes"}:
        return Verdict(
            False,
            "In the credit and diabetes data each attribute tells a little on its own. Which sets "
            "follow a rule in which attributes must come together?",
        )
    if missing := GAINING - answer:
        return Verdict(
            False, f"{sorted(missing)[0]} is missing: its classes hang on values that must meet."
        )
    return Verdict(True, "Where attributes must come together. Measured below.")


@exercise("rt.cross_validate(model, data)['auc'].mean() of NaiveBayes, C44, NBTree and CITree")
def citree_study(answer) -> Verdict:
    """A pair (set, {model: mean AUC}): four models, ten folds of seed 1."""
    from ranktrees.bayes import NaiveBayes
    from ranktrees.data import load
    from ranktrees.evaluate import cross_validate
    from ranktrees.models import C44, CITree, NBTree

    name, found = answer
    data = load(name)
    if len(data) > MOST_CASES or data.X.shape[1] > MOST_ATTRIBUTES:
        return Verdict(
            False,
            f"{name} has {len(data)} cases and {data.X.shape[1]} attributes: choose a set of at "
            f"most {MOST_CASES} and {MOST_ATTRIBUTES}.",
        )
    if set(found) != set(STUDIED):
        return Verdict(False, f"The keys must be {', '.join(STUDIED)}.")
    models = dict(zip(STUDIED, (NaiveBayes(), C44(), NBTree(), CITree()), strict=True))
    for key, model in models.items():
        auc = cross_validate(model, data, measures=["auc"])["auc"].mean()
        if abs(found[key] - auc) > 0.0015:
            return Verdict(
                False,
                f"{key} has a mean AUC of {auc:.3f}, you have {found[key]:.3f}. Use ten folds, "
                "seed 1 (the defaults) and the data as loaded.",
            )
    best = max(STUDIED, key=found.get)
    lead = found["CITree"] - max(found["NB"], found["C4.4"])
    return Verdict(
        True,
        f"On {name} the best of the four is {best}; CITree is {abs(lead):.3f} "
        f"{'above' if lead > 0 else 'below'} the better of its two parents, by one run.",
    )
