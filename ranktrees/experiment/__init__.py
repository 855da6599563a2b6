"""Experiments that question published numbers; no estimator knows of them."""

from ranktrees.experiment.disk import LedgerError
from ranktrees.experiment.label_leak import label_leak, leaked_proba, permuted
from ranktrees.experiment.ledger import Ledger
from ranktrees.experiment.packed import environment, pack, results, stored_papers
from ranktrees.experiment.paper import Method, Paper, Protocol
from ranktrees.experiment.papers import PAPERS
from ranktrees.experiment.reproduce import reproduce
from ranktrees.experiment.stored import compress, fold_grids, read_results
from ranktrees.experiment.summary import (
    average_table,
    cell_table,
    missing_sets,
    report,
    size_table,
)
from ranktrees.experiment.weka_bagging import WekaBagging
from ranktrees.experiment.wins import agreement, verdict, win_tie_loss

__all__ = [
    "PAPERS",
    "Ledger",
    "LedgerError",
    "Method",
    "Paper",
    "Protocol",
    "WekaBagging",
    "agreement",
    "average_table",
    "cell_table",
    "compress",
    "environment",
    "fold_grids",
    "label_leak",
    "leaked_proba",
    "missing_sets",
    "pack",
    "permuted",
    "read_results",
    "report",
    "reproduce",
    "results",
    "size_table",
    "stored_papers",
    "verdict",
    "win_tie_loss",
]
