"""RainForest row by row: the rows that a pass reads, where each goes, what it counts or writes."""

import string
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.arguments import DATASET, check_like, check_number
from ranktrees_engine.basics.kinds import Dataset
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.growing.tree import Tree, descend
from ranktrees_engine.prune.surgery import cut_back
from ranktrees_lab.plot.growth import draw_rows, texts, upright_plan, widths
from ranktrees_lab.plot.inputs import check_known, check_place
from ranktrees_lab.plot.layout import NOTE, class_names
from ranktrees_lab.plot.parts import canvas, frame, rectangles, write
from ranktrees_lab.plot.picture import Picture
from ranktrees_lab.plot.style import COLOURS, LARGE, class_colours, some

RAINFOREST = "RF-Read", "RF-Write", "RF-Hybrid"
MOST, LINE, HEAD = 20, 0.19, 0.5  # rows of a file; inches of a table's line, above all
TABLE, COUNT, MARKED, WHOLE = 2.4, 0.4, COLOURS["marked"], "all"


class Step(NamedTuple):
    """A step in words, with the row that moved; and the state after it."""

    words: str
    row: int | None
    counted: int | None  # the node in whose tables it was counted
    decided: frozenset[int]  # nodes whose test is known
    tables: dict[int, np.ndarray]  # AVC groups in memory, (values of all attributes, C) each
    file: tuple[str, ...]  # of each row (n,), "" for a row that is in no file any more
    read: int
    written: int


class Passes:
    """The passes by which a known tree grows over codes (n, A) of classes y (n,).

    At most `room` AVC groups are in memory at a time.
    """

    def __init__(self, tree: Tree, codes: np.ndarray, y: np.ndarray, algorithm: str, room: int):
        self.tree, self.codes, self.y = tree, codes, y
        self.algorithm, self.room, self.read, self.written = algorithm, room, 0, 0
        self.first = np.cumsum([0, *(info.size for info in tree.schema)])  # of each attribute
        inner = np.flatnonzero(~tree.is_leaf).tolist()
        self.names = dict(zip(inner, string.ascii_uppercase, strict=False))
        self.decided, self.tables, self.file = set(), {}, [WHOLE] * len(y)
        self.paths = [[] for _ in y]  # the nodes that each row passes
        for cases, nodes in descend(tree, codes):
            for case, node in zip(cases.tolist(), nodes.tolist(), strict=True):
                self.paths[case].append(node)

    def all(self) -> list[Step]:
        """Return every step: one row, or a decision."""
        begin = self._step("The rows are in one file, and no node has a test yet.")
        return [begin, *self._part(0, WHOLE), self._step("No node is open: the tree is grown.")]

    def leaf_of(self, row: int) -> int:
        """Return the node that a row reaches in the tree so far."""
        return next(node for node in self.paths[row] if node not in self.decided)

    def _step(self, words, row=None, counted=None):
        tables = {node: table.copy() for node, table in self.tables.items()}
        now = frozenset(self.decided), tables, tuple(self.file), self.read, self.written
        return Step(words, row, counted, *now)

    def _part(self, top, file) -> Iterator[Step]:
        """Grow the tree below a node from a file that holds its rows."""
        level = self._open([top])
        while level:
            if self.algorithm == "RF-Hybrid" and len(level) > self.room:
                return (yield from self._divide(file, level))
            for start in range(0, len(level), self.room):
                yield from self._count(file, level[start : start + self.room])
            level = self._open(np.flatnonzero(np.isin(self.tree.parent, level)))
            if self.algorithm == "RF-Write" and level:
                return (yield from self._divide(file, level))
        return None

    def _open(self, nodes):
        return [int(node) for node in nodes if not self.tree.is_leaf[node]]

    def _rows(self, file):
        return [row for row, place in enumerate(self.file) if place == file]

    def _count(self, file, nodes):
        """Count in one pass the AVC groups of these nodes, and then choose their tests."""
        shape = self.first[-1], len(self.tree.classes)
        self.tables = {node: np.zeros(shape, int) for node in nodes}
        for row in self._rows(file):
            self.read, node = self.read + 1, self.leaf_of(row)
            words, counted = f"Row {row} is in a leaf.", node in self.tables
            if counted:
                self.tables[node][self.first[:-1] + self.codes[row], self.y[row]] += 1
                words = f"Row {row} comes to {self.names[node]} and is counted."
            elif node in self.names:
                words = f"Row {row} comes to {self.names[node]}, which is counted in another scan."
            yield self._step(words, row, node if counted else None)
        tests = [self.tree.schema[self.tree.attribute[node]].name for node in nodes]
        tested = [f"{self.names[n]} tests {test}" for n, test in zip(nodes, tests, strict=True)]
        self.decided |= set(nodes)
        yield self._step(f"The tables decide: {some(tested)}.")

    def _divide(self, file, nodes):
        """Write in one pass a file for each of these nodes, and go on with each."""
        self.tables = {}
        for row in self._rows(file):
            self.read, node = self.read + 1, self.leaf_of(row)
            self.file[row], words = "", f"Row {row} is in a leaf, and is not written."
            if node in nodes:
                self.file[row], self.written = self.names[node], self.written + 1
                words = f"Row {row} is written to the file of {self.names[node]}."
            yield self._step(words, row)
        for node in nodes:
            yield from self._part(node, self.names[node])


def passes(model: GrownTree, data: Dataset, algorithm: str, room: int = 1) -> list[Step]:
    """Return the steps of "RF-Read", "RF-Write" or "RF-Hybrid" that grow a model's tree."""
    return _run(model, data, algorithm, room).all()


