"""Values that were never seen in training are counted, in single cases as in batches."""

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt

MODELS = [
    rt.C44(),
    rt.DecisionTree(missing="value"),
    rt.PathBayes(),
    rt.PathForest(n_models=2),
    rt.NaiveBayes(numeric="gaussian"),
    rt.AODE(),
    rt.NewtonTree(),
    rt.CentreSplitting(),
    rt.Bagging(rt.C44(), n_models=3),
]


def table(n=40):
    X = pd.DataFrame({"size": np.arange(n) * 0.5, "colour": ["red", "blue"] * (n // 2)})
    X["grade"] = [*"1234"] * (n // 4)
    return X, np.where(X["size"] + (X["colour"] == "red") * 9 > 12, "p", "q")


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.filterwarnings("error")
def test_new_values_are_counted_by_column(model):
    X, y = table()
    model.fit(X, y)
    assert model.unseen(X).to_dict() == {"size": 0, "colour": 0, "grade": 0}
    new = X.assign(colour=["red", "green", None, "grey"] * 10, grade=[1, 2.0, 7, np.nan] * 10)
    assert model.unseen(new).to_dict() == {"size": 0, "colour": 20, "grade": 10}
    assert model.unseen(new[1:2]).to_dict() == {"size": 0, "colour": 1, "grade": 0}


def test_new_values_of_files_and_lists_are_counted(tmp_path):
    X, y = table()
    model = rt.C44().fit(X, y)
    new = X.assign(colour=["red", "green"] * 20, label=y)
    new[:20].to_parquet(tmp_path / "a.parquet")
    new[20:].to_parquet(tmp_path / "b.parquet")
    counts = model.unseen(rt.scan(tmp_path, "label"))
    assert counts.to_dict() == {"size": 0, "colour": 20, "grade": 0}
    with pytest.warns(UserWarning, match="feature names"):
        assert model.unseen([[1.5, "pink", "9"]]).tolist() == [0, 1, 1]
    with pytest.raises(ValueError, match="not fitted"):
        rt.C44().unseen(X)
    with pytest.raises(TypeError, match="fitted on Codes"):
        rt.C44().fit(rt.Encoder().fit_transform(X), y).unseen(X)
