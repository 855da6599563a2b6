"""Path Bayes for one fold, fit and prediction together, against C4.4 and C4.5 on the same codes."""

import numpy as np
import pandas as pd

import ranktrees as rt
from benchmarks.fit import best_ms
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_engine.evaluate.fitting import take_rows
from ranktrees_lab.data import FetchError
from ranktrees_lab.papers import STUDIES
from ranktrees_lab.papers.reproduce import EXPECTED, prepared

STUDY = STUDIES["path-bayes"]
MODELS = {
    "C4.4": rt.C44(),
    "C4.5": rt.C45(),
    "path Bayes": rt.C45(estimate="path-bayes"),
    "path Bayes EM": rt.C45(estimate="path-bayes-em"),
}
LARGE = "letter"


def path_table(seconds: float = 0.2) -> tuple[pd.DataFrame, list[str]]:
    """Measure milliseconds per model, a row per set of the study, `LARGE`; list what was missing.

    The last rows are the median over the study's sets, and that of the ratio to C4.4.
    """
    rows, missing = {}, []
    for name in (*STUDY.datasets, LARGE):
        try:
            with WarnOnce(without=EXPECTED):
                rows[name] = _one_set(prepared(name, STUDY.datasets.get(name), "papers"), seconds)
        except FetchError as error:
            missing.append(f"data set {name}: {error}")
    table = pd.DataFrame(rows, index=list(MODELS)).T.rename_axis("data set")
    studied = table.drop(index=LARGE, errors="ignore")
    table.loc["median of all"] = studied.median()
    table.loc["median ratio to C4.4"] = studied.div(studied["C4.4"], axis=0).median()
    return table, missing


def _one_set(data, seconds):
    test = rt.weka_folds(data.y, 10, 1) == 0
    train, test = np.flatnonzero(~test), np.flatnonzero(test)
    X, y, new = take_rows(data.X, train), take_rows(data.y, train), take_rows(data.X, test)
    return [
        best_ms(lambda model=model: model.fit(X, y).predict_proba(new), seconds)
        for model in MODELS.values()
    ]
