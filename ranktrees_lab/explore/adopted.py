"""Explore one tree that scikit-learn grew, with estimates that are ours."""

import numpy as np
import pandas as pd

from ranktrees_engine.basics.kinds import ArrayLike, Dataset
from ranktrees_engine.basics.optional import optional
from ranktrees_engine.evaluate import MEASURES, auc
from ranktrees_files.adopted.adopt import adopt
from ranktrees_lab.explore.base import Explorer, table_html
from ranktrees_lab.explore.controls import choice
from ranktrees_lab.explore.estimates import half
from ranktrees_lab.plot.inputs import check_known
from ranktrees_lab.plot.judged import judged

NAMES = {  # of estimates, as the course calls them
    "frequency": "frequency",
    "laplace": "Laplace",
    "hierarchical-shrinkage": "hierarchical shrinkage",
    "shrinkage+wpe": "shrinkage with WPE",
    "path": "path Bayes",
}
PARAMS = {"hierarchical-shrinkage": {"lam": 20}}


def adopted_explorer(
    data: Dataset,
    positive: str | None = None,
    train: ArrayLike | None = None,
    estimate: str = "frequency",
) -> Explorer:
    """Explore a fully grown tree of scikit-learn: its estimates' ROC curves and reliability.

    A `DecisionTreeClassifier` grows on the rows `train` of `data` (default: a random half), whose
    nominal attributes become a column of 0 and 1 per value, and `rt.adopt` takes it over. The
    control chooses one of five estimates, first `estimate`; all others are pale. They are judged on
    the other rows by the probability of `positive` (default: the last class). The table has, of
    that class against the rest, the AUC, the Brier score, and the log loss with probabilities of
    at least 1e-15. Hierarchical shrinkage has a lambda of 20. Raises ValueError for unknown names
    and a half with a single class.
    """
    optional("sklearn.tree", "adopted trees", "lab")
    check_known("estimate", estimate, NAMES)
    inside, X = half(data, train), pd.get_dummies(data.X)  # a column per value of a nominal one
    y, models = data.y[~inside], _estimates(X[inside], data.y[inside])
    first = models["frequency"]
    names = [str(name) for name in first.classes_]
    check_known("class", positive := names[-1] if positive is None else str(positive), names)
    scores = {
        NAMES[name]: model.predict_proba(X[~inside])[:, names.index(positive)]
        for name, model in models.items()
    }
    rows = _measures(np.array([str(name) == positive for name in y], int), scores)
    head = ["estimate", "AUC", "Brier score", "log loss", "distinct probabilities"]

    def draw(estimate):
        picture = judged(y, scores, NAMES[estimate], positive)
        tree = f"A tree of scikit-learn with {len(first.tree_)} nodes, judged on new cases."
        picture.alt = f"{tree} {picture.alt}"
        bold = list(NAMES).index(estimate)
        return picture, table_html(head, rows, ("", ".3f", ".3f", ".3f", "d"), bold=bold)

    options = [(words, name) for name, words in NAMES.items()]
    parts = {"models": models, "scores": scores}
    return Explorer(draw, parts, estimate=choice("estimate", options, estimate, slider=True))


def _estimates(X, y) -> dict:
    """Return {estimate: model}: one tree, grown by scikit-learn on these cases."""
    from sklearn.tree import DecisionTreeClassifier

    if len(np.unique(np.asarray(y))) < 2:
        raise ValueError("the train cases need at least two classes: choose other rows")
    grown = DecisionTreeClassifier(random_state=0).fit(X, y)
    model = adopt(grown, X, y)
    return {name: model.with_estimate(name, **PARAMS.get(name, {})) for name in NAMES}


def _measures(hits, scores) -> list[tuple]:
    """Return a row for each score (n,) of cases that are positive, 1, or not, 0."""
    rows = []
    for name, score in scores.items():
        proba = np.column_stack([1 - score, score])
        error = float(np.mean((score - hits) ** 2))
        lost = MEASURES["log-loss-clipped"](hits, proba)
        rows.append((name, auc(hits, score), error, lost, len(np.unique(score.round(9)))))
    return rows
