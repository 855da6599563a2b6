"""Path Bayes and the path forest as an SQL query: a search per tree, and sums of looked-up odds.

All factors are tables: the row of a node and a value has what the factor adds to the log odds of
each class against the first, times its weight. A case has a node in each tree and a value of each
attribute; its rows are added up.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.arguments import check_flag, check_number
from ranktrees_engine.basics.kinds import Array, Names
from ranktrees_engine.basics.logarithms import log
from ranktrees_engine.estimates.path_factors import PathFactors
from ranktrees_engine.explain.sql import (
    _check,
    _column,
    _inside,
    _joined,
    _kept,
    _number,
    _quoted,
    _test,
    _walk,
)
from ranktrees_engine.growing.tree import Tree

MAX_BYTES = 16 << 20  # of a query
TERMS, ROWS = 400, 500  # of a UNION, of which SQLite takes 500; of an INSERT
AT_ONCE = 32  # values of a case that one SELECT gives
TREE = -1  # the value under which a node has the tree's own estimate
DIGITS = 13  # of a term of a sum


class PathTree(NamedTuple):
    """A tree of a pool: its nodes' part log_t (T, C), its factors, and the grid that they use.

    `weights` (A,) are those of its factors in the pool; `schema` is the grid's.
    """

    tree: Tree
    log_t: np.ndarray
    factors: PathFactors
    weights: np.ndarray
    grid: int
    schema: tuple


def paths_to_sql(
    trees: list[PathTree],
    log_prior: Array,
    table: str,
    keep: Names = (),
    fill: list | None = None,
    refuse: bool = False,
    tables: bool = False,
    max_bytes: int = MAX_BYTES,
) -> str | tuple[str, str]:
    """Return a SELECT of class probabilities for each row of a table, as `to_sql` for a tree.

    `log_prior` (C,) is the prior's part. With `tables` the result is two strings: statements that
    make the table of factors, and a query that reads it. Raises ValueError for a query of more than
    `max_bytes`.
    """
    check_flag("tables", tables)
    check_number("max_bytes", max_bytes, 1, whole=True)
    first, C = trees[0].tree, len(log_prior)
    kept = _kept(keep)
    classes = [first.class_name(c) for c in range(C)]
    _check(first, table, kept, classes)
    odds = [f"rt_s{c}" for c in range(1, C)]
    named = f"{table}_factors" if tables else "rt_factors"
    head = f"{_quoted(named)} (rt_node, rt_value{''.join(f', {name}' for name in odds)})"
    rows, size = _rows(trees, max_bytes if not tables else None)
    made = {} if tables else {head: "VALUES\n    " + ",\n    ".join(rows)}
    parts = _parts(trees, table, kept, fill) | made | _sums(log_prior, odds, _quoted(named))
    shown = [f"rt_cases.rt_keep{k} AS {_quoted(name)}" for k, name in enumerate(kept)]
    total = _joined(" + ", [f"exp(rt_s{c} - rt_top)" for c in range(C)])
    shown += [f"exp(rt_s{c} - rt_top) / {total} AS {_quoted(n)}" for c, n in enumerate(classes)]
    known = [f"{_inside(info)} IS NOT NULL" for info in first.schema] if refuse else ["1 = 1"]
    withs = "\n), ".join(f"{name} AS (\n  {text}" for name, text in parts.items())
    query = f"""WITH RECURSIVE {withs}
)
SELECT {", ".join(shown)}
FROM rt_cases LEFT JOIN rt_sums ON rt_sums.rt_row = rt_cases.rt_row AND {_joined(" AND ", known)}
LEFT JOIN rt_tops ON rt_tops.rt_row = rt_sums.rt_row
ORDER BY rt_cases.rt_row"""
    size = len(query.encode()) + (0 if tables or rows else size)
    if size > max_bytes:
        raise ValueError(
            f"the query takes {size:,} bytes, and max_bytes={max_bytes:,} are given: give as many, "
            "or tables=True, which puts the factors into a table of their own"
        )
    if not tables:
        return query
    return _statements(_quoted(named), odds, rows), query


def _statements(named, odds, rows):
    """Return the statements that make the table of factors."""
    types = ["rt_node INTEGER", "rt_value INTEGER"]
    types += [f"{name} DOUBLE PRECISION" for name in odds]
    made = f"CREATE TABLE {named} ({', '.join(types)}, PRIMARY KEY (rt_node, rt_value));"
    each = (",\n".join(rows[i : i + ROWS]) for i in range(0, len(rows), ROWS))
    return "\n".join([made, *(f"INSERT INTO {named} VALUES\n{some};" for some in each)])


def _rows(trees, most):
    """Return the rows of the table of factors, and their bytes; no rows if more than `most`."""
    rows, size = [], 0
    for node, value, odds in _odds(trees):
        numbers = "".join(f",{x:.{DIGITS}g}" for x in odds)
        rows.append(f"({node},{value}{numbers})")
        size += len(rows[-1]) + 6
        if most is not None and size > most:
            rows = []
    return rows, size


def _odds(trees) -> Iterator[tuple[int, int, list]]:
    """Yield node, value and what it adds to the log odds of each class against the first."""
    for each, start in zip(trees, _starts(trees), strict=True):
        T, counts = len(each.tree), each.factors.counts
        for t, log_t in enumerate(each.log_t):
            yield start + t, TREE, (log_t[1:] - log_t[0]).tolist()
        for values in counts.blocks():
            log_f = log(each.factors.of_values(values)[:-1]).reshape(T, len(values), -1)
            log_f = (log_f[..., 1:] - log_f[..., :1]) * each.weights[counts.attribute[values], None]
            for t, m in np.argwhere(log_f.any(axis=2)).tolist():
                yield start + t, int(values[m]), log_f[t, m].tolist()


def _starts(trees):
    """Return the number of each tree's root, where the nodes of all trees are counted."""
    sizes = [len(each.tree) for each in trees]
    return np.concatenate([[0], np.cumsum(sizes)])[:-1].tolist()


