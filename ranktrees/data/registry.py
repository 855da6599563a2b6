"""The papers' UCI sets: from a located file to a Dataset, each format as its source has it."""

from pathlib import Path

import numpy as np
import pandas as pd

from .arff import read_arff, read_arff_frame
from .dataset import Dataset
from .fetch import locate
from .files import read_facts

ORIGIN, LICENCE = "UCI Machine Learning Repository", "CC BY 4.0"
ADULT_NUMBERS = ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week")
YEAST_CLASSES = ["CYT", "ERL", "EXC", "ME1", "ME2", "ME3", "MIT", "NUC", "POX", "VAC"]


def entries() -> dict[str, list[dict[str, str]]]:
    """The registry: rows of registry.csv by name."""
    return read_facts("registry.csv")


def load_registry(name: str) -> Dataset:
    """The registry's data set of exactly this name.

    Raises FetchError when a file cannot be had or is another file, KeyError for another name.
    """
    rows = entries()[name]
    paths = [locate(row) for row in rows]
    data = (
        SPECIAL[name](*paths) if name in SPECIAL else read_arff(*paths, rows[0]["target"] or None)
    )
    return Dataset(
        data.X,
        data.y,
        name=name,
        source=f"{ORIGIN}, {LICENCE}; {' + '.join(p.name for p in paths)}",
        ids=tuple(filter(None, [rows[0]["ids"]])),
        target=data.target,
    )


def _abalone(path: Path) -> Dataset:
    """Abalone, a regression file, cut into three classes: rings <= 8, 9 or 10, >= 11."""
    X = read_arff_frame(path)
    rings = X.pop("Class_Rings")
    y = pd.cut(rings, [-np.inf, 8, 10, np.inf], labels=["<=8", "9-10", ">=11"], ordered=False)
    return Dataset(X, y.array)


def _adult(*paths: Path) -> Dataset:
    """Adult: training and test part joined; the class may end with a dot.

    The pinned test file ends with a copy of the training file's only case from the Netherlands,
    which UCI's own does not have; it is left out, so that 48,842 cases remain.
    """
    train, test = (pd.read_csv(p, skipinitialspace=True, na_values="?", dtype="str") for p in paths)
    X = pd.concat([train, test.iloc[:-1]], ignore_index=True)
    y = pd.Categorical(X.pop("annual-income").str.removesuffix("."), categories=["<=50K", ">50K"])
    types = {c: "float64" if c in ADULT_NUMBERS else "category" for c in X.columns}
    return Dataset(X.astype(types), y, target="annual-income")


def _satimage(*paths: Path) -> Dataset:
    """Satimage: training and test part joined; numbers between blanks below a line of numbers."""
    rows = np.vstack([np.loadtxt(p, skiprows=1) for p in paths])
    X = pd.DataFrame(rows[:, :-1], columns=[f"x{i}" for i in range(1, rows.shape[1])])
    y = pd.Categorical(rows[:, -1].astype(int).astype(str), categories=list("123457"))
    return Dataset(X, y)


def _yeast(path: Path) -> Dataset:
    """Yeast: eight numbers and the class as a code from 1."""
    columns = ["mcg", "gvh", "alm", "mit", "erl", "pox", "vac", "nuc"]
    X = pd.read_csv(path, header=None, names=[*columns, "class"], dtype="float64")
    codes = X.pop("class").to_numpy().astype(int) - 1
    return Dataset(X, pd.Categorical.from_codes(codes, categories=YEAST_CLASSES))


SPECIAL = {"abalone": _abalone, "adult": _adult, "satimage": _satimage, "yeast": _yeast}
