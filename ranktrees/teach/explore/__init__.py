"""Sliders for the lessons: each one is a widget whose picture also reads without a kernel."""

from ranktrees.teach.explore.base import Explorer
from ranktrees.teach.explore.cases import newton, shrinkage
from ranktrees.teach.explore.estimates import pruning, smoothing
from ranktrees.teach.explore.evaluation import folds, mailing, results, roc
from ranktrees.teach.explore.splits import citree, split

__all__ = [
    "Explorer",
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
