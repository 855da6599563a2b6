"""Path Bayes and the path forest as an SQL query: a search per tree, and sums of looked-up odds.

A factor of a node and a value adds to the log odds of each class against the first, times its
weight. A case has a node in each tree and a value of each attribute; its factors are added up. If
all values have at most `WIDE` factors per node, they are one row, and so is a case: each tree is
one join (`sql_wide`). Otherwise each factor that is not 0 is a row, and a case is a row per tree
and attribute (`sql_sparse`).
"""

from ranktrees_engine.basics.arguments import check_flag, check_number, choose
from ranktrees_engine.basics.kinds import Array, Names
from ranktrees_engine.explain.sql import _check, _column, _inside, _joined, _kept, _number, _quoted
from ranktrees_engine.explain.sql_sparse import SparseFactors
from ranktrees_engine.explain.sql_trees import PathTree
from ranktrees_engine.explain.sql_wide import ListFactors, WideFactors

MAX_BYTES = 16 << 20  # of a query
WIDE = 1000  # numbers of a node or a case: SQLite has 2,000 columns at most, PostgreSQL 1,600
ROWS = 500  # of an INSERT
GROUP = 16  # classes whose largest one is found at a time
DIALECTS = {"any": WideFactors, "duckdb": ListFactors}
HINT = " MATERIALIZED"  # SQLite and PostgreSQL else repeat a part for each name in it
LEAST = "-700e0"  # logarithm: PostgreSQL refuses exp of less than -745, which is 0 elsewhere


def paths_to_sql(
    trees: list[PathTree],
    log_prior: Array,
    table: str,
    keep: Names = (),
    fill: list | None = None,
    refuse: bool = False,
    tables: bool = False,
    max_bytes: int = MAX_BYTES,
    dialect: str = "any",
) -> str | tuple[str, str]:
    """Return a SELECT of class probabilities for each row of a table, as `to_sql` for a tree.

    `log_prior` (C,) is the prior's part. With `tables` the result is two strings: statements that
    make the table of factors, and a query that reads it. The `dialect` "any" is for SQLite, DuckDB
    and PostgreSQL; "duckdb" is faster there. Raises ValueError for a query of more than
    `max_bytes`.
    """
    check_flag("tables", tables)
    check_number("max_bytes", max_bytes, 1, whole=True)
    choose("dialect", dialect, DIALECTS)
    first, C = trees[0].tree, len(log_prior)
    kept = _kept(keep)
    classes = [first.class_name(c) for c in range(C)]
    _check(first, table, kept, classes)
    form = DIALECTS[dialect] if _is_wide(trees, C, len(kept)) else SparseFactors
    factors = form(trees, C, None if tables else max_bytes)
    named, rows = _quoted(f"{table}_factors" if tables else "rt_factors"), factors.rows
    parts = {} if tables else {factors.head(named): "VALUES\n    " + ",\n    ".join(rows)}
    keeps = [f"rt_keep{k}" for k in range(len(kept))]
    parts |= {"rt_cases": _cases_read(first.schema, table, kept, fill)}
    prior = _prior(log_prior, [_inside(info) for info in first.schema] if refuse else [])
    parts |= factors.parts(prior, keeps, named)
    _shares(parts, keeps, C)
    parts = {f"{n} AS{HINT * factors.once(n, named)}": text for n, text in parts.items()}
    query = _query(parts, keeps, kept, classes)
    size = len(query.encode()) + (0 if tables or rows else factors.size)
    if size > max_bytes:
        raise ValueError(
            f"the query takes {size:,} bytes, and max_bytes={max_bytes:,} are given: give as many, "
            "or tables=True, which puts the factors into a table of their own"
        )
    return (_statements(factors.columns, named, rows), query) if tables else query


def _is_wide(trees, n_classes, n_kept):
    """Return whether neither a node nor a case has more than `WIDE` numbers."""
    values = max(len(each.factors.counts.attribute) for each in trees)
    grids, A = len({each.grid for each in trees}), len(trees[0].schema)
    case = n_kept + (grids + 1) * A + len(trees) + n_classes
    return max((values + 1) * (n_classes - 1), case) <= WIDE


def _cases_read(schema, table, kept, fill):
    """Write the cases as trees read them and, if these fill in what is missing, as it was."""
    columns = {f"rt_keep{k}": f"rt_table.{_quoted(name)}" for k, name in enumerate(kept)}
    for a, info in enumerate(schema):
        columns[_inside(info)] = _column(info, fill and fill[a])
        columns[f"rt_known{a}"] = _column(info, None)
    columns["rt_row"] = "row_number() OVER ()"
    read = ",\n    ".join(f"{value} AS {name}" for name, value in columns.items())
    return f"SELECT\n    {read}\n  FROM {_quoted(table)} AS rt_table"


def _prior(log_prior, refused):
    """Write the prior's log odds, by class; they are NULL for a case with a gap in `refused`."""
    known = _joined(" AND ", [f"{name} IS NOT NULL" for name in refused] or ["1 = 1"])
    odds = (log_prior - log_prior[0]).tolist()
    return [f"CASE WHEN {known} THEN {_number(x)} END" if refused else _number(x) for x in odds]


def _query(parts, keeps, kept, classes):
    """Write the whole query, with the share of each class in the sum of all."""
    total = _joined(" + ", [f"rt_p{c}" for c in range(len(classes))])
    shown = [f"{k} AS {_quoted(name)}" for k, name in zip(keeps, kept, strict=True)]
    shown += [f"rt_p{c} / {total} AS {_quoted(name)}" for c, name in enumerate(classes)]
    withs = "\n), ".join(f"{name} (\n  {text}" for name, text in parts.items())
    return f"WITH RECURSIVE {withs}\n)\nSELECT {', '.join(shown)}\nFROM rt_shares\nORDER BY rt_row"


def _shares(parts, keeps, n_classes):
    """Add the parts that find the largest log odds, and what each class has to it."""
    tops, level = [f"rt_s{c}" for c in range(n_classes)], 0
    while len(tops) > 1:
        some = [tops[i : i + GROUP] for i in range(0, len(tops), GROUP)]
        tops = [f"rt_top{level}_{i}" for i in range(len(some))]
        found = ", ".join(f"{_largest(of)} AS {top}" for of, top in zip(some, tops, strict=True))
        parts[f"rt_tops{level}"] = f"SELECT *, {found}\n  FROM {_last(parts)}"
        level += 1
    less = [(c, f"rt_s{c} - {tops[0]}") for c in range(n_classes)]
    shares = [f"exp(CASE WHEN {x} < {LEAST} THEN {LEAST} ELSE {x} END) AS rt_p{c}" for c, x in less]
    parts["rt_shares"] = f"SELECT {', '.join(['rt_row', *keeps, *shares])}\n  FROM {_last(parts)}"


def _last(parts):
    return [*parts][-1]


def _largest(names):
    """Write the largest of some columns: SQLite has no GREATEST, PostgreSQL no MAX of two."""
    whens = [
        f"WHEN {' AND '.join(f'{name} >= {other}' for other in names[i + 1 :])} THEN {name}"
        for i, name in enumerate(names[:-1])
    ]
    return f"CASE {' '.join(whens)} ELSE {names[-1]} END" if whens else names[0]


def _statements(columns, named, rows):
    """Return the statements that make the table of factors."""
    each = (",\n".join(rows[i : i + ROWS]) for i in range(0, len(rows), ROWS))
    made = f"CREATE TABLE {named} ({columns});"
    return "\n".join([made, *(f"INSERT INTO {named} VALUES\n{some};" for some in each)])
