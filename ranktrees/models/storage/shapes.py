"""What is stored of each class, and what it must be: one table, and below it what it asks.

A declaration is asked of an object's parts before the object is made, in the order of the table.
"""

from numbers import Real

import numpy as np
import pandas as pd

from ranktrees import bayes, models
from ranktrees.estimator.classifier import Classifier
from ranktrees.growing.count import offsets_of
from ranktrees.growing.tree import Tree, less_children
from ranktrees.models.path_forest import FineEncoder
from ranktrees.newton import Attribute, PrototypeInfo, PrototypeTree
from ranktrees.reading.encoder import Codes, Encoder
from ranktrees.reading.schema import AttributeInfo
from ranktrees_lab.papers.weka_bagging import WekaBagging

MOST = np.finfo(float).max
LABELS = (bool, int, float, str, tuple, frozenset, pd.Interval, np.generic)


def is_array(x, kinds: str, *shape: int, low=-MOST, high=MOST) -> bool:
    """Whether x is an array of these NumPy kinds and shape, its numbers from `low` to `high`."""
    fits = isinstance(x, np.ndarray) and x.dtype.kind in kinds and x.shape == shape
    return fits and (not x.size or bool(x.min() >= low and x.max() <= high))


def are_counts(x, *shape: int) -> bool:
    """Whether x is an array of this shape, of numbers of cases whose sums are numbers, too."""
    return is_array(x, "iuf", *shape, low=0, high=1 << 53)


def are_all(values, cls, kind: type = tuple) -> bool:
    """Whether these are a tuple or list of objects of a class, or of one of some classes."""
    return type(values) is kind and all(isinstance(value, cls) for value in values)


def are_labels(values, kind: type = tuple) -> bool:
    """Whether these are a tuple or list of names or numbers, no two of them alike."""
    return are_all(values, LABELS, kind) and len(set(values)) == len(values)


