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

from ranktrees.reading import arff as arff_module
from ranktrees.reading import scan as scan_module
from ranktrees_lab.data import ArffError, read_arff, read_csv

WEATHER = """% a comment
@relation 'two words'
@attribute outlook {sunny, 'light rain', "it's fog"}
@attribute temperature numeric
@attribute play {yes, no}
@data
sunny, 20.5, no
'light rain',?,yes   % after the values
"it's fog",1e1,yes
"""


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


def test_a_small_file_value_by_value(arff):
    data = arff(WEATHER)
    assert (data.name, data.target, data.ids, len(data)) == ("two words", "play", (), 3)
    assert list(data.y) == ["no", "yes", "yes"]
    assert list(data.y.categories) == ["yes", "no"]
    assert list(data.X["outlook"].cat.categories) == ["sunny", "light rain", "it's fog"]
    assert list(data.X["outlook"]) == ["sunny", "light rain", "it's fog"]
    assert not data.X["outlook"].cat.ordered
    assert data.X["temperature"].dtype == "float64"
    np.testing.assert_array_equal(data.X["temperature"], [20.5, np.nan, 10.0])


def test_the_class_can_be_named(arff):
    data = arff(WEATHER, target="outlook")
    assert list(data.X.columns) == ["temperature", "play"]
    assert list(data.y) == ["sunny", "light rain", "it's fog"]


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


def test_keywords_in_any_case_and_any_line_ends(arff):
    text = "@RELATION r\r\n@Attribute\tn\tReal\r\n@ATTRIBUTE c {x,y}\r\n\r\n@DATA\r\n1,y\r\n"
    for content in (text, text.replace("\r\n", "\r"), "\ufeff" + text):
        assert arff(content).frame.to_dict("records") == [{"n": 1.0, "c": "y"}]


def test_escapes_in_quotes(arff):
    declared = r"""a {'it\'s', "say \"hi\"", 'back\\slash', 'tab\there', 'per\%cent', '\u00e9'}"""
    data = arff(header(declared, "c {x}") + r"""'it\'s',x""" + "\n" + r"'\u00e9',x")
    assert list(data.X["a"].cat.categories) == [
        "it's", 'say "hi"', "back\\slash", "tab\there", "per%cent", "é",
    ]  # fmt: skip
    assert list(data.X["a"]) == ["it's", "é"]


def test_declared_values_with_blanks(arff):
    data = arff(header("a {New York,  Los Angeles , Rome}", "b {p q}", "c {x}") + "New York,q,x\n")
    assert list(data.X["a"].cat.categories) == ["New York", "Los Angeles", "Rome"]
    assert list(data.X["b"].cat.categories) == ["p", "q"]  # without a comma, blanks separate
    assert data.X["a"][0] == "New York"


def test_signs_inside_a_bare_value_belong_to_it(arff):
    data = arff(header("a {50%, don't, a\\b}", "c {x}") + "50%,x\ndon't,x\na\\b,x\n")
    assert list(data.X["a"]) == ["50%", "don't", "a\\b"]


def test_sparse_rows_fill_in_zero_and_the_first_declared_value(arff):
    attributes = header("n numeric", "a {p, 'q r'}", "s string", "c {x,y}")
    data = arff(attributes + "{}\n{1 'q r', 3 y}\n{0 2.5, 1 ?, 2 'a, b'}\n0,p,'',x\n")
    assert data.X["n"].tolist() == [0, 0, 2.5, 0]
    assert data.X["a"].cat.codes.tolist() == [0, 1, -1, 0]
    assert data.X["s"].tolist() == ["", "", "a, b", ""]
    assert list(data.y) == ["x", "y", "x", "x"]


def test_string_attributes_stay_text(arff):
    data = arff(header("s string", "c {x}") + "'one, two',x\n?,x\nthree,x\n")
    assert data.X["s"].dtype == object
    assert data.X["s"].isna().tolist() == [False, True, False]
    assert data.X["s"][0] == "one, two"


