"""What a browser gets: a small wheel, the list of our packages, those of Pyodide that they need."""

import hashlib
import json
import subprocess
import zipfile

import pytest
from fresh import ROOT, install

from ranktrees_lab import late
from tools import kit
from tools.web import lite, packages, stock

WHEELS = [f"{name.replace('-', '_')}-1-py3-none-any.whl" for name in packages.OWN]
PROGRESS = "import ranktrees as rt; print(rt.progress().to_string())"
SOLUTION = "import ranktrees as rt; print(rt.solution('pairs_by_hand').code)"


def test_a_small_wheel_has_what_lessons_read(wheel, tmp_path):
    small = packages.shrink(wheel, tmp_path)
    assert small.stat().st_size < 0.6 * wheel.stat().st_size
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(small) as archive:
        names, every = set(archive.namelist()), set(whole.namelist())
        (record,) = (name for name in names if name.endswith("RECORD"))
        listed = {line.split(",")[0] for line in archive.read(record).decode().splitlines()}
        texts = [archive.read(name) for name in names if name.endswith(".ipynb")]
    assert listed == names < every
    assert {name for name in every if name.endswith(".py")} < names
    assert {f"ranktrees_lab/data/files/results/{p}.csv" for p in ("wang2006", "path-bayes")} < names
    assert not any(name.endswith((".summary.csv", ".seconds.csv")) for name in names)
    assert len(texts) == len(list((ROOT / "notebooks").glob("*.ipynb")))
    assert not any(b"outputs" in text for text in texts)


def test_progress_and_solutions_are_those_of_the_whole_package(wheel, tmp_path):
    small = packages.shrink(wheel, tmp_path)
    said = []
    for name, path in ("whole", wheel), ("small", small):
        python = install(path, tmp_path / name)
        for code in PROGRESS, SOLUTION:
            line = [python, "-P", "-c", code]
            done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True)
            said.append(done.stdout)
    assert said[:2] == said[2:]
    assert "00 · " in said[0]
    assert "auc_by_hand" in said[1]


@pytest.fixture
def built(monkeypatch, tmp_path):
    """Files for wheels, that of ranktrees among them."""
    for name in WHEELS:
        (tmp_path / name).write_bytes(name.encode())
    monkeypatch.setattr(packages, "small_wheel", lambda folder: tmp_path / WHEELS[0])
    return [tmp_path / name for name in WHEELS[1:]]


def test_the_list_of_packages_says_what_a_lock_file_says(built, tmp_path):
    packages.write_packages(tmp_path / "course", built, "../pyodide/")
    said = json.loads((tmp_path / "course" / packages.LIST).read_text(encoding="utf-8"))
    assert said["pyodide"] == "../pyodide/"
    ours = said["packages"]["ranktrees"]
    assert {"ranktrees", "ranktrees_engine", "ranktrees_files", "ranktrees_lab"} == {
        *ours["imports"]
    }
    assert "scipy" not in ours["depends"]
    assert ours["sha256"] == hashlib.sha256(WHEELS[0].encode()).hexdigest()
    known = said["packages"].keys() | {"micropip"}
    assert known >= {*said["first"]}
    assert {path.name for path in (tmp_path / "course").glob("*.js")} == {"start.js", "web.js"}


def test_a_missing_wheel_is_named(built, tmp_path):
    some = [path for path in built if not path.name.startswith(("comm", "tqdm"))]
    with pytest.raises(ValueError, match="there is no wheel of comm, tqdm"):
        packages.write_packages(tmp_path / "course", some, "../pyodide/")


def test_of_pyodide_the_site_gets_what_the_course_needs(tmp_path):
    source, target = tmp_path / "pyodide", tmp_path / "site"
    source.mkdir()
    needs = {"numpy": [], "scipy": ["numpy", "openblas_x"], "openblas-x": [], "lxml": []}
    needs |= {name: [] for name in ("scikit-learn", "matplotlib", "micropip")}
    lock = {
        n: {"file_name": f"{n}.whl", "depends": [d.lower() for d in of]} for n, of in needs.items()
    }
    for name in [*stock.OWN, *(entry["file_name"] for entry in lock.values())]:
        (source / name).touch()
    (source / stock.LOCK).write_text(json.dumps({"info": {}, "packages": lock}), encoding="utf-8")
    packages.copy_pyodide(source, target)
    left = json.loads((target / stock.LOCK).read_text(encoding="utf-8"))["packages"]
    assert set(left) == set(needs) - {"lxml"}
    assert {path.name for path in target.iterdir()} == stock.OWN | {f"{name}.whl" for name in left}
    (source / "numpy.whl").unlink()
    with pytest.raises(OSError, match="numpy"):
        packages.copy_pyodide(source, tmp_path / "other")


def test_without_jupyterlite_nothing_is_written(tmp_path):
    with pytest.raises(lite.WebError, match="make web makes it"):
        lite.write_web(tmp_path / "web", lite=tmp_path / "python")
    assert not (tmp_path / "web").exists()


def test_another_page_than_jupyterlites_is_refused(tmp_path):
    (tmp_path / "index.html").write_text("<p>", encoding="utf-8")
    with pytest.raises(lite.WebError, match="no </head>"):
        lite.add_script(tmp_path / "index.html")


def test_only_what_is_not_there_is_fetched_late(monkeypatch):
    """A module that is installed, and one that nobody fetches, are left to others."""
    monkeypatch.setattr(late, "fetch", lambda entry: pytest.fail("nothing is to be fetched"))
    assert late.Late().find_spec("scipy") is late.Late().find_spec("no_such_module") is None
    monkeypatch.setitem(late.LATE, "no_such_module", "lacking")
    monkeypatch.setattr(late, "missing", lambda package: [package])
    fetched = []
    monkeypatch.setattr(late, "fetch", fetched.append)
    assert late.Late().find_spec("no_such_module") is None
    assert fetched == ["lacking"]


@pytest.mark.parametrize("inside", [True, False])
def test_the_kit_has_the_course_for_a_hall_if_pyodide_is_in_it(inside, tmp_path, monkeypatch):
    web, target = tmp_path / "web", tmp_path / "kit"
    (web / "static" / ("pyodide" if inside else "course")).mkdir(parents=True)
    monkeypatch.setattr(kit, "write_handouts", lambda *_: [])
    monkeypatch.setattr(kit, "write_wheel", lambda folder: [])
    paths = sorted((ROOT / "notebooks").glob("07*.ipynb"))
    kit.build(paths, target, tmp_path / "none", web=web)
    said = "python -m http.server --directory web" in (target / "README.md").read_text("utf-8")
    assert (target / "web" / "static").is_dir() == said == inside
