"""The size of the house, its floors, and imports that point up: python tools/house.py"""

import ast
import re
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE, SCALE, LABORATORY = PACKAGES = "ranktrees", "ranktrees_scale", "ranktrees_lab"
# From the ground up: a room asks those before it. `plain` asks no other and is asked by none.
ORDER = """
    plain basics criteria reading growing estimates bayes prune citree newton evaluate explain
    estimator models
"""
DOORS = {  # imports that may point up
    ("ranktrees.growing.tree", "ranktrees.explain.sql"),  # Tree.to_sql, inside a function
    ("ranktrees.__main__", "ranktrees_lab.command"),
}
PURE = {"numpy", "pandas", "scipy", "joblib", "tqdm", PACKAGE, *sys.stdlib_module_names}
IMPURE = {  # what some files of the package may import as well
    "ranktrees/__": {SCALE, LABORATORY},  # __init__ and __main__
    "ranktrees/reading/frames.py": {"narwhals", "pyarrow"},
    "ranktrees/estimator/": {"sklearn"},
}
CALLED = re.compile(r"\b(optional|import_module|find_spec|__import__)$")  # import by a string
BUDGETS = {
    "ranktrees": 16_500,
    "ranktrees_scale": 2_000,
    "ranktrees_lab": 14_500,
    "tools": 3_000,
    "ranktrees/plain": 1_900,
}
# Parts that are larger than their budget: they may shrink, and lower this, but not grow.
LARGER = {
    "ranktrees": 19_850,
    "ranktrees_scale": 2_180,
    "ranktrees_lab": 15_400,
    "ranktrees/plain": 2_400,
    "tools": 3_150,
}
MOST_LINES, MOST_IN_FUNCTION = 300, 40
CONTENT = "tools/tasks/"  # what students are asked, as in the lessons: no machinery, in no budget
PLAIN_LINES, PLAIN_IN_FUNCTION = 130, 20  # of a file, of a function without its docstring
Arrows = set[tuple[str, str]]  # a module and one that it imports


def files() -> list[Path]:
    """Every file of the packages and of tools/."""
    folders = *PACKAGES, "tools"
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

    Decorators are left out, and a head counts as one line, since types make a line per parameter.
    """
    lengths = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            said = first.end_lineno - first.lineno + 1 if ast.get_docstring(node) else 0
            where = f"{path.relative_to(ROOT).as_posix()}:{node.lineno} {node.name}"
            head = max(first.lineno - node.lineno - 1, 0)
            lengths[where] = node.end_lineno - node.lineno + 1 - head - (not docstrings) * said
    return lengths


def sizes() -> dict[str, int]:
    """Lines of each package and room that has a budget, without content."""
    lines = {path.relative_to(ROOT).as_posix(): lines_of(path) for path in files()}
    lines = {name: n for name, n in lines.items() if not name.startswith(CONTENT)}
    return {
        part: sum(n for name, n in lines.items() if name.startswith(f"{part}/")) for part in BUDGETS
    }


def module_of(path: Path) -> str:
    """The name by which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def arrows() -> Arrows:
    """Every import of one file by another, inside functions and for type checkers as well."""
    known = {module_of(path): path for path in files() if "tools" not in room_of(path)}
    found = {
        (module, max(_around(name) & known.keys(), default=""))
        for module, path in known.items()
        for name in _names(ast.parse(path.read_text(encoding="utf-8")), module, path.stem)
    }
    return {(module, target) for module, target in found if target not in ("", module, PACKAGE)}


def _names(tree, module, stem) -> Iterator[str]:
    """The full names that the imports of a file ask for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = module.split(".")
            level = len(parts) - node.level + (stem == "__init__") if node.level else 0
            home = ".".join([*parts[:level], *filter(None, [node.module])])
            yield from (f"{home}.{alias.name}" for alias in node.names)


def impure() -> Arrows:
    """(file, package) of what `ranktrees/` imports, or names in a string, but must not."""
    found = set()
    for path in (ROOT / PACKAGE).rglob("*.py"):
        name, tree = path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))
        asked = {*_names(tree, module_of(path), path.stem)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and CALLED.search(ast.unparse(node.func)):
                asked |= {arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant)}
            elif isinstance(node, ast.Constant):
                asked |= {*re.findall(rf"\b{PACKAGE}_\w+", str(node.value))}
        may = PURE.union(*(more for start, more in IMPURE.items() if name.startswith(start)))
        found |= {(name, package) for n in asked if (package := n.partition(".")[0]) not in may}
    return found


def upward(asked: Arrows) -> Arrows:
    """The arrows that point up, or to a room outside the order, except the doors."""
    height = {room: i for i, room in enumerate(ORDER.split())}

    def level(module):
        package, _, rest = module.partition(".")
        return [*PACKAGES, package].index(package), height.get(rest.partition(".")[0], len(height))

    plain = f"{PACKAGE}.plain"
    apart = {(a, b) for a, b in asked if a.startswith(plain) != b.startswith(plain)}
    return (apart | {(a, b) for a, b in asked if level(b) > level(a)}) - DOORS


def circles(asked: Arrows) -> set[str]:
    """The modules that import each other in a circle, and those between circles."""
    graph = {name: set() for arrow in asked for name in arrow}
    for a, b in asked - DOORS:
        graph[a] |= (_around(b) - _around(a)) & graph.keys()
    while True:
        wanted = set().union(*graph.values())
        ends = {m for m in graph if not graph[m] & graph.keys() or m not in wanted}
        if not ends:
            return set(graph)
        graph = {module: graph[module] for module in graph.keys() - ends}


def _around(name):
    """A dotted name and the names of all packages around it: these are imported with it."""
    parts = name.split(".")
    return {".".join(parts[:i]) for i in range(1, len(parts) + 1)}


def floors(asked: Arrows) -> list[list[str]]:
    """The rooms from the ground up, each above all that it imports; the last may be a circle."""
    drawn, graph = [], {}
    for pair in asked - DOORS:
        a, b = (".".join(m.split(".")[: 1 + m.startswith(f"{PACKAGE}.")]) for m in pair)
        graph.setdefault(b, set())
        graph.setdefault(a, set()).update({b} - {a})
    while graph:
        drawn.append(sorted(r for r in graph if not graph[r] & graph.keys()) or sorted(graph))
        graph = {room: graph[room] for room in graph.keys() - drawn[-1]}
    return drawn


def describe(room: str, paths: list[Path]) -> str:
    """A row of the table: files, lines, and lengths of files and functions."""
    lines = [lines_of(path) for path in paths]
    lengths = [n for path in paths for n in functions(path).values()] or [0]
    numbers = len(paths), sum(lines), max(lines), statistics.median(lengths), max(lengths)
    return f"{room:<26}" + "".join(f"{number:>14g}" for number in numbers)


def main() -> int:
    """Print sizes room by room and against the budgets, floors, arrows up and circles."""
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
    asked = arrows()
    for number, floor in reversed([*enumerate(floors(asked))]):
        print(f"floor {number}: {', '.join(floor)}")
    for module, target in sorted(upward(asked) | impure()):
        print(f"not allowed: {module} imports {target}")
    print("circle of imports:", ", ".join(sorted(circles(asked))) or "none")
    return 0


if __name__ == "__main__":
    sys.exit(main())
