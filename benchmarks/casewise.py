"""WPE and shrinkage of WPE for the test cases of one fold, against comparing them case by case.

Both sides start from the same fitted C4.4 and the same codes. The other side is vectorised, too:
at each node it compares all of its cases with all training cases there in one NumPy expression,
attribute by attribute, and hands the matches to the same algorithm. Both must say the same.
"""

import tracemalloc
import warnings

import numpy as np
import pandas as pd

import ranktrees as rt
from benchmarks.fit import best_ms
from ranktrees_engine.estimates import TrainingCases, make_estimate
from ranktrees_engine.estimates.path_counts import PathCounts
from ranktrees_engine.evaluate import stratified_folds
from ranktrees_lab.data import FetchError

SETS = ("kr-vs-kp", "credit-g")  # the second is shipped
LARGE = "letter"
ESTIMATES = "wpe", "shrinkage+wpe"


def casewise_table(names=SETS, large=LARGE, seconds: float = 1.0) -> tuple[pd.DataFrame, list[str]]:
    """Measure both sides, ratio, peak MB, a row per data set and estimate; list what was missing.

    On the set `large` the package's side alone is measured.
    """
    rows, missing = [], []
    for name in (*names, large):
        try:
            data = rt.load(name)
        except FetchError as error:
            missing.append(f"data set {name}: {error}")
            continue
        rows += _one_set(data, seconds, name != large)
    columns = ["estimate", "training cases", "test cases", "counts", "pairs", "ratio", "peak MB"]
    return pd.DataFrame(rows, columns=["data set", *columns]).set_index("data set"), missing


def _one_set(data, seconds, with_pairs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        codes = rt.Encoder().fit_transform(data.X)
        test = stratified_folds(data.y, 10, seed=1) == 0
        train, test = np.flatnonzero(~test), np.flatnonzero(test)
        model = rt.C44().fit(codes.take(train), data.y[train])
    case = model.tree_, *model.training_, codes.values[test]
    for name in ESTIMATES:
        ours = best_ms(lambda n=name: counted(n, *case), seconds)
        theirs = best_ms(lambda n=name: pairwise(n, *case), seconds, 1) if with_pairs else np.nan
        if with_pairs:
            np.testing.assert_allclose(
                pairwise(name, *case), counted(name, *case), rtol=0, atol=1e-12
            )
        peak = _peak_megabytes(lambda n=name: counted(n, *case))
        yield data.name, name, len(train), len(test), ours, theirs, ours / theirs, peak


def _peak_megabytes(run):
    tracemalloc.start()
    run()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 2**20


def counted(name: str, tree, X_train, y_train, X) -> np.ndarray:
    """Return probabilities (m, C) as the package computes them, from counts."""
    return make_estimate(name).learn(tree, TrainingCases(tree, X_train, y_train)).proba(X)


def pairwise(name: str, tree, X_train, y_train, X) -> np.ndarray:
    """Return the same probabilities (m, C) by comparing cases with cases."""
    cases = TrainingCases(tree, X_train, y_train)
    vars(cases)["counts"] = Pairwise(tree, X_train, y_train)
    return make_estimate(name).learn(tree, cases).proba(X)


class Pairwise(PathCounts):
    """Eq. 5 as it stands: a matrix cases x training cases of matches at each node."""

    def agreement(self, node, X):
        """Yield cases (q,), and with how many at their node they agree (A, q, C): all in agree[0].

        They are only added up, so that one product of matrices serves all attributes.
        """
        one_hot = np.eye(self.n_classes)[self.y]
        for t in np.unique(node[node >= 0]):
            cases, rows = np.flatnonzero(node == t), self.below(np.array([t]))[1]
            similar = np.zeros((len(cases), len(rows)))
            for values, known in zip(X[cases].T, self.X[rows].T, strict=True):
                similar += values[:, None] == known
            agree = np.zeros((X.shape[1], len(cases), self.n_classes))
            agree[0] = similar @ one_hot[rows]
            yield cases, agree
