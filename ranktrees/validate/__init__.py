"""Evaluation of one model: holdout, folds, bootstrap, cross-validation, learning curves."""

from ranktrees.validate.cross import cross_val_proba, cross_validate
from ranktrees.validate.curve import learning_curve, training_sizes
from ranktrees.validate.folds import fold_rows, leave_one_out, stratified_folds
from ranktrees.validate.java_random import JavaRandom
from ranktrees.validate.resample import (
    Bootstrap632,
    bootstrap,
    bootstrap_632,
    holdout,
    random_subsampling,
)
from ranktrees.validate.weka import weka_folds, weka_splits

__all__ = [
    "Bootstrap632",
    "JavaRandom",
    "bootstrap",
    "bootstrap_632",
    "cross_val_proba",
    "cross_validate",
    "fold_rows",
    "holdout",
    "learning_curve",
    "leave_one_out",
    "random_subsampling",
    "stratified_folds",
    "training_sizes",
    "weka_folds",
    "weka_splits",
]
