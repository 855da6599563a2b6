"""The files of C4.5: golf.names and golf.data, what they may hold, what is refused and how."""

import re

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt

NAMES = """| Whether golf is played, as the weather is

Play, Don't Play.	| the classes

outlook:      sunny, overcast, rain.
temperature:  continuous.
humidity:     continuous.   | in per cent
windy:        true, false
"""
DATA = """sunny, 85, 85, false, Don't Play
sunny, 80, 90, true, Don't Play
overcast, 83, 78, false, Play
rain, 70, 96, false, Play
rain, 68, 80, false, Play
rain, 65, 70, true, Don't Play
overcast, 64, 65, true, Play
sunny, 72, 95, false, Don't Play
sunny, 69, 70, false, Play
rain, 75, 80, false, Play
sunny, 75, 70, true, Play
overcast, 72, 90, true, Play
overcast, 81, 75, false, Play
rain, 71, 80, true, Don't Play
"""
TREE = """outlook = sunny
|   humidity <= 75: Play (2)
|   humidity > 75: Don't Play (3)
outlook = overcast: Play (4)
outlook = rain
|   windy = true: Don't Play (2)
|   windy = false: Play (3)"""


@pytest.fixture
def golf(tmp_path):
    """A function that writes golf.names, golf.data and others, and reads them."""

    def read(names=NAMES, data=DATA, path="golf", how=None, **others):
        for ending, text in {"names": names, "data": data, **others}.items():
            raw = text if isinstance(text, bytes) else text.encode()
            (tmp_path / f"golf.{ending}").write_bytes(raw)
        return rt.read_c45(tmp_path / path, **(how or {}))

    return read


def values(column):
    """The values of a column, None where one is missing."""
    return [None if pd.isna(value) else value for value in column]


def test_the_course_s_first_data_set(golf):
    data = golf()
    assert repr(data) == (
        "<Dataset golf: 14 cases, 4 attributes (2 nominal, 2 numeric), 2 classes>"
    )
    assert (data.source, data.target, data.doubts) == ("golf.data", "class", ())
    assert data.y.categories.tolist() == ["Play", "Don't Play"], "as they are declared"
    assert data.X["outlook"].cat.categories.tolist() == ["sunny", "overcast", "rain"]
    assert data.X["humidity"].tolist()[:3] == [85, 90, 78]
    model = rt.C45(numeric="thresholds").fit(data.X, data.y)
    assert model.tree_.to_text() == TREE, "as in Quinlan's book"
    for path in ("golf.names", "golf.data"):
        pd.testing.assert_frame_equal(golf(path=path).frame, data.frame)


def test_the_test_file_has_the_classes_and_values_of_the_names(golf):
    test = "|1x3 Cross validator\nrain, 70, 90, true, Don't Play.\n?, ?, 90, ?, Play.\n"
    for where in ({"how": {"test": True}}, {"path": "golf.test"}):
        data = golf(test=test, **where)
        assert data.source == "golf.test"
        assert data.y.tolist() == ["Don't Play", "Play"]
        assert values(data.X["outlook"]) == ["rain", None]
        assert values(data.X["temperature"]) == [70, None]
        assert data.X["outlook"].cat.categories.tolist() == ["sunny", "overcast", "rain"]


C = "a, b.\n"
WAYS = [  # names, data, the columns
    (C + r"x\:1\, y: p\,q, \., \\, r\|s, \?." + "\n",
     "p\\,q,a\n\\.,a\n\\\\,b\nr\\|s,a\n\\?,b\n?,a\n",
     {"x:1, y": ["p,q", ".", "\\", "r|s", "?", None], "class": ["a", "a", "b", "a", "b", "a"]}),
    ("a  c,\n b.\nx   y: p   q,\n  r\ns.t: continuous\n", "p q , 1.5, a c.\nr,.5.|note\n\n",
     ValueError),
    ("a  c,\n b.\nx   y: p   q,\n  r\ns.t: continuous\n", "p \t q , 1.5, a   c.\nr,.5, b.|7\n\n",
     {"x y": ["p q", "r"], "s.t": [1.5, 0.5], "class": ["a c", "b"]}),
    (C + "i: ignore.\nx: discrete 3.\n", "1,u,a\n2,\n w,b\n| all\n3,?,a\n",
     {"x": ["u", "w", None], "class": ["a", "b", "a"]}),
    (C + "t: u, 12:30.\n", "12:30,a\nu,b\n", {"t": ["12:30", "u"], "class": ["a", "b"]}),
    ("c. | the attribute with the classes\nc: a, b.\nn: continuous.\n", "a,1.\nb,-2e3\n",
     {"n": [1, -2000], "c": ["a", "b"]}),
    (C + "x: [ordered] low, mid, high.\n", "mid,a\nlow,b\n",
     {"x": ["mid", "low"], "class": ["a", "b"]}),
]  # fmt: skip


