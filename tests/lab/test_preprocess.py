"""The encoder: every kind of column, missing values in three modes, what is refused."""

import datetime as dt
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
    "boolean": pd.Series([True, False, None, True], dtype="boolean"),
    "Int64": pd.Series([5, 1, None, 6], dtype="Int64"),
    "Float32": pd.Series([5, 1, None, 6], dtype="Float32"),
    "float": pd.Series([5, 1, np.nan, 6]),
    "object of numbers": pd.Series([5, 1.0, None, 6], dtype=object),
    "decimals": pd.Series([Decimal(5), Decimal(1), None, Decimal(6)], dtype=object),
    "numbers of all kinds": pd.Series([Decimal(5), np.int8(1), None, 6.0], dtype=object),
}
NUMERIC = {"Int64", "Float32", "float", "object of numbers", "decimals", "numbers of all kinds"}
EVERY = pytest.mark.parametrize("kind", KINDS)


def encode(column, **settings):
    frame = pd.DataFrame({"c": column})
    encoder = rt.Encoder(n_bins=4, **settings).fit(frame)
    return encoder, encoder.transform(frame)


class TestKinds:
    @EVERY
    def test_kind_and_values(self, kind):
        encoder, coded = encode(KINDS[kind])
        info = encoder.schema_[0]
        assert info.name == "c"
        if kind in NUMERIC:
            assert info.kind == "numeric"
            assert info.cuts == (2.25, 3.5, 4.75)
            assert coded.values[[0, 1, 3], 0].tolist() == [3, 0, 3]
            return
        expected = {
            "category": ("z", "b", "a"),
            "ordered": ("lo", "mid", "hi"),
            "bool": (False, True),
            "boolean": (False, True),
        }.get(kind, ("a", "b"))
        assert info.values == expected
        assert info.kind == ("ordinal" if kind == "ordered" else "nominal")
        column = KINDS[kind]
        for row in (0, 1, 3):
            assert info.values[coded.values[row, 0]] == column[row]

    def test_thresholds_are_exact_up_to_max_codes(self):
        x = np.arange(20.0)[:, None]
        fit = lambda **kw: rt.Encoder(numeric="thresholds", **kw).fit(x).schema_[0]  # noqa: E731
        assert fit(max_codes=20).cuts == tuple(np.arange(19) + 0.5)
        assert fit(max_codes=None).size == 20
        assert fit(max_codes=19).size <= 19
        assert fit(max_codes=4).cuts == (4.5, 9.5, 14.5)


class TestMissing:
    @EVERY
    def test_impute(self, kind):
        encoder, coded = encode(KINDS[kind], missing="impute")
        fill = coded.values[2, 0]
        if kind in NUMERIC:
            assert fill == np.searchsorted(encoder.schema_[0].cuts, 4.0)  # the mean of 5, 1, 6
        else:
            assert fill == coded.values[0, 0]  # the most frequent value
        assert not encoder.schema_[0].missing
        one = KINDS[kind].iloc[[2]].reset_index(drop=True)
        assert encoder.transform(pd.DataFrame({"c": one})).values[0, 0] == fill

    @EVERY
    def test_value_and_error(self, kind):
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


class TestLater:
    def test_categories_are_mapped_by_value_not_by_code(self):
        def codes(encoder, values):
            return encoder.transform(pd.DataFrame({"c": values})).values[:, 0].tolist()

        encoder, _ = encode(pd.Series(pd.Categorical(["a", "b"], categories=["a", "b", "d"])))
        later = pd.Categorical(["b", "a", "e", None], categories=["e", "b", "a"])
        assert codes(encoder, later)[:3] == [1, 0, -1]
        assert codes(encoder, ["d", "a"]) == [2, 0]
        encoder, _ = encode(pd.Series(pd.Categorical([3, 1, 3])))
        assert codes(encoder, [1.0, 3.0, 2.0]) == [0, 1, -1]

    @pytest.mark.parametrize(
        ("fitted", "later", "message"),
        [
            ({"c": [1.0, 2.0]}, {"c": ["a"]}, r"'c'.*numeric.*'a'"),
            ({"a": ["x"], "b": ["z"]}, {"b": ["z"], "a": ["x"]}, "order"),
            ([[1.0], [2.0]], [[1.0, 2.0]], r"2 columns.* 1 "),
        ],
    )
    def test_other_columns_are_refused(self, fitted, later, message):
        fitted, later = (pd.DataFrame(x) if isinstance(x, dict) else x for x in (fitted, later))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            encoder = rt.Encoder().fit(fitted)
        with pytest.raises(ValueError, match=message):
            encoder.transform(later)


