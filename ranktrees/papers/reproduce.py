"""Repeat a paper's experiment: every method on every data set, by the paper's own protocol."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import ranktrees
from ranktrees.arguments import check_number, choose
from ranktrees.data import FetchError
from ranktrees.evaluate.cross import progress_bar
from ranktrees.papers import database
from ranktrees.papers.catalog import PAPERS
from ranktrees.papers.database import ResultsError
from ranktrees.papers.export import read_settings, write_results
from ranktrees.papers.measure import Prepared, measure, prepared
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
    """Measure what a paper measured, and write every fold to the file `out`, sorted.

    `paper`: a name in `PAPERS`, or a `Paper`; `datasets`, `methods`: some of its names (None: all);
    `runs`: None for the paper's; `jobs`: processes, or None for what joblib's context says, which
    is one outside of `joblib.parallel_config`. What is measured is kept at once in an SQLite file
    beside, NAME.sqlite: started again with the same settings, the work goes on where it was,
    whatever ended it. Raises ValueError, FetchError (a data set that cannot be had) or ResultsError
    before any work starts.
    """
    paper = find_paper(paper)
    if runs is not None:
        paper = replace(paper, protocol=replace(paper.protocol, runs=runs))
    check_number("seed", seed, 0, whole=True)
    check_jobs(jobs)
    chosen, names = paper.chosen(methods), paper.chosen_sets(datasets)
    out = check_target(Path(out))  # before sets are fetched
    sets = load_sets(paper, names)
    settings = settings_of(paper, chosen, sets, seed)
    if out.exists():
        database.check_settings(out, read_settings(out), settings)
    work = units_of(paper, chosen, sets, seed)
    with database.opened(database_of(out), settings) as db:
        _work_off(db, work, jobs, progress)
        with database.transaction(db):  # of two processes that end at once, one after the other
            rows = (row for unit in work for row in database.read_unit(db, unit))
            write_results(out, settings, rows)
    return out


def find_paper(paper: str | Paper) -> Paper:
    """The paper of this name; ValueError lists the known ones."""
    if isinstance(paper, Paper):
        return paper
    choose("paper", paper, PAPERS)
    return PAPERS[paper]


def check_jobs(jobs: int | None) -> None:
    """Raise unless `jobs` is a number of processes, -1 for all processors, or None."""
    if jobs == 0:
        raise ValueError("jobs must be at least 1, or -1 for one on every processor, not 0")
    if jobs is not None:
        check_number("jobs", jobs, -1, whole=True)


def check_target(path: Path) -> Path:
    """The file to export to, behind a link; ResultsError where it cannot be one."""
    path = path.resolve() if path.is_symlink() else path
    if path.suffix in (".gz", ".sqlite"):
        raise ResultsError(f"{path}: results are exported as text, name a file such as x.csv")
    if not path.parent.is_dir():
        raise ResultsError(f"{path} cannot be written: there is no folder {path.parent}")
    if path.exists() and not path.is_file():
        raise ResultsError(f"{path} is not a file: name another one with --out")
    return path


def database_of(path: Path) -> Path:
    """The SQLite file beside an export."""
    return path.with_name(f"{path.name.removesuffix('.csv')}.sqlite")


def load_sets(paper: Paper, names: Sequence[str]) -> dict[str, Prepared]:
    """All these data sets, prepared as in the paper; FetchError names those that are not there."""
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


def settings_of(paper: Paper, methods: Sequence[Method], sets: dict[str, Prepared], seed) -> dict:
    """What identifies the results: the same settings give the same file."""
    how = {name: getattr(paper.protocol, name) for name in ("runs", "k", "folds", "preparation")}
    return {
        "paper": paper.name,
        "version": ranktrees.__version__,
        **how,
        "seed": seed,
        "methods": [method.name for method in methods],
        "datasets": {name: data.fingerprint for name, data in sets.items()},
    }


def units_of(paper: Paper, methods: Sequence[Method], sets: dict[str, Prepared], seed) -> dict:
    """What is to be done: (data set, run) -> the arguments of `measure`."""
    work = {}
    for name, data in sets.items():
        here = [m for m in methods if m.datasets is None or name in m.datasets]
        for run in range(paper.protocol.runs if here else 0):
            work[name, run] = data, paper, here, run, seed
    return work


def _work_off(db, work, jobs, progress):
    """Do what is not done yet, the longest first, and keep each unit (data set, run) at once."""
    from joblib import Parallel, delayed

    done = database.finished_units(db)
    sizes = {unit: data.size for unit, (data, *_) in work.items() if unit not in done}
    if not sizes:
        return
    tasks = (delayed(_do)(unit, work[unit]) for unit in sorted(sizes, key=sizes.get, reverse=True))
    with progress_bar(sum(sizes.values()), progress, "values") as advance:
        for unit, rows in Parallel(n_jobs=jobs, return_as="generator_unordered")(tasks):
            database.write_unit(db, unit, rows)
            advance(sizes[unit])


def _do(unit, arguments):
    return unit, measure(*arguments)
