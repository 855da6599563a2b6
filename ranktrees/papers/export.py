"""Results as text: the sorted export, what is read from it, and those kept with the project.

An export is CSV below two comment lines, the format and the settings as JSON: a row for each data
set, method, reading, run and measure, a column per fold. It is written in one step when all is
done, so that it has the same bytes however the work was interrupted or shared out.
"""

import contextlib
import csv
import io
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from ranktrees.arguments import choose
from ranktrees.data.files import folder
from ranktrees.papers.catalog import PAPERS
from ranktrees.papers.database import ResultsError, cannot_write

FORMAT = "# ranktrees results, format 2"
COLUMNS = ("dataset", "method", "reading", "run", "fold", "measure", "value")
KEYS = ["dataset", "method", "reading", "run", "measure"]


def write_results(path: Path, settings: Mapping, rows: Iterable[tuple]) -> None:
    """Export rows of the columns `COLUMNS`, in their order; ResultsError leaves the old file."""
    lines: dict[tuple, dict] = {}
    for dataset, method, reading, run, fold, measure, value in rows:
        lines.setdefault((dataset, method, reading, run, measure), {})[fold] = value
    folds = sorted({fold for values in lines.values() for fold in values})
    text = io.StringIO(newline="")
    text.write(f"{FORMAT}\n# {json.dumps(settings, sort_keys=True)}\n")
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*KEYS, *folds])
    table.writerows([*key, *map(values.get, folds)] for key, values in lines.items())
    replace_file(path, text.getvalue())


def replace_file(path: Path, text: str) -> None:
    """Put a file's new text in its place in one step; ResultsError leaves the old one."""
    new = path.with_name(path.name + ".new")
    try:
        with new.open("w", encoding="utf-8", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(new, path)
    except OSError as error:
        with contextlib.suppress(OSError):  # the first error is the one to report
            new.unlink()
        raise ResultsError(f"{path} {cannot_write(error.strerror or error)}") from error


def read_settings(path: Path) -> dict:
    """The settings of an export; ResultsError for any other file."""
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        first, second = file.readline(), file.readline()
    if first != f"{FORMAT}\n":
        raise ResultsError(
            f"{path} is no results of this format ({FORMAT!r}): name another file with --out"
        )
    try:
        return dict(json.loads(second.removeprefix("# ")))
    except (TypeError, ValueError) as error:
        raise ResultsError(f"{path} has a damaged head: remove it, or name another file") from error


def read_results(path) -> tuple[dict, pd.DataFrame]:
    """Settings and rows (columns `COLUMNS`, values exact) of an export.

    ResultsError for another file, or one that is cut short.
    """
    path = Path(path)
    settings, text = read_settings(path), path.read_text(encoding="utf-8")
    table = text.split("\n", 2)[2]
    if not table.endswith("\n"):
        raise ResultsError(f"{path} is cut short: start the command that wrote it again")
    wide = pd.read_csv(io.StringIO(table), dtype=str, keep_default_na=False)
    wide["order"] = wide.groupby(KEYS[:-1], sort=False).ngroup()
    long = wide.melt([*KEYS, "order"], var_name="fold").astype({"run": int, "fold": int})
    long = long.sort_values(["order", "fold"], kind="stable", ignore_index=True)
    value = long["value"].map(lambda text: float(text or "nan"))  # pandas' own may be rounded
    return settings, long.assign(value=value.astype(float))[list(COLUMNS)]


def fold_grids(frame: pd.DataFrame) -> dict[tuple, np.ndarray]:
    """(dataset, method, reading, measure) -> values (runs, folds), NaN where a fold has none.

    `frame` of `read_results`, or some of its rows.
    """
    run, fold, value = (frame[name].to_numpy() for name in ("run", "fold", "value"))
    keys, grids = ["dataset", "method", "reading", "measure"], {}
    for key, rows in frame.groupby(keys, sort=False).indices.items():
        grids[key] = np.full((run[rows].max() + 1, fold[rows].max() + 1), np.nan)
        grids[key][run[rows], fold[rows]] = value[rows]
    return grids


def stored_papers() -> list[str]:
    """Names of the papers whose results are kept with the project, in the order of `PAPERS`."""
    return [name for name in PAPERS if _place(name, ".csv").is_file()]


def results(paper: str) -> tuple[dict, pd.DataFrame]:
    """Settings and rows, as of `read_results`, of a paper's results that are kept with the project.

    ValueError for a paper without any lists those that have some.
    """
    choose("results", paper, stored_papers())
    return read_results(_place(paper, ".csv"))


def environment(paper: str) -> dict:
    """What made a paper's kept results: python, versions, commit, settings; errors as `results`."""
    choose("results", paper, stored_papers())
    return json.loads(_place(paper, ".environment.json").read_text(encoding="utf-8"))


def _place(name, ending):
    return folder() / "results" / f"{name}{ending}"
