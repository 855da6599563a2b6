"""Newton trees grown and used by all ways, on columns as users have them: odd types, gaps."""

import numpy as np
import pandas as pd
import pytest
from newton_cases import mixed

import ranktrees as rt
from ranktrees.plain.newton_values import unequal
from ranktrees_engine.models import CentreSplitting, DistanceTree, NewtonTree
from ranktrees_engine.newton import Attribute, attraction


def nominal(seed, n=150, classes=4, values=5, missing=0.0):
    """Cases with four nominal attributes, of `values` and ever more, that hang on the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = pd.DataFrame()
    for a in range(4):
        code = (rng.integers(0, values, n) + y * rng.integers(2)) % (values + a)
        X[f"a{a}"] = pd.Series(np.array(list("abcdefgh"))[code], dtype=object)
    return X.mask(rng.random(X.shape) < missing), y


def same(one, two, X, digits=0.0):
    """Two fitted models have the same tree, and the same to say of X."""
    for part in ("parent", "attribute", "prototype"):
        assert np.array_equal(getattr(one.tree_, part), getattr(two.tree_, part))
    assert np.allclose(one.tree_.counts, two.tree_.counts, rtol=0, atol=1e-9)
    for what in ("predict_proba", "attraction", "reach", "apply"):
        assert np.abs(getattr(one, what)(X) - getattr(two, what)(X)).max() <= digits


class TestNames:
    def test_of_values_as_frequent_the_first_declared_is_the_prototype(self):
        x, y = ["low", "high", "low", "high", "mid"], list("aaaab")
        for order in (["low", "high", "mid"], ["high", "mid", "low"]):
            X = pd.DataFrame({"x": pd.Categorical(x, categories=order)})
            tree = NewtonTree(max_depth=1).fit(X, y).tree_
            assert tree.value(1) == order[0]
        text = NewtonTree(max_depth=1).fit(pd.DataFrame({"x": x}), y).tree_
        assert text.value(1) == "high"  # text has no other order than its own

    @pytest.mark.parametrize("missing", [0.0, 0.2], ids=["complete", "missing"])
    @pytest.mark.parametrize("seed", [0, 1])
    def test_are_as_a_table_of_zeros_and_ones(self, seed, missing):
        X, y = nominal(seed, missing=missing)
        X["many"] = [f"v{v}" for v in np.random.default_rng(seed).integers(0, 45, 150)]
        table = NewtonTree(distances=dict.fromkeys(X, unequal)).fit(X, y)
        same(NewtonTree().fit(X, y), table, X, 1e-12)


class TestUnits:
    X, y = np.array([0.785] * 6 + [0.735] * 2 + [0.685] * 4)[:, None], [0] * 7 + [1] * 5

    @pytest.mark.parametrize("reading", ["nearest", "talk"])
    def test_metres_and_millimetres_give_one_tree(self, reading):
        one = NewtonTree(reading=reading).fit(self.X, self.y)
        two = NewtonTree(reading=reading).fit((self.X * 1000).round(), self.y)
        assert np.array_equal(one.tree_.counts, two.tree_.counts)
        assert np.array_equal(one.apply(self.X), two.apply((self.X * 1000).round()))

    def test_a_tie_goes_to_the_heavier(self):
        tree = NewtonTree(max_depth=1).fit(self.X, self.y).tree_
        assert tree.counts[1:].tolist() == [[7, 1], [0, 4]]  # .735 lies between .785 and .685


class TestUse:
    @pytest.mark.parametrize("name", ["vote", "glass"])
    def test_blocks_of_nodes(self, name, monkeypatch):
        data = rt.load(name)
        whole = NewtonTree().fit(data.X, data.y)
        monkeypatch.setattr("ranktrees_engine.basics.blocks.LIMIT", 2000)
        same(whole, NewtonTree().fit(data.X, data.y), data.X, 1e-12)

    @pytest.mark.parametrize("missing", [0.0, 0.15], ids=["complete", "missing"])
    @pytest.mark.parametrize("kind", [NewtonTree, DistanceTree, CentreSplitting])
    def test_a_tree_in_parts_says_what_it_says_as_a_whole(self, kind, missing, monkeypatch):
        X, y = mixed(2, n=150, classes=4, missing=missing)
        new, _ = mixed(12, n=150, missing=missing)
        options = {"exponent": 3.0} if kind is NewtonTree else {}
        model = kind(**options).fit(X, y)
        monkeypatch.setattr("ranktrees_engine.basics.blocks.LIMIT", 5000)
        whole = [model.predict_proba(new), model.reach(new), model.apply(new)]
        monkeypatch.setattr(attraction, "SMALL", 0)
        parts = [model.predict_proba(new), model.reach(new), model.apply(new)]
        assert max(np.abs(a - b).max() for a, b in zip(whole, parts, strict=True)) <= 1e-14


Y = np.arange(12) % 3 // 2 + np.arange(12) // 6


def assert_sound(model, X):
    proba = model.predict_proba(X)
    assert np.isfinite(proba).all()
    assert np.abs(proba.sum(axis=1) - 1).max() < 1e-12
    return proba


@pytest.mark.parametrize("kind", [NewtonTree, DistanceTree, CentreSplitting])
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
        X, own = pd.DataFrame(columns), Attribute(list("abc"), matrix)
        distances = {name: name for name in X} | {"cyclic": ("cyclic", 24), "matrix": own}
        model = kind(distances=distances).fit(X, Y)
        rt.save(model, tmp_path / "model.json")
        twin = rt.load_model(tmp_path / "model.json")
        assert np.array_equal(twin.predict_proba(X), assert_sound(model, X))
        assert str(twin.explain(X.iloc[[0]])) == str(model.explain(X.iloc[[0]]))
