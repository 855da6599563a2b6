"""Equal bounds for pip and conda, a wheel that stands alone, no trace of one machine in a file."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
BUILT = {"build", "dist", "student", "__pycache__"}


def bounds(lines):
    """Return {name: set of bounds} of requirement lines; an error where one name has two bounds."""
    found = {}
    for requirement in map(Requirement, lines):
        name = canonicalize_name(requirement.name)
        limits = {str(limit) for limit in requirement.specifier}
        assert found.setdefault(name, limits) == limits, f"{name} has two different bounds"
    return found


def project_bounds(project):
    """Return the bounds of all dependencies, all extras and Python itself."""
    extras = [line for extra in project["optional-dependencies"].values() for line in extra]
    python = "python" + project["requires-python"]
    return bounds([python, *project["dependencies"], *extras])


def conda_bounds(environment):
    """Return the bounds of the environment, its pip list included; pip and `-e .` are its means."""
    lines = environment["dependencies"]
    pip = [line for entry in lines if isinstance(entry, dict) for line in entry["pip"]]
    names = [line for line in lines if isinstance(line, str) and line != "pip"]
    return bounds([*names, *(line for line in pip if line != "-e .")])


def differences(project, environment):
    """Return {name: (bounds here, bounds there)} wherever pyproject and environment disagree."""
    here, there = project_bounds(project), conda_bounds(environment)
    names = here.keys() | there.keys()
    return {n: (here.get(n), there.get(n)) for n in names if here.get(n) != there.get(n)}


def test_conda_environment_has_the_bounds_of_pyproject():
    assert differences(PROJECT, CONDA) == {}


def replaced(old, new):
    """Return the environment with one line of its text replaced."""
    text = (ROOT / "environment.yml").read_text(encoding="utf-8")
    assert text.count(old) == 1
    return yaml.safe_load(text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("- numpy>=2.0", "- numpy>=2.1", {"numpy": ({">=2.0"}, {">=2.1"})}),
        ("- playwright>=1.44", "- playwright", {"playwright": ({">=1.44"}, set())}),
        ("- scikit-learn>=1.9\n", "- pip\n", {"scikit-learn": ({">=1.9"}, None)}),
        ("- pooch>=1.8", "- pooch>=1.8\n  - xarray>=1", {"xarray": (None, {">=1"})}),
        (",<0.18", "", {"ruff": ({">=0.17", "<0.18"}, {">=0.17"})}),
        ("- python>=3.11", "- python>=3.12", {"python": ({">=3.11"}, {">=3.12"})}),
    ],
)
def test_a_changed_bound_is_noticed(old, new, expected):
    assert differences(PROJECT, replaced(old, new)) == expected


def test_conda_environment_installs_the_checkout():
    assert CONDA["channels"][0] == "conda-forge"
    assert [entry["pip"][-1] for entry in CONDA["dependencies"] if isinstance(entry, dict)] == [
        "-e ."
    ]


def command(*arguments, folder):
    """Run this Python in a folder; return what it printed, or show its errors."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    options = ("--wheel", "--no-isolation", "--outdir", ".")
    command("-m", "build", *options, str(ROOT), folder=folder)
    (path,) = folder.glob("ranktrees-*.whl")
    return path


def digests(files):
    return {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}


def test_wheel_carries_the_data_and_only_the_package(wheel):
    with zipfile.ZipFile(wheel) as archive:
        inside = {name: archive.read(name) for name in archive.namelist()}
    prefix = "ranktrees/data/files/"
    packed = {n.removeprefix(prefix): c for n, c in inside.items() if n.startswith(prefix)}
    data = ROOT / "data"
    files = {p.relative_to(data).as_posix(): p.read_bytes() for p in data.rglob("*") if p.is_file()}
    assert "iris.arff" in files or "iris.csv" in files
    assert digests(packed) == digests(files)
    assert {name.split("/")[0].split("-")[0] for name in inside} == {"ranktrees"}


