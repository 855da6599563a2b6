"""Messages about work: warnings, which name the caller's line and come once, and progress bars."""

import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ranktrees_engine.basics.arguments import check_flag
from ranktrees_engine.basics.browser import in_browser

LONG = 90.0  # seconds from which on growth is warned of
OWN = re.compile(r"(ranktrees(_\w+)?|contextlib)\b")  # modules in which no line is a user's
PATIENCE = 2.0  # seconds before a progress bar appears by itself

_kept: ContextVar[dict | None] = ContextVar("kept", default=None)


def warn(
    message: str, category: type[Warning] = UserWarning, at_once: bool = False, same: str = ""
) -> None:
    """Warn at the caller's line outside the package; within `WarnOnce`, keep the warning.

    Of messages that are the `same` except for their numbers, such as those of a scan's batches,
    only the first is kept.
    """
    kept = None if at_once else _kept.get()
    if kept is not None:
        kept.setdefault((same or message, category), message)
        return
    frame, level = sys._getframe(1), 2
    while frame.f_back and OWN.match(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    text = message.encode("utf-8", "backslashreplace").decode()  # half a character is not text
    warnings.warn(text, category, stacklevel=level)


def warn_of_time(seconds: float) -> None:
    """Warn, before growing begins, if it may take longer than `LONG`."""
    if seconds > LONG:
        warn(
            f"growing may take about {seconds / 60:,.0f} minutes on a laptop of 2024: a sample of "
            "the cases, fewer attributes or a max_depth take less; progress=True shows each level",
            at_once=True,
        )


class WarnOnce:
    """A context that keeps the package's warnings and gives each different one once, at its end.

    A warning is given as `about: message`, as an error is. It is not given if a pattern of
    `without` is found in it, or if it is among those already `said`. Only warnings of this thread
    are kept; the process's filters, which threads share, stay as they are.
    """

    def __init__(self, about: str = "", without: tuple[str, ...] = (), said: set | None = None):
        self.about, self.without, self.said = about, without, set() if said is None else said

    def __enter__(self):
        self.kept = {}
        self.token = _kept.set(self.kept)
        return self

    def __exit__(self, kind, error, trace):
        _kept.reset(self.token)
        head = f"{self.about}: " if self.about else ""
        if head and isinstance(error, Exception):
            error.args = (f"{head}{error}",)
        for key, message in self.kept.items():
            if key not in self.said and not any(re.search(p, message) for p in self.without):
                self.said.add(key)
                warn(head + message, key[1], same=head + key[0])


@contextmanager
def progress_bar(total: int | None, progress: bool | None, unit: str) -> Iterator[Callable]:
    """Return a function that advances a bar of `total` steps by one or more, on standard error.

    If `progress` is False there is no bar; if True it appears at once; if None, after two seconds.
    """
    check_flag("progress", progress, none=True)
    if progress is not None and not progress:
        yield lambda steps=1: None
        return
    from tqdm import tqdm

    if in_browser():
        tqdm.monitor_interval = 0  # what looks after slow bars is a thread
    delay = PATIENCE if progress is None else 0
    with tqdm(total=total, unit=f" {unit}", delay=delay) as shown:
        yield shown.update
