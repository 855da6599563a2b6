"""Save models as JSON files, and load them.

A file holds the parameters of a model and its fitted fields, which `FIELDS` lists. An object has a
line for each of its fields; other values that JSON does not have are objects with one key, their
kind. A SHA-256 in the head guards the content against damage. Loading makes only values of the
kinds and classes listed here, and runs no code from the file; each field must be as `stored_checks`
says, since an editor can give a file a new SHA-256. What follows from the fields, such as the
estimates of a tree, is computed again. No stored type depends on the version of pandas, so that a
model loads under other versions, too.
"""

import copy
import hashlib
import inspect
import json
import re
from functools import cache

import numpy as np

from ranktrees_engine import bayes, models
from ranktrees_engine._version import __version__
from ranktrees_engine.basics.arguments import as_path
from ranktrees_engine.basics.kinds import AnyPath
from ranktrees_engine.estimates.end_counts import Ended
from ranktrees_engine.estimator.classifier import Classifier
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.models.grids import FineEncoder
from ranktrees_engine.models.tuned import TunedThreshold
from ranktrees_engine.newton import Attribute, PrototypeInfo, PrototypeTree
from ranktrees_engine.reading.encoder import Codes, Encoder
from ranktrees_engine.reading.schema import AttributeInfo
from ranktrees_files.adopted.models import AdoptedForest, AdoptedTree
from ranktrees_files.paths import replacing
from ranktrees_files.stored_checks import check_of
from ranktrees_files.stored_reader import Reader
from ranktrees_files.stored_rules import WRONG
from ranktrees_files.stored_values import (
    KINDS,
    PLAIN,
    check_room,
    layout,
    refuse_constant,
    zeros_left_out,
)

__all__ = ["FIELDS", "as_text", "load_model", "save"]

VERSION = 3
HEAD = re.compile(  # spaces are free, so that a file of version 2 is known in any layout
    r'\{\s*"format": *"ranktrees model",\s*"version": *(\d{1,9}),\s*"ranktrees": *"([^"]*)",'
    r'(?:\s*"sha256": "([0-9a-f]{64})")?'
)
NOT_STORED = {"n_jobs", "tables", "node_model"}  # parameters that depend on the machine or follow
# Parameters that files of earlier versions do not have: their models were fitted with the defaults.
LATER = "max_leaf_nodes", "ccp_alpha", "monotonic"
# The fitted fields of each class; "?" marks those that not every fitted model has. Each field has a
# rule in `stored_checks`.
MODEL = "classes_ n_features_in_? _names? feature_names_in_? "
TREE = MODEL + "tree_ training_? weight_? gaps_? ended_? encoder_?"
FOREST = MODEL + "codes_ known_ y_ weight_ trees_ "
COUNTED = MODEL + "codes_? known_? y_? weight_? ended_? trees_ "  # or counts, of cases in files
DRAWN = MODEL + "tree_ attributes_ span_ fill_"
BAYES = MODEL + "schema_ gaussian_ offsets_ class_count_ counts_ means_ deviations_ "
BAYES += "encoder_? fill_? "
FIELDS = {
    **dict.fromkeys((models.DecisionTree, models.C45, models.C44), TREE),
    AdoptedTree: TREE + " grids_",
    models.PathBayes: TREE + " pool_weights_",
    **dict.fromkeys((models.CITree, models.NBTree), TREE),
    **dict.fromkeys((models.NewtonTree, models.DistanceTree, models.CentreSplitting), DRAWN),
    models.PathForest: COUNTED + "encoder_? grids_? pool_weights_",
    AdoptedForest: FOREST + "encoder_ grids_ importances_ pool_weights_? bags_? temperature_?",
    models.Bagging: MODEL + "models_",
    TunedThreshold: MODEL + "model_ threshold_ cost_",
    models.NaiveBayes: BAYES,
    models.AODE: BAYES + "pairs_",
    bayes.BayesNet: "states_ cpts_",
    **dict.fromkeys((Encoder, FineEncoder), "schema_ categories_ fill_"),
    **dict.fromkeys((Codes, Tree, PrototypeTree, AttributeInfo, PrototypeInfo, Attribute), ""),
    Ended: "",
}
COMPUTED = {  # what follows from a field, and is computed again when a model has it
    "tree_": lambda model: model._set_tree(model.tree_),
    "trees_": lambda model: model._set_trees(model.trees_),
    "counts_": lambda model: model._set_tables(),
}