@pytest.mark.parametrize(("names", "data", "columns"), WAYS)
@pytest.mark.filterwarnings("ignore:golf.data")
def test_names_as_they_may_be_written(golf, names, data, columns):
    names = names.replace(r"12:30", r"12\:30")
    if columns is ValueError:
        with pytest.raises(ValueError, match=r"golf\.data, line 2: 2 values, but golf\.names decl"):
            golf(names, data)
        return
    for end in ("\n", "\r\n"):
        frame = golf(names.replace("\n", end), data.replace("\n", end)).frame
        assert {name: values(frame[name]) for name in frame} == columns
    assert golf(names.encode("latin-1"), data).X.shape[1] == len(columns) - 1
    if "[ordered]" in names:
        assert frame["x"].cat.ordered
        assert frame["x"].cat.categories.tolist() == ["low", "mid", "high"]


LATER = "x: continuous.\n"
BAD_NAMES = [
    ("", 1, "the file is empty: its first entry names the classes"),
    ("age: 12, 19.\nage: continuous.\n", 1, "cannot be 'age' with a colon (C5.0 cuts a number"),
    (C + "x continuous.\n", 2, "'x continuous' needs a colon and its kind"),
    (C + "x: p.\n", 2, "attribute 'x' is 'p': give continuous, discrete n, ignore, or two values"),
    (C + "\n| note\nx: p,, q.\n", 4, "attribute 'x' has an empty value"),
    (C + LATER + LATER, 3, "attribute 'x' is declared twice"),
    (C + "x: discrete.\n", 2, "discrete needs a number of 2 or more values"),
    (C + "x: discrete 1.\n", 2, "discrete needs a number of 2 or more values"),
    (C + "x: ignore.\n", 1, "there is no attribute to learn from"),
    ("c.\nx: continuous.\n", 1, "the first entry is the single name 'c': it must be two classes"),
    ("c.\nc: continuous.\nx: p, q.\n", 1, "or the attribute with the classes as its values"),
    (C + "d: date.\n" + LATER, 2, "'d' is of the kind date, which C5.0 has and C4.5 has not: drop"),
    (C + LATER + "d: timestamp.\n", 3, "drop=['d'] leaves it out, or turn it into numbers"),
    (C + "d: time.\n" + LATER, 2, "of the kind time"),
    (C + "id: label.\n" + LATER, 2, "'id' is of the kind label, which C5.0 has"),
    (C + LATER + "case weight: continuous.\n", 3, "give its numbers to fit as sample_weight"),
    (C + LATER + 'r := x / 2, "u". | note\n', 3, "'r' is a formula, which C5.0 has"),
    (C + LATER + "attributes excluded: x.\n", 3, "'attributes excluded' of C5.0 is not read: rem"),
    ("1. Title: Golf\n\n2. Sources:\n", 1, 'rt.read_csv("golf.data", header=None) reads the cases'),
]  # fmt: skip


@pytest.mark.parametrize(("names", "line", "words"), BAD_NAMES)
def test_names_that_cannot_be_read_say_line_and_remedy(golf, names, line, words):
    with pytest.raises(ValueError, match=rf"^golf\.names, line {line}: .*{re.escape(words)}"):
        golf(names, "1,a\n2,b\n")


@pytest.mark.parametrize("kind", ["date", "label", "continuous"])
def test_what_only_c5_has_is_left_out_when_that_is_asked_for(golf, kind):
    name = "case weight" if kind == "continuous" else "d"
    names = f"{C}{name}: {kind}.\nr := n * 0.5.\nn: continuous.\n"
    data = golf(names, "7,1,a\n8,2,b\n", how={"drop": [name, "r"]})
    assert data.frame.to_dict("list") == {"n": [1, 2], "class": ["a", "b"]}


