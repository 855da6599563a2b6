"""What CITree and NBTree share: a search by inner cross-validation, naive Bayes at the leaves."""

from collections.abc import Callable
from dataclasses import replace
from typing import Self

from ranktrees_engine.basics.kinds import Classes, Input
from ranktrees_engine.basics.warn import warn_of_time
from ranktrees_engine.citree import BestRanking, InnerFolds, Rule
from ranktrees_engine.estimates.path_counts import PathCounts
from ranktrees_engine.estimator.elsewhere import ELSEWHERE
from ranktrees_engine.estimator.refusals import refuse_weights
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.models.naive_bayes import node_bayes

MOST_KEPT = 1 << 26  # cells of the value counts that a tree keeps
# Seconds per case, attribute and class of a level, as measured; it often ends after three of them.
PACE = {"auc": 1.5e-7, "accuracy": 4e-8, "log_loss": 4e-8}


class BayesTree(GrownTree):
    """A tree with the value counts of every node, for a naive Bayes there."""

    class_weight = None  # all cases count the same

    def fit(
        self, X: Input, y: Classes = None, *, progress: bool | None = False, **options: object
    ) -> Self:
        """Grow the tree on cases X (n, A) with classes y (n,), which all count the same.

        With `progress` a bar shows the progress.
        """
        why = f"its inner folds deal and rank whole cases; {ELSEWHERE['class_weight']}"
        refuse_weights(self, why, **options)
        return super().fit(X, y, progress=progress)

    def _set_tree(self, tree):
        counts = PathCounts(replace(tree, tables=None), *self.training_)
        tables = counts.all_tables(MOST_KEPT)
        make = None if tables is None else node_bayes
        return super()._set_tree(replace(tree, tables=tables, node_model=make))


def search(deal: tuple, rule: Rule) -> Callable:
    """Return a function that makes the proposer for sets with C classes, see `BestRanking`.

    `deal` is the number, kind and seed of the inner folds.
    """
    return lambda sets, C: BestRanking(sets, C, InnerFolds(sets.root, sets.y, *deal), rule)


def announced(propose: Callable, scoring: str, max_depth: int | None) -> Callable:
    """Return `propose`, which first warns if growing may take long."""

    def propose_and_warn(sets, C):
        A = sets.sizes.shape[1]
        levels = min(max_depth or 3, 3)
        warn_of_time(levels * PACE[scoring] * A * len(sets.y) * C * (1 + A / 50))
        return propose(sets, C)

    return propose_and_warn
