"""Evaluation: measures of predictions, ways of dividing cases, comparison of methods.

True classes come first, then scores (n,) of the positive class or probabilities (n, C). What a
measure cannot answer raises UndefinedMeasure, a ValueError; in MEASURES it is nan. Models are known
by `fit` and `predict_proba` alone.
"""

from ranktrees.evaluate.compare import compare
from ranktrees.evaluate.costs import (
    Threshold,
    best_threshold,
    cost_threshold,
    expected_cost,
    least_cost_class,
    total_cost,
)
from ranktrees.evaluate.cross import cross_val_proba, cross_validate
from ranktrees.evaluate.curve import learning_curve, training_sizes
from ranktrees.evaluate.decisions import (
    accuracy,
    confusion_matrix,
    error_rate,
    f_measure,
    precision,
    recall,
    weighted_accuracy,
)
from ranktrees.evaluate.folds import fold_rows, leave_one_out, stratified_folds
from ranktrees.evaluate.inputs import NotProbabilities, UndefinedMeasure
from ranktrees.evaluate.java_random import JavaRandom
from ranktrees.evaluate.measures import MEASURES
from ranktrees.evaluate.multiclass import CONVENTIONS, hand_till, pairwise_auc
from ranktrees.evaluate.probabilities import (
    Calibration,
    brier,
    calibration_curve,
    expected_calibration_error,
    log_loss,
)
from ranktrees.evaluate.ranking import (
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
from ranktrees.evaluate.resample import (
    Bootstrap632,
    bootstrap,
    bootstrap_632,
    holdout,
    random_subsampling,
)
from ranktrees.evaluate.results import Results
from ranktrees.evaluate.significance import (
    Friedman,
    Significance,
    average_ranks,
    corrected_t,
    critical_difference,
    friedman,
    groups,
    paired_t,
    rank_rows,
    rank_sums,
    wilcoxon,
)
from ranktrees.evaluate.weka import weka_folds, weka_splits

__all__ = [
    "CONVENTIONS",
    "MEASURES",
    "Blocks",
    "Bootstrap632",
    "Calibration",
    "Friedman",
    "JavaRandom",
    "NotProbabilities",
    "Results",
    "Significance",
    "Threshold",
    "UndefinedMeasure",
    "accuracy",
    "auc",
    "auc_from_ranks",
    "average_ranks",
    "best_threshold",
    "bootstrap",
    "bootstrap_632",
    "brier",
    "calibration_curve",
    "compare",
    "confusion_matrix",
    "convex_hull",
    "corrected_t",
    "cost_threshold",
    "critical_difference",
    "cross_val_proba",
    "cross_validate",
    "error_rate",
    "expected_calibration_error",
    "expected_cost",
    "expected_hits",
    "f_measure",
    "fold_rows",
    "friedman",
    "gains_curve",
    "groups",
    "hand_till",
    "holdout",
    "learning_curve",
    "least_cost_class",
    "leave_one_out",
    "lift",
    "lift_curve",
    "log_loss",
    "midranks",
    "paired_t",
    "pairwise_auc",
    "precision",
    "random_subsampling",
    "rank_rows",
    "rank_sums",
    "recall",
    "roc_curve",
    "stratified_folds",
    "total_cost",
    "training_sizes",
    "weighted_accuracy",
    "weka_folds",
    "weka_splits",
    "wilcoxon",
]
