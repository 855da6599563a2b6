"""Equal bounds for pip and conda, a wheel that stands alone, no trace of one machine in a file."""

import ast
import functools
import hashlib
import importlib
import importlib.util
import inspect
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
from types import ModuleType

import numpy as np
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


def project_bounds(project):
    """Return the bounds of all dependencies, extras and groups, and of Python itself."""
    lists = [*project["optional-dependencies"].values(), GROUPS["test"]]
    extras = [line for extra in lists for line in extra]
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
def inside(wheel):
    """The wheel's files: {name: content}."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def digests(files):
    return {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}


def packed(inside, prefix):
    return digests({n.removeprefix(prefix): c for n, c in inside.items() if n.startswith(prefix)})


def test_wheel_carries_the_data_and_only_the_package(inside):
    data = ROOT / "data"
    files = {p.relative_to(data).as_posix(): p.read_bytes() for p in data.rglob("*") if p.is_file()}
    assert "iris.arff" in files or "iris.csv" in files
    assert packed(inside, "ranktrees_lab/data/files/") == digests(files)
    assert {name.split("/")[0].split("-")[0] for name in inside} == {
        "ranktrees",
        "ranktrees_scale",
        "ranktrees_lab",
    }
    assert "ranktrees_lab/explore/explorer.js" in inside


def test_wheel_carries_the_lessons_and_nothing_that_lies_beside_them(inside):
    lessons = {path.name: path.read_bytes() for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert len(lessons) >= 10
    assert packed(inside, "ranktrees_lab/lessons/") == digests(lessons)
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
    assert whole | {f"docs/{path.name}" for path in (ROOT / "docs").iterdir()} <= names
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
IRIS = """
import ranktrees
import ranktrees_lab.data
assert Path(ranktrees.__file__).is_relative_to(site), ranktrees.__file__
data = ranktrees_lab.data.load("iris")
print(ranktrees.__version__, data.X.shape, len(data.y), Path.cwd() == root)
"""
LESSONS = """
from ranktrees_lab.command import main
sys.exit(main(["lessons", "course", *sys.argv[3:]]))
"""


@pytest.fixture(scope="module")
def site(wheel, tmp_path_factory):
    """The wheel, unpacked as an installation is."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def alone(site, code, *arguments, folder):
    """Run code with the unpacked wheel, and without the checkout; return what it printed."""
    return command("-I", "-c", ALONE + code, str(site), str(ROOT), *arguments, folder=folder)


def test_installed_wheel_loads_iris_in_an_empty_folder(wheel, site, tmp_path):
    printed = alone(site, IRIS, folder=tmp_path)
    version = wheel.name.split("-")[1]
    assert printed.split("\n")[0] == f"{version} (150, 4) 150 False"
    assert list(tmp_path.iterdir()) == []


def test_installed_wheel_writes_its_lessons(site, tmp_path):
    alone(site, LESSONS, "--teacher", folder=tmp_path)
    lessons = {path.name: path.read_bytes() for path in (ROOT / "notebooks").glob("*.ipynb")}
    pins = {"constraints.txt": (ROOT / "constraints.txt").read_bytes()}
    written = {path.name: path.read_bytes() for path in (tmp_path / "course").iterdir()}
    assert digests(written) == digests(lessons | pins)


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
    printed = alone(site, BASE, *names, folder=tmp_path).splitlines()
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


def outside(pins, lines):
    """The requirements that the versions do not meet."""
    needs = {line: Requirement(line) for line in lines}
    return [
        line
        for line, need in needs.items()
        if not need.specifier.contains(pins.get(canonicalize_name(need.name), "0"))
    ]