def save(model: object, path: AnyPath) -> None:
    """Write a model, fitted or not, to a JSON file; it replaces an older file once it is complete.

    The file holds training cases only if predictions need them: for `PathForest`, `CITree` and
    `NBTree`, and for a tree whose estimate differs from case to case. `PathBayes` stores counts by
    node and value instead; a `PathForest` of files does so where many cases end, and stores them
    where few do. A tree of prototypes stores these, and every model the names of values. So a
    loaded tree accepts another estimate only if that needs no more than was stored.
    Raises TypeError, naming the field, for what cannot be stored, such as a function.
    """
    text = as_text(model)
    with replacing(as_path("path", path)) as part:
        part.write_text(text, encoding="utf-8", newline="\n")


def as_text(model: object) -> str:
    """Return the JSON text of a model, as `save` writes it."""
    if type(model) not in FIELDS:
        what = f"{type(model).__name__} {model!s:.60}"
        raise TypeError(
            f"{what} is not a model that can be stored; these can: {', '.join(_classes())}"
        )
    head = {"format": "ranktrees model", "version": VERSION, "ranktrees": __version__, "sha256": ""}
    try:
        record = _encode(model)
        check_room(record)
        text = layout(head | {"model": record}) + "\n"
    except RecursionError as error:
        raise TypeError(
            f"{type(model).__name__} contains itself or is nested too deeply"
        ) from error
    except ValueError as error:  # NaN or infinity
        raise TypeError(f"{type(model).__name__} cannot be stored as JSON: {error}") from error
    return text.replace('"sha256": ""', f'"sha256": "{_sha256(text)}"', 1)


def load_model(path: AnyPath) -> Classifier:
    """Load a model from a file that `save` wrote.

    Raises ValueError, naming the file and what to do, for any other file, and for one that was
    damaged or edited. An edited file may have a new, right SHA-256: so each field is checked as if
    a stranger had written it (see `stored_checks`), and sizes before memory is allocated.
    """
    text = as_path("path", path).read_text(encoding="utf-8", errors="replace")
    again = "fit the model again and save it with rt.save"
    if not (head := HEAD.match(text)):
        raise ValueError(f"{path}: no file that rt.save wrote, or its first lines are damaged")
    version, release, sha256 = head.groups()
    if int(version) != VERSION:
        raise ValueError(
            f"{path}: ranktrees {release} wrote this file in version {version} of the format, but "
            f"ranktrees {__version__} reads version {VERSION}: load it with that one, or {again}"
        )
    if sha256 is None or sha256 != _sha256(text[: head.start(3)] + text[head.end(3) :]):
        raise ValueError(
            f"{path}: the SHA-256 is not that of the content, so the file was damaged or edited: "
            f"take another copy of it, or {again}"
        )
    try:
        model = Reader(_classes(), _build).value(
            json.loads(text, parse_constant=refuse_constant)["model"]
        )
        if type(model) not in FIELDS:
            raise ValueError(f"it holds no model but {model!s:.60}")
    except WRONG as error:
        raise ValueError(f"{path}: {error}; {again}") from error
    return model


