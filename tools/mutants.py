"""Ask the tests again which mutants they kill: python -m tools.mutants [numbers] [pytest's options]

In a copy of the tree, one line of the package is changed at a time. The test that killed the mutant
before runs first, then its file, then the tests of the mutant's room, then those of all rooms.
"""

import json
import multiprocessing
import os
import re
import resource
import shutil
import sys
import tempfile
from importlib import import_module
from itertools import count
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
AWAY = shutil.ignore_patterns(".*", "build", "dist", "__pycache__")
OPTIONS = ["-q", "-x", "-p", "no:nbval", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
LIBRARIES = ["numpy", "pandas", "scipy.stats", "sklearn.base", "hypothesis.strategies"]
SECONDS = 300  # of the processor: a mutant that takes longer is killed
TICKS = count(1)


def run(arguments):
    """End this process, which a mutant may stop as well, with pytest's code."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    os.environ["PYTHONPATH"] = os.getcwd()
    with open("log.txt", "w", encoding="utf-8") as log:
        os.dup2(log.fileno(), 1)
    os._exit(pytest.main([*OPTIONS, *arguments]))


def ask(arguments):
    """Return the test that fails, without parameters, or an empty string."""
    shutil.rmtree(".hypothesis", ignore_errors=True)
    child = multiprocessing.get_context("fork").Process(target=run, args=[arguments])
    child.start()
    child.join()
    if child.exitcode in (0, 5):  # 5: no test was chosen
        return ""
    found = re.search(r"^(?:FAILED|ERROR) ([^[\s]+)", Path("log.txt").read_text("utf-8"), re.M)
    return found[1] if found else f"exit {child.exitcode}"


def selections(mutant):
    """Return what pytest should run, the nearest tests first."""
    known = mutant["killed_by"].partition("::")[2]
    for path in sorted(Path("tests").rglob("test_*.py")) if known else []:
        if f"def {known.rpartition('::')[2]}(" in path.read_text("utf-8"):
            yield from ([str(path), "-k", known.replace("::", " and ")], [str(path)])
    rooms = sorted({p.name for p in Path("ranktrees_engine").iterdir()} & set(os.listdir("tests")))
    own = [room for room in rooms if room in Path(mutant["file"]).parts]
    yield from ([f"tests/{room}" for room in chosen] for chosen in (own, rooms) if chosen)


def verdict(mutant, options):
    """Return the test that kills the mutant, "survived", or "gone" if its line is not found."""
    path, killer = Path(mutant["file"]), ""
    code = path.read_text("utf-8") if path.exists() else ""
    lines = code.split("\n")
    same = [i for i, line in enumerate(lines) if line == mutant["before"]]
    if not same:
        return "gone"
    lines[min(same, key=lambda i: abs(i + 1 - mutant["line"]))] = mutant["after"]
    for text, tests in ("\n".join(lines), selections(mutant)), (code, ()):
        path.write_text(text, "utf-8")
        os.utime(path, (next(TICKS),) * 2)  # so that no compiled form of another text is used
        killer = next(filter(None, (ask([*options, *chosen]) for chosen in tests)), killer)
    return killer or "survived"


if __name__ == "__main__":
    mutants = json.loads((ROOT / "tests" / "mutants.json").read_text("utf-8"))["mutants"]
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()] or range(len(mutants))
    options, verdicts = [word for word in sys.argv[1:] if not word.isdigit()], []
    [*map(import_module, LIBRARIES)]  # once for all
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(shutil.copytree(ROOT, f"{folder}/tree", ignore=AWAY))
        for mutant in map(mutants.__getitem__, numbers):
            verdicts.append(verdict(mutant, options))
            changed = (verdicts[-1] == "survived") != (mutant["killed_by"] == "survived")
            print(mutant["file"], mutant["line"], verdicts[-1], "CHANGED" * changed, flush=True)
        os.chdir(ROOT)
    killed = sum(each not in ("survived", "gone") for each in verdicts)
    print(killed, "of", len(verdicts), "killed")
