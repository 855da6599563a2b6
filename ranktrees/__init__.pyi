"""What `import ranktrees as rt` gives, for editors and type checkers; a test holds it complete."""

from ranktrees import plain
from ranktrees_engine import bayes, citree, criteria, evaluate, explain, newton, prune
from ranktrees_engine import estimates as estimate
from ranktrees_engine.basics.versions import show_versions
from ranktrees_engine.bayes import BayesNet
from ranktrees_engine.criteria import CRITERIA
from ranktrees_engine.estimates import path_bayes, shrinkage
from ranktrees_engine.evaluate import (
    Results,
    accuracy,
    auc,
    auc_interval,
    average_precision,
    average_ranks,
    best_threshold,
    bootstrap,
    bootstrap_632,
    brier,
    calibration_curve,
    compare,
    compare_auc,
    confusion_matrix,
    convex_hull,
    corrected_t,
    cost_threshold,
    critical_difference,
    cross_val_proba,
    cross_validate,
    error_rate,
    expected_cost,
    f_measure,
    friedman,
    gains_curve,
    hand_till,
    holdout,
    holm,
    learning_curve,
    least_cost_class,
    leave_one_out,
    log_loss,
    paired_t,
    pairwise_auc,
    pr_curve,
    precision,
    random_subsampling,
    rank_sums,
    recall,
    repeated,
    roc_curve,
    stratified_folds,
    total_cost,
    weighted_accuracy,
    weka_folds,
    wilcoxon,
)
from ranktrees_engine.explain import Explanation, explain_table, proba_frame, to_sql
from ranktrees_engine.growing.count import tally
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.models import (
    AODE,
    C44,
    C45,
    Bagging,
    CentreSplitting,
    CITree,
    DecisionTree,
    DistanceTree,
    NaiveBayes,
    NBTree,
    NewtonTree,
    PathBayes,
    PathForest,
)
from ranktrees_engine.models.tuned import TunedThreshold
from ranktrees_engine.newton import Attribute
from ranktrees_engine.reading import bins, weights
from ranktrees_engine.reading.bins import cut_classes
from ranktrees_engine.reading.encoder import Codes, Encoder
from ranktrees_engine.reading.labels import read_classes
from ranktrees_files import scale, storage
from ranktrees_files.adopted.adopt import adopt
from ranktrees_files.adopted.meta import Reestimated
from ranktrees_files.adopted.write import write_back
from ranktrees_files.arff import read_arff
from ranktrees_files.c45_files import read_c45
from ranktrees_files.dataset import Dataset, read_csv
from ranktrees_files.doubts import Doubt, doubts
from ranktrees_files.prepare import prepare
from ranktrees_files.results import read_results, write_results
from ranktrees_files.scale import scan
from ranktrees_files.storage import load_model, save
from ranktrees_files.trees import read_tree
from ranktrees_lab import check, data, explore, papers, plot, sealed
from ranktrees_lab.ask import glossary, guess, quiz
from ranktrees_lab.data import agrawal, datasets, load
from ranktrees_lab.playground import playground
from ranktrees_lab.progress import progress, solution
from ranktrees_lab.show import show

__version__: str
__all__ = [
    "AODE",
    "C44",
    "C45",
    "CRITERIA",
    "Attribute",
    "Bagging",
    "BayesNet",
    "CITree",
    "CentreSplitting",
    "Codes",
    "Dataset",
    "DecisionTree",
    "DistanceTree",
    "Doubt",
    "Encoder",
    "Explanation",
    "NBTree",
    "NaiveBayes",
    "NewtonTree",
    "PathBayes",
    "PathForest",
    "Reestimated",
    "Results",
    "Tree",
    "TunedThreshold",
    "accuracy",
    "adopt",
    "agrawal",
    "auc",
    "auc_interval",
    "average_precision",
    "average_ranks",
    "bayes",
    "best_threshold",
    "bins",
    "bootstrap",
    "bootstrap_632",
    "brier",
    "calibration_curve",
    "check",
    "citree",
    "compare",
    "compare_auc",
    "confusion_matrix",
    "convex_hull",
    "corrected_t",
    "cost_threshold",
    "criteria",
    "critical_difference",
    "cross_val_proba",
    "cross_validate",
    "cut_classes",
    "data",
    "datasets",
    "doubts",
    "error_rate",
    "estimate",
    "evaluate",
    "expected_cost",
    "explain",
    "explain_table",
    "explore",
    "f_measure",
    "friedman",
    "gains_curve",
    "glossary",
    "guess",
    "hand_till",
    "holdout",
    "holm",
    "learning_curve",
    "least_cost_class",
    "leave_one_out",
    "load",
    "load_model",
    "log_loss",
    "newton",
    "paired_t",
    "pairwise_auc",
    "papers",
    "path_bayes",
    "plain",
    "playground",
    "plot",
    "pr_curve",
    "precision",
    "prepare",
    "proba_frame",
    "progress",
    "prune",
    "quiz",
    "random_subsampling",
    "rank_sums",
    "read_arff",
    "read_c45",
    "read_classes",
    "read_csv",
    "read_results",
    "read_tree",
    "recall",
    "repeated",
    "roc_curve",
    "save",
    "scale",
    "scan",
    "sealed",
    "show",
    "show_versions",
    "shrinkage",
    "solution",
    "storage",
    "stratified_folds",
    "tally",
    "to_sql",
    "total_cost",
    "weighted_accuracy",
    "weights",
    "weka_folds",
    "wilcoxon",
    "write_back",
    "write_results",
]
