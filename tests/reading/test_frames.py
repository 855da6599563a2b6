"""Frames of polars and pyarrow give the trees, names and sentences that pandas' frames give."""

import datetime
import decimal
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from oracles import SKLEARN

import ranktrees as rt
from ranktrees.reading.columns import read_columns
from ranktrees.reading.frames import as_pandas

N = 60
RNG = np.random.default_rng(0)
COLOUR = [
    None if i % 9 == 0 else ["red", "green", "blue"][c] for i, c in enumerate(RNG.choice(3, N))
]
SIZES = ["low", "middle", "high", "huge"]
SIZE = [SIZES[c] for c in RNG.choice(3, N)]
AGE = [None if i % 7 == 0 else int(a) for i, a in enumerate(RNG.integers(20, 60, N))]
OPEN = [None if i % 11 == 0 else bool(b) for i, b in enumerate(RNG.choice(2, N))]
PRICE = RNG.integers(0, 40, N) / 4
WORD = [["u", "v"][c] for c in RNG.choice(2, N)]
Y = np.where((np.array(COLOUR) == "red") | (RNG.random(N) < 0.2), "yes", "no")

PANDAS = pd.DataFrame(
    {
        "colour": pd.Categorical(COLOUR),
        "size": pd.Categorical(SIZE, SIZES, ordered=True),
        "age": pd.array(AGE, dtype="Int64"),
        "open": pd.array(OPEN, dtype="boolean"),
        "price": PRICE,
        "word": WORD,
    }
)
POLARS = pl.DataFrame(
    {
        "colour": pl.Series(COLOUR, dtype=pl.Categorical),
        "size": pl.Series(SIZE, dtype=pl.Enum(SIZES)),
        "age": pl.Series(AGE, dtype=pl.Int64),
        "open": OPEN,
        "price": [decimal.Decimal(str(price)) for price in PRICE],
        "word": WORD,
    }
)
ARROW = pa.Table.from_pandas(PANDAS)
FRAMES = {"polars": POLARS, "pyarrow": ARROW, "batch": ARROW.to_batches()[0]}
EVERY_FRAME = pytest.mark.parametrize("frame", FRAMES.values(), ids=list(FRAMES))
MODELS = {
    "DecisionTree": rt.DecisionTree(numeric="thresholds"),
    "C44": rt.C44(estimate="shrinkage"),
    "NaiveBayes": rt.NaiveBayes(numeric="gaussian"),
    "AODE": rt.AODE(),
    "PathBayes": rt.PathBayes(),
    "CITree": rt.CITree(),
    "NBTree": rt.NBTree(),
    "NewtonTree": rt.NewtonTree(max_depth=3),
    "Bagging": rt.Bagging(rt.NaiveBayes(), n_models=3),
}
EVERY_MODEL = pytest.mark.parametrize("model", MODELS.values(), ids=list(MODELS))
IS_YES = Y == "yes"
CLASSES = {
    "polars text": pl.Series(Y),
    "polars categories": pl.Series(Y, dtype=pl.Categorical),
    "an enum": pl.Series(Y, dtype=pl.Enum(["yes", "no"])),
    "true and false": pl.Series(IS_YES),
    "an array": pa.array(Y),
    "chunks": pa.chunked_array([Y[:20], Y[20:]]),
    "a dictionary": pa.array(Y).dictionary_encode(),
    "a dictionary in pandas": pd.Series(pa.array(Y).dictionary_encode()).astype(
        pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string()))
    ),
    "whole numbers": pa.array(IS_YES.astype(int)),
}
EVERY_Y = pytest.mark.parametrize("y", CLASSES.values(), ids=list(CLASSES))


