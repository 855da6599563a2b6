"""Estimates of a finished tree: one object each, which models choose by name."""

from ranktrees_engine.estimates.base import (
    ESTIMATES,
    Estimate,
    estimate_names,
    importances,
    make_estimate,
)
from ranktrees_engine.estimates.by_case import (
    WPE,
    LeafBayes,
    LingYan,
    NodeBayes,
    Shrinkage,
    ShrinkageOfBayes,
    ShrinkageOfWPE,
)
from ranktrees_engine.estimates.cases import CountedCases, TrainingCases
from ranktrees_engine.estimates.nodes import (
    Curtailment,
    Frequency,
    HierarchicalShrinkage,
    Laplace,
    MBranch,
    MEstimate,
    Prunings,
    Shrinking,
    curtailment,
    frequency,
    hierarchical_shrinkage,
    laplace,
    m_branch,
    m_estimate,
    shrinking,
)
from ranktrees_engine.estimates.path_bayes import PathBayes, PathBayesEM

ESTIMATES |= {
    "frequency": Frequency,
    "laplace": Laplace,
    "m": MEstimate,
    "m-branch": MBranch,
    "curtailment": Curtailment,
    "shrinking": Shrinking,
    "prunings": Prunings,
    "hierarchical-shrinkage": HierarchicalShrinkage,
    "ling-yan": LingYan,
    "shrinkage": Shrinkage,
    "wpe": WPE,
    "shrinkage+wpe": ShrinkageOfWPE,
    "naive-bayes": NodeBayes,
    "leaf-naive-bayes": LeafBayes,
    "shrinkage+naive-bayes": ShrinkageOfBayes,
    "path-bayes": PathBayes,
    "path-bayes-em": PathBayesEM,
}

__all__ = [
    "ESTIMATES",
    "CountedCases",
    "Estimate",
    "TrainingCases",
    "curtailment",
    "estimate_names",
    "frequency",
    "hierarchical_shrinkage",
    "importances",
    "laplace",
    "m_branch",
    "m_estimate",
    "make_estimate",
    "shrinking",
]