def test_encodings(arff):
    text = header("a {é,ü}", "c {x}") + "é,x\n"
    assert list(arff(text.encode("utf-8")).X["a"]) == ["é"]
    assert list(arff(text.encode("latin-1")).X["a"]) == ["é"]


BAD = [
    ("n real|c {x}", "1,x\n1\n", 6, "1 values for 2 attributes"),
    ("n real|c {x}", "1,x,3\n", 5, "3 values for 2 attributes"),
    ("n real|m real|c {x}", "1,,x\n", 6, "2 values for 3 attributes (a missing one is written ?)"),
    ("n real|c {x}", "1,x,{five}\n", 5, "braces at the end of a row hold its weight, a number"),
    ("n real|c {x}", "1,x,{5},x\n", 5, "braces at the end of a row hold its weight, a number"),
    ("n numeric {2}|c {x}", "1,x\n", 2, "weights of attributes are not read: remove '{2}'"),
    ("n real|c {x} {2}", "1,x\n", 3, "weights of attributes are not read: remove '{2}'"),
    (
        "n real|c {x,z}",
        "1,x\n% note\n1,y\n",
        7,
        "attribute 'c' does not declare 'y', only 'x', 'z'",
    ),
    ("a {p}|c {x}", "q,x\n", 5, "attribute 'a' does not declare 'q', only 'p'"),
    ("a {p}|c {x}", "'p,x\n", 5, "unclosed quote '"),
    ("a {p}|c {x}", "'p'q,x\n", 5, "text beside a quoted value: 'p'q"),
    ("n real|c {x}", "1,x\none,x\n", 6, "attribute 'n': 'one' is not a number"),
    ("n real|c {x}", "1_0,x\n", 5, "'1_0' is not a number"),
    ("n real|c {x}", "'?',x\n", 5, "'?' is not a number"),
    ("n real|c {x}", "1-2,x\n", 5, "'1-2' is not a number"),
    ("n real|c {x}", "nan,x\n", 5, "'nan' is not a number"),
    ("n real|c {x}", "inf,x\n", 5, "'inf' is not a number"),
    ("n real|c {x}", "1,x\n1e999,x\n", 6, "'1e999' is not finite"),
    ("n real|c {x}", "1,x\n\n1,?\n", 7, "the class 'c' is missing"),
    ("n real|c {x}", "", 4, "no cases after @data"),
    ("n real|c {x}", "{0 1, 2 x}\n", 5, "index 2, but the last attribute has 1"),
    ("n real|c {x}", "{0 1, 0 2}\n", 5, "index 0 occurs twice"),
    ("n real|c {x}", "{x 1}\n", 5, "'index value'"),
    ("n real|c {x}", "{0 1\n", 5, "a { without its }"),
    ("n real|c {x}", "{}\n\n{0 2}\n1,x\n{0 q}\n{1 ?}\n", 9, "'q' is not a number"),
    ("n real|c {x}", "{}\n\n% note\n{1 y}\n", 8, "attribute 'c' does not declare 'y'"),
    ("n real|c {x}", "{0 1}, 2\n", 5, "unexpected '2' after the sparse row"),
    ("n real|n {x}", "1,x\n", 3, "attribute 'n' is declared twice"),
    ("n real|c {x,y,x}", "1,x\n", 3, "attribute 'c' declares 'x' twice"),
    ("d date yyyy-MM-dd|c {x}", "1,x\n", 2, "attribute 'd': date attributes are not read"),
    ("d RELATIONAL|c {x}", "1,x\n", 2, "attribute 'd': relational attributes are not read"),
    ("n reel|c {x}", "1,x\n", 2, "attribute 'n': unknown type 'reel'"),
    ("n|c {x}", "1,x\n", 2, "attribute 'n': unknown type ''"),
    ("'n real|c {x}", "1,x\n", 2, "unclosed quote in @attribute"),
    ("n real|c {'x}", "1,x\n", 3, "unclosed quote '"),
    ("n real|c {x", "1,x\n", 3, "a { without its }"),
    ("n real|c {x} y", "1,x\n", 3, "unexpected 'y' after its values"),
]


