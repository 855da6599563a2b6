"""Evaluation: measures of predictions, ways of dividing cases, comparison of methods.

True classes come first, then scores (n,) of the positive class or probabilities (n, C). A measure
that is not defined raises UndefinedMeasure, a ValueError; in MEASURES it is nan. A model needs only
`fit` and `predict_proba`. Names are imported when they are first used.
"""

from importlib import import_module

_CONTENTS = {  # file: its public names
    "inputs": "NotProbabilities UndefinedMeasure",
    "decisions": "accuracy confusion_matrix error_rate f_measure precision recall"
    " weighted_accuracy"
    " Threshold best_threshold cost_threshold expected_cost least_cost_class total_cost",
    "ranking": "Blocks auc auc_from_ranks average_precision convex_hull expected_hits gains_curve"
    " midranks pr_curve roc_curve",
    "multiclass": "CONVENTIONS hand_till pairwise_auc",
    "intervals": "AUCInterval auc_interval compare_auc",
    "measures": "Calibration MEASURES brier calibration_curve classwise_calibration_error log_loss",
    "folds": "JavaRandom bootstrap fold_rows holdout leave_one_out random_subsampling"
    " stratified_folds weka_folds weka_splits",
    "cross": "Bootstrap632 bootstrap_632 cross_val_proba cross_validate learning_curve"
    " training_sizes",
    "significance": "Friedman Significance average_ranks corrected_t critical_difference friedman"
    " groups holm paired_t rank_rows rank_sums wilcoxon",
    "results": "Results compare",
    "subsamples": "Repeated repeated",
}
_FILES = {name: file for file, names in _CONTENTS.items() for name in names.split()}
__all__ = sorted(_FILES)


def __getattr__(name: str):
    if name in _CONTENTS:
        return import_module(f"{__name__}.{name}")
    if name not in _FILES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_FILES[name]}"), name)
    return value


def __dir__():
    return sorted({*globals(), *__all__})
