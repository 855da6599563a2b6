"""All data sets: load one by name, list them all."""

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from ranktrees_engine.basics.optional import optional
from ranktrees_engine.basics.typos import nearest, normal
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_files.arff import read_arff, read_arff_frame
from ranktrees_files.dataset import Dataset
from ranktrees_lab.data import files, generate

UCI = {"origin": "UCI Machine Learning Repository", "licence": "CC BY 4.0"}
GENERATED = {
    "balance-scale": generate.balance_scale,
    "monks-1": partial(generate.monks, 1),
    "monks-2": partial(generate.monks, 2),
    "monks-3": partial(generate.monks, 3),
    "parity": generate.parity,
    "tax-payers": generate.tax_payers,
    "tic-tac-toe": generate.tic_tac_toe,
    "waveform": generate.waveform,
}
ADULT_NUMBERS = ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week")
SKLEARN = {  # scikit-learn's function; cases, numbers and classes
    "digits": ("load_digits", 1797, 64, 10),
    "wdbc": ("load_breast_cancer", 569, 30, 2),
}
FILES = {".csv": "read_csv", ".arff": "read_arff", ".dat": "read_arff", ".names": "read_c45"}
FILES |= dict.fromkeys((".parquet", ".pq"), "scan")  # what reads a file of this ending
YEAST_CLASSES = ["CYT", "ERL", "EXC", "ME1", "ME2", "ME3", "MIT", "NUC", "POX", "VAC"]


