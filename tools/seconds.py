"""Processor seconds of a build, told part by part."""

from collections import Counter
from contextlib import contextmanager
from threading import Lock

from ranktrees_lab.explore.states import spent


class Clock:
    """Processor seconds of a build by part, in the order in which the parts began."""

    def __init__(self):
        self.seconds, self._lock = Counter(), Lock()

    def add(self, part: str, seconds: float) -> None:
        """Count these seconds, such as those of another process, to a part."""
        with self._lock:  # lessons run beside each other
            self.seconds[part] += seconds

    @contextmanager
    def part(self, name: str):
        """Count what this process, and those that it has waited for, take in a `with` block."""
        self.add(name, 0.0)
        before = spent()
        try:
            yield
        finally:
            self.add(name, spent() - before)

    def told(self, whole: float) -> str:
        """Return a sentence: these seconds of the whole build, and its parts."""
        parts = ", ".join(f"{name} {seconds:.1f}" for name, seconds in self.seconds.items())
        rest = whole - self.seconds.total()
        return f"{whole:.1f} s of processor time: {parts}, the rest {rest:.1f}"
