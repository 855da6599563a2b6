"""CSV files of any form: what `rt.read_csv` reads whole, `rt.scan` reads in batches."""

from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from scale_cases import batches_of, quiet

import ranktrees as rt

CSV_FILES = import_module("ranktrees_files.csv_files")
pyarrow = pytest.importorskip("pyarrow")

GAPS = ["", "?", "NA", "NaN", "nan", " ", "NA ", " ?"]
CELLS = {
    "numbers": ["1", "2.5", "-3", "+4", "1e3", "-2E-4", ".5", "7.", " 8", "9 ", "0.1"],
    "whole": ["0", "1", "12", "-7", "99999999999999999999", "18446744073709551615"],
    "zeros": ["007", "010", "000", "123"],
    "flags": ["true", "false", "TRUE", "False", "True", "FALSE"],
    "words": ["a", "b ", " c", "A", "a,b", 'say "x"', "two\nlines", "Ünï", "NAN", "None", "null"],
    "mixed": ["1", "2", "x", "3.5", "true"],
    "dates": ["2020-01-02", "2021-03-04"],
    "odd": ["0x10", "1_000", "1,5", "1e", "--1", "+ 5", "1.2.3", "4+"],
    "empty": [""],
}
NAMES = ["x", " blank before", "after ", "Größe", "a,b", 'q"q', "two\nlines", "true", "7"]


def written(cell, sep, rng):
    """A cell as it may stand in a file: quoted where it must be, and sometimes else."""
    if any(mark in cell for mark in (sep, '"', "\n", "\r")) or rng.random() < 0.15:
        cell = '"' + cell.replace('"', '""') + '"'
    return " " * (rng.random() < 0.1) + cell + " " * (rng.random() < 0.1)


def text_of(rng, sep, n):
    """The text of a random table of n rows, and its class."""
    names = rng.permutation(NAMES)[: rng.integers(2, 6)].tolist()
    kinds, gaps = rng.choice([*CELLS], len(names)), rng.choice([0, 0.2], len(names))
    target = int(rng.integers(len(names)))
    kinds[target], gaps[target] = rng.choice(["whole", "zeros", "flags", "words", "dates"]), 0
    columns = [
        [rng.choice(CELLS[kind] if rng.random() >= gap else GAPS) for _ in range(n)]
        for kind, gap in zip(kinds, gaps, strict=True)
    ]
    rows = [names, *zip(*columns, strict=True)]
    lines = [sep.join(written(cell, sep, rng) for cell in row) for row in rows]
    if rng.random() < 0.2:
        lines.insert(int(rng.integers(1, n)), "")
    if rng.random() < 0.1:
        lines = [line + sep for line in lines]
    end = rng.choice(["\n", "\r\n"])
    return end.join(lines) + end * int(rng.integers(2)), names[target].strip()


def packed(path, raw, ending):
    """The path of a file of these bytes, packed as its ending says."""
    path = path.with_name(path.name + ending)
    with pyarrow.output_stream(path, compression={".gz": "gzip", ".zst": "zstd"}.get(ending)) as to:
        to.write(raw)
    return path


def outcome(read):
    """What a reading gives, {name: (kind, values)} with the class, or its error."""
    try:
        data = quiet(read)
    except ValueError as error:
        return str(error)
    columns = {"class": ("class", [(type(v).__name__, v) for v in data.y.tolist()])}
    for name, column in data.X.items():
        if pd.api.types.is_numeric_dtype(column):
            columns[name] = "number", [repr(v) for v in column.astype(float)]
        else:
            columns[name] = "text", [None if pd.isna(v) else v for v in column.tolist()]
    return columns


@pytest.mark.parametrize("seed", range(45))
def test_files_are_read_alike_whole_and_in_batches(seed, tmp_path):
    rng = np.random.default_rng(seed)
    sep, encoding = rng.choice([",", ";", "\t", "|"]), rng.choice(["utf-8", "utf-8-sig", "latin-1"])
    text, target = text_of(rng, sep, int(rng.integers(3, 40)))
    path = packed(tmp_path / "a.csv", text.encode(encoding), rng.choice(["", ".gz", ".zst"]))
    options = {"sep": sep, "decimal": rng.choice([".", ","])}
    options["encoding"] = encoding.removesuffix("-sig")
    whole = outcome(lambda: rt.read_csv(path, target, **options))
    with batches_of(int(rng.integers(1, 20))):
        in_batches = outcome(lambda: rt.scan(path, target, **options).sample(1000))
    assert in_batches == whole or (isinstance(whole, str) and isinstance(in_batches, str))


