"""The papers' own cells: C4.4 and C4.5 of Wang & Zhang (2006), naive Bayes of Su & Zhang (2004)."""

import numpy as np
import pandas as pd
import pytest
from oracles import prepared, quietly

import ranktrees as rt

# AUC x 100: Table 3, column C45, and Table 4, column C44 (Wang & Zhang 2006).
PUBLISHED = pd.DataFrame(
    {
        "breast-cancer": (60.86, 59.44),
        "credit-g": (68.48, 68.06),
        "diabetes": (76.26, 74.66),
        "glass": (77.11, 80.57),
        "ionosphere": (88.98, 92.17),
        "iris": (98.99, 98.52),
        "labor": (78.25, 84.63),
        "soybean": (98.12, 98.12),
        "vote": (96.57, 97.62),
        "balance-scale": (52.72, 59.42),
    },
    index=["C45", "C44"],
)
# AUC x 100 of NB in Table 1 (Su & Zhang 2004); "Pima", "Gcredit" and "Bscale" are its names.
NAIVE_BAYES = {
    "balance-scale": 84.46,
    "credit-g": 79.27,
    "diabetes": 82.31,
    "ionosphere": 93.61,
    "iris": 98.58,
    "segment": 98.51,
    "soybean": 99.53,
    "tic-tac-toe": 73.91,
    "vote": 96.56,
}
MODELS = {"C45": rt.C45(), "C44": rt.C44(rules="wang2006")}
AS_PRINTED = 0.01  # the cells have two decimals


def mean_auc(model, data, y=None, runs=5, measure="auc-wang2006"):
    """Mean AUC x 100 over ten of Weka's folds for each of the seeds 1, 2, ..."""
    pair = data.X, data.y if y is None else y
    settings = {"k": 10, "runs": runs, "seed": 1, "folds": "weka", "measures": [measure]}
    return 100 * quietly(rt.cross_validate, model, pair, **settings)[measure].mean()


DEAR = [pytest.param(name, marks=pytest.mark.long) for name in ("credit-g", "soybean")]


@pytest.mark.parametrize("column", MODELS)
@pytest.mark.parametrize("name", [*PUBLISHED.columns.drop(["credit-g", "soybean"]), *DEAR])
def test_a_cell_of_wang_and_zhang(name, column):
    ours = mean_auc(MODELS[column], prepared(name))
    assert ours == pytest.approx(PUBLISHED.loc[column, name], abs=AS_PRINTED)


def test_rules_and_labels_count():
    """breast-cancer has 59.44 by the paper's rules only; classes at random rank at random."""
    data = prepared("breast-cancer")
    assert mean_auc(rt.C44(), data) == pytest.approx(60.78, abs=AS_PRINTED)  # J48 -U -A collapses
    y = data.y[np.random.default_rng(0).permutation(len(data))]
    assert mean_auc(MODELS["C44"], data, y) == pytest.approx(50, abs=8)


@pytest.mark.parametrize("name", NAIVE_BAYES)
def test_a_cell_of_su_and_zhang(name):
    """The paper does not say the seed of its folds: within a point."""
    ours = mean_auc(rt.NaiveBayes(), prepared(name), runs=1, measure="auc-su2004")
    assert ours == pytest.approx(NAIVE_BAYES[name], abs=1.0)
