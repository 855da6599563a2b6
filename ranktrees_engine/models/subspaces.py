"""C4.5's trees in subspaces, each of which may test some of the attributes only.

The trees of several subspaces grow and are pruned as one forest, which has a root for each tree and
a mask of the attributes that it may test. What NumPy's calls cost is then paid once a level, not
once for each tree. `ranktrees.plain.path_forest` grows the same trees, one after the other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.processes import in_processes, n_processes
from ranktrees_engine.estimator.rules import Rules
from ranktrees_engine.estimator.tree import grow_forest
from ranktrees_engine.growing.forest import TrainingSets, plant
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.models.c45 import C45
from ranktrees_engine.prune.upper_limit import c45_forest
from ranktrees_engine.reading.encoder import Codes
from ranktrees_engine.reading.schema import AttributeInfo

TOGETHER = 1 << 20  # codes of trees that grow in one forest: arrays of more leave the cache


def grow_subspaces(
    subspaces: Sequence[np.ndarray], each: list[tuple], classes: list, n_jobs: int | None = None
) -> Iterator[list[list[Tree]]]:
    """Yield, some subspaces at a time, what `subspace_trees` returns; they differ in time alone.

    `n_jobs` processes grow trees, see `in_processes`.
    """
    cells = sum(codes.values.size for codes, _, _ in each)
    most = min(TOGETHER, -(-len(subspaces) // n_processes(n_jobs, len(subspaces))) * cells)
    some = [subspaces[few] for few in blocks(len(subspaces), cells, most)]
    yield from in_processes(subspace_trees, some, (each, classes), n_jobs)


def subspace_trees(
    subspaces: Sequence[np.ndarray], each: list[tuple], classes: list
) -> list[list[Tree]]:
    """Grow a tree in each of R subspaces, attributes (h,), for each training set; prune all.

    A training set has codes, classes and weights or None. Returns R lists of one tree per set.
    """
    used, R = np.unique(np.concatenate(subspaces)), len(subspaces)
    parts = [as_ordered(codes, used) for codes, _, _ in each]
    rows = [(part, np.arange(len(part))) for part in parts]
    y, weights = ([training[k] for training in each] * R for k in (1, 2))
    sets = TrainingSets.of(rows * R, y, weights)
    rules = rules_of_trees()
    if R > 1:
        allowed = np.stack([np.isin(used, subspace) for subspace in subspaces])
        rules = masked(rules, np.repeat(allowed, len(each), axis=0))
    forest = c45_forest(grow_forest(rules, sets, classes), sets)
    tested = np.where(forest.attribute < 0, -1, used[forest.attribute])
    schemas = [codes.schema for codes, _, _ in each] * R
    trees = plant(replace(forest, attribute=tested, schema=schemas[0]), schemas)
    return [trees[start : start + len(each)] for start in range(0, len(trees), len(each))]


def as_ordered(codes: Codes, attributes: np.ndarray) -> Codes:
    """Return the codes of some attributes, with numbers in the form that C4.5 cuts in two."""
    values = np.ascontiguousarray(codes.values[:, attributes])
    return Codes(values, ordered_schema(codes.schema, attributes))


def ordered_schema(schema: Sequence[AttributeInfo], attributes: np.ndarray) -> tuple:
    """Return the meaning of the codes of some attributes, a number's as ordered values."""
    some = [schema[j] for j in attributes]
    return tuple(
        AttributeInfo(info.name, "ordinal", tuple(range(info.size)))
        if info.kind == "numeric"
        else info
        for info in some
    )


def masked(rules: Rules, allowed: np.ndarray) -> Rules:
    """Return rules for R trees, of which each may test the attributes `allowed` (R, A)."""
    return replace(rules, propose=partial(rules.propose, allowed=allowed))


def rules_of_trees() -> Rules:
    """Return the rules by which each tree grows: C4.5's, with numbers cut in two."""
    return C45(numeric="thresholds").make_rules()
