"""Stored results: reading a results file back, its folds as arrays, and compressing it."""

import csv
import gzip
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd

from ranktrees.papers.disk import LedgerError, replace_file

FORMAT = "# ranktrees results, format 1"
COLUMNS = ("paper", "table", "dataset", "method", "reading", "run", "fold", "measure", "value")


def split_file(path: Path) -> tuple[dict, list[str]]:
    """The settings of a results file, and its rows as lines with their ends.

    LedgerError for a file of another format or a head that is cut short.
    """
    content = _content(path)
    first, _, rest = content.partition("\n")
    if first != FORMAT:
        kind = "a results file of another format" if first.startswith(FORMAT[:19]) else "no results"
        raise LedgerError(
            f"{path} is {kind} (it should begin with {FORMAT!r}): name another file with --out"
        )
    second, _, rest = rest.partition("\n")
    third, end, rest = rest.partition("\n")
    try:
        settings = json.loads(second.removeprefix("# "))
    except ValueError:
        settings = None
    if not isinstance(settings, dict) or third + end != ",".join(COLUMNS) + "\n":
        raise LedgerError(f"{path} has a damaged head: remove it, or name another file with --out")
    return settings, rest.splitlines(keepends=True)


def _content(path):
    raw = path.read_bytes()
    try:
        return (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8", "replace")
    except (OSError, EOFError) as error:
        raise LedgerError(f"{path} is not a whole gzip file ({error})") from error


def read_results(path) -> tuple[dict, pd.DataFrame]:
    """Settings and rows (columns `COLUMNS`) of a finished results file, packed (.gz) or not.

    Texts stay texts, run and fold are whole numbers, values exact. LedgerError for another file or
    a row that is cut short.
    """
    path = Path(path)
    settings, lines = split_file(path)
    for number, line in enumerate(lines, 4):
        if line.count(",") != len(COLUMNS) - 1 or not line.endswith("\n"):
            raise LedgerError(
                f"{path}, line {number} is not whole: start the command that wrote it again"
            )
    texts = io.StringIO("".join(lines))
    kinds = dict.fromkeys(COLUMNS, str) | {"run": int, "fold": int}
    style = {"header": None, "names": list(COLUMNS), "quoting": csv.QUOTE_NONE}
    frame = pd.read_csv(texts, dtype=kinds, na_filter=False, **style)
    # Python reads a decimal number exactly, which pandas does not in every version.
    return settings, frame.assign(value=frame["value"].map(float).astype(float))


def fold_grids(frame: pd.DataFrame) -> dict[tuple, np.ndarray]:
    """(dataset, method, reading, measure) -> values (runs, folds), NaN where a fold has none.

    `frame` of `read_results`, or some of its rows.
    """
    run, fold, value = (frame[name].to_numpy() for name in ("run", "fold", "value"))
    keys, grids = ["dataset", "method", "reading", "measure"], {}
    for key, rows in frame.groupby(keys, sort=False).indices.items():
        grids[key] = np.full((run[rows].max() + 1, fold[rows].max() + 1), np.nan)
        grids[key][run[rows], fold[rows]] = value[rows]
    return grids


def compress(path, target=None) -> Path:
    """Pack a finished results file: the same bytes give the same packed bytes on every machine.

    `target` defaults to the name with ".gz"; existing files are replaced.
    """
    path = Path(path)
    target = path.with_name(path.name + ".gz") if target is None else Path(target)
    read_results(path)
    packed = gzip.compress(path.read_bytes(), compresslevel=9, mtime=0)
    replace_file(target, packed)
    return target
