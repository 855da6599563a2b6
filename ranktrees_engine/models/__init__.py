"""The classifiers."""

from ranktrees_engine.models.aode import AODE
from ranktrees_engine.models.bagging import Bagging
from ranktrees_engine.models.c44 import C44
from ranktrees_engine.models.c45 import C45
from ranktrees_engine.models.centre_splitting import CentreSplitting
from ranktrees_engine.models.citree import CITree
from ranktrees_engine.models.distance_tree import DistanceTree
from ranktrees_engine.models.naive_bayes import NaiveBayes
from ranktrees_engine.models.nbtree import NBTree
from ranktrees_engine.models.newton import NewtonTree
from ranktrees_engine.models.path_bayes import PathBayes
from ranktrees_engine.models.path_forest import PathForest
from ranktrees_engine.models.tree import DecisionTree

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
