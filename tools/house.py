"""How large the house is, and whether its imports go round in a circle: python tools/house.py"""

import ast
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "ranktrees"
BUDGETS = {"importable lines": 15_000, "method lines": 9_500, "files": 120}
MOST_LINES, MOST_IN_FUNCTION = 300, 40
AROUND = ("teach", "papers", "storage", "tools")  # rooms that hold no method


def files() -> list[Path]:
    """Every file of the package and of tools/."""
    return sorted([*ROOT.glob(f"{PACKAGE}/**/*.py"), *ROOT.glob("tools/*.py")])


def room_of(path: Path) -> str:
    """The room in which a file is: a folder, or "top" for the files that lie in no other."""
    first, *rest = path.relative_to(ROOT).parts
    if first != PACKAGE:
        return first
    return rest[0] if len(rest) > 1 else "top"


def lines_of(path: Path) -> int:
    """Lines of a file, with comments and docstrings."""
    return len(path.read_text(encoding="utf-8").splitlines())


def functions(path: Path) -> dict[str, int]:
    """Lines of each function of a file, decorators left out, by its name and where it begins."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {
        f"{path.relative_to(ROOT).as_posix()}:{node.lineno} {node.name}": (
            node.end_lineno - node.lineno + 1
        )
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def sizes() -> dict[str, int]:
    """What the budgets limit."""
    lines = {path: lines_of(path) for path in files()}
    method = [
        n
        for path, n in lines.items()
        if room_of(path) not in AROUND and path.stem not in (*AROUND, "__main__")
    ]
    package = [path for path in lines if room_of(path) != "tools"]
    return {
        "importable lines": sum(lines.values()),
        "method lines": sum(method),
        "files": len(package),
    }


def circles(walk=ast.iter_child_nodes) -> set[str]:
    """The modules that import each other, round in a circle, and what lies between circles.

    By default at the level of the module; with `ast.walk` also inside functions.
    """
    paths = {module_of(path): path for path in files() if room_of(path) != "tools"}
    rest = {module: imports_of(module, paths, walk) for module in paths}
    while True:
        wanted = set().union(*rest.values())
        ends = {module for module in rest if not rest[module] & rest.keys() or module not in wanted}
        if not ends:
            return set(rest)
        rest = {module: rest[module] for module in rest.keys() - ends}


def module_of(path: Path) -> str:
    """The name by which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(module: str, paths: dict, walk) -> set[str]:
    """The modules that a module imports, with the packages around them but for its own."""
    path, names = paths[module], set()
    parents = around(module)[: None if path.stem == "__init__" else -1]
    for node in walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = [parents[-node.level]] if node.level else []
            home = ".".join([*above, *filter(None, [node.module])])
            names |= {home, *(f"{home}.{alias.name}" for alias in node.names)}
    return {part for name in names for part in around(name) if part in paths} - {*around(module)}


def around(name: str) -> list[str]:
    """A dotted name and the names of all packages around it."""
    parts = name.split(".")
    return [".".join(parts[: i + 1]) for i in range(len(parts))]


def describe(room: str, paths: list[Path]) -> str:
    """A row of the table: files, lines, and how long files and functions are."""
    lines = [lines_of(path) for path in paths]
    lengths = [n for path in paths for n in functions(path).values()] or [0]
    numbers = len(paths), sum(lines), max(lines), statistics.median(lengths), max(lengths)
    return f"{room:<12}" + "".join(f"{number:>14g}" for number in numbers)


def main() -> int:
    """Print sizes room by room, then against the budgets, and circles of imports."""
    rooms = {}
    for path in files():
        rooms.setdefault(room_of(path), []).append(path)
    heads = "files", "lines", "longest file", "function", "longest"
    print(f"{'room':<12}" + "".join(f"{head:>14}" for head in heads))
    for room, paths in sorted(rooms.items()):
        print(describe(room, paths))
    print(describe("all", files()))
    for what, size in sizes().items():
        print(f"{what}: {size:,}, budget {BUDGETS[what]:,}")
    for where, walk in {"": ast.iter_child_nodes, ", functions too": ast.walk}.items():
        print(f"circle of imports{where}:", ", ".join(sorted(circles(walk))) or "none")
    return 0


if __name__ == "__main__":
    sys.exit(main())
