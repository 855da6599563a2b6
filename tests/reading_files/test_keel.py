"""KEEL's files, and types of attributes that are asked for, in `rt.read_arff`."""

import re

import pandas as pd
import pytest

import ranktrees as rt

HEAD = """@relation  paint
@attribute colour{yellow, white, black}
@attribute amount integer[1, 10]
@attribute density real [0.1, 2.5]
"""
ROWS = "yellow, 4, 1.5\nblack, <null>, 2\n<null>,8, ?\n"
TYPES = """@relation r
@attribute a real
@attribute g {1,2,3}
@attribute s string
@attribute c numeric
@data
1,1,5,0
2.0,2,6,1
{0 3, 2 7, 3 1}
"""


@pytest.fixture
def read(tmp_path):
    """A function that reads a file of this text."""

    def read(text, **options):
        (tmp_path / "some.dat").write_text(text)
        return rt.read_arff(tmp_path / "some.dat", **options)

    return read


def columns(data):
    """{name: values} of a data set, None where one is missing."""
    frame = data.frame.astype(object)
    return frame.where(frame.notna(), None).to_dict("list")


COLOUR, AMOUNT = ["yellow", "black", None], [4, None, 8]
ENDS = [  # KEEL's lines, keywords, and what is read
    ("@inputs amount, colour\n@outputs density\n", {"cut": 2, "missing_class": "drop"},
     ["colour", "amount", "density"]),
    ("@inputs amount, density\n@outputs colour\n", {"missing_class": "drop"},
     ["amount", "density", "colour"]),
    ("@input amount\n@output colour\n", {"missing_class": "drop"}, ["amount", "colour"]),
    ("@inputs amount\n@outputs colour\n", {"target": "density", "cut": 2, "missing_class": "drop"},
     ["colour", "amount", "density"]),
    ("@outputs colour\n", {"missing_class": "drop"}, ["amount", "density", "colour"]),
    ("@inputs amount, density\n", {"missing_class": "drop"}, ["amount", "density", "colour"]),
    ("@inputs amount\n@outputs colour, density\n",
     {"target": "colour", "drop": ["density"], "missing_class": "drop"}, ["amount", "colour"]),
    ("", {"target": "colour", "missing_class": "drop"}, ["amount", "density", "colour"]),
]  # fmt: skip


@pytest.mark.parametrize(("ends", "how", "names"), ENDS)
@pytest.mark.filterwarnings("ignore:some.dat")
def test_inputs_outputs_ranges_and_gaps_of_keel(read, ends, how, names):
    data = read(f"{HEAD}{ends}@data\n{ROWS}", **how)
    assert (data.name, list(data.frame), data.target) == ("paint", names, names[-1])
    got, rows = columns(data), 3 if "cut" not in how and data.target != "colour" else 2
    for name, values in (("colour", COLOUR), ("amount", AMOUNT)):
        assert got.get(name, values[:rows]) == values[:rows]


def test_a_declared_value_is_no_gap(read):
    data = read("@relation r\n@attribute a {u,<null>}\n@attribute c {x,y}\n@data\n<null>,x\nu,y\n")
    assert data.X["a"].tolist() == ["<null>", "u"]


BAD = [
    ("@inputs amont\n", {}, "line 5: @inputs names 'amont', which no @attribute declares above it"),
    ("@inputs amount\n@outputs colour, density\n", {}, "has 2 outputs, 'colour', 'density': target"
     "='colour' with drop=['density'] makes one of them the class"),
    ("@outputs colour, density\n", {"target": "density"}, "drop=['colour'] makes one of them"),
    ("@outputs density\n", {}, "the class 'density' is not nominal; name another target, or cut=3"),
]  # fmt: skip


@pytest.mark.parametrize(("ends", "how", "words"), BAD)
def test_what_cannot_be_read_names_the_remedy(read, ends, how, words):
    with pytest.raises(ValueError, match=rf"^some\.dat.*{re.escape(words)}"):
        read(f"{HEAD}{ends}@data\n{ROWS}", **how)


PLAIN = {"a": [1, 2, 3], "g": ["1", "2", "1"], "s": ["5", "6", "7"], "c": [0, 1, 1]}
ASKED = [
    ({}, {}),
    ({"a": "category"}, {"a": ["1", "2.0", "3"]}),
    ({"g": float, "s": "int"}, {"g": [1, 2, 1], "s": [5, 6, 7]}),
    ("category", {"a": ["1", "2.0", "3"], "c": ["0", "1", "1"]}),
    ({"c": "str"}, {"c": ["0", "1", "1"]}),
]


@pytest.mark.parametrize(("types", "differs"), ASKED)
def test_types_that_are_asked_for(read, types, differs):
    data = read(TYPES, dtype=types)
    assert columns(data) == PLAIN | differs
    for name in "ags":
        is_text = isinstance((differs.get(name) or PLAIN[name])[0], str)
        assert is_text == (not pd.api.types.is_numeric_dtype(data.X[name])), name
    sevens = TYPES.replace("{0 3, 2 7", "{0 7, 2 q")
    with pytest.raises(ValueError, match=r"column 's' holds 'q' in data row 3.*dtype=\{'s': \"cat"):
        read(sevens, dtype={"s": float})
    for wrong, error, words in [
        ({"a": "datetime64[ns]"}, TypeError, "dtype={'a': 'datetime64[ns]'}: give \"category\""),
        ({"a": bool}, TypeError, 'give "category" or float there'),
        ({"q": float}, ValueError, "some.dat has no column 'q'"),
    ]:
        with pytest.raises(error, match=re.escape(words)):
            read(TYPES, dtype=wrong)


def test_a_class_that_is_declared_numeric(read):
    data = read(TYPES)
    assert data.y.tolist() == [0, 1, 1]
    many = TYPES + "".join(f"1,1,5,{k}\n" for k in range(2, 12))
    for text in (many, TYPES + "1,1,5,0.5\n"):
        with pytest.raises(ValueError, match="the class 'c' is not nominal"):
            read(text)
