"""What `rt.check` gives, for editors and type checkers; a test holds it complete."""

from ranktrees_lab.check import answers as answers
from ranktrees_lab.check import base as base
from ranktrees_lab.check import bayes as bayes
from ranktrees_lab.check import breaking as breaking
from ranktrees_lab.check import challenges as challenges
from ranktrees_lab.check import growing as growing
from ranktrees_lab.check import papers as papers
from ranktrees_lab.check import path_bayes as path_bayes
from ranktrees_lab.check import pruning as pruning
from ranktrees_lab.check import ranking as ranking
from ranktrees_lab.check import scale as scale
from ranktrees_lab.check import shrinkage as shrinkage
from ranktrees_lab.check import trees as trees
from ranktrees_lab.check.base import Verdict
from ranktrees_lab.check.bayes import (
    bits_of_parity,
    counted_twice,
    laplace_by_hand,
    m_over_splits,
    posterior_function,
    smoker_risk,
    ward_posterior,
    wins_of_aode,
)
from ranktrees_lab.check.challenges import challenge
from ranktrees_lab.check.growing import followed_down, refund_gain, stopping_study, two_bins
from ranktrees_lab.check.papers import (
    corrected_limit,
    judged,
    pooled_share,
    sets_needed,
)
from ranktrees_lab.check.path_bayes import (
    evidence_of_two_and_two,
    harmful_copies,
    learnt_depth_study,
    prunings_function,
)
from ranktrees_lab.check.pruning import (
    branch_study,
    confidence_study,
    limit_without_errors,
    shrunk_step_by_step,
    subtree_cost,
)
from ranktrees_lab.check.ranking import (
    always_good,
    area_under,
    best_cut,
    best_of_chance,
    cartype_order,
    cheapest_threshold,
    corners,
    criterion,
    gini_of_split,
    pairs_by_hand,
    rank_auc,
    reached_function,
    same_depth,
)
from ranktrees_lab.check.scale import group_of_a_child, rows_or_tables, sample_study, scans_function
from ranktrees_lab.check.shrinkage import (
    leaf_weight,
    look_up_function,
    mixture_function,
    path_study,
    weight_without_removal,
    wpe_by_hand,
    wpe_in_training,
    wpe_study,
)
from ranktrees_lab.check.trees import (
    citree_study,
    distance_study,
    held_out_probability,
    laplace_function,
    other_folds,
    pruned_tests,
    supported_reading,
    two_leaves_auc,
    where_it_gains,
)

__all__ = [
    "Verdict",
    "always_good",
    "area_under",
    "best_cut",
    "best_of_chance",
    "bits_of_parity",
    "branch_study",
    "cartype_order",
    "challenge",
    "cheapest_threshold",
    "citree_study",
    "confidence_study",
    "corners",
    "corrected_limit",
    "counted_twice",
    "criterion",
    "distance_study",
    "evidence_of_two_and_two",
    "followed_down",
    "gini_of_split",
    "group_of_a_child",
    "harmful_copies",
    "held_out_probability",
    "judged",
    "laplace_by_hand",
    "laplace_function",
    "leaf_weight",
    "learnt_depth_study",
    "limit_without_errors",
    "look_up_function",
    "m_over_splits",
    "mixture_function",
    "other_folds",
    "pairs_by_hand",
    "path_study",
    "pooled_share",
    "posterior_function",
    "pruned_tests",
    "prunings_function",
    "rank_auc",
    "reached_function",
    "refund_gain",
    "rows_or_tables",
    "same_depth",
    "sample_study",
    "scans_function",
    "sets_needed",
    "shrunk_step_by_step",
    "smoker_risk",
    "stopping_study",
    "subtree_cost",
    "supported_reading",
    "two_bins",
    "two_leaves_auc",
    "ward_posterior",
    "weight_without_removal",
    "where_it_gains",
    "wins_of_aode",
    "wpe_by_hand",
    "wpe_in_training",
    "wpe_study",
]
