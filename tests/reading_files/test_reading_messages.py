"""What is said of files of other kinds, wrong readers and wrong arguments: each says what to do."""

import gzip
import io
import re
import warnings
import zipfile

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_files.paths import InMemory

TABLE = pd.DataFrame({"a": [1, 2, 3, 4] * 5, "b": [*"xyzx"] * 5, "late": [*"yn"] * 10})
CSV = TABLE.to_csv(index=False).encode()
ARFF = b"% note\n\n@relation r\n@attribute a real\n@attribute c {x,y}\n@data\n1,x\n2,y\n"


def zipped(*names):
    """The bytes of a zip archive of files with these names."""
    with zipfile.ZipFile(raw := io.BytesIO(), "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return raw.getvalue()


def parquet():
    """The bytes of a Parquet file."""
    pytest.importorskip("pyarrow")
    TABLE.to_parquet(raw := io.BytesIO())
    return raw.getvalue()


PANDAS = r'rt\.Dataset\(pandas\.{}\("some\.csv"\), "the class"\) takes it'
FOREIGN = [  # the bytes of some.csv, what it is said to be, and what reads it
    (zipped("t.csv"), "a zip archive", "unpack it first"),
    (zipped("a", "xl/workbook.xml"), "an Excel workbook", PANDAS.format("read_excel")),
    (zipped("content.xml"), "an OpenDocument table", PANDAS.format("read_excel")),
    (b"\xd0\xcf\x11\xe0\xa1\xb1", "an Excel workbook", "or save it as CSV"),
    (b"PAR1\x15\x04\xff", "a Parquet file", r'rt\.scan\("some\.csv", "the class"\) reads it in'),
    (b"ARROW1\0\0", "an Arrow file", PANDAS.format("read_feather")),
    (gzip.compress(CSV, mtime=0), "packed by gzip", r"rename it so that it ends with \.gz"),
    (b"\x28\xb5\x2f\xfd", "packed by zstd", r"ends with \.zst"),
    (b"BZh91AY", "packed by bzip2", "unpack it first"),
    (b"SQLite format 3\0", "a SQLite database", "pandas.read_sql"),
    (CSV.decode().encode("utf-16"), "written in UTF-16", 'give encoding="utf-16"'),
    (b"\n<!DOCTYPE html>\n<html>", "a web page, not the file", "download the file itself"),
    (b'<?xml version="1.0"?>\n<a/>', "XML", "save its table as CSV"),
    (b'[{"a": 1, "b": 2},\n {"a": 3, "b": 4}]', "JSON", PANDAS.format("read_json")),
    (b'{\n "format": "ranktrees model",', "a model that rt.save wrote", r'rt\.load_model\("some'),
    (ARFF, "an ARFF file", r'rt\.read_arff\("some\.csv"\) reads it'),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "what", "advice"), FOREIGN)
def test_a_file_of_another_kind_is_named_with_what_reads_it(raw, what, advice, tmp_path):
    path = tmp_path / "some.csv"
    path.write_bytes(raw)
    match = rf"^some\.csv is {what}.*: .*{advice}"
    readers = [rt.read_csv, rt.read_arff, lambda file: rt.scan(file, "late")]
    for read in readers if raw != ARFF else readers[::2]:
        with pytest.raises(ValueError, match=match):
            read(path)
    with pytest.raises(ValueError, match=match):
        rt.read_csv(InMemory("some.csv", raw))
    if what.startswith(("an Excel", "a zip")):
        path.rename(tmp_path / "some.xlsx")
        with pytest.raises(ValueError, match=rf"some\.xlsx is {what}"):
            rt.scan(tmp_path / "some.xlsx", "late")


def test_what_is_named_reads_it(tmp_path):
    path = tmp_path / "some.csv"
    path.write_bytes(CSV.decode().encode("utf-16"))
    same = rt.read_csv(path, encoding="utf-16")
    pd.testing.assert_frame_equal(same.frame, rt.read_csv(InMemory("t.csv", CSV)).frame)
    path.with_name("t.pq").write_bytes(parquet())
    assert len(rt.scan(tmp_path / "t.pq", "late").sample(99)) == 20
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "t.pq").write_bytes(parquet())
    assert len(rt.scan(tmp_path / "folder", "late").files) == 1


