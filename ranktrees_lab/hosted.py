"""The first cell of a lesson for a hosted notebook: it installs the package and its needs."""

import re
from pathlib import Path
from textwrap import wrap
from urllib.parse import quote, unquote, urlsplit

from ranktrees_engine._version import __version__

# All that the extra "hosted" brings, but for what a kernel runs on: that is the host's choice.
NEEDS = """
    certifi charset-normalizer cloudpickle contourpy cycler duckdb fonttools idna ipywidgets joblib
    jupyterlab-widgets kiwisolver matplotlib narwhals numpy pandas pillow pooch pyarrow pyparsing
    requests scikit-learn scipy threadpoolctl tqdm urllib3 widgetsnbextension
"""
SAID = (
    "# The lessons' package and the versions it was tested with. If asked to, restart the kernel."
)
WHEEL = re.compile(r"ranktrees-[\w.!+]+-py3-none-any\.whl")
PLAIN = "/:?#[]@!&()*+,;=%-._~"  # in an address; the rest means something to a shell or to IPython


def install_cell(pins: str, address: str | None = None) -> dict:
    """Return the cell, folded; `pins` are lines NAME==VERSION, `address` as in `requirement`."""
    versions = dict(line.split("==") for line in pins.splitlines() if "==" in line)
    tested = wrap(" ".join(f"{name}=={versions[name]}" for name in NEEDS.split()), 90)
    lines = [f'%pip install --quiet "{requirement(address)}"', *tested]
    return {
        "cell_type": "code",
        "id": "hosted",
        "metadata": {"tags": ["hosted"], "jupyter": {"source_hidden": True}},
        "source": SAID + "\n" + " \\\n  ".join(lines),
        "outputs": [],
        "execution_count": None,
    }


def requirement(address: str | None = None) -> str:
    """Return what pip should install: this version from its index, or the wheel at an address.

    The address is an http, https or file URL, or the path of a local wheel. ValueError if it does
    not name a wheel of ranktrees, as far as can be told without the network.
    """
    if address is None:
        return f"ranktrees[hosted]=={__version__}"
    url = quote(address, safe=PLAIN) if "://" in address else _file(address)
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https", "file"):
        raise ValueError(f"--from takes an http or https address or a path, not {address!r}")
    if parts.scheme != "file" and not parts.hostname:
        raise ValueError(f"--from: {address!r} names no server")
    if not WHEEL.fullmatch(unquote(parts.path).rpartition("/")[2]):
        like = f"ranktrees-{__version__}-py3-none-any.whl"
        raise ValueError(f"--from: {address!r} is not a wheel of ranktrees, named like {like}")
    return f"ranktrees[hosted] @ {url}"


def _file(path):
    if not Path(path).is_file():
        make = "make it by python -m build --wheel, or give its web address"
        raise ValueError(f"--from: there is no file {path!r}; {make}")
    return Path(path).absolute().as_uri()
