"""Newton trees on columns and distances as users have them: odd types, gaps, extremes, mistakes."""

import warnings

import numpy as np
import pandas as pd
import pytest
from newton_cases import mixed

import ranktrees as rt
from ranktrees import CentreSplitting, DistanceTree, NewtonTree
from ranktrees.newton import Attribute, attributes, distances
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
    def test_true_and_false_are_names(self, kind):
        flag = np.arange(12) % 3 == 2
        expected = kind().fit(pd.DataFrame({"x": np.where(flag, "b", "a")}), Y).tree_
        for values in (flag, flag.astype(object), pd.array(flag, "boolean")):
            X = pd.DataFrame({"x": values})
            model = kind().fit(X, Y)
            assert model.attributes_[0].distance == "zero-one"
            assert np.array_equal(model.tree_.counts, expected.counts)
            assert_sound(model, X)
        assert_sound(kind().fit(flag[:, None], Y), flag[:, None])

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

    def test_gaps_in_all_columns_of_a_case(self, kind):
        X, y = mixed(3)
        model = kind().fit(X, y)
        lost = X.mask(np.ones(X.shape, bool))
        assert np.ptp(assert_sound(model, lost), axis=0).max() < 1e-12

    def test_gaps_in_new_cases_only(self, kind):
        """What is filled in then is what would have been in training."""
        X, y = mixed(3)
        model = kind(missing="impute").fit(X, y)
        fill = dict(zip(X.columns, model.fill_, strict=True))
        assert fill["small"] == sorted(X["small"])[(len(X) - 1) // 2]
        assert fill["word"] == X["word"].mode()[0]
        filled = pd.DataFrame({name: pd.Series([fill[name]]) for name in X})
        lost = X.iloc[:1].mask(np.ones((1, X.shape[1]), bool))
        assert np.array_equal(model.predict_proba(lost), model.predict_proba(filled))

    @pytest.mark.parametrize("size", [5e-324, 1e-308, 1e-160, 1.0, 1e160, 1e285])
    def test_far_away(self, kind, size):
        X = pd.DataFrame({"x": np.array([-1.0, 0.0, 1.0] * 4) * size, "z": np.arange(12.0)})
        new = pd.DataFrame({"x": [-1.79e308, 5e-324, 1.79e308], "z": [1.79e308, 0.0, np.nan]})
        assert_sound(kind().fit(X, Y), new)

    def test_one_case_of_each_class(self, kind):
        for X in ([[0.0], [1.0]], [[0.0], [0.0]]):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                model = kind().fit(np.array(X), [0, 1])
            assert_sound(model, np.array([[0.5]]))

    def test_the_order_of_cases_and_copies_of_columns(self, kind):
        X, y = mixed(4, missing=0.1)
        proba = kind().fit(X, y).predict_proba(X)
        order = np.random.default_rng(0).permutation(len(X))
        again = kind().fit(X.iloc[order], y[order]).predict_proba(X)
        twice = pd.concat([X, X.add_suffix("2")], axis=1)
        assert np.allclose(again, proba, rtol=0, atol=1e-12)
        assert np.allclose(kind().fit(twice, y).predict_proba(twice), proba, rtol=0, atol=1e-12)

    def test_bags_of_sets(self, kind):
        X, y = mixed(5)
        bag = rt.Bagging(kind(), n_models=3).fit(X, y)
        assert_sound(bag, X)

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
    @pytest.mark.parametrize("exponent", [0.5, 1000])
    @pytest.mark.parametrize("reading", ["nearest", "talk"])
    def test_exponents(self, exponent, reading):
        X, y = mixed(6, missing=0.1)
        assert_sound(NewtonTree(exponent=exponent, reading=reading).fit(X, y), X)

    def test_masses_alone_decide_where_the_exponent_is_next_to_nothing(self):
        X, y = mixed(6)
        model = NewtonTree(exponent=1e-12, min_parent=60).fit(X, y)
        below = model.tree_.root.children
        share = model.attraction(X)[:, [child.id for child in below]]
        nearest = share.max(axis=1) == 1  # at distance 0, where no exponent helps
        mass = np.array([child.counts.sum() for child in below])
        assert (~nearest).any()
        assert np.allclose(share[~nearest].sum(axis=1), 1)
        away = np.flatnonzero((share > 0).all(axis=1))
        assert np.allclose(share[away], mass / mass.sum(), rtol=0, atol=1e-9)

    @pytest.mark.parametrize("seed", [-1, 2.5, "x", None])
    def test_seeds(self, seed):
        with pytest.raises((TypeError, ValueError), match="seed must be"):
            NewtonTree(stochastic=3, seed=seed).fit(*mixed(0))

    def test_a_matrix_needs_its_values(self):
        with pytest.raises(TypeError, match=r"column 'word'.*rt.Attribute\(values, matrix\)"):
            NewtonTree(distances={"word": np.eye(2)}).fit(*mixed(0))


class TestMistakes:
    @pytest.mark.parametrize("error", [ZeroDivisionError, KeyError, OverflowError, ValueError])
    def test_a_function_that_raises_names_the_pair(self, error):
        def distance(a, b):
            raise error("reason")

        X = pd.DataFrame({"x": list("abab")})
        with pytest.raises(ValueError, match=f"'x': the distance cannot.*'a'.*{error.__name__}"):
            NewtonTree(distances={"x": distance}).fit(X, [0, 1, 1, 0])

    def test_an_error_of_many_parts(self):
        X = pd.DataFrame({"x": [b"\xff".hex(), "61"]})
        with pytest.raises(ValueError, match=r"column 'x'.*UnicodeDecodeError"):
            NewtonTree(
                distances={"x": lambda a, b: float(bytes.fromhex(a).decode() != b)},
            ).fit(X, [0, 1])

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

    def test_explain_what_is_no_case(self):
        model = NewtonTree().fit(*mixed(0))
        for case in (5, "abcd"):
            with pytest.raises(TypeError, match="a case is a row, Series, dict or list"):
                model.explain(case)


class TestParts:
    def test_half_of_the_edit_distances_are_enough(self, monkeypatch):
        rng = np.random.default_rng(0)
        words = ["".join(rng.choice(list("ab"), size)) for size in rng.integers(0, 6, 30)]
        all_pairs = distances.levenshtein(words, list(words))
        monkeypatch.setattr("ranktrees.basics.blocks.LIMIT", 500)
        assert np.array_equal(distances.levenshtein(words, words), all_pairs)

    def test_a_short_name(self):
        assert (
            repr(Attribute(range(1000)))
            == "Attribute([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, ...], 'absolute')"
        )
        assert "matrix (2, 2)" in repr(Attribute("ab", [[0, 1], [1, 0]]))
        assert attributes.default_distance([True, 2]) == "zero-one"
