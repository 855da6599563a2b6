"""Equal bounds for pip and conda, a wheel that stands alone, no trace of one machine in a file."""

import hashlib
import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from fresh import project_files
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from ranktrees_lab import hosted
from tools import setup

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, GROUPS = SETTINGS["project"], SETTINGS["dependency-groups"]
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))


def bounds(lines):
    """Return {name: set of bounds} of requirement lines; an error where one name has two bounds."""
    found = {}
    for requirement in map(Requirement, lines):
        name = canonicalize_name(requirement.name)
        limits = {str(limit) for limit in requirement.specifier}
        assert found.setdefault(name, limits) == limits, f"{name} has two different bounds"
    return found


def test_conda_has_the_bounds_of_pyproject_and_installs_the_checkout():
    lists = [*PROJECT["optional-dependencies"].values(), GROUPS["test"]]
    extras = [line for extra in lists for line in extra]
    python = "python" + PROJECT["requires-python"]
    lines = CONDA["dependencies"]
    (pip,) = [entry["pip"] for entry in lines if isinstance(entry, dict)]
    named = [line for line in lines if isinstance(line, str) and line != "pip"]
    assert pip[-1] == "-e ."
    assert bounds([python, *PROJECT["dependencies"], *extras]) == bounds([*named, *pip[:-1]])
    assert CONDA["channels"][0] == "conda-forge"


def command(*arguments, folder):
    """Run this Python in a folder; return what it printed, or show its errors."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def inside(wheel):
    """The wheel's files: {name: content}."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def digests(files):
    return {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}


def packed(inside, prefix):
    return digests({n.removeprefix(prefix): c for n, c in inside.items() if n.startswith(prefix)})


