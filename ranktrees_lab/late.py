"""SciPy and scikit-learn on a page: fetched when they are first imported, not with the first cell.

Pyodide's loadPackage waits for the network, which a running cell cannot do. A kernel's worker may
ask for a file without waiting for others: so the import itself fetches what it needs.
"""

import ctypes
import hashlib
import importlib
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder
from pathlib import PurePosixPath

LATE = {"scipy": "scipy", "sklearn": "scikit-learn"}  # by the name that is imported


class Late(MetaPathFinder):
    """A finder of modules that fetches the packages of `LATE` when they are first imported."""

    def find_spec(self, name, path=None, target=None):
        """Return where a package of `LATE` is, once it is there; None for any other module."""
        if name not in LATE or PathFinder.find_spec(name):
            return None
        for package in missing(LATE[name]):
            fetch(package)
        importlib.invalidate_caches()
        return PathFinder.find_spec(name)


def load_late() -> None:
    """Let this kernel fetch the packages of `LATE` when they are first imported."""
    sys.meta_path.insert(0, Late())


def missing(package: str) -> list[str]:
    """Return a package of Pyodide's lock file after all that it needs, but for what is there."""
    from pyodide_js import _api, loadedPackages

    found, there = {}, loadedPackages.to_py()

    def visit(name):
        if name not in there and name not in found:
            entry = getattr(_api.lockfile_packages, name)
            for need in entry.depends:
                visit(need)
            found[name] = entry

    visit(package)
    return list(found.values())


def fetch(entry) -> None:
    """Load a package of Pyodide's lock file from its address, a library for all others.

    Raises ImportError if it does not come, or not as the lock file means it.
    """
    from js import URL, XMLHttpRequest
    from pyodide._package_loader import get_install_dir, unpack_buffer
    from pyodide_js import _api, _module, loadedPackages

    print(f"Fetching {entry.name} {entry.version}: once, it stays in the browser's cache.")
    request = XMLHttpRequest.new()
    request.open("GET", URL.new(entry.file_name, _api.config.indexURL).href, False)
    request.responseType = "arraybuffer"
    request.send()
    content = request.response
    if request.status != 200 or hashlib.sha256(content.to_bytes()).hexdigest() != entry.sha256:
        raise ImportError(f"{entry.file_name} does not come whole: connect, and run the cell again")
    made = unpack_buffer(
        content,
        filename=entry.file_name,
        extract_dir=get_install_dir(entry.install_dir),
        calculate_dynlibs=True,
    )
    if entry.package_type == "shared_library":
        known = _module.LDSO.loadedLibsByName
        for library in made:  # others ask for it by its name alone
            ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
            setattr(known, PurePosixPath(library).name, getattr(known, library))
    setattr(loadedPackages, entry.name, "default channel")
