"""Memory that is free, but that libraries keep for later."""

import ctypes
import sys
from contextlib import suppress

import numpy as np


def array_bytes(thing: object) -> int:
    """Return the bytes of the arrays that an object has as its own."""
    return sum(part.nbytes for part in vars(thing).values() if isinstance(part, np.ndarray))


def give_back() -> None:
    """Let Arrow and the C library return freed memory to the system, where it can (glibc).

    It keeps freed arrays of up to 32 MB, which many of different sizes leave in pieces.
    """
    if arrow := sys.modules.get("pyarrow"):
        arrow.default_memory_pool().release_unused()
    with suppress(OSError, TypeError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
