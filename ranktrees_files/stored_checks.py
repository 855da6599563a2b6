"""What each field of each class must be in a file, as if a stranger had written the file.

Sizes are named as in the docstrings of the classes: T nodes, A attributes, C classes, n cases, M
values of all coded attributes, G Gaussian attributes, E branches.
"""

import pandas as pd

from ranktrees_engine import bayes, models
from ranktrees_engine.estimates.end_counts import Ended
from ranktrees_engine.estimator.classifier import Classifier
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.models.grids import FineEncoder
from ranktrees_engine.models.tuned import TunedThreshold
from ranktrees_engine.newton import Attribute, PrototypeInfo, PrototypeTree
from ranktrees_engine.newton.attributes import HUGE
from ranktrees_engine.reading.encoder import Codes, Encoder
from ranktrees_engine.reading.schema import AttributeInfo
from ranktrees_files import stored_links as links
from ranktrees_files import stored_records as records
from ranktrees_files.adopted.models import AdoptedForest, AdoptedTree
from ranktrees_files.stored_rules import (
    FINITE,
    FLAG,
    SCALARS,
    TEXT,
    Check,
    array,
    ascending,
    each,
    is_compound,
    made,
    optional,
    several,
    size,
    value,
)

__all__ = ["CHECKS", "check_of"]

TINY = 5e-324  # the least number above 0
MOST = 2**53  # cases, or what they weigh: no more are counted exactly

# What several classes have

INFO = made(AttributeInfo)
CLASS_COUNTS = array("iuf", "C", least=0, most=MOST)
CODES = array("i", "n", "A", least=0)
CLASS_CODES = array("iu", "n", least=0, below="C")
WEIGHT = optional(array("iuf", "n", least=0, most=MOST))
GAPS = optional(array("b", "n", "A"))
POOL = array("f", "A+1", least=0, most=MOST)

GRIDS = several(list, made(Encoder), least=1)

# Records

ATTRIBUTE = {
    "name": TEXT,
    "kind": value("numeric, ordinal or nominal", lambda v: v in ("numeric", "ordinal", "nominal")),
    "values": SCALARS,
    "cuts": value("a tuple of ascending numbers", lambda v: type(v) is tuple and ascending(v)),
    "missing": FLAG,
}
PROTOTYPES = ATTRIBUTE | {
    "kind": TEXT,
    "values": several(tuple, value("a value that can have a distance", is_compound)),
    "cuts": value("an empty tuple", lambda v: v == ()),
    "missing": value("false", lambda v: v is False),
    "distance": TEXT,
}
NODES = {
    "schema": several(tuple, INFO, "A"),
    "parent": array("i", "T", least=-1),
    "attribute": array("i", "T", least=-1, below="A"),
    "cut": array("i", "T", least=-1),
    "child": array("i", "E", least=-1, below="T"),
    "offset": array("i", "T+1", least=0),
    "counts": array("iuf", "T", "C", least=0, most=MOST),
    "classes": SCALARS,
}
IN_TREE = {
    "parent": {"be -1 at the root, and ascend below each node's own": records.breadth_first},
    "offset": {"give each test a branch per outcome": records.one_branch_each},
    "cut": {"lie between codes, where there is a test": records.cuts_within},
    "child": {"lead to the children of each node": records.children_of_parents},
    "counts": {"not be exceeded by those of children": records.counts_add_up},
    "classes": {"be as many as the columns of counts": records.as_many_classes},
}
ENCODER = Check(
    {
        "schema_": several(tuple, INFO, "A"),
        "categories_": several(list, optional(made(pd.Index)), "A"),
        "fill_": several(list, FINITE, "A"),
    },
    {"fill_": {"be a code, and categories_ be the values, of names": records.filled_as_known}},
)

# Models

