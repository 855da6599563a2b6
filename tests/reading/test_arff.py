"""ARFF and CSV files: what real ones hold, and what a broken one says."""

import re
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from fresh import PEAK
from hypothesis import example, given, settings
from hypothesis import strategies as st
from messy import WEATHER

from ranktrees.reading import arff as arff_module
from ranktrees.reading import scan as scan_module
from ranktrees_lab.data import ArffError, read_arff, read_csv


@pytest.fixture
def arff(tmp_path):
    """A function that writes text (or bytes) to an ARFF file and reads it."""

    def read(content, **options):
        path = tmp_path / "some.arff"
        raw = content if isinstance(content, bytes) else content.encode("utf-8")
        path.write_bytes(raw)
        return read_arff(path, **options)

    return read


def header(*attributes):
    return "@relation r\n" + "".join(f"@attribute {a}\n" for a in attributes) + "@data\n"


def test_a_small_file_value_by_value(arff, tmp_path):
    data = arff(WEATHER)
    assert (data.name, data.target, data.ids, len(data)) == ("two words", "play", (), 3)
    assert list(data.y) == ["no", "yes", "yes"]
    assert list(data.y.categories) == ["yes", "no"]
    assert list(data.X["outlook"].cat.categories) == ["sunny", "light rain", "it's fog"]
    assert list(data.X["outlook"]) == ["sunny", "light rain", "it's fog"]
    assert not data.X["outlook"].cat.ordered
    np.testing.assert_array_equal(data.X["temperature"], [20.5, np.nan, 10.0])
    data = arff(WEATHER, target="outlook")
    assert list(data.X.columns) == ["temperature", "play"]
    assert list(data.y) == ["sunny", "light rain", "it's fog"]
    with pytest.raises(ValueError, match="no column 'outlok'; nearest: outlook"):
        arff(WEATHER, target="outlok")
    with pytest.raises(ValueError, match="'temperature' is not nominal"):
        arff(WEATHER, target="temperature")
    with pytest.raises(ValueError, match="max_cells"):
        arff(WEATHER, max_cells=0)
    with pytest.raises(FileNotFoundError, match=r"none\.arff"):
        read_arff(tmp_path / "none.arff")


@pytest.mark.parametrize(
    ("text", "name"),
    [("a{b}", "a{b}"), ("it's mine", "it's mine"), ("'a % b'", "a % b"), ("r % note", "r")],
)
def test_any_text_names_a_relation(arff, text, name):
    assert arff(WEATHER.replace("'two words'", text)).name == name


def test_a_bare_question_mark_is_missing_and_a_quoted_one_is_a_value(arff):
    data = arff(header("a {'?', b}", "c {x}") + "?,x\n'?',x\nb,x\n")
    assert list(data.X["a"].cat.categories) == ["?", "b"]
    assert data.X["a"].cat.codes.tolist() == [-1, 0, 1]


@pytest.mark.parametrize(
    "row",
    ["1,b,x", " 1 ,\tb , x ", "1\tb\tx", "1 b x", "'1','b','x'", '"1",b,x %note', "{0 1,1 b, 2 x}"],
)
def test_separators_and_quotes_in_a_row(arff, row):
    data = arff(header("n INTEGER [1,10]", "a{a,b}", "c {x}") + row + "\n\n% end\n\n")
    assert data.frame.to_dict("records") == [{"n": 1.0, "a": "b", "c": "x"}]


def test_keywords_in_any_case_line_ends_and_encodings(arff):
    text = "@RELATION r\r\n@Attribute\tn\tReal\r\n@ATTRIBUTE c {x,é}\r\n\r\n@DATA\r\n1,é\r\n"
    for content in (text, text.replace("\r\n", "\r"), "\ufeff" + text, text.encode("latin-1")):
        assert arff(content).frame.to_dict("records") == [{"n": 1.0, "c": "é"}]


def test_escapes_in_quotes(arff):
    declared = r"""a {'it\'s', "say \"hi\"", 'back\\slash', 'tab\there', 'per\%cent', '\u00e9'}"""
    data = arff(header(declared, "c {x}") + r"""'it\'s',x""" + "\n" + r"'\u00e9',x")
    assert list(data.X["a"].cat.categories) == [
        "it's", 'say "hi"', "back\\slash", "tab\there", "per%cent", "é",
    ]  # fmt: skip
    assert list(data.X["a"]) == ["it's", "é"]


