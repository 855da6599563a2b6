"""The encoder: every kind of column, missing values in three modes, what is refused."""

import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt

KINDS = {
    "category": pd.Series(pd.Categorical(["b", "a", None, "b"], categories=["z", "b", "a"])),
    "ordered": pd.Series(
        pd.Categorical(["hi", "lo", None, "hi"], categories=["lo", "mid", "hi"], ordered=True)
    ),
    "string": pd.Series(["b", "a", None, "b"], dtype="string"),
    "str": pd.Series(["b", "a", None, "b"]),
    "object": pd.Series(["b", "a", None, "b"], dtype=object),
    "bool": pd.Series([True, False, None, True], dtype=object),
    "Int64": pd.Series([5, 1, None, 6], dtype="Int64"),
    "Float32": pd.Series([5, 1, None, 6], dtype="Float32"),
    "float": pd.Series([5, 1, np.nan, 6]),
    "object of numbers": pd.Series([5, 1.0, None, 6], dtype=object),
    "numbers of all kinds": pd.Series([Decimal(5), np.int8(1), None, 6.0], dtype=object),
}
NUMERIC = {"Int64", "Float32", "float", "object of numbers", "numbers of all kinds"}
VALUES = {"category": ("z", "b", "a"), "ordered": ("lo", "mid", "hi"), "bool": (False, True)}


def encode(column, **settings):
    frame = pd.DataFrame({"c": column})
    encoder = rt.Encoder(n_bins=4, **settings).fit(frame)
    return encoder, encoder.transform(frame)


@pytest.mark.parametrize("kind", KINDS)
class TestKinds:
    def test_values_are_coded_and_a_gap_is_filled(self, kind):
        column = KINDS[kind]
        encoder, coded = encode(column, missing="impute")
        info, codes = encoder.schema_[0], coded.values[:, 0].tolist()
        assert (info.name, info.missing) == ("c", False)
        if kind in NUMERIC:
            assert (info.kind, info.cuts) == ("numeric", (2.25, 3.5, 4.75))
            assert codes == [3, 0, np.searchsorted(info.cuts, 4.0), 3]  # the mean of 5, 1, 6
        else:
            assert info.kind == ("ordinal" if kind == "ordered" else "nominal")
            assert info.values == VALUES.get(kind, ("a", "b"))
            assert [info.values[code] for code in codes] == [*column[:2], column[0], column[3]]
        one = column.iloc[[2]].reset_index(drop=True)
        assert encoder.transform(pd.DataFrame({"c": one})).values[0, 0] == codes[2]

    def test_a_gap_is_a_value_or_an_error(self, kind):
        encoder, coded = encode(KINDS[kind], missing="value")
        info = encoder.schema_[0]
        assert info.missing
        assert coded.values[2, 0] == info.size - 1
        assert coded.values[[0, 1, 3], 0].max() < info.size - 1
        assert info.describe([info.size - 1]) == "is missing"
        full, frame = KINDS[kind].dropna(), pd.DataFrame({"c": KINDS[kind]})
        encoder, _ = encode(full, missing="value")
        assert (encoder.transform(frame).values[:, 0] < 0).tolist() == [False, False, True, False]
        with pytest.raises(ValueError, match=r"'c'.*row 2"):
            encode(KINDS[kind], missing="error")
        encoder, _ = encode(full, missing="error")
        with pytest.raises(ValueError, match=r"'c'.*row 2"):
            encoder.transform(frame)


def test_thresholds_are_exact_up_to_max_codes():
    x = np.arange(20.0)[:, None]
    fit = lambda **kw: rt.Encoder(numeric="thresholds", **kw).fit(x).schema_[0]  # noqa: E731
    assert fit(max_codes=20).cuts == tuple(np.arange(19) + 0.5)
    assert fit(max_codes=None).size == 20
    assert fit(max_codes=19).size <= 19
    assert fit(max_codes=4).cuts == (4.5, 9.5, 14.5)


def test_categories_are_mapped_by_value_not_by_code():
    def codes(encoder, values):
        return encoder.transform(pd.DataFrame({"c": values})).values[:, 0].tolist()

    encoder, _ = encode(pd.Series(pd.Categorical(["a", "b"], categories=["a", "b", "d"])))
    later = pd.Categorical(["b", "a", "e", None], categories=["e", "b", "a"])
    assert codes(encoder, later)[:3] == [1, 0, -1]
    assert codes(encoder, ["d", "a"]) == [2, 0]
    encoder, _ = encode(pd.Series(pd.Categorical([3, 1, 3])))
    assert codes(encoder, [1.0, 3.0, 2.0]) == [0, 1, -1]


