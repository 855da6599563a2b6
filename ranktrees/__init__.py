"""ranktrees: decision trees that rank.

    import ranktrees as rt

    data = rt.load("credit-g")
    model = rt.DecisionTree(estimate="laplace").fit(data.X, data.y)
    model.predict_proba(data.X)

Names are imported when they are first used, so that `import ranktrees` stays fast; `__init__.pyi`
lists them with their types, for editors and for you.
"""

import sys
from importlib import import_module

from ranktrees_engine._version import __version__ as __version__

_NAMES = {
    "ranktrees_engine.basics.versions": "show_versions",
    "ranktrees_engine.criteria": "CRITERIA",
    "ranktrees_engine.bayes": "BayesNet",
    "ranktrees_engine.evaluate": """
        accuracy auc auc_interval average_precision best_threshold brier calibration_curve
        compare_auc confusion_matrix convex_hull cost_threshold error_rate expected_cost
        f_measure gains_curve hand_till least_cost_class log_loss pairwise_auc pr_curve
        precision recall roc_curve total_cost weighted_accuracy bootstrap bootstrap_632
        cross_validate cross_val_proba holdout learning_curve leave_one_out random_subsampling
        stratified_folds weka_folds Results average_ranks compare corrected_t
        critical_difference friedman holm paired_t rank_sums repeated wilcoxon
    """,
    "ranktrees_engine.explain": "Explanation explain_table proba_frame to_sql",
    "ranktrees_files.adopted.adopt": "adopt",
    "ranktrees_files.adopted.reestimated": "Reestimated",
    "ranktrees_files.adopted.write": "write_back",
    "ranktrees_files.results": "read_results write_results",
    "ranktrees_files.storage": "load_model save",
    "ranktrees_engine.growing.count": "tally",
    "ranktrees_engine.growing.tree": "Tree",
    "ranktrees_engine.models": """
        AODE Bagging C44 C45 CITree CentreSplitting DecisionTree DistanceTree NBTree NaiveBayes
        NewtonTree PathBayes PathForest
    """,
    "ranktrees_engine.models.tuned": "TunedThreshold",
    "ranktrees_engine.newton": "Attribute",
    "ranktrees_files.arff": "read_arff",
    "ranktrees_files.c45_files": "read_c45",
    "ranktrees_engine.reading.bins": "cut_classes",
    "ranktrees_files.dataset": "Dataset read_csv",
    "ranktrees_files.doubts": "Doubt doubts",
    "ranktrees_files.prepare": "prepare",
    "ranktrees_engine.reading.encoder": "Codes Encoder",
    "ranktrees_engine.reading.labels": "read_classes",
    "ranktrees_files.scale": "scan",
    "ranktrees_files.trees": "read_tree",
    "ranktrees_lab.data": "agrawal datasets load",
    "ranktrees_lab.ask": "glossary guess quiz",
    "ranktrees_lab.playground": "playground",
    "ranktrees_lab.progress": "progress solution",
    "ranktrees_lab.show": "show",
}
_ROOMS = {
    "ranktrees": "plain",
    "ranktrees_engine": "bayes citree criteria evaluate explain newton prune",
    "ranktrees_engine.estimates": "path_bayes shrinkage",
    "ranktrees_engine.reading": "bins weights",
    "ranktrees_files": "storage",
    "ranktrees_lab": "check data explore papers plot sealed",
}
_WHERE = {name: (module, name) for module, names in _NAMES.items() for name in names.split()}
for _above, _rooms in _ROOMS.items():
    _WHERE |= {room: (f"{_above}.{room}", "") for room in _rooms.split()}
_WHERE["estimate"] = "ranktrees_engine.estimates", ""
_WHERE["scale"] = "ranktrees_files.scale", ""

__all__ = sorted(_WHERE)


def __getattr__(name: str):
    if name not in _WHERE:
        raise AttributeError(f"module 'ranktrees' has no attribute {name!r}")
    module, inside = _WHERE[name]
    value = import_module(module)
    value = globals()[name] = getattr(value, inside) if inside else value
    return value


def __dir__():
    return sorted({*globals(), *__all__})


if "ipykernel" in sys.modules:  # a notebook
    import_module("ranktrees_lab.hint").install()