# What is stored of each class, besides parameters, and whether it is what it must be; "?" may be
# lacking. Of a m(odel), e(ncoder), c(odes), t(ree), or what an attribute i(s).
MODEL = {
    "classes_": lambda m: m.classes_.ndim == 1 and are_labels(m.classes_.tolist(), list),
    "n_features_in_?": lambda m: type(m.n_features_in_) is int,
    "_names?": lambda m: m._names is None or are_all(m._names, str, list),
    "feature_names_in_?": lambda m: m.feature_names_in_.tolist() == m._names,
}
GROWN = MODEL | {
    "tree_": lambda m: is_tree_of(m, Tree) and are_columns(m, m.tree_.schema),
    "training_": lambda m: are_cases(m.tree_, *m.training_) and has_both(m, "encoder_", "_names"),
    "weight_?": lambda m: m.weight_ is None or are_weights(m.tree_, m.weight_, m.training_[1]),
    "gaps_?": lambda m: m.gaps_ is None or is_array(m.gaps_, "b", *m.training_[0].shape),
    "ended_?": lambda m: m.ended_ is None or are_ends(m.tree_, m.ended_),
    "encoder_?": lambda m: type(m.encoder_) is Encoder and m.encoder_.schema_ == m.tree_.schema,
}
DRAWN = MODEL | {
    "tree_": lambda m: is_tree_of(m, PrototypeTree),
    "attributes_": lambda m: are_all(m.attributes_, Attribute) and are_columns(m, m.attributes_),
    "span_": lambda m: is_array(m.span_, "f", len(m.attributes_), low=0),
    "fill_": lambda m: are_measured(m, [info.values for info in m.tree_.schema]),
}
CENTRES = DRAWN | {
    "fill_": lambda m: are_measured(m, [*zip(*m.tree_.schema[0].values, strict=True)]),
}
BAG = MODEL | {"models_": lambda m: m.models_ and all(is_of_bag(m, part) for part in m.models_)}
BAYES = MODEL | {
    "schema_": lambda m: are_all(m.schema_, AttributeInfo) and are_columns(m, m.schema_),
    "gaussian_": lambda m: (
        is_array(m.gaussian_, "b", len(m.schema_)) and has_both(m, "encoder_", "fill_")
    ),
    "offsets_": lambda m: np.array_equal(m.offsets_, offsets_of([i.size for i in coded(m)])),
    "class_count_": lambda m: are_counts(m.class_count_, len(m.classes_)),
    "counts_": lambda m: are_counts(m.counts_, m.offsets_[-1], len(m.classes_)),
    "means_": lambda m: is_array(m.means_, "f", m.gaussian_.sum(), len(m.classes_)),
    "deviations_": lambda m: is_array(m.deviations_, "f", *m.means_.shape, low=5e-324),
    "encoder_?": lambda m: (m.encoder_.schema_ if m.encoder_ else ()) == coded(m),
    "fill_?": lambda m: is_array(m.fill_, "f", len(m.means_)),
}
PAIRS = BAYES | {
    "pairs_": lambda m: (
        are_counts(m.pairs_, *m.counts_.shape[:1], *m.counts_.shape) and are_pairs(m)
    ),
}
FOREST = MODEL | {
    "codes_": lambda m: are_columns(m, m.codes_.schema) and has_both(m, "encoder_", "_names"),
    "known_": lambda m: len(m.known_) == 1 + 2 * hasattr(m, "grids_") and are_grids(m),
    "y_": lambda m: is_array(m.y_, "iu", len(m.codes_), low=0, high=len(m.classes_) - 1),
    "weight_": lambda m: m.weight_ is None or are_counts(m.weight_, len(m.y_)),
    "trees_": lambda m: len(m.trees_) == m.n_models and all(is_member(m, t) for t in m.trees_),
    "encoder_?": lambda m: m.encoder_.schema_ == m.codes_.schema and hasattr(m, "grids_"),
    "grids_?": lambda m: [e.schema_ for e in m.grids_] == [known.schema for known in m.known_],
}
NET = {
    "states_": lambda m: all(are_labels(states, list) for states in m.states_.values()),
    "cpts_": lambda m: m.cpts_.keys() == m.states_.keys() and all(is_cpt(m, k) for k in m.cpts_),
}
ENCODER = {
    "schema_": lambda e: are_all(e.schema_, AttributeInfo),
    "categories_": lambda e: len(e.categories_) == len(e.schema_) == len(e.fill_),
    "fill_": lambda e: all(map(are_values, e.schema_, e.categories_, e.fill_)),
}
CODES = {
    "schema": lambda c: are_all(c.schema, AttributeInfo),
    "values": lambda c: Codes(c.values, c.schema).check(c.schema, unseen=True) is None,
    "gaps?": lambda c: c.gaps is None or is_array(c.gaps, "b", *c.values.shape),
}
TREE = {
    "schema": lambda t: are_all(t.schema, AttributeInfo),
    "classes": lambda t: are_labels(t.classes),
    "attribute": lambda t: is_array(t.attribute, "i", len(t.cut), low=-1, high=len(t.schema) - 1),
    "cut": lambda t: is_array(t.cut, "i", len(t.attribute), low=-1),
    "child": lambda t: is_array(t.child, "i", len(t.child), low=-1, high=len(t.cut) - 1),
    "offset": lambda t: is_array(t.offset, "i", len(t.cut) + 1, low=0, high=len(t.child)),
    "parent": lambda t: is_array(t.parent, "i", len(t.cut), low=-1) and is_tree(t),
    "counts": lambda t: are_counts(t.counts, len(t.cut), len(t.classes)) and t.counts.any(1).all(),
    "prototype?": lambda t: is_array(t.prototype, "i", len(t.cut), low=-1),
}
INFO = {
    "name": lambda i: type(i.name) is str,
    "kind": lambda i: i.kind in ("nominal", "ordinal", "numeric", "any"),
    "values": lambda i: are_labels(i.values),
    "cuts": lambda i: are_all(i.cuts, float) and list(i.cuts) == sorted(i.cuts),
    "missing": lambda i: type(i.missing) is bool,
}
PROTOTYPES = INFO | {
    "values": lambda i: are_all(i.values, LABELS),
    "distance": lambda i: type(i.distance) is str,
}
ATTRIBUTE = {
    "values": lambda i: is_array(i.values, "f", len(i.values)) or are_labels(i.values),
    "distance": lambda i: Attribute(i.values, i.distance, "") is not None,
    "name": lambda i: type(i.name) is str,
}
SHAPES = {
    models.DecisionTree: GROWN,
    models.C45: GROWN,
    models.C44: GROWN,
    models.PathBayes: GROWN,
    models.CITree: GROWN,
    models.NBTree: GROWN,
    models.NewtonTree: DRAWN,
    models.DistanceTree: DRAWN,
    models.CentreSplitting: CENTRES,
    models.PathForest: FOREST,
    models.Bagging: BAG,
    WekaBagging: BAG,
    bayes.NaiveBayes: BAYES,
    bayes.AODE: PAIRS,
    bayes.BayesNet: NET,
    Encoder: ENCODER,
    FineEncoder: ENCODER,
    Codes: CODES,
    Tree: TREE,
    PrototypeTree: TREE,
    AttributeInfo: INFO,
    PrototypeInfo: PROTOTYPES,
    Attribute: ATTRIBUTE,
}
CLASSES = {cls.__name__: cls for cls in SHAPES}


def is_tree_of(model, kind: type) -> bool:
    """Whether a model's tree is of this kind and knows the model's classes."""
    return type(model.tree_) is kind and model.tree_.classes == tuple(model.classes_.tolist())


def are_columns(model, infos) -> bool:
    """Whether these are the attributes of the columns that a model was fitted on."""
    names = getattr(model, "_names", None)
    return model.n_features_in_ == len(infos) and names in (None, [info.name for info in infos])


