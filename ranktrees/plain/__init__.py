"""Every method whole, as the papers write it: recursion and loops, to be read and changed.

README.md in this folder says in which order to read, how to call, and which part of the package
computes the same fast.
"""

from importlib import import_module


def __getattr__(name: str):
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        raise AttributeError(f"plain has no file {name!r}: see its README.md") from error
