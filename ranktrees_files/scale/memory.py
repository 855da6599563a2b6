"""Memory that is free, but that libraries keep for later."""

import ctypes
import sys
from contextlib import suppress


def give_back() -> None:
    """Let Arrow and the C library return freed memory to the system, where it can (glibc).

    It keeps freed arrays of up to 32 MB, which many of different sizes leave in pieces.
    """
    if arrow := sys.modules.get("pyarrow"):
        arrow.default_memory_pool().release_unused()
    with suppress(OSError, TypeError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
