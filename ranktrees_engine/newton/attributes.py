"""An attribute of any type: its distinct values and a distance between them."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import as_list, check_positive, check_text, choose, shown
from ranktrees_engine.basics.warn import warn
from ranktrees_engine.newton.distances import DISTANCES, as_numbers, cyclic, of_function

MANY_PAIRS = 10_000_000  # distances to be computed, worth a warning
MANY_CALLS = 1_000_000  # the same for a function that is called for each pair
HUGE = 2.0**950  # numbers and distances beyond are refused: their sums could overflow
NAMES = ("zero-one", "levenshtein")  # distances of what may be written otherwise in new cases
KINDS = {"absolute": "numeric", "ordinal": "ordinal", "zero-one": "nominal"}


@dataclass(eq=False, repr=False)
class Attribute:
    """Distinct values and a distance between them; new values need only the distance.

    `distance` is a name in `DISTANCES`, ("cyclic", period), a function f(x, y) or a matrix (V, V)
    of the distances between `values`, whose order is then kept, as for "ordinal"; otherwise they
    are sorted. If None, it is the difference for numbers, "jaccard" for sets, "edit" for tuples and
    lists, and "zero-one" for everything else. A function gets frozen sets instead of sets, and
    tuples instead of lists and arrays.

    >>> Attribute(["ab", "abc", "b"], "levenshtein").matrix().tolist()
    [[0, 1, 1], [1, 0, 2], [1, 2, 0]]
    """

    values: Sequence
    distance: object = None
    name: str = "x"

    def __post_init__(self):
        check_text(name=self.name)
        _check_values("values", self.values)
        if isinstance(self.distance, pd.DataFrame | list | np.ndarray):
            try:
                self.distance = np.asarray(self.distance, float)
            except (TypeError, ValueError) as error:
                why = f"column {self.name!r}: no matrix of distances: {error}"
                raise ValueError(why) from error
        elif self.distance is None:
            self.distance = default_distance(self.values)
        check_distance(self.distance, self.name)
        with naming(self.name):
            if self.kind == "numeric":
                values = as_numbers(self.values, "absolute")
                _refuse_gaps(values[~np.isfinite(values)])
                _refuse_huge(values)
                self.values = values if (values[1:] > values[:-1]).all() else np.unique(values)
            else:
                values = list(dict.fromkeys(map(hashable, self.values)))
                _refuse_gaps(values)
                self.values = tuple(values if self.is_declared else ascending(values))
        if isinstance(self.distance, np.ndarray):
            check_distances(self.distance, self.values, self.name)

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        is_matrix = isinstance(self.distance, np.ndarray)
        how = f"matrix {self.distance.shape}" if is_matrix else repr(self.distance)
        return f"Attribute([{_some(self.values)}], {how})"

    @property
    def kind(self) -> str:
        """Kind of values: "numeric" or "ordinal", on a line; "nominal", equal or not; "any"."""
        return KINDS.get(self.distance, "any") if isinstance(self.distance, str) else "any"

    @property
    def is_line(self) -> bool:
        """True if the distance is that of numbers or ranks."""
        return self.kind in ("numeric", "ordinal")

    @property
    def is_declared(self) -> bool:
        """True if only the declared values exist, in this order."""
        return self.kind == "ordinal" or isinstance(self.distance, np.ndarray)

    def matrix(self) -> np.ndarray:
        """Return the checked distances (V, V) between all values; warn if that is costly."""
        if isinstance(self.distance, np.ndarray):
            return self.distance
        V, function = len(self), callable(self.distance)
        if (MANY_CALLS if function else MANY_PAIRS) < V * V:
            how = f"{V * V:,} calls of a function" if function else f"{V * V:,} distances"
            warn(
                f"column {self.name!r} has {V:,} distinct values: {how} are computed, in "
                f"{V * V * 8 / 2**20:,.0f} MB; fewer values or rows take less"
            )
        distances = self.between(self.values, self.values)
        if function:
            check_distances(distances, self.values, self.name)
        return distances

    def between(self, a: Sequence, b: Sequence) -> np.ndarray:
        """Return distances (len a, len b); TypeError or ValueError names column and values."""
        _check_values("a", a)
        _check_values("b", b)
        if isinstance(self.distance, np.ndarray):
            return self.distance[self.places(a)[:, None], self.places(b)]
        if self.is_line:
            return np.abs(self.numbers(a)[:, None] - self.numbers(b))
        with naming(self.name):
            if isinstance(self.distance, tuple):
                return cyclic(a, b, self.distance[1])
            same, a = a is b, list(map(hashable, a))
            b = a if same else list(map(hashable, b))  # of `a` itself, half need computing
            if isinstance(self.distance, str):
                return DISTANCES[self.distance](a, b)
            return _checked(of_function(self.distance, a, b), a, b)

    def places(self, values: Sequence) -> np.ndarray:
        """Return these values' positions among the attribute's; ValueError if unknown."""
        _check_values("values", values)
        if self.kind == "numeric":
            return self.values.searchsorted(as_numbers(values, "absolute"))
        place = {value: v for v, value in enumerate(self.values)}
        values = list(map(hashable, values))
        for value in values:
            if value not in place:
                raise ValueError(
                    f"column {self.name!r}: the value {shown(value)} is not among those declared: "
                    f"{_some(self.values)}"
                )
        return np.array([place[value] for value in values], np.intp)

    def numbers(self, values: Sequence) -> np.ndarray:
        """Return the numbers (n,) or ranks of values on a line."""
        _check_values("values", values)
        if self.kind == "ordinal":
            return self.places(values).astype(float)
        with naming(self.name):
            return as_numbers(values, "absolute")

    def for_new_values(self) -> "Attribute":
        """Return what prediction needs: no values, unless they are names or no others exist."""
        if self.is_declared:
            return self
        values = self.values if self.distance in NAMES else ()
        return Attribute(values, self.distance, self.name)


def _check_values(what, values):
    """Raise TypeError unless there are several; an array is not copied."""
    if not isinstance(values, np.ndarray | str):
        as_list(what, values)


@contextmanager
def naming(column: str) -> Iterator[None]:
    """Name the column in any TypeError or ValueError of a `with` block."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise type(error)(f"column {column!r}: {error}") from error


