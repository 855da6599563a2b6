"""The packages that the course in a browser adds to Pyodide's: their wheels, and a list of them.

Pyodide installs what its lock file lists once a cell imports it. `start.js`, on the site, adds our
list to that file, of Pyodide's own site or of another host.
"""

import base64
import csv
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from tools.house import PACKAGES
from tools.pages import ROOT, TEMPLATES
from tools.web import stock

LIST = "packages.json"
START, PAGE = TEMPLATES / "start.js", TEMPLATES / "web.js"
# A package: the names that it gives to import, and what it needs. SciPy comes when it is imported.
NEEDS = "numpy pandas matplotlib joblib pooch tqdm ipywidgets"
OWN = {
    "ranktrees": (" ".join(PACKAGES), NEEDS),
    "ipywidgets": ("ipywidgets", "comm traitlets ipython"),
    "comm": ("comm", "traitlets"),
    "pooch": ("pooch", "platformdirs packaging"),
    "platformdirs": ("platformdirs", ""),
    "tqdm": ("tqdm", ""),
    "ipykernel": ("ipykernel", ""),
    "piplite": ("piplite", "micropip"),
    "pyodide-kernel": ("pyodide_kernel", "ipython ipykernel comm"),
}
# What the kernel would install at its start, one after the other; ours come with it, at once.
# Without ssl and jedi: a page has no sockets, and completes names from what has run.
KERNEL = ["ssl", "sqlite3", "ipykernel", "comm", "pyodide_kernel", "jedi", "ipython"]
KERNEL += ["micropip", "piplite"]
AT_START = ["micropip", "piplite", "pyodide-kernel", "ranktrees"]
LATER = ["scipy", "scikit-learn", "sqlite3", "pyarrow"]  # fetched when they are imported
LESSONS = "ranktrees_lab/lessons/"
# Tables for readers of files: the lessons make them from the results beside them.
LEFT_OUT = re.compile(
    r"ranktrees_lab/(?:constraints\.txt|data/files/results/.*\.(?:summary|seconds)\.csv)"
)


def write_packages(folder: Path, wheels: list[Path], pyodide: str) -> None:
    """Write wheels, their list and what starts Pyodide into a new folder.

    `wheels` are those of `OWN` but for ranktrees, which is built; `pyodide` is the address of
    Pyodide, absolute or as seen from this folder. Raises ValueError if a wheel is missing.
    """
    folder.mkdir(parents=True)
    for script in (START, PAGE):
        shutil.copy(script, folder)
    every = [small_wheel(folder), *(Path(shutil.copy(wheel, folder)) for wheel in wheels)]
    found = {path.name.split("-")[0].replace("_", "-"): path for path in every}
    if missing := sorted(OWN.keys() - found.keys()):
        raise ValueError(f"there is no wheel of {', '.join(missing)}")
    packages = {name: _entry(name, found[name], *OWN[name]) for name in OWN}
    said = {"pyodide": pyodide, "first": AT_START, "packages": packages}
    (folder / LIST).write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")


def copy_pyodide(source: Path, folder: Path) -> None:
    """Copy Pyodide, with the packages that the course needs, into a new folder.

    Its lock file lists those alone. Raises OSError if a file is missing.
    """
    folder.mkdir(parents=True)
    lock = json.loads((source / stock.LOCK).read_text(encoding="utf-8"))
    known, wanted = lock["packages"], {}
    rest = [*AT_START, *LATER, *(need for _, needs in OWN.values() for need in needs.split())]
    while rest:
        name = rest.pop()
        if name in known and name not in wanted:
            wanted[name] = known[name]
            rest += [need.replace("_", "-") for need in known[name]["depends"]]
    for name in sorted(stock.OWN - {stock.LOCK} | {each["file_name"] for each in wanted.values()}):
        shutil.copy(source / name, folder)
    text = json.dumps(lock | {"packages": dict(sorted(wanted.items()))})
    (folder / stock.LOCK).write_text(text, encoding="utf-8")


def _entry(name, wheel, imports, depends):
    """Return a package's entry in a lock file of Pyodide."""
    return {
        "name": name,
        "version": wheel.name.split("-")[1],
        "file_name": wheel.name,
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "imports": imports.split(),
        "depends": depends.split(),
        "install_dir": "site",
        "package_type": "package",
        "unvendored_tests": False,
    }


def small_wheel(folder: Path) -> Path:
    """Build the package for a browser; return its wheel in `folder`.

    Raises OSError, with what the build says, if that fails.
    """
    with tempfile.TemporaryDirectory() as whole:
        command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", whole]
        done = subprocess.run([*command, ROOT], capture_output=True, text=True)
        if done.returncode:
            raise OSError(f"no wheel of the package: {(done.stderr or done.stdout).strip()}")
        (wheel,) = Path(whole).glob("*.whl")
        return shrink(wheel, folder)


def shrink(wheel: Path, folder: Path) -> Path:
    """Write a wheel without what no lesson reads into a folder; return it.

    Of the lessons, in which progress and solutions are looked up, it has the cells without outputs.
    """
    files = dict(_kept(wheel))
    record = next(name for name in files if name.endswith(".dist-info/RECORD"))
    files[record] = _record({n: c for n, c in files.items() if n != record}, record)
    path = folder / wheel.name
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)
    return path


def _kept(wheel):
    """Yield names and contents of a wheel's files, those of lessons without outputs."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            if name.startswith(LESSONS) and name.endswith(".ipynb"):
                cells = [_code(cell) for cell in json.loads(content)["cells"]]
                content = json.dumps({"cells": cells}, ensure_ascii=False).encode()
            if not LEFT_OUT.fullmatch(name):
                yield name, content


def _code(cell):
    """Return what progress and solutions read of a cell."""
    first = cell["source"] if cell["cell_type"] == "code" else cell["source"][:1]
    tags = cell["metadata"].get("tags", [])
    return {"cell_type": cell["cell_type"], "metadata": {"tags": tags}, "source": first}


def _record(files, record):
    """Return a wheel's table of contents: names, digests, lengths."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.writerow([name, f"sha256={digest}", len(content)])
    rows.writerow([record, "", ""])
    return text.getvalue().encode()
