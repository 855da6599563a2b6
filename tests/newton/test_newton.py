"""Newton trees against the plain form, by hand, and under transformations."""

import numpy as np
import pandas as pd
import pytest
from newton_cases import mixed

import ranktrees as rt
from ranktrees.plain.newton_values import jaccard
from ranktrees_engine.models import CentreSplitting, DistanceTree, NewtonTree


class TestByHand:
    X, y = np.array([1.0, 2, 3, 10, 11, 30])[:, None], list("aaabbb")

    def test_a_split(self):
        tree = NewtonTree().fit(self.X, self.y).tree_
        assert tree.to_text() == "x0 nearest to 2: a (3)\nx0 nearest to 11: b (3)"
        assert tree.rules()[1] == "if x0 nearest to 11 then b (3)"
        assert tree.to_frame()["condition"].tolist() == ["", "nearest to 2", "nearest to 11"]
        assert [node.condition for node in tree.root.children] == ["nearest to 2", "nearest to 11"]

    def test_a_prediction(self):
        model = NewtonTree().fit(self.X, self.y)
        # of 5: 2 lies at 3, 11 at 6, so that they pull with 3 / 3**2 and 3 / 6**2
        assert model.attraction([[5.0]])[0] == pytest.approx([1, 0.8, 0.2])
        assert model.reach([[5.0]])[0] == pytest.approx([1, 0.8, 0.2])
        expected = 0.8 * 4 / 5 + 0.2 * 1 / 5
        assert model.predict_proba([[5.0]])[0] == pytest.approx([expected, 1 - expected])
        assert model.predict_proba([[2.0]])[0] == pytest.approx([0.8, 0.2])  # at distance 0
        assert model.predict_proba([[np.nan]])[0] == pytest.approx([0.5, 0.5])
        assert model.apply([[5.0], [7.0]]).tolist() == [1, 2]
        crisp = DistanceTree().fit(self.X, self.y).predict_proba([[5.0], [6.5], [7.0], [np.nan]])
        assert crisp[:, 0] == pytest.approx([0.8, 0.8, 0.2, 0.5])  # of a tie the first
        plain = NewtonTree(exponent=1).fit(self.X, self.y)
        assert plain.attraction([[5.0]])[0, 1:] == pytest.approx([2 / 3, 1 / 3])

    def test_the_slides_split_by_the_mass_of_the_class(self):
        X, y = np.array([0.0] * 8 + [5, 6, 7, 5.5])[:, None], list("aaaaaaaaabbb")
        # b has 3 of 12, at 6; a 9, at 0: 5 lies at 1 and 5, 9 / 25 < 3; 4 would go to 0 both ways
        assert NewtonTree(reading="talk").fit(X, y).tree_.counts[1].tolist() == [8, 0]
        X = np.array([0.0, 0, 0, 0, 0, 0, 0, 0, 3.5, 6, 6, 7])[:, None]
        nearest, talk = (NewtonTree(reading=name).fit(X, y) for name in ("nearest", "talk"))
        assert nearest.tree_.counts[1].tolist() == [8, 0]  # 3.5 is nearer to 6
        assert talk.tree_.counts[1].tolist() == [9, 0]  # 9 / 3.5**2 > 3 / 2.5**2
        cubic = NewtonTree(reading="talk", exponent=8.0).fit(X, y)
        assert cubic.tree_.counts[1].tolist() == [8, 0]  # 9 / 3.5**8 < 3 / 2.5**8

    def test_collisions(self):
        X = np.array([1.0, 1, 1, 1, 2, 1, 1, 4, 1])[:, None]
        tree = NewtonTree(max_depth=1).fit(X, list("aaaaabbbc")).tree_
        # a takes 1; b, whose median is 1, has 4 left; c merges with a
        assert [tree.value(t) for t in (1, 2)] == [1, 4]
        assert tree.counts[1:].tolist() == [[5, 2, 1], [0, 1, 0]]

    def test_lists(self):
        lists = [["a"] * 2, ["a"] * 3, ["a"] * 5, ["b"], ["b", "b"], ["b"]]
        X = pd.DataFrame({"list": pd.Series(lists, dtype=object)})
        model = NewtonTree().fit(X, list("pppqqq"))
        assert model.tree_.value(1) == ("a", "a", "a")  # the mean would have 3.33
        assert model.tree_.conditions[1:] == ("nearest to [a, a, a]", "nearest to [b]")
        assert model.predict(pd.DataFrame({"list": [["a", "b", "a", "a"]]})).tolist() == ["p"]
        for name, expected in (("zero-one", [[1, 1], [1, 0]]), ("edit", [[2, 1], [1, 0]])):
            attribute = rt.Attribute([[1, [2]], [2], [1]], name)
            assert attribute.between([[1, [2]], [1]], [[2], [1]]).tolist() == expected

    def test_centres(self):
        X = np.array([[0.0, 0], [2, 0], [1, 3], [8, 8], [10, 8], [9, 2]])
        model = CentreSplitting().fit(X, list("aaabbb"))
        assert model.tree_.schema[0].values == ((1.0, 1.0), (9.0, 6.0))
        assert model.tree_.counts.tolist() == [[3, 3], [3, 0], [0, 3]]
        assert model.tree_.conditions[1] == "nearest to [1, 1]"
        assert model.predict([[5.1, 6], [4.9, 1]]).tolist() == ["b", "a"]


class TestInvariance:
    def test_imputed_values_are_the_columns_prototypes(self):
        X, y = mixed(3, missing=0.1)
        full = X.copy()
        for name in ("small", "real"):
            known = np.sort(X[name].dropna())
            full[name] = X[name].fillna(known[(len(known) - 1) // 2])
        full["word"] = X["word"].fillna(X["word"].value_counts().sort_index().idxmax())
        sets = X["set"].dropna().tolist()
        medoid = min(sorted(set(sets), key=sorted), key=lambda u: sum(jaccard(u, v) for v in sets))
        full["set"] = [medoid if value is None else value for value in X["set"]]
        one, two = NewtonTree(missing="impute").fit(X, y), NewtonTree().fit(full, y)
        assert one.tree_.rules() == two.tree_.rules()
        assert np.array_equal(one.predict_proba(X), two.predict_proba(full))

    @pytest.mark.parametrize("power", [-1040, 940])
    def test_a_power_of_two(self, power):
        data = rt.load("iris")
        X = data.X.to_numpy()
        one = NewtonTree().fit(X, data.y).predict_proba(X + 0.125)
        scale = np.ldexp(1.0, [power, 0, power, 0])
        two = NewtonTree().fit(X * scale, data.y).predict_proba((X + 0.125) * scale)
        digits = 1e-12 if power > -1030 else 1e-6  # subnormal numbers have lost digits
        assert np.abs(one - two).max() <= digits

    def test_the_largest_numbers_there_are(self):
        most = 2.0**950
        X = np.array([-most, -most, most, most, 0, most / 3])[:, None]
        model = NewtonTree().fit(X, list("aabbab"))
        assert model.predict(X).tolist() == list("aabbab")
        assert CentreSplitting().fit(X, list("aabbab")).predict(X).tolist() == list("aabbab")
        with pytest.raises(ValueError, match=r"column 'x0': -1.9.*e\+286 exceeds 9.5e\+285"):
            NewtonTree().fit(X * 2, list("aabbab"))
