"""Fits from small and wide frames beside what a user would take instead, by the processor's clock.

A frame of 1,000 x 20 shows the fixed cost of a fit, one of 2,000 x 3,000 that of many attributes.
`python -m benchmarks.frames` measures this part alone.
"""

import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd

import ranktrees as rt
from benchmarks.citree import processor_seconds
from benchmarks.fit import peer

SMALL, WIDE = (1000, 20), (2000, 3000)
WORDS = np.array(["alpha", "beta", "gamma", "delta", "epsilon"])


def main() -> None:
    """Measure this part alone and print it."""
    table, missing = frame_table()
    print(table.to_string(), *missing, sep="\n")


def frame_table(seconds: float = 1.0) -> tuple[pd.DataFrame, list[str]]:
    """Measure milliseconds of a fit and of predicting its cases; list what was missing."""
    rows, missing = [], []
    for shape, least in ((SMALL, 3), (WIDE, 1)):
        X, y = mixed(*shape)
        for name, make in MODELS.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                times = peer(missing, _times, make, X, y, seconds, least)
            size = f"{shape[0]:,} x {shape[1]:,}"
            rows.append({"frame": size, "model": name, "fit": times[0], "predict": times[1]})
    return pd.DataFrame(rows).set_index("frame"), missing


def mixed(n: int, A: int, seed: int = 1) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw a frame (n, A) of words and numbers by turns, the first six of which tell the class."""
    rng, columns = np.random.default_rng(seed), {}
    y = rng.integers(0, 2, n)
    for j in range(A):
        shift = y if j < 6 else 0
        if j % 2:
            columns[f"number {j}"] = (rng.normal(size=n) + 0.7 * shift).round(2)
        else:
            columns[f"word {j}"] = WORDS[rng.integers(0, 4, n) + shift]
    return pd.DataFrame(columns), np.array(["no", "yes"])[y]


def _times(make, X, y, seconds, least):
    return tuple(1e3 * processor_seconds(run, seconds, least) for run in make(X, y))


def ours(model) -> Callable:
    """Return the fit and the predictions of one of our models."""
    return lambda X, y: (lambda: model.fit(X, y), lambda: model.predict_proba(X))


def pipeline(X, y) -> tuple[Callable, Callable]:
    """Return those of scikit-learn's tree, whose pipeline encodes words as ones and zeros."""
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    words = OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number")
    read = make_column_transformer(words, remainder="passthrough")
    model = make_pipeline(read, DecisionTreeClassifier(random_state=1))
    return lambda: model.fit(X, y), lambda: model.predict_proba(X)


def lightgbm(X, y) -> tuple[Callable, Callable]:
    """Return those of LightGBM, which takes words as categories."""
    from lightgbm import LGBMClassifier

    model = LGBMClassifier(n_jobs=1, verbose=-1)

    def categories():
        return X.astype(dict.fromkeys(X.select_dtypes(exclude="number"), "category"))

    return lambda: model.fit(categories(), y), lambda: model.predict_proba(categories())


def c50(X, y) -> tuple[Callable, Callable]:
    """Return those of C5.0 for Python, c50py."""
    from c50py import C5Classifier

    model = C5Classifier()
    return lambda: model.fit(X, y), lambda: model.predict_proba(X)


MODELS = {
    "C4.4": ours(rt.C44()),
    "path Bayes": ours(rt.PathBayes()),
    "path Bayes, equal weights": ours(rt.PathBayes(weights="equal")),
    "scikit-learn's tree in a pipeline": pipeline,
    "LightGBM": lightgbm,
    "c50py": c50,
}


if __name__ == "__main__":
    main()
