"""How C4.5 grows and prunes: the rules that `C45`, `C44` and `PathBayes` share."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from ranktrees_engine import prune
from ranktrees_engine.criteria.criteria import entropy
from ranktrees_engine.criteria.split import J48_TIE
from ranktrees_engine.estimator.rules import Rules, as_grown, best_attribute, best_nodes, unpruned
from ranktrees_engine.growing.grow import Stop
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.reading.encoder import Encoder


class Pruning(NamedTuple):
    """Pruning by the upper limit of the error at this confidence, with or without raising."""

    confidence: float = 0.25
    raising: bool = True

    def __call__(self, tree: Tree, cases) -> Tree:
        return cases.c45(tree, self.confidence, self.raising)


def c45_rules(
    encoder: Encoder,
    kind: Callable,
    min_child: int,
    collapses: bool = True,
    pruning: Pruning | None = None,
    max_leaf_nodes: int | None = None,
) -> Rules:
    """Return C4.5's rules, see `C45`; `kind(info)` says how an attribute is split.

    A node is split if it has twice `min_child` cases; scores closer than J48's 1e-6 are equal.
    """
    limits = {"min_child": min_child, "min_gain": J48_TIE, "tie": J48_TIE}
    propose = partial(best_attribute, kind=kind, criterion="gain_ratio", c45=True, **limits)
    stop = Stop(min_parent=2 * min_child, set_by="min_child")
    trim = best_nodes(max_leaf_nodes, entropy, collapsed if collapses else as_grown)
    return Rules(encoder, propose, stop, trim, pruning or unpruned)


def collapsed(forest: Tree, sets) -> Tree:
    """Collapse the subtrees that make at least as many training errors as a leaf."""
    return prune.collapse(forest)


def parent_classes(rules: str, estimate: str, params: dict | None) -> dict | None:
    """Return the estimate's parameters; of "wang2006" Laplace counts the classes of the parent."""
    if rules == "wang2006" and estimate == "laplace":
        return {"classes": "parent", **(params or {})}
    return params
