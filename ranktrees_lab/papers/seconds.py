"""How long one fold of each method takes: shown before long work, and kept with its results.

Seconds are those of one processor. They depend on the machine, so they have their own file,
NAME.seconds.csv (data set, method, seconds to fit and predict), and the results have the same bytes
everywhere.
"""

import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from ranktrees_engine.basics.browser import in_browser
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_engine.evaluate.fitting import fit_each, take_rows
from ranktrees_lab.papers.files import ResultsError, replace_file
from ranktrees_lab.papers.paper import Paper

COLUMNS = ["dataset", "method", "seconds"]
# A browser has no clock of the processor, and nothing else runs beside.
CLOCK = time.perf_counter if in_browser() else time.process_time


def beside(results: Path) -> Path:
    """Return the file of seconds that belongs to a results file."""
    return results.with_name(f"{results.name.removesuffix('.csv')}.seconds.csv")


def read_seconds(path: Path) -> dict[tuple[str, str], float]:
    """Read {(data set, method): seconds} from a file; empty if there is no file.

    ResultsError for another file.
    """
    if not path.is_file():
        return {}
    try:
        table = pd.read_csv(path, index_col=COLUMNS[:2], dtype={"seconds": float})
        return table["seconds"].to_dict()
    except (ValueError, KeyError) as error:
        raise ResultsError(f"{path} holds no seconds: remove it ({error})") from error


def write_seconds(path: Path, paper: Paper, seconds: Mapping) -> None:
    """Write them in the order in which the paper declares data sets and methods."""
    keys = [(dataset, method.name) for dataset in paper.datasets for method in paper.methods]
    rows = [(*key, f"{seconds[key]:.4f}") for key in keys if key in seconds]
    table = pd.DataFrame(rows, columns=COLUMNS)
    replace_file(path, table.to_csv(index=False, lineterminator="\n"))


def tell(results: Path, left: Mapping, jobs: int | None = None) -> None:
    """Time a fold of each method on each data set, and say how long the whole work takes.

    `left`: the work that is not done, as in `units_of`. It times the first fold of run 0, in this
    process, the smallest sets first; seconds that are in the file already are not measured again.
    """
    from joblib import effective_n_jobs

    path, total, warm = beside(results), {}, None
    seconds = read_seconds(path)
    for (dataset, _), how in sorted(left.items(), key=lambda item: item[1][0].size):
        _, paper, methods, *_ = how
        if new := [method for method in methods if (dataset, method.name) not in seconds]:
            warm = warm or _time(new, *how)  # so that the first set does not pay for imports
            seconds |= {(dataset, name): taken for name, taken in _time(new, *how).items()}
            write_seconds(path, paper, seconds)
        for name in (method.name for method in methods):
            total[name] = total.get(name, 0) + seconds[dataset, name] * paper.protocol.k
    for name, whole in total.items():
        print(f"{name}: about {whole:.0f} seconds", file=sys.stderr)
    if total:
        minutes = sum(total.values()) / effective_n_jobs(jobs) / 60
        print(f"all that is left: about {minutes:.0f} minutes", file=sys.stderr)


def _time(new, data, paper, methods, run, seed):
    """Time how long each new method takes to fit and predict one fold: seconds by its name."""
    (train, test), *_ = paper.protocol.splits(data.y, seed)
    seconds = {}
    with WarnOnce(without=("",)):  # they are given when the work is done
        for method in new:
            X = data.raw if method.raw else data.X
            start = CLOCK()
            (model,) = fit_each(paper.models[method.model](), X, data.y, [train])
            method.readings[method.honest](model, take_rows(X, test), data.y.codes[test])
            seconds[method.name] = CLOCK() - start
    return seconds
