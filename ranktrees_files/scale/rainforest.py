"""Growing from files: RainForest's three algorithms (Gehrke, Ramakrishnan & Ganti 1998).

RF-Read scans one file for the tables of a level, several times if they do not fit in the budget.
RF-Write writes, after each test, a file for every branch. RF-Hybrid reads while the tables fit;
when they do not, it divides the file into parts and does the same in each part, in memory as soon
as a part's cases fit. All three are one function, `grow_part`, with different `Division`s, and all
grow the same tree as cases in memory.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.growing.forest import TrainingSets
from ranktrees_engine.growing.grow import Stop, grow
from ranktrees_engine.growing.rows import Cases
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.prune.surgery import breadth_first
from ranktrees_engine.reading.encoder import Codes
from ranktrees_files.scale.codefile import BYTES_PER_CASE, CodeFile
from ranktrees_files.scale.log import Log
from ranktrees_files.scale.memory import give_back
from ranktrees_files.scale.rows import FileRows, count_tables

ROW_BYTES = 64  # that dividing needs for a case, besides its codes


class Division(NamedTuple):
    """The division of a file: after how many `levels` at most, and into parts of how many nodes.

    `by_budget`: also if the tables of the open nodes exceed the budget; parts whose cases fit in it
    are grown in memory, where each takes `case_bytes` besides its codes. `one_node_each`: every
    open node has its own part.
    """

    levels: float = np.inf
    by_budget: bool = False
    one_node_each: bool = False
    case_bytes: int = BYTES_PER_CASE

    def fits(self, n_cases: int, row_bytes: int, budget: int) -> bool:
        """Return whether this number of cases is grown in memory."""
        return self.by_budget and n_cases * (row_bytes + self.case_bytes) <= budget

    def is_full(self, n_open: int, levels: int, node_bytes: int, budget: int) -> bool:
        """Return whether the file is divided, `levels` below its roots, at `n_open` open nodes."""
        over = self.by_budget and n_open * node_bytes > budget
        return levels >= self.levels or (levels > 0 and over)

    def parts(self, n_cases, row_bytes: int, node_bytes: int, budget: int) -> Iterator[slice]:
        """Yield slices of open nodes with these cases (S,), whose tables fit in the budget.

        So a part's cases fit in memory, unless a single node has more than fit.
        """
        if self.one_node_each:
            return blocks(len(n_cases), 1, 1)
        each = np.maximum(n_cases * (row_bytes + self.case_bytes), node_bytes)
        return blocks(len(n_cases), each, budget)


DIVISIONS = {
    "rf-read": Division(),
    "rf-write": Division(levels=1, one_node_each=True),
    "rf-hybrid": Division(by_budget=True),
}


@dataclass
class Work:
    """The values that all parts of a file share while trees grow from them.

    `propose` (from tables, and `propose_cases` for cases in memory), `classes` and `stop` are as in
    `growing.grow.grow`; `sizes` (A,) numbers of codes, `schema` what they mean; `budget` in bytes
    for tables, or for the cases of a part in memory; `node_bytes` the tables of one node,
    whose groups of attributes are as wide as the widest; `count` makes the tables of a file, see
    `ranktrees_files.scale.rows.count_tables`. `room`, in bytes for tables alone, is the budget at
    first. `prune`, if not None, prunes the trees of a part as soon as they are grown.
    """

    propose: Callable
    propose_cases: Callable
    classes: Sequence
    stop: Stop
    schema: tuple
    budget: int
    folder: Path
    log: Log
    plan: Division
    count: Callable | None = None
    prune: "Pruning | None" = None

    def __post_init__(self):
        self.sizes = np.array([info.size for info in self.schema])
        groups = [*self.propose.groups, self.propose.wide]
        *values, cut = [len(g) * int(self.sizes[g].max(initial=0)) for g in groups]
        self.node_bytes = 8 * len(self.classes) * max(sum(values), cut)
        self.count = self.count or count_all
        self.n_files, self.room = 0, self.budget

    def check_budget(self) -> None:
        """Raise ValueError if the tables of a single node take more than the budget."""
        if self.node_bytes > self.budget:
            raise ValueError(
                f"budget: the tables of one node take {self.node_bytes:,} bytes "
                f"({self.sizes.sum():,} values, {len(self.classes)} classes; attributes of similar "
                "sizes share the widest's room): give at least as many"
            )

    def fits(self, file: CodeFile, depth: int) -> bool:
        """Return whether a part's cases are grown in memory; a cluster takes the whole file."""
        on_cluster = depth == 0 and self.count is not count_all
        return not on_cluster and self.plan.fits(len(file), self.row_bytes(file), self.budget)

    def row_bytes(self, file: CodeFile) -> int:
        """Return the bytes of a case's codes in memory; codes cut in order are stored twice."""
        return file.row_bytes + len(self.propose.wide) * file.dtype.itemsize

    def new_file(self, like: CodeFile, counts: np.ndarray) -> CodeFile:
        """Return an empty code file for roots with these class counts (R, C)."""
        self.n_files += 1
        path = self.folder / f"part{self.n_files}"
        return CodeFile(path, like.dtype, like.width, counts, self.log, like.weight)


