"""Values that options declare missing: by column and in a list, in each reader alike."""

import numpy as np
import pandas as pd
import pytest
from scale_cases import quiet

import ranktrees as rt

AGES = [999 if k % 3 == 0 else 20 + k * 7 % 31 for k in range(30)]
FRAME = pd.DataFrame({"age": AGES, "part": [k % 4 * 0.5 for k in range(30)]})
FRAME["word"] = [str(k % 3) for k in range(30)]
FRAME["code"] = [(0, 9)[k % 5 == 0] for k in range(30)]
ARFF = "@relation r\n@attribute age numeric\n@attribute part numeric\n@attribute word {0,1,2}\n"
ARFF += "@attribute code {0,9}\n@data\n"


def in_csv(path, **options):
    """The attributes of a CSV file that is read whole."""
    FRAME.to_csv(path / "a.csv", index=False)
    return quiet(rt.read_csv, path / "a.csv", "code", **options).X


def in_batches(path, **options):
    """The attributes of a CSV file that is read in batches."""
    FRAME.to_csv(path / "a.csv", index=False)
    return quiet(rt.scan, path / "a.csv", "code", **options).sample(99).X


def in_arff(path, **options):
    """The attributes of an ARFF file."""
    (path / "a.arff").write_text(ARFF + FRAME.to_csv(index=False, header=False))
    return quiet(rt.read_arff, path / "a.arff", "code", **options).X


READERS = [in_csv, in_batches, in_arff]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    ("marks", "gaps"),
    [
        ({"age": [999]}, {"age": 10}),
        ({"age": 999.0}, {"age": 10}),
        ({"age": "999"}, {"age": 10}),
        ({"age": ["999.0"], "part": [0.5]}, {"age": 10, "part": 8}),
        ({"age": np.array([999])}, {"age": 10}),
        ([999, 0.5], {"age": 10, "part": 8}),
        ({"age": [999], None: [1.0]}, {"age": 10, "part": 7, "word": 10}),
        (["2"], {"word": 10}),
        ({"word": [2.0]}, {"word": 10}),
        ({"word": [999]}, {}),
    ],
)
def test_a_value_is_missing_wherever_the_option_says_so(read, marks, gaps, tmp_path):
    found = read(tmp_path, na_values=marks).isna().sum()
    assert found[found > 0].to_dict() == gaps


@pytest.mark.parametrize("read", READERS)
def test_a_name_that_is_no_column_is_refused(read, tmp_path):
    with pytest.raises(ValueError, match="has no column 'aeg'; nearest: age"):
        read(tmp_path, na_values={"aeg": [999]})


@pytest.mark.parametrize("reader", [rt.read_csv, rt.read_arff])
def test_a_code_of_the_class_is_missing(reader, tmp_path):
    in_csv(tmp_path)
    in_arff(tmp_path)
    path = tmp_path / ("a.csv" if reader is rt.read_csv else "a.arff")
    with pytest.raises(ValueError, match="the class 'code' is missing in 6 of 30 rows"):
        reader(path, "code", na_values={"code": [9]})
    data = quiet(reader, path, "code", missing_class="drop", na_values={"code": [9]})
    assert [str(label) for label in data.y.categories] == ["0"]
    assert len(data) == 24


def test_marks_are_compared_with_numbers_as_options_read_them(tmp_path):
    text = "x,y\n" + "\n".join(f"{v},{'ab'[k % 2]}" for k, v in enumerate(["$1'999", "$12", "999"]))
    (tmp_path / "a.csv").write_text(text)
    how = {"numbers": ["x"], "thousands": "'", "na_values": {"x": [999, 1999]}}
    assert quiet(rt.read_csv, tmp_path / "a.csv", **how).X["x"].isna().tolist() == [1, 0, 1]