WRONG = [  # what is called, and what is said
    (lambda f: rt.read_arff(f("t.csv", CSV)), r"not 'a,b,late'; a table .* rt\.read_csv"),
    (lambda f: rt.read_csv(f("golf.names", b"x, y.\n")), r'rt\.read_c45\("golf"\) reads both'),
    (lambda f: rt.load("loans.csv"), r"no data set 'loans\.csv'; rt\.read_csv reads a file"),
    (lambda f: rt.load("golf.names"), r"rt\.read_c45 reads a file"),
    (lambda f: rt.scan(f("t.arff", ARFF), "c"), r'rt\.read_arff\("t\.arff"\) reads it'),
    *[(lambda f, read=read: read("https://example.org/a.csv", "late"), "is an address, and files")
      for read in (rt.read_csv, rt.read_arff, rt.scan)],
    (lambda f: rt.scan(["s3://bucket/a.parquet"], "late"), "s3://bucket.* fetch it first"),
    (lambda f: rt.read_c45("ftp://example.org/golf"), "rt.Dataset the frame that pandas reads"),
    (lambda f: rt.read_csv(f("t.csv", b"5.1;3.5;3.5;a\n4.9;3.0;3.1;b\n")),
     r't\.csv has one column: give its separator, sep=";", and header=None \(its first line is a'),
    (lambda f: rt.read_csv(f("t.csv", b"x y c\n1 5.1 3.5 a\n2 4.9 3 b\n3 4.9 3 b\n")),
     r'sep="\\\\s\+", and index_col=0 \(its first column names the rows\)'),
    (lambda f: rt.read_csv(f("t.csv", b"u;5;5;a\nv;4;5;b\nw;4;3;b\n"), sep="|"),
     'give its separator, sep=";"'),
    (lambda f: rt.read_csv(f("t.csv", b"id,c\n1,a\n2,b\n"), index_col=0),
     r"t\.csv has no column besides the class 'c': .*\(drop= and index_col= take columns away\)"),
    (lambda f: rt.read_csv(f("t.csv", b"id,c\n1,a\n2,b\n"), drop=["id"]), "no attribute to"),
    (lambda f: rt.read_csv(f("t.csv", b"c\na\nb\n")), "no attribute to learn from"),
    (lambda f: rt.read_arff(f("t.arff", b"@relation r\n@attribute c {a,b}\n@data\na\nb\n")),
     "no attribute to learn from"),
    *[(lambda f, read=read: read(f("t.csv", b"n,c\n1,x\ninf,y\n-1e999,y\n"), "c"),
       r"column 'n' is infinite in data row 2: na_values=\['inf', '-inf'\] makes it missing")
      for read in (rt.read_csv, rt.scan)],
    (lambda f: rt.read_csv(f("t.csv", b"a,b,c\n" + b"1,2,x\n" * 3 + b"1,2,x,5,6\n1,2,x\n")),
     r'row 5 has 5 values, the header 3; rt\.read_csv takes on_bad_lines="warn", which leaves'),
    (lambda f: rt.read_csv(f("t.csv", b"a,b,c\n1,2,x,5,6\n1,2,x\n")), "skiprows=1.*index_col=0"),
    (lambda f: rt.read_csv(f("t.csv", b"a,1.5,3\nb,0.5,4\na,2.5,5\n"), target="0"),
     "no column '0'; header=None reads the first line as a case, and names the columns 0, 1"),
    (lambda f: rt.read_csv(f("t.csv", b"a,1.5,0\n" + b"b,0.5,4\na,2.5,5\n" * 9), target="0"),
     "has no header, so that '0' is a value: header=None reads"),
    (lambda f: rt.read_csv(f("t.csv", b"a,1.5\nb,0.5\na,2.5\nb,.75\n"), header=None),
     "'1' holds measurements, not classes: .*or name another target, such as target='0'"),
    (lambda f: rt.Dataset(TABLE, "lat"), "X has no column 'lat' as its class; nearest: late"),
    (lambda f: rt.Dataset(TABLE, "late", target="a"), "class is 'late' and not 'a': leave target="),
]  # fmt: skip


@pytest.mark.parametrize(("call", "says"), WRONG)
def test_a_wrong_call_is_told_the_right_one(call, says, tmp_path):
    def file(name, raw):
        (tmp_path / name).write_bytes(raw)
        return tmp_path / name

    with pytest.raises(ValueError, match=says):
        call(file)