def test_blanks_and_signs_inside_bare_values_belong_to_them(arff):
    text = header("a {New York,  Los Angeles , Rome}", "b {p q}", "d {50%, don't, a\\b}", "c {x}")
    data = arff(text + "New York,q,50%,x\nRome,p,don't,x\nRome,p,a\\b,x\n")
    assert list(data.X["a"].cat.categories) == ["New York", "Los Angeles", "Rome"]
    assert list(data.X["b"].cat.categories) == ["p", "q"]  # without a comma, blanks separate
    assert list(data.X["a"]) == ["New York", "Rome", "Rome"]
    assert list(data.X["d"]) == ["50%", "don't", "a\\b"]


def test_sparse_rows_fill_in_zero_and_the_first_declared_value(arff):
    attributes = header("n numeric", "a {p, 'q r'}", "s string", "c {x,y}")
    data = arff(attributes + "{}\n{1 'q r', 3 y}\n{0 2.5, 1 ?, 2 'a, b'}\n0,p,'',x\n0,p,?,y\n")
    assert data.X["n"].tolist() == [0, 0, 2.5, 0, 0]
    assert data.X["a"].cat.codes.tolist() == [0, 1, -1, 0, 0]
    assert data.X["s"].dtype == object
    assert data.X["s"].fillna("lacks").tolist() == ["", "", "a, b", "", "lacks"]
    assert list(data.y) == ["x", "y", "x", "x", "y"]


BAD = [
    ("n real|c {x}", "1,x\n1\n", 6, "1 values for 2 attributes"),
    ("n real|m real|c {x}", "1,,x\n", 6, "2 values for 3 attributes (a missing one is written ?)"),
    ("n real|c {x} {2}", "1,x\n", 3, "weights of attributes are not read: remove '{2}'"),
    ("n real|c {x,z}", "1,x\n% note\n1,y\n", 7, "'c' does not declare 'y', only 'x', 'z'"),
    ("n real|c {x}", "1,x,{five}\n", 5, "braces at the end of a row hold its weight, a number"),
    ("a {p}|c {x}", "'p,x\n", 5, "unclosed quote '"),
    ("a {p}|c {x}", "'p'q,x\n", 5, "text beside a quoted value: 'p'q"),
    ("n real|c {x}", "1_0,x\n", 5, "'1_0' is not a number"),
    ("n real|c {x}", "'?',x\n", 5, "'?' is not a number"),
    ("n real|c {x}", "nan,x\n", 5, "'nan' is not a number"),
    ("n real|c {x}", "inf,x\n", 5, "'inf' is not a number"),
    ("n real|c {x}", "1,x\n1e999,x\n", 6, "'1e999' is not finite"),
    ("n real|c {x}", "1,x\n\n1,?\n", 7, "the class 'c' is missing"),
    ("n real|c {x}", "", 4, "no cases after @data"),
    ("n real|c {x}", "{0 1, 2 x}\n", 5, "index 2, but the last attribute has 1"),
    ("n real|c {x}", "{0 1, 0 2}\n", 5, "index 0 occurs twice"),
    ("n real|c {x}", "{x 1}\n", 5, "'index value'"),
    ("n real|c {x}", "{}\n\n{0 2}\n1,x\n{0 q}\n{1 ?}\n", 9, "'q' is not a number"),
    ("n real|c {x}", "{0 1}, 2\n", 5, "unexpected '2' after the sparse row"),
    ("n real|n {x}", "1,x\n", 3, "attribute 'n' is declared twice"),
    ("n real|c {x,y,x}", "1,x\n", 3, "attribute 'c' declares 'x' twice"),
    ("d date yyyy-MM-dd|c {x}", "1,x\n", 2, "attribute 'd': date attributes are not read"),
    ("n reel|c {x}", "1,x\n", 2, "attribute 'n': unknown type 'reel'"),
    ("'n real|c {x}", "1,x\n", 2, "unclosed quote in @attribute"),
    ("n real|c {x} y", "1,x\n", 3, "unexpected 'y' after its values"),
    ("n real|c {x", "1,x\n", 3, "a { without its }"),
]
NO_HEADER = [
    ("@relation r\n@attribute c {x}\n", 3, "ends without @data"),
    ("@relation r\n@attribute c {x}\nx\n", 3, "expected @relation, @attribute or @data"),
    ("@data\n1\n", 1, "@data without any @attribute"),
    ("@attribute\n@data\n1\n", 1, "@attribute without a name"),
    ("@attribute c {x}\n@data x\n", 2, "@data must stand alone"),
]
ATTRIBUTES = [
    ("@relation r\n@attribute " + one.replace("|", "\n@attribute ") + f"\n@data\n{cases}", *rest)
    for one, cases, *rest in BAD
]


