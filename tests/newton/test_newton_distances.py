"""Distances between values of any type, and the checks of those that users give."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ranktrees as rt
from ranktrees.models import NewtonTree
from ranktrees.newton import Attribute, attributes
from ranktrees.newton.distances import cyclic, edit, jaccard, levenshtein, zero_one


def edits(a, b):
    """The textbook's table, letter by letter."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


class TestValues:
    def test_known_ones(self):
        assert levenshtein(["kitten", ""], ["sitting", ""]).tolist() == [[3, 6], [7, 0]]
        assert edit([["a", "b"]], [("b",), ("a", "b")]).tolist() == [[1, 0]]
        assert jaccard([{1, 2}, set()], [{2, 3}, set()]) == pytest.approx(
            np.array([[2 / 3, 1], [1, 0]])
        )
        assert cyclic([23, 6], [1, 18.0], 24).tolist() == [[2, 5], [5, 12]]
        assert zero_one(["a", ("b",)], ["a", "c"]).tolist() == [[0, 1], [1, 1]]

    @given(st.lists(st.text("abc", max_size=7), max_size=6), st.lists(st.text("abcd"), max_size=4))
    def test_levenshtein_is_the_textbooks(self, a, b):
        expected = np.array([[edits(x, y) for y in b] for x in a], int).reshape(len(a), len(b))
        assert np.array_equal(levenshtein(a, b), expected)

    @settings(max_examples=40)
    @given(st.lists(st.frozensets(st.integers(0, 5)), min_size=1, max_size=6))
    def test_jaccard_is_that_of_sets(self, sets):
        expected = [[1 - len(a & b) / len(a | b) if a | b else 0 for b in sets] for a in sets]
        assert jaccard(sets, sets) == pytest.approx(np.array(expected))


class TestAttribute:
    def test_defaults(self):
        for values, distance in (
            ([1, 2.5], "absolute"),
            (["b", "a"], "zero-one"),
            ([{1}, {2}], "jaccard"),
            ([[1], (2, 3)], "edit"),
        ):
            assert Attribute(values).distance == distance
        assert Attribute(["b", "a"]).values == ("a", "b")
        assert Attribute([{3}, {1, 2}, {1}]).values == (
            frozenset({1}),
            frozenset({1, 2}),
            frozenset({3}),
        )

    def test_ordinal(self):
        ranks = Attribute(["low", "middle", "high"], "ordinal")
        assert ranks.between(["low"], ["high", "middle"]).tolist() == [[2, 1]]
        with pytest.raises(ValueError, match="'none' is not among those declared: 'low', 'middle'"):
            ranks.between(["low"], ["none"])

    def test_a_matrix(self):
        towns = Attribute(["b", "a", "c"], [[0, 1, 2], [1, 0, 3], [2, 3, 0]], "town")
        assert towns.between(["a"], ["c", "b"]).tolist() == [[3, 1]]
        with pytest.raises(ValueError, match=r"column 'town': 2 values need.*\(3, 3\)"):
            Attribute(["a", "b"], np.zeros((3, 3)), "town")

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ([[0, -1], [-1, 0]], "column 'x': the distance of 'a' and 'b' is negative, -1"),
            ([[0, 1], [2, 0]], "not symmetric: 1 from 'a' to 'b', but 2 back"),
            ([[0, 1], [1, 0.5]], "of 'b' from itself is 0.5"),
            ([[0, np.nan], [np.nan, 0]], "of 'a' and 'b' is nan"),
            ([[0, np.inf], [np.inf, 0]], "of 'a' and 'b' is inf"),
        ],
    )
    def test_wrong_distances_are_named(self, wrong, message):
        with pytest.raises(ValueError, match=message):
            Attribute(["a", "b"], np.array(wrong, float))
        X = pd.DataFrame({"x": list("abab")})

        def function(a, b):
            return wrong["ab".index(a)]["ab".index(b)]

        with pytest.raises(ValueError, match=message):
            NewtonTree(distances={"x": function}).fit(X, [0, 1, 1, 0])

    def test_a_function_that_is_wrong_on_new_values_only(self):
        X = pd.DataFrame({"x": list("abab")})
        model = NewtonTree(distances={"x": lambda a, b: -1 if "z" in a + b else float(a != b)})
        model.fit(X, [0, 1, 0, 1])
        with pytest.raises(ValueError, match="column 'x': the distance of 'a' and 'z' is negative"):
            model.predict(pd.DataFrame({"x": ["z"]}))


class TestColumns:
    def test_a_matrix_and_an_ordered_column(self):
        towns = Attribute(list("abc"), [[0, 1, 9], [1, 0, 9], [9, 9, 0]])
        size = pd.Categorical(
            ["s", "m", "l", "s", "l", "l"], categories=["s", "m", "l"], ordered=True
        )
        X = pd.DataFrame({"town": list("abcabc"), "size": size})
        model = NewtonTree(distances={"town": towns}).fit(X, [0, 0, 1, 0, 0, 1])
        assert [a.distance for a in model.attributes_[1:]] == ["ordinal"]
        assert model.predict(X).tolist() == [0, 0, 1, 0, 0, 1]
        with pytest.raises(ValueError, match="column 'town': the value 'z' is not among those"):
            model.predict(X.assign(town="z"))

    def test_hours(self):
        X = pd.DataFrame({"hour": [22, 23, 1, 2, 11, 12, 13, 10]})
        y = [1, 1, 1, 1, 0, 0, 0, 0]
        model = NewtonTree(distances={"hour": ("cyclic", 24)}).fit(X, y)
        assert len(model.tree_) == 3
        assert model.predict(pd.DataFrame({"hour": [0, 9]})).tolist() == [1, 0]
        assert model.tree_.schema[0].distance == "cyclic 24"

    def test_sets_strings_and_lists_in_one_frame(self):
        X = pd.DataFrame(
            {
                "basket": [{"egg"}, {"egg", "milk"}, {"tea"}, None],
                "motif": ["acgt", "acga", "tttt", "ttat"],
                "list": [[1, 2], (1, 2, 3), [], [9]],
            }
        )
        model = NewtonTree(distances={"motif": "levenshtein"}).fit(X, list("ppqq"))
        names = [attribute.distance for attribute in model.attributes_]
        assert names == ["jaccard", "levenshtein", "edit"]
        assert model.predict(X).tolist() == list("ppqq")
        assert isinstance(X["basket"][0], set)  # the user's own frame stays as it was

    def test_many_strings_are_announced(self, monkeypatch):
        words = [f"w{i}" for i in range(40)]
        X = pd.DataFrame({"word": words})
        monkeypatch.setattr(attributes, "MANY_PAIRS", 1000)
        said = "column 'word' has 40 distinct values: 1,600 distances"
        with pytest.warns(UserWarning, match=said):
            NewtonTree(distances={"word": "levenshtein"}).fit(X, [0, 1] * 20)
        assert rt.load("iris")  # a data set of numbers needs no such table
