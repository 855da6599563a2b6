"""Optional packages, which a base install does not have."""

from importlib import import_module
from types import ModuleType

from ranktrees_engine.basics.browser import ELSEWHERE, in_a_sentence, in_browser

NOWHERE = {"duckdb": "DuckDB", "dask": "Dask", "distributed": "Dask"}  # in no browser


def optional(module: str, use: str = "data in files", extra: str = "scale") -> ModuleType:
    """Import an optional module; ImportError says what needs it and how to install it.

    In a browser it says so of what is not there, without a traceback.
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        if in_browser() and package in NOWHERE:
            text = f"{use} need {NOWHERE[package]}, which no browser has: {ELSEWHERE}"
            raise in_a_sentence(ImportError(text)) from None
        raise ImportError(f'{use} need {package}: pip install "ranktrees[{extra}]"') from error
