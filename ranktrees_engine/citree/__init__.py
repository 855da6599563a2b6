"""Trees that are chosen by how well naive Bayes ranks in their leaves."""

from ranktrees_engine.citree.inner import InnerBayes, OpenNodes
from ranktrees_engine.citree.propose import BestRanking, InnerFolds, Rule, cut_where_no_better
from ranktrees_engine.citree.scoring import SCORINGS

__all__ = [
    "SCORINGS",
    "BestRanking",
    "InnerBayes",
    "InnerFolds",
    "OpenNodes",
    "Rule",
    "cut_where_no_better",
]