def test_the_wheel_carries_data_and_lessons_and_nothing_that_lies_beside_them(inside):
    data = ROOT / "data"
    files = {p.relative_to(data).as_posix(): p.read_bytes() for p in data.rglob("*") if p.is_file()}
    lessons = {path.name: path.read_bytes() for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert len(lessons) >= 10
    assert packed(inside, "ranktrees_lab/data/files/") == digests(files)
    assert packed(inside, "ranktrees_lab/lessons/") == digests(lessons)
    packages = {name.split("/")[0].split("-")[0] for name in inside}
    assert packages == {"ranktrees", "ranktrees_scale", "ranktrees_lab"}
    assert "ranktrees_lab/explore/explorer.js" in inside
    assert inside["ranktrees_lab/constraints.txt"] == (ROOT / "constraints.txt").read_bytes()


def test_the_package_page_has_words_where_a_link_would_lead_nowhere(inside):
    (text,) = (content.decode() for name, content in inside.items() if name.endswith("/METADATA"))
    fields, page = text.split("\n\n", 1)
    assert "License-File: LICENSE" in fields.split("\n")
    assert "Description-Content-Type: text/markdown" in fields
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (alt,) = re.findall(r"!\[(.+)\]\(notebooks/ranking.png\)", readme)
    assert f"*Picture: {alt}*" in page
    assert "see CONTRIBUTING.md; to cite, CITATION.cff." in page
    assert [place for place in re.findall(r"\]\(([^)]*)\)", page) if "://" not in place] == []
    assert page.count("\n## ") == readme.count("\n## ")


def test_what_is_published_is_whole(wheel):
    from ranktrees import __version__

    (sdist,) = wheel.parent.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    whole = {"LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "constraints.txt", "Makefile"}
    docs = [path for path in (ROOT / "docs").rglob("*") if path.is_file()]
    assert whole | {path.relative_to(ROOT).as_posix() for path in docs} <= names
    assert not {name for name in names if name.startswith((".ci", ".github", ".venv"))}
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## ([\d.]+)", changes, re.MULTILINE)[0] == __version__
    assert f"-{__version__}-" in wheel.name
    page = (ROOT / "docs" / "for-lecturers.md").read_text(encoding="utf-8")
    assert f'"./{wheel.name}[lab]"' in page
    pytest.importorskip("twine")
    command("-m", "twine", "check", "--strict", wheel.name, sdist.name, folder=wheel.parent)


ALONE = """
import sys
from pathlib import Path
site, root = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
sys.path = [str(site)] + [p for p in sys.path if p and Path(p).resolve() != root]
"""


@pytest.fixture(scope="module")
def site(wheel, tmp_path_factory):
    """The wheel, unpacked as an installation is."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


BASE = """
import importlib, inspect, pkgutil, pydoc
from importlib import metadata
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

needs, todo = set(), sys.argv[3:]
while todo:
    package = canonicalize_name(todo.pop())
    if package not in needs:
        needs.add(package)
        lines = map(Requirement, metadata.requires(package) or [])
        todo += [r.name for r in lines if r.marker is None or r.marker.evaluate({"extra": ""})]
owners = metadata.packages_distributions().items()
others = {top for top, names in owners if not needs & set(map(canonicalize_name, names))}


class Base:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in others - {"ranktrees", "ranktrees_scale", "ranktrees_lab"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Base())
assert {"ipywidgets", "IPython", "traitlets", "pyarrow", "duckdb", "sklearn", "dask"} <= others
import ranktrees as rt
from ranktrees import *

assert Path(rt.__file__).is_relative_to(site), rt.__file__
assert plot is rt.plot and C44 is rt.C44
for module in (rt, rt.plot, rt.check, rt.explore, rt.evaluate, rt.scale):
    found = dict(inspect.getmembers(module))
    assert len(dir(module)) == len(set(dir(module)))
    page = pydoc.plain(pydoc.render_doc(module))
    for name in module.__all__:
        assert name in page or inspect.ismodule(found[name]), (module, name)
for package in (rt, importlib.import_module("ranktrees_lab")):
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(found.name)
data = rt.load("iris")
model = rt.C44().fit(data.X, data.y)
assert dict(inspect.getmembers(model))["tree_"] is model.tree_
print((model.predict(data.X) == data.y).mean() > 0.9, rt.plot.tree(model).alt)
Path("a.csv").write_text("x,y\\n1,a\\n2,b\\n1,a\\n2,b\\n")
print(rt.C44().fit(rt.scan("a.csv", "y")).tree_.n_leaves)
Path("a.parquet").write_text("")
Path("a.csv.zst").write_text("")
unpack = lambda: rt.read_csv("a.csv.zst")
for call in (lambda: rt.explore.split(data), lambda: rt.scan("a.parquet", "y"), unpack):
    try:
        call()
    except ImportError as error:
        print(error)
"""


def test_a_base_install_is_whole(site, tmp_path):
    """Only what the project itself needs can be imported; what needs more says how to get it."""
    names = [Requirement(line).name for line in PROJECT["dependencies"]]
    code = ["-I", "-c", ALONE + BASE, str(site), str(ROOT), *names]
    printed = command(*code, folder=tmp_path).splitlines()
    assert printed[0].startswith("True ")
    assert printed[1:] == [
        "2",
        'sliders need ipywidgets: pip install "ranktrees[lab]"',
        'data in files need pyarrow: pip install "ranktrees[scale]"',
        "to unpack a.csv.zst: pip install pyarrow",
    ]


LINES = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
PINS = {
    canonicalize_name(name): version
    for name, _, version in (line.partition("==") for line in LINES if not line.startswith("#"))
}
NEEDS = [
    *PROJECT["dependencies"],
    *(line for extra in PROJECT["optional-dependencies"].values() for line in extra),
    *GROUPS["test"],
]


def test_constraints_are_names_and_versions_within_the_bounds_of_pyproject():
    lines = [line for line in LINES if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    assert len(lines) == len(PINS) > 100
    assert "ranktrees" not in PINS
    needs = map(Requirement, NEEDS)
    off = [n for n in needs if not n.specifier.contains(PINS.get(canonicalize_name(n.name), "0"))]
    assert off == []


def test_constraints_hold_for_the_oldest_python_that_is_allowed():
    """Also where a distribution stays with an early 3.11, as Debian 12 does with 3.11.2."""
    oldest = PROJECT["requires-python"].removeprefix(">=") + ".0"
    for known in metadata.distributions():
        if PINS.get(canonicalize_name(known.name)) == known.version:
            asked = SpecifierSet(known.metadata.get("Requires-Python", ""))
            assert asked.contains(oldest), known.name


def test_constraints_are_complete():
    """What is needed by a package that is installed as constrained, is constrained itself."""
    todo, seen = [Requirement(line) for line in NEEDS], set()
    while todo:
        need = todo.pop()
        name = canonicalize_name(need.name)
        if (name, *need.extras) in seen:
            continue
        seen.add((name, *need.extras))
        assert name in PINS, f"constraints.txt says nothing of {name}"
        if metadata.version(name) == PINS[name]:
            extras = [{"extra": extra} for extra in (need.extras or {""})]
            more = map(Requirement, metadata.requires(name) or [])
            todo += [n for n in more if not n.marker or any(map(n.marker.evaluate, extras))]


EXTRAS = PROJECT["optional-dependencies"]


def test_only_what_readers_need_is_published_and_hosted_is_lab_without_jupyterlab():
    assert set(EXTRAS) == {"lab", "hosted", "scale", "kit"}
    assert set(GROUPS) == {"test", "study", "release"}
    left_out = {Requirement(line).name for line in {*EXTRAS["lab"]} - {*EXTRAS["hosted"]}}
    assert {*EXTRAS["hosted"]} < {*EXTRAS["lab"]}
    assert left_out == {"jupyterlab", "dask", "distributed"}


def all_needed(lines):
    """The names of all that gets installed by requirement lines, as this environment has it."""
    todo, seen = [Requirement(line) for line in lines], {}
    while todo:
        need = todo.pop()
        if canonicalize_name(need.name) not in seen:
            seen[canonicalize_name(need.name)] = metadata.version(need.name)
            more = map(Requirement, metadata.requires(need.name) or [])
            todo += [n for n in more if not n.marker or n.marker.evaluate({"extra": ""})]
    return seen


def test_a_hosted_cell_names_all_versions_but_those_of_a_kernel():
    brought = all_needed([*PROJECT["dependencies"], *EXTRAS["hosted"]])
    if off := {name for name, version in brought.items() if PINS.get(name) != version}:
        pytest.skip(f"other versions are installed than those of constraints.txt: {sorted(off)}")
    assert hosted.NEEDS.split() == sorted(brought.keys() - all_needed(["ipykernel"]).keys())


def traced(find, paths):
    """{file: what is found in its text} of the project's files of text in which it is found."""
    texts = {p.relative_to(ROOT).as_posix(): p.read_bytes() for p in paths if p != Path(__file__)}
    found = {name: find(c.decode("utf-8")) for name, c in texts.items() if b"\0" not in c}
    return {name: traces for name, traces in found.items() if traces}


def machine_paths(text):
    """Return the traces of one machine in a text: this checkout, home or temporary folders."""
    own = {ROOT, ROOT.parent, Path.home(), Path(tempfile.gettempdir())}
    own = {re.escape(str(path)) for path in own if len(path.parts) > 1}
    anyones = (r"/home/\w+", r"/Users/\w+", r"[A-Z]:\\+Users\\+\w+", r"\bipykernel_\d+")
    pattern = rf"(?<![\w.])(?:{'|'.join(sorted(own))})(?=[/\\])|{'|'.join(anyones)}"
    return re.findall(pattern, text)


def test_no_file_names_a_machines_folder():
    assert traced(machine_paths, project_files()) == {}


def shadowing(text):
    """Names of Python files in a text, without a folder as a reader saves them, that hide a module.

    The project's own files of such a name, which lie beside its folders, are no other module.
    """
    stems = set(re.findall(r"(?<![\w./\\-])([\w-]+)\.py\b", text))
    stems = {stem for stem in stems if not (ROOT / f"{stem}.py").exists()}
    specs = {stem: importlib.util.find_spec(stem) for stem in stems}
    return sorted(stem for stem, spec in specs.items() if spec and spec.origin)


def test_no_file_that_a_reader_saves_hides_a_module():
    """Beside a script named as a module `import` finds the script."""
    paths = [path for path in project_files() if ROOT / "tests" not in path.parents]
    assert traced(shadowing, paths) == {}


UNIX = pytest.mark.skipif(os.name == "nt", reason="the Makefile is for Unix")


def make(*arguments, folder=ROOT):
    """Run make outside of any make that runs these tests."""
    program = shutil.which("make")
    if program is None:
        pytest.skip("make is not installed")
    inherited = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "PYTHON", "LAB_FLAGS"}
    environment = {key: value for key, value in os.environ.items() if key not in inherited}
    return subprocess.run(
        [program, *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )


@UNIX
@pytest.mark.parametrize("teacher", [[], ["TEACHER=1"]])
def test_make_lab_opens_the_first_lesson_on_loopback_with_its_token(teacher):
    done = make("-n", "lab", "LAB_FLAGS=--no-browser", *teacher)
    assert ("-m ranktrees student" in done.stdout) is not bool(teacher)
    words = done.stdout.replace("\\\n", " ").split("-m jupyterlab")[1]
    options = ["--allow-root"] if os.geteuid() == 0 else []
    options += ["--ServerApp.ip=127.0.0.1", "--ServerApp.root_dir=notebooks"]
    options.append("--ServerApp.tornado_settings='{\"websocket_max_message_size\": 209715200}'")
    folder = "" if teacher else "student/"
    options.append(f"--LabApp.default_url=/lab/tree/{folder}00_ranking.ipynb --no-browser")
    assert words.split() == " ".join(options).split()


def test_setup_takes_a_python_that_fits_or_says_what_to_install():
    assert setup.choose(["no-such-python", sys.executable]) == sys.executable
    with pytest.raises(SystemExit, match=r"no Python >= 3\.11 among: no-such-python\. Install"):
        setup.choose(["no-such-python"])


@UNIX
def test_help_shows_what_people_use_and_all_of_it_the_rest():
    few, every = (make(name).stdout for name in ("help", "help-all"))
    assert len(re.findall("^make ", few, re.MULTILINE)) == 8
    assert every.startswith(few.rstrip())
    targets = re.findall(r"^([a-z][a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert {t for t in targets if t not in every} == {"setup"}
