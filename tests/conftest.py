"""Settings of all tests: no example of hypothesis fails because the machine is busy.

jsonschema, of which nbformat uses a part, would import a grammar of web addresses: two seconds for
formats that no notebook has.
"""

import gc
import subprocess
import sys
from pathlib import Path

import pytest
from browser import chromium, disk, lab, opened, page  # noqa: F401
from fresh import clone, fresh  # noqa: F401
from hypothesis import settings

ROOT = Path(__file__).parents[1]

sys.modules.setdefault("rfc3987_syntax", None)
settings.register_profile("ranktrees", parent=settings.default, deadline=None)
settings.load_profile("ranktrees")


def pytest_collection_finish():
    """What all tests share stays until the end: the collector need not look at it again."""
    gc.freeze()


@pytest.fixture(autouse=True)
def hints_at_once(monkeypatch):
    """A check says all it knows at the first try; tests of waiting for it set PATIENCE back."""
    monkeypatch.setattr("ranktrees_lab.check.base.PATIENCE", 0)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The wheel, built without the network; the sdist lies beside it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(build, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("ranktrees-*.whl")
    return path
