"""A finished tree as an SQL query: first the node at which each case ends, then what it says."""

import math
from fractions import Fraction
from numbers import Real

import numpy as np

LEVELS = 8  # tests one within another: SQLite's parser keeps a hundred symbols
FEW = 4  # values in a list: DuckDB makes a join of each longer one
QUERY = """WITH RECURSIVE rt_cases AS (
  SELECT
    {columns}
  FROM {table} AS rt_table
), rt_walk AS (
  {walk}
), rt_says (rt_node, {said}) AS (
  VALUES
    {rows}
)
SELECT {shown}
FROM rt_walk LEFT JOIN rt_says ON rt_says.rt_node = rt_walk.rt_node{known}
WHERE rt_walk.rt_node >= 0
ORDER BY rt_walk.rt_row"""


def model_sql(model, table: str, keep=()) -> str:
    """A SELECT of `predict_proba` for each row of a table, otherwise as `Tree.to_sql`.

    With missing="error" NULL and NaN give NULL. Raises TypeError for models that are no tree of
    tests, ValueError for estimates that differ from case to case.
    """
    from ranktrees.base import check_fitted
    from ranktrees.models import DecisionTree
    from ranktrees.shrinkage import CASEWISE

    name = type(model).__name__
    if not isinstance(model, DecisionTree):
        raise TypeError(f"{name} is no single tree of tests: DecisionTree, C45 and C44 give SQL")
    check_fitted(model, "tree_")
    if model.estimate in CASEWISE:
        raise ValueError(
            f"{name}: the estimate {model.estimate!r} differs from case to case, but SQL has one "
            'answer for each node: take with_estimate("laplace").to_sql(...)'
        )
    imputes = model.missing == "impute" and hasattr(model, "encoder_")
    fill = model.encoder_.fill_ if imputes else None
    return to_sql(model.tree_, table, keep, model.node_proba_, fill, model.missing == "error")


def to_sql(tree, table: str, keep=(), proba=None, fill=None, refuse=False) -> str:
    """A SELECT, for SQLite and DuckDB, of the node's class shares where each row of a table ends.

    Or of `proba` (T, C): a column a class, after the columns of the table to `keep`, such as a key.
    The table's columns are called as the attributes, and numbers are numbers there. A value never
    seen, NULL and NaN end where they have no branch; or NULL and NaN are taken as `fill`, a value
    or its code for each attribute, or `refuse` gives NULL for them. Raises ValueError for names
    that do not go together in SQL, TypeError for trees of prototypes.
    """
    if hasattr(tree, "prototype"):
        raise TypeError("a tree of prototypes compares distances, which SQL does not have")
    if not isinstance(table, str):
        raise TypeError(f"table must be the name of a table, not {type(table).__name__}")
    names = {info.name.lower(): info.name for info in tree.schema}
    bad = [info.name for info in tree.schema if names[info.name.lower()] != info.name]
    bad += [name for name in (table, *names.values()) if name.lower().startswith("rt_")]
    if bad:
        why = "SQL ignores capital letters, and what begins with rt_ is the query's own"
        raise ValueError(f"rename {bad[0]!r}: {why}")
    proba = tree.counts / tree.counts.sum(axis=1, keepdims=True) if proba is None else proba
    kept = enumerate([keep] if isinstance(keep, str) else keep)
    kept = {f"rt_keep{k}": _quoted(name) for k, name in kept}
    said = {f"rt_p{c}": _quoted(tree.class_name(c)) for c in range(proba.shape[1])}
    columns = {place: f"rt_table.{name}" for place, name in kept.items()}
    asked = range(len(tree.schema)) if refuse else np.unique(tree.attribute[~tree.is_leaf]).tolist()
    for a in asked:
        name, filled = _quoted(tree.schema[a].name), None if fill is None else fill[a]
        columns[name] = _column(tree.schema[a], f"rt_table.{name}", filled)
    known = [f" AND {_quoted(tree.schema[a].name)} IS NOT NULL" for a in asked if refuse]
    columns["rt_row"] = "row_number() OVER ()"
    rows = [f"({t}, {', '.join(map(_number, row))})" for t, row in enumerate(proba.tolist())]
    return QUERY.format(
        table=_quoted(table),
        columns=",\n    ".join(f"{value} AS {name}" for name, value in columns.items()),
        walk="\n  ".join(_walk(tree, ", ".join(columns))),
        rows=",\n    ".join(rows),
        said=", ".join(said),
        known="".join(known),
        shown=", ".join(f"{place} AS {name}" for place, name in (kept | said).items()),
    )


