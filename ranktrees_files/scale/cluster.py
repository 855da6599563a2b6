"""Counting on a cluster: Dask's workers read parts of the code file, and their tables are added up.

A task gets what it needs, its part of the file and the route of its cases, as plain arguments: if
its worker dies, another runs it again, and the tree is the same. All workers must see the folder of
the code file (TMPDIR).
"""

import ast
import itertools
import os
import sys
from contextlib import suppress
from pathlib import Path
from traceback import walk_stack

from ranktrees_engine.basics.optional import optional
from ranktrees_files.scale.rows import count_tables

TASKS = 4  # per worker and scan: so that a lost worker costs a part of its work, not all
PATIENCE = 30  # seconds for which there may be no worker at all


class Cluster:
    """The running `distributed.Client`, or that of a local cluster, which ends with the work."""

    def __enter__(self):
        distributed = optional("distributed")
        try:
            self.client, self.is_ours = distributed.get_client(), False
        except ValueError:
            check_guard()
            n = os.cpu_count() or 1
            self.client = distributed.Client(
                n_workers=n, threads_per_worker=1, dashboard_address=":0"
            )
            self.is_ours = True
        return self

    def __exit__(self, *error):
        if self.is_ours:
            self.client.close()
            self.client.cluster.close()

    def count(self, file, *how) -> list:
        """Add up the tables of a file's parts, see `ranktrees_files.scale.rows.count_tables`."""
        n_workers = max(1, len(self.client.scheduler_info(n_workers=-1)["workers"]))
        n, client = len(file.blocks), self.client
        bounds = [n * k // (n_workers * TASKS) for k in range(n_workers * TASKS + 1)]
        parts = [slice(a, b) for a, b in itertools.pairwise(bounds) if a < b]
        tables = [client.submit(count_tables, file, part, *how, pure=False) for part in parts]
        groups = [tables[k::n_workers] for k in range(min(n_workers, len(tables)))]
        sums = [client.submit(_add, *group, pure=False) for group in groups]
        self._wait(sums)
        file.log.move("read", len(file) * file.row_bytes, len(file))
        try:
            return _add(*client.gather(sums))
        except optional("distributed.scheduler").KilledWorker as error:
            raise RuntimeError(
                f"a part of the file killed every worker that counted it ({error}): give workers "
                "more memory, or fit a smaller budget"
            ) from error
        except FileNotFoundError as error:
            raise RuntimeError(
                f"a worker does not see {file.path}: let TMPDIR be a folder that all workers share"
            ) from error

    def _wait(self, futures):
        """Wait for the futures; RuntimeError if all workers stay away."""
        distributed, away = optional("distributed"), 0
        while away < PATIENCE:
            try:
                distributed.wait(futures, timeout=1)
                return
            except distributed.TimeoutError:
                there = self.client.scheduler_info(n_workers=-1)["workers"]
                away = 0 if there else away + 1
        raise RuntimeError(f"the cluster has had no worker for {PATIENCE} s: start some, fit again")


def check_guard() -> None:
    """Raise RuntimeError for a script whose lines each new process would run again.

    A new process imports the script. The line that runs now must be under `if __name__ ==
    "__main__"`, since otherwise it would start processes that start processes.
    """
    path = getattr(sys.modules["__main__"], "__file__", None)  # a notebook has none
    top = [(f.f_code.co_filename, n) for f, n in walk_stack(None) if f.f_code.co_name == "<module>"]
    method = optional("dask").config.get("distributed.worker.multiprocessing-method", "spawn")
    line = dict(top).get(path)  # none where another thread has called
    if not line or method == "fork":
        return
    with suppress(OSError, SyntaxError, ValueError):
        tree = ast.parse(Path(path).read_bytes())
        now = [part for part in tree.body if part.lineno <= line <= part.end_lineno]
        names = [node for part in now if isinstance(part, ast.If) for node in ast.walk(part.test)]
        if now and not any(isinstance(node, ast.Name) and node.id == "__name__" for node in names):
            raise RuntimeError(
                f'engine="dask" starts processes that import {path} again: put what line {line} '
                'and those after it do under if __name__ == "__main__":'
            )


def _add(*parts):
    """Sum equally shaped lists of tables without changing them: a task may run twice."""
    return [sum(tables) for tables in zip(*parts, strict=True)]
