"""Distances between values of any type, and the checks of those that users give."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ranktrees_engine.models import NewtonTree
from ranktrees_engine.newton import Attribute, attributes
from ranktrees_engine.newton.distances import cyclic, edit, jaccard, levenshtein, zero_one

AB = pd.DataFrame({"x": list("abab")})


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
        assert edit([["a", "b"]], [("b",), ("a", "b")]).tolist() == [[1, 0]]
        assert jaccard([{1, 2}, set()], [{2, 3}, set()]) == pytest.approx(
            np.array([[2 / 3, 1], [1, 0]])
        )
        assert cyclic([23, 6], [1, 18.0], 24).tolist() == [[2, 5], [5, 12]]
        assert zero_one(["a", ("b",)], ["a", "c"]).tolist() == [[0, 1], [1, 1]]

    @settings(max_examples=40)
    @given(st.lists(st.text("abc", max_size=7), max_size=6), st.lists(st.text("abcd"), max_size=4))
    def test_levenshtein_is_the_textbooks(self, a, b):
        expected = np.array([[edits(x, y) for y in b] for x in a], int).reshape(len(a), len(b))
        assert np.array_equal(levenshtein(a, b), expected)

    @settings(max_examples=20)
    @given(st.lists(st.frozensets(st.integers(0, 5)), min_size=1, max_size=6))
    def test_jaccard_is_that_of_sets(self, sets):
        expected = [[1 - len(a & b) / len(a | b) if a | b else 0 for b in sets] for a in sets]
        assert jaccard(sets, sets) == pytest.approx(np.array(expected))


class TestAttribute:
    def test_ordinal(self):
        ranks = Attribute(["low", "middle", "high"], "ordinal")
        assert ranks.between(["low"], ["high", "middle"]).tolist() == [[2, 1]]
        with pytest.raises(ValueError, match="'none' is not among those declared: 'low', 'middle'"):
            ranks.between(["low"], ["none"])

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ([[0, -1], [-1, 0]], "column 'x': the distance of 'a' and 'b' is negative, -1"),
            ([[0, 1], [2, 0]], "not symmetric: 1 from 'a' to 'b', but 2 back"),
            ([[0, 1], [1, 0.5]], "of 'b' from itself is 0.5"),
            ([[0, np.nan], [np.nan, 0]], "of 'a' and 'b' is nan"),
        ],
    )
    def test_wrong_distances_are_named(self, wrong, message):
        with pytest.raises(ValueError, match=message):
            Attribute(["a", "b"], np.array(wrong, float))
        function = {"x": lambda a, b: wrong["ab".index(a)]["ab".index(b)]}
        with pytest.raises(ValueError, match=message):
            NewtonTree(distances=function).fit(AB, [0, 1, 1, 0])

    def test_a_function_that_is_wrong_on_new_values_only(self):
        function = {"x": lambda a, b: -1 if "z" in a + b else float(a != b)}
        model = NewtonTree(distances=function).fit(AB, [0, 1, 0, 1])
        with pytest.raises(ValueError, match="column 'x': the distance of 'a' and 'z' is negative"):
            model.predict(pd.DataFrame({"x": ["z"]}))

    @pytest.mark.parametrize("error", [KeyError, OverflowError])
    def test_a_function_that_raises_names_the_pair(self, error):
        def distance(a, b):
            raise error("reason")

        with pytest.raises(ValueError, match=f"'x': the distance cannot.*'a'.*{error.__name__}"):
            NewtonTree(distances={"x": distance}).fit(AB, [0, 1, 1, 0])
        with pytest.raises(TypeError, match="column 'x': the distance cannot take 'a' and 'a'"):
            NewtonTree(distances={"x": lambda a, b: abs(a - b)}).fit(AB, [0, 1, 1, 0])

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
            (["a", "b"], np.zeros((3, 3)), r"2 values need.*\(3, 3\)"),
        ],
    )
    def test_values_and_matrices_that_do_not_fit(self, values, distance, message):
        with pytest.raises(ValueError, match=f"column 'town': .*{message}"):
            Attribute(values, distance, "town")


class TestColumns:
    def test_a_matrix_and_an_ordered_column(self):
        towns = Attribute(list("bac"), [[0, 1, 9], [1, 0, 8], [9, 8, 0]])
        assert towns.between(["a"], ["c", "b"]).tolist() == [[8, 1]]
        size = pd.Categorical(list("smlsll"), list("sml"), ordered=True)
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
        assert model.predict(X).tolist() == list("ppqq")
        assert isinstance(X["basket"][0], set)  # the user's own frame stays as it was

    def test_many_strings_are_announced(self, monkeypatch):
        X = pd.DataFrame({"word": [f"w{i}" for i in range(40)]})
        monkeypatch.setattr(attributes, "MANY_PAIRS", 1000)
        said = "column 'word' has 40 distinct values: 1,600 distances"
        with pytest.warns(UserWarning, match=said):
            NewtonTree(distances={"word": "levenshtein"}).fit(X, [0, 1] * 20)

    def test_half_of_the_edit_distances_are_enough(self, monkeypatch):
        rng = np.random.default_rng(0)
        words = ["".join(rng.choice(list("ab"), size)) for size in rng.integers(0, 6, 30)]
        all_pairs = levenshtein(words, list(words))
        monkeypatch.setattr("ranktrees_engine.basics.blocks.LIMIT", 500)
        assert np.array_equal(levenshtein(words, words), all_pairs)
