"""Files as people have them: what is read, doubted or refused, and that each remedy helps."""

import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from messy import FILES, read

import ranktrees as rt

PRICE = {"numbers": ["price"]}
CODES = {"vib": [-999], "q": [9, 8], "step": [-1]}
CODES_LEFT = {"q": 9, "vib": [-999], "step": [-1]}
CODES_TOO = {None: 9, "vib": [-999], "step": [-1]}
# file, options, the kind of the only doubt, its columns, its remedy
DOUBTED = [
    ("no_header.csv", {}, "header", (), {"header": None}),
    ("percent.csv", {}, "numbers", ("share",), {"numbers": ["share"]}),
    ("currency_quoted.csv", {}, "numbers", ("price",), {"thousands": ",", **PRICE}),
    ("apostrophes.csv", {}, "numbers", ("price",), {"thousands": "'"}),
    ("minus.csv", {}, "numbers", ("change",), {"numbers": ["change"]}),
    ("parentheses.csv", {}, "numbers", ("change",), {"numbers": ["change"]}),
    ("units.csv", {}, "numbers", ("weight",), {"numbers": ["weight"]}),
    ("dashes.csv", {}, "numbers", ("age",), {"na_values": ["--"]}),
    ("no_answer.csv", {}, "numbers", ("age",), {"na_values": ["k.A."]}),
    ("decimal_commas.csv", {"sep": ";"}, "numbers", ("age",), {"decimal": ","}),
    ("mixed.csv", {}, "mixed", ("age",), {}),
    ("dates.csv", {}, "dates", ("day",), {"drop": ["day"]}),
    ("identifiers.csv", {}, "identifier", ("name",), {"drop": ["name"]}),
    ("serial.csv", {}, "identifier", ("id",), {"drop": ["id"]}),
    ("constant.csv", {}, "constant", ("same", "kind"), {"drop": ["same", "kind"]}),
    ("empty_column.csv", {}, "empty", ("none",), {"drop": ["none"]}),
    ("quantity.csv", {}, "class", ("price",), {"target": "price", "cut": 3}),
    ("many_classes.csv", {}, "class", ("name",), {}),
    ("comment_as_wide.csv", {}, "comment", (), {"comment": "#"}),
    ("short_rows.csv", {"target": "class"}, "rows", (), {}),
    ("codes.csv", {}, "code", ("vib", "q", "step"), {"na_values": CODES}),
    ("codes.csv", {"na_values": {"q": 9}}, "code", ("vib", "step"), {"na_values": CODES_LEFT}),
    (
        "codes.csv",
        {"na_values": 9, "drop": ["q"]},
        "code",
        ("vib", "step"),
        {"na_values": CODES_TOO},
    ),
    ("codes.arff", {}, "code", ("n",), {"na_values": {"n": [-999]}}),
    ("row_names.csv", {}, "identifier", ("Unnamed: 0",), {"drop": ["Unnamed: 0"]}),
    ("shuffled.csv", {}, "identifier", ("lfd. Nr.",), {"drop": ["lfd. Nr."]}),
    ("questions.csv", {}, "header", (), {"skiprows": [1]}),
    ("questions.csv", {"header": None}, "header", (), {"skiprows": [0, 1]}),
    ("types.csv", {"comment": "#"}, "header", (), {"skiprows": [2]}),
    ("types.csv", {"skiprows": 1}, "header", (), {"skiprows": [0, 2]}),
    ("title.csv", {}, "header", (), {"header": 1}),
    ("header_again.csv", {}, "header", (), {"skiprows": [16, 38]}),
    ("ruled.csv", {}, "header", (), {"skiprows": [1]}),
    ("sums.csv", {}, "header", (), {"skiprows": [37]}),
    ("fills.csv", {}, "code", ("wind",), {"na_values": {"wind": [999.9]}}),
    ("exponents.csv", {}, "mixed", ("flow",), {}),
    ("hours.csv", {}, "mixed", ("begin",), {}),
    ("three_places.csv", {"sep": ";"}, "numbers", ("share",), {"decimal": ","}),
    ("two_marks.csv", {"sep": ";"}, "numbers", ("size",), {"decimal": ","}),
    ("euros.csv", {"sep": ";", "decimal": ","}, "numbers", ("debt",), {"thousands": "."}),
    ("limits.csv", {}, "mixed", ("dose",), {}),
    ("class_again.csv", {}, "class", ("late", "code"), {"drop": ["late", "code"]}),
    ("lone_class.csv", {}, "class", ("paid",), {}),
    ("mark_elsewhere.csv", {}, "numbers", ("age",), {"na_values": {"age": ["x"]}}),
    ("unknown.arff", {}, "numbers", ("m",), {"na_values": ["unknown"]}),
]
REFUSED = [
    ("repeated_first_case.csv", {}, "column '5' stands twice in the header: .*header=None"),
    ("blanks.data", {}, r'has one column: give its separator, sep="\\\\s\+"'),
    ("semicolons.csv", {}, 'has one column: give its separator, sep=";"'),
    ("measured_class.csv", {}, "'price' holds measurements, not classes: cut=3 makes three"),
    ("comment.csv", {}, 'begins with comments: comment="#" leaves out lines that begin with #'),
    ("comment_as_wide.csv", {"target": "paid"}, 'begins with comments: comment="#" leaves out'),
    ("quotes_open.csv", {}, "is not a regular table: a quotation mark in row 2 is not closed"),
    ("units.csv", {"drop": ["wieght"]}, "has no column 'wieght'; nearest: weight"),
    ("dashes.csv", {"numbers": ["age"]}, "column 'age' holds '--' in data row 5, .*na_values="),
    ("attribute_weight.arff", {}, "line 2: attribute 'n': weights of attributes are not read"),
    ("date.arff", {}, r"line 3: attribute 'm': date attributes .*drop=\['m'\] leaves it out"),
    ("title_twice.csv", {"header": 1}, "column 'age' stands twice in the header"),
    ("title_and_date.csv", {}, r"class .* is missing .*: header=2 takes them from there\), first"),
    ("footer.csv", {}, r"class .* is missing in 1 of 37 rows .*: skiprows=\[37\] leaves it out"),
    ("codes.csv", {"na_values": {"vibe": [9]}}, "has no column 'vibe'; nearest: vib"),
    ("codes.arff", {"na_values": {"k": [9]}}, "has no column 'k'; known: n, m, c"),
    ("footer.csv", {}, r"class .* is missing in 1 of 37 rows .*: skiprows=\[37\] leaves it out"),
    ("codes.csv", {"na_values": {"vibe": 9}, "usecols": ["vib", "class"]}, "no column 'vibe'"),
    ("codes.csv", {"na_values": {"class": "no"}}, "'class' is missing in 12 of 36 rows"),
    (
        "euros.csv",
        {"sep": ";", "thousands": "."},
        "'.' is the mark of fractions, too: .*decimal=','",
    ),
    ("dates.csv", {"parse_dates": ["day"]}, r"parse_dates=\['day'\]: dates are not read"),
    ("quantity.csv", {"target": "x", "cut": 3}, "y must hold numbers only"),
]
# file, options, the values of a column as they are read
READ = [
    ("sheet_errors.csv", {}, "rate", None),
    ("hidden_code.csv", {}, "score", None),  # where 99 is no code to be seen
    ("signs_of_three.csv", {}, "up", [i % 3 - 1 for i in range(36)]),
    ("shuffled.csv", {"drop": ["lfd. Nr."]}, "Paid", [i * 7 % 36 * 3 for i in range(36)]),
    ("years.csv", {}, "2001", [i * 3 for i in range(20)]),
    ("cards.csv", {}, "doors", ["2", "3", "4", "5more"] * 7 + ["2", "3"]),
    ("double_colons.csv", {"sep": "::"}, "age", None),
    ("blanks.data", {"sep": r"\s+", "header": None}, "1", [0.2, 0.3, 0.4, 0.5, 0.6] * 4),
    ("comment.csv", {"comment": "#"}, "age", list(range(20, 50))),
    ("doubled_commas.arff", {}, "m", [2, 4]),
    ("row_weights.arff", {}, "n", [1, 3, 5]),
    ("packed.arff.gz", {}, "m", [2, 4]),
    ("date.arff", {"drop": ["m"]}, "n", [1, 3]),
    ("relational.arff", {"drop": ["m"]}, "n", [1, 3]),
    ("numeric_class.arff", {}, "c", [0, 1, 1]),
    ("numeric_class.arff", {"target": "c"}, "c", [0, 1, 1]),
    ("numeric_class.arff", {"cut": 2}, "c", ["1: up to 0.5", "2: above 0.5", "2: above 0.5"]),
]


