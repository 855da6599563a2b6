"""Values that are rare, of which path Bayes counts pairs that occur, and values never seen."""

from functools import partial
from time import process_time
from timeit import repeat

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_engine.estimates import factor_parts, path_forest

N = 8000


@pytest.fixture(scope="module")
def keys():
    """Two columns of 4,000 values in 8,000 cases and one of four, with gaps in the first."""
    rng = np.random.default_rng(0)
    values = rng.integers(0, N // 2, (2, N))
    X = pd.DataFrame({f"key{j}": [f"k{v}" for v in values[j]] for j in (0, 1)})
    y = np.where(values[0] * 7919 % 97 + rng.integers(0, 30, N) > 60, "p", "q")
    X["few"] = rng.choice([*"abcd"], N)
    return X.mask(rng.random(X.shape) < [0.01, 0, 0]), y


def fitted(X, y):
    with WarnOnce(without=("",)):  # of identifiers, which they are on purpose
        model = rt.C44(estimate="path-bayes", missing="value")
        return model.fit(X, y, np.arange(len(y)) % 3 / 2)


def test_pairs_that_occur_say_what_a_table_says(keys, monkeypatch):
    X, y = keys[0][:2000], keys[1][:2000]
    cases = X.assign(key1=["new" if v % 5 == 0 else key for v, key in enumerate(X["key1"])])
    rare = fitted(X, y)
    assert rare.estimate_.factors.rare.keys() == {0, 1}
    monkeypatch.setattr(factor_parts, "LIMIT", 1 << 60)
    full = fitted(X, y)
    assert not full.estimate_.factors.rare
    expected = full.predict_proba(cases)
    np.testing.assert_allclose(rare.predict_proba(cases), expected, rtol=0, atol=1e-12)
    tables = (model.explain(cases[7:8]).table for model in (rare, full))
    pd.testing.assert_frame_equal(*tables, rtol=0, atol=1e-9)


@pytest.mark.parametrize("ask", ["predict_proba", "explain"])
@pytest.mark.parametrize("loaded", [True, False])
def test_the_first_answer_of_a_forest_is_that_of_all_others(ask, loaded, tmp_path, monkeypatch):
    """Also if nothing was counted before, since it was loaded or learnt no weights."""
    monkeypatch.setattr(path_forest, "KEPT", 1)  # no tables: few cases look along their paths
    rng = np.random.default_rng(0)
    values = rng.integers(0, 1000, (2, 2000))
    X = pd.DataFrame({f"key{j}": [f"k{v}" for v in values[j]] for j in (0, 1)})
    X["few"], noise = rng.choice([*"abcd"], len(X)), rng.integers(0, 30, len(X))
    y = np.where(values[0] * 7919 % 97 + noise > 60, "p", "q")
    with WarnOnce(without=("",)):
        model = rt.PathForest(4, weights="learnt" if loaded else "equal").fit(X, y)
    if loaded:
        rt.save(model, tmp_path / "model.json")
        model = rt.load_model(tmp_path / "model.json")
    first, second = (getattr(model, ask)(X[:1]) for _ in range(2))
    assert model.joined_[0].factors.rare
    assert np.array_equal(first, second) if ask == "predict_proba" else str(first) == str(second)
    found = first[0] if ask == "predict_proba" else [*first.proba.values()]
    np.testing.assert_allclose(found, model.predict_proba(X)[0], rtol=0, atol=1e-12)


def test_a_nearly_unique_column_takes_at_most_twenty_times_as_long_as_c44(keys):
    X, y = keys[0][["key0", "key1"]].fillna("none"), keys[1]
    with WarnOnce(without=("",)):
        simple, bayes = rt.C44().fit(X, y), rt.PathBayes().fit(X, y)
        for ask in (lambda m: m.fit(X, y), lambda m: m.predict_proba(X)):
            slow, fast = (
                min(repeat(partial(ask, model), timer=process_time, repeat=2, number=1))
                for model in (bayes, simple)
            )
            assert slow < 20 * fast


SEEN = pd.DataFrame({"size": np.arange(40) * 0.5, "colour": ["red", "blue"] * 20})
SEEN["grade"] = [*"1234"] * 10
Y = np.where(SEEN["size"] + (SEEN["colour"] == "red") * 9 > 12, "p", "q")


@pytest.mark.parametrize(
    "model", [rt.C44(missing="value"), rt.NewtonTree(), rt.Bagging(rt.C44(), n_models=3)], ids=str
)
@pytest.mark.filterwarnings("error")
def test_new_values_are_counted_by_column(model):
    model.fit(SEEN, Y)
    assert model.unseen(SEEN).to_dict() == {"size": 0, "colour": 0, "grade": 0}
    new = SEEN.assign(colour=["red", "green", None, "grey"] * 10, grade=[1, 2.0, 7, np.nan] * 10)
    assert model.unseen(new).to_dict() == {"size": 0, "colour": 20, "grade": 10}


def test_new_values_of_files_and_lists_are_counted(tmp_path):
    model, new = rt.C44().fit(SEEN, Y), SEEN.assign(colour=["red", "green"] * 20, label=Y)
    new[:20].to_parquet(tmp_path / "a.parquet")
    new[20:].to_parquet(tmp_path / "b.parquet")
    counts = model.unseen(rt.scan(tmp_path, "label"))
    assert counts.to_dict() == {"size": 0, "colour": 20, "grade": 0}
    with pytest.warns(UserWarning, match="feature names"):
        assert model.unseen([[1.5, "pink", "9"]]).tolist() == [0, 1, 1]
