"""ARFF files: what real ones hold, what a broken one says, and the time and memory they take."""

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

from ranktrees_files import arff as arff_module
from ranktrees_files import arff_tokens as scan_module
from ranktrees_lab.data import ArffError, read_arff


@pytest.fixture
def arff(tmp_path):
    """A function that writes text (or bytes) to an ARFF file and reads it."""

    def read(content, **options):
        path = tmp_path / "some.arff"
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return read_arff(path, **options)

    return read


def header(*attributes):
    return "@relation r\n" + "".join(f"@attribute {a}\n" for a in attributes) + "@data\n"


NC = header("n real", "c {x}")


def test_a_small_file_value_by_value(arff):
    data = arff(WEATHER)
    assert (data.name, data.target, list(data.y)) == ("two words", "play", ["no", "yes", "yes"])
    assert list(data.X["outlook"].cat.categories) == ["sunny", "light rain", "it's fog"]
    assert list(data.X["outlook"]) == ["sunny", "light rain", "it's fog"]
    np.testing.assert_array_equal(data.X["temperature"], [20.5, np.nan, 10.0])
    assert list(arff(WEATHER, target="outlook").y) == ["sunny", "light rain", "it's fog"]
    for options, words in [
        ({"target": "outlok"}, "no column 'outlok'; nearest: outlook"),
        ({"target": "temperature"}, "'temperature' is not nominal"),
        ({"max_cells": 0}, "max_cells"),
        ({"missing_class": "omit"}, "unknown missing_class 'omit'"),
    ]:
        with pytest.raises(ValueError, match=words):
            arff(WEATHER, **options)


def test_separators_quotes_line_ends_and_encodings(arff):
    rows = ["1,b,x", " 1 ,\tb , x ", "1\tb\tx", "1 b x", "'1','b','x'", '"1",b,x %note']
    for row in [*rows, "{0 1,1 b, 2 x}"]:
        data = arff(header("n INTEGER [1,10]", "a{a,b}", "c {x}") + row + "\n\n% end\n\n")
        assert data.frame.to_dict("records") == [{"n": 1.0, "a": "b", "c": "x"}], row
    text = "@RELATION r\r\n@Attribute\tn\tReal\r\n@ATTRIBUTE c {x,é}\r\n\r\n@DATA\r\n1,é\r\n"
    for content in (text, text.replace("\r\n", "\r"), "\ufeff" + text, text.encode("latin-1")):
        assert arff(content).frame.to_dict("records") == [{"n": 1.0, "c": "é"}]


def test_escapes_in_quotes(arff):
    declared = r"""a {'it\'s', "say \"hi\"", 'back\\slash', 'tab\there', 'per\%cent', '\u00e9'}"""
    data = arff(header(declared, "c {x}") + r"""'it\'s',x""" + "\n" + r"'\u00e9',x")
    values = ["it's", 'say "hi"', "back\\slash", "tab\there", "per%cent", "é"]
    assert list(data.X["a"].cat.categories) == values
    assert list(data.X["a"]) == ["it's", "é"]


def test_blanks_and_signs_inside_bare_values_belong_to_them(arff):
    text = header("a {New York,  Los Angeles , Rome}", "b {p q}", "d {50%, don't, a\\b}", "c {x}")
    data = arff(text + "New York,q,50%,x\nRome,p,don't,x\nRome,p,a\\b,x\n")
    assert list(data.X["a"].cat.categories) == ["New York", "Los Angeles", "Rome"]
    assert list(data.X["b"]) == ["q", "p", "p"], "without a comma, blanks separate"
    assert list(data.X["d"]) == ["50%", "don't", "a\\b"]


def test_sparse_rows_fill_in_zero_and_the_first_declared_value(arff):
    attributes = header("n numeric", "a {p, 'q r'}", "s string", "c {x,y}")
    data = arff(attributes + "{}\n{1 'q r', 3 y}\n{0 2.5, 1 ?, 2 'a, b'}\n0,p,'',x\n0,p,?,y\n")
    assert data.X["n"].tolist() == [0, 0, 2.5, 0, 0]
    assert data.X["a"].cat.codes.tolist() == [0, 1, -1, 0, 0]
    assert data.X["s"].fillna("lacks").tolist() == ["", "", "a, b", "", "lacks"]
    assert list(data.y) == ["x", "y", "x", "x", "y"]


def test_rows_without_a_class_are_left_out_when_that_is_asked_for(arff):
    text = NC + "1,?\n2,x\n3,?\n4,x\n"
    with pytest.raises(ArffError, match=r"line 5: the class 'c' is missing in 2 of 4 rows \(miss"):
        arff(text)
    with pytest.warns(UserWarning, match=r"some\.arff: 2 of 4 rows, which have no class, are left"):
        data = arff(text, missing_class="drop")
    assert data.X["n"].to_dict() == {0: 2, 1: 4}


