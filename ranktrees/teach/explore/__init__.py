"""Sliders for the lessons: each one is a widget whose picture also reads without a kernel."""

from ranktrees.teach.explore.base import Explorer
from ranktrees.teach.explore.cases import path_bayes_explorer as path_bayes
from ranktrees.teach.explore.cases import shrinkage_explorer as shrinkage
from ranktrees.teach.explore.estimates import pruning_explorer as pruning
from ranktrees.teach.explore.estimates import smoothing_explorer as smoothing
from ranktrees.teach.explore.evaluation import folds_explorer as folds
from ranktrees.teach.explore.evaluation import mailing_explorer as mailing
from ranktrees.teach.explore.evaluation import pairs_explorer as pairs
from ranktrees.teach.explore.evaluation import results_explorer as results
from ranktrees.teach.explore.evaluation import roc_explorer as roc
from ranktrees.teach.explore.growth import bins_explorer as bins
from ranktrees.teach.explore.growth import growing_explorer as growing
from ranktrees.teach.explore.growth import lens_explorer as lens
from ranktrees.teach.explore.prototypes import newton_explorer as newton
from ranktrees.teach.explore.scale import budget_explorer as budget
from ranktrees.teach.explore.splits import citree_explorer as citree
from ranktrees.teach.explore.splits import citree_growth_explorer as citree_growth
from ranktrees.teach.explore.splits import split_explorer as split

__all__ = [
    "Explorer",
    "bins",
    "budget",
    "citree",
    "citree_growth",
    "folds",
    "growing",
    "lens",
    "mailing",
    "newton",
    "pairs",
    "path_bayes",
    "pruning",
    "results",
    "roc",
    "shrinkage",
    "smoothing",
    "split",
]
