"""Checks of lesson 07, AUC and cross-validation."""

import numpy as np

from ranktrees.evaluate import auc, auc_from_ranks, midranks, roc_curve
from ranktrees.teach.check.base import Verdict, close, exercise

RANKED = np.array([0.9, 0.8, 0.5, 0.5, 0.2])  # exercise 1
HITS = np.array([True, True, True, False, False])
LEAVES = np.array([[3, 1], [6, 2], [0, 4], [1, 3], [5, 5]])  # exercise 3: positive, negative cases
CHANCE = (1, 10, 100)


@exercise("rank from the lowest, equal scores share the mean rank; then (S - n(n + 1)/2) / (n m)")
def rank_auc(answer) -> Verdict:
    """AUC by ranks of five cases, of which the first three are positive."""
    ranks = midranks(RANKED)
    total, n, m = ranks[HITS].sum(), int(HITS.sum()), int((~HITS).sum())
    high, low = (np.argsort(np.argsort(x, kind="stable")) + 1 for x in (RANKED, RANKED[::-1]))
    expected = float(auc(HITS, RANKED))
    slips = {
        round(100 * expected, 1): "Give a number from 0 to 1, not per cent.",
        (total - m * (m + 1) / 2) / (n * m): "That takes n for the negatives: n(n + 1)/2 belongs "
        "to the cases whose ranks you summed, the three positive ones.",
        1 - expected: "You ranked from the top: the lowest score has rank 1.",
        total / (n * m): "That is S / (n m): take away n(n + 1)/2, the least that S can be.",
        auc_from_ranks(high[HITS].sum(), n, m): "The two scores of 0.5 share rank 2.5.",
        auc_from_ranks(low[::-1][HITS].sum(), n, m): "The two scores of 0.5 share rank 2.5.",
    }
    praise = f"S = {total:g}, so ({total:g} - {n * (n + 1) // 2}) / {n * m} = {expected:.3f}."
    return close(answer, expected, praise, "S is the sum of three ranks", slips)


@exercise("one corner for each distinct score, and (0, 0) before the first")
def corners(answer) -> Verdict:
    """Points of the ROC curve of five leaves with Laplace estimates, (0, 0) counted."""
    share = LEAVES[:, 0] / LEAVES.sum(axis=1)
    laplace = (LEAVES[:, 0] + 1) / (LEAVES.sum(axis=1) + 2)
    expected = len(np.unique(laplace)) + 1
    slips = {
        expected - 1: "You left out (0, 0), where nobody is called positive, or took two leaves "
        "for one: with Laplace, (3, 1) and (6, 2) differ.",
        expected + 1: "(1, 1) is the corner of the lowest score: count it once.",
        2: "Two points are the ends, (0, 0) and (1, 1): what about the scores between them?",
        3: "That would be a crisp tree: (0, 0), its one point, (1, 1).",
        len(np.unique(share)): "Those are the distinct shares: count (0, 0), and use Laplace.",
    }
    scores = ", ".join(f"{s:.3f}" for s in sorted(laplace, reverse=True))
    praise = f"The scores are {scores}; by plain shares two leaves would be one corner."
    return close(answer, expected, praise, "five leaves; do any two score alike?", slips)


@exercise("sum the areas of the trapezia: width times mean height, with np.diff")
def area_under(answer) -> Verdict:
    """A function of rates (B + 1,), (B + 1,) that gives the area under the curve."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        hits = rng.random(30) < 0.4
        score = np.round(rng.random(30) + 0.2 * hits, 1)
        fpr, tpr, _ = roc_curve(hits, score, True)
        found, right = answer(fpr, tpr), auc(hits, score, True)
        if np.shape(found):
            return Verdict(False, f"Give one number, not {len(found)}: sum the trapezia.")
        found = float(found)
        if abs(found - right) <= 1e-9:
            continue
        if abs(found - 2 * right) < 1e-9:
            return Verdict(False, "That is twice the area: the mean height is half of the sum.")
        width = np.diff(fpr)
        if abs(found - (width * tpr[1:]).sum()) < 1e-9:
            return Verdict(False, "You took each step at its right end, so a tie counts 1.")
        if abs(found - (width * tpr[:-1]).sum()) < 1e-9:
            return Verdict(False, "You took each step at its left end, so a tie counts 0.")
        if abs(found - (1 - right)) < 1e-9:
            return Verdict(False, "That is the area above the curve: fpr runs along the x axis.")
        return Verdict(False, f"On one curve you get {found:.4f}, but its AUC is {right:.4f}.")
    return Verdict(True, "The same as the pairs, on twenty samples full of ties.")


@exercise("for each m: the mean, over many repetitions, of the best of m AUCs of random scores")
def best_of_chance(answer) -> Verdict:
    """The mean best AUC {m: value} of m rankings by chance of 50 positive and 50 negative cases."""
    keys = f"Give a dict with the keys {', '.join(map(str, CHANCE))}."
    if not hasattr(answer, "items"):
        return Verdict(False, keys)
    answer = {int(m): value for m, value in answer.items()}
    if set(answer) != set(CHANCE):
        return Verdict(False, keys)
    expected = expected_best()
    for m in CHANCE:
        if np.shape(answer[m]):
            return Verdict(False, f"m = {m}: give one number, the mean over repetitions.")
        value = float(answer[m])
        if value > 1:
            return Verdict(False, f"m = {m}: an AUC lies between 0 and 1, not at {value:g}.")
        if abs(value - expected[m]) <= 0.015:
            continue
        if abs(value - 0.5) <= 0.015:
            return Verdict(False, f"m = {m}: {value:.3f} is their mean. Take the best each.")
        if abs(1 - value - expected[m]) <= 0.015:
            return Verdict(False, f"m = {m}: {value:.3f} is the worst of them.")
        return Verdict(
            False,
            f"m = {m}: {value:.3f} is far from the {expected[m]:.3f} of many repetitions. "
            "Repeat at least 200 times, with 50 cases of each class.",
        )
    return Verdict(
        True,
        f"None knows anything, yet the best of 100 shows {float(answer[100]):.2f}: whoever "
        "chooses by the test cases needs other cases to report on.",
    )


def expected_best(repetitions: int = 2000) -> dict[int, float]:
    """The mean of the best of m AUCs by chance; they scatter as a Mann-Whitney statistic does."""
    deviation = np.sqrt((50 + 50 + 1) / (12 * 50 * 50))
    rng = np.random.default_rng(0)
    return {
        m: 0.5 + deviation * float(rng.standard_normal((repetitions, m)).max(axis=1).mean())
        for m in CHANCE
    }
