"""What may be stored: the known classes and their attributes."""

import inspect
import re
from dataclasses import MISSING, fields, is_dataclass
from functools import cached_property
from importlib import import_module

# A new model needs a line here and nothing else.
CLASSES = {
    "DecisionTree": "ranktrees.models",
    "C45": "ranktrees.models",
    "C44": "ranktrees.models",
    "CITree": "ranktrees.models",
    "NBTree": "ranktrees.models",
    "Bagging": "ranktrees.models",
    "WekaBagging": "ranktrees.papers.weka_bagging",
    "NewtonTree": "ranktrees.models",
    "DistanceTree": "ranktrees.models",
    "CentreSplitting": "ranktrees.models",
    "NaiveBayes": "ranktrees.bayes",
    "BayesNet": "ranktrees.bayes",
    "Encoder": "ranktrees.encode",
    "Codes": "ranktrees.encode",
    "Tree": "ranktrees.tree",
    "AttributeInfo": "ranktrees.schema",
    "Attribute": "ranktrees.newton",
    "PrototypeTree": "ranktrees.newton",
    "PrototypeInfo": "ranktrees.newton",
}
PLAIN = (type(None), bool, int, float, str)
NUMBERS = re.compile(r"bool|u?int(8|16|32|64)|float(16|32|64)|[<>]U\d+")
INDEX = re.compile(r"object|str|string|bool(ean)?|u?int\d+|U?Int\d+|[fF]loat\d+|interval\[.*\]")


def load_class(name: str) -> type:
    """The class that a name in `CLASSES` stands for."""
    return getattr(import_module(CLASSES[name]), name)


def class_of(value, where: str) -> type:
    """The class of `value`; TypeError, naming `where`, unless it is one of `CLASSES`."""
    cls = type(value)
    if cls.__name__ not in CLASSES or load_class(cls.__name__) is not cls:
        raise TypeError(
            f"{where}: a value of type {cls.__module__}.{cls.__qualname__} cannot be stored as "
            f"JSON; the classes that can are {', '.join(CLASSES)}"
        )
    return cls


def attributes_of(value) -> dict:
    """What an object is made of: no cached properties, and no private functions."""
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return {
        name: part
        for name, part in vars(value).items()
        if not isinstance(inspect.getattr_static(type(value), name, None), cached_property)
        and not (name.startswith("_") and callable(part))
    }


def check_attributes(cls: type, names, where: str) -> None:
    """Raise ValueError unless an object of `cls` can have these attributes and lacks none.

    A dataclass has its fields; any other class the arguments of its constructor and what `fit`
    adds, ending or beginning with an underscore. None may hide a method.
    """
    if is_dataclass(cls):
        known = {field.name for field in fields(cls)}
        needed = {field.name for field in fields(cls) if field.default is MISSING}
    else:
        needed = set(inspect.signature(cls.__init__).parameters) - {"self"}
        known = needed | {name for name in names if _is_learnt(cls, name)}
    if lacking := sorted(needed - set(names)):
        raise ValueError(f"{where}: a {cls.__name__} lacks {', '.join(lacking)}")
    if beyond := sorted(set(names) - known):
        raise ValueError(f"{where}: a {cls.__name__} has no attribute {', '.join(beyond)}")


def _is_learnt(cls, name):
    private = name.startswith("_") and not name.startswith("__")
    hidden = inspect.getattr_static(cls, name, None)  # what the class has under this name
    plain = not callable(hidden) and not hasattr(hidden, "__get__")
    return name.isidentifier() and (private or name.endswith("_")) and plain
