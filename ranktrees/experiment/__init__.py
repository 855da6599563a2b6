"""Experiments that question published numbers; no estimator knows of them."""

from ranktrees.experiment.label_leak import label_leak, leaked_proba, permuted

__all__ = ["label_leak", "leaked_proba", "permuted"]
