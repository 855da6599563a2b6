"""The classifiers."""

from ranktrees.models.aode import AODE
from ranktrees.models.bagging import Bagging
from ranktrees.models.c45 import C44, C45
from ranktrees.models.citree import CITree, NBTree
from ranktrees.models.naive_bayes import NaiveBayes
from ranktrees.models.newton import CentreSplitting, DistanceTree, NewtonTree
from ranktrees.models.path_bayes import PathBayes
from ranktrees.models.path_forest import PathForest
from ranktrees.models.tree import DecisionTree

__all__ = [
    "AODE",
    "C44",
    "C45",
    "Bagging",
    "CITree",
    "CentreSplitting",
    "DecisionTree",
    "DistanceTree",
    "NBTree",
    "NaiveBayes",
    "NewtonTree",
    "PathBayes",
    "PathForest",
]
