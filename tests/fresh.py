"""What a person begins with, an installed wheel or a fresh clone, and the lines they type there."""

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import urllib.error
import urllib.request
import venv
import zipfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from tools.handouts import is_root

PATIENCE = 120  # seconds after which what is waited for is given up: far more than any of it takes
ROOT = Path(__file__).parents[1]
# `peak()` for a process that measures itself, in bytes: on Linux ru_maxrss begins with what the
# process that started it held.
PEAK = """
import pathlib, re, resource, sys
def peak():
    status = pathlib.Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\\s+(\\d+) kB", status.read_text())[1]) * 1024
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held * (1 if sys.platform == "darwin" else 1024)
"""
BUILT = {"build", "dist", "student", "lecture", "__pycache__"}
ADDRESS = re.compile(r"https?://(?:127\.0\.0\.1|localhost):\d+/[^\s\"'<>()]*")
INHERITED = re.compile(
    r"MAKE|MFLAGS|PYTHONPATH$|PYTEST|COV_|VIRTUAL_ENV|JUPYTER|RANKTREES|TEACHER$|LECTURE$"
)
ROOT_MAY = "for app in (c.ServerApp, c.LabApp):\n    app.allow_root = True\n"


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


def new_environment(home, *sources):
    """Make an environment with the packages of this one, but with `ranktrees` of these sources.

    A line in a .pth file leads to the packages of this environment. Those that it leads to by .pth
    files in turn, as to an editable checkout, are not found: `ranktrees` is the sources' or none.
    JupyterLab's page and the sliders' scripts lie in share/. Returns its Python and its packages.
    """
    venv.create(home)
    paths = sysconfig.get_paths("venv", vars={"base": str(home), "platbase": str(home)})
    others = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    lines = [*map(str, sources), *sorted(others)]
    packages = Path(paths["purelib"])
    (packages / "others.pth").write_text("\n".join(lines), encoding="utf-8")
    for name in ("share", "etc"):
        if (Path(sys.prefix) / name).is_dir():
            (home / name).symlink_to(Path(sys.prefix) / name)
    return Path(paths["scripts"]) / ("python.exe" if os.name == "nt" else "python"), packages


def install(wheel, home):
    """Make an environment that has the wheel; return its Python."""
    python, packages = new_environment(home)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    return python


@pytest.fixture
def fresh(wheel, tmp_path, monkeypatch):
    """The Python of a new environment that has the wheel, and of all else what this one has."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return install(wheel, tmp_path / "fresh")


def new_clone(folder):
    """Copy the checkout as git has it, with the .venv that `make setup` would build; return it."""
    for path in project_files():
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    new_environment(folder / ".venv", folder)
    (folder / ".venv" / ".ready").write_text(f"{folder}\n", encoding="utf-8")
    return folder


@pytest.fixture
def clone(tmp_path):
    """A fresh clone in which `make` works."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    return new_clone(tmp_path / "clone")


def surroundings(python, private):
    """The environment of a person who begins: this Python comes first, nothing is set up."""
    private.mkdir(parents=True, exist_ok=True)
    if is_root():  # the server refuses to run as root unless it is told
        (private / "jupyter_server_config.py").write_text(ROOT_MAY, encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not INHERITED.match(name)}
    places = {name: str(private) for name in ("JUPYTER_CONFIG_DIR", "IPYTHONDIR")}
    places["JUPYTER_DATA_DIR"] = str(private / "data")
    scripts = Path(sys.executable).parent  # nbgrader calls one of a package that it needs
    path = os.pathsep.join([str(python.parent), str(scripts), kept["PATH"]])
    return kept | places | {"PATH": path, "BROWSER": "true", "PYTHONUNBUFFERED": "1"}


def typed(line, folder, environment):
    """Run a line in a shell of this folder; return what it printed, or show what went wrong."""
    done = subprocess.run(
        line, shell=True, cwd=folder, env=environment, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return done.stdout


@contextmanager
def served(line, folder, environment, log):
    """Start a line that never ends; gives the address that it prints, once a page answers there."""
    with log.open("wb") as file:
        process = subprocess.Popen(
            line,
            shell=True,
            cwd=folder,
            env=environment,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield _answer(line, process, log)
    finally:
        _end(process)


def _answer(line, process, log):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        found = ADDRESS.findall(log.read_text(encoding="utf-8", errors="replace"))
        try:
            if found:
                opener.open(found[-1], timeout=PATIENCE).close()
                return found[-1]
        except urllib.error.HTTPError:
            raise
        except urllib.error.URLError:  # it says its address before it listens
            pass
        time.sleep(0.1)
    said = log.read_text(encoding="utf-8", errors="replace")
    raise AssertionError(f"{line}: ended, or gave no address that answers\n{said}")


def _end(process):
    """End the shell and what it started; kill what does not end."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        end = time.monotonic() + PATIENCE / 4
        try:
            os.killpg(process.pid, sign)
            while time.monotonic() < end:
                process.poll()
                os.killpg(process.pid, 0)
                time.sleep(0.05)
        except ProcessLookupError:
            return