class TestRefused:
    @pytest.mark.parametrize(
        "dates",
        [
            pd.to_datetime(["2020-01-01", "2020-01-02"]),
            pd.to_timedelta([1, 2], unit="D"),
            pd.period_range("2020", periods=2, freq="M"),
            pd.Series([dt.date(2020, 1, 1), dt.date(2020, 1, 2)], dtype=object),
        ],
    )
    def test_dates_with_a_hint(self, dates):
        with pytest.raises(TypeError, match=r"'when'.*dates.*numbers or categories"):
            rt.Encoder().fit(pd.DataFrame({"when": dates}))

    def test_infinity_names_its_column(self):
        bad = -np.inf
        frame = pd.DataFrame({"fine": [1.0, 2], "size": [1, bad]})
        with pytest.raises(ValueError, match=r"'size'.*inf.*row 1"):
            rt.Encoder().fit(frame)
        with pytest.raises(ValueError, match=r"'x1'.*inf"):
            rt.Encoder().fit(frame.to_numpy())
        encoder = rt.Encoder().fit(frame.replace(bad, 3))
        with pytest.raises(ValueError, match=r"'size'.*inf"):
            encoder.transform(frame)
        with pytest.raises(ValueError, match=r"'size'.*inf"):
            rt.Encoder().fit(frame.astype(object))

    @pytest.mark.parametrize(
        ("X", "error", "message"),
        [
            (np.zeros((0, 2)), ValueError, "X is empty"),
            (pd.DataFrame(np.zeros((3, 0))), ValueError, "X is empty"),
            (pd.DataFrame([[1, 2]], columns=["a", "a"]), ValueError, "'a' occurs more than once"),
            (pd.DataFrame({"c": ["a", 1, None]}, dtype=object), TypeError, r"'c'.*int, str"),
        ],
    )
    def test_odd_tables(self, X, error, message):
        with pytest.raises(error, match=message):
            rt.Encoder().fit(X)

    @pytest.mark.parametrize(
        ("setting", "value", "known"),
        [
            ("numeric", "nope", "numeric 'nope'.*thresholds"),
            ("discretize", "nope", "discretize 'nope'.*k-means"),
            ("missing", "nope", "missing 'nope'.*impute"),
            ("max_codes", 1, "max_codes.*1"),
        ],
    )
    def test_unknown_settings_list_the_known(self, setting, value, known):
        with pytest.raises(ValueError, match=known):
            rt.Encoder(**{setting: value})
        with pytest.raises(ValueError, match=r"'nope'.*'papers'"):
            rt.prepare(rt.load("iris"), "nope")


ALL_MISSING = {
    "float": pd.Series([np.nan] * 8),
    "object": pd.Series([None] * 8, dtype=object),
    "category": pd.Series(pd.Categorical([None] * 8, categories=["p", "q"])),
    "no category": pd.Series(pd.Categorical([None] * 8)),
    "Int64": pd.Series([None] * 8, dtype="Int64"),
}


class TestUseless:
    @pytest.mark.parametrize("missing", ["impute", "value"])
    @pytest.mark.parametrize("kind", ALL_MISSING)
    @pytest.mark.parametrize("numeric", ["bins", "thresholds"])
    def test_all_missing_warns_and_is_never_split_on(self, kind, missing, numeric):
        X = pd.DataFrame({"gone": ALL_MISSING[kind], "b": list("xyxyxyxy"), "a": list("xxyyxxyy")})
        y = [0, 1, 0, 0] * 2
        with pytest.warns(UserWarning, match="'gone' has no value at all"):
            model = rt.DecisionTree(missing=missing, numeric=numeric).fit(X, y)
        assert model.score(X, y) == 1
        assert {n.name for n in model.tree_.nodes()} == {"a", "b", None}
        assert model.predict(X.iloc[:3]).tolist() == y[:3]

    @pytest.mark.parametrize("values", [[7.0] * 4, ["k"] * 4, [True] * 4])
    @pytest.mark.parametrize("split", ["multiway", "binary", "threshold"])
    def test_a_constant_warns_and_is_never_split_on(self, values, split):
        X = pd.DataFrame({"same": values, "b": list("xyxy")})
        with pytest.warns(UserWarning, match="'same' has only one value"):
            tree = rt.DecisionTree(split=split).fit(X, [0, 1, 0, 0]).tree_
        assert [n.name for n in tree.nodes() if n.name] == ["b"]
        seen = pd.DataFrame({"seen": [1.0, np.nan] * 4})  # missing or not may be told apart
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert rt.DecisionTree(missing="value").fit(seen, [0, 1] * 4).score(seen, [0, 1] * 4)

    def test_an_identifier_has_no_more_values_than_occur(self):
        """A sample of a table keeps the categories of all its rows."""
        X = pd.DataFrame({"id": pd.Categorical([f"case {i}" for i in range(1906)])}).iloc[:1000]
        with pytest.warns(UserWarning, match="'id' has 1000 different values in 1000 cases"):
            rt.Encoder().fit(X)

    @pytest.mark.parametrize("learner", [rt.Encoder, rt.DecisionTree, rt.NaiveBayes])
    def test_values_that_are_only_declared_make_no_identifier(self, learner):
        values = [f"case {i}" for i in range(1906)]
        X = pd.DataFrame({"id": pd.Categorical(values[:100] * 10, categories=values)})
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            learner().fit(X, [0, 1] * 500)


class TestPrepare:
    def test_columns_are_categories_and_identifiers_go(self):
        zoo = rt.Dataset(
            pd.DataFrame({"animal": ["ant", "bee", "cat"], "legs": [6, 6, np.nan]}),
            pd.Categorical(["i", "i", "m"]), "zoo", ids=("animal",), target="Kind",
        )  # fmt: skip
        prepared = rt.prepare(zoo, "papers")
        assert prepared.X.columns.tolist() == ["legs"]
        assert (prepared.name, prepared.target) == ("zoo", "Kind")
        assert not prepared.X["legs"].isna().any()

    def test_ten_bins_over_the_whole_set(self):
        data = rt.load("iris")
        prepared = rt.prepare(data, "papers")
        for name in data.X:
            assert isinstance(prepared.X[name].dtype, pd.CategoricalDtype)
            assert not prepared.X[name].cat.ordered
            x = data.X[name].to_numpy()
            want = np.searchsorted(x.min() + (x.max() - x.min()) / 10 * np.arange(1, 10), x)
            assert prepared.X[name].cat.codes.tolist() == want.tolist()

    @pytest.mark.parametrize("x", [1e9 + np.arange(20.0), 1 + 1e-9 * np.arange(20)])
    def test_close_numbers_keep_their_ten_bins(self, x):
        data = rt.Dataset(pd.DataFrame({"t": x}), pd.Categorical(list("ab") * 10))
        assert rt.prepare(data).X["t"].nunique() == 10