def both(folder, text, **options):
    """Frames with the class last, of a file of this text, read whole and in batches of two rows."""
    path = folder / "a.csv"
    path.write_text(text, encoding="utf-8")
    whole = quiet(rt.read_csv, path, "y", **options)
    with batches_of(2):
        some = quiet(rt.scan, path, "y", **options).sample(10**6)
    assert some.y.tolist() == whole.y.tolist()
    return whole.frame, some.frame


def values(frame, name):
    """The values of a column, None where one is missing."""
    return [None if pd.isna(value) else value for value in frame[name].tolist()]


def csv(folder, text, **options):
    """The data set in a file of this text."""
    (folder / "some.csv").write_text(text, encoding="utf-8")
    return quiet(rt.read_csv, folder / "some.csv", **options)


def test_rows_without_a_class_are_left_out_when_that_is_asked_for(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text("n,c\n1,True\n2,\n3,False\n")
    with pytest.warns(UserWarning, match=r"some\.csv: 1 of 3 rows, which have no class"):
        data = rt.read_csv(path, missing_class="drop")
    assert (data.X["n"].tolist(), data.y.tolist()) == ([1, 3], [True, False])


AC = {"a": [1, 2], "c": ["x", "y"]}


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("c;a\n3;1.5\n1;2\n", {"target": "c", "sep": ";"}, {"a": [1.5, 2], "c": [3, 1]}),
        ("a;c\n1;x\n2;y\n", {"sep": None, "engine": "python"}, AC),
        ("a,a.1,c\n1,2,x\n", {}, {"a": [1], "a.1": [2], "c": ["x"]}),
        ("a,,c\n1,3,x\n", {}, {"a": [1], "Unnamed: 1": [3], "c": ["x"]}),
        ("1,1,x\n", {"header": None}, {"0": [1], "1": [1], "2": ["x"]}),
        ("# from the bank\na,c\n1,x\n2,y\n", {"skiprows": 1}, AC),
        ("a,c\none,1,x\ntwo,2,y\n", {"index_col": 0}, AC),
        ("a,c,\n1,x,\n2,y,\n", {}, AC),
        ("a,c\n1,x,\n2,y,\n", {}, AC),
        (' a , "c d" \n b , x\n"b c" ,y \n', {}, {"a": ["b", "b c"], "c d": ["x", "y"]}),
    ],
)
def test_csv_files_of_any_form(tmp_path, text, options, expected):
    assert csv(tmp_path, text, **options).frame.to_dict("list") == expected


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, "some.csv is empty"),
        ("a\nx;y\nz\n", {}, "some.csv has no column besides the class 'a': there is no attribute"),
        (",\n,\n", {}, "some.csv has no cases"),
        ("outlook,play\n1,no\n", {"target": "ply"}, "no column 'ply'; nearest: play"),
        ("a,b\n1,x\n2,\n", {}, "'b' is missing in 1 of 2 rows .*, first in data row 2"),
        ("a,b\n1,x\n-inf,x\n", {}, "column 'a' is infinite in data row 2"),
        ("a,b\n1,x\n" + "9" * 332 + ",y\n", {}, "column 'a' is infinite in data row 2"),
        ("a\n" + "9" * 332 + "\n1\n", {}, "column 'a' is infinite in data row 1"),
        ("n,a,b\n" + "9" * 332 + ",1,x\n2,2,y\n", {"index_col": 0}, "some.csv is not a regular t"),
        ("a,b\n" + "1,x\n" * 9 + "1,x,2\n", {}, "row 11 has 3 values, the header 2"),
        ("a,b\n1,x,3\n", {}, r"some\.csv is not a regular table"),
        ("a,b\n1,x,\n2,y,3\n", {}, r"some\.csv .* data row 2 is longer than its header"),
        ('"a \nb,1\n', {}, r"some\.csv .*: a quotation mark in row 1 is not closed"),
        ("a\tb\n1\tx\n", {}, r'give its separator, sep="\\t"'),
        ("a,b\n1,x\n", {"sep": ";"}, 'give its separator, sep=","'),
        ("a, a ,c\n1,2,x\n", {}, r"some\.csv: column 'a' stands twice in the header"),
        ("a,c\nfirst,1,x\n", {}, r"longer than its header; skiprows=1 .* index_col=0"),
    ],
)
def test_a_csv_file_that_is_no_data_set(tmp_path, text, options, message):
    with pytest.raises(ValueError, match=message) as error:
        csv(tmp_path, text, **options)
    assert ("separator" in str(error.value)) == ("separator" in message)


