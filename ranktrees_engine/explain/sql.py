"""A finished tree as an SQL query: first the node at which each case ends, then its estimate."""

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ranktrees_engine.basics.arguments import as_names, check_like
from ranktrees_engine.basics.kinds import Array, Names
from ranktrees_engine.growing.tree import Tree, check_counted
from ranktrees_engine.reading.meaning import EXACT, TRUTH

TEXT = "('TEXT', 'VARCHAR', 'BOOLEAN')"  # what SQLite and DuckDB call text, and what reads so
LEVELS = 8  # tests one within another: SQLite's parser keeps a hundred symbols
FEW = 4  # values in a list: DuckDB makes a join of each longer one


def to_sql(
    tree: Tree,
    table: str,
    keep: Names = (),
    proba: Array | None = None,
    fill: Sequence | None = None,
    refuse: bool = False,
) -> str:
    """Return a SELECT, for SQLite and DuckDB, of class shares at each row's node of a tree.

    `proba` (T, C) replaces the shares. The result has one column per class, after the columns of
    the table to `keep`, such as a key. The table's columns have the attributes' names; values are
    matched by their `spellings`. A row stops at a node if its value there is new, NULL or NaN; but
    `fill`, a value or code for each attribute, replaces NULL and NaN, and `refuse` gives NULL for
    them. Raises ValueError for names that SQL cannot tell apart, TypeError for trees of prototypes.
    """
    check_counted(tree)
    kept = _kept(keep)
    classes = [tree.class_name(c) for c in range(tree.counts.shape[1])]
    _check(tree, table, kept, classes)
    shown = {f"rt_keep{k}": _quoted(name) for k, name in enumerate(kept)}
    columns = {place: f"rt_table.{name}" for place, name in shown.items()}
    asked = range(len(tree.schema)) if refuse else np.unique(tree.attribute[~tree.is_leaf]).tolist()
    known = ["rt_says.rt_node = rt_walk.rt_node"]
    for a in asked:
        name = _inside(tree.schema[a])
        columns[name] = _column(tree.schema[a], fill and fill[a])
        known += [f"{name} IS NOT NULL"] * refuse
    columns["rt_row"] = "row_number() OVER ()"
    said = {f"rt_p{c}": _quoted(name) for c, name in enumerate(classes)}
    proba = tree.counts / tree.counts.sum(axis=1, keepdims=True) if proba is None else proba
    rows = [f"({t}, {', '.join(map(_number, row))})" for t, row in enumerate(proba.tolist())]
    between = ",\n    "
    return f"""WITH RECURSIVE rt_cases AS (
  SELECT
    {between.join(f"{value} AS {name}" for name, value in columns.items())}
  FROM {_quoted(table)} AS rt_table
), rt_walk AS (
  {_walk(tree, ", ".join(columns))}
), rt_says (rt_node, {", ".join(said)}) AS (
  VALUES
    {between.join(rows)}
)
SELECT {", ".join(f"{place} AS {name}" for place, name in (shown | said).items())}
FROM rt_walk LEFT JOIN rt_says ON {_joined(" AND ", known)}
WHERE rt_walk.rt_node >= 0
ORDER BY rt_walk.rt_row"""


def _kept(keep):
    """Return the columns of the table to keep as a list of names."""
    check_like("names of columns to keep", keep, "__iter__")
    return [keep] if isinstance(keep, str) else as_names("keep", keep)


def _check(tree, table, kept, classes):
    """Raise TypeError or ValueError for what cannot be asked, or would mean two things."""
    if tree.of_prototypes:
        raise TypeError("a tree of prototypes compares distances, which SQL does not have")
    _check_names(tree.schema, table, kept, classes)


def _check_names(schema, table, kept, classes):
    """Raise TypeError or ValueError for names that SQL cannot tell apart."""
    check_like("the name of a table", table, "casefold")
    names = [info.name for info in schema]
    times = Counter(name.lower() for name in names)
    for name in (table, *names):
        if name.lower().startswith("rt_") or times[name.lower()] > 1:
            why = "SQL ignores capital letters, and what begins with rt_ is the query's own"
            raise ValueError(f"rename {name!r}: {why}")
    if twice := {name.lower() for name in kept} & {name.lower() for name in classes}:
        raise ValueError(f"{min(twice)!r} is a class, too: give the column to keep another name")
    for what, given in {"classes": classes, "columns to keep": kept}.items():
        if same := [name for name, times in Counter(map(str.lower, given)).items() if times > 1]:
            both = " and ".join(repr(name) for name in given if name.lower() == same[0])
            raise ValueError(f"rename one of the {what} {both}: SQL ignores capital letters")
    texts = [table, *names, *kept, *classes, *(str(v) for info in schema for v in info.values)]
    if nul := [text for text in texts if "\0" in text]:
        raise ValueError(f"rename {nul[0]!r:.80}: SQL ends at a NUL character")


