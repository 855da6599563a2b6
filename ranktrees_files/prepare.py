"""Data sets as the ranking papers used them: filled, in ten bins, without identifiers."""

from dataclasses import replace

import pandas as pd

from ranktrees_engine.basics.arguments import DATASET, check_like, choose
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_engine.reading.encoder import Encoder
from ranktrees_files.dataset import Dataset


def prepare(data: Dataset, how: str = "papers") -> Dataset:
    """Return a data set as ranking papers used it: filled, in ten bins, without identifiers.

    As Weka's filters did, this uses the whole set, before any cross-validation:
    ReplaceMissingValues, then Discretize with ten bins of equal width (Su & Zhang 2004; Wang &
    Zhang 2006). Every column of the result is a Categorical of its codes' descriptions. Honest
    studies learn bins on training data alone, as the estimators do by default.
    """
    choose("preparation", how, ("papers",))
    check_like(DATASET, data, "X", "y")
    X = data.X.drop(columns=list(data.ids))
    with WarnOnce(without=("",)):  # a column without a value is left as it is, on purpose
        coded = Encoder().fit_transform(X)
    columns = {}
    for j, info in enumerate(coded.schema):
        labels = info.labels
        if len(set(labels)) < len(labels):  # the cuts agree in all the digits that are shown
            labels = [f"bin {v} {label}" for v, label in enumerate(labels)]
        columns[info.name] = pd.Categorical.from_codes(
            coded.values[:, j], pd.Index(labels), ordered=False
        )
    source = f"{data.source}, prepared as in the papers"
    X = pd.DataFrame(columns, index=data.X.index)
    return replace(data, X=X, source=source, ids=())