@EVERY_FRAME
@EVERY_MODEL
def test_models_learn_the_same_from_every_frame(model, frame):
    expected = model.fit(PANDAS, Y).predict_proba(PANDAS)
    said, nodes = str(model.explain(PANDAS[:1])), str(getattr(model, "tree_", ""))
    np.testing.assert_array_equal(model.predict_proba(frame), expected)
    model.fit(frame, Y)
    assert list(model.feature_names_in_) == list(PANDAS.columns)
    assert str(getattr(model, "tree_", "")) == nodes
    np.testing.assert_array_equal(model.predict_proba(PANDAS), expected)
    assert str(model.explain(frame.slice(0, 1))) == said
    with pytest.raises(ValueError, match="Feature names seen at fit time, yet now missing:\n- age"):
        model.predict(POLARS.drop("age"))


@EVERY_Y
@EVERY_MODEL
def test_models_learn_the_same_from_every_kind_of_classes(model, y):
    expected = model.fit(PANDAS, Y).predict_proba(PANDAS)
    np.testing.assert_array_equal(model.fit(POLARS, y).predict_proba(POLARS), expected)
    assert model.score(POLARS, y) == np.mean((expected[:, 1] > 0.5) == IS_YES)


@EVERY_Y
def test_measures_and_folds_read_every_kind_of_classes(y):
    proba = rt.C44().fit(PANDAS, Y).predict_proba(PANDAS)
    assert rt.auc(y, pl.Series(proba[:, 1])) == rt.auc(Y, proba[:, 1])
    assert rt.log_loss(y, proba) == rt.log_loss(Y, proba)
    assert rt.accuracy(y, y) == 1
    assert rt.confusion_matrix(y, y).to_numpy().trace() == N
    for rows, others in zip(rt.holdout(y), rt.holdout(Y), strict=True):
        assert sorted(Y[rows]) == sorted(Y[others])
    assert len(rt.stratified_folds(y, 5)) == N


def test_named_columns_of_probabilities_are_matched():
    proba = rt.C44().fit(PANDAS, Y).predict_proba(PANDAS)
    turned = pl.DataFrame(proba[:, ::-1], schema=["yes", "no"])
    assert rt.log_loss(Y, turned) == pytest.approx(rt.log_loss(Y, proba), rel=1e-12)


@EVERY_FRAME
def test_cross_validation_takes_every_frame(frame):
    expected = rt.cross_validate(MODELS["Bagging"], PANDAS, Y, k=3)["auc"].tolist()
    data = rt.Dataset(frame, pl.Series(Y), ids=["word"])
    without = rt.cross_validate(rt.C44(), PANDAS.drop(columns="word"), Y, k=3)["auc"].tolist()
    assert rt.cross_validate(MODELS["Bagging"], frame, pa.array(Y), k=3)["auc"].tolist() == expected
    assert rt.cross_validate(rt.C44(), data, k=3)["auc"].tolist() == without


@EVERY_FRAME
def test_pictures_and_explorers_take_every_frame(frame):
    data, same = rt.Dataset(frame, pl.Series(Y)), rt.Dataset(PANDAS, Y)
    for attribute in ("colour", "age"):
        expected = rt.plot.split(same, attribute).alt
        assert rt.plot.split(frame, attribute, pa.array(Y)).alt == expected
        assert rt.plot.split(data, attribute).alt == expected
    for attribute in ("colour", "age", "open"):  # the first case lacks these three
        expected = repr(rt.explore.newton(same, attribute))
        assert repr(rt.explore.newton(data, attribute)) == expected


def test_scikit_learn_takes_parts_of_a_polars_frame():
    from sklearn.model_selection import cross_val_score

    for frame in (POLARS, ARROW) if SKLEARN >= (1, 7) else (POLARS,):  # the first for Arrow
        score = cross_val_score(rt.C44(), frame, pl.Series(Y), scoring="roc_auc", cv=3)
        assert (score == cross_val_score(rt.C44(), PANDAS, Y, scoring="roc_auc", cv=3)).all()


