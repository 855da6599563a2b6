"""The other processor is another one, and a difference between two of them is seen."""

import os
import subprocess
import sys

import numpy as np
import pytest

import ranktrees as rt
from tools import processors


@pytest.mark.skipif(
    not any(map(processors.__cpu_features__.get, processors.__cpu_dispatch__)),
    reason="this processor has nothing that could be switched off",
)
def test_what_was_to_be_switched_off_and_is_not_is_named():
    settings = processors.another() | {"NPY_DISABLE_CPU_FEATURES": "NO_SUCH_FEATURE"}
    command = [sys.executable, "-c", "from tools.processors import check_other; check_other()"]
    how = {"cwd": processors.ROOT, "env": dict(os.environ) | settings}
    done = subprocess.run(command, capture_output=True, text=True, **how)
    assert "NumPy still uses" in done.stderr


THIS = {
    "set, model, classes": np.array(["a", "b"]),
    "set, model, probabilities": np.array([[0.5, 0.5], [np.nan, 0.1]]),
    "set, model, tree's child": np.array([1, 2, -1]),
}


def test_a_difference_is_seen():
    for what, array, count in (
        ("probabilities", [[0.5, 0.5 + 1e-15], [np.nan, 0.1]], 0),
        ("probabilities", [[0.5, 0.5 + 1e-11], [np.nan, 0.1]], 1),
        ("classes", ["a", "a"], 1),
        ("tree's child", [1, 2, 3], 1),
        ("tree's child", [1, 2], 1),
    ):
        other = THIS | {f"set, model, {what}": np.array(array)}
        assert len(list(processors.differences(THIS, other))) == count
    assert len(list(processors.differences(THIS, {}))) == 1


def test_what_is_recorded_is_read_again_and_says_tree_classes_and_areas(tmp_path, monkeypatch):
    monkeypatch.setattr(processors, "sets", lambda: ["weather.nominal"])
    model = rt.C44(estimate="laplace")
    monkeypatch.setattr(processors, "models", lambda: {"C44 laplace": model})
    processors.record(str(tmp_path / "this.npz"))
    said = dict(np.load(tmp_path / "this.npz"))
    tree = [f"tree's {part}" for part in ("attribute", "cut", "parent", "child", "counts")]
    parts = [*tree, "classes", "probabilities", "auc-wang2006", "auc-su2004"]
    assert set(said) == {f"weather.nominal, C44 laplace, {part}" for part in parts}
    assert list(processors.differences(said, said)) == []