HELPS = [  # a file, the keywords that its message names, the columns
    (b"5.1;3.5;3.5;a\n4.9;3.0;3.1;b\n", {"sep": ";", "header": None}, ["0", "1", "2", "3"]),
    (b"x y c\n1 5.1 3.5 a\n2 4.9 3 b\n", {"sep": r"\s+", "index_col": 0}, ["x", "y", "c"]),
    (b"n,m,c\n1,2,x\n-inf,3,y\n1e999,4,y\n", {"na_values": ["inf", "-inf"]}, ["n", "m", "c"]),
    (b"a,1.5\nb,0.5\na,2.5\n", {"header": None, "target": "0"}, ["1", "0"]),
]


@pytest.mark.parametrize(("raw", "how", "columns"), HELPS)
@pytest.mark.filterwarnings("ignore:t.csv")
def test_the_keywords_that_are_named_help(raw, how, columns):
    data = rt.read_csv(InMemory("t.csv", raw), **how)
    assert list(data.frame) == columns
    if "na_values" in how:
        assert data.X["n"].isna().tolist() == [False, True, True]


def test_rows_that_are_too_long_are_left_out_with_a_warning_each():
    raw = b"a,b,c\n" + b"1,2,x\n3,4,y\n" * 3 + b"1,2,x,5,6\n7,8,y\n"
    with pytest.warns(pd.errors.ParserWarning, match="Skipping line 8: expected 3 fields, saw 5"):
        assert len(rt.read_csv(InMemory("t.csv", raw), on_bad_lines="warn")) == 7


COMMENTS = [  # a table below lines of #, and what else is wrong with it
    (b"# made by x\n# date, 3\n", {}),
    (b"# a, a\n# b\n", {}),
    (b"#\n#x\n", {}),
    (b"#made\n", {}),
    (b"# K\xf6nig\n", {}),
    (b"# one, two, three\n", {"target": "c"}),
    (b"# one, two, three\n", {"drop": ["a"]}),
    (b"# one, two, three\n", {"numbers": ["a"]}),
    (b"#,,\n#x,,\n", {"target": "c"}),
]


@pytest.mark.parametrize(("above", "how"), COMMENTS)
def test_comments_are_told_before_all_else_that_is_wrong(above, how, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(above + b"a,b,c\n1,2,x\n3,4,y\n")
    says = r'^t\.csv begins with comments: comment="#" leaves out lines that begin with #$'
    for read, needs in ((rt.read_csv, {}), (rt.scan, {"target": "c"})):
        with pytest.raises(ValueError, match=says):
            read(path, **(needs | how))
    encoding = {"encoding": "latin-1"} if b"\xf6" in above else {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(rt.read_csv(path, comment="#", **encoding).frame) == ["a", "b", "c"]


def test_a_header_that_begins_with_the_sign_is_no_comment():
    with pytest.raises(ValueError, match=r"t\.csv has no column 'no'; nearest: #no"):
        rt.read_csv(InMemory("t.csv", b"#no,b,c\n1,2,x\n3,4,y\n"), drop=["no"])


def test_the_user_s_folder_is_written_as_a_tilde(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "t.csv").write_bytes(CSV)
    (tmp_path / "t.arff").write_bytes(ARFF)
    data = rt.read_csv("~/t.csv")
    assert len(rt.read_arff("~/t.arff")) == 2
    for files in ("~/t.csv", "~/*.csv", ["~/t.csv"]):
        assert len(rt.scan(files, "late").files) == 1
    model = rt.C44().fit(data.X, data.y)
    rt.save(model, "~/m.json")
    assert (tmp_path / "m.json").exists()
    assert repr(rt.load_model("~/m.json")) == "C44()"


def test_a_frame_and_the_name_of_its_class():
    data = rt.Dataset(TABLE, "late")
    assert (list(data.X), data.target, data.y.tolist()) == (["a", "b"], "late", [*"yn"] * 10)
    assert "late" in TABLE, "the frame is left as it was"
    numbered = TABLE.set_axis(range(3), axis=1)
    for y in (2, np.int64(2)):
        assert rt.Dataset(numbered, y).y.tolist() == [*"yn"] * 10
    rows = rt.Dataset(TABLE.drop(columns="late"), TABLE["late"], target="late")
    pd.testing.assert_frame_equal(rows.frame, data.frame)
    assert re.match("<Dataset data: 20 cases, 2 attributes", repr(data))
