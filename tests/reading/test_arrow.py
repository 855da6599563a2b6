"""Columns and classes kept by pyarrow, as pandas keeps text where it is there, mean the same."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import ranktrees as rt
from ranktrees.reading.columns import read_columns


def arrow(values, kind):
    """A Series of this type of pyarrow."""
    return pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([pa.array(values, kind)])))


def read(column):
    return read_columns(pd.DataFrame({"a": column}))[0]


@pytest.mark.parametrize("dtype", ["int64[pyarrow]", "double[pyarrow]", "Int64", "Float32", object])
def test_numbers_are_numbers_and_gaps_are_nan(dtype):
    column = read(pd.Series([3, 1, pd.NA], dtype=dtype))
    assert column.kind == "numeric"
    np.testing.assert_array_equal(column.values, [3, 1, np.nan])
    assert column.missing.tolist() == [False, False, True]


def test_decimal_numbers_are_numbers():
    column = read(arrow([decimal.Decimal("1.5"), None], pa.decimal128(5, 2)))
    np.testing.assert_array_equal(column.values, [1.5, np.nan])


@pytest.mark.parametrize("dtype", ["str", "string[pyarrow]", "large_string[pyarrow]"])
def test_text_is_nominal(dtype):
    column = read(pd.Series(["b", "a", None], dtype=dtype))
    assert (column.kind, column.categories.tolist()) == ("nominal", ["a", "b"])
    assert column.values.tolist() == [1, 0, -1]


@pytest.mark.parametrize("dtype", ["boolean", "bool[pyarrow]", object])
def test_true_and_false_are_nominal(dtype):
    column = read(pd.Series([True, False, None], dtype=dtype))
    assert (column.kind, column.categories.tolist()) == ("nominal", [False, True])
    assert column.values.tolist() == [1, 0, -1]


@pytest.mark.parametrize(("ordered", "kind"), [(False, "nominal"), (True, "ordinal")])
def test_a_dictionary_keeps_its_values_and_their_order(ordered, kind):
    values = pa.DictionaryArray.from_arrays([1, 0, None], ["low", "high"], ordered=ordered)
    column = read(arrow(values, None))
    assert (column.kind, column.categories.tolist()) == (kind, ["low", "high"])
    assert column.values.tolist() == [1, 0, -1]


def test_a_column_of_nothing_is_all_missing():
    assert read(arrow([None, None], pa.null())).missing.all()


@pytest.mark.parametrize(
    ("values", "kind", "message"),
    [
        ([datetime.date(2020, 1, 1)], pa.date32(), "column 'a' holds dates or times"),
        ([datetime.datetime(2020, 1, 1)], pa.timestamp("ns"), "column 'a' holds dates or times"),
        ([datetime.time(1)], pa.time64("us"), "column 'a' holds dates or times"),
        ([datetime.timedelta(1)], pa.duration("ns"), "column 'a' holds dates or times"),
        ([b"x"], pa.binary(), "column 'a' holds values of type bytes"),
        ([[1, 2]], pa.list_(pa.int64()), "column 'a' holds values of type ndarray"),
    ],
)
def test_what_is_no_attribute_is_refused_by_name(values, kind, message):
    with pytest.raises(TypeError, match=message):
        read(arrow(values, kind))


# What is computed from them

DATA = rt.load("labor")
X = DATA.X.astype(dict.fromkeys(DATA.X.select_dtypes("category"), object))
ARROW_X = X.convert_dtypes(dtype_backend="pyarrow")
CLASSES = np.asarray(DATA.y, object)
GOOD = pd.Series(CLASSES == "good")
TEXT = pd.Series(CLASSES, dtype="str")  # of pyarrow, as `y.astype(str)` is
Y = {
    "text": TEXT,
    "a bare array": TEXT.array,
    "an index": pd.Index(TEXT),
    "whole numbers": GOOD.astype("int64[pyarrow]"),
    "true and false": GOOD.astype("bool[pyarrow]"),
    "pandas' own": GOOD.astype("boolean"),
}
EVERY_Y = pytest.mark.parametrize("y", Y.values(), ids=list(Y))
MODELS = {
    "C44": rt.C44(estimate="shrinkage"),
    "NaiveBayes": rt.NaiveBayes(),
    "AODE": rt.AODE(),
    "CITree": rt.CITree(),
    "NewtonTree": rt.NewtonTree(),
    "Bagging": rt.Bagging(rt.C44(), n_models=3),
}
EVERY_MODEL = pytest.mark.parametrize("model", MODELS.values(), ids=list(MODELS))
pytestmark = pytest.mark.filterwarnings("ignore:.*it is never split on")


def test_the_columns_are_of_pyarrow():
    assert {type(dtype) for dtype in ARROW_X.dtypes} == {pd.ArrowDtype}
    if pd.Series(["a"]).dtype != object:  # from pandas 3 on
        assert isinstance(TEXT.array, pd.arrays.ArrowStringArray)


@EVERY_MODEL
def test_models_learn_the_same_from_columns_of_pyarrow(model):
    expected = model.fit(X, CLASSES).predict_proba(X)
    np.testing.assert_array_equal(model.predict_proba(ARROW_X), expected)
    assert (model.fit(ARROW_X, CLASSES).predict_proba(ARROW_X) == expected).all()
    assert (model.predict_proba(X) == expected).all()
    assert str(model.explain(ARROW_X.iloc[[0]])) == str(model.explain(X.iloc[[0]]))


@EVERY_Y
@EVERY_MODEL
def test_models_learn_the_same_from_classes_of_pyarrow(model, y):
    expected = model.fit(X, CLASSES).predict(X)
    said = model.fit(X, y).predict(X)
    assert (np.asarray(said == model.classes_[-1]) == (expected == "good")).all()
    assert model.score(X, y) == np.mean(expected == CLASSES)


@pytest.fixture(scope="module")
def proba():
    return rt.C44().fit(X, CLASSES).predict_proba(X)


@EVERY_Y
def test_measures_read_the_same_classes(y, proba):
    assert rt.auc(y, proba[:, 1]) == rt.auc(CLASSES, proba[:, 1])
    assert rt.hand_till(y, proba) == rt.hand_till(CLASSES, proba)
    assert rt.log_loss(y, proba) == rt.log_loss(CLASSES, proba)
    assert rt.accuracy(y, y) == 1
    assert rt.confusion_matrix(y, y).to_numpy().tolist() == np.diag([20, 37]).tolist()


@EVERY_Y
def test_folds_and_comparisons_read_the_same_classes(y):
    np.testing.assert_array_equal(rt.stratified_folds(y, 5), rt.stratified_folds(CLASSES, 5))
    np.testing.assert_array_equal(rt.weka_folds(y, 5), rt.weka_folds(CLASSES, 5))
    for rows, others in zip(rt.holdout(y), rt.holdout(CLASSES), strict=True):
        np.testing.assert_array_equal(rows, others)
    said = rt.cross_val_proba(rt.C44(), ARROW_X, y, k=3)
    np.testing.assert_array_equal(said, rt.cross_val_proba(rt.C44(), X, CLASSES, k=3))
    data = rt.Dataset(ARROW_X, y, "labor")
    assert len(rt.compare({"bag": MODELS["Bagging"]}, [data], k=3).table("auc")) == 1


@pytest.mark.parametrize("draw", [rt.plot.ranking, rt.plot.roc, rt.plot.gains, rt.plot.calibration])
def test_pictures_read_the_same_classes(draw, proba):
    scores = {"C4.4": proba[:, 1]}
    assert draw(TEXT, scores).alt == draw(TEXT.array, scores).alt == draw(CLASSES, scores).alt


def test_the_picture_of_rounds_reads_the_same_classes():
    splits = rt.random_subsampling(CLASSES, 2)
    assert rt.plot.rounds(TEXT.array, splits).alt == rt.plot.rounds(CLASSES, splits).alt


def test_a_table_with_a_name_twice_is_refused():
    table = pa.table([[1, 2], [3, 4]], names=["x", "x"])
    for twice in (table, table.to_batches()[0]):
        with pytest.raises(ValueError, match="column 'x' occurs more than once: give each its own"):
            rt.DecisionTree().fit(twice, ["a", "b"])


def test_spans_of_months_are_dates_or_times():
    table = pa.table({"x": pa.array([(1, 2, 3)] * 4, pa.month_day_nano_interval())})
    for spans in (table, table.to_pandas(types_mapper=pd.ArrowDtype)):
        with pytest.raises(TypeError, match="column 'x' holds dates or times: turn them into"):
            rt.DecisionTree().fit(spans, ["a", "b", "a", "b"])


def test_views_of_text_are_text():
    views = pa.array(["a", "b"] * 10, pa.string_view())
    table, y = pa.table({"s": views}), ["p", "q"] * 10
    for X in (table, table.to_pandas(types_mapper=pd.ArrowDtype)):
        assert rt.C44().fit(X, y).score(X, y) == 1
    assert rt.Dataset(table, views).facts["nominal"] == 1
