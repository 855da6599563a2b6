"""What the tests of repeated papers share."""

from importlib import import_module

import pandas as pd

from ranktrees_lab.papers import PAPERS, read_results, reproduce
from ranktrees_lab.papers.files import COLUMNS

WANG = PAPERS["wang2006"]
QUIET = {"progress": False}
MODULE = import_module("ranktrees_lab.papers.reproduce")  # its function has the same name
# How far a cell x 100 of Wang & Zhang may lie from the printed one.
WITHIN = dict.fromkeys(["C45", "C44", "C44-S"], 0.02) | {"C45-S": 0.25, "C45-W": 0.1, "C44-W": 0.1}
WITHIN |= dict.fromkeys(["C45-C", "C44-C", "C45-M", "C44-M"], 0.4)


def run(tmp_path, name="x.csv", paper=WANG, **how):
    """Path, settings and rows of an experiment on shipped sets."""
    how = {"datasets": ["labor", "iris"], "runs": 1, **QUIET, **how}
    path = reproduce(paper, out=tmp_path / name, **how)
    return path, *read_results(path)


def rows(dataset, method, values, measure="auc", reading="honest"):
    """Rows of results for values (runs, folds)."""
    return [
        (dataset, method, reading, r, f, measure, value)
        for r, run in enumerate(values)
        for f, value in enumerate(run)
    ]


def frame(*parts):
    """Such rows as the table of results that they are."""
    return pd.DataFrame([row for part in parts for row in part], columns=list(COLUMNS))
