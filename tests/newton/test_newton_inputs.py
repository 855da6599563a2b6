"""Newton trees on columns and distances as users have them: odd types, gaps, extremes, mistakes."""

import numpy as np
import pandas as pd
import pytest
from newton_cases import mixed

import ranktrees as rt
from ranktrees import CentreSplitting, DistanceTree, NewtonTree
from ranktrees.newton import Attribute, distances
from ranktrees.prune import cut_back

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
        gaps = {
            "number": np.full(12, np.nan),
            "object": [None] * 12,
            "category": pd.Categorical([None] * 12, categories=["a", "b"]),
            "ordered": pd.Categorical([None] * 12, categories=["a", "b"], ordered=True),
        }
        for name, gap in gaps.items():
            alone = pd.DataFrame({name: gap})
            beside = alone.assign(other=list("aab") * 4)
            for X in (alone, beside):
                with pytest.warns(UserWarning, match=f"'{name}' has no value at all"):
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
        n = 12
        matrix = np.abs(np.subtract.outer(np.arange(3), np.arange(3))) ** 0.5
        columns = {
            "absolute": np.arange(n) / 7,
            "cyclic": np.arange(n) * 5 % 24,
            "zero-one": list("abc") * 4,
            "ordinal": list("abc") * 4,
            "levenshtein": ["ab" * (i % 3) + "c" * (i % 4) for i in range(n)],
            "edit": [(i % 3, ("x",) * (i % 4)) for i in range(n)],
            "jaccard": [frozenset(range(i % 5)) for i in range(n)],
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


class TestSettings:
    def test_a_matrix_needs_its_values(self):
        with pytest.raises(TypeError, match=r"column 'word'.*rt.Attribute\(values, matrix\)"):
            NewtonTree(distances={"word": np.eye(2)}).fit(*mixed(0))


class TestMistakes:
    @pytest.mark.parametrize("error", [KeyError, OverflowError])
    def test_a_function_that_raises_names_the_pair(self, error):
        def distance(a, b):
            raise error("reason")

        X = pd.DataFrame({"x": list("abab")})
        with pytest.raises(ValueError, match=f"'x': the distance cannot.*'a'.*{error.__name__}"):
            NewtonTree(distances={"x": distance}).fit(X, [0, 1, 1, 0])
        with pytest.raises(TypeError, match="column 'x': the distance cannot take 'a' and 'a'"):
            NewtonTree(distances={"x": lambda a, b: abs(a - b)}).fit(X, [0, 1, 1, 0])

    @pytest.mark.parametrize(
        ("values", "distance", "message"),
        [
            ([1.0, np.nan], None, "nan.* has no distance"),
            ([1.0, np.inf], None, "inf.* has no distance"),
            (["a", None], None, "None has no distance"),
            ([10**400, 1], None, "too large"),
            ([1, 2], [[0, 1], [1]], "no matrix of distances"),
            ([1, 2], [["a", "b"], ["c", "d"]], "no matrix of distances: .*'a'"),
            ([1, 1], [[0, 1], [1, 0]], "1 values need a square matrix"),
        ],
    )
    def test_attributes(self, values, distance, message):
        with pytest.raises(ValueError, match=f"column 'town': .*{message}"):
            Attribute(values, distance, "town")

    def test_sets_in_an_array(self):
        X = np.array([frozenset({1}), frozenset({2})], object)[:, None]
        with pytest.raises(TypeError, match="of type frozenset: give a DataFrame"):
            NewtonTree().fit(X, [0, 1])

    def test_items_that_cannot_be_told_apart(self):
        with pytest.raises(TypeError, match=r"column 'x' .* be compared: .*'dict'"):
            NewtonTree().fit(pd.DataFrame({"x": [[{}], [{}]]}), [0, 1])

    def test_cut_back(self):
        tree = NewtonTree().fit(*mixed(0)).tree_
        with pytest.raises(TypeError, match="is not pruned: set max_depth"):
            cut_back(tree, np.arange(len(tree)) == 0)


class TestParts:
    def test_half_of_the_edit_distances_are_enough(self, monkeypatch):
        rng = np.random.default_rng(0)
        words = ["".join(rng.choice(list("ab"), size)) for size in rng.integers(0, 6, 30)]
        all_pairs = distances.levenshtein(words, list(words))
        monkeypatch.setattr("ranktrees.basics.blocks.LIMIT", 500)
        assert np.array_equal(distances.levenshtein(words, words), all_pairs)