@pytest.mark.parametrize(("text", "line", "message"), [*ATTRIBUTES, *NO_HEADER])
def test_a_malformed_file_names_file_line_and_fault(arff, text, line, message):
    with pytest.raises(ArffError) as error:
        arff(text)
    assert error.value.line == line
    assert str(error.value).startswith(f"some.arff, line {line}: ")
    assert message in str(error.value)
    assert isinstance(error.value, ValueError)


def quoted(text, mark):
    """A text as a writer as strict as Weka's writes it."""
    for sign, code in (("\\", "\\\\"), (mark, "\\" + mark), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(sign, code)
    return mark + text + mark


NASTY = st.text(
    st.one_of(st.sampled_from("'\"\\,{}%?@ \t\n\r\x85\u2028\xa0é"), st.characters(codec="utf-8")),
    max_size=6,
)


@settings(max_examples=100)
@given(
    st.lists(NASTY, min_size=3, max_size=3, unique=True),
    st.lists(NASTY, min_size=1, max_size=5, unique=True),
    st.floats(allow_infinity=False, allow_nan=False),
    st.sampled_from("'\""),
)
@example(["?", "", "c"], ["?", ""], 0.1, "'")
def test_what_a_writer_quotes_comes_back(tmp_path_factory, names, values, number, mark):
    path, written = (
        tmp_path_factory.mktemp("round") / "trip.arff",
        [quoted(v, mark) for v in values],
    )
    kinds = ["{" + ",".join(written) + "}", "numeric", "{" + ",".join(written) + "}"]
    attributes = [f"{quoted(name, mark)} {kind}" for name, kind in zip(names, kinds, strict=True)]
    lines = [f"?,?,{written[0]}", *(f"{value},{number!r},{value}" for value in written)]
    path.write_bytes((header(*attributes) + "\n".join(lines)).encode())
    frame = read_arff(path).frame
    assert list(frame) == names
    for name in (names[0], names[2]):
        assert frame[name].cat.categories.tolist() == values
    assert frame[names[0]].cat.codes.tolist() == [-1, *range(len(values))]
    np.testing.assert_array_equal(frame[names[1]], [np.nan, *[number] * len(values)])


def test_twenty_thousand_rows_are_read_fast(arff):
    rows = np.random.default_rng(1).integers(16, size=(20_000, 16))
    lines = "\n".join(",".join(map(str, r)) + "," + "xyz"[r[0] % 3] for r in rows)
    text, took = header(*[f"n{i} integer" for i in range(16)], "c {x,y,z}") + lines, []
    for _ in range(3):
        start = time.process_time()
        data = arff(text)
        took.append(time.process_time() - start)
    np.testing.assert_array_equal(data.X, rows)
    assert min(took) < 0.6


@pytest.fixture
def csv(tmp_path):
    """A function that writes text to a CSV file and reads it."""

    def read(text, **options):
        (tmp_path / "some.csv").write_text(text, encoding="utf-8")
        return read_csv(tmp_path / "some.csv", **options)

    return read


def test_a_csv_file(csv):
    text = "refund,income,married,cheat\nyes, 125,True,no\nNone,?,False,yes\n,70,True,no\n"
    data = csv(text)
    assert (data.name, data.target, len(data)) == ("some", "cheat", 3)
    assert list(data.y) == ["no", "yes", "no"]
    assert data.X["refund"].cat.categories.tolist() == ["None", "yes"]
    assert data.X["refund"].isna().tolist() == [False, False, True]
    np.testing.assert_array_equal(data.X["income"], [125, np.nan, 70])
    assert data.X["married"].cat.categories.tolist() == ["False", "True"]
    assert list(csv(text, target="married").y) == [True, False, True]
    assert list(csv(text, na_values=["None"]).X["refund"].isna()) == [False, True, True]
    how = {"parse_dates": ["d"], "engine": "python", "skipfooter": 1, "index_col": "i"}
    data = csv("i,d,n,c\n7,2026-01-02,1,x\n8,2026-01-03,,y\n,total,,\n", **how)
    assert (data.X["n"].dtype, data.X.index.tolist()) == ("float64", [7, 8])


BANK = "# from the bank, 2026\na,b,c\n1,2,x\n"
WINE = {"target": "class", "sep": ";"}
AC = {"a": [1, 2], "c": ["x", "y"]}


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("class;alcohol\n3;1.5\n1;2\n", WINE, {"alcohol": [1.5, 2], "class": [3, 1]}),
        ("a;c\n1;x\n2;y\n", {"sep": None, "engine": "python"}, AC),
        ("a\nx;y\nz\n", {}, {"a": ["x;y", "z"]}),
        ("a,a.1,c\n1,2,x\n", {}, {"a": [1], "a.1": [2], "c": ["x"]}),
        ("a,,c\n1,3,x\n", {}, {"a": [1], "Unnamed: 1": [3], "c": ["x"]}),
        ("1,1,x\n", {"header": None}, {"0": [1], "1": [1], "2": ["x"]}),
        (BANK, {"comment": "#"}, {"a": [1], "b": [2], "c": ["x"]}),
        (BANK, {"skiprows": 1}, {"a": [1], "b": [2], "c": ["x"]}),
        ("a,c\none,1,x\ntwo,2,y\n", {"index_col": 0}, AC),
        ("a,c,\n1,x,\n2,y,\n", {}, AC),
        ("a,c\n1,x,\n2,y,\n", {}, AC),
        (' a , "c d" \n b , x\n"b c" ,y \n', {}, {"a": ["b", "b c"], "c d": ["x", "y"]}),
    ],
)
def test_csv_files_of_any_form(csv, text, options, expected):
    assert csv(text, **options).frame.to_dict("list") == expected


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, "some.csv is empty"),
        ("a,b\n", {}, "some.csv has no cases"),
        (",\n,\n", {}, "some.csv has no cases"),
        ("outlook,play\n1,no\n", {"target": "ply"}, "no column 'ply'; nearest: play"),
        ("a,b\n1,x\n2,\n", {}, "'b' is missing in 1 of 2 rows .*, first in data row 2"),
        ("a,b\nx,1.5\ny,2.5\n", {}, "'b' holds measurements, not classes"),
        ("a,b\n1,x\n-inf,x\n", {}, "column 'a' is infinite in data row 2"),
        ("a,b\n1,x\n" + "9" * 332 + ",y\n", {}, "column 'a' is infinite in data row 2"),
        (
            "a,b\n" + "1,x\n" * 9 + "1,x,2\n",
            {},
            r"some\.csv is not a regular .*row 11 has 3 values, the header 2",
        ),
        ("a,b\n1,x,3\n", {}, r"some\.csv is not a regular table"),
        ("a;b\n1,5;x\n2,5;y\n", {}, r'some\.csv .*: give its separator, sep=";"'),
        ("a\tb\n1\tx\n", {}, r'give its separator, sep="\\t"'),
        ("a,b\n1,x\n", {"sep": ";"}, 'give its separator, sep=","'),
        ("a, a ,c\n1,2,x\n", {}, r"some\.csv: column 'a' stands twice in the header"),
        ("a,c\nfirst,1,x\n", {}, r"longer than its header; skiprows=1 .* index_col=0"),
        (BANK, {}, r'index_col=0 .*: comment="#" leaves out lines of comme'),
    ],
)
def test_a_csv_file_that_is_no_data_set(csv, text, options, message):
    with pytest.raises(ValueError, match=message) as error:
        csv(text, **options)
    assert ("separator" in str(error.value)) == ("separator" in message)


