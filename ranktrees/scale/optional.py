"""Packages that only data larger than memory need."""

from importlib import import_module


def optional(module: str):
    """An optional module; ImportError says how to install what is missing."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(
            f'data in files need {package}: pip install "ranktrees[scale]"'
        ) from error
