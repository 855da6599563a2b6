"""Path Bayes and the path forest with one row per node and one per case, for few classes.

A node's row is a text of numbers of one width, which databases read far faster than as many numbers
of a query. The text is taken apart once per node: into columns, of which a case takes that of its
value, or into a list, which only DuckDB has.
"""

from collections.abc import Iterator

import numpy as np

from ranktrees_engine.basics.logarithms import log
from ranktrees_engine.explain.sql import LEVELS, _case, _inside, _joined
from ranktrees_engine.explain.sql_trees import PathTree, starts_of, value_tests

PLACES = 12  # behind the point of a number: their sums are right to 1e-9
AT_ONCE = 1500  # columns of factors in one join: PostgreSQL has 1,600 at most
JOINS = 32  # trees in one join: SQLite joins 64 tables at most


class WideFactors:
    """The factors of all trees as rows of a node and its text.

    The text has, for each class but the first, what the tree itself adds to the log odds, then what
    each value of each attribute adds, and a 0 for an attribute's other values. No `rows` are kept
    if they have more than `most` bytes; `size` is that of all.
    """

    columns = "rt_node INTEGER PRIMARY KEY, rt_odds TEXT"

    def __init__(self, trees: list[PathTree], n_classes: int, most: int | None):
        self.trees, self.n_classes, self.starts = trees, n_classes, starts_of(trees)
        tables = [_table(each) for each in trees]
        texts = [[f"{x:.{PLACES}f}" for x in table.ravel()] for table in tables]
        self.digits = max(max(map(len, some)) for some in texts)
        bytes_of_row = [table[0].size * (self.digits + 1) + 12 for table in tables]
        self.size = sum(len(t) * size for t, size in zip(tables, bytes_of_row, strict=True))
        self.rows = []
        if most is None or self.size <= most:
            for some, table, start in zip(texts, tables, self.starts, strict=True):
                self.rows += self._texts(some, table[0].size, start)

    def head(self, named: str) -> str:
        """Return the name of the factors with those of its columns."""
        return f"{named} (rt_node, rt_odds)"

    def parts(self, prior: list[str], keeps: list[str], named: str, dialect: str) -> dict:
        """Write the codes of each case's values, its node in each tree, and sums of factors."""
        names, codes = self._codes()
        nodes = {e: _case(each.tree, 0, LEVELS) for e, each in enumerate(self.trees)}
        odds = [f"{value} AS rt_s{c}" for c, value in enumerate(prior)]
        asked = [_inside(info) for info in self.trees[0].tree.schema]
        made = [f"{text} AS {name}" for text, name in codes.items()]
        kept = ["rt_row", *keeps, *codes.values()]
        parts = {"rt_codes": _select(["rt_row", *keeps, *made, *asked, *odds, *_nodes(nodes)])}
        sums = [f"rt_s{c}" for c in range(self.n_classes)]
        for depth in range(LEVELS, max(each.tree.depth for each in self.trees), LEVELS):
            nodes = {e: _deeper(each.tree, e, depth) for e, each in enumerate(self.trees)}
            columns = [*kept, *asked, *sums, *_nodes(nodes)]
            parts[f"rt_deep{depth}"] = _select(columns, [*parts][-1])
        last, take = [*parts][-1], self._list if dialect == "duckdb" else self._columns
        parts |= {f"rt_tree{e}": take(e, named) for e in range(len(self.trees))}
        for few in self._together():
            later = [f"rt_n{e}" for e in range(few[-1] + 1, len(self.trees))]
            sums = ["rt_s0", *(self._sum(c, few, names, dialect) for c in range(1, len(prior)))]
            joins = [f"LEFT JOIN rt_tree{e} ON rt_tree{e}.rt_node = rt_n{e}" for e in few]
            parts[f"rt_sums{few[0]}"] = "\n  ".join([_select([*kept, *sums, *later], last), *joins])
            last = f"rt_sums{few[0]}"
        return parts

    def _texts(self, numbers, width, start):
        """Yield the rows of a tree whose numbers lie end to end."""
        for t in range(0, len(numbers), width):
            row = ",".join(x.rjust(self.digits) for x in numbers[t : t + width])
            yield f"({start + t // width},'{row}')"

    def _codes(self):
        """Return the column of each grid's attribute, and columns by the text that they stand for.

        A code is that of a value, or their number for all others. Grids may share a column.
        """
        names, codes = {}, {}
        for g, each in {each.grid: each for each in self.trees}.items():
            for a, size in enumerate(each.factors.counts.sizes.tolist()):
                tests = " ".join(f"WHEN {t} THEN {v}" for v, t in enumerate(value_tests(each, a)))
                text = f"CASE {tests} ELSE {size} END"
                names[g, a] = codes.setdefault(text, f"rt_code{len(codes)}")
        return names, codes

    def _together(self) -> Iterator[list[int]]:
        """Yield trees that are joined at the same time."""
        few, width = [], 0
        for e, each in enumerate(self.trees):
            more = _width(each) * (self.n_classes - 1)
            if few and (width + more > AT_ONCE or len(few) == JOINS):
                yield few
                few, width = [], 0
            few, width = [*few, e], width + more
        yield few

    def _of_tree(self, e, columns, named):
        first, each = self.starts[e], self.trees[e]
        where = f"WHERE rt_node >= {first} AND rt_node < {first + len(each.tree)}"
        node = f"rt_node - {first} AS rt_node" if first else "rt_node"
        return f"SELECT {node}, {', '.join(columns)}\n  FROM {named} {where}"

    def _list(self, e, named):
        """Write the nodes of a tree with all their factors as a list."""
        return self._of_tree(e, ["CAST('[' || rt_odds || ']' AS DOUBLE[]) AS rt_list"], named)

    def _columns(self, e, named):
        """Write the nodes of a tree with a column per factor."""
        step = self.digits + 1
        places = range(_width(self.trees[e]) * (self.n_classes - 1))
        text = "CAST(substr(rt_odds, {}, {}) AS DOUBLE PRECISION) AS rt_f{}"
        columns = [text.format(1 + i * step, self.digits, i) for i in places]
        return self._of_tree(e, columns, named)

    def _sum(self, c, few, names, dialect):
        """Write the log odds of a class with what a few trees add."""
        terms = [f"rt_s{c}"]
        for e in few:
            each = self.trees[e]
            first, sizes = (c - 1) * _width(each), each.factors.counts.sizes.tolist()
            tree = f"rt_tree{e}.rt_"
            terms.append(f"{tree}list[{first + 1}]" if dialect == "duckdb" else f"{tree}f{first}")
            first += 1
            for a, size in enumerate(sizes):
                code = names[each.grid, a]
                if dialect == "duckdb":
                    terms.append(f"{tree}list[{first + 1} + {code}]")
                else:
                    whens = " ".join(f"WHEN {v} THEN {tree}f{first + v}" for v in range(size))
                    terms.append(f"CASE {code} {whens} ELSE 0e0 END")
                first += size + 1
        return f"{_joined(' + ', terms)} AS rt_s{c}"


