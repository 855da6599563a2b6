"""Sliders for the lessons: each one is a widget whose picture also reads without a kernel."""

from ranktrees.teach.explore.base import Explorer
from ranktrees.teach.explore.citree import CITreeExplorer, citree
from ranktrees.teach.explore.folds import FoldsExplorer, folds
from ranktrees.teach.explore.mailing import MailingExplorer, mailing
from ranktrees.teach.explore.newton import NewtonExplorer, newton
from ranktrees.teach.explore.pruning import PruningExplorer, pruning
from ranktrees.teach.explore.results import ResultsExplorer, results
from ranktrees.teach.explore.roc import RocExplorer, roc
from ranktrees.teach.explore.shrinkage import ShrinkageExplorer, shrinkage
from ranktrees.teach.explore.smoothing import SmoothingExplorer, smoothing
from ranktrees.teach.explore.split import SplitExplorer, split

__all__ = [
    "CITreeExplorer",
    "Explorer",
    "FoldsExplorer",
    "MailingExplorer",
    "NewtonExplorer",
    "PruningExplorer",
    "ResultsExplorer",
    "RocExplorer",
    "ShrinkageExplorer",
    "SmoothingExplorer",
    "SplitExplorer",
    "citree",
    "folds",
    "mailing",
    "newton",
    "pruning",
    "results",
    "roc",
    "shrinkage",
    "smoothing",
    "split",
]
