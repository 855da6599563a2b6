"""The trees of a fitted path forest with their factors: counted from cases, or from what ended.

A forest has the training cases, or, if these are in files, what ends at the nodes of each tree.
"""

import numpy as np

from ranktrees_engine.estimates.end_counts import joined_ends
from ranktrees_engine.estimates.path_counts import value_sizes
from ranktrees_engine.estimates.path_forest import KEPT, Member, joined


def schemas_of_grids(model) -> list[tuple]:
    """Return what the codes of each grid mean."""
    if model.ended_ is not None:
        return [grid.schema_ for grid in model.grids_]
    return [known.schema for known in model.known_]


def cells_of_tables(model) -> int:
    """Return the cells of all factors' tables, which a batch makes that are too many to be kept."""
    widths = [sum(value_sizes(schema)) for schema in schemas_of_grids(model)]
    return sum(t.counts.size * widths[e % len(widths)] for e, t in enumerate(model.trees_))


def members_together(model) -> list[Member]:
    """Return the trees that share a grid, joined as far as this is faster."""
    if model.ended_ is not None:
        return _of_ends(model, KEPT)
    return list(joined(model.trees_, model.codes_.values, model.known_, model.y_, model.weight_))


def members_one_by_one(model) -> list[Member]:
    """Return the trees, each by itself, in their order."""
    if model.ended_ is not None:
        each, G, E = _of_ends(model, 0), len(model.grids_), len(model.trees_)
        places = np.argsort(np.concatenate([np.arange(g, E, G) for g in range(G)]))
        return [each[place] for place in places]
    codes, cases, G = model.codes_.values, (model.y_, model.weight_), len(model.known_)
    return [
        Member(tree, codes, model.known_[e % G], *cases, e % G)
        for e, tree in enumerate(model.trees_)
    ]


def _of_ends(model, together):
    """Return the trees with factors from counts, joined up to this many cells."""
    sizes = [value_sizes(schema) for schema in schemas_of_grids(model)]
    each = joined_ends(model.trees_, model.ended_, sizes, together)
    return [Member.of_counts(counts, g) for counts, g in each]
