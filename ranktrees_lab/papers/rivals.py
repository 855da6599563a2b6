"""Methods of other libraries to compare a new one with, in the package's interface.

scikit-learn, LightGBM (Ke et al. 2017), InterpretML (Nori et al. 2019) and c50py, which has C5.0's
rules, are optional: only a reader who fits a rival needs its library.
"""

from dataclasses import dataclass
from functools import partial
from importlib import import_module

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import choose
from ranktrees_engine.basics.fitted import check_fitted
from ranktrees_engine.basics.kinds import Input
from ranktrees_engine.basics.optional import optional
from ranktrees_engine.reading.encoder import Codes

EBM = "interpret.glassbox", "ExplainableBoostingClassifier"
C50 = "c50py", "C5Classifier"
ONE = {"n_jobs": 1}
RIVALS = {  # module, class, and what is not the library's default
    "logistic-regression": ("sklearn.linear_model", "LogisticRegression", {"max_iter": 10_000}),
    "random-forest": ("sklearn.ensemble", "RandomForestClassifier", {"n_estimators": 500, **ONE}),
    "boosting": ("sklearn.ensemble", "HistGradientBoostingClassifier", {}),
    "lightgbm": ("lightgbm", "LGBMClassifier", {"verbose": -1, "deterministic": True, **ONE}),
    "c5.0": (*C50, {}),
    "c5.0-boosted": (*C50, {"trials": 10}),
    "ebm": (*EBM, ONE),
    "ebm-without-pairs": (*EBM, {"interactions": 0, **ONE}),
}
MANY = 10_000  # cases, above which scikit-learn's boosting stops early
CODINGS = ("one-hot", "numbers", "categories")


@dataclass
class Rival:
    """A classifier of another library, as set in `RIVALS`, on `Codes` or on columns as they are.

    `name` in `RIVALS`. `coding` of nominal attributes and of all `Codes`: "one-hot" (a column of 0
    and 1 for each declared value, all 0 where it is missing), "numbers" (the code itself) or
    "categories" (boosting's, C5.0's and the EBM's own way with them). Numbers of a frame stay, gaps
    included, which logistic regression refuses. Boosting holds out cases of each class if there are
    many, and refuses a single one, which is therefore given twice. `classes_` are the declared
    classes of y, as in every model here.
    """

    name: str = "random-forest"
    coding: str = "one-hot"
    seed: int = 1

    def fit(self, X: Input, y: pd.Categorical) -> "Rival":
        """Fit to `Codes` or a frame X (n, A) and declared classes y (n,)."""
        choose("rival", self.name, RIVALS)
        choose("coding", self.coding, CODINGS)
        columns, nominal = design(X, self.coding)
        self.known_ = ~np.isnan(columns).all(axis=0)  # boosting cannot cut a column of gaps alone
        self.classes_ = np.asarray(y.categories)
        make, for_fit = self._make(nominal[self.known_])
        rows = np.arange(len(y))
        if self.name == "boosting" and len(y) > MANY:
            rows = np.append(rows, np.flatnonzero(np.bincount(y.codes)[y.codes] == 1))
        with one_thread():
            make = partial(make, random_state=self.seed)
            self.model_ = self._learn(
                make, columns[np.ix_(rows, self.known_)], y.codes[rows], for_fit
            )
        return self

    def _learn(self, make, columns, y, for_fit):
        """Return the library's model, fitted to columns (n, D) and class codes y (n,)."""
        return make().fit(columns, y, **for_fit)

    def _make(self, nominal):
        """Return the library's class with its settings, and its `fit`'s note of nominal columns."""
        module, kind, settings = RIVALS[self.name]
        settings, for_fit = dict(settings), {}
        if self.coding == "categories":
            if self.name == "boosting":
                settings["categorical_features"] = nominal
            elif self.name.startswith("c5.0"):
                settings["categorical_features"] = nominal.nonzero()[0].tolist()
            elif self.name == "lightgbm":
                for_fit["categorical_feature"] = nominal.nonzero()[0].tolist()
            else:
                types = np.where(nominal, "nominal", "continuous")
                settings["feature_types"] = types.tolist()
        return partial(getattr(_library(module), kind), **settings), for_fit

    def predict_proba(self, X: Input) -> np.ndarray:
        """Return probabilities (n, C), a column per declared class, 0 if it had no case."""
        check_fitted(self, "model_")
        columns = design(X, self.coding)[0][:, self.known_]
        proba = np.zeros((len(X), len(self.classes_)))
        with one_thread():
            proba[:, self.model_.classes_] = self.model_.predict_proba(columns)
        return proba


LEAVES, ROUNDS, PATIENCE = (4, 8, 31), 2000, 50


@dataclass
class Tuned(Rival):
    """LightGBM at learning rate .05, with 4, 8 or 31 leaves and as many trees as helped, refitted.

    A fifth of each class is held out, of a class of two to four one case. Trees are added to the
    rest until their log loss on it has not fallen for `PATIENCE` trees. The best number of leaves
    and trees is then fitted to all cases.
    """

    name: str = "lightgbm"
    coding: str = "categories"

    def _learn(self, make, columns, y, for_fit):
        test = held_out(y, self.seed)
        how = {"eval_X": columns[test], "eval_y": y[test], **for_fit}
        stop = _library("lightgbm").early_stopping(PATIENCE, verbose=False)
        make = partial(make, learning_rate=0.05)
        tried = [
            make(num_leaves=leaves, n_estimators=ROUNDS).fit(
                columns[~test], y[~test], callbacks=[stop], **how
            )
            for leaves in LEAVES
        ]
        best = min(tried, key=lambda model: min(model.best_score_["valid_0"].values()))
        most = {"num_leaves": best.num_leaves, "n_estimators": best.best_iteration_}
        return make(**most).fit(columns, y, **for_fit)


def held_out(y: np.ndarray, seed: int) -> np.ndarray:
    """Return whether each case with class codes y (n,) is held out, at random by the seed."""
    rng, test = np.random.default_rng(seed), np.zeros(len(y), bool)
    for c in np.unique(y):
        rows = rng.permutation(np.flatnonzero(y == c))
        test[rows[: len(rows) // 5 or len(rows) > 1]] = True
    return test


def _library(module):
    """Import the module; ImportError says how to install what is missing."""
    if module.startswith("sklearn"):
        return optional(module, "Rivals", "lab")
    try:
        return import_module(module)
    except ImportError as error:
        package = {"interpret": "interpret-core"}.get(name := module.partition(".")[0], name)
        raise ImportError(f"This rival needs {package}: pip install --group study") from error


def one_thread():
    """Limit work to one thread, so that the order of sums does not depend on the processors."""
    return optional("threadpoolctl", "Rivals", "lab").threadpool_limits(1)


def design(X, coding: str) -> tuple[np.ndarray, np.ndarray]:
    """Return X as a matrix (n, D) of numbers, and which of its columns (D,) are nominal."""
    if isinstance(X, Codes):
        each = zip(X.values.T, X.sizes, strict=True)
    else:
        each = (
            (column.cat.codes.to_numpy(), len(column.cat.categories))
            if hasattr(column, "cat")
            else (column.to_numpy(float), 0)
            for _, column in X.items()
        )
    parts, nominal = [], []
    for values, size in each:  # the size is 0 of numbers, else codes are -1 where there is a gap
        if size and coding == "one-hot":
            parts.append((values[:, None] == np.arange(size)).astype(float))
        else:
            parts.append(np.where((values < 0) & (size > 0), np.nan, values)[:, None])
        nominal += [size > 0] * parts[-1].shape[1]
    return np.hstack(parts), np.array(nominal)
