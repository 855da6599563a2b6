"""A column that changes its type on the way means the same, or is refused by name, or warned of."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from databases import in_duckdb, in_sqlite
from test_exports import ALLOWED, MODELS

import ranktrees as rt

YES, NO = [True, False] * 3, [1, 0] * 3
NAMES = pd.Categorical
SAME = {  # trained on, scored on
    "text of truth among others": (["true", "false", "?"] * 2, ["True", "False", "?"] * 2),
    "text of 0, 1 and truth": (["1", "0"] * 3, YES),
    "text of 1 and truth": (["1.0", None] * 3, [True, None] * 3),
    "only one is left": (YES, [True, None] * 3),
    "text and text of floats": (["1", "2", "4+"] * 2, ["1.0", "2.0", "4+"] * 2),
    "names of numbers and text": (NAMES([10, 2] * 3), ["10", "2.0"] * 3),
    "names of Decimals and floats": (NAMES([Decimal("1.5"), Decimal(2)] * 3), [1.5, 2] * 3),
    "numbers and objects": ([1, 5] * 3, pd.Series([Decimal(1), 5] * 3, dtype=object)),
}
REFUSED = {
    "truth and yes, no": (YES, ["yes", "no"] * 3, "held True or False .* text such as 'no'"),
    "truth and 2": (YES, [2, 0] * 3, "held True or False such as False .* numbers such as 2.0:"),
    "text of 0, 1, 2 and truth": (["0", "1", "2"] * 2, YES, "held text such as '0' .* False"),
    "names and intervals": (["a", "b"] * 3, pd.cut(range(6), 3), "held .* of type Interval"),
    "numbers and text": ([1, 2] * 3, ["1", "2"] * 3, "was numeric in training .* such as '1'"),
    "numbers and truth": ([1, 7] * 3, YES, "was numeric in training .* such as False"),
    "large numbers": (NAMES([2**53, 2**53 + 1] * 3), [2**53] * 6, r"names such as \d+ .* 2\*\*53"),
}
IN_TWO_WRITINGS = {
    "truth": (["true", "True", "no"] * 2, "'True' and 'true', which may both be written true"),
    "numbers": (["1", "1.0", "2"] * 2, "'1' and '1.0', which may both be written 1"),
    "numbers and truth": (["1", "true", "0"] * 2, "'1' and 'true', which may both be written"),
}
Y = ["p", "q"] * 3
EVERY_MODEL = pytest.mark.parametrize("model", [*MODELS, rt.CentreSplitting()], ids=str)


def column(values):
    return pd.DataFrame({"x": values, "other": [1.0, 2, 3, 4, 5, 6]})


@EVERY_MODEL
@pytest.mark.parametrize(("trained", "scored"), SAME.values(), ids=list(SAME))
@pytest.mark.filterwarnings(ALLOWED)
def test_what_means_the_same_is_the_same(model, trained, scored):
    model.fit(column(trained), Y)
    expected, found = (model.predict_proba(column(x)) for x in (trained, scored))
    there = pd.notna(pd.Series(scored)) | pd.isna(pd.Series(trained))
    np.testing.assert_allclose(found[there], expected[there], rtol=0, atol=1e-12)


@EVERY_MODEL
@pytest.mark.parametrize(("trained", "scored", "words"), REFUSED.values(), ids=list(REFUSED))
@pytest.mark.filterwarnings(ALLOWED)
def test_what_is_not_certain_is_refused_with_both_types(model, trained, scored, words):
    model.fit(column(trained), Y)
    with pytest.raises(ValueError, match=f"column 'x' .*{words}"):
        model.predict_proba(column(scored))


@EVERY_MODEL
@pytest.mark.parametrize(("values", "words"), IN_TWO_WRITINGS.values(), ids=list(IN_TWO_WRITINGS))
def test_two_values_of_one_spelling_are_refused_in_training(model, values, words):
    with pytest.raises(ValueError, match=f"column 'x' holds {words}.*: write them alike, or put"):
        model.fit(column(values), Y)


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.filterwarnings(ALLOWED)
def test_a_case_in_a_list_is_read_value_by_value(model):
    X = pd.DataFrame({"paid": YES, "size": [1, 2.5, 3] * 2, "name": ["1", "2", "4+"] * 2})
    for columns in (X, X[["paid", "size"]]):  # the latter would be an array of numbers
        right = model.fit(columns, Y).predict_proba(columns[:1])[0].tolist()
        case = columns.iloc[0].tolist()
        for row in (case, np.array(case, object), columns.to_numpy(object)[:1]):
            assert list(model.explain(row).proba.values()) == pytest.approx(right)
        assert model.predict_proba([case])[0].tolist() == right


@pytest.mark.parametrize(
    "trained", [["True", "False"] * 3, ["1", "0"] * 3, YES, NAMES(NO)], ids=str
)
def test_databases_match_what_is_meant(trained):
    model = rt.C44().fit(column(trained)[["x"]], Y)
    proba, query = model.predict_proba(column(trained)[["x"]]), model.to_sql("cases")
    for scored in (YES, NO, [1.0, 0.0] * 3, ["TRUE", "false"] * 3):
        for run in (in_sqlite, in_duckdb):
            assert (run(pd.DataFrame({"x": scored}), query) == proba).all()


MOST = r"column 'city': 67% of its values were never seen in training, such as 'M', 'N', 'O': see"
TEXTS = [str(v) for v in range(30)]


@pytest.fixture
def cities():
    X = pd.DataFrame({"city": list("ABCDEF") * 5, "age": [(7 * v + 3) % 30 for v in range(30)]})
    return X, np.where(X["age"] % 3, "p", "q")


def other_cities(X):
    return X.assign(city=["ABMNOP"[v % 6] for v in range(len(X))])


@EVERY_MODEL
def test_a_batch_most_of_whose_values_are_new_is_warned_of(model, cities):
    X, y = cities
    model.fit(X, y)
    with pytest.warns(UserWarning, match=MOST):
        model.predict_proba(other_cities(X))


@pytest.mark.filterwarnings("error")
def test_nothing_else_is_warned_of(cities, tmp_path):
    X, y = cities
    model = rt.C44().fit(X, y)
    model.predict_proba(other_cities(X)[:19])  # few cases
    model.predict_proba(X.assign(city=list("ABC123") * 5))  # half of them
    model.predict_proba(X.assign(city=["M"] * 12 + [None] * 18))  # few that are known
    rt.cross_validate(rt.NaiveBayes(), X.assign(city=[f"name {v}" for v in TEXTS]), y, k=2)  # folds
    model.fit(X.assign(x=[*TEXTS[:20], *"0123456789"]), y)  # few that are different
    names = X.assign(x=pd.Categorical(TEXTS))
    names.assign(y=y).to_parquet(tmp_path / "names.parquet")
    model.fit(names, y)
    model.fit(rt.scan(tmp_path, "y"))


def test_new_values_are_warned_of_once(cities, tmp_path):
    X, y = cities
    other_cities(pd.concat([X] * 6000)).assign(y="p").to_parquet(tmp_path / "cases.parquet")
    bag, scan = rt.Bagging(rt.C44(), n_models=3).fit(X, y), rt.scan(tmp_path, "y")
    with pytest.warns(UserWarning, match=MOST) as given:
        bag.predict_proba(other_cities(X))
    assert len(given) == 1
    with pytest.warns(UserWarning, match="column 'city': 67% of its") as given:
        assert len([*bag.models_[0].predict_proba(scan)]) == 3
    assert len(given) == 1


def test_text_that_all_reads_as_numbers_is_warned_of(cities, tmp_path):
    X, y = cities[0].assign(x=TEXTS), cities[1]
    said = r"'x' is text, and its 30 different values, such as '0', all read as numbers: turn"
    for model in (rt.C44(), rt.NaiveBayes(), rt.NewtonTree(), rt.Bagging(n_models=2)):
        with pytest.warns(UserWarning, match=said):
            model.fit(X, y)
    X.assign(y=y).to_parquet(tmp_path / "text.parquet")
    with pytest.warns(UserWarning, match=said):
        rt.C44().fit(rt.scan(tmp_path, "y"))


def test_numbers_of_many_types_are_numbers():
    values = [1.5, 2, None, np.nan, Decimal("3.25"), Decimal("NaN")] * 4
    plain = pd.DataFrame({"x": np.array([1.5, 2, np.nan, np.nan, 3.25, np.nan] * 4)})
    frame, y = pd.DataFrame({"x": pd.Series(values, dtype=object)}), list("pqpqqp") * 4
    assert str(rt.C45().fit(frame, y).tree_) == str(rt.C45().fit(plain, y).tree_)
    pd.testing.assert_frame_equal(rt.Dataset(frame, y).X, plain)


def test_decimals_are_numbers_in_arrow_and_in_scans(tmp_path):
    X, y = rt.load("iris").X, rt.load("iris").y
    table = pa.table({c: pa.array([Decimal(str(v)) for v in X[c]]) for c in X})
    model = rt.C45(max_codes=255, raising=False)
    right = str(model.fit(X, y).tree_)
    assert str(model.fit(table, y).tree_) == right
    table = table.append_column("y", pa.array(np.asarray(y)))
    pa.parquet.write_table(table, tmp_path / "a.parquet")
    assert str(model.fit(rt.scan(tmp_path, "y")).tree_) == right


@pytest.mark.parametrize("dtype", [float, bool, object, "U3"])
def test_masks_are_gaps(dtype):
    values = np.array([[1, 0], [0, 1], [1, 1], [0, 0]] * 4).astype(dtype)
    mask = np.tile([[False, True], [False, False]], (8, 1))
    X, y = np.ma.array(values, mask=mask), list("pqpp") * 4
    gaps = pd.DataFrame(values.astype(object)).mask(mask, None)
    gaps = gaps.infer_objects() if dtype is float else gaps
    for model in MODELS:
        right = model.fit(gaps.to_numpy(), y).predict_proba(gaps.to_numpy())
        assert (model.fit(X, y).predict_proba(X) == right).all()
        assert list(model.explain(X[0]).proba.values()) == right[0].tolist()


def test_masks_in_classes_and_weights_are_refused():
    X, y = np.arange(8.0)[:, None], np.ma.array(list("pqpqpqpq"), mask=[0, 0, 1, 0, 0, 0, 0, 0])
    model, masked = rt.C44().fit(X, y.data), np.ma.array(np.ones(8), mask=y.mask)
    with pytest.raises(ValueError, match=r"y lacks the class of 1 of its 8 cases, first in row 2"):
        model.fit(X, y)
    with pytest.raises(ValueError, match=r"y is masked .* first in row 2"):
        model.score(X, y)
    with pytest.raises(ValueError, match=r"sample_weight is masked 1 times, first in row 2"):
        model.fit(X, y.data, sample_weight=masked)


def test_dates_are_no_classes_and_no_weights():
    X, y = np.arange(8.0)[:, None], list("pqpqpqpq")
    days = np.arange(8).astype("M8[D]")
    for dates in (days, days.tolist(), pl.Series(np.arange(8).astype("m8[ms]"))):
        with pytest.raises(ValueError, match="sample_weight must hold numbers only"):
            rt.C44().fit(X, y, sample_weight=dates)
        with pytest.raises(ValueError, match="Unknown label type: y holds dates or times, such as"):
            rt.C44().fit(X, dates)
