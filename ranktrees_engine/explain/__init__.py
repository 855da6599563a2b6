"""One prediction in words and numbers, and finished trees as SQL."""

from ranktrees_engine.explain.effects import attribute_effect
from ranktrees_engine.explain.explanation import Explanation, one_case
from ranktrees_engine.explain.many import explain_table, proba_frame
from ranktrees_engine.explain.sql import to_sql
from ranktrees_engine.explain.trees import explain_tree
from ranktrees_engine.explain.votes import (
    explain_aode,
    explain_bag,
    explain_naive,
    explain_prototypes,
)

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
