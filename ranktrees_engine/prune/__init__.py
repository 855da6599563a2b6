"""Pruning: cutting a grown tree back, by the methods of Rokach & Maimon 9.6 and of C4.5."""

from ranktrees_engine.growing.tree import sum_below
from ranktrees_engine.prune.best_first import best_first
from ranktrees_engine.prune.errors import (
    collapse,
    description_length,
    mdl,
    mdl_costs,
    minimum_error,
    minimum_error_costs,
    pessimistic,
    pessimistic_costs,
    pessimistic_rate,
    reduced_error,
    reduced_error_costs,
    training_errors,
)
from ranktrees_engine.prune.surgery import (
    Costs,
    bottom_up,
    cut_back,
    greedy,
    subtree_costs,
    sum_leaves,
)
from ranktrees_engine.prune.upper_limit import (
    added_errors,
    c45,
    check_confidence,
    estimated_errors,
)
from ranktrees_engine.prune.weakest_link import (
    CostComplexityPath,
    cost_complexity,
    cost_complexity_best,
    cost_complexity_cv,
    path,
)

__all__ = [
    "CostComplexityPath",
    "Costs",
    "added_errors",
    "best_first",
    "bottom_up",
    "c45",
    "check_confidence",
    "collapse",
    "cost_complexity",
    "cost_complexity_best",
    "cost_complexity_cv",
    "cut_back",
    "description_length",
    "estimated_errors",
    "greedy",
    "mdl",
    "mdl_costs",
    "minimum_error",
    "minimum_error_costs",
    "path",
    "pessimistic",
    "pessimistic_costs",
    "pessimistic_rate",
    "reduced_error",
    "reduced_error_costs",
    "subtree_costs",
    "sum_below",
    "sum_leaves",
    "training_errors",
]
