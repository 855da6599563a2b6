"""The size of the house, its floors, and imports that point up: python tools/house.py"""

import ast
import re
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# From the ground up: the front, which is read first, asks no other; lessons and tests ask it.
PACKAGES = FRONT, ENGINE, FILES, LABORATORY = (
    "ranktrees",
    "ranktrees_engine",
    "ranktrees_files",
    "ranktrees_lab",
)
# From the ground up: a room of the engine asks those before it.
ORDER = """
    basics criteria reading growing estimates bayes prune citree newton evaluate explain estimator
    models
"""
NAMES = {"ranktrees", "ranktrees.__main__"}  # they give what all packages have
PURE = {"numpy", "pandas", "scipy", "joblib", "tqdm", ENGINE, *sys.stdlib_module_names}
IMPURE = {  # what some files of the engine may import as well
    "ranktrees_engine/reading/frames.py": {"narwhals", "pyarrow"},
    "ranktrees_engine/estimator/": {"sklearn"},
    "ranktrees_engine/evaluate/outside.py": {"sklearn"},
}
PLAIN = {"numpy", FRONT, *sys.stdlib_module_names}
CALLED = re.compile(r"\b(optional|import_module|find_spec|__import__)$")  # import by a string
MOST_LINES, MOST_IN_FUNCTION = 300, 40
FRONT_LINES = 3_000
PLAIN_LINES, PLAIN_IN_FUNCTION = 130, 20  # of a file, of a function without its docstring
Arrows = set[tuple[str, str]]  # a module and one that it imports


def files() -> list[Path]:
    """Return every file of the packages and of tools/."""
    folders = *PACKAGES, "tools"
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def room_of(path: Path) -> str:
    """Return the room of a file, `ranktrees_engine/growing`, or its package if at the root."""
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def lines_of(path: Path) -> int:
    """Count the lines of a file, with comments and docstrings."""
    return len(path.read_text(encoding="utf-8").splitlines())


def functions(path: Path, docstrings: bool = True) -> dict[str, int]:
    """Return the lines of each function of a file by its name and where it begins.

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


def module_of(path: Path) -> str:
    """Return the name by which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def arrows() -> Arrows:
    """Return every import of one file by another, also inside functions and for type checkers."""
    known = {module_of(path): path for path in files() if "tools" not in room_of(path)}
    found = {
        (module, max(_around(name) & known.keys(), default=""))
        for module, path in known.items()
        for name in _names(ast.parse(path.read_text(encoding="utf-8")), module, path.stem)
    }
    return {(module, target) for module, target in found if target not in ("", module)}


def _names(tree, module, stem) -> Iterator[str]:
    """Yield the full names that the imports of a file ask for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = module.split(".")
            level = len(parts) - node.level + (stem == "__init__") if node.level else 0
            home = ".".join([*parts[:level], *filter(None, [node.module])])
            yield from (f"{home}.{alias.name}" for alias in node.names)


def impure() -> Arrows:
    """Return (file, package) of what engine and front import, or name in a string, but must not."""
    found = set()
    for path in files():
        name, module = path.relative_to(ROOT).as_posix(), module_of(path)
        package = name.partition("/")[0]
        if package not in (FRONT, ENGINE) or module in NAMES:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        asked = {*_names(tree, module, path.stem)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and CALLED.search(ast.unparse(node.func)):
                asked |= {arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant)}
            elif isinstance(node, ast.Constant):
                asked |= {*re.findall(rf"\b{FRONT}_\w+(?=\.\w)", str(node.value))}
        may = PLAIN if package == FRONT else PURE
        may = may.union(*(more for start, more in IMPURE.items() if name.startswith(start)))
        found |= {(name, other) for n in asked if (other := n.partition(".")[0]) not in may}
    return found


def upward(asked: Arrows) -> Arrows:
    """Return the arrows that point up, to the front or to a room outside the order."""
    height = {room: i for i, room in enumerate(ORDER.split())}

    def level(module):
        package, *rooms = module.split(".")
        room = height.get(rooms[0], -1) if package == ENGINE and rooms else -1
        return PACKAGES.index(package), room

    others = {(a, b) for a, b in asked if a not in NAMES}
    apart = {(a, b) for a, b in others if (_package(a) == FRONT) != (_package(b) == FRONT)}
    return apart | {(a, b) for a, b in others if level(b) > level(a)}


def _package(module):
    return module.partition(".")[0]


def circles(asked: Arrows) -> set[str]:
    """Return the modules that import each other in a circle, and those between circles."""
    graph = {name: set() for arrow in asked for name in arrow}
    for a, b in asked:
        graph[a] |= (_around(b) - _around(a)) & graph.keys()
    while True:
        wanted = set().union(*graph.values())
        ends = {m for m in graph if not graph[m] & graph.keys() or m not in wanted}
        if not ends:
            return set(graph)
        graph = {module: graph[module] for module in graph.keys() - ends}


def _around(name):
    """Return a dotted name and the names of all packages around it, imported with it."""
    parts = name.split(".")
    return {".".join(parts[:i]) for i in range(1, len(parts) + 1)}


def floors(asked: Arrows) -> list[list[str]]:
    """Return the rooms from the ground up, each above all it imports; the last may be a circle."""
    drawn, graph = [], {}
    for pair in asked:
        a, b = (".".join(m.split(".")[: 1 + (_package(m) == ENGINE)]) for m in pair)
        graph.setdefault(b, set())
        graph.setdefault(a, set()).update({b} - {a})
    while graph:
        drawn.append(sorted(r for r in graph if not graph[r] & graph.keys()) or sorted(graph))
        graph = {room: graph[room] for room in graph.keys() - drawn[-1]}
    return drawn


def describe(room: str, paths: list[Path]) -> str:
    """Return a row of the table: files, lines, and lengths of files and functions."""
    lines = [lines_of(path) for path in paths]
    lengths = [n for path in paths for n in functions(path).values()] or [0]
    numbers = len(paths), sum(lines), max(lines), statistics.median(lengths), max(lengths)
    return f"{room:<26}" + "".join(f"{number:>14g}" for number in numbers)


def main() -> int:
    """Print sizes by room and package, floors, arrows up and circles."""
    rooms, packages = {}, {}
    for path in files():
        rooms.setdefault(room_of(path), []).append(path)
        packages.setdefault(room_of(path).partition("/")[0], []).append(path)
    heads = "files", "lines", "longest file", "function", "longest"
    print(f"{'room':<26}" + "".join(f"{head:>14}" for head in heads))
    for room, paths in sorted(rooms.items()):
        print(describe(room, paths))
    for package, paths in packages.items():
        print(describe(f"all of {package}", paths))
    asked = arrows()
    for number, floor in reversed([*enumerate(floors(asked))]):
        print(f"floor {number}: {', '.join(floor)}")
    for module, target in sorted(upward(asked) | impure()):
        print(f"not allowed: {module} imports {target}")
    print("circle of imports:", ", ".join(sorted(circles(asked))) or "none")
    return 0


if __name__ == "__main__":
    sys.exit(main())
