"""Every result is the same on 32 bits, as in a browser: daily, with a stand-in for NumPy."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import bits32
import numpy as np
import pytest
import rules32
from fresh import ROOT

HERE = Path(__file__).parent
WORK = """
import sys
if sys.argv[1].endswith("32.npz"):
    import bits32
    bits32.install()
import work32
work32.main(sys.argv[1])
"""


def standing_in(expression):
    """The value of an expression in code that is rewritten."""
    tree = bits32.Rewriter().visit(ast.parse(expression, mode="eval"))
    return eval(compile(tree, expression, "eval"), {**rules32.GIVEN, "_bits32": bits32})


def test_the_stand_in_keeps_the_rules():
    assert rules32.broken(standing_in) == {}
    on_64 = rules32.broken(lambda expression: eval(expression, rules32.GIVEN))
    assert len(on_64) > 30, "the rules are those of 32 bits"


def test_it_is_installed_before_the_project():
    with pytest.raises(RuntimeError, match="already imported: ranktrees"):
        bits32.install()


@pytest.fixture(scope="module")
def worked(tmp_path_factory):
    """The rows of work32.py on 64 bits and on 32: two of {title: numbers}."""
    folder, found = tmp_path_factory.mktemp("work"), []
    files = [folder / f"{bits}.npz" for bits in (64, 32)]
    paths = os.pathsep.join(map(str, (HERE, ROOT)))
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    how["env"] = {**os.environ, "PYTHONPATH": paths}
    running = [subprocess.Popen([sys.executable, "-c", WORK, file], **how) for file in files]
    for process in running:
        said, _ = process.communicate(timeout=600)
        assert process.returncode == 0, said
    for file in files:
        with np.load(file) as rows:
            found.append(dict(rows))
    return found


def test_all_models_criteria_and_measures_are_the_same(worked):
    on_64, on_32 = worked
    assert on_64.keys() == on_32.keys()
    assert len(on_64) > 120
    differ = [row for row in on_64 if not np.array_equal(*_numbers(on_64[row], on_32[row]))]
    assert differ == []


def _numbers(one, other):
    return np.nan_to_num(one), np.nan_to_num(other)