@pytest.mark.parametrize(("name", "options", "kind", "columns", "remedy"), DOUBTED)
def test_what_is_doubted_is_said_once_and_its_remedy_helps(name, options, kind, columns, remedy):
    data, said = read(name, **options)
    assert [(d.kind, d.columns, d.remedy) for d in data.doubts] == [(kind, columns, remedy)]
    assert len(said) == 1
    assert said[0].startswith(f"{name}: ")
    assert all(f"{column!r}" in said[0] for column in columns)
    if remedy:
        other, said = read(name, **(options | remedy))
        assert (other.doubts, said) == ((), [])
        for column in columns if kind == "numbers" else ():
            assert other.X[column].dtype == float


AT_THE_FIT = ("identifiers.csv", "constant.csv", "empty_column.csv")  # what more rows may show
SCANNED = [row for row in DOUBTED if row[0].endswith(".csv") and row[0] not in AT_THE_FIT]


@pytest.mark.parametrize(("name", "options", "kind", "columns", "remedy"), SCANNED)
def test_a_scan_doubts_its_first_rows_alike(name, options, kind, columns, remedy):
    target = read(name, **options)[0].target
    with pytest.warns(UserWarning, match=rf"^{name}: ") as said:
        scan = rt.scan(FILES / name, **({"target": target} | options))
    assert [(d.kind, d.columns, d.remedy) for d in scan.doubts] == [(kind, columns, remedy)]
    assert [warning.filename for warning in said] == [__file__]
    if remedy:
        whole = read(name, **(options | remedy))[0]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            scan = rt.scan(FILES / name, **(options | remedy | {"target": whole.target}))
        for column, values in scan.sample(10**6).frame.items():
            pairs = zip(values, whole.frame[column], strict=True)
            assert all(a == b or (pd.isna(a) and pd.isna(b)) for a, b in pairs)


