"""The shares of new cases in the masses of a tree, some cases at a time.

A share hangs on the value of one attribute alone. Where cases have few distinct values in it, the
shares are computed for those and looked up for the cases; else they are computed for each case.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from ranktrees.columns import Column
from ranktrees.newton.attraction import Families
from ranktrees.newton.attributes import Attribute
from ranktrees.newton.tree import PrototypeTree

CELLS = 1 << 18  # shares of so many nodes and cases are held at a time
TABLE = 1 << 18  # and those of so many nodes and distinct values: more are looked up slowly
REPEATS = 8  # cases to a distinct value, on the mean, from which on looking up is worth while


class Values(NamedTuple):
    """What cases have in one attribute: numbers `x` (n,) on a line, or else distinct values.

    Those are codes (n,) into `distance` (P, V + 1), from each prototype, NaN in the last column.
    """

    x: np.ndarray | None
    distance: np.ndarray | None = None
    code: np.ndarray | None = None


class Distances:
    """Distances of cases from the prototypes of a tree's nodes, and the shares that follow.

    `eps` times an attribute's `span` is the least distance there is.
    """

    def __init__(self, tree: PrototypeTree, attributes: Sequence[Attribute], span, eps: float):
        self.tree, self.attributes = tree, attributes
        self.tested = tree.attribute[tree.parent]
        self.tested[0] = -1
        self.used = np.unique(self.tested[1:]).tolist()
        with np.errstate(over="ignore"):  # where nothing is farther, the masses decide
            self.least = eps * np.asarray(span) if eps else None

    def shares(self, columns: Sequence[Column], share: Callable) -> Iterator[np.ndarray]:
        """Yield shares (T, n') of cases until all n are done: `share(tree, distances (T, n'))`."""
        n, T = len(columns[0].values), len(self.tree)
        most = min(n // REPEATS, TABLE // T)
        values = {a: self._values(a, columns[a], most) for a in self.used}
        parts = list(self._parts(values, most, share))
        step = max(1, CELLS // T)
        for start in range(0, n, step):
            cases = slice(start, min(n, start + step))
            if len(parts) == 1:
                yield parts[0](cases)
                continue
            p = np.ones((T, cases.stop - start))
            for part in parts:
                p[part.at] = part(cases)[1:]
            yield p

    def _parts(self, values, most, share):
        """The nodes whose shares are looked up, and all others, unless there are none."""
        few = np.zeros(len(self.attributes) + 1, bool)  # and a last one for the root
        for a, each in values.items():
            few[a] = each.code is not None and each.distance.shape[1] <= most
        for kind, mine in ((_LookedUp, few[self.tested]), (_Computed, ~few[self.tested])):
            at = mine[1:].nonzero()[0] + 1
            if len(at):
                yield kind(self, at, values, share)

    def _values(self, a, column, most):
        """The values of a column, distinct ones on a line too where there are less than `most`."""
        attribute, prototypes = self.attributes[a], self.tree.schema[a].values
        if attribute.is_line:
            x = line_numbers(attribute, column)
            distinct = np.unique(x) if most > 1 else x
            if len(distinct) >= most:
                return Values(x)
            far = np.append(distinct, np.nan) - attribute.numbers(prototypes)[:, None]
            return Values(x, np.abs(far, out=far), distinct.searchsorted(x))
        distinct, code = distinct_values(column)
        table = np.full((len(prototypes), len(distinct) + 1), np.nan)
        table[:, :-1] = attribute.between(prototypes, distinct)
        return Values(None, table, code)


class _LookedUp:
    """The shares of a root and nodes `at` (q,), computed for distinct values once."""

    def __init__(self, distances, at, values, share):
        self.at, tree, tested = at, distances.tree, distances.tested[at]
        used = np.unique(tested).tolist()
        width = max(values[a].distance.shape[1] for a in used)
        far = np.zeros((1 + len(at), width))
        for a in used:
            mine = (tested == a).nonzero()[0]
            found = values[a].distance.take(tree.prototype[at[mine]], axis=0)
            far[1 + mine, : found.shape[1]] = found
        if distances.least is not None:
            np.maximum(far[1:], distances.least[tested, None], out=far[1:])
        self.p = share(Families(tree, at), far).ravel()
        ends = np.array([values[a].distance.shape[1] for a in used])[:, None]
        code = np.array([values[a].code for a in used])
        self.code = np.where(code < 0, code + ends, code)
        self.row = np.append(0, np.searchsorted(used, tested))
        self.start = width * np.arange(1 + len(at))[:, None]

    def __call__(self, cases):
        """Shares (1 + q, n') of these cases."""
        place = self.code[:, cases].take(self.row, axis=0)
        place += self.start
        return self.p.take(place)


class _Computed:
    """The shares of a root and nodes `at` (q,), computed for each case."""

    def __init__(self, distances, at, values, share):
        self.at, self.share, tree, tested = at, share, distances.tree, distances.tested[at]
        self.tree = tree if 1 + len(at) == len(tree) else Families(tree, at)
        self.least = None if distances.least is None else distances.least[tested, None]
        lines, self.tables = [], []
        self.row, self.number = np.zeros(1 + len(at), np.intp), np.zeros((1 + len(at), 1))
        for a in np.unique(tested).tolist():
            mine = (tested == a).nonzero()[0]
            prototype = tree.prototype[at[mine]]
            if distances.attributes[a].is_line:
                self.row[1 + mine] = len(lines)
                numbers = distances.attributes[a].numbers(tree.schema[a].values)
                self.number[1 + mine, 0] = numbers[prototype]
                lines.append(values[a].x)
            else:
                self.tables.append((1 + mine, values[a].distance[prototype], values[a].code))
        self.x = np.array(lines) if lines else np.zeros((1, len(next(iter(values.values())).code)))

    def __call__(self, cases):
        """Shares (1 + q, n') of these cases."""
        far = self.x[:, cases].take(self.row, axis=0)
        far -= self.number
        np.abs(far, out=far)
        for mine, table, code in self.tables:
            far[mine] = table[:, code[cases]]
        if self.least is not None:
            np.maximum(far[1:], self.least, out=far[1:])
        return self.share(self.tree, far)


def line_numbers(attribute: Attribute, column: Column) -> np.ndarray:
    """A column (n,) on the line of its attribute, NaN where missing; ValueError if it cannot be."""
    if attribute.is_numeric and column.kind == "numeric":
        return attribute.numbers(column.values)
    values, code = distinct_values(column)
    try:
        return np.append(attribute.numbers(values), np.nan)[code]
    except TypeError as error:
        raise ValueError(
            f"column {column.name!r} was numeric in training but now holds values such as "
            f"{values[0]!r}: convert it to numbers"
        ) from error


def distinct_values(column: Column) -> tuple[list, np.ndarray]:
    """The distinct values of a column, and codes (n,) into them, -1 where missing."""
    if column.kind != "numeric":
        seen = np.bincount(column.values + 1, minlength=len(column.categories) + 1)[1:] > 0
        number = np.append(np.cumsum(seen) - 1, -1)
        return list(compress(column.categories, seen.tolist())), number[column.values]
    known, code = ~column.missing, np.full(len(column.values), -1)
    values, code[known] = np.unique(column.values[known], return_inverse=True)
    return values.tolist(), code
