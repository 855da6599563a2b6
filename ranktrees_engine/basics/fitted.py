"""Checks that every model shares: that it is fitted, and that cases and classes belong together."""

import sys

from ranktrees_engine.basics.arguments import check_like


def check_same_length(cases: int, classes: int) -> None:
    """Raise ValueError unless X has as many cases as y has classes."""
    if cases != classes:
        raise ValueError(
            f"X has {cases} cases, but y has {classes}: inconsistent numbers of samples"
        )


def check_fitted(model, learnt: str) -> None:
    """Raise scikit-learn's NotFittedError, or one like it, unless `fit` has set its fields."""
    check_like("a model, such as C45()", model, "fit")
    if getattr(model, learnt, None) is None:
        module = sys.modules.get("sklearn.exceptions")
        kind = module.NotFittedError if module else NotFittedError
        raise kind(f"This {type(model).__name__} is not fitted yet: call fit(X, y) first")


class NotFittedError(ValueError, AttributeError):
    """Error of a model that is used before `fit`."""