BAD = [
    (NC + "1,x\n1\n", 6, "1 values for 2 attributes"),
    (header("n real", "m real", "c {x}") + "1,,x\n", 6, "(a missing one is written ?)"),
    (
        header("n real", "c {x,z}") + "1,x\n% note\n1,y\n",
        7,
        "'c' does not declare 'y', only 'x', 'z'",
    ),
    (NC + "1,x,{five}\n", 5, "braces at the end of a row hold its weight, a number"),
    (header("a {p}", "c {x}") + "'p,x\n", 5, "unclosed quote '"),
    (header("a {p}", "c {x}") + "'p'q,x\n", 5, "text beside a quoted value: 'p'q"),
    (NC + "1_0,x\n", 5, "'1_0' is not a number"),
    (NC + "'?',x\n", 5, "'?' is not a number"),
    (NC + "nan,x\n", 5, "'nan' is not a number"),
    (NC + "1,x\n1e999,x\n", 6, "'1e999' is not finite"),
    (NC, 4, "no cases after @data"),
    (NC + "{0 1, 2 x}\n", 5, "index 2, but the last attribute has 1"),
    (NC + "{0 1, 0 2}\n", 5, "index 0 occurs twice"),
    (NC + "{x 1}\n", 5, "'index value'"),
    (NC + "{}\n\n{0 2}\n1,x\n{0 q}\n{1 ?}\n", 9, "'q' is not a number"),
    (NC + "{0 1}, 2\n", 5, "unexpected '2' after the sparse row"),
    (header("n real", "n {x}") + "1,x\n", 3, "attribute 'n' is declared twice"),
    (header("n real", "c {x,y,x}") + "1,x\n", 3, "attribute 'c' declares 'x' twice"),
    (header("n reel", "c {x}") + "1,x\n", 2, "attribute 'n': unknown type 'reel'"),
    (header("'n real", "c {x}") + "1,x\n", 2, "unclosed quote in @attribute"),
    (header("n real", "c {x} y") + "1,x\n", 3, "unexpected 'y' after its values"),
    (header("n real", "c {x") + "1,x\n", 3, "a { without its }"),
    ("@relation r\n@attribute c {x}\n", 3, "ends without @data"),
    ("@relation r\n@attribute c {x}\nx\n", 3, "expected @relation, @attribute or @data"),
    ("@data\n1\n", 1, "@data without any @attribute"),
    ("@attribute\n@data\n1\n", 1, "@attribute without a name"),
    ("@attribute c {x}\n@data x\n", 2, "@data must stand alone"),
]


@pytest.mark.parametrize(("text", "line", "words"), BAD)
def test_a_malformed_file_names_file_line_and_fault(arff, text, line, words):
    match = rf"^some\.arff, line {line}: .*{re.escape(words)}"
    with pytest.raises(ArffError, match=match) as error:
        arff(text)
    assert error.value.line == line


