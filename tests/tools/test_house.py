"""The house stays small, its arrows point down, and no phrase of it reads as translated."""

import grimp
import pytest

from tools import house, texts


@pytest.fixture(scope="module")
def arrows():
    return house.arrows()


def test_no_function_is_longer_than_a_screen():
    lengths = {where: n for path in house.files() for where, n in house.functions(path).items()}
    assert {where: n for where, n in lengths.items() if n > house.MOST_IN_FUNCTION} == {}


def test_no_file_is_too_long_and_the_front_stays_small():
    lines = {house.module_of(path): house.lines_of(path) for path in house.files()}
    assert {name: n for name, n in lines.items() if n > house.MOST_LINES} == {}
    front = {n: lines for n, lines in lines.items() if n.partition(".")[0] == house.FRONT}
    assert len(front) > 20
    assert sum(front.values()) <= house.FRONT_LINES


def test_the_front_is_what_is_read_and_nothing_else():
    folder = house.ROOT / house.FRONT
    assert {path.name for path in folder.glob("[!_]*")} == {"README.md", "plain", "py.typed"}
    assert {path.name for path in folder.glob("_*")} - {"__pycache__"} == {
        "__init__.py",
        "__init__.pyi",
        "__main__.py",
    }


def test_a_plain_file_is_read_on_one_screen_or_two():
    paths = [path for path in house.files() if house.room_of(path) == "ranktrees/plain"]
    assert len(paths) > 12
    long = {path.name: n for path in paths if (n := house.lines_of(path)) > house.PLAIN_LINES}
    lengths = {where: n for path in paths for where, n in house.functions(path, False).items()}
    assert long == {}
    assert {where: n for where, n in lengths.items() if n > house.PLAIN_IN_FUNCTION} == {}


def test_arrows_point_down_and_make_no_circle(arrows):
    assert house.upward(arrows) == set()
    assert house.circles(arrows) == set()


def test_the_front_imports_numpy_alone_and_the_engine_what_it_may():
    assert house.impure() == set()


@pytest.mark.long
def test_another_tool_draws_the_same_house(arrows):
    graph = grimp.build_graph(*house.PACKAGES, cache_dir=None)
    asked = {
        (module, target)
        for module in graph.modules
        for target in graph.find_modules_directly_imported_by(module)
    }
    assert len(asked) > 500
    assert asked == arrows


REFUSED = """
What the tree says counts.
`reading`, which has its say
It tells nothing about the class.
The entropy less the weighted mean.
How many leaves has the tree?
Mind what they say.
when a test goes
a file of so many bytes
The sample is drawn anew.
What the model says of a case.
In doubt, prune.
one row a case
That is no probability.
names that lack, and others
higher in the mean, by 1.0
Many classes. Of more than two classes the last.
a step that there is not
missing : as of `DecisionTree`.
the probability of coming there
"""
PLAIN = """
There is no class, and nothing else, of course.
It is None, or there are none.
It is no more than a guess, not so many that it matters.
It costs less the larger n is.
The weighted mean is less than 1.
`what shall be said of` code in $anew$
"""


def test_phrases_are_found_in_sentences_and_plain_words_are_not_refused():
    assert [text for text in REFUSED.strip().splitlines() if not texts.phrases(text)] == []
    assert [text for text in PLAIN.strip().splitlines() if texts.phrases(text)] == []


def test_docstrings_errors_and_warnings_are_read_and_other_strings_are_not(tmp_path):
    path = tmp_path / "a.py"
    path.write_text(
        'def f(x):\n    """Learn\n    anew.\n\n    >>> "anew"\n    """\n    shown = "anew"\n'
        '    warn(f"{shown} was drawn by " "chance")\n    raise ValueError(f"{x} is no number")\n',
        encoding="utf-8",
    )
    found = sorted(line.removeprefix(str(path)) for line in texts.of_code(path))
    assert found == [
        ':1: "anew": say again, or new',
        ':8: "drawn by chance": say at random, or with replacement',
        ':9: "is no": say is not a',
    ]