@pytest.mark.parametrize(("name", "options", "message"), REFUSED)
def test_what_is_refused_says_what_to_do(name, options, message):
    with pytest.raises(ValueError, match=message):
        read(name, **options)


@pytest.mark.parametrize(("name", "options", "column", "values"), READ)
def test_what_is_read_is_not_doubted(name, options, column, values):
    data, said = read(name, **options)
    assert (data.doubts, said) == ((), [])
    assert values is None or data.frame[column].tolist() == values
    assert column != "age" or data.X["age"].dtype == float


def test_weights_of_rows_are_weights_of_cases():
    data, _ = read("row_weights.arff")
    counts = rt.DecisionTree(max_depth=1).fit(data.X, data.y, data.weight).tree_.counts[0]
    assert (data.weight.tolist(), counts.tolist()) == ([2, 1, 0.5], [2, 1.5])
    assert read("doubled_commas.arff")[0].weight is None


def test_a_file_gives_one_warning_of_all_doubts_and_counts_more_than_five(tmp_path):
    X = pd.DataFrame({f"c{i}": [1.0] * 60 for i in range(30)})
    X = X.assign(empty=np.nan, day="2024-01-02", price=[f"${v}" for v in range(60)])
    X["x"] = [v * 7 % 60 for v in range(60)]
    X.loc[::3, "day"] = "2024-01-03"
    percents = pd.DataFrame({f"p{i}": [f"{v} %" for v in range(60)] for i in range(7)})
    for frame, match in [
        (X, "price.*day.*'c0', like 29 others.*empty"),
        (percents, "'p4' is text.*; and 2 more doubts$"),
    ]:
        frame.assign(y=[0, 1] * 30).to_csv(tmp_path / "table.csv", index=False)
        with pytest.warns(UserWarning, match=match) as said:
            rt.read_csv(tmp_path / "table.csv")
        assert len(said) == 1


def test_a_fit_warns_of_columns_without_a_value_and_of_text_of_numbers_alone():
    X = pd.DataFrame(
        {"constant": 1.0, "id": range(1, 61), "e": np.nan, "f": None, "x": [0, 1] * 30}
    )
    X = X.assign(price=[f"${v}" for v in range(60)], day="2024-01-02", zero=[f"0{v}" for v in X.id])
    for learn in (rt.C44().fit, lambda *cases: rt.cross_validate(rt.NewtonTree(), *cases, k=3)):
        with pytest.warns(UserWarning, match="^column 'e', like 'f', has no value at all") as said:
            learn(X, [0, 1] * 30)
        assert len(said) == 1
    texts = pd.DataFrame({f"n{i}": [f"{v}.5e-1" for v in range(60)] for i in range(7)})
    with pytest.warns(UserWarning, match="'n4' is text.*; and 2 more doubts$"):
        rt.Encoder().fit(texts)
    few = pd.DataFrame({"codes": [str(v % 20) for v in range(60)]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rt.C44().fit(few, [0, 1] * 30)
        rt.C44().fit(texts.astype("category"), [0, 1] * 30)


def test_a_fit_does_not_say_again_what_a_reader_has_said():
    data, _ = read("empty_column.csv")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rt.C44().fit(data.X, data.y)


def test_a_quantity_is_cut_into_classes_of_equal_frequency():
    y = rt.cut_classes(np.arange(90.0), 3)
    assert y.value_counts().tolist() == [30, 30, 30]
    assert list(y.categories) == ["1: up to 29.5", "2: 29.5 to 59.5", "3: above 59.5"]
    assert list(rt.cut_classes([1, np.nan, 5], 2).codes) == [0, -1, 1]
    assert rt.cut_classes(range(120), 12).categories[0] == "01: up to 9.5"
    with pytest.raises(ValueError, match="y has fewer than two values"):
        rt.cut_classes([1, 1, np.nan])


def test_threads_that_read_leave_the_filters_of_warnings_as_they_are():
    before = list(warnings.filters)

    def read_and_look(_):
        rt.read_csv(FILES / "cards.csv")
        return list(warnings.filters) == before

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(read_and_look, range(4)))
