"""What this room gives, for editors and type checkers; a test holds it complete."""

from ranktrees_engine.evaluate import cross as cross
from ranktrees_engine.evaluate import decisions as decisions
from ranktrees_engine.evaluate import folds as folds
from ranktrees_engine.evaluate import inputs as inputs
from ranktrees_engine.evaluate import intervals as intervals
from ranktrees_engine.evaluate import measures as measures
from ranktrees_engine.evaluate import multiclass as multiclass
from ranktrees_engine.evaluate import ranking as ranking
from ranktrees_engine.evaluate import results as results
from ranktrees_engine.evaluate import significance as significance
from ranktrees_engine.evaluate import subsamples as subsamples
from ranktrees_engine.evaluate.cross import (
    Bootstrap632,
    bootstrap_632,
    cross_val_proba,
    cross_validate,
    learning_curve,
    training_sizes,
)
from ranktrees_engine.evaluate.decisions import (
    Threshold,
    accuracy,
    best_threshold,
    confusion_matrix,
    cost_threshold,
    error_rate,
    expected_cost,
    f_measure,
    least_cost_class,
    precision,
    recall,
    total_cost,
    weighted_accuracy,
)
from ranktrees_engine.evaluate.folds import (
    JavaRandom,
    bootstrap,
    fold_rows,
    holdout,
    leave_one_out,
    random_subsampling,
    stratified_folds,
    weka_folds,
    weka_splits,
)
from ranktrees_engine.evaluate.inputs import NotProbabilities, UndefinedMeasure
from ranktrees_engine.evaluate.intervals import AUCInterval, auc_interval, compare_auc
from ranktrees_engine.evaluate.measures import (
    MEASURES,
    Calibration,
    brier,
    calibration_curve,
    classwise_calibration_error,
    log_loss,
)
from ranktrees_engine.evaluate.multiclass import CONVENTIONS, hand_till, pairwise_auc
from ranktrees_engine.evaluate.ranking import (
    Blocks,
    auc,
    auc_from_ranks,
    average_precision,
    convex_hull,
    expected_hits,
    gains_curve,
    midranks,
    pr_curve,
    roc_curve,
)
from ranktrees_engine.evaluate.results import Results, compare
from ranktrees_engine.evaluate.significance import (
    Friedman,
    Significance,
    average_ranks,
    corrected_t,
    critical_difference,
    friedman,
    groups,
    holm,
    paired_t,
    rank_rows,
    rank_sums,
    wilcoxon,
)
from ranktrees_engine.evaluate.subsamples import Repeated, repeated

__all__ = [
    "CONVENTIONS",
    "MEASURES",
    "AUCInterval",
    "Blocks",
    "Bootstrap632",
    "Calibration",
    "Friedman",
    "JavaRandom",
    "NotProbabilities",
    "Repeated",
    "Results",
    "Significance",
    "Threshold",
    "UndefinedMeasure",
    "accuracy",
    "auc",
    "auc_from_ranks",
    "auc_interval",
    "average_precision",
    "average_ranks",
    "best_threshold",
    "bootstrap",
    "bootstrap_632",
    "brier",
    "calibration_curve",
    "classwise_calibration_error",
    "compare",
    "compare_auc",
    "confusion_matrix",
    "convex_hull",
    "corrected_t",
    "cost_threshold",
    "critical_difference",
    "cross_val_proba",
    "cross_validate",
    "error_rate",
    "expected_cost",
    "expected_hits",
    "f_measure",
    "fold_rows",
    "friedman",
    "gains_curve",
    "groups",
    "hand_till",
    "holdout",
    "holm",
    "learning_curve",
    "least_cost_class",
    "leave_one_out",
    "log_loss",
    "midranks",
    "paired_t",
    "pairwise_auc",
    "pr_curve",
    "precision",
    "random_subsampling",
    "rank_rows",
    "rank_sums",
    "recall",
    "repeated",
    "roc_curve",
    "stratified_folds",
    "total_cost",
    "training_sizes",
    "weighted_accuracy",
    "weka_folds",
    "weka_splits",
    "wilcoxon",
]
