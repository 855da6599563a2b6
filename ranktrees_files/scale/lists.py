"""SLIQ and SPRINT: one list per attribute, as the rows of growing.

SLIQ (Mehta, Agrawal & Rissanen 1996) sorts each attribute's list of (value, case) once; a class
list in memory holds the class and the node of each case. SPRINT (Shafer, Agrawal & Mehta 1996)
keeps (value, class, case) in one list per attribute and node, and splits all lists by a hash table
from case to branch. Both cut only ordered attributes in their order; here values are codes.
"""

from pathlib import Path

import numpy as np

from ranktrees_engine.basics.blocks import blocks
from ranktrees_files.scale.codefile import CodeFile, append_to
from ranktrees_files.scale.rows import FileRows, Step, add_to, empty_tables

ENTRIES = 1 << 18  # of a list that are read at a time


class AttributeList:
    """The entries of one of A attributes in a file: a code, a case and, with SPRINT, a class."""

    def __init__(self, path: Path, fields, log, A: int):
        self.path, self.dtype, self.log, self.A = path, np.dtype(fields), log, A
        self.n = 0

    def append(self, entries: np.ndarray) -> None:
        """Write entries at the end."""
        append_to(self.path, entries)
        self.n += len(entries)
        self.log.move("written", entries.nbytes, len(entries) / self.A)

    def read(self, first: int = 0, end: int | None = None) -> np.ndarray:
        """Read the entries from `first` up to, but not including, `end`."""
        end = self.n if end is None else end
        entries = np.fromfile(
            self.path, self.dtype, end - first, offset=first * self.dtype.itemsize
        )
        self.log.move("read", entries.nbytes, len(entries) / self.A)
        return entries

    def pieces(self):
        """Yield (first, entries) from start to end, in pieces."""
        for part in blocks(self.n, 1, ENTRIES):
            yield part.start, self.read(part.start, part.stop)


def write_lists(file: CodeFile, work, with_class: bool) -> list[AttributeList]:
    """Write the lists of all attributes, sorted by code; cases of a code keep their order."""
    fields = [("code", file.dtype), ("case", np.uint32 if len(file) <= 1 << 32 else np.uint64)]
    fields += [("label", file.dtype)] if with_class else []
    fields += [("weight", file.weight)] if with_class and file.weight else []
    A, folder = len(work.sizes), Path(work.folder)
    raw = [AttributeList(folder / f"raw{a}", fields, work.log, A) for a in range(A)]
    first = 0
    for block, _, weight in file.read():
        entries = np.empty(block.shape[1], raw[0].dtype)
        entries["case"] = np.arange(first, first + len(entries))
        if with_class:
            entries["label"] = block[-1]
        if "weight" in raw[0].dtype.names:
            entries["weight"] = weight
        for a, attribute in enumerate(raw):
            entries["code"] = block[a]
            attribute.append(entries)
        first += len(entries)
    lists = [AttributeList(folder / f"list{a}", fields, work.log, A) for a in range(A)]
    for unsorted, attribute in zip(raw, lists, strict=True):
        entries = unsorted.read()
        attribute.append(entries[np.argsort(entries["code"], kind="stable")])
        unsorted.path.unlink()
    return lists


class ListRows(FileRows):
    """Rows in attribute lists; `where` gives what SLIQ and SPRINT know about entries."""

    def count(self, groups, widths, C: int, first: int, n: int) -> list:
        """Count the tables of nodes in one reading of every list."""
        tables = empty_tables(groups, widths, C, n, self.file.weight)
        for members, table in zip(groups, tables, strict=True):
            for j, a in enumerate(members):
                for start, entries in self.lists[a].pieces():
                    node, label, weight = self.where(start, entries)
                    inside = (node >= first) & (node < first + n)
                    row = (node[inside].astype(np.intp) - first) * C + label[inside]
                    weight = None if weight is None else weight[inside]
                    add_to(table[:, j], row, entries["code"][inside], weight)
        return tables


