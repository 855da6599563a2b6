"""How long one fold of each method takes: told before long work, and kept beside its results.

Seconds belong to a machine and to what else it does: they stand in a file of their own,
NAME.seconds.csv (data set, method, seconds to fit and predict), so that the results stay the same
bytes everywhere.
"""

import csv
import io
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from ranktrees.base import fit_each, take_rows
from ranktrees.papers.files import replace_file
from ranktrees.papers.paper import Paper
from ranktrees.warn import WarnOnce

COLUMNS = ("dataset", "method", "seconds")
Seconds = dict[tuple[str, str], float]  # (data set, method) -> seconds


def beside(results: Path) -> Path:
    """Where the seconds of a results file stand."""
    return results.with_name(f"{results.name.removesuffix('.csv')}.seconds.csv")


def read_seconds(path: Path) -> Seconds:
    """What a file of seconds says; nothing where there is none."""
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {(dataset, method): float(s) for dataset, method, s in list(csv.reader(file))[1:]}


def write_seconds(path: Path, paper: Paper, seconds: Mapping) -> None:
    """Write them in the order in which the paper declares data sets and methods."""
    text = io.StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    for dataset in paper.datasets:
        keys = [(dataset, method.name) for method in paper.methods]
        table.writerows([*key, f"{seconds[key]:.4f}"] for key in keys if key in seconds)
    replace_file(path, text.getvalue())


def tell(results: Path, work: Mapping, done: set, splits_of, jobs: int | None = 1) -> None:
    """Time a fold of each method where work is not done, and say what it will take in all.

    `work` as of `units_of`, of which the units `done` are left out; `splits_of(data, protocol,
    seed)` draws the folds. What is timed is the first fold of run 0, in this process; seconds that
    the file beside the results holds are taken from there.
    """
    from joblib import effective_n_jobs

    left = {unit: how for unit, how in work.items() if unit not in done}
    if not left:
        return
    seconds, total = _known(beside(results), left, splits_of), {}
    for (dataset, _), (_, paper, methods, *_) in left.items():
        for name in (method.name for method in methods):
            total[name] = total.get(name, 0) + seconds[dataset, name] * paper.protocol.k
    for name, whole in total.items():
        print(f"{name}: about {whole:.0f} seconds", file=sys.stderr)
    minutes = sum(total.values()) / effective_n_jobs(jobs) / 60
    print(f"all that is left: about {minutes:.0f} minutes", file=sys.stderr)


def _known(path, work, splits_of):
    """The seconds in the file, to which those are added that this work lacks."""
    seconds = read_seconds(path)
    sets = {dataset: how for (dataset, _), how in work.items()}
    new = {d: how for d, how in sets.items() if any((d, m.name) not in seconds for m in how[2])}
    if new:  # lest the first data set pay for what is imported
        _time(min(new.values(), key=lambda how: how[0].size), splits_of)
    for dataset, how in new.items():
        taken = {(dataset, method): s for method, s in _time(how, splits_of).items()}
        seconds = taken | seconds
        write_seconds(path, how[1], seconds)
    return seconds


def _time(how, splits_of):
    """Seconds of each method to fit and predict one fold of a unit of work."""
    data, paper, methods, _, seed = how
    seconds = {}
    with WarnOnce(without=("",)):  # they are given when the work is done
        train, test = splits_of(data, paper.protocol, seed)[0]
        for method in methods:
            X = data.raw if method.raw else data.X
            start = time.perf_counter()
            (model,) = fit_each(paper.models[method.model](), X, data.y, [train])
            method.readings[method.honest](model, take_rows(X, test), data.y.codes[test])
            seconds[method.name] = time.perf_counter() - start
    return seconds