MODEL = {
    "classes_": array("biufUO", "C"),
    "n_features_in_": size("A"),
    "_names": optional(several(list, TEXT, "A")),
    "feature_names_in_": array("O", "A"),
}
IN_MODEL = {
    "classes_": {"ascend": links.ordered_classes},
    "_names": {"differ": lambda model: records.different(model._names)},
    "feature_names_in_": {"be those of _names": links.same_names},
}
TREE = Check(
    MODEL
    | {
        "tree_": made(Tree),
        "training_": each(CODES, CLASS_CODES),
        "weight_": WEIGHT,
        "gaps_": GAPS,
        "ended_": optional(array("iuf", "T", "M", "C", least=0, most=MOST)),
        "encoder_": made(Encoder),
        "grids_": GRIDS,
        "pool_weights_": optional(POOL),
    },
    IN_MODEL
    | {
        "grids_": {"cut where the tree's attributes are cut": links.grids_in_tree},
        "tree_": {
            "be a Tree": lambda m: type(m.tree_) is Tree,
            "have the classes of classes_": lambda m: links.same_classes(m, m.tree_),
        },
        "training_": {"be codes of the tree's attributes": links.training_fits},
        "ended_": {"be counts of the tree's leaves and values": links.ends_fit},
        "encoder_": {"read what the tree tests, by names": links.reads_as_tree},
    },
)
DRAWN = Check(
    MODEL
    | {
        "tree_": made(PrototypeTree),
        "attributes_": several(tuple, made(Attribute), "A"),
        "span_": array("f", "A", least=0, most=2 * HUGE),
        "fill_": several(
            tuple, optional(value("a value that can have a distance", is_compound)), "A"
        ),
    },
    IN_MODEL
    | {
        "tree_": {
            "have the classes of classes_": lambda m: links.same_classes(m, m.tree_),
            "have prototypes with a distance in attributes_": links.centres_or_values,
        },
        "attributes_": {"have the names of _names": lambda m: links.named_alike(m, m.attributes_)},
        "fill_": {"have a distance in attributes_": links.fills_fit},
    },
)
BAYES = Check(
    MODEL
    | {
        "schema_": several(tuple, INFO, "A"),
        "gaussian_": array("b", "A"),
        "offsets_": array("i", "B", least=0),
        "class_count_": CLASS_COUNTS,
        "counts_": array("iuf", "M", "C", least=0, most=MOST),
        "means_": array("f", "G", "C"),
        "deviations_": array("f", "G", "C", least=TINY),
        "encoder_": optional(made(Encoder)),
        "fill_": array("f", "G"),
        "pairs_": array("iuf", "M", "M", "C", least=0, most=MOST),
    },
    IN_MODEL
    | {
        "schema_": {"have the names of _names": lambda m: links.named_alike(m, m.schema_)},
        "offsets_": {"be where each attribute's counts begin": links.rows_of_values},
        "class_count_": {"not be 0 in all": lambda m: m.class_count_.sum() > 0},
        "encoder_": {"read what is counted, by names": links.reads_as_tables},
    },
)
FOREST = Check(
    MODEL
    | {
        "codes_": made(Codes),
        "known_": several(list, made(Codes), least=1),
        "y_": CLASS_CODES,
        "weight_": WEIGHT,
        "trees_": several(list, made(Tree), least=1),
        "pool_weights_": POOL,
        "encoder_": made(Encoder),
        "grids_": GRIDS,
        "importances_": array("f", "A"),
        "bags_": several(list, array("iuf", "*", "C", least=0, most=MOST), least=1),
        "temperature_": FINITE,
    },
    IN_MODEL
    | {
        "bags_": {"be counts of the trees' nodes": links.bags_of_trees},
        "trees_": {"test codes_ and have the classes of classes_": links.forest_fits},
        "known_": {"be of the same cases as codes_ and y_": links.grids_of_cases},
        "encoder_": {"and grids_ read codes_ and known_": links.reads_as_forest},
    },
)
COUNTED = Check(
    FOREST.fields | {"ended_": optional(several(list, made(Ended), least=1))},
    FOREST.whole
    | {
        "trees_": FOREST.whole["trees_"]
        | {"have codes_, known_, y_ and weight_, or ended_": links.of_cases_or_counts},
        "ended_": {"be what ends at the trees' nodes": links.forest_ends_fit},
    },
)
BAG = Check(
    MODEL | {"models_": several(list, made(Classifier), least=1)},
    IN_MODEL | {"models_": {"have classes and columns of the bag's": links.same_columns}},
)
TUNED = Check(
    MODEL
    | {
        "model_": made(Classifier),
        "threshold_": value("a number", lambda given: isinstance(given, float) and given == given),
        "cost_": FINITE,
    },
    IN_MODEL | {"model_": {"have this model's two classes": links.of_two_classes}},
)
NETWORK = Check(
    {
        "states_": value("lists of different values by node", links.are_states),
        "cpts_": value("arrays of shares by node", links.are_shares),
    },
    {
        "parents": {"have parents first": links.parents_first},
        "cpts_": {"have an axis per parent, and rows that sum to 1": links.tables_of_network},
    },
)
CHECKS = {
    AttributeInfo: Check(
        ATTRIBUTE, {"kind": {"have cuts if it is numeric, else values": records.cuts_or_values}}
    ),
    PrototypeInfo: Check(PROTOTYPES),
    Attribute: Check(
        {
            "name": TEXT,
            "values": value("a tuple of values or an array of numbers", records.are_values),
            "distance": value("text, a tuple or a matrix", records.is_distance),
        },
        {"values": {"be numbers for a difference alone, and differ": records.values_fit}},
    ),
    Codes: Check(
        {
            "values": array("iu", "n", "A", least=-1),
            "schema": several(tuple, INFO, "A"),
            "gaps": GAPS,
        },
        {"values": {"be codes of the schema": records.codes_fit}},
    ),
    Tree: Check(NODES, IN_TREE),
    PrototypeTree: Check(
        NODES
        | {
            "schema": several(tuple, made(PrototypeInfo), "A"),
            "prototype": array("i", "T", least=-1),
        },
        IN_TREE,
    ),
    **dict.fromkeys((Encoder, FineEncoder), ENCODER),
    **dict.fromkeys((models.DecisionTree, models.C45, models.C44, models.PathBayes), TREE),
    **dict.fromkeys((models.CITree, models.NBTree, AdoptedTree), TREE),
    **dict.fromkeys((models.NewtonTree, models.DistanceTree, models.CentreSplitting), DRAWN),
    **dict.fromkeys((models.NaiveBayes, models.AODE), BAYES),
    models.PathForest: COUNTED,
    AdoptedForest: FOREST,
    Ended: Check(
        {
            "codes": array("i", "n", "A", least=-1),
            "end": array("i", "n", least=0),
            "nodes": array("i", "S", least=0),
            "counts": array("iuf", "S", "M", "C", least=0, most=MOST),
            "y": array("iu", "n", least=0, below="C"),
            "weight": WEIGHT,
        }
    ),
    models.Bagging: BAG,
    TunedThreshold: TUNED,
    bayes.BayesNet: NETWORK,
}
ANY_MODEL = Check(MODEL, IN_MODEL)


def check_of(cls: type) -> Check:
    """Return the check of a class; of one that another package lists, that of all models."""
    return CHECKS.get(cls, ANY_MODEL)
