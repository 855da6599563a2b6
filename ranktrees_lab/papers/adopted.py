"""Methods of the study `adopted`: trees that scikit-learn grows, with their own leaves or ours.

One model grows the tree, or forest, and all of its readings put another estimate on the very same
one. Others mend it otherwise: imodels' hierarchical shrinkage, whose strength three folds choose
(Agarwal et al. 2022), and scikit-learn's calibration over five folds.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import choose
from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.kinds import Input
from ranktrees_files.adopted.adopt import adopt
from ranktrees_lab.papers.label_leak import honest_proba
from ranktrees_lab.papers.paper import HONEST, Method
from ranktrees_lab.papers.rivals import _library, design, one_thread

OWN = "own leaves"  # what scikit-learn predicts
FOLDS = 3  # of imodels' choice
GROWN = {  # module, class, and what is not the library's default
    "tree": ("sklearn.tree", "DecisionTreeClassifier", {}),
    "leaves of 5": ("sklearn.tree", "DecisionTreeClassifier", {"min_samples_leaf": 5}),
    "random forest": ("sklearn.ensemble", "RandomForestClassifier", {"n_estimators": 50}),
    "extra trees": ("sklearn.ensemble", "ExtraTreesClassifier", {"n_estimators": 50}),
}
MENDED = "", "imodels", "isotonic", "sigmoid"


@dataclass
class Grown:
    """A tree or forest of scikit-learn over one-hot columns; gaps in numbers are left to it.

    `name` in `GROWN`; `mended` by another library, in `MENDED`, or by none. `classes_` are the
    declared classes of y, as in every model here. Of imodels' folds, which it does not draw, each
    has cases of every class; a class with fewer cases is repeated.
    """

    name: str = "tree"
    mended: str = ""
    seed: int = 1

    def fit(self, X: Input, y: pd.Categorical) -> Self:
        """Fit to a frame X (n, A) and declared classes y (n,)."""
        choose("tree", self.name, GROWN)
        choose("mended", self.mended, MENDED)
        self.classes_ = np.asarray(y.categories)
        self.columns_, self.y_ = design(X, "one-hot")[0], np.asarray(y.codes)
        module, kind, settings = GROWN[self.name]
        made = getattr(_library(module), kind)(random_state=self.seed, **settings)
        with one_thread():
            self.fitted_ = self._fit(made)
        self.adopted_ = {}
        return self

    def _fit(self, made):
        columns, y = self.columns_, self.y_
        if self.mended == "imodels":
            rows = in_thirds(y, self.seed)
            mended = _library("imodels").HSTreeClassifierCV(estimator_=made, cv=FOLDS)
            return mended.fit(columns[rows], y[rows])
        if self.mended:
            calibrated = _library("sklearn.calibration").CalibratedClassifierCV
            made = calibrated(made, method=self.mended)
        return made.fit(columns, y)

    def proba(self, X: Input, estimate: str = OWN, **params: Any) -> np.ndarray:
        """Return probabilities (n, C) by an estimate, a column for each declared class."""
        check_fitted(self, "fitted_")
        columns, said = design(X, "one-hot")[0], np.zeros((len(X), len(self.classes_)))
        with one_thread():
            model = self.fitted_ if estimate == OWN else self._adopted(estimate, params)
            known = self.fitted_.classes_ if self.mended != "imodels" else np.unique(self.y_)
            said[:, known] = model.predict_proba(columns)
        return said

    def predict_proba(self, X: Input) -> np.ndarray:
        """Return what the library itself predicts (n, C)."""
        return self.proba(X)

    def _adopted(self, estimate, params):
        """Return the adopted model; the first one is kept, and others differ in their estimate."""
        if estimate == "temperature":
            return adopt(self.fitted_, self.columns_, self.y_, estimate=estimate)
        if not self.adopted_:
            self.adopted_["laplace"] = adopt(
                self.fitted_, self.columns_, self.y_, estimate="laplace"
            )
        return self.adopted_["laplace"].with_estimate(estimate, **params)


def in_thirds(y: np.ndarray, seed: int) -> np.ndarray:
    """Return rows of cases with classes y (n,), so ordered that each third has every class."""
    rng, each = np.random.default_rng(seed), []
    for c in np.unique(y):
        rows = rng.permutation(np.flatnonzero(y == c))
        each.append(np.resize(rows, max(len(rows), FOLDS)))
    rows = np.concatenate(each)  # three in a row are of three thirds
    return np.concatenate([rows[third::FOLDS] for third in range(FOLDS)])


def by_estimate(
    model: Grown, X: Input, y: object, estimate: str = OWN, **params: Any
) -> np.ndarray:
    """Return the scores (m, C) of a reading: an estimate on the tree that a model grew."""
    return model.proba(X, estimate, **params)


LAPLACE, PRUNINGS = ("laplace", {}), ("prunings", {})
ON_A_TREE = {  # what is put on one and the same tree: the estimate and its parameters
    "own leaves": (OWN, {}), "Laplace": LAPLACE, "m-branch": ("m-branch", {}),
    "prunings": PRUNINGS,
    **{f"shrunk {lam}": ("hierarchical-shrinkage", {"lam": lam}) for lam in (1, 10, 50)},
    "shrinkage": ("shrinkage", {}), "shrinkage + WPE": ("shrinkage+wpe", {}),
    "shrinkage + naive Bayes": ("shrinkage+naive-bayes", {}),
    "path": ("path", {}),  # run on these sets last, after about 50 forms on others
    "path at 1/2": ("path", {"further": 0.5}),
    "path over shrunk 50": ("path", {"lam": 50}),  # the best of these beforehand, on other sets
}  # fmt: skip
ON_RANDOM_TREES = {"own leaves": (OWN, {}), "path": ("path", {})}
ON_A_FOREST = ON_RANDOM_TREES | {"prunings": PRUNINGS, "temperature": ("temperature", {})}
READ = {
    "tree": ON_A_TREE, "leaves of 5": ON_A_TREE, "forest": ON_A_FOREST,
    "extra trees": ON_RANDOM_TREES,
}  # fmt: skip
MODELS = {
    "tree": Grown,
    "leaves of 5": partial(Grown, "leaves of 5"),
    "forest": partial(Grown, "random forest"),
    "extra trees": partial(Grown, "extra trees"),
    "tree: imodels": partial(Grown, mended="imodels"),
    "tree: isotonic": partial(Grown, mended="isotonic"),
    "tree: sigmoid": partial(Grown, mended="sigmoid"),
    "forest: sigmoid": partial(Grown, "random forest", mended="sigmoid"),
}


def methods(calibrated: tuple[str, ...]) -> list[Method]:
    """Return the methods, one for each estimate on a tree, and those of other libraries.

    Calibration needs five cases of each class: it is measured on the sets `calibrated` alone.
    """
    listed = [
        _method(f"{model}: {name}", model, partial(by_estimate, estimate=how, **params))
        for model, estimates in READ.items()
        for name, (how, params) in estimates.items()
    ]
    for name in MODELS.keys() - READ.keys():
        on = None if name == "tree: imodels" else calibrated
        listed.append(_method(name, name, honest_proba, on))
    return sorted(listed, key=lambda method: [*MODELS].index(method.model))


def _method(name, model, scores, on=None):
    return Method(name, model, {HONEST: scores}, table="", datasets=on, raw=True)
