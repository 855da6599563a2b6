"""What `rt.check` gives, for editors and type checkers; a test holds it complete."""

from ranktrees_lab.check import answers as answers
from ranktrees_lab.check import base as base
from ranktrees_lab.check import bayes as bayes
from ranktrees_lab.check import breaking as breaking
from ranktrees_lab.check import challenges as challenges
from ranktrees_lab.check import papers as papers
from ranktrees_lab.check import path_bayes as path_bayes
from ranktrees_lab.check import ranking as ranking
from ranktrees_lab.check import scale as scale
from ranktrees_lab.check import shrinkage as shrinkage
from ranktrees_lab.check import trees as trees
from ranktrees_lab.check.base import Verdict
from ranktrees_lab.check.bayes import (
    bits_of_parity,
    m_over_splits,
    posterior_function,
)
from ranktrees_lab.check.challenges import challenge
from ranktrees_lab.check.papers import (
    judged,
    known_too_late,
)
from ranktrees_lab.check.path_bayes import (
    harmful_copies,
    prunings_function,
)
from ranktrees_lab.check.ranking import (
    cartype_order,
    criterion,
    pairs_by_hand,
    perfect_and_lazy,
    printed_auc,
)
from ranktrees_lab.check.scale import scans_per_level
from ranktrees_lab.check.shrinkage import (
    headline,
    note_refuted,
    wpe_in_training,
)
from ranktrees_lab.check.trees import (
    distance_study,
    followed_down,
    held_out_probability,
    pruned_tests,
    report_on_leaves,
    supported_reading,
    where_it_gains,
)

__all__ = [
    "Verdict",
    "bits_of_parity",
    "cartype_order",
    "challenge",
    "criterion",
    "distance_study",
    "followed_down",
    "harmful_copies",
    "headline",
    "held_out_probability",
    "judged",
    "known_too_late",
    "m_over_splits",
    "note_refuted",
    "pairs_by_hand",
    "perfect_and_lazy",
    "posterior_function",
    "printed_auc",
    "pruned_tests",
    "prunings_function",
    "report_on_leaves",
    "scans_per_level",
    "supported_reading",
    "where_it_gains",
    "wpe_in_training",
]
