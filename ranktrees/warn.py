"""The package's warnings: each is given to the code that called it, or once for many folds."""

import re
import sys
import warnings
from contextvars import ContextVar

_kept: ContextVar[dict | None] = ContextVar("kept", default=None)


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line outside of the package that led here, or within `WarnOnce` keep it."""
    kept = _kept.get()
    if kept is not None:
        kept[message, category] = None
        return
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == "ranktrees":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


class WarnOnce:
    """Within it the package's warnings are kept; at its end each different one is given once.

    It is given as `about: message`, or not at all where a pattern of `without` is found in it. Only
    this thread's are kept, and the process's filters stay as they are, which threads share.
    """

    def __init__(self, about: str = "", without: tuple[str, ...] = ()):
        self.about, self.without = about, without

    def __enter__(self):
        self.kept = {}
        self.token = _kept.set(self.kept)
        return self

    def __exit__(self, *error):
        _kept.reset(self.token)
        head = f"{self.about}: " if self.about else ""
        for message, category in self.kept:
            if not any(re.search(pattern, message) for pattern in self.without):
                warn(head + message, category)