def quoted(text, mark):
    """A text as a writer as strict as Weka's writes it."""
    for sign, code in (("\\", "\\\\"), (mark, "\\" + mark), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(sign, code)
    return mark + text + mark


SIGNS = st.sampled_from("'\"\\,{}%?@ \t\n\r\x85\u2028\xa0é")
NASTY = st.text(SIGNS | st.characters(codec="utf-8"), max_size=6)


@settings(max_examples=50)
@given(
    st.lists(NASTY, min_size=3, max_size=3, unique=True),
    st.lists(NASTY, min_size=1, max_size=5, unique=True),
    st.floats(allow_infinity=False, allow_nan=False),
    st.sampled_from("'\""),
)
@example(["?", "", "c"], ["?", ""], 0.1, "'")
def test_what_a_writer_quotes_comes_back(tmp_path_factory, names, values, number, mark):
    path = tmp_path_factory.mktemp("round") / "trip.arff"
    written = [quoted(v, mark) for v in values]
    kinds = [f"{{{','.join(written)}}}", "numeric", f"{{{','.join(written)}}}"]
    attributes = [f"{quoted(n, mark)} {kind}" for n, kind in zip(names, kinds, strict=True)]
    lines = [f"?,?,{written[0]}", *(f"{value},{number!r},{value}" for value in written)]
    path.write_bytes((header(*attributes) + "\n".join(lines)).encode())
    frame = read_arff(path).frame
    assert list(frame) == names
    for name in (names[0], names[2]):
        assert frame[name].cat.categories.tolist() == values
    assert frame[names[0]].cat.codes.tolist() == [-1, *range(len(values))]
    np.testing.assert_array_equal(frame[names[1]], [np.nan, *[number] * len(values)])


CELLS = st.sampled_from(
    [
        "1", " 2.5", "-.5e3 ", "?", " ?", "'?'", "nan", "inf", "1_0", "", "a", "b", "'b'", " b\t",
        "'x, y'", "x y", "%", "b % c", "50%", "'50%'", "{0 1}", "'a", "a'b", "'a'b", "\\u00e9",
    ]
)  # fmt: skip
LINES = st.lists(CELLS, min_size=1, max_size=4).map(",".join) | st.sampled_from(
    ["", " ", "% note", "1,a,b", "1 a b", "{}", "{0 2, 2 b}", "{1 'x, y'}", "{1 x}"]
)
PLAIN = st.sampled_from(["1,a,a", "2,'b',b", '?,"x y",?', "-1e3,'50%',b", " 4 , x y , a ", ""])


def read_or_message(path):
    try:
        return read_arff(path, missing_class="drop")
    except ArffError as error:
        return str(error)


@pytest.mark.filterwarnings("ignore:.*have no class:UserWarning")
@settings(max_examples=100)
@given(
    st.lists(PLAIN | PLAIN | PLAIN | LINES, max_size=8),
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
    n, start = 1_000, time.process_time()
    wide = header(*[f"w{i} numeric" for i in range(n)], "c {x,y}")
    data = arff(wide + "".join(f"{{{i} {i}, {n} y}}\n" for i in range(n)))
    np.testing.assert_array_equal(data.X, np.diag(np.arange(n)))
    many = ",".join(f"v{i}" for i in range(30_000))
    data = arff(header(f"a {{{many}}}", "c {x}") + "v29999,x\nv7,x\n")
    assert data.X["a"].cat.codes.tolist() == [29_999, 7]
    with pytest.raises(ArffError, match="declares 'v9' twice"):
        arff(header(f"a {{{many},v9}}", "c {x}") + "v1,x\n")
    assert time.process_time() - start < 10
    rows = np.random.default_rng(1).integers(16, size=(20_000, 16))
    lines = "\n".join(",".join(map(str, r)) + "," + "xy"[r[0] % 2] for r in rows)
    text = header(*[f"n{i} integer" for i in range(16)], "c {x,y}") + lines
    start = time.process_time()
    data = arff(text)
    assert time.process_time() - start < 1
    np.testing.assert_array_equal(data.X, rows)


@pytest.mark.parametrize("rows", ["{}\n\n{0 2}\n% note\n{}\n{}", "0,u,x\n\n2,u,x\n%\n0,u,x\n0,u,x"])
def test_rows_beyond_the_limit_of_cells_are_refused_where_they_stand(arff, rows, monkeypatch):
    text = header("n real", "a {u,v}", "c {x,y}")
    match = (
        r"^some\.arff, line 11: more than 3 rows of 3 attributes, .*max_cells=11: leave out rows"
    )
    for block in (1, 10, 1 << 20):
        monkeypatch.setattr(arff_module, "BLOCK", block)
        assert arff(text + rows, max_cells=12).X["n"].tolist() == [0, 2, 0, 0]
        with pytest.raises(ArffError, match=match):
            arff(text + rows, max_cells=11)
    monkeypatch.setattr(arff_module, "CELLS", 0)
    assert len(arff(text + "1,u,x\n" * 1000)) == 1000, "what is written out is never too much"
    with pytest.raises(ArffError, match=r"more than max_cells=\d+"):
        arff(header(*[f"a{i} real" for i in range(9)], "c {x}") + "{}\n" * 1000)


MEASURED = f"""{PEAK}
from ranktrees_lab.data import read_arff
before = peak()
print(len(read_arff(sys.argv[1])), peak() - before)
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="resource, which measures, is of Unix")
def test_memory_is_at_most_ten_times_the_file_and_105_mb(tmp_path):
    path, sparse = tmp_path / "large.arff", ",".join(f"{i} 5" for i in range(0, 3_000, 60))
    for width, row, n in ((3_000, f"{{{sparse}}}\n", 3_500), (50, "1," * 50 + "x\n", 100_000)):
        head = header(*[f"a{i} real" for i in range(width)], "c {x}")
        path.write_text(head + row * n, encoding="utf-8")
        command = [sys.executable, "-c", MEASURED, str(path)]
        printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
        cases, peak = map(int, printed.stdout.split())
        assert cases == n
        assert peak < 10 * path.stat().st_size + 105e6


def test_a_message_is_short_whatever_it_is_about(arff):
    long, many = "z" * 10**6, ",".join(f"v{i}" for i in range(10**5))
    for text in (
        long,
        header(f"{long} real", "c {x}") + "q,x\n",
        f"{NC}1,{long}\n",
        header("n real", f"c {{{many}}}") + "1,x\n",
        header("n real", f"c {long}") + "1,x\n",
    ):
        with pytest.raises(ArffError, match=r"^some\.arff, line \d+: .{,450}$"):
            arff(text)
