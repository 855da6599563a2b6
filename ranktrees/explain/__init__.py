"""One prediction in words and numbers, and finished trees as SQL."""

from ranktrees.explain.effects import attribute_effect
from ranktrees.explain.explanation import Explanation, one_case
from ranktrees.explain.many import explain_table, proba_frame
from ranktrees.explain.sql import to_sql
from ranktrees.explain.trees import explain_tree
from ranktrees.explain.votes import explain_aode, explain_bag, explain_naive, explain_prototypes

__all__ = [
    "Explanation",
    "attribute_effect",
    "explain_aode",
    "explain_bag",
    "explain_naive",
    "explain_prototypes",
    "explain_table",
    "explain_tree",
    "one_case",
    "proba_frame",
    "to_sql",
]
