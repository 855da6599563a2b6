"""Names as people type them: one spelling for all, and the nearest when none fits."""

import difflib
import re
from collections.abc import Iterable


def normal(name: str) -> str:
    """The name in small letters with . _ - and blanks alike: weather.nominal, Weather_Nominal."""
    return re.sub(r"[\s._-]+", "-", name.strip().casefold())


def nearest(name: str, known: Iterable[str], n: int = 3) -> str:
    """A phrase naming the known names nearest to a mistyped one."""
    spelt = {normal(str(k)): str(k) for k in known}
    close = difflib.get_close_matches(normal(str(name)), spelt, n=n, cutoff=0.5)
    if not close:
        first = list(spelt.values())[:8]
        return "known: " + ", ".join(first) + (", ..." if len(spelt) > 8 else "")
    return "nearest: " + ", ".join(spelt[c] for c in close)