class Pruning(NamedTuple):
    """How trees are pruned while they grow, since a whole one may be large before.

    `part(trees, sets)` returns the trees of a part in memory, pruned, and the errors (R,) that
    they made when grown. `top(tree, nodes, errors)` cuts a top back, below whose open nodes (S,)
    trees made these errors: it returns the top, these nodes' ids in it, or -1, and its errors (R,).
    """

    part: Callable
    top: Callable


def count_all(file, *how):
    """Count the tables of a whole file in this process."""
    return count_tables(file, slice(None), *how)


class Pause:
    """A `Stop` that also ends growing when the file should be divided.

    `still_open` (S,) are then the nodes of the last level that may be tested; else it is None.
    """

    def __init__(self, stop: Stop, work: Work):
        self.stop, self.work, self.still_open = stop, work, None
        self.accept = stop.accept

    def may_split(self, counts: np.ndarray, depth: int) -> np.ndarray:
        """Return which nodes (S,) of a level may be tested now."""
        is_open = self.stop.may_split(counts, depth)
        room, n_open = (self.work.node_bytes, self.work.room), int(is_open.sum())
        if n_open and self.work.plan.is_full(n_open, depth, *room):
            self.still_open = is_open
            return np.zeros(len(counts), bool)
        return is_open


def grow_part(file: CodeFile, work: Work) -> Tree:
    """Grow the trees of a file's roots: from the whole file, or part by part."""
    return _grow_part(file, work, 0, None)[0]


def grow_below(
    file: CodeFile, top: Tree, nodes: Array, work: Work, depth: int, propose: Callable
) -> Tree:
    """Grow the trees of a `top`, grown by `propose`, below its open nodes (S,) at this depth."""
    return _grow_below(file, top, nodes, work, depth, propose)[0]


def _grow_part(file, work, depth, bounds):
    """Grow as `grow_part` at this depth; return the trees and their errors, see `Pruning`.

    `bounds` are what the proposer knows of the roots, see `BestAttribute.within`.
    """
    stop = work.stop
    if stop.max_depth is not None:
        stop = stop._replace(max_depth=stop.max_depth - depth)
    if work.fits(file, depth):
        return _grow_in_memory(file, work, stop, depth, work.propose_cases.within(bounds))
    pause, propose = Pause(stop, work), work.propose.within(bounds)
    top = grow(FileRows(file, work, depth), _as_one_root(propose), work.classes, pause)
    last, is_open = top.levels[-1], pause.still_open
    nodes = np.arange(last.start, last.stop)[slice(0) if is_open is None else is_open]
    return _grow_below(file, top, nodes, work, depth + len(top.levels) - 1, propose)


def _grow_below(file, top, nodes, work, depth, propose):
    """Grow as `grow_below`; return the trees and their errors, see `Pruning`."""
    parts, trees, errors = [], [], [np.zeros(0)]
    if len(nodes):
        with work.log.at(depth):
            parts = divide(file, top, nodes, work)
    for part, some in parts:
        tree, made = _grow_part(part, work, depth, propose.bounds_at(top, nodes[some]))
        part.remove()
        give_back()
        trees.append(tree)
        errors.append(made)
    if work.prune is None:
        return join(top, nodes, trees), None
    top, nodes, made = work.prune.top(top, nodes, np.concatenate(errors))
    return join(top, nodes, trees), made


