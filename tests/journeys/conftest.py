"""Where a journey begins."""

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
from fresh import install, new_clone, surroundings


class Place(NamedTuple):
    """A new folder, a clone, a shell with the package, a folder for the rest, started servers."""

    folder: Path
    clone: Path
    shell: dict
    home: Path
    started: set


@pytest.fixture(scope="module")
def place(wheel, tmp_path_factory):
    """A place of a person who has just installed the package, and cloned the project."""
    if shutil.which("make") is None or shutil.which("sh") is None:
        pytest.skip("the lines are for a shell and make")
    home = tmp_path_factory.mktemp("home")
    (home / "work").mkdir()
    environment = surroundings(install(wheel, home / "installed"), home / "private")
    return Place(home / "work", new_clone(home / "clone"), environment, home, set())
