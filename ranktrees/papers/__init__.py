"""Experiments that question published numbers; no estimator knows of them."""

from ranktrees.papers.catalog import PAPERS
from ranktrees.papers.disk import LedgerError
from ranktrees.papers.label_leak import label_leak, leaked_proba, permuted
from ranktrees.papers.ledger import Ledger
from ranktrees.papers.packed import environment, pack, results, stored_papers
from ranktrees.papers.paper import Method, Paper, Protocol
from ranktrees.papers.reproduce import reproduce
from ranktrees.papers.stored import compress, fold_grids, read_results
from ranktrees.papers.summary import (
    average_table,
    cell_table,
    missing_sets,
    report,
    size_table,
)
from ranktrees.papers.weka_bagging import WekaBagging
from ranktrees.papers.wins import agreement, verdict, win_tie_loss

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