def _as_one_root(propose):
    """Let `propose` treat the parts of a tree as the one tree that they are."""
    return lambda rows, level: propose(rows, level._replace(root=np.zeros_like(level.root)))


def _grow_in_memory(file, work, stop, depth, propose):
    """Grow the trees from all cases of a file at once, in memory."""
    with work.log.at(depth, what="is read into memory"):
        values, y, root, weight = all_cases(file)
    order = np.argsort(root, kind="stable")
    codes, weight = Codes(values, work.schema), None if weight is None else weight[order]
    sets = TrainingSets([codes], values, order, y[order], root[order], weight)
    rows = Cases(sets, len(work.classes))
    trees = grow(rows, _as_one_root(propose), work.classes, stop)
    return (trees, None) if work.prune is None else work.prune.part(trees, sets)


def all_cases(file: CodeFile) -> tuple:
    """Return the codes (n, A), classes, roots and weights (n,), or None, of a file's cases."""
    n, first = len(file), 0
    values, y = np.empty((n, file.width - 1), file.dtype), np.empty(n, np.intp)
    root = np.empty(n, np.intp)
    weight = None if file.weight is None else np.empty(n, file.weight)
    for block, roots, weights in file.read():
        part = slice(first, first + len(roots))
        values[part], y[part], root[part] = block[:-1].T, block[-1], roots
        if weight is not None:
            weight[part] = weights
        first += len(roots)
    return values, y, root, weight


def divide(
    file: CodeFile, top: Tree, nodes: Array, work: Work, plan: Division | None = None
) -> list[tuple[CodeFile, slice]]:
    """Write a file with the cases of each part of the open nodes (S,); all other cases are done.

    A part has as many nodes as fit in the budget, with their tables and with their cases; by a
    `plan` of its own, with their cases alone. Returns each file with the slice of its nodes.
    """
    counts = top.counts[nodes]
    plan, node_bytes = (work.plan, work.node_bytes) if plan is None else (plan, 0)
    n_cases, sizes = counts.sum(axis=1), (work.row_bytes(file), node_bytes, work.budget)
    if file.weight is not None:  # about as many
        n_cases = n_cases * (len(file) / file.counts.sum())
    slices = list(plan.parts(n_cases, *sizes))
    parts = [work.new_file(file, counts[s]) for s in slices]
    number = np.full(len(top), -1)
    number[nodes] = np.arange(len(nodes))
    size = work.budget * file.row_bytes // (4 * (file.row_bytes + ROW_BYTES))
    for block, root, weight in file.read(size=size):
        node = number[top.apply(block[:-1].T, root)]
        order = np.argsort(node, kind="stable")
        order = order[np.searchsorted(node[order], 0) :]
        sizes = np.bincount(node[order], minlength=len(nodes))
        bounds = np.append(np.cumsum(sizes) - sizes, len(order))
        for part, s in zip(parts, slices, strict=True):
            rows = order[bounds[s.start] : bounds[s.stop]]
            if len(rows):
                part.append(block[:, rows], sizes[s], None if weight is None else weight[rows])
    return [*zip(parts, slices, strict=True)]


def join(top: Tree, nodes: np.ndarray, trees: Sequence[Tree]) -> Tree:
    """Join a top and the trees grown from its open nodes (S,), in their order.

    The roots of the `trees`, one tree after another, correspond to these nodes, -1 to none.
    """
    if not trees:
        return top
    parts = [top, *trees]
    starts = np.cumsum([0, *map(len, parts)])
    roots = [s + np.arange(t.levels[0].stop) for s, t in zip(starts[1:], trees, strict=False)]
    number = np.arange(starts[-1])
    number[nodes[nodes >= 0]] = np.concatenate(roots)[nodes >= 0]
    child = [
        np.where(part.child < 0, -1, number.take(part.child + start, mode="clip"))
        for start, part in zip(starts, parts, strict=False)
    ]
    arrays = [(np.diff(part.offset), part.attribute, part.cut, part.counts) for part in parts]
    width, attribute, cut, counts = map(np.concatenate, zip(*arrays, strict=True))
    links = SimpleNamespace(attribute=attribute, cut=cut, counts=counts, width=width)
    links.child, links.offset = np.concatenate(child), np.cumsum(width) - width
    return breadth_first(links, number[top.levels[0]], top)
