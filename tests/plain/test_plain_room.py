"""The front: its README tells what is there, and every file ends in an example that holds."""

import ast
import re
import runpy
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import ranktrees as rt
from ranktrees.plain import c45, evaluate, growing, newton_values
from ranktrees.plain.tree import Cases, predict

ROOM = Path(growing.__file__).parent
TEXT = (ROOM.parent / "README.md").read_text(encoding="utf-8")


def on_iris(file, source):
    """What the answers of a plain file, of this source, are worth in ten folds of iris."""
    module = sys.modules["plain_edited"] = types.ModuleType("plain_edited")
    exec(source, module.__dict__)
    data = rt.load("iris")
    y, fold = data.y.codes, evaluate.stratified_folds(data.y.codes, 10, 1)
    codes = rt.Encoder().fit_transform(data.X)

    def newton(X, y):
        distances = [newton_values.difference] * 4
        root = module.newton_tree(X, y, 3, distances)
        return lambda cases: [module.probabilities(root, case, distances) for case in cases]

    def shrinkage(X, y):
        root, train = c45.c45(X, y, codes.sizes, 3), Cases(X, y, codes.sizes, 3)
        return lambda cases: module.shrinkage(root, train, cases)

    fit, X = (newton, data.X.to_numpy()) if file == "newton.py" else (shrinkage, codes.values)
    proba = evaluate.cross_validate(fit, X, y, fold, 3)
    missed, M = proba.argmax(axis=1) != y, evaluate.hand_till(y, proba)
    return {"missed": missed, "wrong": missed.sum(), "sure": proba.max(axis=1).mean(), "M": M}


def test_its_example_says_what_the_package_says():
    names = {}
    exec(TEXT.split("```python")[1].split("```")[0], names)
    codes, X = names["codes"], names["X"]
    proba = rt.C45().fit(codes, names["data"].y).predict_proba(codes)
    assert np.array_equal(predict(names["root"], X), proba)


def test_the_files_and_names_of_its_text_are_there():
    files = {path.name for path in ROOM.glob("*.py")} - {"__init__.py"}
    assert {name for name in files if f"`{name}`" not in TEXT} == set()
    linked = re.findall(r"\]\(([^)]+)\)", TEXT)
    assert {f"plain/{name}" for name in files} <= set(linked)
    assert sum(path.startswith("../ranktrees_") for path in linked) > 20
    for path in linked:
        assert (ROOM.parent / path).exists(), path
    for name in re.findall(r"`rt\.(\w+)", TEXT):
        assert hasattr(rt, name), name


@pytest.mark.parametrize("row", ["newton.py", "shrinkage.py"])
def test_what_it_tells_to_try_does_what_it_says(row):
    """Wrong answers, how sure they are and M, before the change of a line and after it."""
    cells = next(line for line in TEXT.splitlines() if line.startswith(f"| `{row}` | `"))
    old, new = re.findall(r"`([^`]+)`", cells)[1:]
    source = (ROOM / row).read_text(encoding="utf-8")
    assert source.count(old) == 1
    before, after = (on_iris(row, text) for text in (source, source.replace(old, new)))
    said = [f"{after['sure']:.2f} for {before['sure']:.2f}"]
    if row == "newton.py":
        said += [f"{after['wrong']} flowers are wrong where {before['wrong']} were"]
    else:
        said += [
            f"M is {after['M']:.3f} for {before['M']:.3f}",
            f"the same {after['wrong']} are wrong",
        ]
        assert (before["missed"] == after["missed"]).all()
    assert [text for text in said if text not in cells] == []


@pytest.mark.parametrize("path", sorted(ROOM.glob("[!_]*.py")), ids=lambda path: path.name)
def test_the_example_at_its_end_prints_the_comment_below_it(path, capsys):
    runpy.run_path(str(path), run_name="__main__")
    lines = path.read_text(encoding="utf-8").splitlines()
    printed = capsys.readouterr().out.splitlines()
    assert printed
    assert [f"    # {line}" for line in printed] == lines[-len(printed) :]


def test_its_files_import_numpy_python_and_their_neighbours():
    for path in ROOM.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            known = {"numpy", *sys.stdlib_module_names}
            assert all(n.split(".")[0] in known or n.startswith("ranktrees.plain") for n in names)
