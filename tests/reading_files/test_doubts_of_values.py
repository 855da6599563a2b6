"""Doubts about values: two readings of a number, spellings, and orders that may be chance."""

import pandas as pd
import pytest
from messy import read

import ranktrees as rt


@pytest.mark.parametrize(
    ("name", "decimal", "both"),
    [
        ("two_marks.csv", ".", "decimal=',', or thousands=',', reads it so"),
        ("euros.csv", ",", "thousands='.', or decimal='.', reads it so"),
        ("euros_in_words.csv", ".", "numbers=['debt'], or thousands='.', decimal=',', reads it so"),
    ],
)
def test_two_readings_that_fit_are_both_named(name, decimal, both):
    (doubt,) = read(name, sep=";", decimal=decimal)[0].doubts
    assert both in doubt.sentence


def test_spellings_of_one_value_are_doubted():
    data, said = read("spellings.csv")
    assert [(d.kind, d.columns) for d in data.doubts] == [
        ("class", ("paid",)),
        ("spelling", ("sex",)),
    ]
    assert "the class 'paid' holds 'No' and 'no', which may be one value" in said[0]
    alike = {"sex": str.lower, "paid": lambda text: text.lower().rstrip(".")}
    assert read("spellings.csv", converters=alike)[0].doubts == ()
    phonetic = pd.DataFrame({"vowel": ["hId", "hid", "A+", "A"] * 10, "y": [0, 1] * 20})
    assert rt.doubts(phonetic, "y") == []


ORDERS = {
    "purpose": ["new car", "used car", "radio", "repairs"],  # a nominal attribute's name
    "history": ["good", "none", "poor"],  # its order is the alphabet's
    "lives": ["rents", "owns", "free", "other"],  # its order is that of the cases
    "size": ["small", "medium", "large"],
    "grade": ["A", "B", "C"],
    "dose": ["<1", "1-4", ">4"],
    "job": ["manual", "other"],  # with two values all orders cut alike
}


def test_orders_that_may_be_chance_are_doubted_in_frames_and_in_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"y": [k % 5 == 0 for k in range(24)]})
    for name, values in ORDERS.items():
        backwards = values if name == "lives" else values[::-1]
        cases = [backwards[k % len(values)] for k in range(24)]
        frame[name] = pd.Categorical(cases, values, ordered=True)
    (doubt,) = rt.doubts(frame, "y")
    assert (doubt.kind, doubt.columns, doubt.remedy) == (
        "ordered",
        ("purpose", "history", "lives"),
        {},
    )
    frame.to_parquet(tmp_path / "a.parquet")
    with pytest.warns(UserWarning, match=r"^a\.parquet: column 'purpose', like .*as_unordered"):
        scan = rt.scan(tmp_path / "a.parquet", "y")
    assert scan.doubts == (doubt,)
    assert rt.doubts(frame.astype(dict.fromkeys(ORDERS, "str")), "y") == []


def test_a_table_of_duckdb_declares_no_order_unless_it_is_a_frame():
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as base:
        base.register("credit", rt.load("credit-g").frame)
        table = base.sql("SELECT * FROM credit")
        assert [doubt.kind for doubt in rt.doubts(table.df(), "class")] == ["ordered"]
        frame = table.to_arrow_table().to_pandas()
    assert rt.doubts(frame, "class") == []
    assert not any(getattr(dtype, "ordered", False) for dtype in frame.dtypes)
