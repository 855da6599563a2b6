"""Sliders for the lessons: each one is a widget whose picture also reads without a kernel."""

from ranktrees.explore.base import Explorer
from ranktrees.explore.citree import CITreeExplorer, citree
from ranktrees.explore.folds import FoldsExplorer, folds
from ranktrees.explore.mailing import MailingExplorer, mailing
from ranktrees.explore.newton import NewtonExplorer, newton
from ranktrees.explore.pruning import PruningExplorer, pruning
from ranktrees.explore.results import ResultsExplorer, results
from ranktrees.explore.roc import RocExplorer, roc
from ranktrees.explore.shrinkage import ShrinkageExplorer, shrinkage
from ranktrees.explore.smoothing import SmoothingExplorer, smoothing
from ranktrees.explore.split import SplitExplorer, split

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
