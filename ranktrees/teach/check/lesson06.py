"""Checks of lesson 06, shrinkage and weighted probability estimation."""

import numpy as np

from ranktrees.teach.check.base import Verdict, close, exercise

STUDIED = ("frequency", "m-branch", "wpe", "shrinkage+wpe", "shrinkage+naive-bayes")
MOST = 1000


@exercise(
    "five similarities first, plus 1 each; the two yes cases have 4 + 4, the no cases 2 + 3 + 2"
)
def wpe_by_hand(answer) -> Verdict:
    """P(yes) at the node sunny of (sunny, cool, normal, TRUE): (8 + 1/2) / (15 + 1)."""
    slips = {
        6.5 / 11: "Each weight is sim + 1: a case that shares no value still has a say.",
        8 / 15: "Equation 6 adds 1/C above and 1 below the line.",
        9 / 17: "Equation 6 adds 1/C = 1/2 above and 1 below, not 1 and C.",
        2.5 / 6: "That is Equation 1, which counts cases. Weigh each case by its similarity + 1.",
        1 - 8.5 / 16: "That is the probability of no.",
    }
    praise = "8.5 / 16: by counts alone (2.5 / 6) the node says no, by similar cases it says yes."
    return close(answer, 8.5 / 16, praise, "outlook agrees everywhere", slips, tol=0.0009)


@exercise('a dict such as {"honest": 70, "leaked": 80}, AUC in per cent')
def permuted_guess(answer) -> Verdict:
    """Mean AUC with permuted classes: about 50 for an honest score, nearly 100 for a leaked one."""
    if set(answer) != {"honest", "leaked"}:
        return Verdict(False, 'Give a dict with the keys "honest" and "leaked".')
    honest, leaked = float(answer["honest"]), float(answer["leaked"])
    if max(honest, leaked) <= 1:
        return Verdict(False, "In per cent, please: 50, not 0.5.")
    if not 45 <= honest <= 55:
        return Verdict(False, "Nothing ties the classes to the attributes: what does chance score?")
    if leaked < 85:
        return Verdict(
            False,
            "The tree finds nothing and stays small, so that its leaves are large. In a leaf of "
            "200 cases one match more for each case of the own class is most of what differs.",
        )
    return Verdict(True, "Chance for the one; the other knows what it should predict. Look below.")


@exercise("weights / weights.sum(axis=0), then the sum over axis 0 of weights * proba, normalised")
def mixture_function(answer) -> Verdict:
    """A function (proba (K, C), weights (K, C)) -> (C,): Eq. 2, weights and result normalised."""
    rng = np.random.default_rng(6)
    proba, weights = rng.random((5, 3)), rng.integers(1, 9, (5, 3)).astype(float)
    share = weights / weights.sum(axis=0)
    mixed = (share * proba).sum(axis=0)
    found = np.asarray(answer(proba, weights), float)
    if found.shape != (3,):
        return Verdict(False, f"Three classes need three numbers, but the shape is {found.shape}.")
    if np.allclose(found, mixed) and not np.isclose(mixed.sum(), 1):
        return Verdict(False, "The mixture is right. Divide it by its sum at last.")
    wrong = (weights / weights.sum() * proba).sum(axis=0)
    if np.allclose(found, wrong / wrong.sum()):
        return Verdict(False, "The weights sum to one for each class: weights.sum(axis=0).")
    if not np.allclose(found, mixed / mixed.sum()):
        return Verdict(False, f"The first class should have {mixed[0] / mixed.sum():.3f}.")
    for bad in (weights * [0, 1, 1], weights - 8):
        try:
            answer(proba, bad)
        except ValueError:
            continue
        which = "all zero for a class" if (bad >= 0).all() else "negative"
        return Verdict(False, f"Weights that are {which} should raise a ValueError.")
    return Verdict(True, "It mixes, class by class, and refuses weights that cannot sum to one.")


@exercise("rt.cross_validate(rt.C45(estimate=e), data)['auc'].mean() for each of the five names")
def honest_study(answer) -> Verdict:
    """A pair (set, {estimate: mean AUC}): five estimates on C4.5 trees, ten folds of seed 1."""
    from ranktrees.data import load
    from ranktrees.evaluate import cross_validate
    from ranktrees.models import C45

    name, found = answer
    data = load(name)
    if len(data) > MOST:
        return Verdict(False, f"{name} has {len(data)} cases: choose a set of at most {MOST}.")
    if set(found) != set(STUDIED):
        return Verdict(False, f"The keys must be {', '.join(STUDIED)}.")
    for estimate in STUDIED:
        auc = cross_validate(C45(estimate=estimate), data, measures=["auc"])["auc"].mean()
        if abs(found[estimate] - auc) > 0.0015:
            return Verdict(
                False,
                f"{estimate} has a mean AUC of {auc:.3f}, you have {found[estimate]:.3f}. Use ten "
                "folds, seed 1 (the defaults) and the data as loaded.",
            )
    best = max(STUDIED, key=found.get)
    return Verdict(True, f"On {name} the best of the five is {best}, by one run of ten folds.")
