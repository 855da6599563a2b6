"""Newton trees on columns and distances as users have them: odd types, gaps, extremes, mistakes."""

import numpy as np
import pandas as pd
import pytest
from newton_cases import mixed

import ranktrees as rt
from ranktrees import CentreSplitting, DistanceTree, NewtonTree
from ranktrees.newton import Attribute

KINDS = [NewtonTree, DistanceTree, CentreSplitting]
Y = np.arange(12) % 3 // 2 + np.arange(12) // 6


def assert_sound(model, X):
    proba = model.predict_proba(X)
    assert np.isfinite(proba).all()
    assert np.abs(proba.sum(axis=1) - 1).max() < 1e-12
    return proba


@pytest.mark.parametrize("kind", KINDS)
class TestColumns:
    def test_categories_that_are_numbers(self, kind):
        """They are names, unless the distance is said to be that of numbers."""
        number = np.array([0, 5, 9] * 4)
        X = pd.DataFrame({"x": pd.Categorical(number)})
        model = kind().fit(X, Y)
        text = pd.DataFrame({"x": number.astype(str)})
        assert model.attributes_[0].distance == "zero-one"
        assert np.array_equal(model.predict_proba(X), kind().fit(text, Y).predict_proba(text))
        named = kind(distances={"x": "absolute"}).fit(X, Y)
        plain = kind().fit(pd.DataFrame({"x": number}), Y)
        assert np.array_equal(named.predict_proba(X), plain.predict_proba(X.astype(int)))

    def test_no_value_at_all(self, kind):
        """In one column of each kind, and where there is no other."""
        for gap in (np.full(12, np.nan), [None] * 12, pd.Categorical([None] * 12, ["a", "b"])):
            alone = pd.DataFrame({"gap": gap})
            for X in (alone, alone.assign(other=list("aab") * 4)):
                with pytest.warns(UserWarning, match="'gap' has no value at all"):
                    model = kind().fit(X, Y)
                assert_sound(model, X)
                assert model.tree_.n_leaves == (1 if X is alone else 2)

    @pytest.mark.parametrize("size", [5e-324, 1e-160, 1e285])
    def test_far_away(self, kind, size):
        X = pd.DataFrame({"x": np.array([-1.0, 0.0, 1.0] * 4) * size, "z": np.arange(12.0)})
        new = pd.DataFrame({"x": [-1.79e308, 5e-324, 1.79e308], "z": [1.79e308, 0.0, np.nan]})
        assert_sound(kind().fit(X, Y), new)

    def test_the_order_of_cases_and_copies_of_columns(self, kind):
        X, y = mixed(4, missing=0.1)
        proba = kind().fit(X, y).predict_proba(X)
        order = np.random.default_rng(0).permutation(len(X))
        again = kind().fit(X.iloc[order], y[order]).predict_proba(X)
        twice = pd.concat([X, X.add_suffix("2")], axis=1)
        assert np.allclose(again, proba, rtol=0, atol=1e-12)
        assert np.allclose(kind().fit(twice, y).predict_proba(twice), proba, rtol=0, atol=1e-12)

    def test_stored_with_each_distance(self, kind, tmp_path):
        matrix = np.abs(np.subtract.outer(np.arange(3), np.arange(3))) ** 0.5
        columns = {
            "cyclic": np.arange(12) * 5 % 24,
            "ordinal": list("abc") * 4,
            "levenshtein": ["ab" * (i % 3) + "c" * (i % 4) for i in range(12)],
            "edit": [(i % 3, ("x",) * (i % 4)) for i in range(12)],
            "jaccard": [frozenset(range(i % 5)) for i in range(12)],
            "matrix": list("abc") * 4,
        }
        named = {"cyclic": ("cyclic", 24), "matrix": Attribute(list("abc"), matrix)}
        for name, values in columns.items():
            X = pd.DataFrame({name: pd.Series(values)})
            model = kind(distances={name: named.get(name, name)}).fit(X, Y)
            rt.save(model, tmp_path / "model.json")
            twin = rt.load_model(tmp_path / "model.json")
            assert np.array_equal(twin.predict_proba(X), assert_sound(model, X))
            assert str(twin.explain(X.iloc[[0]])) == str(model.explain(X.iloc[[0]]))
