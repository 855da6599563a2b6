"""Answers to the exercises, checked at once: `rt.check.<exercise>(answer)` says what to do next."""

from ranktrees.teach.check.base import Verdict
from ranktrees.teach.check.lesson00 import always_good, depth_study, pairs_by_hand, reached_function
from ranktrees.teach.check.lesson01 import (
    best_cut,
    cartype_order,
    criterion,
    gini_of_split,
)
from ranktrees.teach.check.lesson02 import (
    laplace_by_hand,
    m_study,
    posterior_function,
    smoker_risk,
    ward_posterior,
)
from ranktrees.teach.check.lesson03 import (
    laplace_function,
    pruned_tests,
    pruning_study,
    two_leaves_auc,
)
from ranktrees.teach.check.lesson04 import (
    citree_study,
    held_out_probability,
    other_folds,
    where_it_gains,
)
from ranktrees.teach.check.lesson05 import (
    attraction_by_hand,
    collision_by_hand,
    distance_study,
    shares_function,
)
from ranktrees.teach.check.lesson06 import (
    honest_study,
    mixture_function,
    permuted_guess,
    wpe_by_hand,
)
from ranktrees.teach.check.lesson07 import area_under, best_of_chance, corners, rank_auc
from ranktrees.teach.check.lesson08 import higher_means, honest_share, rounding_error

__all__ = [
    "Verdict",
    "always_good",
    "area_under",
    "attraction_by_hand",
    "best_cut",
    "best_of_chance",
    "cartype_order",
    "citree_study",
    "collision_by_hand",
    "corners",
    "criterion",
    "depth_study",
    "distance_study",
    "gini_of_split",
    "held_out_probability",
    "higher_means",
    "honest_share",
    "honest_study",
    "laplace_by_hand",
    "laplace_function",
    "m_study",
    "mixture_function",
    "other_folds",
    "pairs_by_hand",
    "permuted_guess",
    "posterior_function",
    "pruned_tests",
    "pruning_study",
    "rank_auc",
    "reached_function",
    "rounding_error",
    "shares_function",
    "smoker_risk",
    "two_leaves_auc",
    "ward_posterior",
    "where_it_gains",
    "wpe_by_hand",
]