def test_constraints_are_names_and_versions():
    lines = [line for line in LINES if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    assert len(lines) == len(PINS) > 100
    assert "ranktrees" not in PINS


def test_constraints_lie_within_the_bounds_of_pyproject():
    assert outside(PINS, NEEDS) == []
    assert outside({"numpy": "1.26.4"}, ["numpy>=2.0"]) == ["numpy>=2.0"]
    assert outside({}, ["numpy>=2.0"]) == ["numpy>=2.0"]


def test_constraints_hold_for_the_oldest_python_that_is_allowed():
    """Also where a distribution stays with an early 3.11, as Debian 12 does with 3.11.2."""
    oldest = PROJECT["requires-python"].removeprefix(">=") + ".0"
    wrong = [
        name
        for name, version in PINS.items()
        if (known := installed(name)) and known.version == version
        if not SpecifierSet(known.metadata.get("Requires-Python", "")).contains(oldest)
    ]
    assert wrong == []


def installed(name):
    """What is known of an installed package; None of one that is not there."""
    return next(iter(metadata.distributions(name=name)), None)


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


def test_only_what_readers_need_is_published():
    assert set(EXTRAS) == {"lab", "hosted", "scale", "kit"}
    assert set(GROUPS) == {"test", "study", "release"}


def test_hosted_is_lab_without_jupyterlab_and_dask():
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
    found = {}
    for path in project_files():
        content = path.read_bytes()
        if b"\0" not in content and ROOT / "tests" not in path.parents:
            names = shadowing(content.decode("utf-8"))
            if names:
                found[path.relative_to(ROOT).as_posix()] = names
    assert found == {}


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
    words = done.stdout.replace("\\\n", " ").split("-m jupyterlab")[1].split()
    root = "--ServerApp.root_dir=notebooks"
    page = f"--LabApp.default_url=/lab/tree/{'' if teacher else 'student/'}00_ranking.ipynb"
    as_root = ["--allow-root"] if os.geteuid() == 0 else []
    large = "--ServerApp.tornado_settings='{\"websocket_max_message_size\": 209715200}'"
    at = words.index(large.split()[0])
    assert " ".join(words[at : at + 2]) == large
    del words[at : at + 2]
    assert words == [*as_root, "--ServerApp.ip=127.0.0.1", root, page, "--no-browser"]


@UNIX
def test_make_lab_for_a_lecture_has_its_own_settings_and_one_document():
    done = make("-n", "lab", "LECTURE=1")
    assert "-m ranktrees lecture\n" in done.stdout
    assert "-m ranktrees student" not in done.stdout
    settings, words = done.stdout.replace("\\\n", " ").split("-m jupyterlab")
    stage = f"{ROOT}/.venv/lecture"
    assert "rm -rf .venv/lecture && " in settings
    assert settings.rstrip().split("\n")[-2].endswith("cp -R tools/lecture .venv/lecture")
    assert "--LabApp.default_url=/doc/tree/lecture/00_ranking.ipynb" in words
    assert (
        f"--LabApp.user_settings_dir='{stage}' --LabApp.workspaces_dir='{stage}/workspaces'"
        in words
    )


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
    assert {t for t in targets if t not in every} == {"setup", "help"}


def test_the_import_leaves_heavy_packages_alone():
    code = (
        "import sys, ranktrees as rt; rt.DecisionTree; rt.load; rt.criteria; "
        "print(*({'scipy', 'matplotlib', 'ipywidgets', 'pooch', 'sklearn'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []


FRONT = ["README.md", "CONTRIBUTING.md"]
PAGES = [*FRONT, *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]


@pytest.mark.parametrize("page", FRONT)
def test_a_front_page_is_read_in_minutes(page):
    assert len((ROOT / page).read_text(encoding="utf-8").split()) <= 900


def anchors(path):
    """The places of a Markdown page to which a link can lead."""
    heads = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w-]", "", head.lower().replace(" ", "-")) for head in heads}


def places(path):
    """Where the links of a page lead inside of the project: (file, place in it)."""
    found = re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8"))
    parts = [place.partition("#")[::2] for place in found if "://" not in place]
    return [((path.parent / name).resolve() if name else path, place) for name, place in parts]


@pytest.mark.parametrize("page", PAGES)
def test_links_of_a_page_lead_to_a_file_and_a_place_in_it(page):
    for target, place in places(ROOT / page):
        assert target.is_file(), target
        assert not place or place in anchors(target), f"{target}#{place}"


def test_every_page_is_two_clicks_from_the_readme_and_leads_back():
    near = {target for target, _ in places(ROOT / "README.md") if target.suffix == ".md"}
    every = near.union(*({target for target, _ in places(page)} for page in near))
    for page in PAGES[1:]:
        assert ROOT / page in every
        assert ROOT / "README.md" in {target for target, _ in places(ROOT / page)}


def test_the_evidence_quotes_the_results():
    """Each row of the headline table, and what is said of the cells below it."""
    from ranktrees_lab.papers import PAPERS, average_table, cell_table, results

    page = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")
    tables, cells = {}, {}
    for name, paper in PAPERS.items():
        _, frame = results(name)
        table, cells[name] = average_table(frame, paper), cell_table(frame, paper)
        mine = table[(table["group"] == "all") & (table["measure"] == "auc")]
        tables[name] = mine.set_index("method")[["published", "measured", "honest"]]
    row = r"\| (\w+) \| ([^|]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|"
    quoted = [q for q in re.findall(row, page) if q[0] in PAPERS]
    assert len(quoted) == 12
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


def test_the_evidence_quotes_the_study():
    from ranktrees_lab.papers import STUDIES, results, study_table

    page = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")
    table = study_table(results("path-bayes")[1], STUDIES["path-bayes"])
    table = table.set_index(["group", "method", "measure"])
    row = r"\| ([\w.() -]+?)(?:, honest)? \| (\.\d+) \| (\.\d+) \| (\.\d+) \| ([\d/]*) ?\|"
    quoted = re.findall(row, page)
    assert len(quoted) == 14
    for method, *means, counts in quoted:
        parts = [("all", "auc"), ("report", "auc"), ("all", "log-loss-clipped")]
        for mean, (group, measure) in zip(means, parts, strict=True):
            assert f"{table.loc[(group, method, measure), 'mean']:.3f}"[1:] == mean
        assert table.loc[("report", method, "auc"), "higher"] == counts


def test_the_evidence_quotes_the_study_of_the_forest():
    from ranktrees_lab.papers import STUDIES, results, standing
    from ranktrees_lab.papers.files import kept_file
    from ranktrees_lab.papers.seconds import read_seconds
    from ranktrees_lab.papers.summary import ratios

    page, paper = (
        (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8"),
        STUDIES["path-forest"],
    )
    frame = results("path-forest")[1]
    loss = standing(frame, paper, "path forest", "log-loss-clipped")
    auc = standing(frame, paper, "path forest", "auc")
    times = ratios(read_seconds(kept_file("path-forest", ".seconds.csv")), paper)
    rest = r"(\d+) \| (\.\d+) \| (\.\d+) \| ([\d/]+) \| (\.\d+) \| ([\d/]+) \| ([\d.]+) \|"
    quoted = re.findall(r"\| ([\w.`() ]+?) \| " + rest, page)
    assert len(quoted) == 6
    for name, sets, mean, ours, won, p, ranked, time in quoted:
        method = {"`rt.PathBayes()`": "path Bayes"}.get(name, name)
        found = loss.loc[method]
        assert (found["sets"], found["higher"], auc.loc[method, "higher"]) == (
            int(sets),
            won,
            ranked,
        )
        assert [f"{found[column]:.3f}"[1:] for column in ("mean", "ours")] == [mean, ours]
        assert float(p) == pytest.approx(found["holm"], rel=0.2)
        assert float(time) == pytest.approx(times[method], abs=0.0501)


def test_the_speed_quotes_the_benchmark():
    results = (ROOT / "benchmarks" / "results.md").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    fits, pipeline, numbers, folds = (
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in results.splitlines()
        if line.startswith(("| median |", "| median with numbers |"))
    )
    assert f"{pipeline[-1]} in the median, {numbers[-1]} on sets with numbers" in page
    codes_j48, frame_j48, codes_skl, frame_skl = fits[-4:]
    assert f"| codes | {codes_j48} | {codes_skl} |" in page
    assert f"| a DataFrame, read and binned | {frame_j48} | {frame_skl} |" in page
    together, single, frame = folds[-3:]
    assert f"| codes, the ten trees grown together | {together} |" in page
    assert f"| codes, ten fits | {single} |" in page
    assert f"| a DataFrame, together | {frame} |" in page


def test_the_stub_says_what_the_package_gives():
    import ranktrees as rt

    text = (ROOT / "ranktrees" / "__init__.pyi").read_text(encoding="utf-8")
    said, listed = {}, []
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom):
            said |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            said |= {alias.asname: (alias.name, "") for alias in node.names}
        elif isinstance(node, ast.Assign):
            listed = ast.literal_eval(node.value)
    assert sorted(said) == sorted(listed) == rt.__all__
    for name, (module, inside) in said.items():
        value = getattr(rt, name)
        home = importlib.import_module(module)
        named = getattr(home, inside, None) if inside else home
        assert value is (importlib.import_module(f"{module}.{inside}") if named is None else named)


@pytest.mark.parametrize("room", ["ranktrees.evaluate", "ranktrees.plain", "ranktrees_lab.check"])
def test_the_stub_of_a_room_says_what_it_gives(room):
    module, folder = importlib.import_module(room), ROOT / room.replace(".", "/")
    said, files = {}, {path.stem for path in folder.glob("*.py")} - {"__init__"}
    for node in ast.parse((folder / "__init__.pyi").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            said |= {alias.name: importlib.import_module(node.module) for alias in node.names}
    public = getattr(module, "__all__", files)
    assert set(public) <= said.keys() <= {*public, *files}
    for name, home in said.items():
        assert getattr(module, name) is getattr(home, name)


CALLS = ("__init__", "__call__")  # what else a reader sees of a class


def public_functions():
    """{name: function} of all that `rt` and its rooms give: functions, methods, properties."""
    import ranktrees as rt

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
