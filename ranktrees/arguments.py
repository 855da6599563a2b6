"""One way to check an argument: a name among known ones, a number within its bounds, its kind."""

from numbers import Integral, Real

import numpy as np

DATASET = "a Dataset, as rt.load(name) and rt.Dataset(X, y) make"


def choose(what: str, name, known) -> None:
    """Raise ValueError, listing the known names, unless `name` is one of them."""
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"unknown {what} {name!r}: choose one of {', '.join(map(repr, known))}")


def check_number(what, value, least=-np.inf, whole=False, finite=True, none=False) -> None:
    """Raise TypeError or ValueError unless `value` is a (whole) number of at least `least`.

    With `none` it may also be None.
    """
    if none and value is None:
        return
    if isinstance(value, bool) or not isinstance(value, Integral if whole else Real):
        raise TypeError(f"{what} must be a {'whole ' * whole}number, not {value!r}")
    if not value >= least:
        raise ValueError(f"{what} must be at least {least}, but it is {value!r}")
    if finite and value == float("inf"):
        raise ValueError(f"{what} must be finite, but it is {value!r}")


def floats(what: str, values) -> np.ndarray:
    """The values as floats; ValueError, naming `what`, for text, dates, masks and uneven rows."""
    refuse_masked(values, what, "give numbers there")
    try:
        typed = hasattr(getattr(values, "dtype", None), "kind")
        given = values if typed else np.asarray(values)
        if given.dtype.kind in "mM":
            raise TypeError("these are dates or times")
        return np.asarray(given, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what} must hold numbers only, in even rows: {error}") from error


def refuse_masked(values, what: str, advice: str) -> None:
    """Raise ValueError, naming the row, for a masked array in which values are masked."""
    if isinstance(values, np.ma.MaskedArray) and (mask := np.ma.getmaskarray(values)).any():
        row = int(np.argwhere(mask)[0, 0])
        raise ValueError(f"{what} is masked {mask.sum()} times, first in row {row}: {advice}")


def check_like(what: str, thing, *names: str) -> None:
    """Raise TypeError, saying to give `what`, unless `thing` has attributes of these names."""
    if isinstance(thing, type) or not all(hasattr(thing, name) for name in names):
        given = repr(thing) if isinstance(thing, str) else type(thing).__name__
        raise TypeError(f"give {what}, not {given}")


def is_dataset(data) -> bool:
    """Whether cases X and classes y are together in `data`; columns of such names do not count."""
    return hasattr(data, "X") and hasattr(data, "y") and not hasattr(data, "columns")
