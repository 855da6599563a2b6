"""How large the house is, room by room, and which imports point up: python tools/house.py"""

import ast
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE, LABORATORY = "ranktrees", "ranktrees_lab"
# From the ground up: a room asks those before it. `plain` asks no other and is asked by none.
ORDER = """
    plain basics reading data growing estimates bayes prune evaluate citree newton models scale
    export
"""
BUDGETS = {"ranktrees": 17_500, "ranktrees_lab": 12_500, "tools": 2_800} | {
    "ranktrees/plain": 1_500,
    "ranktrees/scale": 2_000,
}
# Parts that are larger than their budget: they may shrink, and lower this, but not grow.
LARGER = {"ranktrees": 20_293, "ranktrees/plain": 1_571, "ranktrees_lab": 13_368, "tools": 3_048}
MOST_LINES, MOST_IN_FUNCTION = 300, 40
CONTENT = "tools/tasks/"  # what students are asked, as in the lessons: no machinery, in no budget
PLAIN_LINES, PLAIN_IN_FUNCTION = 130, 20  # of a file, of a function without its docstring


class Import(NamedTuple):
    """One module that another imports; `inside` a function or not."""

    module: str
    target: str
    inside: bool


def files() -> list[Path]:
    """Every file of both packages and of tools/."""
    folders = PACKAGE, LABORATORY, "tools"
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def room_of(path: Path) -> str:
    """The room in which a file is: `ranktrees/growing`, or the package itself at its root."""
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def lines_of(path: Path) -> int:
    """Lines of a file, with comments and docstrings."""
    return len(path.read_text(encoding="utf-8").splitlines())


def functions(path: Path, docstrings: bool = True) -> dict[str, int]:
    """Lines of each function of a file by its name and where it begins.

    Decorators are left out, and a head, of which types make a line per parameter, counts as one.
    """
    lengths = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            said = first.end_lineno - first.lineno + 1 if ast.get_docstring(node) else 0
            where = f"{path.relative_to(ROOT).as_posix()}:{node.lineno} {node.name}"
            head = max(first.lineno - node.lineno - 1, 0)
            lines = node.end_lineno - node.lineno + 1 - head
            lengths[where] = lines - (0 if docstrings else said)
    return lengths


def sizes() -> dict[str, int]:
    """Lines of each package and room that has a budget, without content."""
    lines = {path.relative_to(ROOT).as_posix(): lines_of(path) for path in files()}
    lines = {name: n for name, n in lines.items() if not name.startswith(CONTENT)}
    return {
        part: sum(n for name, n in lines.items() if name.startswith(f"{part}/")) for part in BUDGETS
    }


# Imports


def modules() -> dict[str, Path]:
    """Every file of both packages by the name by which it is imported."""
    return {module_of(path): path for path in files() if room_of(path) != "tools"}


def module_of(path: Path) -> str:
    """The name by which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports() -> Iterator[Import]:
    """Every import of one file of the packages by another, inside functions as well."""
    known = modules()
    for module, path in known.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        inside, typed = _lines_inside(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom) and node.lineno not in typed:
                for name in _names(node, module, path.stem == "__init__"):
                    target = _nearest(name, known)
                    if target not in ("", module, PACKAGE):
                        yield Import(module, target, node.lineno in inside)


def _lines_inside(tree):
    """The lines of functions, and those that only a type checker reads."""
    inside, typed = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inside |= {*range(node.lineno, node.end_lineno + 1)}
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            typed |= {*range(node.lineno, node.end_lineno + 1)}
    return inside, typed


def _names(node, module, is_package):
    """The full names that an import asks for."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    parts = module.split(".")
    above = parts[: len(parts) - node.level + is_package] if node.level else []
    home = ".".join([*above, *filter(None, [node.module])])
    return [f"{home}.{alias.name}" for alias in node.names]


def _nearest(name, known):
    """The file in which a name stands, empty for one of other packages."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name


def upward() -> set[tuple[str, str]]:
    """(module, target) of each import that points up, or to a room that is in no order."""
    height = {room: i for i, room in enumerate(ORDER.split())}

    def level(module):
        package, _, rest = module.partition(".")
        return height.get(rest.partition(".")[0], len(height)) + (package == LABORATORY)

    plain = f"{PACKAGE}.plain"
    return {
        (a.module, a.target)
        for a in imports()
        if level(a.target) > level(a.module)
        or (a.module.startswith(plain) != a.target.startswith(plain))
    }


def circles() -> set[str]:
    """The modules that import each other, round in a circle, and what lies between circles.

    Imports inside functions count, but for those of `export`, which are doors.
    """
    graph = {module: set() for module in modules()}
    for a in imports():
        if not (a.inside and a.target.startswith(f"{PACKAGE}.export")):
            graph[a.module] |= (_around(a.target) - _around(a.module)) & graph.keys()
    while True:
        wanted = set().union(*graph.values())
        ends = {m for m in graph if not graph[m] & graph.keys() or m not in wanted}
        if not ends:
            return set(graph)
        graph = {module: graph[module] for module in graph.keys() - ends}


def _around(name):
    """A dotted name and the names of all packages around it: these are imported with it."""
    parts = name.split(".")
    return {".".join(parts[:i]) for i in range(2, len(parts) + 1)}


def describe(room: str, paths: list[Path]) -> str:
    """A row of the table: files, lines, and how long files and functions are."""
    lines = [lines_of(path) for path in paths]
    lengths = [n for path in paths for n in functions(path).values()] or [0]
    numbers = len(paths), sum(lines), max(lines), statistics.median(lengths), max(lengths)
    return f"{room:<26}" + "".join(f"{number:>14g}" for number in numbers)


def main() -> int:
    """Print sizes room by room, then against the budgets, doors, and circles of imports."""
    rooms = {}
    for path in files():
        rooms.setdefault(room_of(path), []).append(path)
    heads = "files", "lines", "longest file", "function", "longest"
    print(f"{'room':<26}" + "".join(f"{head:>14}" for head in heads))
    for room, paths in sorted(rooms.items()):
        print(describe(room, paths))
    print(describe("all", files()))
    for part, size in sizes().items():
        print(f"{part}: {size:,} lines, budget {BUDGETS[part]:,}")
    for module, target in sorted(upward()):
        print(f"up: {module} imports {target}")
    print("circle of imports:", ", ".join(sorted(circles())) or "none")
    return 0


if __name__ == "__main__":
    sys.exit(main())