def _sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def _encode(value):
    """Return the JSON form of a value; TypeError, naming the field, if it cannot be stored."""
    if type(value) in PLAIN or (type(value) is list and {*map(type, value)} <= PLAIN):
        return value
    if type(value) is list:
        return [_encode_part(f"[{i}]", part) for i, part in enumerate(value)]
    if type(value) is dict:
        return {"dict": [[_encode(k), _encode_part(f"[{k!r}]", v)] for k, v in value.items()]}
    if isinstance(value, np.ndarray) and (sparse := zeros_left_out(value)):
        return {"sparse": [*map(_encode, sparse)]}
    for kind, (cls, parts, _) in KINDS.items():
        if isinstance(value, cls):
            return {kind: _encode(parts(value))}
    if isinstance(value, GrownTree):
        value = _without_cases(value)
    cls, name = type(value), type(value).__name__
    if cls not in FIELDS:
        what = f"a value of type {cls.__module__}.{cls.__qualname__}"
        if inspect.isroutine(value):
            what = f"a function ({name} {value.__name__!r})"
        raise TypeError(f"{what} cannot be stored as JSON; what can be: {', '.join(_classes())}")
    stored = [field for field in (*_parameters(cls), *_fields(cls)) if field in vars(value)]
    parts = {field: _encode_part(f"{name}.{field}", vars(value)[field]) for field in stored}
    return {"class": name, **parts}


def _encode_part(where, part):
    try:
        return _encode(part)
    except TypeError as error:
        colon = "" if str(error).startswith("[") else ": "  # a[0]['b']: what is wrong
        raise TypeError(f"{where}{colon}{error}") from error


def _without_cases(tree):
    """Return a fitted tree without the training cases, unless its estimate needs them."""
    needs = tree.needs if tree.is_fitted else "cases"
    ended = tree.ended_
    if needs == "tables" and ended is None:
        ended = tree.cases_.count_ends()  # None where there is no room
    if needs == "cases" or (needs == "tables" and ended is None):
        return tree
    left = copy.copy(tree)
    left.ended_ = ended if needs == "tables" else None
    for field in ("training_", "weight_", "gaps_"):
        vars(left).pop(field, None)
    return left


def _build(cls, parts):
    """Make an object from parameters and fields; ValueError if one is missing, unknown or wrong."""
    name, parameters, check = cls.__name__, _parameters(cls), check_of(cls)
    parts = {field: parameters[field] for field in LATER if field in parameters} | parts
    if is_more := parts.keys() != parameters.keys():
        _check_names(cls, parts)
    check.of_fields(name, parts)
    value = _naming(name, cls, **{field: parts[field] for field in parameters})
    vars(value).update(parts)
    check.of_whole(name, value)
    if is_more:  # a fitted model
        _naming(name, _complete, value, parts)
    return value


def _check_names(cls, parts):
    """Raise ValueError for a parameter or field that is missing or unknown."""
    name, needed, fields = cls.__name__, {*_parameters(cls)}, _fields(cls)
    if not parts.keys() <= needed:  # a fitted model
        needed |= {field for field in fields if fields[field]}
    if lacking := sorted(needed - parts.keys()):
        raise ValueError(f"{_a(name)} lacks {', '.join(lacking)}")
    if unknown := sorted(parts.keys() - needed - fields.keys()):
        raise ValueError(f"{_a(name)} has no {', '.join(unknown)}")


def _naming(name, function, /, *values, **parts):
    """Return a function's result; ValueError, naming the class, if its values are not accepted."""
    try:
        return function(*values, **parts)
    except WRONG as error:
        raise ValueError(f"{_a(name)} cannot have these values: {error}") from error


def _a(name):
    """Return a class's name with its article."""
    return f"an {name}" if name[0] in "AEIO" else f"a {name}"


def _complete(value, parts):
    """Check the parameters of a fitted object, and compute what follows from its fields."""
    if isinstance(value, Classifier):  # before a fit, `fit` will check them
        value._check_parameters()
    for field in COMPUTED.keys() & parts.keys():
        COMPUTED[field](value)


def _classes():
    """Return the classes that are stored, by name."""
    return {cls.__name__: cls for cls in FIELDS}


@cache
def _parameters(cls):
    """Return the defaults of a class's stored parameters by name."""
    known = inspect.signature(cls).parameters.items()
    return {name: one.default for name, one in known if name not in NOT_STORED}


@cache
def _fields(cls):
    """Return the names of a class's fitted fields, and whether every fitted model has them."""
    return {name.rstrip("?"): not name.endswith("?") for name in FIELDS[cls].split()}