@EVERY_FRAME
def test_encoders_and_networks_take_every_frame(frame):
    codes = rt.Encoder().fit(PANDAS).transform(frame)
    np.testing.assert_array_equal(codes.values, rt.Encoder().fit_transform(frame).values)
    names = ["size", "word"]
    net = rt.BayesNet({"word": ["size"]}).fit(frame)
    assert net.log_likelihood(frame) == rt.BayesNet({"word": ["size"]}).fit(PANDAS).log_likelihood(
        PANDAS
    )
    part = frame.select(names)
    assert rt.bayes.tan_structure(part, "word") == rt.bayes.tan_structure(PANDAS[names], "word")


def test_a_model_of_a_polars_frame_can_be_saved(tmp_path):
    model = rt.C44().fit(POLARS, pl.Series(Y))
    rt.save(model, tmp_path / "model.json")
    again = rt.load_model(tmp_path / "model.json").predict_proba(PANDAS)
    np.testing.assert_array_equal(again, model.predict_proba(PANDAS))


@pytest.mark.parametrize(
    ("values", "kind", "categories"),
    [
        (pl.Series(["b", "a"], dtype=pl.Categorical), "nominal", ["a", "b"]),
        (pl.Series(["b", "a"], dtype=pl.Enum(["c", "b", "a"])), "ordinal", ["c", "b", "a"]),
        (pl.Series([decimal.Decimal("1.5"), None]), "numeric", None),
        (pl.Series([2**70], dtype=pl.Int128), "numeric", None),
        (pl.Series([True, None]), "nominal", [True]),
    ],
)
def test_columns_of_polars_keep_their_kind(values, kind, categories):
    pl.Series(["z", "b"], dtype=pl.Categorical)  # its categories are not those of another column
    column = read_columns(pl.DataFrame({"v": values}))[0]
    assert (column.name, column.kind) == ("v", kind)
    assert categories is None or column.categories.tolist() == categories
    assert column.missing.tolist() == values.is_null().to_list()


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (POLARS.lazy(), TypeError, r"LazyFrame is lazy: give X.collect\(\)"),
        (pl.DataFrame({"v": [{"a": 1}]}), TypeError, "column 'v' holds values of type dict"),
        (pl.DataFrame({"v": [[1]]}), TypeError, "column 'v' holds values of type ndarray"),
        (pl.DataFrame({"v": [datetime.date.min]}), TypeError, "column 'v' holds dates or times"),
        (pl.DataFrame({"v": [1.0, np.inf]}), ValueError, "column 'v' contains infinity"),
        (pl.DataFrame({"v": []}), ValueError, "X is empty"),
        (pl.Series([1, 2]), ValueError, "X needs one row per case"),
        (pa.table([[1], [2]], names=["v", "v"]), ValueError, "column 'v' occurs more than once"),
    ],
)
def test_what_is_no_attribute_is_refused_by_name(X, error, message):
    with pytest.raises(error, match=message):
        rt.C44().fit(X, Y)


def test_a_relation_of_duckdb_is_not_read_by_itself():
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as base, pytest.raises(TypeError, match=r"lazy: .*, in DuckDB X.df\(\)"):
        read_columns(base.sql("SELECT 1 AS v"))


def test_a_column_of_classes_is_taken_for_its_values():
    for frame in (pl.DataFrame({"c": Y}), pd.DataFrame({"c": Y})):
        with pytest.warns(UserWarning, match="column-vector y"):
            assert (rt.Dataset(POLARS, frame).y == Y).all()


def test_classes_that_lack_are_named_by_their_row():
    with pytest.raises(ValueError, match="first in row 1"):
        rt.C44().fit(POLARS[:3], pl.Series(["a", None, "b"]))


@pytest.mark.parametrize("lacking", ["narwhals", "pyarrow"])
def test_without_narwhals_a_sentence_says_what_to_install(lacking, monkeypatch):
    monkeypatch.setitem(sys.modules, lacking, None)
    with pytest.raises(ImportError, match="DataFrame of polars: pip install narwhals pyarrow, or"):
        rt.C44().fit(POLARS, Y)
    assert as_pandas(PANDAS) is PANDAS
