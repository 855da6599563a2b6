"""Measure a paper again, all or some of its methods, and keep the results with the project.

    python tools/keep_results.py wang2006 --methods C45-L,C44-L --jobs 2

writes data/results/PAPER.csv, .summary.csv and .environment.json, and .seconds.csv where folds are
timed. Rows of methods that are not measured stay as they are. Those of an earlier version stay
beside new ones if a method that both have is the same. If stopped and started again, it continues
where it was (in build/).
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from importlib.metadata import distributions, version
from pathlib import Path

import numpy as np
import pandas as pd

import ranktrees
from ranktrees_lab.papers import read_results, reproduce
from ranktrees_lab.papers.catalog import STUDIES
from ranktrees_lab.papers.files import ResultsError, check_settings, replace_file, write_results
from ranktrees_lab.papers.paper import COLUMNS
from ranktrees_lab.papers.seconds import beside, read_seconds, write_seconds
from ranktrees_lab.papers.summary import write_summary

ROOT = Path(__file__).resolve().parents[1]
LIBRARIES = "numpy", "pandas", "scipy", "joblib", "scikit-learn"
RIVALS = "interpret-core", "lightgbm", "imodels", "c50py"
EQUAL, TIES = 1e-9, 0.005  # what sums in another order may change, and of a ranking, by ties


def main(arguments=None) -> None:
    """Measure, and add the measurements to the kept results."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paper", choices=STUDIES)
    parser.add_argument("--methods", metavar="A,B", help="only these; the others' rows stay")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="processes; -1: all")
    parser.add_argument("--data", metavar="DIR", help="folder of data files (RANKTREES_DATA)")
    given = parser.parse_args(arguments)
    if given.data is not None:
        os.environ["RANKTREES_DATA"] = given.data
    names = None if given.methods is None else given.methods.split(",")
    out = ROOT / "build" / "-".join([given.paper, *(names or [])])
    out.parent.mkdir(exist_ok=True)
    how = {"methods": names, "jobs": given.jobs, "progress": True}
    path = reproduce(given.paper, out=f"{out}.csv", **how)
    print(*keep(path, ROOT / "data" / "results"), sep="\n")


def keep(path, folder: Path) -> list[Path]:
    """Keep exported results as PAPER.csv, with summary and environment; return the paths.

    If the folder has results of other methods, these stay if they are still declared; ResultsError
    unless both have the same settings. The same holds for seconds, if the results have any. The
    environment is that of this process; beside rows of an earlier version it is told for each
    method that is added.
    """
    path = Path(path)
    settings, frame = read_results(path)
    paper = STUDIES[settings["paper"]]
    target, earlier = folder / f"{paper.name}.csv", ()
    if target.is_file():
        kept, rows = read_results(target)
        if set(kept["methods"]) - set(settings["methods"]):
            if kept["version"] != settings["version"]:
                earlier = same_methods(target, rows, frame)
                frame = frame[~frame["method"].isin(earlier)]
                names = [name for name in settings["methods"] if name not in earlier]
                settings |= {"version": kept["version"], "methods": names}
            check_settings(target, kept, settings | {"methods": kept["methods"]})
            both = {*kept["methods"], *settings["methods"]}
            both = [method.name for method in paper.methods if method.name in both]
            rest = rows[rows["method"].isin({*both} - {*settings["methods"]})]
            settings, frame = kept | {"methods": both}, pd.concat([rest, frame])
    write_results(target, settings, _in_order(frame, paper))
    about = folder / f"{paper.name}.environment.json"
    made = (_added(about, names) if earlier else made_by()) | {"settings": settings}
    replace_file(about, json.dumps(made, indent=1, sort_keys=True) + "\n")
    files = [target, write_summary(target), about]
    if taken := read_seconds(beside(path)):
        files.append(beside(target))
        write_seconds(files[-1], paper, read_seconds(files[-1]) | taken)
    return files


def same_methods(path: Path, rows: pd.DataFrame, frame: pd.DataFrame) -> set[str]:
    """Return the methods of both frames; ResultsError unless there are some, with equal values."""
    both = rows.merge(frame, on=[*COLUMNS[:-1]], suffixes=("", "_new"))
    values, new = both["value"], both["value_new"]
    most = np.where(both["measure"].str.startswith("auc"), TIES, EQUAL)
    if both.empty or not np.isclose(values, new, rtol=0, atol=most, equal_nan=True).all():
        raise ResultsError(
            f"{path} holds results of another version: measure one of its methods again, too, "
            "which must give the same"
        )
    return set(both["method"])


def _added(about, names):
    """Return what made earlier results, and with it what made those of these methods."""
    made = json.loads(about.read_text(encoding="utf-8"))
    return made | {"added": made.get("added", {}) | dict.fromkeys(names, made_by())}


def _in_order(frame, paper):
    """Sort the rows as the paper declares data sets and methods."""
    datasets, methods = list(paper.datasets), [method.name for method in paper.methods]
    rows = frame.itertuples(index=False, name=None)
    return sorted(rows, key=lambda row: (datasets.index(row[0]), row[3], methods.index(row[1])))


def made_by() -> dict:
    """Return the versions of Python, package and libraries, and the commit.

    Of Python no more than major and minor, since the rest cannot change a result.
    """
    git = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
    commit = subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    there = {part.metadata["Name"] for part in distributions()}  # some are for one study alone
    versions = {name: version(name) for name in (*LIBRARIES, *RIVALS) if name in there}
    return {
        "python": ".".join(platform.python_version_tuple()[:2]),
        "versions": {"ranktrees": ranktrees.__version__, **versions},
        "commit": commit,
    }


if __name__ == "__main__":
    sys.exit(main())
