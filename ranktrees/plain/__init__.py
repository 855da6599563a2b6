"""Every method whole, as the papers write it: recursion and loops, to be read and changed.

README.md in this folder says in which order to read, how to call, and which part of the package
computes the same fast.
"""

from ranktrees.plain import (
    bayes,
    bins,
    c45,
    citree,
    criteria,
    estimates,
    evaluate,
    growing,
    newton,
    newton_values,
    path_bayes,
    pruning,
    pruning_c45,
    scale,
    shrinkage,
    tree,
)

__all__ = [
    "bayes",
    "bins",
    "c45",
    "citree",
    "criteria",
    "estimates",
    "evaluate",
    "growing",
    "newton",
    "newton_values",
    "path_bayes",
    "pruning",
    "pruning_c45",
    "scale",
    "shrinkage",
    "tree",
]