ALONE = """
import sys
from pathlib import Path
site, root = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
sys.path = [str(site)] + [p for p in sys.path if p and Path(p).resolve() != root]
import ranktrees
import ranktrees.data
assert Path(ranktrees.__file__).is_relative_to(site), ranktrees.__file__
data = ranktrees.data.load("iris")
print(ranktrees.__version__, data.X.shape, len(data.y), Path.cwd() == root)
"""


def test_installed_wheel_loads_iris_in_an_empty_folder(wheel, tmp_path):
    site, empty = tmp_path / "site", tmp_path / "empty"
    empty.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    printed = command("-I", "-c", ALONE, str(site), str(ROOT), folder=empty)
    version = wheel.name.split("-")[1]
    assert printed.split("\n")[0] == f"{version} (150, 4) 150 False"
    assert list(empty.iterdir()) == []


def is_built(parts):
    """Whether a path lies in a folder of caches, build results or another tool."""
    return any(part in BUILT or (part[0] == "." and part != ".ci") for part in parts[:-1])


def project_files():
    """Return what git tracks or would add; without git, all files outside build folders."""
    git = shutil.which("git")
    if git and (ROOT / ".git").exists():
        listing = [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout
        paths = [ROOT / name for name in names.decode("utf-8").split("\0") if name]
    else:
        paths = [path for path in ROOT.rglob("*") if not is_built(path.relative_to(ROOT).parts)]
    return [path for path in paths if path.is_file()]


def machine_paths(text, root=ROOT):
    """Return the traces of one machine in a text: this checkout, home or temporary folders."""
    own = {root, root.parent, Path.home(), Path(tempfile.gettempdir())}
    own = {re.escape(str(path)) for path in own if len(path.parts) > 1}
    anyones = (r"/home/\w+", r"/Users/\w+", r"[A-Z]:\\+Users\\+\w+", r"\bipykernel_\d+")
    pattern = rf"(?<![\w.])(?:{'|'.join(sorted(own))})(?=[/\\])|{'|'.join(anyones)}"
    return re.findall(pattern, text)


def test_no_file_names_a_machines_folder():
    found = {}
    for path in project_files():
        content = path.read_bytes()
        if b"\0" not in content and path != Path(__file__):
            traces = machine_paths(content.decode("utf-8"))
            if traces:
                found[path.relative_to(ROOT).as_posix()] = traces
    assert found == {}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"{ROOT / 'data'}", 1),
        (f'"{Path.home() / "x"}"', 1),
        ("/home/ann/course", 1),
        (r"C:\\Users\\ann", 1),
        ("File ipykernel_4711/12.py", 1),
        ("data/iris.arff at https://example.org/home/", 0),
        ("/usr/share/java/weka.jar and ./course/x", 0),
    ],
)
def test_machine_paths_are_noticed(text, count):
    assert len(machine_paths(text)) == count


UNIX = pytest.mark.skipif(os.name == "nt", reason="the Makefile is for Unix")


