"""Answers to the exercises, checked at once: `rt.check.<exercise>(answer)` says what to do next."""

from ranktrees.check.base import Verdict
from ranktrees.check.lesson00 import always_good, depth_study, pairs_by_hand, reached_function
from ranktrees.check.lesson01 import (
    best_cut,
    cartype_order,
    criterion,
    gini_of_split,
)

__all__ = [
    "Verdict",
    "always_good",
    "best_cut",
    "cartype_order",
    "criterion",
    "depth_study",
    "gini_of_split",
    "pairs_by_hand",
    "reached_function",
]