@pytest.mark.parametrize(("attributes", "rows", "line", "message"), BAD)
def test_a_malformed_file_names_file_line_and_fault(arff, attributes, rows, line, message):
    text = "".join(f"@attribute {a}\n" for a in attributes.split("|"))
    with pytest.raises(ArffError) as error:
        arff(f"@relation r\n{text}@data\n{rows}")
    assert error.value.line == line
    assert str(error.value).startswith(f"some.arff, line {line}: ")
    assert message in str(error.value)
    assert isinstance(error.value, ValueError)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("@relation r\n@attribute c {x}\n", 3, "ends without @data"),
        ("@relation r\n@attribute c {x}\nx\n", 3, "expected @relation, @attribute or @data"),
        ("", 1, "ends without @data"),
        ("@data\n1\n", 1, "@data without any @attribute"),
        ("@attribute\n@data\n1\n", 1, "@attribute without a name"),
        ("@attribute c {x}\n@data x\n", 2, "@data must stand alone"),
    ],
)
def test_a_malformed_header(arff, text, line, message):
    with pytest.raises(ArffError, match=message) as error:
        arff(text)
    assert error.value.line == line


def test_a_class_that_cannot_be_one(arff):
    with pytest.raises(ValueError, match="no column 'outlok'; nearest: outlook"):
        arff(WEATHER, target="outlok")
    with pytest.raises(ValueError, match="'temperature' is not nominal"):
        arff(WEATHER, target="temperature")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.arff"):
        read_arff(tmp_path / "none.arff")


# A writer as strict as Weka's, to read back what it wrote.