# What is read by blocks, and by commas alone, is what the careful reader reads.


CELLS = st.sampled_from(
    [
        "1", " 2.5", "-.5e3 ", "?", " ?", "'?'", "nan", "inf", "1_0", "", "a", "b", "'b'", '"a"',
        " b\t", "'x, y'", "x y", "%", "b % c", "50%", "'50%'", "{0 1}", "'a", "a'b", "'a'b",
        "\\u00e9", "\xa01",
    ]
)  # fmt: skip
LINES = st.one_of(
    st.lists(CELLS, min_size=3, max_size=3).map(",".join),
    st.lists(CELLS, min_size=1, max_size=4).map(",".join),
    st.sampled_from(
        ["", " ", "% note", "1,a,b", "1 a b", "{}", "{0 2, 2 b}", "{1 'x, y'}", "{1 x}"]
    ),
)
PLAIN = st.sampled_from(["1,a,a", "2,'b',b", '?,"x y",?', "-1e3,'50%',b", " 4 , x y , a ", ""])


def read_or_message(path):
    try:
        return read_arff(path, missing_class="drop")
    except ArffError as error:
        return str(error)


@pytest.mark.filterwarnings("ignore:.*have no class:UserWarning")
@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.one_of(PLAIN, PLAIN, PLAIN, LINES), max_size=8),
    st.sampled_from(["{a,b,'x y','x, y','50%','?'}", "string", "real"]),
    st.integers(1, 60),
)
def test_the_quick_and_the_careful_reader_agree(tmp_path_factory, lines, kind, block):
    path = tmp_path_factory.mktemp("two") / "some.arff"
    text = header("n numeric", f"a {kind}", "c {a,b}") + "\n".join(lines)
    path.write_text(text, encoding="utf-8")
    quick = read_or_message(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan_module, "SPECIAL", re.compile(""))  # no line is cut by commas alone
        careful = read_or_message(path)
        patch.undo()
        patch.setattr(arff_module, "BLOCK", block)
        blocks = read_or_message(path)
    if isinstance(careful, str):
        assert quick == careful
        assert isinstance(blocks, str)  # of several errors the first block's is said
    else:
        for data in (quick, blocks):
            pd.testing.assert_frame_equal(data.frame, careful.frame, check_exact=True)


