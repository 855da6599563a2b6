"""What work on files reads and writes: counted per level of the tree, and shown meanwhile."""

import tracemalloc
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pandas as pd

COLUMNS = ["rows read", "read", "rows written", "written", "tables", "memory"]


class Log:
    """Rows and bytes read and written, in total and at each level of the tree.

    `memory`: peaks are measured, too. `progress`: a bar on standard error shows what is being done,
    how many rows of the scan have been read, and the time left for it.
    """

    def __init__(self, memory: bool = False, progress: bool = False):
        self.traffic, self.levels, self.n_rows = Counter(), defaultdict(Counter), None
        self.memory, self.bar = memory, None
        if progress:
            from tqdm import tqdm

            self.bar = tqdm(unit=" rows", unit_scale=True)

    def __getstate__(self):
        return {**vars(self), "bar": None}  # a worker of a cluster shows none

    def move(self, way: str, n_bytes: int, n_rows: float) -> None:
        """Count what was "read" or "written"."""
        self.traffic[way] += n_bytes
        self.traffic[f"rows {way}"] += n_rows
        if self.bar is not None and way == "read":
            self.bar.update(n_rows)

    def begin(self, what: str) -> None:
        """Show what is being done: a scan of all rows begins."""
        if self.bar is not None:
            self.bar.reset(total=self.n_rows)
            self.bar.set_description(what)

    def watch(self, batches: Iterable, what: str) -> Iterator:
        """Yield a scan's batches, and show how many of its rows have come."""
        self.begin(what)
        for batch in batches:
            yield batch
            if self.bar is not None:
                self.bar.update(len(batch.y))

    @contextmanager
    def at(self, level: int, tables: int = 0, what: str = "divides its file"):
        """Count the reads and writes of this context for a level whose tables take these bytes."""
        self.begin(f"level {level} {what}")
        before = self.traffic.copy()
        if self.memory:
            tracemalloc.reset_peak()
        yield
        record = self.levels[level]
        record.update(self.traffic - before)
        record["tables"] = max(record["tables"], tables)
        if self.memory:
            record["memory"] = max(record["memory"], tracemalloc.get_traced_memory()[1])

    def table(self) -> pd.DataFrame:
        """Return a row per level: scans (rows read / all rows), rows, bytes, tables and memory."""
        rows = [[record[name] for name in COLUMNS] for _, record in sorted(self.levels.items())]
        frame = pd.DataFrame(rows, pd.Index(sorted(self.levels), name="level"), COLUMNS)
        frame.insert(0, "scans", (frame["rows read"] / self.n_rows).round(2))
        return frame

    def close(self) -> None:
        """Remove the progress bar when the work is done."""
        if self.bar is not None:
            self.bar.close()
