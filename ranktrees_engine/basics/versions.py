"""What a bug report should quote: versions and the system."""

import platform
import sys
from importlib import metadata

PACKAGES = """
    ranktrees numpy pandas scipy matplotlib pooch tqdm joblib scikit-learn pyarrow duckdb dask
    ipywidgets jupyterlab
"""


def show_versions() -> None:
    """Print the versions of Python, the system, ranktrees and the packages that it uses."""
    shown = {"python": sys.version.split()[0], "system": platform.platform()}
    shown |= {name: _version(name) for name in PACKAGES.split()}
    width = max(map(len, shown))
    print("\n".join(f"{name:>{width}}: {version}" for name, version in shown.items()))


def _version(name):
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