def load(name: str, source: str | None = None) -> Dataset:
    """Load the data set of this name from the first source that has it; case and . _ - are ignored.

    Sources in order: "shipped" (files of the package), "code" (generated), "uci" (the registry:
    $RANKTREES_DATA, the cache, or a download), "scikit-learn" (part of that library); `source`
    names one. Raises ValueError for an unknown name or source, FetchError (an OSError) if a
    registry file is not available.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a data set is a text, not {type(name).__name__}")
    if source is not None and not (isinstance(source, str) and source in SOURCES):
        raise ValueError(f"unknown source {source!r}: choose from {', '.join(SOURCES)}")
    known = [(place, exact) for place, (names, _) in SOURCES.items() for exact in names()]
    having = {place: exact for place, exact in known if normal(exact) == normal(name)}
    if not having:
        close = nearest(name, [exact for _, exact in known])
        if Path(name).suffix.lower() in FILES:
            close = f"rt.{FILES[Path(name).suffix.lower()]} reads a file"
        raise ValueError(f"no data set {name!r}; {close}; rt.datasets() lists all of them")
    if source is not None and source not in having:
        raise ValueError(f"{name!r} has no source {source!r}, only {', '.join(having)}")
    place = source or next(iter(having))
    with WarnOnce(without=("",)):  # these sets are what they are
        return SOURCES[place][1](having[place])


def datasets() -> pd.DataFrame:
    """List all data sets: a row for each name and source, with its counts, origin and licence.

    It reads only two small tables: no data file, no network.
    """
    shipped, registry = files.read_facts("shipped.csv"), files.read_facts("registry.csv")
    rows = [_listed(name, "shipped", parts[0]) for name, parts in shipped.items()]
    for name, make in GENERATED.items():
        data = make()
        rights = {"origin": data.source, "licence": "BSD-3-Clause (code)"}
        rows.append({"name": name, "source": "code", **data.facts, **rights})
    rows += [_listed(name, "uci", {**UCI, **parts[0]}) for name, parts in registry.items()]
    for name, (_, cases, numeric, classes) in SKLEARN.items():
        counts = {"rows": cases, "nominal": 0, "numeric": numeric, "classes": classes}
        rows.append(_listed(name, "scikit-learn", counts | UCI))
    rows.sort(key=lambda row: row["name"].casefold())  # stable: sources stay in order
    return pd.DataFrame(rows)


def _listed(name, source, row):
    """Return a row of a table of facts in the words of `Dataset.facts`."""
    nominal, numeric = int(row["nominal"]), int(row["numeric"])
    return {
        "name": name,
        "source": source,
        "cases": int(row["rows"]),
        "attributes": nominal + numeric,
        "nominal": nominal,
        "numeric": numeric,
        "classes": int(row["classes"]),
        "origin": row["origin"],
        "licence": row["licence"],
    }


def _load_shipped(name):
    rows = files.read_facts("shipped.csv")[name]
    parts = [read_arff(files.folder() / row["file"]) for row in rows]
    X = pd.concat([part.frame for part in parts], ignore_index=True)
    target, source = parts[0].target, f"{rows[0]['origin']}; {rows[0]['licence']}"
    return Dataset(X, X.pop(target).array, name=name, source=source, target=target)


def _load_registry(name):
    """Read a set of the registry as its source has it: ARFF, or one of `SPECIAL`."""
    rows = files.read_facts("registry.csv")[name]
    paths = [files.locate(row) for row in rows]
    read = SPECIAL.get(name, partial(read_arff, target=rows[0]["target"] or None))
    data = read(*paths)
    source = f"{UCI['origin']}, {UCI['licence']}; {' + '.join(path.name for path in paths)}"
    ids = tuple(filter(None, [rows[0]["ids"]]))
    return Dataset(data.X, data.y, name=name, source=source, ids=ids, target=data.target)


def _load_sklearn(name):
    """Load a set that scikit-learn brings along; its classes are numbers or names, as there."""
    made = getattr(optional("sklearn.datasets", "These data", "lab"), SKLEARN[name][0])()
    X = pd.DataFrame(made.data, columns=list(made.feature_names))
    y = pd.Categorical.from_codes(made.target, [str(c) for c in made.target_names])
    return Dataset(X, y, name=name, source=f"scikit-learn; {UCI['origin']}, {UCI['licence']}")


def _abalone(path: Path) -> Dataset:
    """Read Abalone, a regression file, cut into three classes: rings <= 8, 9 or 10, >= 11."""
    X = read_arff_frame(path)
    rings = X.pop("Class_Rings")
    y = pd.cut(rings, [-np.inf, 8, 10, np.inf], labels=["<=8", "9-10", ">=11"], ordered=False)
    return Dataset(X, y.array)


def _adult(*paths: Path) -> Dataset:
    """Read Adult, training and test part joined; the class may end with a dot.

    The pinned test file ends with a copy of the training file's only case from the Netherlands,
    which UCI's own does not have; it is left out, so that 48,842 cases remain.
    """
    train, test = (pd.read_csv(p, skipinitialspace=True, na_values="?", dtype="str") for p in paths)
    X = pd.concat([train, test.iloc[:-1]], ignore_index=True)
    y = pd.Categorical(X.pop("annual-income").str.removesuffix("."), categories=["<=50K", ">50K"])
    types = {c: "float64" if c in ADULT_NUMBERS else "category" for c in X.columns}
    return Dataset(X.astype(types), y, target="annual-income")


def _satimage(*paths: Path) -> Dataset:
    """Read Satimage, training and test part joined: numbers between blanks, no heading."""
    rows = np.vstack([np.loadtxt(p, skiprows=1) for p in paths])
    X = pd.DataFrame(rows[:, :-1], columns=[f"x{i}" for i in range(1, rows.shape[1])])
    y = pd.Categorical(rows[:, -1].astype(int).astype(str), categories=list("123457"))
    return Dataset(X, y)


def _yeast(path: Path) -> Dataset:
    """Read Yeast: eight numbers and the class as a code from 1."""
    columns = ["mcg", "gvh", "alm", "mit", "erl", "pox", "vac", "nuc"]
    X = pd.read_csv(path, header=None, names=[*columns, "class"], dtype="float64")
    codes = X.pop("class").to_numpy().astype(int) - 1
    return Dataset(X, pd.Categorical.from_codes(codes, categories=YEAST_CLASSES))


SPECIAL = {"abalone": _abalone, "adult": _adult, "satimage": _satimage, "yeast": _yeast}
SOURCES = {  # the names that each one has, and how one of them is read
    "shipped": (partial(files.read_facts, "shipped.csv"), _load_shipped),
    "code": (lambda: GENERATED, lambda name: GENERATED[name]()),
    "uci": (partial(files.read_facts, "registry.csv"), _load_registry),
    "scikit-learn": (lambda: SKLEARN, _load_sklearn),
}
