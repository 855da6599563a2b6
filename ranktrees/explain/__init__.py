"""One prediction in words and numbers: what a model was told, what it counted, what it says."""

from ranktrees.explain.bags import explain_bag
from ranktrees.explain.case import one_case
from ranktrees.explain.explanation import Explanation
from ranktrees.explain.trees import explain_tree

__all__ = ["Explanation", "explain_bag", "explain_tree", "one_case"]
