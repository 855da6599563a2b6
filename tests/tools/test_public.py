"""The public names: stubs say what the package gives, and each says what it takes and gives."""

import ast
import functools
import importlib
import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import ranktrees as rt

ROOT = Path(__file__).parents[2]
CALLS = ("__init__", "__call__")  # what else a reader sees of a class
STUBS = ["ranktrees", "ranktrees.evaluate", "ranktrees.plain", "ranktrees_lab.check"]


@pytest.mark.parametrize("room", STUBS)
def test_the_stub_of_a_room_says_what_it_gives(room):
    module, folder = importlib.import_module(room), ROOT / room.replace(".", "/")
    said, files = {}, {path.stem for path in folder.glob("*.py")} - {"__init__"}
    for node in ast.parse((folder / "__init__.pyi").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            said |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            said |= {alias.asname: (alias.name, "") for alias in node.names}
        elif isinstance(node, ast.Assign):
            assert sorted(ast.literal_eval(node.value)) == sorted(module.__all__)
    public = getattr(module, "__all__", files)
    assert set(public) <= said.keys() <= {*public, *files}
    for name, (place, inside) in said.items():
        home = importlib.import_module(place)
        given = getattr(home, inside, None) if inside else home
        expected = importlib.import_module(f"{place}.{inside}") if given is None else given
        assert getattr(module, name) is expected


def public_functions():
    """{name: function} of all that `rt` and its rooms give: functions, methods, properties."""
    found, waiting = {}, [(f"rt.{name}", getattr(rt, name)) for name in rt.__all__]
    while waiting:
        name, thing = waiting.pop()
        if isinstance(thing, ModuleType):
            ours = {n: v for n, v in vars(thing).items() if not n.startswith("_")}
            names = getattr(thing, "__all__", ours)
            waiting += [(f"{name}.{n}", getattr(thing, n)) for n in names if made_in(thing, n)]
        elif inspect.isclass(thing):
            for owner in thing.__mro__:
                if owner.__module__.startswith("ranktrees"):
                    inside = {n: v for n, v in vars(owner).items() if n in CALLS or n[0] != "_"}
                    waiting += [(f"{owner.__qualname__}.{n}", v) for n, v in inside.items()]
        elif isinstance(thing, property | functools.cached_property):
            found[name] = thing.fget if isinstance(thing, property) else thing.func
        elif isinstance(thing, classmethod | staticmethod):
            found[name] = thing.__func__
        elif inspect.isfunction(thing) and thing.__module__.startswith("ranktrees"):
            found[name] = thing
    return found


def made_in(module, name):
    """Whether a public name of a module is its own, or one of those that it says it gives."""
    value = getattr(module, name)
    if isinstance(value, ModuleType):
        return value.__name__.startswith(f"{module.__name__}.")
    return hasattr(module, "__all__") or getattr(value, "__module__", "") == module.__name__


def test_every_public_name_says_what_it_takes_and_gives():
    functions, lacking = public_functions(), []
    for name, function in functions.items():
        signature = inspect.signature(function)
        parameters = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
        lacking += [f"{name}: {p.name}" for p in parameters if p.annotation is p.empty]
        if signature.return_annotation is signature.empty and not name.endswith("__init__"):
            lacking.append(f"{name}: what it returns")
    assert len(functions) > 600
    assert not lacking, "no type: " + ", ".join(sorted(lacking))


def test_the_import_leaves_heavy_packages_alone():
    code = (
        "import sys, ranktrees as rt; rt.DecisionTree; rt.load; rt.criteria; "
        "print(*({'scipy', 'matplotlib', 'ipywidgets', 'pooch', 'sklearn'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []
