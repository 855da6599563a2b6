"""Checks that the fields of a model from a file fit together: functions of the model."""

from itertools import compress, pairwise

import numpy as np

from ranktrees_engine.bayes.structure import read_parents
from ranktrees_engine.estimates.path_counts import value_sizes
from ranktrees_engine.growing.count import offsets_of
from ranktrees_engine.growing.tree import less_children
from ranktrees_engine.models.forest_members import schemas_of_grids
from ranktrees_engine.newton.tree import CENTRES
from ranktrees_files.stored_records import ROUNDED, different, has_values, within
from ranktrees_files.stored_rules import ascending, is_scalar

# Models


def same_classes(model, tree) -> bool:
    """Return whether a tree has the classes of its model."""
    return tree.classes == tuple(model.classes_.tolist())


def named_alike(model, schema) -> bool:
    """Return whether attributes have the names of the columns that a model reads."""
    names = model._names or [f"x{j}" for j in range(model.n_features_in_)]
    return model.n_features_in_ == len(schema) and [info.name for info in schema] == names


def same_names(model) -> bool:
    """Return whether the names that scikit-learn reads are those of the columns."""
    return model.feature_names_in_.tolist() == model._names


def ordered_classes(model) -> bool:
    """Return whether classes are text, numbers or truths, each larger than the one before."""
    classes = model.classes_.tolist()
    kinds = {*map(type, classes)}
    sortable = kinds <= {str} or (kinds <= {int, float} and ascending(classes)) or kinds <= {bool}
    return sortable and all(a < b for a, b in pairwise(classes))


def training_fits(model) -> bool:
    """Return whether training cases have codes of the tree's attributes, and equal lengths."""
    codes, y = model.training_
    parts = [part for part in (model.weight_, model.gaps_) if part is not None]
    return all(len(part) == len(codes) for part in (y, *parts)) and (
        not len(codes) or within(codes, model.tree_.schema)
    )


def ends_fit(model) -> bool:
    """Return whether counts (T, M, C) of ends are within those of the cases that end there."""
    tree, ended = model.tree_, model.ended_
    if ended is None:
        return True
    offsets = offsets_of(np.array([info.size for info in tree.schema], int))
    if ended.shape != (len(tree), offsets[-1], tree.counts.shape[1]):
        return False
    most = less_children(tree, tree.counts) + ROUNDED * tree.counts
    return _are_within(ended, offsets, most)


def _are_within(counts, offsets, most):
    """Return whether counts (S, M, C) add up to `most` (S, C) at most, for each attribute."""
    wide = np.result_type(counts, np.int64)  # sums of a small type could overflow
    known = np.add.reduceat(counts, offsets[:-1], axis=1, dtype=wide)
    return bool((known <= most[:, None]).all())


def reads_as_tree(model) -> bool:
    """Return whether what reads columns gives the codes that the tree tests."""
    encoder = model.encoder_
    schemas = encoder.schema_ == model.tree_.schema
    return schemas and named_alike(model, encoder.schema_) and encoder.missing == model.missing


# Naive Bayes and AODE


def coded(model) -> tuple:
    """Return the attributes (A') of a naive Bayes that are not Gaussian."""
    return tuple(compress(model.schema_, ~model.gaussian_))


def reads_as_tables(model) -> bool:
    """Return whether what reads columns gives the codes that the tables count."""
    infos, encoder = coded(model), model.encoder_
    if encoder is None:
        return not infos and len(model.fill_) == len(model.schema_)
    missing = "value" if model.missing == "skip" else model.missing
    right = encoder.schema_ == infos and encoder.missing == missing
    return right and len(model.fill_) + len(infos) == len(model.schema_)


def rows_of_values(model) -> bool:
    """Return whether the tables of the coded attributes lie end to end."""
    offsets = offsets_of(np.array([info.size for info in coded(model)], int))
    right = np.array_equal(model.offsets_, offsets) and len(model.counts_) == offsets[-1]
    return right and model.means_.shape[0] == int(model.gaussian_.sum())


# The path forest


def forest_fits(model) -> bool:
    """Return whether all trees test the codes of the training cases, by class."""
    schema = model.schema_
    return all(tree.schema == schema and same_classes(model, tree) for tree in model.trees_)


def grids_of_cases(model) -> bool:
    """Return whether each grid has the codes of all training cases and attributes."""
    n, names = len(model.y_), [info.name for info in model.codes_.schema]
    return len(model.codes_) == n and all(
        len(known) == n and [info.name for info in known.schema] == names for known in model.known_
    )


def reads_as_forest(model) -> bool:
    """Return whether what reads columns gives the codes of trees and grids."""
    pairs = zip(model.grids_, schemas_of_grids(model), strict=True)
    right = model.encoder_.schema_ == model.schema_
    right = right and all(grid.schema_ == schema for grid, schema in pairs)
    right = right and all(named_alike(model, grid.schema_) for grid in model.grids_)
    readers = model.encoder_, *model.grids_
    return (
        right
        and named_alike(model, model.schema_)
        and {"value"} == {reader.missing for reader in readers}
    )


def of_cases_or_counts(model) -> bool:
    """Return whether a forest has all of its training cases, or what ended in place of them."""
    cases = [field in vars(model) for field in ("codes_", "known_", "y_", "weight_")]
    return all(cases) if model.ended_ is None else not any(cases)


def forest_ends_fit(model) -> bool:
    """Return whether cases and counts are those of the cases that end at each tree's nodes."""
    sizes = [value_sizes(schema) for schema in schemas_of_grids(model)]
    each = zip(model.trees_, model.ended_ or model.trees_, strict=True)
    return model.ended_ is None or all(
        _ended_fits(tree, ended, sizes[e % len(sizes)]) for e, (tree, ended) in enumerate(each)
    )


def _ended_fits(tree, ended, sizes):
    offsets, (T, C) = offsets_of(np.array(sizes, int)), tree.counts.shape
    codes, end, nodes, counts = ended.codes, ended.end.astype(int), ended.nodes, ended.counts
    shape = len(nodes), offsets[-1], C
    if codes.shape[1] != len(sizes) or max(end.max(initial=0), nodes.max(initial=0)) >= T:
        return False
    if counts.shape != shape or (codes.max(axis=0, initial=-1) >= sizes).any():
        return False
    most, slack, kept = less_children(tree, tree.counts), ROUNDED * tree.counts, np.zeros(T, bool)
    kept[end] = True
    rest = most - np.bincount(end * C + ended.y, ended.weight, T * C).reshape(T, C)
    if (abs(rest[kept]) > slack[kept]).any():
        return False
    others = np.flatnonzero(~kept & (rest > slack).any(axis=1))
    return np.array_equal(nodes, others) and _are_within(counts, offsets, (most + slack)[nodes])


# Adopted trees


def grids_in_tree(model) -> bool:
    """Return whether the grids of an adopted tree have its attributes, and none but its cuts."""
    schema = model.tree_.schema
    return all(
        len(grid.schema_) == len(schema)
        and all(
            info.name == bins.name and info.kind == bins.kind and {*bins.cuts} <= {*info.cuts}
            for info, bins in zip(schema, grid.schema_, strict=True)
        )
        for grid in model.grids_
    )


def bags_of_trees(model) -> bool:
    """Return whether counts of samples are of the nodes of each tree, none of them without."""
    pairs = zip(model.trees_, model.bags_, strict=True)
    return all(len(tree) == len(bag) and (bag.sum(axis=1) > 0).all() for tree, bag in pairs)


# Trees of prototypes


def centres_or_values(model) -> bool:
    """Return whether prototypes are values of the model's attributes, or tuples of all of them."""
    schema, attributes = model.tree_.schema, model.attributes_
    if schema and schema[0].distance == CENTRES:
        each = zip(*schema[0].values, strict=True)
        right = all(len(centre) == len(attributes) for centre in schema[0].values)
        return right and len(schema) == 1 and all(map(has_values, attributes, each))
    kinds = [(info.name, info.kind) for info in schema]
    if kinds != [(attribute.name, attribute.kind) for attribute in attributes]:
        return False
    return all(
        has_values(attribute, info.values)
        for attribute, info in zip(attributes, schema, strict=True)
    )


def fills_fit(model) -> bool:
    """Return whether what replaces a missing value is a value of its attribute, or None."""
    pairs = zip(model.attributes_, model.fill_, strict=True)
    return all(has_values(attribute, [fill]) for attribute, fill in pairs)


# Other models


def same_columns(model) -> bool:
    """Return whether all models of a bag are fitted on its columns, with classes among its own."""
    classes = {*model.classes_.tolist()}
    if not all({*one.classes_.tolist()} <= classes for one in model.models_):
        return False
    own = getattr(model, "n_features_in_", None), getattr(model, "_names", None)
    return own == (None, None) or all(
        (one.n_features_in_, getattr(one, "_names", None)) == own for one in model.models_
    )


def of_two_classes(model) -> bool:
    """Return whether a model of two classes is fitted around one of the same."""
    return len(model.classes_) == 2 and model.model_.classes_.tolist() == model.classes_.tolist()


def parents_first(net) -> bool:
    """Return whether all nodes are named, after their parents."""
    return [*read_parents(net.parents).items()] == [*net.parents.items()]


def tables_of_network(net) -> bool:
    """Return whether each table has an axis per parent and the node, and rows that sum to 1."""
    if not net.states_.keys() == net.cpts_.keys() <= net.parents.keys():
        return False
    for node, table in net.cpts_.items():
        family = [*net.parents[node], node]
        sums = table.sum(axis=-1)
        right = table.shape == tuple(len(net.states_[one]) for one in family)
        if not right or not np.allclose(sums, 1, rtol=0, atol=1e-6):
            return False
    return True


def are_states(states) -> bool:
    """Return whether each node of a network has a list of different values."""
    return type(states) is dict and all(
        type(values) is list and values and all(map(is_scalar, values)) and different(values)
        for values in states.values()
    )


def are_shares(tables) -> bool:
    """Return whether each node of a network has an array of numbers from 0 to 1."""
    return type(tables) is dict and all(
        isinstance(table, np.ndarray)
        and table.dtype.kind == "f"
        and table.size
        and table.min() >= 0
        and table.max() <= 1
        for table in tables.values()
    )
