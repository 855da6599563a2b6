"""Measures of predictions: rankings, decisions and their costs, probabilities.

True classes come first, then scores (n,) of the positive class or probabilities (n, C). What a
measure cannot answer raises UndefinedMeasure, a ValueError; in MEASURES it is nan.
"""

from ranktrees.metrics.costs import (
    Threshold,
    best_threshold,
    cost_threshold,
    expected_cost,
    least_cost_class,
    total_cost,
)
from ranktrees.metrics.decisions import (
    accuracy,
    confusion_matrix,
    error_rate,
    f_measure,
    precision,
    recall,
    weighted_accuracy,
)
from ranktrees.metrics.inputs import NotProbabilities, UndefinedMeasure
from ranktrees.metrics.measures import MEASURES
from ranktrees.metrics.multiclass import CONVENTIONS, hand_till, pairwise_auc
from ranktrees.metrics.probabilities import (
    Calibration,
    brier,
    calibration_curve,
    expected_calibration_error,
    log_loss,
)
from ranktrees.metrics.ranking import (
    Blocks,
    auc,
    auc_from_ranks,
    convex_hull,
    expected_hits,
    gains_curve,
    lift,
    lift_curve,
    midranks,
    roc_curve,
)

__all__ = [
    "CONVENTIONS",
    "MEASURES",
    "Blocks",
    "Calibration",
    "NotProbabilities",
    "Threshold",
    "UndefinedMeasure",
    "accuracy",
    "auc",
    "auc_from_ranks",
    "best_threshold",
    "brier",
    "calibration_curve",
    "confusion_matrix",
    "convex_hull",
    "cost_threshold",
    "error_rate",
    "expected_calibration_error",
    "expected_cost",
    "expected_hits",
    "f_measure",
    "gains_curve",
    "hand_till",
    "least_cost_class",
    "lift",
    "lift_curve",
    "log_loss",
    "midranks",
    "pairwise_auc",
    "precision",
    "recall",
    "roc_curve",
    "total_cost",
    "weighted_accuracy",
]
