"""Every method as its paper prints it, in recursion and loops, to be read and changed.

README.md in the folder above gives the order to read, examples, and the fast form of each method.
"""

from importlib import import_module


def __getattr__(name: str):
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        raise AttributeError(f"plain has no file {name!r}: see ranktrees/README.md") from error
