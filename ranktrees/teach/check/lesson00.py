"""Checks of lesson 00, ranking."""

import numpy as np

from ranktrees.teach.check.base import Verdict, close, exercise


@exercise("how many of the 1,000 cases have the class good?")
def always_good(answer) -> Verdict:
    """The accuracy of saying `good` to everyone in credit-g."""
    from ranktrees.data import load

    y = load("credit-g").y
    share = float((y == "good").mean())
    praise = f"{share:.2f}: any model must be measured against that."
    hint = "accuracy is the share of cases predicted right, here the share of good ones"
    slips = {
        1 - share: "That is the share of wrong answers.",
        100 * share: "That is in percent; give a share between 0 and 1.",
        0.5: "The classes are not equally frequent: count them.",
    }
    return close(answer, share, praise, hint, slips)


@exercise("list all pairs of one bad and one good case, and count wins and ties")
def pairs_by_hand(answer) -> Verdict:
    """The AUC of the scores .9 .6 .6 (bad) against .8 .6 .3 .1 (good)."""
    bad, good = np.array([0.9, 0.6, 0.6]), np.array([0.8, 0.6, 0.3, 0.1])
    wins, ties = _wins_and_ties(bad, good)
    pairs = len(bad) * len(good)
    slips = {
        wins / pairs: "You left out the ties: a tie counts one half.",
        (wins + ties) / pairs: "You counted a tie as a whole win: it counts one half.",
        wins + ties / 2: "Now divide by the number of pairs, 3 x 4.",
    }
    praise = f"{wins} wins and {ties} ties of {pairs} pairs."
    hint = "(wins + ties / 2) / pairs, with 3 x 4 pairs"
    return close(answer, (wins + ties / 2) / pairs, praise, hint, slips)


def _wins_and_ties(bad, good):
    return int((bad[:, None] > good).sum()), int((bad[:, None] == good).sum())


@exercise("np.argsort(-score) lists the cases from the highest score down")
def reached_function(answer) -> Verdict:
    """A function bad_reached(bad, score, k): how many of the k highest scores are bad cases."""
    rng = np.random.default_rng(0)
    for n, k in ((10, 3), (200, 40), (200, 200)):
        bad, score = rng.random(n) < 0.3, rng.random(n)
        expected = int(bad[np.argsort(-score)][:k].sum())
        found = int(answer(bad, score, k))
        if found == int(bad[np.argsort(score)][:k].sum()) != expected:
            return Verdict(False, "You wrote to the lowest scores: sort from the highest down.")
        if found != expected:
            return Verdict(False, f"Of {n} cases, {k} letters reach {expected} bad, not {found}.")
    return Verdict(True, "It counts the bad cases among the k that are ranked first.")


@exercise('rt.DecisionTree(**binary, max_depth=d, estimate="laplace"), AUC on the test half')
def depth_study(answer) -> Verdict:
    """A dict {depth: AUC on the test half} for depths 1 to 8."""
    from ranktrees.data import load
    from ranktrees.models import DecisionTree

    if sorted(answer) != list(range(1, 9)):
        return Verdict(False, "The keys must be the depths 1, 2, ... 8.")
    data = load("credit-g")
    order = np.random.default_rng(1).permutation(len(data))
    train, test = order[:500], order[500:]
    y, expected = data.y[test] == "bad", {}
    for depth in range(1, 9):
        model = DecisionTree("gini", "binary", "laplace", max_depth=depth)
        score = model.fit(data.X.iloc[train], data.y[train]).predict_proba(data.X.iloc[test])[:, 0]
        wins, ties = _wins_and_ties(score[y], score[~y])
        expected[depth] = (wins + ties / 2) / (y.sum() * (~y).sum())
    wrong = [d for d in expected if abs(float(answer[d]) - expected[d]) > 5e-4]
    if wrong:
        return Verdict(
            False,
            f"Depth {wrong[0]} gives {expected[wrong[0]]:.3f}, you have "
            f"{float(answer[wrong[0]]):.3f}. Fit on `train`, score column 0 (bad) on `test`.",
        )
    best = max(expected, key=expected.get)
    return Verdict(True, f"Depth {best} ranks best here, with an AUC of {expected[best]:.3f}.")
