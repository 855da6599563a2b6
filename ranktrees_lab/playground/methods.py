"""The methods that can be chosen, and the few settings of each that a lecturer changes."""

from typing import NamedTuple

from ranktrees_engine.criteria.criteria import CRITERIA
from ranktrees_engine.models import (
    AODE,
    C44,
    C45,
    Bagging,
    CentreSplitting,
    CITree,
    DecisionTree,
    DistanceTree,
    NaiveBayes,
    NBTree,
    NewtonTree,
    PathBayes,
    PathForest,
)

NONE = "—"  # where a method has no such setting
LEAF = ("laplace", "m", "frequency", "m-branch", "curtailment", "hierarchical-shrinkage")
BY_CASE = ("ling-yan", "shrinkage", "wpe", "shrinkage+wpe", "naive-bayes", "path-bayes")
SCORES, PULLS = ("auc", "accuracy", "log_loss"), ("gain_ratio", "auc")
OWN = ("path-bayes", "path-bayes-em", "leaf-naive-bayes")  # which no tree of scikit-learn can have
DEPTHS = [("no limit", 0), *[(str(depth), depth) for depth in (1, 2, 3, 4, 5, 6, 8, 10)]]

IN_SCIKIT_LEARN = """
# The same estimate for scikit-learn's {what}, of columns that are numbers:
# import pandas as pd
# from sklearn.{room} import {kind}
# X = pd.get_dummies(data.X)
# fitted = {kind}(random_state=0).fit(X, data.y)
# model = rt.adopt(fitted, X, data.y, {how})
# ... and as an estimator, for pipelines, searches and folds:
# model = rt.Reestimated({kind}(random_state=0), {how}).fit(X, data.y)
"""


class Offer(NamedTuple):
    """A kind of model and its settings: for each a parameter's name and its choices.

    The first choice is the start; `unpruned` is the value of `prune` that means no pruning.
    """

    kind: type
    criterion: tuple[str, tuple] = ("", (NONE,))
    estimate: tuple[str, tuple] = ("", (NONE,))
    unpruned: tuple = ()
    depth: bool = False


METHODS = {
    "path Bayes": Offer(PathBayes, estimate=("estimate", ("path-bayes", "path-bayes-em"))),
    "path forest": Offer(PathForest),
    "naive Bayes": Offer(NaiveBayes, estimate=("smoothing", ("laplace", "m", "none"))),
    "AODE": Offer(AODE),
    "C4.4": Offer(C44, estimate=("estimate", (*LEAF, *BY_CASE))),
    "C4.4 with shrinkage": Offer(C44, estimate=("estimate", ("shrinkage", "shrinkage+wpe"))),
    "C4.4 with WPE": Offer(C44, estimate=("estimate", ("wpe",))),
    "C4.5": Offer(C45, estimate=("estimate", ("frequency", *LEAF[:2])), unpruned=(False,)),
    "decision tree": Offer(
        DecisionTree,
        ("criterion", ("gain_ratio", *sorted({*CRITERIA} - {"gain_ratio"}))),
        ("estimate", ("frequency", *(name for name in LEAF if name != "frequency"), *BY_CASE)),
        depth=True,
    ),
    "CITree": Offer(CITree, ("scoring", SCORES), unpruned=(None,), depth=True),
    "NBTree": Offer(NBTree, ("scoring", ("accuracy", "auc", "log_loss")), depth=True),
    "Newton tree": Offer(NewtonTree, ("criterion", PULLS), ("estimate", LEAF), depth=True),
    "distance tree": Offer(DistanceTree, ("criterion", PULLS), ("estimate", LEAF), depth=True),
    "centre splitting": Offer(CentreSplitting, estimate=("estimate", LEAF), depth=True),
    "bagged C4.4": Offer(Bagging),
}


def model_of(method: str, criterion=None, estimate=None, m=2.0, prune=True, depth=0):
    """Make the model of a method; without a setting a parameter is left out, None is default."""
    kind = METHODS[method]
    params = {}
    for (name, choices), value in ((kind.criterion, criterion), (kind.estimate, estimate)):
        if name:
            params[name] = choices[0] if value is None else value
    if params.get("smoothing") == "m":
        params["m"] = float(m)
    elif params.get("estimate") == "m":
        params["estimate_params"] = {"m": float(m)}
    if kind.unpruned and not prune:
        params["prune"] = kind.unpruned[0]
    if kind.depth and depth:
        params["max_depth"] = depth
    return kind.kind(**params)


def models_of(method: str, against: tuple[str, ...], **settings) -> dict:
    """Return {name: model}: a method with its settings first, others with their defaults."""
    first = f"{method}, as set" if method in against else method
    return {first: model_of(method, **settings)} | {name: model_of(name) for name in against}


def code_of(model) -> str:
    """Return the expression that makes the model."""
    return f"rt.{model!r}"


def in_scikit_learn(model) -> str:
    """Return, as comments, the lines that give scikit-learn's trees the estimate of a model's.

    It is "path" where only our own trees can have the model's. Without trees there are no lines.
    """
    forest = isinstance(model, PathForest | Bagging)
    if not forest and not hasattr(model, "with_estimate"):
        return ""
    tree = (model.model or C44()) if isinstance(model, Bagging) else model
    name = getattr(tree, "estimate", None)
    how = f"estimate={('path' if name in (None, *OWN) else name)!r}"
    if params := getattr(tree, "estimate_params", None):
        how += f", estimate_params={params!r}"
    kind, room = ("RandomForest", "ensemble") if forest else ("DecisionTree", "tree")
    what = "forest" if forest else "tree"
    return IN_SCIKIT_LEARN.format(what=what, room=room, kind=f"{kind}Classifier", how=how)
