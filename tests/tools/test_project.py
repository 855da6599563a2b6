"""Equal bounds for pip and conda, a wheel that stands alone, no trace of one machine in a file."""

import os
import re
import shutil
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from importlib import metadata
from itertools import chain
from pathlib import Path

import pytest
import yaml
from fresh import ROOT, project_files, surroundings, typed
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from ranktrees import __version__
from ranktrees_lab import hosted
from ranktrees_lab.data.files import read_facts
from tools import setup
from tools.house import PACKAGES

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, GROUPS = SETTINGS["project"], SETTINGS["dependency-groups"]
EXTRAS = PROJECT["optional-dependencies"]
LINES = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
PINNED = [line for line in LINES if not line.startswith("#")]
PINS = {canonicalize_name(line.split("==")[0]): line.split("==")[1] for line in PINNED}
NEEDS = [*PROJECT["dependencies"], *chain(*EXTRAS.values()), *GROUPS["test"]]


def bounds(lines):
    """The names and bounds of requirement lines; an error where one name has two bounds."""
    found = {(canonicalize_name(r.name), r.specifier) for r in map(Requirement, lines)}
    assert len(dict(found)) == len(found)
    return found


def test_conda_has_the_bounds_of_pyproject_and_installs_the_checkout():
    conda = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    (pip,) = [line["pip"] for line in conda["dependencies"] if isinstance(line, dict)]
    named = [line for line in conda["dependencies"] if isinstance(line, str) and line != "pip"]
    assert pip.pop() == "-e ."
    assert bounds(["python" + PROJECT["requires-python"], *NEEDS]) == bounds([*named, *pip])
    assert conda["channels"][0] == "conda-forge"


def test_only_what_readers_need_is_published_and_hosted_is_lab_without_jupyterlab():
    assert set(EXTRAS) == {"lab", "hosted", "scale", "kit"}
    left_out = {Requirement(line).name for line in {*EXTRAS["lab"]} - {*EXTRAS["hosted"]}}
    assert {*EXTRAS["hosted"]} < {*EXTRAS["lab"]}
    assert left_out == {"jupyterlab", "dask", "distributed"}


@pytest.fixture(scope="module")
def inside(wheel):
    """The wheel's files: {name: content}."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_carries_data_and_lessons_and_nothing_that_lies_beside_them(inside):
    for prefix, folder, kind in (
        ("ranktrees_lab/data/files/", "data", "**/*"),
        ("ranktrees_lab/lessons/", "notebooks", "*.ipynb"),
    ):
        files = [path for path in (ROOT / folder).glob(kind) if path.is_file()]
        names = {prefix + path.relative_to(ROOT / folder).as_posix(): path for path in files}
        assert {name for name in inside if name.startswith(prefix)} == names.keys()
        assert all(inside[name] == path.read_bytes() for name, path in names.items())
        assert len(names) >= 10
    packages = {name.split("/")[0].split("-")[0] for name in inside}
    assert packages == {*PACKAGES}
    assert "ranktrees_lab/explore/explorer.js" in inside
    assert inside["ranktrees_lab/constraints.txt"] == (ROOT / "constraints.txt").read_bytes()


def test_the_package_page_has_words_where_a_link_would_lead_nowhere_and_all_licences(inside):
    (text,) = (content.decode() for name, content in inside.items() if name.endswith("/METADATA"))
    fields, page = text.split("\n\n", 1)
    assert "Description-Content-Type: text/markdown" in fields
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (alt,) = re.findall(r"!\[(.+)\]\(notebooks/ranking.png\)", readme)
    assert f"*Picture: {alt}*" in page
    assert "see CONTRIBUTING.md; to cite, CITATION.cff." in page
    assert [place for place in re.findall(r"\]\(([^)]*)\)", page) if "://" not in place] == []
    assert page.count("\n## ") == readme.count("\n## ")
    (said,) = re.findall(r"^License-Expression: (.+)$", fields, re.MULTILINE)
    rows = [row["licence"] for rows in read_facts("shipped.csv").values() for row in rows]
    free = "public domain in the USA (17 U.S.C. 105)"
    named = {name.replace("CC BY 4.0", "CC-BY-4.0") for name in rows} - {free}
    assert {*said.split(" AND ")} == named | {"BSD-3-Clause", "CC-BY-4.0"}
    listed = re.findall(r"^License-File: (.+)$", fields, re.MULTILINE)
    assert {n.partition("/licenses/")[2] for n in inside if "/licenses/" in n} == {*listed}
    assert len(listed) == len(said.split(" AND "))


def test_what_is_published_is_whole(wheel):
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
    check = f"{sys.executable} -m twine check --strict {wheel.name} {sdist.name}"
    typed(check, wheel.parent, dict(os.environ))


BASE = """
import importlib, pkgutil, pydoc, sys
from importlib import metadata
from pathlib import Path
from packaging.utils import canonicalize_name

