"""The conclusions of the last slide on Newton trees, measured in a few seconds.

`python -m tools.conclusions` keeps it in `data/results/martinez2010.conclusions.csv`, which the
rules of `ranktrees_lab/papers/figures.py` read.
"""

from collections import Counter
from pathlib import Path
from unittest.mock import patch

import pandas as pd

from ranktrees.plain import newton
from ranktrees_engine.evaluate import cross_validate
from ranktrees_engine.models import NewtonTree
from ranktrees_lab.data import load
from ranktrees_lab.data.structured import baskets, fragments
from ranktrees_lab.papers.files import replace_file

FILE = Path(__file__).parents[1] / "data" / "results" / "martinez2010.conclusions.csv"
RUNS, K = 5, 10
COLUMNS = ["claim", "dataset", "variant", "run", "fold", "value"]


def measure() -> pd.DataFrame:
    """Measure AUC on sets and on texts in each fold, and splits that each node evaluates."""
    kinds = [(baskets(), "basket", "jaccard"), (fragments(), "fragment", "levenshtein")]
    rows = [row for kind in kinds for row in _aucs(*kind)]
    return pd.DataFrame([*rows, *_splits(100), *_splits(400)], columns=COLUMNS)


def _aucs(data, column, distance):
    """Yield rows of a column read by its own distance, and as bare names that are equal or not."""
    for variant, way in {"distance": distance, "names": "zero-one"}.items():
        model = NewtonTree(distances={column: way})
        found = cross_validate(model, data, k=K, runs=RUNS, measures=["auc"])
        for row in found.itertuples():
            yield "datatype", data.name, variant, row.run, row.fold, row.auc


def _splits(n):
    """Count the splits that each node of a plain Newton tree evaluates: midpoints of n cases."""
    data, counts, split = load("diabetes"), Counter(), newton.split

    def counted(X, y, a, node, *rest):
        counts[node] += 1
        return split(X, y, a, node, *rest)

    X, y = data.X.iloc[:n], data.y.codes[:n].tolist()
    with patch.object(newton, "split", counted):
        newton.newton_tree(X.to_numpy().tolist(), y, 2, [_apart] * X.shape[1])
    for node, times in enumerate(counts.values()):
        yield "splits", f"diabetes {n}", "Newton", 0, node, times
    yield "splits", f"diabetes {n}", "midpoints", 0, 0, int((X.nunique() - 1).sum())
    yield "splits", f"diabetes {n}", "attributes", 0, 0, X.shape[1]


def _apart(a, b):
    return abs(a - b)


if __name__ == "__main__":
    replace_file(FILE, measure().to_csv(index=False, lineterminator="\n"))
