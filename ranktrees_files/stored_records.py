"""Whether attributes, codes and trees from a file are whole: functions of one object."""

import numpy as np

from ranktrees_engine.growing.tree import less_children
from ranktrees_engine.newton import PrototypeTree
from ranktrees_files.stored_rules import is_compound

ROUNDED = 1e-9  # what weights that were divided may differ by, as a share

# Attributes and codes


def cuts_or_values(info) -> bool:
    """Return whether an attribute has cuts if it is numeric, and else values."""
    return not (info.values if info.kind == "numeric" else info.cuts)


def within(codes, schema, least=0) -> bool:
    """Return whether codes (n, A) are from `least` to the last code of each attribute."""
    sizes = np.array([info.size for info in schema], int)
    if codes.shape[1] != len(sizes):
        return False
    if not codes.size:
        return True
    low, high = codes.min(axis=0).astype(int), codes.max(axis=0).astype(int)
    return bool((low >= least).all() and (high < sizes).all())


def filled_as_known(encoder) -> bool:
    """Return whether categories and filled values are those of the attributes."""
    rows = zip(encoder.schema_, encoder.categories_, encoder.fill_, strict=True)
    return all(
        known is None
        if info.kind == "numeric"
        else info.values == tuple(known) and fill in range(max(len(known), 1))
        for info, known, fill in rows
    )


def codes_fit(codes) -> bool:
    """Return whether codes are within the attributes of their schema; -1 stands for no value."""
    codes.check(codes.schema, unseen=True)
    return True


# Trees


def breadth_first(tree) -> bool:
    """Return whether parents stand before their children, level by level."""
    above = tree.parent[1:]
    in_order = (above >= 0) & (above < np.arange(1, len(tree)))
    return tree.parent[0] == -1 and bool(in_order.all() and (np.diff(above) >= 0).all())


def one_branch_each(tree) -> bool:
    """Return whether each node has a branch for each outcome of its test, and a leaf has none."""
    widths = np.diff(tree.offset)
    sizes = np.array([info.size for info in tree.schema] or [0], int)
    outcomes = np.where(tree.cut >= 0, 2, sizes[tree.attribute])
    outcomes = widths if isinstance(tree, PrototypeTree) else outcomes
    ends = tree.offset[0] == 0 and tree.offset[-1] == len(tree.child)
    return bool(ends and (widths == np.where(tree.attribute < 0, 0, outcomes)).all())


def cuts_within(tree) -> bool:
    """Return whether cuts lie between the codes of ordered attributes, in inner nodes."""
    cut = tree.cut >= 0
    tested = [tree.schema[a] for a in tree.attribute[cut].tolist()]
    most = np.array([info.size - 2 for info in tested], int)
    return bool((tree.attribute[cut] >= 0).all() and (tree.cut[cut] <= most).all())


def children_of_parents(tree) -> bool:
    """Return whether the branches of each test lead to children of its node, and to all of them."""
    node = np.repeat(np.arange(len(tree)), np.diff(tree.offset))
    has_child = tree.child >= 0
    child, (found, divided) = tree.child[has_child], np.zeros((2, len(tree)), bool)
    found[child], divided[node[has_child]] = True, True
    of_node = (tree.parent[child] == node[has_child]).all()
    return bool(of_node and found[1:].all() and (divided == (tree.attribute >= 0)).all())


def counts_add_up(tree) -> bool:
    """Return whether every node has cases, and no more of them in its children than it has."""
    total = tree.counts.sum(axis=1)
    rest = less_children(tree, tree.counts)
    return bool((total > 0).all() and (rest >= -ROUNDED * total[:, None]).all())


def as_many_classes(tree) -> bool:
    """Return whether a tree names all of its classes, or none."""
    return len(tree.classes) in (0, tree.counts.shape[1])


# Attributes with a distance


def different(names) -> bool:
    """Return whether no name occurs twice."""
    return names is None or len({*names}) == len(names)


def has_values(attribute, values) -> bool:
    """Return whether an attribute has a distance between these values, which may be None."""
    values = [value for value in values if value is not None]
    return not values or bool(np.isfinite(attribute.between(values[:1], values)).all())


def are_values(values) -> bool:
    """Return whether these can be the values of an attribute with a distance."""
    if isinstance(values, np.ndarray):
        return values.dtype.kind == "f" and values.ndim == 1
    return type(values) is tuple and all(map(is_compound, values))


def is_distance(distance) -> bool:
    """Return whether this can be a distance: its name, with a period, or a matrix of numbers."""
    if isinstance(distance, np.ndarray):
        return distance.dtype.kind == "f"
    return isinstance(distance, str | tuple)


def values_fit(attribute) -> bool:
    """Return whether numbers with a difference, and nothing else, are an ascending array."""
    values, numeric = attribute.values, attribute.kind == "numeric"
    if numeric != isinstance(values, np.ndarray):
        return False
    return bool((np.diff(values) > 0).all()) if numeric else different(values)
