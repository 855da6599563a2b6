"""One reading of CSV files: what `rt.read_csv` reads whole, `rt.scan` reads in batches."""

import gzip
import re
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from scale_cases import assert_same_model, batches_of, quiet

import ranktrees as rt

CSV_FILES = import_module("ranktrees.reading.csv_files")
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
    """The text of a random table of n rows, the names of its columns and its class."""
    names = rng.permutation(NAMES)[: rng.integers(2, 6)].tolist()
    kinds = rng.choice([*CELLS], len(names))
    target = int(rng.integers(len(names)))
    kinds[target] = rng.choice(["whole", "zeros", "flags", "words", "dates"])
    gaps = rng.choice([0, 0.2], len(names))
    gaps[target] = 0
    rows = [
        [
            rng.choice(CELLS[k] if rng.random() >= g else GAPS)
            for k, g in zip(kinds, gaps, strict=True)
        ]
        for _ in range(n)
    ]
    lines = [sep.join(written(cell, sep, rng) for cell in row) for row in [names, *rows]]
    if rng.random() < 0.2:
        lines.insert(int(rng.integers(1, n)), "")
    if rng.random() < 0.1:
        lines = [line + sep for line in lines]
    end = rng.choice(["\n", "\r\n"])
    return end.join(lines) + end * int(rng.integers(2)), names[target].strip()


def write(path, text, rng, encoding):
    """Write a text, packed or not, with or without a mark of its encoding; the file's path."""
    raw = text.encode(encoding)
    if encoding == "utf-8" and rng.random() < 0.3:
        raw = b"\xef\xbb\xbf" + raw
    ending = rng.choice(["", ".gz", ".zst"])
    path = path.with_name(path.name + ending)
    if ending == ".zst":
        with pyarrow.output_stream(path, compression="zstd") as file:
            file.write(raw)
    else:
        path.write_bytes(gzip.compress(raw) if ending else raw)
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


@pytest.mark.parametrize("seed", range(200))
def test_files_are_read_alike_whole_and_in_batches(seed, tmp_path):
    rng = np.random.default_rng(seed)
    sep, encoding = rng.choice([",", ";", "\t", "|"]), rng.choice(["utf-8", "latin-1"])
    text, target = text_of(rng, sep, int(rng.integers(3, 40)))
    path = write(tmp_path / "a.csv", text, rng, encoding)
    options = {"sep": sep, "encoding": encoding, "decimal": rng.choice([".", ","])}
    whole = outcome(lambda: rt.read_csv(path, target, **options))
    with batches_of(int(rng.integers(1, 20))):
        in_batches = outcome(lambda: rt.scan(path, target, **options).sample(1000))
    assert in_batches == whole or (isinstance(whole, str) and isinstance(in_batches, str))


def test_most_of_these_files_are_read(tmp_path):
    refused = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        text, target = text_of(rng, ",", 20)
        path = write(tmp_path / f"{seed}.csv", text, rng, "utf-8")
        refused += isinstance(outcome(lambda at=path, y=target: rt.read_csv(at, y)), str)
    assert refused < 10


@pytest.fixture
def both(tmp_path):
    """A function that writes a file and reads it in both ways: frames with the class last."""

    def read(text, target="y", encoding="utf-8", rows=2, **options):
        path = tmp_path / "a.csv"
        path.write_bytes(text.encode(encoding))
        whole = rt.read_csv(path, target, **options)
        with batches_of(rows):
            some = rt.scan(path, target, **options).sample(10**6)
        assert some.y.tolist() == whole.y.tolist()
        return whole.frame, some.frame

    return read


def values(frame, name):
    """The values of a column, None where one is missing."""
    return [None if pd.isna(value) else value for value in frame[name].tolist()]


def test_text_is_what_is_written_whatever_other_rows_hold(both):
    for last in ("true", "maybe"):
        for frame in both(f'x,y\ntrue,a\nTRUE ,b\n" False",a\n{last},b\n'):
            assert values(frame, "x") == ["true", "TRUE", "False", last]


def test_blanks_around_a_mark_of_a_missing_value_do_not_count(both):
    for frame in both('x,t,y\nNA ,NA ,a\n" ? ", " ",b\n3, NaN,a\n4,w,b\n'):
        assert values(frame, "x") == [None, None, 3, 4]
        assert values(frame, "t") == [None, None, None, "w"]


