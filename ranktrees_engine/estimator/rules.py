"""The choices of a model whose tree grows level by level, as one frozen record."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ranktrees_engine import prune
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.warn import warn
from ranktrees_engine.growing.best import BestAttribute
from ranktrees_engine.growing.forest import TrainingSets
from ranktrees_engine.growing.grow import Stop
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.reading.encoder import Encoder


@dataclass(frozen=True)
class GrownFrom:
    """The training cases of one tree: codes X (n, A), classes y (n,) and weights (n,) or None."""

    X: Array
    y: Array
    weight: Array | None = None

    def c45(self, tree: Tree, confidence: float, raising: bool) -> Tree:
        """Prune the tree as C4.5 does (see `rt.prune.c45`)."""
        return prune.c45(tree, self.X, self.y, confidence, raising, weight=self.weight)


def as_grown(forest: Tree, sets: TrainingSets) -> Tree:
    """Return the grown trees as they are."""
    return forest


def best_nodes(most: int | None, impurity: Callable, then: Callable = as_grown) -> Callable:
    """Return a trim that keeps the `most` leaves of best-first growth, and then cuts back more."""
    return then if most is None else partial(_keep_best, most, impurity, then)


def _keep_best(most, impurity, then, forest, sets):
    small, roots = prune.best_first(forest, most, impurity), forest.levels[0]
    if len(stuck := np.flatnonzero(small.is_leaf[roots] & ~forest.is_leaf[roots])):
        n = np.count_nonzero(forest.parent == stuck[0])
        warn(
            f"max_leaf_nodes={most} has no room for the {n} branches of the first test, so that "
            "the tree is one leaf: allow more, or take tests with two branches "
            '(numeric="thresholds", and split="binary" of DecisionTree)'
        )
    return then(small, sets)


def unpruned(tree: Tree, cases: GrownFrom) -> Tree:
    """Return the grown tree as it is."""
    return tree


@dataclass(frozen=True)
class Rules:
    """The rules of growing: all that `GrownTree` reads of a model besides its estimate.

    `encoder`, not fitted yet, turns columns into codes. `propose(sets, C, wide=0)` makes what
    proposes the tests of open nodes (see `growing.grow`) for the training sets of one or several
    trees with C classes; attributes of more than `wide` codes may be cut case by case. `stop` says
    which nodes stay leaves. `trim(forest, sets)` cuts the trees back while they are still together,
    `prune(tree, cases)` one tree alone; `cases` has `c45`, in memory or in files. `from_tables`
    says whether count tables are all that growing needs, so that cases may be in files.
    """

    encoder: Encoder
    propose: Callable[..., Any]
    stop: Stop
    trim: Callable[[Tree, Any], Tree] = as_grown
    prune: Callable[[Tree, Any], Tree] = unpruned
    from_tables: bool = True


def best_attribute(
    sets: TrainingSets,
    n_classes: int,
    wide: int = 0,
    *,
    kind: Callable,
    criterion: str,
    **limits: Any,
) -> BestAttribute:
    """Make the proposer of the test with the best score; `kind(info)` says how one is split.

    The number of classes does not matter. `limits` are those of `BestAttribute`.
    """
    kinds = [kind(info) for info in sets.each[0].schema]
    return BestAttribute(sets.sizes, sets.n_cases, kinds, criterion, wide=wide, **limits)
