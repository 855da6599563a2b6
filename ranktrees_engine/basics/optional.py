"""Optional packages, which a base install does not have."""

from importlib import import_module
from types import ModuleType


def optional(module: str, use: str = "data in files", extra: str = "scale") -> ModuleType:
    """Import an optional module; ImportError says what needs it and how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f'{use} need {package}: pip install "ranktrees[{extra}]"') from error
