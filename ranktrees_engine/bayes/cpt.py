"""Conditional probability tables, written by hand as a dict or a DataFrame, or counted."""

from collections.abc import Mapping
from itertools import product
from numbers import Real

import numpy as np
import pandas as pd

from ranktrees_engine.bayes.tables import smoothed_shares
from ranktrees_engine.growing.count import tally


def check_cells(what: str, sizes, advice: str, most: int = 1 << 20) -> None:
    """Raise ValueError, with advice, if a table of these sizes has too many cells to list."""
    cells = int(np.prod(sizes, dtype=object))
    if cells > most:
        raise ValueError(f"{what} has {cells:,} cells, more than {most:,}: {advice}")


def counted(name, codes, sizes, smoothing, m) -> np.ndarray:
    """Count P(value | parents), parents' axes first, from codes (n,) of the parents and the node.

    Cases in which one of these is missing (-1) are ignored.
    """
    check_cells(f"the table of {name!r}", sizes, "take fewer parents")
    known = np.all([c >= 0 for c in codes], axis=0)
    counts = tally(tuple(sizes), *[c[known] for c in codes])
    return smoothed_shares(counts, counts.sum(axis=-1, keepdims=True), sizes[-1], smoothing, m)


def read_table(name: str, table, parents: list[str], states: Mapping[str, list]):
    """Read the node's values and P(value | parents), parents' axes first, from a written table.

    The table is a dict {parents' values: {value: P}}, {value: P} for a root, or a DataFrame with a
    row for each combination of the parents' values and a column for each value. Raises ValueError
    if a combination is missing or unknown, or a row does not sum to one.
    """
    what, rows = f"the table of {name!r}", _rows(name, table, parents)
    values = list(dict.fromkeys(v for row in rows.values() for v in row))
    if not values:
        raise ValueError(f"{what} is empty: give each value a probability")
    combinations = list(product(*[states[p] for p in parents]))
    if lacking := [key for key in combinations if key not in rows]:
        raise ValueError(
            f"{what} lacks the row for {_where(parents, lacking[0])}: give one for each "
            "combination of the parents' values"
        )
    if unknown := [key for key in rows if key not in combinations]:
        raise ValueError(
            f"{what} has a row for {_where(parents, unknown[0])}, but the values of "
            f"{', '.join(map(repr, parents)) or 'its parents'} are "
            f"{'; '.join(str(states[p]) for p in parents) or 'none, since it has no parents'}"
        )
    P = [_row(what, _where(parents, key), rows[key], values) for key in combinations]
    return values, np.reshape(P, [*(len(states[p]) for p in parents), len(values)])


def _rows(name, table, parents):
    """Return {tuple of the parents' values: {value: P}}."""
    if isinstance(table, pd.Series):
        table = table.to_dict()
    if isinstance(table, pd.DataFrame):
        table = _in_order(name, table, parents).T.to_dict()
        table = next(iter(table.values())) if not parents and len(table) == 1 else table
    if not isinstance(table, Mapping):
        raise TypeError(f"the table of {name!r} must be a dict or DataFrame, not {table!r}")
    rows = table if parents else {(): table}
    if flat := [key for key, row in rows.items() if not isinstance(row, Mapping)]:
        raise ValueError(
            f"the table of {name!r} needs a dict {{value: P}} for each combination of "
            f"{parents}, but has {flat[0]!r}: {rows[flat[0]]!r}"
        )
    return {key if isinstance(key, tuple) else (key,): dict(row) for key, row in rows.items()}


def _in_order(name, table, parents):
    """Return the DataFrame with its index levels in the order of the parents, if it names them."""
    if not table.index.is_unique or not table.columns.is_unique:
        raise ValueError(f"the table of {name!r} has a row or column more than once")
    named = [level for level in table.index.names if level is not None]
    if len(parents) < 2 or not named:
        return table
    if sorted(map(str, named)) != sorted(parents):
        raise ValueError(f"the table of {name!r} has rows for {named}, but its parents: {parents}")
    return table.reorder_levels(parents)


def _row(what, where, row, values):
    """Return P (V,) of the values in one row."""
    if lacking := [v for v in values if v not in row]:
        raise ValueError(f"{what} lacks the value {lacking[0]!r} in the row {where}")
    if wrong := [p for p in row.values() if not isinstance(p, Real) or not 0 <= p <= 1 + 1e-9]:
        raise ValueError(
            f"{what} has {wrong[0]!r} in the row {where}, which is not a probability: give numbers "
            "from 0 to 1"
        )
    p = np.array([row[v] for v in values], float)
    if not abs(p.sum() - 1) < 1e-9:
        raise ValueError(
            f"{what} sums to {p.sum():.10g}, not 1, in the row {where}: divide the row by its sum"
        )
    return p / p.sum()


def _where(parents, combination):
    """Return a combination in words: a=x, b=y."""
    if len(parents) != len(combination):
        return str(combination)
    return ", ".join(f"{p}={v}" for p, v in zip(parents, combination, strict=True)) or "of the root"


def as_frame(name: str, P: np.ndarray, parents: list[str], states: Mapping[str, list]):
    """Return P(value | parents) as a DataFrame: a row per combination, a column per value."""
    columns = pd.Index(states[name], name=name)
    if not parents:
        return pd.DataFrame(P[None], columns=columns)
    rows = pd.MultiIndex.from_product([states[p] for p in parents], names=parents)
    index = rows if len(parents) > 1 else rows.get_level_values(0)
    return pd.DataFrame(P.reshape(-1, P.shape[-1]), index, columns)
