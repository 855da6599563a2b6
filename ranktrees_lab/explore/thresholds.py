"""Explore a threshold: two classes of scores, both curves, the confusion matrix and costs."""

from functools import partial
from statistics import NormalDist

import numpy as np

from ranktrees_engine.basics.kinds import ArrayLike
from ranktrees_lab import plot
from ranktrees_lab.explore.base import Explorer, table_html
from ranktrees_lab.explore.controls import choice, numbers
from ranktrees_lab.plot.inputs import scored
from ranktrees_lab.plot.operating import Operating

PRICES = (0.1, 0.2, 0.5, 1, 2, 4, 10, 20, 50, 100)
GIVEN = "as given"
# Made-up scores by name: how far the classes' normal distributions are apart, cases of each class.
MADE = {"separated": (2.2, 200, 200), "overlapping": (1.0, 200, 200), "unbalanced": (1.5, 20, 380)}


def roc_explorer(y: ArrayLike, score: ArrayLike, positive: object = None) -> Explorer:
    """Explore thresholds: two distributions of scores, ROC and precision-recall curve, costs.

    `y` (n,) classes, `score` (n,) of the class `positive` (default the last). Controls: the scores,
    as given or made up (separated, overlapping, unbalanced), the threshold, how many false alarms a
    miss costs, and the share of positive cases where the model will be used.
    """
    hits, scores, positive = scored(y, score, positive)
    known = {GIVEN: (hits, scores["model"])} | {name: made_up(*how) for name, how in MADE.items()}

    def points(threshold, miss, share, scores=GIVEN):
        return Operating.of(*known[scores], threshold, miss, share / 100)

    def draw(threshold, miss, share, scores=GIVEN):
        curve = points(threshold, miss, share, scores)
        places = {"this threshold": curve.here, "the cheapest": curve.best}
        places |= {"call nobody": 0, "call everybody": len(curve.cost) - 1}
        precision = ["-" if np.isnan(p) else f"{p:.1%}" for p in curve.precision]
        columns = curve.threshold, curve.tpr, curve.fpr, precision, curve.cost
        rows = [(name, *(column[i] for column in columns)) for name, i in places.items()]
        head = [
            "",
            "from score",
            "found (TPR)",
            "false alarms (FPR)",
            "precision",
            "cost of a case",
        ]
        y = np.where(known[scores][0], positive, f"not {positive}")
        picture = plot.operating(y, known[scores][1], threshold, miss, share / 100, positive)
        return picture, table_html(head, rows, ("", ".3f", ".1%", ".1%", "", ".3f"), bold=0)

    return Explorer(
        draw,
        {"points": points},
        scores=choice("scores", list(known), GIVEN),
        threshold=partial(_threshold, known),
        miss=choice("miss costs", PRICES, 1, slider=True),
        share=partial(_share, known),
    )


def made_up(apart: float, positive: int, other: int) -> tuple[np.ndarray, np.ndarray]:
    """Return whether a case is positive (n,), and its true probability (n,) of being so.

    A measurement has a normal distribution in each class, `apart` standard deviations apart; the
    cases are its quantiles, so that nothing is by chance.
    """
    hits = np.repeat([True, False], [positive, other])
    quantiles = [(np.arange(n) + 0.5) / n for n in (positive, other)]
    x = np.array([NormalDist().inv_cdf(q) for q in np.concatenate(quantiles)])
    odds = positive / other * np.exp(apart * (x + apart * (hits - 0.5)))
    return hits, odds / (1 + odds)


def _share(known, settings):
    """Offer the share of positive cases, first that of the scores."""
    hits, _ = known[settings.get("scores", GIVEN)]
    share = int(np.clip(round(100 * hits.mean()), 1, 99))
    return numbers("positive %", 1, 99, 1, share, follows=_follows(settings))


def _threshold(known, settings):
    """Offer a slider over the scores: from 0 to 1, or from the least to above the greatest."""
    _, score = known[settings.get("scores", GIVEN)]
    low, high = float(score.min()), float(score.max())
    if low >= 0 and high <= 1:
        return numbers("threshold", 0.0, 1.0, 0.01, 0.5, follows=_follows(settings))
    step = (high - low) / 100 or 1.0
    middle = (low + high + step) / 2
    return numbers("threshold", low, high + step, step, middle, follows=_follows(settings))


def _follows(settings):
    """Return what threshold and share follow: the choice of scores, where there is one."""
    return ("scores",) if "scores" in settings else ()
