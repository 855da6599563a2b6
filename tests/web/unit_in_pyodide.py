"""Runs unit tests in Pyodide, without conftest.py, whose fixtures are of a browser and a wheel."""

import os

import pytest
from hypothesis import settings

settings.register_profile("ranktrees", deadline=None, max_examples=20, database=None)
settings.load_profile("ranktrees")
os.chdir("/course")
options = ["-q", "--noconftest", "-p", "no:cacheprovider", "--capture=sys", "--tb=line", "-rf"]
STATUS = int(pytest.main([*options, *WORDS]))  # noqa: F821
