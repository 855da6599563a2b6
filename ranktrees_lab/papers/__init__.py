"""Experiments that question published numbers; no estimator depends on them."""

from ranktrees_lab.papers.catalog import PAPERS, STUDIES
from ranktrees_lab.papers.files import (
    ResultsError,
    environment,
    fold_grids,
    read_results,
    results,
    stored_papers,
)
from ranktrees_lab.papers.label_leak import label_leak, leaked_proba, permuted
from ranktrees_lab.papers.paper import Method, Paper, Protocol
from ranktrees_lab.papers.reproduce import reproduce
from ranktrees_lab.papers.rivals import Rival
from ranktrees_lab.papers.summary import average_table, cell_table, missing_sets, report, size_table
from ranktrees_lab.papers.verdicts import Verdicts, verdicts
from ranktrees_lab.papers.weka_bagging import WekaBagging
from ranktrees_lab.papers.wins import agreement, standing, study_table, verdict, win_tie_loss

__all__ = [
    "PAPERS",
    "STUDIES",
    "Method",
    "Paper",
    "Protocol",
    "ResultsError",
    "Rival",
    "Verdicts",
    "WekaBagging",
    "agreement",
    "average_table",
    "cell_table",
    "environment",
    "fold_grids",
    "label_leak",
    "leaked_proba",
    "missing_sets",
    "permuted",
    "read_results",
    "report",
    "reproduce",
    "results",
    "size_table",
    "standing",
    "stored_papers",
    "study_table",
    "verdict",
    "verdicts",
    "win_tie_loss",
]
