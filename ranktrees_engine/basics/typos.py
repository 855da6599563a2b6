"""The known names nearest to a mistyped one, and long texts in messages."""

import difflib
import re
from collections.abc import Iterable


def brief(text: str, most: int = 300) -> str:
    """Shorten a text for a message, leaving out the middle of a long one."""
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-most // 2 :]}"


def normal(name: str) -> str:
    """Return the name in lower case with . _ - and blanks made equal, as in Weather_Nominal."""
    return re.sub(r"[\s._-]+", "-", name.strip().casefold())


def nearest(name: str, known: Iterable[str], n: int = 3) -> str:
    """Return a phrase with the known names nearest to a mistyped one."""
    spelt = {normal(str(k)): str(k) for k in known}
    close = difflib.get_close_matches(normal(str(name)), spelt, n=n, cutoff=0.5)
    if not close:
        first = list(spelt.values())[:8]
        return brief("known: " + ", ".join(first) + (", ..." if len(spelt) > 8 else ""))
    return brief("nearest: " + ", ".join(spelt[c] for c in close))
