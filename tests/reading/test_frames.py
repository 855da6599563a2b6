"""Frames of polars and pyarrow, and pandas' columns of pyarrow, give what pandas' frames give."""

import datetime
import decimal
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from oracles import SKLEARN
from sklearn.model_selection import cross_val_score

import ranktrees as rt
from ranktrees_engine.reading.columns import read_columns
from ranktrees_engine.reading.frames import as_pandas

N, SIZES = 60, ["low", "middle", "high", "huge"]
RNG = np.random.default_rng(0)


def some(values, every):
    """Drawn values, of which one in so many is missing."""
    return [None if i % every == 0 else v for i, v in enumerate(RNG.choice(values, N).tolist())]


COLOUR = some(["red", "green", "blue"], 9)
Y = np.where((np.array(COLOUR) == "red") | (RNG.random(N) < 0.2), "yes", "no")
PANDAS = pd.DataFrame(
    {
        "colour": pd.Categorical(COLOUR),
        "size": pd.Categorical(RNG.choice(SIZES[:3], N), SIZES, ordered=True),
        "age": pd.array(some(range(20, 60), 7), dtype="Int64"),
        "open": pd.array(some([True, False], 11), dtype="boolean"),
        "price": RNG.integers(0, 40, N) / 4,
        "word": RNG.choice(["u", "v"], N),
    }
)
POLARS = pl.from_pandas(PANDAS).cast({"size": pl.Enum(SIZES), "price": pl.Decimal(9, 2)})
ARROW = pa.Table.from_pandas(PANDAS)
FRAMES = {
    "polars": POLARS,
    "pyarrow": ARROW,
    "batch": ARROW.to_batches()[0],
    "pandas": PANDAS.astype({"colour": object}).convert_dtypes(dtype_backend="pyarrow"),
}
EVERY_FRAME = pytest.mark.parametrize("frame", FRAMES.values(), ids=list(FRAMES))
BAGGED = rt.Bagging(rt.NaiveBayes(numeric="gaussian"), n_models=2)
IS_YES = Y == "yes"
TEXT = pd.Series(Y, dtype="str")  # of pyarrow from pandas 3 on, as `y.astype(str)` is
CLASSES = {
    "polars text": pl.Series(Y),
    "polars categories": pl.Series(Y, dtype=pl.Categorical),
    "an enum": pl.Series(Y, dtype=pl.Enum(["yes", "no"])),
    "true and false": pl.Series(IS_YES),
    "an array": pa.array(Y),
    "chunks": pa.chunked_array([Y[:20], Y[20:]]),
    "whole numbers": pd.Series(IS_YES).astype("int64[pyarrow]"),
    "pandas' truth": pd.Series(IS_YES).astype("bool[pyarrow]"),
    "a bare array": TEXT.array,
    "an index": pd.Index(TEXT),
}


@EVERY_FRAME
@pytest.mark.parametrize("model", [rt.C44(), rt.NewtonTree(), BAGGED], ids=str)
def test_models_learn_the_same_from_every_frame(model, frame):
    expected, said = model.fit(PANDAS, Y).predict_proba(PANDAS), str(model.explain(PANDAS[:1]))
    np.testing.assert_array_equal(model.predict_proba(frame), expected)
    np.testing.assert_array_equal(model.fit(frame, Y).predict_proba(PANDAS), expected)
    assert list(model.feature_names_in_) == list(PANDAS.columns)
    first = frame.iloc[:1] if isinstance(frame, pd.DataFrame) else frame.slice(0, 1)
    assert str(model.explain(first)) == said
    with pytest.raises(ValueError, match="Feature names seen at fit time, yet now missing:\n- age"):
        model.predict(POLARS.drop("age"))


@pytest.mark.parametrize("y", CLASSES.values(), ids=list(CLASSES))
def test_every_kind_of_classes_is_read_alike(y):
    model = rt.C44()
    proba = model.fit(PANDAS, Y).predict_proba(PANDAS)
    np.testing.assert_array_equal(model.fit(POLARS, y).predict_proba(POLARS), proba)
    assert model.score(POLARS, y) == np.mean((proba[:, 1] > 0.5) == IS_YES)
    assert rt.auc(y, pl.Series(proba[:, 1])) == rt.auc(Y, proba[:, 1])
    assert rt.log_loss(y, proba) == rt.log_loss(Y, proba)
    assert rt.confusion_matrix(y, y).to_numpy().trace() == N
    picture = rt.plot.ranking(y, {"price": PANDAS["price"]})
    assert picture.alt == rt.plot.ranking(np.asarray(y), {"price": PANDAS["price"]}).alt


@EVERY_FRAME
def test_folds_pictures_encoders_and_networks_take_every_frame(frame):
    data = rt.Dataset(frame, pl.Series(Y), ids=["word"])
    expected = rt.cross_validate(rt.C44(), PANDAS.drop(columns="word"), Y, k=2)["auc"].tolist()
    assert rt.cross_validate(rt.C44(), data, k=2)["auc"].tolist() == expected
    expected = rt.plot.split(rt.Dataset(PANDAS, Y), "age").alt
    assert rt.plot.split(frame, "age", pa.array(Y)).alt == expected
    assert rt.plot.split(data, "age").alt == expected
    codes = rt.Encoder().fit(PANDAS).transform(frame)
    np.testing.assert_array_equal(codes.values, rt.Encoder().fit_transform(frame).values)
    net, other = (rt.BayesNet({"word": ["size"]}).fit(X) for X in (frame, PANDAS))
    assert net.log_likelihood(frame) == other.log_likelihood(PANDAS)