def test_large_files_in_time_that_grows_with_their_size(arff):
    n, start = 2_000, time.process_time()
    wide = header(*[f"w{i} numeric" for i in range(n)], "c {x,y}")
    data = arff(wide + "".join(f"{{{i} {i}, {n} y}}\n" for i in range(n)))
    np.testing.assert_array_equal(data.X, np.diag(np.arange(n)))
    assert set(data.y) == {"y"}
    many = ",".join(f"v{i}" for i in range(50_000))
    data = arff(header(f"a {{{many}}}", "c {x}") + "v49999,x\nv7,x\n")
    assert data.X["a"].cat.codes.tolist() == [49_999, 7]
    with pytest.raises(ArffError, match="declares 'v9' twice"):
        arff(header(f"a {{{many},v9}}", "c {x}") + "v1,x\n")
    assert time.process_time() - start < 10


# A short file of sparse rows may be a huge table.


BRACES = header("n real", "a {u,v}", "c {x,y}")


@pytest.mark.parametrize("block", [1, 10, 1 << 20])
@pytest.mark.parametrize("rows", ["{}\n\n{0 2}\n% note\n{}\n{}", "0,u,x\n\n2,u,x\n%\n0,u,x\n0,u,x"])
def test_rows_beyond_the_limit_of_cells_are_refused_where_they_stand(
    arff, rows, block, monkeypatch
):
    monkeypatch.setattr(arff_module, "BLOCK", block)
    assert arff(BRACES + rows, max_cells=12).X["n"].tolist() == [0, 2, 0, 0]
    said = (
        r"some\.arff, line 11: more than 3 rows of 3 attributes, which is more than max_cells=11: "
        r"leave out rows or attributes, or give a larger max_cells"
    )
    with pytest.raises(ArffError, match=said):
        arff(BRACES + rows, max_cells=11)


