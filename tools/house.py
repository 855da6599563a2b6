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
    """Lines of each function of a file, by line and name."""
    return {
        f"{path.relative_to(ROOT).as_posix()}:{node.lineno} {node.name}": node.end_lineno
        - node.lineno
        + 1
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
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


def circles() -> set[str]:
    """The modules that import each other, round in a circle, when they are imported."""
    paths = {module_of(path): path for path in files() if room_of(path) != "tools"}
    rest = {module: imports_of(module, paths) for module in paths}
    while True:
        free = {module for module, wanted in rest.items() if not wanted & rest.keys()}
        wanted = set().union(*rest.values())
        free |= rest.keys() - wanted
        if not free:
            return set(rest)
        rest = {module: wanted for module, wanted in rest.items() if module not in free}


def module_of(path: Path) -> str:
    """The name by which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(module: str, modules) -> set[str]:
    """The modules that a module's own level imports, with the packages around them.

    The packages in which the module itself is are there already.
    """
    names = set()
    parents = around(module) if modules[module].stem == "__init__" else around(module)[:-1]
    for node in ast.parse(modules[module].read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            home = ".".join(filter(None, [parents[-node.level] if node.level else "", node.module]))
            names |= {home, *(f"{home}.{alias.name}" for alias in node.names)}
    wanted = {part for name in names for part in around(name) if part in modules}
    return wanted - set(around(module))


def around(name: str) -> list[str]:
    """A dotted name and the names of all packages around it."""
    parts = name.split(".")
    return [".".join(parts[: i + 1]) for i in range(len(parts))]


def main() -> int:
    """Print sizes by room, and how they stand against the budgets."""
    rooms = {}
    for path in files():
        rooms.setdefault(room_of(path), []).append(path)
    head = f"{'room':<12}{'files':>6}{'lines':>8}{'longest file':>14}"
    print(head + f"{'function: median':>18}{'longest':>9}")
    for room, paths in sorted(rooms.items()):
        lines, lengths = (
            list(map(lines_of, paths)),
            [n for p in paths for n in functions(p).values()],
        )
        middle = statistics.median(lengths) if lengths else 0
        print(
            f"{room:<12}{len(paths):>6}{sum(lines):>8}{max(lines):>14}"
            f"{middle:>18g}{max(lengths, default=0):>9}"
        )
    lengths = [n for path in files() for n in functions(path).values()]
    print(
        f"functions: {len(lengths)}, median {statistics.median(lengths):g}, longest {max(lengths)}"
    )
    for what, size in sizes().items():
        print(f"{what}: {size:,} of {BUDGETS[what]:,}")
    print("circle of imports:", ", ".join(sorted(circles())) or "none")
    return 0


if __name__ == "__main__":
    sys.exit(main())
