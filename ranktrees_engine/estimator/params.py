"""The parameters of a model: name, type, default and check of each one are a single field.

A model is a standard dataclass, which its base makes of every subclass:

    class Stump(Classifier):
        min_child: int = param(default=2, check=integer(1))

What several models share is a function, such as `estimate_field("laplace")`. A subclass that gives
a field another default declares it again; the field keeps its place and its check. As scikit-learn
asks, `__init__` only stores; the checks run in `fit`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

CHECK = "check"


def param(*, default: Any, check: Callable[[str, Any], None] | None = None) -> Any:
    """Declare a parameter: its default, and `check(name, value)`, which raises if it is invalid.

    Without a check the value is checked together with the cases, or by the field that it replaces.
    """
    return field(default=default, metadata={CHECK: check})


def make_dataclass(cls: type) -> None:
    """Make a class with `param` fields a dataclass, whose fields keep the checks of its bases."""
    dataclass(eq=False, repr=False)(cls)
    for base in cls.__mro__[1:]:
        for name, above in getattr(base, "__dataclass_fields__", {}).items():
            here = cls.__dataclass_fields__[name]
            if here.metadata.get(CHECK) is None and above.metadata.get(CHECK) is not None:
                here.metadata = above.metadata


def parameter_names(cls: type) -> list[str]:
    """Return the names of a class's parameters, in the order of its constructor."""
    return [*getattr(cls, "__dataclass_fields__", {})]


def learnt_names(cls: type) -> set[str]:
    """Return the names of what `fit` sets, which a class and its bases list in `learnt`."""
    return {name for base in cls.__mro__ for name in vars(base).get("learnt", "").split()}


def check_parameters(owner: object, *names: str) -> None:
    """Check the parameters named, or all, of `owner`; the error names the first invalid one.

    Raises TypeError or ValueError.
    """
    known = getattr(owner, "__dataclass_fields__", {})
    for name in names or known:
        if (check := known[name].metadata.get(CHECK)) is not None:
            check(name, getattr(owner, name))
