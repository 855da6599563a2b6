"""One way to check an argument: a name among known ones, a number within its bounds."""

from numbers import Integral, Real


def choose(what: str, name, known) -> None:
    """Raise ValueError, listing the known names, unless `name` is one of them."""
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"unknown {what} {name!r}: choose one of {', '.join(map(repr, known))}")


def check_number(what: str, value, least: float, whole: bool = False, finite=True) -> None:
    """Raise TypeError or ValueError unless `value` is a (whole) number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, Integral if whole else Real):
        raise TypeError(f"{what} must be a {'whole ' * whole}number, not {value!r}")
    if not value >= least:
        raise ValueError(f"{what} must be at least {least}, but it is {value!r}")
    if finite and value == float("inf"):
        raise ValueError(f"{what} must be finite, but it is {value!r}")
