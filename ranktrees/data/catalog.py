"""One door to all data sets: load one by name, list them all."""

from functools import partial

import pandas as pd

from . import generate
from .arff import read_arff
from .dataset import Dataset
from .files import counts, folder, read_facts
from .names import nearest, normal
from .registry import LICENCE, ORIGIN, entries, load_registry

SOURCES = ("shipped", "code", "uci")

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


def load(name: str, source: str | None = None) -> Dataset:
    """The data set of this name (case and . _ - do not matter) from the first source that has it.

    Sources in order: "shipped" (files of the package), "code" (generated), "uci" (the registry:
    $RANKTREES_DATA, the cache, or a download); source names one of them.
    Raises ValueError for an unknown name or source, FetchError (an OSError) when a registry
    file cannot be had.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a data set is a text, not {type(name).__name__}")
    if source is not None and source not in SOURCES:
        raise ValueError(f"unknown source {source!r}: choose from {', '.join(SOURCES)}")
    found = {}
    for place, loader in _loaders().items():
        for known in loader:
            if normal(known) == normal(name):
                found[place] = partial(loader[known], known)
    if not found:
        known = [k for loader in _loaders().values() for k in loader]
        raise ValueError(
            f"no data set {name!r}; {nearest(name, known)}; rt.datasets() lists all of them"
        )
    if source is not None and source not in found:
        raise ValueError(f"{name!r} has no source {source!r}, only {', '.join(found)}")
    return found[source or next(iter(found))]()


def _loaders():
    """For each source, a function of the exact name for each name it has."""
    return {
        "shipped": dict.fromkeys(read_facts("shipped.csv"), _load_shipped),
        "code": {name: _without_name(make) for name, make in GENERATED.items()},
        "uci": dict.fromkeys(entries(), load_registry),
    }


def _without_name(make):
    return lambda _name: make()


def _load_shipped(name):
    rows = read_facts("shipped.csv")[name]
    parts = [read_arff(folder() / row["file"]) for row in rows]
    target = parts[0].target
    X = pd.concat([part.frame for part in parts], ignore_index=True)
    y = X.pop(target).array
    return Dataset(
        X, y, name=name, source=f"{rows[0]['origin']}; {rows[0]['licence']}", target=target
    )


def datasets() -> pd.DataFrame:
    """All data sets: one row for each name and source, with its counts, origin and licence.

    Reads two small tables only: no data file, no network.
    """
    rows = [
        {"name": name, "source": "shipped", **counts(files[0]), **_rights(files[0])}
        for name, files in read_facts("shipped.csv").items()
    ]
    for name, make in GENERATED.items():
        data = make()
        rights = {"origin": data.source, "licence": "BSD-3-Clause (code)"}
        rows.append({"name": name, "source": "code", **data.facts, **rights})
    for name, files in entries().items():
        rights = {"origin": ORIGIN, "licence": LICENCE}
        rows.append({"name": name, "source": "uci", **counts(files[0]), **rights})
    rows.sort(key=lambda row: row["name"].casefold())  # stable: sources stay in order
    return pd.DataFrame(rows)


def _rights(row):
    return {"origin": row["origin"], "licence": row["licence"]}