def test_rows_that_are_not_sparse_are_never_too_many(arff, monkeypatch):
    monkeypatch.setattr(arff_module, "CELLS", 0)
    assert len(arff(BRACES + "1,u,x\n" * 1000)) == 1000
    wide = header(*[f"a{i} real" for i in range(9)], "c {x}")
    with pytest.raises(ArffError, match=r"rows of 10 attributes, which is more than max_cells=\d+"):
        arff(wide + "{}\n" * 1000)


MEASURED = f"""{PEAK}
from ranktrees_lab.data import read_arff
before = peak()
try:
    print(len(read_arff(sys.argv[1])))
except ValueError as error:
    print(error)
print(peak() - before)
"""


def large(kind):
    """Text of a large file: sparse or not, read or refused."""
    many = [f"a{i} real" for i in range(3_000)]
    if kind == "sparse":
        cells = ",".join(f"{i} {i % 7}" for i in range(0, 3_000, 60))
        return header(*many, "c {x}") + f"{{{cells}}}\n" * 3_500
    if kind == "braces":
        return header(*many[:400], "c {x}") + "{}\n" * 1_000_000
    return header(*many[:50], "c {x}") + ("1," * 50 + "x\n") * 100_000


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="resource, which measures, is of Unix")
@pytest.mark.parametrize(
    ("kind", "said"),
    [("sparse", "3500"), ("braces", "max_cells="), ("dense", "100000")],
)
def test_memory_is_at_most_ten_times_the_file_and_105_mb(tmp_path, kind, said):
    path = tmp_path / "large.arff"
    path.write_text(large(kind), encoding="utf-8")
    command = [sys.executable, "-c", MEASURED, str(path)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    message, peak = printed.stdout.splitlines()
    assert said in message
    assert int(peak) < 10 * path.stat().st_size + 105e6


LONG, NC = "z" * 10**6, header("n real", "c {x}")


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        header(f"{LONG} real", "c {x}") + "q,x\n",
        header("c real", f"{LONG} real") + "1,1\n",
        f"{NC}1,{LONG}\n",
        f"{NC}1,x,'{LONG}\n",
        f"{NC}{{0 1}} {LONG}\n",
        header("n real", "c {" + ",".join(f"v{i}" for i in range(10**5)) + "}") + "1,x\n",
        header("n real", f"c {LONG}") + "1,x\n",
    ],
    ids=range(8),
)
def test_a_message_is_short_whatever_it_is_about(arff, text):
    with pytest.raises(ValueError, match=r"some\.arff") as error:
        arff(text)
    assert len(str(error.value)) < 500


def test_rows_without_a_class_are_left_out_when_that_is_asked_for(arff, csv):
    text = header("n real", "c {x,y}") + "1,?\n2,x\n3,?\n4,y\n"
    with pytest.raises(ArffError, match=r"line 5: the class 'c' is missing in 2 of 4 rows \(miss"):
        arff(text)
    with pytest.warns(UserWarning, match=r"some\.arff: 2 of 4 rows, which have no class, are left"):
        data = arff(text, missing_class="drop")
    assert (data.X["n"].tolist(), list(data.y)) == ([2, 4], ["x", "y"])
    assert data.X.index.tolist() == [0, 1]
    with pytest.raises(ValueError, match="unknown missing_class 'omit'"):
        arff(text, missing_class="omit")
    with pytest.raises(ArffError, match="the class 'c' is missing"):
        arff(header("n real", "c {x}") + "1,?\n", missing_class="drop")
    with pytest.warns(UserWarning, match=r"some\.csv: 1 of 3 rows, which have no class"):
        data = csv("n,c\n1,2\n2,\n3,1\n", missing_class="drop")
    assert (data.X["n"].tolist(), data.y.tolist()) == ([1, 3], [2, 1])
    with pytest.warns(UserWarning, match="1 of 3 rows"):
        data = csv("a,c\n1,True\n2,\n3,False\n", missing_class="drop")
    assert (str(data.y.categories.dtype), data.y.tolist()) == ("bool", [True, False])
    assert csv("a,c\nTrue,x\n,y\nFalse,x\n").X["a"].cat.categories.tolist() == ["False", "True"]