def quoted(text, mark):
    for sign, code in (("\\", "\\\\"), (mark, "\\" + mark), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(sign, code)
    return mark + text + mark


def written(names, declared, frame, mark):
    lines = ["@relation 'round trip'"]
    for name in names:
        kind = declared.get(name)
        values = "numeric" if kind is None else "{" + ",".join(quoted(v, mark) for v in kind) + "}"
        lines.append(f"@attribute {quoted(name, mark)} {values}")
    lines.append("@data")
    for row in frame.itertuples(index=False):
        texts = [quoted(v, mark) if isinstance(v, str) else repr(v) for v in row]
        lines.append(",".join("?" if v in ("nan", "None") else v for v in texts))
    return "\n".join(lines) + "\n"


NASTY = st.text(
    st.one_of(st.sampled_from("'\"\\,{}%?@ \t\n\r\x85\u2028\xa0é"), st.characters(codec="utf-8")),
    max_size=6,
)


@st.composite
def tables(draw):
    """Names, declared values (none for numbers) and a frame whose last column is nominal."""
    names = draw(st.lists(NASTY, min_size=2, max_size=4, unique=True))
    rows = draw(st.integers(1, 6))
    declared, columns = {}, {}
    for name in names:
        if name == names[-1] or draw(st.booleans()):
            values = draw(st.lists(NASTY, min_size=1, max_size=4, unique=True))
            declared[name] = values
            cell = st.sampled_from(values if name == names[-1] else [*values, None])
        else:
            cell = st.floats(allow_infinity=False)
        columns[name] = draw(st.lists(cell, min_size=rows, max_size=rows))
    return names, declared, pd.DataFrame(columns, dtype=object)


@settings(deadline=None, max_examples=100)
@given(tables(), st.sampled_from("'\""))
@example((["?", "c"], {"?": ["?", ""], "c": ["?"]}, pd.DataFrame({"?": ["?"], "c": ["?"]})), "'")
def test_what_a_writer_quotes_comes_back(tmp_path_factory, table, mark):
    names, declared, frame = table
    path = tmp_path_factory.mktemp("round") / "trip.arff"
    path.write_bytes(written(names, declared, frame, mark).encode("utf-8"))
    data = read_arff(path)
    assert data.frame.columns.tolist() == names
    for name in names:
        got = data.frame[name]
        if name in declared:
            assert got.cat.categories.tolist() == declared[name]
            assert got.astype(object).where(got.notna(), None).tolist() == frame[name].tolist()
        else:
            np.testing.assert_array_equal(got, frame[name].astype("float64"))


def test_twenty_thousand_rows_are_read_fast(tmp_path):
    rng = np.random.default_rng(1)
    rows = rng.integers(16, size=(20_000, 16))
    letters = np.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    classes = letters[rng.integers(26, size=20_000)]
    lines = [",".join(map(str, r)) + "," + c for r, c in zip(rows, classes, strict=True)]
    text = header(*[f"n{i} integer" for i in range(16)], "c {" + ",".join(letters) + "}")
    path = tmp_path / "letters.arff"
    path.write_text(text + "\n".join(lines), encoding="utf-8")
    took = []
    for _ in range(3):
        start = time.process_time()
        data = read_arff(path)
        took.append(time.process_time() - start)
    np.testing.assert_array_equal(data.X, rows)
    assert list(data.y) == list(classes)
    assert min(took) < 0.6


def test_a_csv_file(tmp_path):
    path = tmp_path / "tax.csv"
    path.write_text(
        "refund,income,married,cheat\nyes, 125,True,no\nNone,?,False,yes\n,70,True,no\n",
        encoding="utf-8",
    )
    data = read_csv(path)
    assert (data.name, data.target, len(data)) == ("tax", "cheat", 3)
    assert list(data.y) == ["no", "yes", "no"]
    assert data.X["refund"].cat.categories.tolist() == ["None", "yes"]
    assert data.X["refund"].isna().tolist() == [False, False, True]
    assert data.X["income"].dtype == "float64"
    np.testing.assert_array_equal(data.X["income"], [125, np.nan, 70])
    assert data.X["married"].cat.categories.tolist() == ["False", "True"]
    assert list(read_csv(path, target="married").y) == [True, False, True]
    assert list(read_csv(path, na_values=["None"]).X["refund"].isna()) == [False, True, True]


def test_numbers_as_classes_and_another_separator(tmp_path):
    path = tmp_path / "wine.csv"
    path.write_text("class;alcohol\n3;1.5\n1;2\n", encoding="utf-8")
    data = read_csv(path, target="class", sep=";")
    assert data.y.categories.tolist() == [1, 3]
    assert data.X["alcohol"].tolist() == [1.5, 2.0]


@pytest.mark.parametrize(
    ("text", "target", "message"),
    [
        ("", None, "bad.csv is empty"),
        ("a,b\n", None, "bad.csv has no cases"),
        ("outlook,play\n1,no\n", "ply", "no column 'ply'; nearest: play"),
        ("a,b\n1,x\n2,\n", None, "the class 'b' is missing in 1 of 2 rows .*, first in data row 2"),
        ("a,b\nx,1.5\ny,2.5\n", None, "'b' holds measurements, not classes"),
        ("a,b\n1,x\n1,x,3\n", None, "bad.csv is not a regular table"),
        ("a,b\n1,x,3\n1,x,3\n", None, "bad.csv is not a regular table"),
        ("a,b\n1,x\n-inf,x\n", None, "column 'a' is infinite in data row 2"),
        ("a,b\n1\n2\n", None, "the class 'b' is missing in 2 of 2 rows"),
    ],
)
def test_a_csv_file_that_is_no_data_set(tmp_path, text, target, message):
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_csv(path, target=target)


def test_a_csv_file_in_another_encoding(tmp_path):
    path = tmp_path / "old.csv"
    path.write_bytes("a,b\né,x\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r"old\.csv is not UTF-8: name its encoding"):
        read_csv(path)
    assert read_csv(path, encoding="latin-1").X["a"][0] == "é"


@pytest.mark.parametrize(
    ("text", "name"),
    [("a{b}", "a{b}"), ("it's mine", "it's mine"), ("'a % b'", "a % b"), ("r % note", "r")],
)
def test_any_text_names_a_relation(arff, text, name):
    content = WEATHER.replace("'two words'", text)
    assert arff(content).name == name


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
    with pytest.raises(ArffError, match="line 6: more than 0 rows of 3 attributes"):
        arff(BRACES + rows, max_cells=2)


def test_rows_that_are_not_sparse_are_never_too_many(arff, monkeypatch):
    monkeypatch.setattr(arff_module, "CELLS", 0)
    assert len(arff(BRACES + "1,u,x\n" * 1000)) == 1000
    wide = header(*[f"a{i} real" for i in range(9)], "c {x}")
    with pytest.raises(ArffError, match=r"rows of 10 attributes, which is more than max_cells=\d+"):
        arff(wide + "{}\n" * 1000)


def test_a_limit_of_cells_is_a_whole_number(arff):
    with pytest.raises(ValueError, match="max_cells"):
        arff(WEATHER, max_cells=0)


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
    if kind == "few":
        return header("n real", "c {x}") + "{}\n" * 1_000_000
    return header(*many[:50], "c {x}") + ("1," * 50 + "x\n") * 100_000


@pytest.mark.skipif(sys.platform == "win32", reason="resource, which measures, is of Unix")
@pytest.mark.parametrize(
    ("kind", "said"),
    [("sparse", "3500"), ("braces", "max_cells="), ("few", "1000000"), ("dense", "100000")],
)
def test_memory_is_at_most_ten_times_the_file_and_105_mb(tmp_path, kind, said):
    path = tmp_path / "large.arff"
    path.write_text(large(kind), encoding="utf-8")
    command = [sys.executable, "-c", MEASURED, str(path)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    message, peak = printed.stdout.splitlines()
    assert said in message
    assert int(peak) < 10 * path.stat().st_size + 105e6


LONG = "z" * 10**6


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        header(f"{LONG} real", "c {x}") + "q,x\n",
        header(f"{LONG} real"),
        header("c real", f"{LONG} real") + "1,1\n",
        header("n real", "c {x}") + f"{LONG},x\n",
        header("n real", "c {x}") + f"1,{LONG}\n",
        header("n real", "c {x}") + f"1,x,'{LONG}\n",
        header("n real", "c {x}") + "{" + "9" * 10**6 + " 1}\n",
        header("n real", "c {x}") + f"{{0 1}} {LONG}\n",
        header("n real", "c {x}") + "1," * 10**6 + "x\n",
        header("n real", "c {" + ",".join(f"v{i}" for i in range(10**5)) + "}") + "1,x\n",
        header("n real", f"c {{x}} {LONG}") + "1,x\n",
        header("n real", f"c {LONG}") + "1,x\n",
    ],
    ids=range(13),
)
def test_a_message_is_short_whatever_it_is_about(arff, text):
    with pytest.raises(ValueError, match=r"some\.arff") as error:
        arff(text)
    assert len(str(error.value)) < 500


def test_rows_without_a_class_are_left_out_when_that_is_asked_for(arff, tmp_path):
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
    path = tmp_path / "some.csv"
    path.write_text("n,c\n1,x\n2,\n3,y\n", encoding="utf-8")
    with pytest.warns(UserWarning, match=r"some\.csv: 1 of 3 rows, which have no class"):
        data = read_csv(path, missing_class="drop")
    assert (data.X["n"].tolist(), list(data.y)) == ([1, 3], ["x", "y"])


@pytest.fixture
def csv(tmp_path):
    """A function that writes text to a CSV file and reads it."""

    def read(text, **options):
        (tmp_path / "some.csv").write_text(text, encoding="utf-8")
        return read_csv(tmp_path / "some.csv", **options)

    return read


@pytest.mark.parametrize(
    ("text", "said", "options"),
    [
        ("a;b\n1;x\n2;y\n", ";", {}),
        ("a;b\n1,5;x\n2,5;y\n", ";", {}),
        ("a;b\n1;x\n2,5;y\n", ";", {}),
        ("a\tb\n1\tx\n", r"\t", {}),
        ("a|b\n1|x\n", r"\|", {}),
        ("a,b\n1,x\n", ",", {"sep": ";"}),
        ("a;b\n", ";", {}),
    ],
)
def test_another_separator_is_named(csv, text, said, options):
    said = said.replace(r"\t", r"\\t")
    with pytest.raises(ValueError, match=rf'some\.csv .*: give its separator, sep="{said}"'):
        csv(text, **options)


def test_no_separator_is_named_where_none_helps(csv):
    assert csv("a\nx;y\nz\n").y.tolist() == ["x;y", "z"]
    for text in ("a,b\n" + "1,x\n" * 9 + "1,x,2\n", "a,b\n1,x,3\n"):
        with pytest.raises(ValueError, match=r"some\.csv is not a regular table") as error:
            csv(text)
        assert "separator" not in str(error.value)
    with pytest.raises(ValueError, match="row 11 has 3 values, the header 2"):
        csv("a,b\n" + "1,x\n" * 9 + "1,x,2\n")


def test_a_name_that_stands_twice_in_the_header(csv):
    with pytest.raises(ValueError, match=r"some\.csv: column 'a' stands twice in the header"):
        csv("a,b,a,c\n1,2,3,x\n")
    assert csv("a,a.1,c\n1,2,x\n").X.columns.tolist() == ["a", "a.1"]
    assert csv("a,,,c\n1,2,3,x\n").X.shape == (1, 3)
    assert csv("1,1,x\n", header=None).X.shape == (1, 2)


def test_what_stands_above_or_beside_a_table_is_pointed_at(csv):
    with pytest.raises(ValueError, match=r"longer than its header; skiprows=1 .* index_col=0"):
        csv("a,c\nfirst,1,x\n")
    with pytest.raises(ValueError, match=r'index_col=0 .*: comment="#" leaves out lines of comme'):
        csv("# from the bank, 2026\na,b,c\n1,2,x\n")
    assert csv("# from the bank, 2026\na,b,c\n1,2,x\n", comment="#").X.shape == (1, 2)
    assert csv("# from the bank\na,b,c\n1,2,x\n", skiprows=1).X.shape == (1, 2)
    assert csv("a,c\nfirst,1,x\n", index_col=0).X["a"].tolist() == [1]


def test_a_separator_that_ends_each_line_is_no_column(csv):
    data = csv("a,c,\n1,x,\n2,y,\n")
    assert (data.X.columns.tolist(), data.target) == (["a"], "c")
    assert csv("a,c\n1,x,\n2,y,\n").y.tolist() == ["x", "y"]
    with pytest.raises(ValueError, match="has no cases"):
        csv(",\n,\n")


def test_blanks_around_names_and_values_mean_nothing(csv):
    data = csv(' a , "my class" \n b , yes\nb, yes \n"b c" ,no\n')
    assert (data.X.columns.tolist(), data.target) == (["a"], "my class")
    assert data.X["a"].cat.categories.tolist() == ["b", "b c"]
    assert data.y.categories.tolist() == ["no", "yes"]
    with pytest.raises(ValueError, match="'a' stands twice in the header"):
        csv("a, a ,c\n1,2,x\n")


@pytest.mark.filterwarnings("ignore:.*have no class:UserWarning")
def test_classes_keep_their_kind_where_some_lack(csv):
    data = csv("a,c\n1,2\n2,\n3,1\n", missing_class="drop")
    assert (str(data.y.categories.dtype), data.y.tolist()) == ("int64", [2, 1])
    data = csv("a,c\n1,True\n2,\n3,False\n", missing_class="drop")
    assert (str(data.y.categories.dtype), data.y.tolist()) == ("bool", [True, False])
    assert csv("a,c\nTrue,x\n,y\nFalse,x\n").X["a"].cat.categories.tolist() == ["False", "True"]


def test_options_of_pandas_reach_it(csv):
    text = "d,n,c\n2026-01-02,1,x\n2026-01-03,,y\ntotal,,\n"
    data = csv(
        text, parse_dates=["d"], engine="python", skipfooter=1, dtype_backend="numpy_nullable"
    )
    assert (data.X["n"].dtype, len(data)) == ("float64", 2)
    assert csv("a;c\n1;x\n", sep=None, engine="python").X["a"].tolist() == [1]
    assert csv("i,a,c\n7,1,x\n", index_col="i").X.index.tolist() == [7]