def _width(each):
    """Return how many numbers of one class a node of a tree has."""
    return 1 + int((each.factors.counts.sizes + 1).sum())


def _table(each):
    """Return the numbers (T, C - 1, W) of a tree's nodes."""
    counts, (T, C) = each.factors.counts, each.log_t.shape
    table = np.zeros((T, C - 1, _width(each)))
    table[..., 0] = each.log_t[:, 1:] - each.log_t[:, :1]
    for values in counts.blocks():
        log_f = log(each.factors.of_values(values)[:-1]).reshape(T, len(values), C)
        log_f = (log_f[..., 1:] - log_f[..., :1]) * each.weights[counts.attribute[values], None]
        table[..., 1 + values + counts.attribute[values]] = log_f.swapaxes(1, 2)
    return table


def _select(columns, source="rt_cases"):
    return f"SELECT {', '.join(columns)}\n  FROM {source}"


def _nodes(nodes):
    return [f"{text} AS rt_n{e}" for e, text in nodes.items()]


def _deeper(tree, e, depth):
    """Write the search from nodes of this depth on, for cases that have come so far."""
    starts = np.flatnonzero(~tree.is_leaf & (tree.depths == depth)).tolist()
    ends = " ".join(f"WHEN {-1 - t} THEN {_case(tree, t, depth + LEVELS)}" for t in starts)
    return f"CASE rt_n{e} {ends} ELSE rt_n{e} END" if starts else f"rt_n{e}"