def test_numbers_of_any_size_are_numbers(both):
    for frame in both("x,y\n99999999999999999999,a\n-1,b\n18446744073709551615,a\n1e-400,b\n"):
        assert values(frame, "x") == [1e20, -1, 2.0**64, 0]


def test_names_that_are_digits_stay_what_they_are_where_that_is_asked_for(both):
    text = "zip , x,y\n00420,1,a\n 1,2,b\n00420 ,3,a\n"
    for frame in both(text, dtype={"zip": "category"}):
        assert values(frame, "zip") == ["00420", "1", "00420"]
        assert values(frame, "x") == [1, 2, 3]
    for frame in both(text, dtype="str"):
        assert values(frame, "x") == ["1", "2", "3"]
    for frame in both("x,y\n1,true\n2,false\n", dtype={"y": "category"}):
        assert values(frame, "y") == ["true", "false"]


def test_other_options_are_alike(both):
    text = "x;t;y\n1.234,5;n/a;ja\n2,5;é;nein\n"
    how = {"sep": ";", "decimal": ",", "thousands": ".", "na_values": ["n/a"]}
    for frame in both(text, **how):
        assert values(frame, "x") == [1234.5, 2.5]
        assert values(frame, "t") == [None, "é"]
    for frame in both("x;d;y\n1.234;1.2.2024;ja\n2;12.3.2024;nein\n", **how):
        assert values(frame, "x") == [1234, 2]
        assert values(frame, "d") == ["1.2.2024", "12.3.2024"]  # no number, and no three digits


def test_a_class_is_of_the_same_labels(both):
    for text, labels in [("1.0,2", [1, 2]), ("TRUE,false", [True, False]), ("01,x", ["01", "x"])]:
        one, other = text.split(",")
        for frame in both(f"x,y\n1,{one}\n2,{other}\n3,{one}\n"):
            found = frame["y"].tolist()
            assert found == [labels[0], labels[1], labels[0]]
            assert type(found[0]) is type(labels[0])


