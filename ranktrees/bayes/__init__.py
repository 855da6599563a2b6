"""Bayesian classifiers: naive Bayes, AODE and belief networks."""

from ranktrees.bayes.aode import AODE
from ranktrees.bayes.naive import NaiveBayes
from ranktrees.bayes.network import BayesNet, lung_cancer
from ranktrees.bayes.structure import (
    conditional_mutual_information,
    naive_bayes_structure,
    tan_structure,
)

__all__ = [
    "AODE",
    "BayesNet",
    "NaiveBayes",
    "conditional_mutual_information",
    "lung_cancer",
    "naive_bayes_structure",
    "tan_structure",
]
