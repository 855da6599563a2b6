"""The house stays small: short functions, short files, and no imports round in a circle."""

import pytest

from tools import house


def test_no_function_is_longer_than_a_screen():
    lengths = {where: n for path in house.files() for where, n in house.functions(path).items()}
    assert {where: n for where, n in lengths.items() if n > house.MOST_IN_FUNCTION} == {}


def test_no_file_is_longer_than_three_hundred_lines():
    lines = {house.module_of(path): house.lines_of(path) for path in house.files()}
    assert {name: n for name, n in lines.items() if n > house.MOST_LINES} == {}


def test_imports_make_no_circle():
    assert house.circles() == set()


@pytest.fixture
def other(tmp_path, monkeypatch):
    """A house of our own: write(path, text) adds a file."""
    monkeypatch.setattr(house, "ROOT", tmp_path)

    def write(name, text):
        path = tmp_path / "ranktrees" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    return write


def test_a_circle_is_found_with_what_closes_it(other):
    other("__init__.py", "")
    other("a.py", "from ranktrees.room import part\n")
    other("b.py", "import ranktrees.a\nimport numpy\n")
    other("room/__init__.py", "from ranktrees.room.part import f\n")
    other("room/part.py", "from .. import tail\ndef f():\n    import ranktrees.b\n")
    other("tail.py", "from ranktrees.basics.warn import x\n")
    assert house.circles() == set()
    inside = {"ranktrees.a", "ranktrees.b", "ranktrees.room", "ranktrees.room.part"}
    assert house.circles(house.ast.walk) == inside
    other("tail.py", "from . import b\n")
    assert house.circles() == inside | {"ranktrees.tail"}


def test_what_is_counted(other, capsys):
    other("a.py", '"""One line."""\n')
    other("newton/b.py", "@wrapped\ndef f(x):\n    def g():\n        return x\n\n    return g\n")
    other("teach/c.py", "# 1\n# 2\n# 3\n")
    other("__main__.py", "# 1\n# 2\n")
    assert house.sizes() == {"importable lines": 12, "method lines": 7, "files": 4}
    where = house.ROOT / "ranktrees" / "newton" / "b.py"
    assert list(house.functions(where).values()) == [5, 2]
    assert house.main() == 0
    printed = capsys.readouterr().out
    assert "importable lines: 12, budget 15,000" in printed
    assert "circle of imports: none" in printed