def default_distance(values: Sequence) -> str:
    """Return the default distance of these values."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiu":
        return "absolute"
    kinds = {type(value) for value in values}
    if kinds and kinds <= {set, frozenset}:
        return "jaccard"
    if kinds and kinds <= {tuple, list}:
        return "edit"
    plain = (int, float, np.integer, np.floating)
    are_numbers = kinds and bool not in kinds and all(issubclass(k, plain) for k in kinds)
    return "absolute" if are_numbers else "zero-one"


def check_distance(distance, name: str) -> None:
    """Raise TypeError or ValueError, naming the column, unless it is a name, function or matrix."""
    if isinstance(distance, tuple) and len(distance) == 2 and distance[0] == "cyclic":
        check_positive(f"column {name!r}: the period of the distance 'cyclic'", distance[1])
        return
    if isinstance(distance, str) and distance == "cyclic":
        raise ValueError(f'column {name!r}: say the period too, as ("cyclic", 24)')
    if not callable(distance) and not isinstance(distance, np.ndarray):
        choose(f"distance of column {name!r}:", distance, DISTANCES)


def check_distances(distances: np.ndarray, values: Sequence, name: str) -> None:
    """Raise ValueError, naming a pair, unless (V, V) is finite, symmetric, >= 0, 0 for equals.

    Distances that differ only by rounding count as symmetric.
    """
    with naming(name):
        if distances.shape != (len(values),) * 2:
            raise ValueError(
                f"{len(values)} values need a square matrix of distances, but it has shape "
                f"{distances.shape}"
            )
        _checked(distances, values, values)
        if (wrong := np.diagonal(distances) != 0).any():
            v = int(wrong.argmax())
            raise ValueError(
                f"the distance of {shown(values[v])} from itself is {distances[v, v]:g}; of equal "
                "values it must be 0"
            )
        back = distances.T
        if (wrong := ~np.isclose(distances, back, rtol=1e-9, atol=0)).any():
            i, j = np.argwhere(wrong)[0]
            raise ValueError(
                f"the distance is not symmetric: {distances[i, j]:g} from {shown(values[i])} to "
                f"{shown(values[j])}, but {back[i, j]:g} back"
            )


def _checked(distances, a, b):
    """Return these distances of values; ValueError names two not from 0 to `HUGE` apart."""
    if not (right := (distances >= 0) & (distances <= HUGE)).all():
        i, j = np.argwhere(~right)[0]
        what = "negative, " if distances[i, j] < 0 else ""
        raise ValueError(
            f"the distance of {shown(a[i])} and {shown(b[j])} is {what}{distances[i, j]:g}; it "
            f"must be a number from 0 to {HUGE:.2g}"
        )
    return distances


def _refuse_gaps(values):
    for value in values:
        if pd.api.types.is_scalar(value) and (pd.isna(value) or value in (np.inf, -np.inf)):
            raise ValueError(f"{shown(value)} has no distance from any value: leave it out")


def _refuse_huge(numbers):
    if len(huge := numbers[np.abs(numbers) > HUGE]):
        raise ValueError(
            f"{huge[0]:g} exceeds {HUGE:.2g}, where sums of differences overflow: divide the column"
        )


def hashable(value):
    """Return a hashable form of a value: lists become tuples, and sets frozen sets."""
    if isinstance(value, set):
        return frozenset(value)
    if isinstance(value, list | np.ndarray):
        return tuple(hashable(item) for item in value)
    return tuple(map(hashable, value)) if type(value) is tuple else value


def ascending(values: Iterable) -> list:
    """Sort values; sets by their sorted items, unordered values by their text."""
    try:
        return sorted(values, key=_key)
    except TypeError:
        return sorted(values, key=lambda v: repr(_key(v)))


def _key(value):
    return ascending(value) if isinstance(value, frozenset) else value


def _some(values, most=6):
    some = values[:most]
    names = list(map(repr, some.tolist() if isinstance(some, np.ndarray) else some))
    return ", ".join([*names, "..."] if len(values) > most else names)
