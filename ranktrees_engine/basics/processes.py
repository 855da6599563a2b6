"""Work in several processes, with joblib if a user asks for it."""

import sys
from collections.abc import Callable, Iterator
from typing import Any


def n_processes(n_jobs: Any, n_items: int) -> int:
    """Return how many processes work on `n_items`; if `n_jobs` is None, joblib's context says."""
    if n_jobs is None and "joblib" not in sys.modules:  # then it has no context, either
        return 1
    from joblib import effective_n_jobs

    return min(effective_n_jobs(n_jobs), n_items)  # pyright: ignore[reportArgumentType]


def in_processes(function: Callable, items: list, arguments: tuple, n_jobs) -> Iterator:
    """Yield function(item, *arguments) for each item, in order, from `n_jobs` processes."""
    if n_processes(n_jobs, len(items)) < 2:
        yield from (function(item, *arguments) for item in items)
        return
    from joblib import Parallel, delayed

    tasks = (delayed(function)(item, *arguments) for item in items)
    yield from Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