def test_scikit_learn_takes_a_polars_frame():
    for frame in (POLARS, ARROW) if SKLEARN >= (1, 7) else (POLARS,):  # the first for Arrow
        score = cross_val_score(rt.C44(), frame, pl.Series(Y), scoring="roc_auc", cv=3)
        assert (score == cross_val_score(rt.C44(), PANDAS, Y, scoring="roc_auc", cv=3)).all()
    proba = rt.C44().fit(PANDAS, Y).predict_proba(PANDAS)
    turned = pl.DataFrame(proba[:, ::-1], schema=["yes", "no"])
    assert rt.log_loss(Y, turned) == pytest.approx(rt.log_loss(Y, proba), rel=1e-12), "by name"


def in_pandas(values, kind=None):
    """A pandas Series that keeps this type of pyarrow."""
    return pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([pa.array(values, kind)])))


DICTIONARY = pa.DictionaryArray.from_arrays([1, 0, None], ["low", "high"], ordered=True)


@pytest.mark.parametrize(
    ("values", "kind", "categories", "codes"),
    [
        (pl.Series(["b", "a"], dtype=pl.Categorical), "nominal", ["a", "b"], [1, 0]),
        (pl.Series(["b", "a"], dtype=pl.Enum([*"cba"])), "ordinal", ["c", "b", "a"], [1, 2]),
        (pl.Series([decimal.Decimal("1.5"), None]), "numeric", None, [1.5, np.nan]),
        (pl.Series([2**70], dtype=pl.Int128), "numeric", None, [2.0**70]),
        (pl.Series([True, None]), "nominal", [True], [0, -1]),
        (pd.Series([3, pd.NA], dtype="double[pyarrow]"), "numeric", None, [3, np.nan]),
        (in_pandas([decimal.Decimal("1.5")], pa.decimal128(5, 2)), "numeric", None, [1.5]),
        (pd.Series(["b", "a", None], dtype="str"), "nominal", ["a", "b"], [1, 0, -1]),
        (in_pandas(["b", "a"], pa.string_view()), "nominal", ["a", "b"], [1, 0]),
        (pd.Series([True, False, None], dtype=object), "nominal", [False, True], [1, 0, -1]),
        (in_pandas(DICTIONARY), "ordinal", ["low", "high"], [1, 0, -1]),
        (in_pandas([None], pa.null()), "nominal", [], [-1]),
    ],
)
def test_columns_keep_their_kind(values, kind, categories, codes):
    pl.Series(["z", "b"], dtype=pl.Categorical)  # its categories are not those of another column
    make = pl.DataFrame if isinstance(values, pl.Series) else pd.DataFrame
    column = read_columns(make({"v": values}))[0]
    assert (column.name, column.kind) == ("v", kind)
    assert categories is None or column.categories.tolist() == categories
    np.testing.assert_array_equal(column.values, codes)
    assert column.missing.tolist() == [c == -1 or np.isnan(c) for c in codes]


DATES, BYTES = "column 'v' holds dates or times", "column 'v' holds values of type "
SPANS = pa.table({"v": pa.array([(1, 2, 3)], pa.month_day_nano_interval())})


@pytest.mark.parametrize("dtype", [object, "str", "string[python]", "string[pyarrow]"])
def test_text_is_sorted_by_code_points(dtype):
    texts = ["b", None, "Z", "é", "a", "𝔞", "b", "", "Ω", "ﬁ"]
    column = read_columns(pd.DataFrame({"v": pd.Series(texts, dtype=dtype)}))[0]
    known = sorted({text for text in texts if text is not None})
    assert (column.categories.tolist(), column.categories.dtype) == (known, dtype)
    assert column.values.tolist() == [-1 if t is None else known.index(t) for t in texts]


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (POLARS.lazy(), TypeError, r"LazyFrame is lazy: give X.collect\(\)"),
        (pl.DataFrame({"v": [{"a": 1}]}), TypeError, BYTES + "dict"),
        (pl.DataFrame({"v": [datetime.date.min]}), TypeError, DATES),
        (pl.DataFrame({"v": [1.0, np.inf]}), ValueError, "column 'v' contains infinity"),
        (pl.DataFrame({"v": []}), ValueError, "X is empty"),
        (pl.Series([1, 2]), ValueError, "X needs one row per case"),
        (
            pa.table([[1], [2]], names=["v", "v"]),
            ValueError,
            "column 'v' occurs more than once: give each its own",
        ),
        (SPANS, TypeError, DATES + ": turn them into"),
        (SPANS.to_pandas(types_mapper=pd.ArrowDtype), TypeError, DATES),
        (in_pandas([datetime.timedelta(1)]).to_frame("v"), TypeError, DATES),
        (in_pandas([b"x"]).to_frame("v"), TypeError, BYTES + "bytes"),
    ],
)
def test_what_is_no_attribute_is_refused_by_name(X, error, message):
    with pytest.raises(error, match=message):
        rt.C44().fit(X, Y)


def test_a_relation_of_duckdb_is_not_read_by_itself():
    duckdb = pytest.importorskip("duckdb")
    match = r"lazy: .*, in DuckDB X.to_arrow_table\(\)"
    with duckdb.connect() as base, pytest.raises(TypeError, match=match):
        read_columns(base.sql("SELECT 1 AS v"))


@pytest.mark.parametrize("lacking", ["narwhals", "pyarrow"])
def test_without_narwhals_a_sentence_says_what_to_install(lacking, monkeypatch):
    monkeypatch.setitem(sys.modules, lacking, None)
    with pytest.raises(ImportError, match="DataFrame of polars: pip install narwhals pyarrow, or"):
        rt.C44().fit(POLARS, Y)
    assert as_pandas(PANDAS) is PANDAS
