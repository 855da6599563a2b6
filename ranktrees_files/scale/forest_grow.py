"""Growing the trees of a path forest from a code file: together while their tables fit.

A scan a level counts for all trees. When the tables of the open nodes exceed the budget, each tree
goes on alone, from parts of its own attributes. If a tree's cases fit in memory, it grows there.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from ranktrees_engine.growing.forest import plant
from ranktrees_engine.growing.grow import grow
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.models.subspaces import masked, ordered_schema, rules_of_trees
from ranktrees_engine.reading.schema import AttributeInfo
from ranktrees_files.scale.codefile import CodeFile
from ranktrees_files.scale.fit import sets_of
from ranktrees_files.scale.forest_rows import ForestRows, ForestWork
from ranktrees_files.scale.in_parts import IN_PARTS, PRUNING, c45_in_parts
from ranktrees_files.scale.memory import give_back
from ranktrees_files.scale.rainforest import (
    Pause,
    Work,
    count_all,
    grow_below,
    grow_part,
)


class Growing:
    """The growth of trees in subspaces, attributes (h,) each, from one code file."""

    def __init__(
        self,
        file: CodeFile,
        schema: tuple[AttributeInfo, ...],
        subspaces: Sequence[np.ndarray],
        classes: np.ndarray,
        budget: int,
        count: Callable | None = None,
    ):
        self.file, self.schema, self.subspaces = file, schema, subspaces
        self.classes, self.budget, self.count = classes, budget, count
        self.rules = rules_of_trees()
        self.works = [self._work(subspace) for subspace in subspaces]
        for work in self.works:
            work.check_budget()

    def trees(self) -> Iterator[Tree]:
        """Yield the trees, grown and pruned, with the schema of all attributes."""
        tops = [None] * len(self.works) if self._fit_alone() else self._tops()
        for subspace, work, top in zip(self.subspaces, self.works, tops, strict=True):
            file = self.file.of_attributes(subspace)
            if top is None:
                tree = grow_part(file, work)
            else:
                tree = c45_in_parts(_completed(file, work, subspace, *top), file, work)
            give_back()
            tested = np.where(tree.attribute < 0, -1, subspace[tree.attribute])
            yield replace(tree, attribute=tested, schema=self.schema)

    def _fit_alone(self):
        """Return whether each tree grows in memory, all of its cases at once."""
        here = self.count in (None, count_all)
        return here and all(
            work.fits(self.file.of_attributes(subspace), 0)
            for subspace, work in zip(self.subspaces, self.works, strict=True)
        )

    def _work(self, subspace):
        """Return what a tree needs that grows alone."""
        schema = ordered_schema(self.schema, subspace)
        work = self._work_of(Work, schema, self.rules, self.file.counts)
        work.prune = PRUNING
        return work

    def _work_of(self, kind, schema, rules, counts):
        sets, C = sets_of(self.file, schema), len(self.classes)
        sets.sizes = np.repeat(sets.sizes, len(counts), axis=0)
        sets.n_cases = counts.sum(axis=1)
        both = rules.propose(sets, C, wide=int(sets.sizes.max())), rules.propose(sets, C)
        folder = self.file.path.parent
        rest = self.budget, folder, self.file.log, IN_PARTS
        work = kind(*both, self.classes.tolist(), rules.stop, schema, *rest)
        work.room = max(self.budget // 4, work.node_bytes)  # cuts take more than their tables
        return work

    def _tops(self):
        """Grow all trees together as far as their tables fit: each one's top, open nodes, depth."""
        A, R = len(self.schema), len(self.subspaces)
        schema = ordered_schema(self.schema, np.arange(A))
        allowed = np.stack([np.isin(np.arange(A), subspace) for subspace in self.subspaces])
        counts = np.repeat(self.file.counts, R, axis=0)
        work = self._work_of(ForestWork, schema, masked(self.rules, allowed), counts)
        work.count = self.count or count_all
        pause = Pause(self.rules.stop, work)
        forest = grow(ForestRows(self.file, work), work.propose, work.classes, pause)
        depth, is_open = len(forest.levels) - 1, np.zeros(len(forest), bool)
        if pause.still_open is not None:
            is_open[forest.levels[-1]] = pause.still_open
        tree_of = np.arange(len(forest))
        for level in forest.levels[1:]:
            tree_of[level] = tree_of[forest.parent[level]]
        trees = plant(forest, [schema] * R)
        return [
            (tree, np.flatnonzero(is_open[tree_of == r]), depth) for r, tree in enumerate(trees)
        ]


def _completed(file, work, subspace, top, nodes, depth):
    """Grow a tree below the open nodes (S,) of its top, whose tests name all attributes."""
    tested = np.where(top.attribute < 0, -1, np.searchsorted(subspace, top.attribute))
    top = replace(top, attribute=tested)
    return grow_below(file, top, nodes, work, depth, work.propose)