def _walk(tree, columns):
    """Lines that find the node where each case ends; of deep trees LEVELS tests at a time.

    A case that has to go on stands at -1 less the number of its node.
    """
    if tree.depth <= LEVELS:
        return [f"SELECT {columns}, {_case(tree, 0, LEVELS)} AS rt_node", "FROM rt_cases"]
    starts = np.flatnonzero(~tree.is_leaf & (tree.depths % LEVELS == 0)).tolist()
    ends = [_case(tree, t, tree.depths[t] + LEVELS) for t in starts]
    return [
        f"SELECT {columns}, -1 AS rt_node FROM rt_cases",
        "UNION ALL",
        f"SELECT {columns}, CASE rt_node",
        *[f"WHEN {-1 - t} THEN {end}" for t, end in zip(starts, ends, strict=True)],
        "END AS rt_node FROM rt_walk WHERE rt_node < 0",
    ]


def _case(tree, t, depth, indent="\n  "):
    """The number of the node where a case ends that stands at node t, down to this depth."""
    if tree.attribute[t] < 0 or tree.depths[t] == depth:
        return str(t if tree.attribute[t] < 0 else -1 - t)
    info, branches, indent = tree.schema[tree.attribute[t]], tree.branches_of(t), indent + "  "
    name = _quoted(info.name)
    lines = ["CASE"]
    for child in np.unique(branches[branches >= 0]).tolist():
        test = _test(info, name, np.flatnonzero(branches == child))
        lines.append(f"WHEN {test} THEN {_case(tree, child, depth, indent)}")
    return indent.join([*lines, f"ELSE {t} END"])


def _test(info, name, codes):
    """Whether the value of a column is among these ascending codes."""
    tests = [f"{name} IS NULL"] * bool(info.missing and codes[-1] == info.size - 1)
    known = codes[: len(codes) - len(tests)]
    if info.kind == "numeric":
        runs = np.split(known, np.flatnonzero(np.diff(known) > 1) + 1)
        return " OR ".join([*(_interval(info, name, run) for run in runs if len(run)), *tests])
    write = _writer(info)
    values = [write(info.values[code]) for code in known]
    lists = [", ".join(values[i : i + FEW]) for i in range(0, len(values), FEW)]
    return " OR ".join([*(f"{name} IN ({few})" for few in lists), *tests])


def _interval(info, name, codes):
    above = [f"{name} > {_number(info.cuts[codes[0] - 1])}"] if codes[0] else []
    up_to = [f"{name} <= {_number(cut)}" for cut in info.cuts[codes[-1] : codes[-1] + 1]]
    return " AND ".join([*above, *up_to]) or f"{name} IS NOT NULL"


def _column(info, source, fill):
    """A column of the table as the tree reads it: NaN is NULL, and NULL the fill if it has one."""
    value = info.values[fill] if fill is not None and info.values else fill
    write = _writer(info)
    rest = "NULL" if fill is None else write(value)
    if write is _text:
        return f"COALESCE(CAST({source} AS VARCHAR), {rest})"
    number, largest = f"CAST({source} AS DOUBLE PRECISION)", _number(np.finfo(float).max)
    return f"CASE WHEN ABS({number}) <= {largest} THEN {number} ELSE {rest} END"


def _writer(info):
    """How the values of an attribute are written: numbers and truth as numbers, else text."""
    numbers = all(isinstance(v, Real | np.bool_) and math.isfinite(v) for v in info.values)
    return _number if numbers else _text


def _text(value):
    return "'" + str(value).replace("'", "''") + "'"


def _number(x):
    """A double, read back exactly: SQLite needs 17 digits where x lies about half-way off."""
    x = float(x)
    far = abs(Fraction(repr(x)) - Fraction(x)) > Fraction(math.ulp(x)) * 49 / 100
    text = f"{x:.17g}" if far else repr(x).removesuffix(".0")
    return text if "e" in text else f"{text}e0"


def _quoted(name):
    return '"' + name.replace('"', '""') + '"'