def _run(model, data, algorithm, room):
    check_like("a fitted model of one tree", model, "tree_", "encode")
    check_like(DATASET, data, "X", "y")
    check_known("algorithm", algorithm, RAINFOREST)
    check_number("room", room, 1, whole=True)
    if len(data.X) > MOST:
        raise ValueError(f"{len(data.X)} rows are too many to be read one by one: at most {MOST}")
    codes = model.encode(data.X).values
    y = np.array([list(model.classes_).index(label) for label in data.y])
    return Passes(model.tree_, codes, y, algorithm, room)


def rainforest(
    model: GrownTree,
    data: Dataset,
    algorithm: str = "RF-Read",
    room: int = 1,
    step: int = 0,
    figure: Picture | None = None,
) -> Picture:
    """Draw one step of RainForest: the rows with each one's file, the tree so far, the tables.

    `model` is a fitted tree and `data` a Dataset of at most twenty rows, its training cases. A step
    reads a row, which is marked, with its way down the tree in thick edges; or it decides the tests
    of nodes. `room` is how many AVC groups fit in memory. Raises ValueError for an unknown
    algorithm, a step that does not exist, and more rows. Source: Gehrke, Ramakrishnan & Ganti 1998.
    """
    run = _run(model, data, algorithm, room)
    steps = run.all()
    check_place("step", step, len(steps))
    now, classes = steps[step], class_names(model.tree_)
    rows = [(place or "-", str(i), *texts(data.frame.iloc[i])) for i, place in enumerate(now.file)]
    words = [("file", "row", *map(str, data.frame)), *rows]
    whole, plan = upright_plan(model.tree_, {}, set()), _plan(run, now)
    left, right = sum(widths(words)) + 0.3, max(whole.size[0], TABLE * min(room, len(run.names)))
    top = max(0.24 * len(words) + 0.2, whole.size[1] + LINE * (run.first[-1] + 3.5))
    fig = frame(figure, left + right, top + HEAD, classes, class_colours(len(classes)))
    rooms = f"Room for the tables of {room} node{'s' * (room > 1)}"
    counted = f"{rooms}; so far {now.read} rows are read and {now.written} are written."
    write(fig, 0.15, top + 0.36, f"{algorithm}: {now.words}", points=LARGE, fontweight="bold")
    write(fig, 0.15, top + 0.13, counted, points=LARGE)
    draw_rows(canvas(fig, 0.1, 0, left, top), words, np.zeros(len(rows)), now.row)
    ax = canvas(fig, left, top - plan.size[1], left + plan.size[0], top)
    plan.draw(ax, class_colours(len(classes)))
    groups = {run.names[node]: _group(run, now, node) for node in now.tables}
    ax = canvas(fig, left, 0, left + right, top - whole.size[1])
    for k, (name, lines) in enumerate(groups.items()):
        _table(ax, 0.1 + k * TABLE, name, classes, lines)
    counts = [f"{name}: {_in_words(lines)}" for name, lines in groups.items()]
    memory = f" In memory are the tables of {'; of '.join(counts)}." if counts else ""
    fig.alt = f"{algorithm}: {now.words} {counted}{memory}"
    return fig


def _plan(run, now):
    """Lay out the tree so far, its open nodes with their letters, the row's way thick."""
    tree = run.tree
    shown = np.flatnonzero((tree.parent < 0) | np.isin(tree.parent, list(now.decided)))
    place = {int(node): k for k, node in enumerate(shown)}
    ends = ~np.isin(np.arange(len(tree)), list(now.decided))
    letters = {place[n]: name for n, name in run.names.items() if n in place and ends[n]}
    path = set() if now.row is None else {place[n] for n in run.paths[now.row] if n in place}
    return upright_plan(cut_back(tree, ends), letters, path)


def _group(run, now, node) -> list[tuple]:
    """Return lines (value, counts (C,), whether the row was just counted there) of an AVC group."""
    here = {*(run.first[:-1] + run.codes[now.row])} if now.counted == node else set()
    schema = run.tree.schema
    values = [f"{info.name} = {label}" for info in schema for label in info.labels]
    table = zip(values, now.tables[node].tolist(), strict=True)
    return [(value, counts, i in here) for i, (value, counts) in enumerate(table)]


def _table(ax, left, name, classes, lines):
    """Draw an AVC group that starts at `left` inches; what was just counted is marked."""
    edge = left + TABLE - 0.25
    write(ax, left, LINE, f"AVC-group of {name}", fontweight="bold")
    columns = [edge - COUNT * (len(classes) - 1 - c) for c in range(len(classes))]
    for x, label in zip(columns, classes, strict=True):
        write(ax, x, 2 * LINE, label, COUNT, ha="right", color=NOTE)
    for k, (value, counts, marked) in enumerate(lines, start=3):
        weight = "bold" if marked else "normal"
        if marked:
            rectangles(ax, left - 0.05, (k - 0.5) * LINE, edge + 0.05, (k + 0.5) * LINE, fc=MARKED)
        write(ax, left, k * LINE, value, columns[0] - left - COUNT / 2, fontweight=weight)
        for x, count in zip(columns, counts, strict=True):
            write(ax, x, k * LINE, count, ha="right", fontweight=weight)


def _in_words(lines):
    return ", ".join(f"{value} {'/'.join(map(str, counts))}" for value, counts, _ in lines)
