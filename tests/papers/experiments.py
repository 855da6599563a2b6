"""What the tests of repeated papers share."""

from importlib import import_module

from ranktrees_lab.papers import PAPERS, read_results, reproduce

WANG = PAPERS["wang2006"]
QUIET = {"progress": False}
PART = {"datasets": ["labor", "iris"], "methods": ["C45", "C45-W"], "runs": 2}
MODULE = import_module("ranktrees_lab.papers.reproduce")  # its function has the same name


def run(tmp_path, name="x.csv", paper=WANG, **how):
    """Path, settings and rows of an experiment on shipped sets."""
    how = {"datasets": ["labor", "iris"], "runs": 1, **QUIET, **how}
    path = reproduce(paper, out=tmp_path / name, **how)
    return path, *read_results(path)
