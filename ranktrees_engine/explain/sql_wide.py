"""Path Bayes and the path forest with one row per node and one per case, for few classes.

A node's row is texts of numbers of one width, which databases read far faster than as many numbers
of a query. The texts are taken apart once per node: into columns, of which a case takes that of its
value, or into a list, which only DuckDB has.
"""

from collections.abc import Iterator

import numpy as np

from ranktrees_engine.basics.logarithms import log
from ranktrees_engine.explain.sql import LEVELS, _case, _inside, _joined, _text
from ranktrees_engine.explain.sql_trees import PathTree, starts_of, value_tests
from ranktrees_engine.growing.count import offsets_of

PLACES = 12  # behind the point of a number: their sums are right to 1e-9
AT_ONCE = 1500  # columns of factors in one join: PostgreSQL has 1,600 at most
CHUNK = 32  # numbers of a text, in which databases count from the start
JOINS = 32  # trees in one join: SQLite joins 64 tables at most


class WideFactors:
    """The factors of all trees as rows of a node and its texts, of `CHUNK` numbers each.

    The numbers are, for each class but the first, what the tree itself adds to the log odds, what
    each value of each attribute adds, and a 0 for an attribute's other values. No `rows` are kept
    if they have more than `most` bytes; `size` is that of all.
    """

    def __init__(self, trees: list[PathTree], n_classes: int, most: int | None):
        self.trees, self.n_classes, self.starts = trees, n_classes, starts_of(trees)
        tables = [_table(each) for each in trees]
        self.digits = max(len(f"{x:.{PLACES}f}") for t in tables for x in (t.min(), t.max()))
        bytes_of_row = [table[0].size * (self.digits + 1) + 12 for table in tables]
        self.size = sum(len(t) * size for t, size in zip(tables, bytes_of_row, strict=True))
        self.n_texts = -(-max(table[0].size for table in tables) // CHUNK)
        texts = "".join(f", rt_text{i} TEXT" for i in range(self.n_texts))
        self.columns, self.rows = f"rt_node INTEGER PRIMARY KEY{texts}", []
        if most is None or self.size <= most:
            for table, start in zip(tables, self.starts, strict=True):
                self.rows += map(self._row, range(start, start + len(table)), table)

    def head(self, named: str) -> str:
        """Return the name of the factors with those of its columns."""
        return f"{named} (rt_node{''.join(f', rt_text{i}' for i in range(self.n_texts))})"

    def once(self, part: str, named: str) -> bool:
        """Return whether a part is computed once: SQLite repeats it for each name in it."""
        return True

    def parts(self, prior: list[str], keeps: list[str], named: str) -> dict:
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
        last = [*parts][-1]
        parts |= {f"rt_tree{e}": self._nodes_of(e, named) for e in range(len(self.trees))}
        for few in self._together():
            later = [f"rt_n{e}" for e in range(few[-1] + 1, len(self.trees))]
            sums = ["rt_s0", *(self._sum(c, few, names) for c in range(1, len(prior)))]
            joins = map(self._join, few)
            parts[f"rt_sums{few[0]}"] = "\n  ".join([_select([*kept, *sums, *later], last), *joins])
            last = f"rt_sums{few[0]}"
        return parts

    def _row(self, node, numbers):
        each = [f"{x:{self.digits}.{PLACES}f}" for x in numbers.ravel().tolist()]
        texts = (",".join(each[i : i + CHUNK]) for i in range(0, self.n_texts * CHUNK, CHUNK))
        return f"({node},{','.join(map(_text, texts))})"

    def _codes(self):
        """Return the column of each grid's attribute, and columns by the text that they stand for.

        A code is that of a value, or their number for all others. Grids may share a column.
        """
        names, codes = {}, {}
        for g, each in {each.grid: each for each in self.trees}.items():
            for a in _used(each).tolist():
                size = int(each.factors.counts.sizes[a])
                tests = " ".join(f"WHEN {t} THEN {v}" for v, t in enumerate(value_tests(each, a)))
                text = f"CASE {tests} ELSE {size} END"
                names[g, a] = codes.setdefault(text, f"rt_code{len(codes)}")
        return names, codes

    def _together(self) -> Iterator[list[int]]:
        """Yield trees that are joined at the same time."""
        few, width = [], 0
        for e, each in enumerate(self.trees):
            more = len(_places(each, self.n_classes))
            if few and (width + more > AT_ONCE or len(few) == JOINS):
                yield few
                few, width = [], 0
            few, width = [*few, e], width + more
        yield few

    def _nodes_of(self, e, named):
        """Write the nodes of a tree with a column per factor."""
        step, first = self.digits + 1, self.starts[e]
        places = _places(self.trees[e], self.n_classes)
        text = "CAST(substr(rt_text{}, {}, {}) AS DOUBLE PRECISION) AS rt_f{}"
        columns = ", ".join(
            text.format(i // CHUNK, 1 + i % CHUNK * step, self.digits, i) for i in places
        )
        return f"SELECT rt_node - {first} AS rt_node, {columns}\n  {self._from(e, named)}"

    def _from(self, e, named):
        first, size = self.starts[e], len(self.trees[e].tree)
        return f"FROM {named} WHERE rt_node >= {first} AND rt_node < {first + size}"

    def _join(self, e):
        """Write the join with a tree; an inner one PostgreSQL expects to lose nearly all cases."""
        return f"LEFT JOIN rt_tree{e} ON rt_tree{e}.rt_node = rt_n{e}"

    def _sum(self, c, few, names):
        """Write the log odds of a class with what a few trees add."""
        terms = [f"rt_s{c}"]
        for e in few:
            each = self.trees[e]
            place = (c - 1) * _width(each)
            terms.append(self._own(e, place))
            firsts = zip(_used(each), (place + _firsts(each)).tolist(), strict=True)
            terms += [self._factor(e, names[each.grid, a], a, first) for a, first in firsts]
        return f"{_joined(' + ', terms)} AS rt_s{c}"

    def _own(self, e, place):
        """Write what a tree itself adds."""
        return f"rt_tree{e}.rt_f{place}"

    def _factor(self, e, code, a, first):
        """Write what the value of attribute a adds, of which the first value's is at `first`."""
        places = range(first, first + int(self.trees[e].factors.counts.sizes[a]))
        values = enumerate(f"rt_tree{e}.rt_f{place}" for place in places)
        return f"CASE {code} {' '.join(f'WHEN {v} THEN {f}' for v, f in values)} ELSE 0e0 END"


class ListFactors(WideFactors):
    """The factors of each tree as one list, which DuckDB keeps once for all cases."""

    def once(self, part: str, named: str) -> bool:
        """Return whether a part is computed once: DuckDB stores what is, which takes longer."""
        return part == self.head(named)

    def _nodes_of(self, e, named):
        """Write all nodes of a tree, end to end, as one list."""
        n_texts = -(-_width(self.trees[e]) * (self.n_classes - 1) // CHUNK)
        texts = " || ',' || ".join(f"rt_text{i}" for i in range(n_texts))
        lists = f"list(CAST('[' || {texts} || ']' AS DOUBLE[]) ORDER BY rt_node)"
        return f"SELECT flatten({lists}) AS rt_list\n  {self._from(e, named)}"

    def _join(self, e):
        return f"CROSS JOIN rt_tree{e}"

    def _own(self, e, place):
        width = _width(self.trees[e]) * (self.n_classes - 1)
        return f"rt_tree{e}.rt_list[rt_n{e} * {width} + {place + 1}]"

    def _factor(self, e, code, a, first):
        return f"{self._own(e, first).removesuffix(']')} + {code}]"


def _used(each):
    """Return the attributes (A',) that add anything."""
    return np.flatnonzero((each.factors.counts.sizes > 1) & (each.weights != 0))


def _firsts(each):
    """Return the position (A',), among a class's numbers, of each used attribute's first value."""
    return offsets_of(each.factors.counts.sizes[_used(each)] + 1)[:-1] + 1


def _places(each, n_classes):
    """Return the positions of a node's numbers, without those of no value, which are 0."""
    sizes, width = each.factors.counts.sizes[_used(each)], _width(each)
    of_class = np.setdiff1d(np.arange(width), _firsts(each) + sizes)
    return (np.arange(n_classes - 1)[:, None] * width + of_class).ravel().tolist()


def _width(each):
    """Return how many numbers of one class a node of a tree has."""
    return 1 + int((each.factors.counts.sizes[_used(each)] + 1).sum())


def _table(each):
    """Return the numbers (T, C - 1, W) of a tree's nodes."""
    counts, (T, C), used = each.factors.counts, each.log_t.shape, _used(each)
    table = np.zeros((T, C - 1, _width(each)))
    table[..., 0] = each.log_t[:, 1:] - each.log_t[:, :1]
    place = np.full(len(counts.attribute), -1)  # of each value
    for a, first in zip(used, _firsts(each), strict=True):
        place[counts.offsets[a] : counts.offsets[a + 1]] = first + np.arange(counts.sizes[a])
    for values in counts.blocks():
        if not len(values := values[place[values] >= 0]):
            continue
        log_f = log(each.factors.of_values(values)[:-1]).reshape(T, len(values), C)
        log_f = (log_f[..., 1:] - log_f[..., :1]) * each.weights[counts.attribute[values], None]
        table[..., place[values]] = log_f.swapaxes(1, 2)
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
