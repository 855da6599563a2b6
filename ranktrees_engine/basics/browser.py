"""The end of what a browser can do: there Python has no processes, no threads and no network."""

import sys
from typing import TypeVar

Failed = TypeVar("Failed", bound=Exception)
ELSEWHERE = "install ranktrees on a computer for it"


def in_browser() -> bool:
    """Return whether this Python runs in a browser (Pyodide)."""
    return sys.platform == "emscripten"


def in_a_sentence(error: Failed) -> Failed:
    """Return the error, of which a notebook will show the sentence alone, without a traceback."""
    error._render_traceback_ = lambda *_: [str(error)]  # pyright: ignore[reportAttributeAccessIssue]
    return error