site, root = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
sys.path = [str(site)] + [p for p in sys.path if p and Path(p).resolve() != root]
owners = metadata.packages_distributions().items()
others = {top for top, names in owners if not {*sys.argv[3:]} & {*map(canonicalize_name, names)}}
others -= {name for name in others if name.startswith("ranktrees")}


class Base:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in others:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Base())
assert {"ipywidgets", "IPython", "traitlets", "pyarrow", "duckdb", "sklearn", "dask"} <= others
import ranktrees as rt

assert Path(rt.__file__).is_relative_to(site), rt.__file__
for module in (rt, rt.plot, rt.check, rt.explore, rt.evaluate, rt.scale):
    assert pydoc.render_doc(module)
for package in (rt, importlib.import_module("ranktrees_lab")):
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(found.name)
data = rt.load("iris")
model = rt.C44().fit(data.X, data.y)
print((model.predict(data.X) == data.y).mean() > 0.9, bool(rt.plot.tree(model).alt))
Path("a.csv").write_text("x,y\\n1,a\\n2,b\\n1,a\\n2,b\\n")
print(rt.C44().fit(rt.scan("a.csv", "y")).tree_.n_leaves)
Path("a.parquet").write_text("")
Path("a.csv.zst").write_text("")
for call in ("rt.explore.split(data)", "rt.scan('a.parquet', 'y')", "rt.read_csv('a.csv.zst')"):
    try:
        eval(call)
    except ImportError as error:
        print(error)
"""


def test_a_base_install_is_whole(wheel, tmp_path):
    """Only what the project itself needs can be imported; what needs more says how to get it."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    (tmp_path / "base.py").write_text(BASE, encoding="utf-8")
    line = f"{sys.executable} -I base.py site {ROOT} {' '.join(needed(PROJECT['dependencies']))}"
    assert typed(line, tmp_path, dict(os.environ)).splitlines() == [
        "True True",
        "2",
        'sliders need ipywidgets: pip install "ranktrees[lab]"',
        'data in files need pyarrow: pip install "ranktrees[scale]"',
        "to unpack a.csv.zst: pip install pyarrow",
    ]


def needed(lines):
    """{name: version} of all that requirement lines install, as this environment has it."""
    todo, seen = [*map(Requirement, lines)], {}
    for need in todo:
        name = canonicalize_name(need.name)
        if (name, *need.extras) not in seen:
            seen[(name, *need.extras)] = metadata.version(name)
            extras = [{"extra": extra} for extra in need.extras or {""}]
            more = map(Requirement, metadata.requires(name) or [])
            todo += [n for n in more if not n.marker or any(map(n.marker.evaluate, extras))]
    return {name: version for (name, *_), version in seen.items()}


def constrained(lines):
    """The names of all that requirement lines install, where that is as in constraints.txt."""
    found = needed(lines)
    if off := {name for name, version in found.items() if PINS.get(name, version) != version}:
        pytest.skip(f"other versions are installed than those of constraints.txt: {sorted(off)}")
    return found.keys()