def test_packed_files(tmp_path):
    text = "x,y\n" + "".join(f"{k % 7},{'ab'[k % 3 == 0]}\n" for k in range(500))
    (tmp_path / "t.csv").write_text(text)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text.encode()))
    with pyarrow.output_stream(tmp_path / "t.csv.zst", compression="zstd") as file:
        file.write(text.encode())
    plain = rt.read_csv(tmp_path / "t.csv")
    model = rt.DecisionTree().fit(plain.X, plain.y)
    for ending in (".gz", ".zst"):
        packed = rt.read_csv(tmp_path / f"t.csv{ending}")
        assert packed.name == "t"
        pd.testing.assert_frame_equal(packed.frame, plain.frame)
        scan = rt.scan(tmp_path / f"t.csv{ending}", "y")
        assert_same_model(rt.DecisionTree().fit(scan), model)
    assert len(rt.scan(tmp_path, "y").files) == 3
    whole = (tmp_path / "t.csv.gz").read_bytes(), (tmp_path / "t.csv.zst").read_bytes()
    for ending, raw in zip((".gz", ".zst"), whole, strict=True):
        for damaged in (raw[: len(raw) // 2], b"x,y\n1,a\n2,b\n"):
            path = tmp_path / f"bad.csv{ending}"
            path.write_bytes(damaged)
            for read in (rt.read_csv, lambda path: rt.scan(path, "y")):
                with pytest.raises(ValueError, match=rf"^bad\.csv\{ending} .*cannot be unpacked"):
                    read(path)


def test_a_file_in_another_encoding_is_told(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("Größe,y\n1,a\n2,b\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r"^a\.csv is not UTF-8: name its encoding= \("):
        rt.scan(path, "y")
    assert rt.scan(path, "y", encoding="latin-1").names == ["Größe"]
    lines = "".join(f"{k},{'ab'[k % 2]}\n" for k in range(200_000))
    path.write_bytes(f"x,y\n{lines}1,é\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r"^a\.csv is not UTF-8: name its encoding= \("):
        rt.DecisionTree().fit(rt.scan(path, "y"))


def test_another_separator_is_told(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x;y\n1;a\n2;b\n")
    with pytest.raises(ValueError, match='give its separator, sep=";"'):
        rt.scan(path, "y")


def test_options_that_a_scan_does_not_take(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n1,a\n2,b\n")
    with pytest.raises(TypeError, match="a scan has no option 'skiprows': it takes sep, encoding"):
        rt.scan(path, "y", skiprows=1)
    with pytest.raises(ValueError, match=r"a\.csv has no column 'z'; known: x, y"):
        rt.scan(path, "y", dtype={"z": "category"})
    pd.read_csv(path).to_parquet(tmp_path / "a.parquet")
    with pytest.raises(TypeError, match="sep is an option of CSV files, but these are Parquet"):
        rt.scan(tmp_path / "a.parquet", "y", sep=";")
    for target in (["y"], None, 1):
        with pytest.raises(TypeError, match="target names the column of the class, a text, not "):
            rt.scan(path, target)


def test_rows_that_end_early_are_told_once(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("y,x,t,\na,1,w\nb,2\n\na,3,\nb,,v\n")
    match = r"^a\.csv: 1 of 4 rows are shorter than the header, the first in data row 2: what"
    with pytest.warns(UserWarning, match=match):
        whole = rt.read_csv(path, "y")
    with pytest.warns(UserWarning, match=match) as given:
        scan = rt.scan(path, "y")
    some = scan.sample(9)
    assert values(whole.frame, "t") == values(some.frame, "t") == ["w", None, None, "v"]
    list(scan.frames())
    assert [w.filename for w in given] == [__file__]


@pytest.fixture
def short_heads(monkeypatch):
    """Files whose kinds of columns show in three rows, if not in all."""
    monkeypatch.setattr(CSV_FILES, "HEAD", 3)


def test_a_column_whose_first_values_are_all_missing(short_heads, both):
    for frame in both("x,t,n,,y\n" + ",,,,a\n" * 4 + ",w,7,,b\n,,8,,a\n"):
        assert values(frame, "t") == [None] * 4 + ["w", None]
        assert values(frame, "n") == [None] * 4 + [7, 8]
        assert frame["x"].isna().all()
        assert list(frame) == ["x", "t", "n", "y"]
    for frame in both("x,,y\n" + "1,,a\n" * 4 + "2,9,b\n"):
        assert values(frame, "Unnamed: 1") == [None] * 4 + [9]


@pytest.mark.parametrize(
    ("cells", "of", "row"),
    [
        (["1", "2", "3", "4", "many", "6"], "numbers", 5),
        (["1", "2", "3", "true", "true", "6"], "numbers", 4),
    ],
)
def test_a_value_of_another_kind_far_down_is_refused(short_heads, tmp_path, cells, of, row):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n" + "".join(f"{c},{'ab'[k % 2]}\n" for k, c in enumerate(cells)))
    value = f"'(?i:{cells[row - 1]})'"
    match = rf"^a\.csv: column 'x' holds {value} in data row {row}, and nothing but {of}"
    with batches_of(2), pytest.raises(ValueError, match=match):
        rt.DecisionTree().fit(rt.scan(path, "y"))
    with batches_of(2):
        scan = rt.scan(path, "y", dtype={"x": "category"})
        assert values(scan.sample(9).frame, "x") == cells


def test_a_class_of_another_kind_far_down_is_refused(short_heads, tmp_path):
    path = tmp_path / "a.csv"
    for cells, odd, of in [
        ("112x", "x", "numbers"),
        (["true", "False", "TRUE", "1"], "1", "truth"),
    ]:
        path.write_text("x,y\n" + "".join(f"{k},{cell}\n" for k, cell in enumerate(cells)))
        match = rf"^a\.csv: column 'y' holds '{odd}' in data row 4, and nothing but {of}"
        with batches_of(2), pytest.raises(ValueError, match=re.compile(match)):
            rt.DecisionTree().fit(rt.scan(path, "y"))


def test_a_number_of_too_many_digits_is_infinite_and_refused(tmp_path):
    path = tmp_path / "digits.csv"
    for digits, message in [(25, None), (332, "column 'b' is infinite in data row 1")]:
        path.write_text(f"class,a,b\nx,1,{'9' * digits}\ny,2,3\n")
        if message is None:
            assert rt.read_csv(path, "class").X["b"].tolist() == [1e25, 3]
        else:
            with pytest.raises(ValueError, match=message):
                rt.read_csv(path, "class")
