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
The order hangs on the scores.
Published numbers are met.
The sample is drawn anew.
What the model says of a case.
It follows up to so many nodes.
That is no probability.
Ties count, as Weka has it.
the probability of coming there
The verdict of a leaf is its majority.
Its leaves agree when a test goes.
Mind what they say.
Chance is about √N cases large.
In doubt, take the smaller tree.
Its sum goes from outside to inside.
An identifier tells nothing about the class.
This is how near it comes.
Say first how many leaves there are.
The picture has A less B.
It asks little for its use.
Which share has the class?
How many answers has a question?
A forest is the dearest.
A true one is not known.
"""
PLAIN = """
There is no class, and nothing else, of course.
It is no more than a guess, not so many that it matters.
It costs less the larger n is, and has what Weka has.
A less certain leaf; a share of what is true; no doubt it tells something about the class.
`what hangs on` code in $anew$
"""


def test_phrases_are_found_in_sentences_and_plain_words_are_not_refused():
    refused = REFUSED.strip().splitlines()
    assert [text for text in refused if not texts.phrases(text)] == []
    assert len({texts.phrases(text)[0].rpartition(":")[2] for text in refused}) == len(texts.SAY)
    assert [text for text in PLAIN.strip().splitlines() if texts.phrases(text)] == []


def test_docstrings_comments_errors_and_warnings_are_read_and_other_strings_are_not(tmp_path):
    path = tmp_path / "a.py"
    path.write_text(
        'def f(x):\n    """Learn\n    anew.\n\n    >>> "anew"\n    """\n    shown = "anew"\n'
        '    warn(f"{shown} was said of " "chance")\n    raise ValueError(f"{x} is no number")\n'
        "    # anew, whatever\n",
        encoding="utf-8",
    )
    found = sorted(line.removeprefix(str(path)) for line in texts.of_code(path))
    expected = [
        ':10: "anew": say again, or new',
        ':1: "anew": say again, or new',
        ':8: "said of": say about, or for',
        ':9: "is no": say is not a',
    ]
    assert found == expected
    assert sorted(texts.of_code(path, False)) == sorted(f"{path}{e}" for e in expected[1:])


@pytest.mark.parametrize(
    ("source", "first"),
    [
        ('def f():\n    """The number of x."""', "The"),
        ('def f():\n    """Returns x."""', "Returns"),
        ('def f():\n    """P(c | x)."""', "P(c"),
        ('def f():\n    """Set of x."""', "Set"),
        ('def f():\n    """Counts of x."""', "Counts"),
        ('class A:\n    def f(self):\n        """How x is."""', "How"),
        ('def f():\n    """Count x."""', None),
        ('def f():\n    """Cross-validate, in folds."""', None),
        ('def f():\n    """If None,\n\n    >>> x\n    """', "If"),
        ('def _f():\n    """The number of x."""', None),
        ("def f():\n    pass", None),
        ('class A:\n    """A number."""', None),
        ('class A:\n    @cached_property\n    def f(self):\n        """The x."""', None),
    ],
)
def test_a_public_functions_docstring_begins_with_an_imperative_verb(source, first, tmp_path):
    path = tmp_path / "a.py"
    path.write_text(source, encoding="utf-8")
    found = [line.rpartition(": ")[2] for line in texts.of_code(path)]
    expected = [] if first is None else [f'begin with an imperative verb, not "{first}"']
    assert found == expected
    assert texts.of_code(path, False) == []