def _walk(tree, columns, walk="rt_walk"):
    """Return the search, named `walk`, for the node where each case ends; LEVELS tests at a time.

    A case that must descend further is stored as -1 - node.
    """
    lines = [f"SELECT {columns}, {_case(tree, 0, LEVELS)} AS rt_node", "FROM rt_cases"]
    starts = np.flatnonzero(~tree.is_leaf & (tree.depths % LEVELS == 0)).tolist()[1:]
    if starts:
        ends = [f"WHEN {-1 - t} THEN {_case(tree, t, tree.depths[t] + LEVELS)}" for t in starts]
        lines += ["UNION ALL", f"SELECT {columns}, CASE rt_node", *ends]
        lines += [f"END FROM {walk} WHERE rt_node < 0"]
    return "\n  ".join(lines)


def _case(tree, t, depth, indent="\n  "):
    """Write a CASE for the node at which a case at node t ends, looked for down to this depth."""
    if tree.attribute[t] < 0 or tree.depths[t] == depth:
        return str(t if tree.attribute[t] < 0 else -1 - t)
    info, branches, indent = tree.schema[tree.attribute[t]], tree.branches_of(t), indent + "  "
    lines = ["CASE"]
    for child in np.unique(branches[branches >= 0]).tolist():
        test = _test(info, np.flatnonzero(branches == child))
        lines.append(f"WHEN {test} THEN {_case(tree, child, depth, indent)}")
    return indent.join([*lines, f"ELSE {t} END"])


def _test(info, codes):
    """Write the test that a column's value has one of these ascending codes.

    No split tears numbers.
    """
    name = _inside(info)
    tests = [f"{name} IS NULL"] * bool(info.missing and codes[-1] == info.size - 1)
    known = codes[: len(codes) - len(tests)]
    if info.kind == "numeric":
        interval = [_interval(info, name, known)] if len(known) else []
        return _joined(" OR ", [*interval, *tests])
    values = [_text(info.values[code]) for code in known]
    lists = [", ".join(values[i : i + FEW]) for i in range(0, len(values), FEW)]
    return _joined(" OR ", [*(f"{name} IN ({few})" for few in lists), *tests])


def _joined(word, tests):
    """Join tests two and two, since SQLite bounds how deep an expression goes."""
    if len(tests) == 1:
        return tests[0]
    half = len(tests) // 2
    return f"({_joined(word, tests[:half])}{word}{_joined(word, tests[half:])})"


def _interval(info, name, codes):
    above = [f"{name} > {_number(info.cuts[codes[0] - 1])}"] if codes[0] else []
    up_to = [f"{name} <= {_number(cut)}" for cut in info.cuts[codes[-1] : codes[-1] + 1]]
    return " AND ".join([*above, *up_to]) or f"{name} IS NOT NULL"


def _column(info, fill):
    """Write a column as the tree reads it: NaN is NULL, and NULL is the fill if there is one."""
    source = f"rt_table.{_quoted(info.name)}"
    if info.kind == "numeric":  # no number is 'NaN' to SQLite, where NaN is NULL already
        value = f"NULLIF(CAST({source} AS DOUBLE PRECISION), 'NaN')"
        return value if fill is None else f"COALESCE({value}, {_number(fill)})"
    value = _name(info, source)
    return value if fill is None else f"COALESCE({value}, {_text(info.values[fill])})"


def _name(info, source):
    """Write the name in training, as text, of a value in a column: see `spellings`."""
    text, other = f"CAST({source} AS VARCHAR)", {"text": [], "truth": [], "number": []}
    for (kind, spelt), code in info.spellings.items():
        value = info.values[code]
        if kind == "number" and (isinstance(value, float) or abs(float(spelt)) < EXACT):
            other[kind].append((_number(spelt), value))
        elif kind == "truth" or (kind == "text" and spelt != str(value)):
            other[kind].append((_text(spelt), value))
    name = _cases(f"lower({text})", other["truth"], _cases(text, other["text"], text))
    if not other["number"]:
        return name
    is_text = f"upper(typeof({source})) IN {TEXT} OR typeof({source}) LIKE 'ENUM%'"
    number = f"CAST({source} AS DOUBLE PRECISION)"
    number = _cases(number, other["number"], f"NULLIF({text}, 'nan')")
    return f"CASE WHEN {is_text} THEN {name} ELSE {number} END"


def _cases(value, names, otherwise):
    """Write a CASE that turns a value into the name that stands for it, or into `otherwise`."""
    if not names:
        return otherwise
    cases = " ".join(f"WHEN {spelt} THEN {_text(name)}" for spelt, name in names)
    return f"CASE {value} {cases} ELSE {otherwise} END"


def _text(value):
    return "'" + str(value).replace("'", "''") + "'"


def _number(x):
    """Write a double that is read back exactly.

    SQLite needs 17 digits where x lies about half-way off.
    """
    x = float(x)
    far = abs(Fraction(repr(x)) - Fraction(x)) > Fraction(math.ulp(x)) * 49 / 100
    text = f"{x:.17g}" if far else repr(x).removesuffix(".0")
    return text if "e" in text else f"{text}e0"


def _inside(info):
    """Return an attribute's column name in the query; SQLite takes "true" of a query for 1."""
    return _quoted(f"rt_{info.name}" if info.name.lower() in TRUTH else info.name)


def _quoted(name):
    return '"' + name.replace('"', '""') + '"'