def make(*arguments, folder=ROOT, path=None):
    """Run make outside of any make that runs these tests."""
    program = shutil.which("make")
    if program is None:
        pytest.skip("make is not installed")
    inherited = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "PYTHON", "LAB_FLAGS"}
    environment = {key: value for key, value in os.environ.items() if key not in inherited}
    environment["PATH"] = path or environment["PATH"]
    return subprocess.run(
        [program, *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )


@UNIX
def test_make_lab_opens_the_first_lesson_on_loopback_with_its_token():
    done = make("-n", "lab", "LAB_FLAGS=--no-browser")
    words = done.stdout.replace("\\\n", " ").split("-m jupyterlab")[1].split()
    root, page = "--ServerApp.root_dir=notebooks", "--LabApp.default_url=/lab/tree/00_ranking.ipynb"
    as_root = ["--allow-root"] if os.geteuid() == 0 else []
    assert words == [*as_root, "--ServerApp.ip=127.0.0.1", root, page, "--no-browser"]


@pytest.fixture
def bare(tmp_path):
    """A folder with the Makefile and an empty project, and a place for programs."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("sh", "rm", "cat", "id"):
        (programs / name).symlink_to(shutil.which(name))
    return tmp_path


def pretend(folder, name, script):
    """Put a shell script in the place of a Python."""
    program = folder / "programs" / name
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)


@UNIX
@pytest.mark.parametrize(
    ("name", "script", "message"),
    [
        ("python3", "exit 1", "no Python >= 3.11 among: python3.13 python3.12"),
        ("python3", 'case "$2" in *ensurepip*) exit 1;; esac', "apt install python3-venv"),
    ],
)
def test_make_says_in_one_line_what_python_it_needs(bare, name, script, message):
    pretend(bare, name, script)
    done = make("setup", folder=bare, path=str(bare / "programs"))
    first, *rest = done.stderr.splitlines()
    assert done.returncode != 0
    assert message in first
    assert len(rest) == 1  # make's own "Error 1"
    assert not (bare / ".venv").exists()


def test_the_import_leaves_heavy_packages_alone():
    code = (
        "import sys, ranktrees as rt; rt.DecisionTree; rt.load; rt.criteria; "
        "print(*({'scipy', 'matplotlib', 'ipywidgets', 'pooch', 'sklearn'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []


def test_the_readme_quotes_the_results():
    """Each row of the headline table, and what is said of the cells below it."""
    from ranktrees.papers import PAPERS, average_table, cell_table, results

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    tables, cells = {}, {}
    for name, paper in PAPERS.items():
        _, frame = results(name)
        table, cells[name] = average_table(frame, paper), cell_table(frame, paper)
        mine = table[(table["group"] == "all") & (table["measure"] == "auc")]
        tables[name] = mine.set_index("method")[["published", "measured", "honest"]]
    row = r"\| (\w+) \| (\S+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|"
    quoted = [q for q in re.findall(row, readme) if q[0] in PAPERS]
    assert len(quoted) == 11
    for paper, method, *values in quoted:
        factor = 100 if paper == "martinez2010" else 1
        assert np.abs(factor * tables[paper].loc[method] - np.array(values, float)).max() < 0.00501
    off = cells["wang2006"].dropna(subset=["difference"])
    assert len(off) == 490
    others = off[off["difference"].abs() > 0.4]
    assert set(others["method"]) == {"C45-L", "C44-L", "C44-B"}
    largest = others["difference"].abs().groupby(others["method"]).max()
    assert largest.round(2).to_dict() == {"C44-B": 0.90, "C44-L": 1.43, "C45-L": 1.42}
    auc = cells["su2004"].query("measure == 'auc' and dataset != 'satimage'")
    within = {name: part["difference"].abs() for name, part in auc.groupby("method")}
    assert (within["NB"] <= 1).sum() == 24
    assert (within["CITree"] <= 2).sum() == 26


def test_the_readme_quotes_the_benchmark():
    results = (ROOT / "benchmarks" / "results.md").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    fits, pipeline, numbers, folds = (
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in results.splitlines()
        if line.startswith(("| median |", "| median with numbers |"))
    )
    assert f"{pipeline[-1]} in the median, {numbers[-1]} on sets with numbers" in readme
    codes_j48, frame_j48, codes_skl, frame_skl = fits[-4:]
    assert f"| codes | {codes_j48} | {codes_skl} |" in readme
    assert f"| a DataFrame, read and binned | {frame_j48} | {frame_skl} |" in readme
    together, single, frame = folds[-3:]
    assert f"| codes, the ten trees grown together | {together} |" in readme
    assert f"| codes, ten fits | {single} |" in readme
    assert f"| a DataFrame, together | {frame} |" in readme
