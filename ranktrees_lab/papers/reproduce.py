"""Repeat a paper's experiment: every method on every data set, by the paper's own protocol."""

import hashlib
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import current_process, parent_process
from pathlib import Path
from threading import Thread

import numpy as np
import pandas as pd

from ranktrees_engine._version import __version__
from ranktrees_engine.basics.arguments import (
    as_path,
    check_flag,
    check_jobs,
    check_number,
    check_seed,
    choose,
)
from ranktrees_engine.basics.browser import in_browser
from ranktrees_engine.basics.kinds import AnyPath
from ranktrees_engine.basics.warn import WarnOnce, progress_bar
from ranktrees_engine.evaluate import MEASURES
from ranktrees_engine.evaluate.fitting import fit_each, take_rows
from ranktrees_engine.reading.encoder import Codes, Encoder
from ranktrees_files.prepare import prepare
from ranktrees_lab.data import Dataset, FetchError, load
from ranktrees_lab.papers import files
from ranktrees_lab.papers.catalog import STUDIES
from ranktrees_lab.papers.files import ResultsError
from ranktrees_lab.papers.label_leak import in_declared_order
from ranktrees_lab.papers.paper import SIZES, Method, Paper
from ranktrees_lab.papers.seconds import tell

# What a paper's protocol brings about by itself: rare classes, and gaps once a fold is left.
EXPECTED = ("the smallest class has", "no value at all")
SLOWLY = (
    "a browser computes in one process, about a third as fast as a computer and only while its "
    "page is open: take few data sets, methods and runs, or install ranktrees on a computer"
)


def reproduce(
    paper: str | Paper,
    *,
    out: AnyPath,
    datasets: Sequence[str] | None = None,
    methods: Sequence[str] | None = None,
    runs: int | None = None,
    seed: int = 1,
    jobs: int | None = None,
    progress: bool | None = None,
) -> Path:
    """Measure what a paper measured, and write every fold to the file `out`, sorted.

    `paper`: a `Paper`, or its name in `STUDIES`; `datasets`, `methods`: some names, or None for
    all; `runs`: None for the paper's; `jobs`: processes, or None for what joblib's context says.
    Measurements are kept in NAME.sqlite: if started again, the work goes on. A study is timed
    first. Raises ValueError, FetchError or ResultsError before any work starts.
    """
    paper = _with_runs(find_paper(paper), runs)
    check_flag("progress", progress, none=True)
    check_seed(seed)
    check_jobs("jobs", jobs, -1)
    chosen, names = paper.chosen(methods), paper.chosen_sets(datasets)
    out = check_target(as_path("out", out))  # before sets are fetched
    sets = load_sets(paper, names)
    settings = settings_of(paper, chosen, sets, seed)
    if out.exists():
        files.check_settings(out, files.read_settings(out), settings)
    work = units_of(paper, chosen, sets, seed)
    with files.opened(out.with_name(f"{out.name.removesuffix('.csv')}.sqlite"), settings) as db:
        done = files.finished_units(db)
        left = {unit: how for unit, how in work.items() if unit not in done}
        if left and in_browser():
            print(SLOWLY, file=sys.stderr)
        if paper.reference:
            tell(out, left, jobs)
        _work_off(db, left, jobs, progress)
        with files.transaction(db):  # of two processes that end at once, one after the other
            rows = (row for unit in work for row in files.read_unit(db, unit))
            files.write_results(out, settings, rows)
    return out


def find_paper(paper: str | Paper) -> Paper:
    """Return the paper of this name; ValueError lists the known ones."""
    if isinstance(paper, Paper):
        return paper
    choose("paper", paper, STUDIES)
    return STUDIES[paper]


def _with_runs(paper, runs):
    check_number("runs", runs, 1, whole=True, none=True)
    return paper if runs is None else replace(paper, protocol=replace(paper.protocol, runs=runs))


def check_target(path: Path) -> Path:
    """Return the file to export to, with links resolved; ResultsError if it cannot be one."""
    path = path.resolve() if path.is_symlink() else path
    if path.suffix in (".gz", ".sqlite"):
        raise ResultsError(f"{path}: results are exported as text, name a file such as x.csv")
    if not path.parent.is_dir():
        raise ResultsError(f"{path} cannot be written: there is no folder {path.parent}")
    if path.exists() and not path.is_file():
        raise ResultsError(f"{path} is not a file: name another one with --out")
    return path


def settings_of(paper: Paper, methods: Sequence[Method], sets: dict, seed: int) -> dict:
    """Return what identifies the results: the same settings give the same file."""
    how = {name: getattr(paper.protocol, name) for name in ("runs", "k", "folds", "preparation")}
    return {
        "paper": paper.name,
        "version": __version__,
        **how,
        "seed": seed,
        "methods": [method.name for method in methods],
        "datasets": {name: data.fingerprint for name, data in sets.items()},
    }


def units_of(paper: Paper, methods: Sequence[Method], sets: dict, seed: int) -> dict:
    """Return the work to do: (data set, run) -> the arguments of `measure`."""
    work = {}
    for name, data in sets.items():
        here = [m for m in methods if m.datasets is None or name in m.datasets]
        for run in range(paper.protocol.runs if here else 0):
            work[name, run] = data, paper, here, run, seed
    return work


