"""C4.5's trees in a subspace, which may test some of the attributes only."""

from dataclasses import replace

import numpy as np

from ranktrees_engine import prune
from ranktrees_engine.estimator.tree import grow_trees
from ranktrees_engine.growing.forest import TrainingSets
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.models.c45 import C45
from ranktrees_engine.reading.encoder import Codes
from ranktrees_engine.reading.schema import AttributeInfo


def subspace_trees(half: np.ndarray, each: list[tuple], classes: list) -> list[Tree]:
    """Grow C4.5's pruned trees of codes, classes and weights that test this half of attributes."""
    parts = [as_ordered(codes, half) for codes, _, _ in each]
    rows = [(part, np.arange(len(part))) for part in parts]
    sets = TrainingSets.of(rows, [y for _, y, _ in each], [weight for _, _, weight in each])
    trees = []
    for tree, part, (codes, y, weight) in zip(
        grow_trees(C45(numeric="thresholds").make_rules(), sets, classes), parts, each, strict=True
    ):
        tree = prune.c45(tree, part.values, y, weight=weight)
        tested = np.where(tree.attribute < 0, -1, half[tree.attribute])
        trees.append(replace(tree, attribute=tested, schema=codes.schema))
    return trees


def as_ordered(codes: Codes, half: np.ndarray) -> Codes:
    """Return the codes of some attributes, with numbers in the form that C4.5 cuts in two."""
    schema = []
    for j in half:
        info = codes.schema[j]
        if info.kind == "numeric":
            info = AttributeInfo(info.name, "ordinal", tuple(range(info.size)))
        schema.append(info)
    return Codes(np.ascontiguousarray(codes.values[:, half]), tuple(schema))
