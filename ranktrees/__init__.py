"""ranktrees: decision trees that rank.

    import ranktrees as rt

    data = rt.load("credit-g")
    model = rt.DecisionTree(estimate="laplace").fit(data.X, data.y)
    model.predict_proba(data.X)

Names are imported when they are first used, so that `import ranktrees` stays fast.
"""

from importlib import import_module

__version__ = "0.1.0"

_HOME = {
    "ranktrees.data": ("Dataset", "load", "datasets", "read_arff", "read_csv"),
    "ranktrees.counts": ("tally",),
    "ranktrees.criteria": ("CRITERIA",),
    "ranktrees.preprocess": ("Codes", "Encoder", "prepare"),
    "ranktrees.models": (
        "DecisionTree",
        "C45",
        "C44",
        "CITree",
        "NBTree",
        "NewtonTree",
        "DistanceTree",
        "CentreSplitting",
        "Bagging",
    ),
    "ranktrees.newton": ("Attribute",),
    "ranktrees.tree": ("Tree",),
    "ranktrees.bayes": ("NaiveBayes", "BayesNet"),
    "ranktrees.metrics": (
        "accuracy",
        "auc",
        "best_threshold",
        "brier",
        "calibration_curve",
        "confusion_matrix",
        "convex_hull",
        "cost_threshold",
        "error_rate",
        "expected_calibration_error",
        "expected_cost",
        "f_measure",
        "gains_curve",
        "hand_till",
        "least_cost_class",
        "lift",
        "lift_curve",
        "log_loss",
        "pairwise_auc",
        "precision",
        "recall",
        "roc_curve",
        "total_cost",
        "weighted_accuracy",
    ),
    "ranktrees.validate": (
        "bootstrap",
        "bootstrap_632",
        "cross_validate",
        "cross_val_proba",
        "holdout",
        "learning_curve",
        "leave_one_out",
        "random_subsampling",
        "stratified_folds",
        "weka_folds",
    ),
    "ranktrees.comparison": (
        "Results",
        "average_ranks",
        "compare",
        "corrected_t",
        "critical_difference",
        "friedman",
        "paired_t",
        "rank_sums",
        "wilcoxon",
    ),
    "ranktrees.explain": ("Explanation",),
    "ranktrees.storage": ("load_model", "save"),
}
_WHERE = {name: module for module, names in _HOME.items() for name in names}
_MODULES = (
    "bayes",
    "casewise",
    "check",
    "citree",
    "comparison",
    "criteria",
    "data",
    "discretize",
    "estimate",
    "experiment",
    "explain",
    "explore",
    "level",
    "metrics",
    "newton",
    "plot",
    "prune",
    "split",
    "storage",
    "tree",
    "validate",
)

__all__ = sorted([*_WHERE, *_MODULES])


def __getattr__(name: str):
    if name in _WHERE:
        value = getattr(import_module(_WHERE[name]), name)
    elif name in _MODULES:
        value = import_module(f"ranktrees.{name}")
    else:
        raise AttributeError(f"module 'ranktrees' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return [*globals(), *__all__]