def has_both(model, *names: str) -> bool:
    """Whether a model, of columns, has both of these fields or, of codes, none."""
    return len({hasattr(model, name) for name in names}) == 1


def are_cases(tree, values, y) -> bool:
    """Whether codes and classes are cases of a tree."""
    if not is_array(values, "iu", 0, len(tree.schema)):  # a tree grown from files keeps none
        Codes(values, tree.schema).check(tree.schema)
    return is_array(y, "iu", len(values), low=0, high=len(tree.classes) - 1)


def are_weights(tree, weight, y) -> bool:
    """Whether these are what the training cases of a tree weigh: as much as it counts."""
    return are_counts(weight, len(y)) and weight.sum() == tree.counts[0].sum()


def are_ends(tree, ended) -> bool:
    """Whether these are the cases, by value and class, that end at the nodes of a tree."""
    sizes = [info.size for info in tree.schema]
    fits = are_counts(ended, len(tree.cut), sum(sizes), len(tree.classes))
    if not fits or not sizes:
        return False
    here = less_children(tree, tree.counts)
    known = np.zeros((len(here), len(sizes), here.shape[1]))
    np.add.at(known, (slice(None), np.repeat(np.arange(len(sizes)), sizes)), ended)
    return bool((known <= here[:, None] * (1 + 1e-9)).all())


def is_tree(t) -> bool:
    """Whether each test has its outcomes' children, breadth first, so that all ways down end."""
    width, there = np.diff(t.offset), t.child >= 0
    above = np.repeat(np.arange(len(width)), width)
    parent = np.full(len(width), -1)
    parent[t.child[there]] = above[there]
    if not hasattr(t, "prototype"):  # there the outcomes are not those of codes
        sizes = np.array([info.size for info in t.schema])
        right = (width == Tree.n_outcomes(t)) & (t.cut < sizes[t.attribute] - 1)
        if not right.all():
            return False
    return bool(
        np.array_equal(t.parent, parent)
        and (parent[t.child[there]] == above[there]).all()
        and np.array_equal(np.unique(parent[1:]), np.flatnonzero(t.attribute >= 0))
        and (np.diff(parent) >= 0).all()
        and (parent < np.arange(len(parent))).all()
    )


def are_measured(model, columns) -> bool:
    """Whether the values that prototypes stand at, and that fill gaps, have distances."""
    for attribute, values, fill in zip(model.attributes_, columns, model.fill_, strict=True):
        known = [value for value in [fill, *values] if value is not None]
        attribute.between(known, known[:1])
        if attribute.is_declared and not {*known} <= {*attribute.values}:
            return False
        if None in values and {*values} != {None}:  # no class has a value there, or all have
            return False
        if len({isinstance(value, Real) for value in known}) > 1:
            return False
    return True


def is_of_bag(bag, model) -> bool:
    """Whether a bag's model takes its columns and knows no other classes."""
    same = model.n_features_in_ == getattr(bag, "n_features_in_", model.n_features_in_)
    return same and isinstance(model, Classifier) and {*bag.classes_} >= {*model.classes_}


def are_grids(model) -> bool:
    """Whether these are codes of a path forest's training cases that its factors can take."""
    kinds = [(info.name, info.kind) for info in model.codes_.schema]
    return all(
        len(known) == len(model.codes_)
        and [(info.name, info.kind) for info in known.schema] == kinds
        and bool((known.values < known.sizes - [i.missing for i in known.schema]).all())
        for known in model.known_
    )


def is_member(model, tree) -> bool:
    """Whether a tree of a path forest knows its attributes and classes."""
    same = tree.schema == model.codes_.schema
    return same and tree.classes == tuple(model.classes_.tolist())


def coded(model) -> tuple:
    """The attributes of a naive Bayes that are coded."""
    return tuple(i for i, g in zip(model.schema_, model.gaussian_, strict=True) if not g)


def are_pairs(model) -> bool:
    """Whether pairs of values are counted both ways, a value with itself as that value is."""
    pairs, same = model.pairs_, np.arange(len(model.counts_))
    both_ways = np.array_equal(pairs, pairs.swapaxes(0, 1))
    return both_ways and np.array_equal(pairs[same, same], model.counts_)


def is_cpt(net, node) -> bool:
    """Whether the table of a node has a row of probabilities for its parents' values each."""
    sizes = [len(net.states_[name]) for name in [*net.parents[node], node]]
    table = net.cpts_[node]
    return is_array(table, "f", *sizes, low=0) and bool((abs(table.sum(axis=-1) - 1) < 1e-9).all())


def are_values(info, categories, fill) -> bool:
    """Whether categories are an attribute's values, and `fill` a code of them or a number."""
    if info.kind == "numeric":
        return categories is None and isinstance(fill, Real) and abs(fill) <= MOST
    known = isinstance(categories, pd.Index) and tuple(categories) == info.values
    return known and type(fill) is int and 0 <= fill < max(len(categories), 1)
