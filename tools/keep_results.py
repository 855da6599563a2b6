"""Measure a paper again, all or some of its methods, and keep the results with the project.

    python tools/keep_results.py wang2006 --methods C45-L,C44-L --jobs 2

writes data/results/PAPER.csv, .summary.csv and .environment.json, and .seconds.csv where folds are
timed. Rows of methods that are not measured stay as they are. If stopped and started again, it
continues where it was (in build/).
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from importlib.metadata import distributions, version
from pathlib import Path

import pandas as pd

import ranktrees
from ranktrees_lab.papers import read_results, reproduce
from ranktrees_lab.papers.catalog import STUDIES
from ranktrees_lab.papers.files import check_settings, replace_file, write_results
from ranktrees_lab.papers.seconds import beside, read_seconds, write_seconds
from ranktrees_lab.papers.summary import write_summary

ROOT = Path(__file__).resolve().parents[1]
LIBRARIES = "numpy", "pandas", "scipy", "joblib", "scikit-learn"
RIVALS = "interpret-core", "lightgbm", "imodels"


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
    environment is that of this process.
    """
    path = Path(path)
    settings, frame = read_results(path)
    paper = STUDIES[settings["paper"]]
    target = folder / f"{paper.name}.csv"
    if target.is_file():
        kept, rows = read_results(target)
        if set(kept["methods"]) - set(settings["methods"]):
            check_settings(target, kept, settings | {"methods": kept["methods"]})
            both = {*kept["methods"], *settings["methods"]}
            both = [method.name for method in paper.methods if method.name in both]
            rest = rows[rows["method"].isin({*both} - {*settings["methods"]})]
            settings, frame = kept | {"methods": both}, pd.concat([rest, frame])
    write_results(target, settings, _in_order(frame, paper))
    about = folder / f"{paper.name}.environment.json"
    made = {"settings": settings, **made_by()}
    replace_file(about, json.dumps(made, indent=1, sort_keys=True) + "\n")
    files = [target, write_summary(target), about]
    if taken := read_seconds(beside(path)):
        files.append(beside(target))
        write_seconds(files[-1], paper, read_seconds(files[-1]) | taken)
    return files


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
