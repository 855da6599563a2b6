"""The public names: stubs and the site's reference say what the package gives and takes."""

import ast
import functools
import importlib
import inspect
import re
import subprocess
import sys
from types import ModuleType

import pytest
from fresh import ROOT

import ranktrees as rt
from tools import reference, site

CALLS = ("__init__", "__call__")  # what else a reader sees of a class
STUBS = ["ranktrees", "ranktrees_engine.evaluate", "ranktrees.plain", "ranktrees_lab.check"]


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
            named = [(n, getattr(thing, n)) for n in getattr(thing, "__all__", vars(thing))]
            parts = [(n, m) for n, m in named if inspect.ismodule(m)]
            parts = [(n, m) for n, m in parts if m.__name__.startswith(f"{thing.__name__}.")]
            waiting += [(f"{name}.{n}", v) for n, v in [*reference.public(thing).items(), *parts]]
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


@pytest.fixture(scope="module")
def texts():
    """The pages of the reference: {file: body}."""
    return {page["file"]: page["body"] for page in reference.written()}


def entry(text, name):
    """What a page says of one name, up to the next."""
    return re.split("<h2 ", text.partition(f'<h2 id="{name}">')[2])[0]


def test_every_public_name_is_in_the_reference_once_and_links_lead_to_them(texts):
    ids = {file: re.findall('<h2 id="([^"]+)"', text) for file, text in texts.items()}
    every = [name for names in ids.values() for name in names]
    assert len(every) == len(set(every))
    expected = {f"rt.{n}" for n in rt.__all__ if not isinstance(getattr(rt, n), ModuleType)}
    for room in ("plot", "explore", "check"):
        expected |= {f"rt.{room}.{name}" for name in getattr(rt, room).__all__}
    for path in (ROOT / "ranktrees" / "plain").glob("[a-z]*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = [d.name for d in tree.body if isinstance(d, ast.FunctionDef | ast.ClassDef)]
        expected |= {f"rt.plain.{path.stem}.{name}" for name in named if name[0] != "_"}
    assert expected <= set(every)
    assert {"rt.plot.html", "rt.plain.c45.html"} <= texts.keys()
    for text in texts.values():
        for file, _, place in re.findall(r'href="([\w.]+\.html)(#([^"]*))?"', text):
            assert not place or place in ids[file]
    linked = set(re.findall(r'href="([\w.]+)"', texts["reference.html"]))
    assert linked >= texts.keys() - {"reference.html"}


def test_signature_docstring_and_source_are_the_packages_in_short_types(texts):
    shown = entry(texts["reference.html"], "rt.auc")
    assert "    pos_label: object = None,\n" in shown
    assert "    sample_weight: Weights = None\n" in shown
    assert "<p>Return the chance that a positive case has a higher score than" in shown
    assert "<pre>&gt;&gt;&gt; auc([&quot;no&quot;" in shown
    lines = (ROOT / "ranktrees_engine/evaluate/ranking.py").read_text(encoding="utf-8").splitlines()
    line = next(i for i, text in enumerate(lines, 1) if text.startswith("def auc("))
    assert f"<p>ranktrees_engine/evaluate/ranking.py, line {line}</p>" in shown
    assert site.plain(shown.partition("Source of auc")[2]).count("def auc(") == 1
    shown = entry(texts["reference.html"], "rt.load")
    assert "source: str | None = None" in shown
    assert '-&gt; <a href="reference.html#rt.Dataset">Dataset</a></pre>' in shown
    calls = [c for t in texts.values() for c in re.findall('<pre class="call">.*?</pre>', t)]
    assert len(calls) > 200
    for call in calls:
        assert not re.search(r"ranktrees\.|pandas\.core|typing\.| at 0x|self", call), call


def test_what_is_inherited_is_shown_and_its_source_once_on_a_page(texts):
    text = texts["reference.html"]
    for model in ("C44", "C45", "CITree", "PathBayes"):
        said = "<code>predict_proba(X: Input) -&gt; numpy.ndarray</code>"
        assert said in entry(text, f"rt.{model}")
    assert len(re.findall(r"<summary>Source of \w+\.predict_log_proba<", text)) == 1
    assert "agg_filter" not in texts["rt.plot.html"], "what matplotlib gives is its own"


RETURNED = {"Attribute", "Codes", "Dataset", "Doubt", "Encoder", "Explanation", "Results", "Tree"}


def test_every_name_is_used_in_a_lesson_or_on_a_page():
    folders = ("notebooks/*.ipynb", "docs/*.md", "slides/*.md", "*.md", "ranktrees/*.md")
    paths = [path for pattern in folders for path in ROOT.glob(pattern)]
    said = "".join(p.read_text(encoding="utf-8") for p in paths if p.name != "CHANGELOG.md")
    unused = [n for n in rt.__all__ if not re.search(rf"\brt\.{n}\b", said)]
    assert set(unused) <= RETURNED, "which are classes of what calls give back"
