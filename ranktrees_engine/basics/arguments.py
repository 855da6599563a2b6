"""One way to check an argument: a name among known ones, a number within its bounds, its kind."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np

from ranktrees_engine.basics.kinds import AnyPath, ArrayLike

DATASET = "a Dataset, as rt.load(name) and rt.Dataset(X, y) make"


def shown(value: object) -> str:
    """Format a value for a message: 3, not `np.int64(3)`."""
    return repr(value.item() if isinstance(value, np.generic) else value)


def choose(what: str, name: object, known: Iterable[str], none: bool = False) -> None:
    """Raise ValueError, listing the known names, unless `name` is one of them.

    With `none` it may also be None.
    """
    if (not isinstance(name, str) or name not in known) and not (none and name is None):
        names = ", ".join(map(repr, known)) + " or None" * none
        raise ValueError(f"unknown {what} {name!r}: choose one of {names}")


def check_number(
    what: str,
    value: Any,
    least: float = -np.inf,
    whole: bool = False,
    finite: bool = True,
    none: bool = False,
    most: float | None = None,
) -> None:
    """Raise TypeError or ValueError unless `value` is a (whole) number from `least` to `most`.

    `most` is by default what arrays can hold. With `none` it may also be None.
    """
    if none and value is None:
        return
    kind: type = Integral if whole else Real
    if isinstance(value, bool) or not isinstance(value, kind):
        raise TypeError(f"{what} must be a {'whole ' * whole}number, not {shown(value)}")
    if not value >= least:
        raise ValueError(f"{what} must be at least {least}, but it is {shown(value)}")
    if finite and value == float("inf"):
        raise ValueError(f"{what} must be finite, but it is {shown(value)}")
    most = (sys.maxsize if whole else sys.float_info.max) if most is None else most
    if most < value < float("inf"):
        raise ValueError(f"{what} must be at most {most}, but it is larger")


def check_positive(what: str, value: Any) -> None:
    """Raise TypeError or ValueError unless `value` is a number above 0."""
    check_number(what, value, 0)
    if not value > 0:
        raise ValueError(f"{what} must exceed 0, but it is {shown(value)}")


def check_seed(seed: object, what: str = "seed") -> None:
    """Raise TypeError or ValueError unless a seed is a whole number of 0 or more, of any size."""
    check_number(what, seed, 0, whole=True, most=np.inf)


def check_jobs(what: str, value: object, least: float = -np.inf) -> None:
    """Raise TypeError or ValueError unless `value` is joblib's number of processes, or None."""
    check_number(what, value, least, whole=True, none=True)
    if value == 0:
        raise ValueError(f"{what} must be at least 1, or -1 for one on every processor, not 0")


def one_of(*known: str, none: bool = False) -> Callable:
    """Return a check of a parameter, `check(what, value)`: `choose` among these names."""
    return partial(choose, known=known, none=none)


def real(least: float, **limits: float) -> Callable:
    """Return a check of a parameter, `check(what, value)`: `check_number` within these limits."""
    return partial(check_number, least=least, **limits)


def integer(least: float, **limits: float) -> Callable:
    """Return a check of a parameter, `check(what, value)`: a whole number within these limits."""
    return partial(check_number, least=least, whole=True, **limits)


def check_flag(what: str, value: object, none: bool = False) -> None:
    """Raise TypeError unless `value` is True or False, or with `none` None."""
    if not (isinstance(value, bool | np.bool_) or (none and value is None)):
        known = "True, False or None" if none else "True or False"
        raise TypeError(f"{what} must be {known}, not {shown(value):.80}")


def check_text(**given: object) -> None:
    """Raise TypeError, naming the argument, unless all arguments given are text."""
    for what, value in given.items():
        if not isinstance(value, str):
            raise TypeError(f"{what} must be text, not {shown(value):.80}")