def _work_off(db, work, jobs, progress):
    """Do this work, the longest first, and keep each unit (data set, run) at once."""
    from joblib import Parallel, delayed

    sizes = {unit: data.size for unit, (data, *_) in work.items()}
    if not sizes:
        return
    tasks = (delayed(_do)(unit, work[unit]) for unit in sorted(sizes, key=sizes.get, reverse=True))
    with progress_bar(sum(sizes.values()), progress, "values") as advance:
        for unit, rows in Parallel(n_jobs=jobs, return_as="generator_unordered")(tasks):
            files.write_unit(db, unit, rows)
            advance(sizes[unit])


def _do(unit, arguments):
    if current_process().name.startswith("LokyProcess"):
        _end_with(parent_process().pid)  # joblib's own; a cluster's workers are ended by others
    return unit, measure(*arguments)


@cache
def _end_with(parent):
    """End this process, by a thread, when its parent ends, which may be killed outright."""

    def watch():
        while os.getppid() == parent:  # as it stays on Windows, whatever becomes of the parent
            time.sleep(0.5)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


# The data sets


@dataclass(frozen=True)
class Prepared:
    """A data set as a paper used it: X (codes or a DataFrame), y (n,), and its fingerprint.

    `raw` holds the same cases as they are, without identifiers. Classes are the numbers 0 to C - 1
    in declared order, on which Weka's ties depend: so it is their sorted order, too, and all C are
    declared.
    """

    X: Codes | pd.DataFrame
    y: pd.Categorical
    fingerprint: str
    raw: pd.DataFrame

    @property
    def size(self) -> int:
        """Cases times attributes."""
        return self.X.values.size


def load_sets(paper: Paper, names: Sequence[str]) -> dict[str, Prepared]:
    """Load these data sets, prepared as in the paper; FetchError names those that are missing."""
    sets, missing = {}, {}
    for name in names:
        try:
            sets[name] = prepared(name, paper.datasets[name], paper.protocol.preparation)
        except FetchError as error:
            missing[name] = error
    if missing:
        first = next(iter(missing.values()))
        raise FetchError(
            f"data sets {', '.join(missing)} are not at hand: {first}; --data names a folder, "
            "--datasets chooses others"
        )
    return sets


def prepared(name: str, source: str | None, preparation: str) -> Prepared:
    """Load a data set and prepare it as `Protocol.preparation` says."""
    data = load(name, source)
    with WarnOnce(without=EXPECTED):
        if preparation == "papers":
            X, y = Encoder().fit_transform(prepare(data, "papers").X), data.y
            raw = data.X.drop(columns=list(data.ids))
        else:
            raw, y = complete_rows(data)
            X = raw
    return Prepared(X, in_declared_order(y), fingerprint(data), raw)


def complete_rows(data: Dataset) -> tuple[pd.DataFrame, pd.Categorical]:
    """Return X without identifiers and y, for the cases in which no value is missing."""
    X = data.X.drop(columns=list(data.ids))
    whole = np.flatnonzero(X.notna().all(axis=1))
    if not len(whole):
        raise ValueError(f"no case of {data.name!r} is complete: it cannot be used this way")
    return X.iloc[whole].reset_index(drop=True), data.y.take(whole)


def fingerprint(data: Dataset) -> str:
    """Return 16 digits that identify a data set's content: names, declared values, cases."""
    declared = {
        name: list(map(str, column.cat.categories)) if hasattr(column, "cat") else column.dtype.kind
        for name, column in data.frame.items()
    }
    cases = data.frame.to_csv(index=False, lineterminator="\n")
    return hashlib.sha256(f"{declared}\n{cases}".encode()).hexdigest()[:16]


# One unit of work


def measure(
    data: Prepared, paper: Paper, methods: Sequence[Method], run: int, seed: int
) -> list[tuple]:
    """Measure one run of folds: rows (method, reading, fold, measure, value), methods in order.

    The folds are drawn with seed + run; all methods see the same ones, and methods of one model
    read the very same fitted models.
    """
    protocol, fitted, rows = paper.protocol, {}, []
    with WarnOnce(without=EXPECTED):
        splits = protocol.splits(data.y, seed + run)
        for method in methods:
            X = data.raw if method.raw else data.X
            if method.model not in fitted:
                model, training = paper.models[method.model](), [train for train, _ in splits]
                fitted[method.model] = fit_each(model, X, data.y, training)
            tests = [(take_rows(X, test), data.y.codes[test]) for _, test in splits]
            rows += _values(method, fitted[method.model], tests, protocol.measures)
    return rows


def _values(method, models, tests, measures):
    """Yield a method's rows; its fitted models each have their test cases (X, class codes)."""
    for reading, scores in method.readings.items():
        for fold, (model, (X, y)) in enumerate(zip(models, tests, strict=True)):
            proba = scores(model, X, y)
            for name in measures:
                yield method.name, reading, fold, name, float(MEASURES[name](y, proba))
            for name in SIZES if method.sizes else ():
                yield method.name, reading, fold, name, float(SIZES[name](model.tree_))