TRUTHS = 'x,y\ntrue,a\nTRUE ,b\n" False",a\n'
ZIPS = "zip , x,y\n00420,1,a\n 1,2,b\n00420 ,3,a\n"
GAPPY = 'x,t,y\nNA ,NA ,a\n" ? ", " ",b\n3, NaN,a\n4,w,b\n'
COMMAS = {"sep": ";", "decimal": ",", "thousands": ".", "na_values": ["n/a"]}


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        (TRUTHS + "true,b\n", {}, {"x": ["true", "TRUE", "False", "true"]}),
        (TRUTHS + "maybe,b\n", {}, {"x": ["true", "TRUE", "False", "maybe"]}),
        (GAPPY, {}, {"x": [None, None, 3, 4], "t": [None, None, None, "w"]}),
        ("x,y\n99999999999999999999,a\n-1,b\n1e-400,b\n", {}, {"x": [1e20, -1, 0]}),
        (ZIPS, {"dtype": {"zip": "category"}}, {"zip": ["00420", "1", "00420"], "x": [1, 2, 3]}),
        ("x,y\n1,true\n2,false\n", {"dtype": {"y": "category"}}, {"y": ["true", "false"]}),
        ("x;t;y\n1.234,5;n/a;ja\n2,5;é;nein\n", COMMAS, {"x": [1234.5, 2.5], "t": [None, "é"]}),
        ("x,y\n1,1.0\n2,2\n", {}, {"y": [1, 2]}),
        ("x,y\n1,TRUE\n2,false\n", {}, {"y": [True, False]}),
        ("x,y\n1,01\n2,x\n", {}, {"y": ["01", "x"]}),
    ],
)
def test_values_are_what_is_written(tmp_path, text, options, expected):
    for frame in both(tmp_path, text, **options):
        for name, column in expected.items():
            found = values(frame, name)
            assert found == column
            assert name != "y" or type(found[0]) is type(column[0])


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_packed_files_that_are_damaged(tmp_path, ending):
    text = "x,y\n" + "".join(f"{k * k % 701},{'ab'[k % 3 == 0]}\n" for k in range(500))
    path = packed(tmp_path / "t.csv", text.encode(), ending)
    whole = path.read_bytes()
    assert rt.read_csv(path).name == "t"
    for damaged in (whole[: len(whole) // 2], b"x,y\n1,a\n2,b\n"):
        path.write_bytes(damaged)
        for read in (rt.read_csv, rt.scan):
            with pytest.raises(ValueError, match=rf"^t\.csv\{ending} .*cannot be unpacked"):
                read(path, "y")


def test_a_file_in_another_encoding_is_told(tmp_path):
    path, match = tmp_path / "a.csv", r"^a\.csv is not UTF-8: name its encoding= \("
    path.write_bytes("Größe,y\n1,a\n2,b\n".encode("latin-1"))
    for read in (rt.read_csv, rt.scan):
        with pytest.raises(ValueError, match=match):
            read(path, "y")
    lines = "".join(f"{k},{'ab'[k % 2]}\n" for k in range(200_000))
    path.write_bytes(f"x,y\n{lines}1,é\n".encode("latin-1"))
    with pytest.raises(ValueError, match=match):
        rt.DecisionTree().fit(rt.scan(path, "y"))


def test_a_column_whose_first_values_are_all_missing(monkeypatch, tmp_path):
    monkeypatch.setattr(CSV_FILES, "HEAD", 3)
    for frame in both(tmp_path, "x,t,n,,y\n" + ",,,,a\n" * 4 + ",w,7,,b\n,,8,,a\n"):
        assert values(frame, "t") == [None] * 4 + ["w", None]
        assert values(frame, "n") == [None] * 4 + [7, 8]
        assert list(frame) == ["x", "t", "n", "y"]
    for frame in both(tmp_path, "x,,y\n" + "1,,a\n" * 4 + "2,9,b\n"):
        assert values(frame, "Unnamed: 1") == [None] * 4 + [9]


@pytest.mark.parametrize(
    ("cells", "column", "odd", "of"),
    [
        (["1", "2", "3", "many"], "x", "many", "numbers"),
        (["1", "2", "3", "true"], "x", "(?i:true)", "numbers"),
        (["1", "1", "2", "x"], "y", "x", "numbers"),
        (["true", "False", "TRUE", "1"], "y", "1", "truth"),
    ],
)
def test_a_value_of_another_kind_far_down_is_refused(monkeypatch, tmp_path, cells, column, odd, of):
    monkeypatch.setattr(CSV_FILES, "HEAD", 3)
    path, other = tmp_path / "a.csv", "xy".replace(column, "")
    path.write_text(f"{column},{other}\n" + "".join(f"{c},{k}\n" for k, c in enumerate(cells)))
    match = rf"^a\.csv: column '{column}' holds '{odd}' in data row 4, and nothing but {of}"
    with batches_of(2), pytest.raises(ValueError, match=match):
        rt.DecisionTree().fit(rt.scan(path, "y"))
    with batches_of(2):
        scan = rt.scan(path, "y", dtype={column: "category"})
        assert values(scan.sample(9).frame, column) == cells