def test_constraints_are_complete_and_within_the_bounds_of_pyproject():
    assert [line for line in PINNED if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    assert len(PINNED) == len(PINS) > 100
    assert "ranktrees" not in PINS
    needs = map(Requirement, NEEDS)
    off = [n for n in needs if not n.specifier.contains(PINS.get(canonicalize_name(n.name), "0"))]
    assert off == []
    assert constrained(NEEDS) <= PINS.keys()


def test_constraints_hold_for_the_oldest_python_that_is_allowed():
    """Also where a distribution stays with an early 3.11, as Debian 12 does with 3.11.2."""
    oldest = PROJECT["requires-python"].removeprefix(">=") + ".0"
    for known in metadata.distributions():
        if PINS.get(canonicalize_name(known.name)) == known.version:
            asked = SpecifierSet(known.metadata.get("Requires-Python", ""))
            assert asked.contains(oldest), known.name


def test_a_hosted_cell_names_all_versions_but_those_of_a_kernel():
    brought = constrained([*PROJECT["dependencies"], *EXTRAS["hosted"]])
    assert hosted.NEEDS.split() == sorted(brought - needed(["ipykernel"]).keys())


def test_no_file_names_a_machines_folder():
    own = {ROOT, ROOT.parent, Path.home(), Path(tempfile.gettempdir())}
    own = {re.escape(str(path)) for path in own if len(path.parts) > 1}
    anyones = (r"/home/\w+", r"/Users/\w+", r"[A-Z]:\\+Users\\+\w+", r"\bipykernel_\d+")
    pattern = rf"(?<![\w.])(?:{'|'.join(sorted(own))})(?=[/\\])|{'|'.join(anyones)}"
    texts = {path: path.read_bytes() for path in project_files() if path != Path(__file__)}
    found = {p: re.findall(pattern, c.decode("utf-8")) for p, c in texts.items() if b"\0" not in c}
    assert {path: traces for path, traces in found.items() if traces} == {}


NEEDS_MAKE = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@NEEDS_MAKE
@pytest.mark.parametrize(("teacher", "folder"), [("", "student/"), ("TEACHER=1", "")])
def test_make_lab_opens_the_first_lesson_on_loopback_with_its_token(teacher, folder, tmp_path):
    shell = surroundings(Path(sys.executable), tmp_path)
    said = typed(f"make -n lab LAB_FLAGS=--no-browser {teacher}", ROOT, shell)
    assert ("-m ranktrees student" in said) is bool(folder)
    options = said.replace("\\\n", " ").split("-m jupyterlab")[1]
    assert " ".join(options.split()).removeprefix("--allow-root ") == (
        "--ServerApp.ip=127.0.0.1 --ServerApp.root_dir=notebooks "
        "--ServerApp.tornado_settings='{\"websocket_max_message_size\": 209715200}' "
        f"--LabApp.default_url=/lab/tree/{folder}00_ranking.ipynb --no-browser"
    )


def test_setup_takes_a_python_that_fits_or_says_what_to_install():
    assert setup.choose(["no-such-python", sys.executable]) == sys.executable
    with pytest.raises(SystemExit, match=r"no Python >= 3\.11 among: no-such-python\. Install"):
        setup.choose(["no-such-python"])


@NEEDS_MAKE
def test_help_shows_what_people_use_and_all_of_it_the_rest(tmp_path):
    shell = surroundings(Path(sys.executable), tmp_path)
    few, every = (typed(f"make {name}", ROOT, shell) for name in ("help", "help-all"))
    assert len(re.findall("^make ", few, re.MULTILINE)) == 9
    assert every.startswith(few.rstrip())
    targets = re.findall(r"^([a-z][a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert {t for t in targets if t not in every} == {"setup"}
    assert set(re.findall(r"^make ([\w-]+)", every, re.MULTILINE)) <= set(targets)
