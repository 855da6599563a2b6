"""The measures of a cross-validation by name, each on the cases of one test fold."""

from collections.abc import Callable
from functools import partial

import numpy as np

from ranktrees.arguments import choose
from ranktrees.evaluate.inputs import NotProbabilities, UndefinedMeasure, class_scores
from ranktrees.evaluate.multiclass import hand_till
from ranktrees.evaluate.probabilities import brier, log_loss
from ranktrees.evaluate.ranking import Blocks
from ranktrees.ties import first_best
from ranktrees.warn import warn


def _accuracy(y, proba, classes):
    codes, proba = class_scores(y, proba, classes)
    return float(np.mean(first_best(proba) == codes))  # as `predict` does


def _auc(y, proba, classes):
    codes, proba = class_scores(y, proba, classes)
    if len(classes) > 2:
        return hand_till(codes, proba, classes)
    return Blocks.of(codes == len(classes) - 1, proba[:, -1]).auc


def _on_codes(name, measure):
    """The measure as a function of class codes; nan where it is undefined."""

    def measured(y, proba):
        try:
            return measure(np.asarray(y), proba, range(np.shape(proba)[-1]))
        except UndefinedMeasure:
            return np.nan
        except NotProbabilities as error:
            warn(f"{name} is nan here: {error}")
            return np.nan

    return measured


MEASURES: dict[str, Callable] = {
    name: _on_codes(name, measure)
    for name, measure in {
        "accuracy": _accuracy,
        "auc": _auc,
        "auc-wang2006": partial(hand_till, convention="wang2006"),
        "auc-su2004": partial(hand_till, convention="su2004"),
        "brier": brier,
        "log_loss": log_loss,
    }.items()
}
"""Name -> function(class codes (n,), scores (n, C)) -> float, for one test fold.

Codes are places in the sorted classes, as in `classes_`; "auc" is the binary AUC of the last of two
classes, else Hand and Till's M. A measure that the fold leaves undefined (no case, a single class)
is nan; so are, with a warning, "brier" and "log_loss" of scores that are no probabilities. NaN
scores and codes without a column are errors all the same.
"""


def find_measures(names) -> dict[str, Callable]:
    """The measures of this name, or of these; ValueError for no name and for an unknown one."""
    names = [names] if isinstance(names, str) else list(names)
    if not names:
        raise ValueError(f"name at least one measure: {', '.join(map(repr, MEASURES))}")
    for name in names:
        choose("measure", name, MEASURES)
    return {name: MEASURES[name] for name in names}
