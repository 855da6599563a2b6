"""A progress bar for work that takes long."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 2.0  # seconds before a bar appears by itself


@contextmanager
def bar(total: int, progress: bool | None, unit: str) -> Iterator[Callable[..., object]]:
    """Gives a function that advances a bar of `total` steps by one or more, on the standard error.

    `progress` False: no bar; True: at once; None: once the work has taken two seconds.
    """
    if progress is False:
        yield lambda steps=1: None
        return
    from tqdm import tqdm

    delay = PATIENCE if progress is None else 0
    with tqdm(total=total, unit=f" {unit}", delay=delay) as shown:
        yield shown.update
