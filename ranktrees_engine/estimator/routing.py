"""Metadata routing: what scikit-learn passes to a model besides X and y, as `sample_weight`."""

import inspect
from typing import TypeVar

from ranktrees_engine.basics.optional import optional

DATA = ("self", "X", "y")
Owner = TypeVar("Owner")
ROUTING = "scikit-learn's metadata routing"


def get_metadata_routing(self) -> object:
    """Return scikit-learn's `MetadataRequest`: which arguments of `fit` and `score` to pass.

    An argument without a request makes scikit-learn raise if it is given; it is never dropped
    silently.
    """
    routing = optional("sklearn.utils.metadata_routing", ROUTING, "lab")
    if hasattr(self, "_metadata_request"):
        return routing.get_routing_for_object(self._metadata_request)
    request = routing.MetadataRequest(owner=type(self).__name__)
    for method in ("fit", "score"):
        for name in _metadata(self, method):
            getattr(request, method).add_request(param=name, alias=None)
    return request


def set_fit_request(self: Owner, **requests: bool | str | None) -> Owner:
    """Say what scikit-learn's wrappers should pass to `fit`: `sample_weight=True`, and so on.

    True passes it, False leaves it out, None refuses it; a string is its name there. Returns the
    model. Raises RuntimeError unless metadata routing is enabled, TypeError for what `fit` does not
    take, ValueError for another request.
    """
    return _ask(self, "fit", requests)


def set_score_request(self: Owner, **requests: bool | str | None) -> Owner:
    """Say what scikit-learn's wrappers should pass to `score`: as `set_fit_request`."""
    return _ask(self, "score", requests)


def _metadata(model, method):
    """Return the names of a method's arguments besides its data."""
    parameters = inspect.signature(getattr(type(model), method)).parameters.values()
    return [p.name for p in parameters if p.name not in DATA and p.kind is not p.VAR_KEYWORD]


def _ask(model, method, requests):
    if not optional("sklearn", ROUTING, "lab").get_config().get("enable_metadata_routing"):
        raise RuntimeError(
            f"set_{method}_request counts where metadata routing is enabled: call "
            "sklearn.set_config(enable_metadata_routing=True) first"
        )
    routing, known = model.get_metadata_routing(), _metadata(model, method)
    for name, alias in requests.items():
        if name not in known:
            owner, takes = f"{method} of {type(model).__name__}", ", ".join(map(repr, known))
            raise TypeError(f"{owner} has no {name!r}: besides X and y it takes {takes or 'none'}")
        getattr(routing, method).add_request(param=name, alias=alias)
    model._metadata_request = routing  # where scikit-learn's clone looks for it
    return model