BAD_DATA = [
    ("sunny, 85, 85, Play\n", {}, 1, "4 values, but golf.names declares 5 with the class: outlook"),
    (DATA + "fog, 1, 1, true, Play\n", {}, 15, "'outlook' does not declare 'fog', only 'sunny'"),
    ("| cases\nrain, x, 1, true, Play\n", {}, 2, "attribute 'temperature': 'x' is not a number"),
    ("rain, 1e999, 1, true, Play\n", {}, 1, "'1e999' is not finite"),
    ("rain, 1, , true, Play\n", {}, 1, "'humidity' is empty: a missing value is written ?"),
    ("rain, 1, 2, true, Maybe\n", {}, 1, "'class' does not declare 'Maybe', only 'Play'"),
    ("rain, 1, 2, true, Play\n?, 1, 1, true, ?\n", {}, 2, "the class 'class' is missing in 1 of 2"),
]


@pytest.mark.parametrize(("data", "how", "line", "words"), BAD_DATA)
def test_cases_that_cannot_be_read_say_line_and_remedy(golf, data, how, line, words):
    with pytest.raises(ValueError, match=rf"^golf\.data, line {line}: .*{re.escape(words)}"):
        golf(data=data, how=how)


@pytest.mark.filterwarnings("ignore:golf.data")
def test_the_remedies_that_messages_name(golf):
    data = "rain, N/A, , true, Play\nsunny, 2, 3, false, ?\nsunny, 2, 3, N/A, Don't Play\n"
    read = golf(data=data, how={"na_values": ["N/A", ""], "missing_class": "drop"})
    assert read.y.tolist() == ["Play", "Don't Play"]
    np.testing.assert_array_equal(read.X["temperature"], [np.nan, 2])
    np.testing.assert_array_equal(read.X["humidity"], [np.nan, 3])
    assert values(read.X["windy"]) == ["true", None]
    with pytest.raises(ValueError, match=r"golf\.data, line 1: attribute 'temperature': 'N/A'"):
        golf(data=data, how={"na_values": {"windy": ["N/A"]}})
    with pytest.raises(
        ValueError, match=r"^golf\.names has no attribute 'day' to drop; nearest: windy"
    ):
        golf(how={"drop": ["day"]})
    assert list(golf(how={"drop": ["windy"]}).X) == ["outlook", "temperature", "humidity"]


def test_costs_and_files_that_are_not_there(golf, tmp_path):
    costs = r"golf\.costs: trees here do not learn from costs.*least_cost_class.*costs=\"ignore\""
    with pytest.raises(ValueError, match=costs):
        golf(costs="Play, Don't Play: 5\n")
    with pytest.raises(ValueError, match=costs):
        golf(path="golf.costs", how={"costs": "ignore"})
    assert len(golf(how={"costs": "ignore"})) == 14
    with pytest.raises(FileNotFoundError, match=r"golf\.test': rt\.read_c45 reads golf\.names and"):
        golf(how={"test": True, "costs": "ignore"})
    (tmp_path / "golf.names").unlink()
    with pytest.raises(FileNotFoundError, match=r'rt\.read_csv\("golf\.data", header=None\) needs'):
        rt.read_c45(tmp_path / "golf", costs="ignore")
    for error, words, how in [
        (ValueError, r"golf\.data has no cases", {"data": "| none\n\n"}),
        (ValueError, "'x' has 3 values, but golf.names declares discrete 2",
         {"names": C + "x: discrete 2.\n", "data": "u,a\nv,b\nw,a\n"}),
        (TypeError, "read_c45 has no argument 'sep': it takes drop, na_values",
         {"how": {"sep": ";", "costs": "ignore"}}),
        (TypeError, "test must be True or False", {"how": {"test": "golf.test"}}),
    ]:  # fmt: skip
        with pytest.raises(error, match=words):
            golf(**{"how": {"costs": "ignore"}, **how})


def test_a_large_file_is_read_in_time(golf):
    rows = np.random.default_rng(1).integers(9, size=(20_000, 10))
    names = "x, y.\n" + "".join(f"n{i}: continuous.\n" for i in range(10))
    data = golf(
        names, "\n".join(f"{', '.join(map(str, row))}, {'xy'[row[0] % 2]}." for row in rows)
    )
    np.testing.assert_array_equal(data.X, rows)


def test_codes_for_missing_values_are_marked_as_other_readers_mark_them(golf):
    data = DATA.replace("85, 85", "85, -999.0").replace("80, 90", "80, -999")
    read = golf(data=data, how={"na_values": {"humidity": [-999]}})
    assert read.X["humidity"].isna().tolist() == [True, True] + [False] * 12
    with pytest.raises(ValueError, match=r"golf.data has no column 'humid'; nearest: humidity"):
        golf(how={"na_values": {"humid": [-999]}})
