"""Repeat a paper's experiment: every method on every data set, by the paper's own protocol."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import ranktrees
from ranktrees.arguments import check_number, choose
from ranktrees.data import FetchError
from ranktrees.data.files import nearest
from ranktrees.evaluate.cross import progress_bar
from ranktrees.papers.disk import Appender, check_writable
from ranktrees.papers.ledger import Ledger
from ranktrees.papers.measure import Prepared, measure, prepared, row_keys
from ranktrees.papers.paper import Method, Paper


def reproduce(
    paper: str | Paper,
    *,
    out,
    datasets: Sequence[str] | None = None,
    methods: Sequence[str] | None = None,
    runs: int | None = None,
    seed: int = 1,
    jobs: int | None = None,
    progress: bool | None = None,
) -> Path:
    """Measure what a paper measured and keep every fold in the results file `out`.

    `paper`: a name in `PAPERS`, or a `Paper`; `datasets`, `methods`: some of its names (None: all);
    `runs`: None for the paper's; `jobs`: processes, or None for what joblib's context says, which
    is one outside of `joblib.parallel_config`. A file that was begun with the same settings is
    completed, whatever ended that process; times go to a file beside it, NAME.times.csv. Raises
    ValueError, FetchError (a data set that cannot be had) or LedgerError before any work starts.
    """
    paper = find_paper(paper)
    protocol = replace(paper.protocol, runs=paper.protocol.runs if runs is None else runs)
    paper = replace(paper, protocol=protocol)
    check_number("seed", seed, 0, whole=True)
    if jobs is not None:
        check_jobs(jobs)
    chosen = paper.chosen(methods)
    for name in dict.fromkeys(method.model for method in chosen):
        paper.models[name]()  # a model that this version lacks is found out now
    names = choose_datasets(paper, datasets)
    check_writable(Path(out))  # before sets are fetched
    sets = load_sets(paper, names)
    settings = settings_of(paper, chosen, sets, seed)
    plan = plan_of(paper, chosen, names)
    with Ledger(out, settings, plan) as ledger:
        work = {unit: (sets[unit[0]], paper, methods_on(chosen, unit[0])) for unit in plan}
        _work_off(ledger, work, seed, jobs, progress)
        ledger.finish()
        return ledger.path


def find_paper(paper: str | Paper) -> Paper:
    """The paper of this name; ValueError lists the known ones."""
    from ranktrees.papers.catalog import PAPERS

    if isinstance(paper, Paper):
        return paper
    choose("paper", paper, PAPERS)
    return PAPERS[paper]


def check_jobs(jobs: int) -> None:
    """Raise unless `jobs` is a number of processes, or -1 for all processors."""
    check_number("jobs", jobs, -1, whole=True)
    if jobs == 0:
        raise ValueError("jobs must be at least 1, or -1 for one on every processor, not 0")


def choose_datasets(paper: Paper, names: Sequence[str] | None) -> list[str]:
    """The paper's data sets of these names, in its order; all of them for None."""
    if names is not None and not names:
        raise ValueError(f"name at least one data set of {', '.join(paper.datasets)}")
    for name in names or ():
        if name in paper.unavailable:
            raise ValueError(f"data set {name!r} cannot be had: {paper.unavailable[name]}")
        if name not in paper.datasets:
            raise ValueError(
                f"{paper.name} has no data set {name!r}; {nearest(name, paper.datasets)}"
            )
    return [name for name in paper.datasets if names is None or name in names]


def load_sets(paper: Paper, names: Sequence[str]) -> dict[str, Prepared]:
    """All these data sets, prepared as in the paper; FetchError names those that are not there."""
    found, missing = {}, {}
    for name in names:
        try:
            found[name] = prepared(name, paper.datasets[name], paper.protocol.preparation)
        except FetchError as error:
            missing[name] = error
    if missing:
        first = next(iter(missing.values()))
        raise FetchError(
            f"data sets {', '.join(missing)} are not at hand: {first}; --data names a folder, "
            "--datasets chooses others"
        )
    return found


def settings_of(paper: Paper, methods: Sequence[Method], sets: dict[str, Prepared], seed) -> dict:
    """What identifies the results: the same settings give the same file."""
    protocol = paper.protocol
    return {
        "paper": paper.name,
        "version": ranktrees.__version__,
        "runs": protocol.runs,
        "k": protocol.k,
        "folds": protocol.folds,
        "preparation": protocol.preparation,
        "seed": seed,
        "methods": [method.name for method in methods],
        "datasets": {name: data.fingerprint for name, data in sets.items()},
    }


def methods_on(methods: Sequence[Method], dataset: str) -> tuple[Method, ...]:
    """Those of the methods that are measured on a data set."""
    return tuple(m for m in methods if m.datasets is None or dataset in m.datasets)


def plan_of(paper: Paper, methods: Sequence[Method], datasets: Sequence[str]) -> dict:
    """For each unit (data set, run) the keys of its rows."""
    table = {method.name: method.table for method in methods}
    plan = {}
    for dataset in datasets:
        rows = row_keys(paper, methods_on(methods, dataset))
        for run in range(paper.protocol.runs if rows else 0):
            plan[dataset, run] = [
                (paper.name, table[method], dataset, method, reading, run, fold, name)
                for method, reading, fold, name in rows
            ]
    return plan


def _work_off(ledger: Ledger, work: dict, seed, jobs, progress):
    """Do what is pending, the longest first, and write each unit when it is done."""
    from joblib import Parallel, delayed

    pending = sorted(ledger.pending, key=lambda unit: -work[unit][0].size)
    if not pending:
        return
    total = sum(work[unit][0].size for unit in pending)
    times = Times(ledger.path.with_name(f"{ledger.path.name.removesuffix('.csv')}.times.csv"))
    try:
        with progress_bar(total, progress, "values") as advance:
            tasks = (delayed(_do)(unit, *work[unit], seed) for unit in pending)
            for unit, values, seconds in Parallel(n_jobs=jobs, return_as="generator_unordered")(
                tasks
            ):
                ledger.write(unit, values)
                times.write(unit, seconds)
                advance(work[unit][0].size)
    finally:
        times.close()


def _do(unit, data, paper, methods, seed):
    return unit, *measure(data, paper, methods, unit[1], seed)


class Times:
    """The side file of times: what each part of a unit took; appended, never sorted."""

    def __init__(self, path: Path):
        fresh = not path.exists() or path.stat().st_size == 0
        whole = fresh or path.read_bytes().endswith(b"\n")
        self._file = Appender(path)
        if fresh:
            self._file.write("dataset,run,part,seconds\n")
        elif not whole:  # a process was killed in the middle of a line
            self._file.write("\n")

    def write(self, unit: tuple, seconds: Sequence[tuple[str, float]]) -> None:
        """Append the seconds of each part of a unit."""
        dataset, run = unit
        self._file.write("".join(f"{dataset},{run},{part},{s:.4f}\n" for part, s in seconds))

    def close(self) -> None:
        """Close the file."""
        self._file.close()