def check_name(what: str, value: object) -> None:
    """Raise TypeError unless `value` can name a column: text, or a whole number as pandas has."""
    if isinstance(value, bool) or not isinstance(value, str | Integral):
        raise TypeError(f"{what} must be the name of a column, not {shown(value):.80}")


def check_dict(what: str, value: object, form: str = "{name: values}") -> None:
    """Raise TypeError, describing the form, unless `value` is a dict or behaves like one."""
    if isinstance(value, type) or not hasattr(value, "items"):
        raise TypeError(f"{what}: give a dict {form}, not {type(value).__name__}")


def as_list(what: str, values: Iterable) -> list:
    """Return the values as a list; TypeError, naming `what`, for text and for a single object."""
    if isinstance(values, str | bytes | type) or not hasattr(values, "__iter__"):
        raise TypeError(f"{what} must be a list, not {values!r:.80}")
    return list(values)


def as_names(what: str, values: Iterable) -> list[str]:
    """Return names or numbers as strings; TypeError, naming `what`, for anything else."""
    values = as_list(what, values)
    for value in values:
        if isinstance(value, list | dict | set | bytes | np.ndarray) or value is None:
            raise TypeError(f"{what} must hold names, not {shown(value):.80}")
    return list(map(str, values))


def as_path(what: str, path: AnyPath) -> Path:
    """Return the path, ~ being the user's folder; TypeError for anything but text and paths.

    Errors name `what`. Raises ValueError for a web address.
    """
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"{what} must be the path of a file, as text or Path, not {path!r:.80}")
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", str(path)):
        raise ValueError(
            f"{path!s:.200} is an address, and files are read here: fetch it first, or give "
            "rt.Dataset the frame that pandas reads from there"
        )
    return Path(path).expanduser()


def floats(what: str, values: ArrayLike) -> np.ndarray:
    """Return the values as floats; ValueError, naming `what`, for text, dates, uneven rows."""
    refuse_masked(values, what, "give numbers there")
    try:
        typed = hasattr(getattr(values, "dtype", None), "kind")
        given: Any = values if typed else np.asarray(values)
        if given.dtype.kind in "mM":
            raise TypeError("these are dates or times")
        if given.dtype.kind == "c":  # NumPy would drop their imaginary parts
            raise TypeError("these are complex numbers")
        return np.asarray(given, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{what} must hold numbers only, in even rows: {error}") from error


def number_row(what: str, values: ArrayLike) -> np.ndarray:
    """Return the numbers (n,) as floats; ValueError, naming `what`, for anything else."""
    numbers = floats(what, values)
    if numbers.ndim != 1:
        raise ValueError(f"{what} must be a row of numbers, not of shape {numbers.shape}")
    return numbers


def even(what: str, values: ArrayLike) -> np.ndarray:
    """Return the values as an array; ValueError, naming `what`, for rows of unequal length."""
    try:
        return np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{what} must have rows that are equally long: {error}") from error


def refuse_masked(values: object, what: str, advice: str) -> None:
    """Raise ValueError, naming the row, for a masked array in which values are masked."""
    if isinstance(values, np.ma.MaskedArray) and (mask := np.ma.getmaskarray(values)).any():
        row = int(np.argwhere(mask)[0, 0])
        raise ValueError(f"{what} is masked {mask.sum()} times, first in row {row}: {advice}")


def check_like(what: str, thing: object, *names: str) -> None:
    """Raise TypeError, saying to give `what`, unless `thing` has attributes of these names."""
    if isinstance(thing, type) or not all(hasattr(thing, name) for name in names):
        given = repr(thing) if isinstance(thing, str) else type(thing).__name__
        raise TypeError(f"give {what}, not {given}")


def is_dataset(data: object) -> bool:
    """Return whether `data` holds X and y together; columns of those names do not count."""
    return hasattr(data, "X") and hasattr(data, "y") and not hasattr(data, "columns")


def is_case(X: object) -> bool:
    """Return whether X is one case, {attribute: value}; some sparse matrices are dicts, too."""
    return isinstance(X, Mapping) and not hasattr(X, "nnz")
