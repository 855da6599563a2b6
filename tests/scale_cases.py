"""Cases in files, shared by the tests of data larger than memory."""

import itertools
import re
from contextlib import contextmanager
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from prunable import assert_same_tree

import ranktrees as rt
from ranktrees_engine.basics.warn import WarnOnce

ALGORITHMS = rt.scale.ALGORITHMS
SCAN = import_module("ranktrees_files.scale.files")
FIT = import_module("ranktrees_files.scale.fit")


def write(frame, folder, sizes=(), kind="parquet"):
    """A folder with files of so many rows each, the rest in the last one."""
    folder.mkdir(parents=True, exist_ok=True)
    bounds = [0, *np.minimum(np.cumsum(sizes, dtype=int), len(frame)).tolist(), len(frame)]
    for k, (start, end) in enumerate(itertools.pairwise(bounds)):
        part, path = frame.iloc[start:end], folder / f"{k:03d}.{kind}"
        if kind == "csv":
            part.to_csv(path, index=False)
        else:
            part.to_parquet(path, index=False)
    return folder


@contextmanager
def batches_of(rows):
    """Batches of so many rows, so that small files have many and small budgets are enough."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SCAN, "BATCH", rows)
        patch.setattr(FIT, "BLOCK_BYTES", rows)
        yield


def quiet(function, *args, **kwargs):
    """Without the warnings of columns that have one value or look like an identifier."""
    with WarnOnce(without=("",)):
        return function(*args, **kwargs)


def scanned(frame, folder, weight=None, kind="parquet"):
    """A scan of some files with these cases, and a column of weights where there are any."""
    frame = frame if weight is None else frame.assign(w=weight)
    folder = write(frame, folder, [100, 0, 37], kind)
    return rt.scan(folder, "label", weight=None if weight is None else "w")


def both(make, frame, folder, weight=None, **how):
    """The model of files and that of memory."""
    memory = quiet(make().fit, frame.drop(columns="label"), frame["label"], weight)
    with batches_of(64):
        return quiet(make().fit, scanned(frame, folder, weight), **how), memory


def least_budget(model, scan):
    """The bytes of one node's tables, the least that a fit on files takes, as a fit says."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FIT, "BLOCK_BYTES", 1)
        with pytest.raises(ValueError, match="one node take") as refused:
            quiet(FIT.fit_tree, model, scan, 100)
    return int(re.search(r"one node take ([\d,]+)", str(refused.value))[1].replace(",", ""))


def assert_same_model(model, memory):
    """The same tree, encoder and estimates as those that memory gives."""
    assert_same_tree(model.tree_, memory.tree_)
    assert model.classes_.tolist() == memory.classes_.tolist()
    assert np.array_equal(model.node_proba_, memory.node_proba_)
    assert_same_encoder(model.encoder_, memory.encoder_)


def assert_close_tree(tree, memory):
    """The same tests of the same nodes; counts may differ by rounding."""
    for name in ("parent", "attribute", "cut", "child", "offset"):
        assert np.array_equal(getattr(tree, name), getattr(memory, name)), name
    np.testing.assert_allclose(tree.counts, memory.counts, rtol=1e-12)


def assert_same_encoder(encoder, memory, exact=False):
    """The same schema, categories and fills; means may differ by rounding where none was needed."""
    assert encoder.schema_ == memory.schema_
    assert encoder.fill_ == (memory.fill_ if exact else pytest.approx(memory.fill_, rel=1e-12))
    for one, other in zip(encoder.categories_, memory.categories_, strict=True):
        assert (one is None) == (other is None)
        assert one is None or one.tolist() == other.tolist()


def assert_all_alike(make, X, y, scan, budget=30_000, algorithms=ALGORITHMS):
    """All algorithms grow the tree of memory, from files with a budget of few nodes."""
    memory = quiet(make().fit, X, y)
    for algorithm in algorithms:
        model = quiet(FIT.fit_tree, make(), scan, budget, algorithm=algorithm)
        try:
            assert_same_model(model, memory)
        except AssertionError as error:
            raise AssertionError(f"{algorithm}, {memory!r}: {error}") from error
    return memory


def mixed(n, seed=1, gaps=0.1):
    """n cases of every type of column, with gaps, and a class that depends on some of them."""
    rng = np.random.default_rng(seed)
    number, code = rng.normal(size=n), rng.integers(0, 4, n)
    grade = rng.integers(0, 3, n)
    y = (number > 0.3) * 1 + (code > 1) + rng.integers(0, 2, n) * (grade == 2)
    colours, sizes = ["red", "green", "blue", "grey"], ["small", "middle", "large"]
    frame = pd.DataFrame(
        {
            "number": number,
            "whole": rng.integers(-5, 30, n).astype(float),
            "nullable": pd.array(rng.integers(0, 9, n), "Int64"),
            "text": pd.array(np.array(["b", "a", "d", "c"])[rng.integers(0, 4, n)], "str"),
            "flag": pd.array(rng.random(n) < 0.5, "boolean"),
            "colour": pd.Categorical.from_codes(code, colours),
            "size": pd.Categorical.from_codes(grade, sizes, ordered=True),
        }
    )
    for name in frame:
        frame.loc[rng.random(n) < gaps, name] = pd.NA if name in ("nullable", "flag") else None
    return frame.assign(label=pd.Categorical.from_codes(y, list("vwxyz")[: y.max() + 1]))
