"""Sliders for the lessons: each is a widget whose picture can also be read without a kernel."""

from ranktrees_lab.explore.adopted import adopted_explorer as adopted
from ranktrees_lab.explore.base import Explorer
from ranktrees_lab.explore.candidates import Candidates
from ranktrees_lab.explore.estimates import pruning_explorer as pruning
from ranktrees_lab.explore.estimates import smoothing_explorer as smoothing
from ranktrees_lab.explore.estimates import stops_explorer as stops
from ranktrees_lab.explore.evaluation import folds_explorer as folds
from ranktrees_lab.explore.evaluation import mailing_explorer as mailing
from ranktrees_lab.explore.evaluation import pairs_explorer as pairs
from ranktrees_lab.explore.evaluation import results_explorer as results
from ranktrees_lab.explore.growth import bins_explorer as bins
from ranktrees_lab.explore.growth import falling_cases_explorer as falling_cases
from ranktrees_lab.explore.growth import growing_explorer as growing
from ranktrees_lab.explore.growth import lens_explorer as lens
from ranktrees_lab.explore.growth import separable_explorer as separable
from ranktrees_lab.explore.paths import one_path_explorer as one_path
from ranktrees_lab.explore.paths import path_bayes_explorer as path_bayes
from ranktrees_lab.explore.paths import shrinkage_explorer as shrinkage
from ranktrees_lab.explore.prototypes import newton_explorer as newton
from ranktrees_lab.explore.scale import budget_explorer as budget
from ranktrees_lab.explore.scale import rainforest_explorer as rainforest
from ranktrees_lab.explore.splits import citree_growth_explorer as citree_growth
from ranktrees_lab.explore.splits import split_explorer as split
from ranktrees_lab.explore.thresholds import roc_explorer as roc
from ranktrees_lab.explore.votes import wpe_votes_explorer as wpe_votes

__all__ = [
    "Candidates",
    "Explorer",
    "adopted",
    "bins",
    "budget",
    "citree_growth",
    "falling_cases",
    "folds",
    "growing",
    "lens",
    "mailing",
    "newton",
    "one_path",
    "pairs",
    "path_bayes",
    "pruning",
    "rainforest",
    "results",
    "roc",
    "separable",
    "shrinkage",
    "smoothing",
    "split",
    "stops",
    "wpe_votes",
]
