"""Packages that not everyone needs: a base install does without them."""

from importlib import import_module


def optional(module: str, use: str = "data in files", extra: str = "scale"):
    """An optional module; ImportError says what needs it and how to install what is missing."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f'{use} need {package}: pip install "ranktrees[{extra}]"') from error


class StandIn:
    """Stands for a missing package: its classes can be named and inherited from, but not made.

    `missing`: the arguments of `optional`, which is asked as soon as a class is called.
    """

    def __init__(self, *missing: str):
        self.missing = missing

    def __getattr__(self, name: str) -> type:
        return type(name, (), {"__new__": lambda *args, **kwargs: optional(*self.missing)})
