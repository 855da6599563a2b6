"""How an attribute that only scikit-learn's objects have is refused: with the name that it has."""

from collections.abc import Callable
from typing import Any


def tells_ours(sentences: dict[str, str]) -> Callable[[Any, str], Any]:
    """Return a `__getattr__` whose AttributeError has a sentence for these names of attributes.

    For all others the error is Python's own; one that a property raises stays as it is.
    """

    def __getattr__(thing, name: str) -> Any:
        if name in sentences:
            raise AttributeError(f"{type(thing).__name__} has no {name}: {sentences[name]}")
        return object.__getattribute__(thing, name)  # which raises it

    return __getattr__