class SliqRows(ListRows):
    """SLIQ: the class list, with the class and open node of every case, is in memory."""

    def __init__(self, file: CodeFile, work, depth: int = 0):
        super().__init__(file, work, depth)
        with work.log.at(depth, what="writes its lists"):
            self.lists = write_lists(file, work, with_class=False)
            self.label = np.concatenate([block[-1] for block, *_ in file.read()])
            self.weight = None
            if file.weight is not None:
                self.weight = np.concatenate([block.weight for block in file.read()])
        self.node = np.zeros(len(file), np.int32)

    def where(self, start: int, entries: np.ndarray) -> tuple:
        """Look up in the class list: open node (m,) or -1, class and weight (m,) of entries."""
        weight = None if self.weight is None else self.weight[entries["case"]]
        return self.node[entries["case"]], self.label[entries["case"]], weight

    def send(self, tests, number: np.ndarray) -> None:
        """Read the lists of tested attributes, and set their cases' nodes in the class list."""
        if tests is None:
            self.node = number.astype(np.int32)[self.node]
            return
        with self.work.log.at(self.level, what="sends its cases down"):
            step = Step.of(tests, number, self.sizes)
            node = np.full_like(self.node, -1)
            for a in np.unique(tests.attribute[tests.attribute >= 0]):
                for _, entries in self.lists[a].pieces():
                    old = self.node[entries["case"]]
                    here = (old >= 0) & (tests.attribute[old] == a)
                    old, code = old[here], entries["code"][here]
                    node[entries["case"][here]] = step.onward[step.start[old] + code]
            self.node = node
        self.level += 1


class SprintRows(ListRows):
    """SPRINT: the lists lie node by node; `sizes_of_nodes` (S,) are the cases of open nodes."""

    def __init__(self, file: CodeFile, work, depth: int = 0):
        super().__init__(file, work, depth)
        self.generation = 0
        with work.log.at(depth, what="writes its lists"):
            self.lists = write_lists(file, work, with_class=True)
        self.n_cases, self.sizes_of_nodes = len(file), np.array([len(file)])

    def where(self, start: int, entries: np.ndarray) -> tuple:
        """Return the open node, class and weight (m,) of entries from a position in their list."""
        place = np.arange(start, start + len(entries))
        ends = np.cumsum(self.sizes_of_nodes)
        weight = None if self.file.weight is None else entries["weight"]
        return np.searchsorted(ends, place, side="right"), entries["label"], weight

    def send(self, tests, number: np.ndarray) -> None:
        """Split every list, in its order, by a hash table from case to branch."""
        if tests is None:
            return
        with self.work.log.at(self.level, what="sends its cases down"):
            branch = self._branches(tests, Step.of(tests, number, self.sizes))
            self.generation += 1
            self.lists = [self._split(a, branch) for a in range(len(self.lists))]
            self.sizes_of_nodes = np.bincount(branch[branch >= 0])
        self.level += 1

    def _branches(self, tests, step):
        """Make the hash table: the next open node (n,) of each case, -1 for cases that are done."""
        branch, ends = np.full(self.n_cases, -1, np.int32), np.cumsum(self.sizes_of_nodes)
        for s in np.flatnonzero(tests.attribute >= 0).tolist():
            first = ends[s] - self.sizes_of_nodes[s]
            entries = self.lists[tests.attribute[s]].read(first, ends[s])
            branch[entries["case"]] = step.onward[step.start[s] + entries["code"]]
        return branch

    def _split(self, a, branch):
        """Split the list of one attribute for the next level, some nodes at a time."""
        old = self.lists[a]
        path = old.path.with_name(f"list{a}-{self.generation}")
        new = AttributeList(path, old.dtype, old.log, old.A)
        path.touch()
        starts = np.cumsum(self.sizes_of_nodes) - self.sizes_of_nodes
        for nodes in blocks(len(starts), self.sizes_of_nodes, ENTRIES):
            end = starts[nodes][-1] + self.sizes_of_nodes[nodes][-1]
            entries = old.read(starts[nodes][0], end)
            onward = branch[entries["case"]]
            order = np.argsort(onward, kind="stable")
            new.append(entries[order[np.searchsorted(onward[order], 0) :]])
        old.path.unlink()
        return new
