"""Values that were never seen in training are counted, in single cases as in batches."""

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt

X = pd.DataFrame({"size": np.arange(40) * 0.5, "colour": ["red", "blue"] * 20})
X["grade"] = [*"1234"] * 10
Y = np.where(X["size"] + (X["colour"] == "red") * 9 > 12, "p", "q")


@pytest.mark.parametrize(
    "model",
    [
        rt.DecisionTree(missing="value"),
        rt.PathBayes(),
        rt.PathForest(n_models=2),
        rt.NaiveBayes(numeric="gaussian"),
        rt.NewtonTree(),
        rt.CentreSplitting(),
        rt.Bagging(rt.C44(), n_models=3),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("error")
def test_new_values_are_counted_by_column(model):
    model.fit(X, Y)
    assert model.unseen(X).to_dict() == {"size": 0, "colour": 0, "grade": 0}
    new = X.assign(colour=["red", "green", None, "grey"] * 10, grade=[1, 2.0, 7, np.nan] * 10)
    assert model.unseen(new).to_dict() == {"size": 0, "colour": 20, "grade": 10}
    assert model.unseen(new[1:2]).to_dict() == {"size": 0, "colour": 1, "grade": 0}


def test_new_values_of_files_and_lists_are_counted(tmp_path):
    model = rt.C44().fit(X, Y)
    new = X.assign(colour=["red", "green"] * 20, label=Y)
    new[:20].to_parquet(tmp_path / "a.parquet")
    new[20:].to_parquet(tmp_path / "b.parquet")
    counts = model.unseen(rt.scan(tmp_path, "label"))
    assert counts.to_dict() == {"size": 0, "colour": 20, "grade": 0}
    with pytest.warns(UserWarning, match="feature names"):
        assert model.unseen([[1.5, "pink", "9"]]).tolist() == [0, 1, 1]
    with pytest.raises(ValueError, match="not fitted"):
        rt.C44().unseen(X)
    with pytest.raises(TypeError, match="fitted on Codes"):
        rt.C44().fit(rt.Encoder().fit_transform(X), Y).unseen(X)
