"""Trees of a pool whose factors an SQL query adds up, and the codes of its values."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ranktrees_engine.estimates.path_factors import PathFactors
from ranktrees_engine.explain.sql import _test
from ranktrees_engine.growing.tree import Tree


class PathTree(NamedTuple):
    """A tree of a pool: its nodes' part log_t (T, C), its factors, and the grid that they use.

    `weights` (A,) are those of its factors in the pool; `schema` is the grid's.
    """

    tree: Tree
    log_t: np.ndarray
    factors: PathFactors
    weights: np.ndarray
    grid: int
    schema: tuple


def starts_of(trees: list[PathTree]) -> list[int]:
    """Return the number of each tree's root, where the nodes of all trees are counted."""
    sizes = [len(each.tree) for each in trees]
    return np.concatenate([[0], np.cumsum(sizes)])[:-1].tolist()


def value_tests(each: PathTree, a: int) -> list[str]:
    """Return the tests that attribute a has each of its values in the grid, as `rt_known`."""
    info, size = replace(each.schema[a], name=f"rt_known{a}"), each.schema[a].size
    size = min(int(each.factors.counts.sizes[a]), size)
    return [_test(info, np.array([v])) for v in range(size)]
