"""Belief networks, and the tables of naive Bayes and AODE."""

from ranktrees_engine.bayes.network import BayesNet, lung_cancer
from ranktrees_engine.bayes.structure import (
    conditional_mutual_information,
    naive_bayes_structure,
    tan_structure,
)

__all__ = [
    "BayesNet",
    "conditional_mutual_information",
    "lung_cancer",
    "naive_bayes_structure",
    "tan_structure",
]
