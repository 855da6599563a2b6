"""The house stays small: short functions and files, arrows that point down, a plain room."""

import grimp
import pytest

from tools import house


def test_no_function_is_longer_than_a_screen():
    lengths = {where: n for path in house.files() for where, n in house.functions(path).items()}
    assert {where: n for where, n in lengths.items() if n > house.MOST_IN_FUNCTION} == {}


def test_no_file_is_longer_than_three_hundred_lines():
    lines = {house.module_of(path): house.lines_of(path) for path in house.files()}
    assert {name: n for name, n in lines.items() if n > house.MOST_LINES} == {}


def test_no_part_grows_beyond_its_budget_or_what_it_has_now():
    most = house.BUDGETS | house.LARGER
    assert {part: n for part, n in house.sizes().items() if n > most[part]} == {}


def test_a_plain_file_is_read_on_one_screen_or_two():
    paths = [path for path in house.files() if house.room_of(path) == "ranktrees/plain"]
    assert len(paths) > 12
    long = {path.name: n for path in paths if (n := house.lines_of(path)) > house.PLAIN_LINES}
    lengths = {where: n for path in paths for where, n in house.functions(path, False).items()}
    assert long == {}
    assert {where: n for where, n in lengths.items() if n > house.PLAIN_IN_FUNCTION} == {}


def test_imports_make_no_circle():
    assert house.circles(house.arrows()) == set()


def test_arrows_point_down():
    assert house.upward(house.arrows()) == set()


def test_the_methods_are_pure_numpy():
    assert house.impure() == set()


def test_another_tool_draws_the_same_house():
    graph = grimp.build_graph(*house.PACKAGES, cache_dir=None)
    asked = {
        (module, target)
        for module in graph.modules
        for target in graph.find_modules_directly_imported_by(module) - {house.PACKAGE}
    }
    assert len(asked) > 500
    assert house.upward(asked) == house.upward(house.arrows())
    assert house.circles(asked) == house.circles(house.arrows())
    assert asked == house.arrows()


@pytest.fixture
def other(tmp_path, monkeypatch):
    """A house of our own: write(path, text) adds a file."""
    monkeypatch.setattr(house, "ROOT", tmp_path)

    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    return write


def test_a_circle_is_seen_with_what_closes_it(other):
    other("ranktrees/__init__.py", "")
    other("ranktrees/basics/a.py", "from ranktrees.growing import part\n")
    other("ranktrees/basics/b.py", "import ranktrees.basics.a\nimport numpy\n")
    other("ranktrees/growing/__init__.py", "from ranktrees.growing.part import f\n")
    other("ranktrees/growing/part.py", "from .. import tail\ndef f():\n    import numpy\n")
    assert house.circles(house.arrows()) == set()
    other("ranktrees/growing/part.py", "def f():\n    import ranktrees.basics.b\n")
    inside = {"basics.a", "basics.b", "growing", "growing.part"}
    assert house.circles(house.arrows()) == {f"ranktrees.{name}" for name in inside}
    assert house.floors(house.arrows()) == [["ranktrees.basics", "ranktrees.growing"]]
    other("ranktrees/basics/b.py", "import numpy\n")
    assert house.circles(house.arrows()) == set()
    other("ranktrees/growing/tree.py", "def f():\n    import ranktrees.explain.sql\n")
    other("ranktrees/explain/sql.py", "import ranktrees.growing.tree\n")
    assert house.circles(house.arrows()) == set()  # the door
    other("ranktrees/growing/tree.py", "import ranktrees.explain.paths\n")
    other("ranktrees/explain/paths.py", "if TYPE_CHECKING:\n    import ranktrees.growing.tree\n")
    assert house.circles(house.arrows()) == {"ranktrees.growing.tree", "ranktrees.explain.paths"}


def test_floors_stand_on_what_they_ask(other):
    other("ranktrees/basics/a.py", "import numpy\n")
    other("ranktrees/reading/b.py", "from ranktrees.basics import a\n")
    other("ranktrees/models/c.py", "from ..reading.b import f\nimport ranktrees.basics.a\n")
    other("ranktrees_scale/d.py", "from ranktrees.reading import b\n")
    rooms = ["ranktrees.basics"], ["ranktrees.reading"], ["ranktrees.models", "ranktrees_scale"]
    assert house.floors(house.arrows()) == [*rooms]


def test_what_is_not_pure_is_seen(other):
    frames = "from ranktrees.basics.optional import optional\nnarwhals = optional('narwhals')\n"
    other("ranktrees/reading/frames.py", frames)
    other("ranktrees/estimator/base.py", "def f():\n    from sklearn.utils import Tags\n")
    other("ranktrees/__init__.py", "NAMES = {'ranktrees_lab.data': 'load'}\n")
    other("ranktrees/basics/a.py", "import re, numpy as np, scipy.stats\nimport ranktrees.x\n")
    assert house.impure() == set()
    other("ranktrees/reading/csv.py", frames)
    other("ranktrees/bayes/b.py", "def f():\n    import sklearn.utils\n")
    other("ranktrees/basics/c.py", "import sys\nscan = sys.modules.get('ranktrees_scale.files')\n")
    other("ranktrees/basics/d.py", "if TYPE_CHECKING:\n    from ranktrees_lab import plot\n")
    assert house.impure() == {
        ("ranktrees/reading/csv.py", "narwhals"),
        ("ranktrees/bayes/b.py", "sklearn"),
        ("ranktrees/basics/c.py", "ranktrees_scale"),
        ("ranktrees/basics/d.py", "ranktrees_lab"),
    }


def test_an_arrow_that_points_up_is_seen(other):
    other("ranktrees/basics/a.py", "def f():\n    from ranktrees.growing.tree import Tree\n")
    other("ranktrees/growing/tree.py", "import ranktrees.basics.a\n")
    other("ranktrees/plain/newton.py", "from ranktrees.basics import a\n")
    other("ranktrees/models/c45.py", "from ranktrees.plain import newton\nimport ranktrees_lab.x\n")
    other("ranktrees_lab/x.py", "import ranktrees.models.c45\n")
    other(
        "ranktrees/explain/sql.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import ranktrees.models.c45\n",
    )
    up = {
        ("basics.a", "growing.tree"),
        ("plain.newton", "basics.a"),
        ("models.c45", "plain.newton"),
        ("explain.sql", "models.c45"),
    }
    up = {tuple(f"ranktrees.{name}" for name in pair) for pair in up}
    assert house.upward(house.arrows()) == up | {("ranktrees.models.c45", "ranktrees_lab.x")}


def test_what_is_counted(other, capsys):
    other("ranktrees/a.py", '"""One line."""\n')
    other("ranktrees/plain/b.py", '@wrapped\ndef f(x):\n    """Says\n    more."""\n    return x\n')
    other("ranktrees_lab/c.py", "# 1\n# 2\n# 3\n")
    other("tools/d.py", "# 1\n# 2\n")
    other("tools/tasks/e.py", "# 1\n")
    counted = {"ranktrees": 6, "ranktrees_lab": 3, "tools": 2, "ranktrees/plain": 5}
    assert house.sizes() == counted | {"ranktrees_scale": 0}
    where = house.ROOT / "ranktrees" / "plain" / "b.py"
    assert list(house.functions(where).values()) == [4]
    assert list(house.functions(where, docstrings=False).values()) == [2]
    assert house.main() == 0
    printed = capsys.readouterr().out
    assert "ranktrees: 6 lines, budget 16,500" in printed
    assert "circle of imports: none" in printed