AB, BA = pd.DataFrame({"a": [1, 2], "b": [3, 4]}), pd.DataFrame({"b": [3, 4], "a": [1, 2]})
INFINITE = pd.DataFrame({"fine": [1.0, 2], "size": [1, -np.inf]})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rt.Encoder().fit(AB).transform(AB.astype({"a": str})), "'a'.*numeric.*'1'"),
        (lambda: rt.Encoder().fit(AB).transform(BA), "order"),
        (lambda: rt.Encoder().fit(AB.to_numpy()).transform([[1.0]]), "1 columns.* 2 "),
        (lambda: rt.Encoder().fit(INFINITE), r"'size'.*inf.*row 1"),
        (lambda: rt.Encoder().fit(INFINITE.astype(object)), r"'size'.*inf"),
        (lambda: rt.Encoder().fit(INFINITE.abs().replace(np.inf, 3)).transform(INFINITE), "'size'"),
        (lambda: rt.Encoder().fit(pd.DataFrame(np.zeros((3, 0)))), "X is empty"),
        (lambda: encode(pd.Series(["a", 1, None], dtype=object)), r"'c'.*int, str"),
        (lambda: rt.Encoder(numeric="nope"), "numeric 'nope'.*thresholds"),
        (lambda: rt.Encoder(discretize="nope"), "discretize 'nope'.*k-means"),
        (lambda: rt.Encoder(missing="nope"), "missing 'nope'.*impute"),
        (lambda: rt.Encoder(max_codes=1), "max_codes.*1"),
        (lambda: rt.prepare(rt.load("iris"), "nope"), "'nope'.*'papers'"),
    ],
)
def test_what_cannot_be_encoded_is_refused_by_name(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


ALL_MISSING = {
    "float": pd.Series([np.nan] * 8),
    "category": pd.Series(pd.Categorical([None] * 8, categories=["p", "q"])),
    "no category": pd.Series(pd.Categorical([None] * 8)),
    "Int64": pd.Series([None] * 8, dtype="Int64"),
}


class TestUseless:
    @pytest.mark.parametrize("missing", ["impute", "value"])
    @pytest.mark.parametrize("kind", ALL_MISSING)
    def test_all_missing_warns_and_is_never_split_on(self, kind, missing):
        X = pd.DataFrame({"gone": ALL_MISSING[kind], "b": list("xyxyxyxy"), "a": list("xxyyxxyy")})
        y = [0, 1, 0, 0] * 2
        with pytest.warns(UserWarning, match="'gone' has no value at all"):
            model = rt.DecisionTree(missing=missing).fit(X, y)
        assert model.score(X, y) == 1
        assert {n.name for n in model.tree_.nodes()} == {"a", "b", None}

    @pytest.mark.parametrize("value", [7.0, "k", True])
    def test_a_constant_is_never_split_on(self, value):
        X = pd.DataFrame({"same": [value] * 4, "b": list("xyxy")})
        tree = rt.DecisionTree().fit(X, [0, 1, 0, 0]).tree_
        assert [n.name for n in tree.nodes() if n.name] == ["b"]
        seen = pd.DataFrame({"seen": [1.0, np.nan] * 4})  # missing or not may be told apart
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert rt.DecisionTree(missing="value").fit(seen, [0, 1] * 4).score(seen, [0, 1] * 4)

    def test_an_identifier_has_no_more_values_than_occur(self):
        """A sample of a table keeps the categories of all its rows."""
        every = [f"case {i}" for i in range(1906)]
        X = pd.DataFrame({"id": pd.Categorical(every).take(range(1000))})
        (doubt,) = rt.doubts(X)
        assert "'id' has 1000 different values in 1000 cases" in doubt.sentence
        X = pd.DataFrame({"id": pd.Categorical(every[:100] * 10, categories=every)})
        assert rt.doubts(X) == []


class TestPrepare:
    def test_identifiers_go_and_a_gap_is_filled(self):
        X = pd.DataFrame({"animal": ["ant", "bee", "cat"], "legs": [6, 6, np.nan]})
        prepared = rt.prepare(rt.Dataset(X, ["i", "i", "m"], "zoo", ids=("animal",)), "papers")
        assert prepared.X.columns.tolist() == ["legs"]
        assert prepared.name == "zoo"
        assert not prepared.X["legs"].isna().any()

    def test_ten_bins_over_the_whole_set(self):
        data = rt.load("iris")
        prepared = rt.prepare(data, "papers")
        for name, column in data.X.items():
            cuts = column.min() + (column.max() - column.min()) / 10 * np.arange(1, 10)
            assert prepared.X[name].cat.codes.tolist() == np.searchsorted(cuts, column).tolist()

    @pytest.mark.parametrize("x", [1e9 + np.arange(20.0), 1 + 1e-9 * np.arange(20)])
    def test_close_numbers_keep_their_ten_bins(self, x):
        data = rt.Dataset(pd.DataFrame({"t": x}), pd.Categorical(list("ab") * 10))
        assert rt.prepare(data).X["t"].nunique() == 10