def _parts(trees, table, kept, fill):
    """Write the cases as trees and factors read them, their node in each tree, their values."""
    schema = trees[0].tree.schema
    columns = {f"rt_keep{k}": f"rt_table.{_quoted(name)}" for k, name in enumerate(kept)}
    for a, info in enumerate(schema):
        columns[_inside(info)] = _column(info, fill and fill[a])
        columns[f"rt_known{a}"] = _column(info, None)
    columns["rt_row"] = "row_number() OVER ()"
    read = ",\n    ".join(f"{value} AS {name}" for name, value in columns.items())
    parts = {"rt_cases": f"SELECT\n    {read}\n  FROM {_quoted(table)} AS rt_table"}
    ends = []
    for e, (each, start) in enumerate(zip(trees, _starts(trees), strict=True)):
        asked = np.unique(each.tree.attribute[~each.tree.is_leaf]).tolist()
        needed = ["rt_row", *(_inside(schema[a]) for a in asked)]
        parts[f"rt_walk{e}"] = _walk(each.tree, ", ".join(needed), f"rt_walk{e}")
        end = f"SELECT rt_row, {each.grid} AS rt_grid, rt_node + {start} AS rt_node"
        ends.append(f"{end} FROM rt_walk{e} WHERE rt_node >= 0")
    parts["rt_ends"] = _union(ends)
    grids = {each.grid: each for each in trees}
    parts["rt_numbers (rt_k)"] = f"VALUES {', '.join(f'({k})' for k in range(AT_ONCE))}"
    parts["rt_values"] = _union(
        some for g, each in grids.items() for some in _values(g, [str(TREE), *_codes(each)])
    )
    return parts


def _values(grid, values):
    """Yield SELECTs of some values each: a database expands `rt_cases` wherever it is named."""
    for i in range(0, len(values), AT_ONCE):
        some = values[i : i + AT_ONCE]
        value = " ".join(f"WHEN {k} THEN {text}" for k, text in enumerate(some))
        columns = f"rt_row, {grid} AS rt_grid, CASE rt_k {value} END AS rt_value"
        yield f"SELECT {columns} FROM rt_cases, rt_numbers WHERE rt_k < {len(some)}"


def _codes(each):
    """Yield, per attribute, the number of its value in the grid; NULL of a new one."""
    counts = each.factors.counts
    for a, info in enumerate(each.schema):
        info, size = replace(info, name=f"rt_known{a}"), min(int(counts.sizes[a]), info.size)
        tests = (
            f"WHEN {_test(info, np.array([v]))} THEN {counts.offsets[a] + v}" for v in range(size)
        )
        yield f"CASE {' '.join(tests)} END"


def _sums(log_prior, odds, factors):
    """Return the log odds of each case against the first class, and the largest of them."""
    prior = log_prior - log_prior[0]
    added = [f"SUM({s}) + ({_number(p)}) AS {s}" for s, p in zip(odds, prior[1:], strict=True)]
    found = "rt_values.rt_row = rt_ends.rt_row AND rt_values.rt_grid = rt_ends.rt_grid"
    rows = "rt_table.rt_node = rt_ends.rt_node AND rt_table.rt_value = rt_values.rt_value"
    sums = ", ".join(["rt_ends.rt_row", "0e0 AS rt_s0", *added])
    of_class = (f"SELECT rt_row, {s} AS rt_s FROM rt_sums" for s in ("rt_s0", *odds))
    return {
        "rt_sums": f"SELECT {sums}\n  FROM rt_ends JOIN rt_values ON {found}\n"
        f"  JOIN {factors} AS rt_table ON {rows}\n  GROUP BY rt_ends.rt_row",
        "rt_all": _union(of_class),
        "rt_tops": "SELECT rt_row, MAX(rt_s) AS rt_top FROM rt_all GROUP BY rt_row",
    }


def _union(selects):
    """Return the union of all rows of the selects, some of them at a time."""
    selects = list(selects)
    while len(selects) > 1:
        few = (selects[i : i + TERMS] for i in range(0, len(selects), TERMS))
        joined = ["\n  UNION ALL ".join(part) for part in few]
        selects = [f"SELECT * FROM ({text}) AS rt_part" for text in joined]
    return selects[0]
