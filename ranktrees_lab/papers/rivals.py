"""Methods of scikit-learn that a new one has to be compared with, in the package's interface.

scikit-learn is optional: only who fits a rival needs it.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ranktrees.basics.arguments import choose
from ranktrees.basics.fitted import check_fitted
from ranktrees.basics.kinds import Input
from ranktrees.basics.optional import optional
from ranktrees.reading.encoder import Codes

RIVALS = {
    "logistic-regression": ("linear_model", "LogisticRegression", {"max_iter": 10_000}),
    "random-forest": ("ensemble", "RandomForestClassifier", {"n_estimators": 500, "n_jobs": 1}),
    "boosting": ("ensemble", "HistGradientBoostingClassifier", {}),
}
CODINGS = ("one-hot", "numbers", "categories")


@dataclass
class Rival:
    """A classifier of scikit-learn, with its defaults, on `Codes` or on columns as they are.

    `name` in `RIVALS`. `coding` of nominal attributes and of all `Codes`: "one-hot" (a column of 0
    and 1 for each declared value, all 0 where it is missing), "numbers" (the code itself) or
    "categories" (boosting's own way with them). Numbers of a frame stay, gaps included, which
    logistic regression refuses. `classes_` are the declared classes of y, as of every model here.
    """

    name: str = "random-forest"
    coding: str = "one-hot"
    seed: int = 1

    def fit(self, X: Input, y: pd.Categorical) -> "Rival":
        """Fit to `Codes` or a frame X (n, A) and declared classes y (n,)."""
        choose("rival", self.name, RIVALS)
        choose("coding", self.coding, CODINGS)
        module, kind, settings = RIVALS[self.name]
        make = getattr(optional(f"sklearn.{module}", "Rivals", "lab"), kind)
        columns, nominal = design(X, self.coding)
        self.known_ = ~np.isnan(columns).all(axis=0)  # boosting cannot cut a column of gaps alone
        if self.coding == "categories":
            settings = {**settings, "categorical_features": nominal[self.known_]}
        self.classes_ = np.asarray(y.categories)
        with one_thread():
            self.model_ = make(random_state=self.seed, **settings)
            self.model_.fit(columns[:, self.known_], y.codes)
        return self

    def predict_proba(self, X: Input) -> np.ndarray:
        """Probabilities (n, C), a column for every declared class, 0 where training had no case."""
        check_fitted(self, "model_")
        columns = design(X, self.coding)[0][:, self.known_]
        proba = np.zeros((len(X), len(self.classes_)))
        with one_thread():
            proba[:, self.model_.classes_] = self.model_.predict_proba(columns)
        return proba


def one_thread():
    """Within it sums have one order, which otherwise depends on the number of processors."""
    return optional("threadpoolctl", "Rivals", "lab").threadpool_limits(1)


def design(X, coding: str) -> tuple[np.ndarray, np.ndarray]:
    """X as a matrix (n, D) of numbers, and which of its columns (D,) are nominal."""
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
