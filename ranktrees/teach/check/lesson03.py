"""Checks of lesson 03, pruning and C4.4."""

from functools import lru_cache

import numpy as np

from ranktrees.teach.check.base import Verdict, close, exercise

TESTS = ("savings", "income", "owner")
CONFIDENCES = (0.5, 0.25, 0.1, 0.01)


@exercise('a list of tests that become leaves, such as ["owner"]; add 1/2 for each leaf')
def pruned_tests(answer) -> Verdict:
    """Which tests of the lesson's small tree go by Yang's rule, from the bottom up: owner alone."""
    if isinstance(answer, str) or not set(answer) <= set(TESTS):
        return Verdict(False, f"Give a list with names among {', '.join(map(repr, TESTS))}.")
    gone = set(answer)
    if gone == {"owner"}:
        return Verdict(
            True,
            "owner: 4.5 as a leaf against 5. Then income: 7.5 against 2.5 + 4.5 = 7, it stays.",
        )
    if "owner" not in gone:
        return Verdict(False, "owner makes 3 + 1 errors with two leaves, 4 with one. Add the 1/2s.")
    if "savings" in gone:
        return Verdict(False, "The root as a leaf makes 21 errors: compare with its subtree.")
    return Verdict(
        False,
        "Against its full subtree, income is a tie at 7.5. But owner has gone before: what is left "
        "below income makes 2 + 4 errors on two leaves.",
    )


@exercise("bad cases: 1 and 3, good ones: 30 and 15; count the pairs of one bad and one good")
def two_leaves_auc(answer) -> Verdict:
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
    slips |= {round(100 * expected, k): "Right, but give it as a share of 1." for k in range(4)}
    praise = f"({wins} + {ties}/2) / {pairs} = {expected:.3f}, at the same accuracy."
    return close(answer, expected, praise, "3 bad in owner=no beat 30 good in owner=yes", slips)


@exercise("add 1 to every count, and C to the sum over the last axis (keepdims=True)")
def laplace_function(answer) -> Verdict:
    """A function counts (..., C) -> probabilities (..., C) with Laplace's (n_c + 1) / (N + C)."""
    counts = np.random.default_rng(3).integers(0, 9, (6, 3))
    counts[0] = 0
    expected = (counts + 1) / (counts.sum(axis=1, keepdims=True) + 3)
    one = np.asarray(answer(counts[1].copy()), float)
    if one.shape != (3,):
        return Verdict(False, f"Three counts must give three numbers, but gave {one.shape}.")
    if not np.isclose(one.sum(), 1):
        return Verdict(False, f"The three must sum to 1, but sum to {one.sum():.3g}: N + C below.")
    if not np.allclose(one, expected[1]):
        return Verdict(
            False, f"{counts[1]} should give {expected[1].round(3)}, not {one.round(3)}."
        )
    found = np.asarray(answer(counts.copy()), float)
    if found.shape != counts.shape or not np.allclose(found, expected):
        return Verdict(
            False, "One node works, six at once do not: sum over axis=-1, keepdims=True."
        )
    return Verdict(True, "All nodes of a tree at once, and an empty one says 1/C.")


@exercise("rt.cross_validate(rt.C45(confidence=c, estimate='laplace'), data), then the means")
def pruning_study(answer) -> Verdict:
    """A dict {confidence: (accuracy, AUC)} on diabetes, ten folds of seed 1, Laplace."""
    if sorted(answer) != sorted(CONFIDENCES):
        return Verdict(
            False, f"The keys must be the confidences {', '.join(map(str, CONFIDENCES))}."
        )
    expected = _study()
    wrong = [c for c in CONFIDENCES if not np.allclose(answer[c], expected[c], atol=5e-4)]
    if wrong:
        right, yours = expected[wrong[0]], np.asarray(answer[wrong[0]], float).round(3)
        return Verdict(
            False,
            f"Confidence {wrong[0]:g} gives accuracy {right[0]:.3f} and AUC {right[1]:.3f}, you "
            f"have {yours}, in this order. Use the defaults, ten folds of seed 1, and "
            "estimate='laplace'.",
        )
    best = [max(expected, key=lambda c: expected[c][i]) for i in (0, 1)]
    return Verdict(
        True,
        f"Accuracy chooses confidence {best[0]:g}, AUC {best[1]:g}. Try five folds before you "
        "believe it: small differences change sides.",
    )


@lru_cache(maxsize=1)
def _study():
    """What the study finds, {confidence: (accuracy, AUC)}."""
    from ranktrees.data import load
    from ranktrees.evaluate import cross_validate
    from ranktrees.models import C45

    data, found = load("diabetes"), {}
    for confidence in CONFIDENCES:
        model = C45(confidence=confidence, estimate="laplace")
        mean = cross_validate(model, data, measures=["accuracy", "auc"]).mean()
        found[confidence] = mean["accuracy"], mean["auc"]
    return found
