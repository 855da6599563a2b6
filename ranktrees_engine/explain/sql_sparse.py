"""Path Bayes and the path forest with a row per factor, for many classes or values.

The row of a node and a value has what the factor adds to the log odds of each class against the
first; what adds nothing has no row.
"""

from collections.abc import Iterator

import numpy as np

from ranktrees_engine.basics.logarithms import log
from ranktrees_engine.explain.sql import _inside, _walk
from ranktrees_engine.explain.sql_trees import PathTree, starts_of, value_tests

TERMS = 400  # of a UNION, of which SQLite takes 500
AT_ONCE = 32  # values of a case that one SELECT gives
TREE = -1  # the value under which a node has the tree's own estimate
DIGITS = 13  # of a term of a sum


class SparseFactors:
    """The factors of all trees as rows of a node, a value and numbers for each class but the first.

    No `rows` are kept if they have more than `most` bytes; `size` is at least that.
    """

    def __init__(self, trees: list[PathTree], n_classes: int, most: int | None):
        self.trees, self.rows, self.size = trees, [], 0
        self.odds = [f"rt_s{c}" for c in range(1, n_classes)]
        odds = "".join(f"{name} DOUBLE PRECISION, " for name in self.odds)
        self.columns = f"rt_node INTEGER, rt_value INTEGER, {odds}PRIMARY KEY (rt_node, rt_value)"
        for node, value, added in _odds(trees):
            numbers = "".join(f",{x:.{DIGITS}g}" for x in added)
            self.rows.append(f"({node},{value}{numbers})")
            self.size += len(self.rows[-1]) + 6
            if most is not None and self.size > most:
                self.rows = []

    def head(self, named: str) -> str:
        """Return the name of the factors with those of its columns."""
        return f"{named} ({', '.join(['rt_node', 'rt_value', *self.odds])})"

    def once(self, part: str, named: str) -> bool:
        """Return whether a part is computed once: SQLite repeats it for each name in it."""
        return True

    def parts(self, prior: list[str], keeps: list[str], named: str) -> dict:
        """Write each case's node in each tree, its values, and the sums of their factors."""
        made, ends, C = {}, [], len(prior)
        for e, (each, start) in enumerate(zip(self.trees, starts_of(self.trees), strict=True)):
            asked = np.unique(each.tree.attribute[~each.tree.is_leaf]).tolist()
            needed = ["rt_row", *(_inside(each.tree.schema[a]) for a in asked)]
            made[f"rt_walk{e}"] = _walk(each.tree, ", ".join(needed), f"rt_walk{e}")
            end = f"SELECT rt_row, {each.grid} AS rt_grid, rt_node + {start} AS rt_node"
            ends.append(f"{end} FROM rt_walk{e} WHERE rt_node >= 0")
        made["rt_ends"] = _union(ends)
        grids = {each.grid: each for each in self.trees}
        made["rt_numbers (rt_k)"] = f"VALUES {', '.join(f'({k})' for k in range(AT_ONCE))}"
        made["rt_values"] = _union(
            some for g, each in grids.items() for some in _values(g, [str(TREE), *_codes(each)])
        )
        sums = "".join(f", SUM(rt_table.rt_s{c}) AS rt_s{c}" for c in range(1, C))
        made["rt_sums"] = f"""SELECT rt_ends.rt_row{sums}
  FROM rt_ends
  JOIN rt_values ON rt_values.rt_row = rt_ends.rt_row AND rt_values.rt_grid = rt_ends.rt_grid
  JOIN {named} AS rt_table
    ON rt_table.rt_node = rt_ends.rt_node AND rt_table.rt_value = rt_values.rt_value
  GROUP BY rt_ends.rt_row"""
        odds = [f"rt_sums.rt_s{c} + ({prior[c]}) AS rt_s{c}" for c in range(1, C)]
        shown = ", ".join(["rt_cases.rt_row", *keeps, f"{prior[0]} AS rt_s0", *odds])
        made["rt_odds"] = f"""SELECT {shown}
  FROM rt_cases LEFT JOIN rt_sums ON rt_sums.rt_row = rt_cases.rt_row"""
        return made


def _odds(trees) -> Iterator[tuple[int, int, list]]:
    """Yield node, value and what it adds to the log odds of each class against the first."""
    for each, start in zip(trees, starts_of(trees), strict=True):
        T, counts = len(each.tree), each.factors.counts
        for t, log_t in enumerate(each.log_t):
            yield start + t, TREE, (log_t[1:] - log_t[0]).tolist()
        for values in counts.blocks():
            log_f = log(each.factors.of_values(values)[:-1]).reshape(T, len(values), -1)
            log_f = (log_f[..., 1:] - log_f[..., :1]) * each.weights[counts.attribute[values], None]
            for t, m in np.argwhere(log_f.any(axis=2)).tolist():
                yield start + t, int(values[m]), log_f[t, m].tolist()


def _values(grid, values):
    """Yield SELECTs of some values each: a database expands `rt_cases` wherever it is named."""
    for i in range(0, len(values), AT_ONCE):
        some = values[i : i + AT_ONCE]
        value = " ".join(f"WHEN {k} THEN {text}" for k, text in enumerate(some))
        columns = f"rt_row, {grid} AS rt_grid, CASE rt_k {value} END AS rt_value"
        yield f"SELECT {columns} FROM rt_cases, rt_numbers WHERE rt_k < {len(some)}"


def _codes(each):
    """Yield, per attribute, the number of its value in the grid; NULL of a new one."""
    for a, offset in enumerate(each.factors.counts.offsets[:-1].tolist()):
        tests = enumerate(value_tests(each, a), offset)
        yield f"CASE {' '.join(f'WHEN {test} THEN {m}' for m, test in tests)} END"


def _union(selects):
    """Return the union of all rows of the selects, some of them at a time."""
    selects = list(selects)
    while len(selects) > 1:
        few = (selects[i : i + TERMS] for i in range(0, len(selects), TERMS))
        joined = ["\n  UNION ALL ".join(part) for part in few]
        selects = [f"SELECT * FROM ({text}) AS rt_part" for text in joined]
    return selects[0]
