"""Results in files: an SQLite file while the work goes on, sorted text when it is done.

The SQLite file gets one transaction per run of folds, which are grown together. If a process is
killed, two run at the same time, or the disk is full, SQLite keeps whole transactions and nothing
else. Its journal is the default rollback journal: WAL does not work on the network folders of a
cluster, and adds two more files.

An export is CSV below two comment lines, the format and the settings as JSON: a row for each data
set, method, reading, run and measure, a column per fold. It is written in one step at the end, so
that it has the same bytes however the work was interrupted or divided.
"""

import contextlib
import csv
import io
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import as_path, choose
from ranktrees_engine.basics.kinds import AnyPath
from ranktrees_files.paths import replacing
from ranktrees_lab.data.files import folder
from ranktrees_lab.papers.catalog import PAPERS, STUDIES
from ranktrees_lab.papers.paper import COLUMNS, check_rows

PATIENCE = 60.0  # seconds to wait for another process that writes
MARK = 0x52416E6B  # SQLite's "application id" of our files
SCHEMA = (
    f"PRAGMA application_id = {MARK}",
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE folds (dataset TEXT, run INTEGER, method TEXT, reading TEXT, fold INTEGER, "
    "measure TEXT, value REAL)",  # NULL for a value that a fold leaves undefined
    "CREATE INDEX units ON folds (dataset, run)",
)
FOREIGN = "does not hold results of this package: name another file with --out"
DAMAGED = "is damaged: remove it, or name another file with --out"
REMOVE = "remove the file, or name another one with --out"
REASONS = {
    sqlite3.SQLITE_ERROR: "lacks a table or a column of results: " + REMOVE,
    sqlite3.SQLITE_NOTADB: FOREIGN,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_BUSY: "is in use by another process: wait for it, or name another file with "
    "--out",
}
FORMAT = "# ranktrees results, format 2"
KEYS = ["dataset", "method", "reading", "run", "measure"]
KINDS = {  # what SQLite calls a column's kind, and how it is said
    "run": (("integer",), "a whole number"),
    "fold": (("integer",), "a whole number"),
    "value": (("real", "null"), "a number"),
    **dict.fromkeys(["dataset", "method", "reading", "measure"], (("text",), "text")),
}


class ResultsError(OSError):
    """Results that cannot be read or written as asked; the message says why and what to do."""


def cannot_write(path: Path, error) -> ResultsError:
    """Return the error for a file that the system does not let us write."""
    return ResultsError(
        f"{path} cannot be written ({error}): see to that and start the same command again, which "
        "goes on where it was"
    )


# The database


@contextlib.contextmanager
def opened(path: Path, settings: Mapping) -> Iterator[sqlite3.Connection]:
    """Open the database at `path` for results of these settings (JSON values), created if missing.

    ResultsError, here and for what SQLite refuses inside: a file of another program, another paper,
    version or seed, damage, a full disk, a lock that is not released.
    """
    try:
        db = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        with contextlib.closing(db):
            _begin(db, path, settings)
            yield db
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without its finer part
        if code in REASONS:
            raise ResultsError(f"{path} {REASONS[code]}") from error
        raise cannot_write(path, error) from error


def _begin(db, path, settings):
    """Set up a new file as ours; check that an old one is whole and holds the same work."""
    with transaction(db):
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            for statement in SCHEMA:
                db.execute(statement)
            texts = [(name, json.dumps(value)) for name, value in settings.items()]
            db.executemany("INSERT INTO settings VALUES (?, ?)", texts)
        if db.execute("PRAGMA application_id").fetchone()[0] != MARK:
            raise ResultsError(f"{path} {FOREIGN}")
        if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise ResultsError(f"{path} {DAMAGED}")
        _check_folds(db, path)
        rows = db.execute("SELECT rowid, name, value FROM settings").fetchall()
    known = {name: _setting(path, row, name, value) for row, name, value in rows}
    check_settings(path, known, settings)
    for row, name, _ in rows:
        if name not in settings:
            where = f"{path}: table settings, row {row}"
            raise ResultsError(f"{where}: unknown name {name!r:.60}; {REMOVE}")


def _setting(path, row, name, value):
    """Read a setting from its JSON; ResultsError names its row."""
    try:
        return json.loads(value)
    except (TypeError, ValueError) as error:
        wrong = f"{name} is {value!r:.60}, which is no JSON"
        raise ResultsError(f"{path}: table settings, row {row}: {wrong}; {REMOVE}") from error


def _check_folds(db, path):
    """Raise ResultsError for the first row of folds in which something is not of its kind."""
    for name, (kinds, words) in KINDS.items():
        known = ", ".join(map(repr, kinds))
        wrong = f"SELECT rowid, {name} FROM folds WHERE typeof({name}) NOT IN ({known})"
        if found := db.execute(f"{wrong} ORDER BY rowid LIMIT 1").fetchone():
            where, value = f"{path}: table folds, row {found[0]}", found[1]
            raise ResultsError(f"{where}: {name} is {value!r:.60}, not {words}; {REMOVE}")


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Keep all that a `with` block writes, or nothing; other processes wait."""
    db.execute("BEGIN IMMEDIATE")  # the lock comes first, so that no two wait for one another
    with db:
        yield


def check_settings(path: Path, known: Mapping, wanted: Mapping) -> None:
    """Raise ResultsError, naming the first that differs, unless the settings are as wanted."""
    for name in ("paper", "version", *sorted(wanted)):
        if known.get(name) != wanted.get(name):
            texts = [json.dumps(some.get(name), sort_keys=True) for some in (known, wanted)]
            here, asked = (text if len(text) <= 80 else f"{text[:77]}..." for text in texts)
            raise ResultsError(
                f"{path} holds other results: its {name} is {here}, not {asked}; name another "
                "file with --out"
            )


def finished_units(db: sqlite3.Connection) -> set[tuple[str, int]]:
    """Return the units (data set, run) that are done."""
    return set(db.execute("SELECT DISTINCT dataset, run FROM folds"))


def write_unit(db: sqlite3.Connection, unit: tuple, rows: Iterable[tuple]) -> None:
    """Keep a unit's rows, as `measure` gives them; a unit that is done stays as it is."""
    with transaction(db):
        if unit not in finished_units(db):  # or another process was faster, with the same values
            values = [(*unit, *row) for row in rows]
            db.executemany("INSERT INTO folds VALUES (?, ?, ?, ?, ?, ?, ?)", values)


def read_unit(db: sqlite3.Connection, unit: tuple) -> list[tuple]:
    """Read a unit's rows (columns `COLUMNS`) as they were written, with None for NaN."""
    columns = ", ".join(COLUMNS)
    query = f"SELECT {columns} FROM folds WHERE dataset = ? AND run = ? ORDER BY rowid"
    return db.execute(query, unit).fetchall()


# The export


def write_results(path: Path, settings: Mapping, rows: Iterable[tuple]) -> None:
    """Export rows of the columns `COLUMNS`, in their order; ResultsError leaves the old file."""
    lines: dict[tuple, dict] = {}
    for dataset, method, reading, run, fold, measure, value in rows:
        lines.setdefault((dataset, method, reading, run, measure), {})[fold] = value
    folds = sorted({fold for values in lines.values() for fold in values})
    text = io.StringIO(newline="")
    text.write(f"{FORMAT}\n# {json.dumps(settings, sort_keys=True)}\n")
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*KEYS, *folds])
    table.writerows([*key, *map(values.get, folds)] for key, values in lines.items())
    replace_file(path, text.getvalue())


def replace_file(path: Path, text: str) -> None:
    """Put a file's new text in its place in one step; ResultsError leaves the old one."""
    try:
        with replacing(path) as new, new.open("w", encoding="utf-8", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise cannot_write(path, error.strerror or error) from error


def read_settings(path: Path) -> dict:
    """Read the settings of an export; ResultsError for any other file."""
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        first, second = file.readline(), file.readline()
    if first != f"{FORMAT}\n":
        raise ResultsError(
            f"{path} does not hold results of format {FORMAT!r}: name another file with --out"
        )
    try:
        return dict(json.loads(second.removeprefix("# ")))
    except (TypeError, ValueError) as error:
        raise ResultsError(f"{path} has a damaged head: remove it, or name another file") from error


def read_results(path: AnyPath) -> tuple[dict, pd.DataFrame]:
    """Read settings and rows (columns `COLUMNS`, values exact) of an export.

    ResultsError for another file, or one that is cut short.
    """
    path = as_path("path", path)
    settings, text = read_settings(path), path.read_text(encoding="utf-8")
    table = text.split("\n", 2)[2]
    if not table.endswith("\n"):
        raise ResultsError(f"{path} is cut short: start the command that wrote it again")
    try:
        wide = pd.read_csv(io.StringIO(table), dtype=str, keep_default_na=False)
    except pd.errors.ParserError as error:
        raise ResultsError(f"{path} is damaged: {error}: start the command again") from error
    if list(wide)[: len(KEYS)] != KEYS or not all(map(str.isdigit, list(wide)[len(KEYS) :])):
        raise ResultsError(f"{path} has a damaged head: remove it, or name another file")
    wide["order"] = wide.groupby(KEYS[:-1], sort=False).ngroup()
    folds = [name for name in wide if name not in (*KEYS, "order")]
    for name, kind in {"run": int, **dict.fromkeys(folds, float)}.items():
        wide[name] = _numbers(path, wide[name], kind)
    long = wide.melt([*KEYS, "order"], var_name="fold").astype({"run": int, "fold": int})
    long = long.sort_values(["order", "fold"], kind="stable", ignore_index=True)
    return settings, long.astype({"value": float})[list(COLUMNS)]


def _numbers(path, column, kind):
    """Read a column of texts as numbers, exactly, unlike pandas; ResultsError names the row."""
    numbers = []
    for text in column:
        try:
            numbers.append(kind(text or "nan"))
        except ValueError as error:
            where = f"{path}, data row {len(numbers) + 1}"
            raise ResultsError(f"{where}: {column.name} cannot be {text!r:.60}") from error
    return numbers


def fold_grids(frame: pd.DataFrame) -> dict[tuple, np.ndarray]:
    """Return {(dataset, method, reading, measure): values (runs, folds)}, NaN for no value.

    `frame` of `read_results`, or some of its rows.
    """
    check_rows(frame)
    run, fold, value = (frame[name].to_numpy() for name in ("run", "fold", "value"))
    keys, grids = ["dataset", "method", "reading", "measure"], {}
    for key, rows in frame.groupby(keys, sort=False).indices.items():
        grids[key] = np.full((run[rows].max() + 1, fold[rows].max() + 1), np.nan)
        grids[key][run[rows], fold[rows]] = value[rows]
    return grids


# The results that are kept with the project


def stored_papers() -> list[str]:
    """Return the papers whose results are kept with the project, in the order of `PAPERS`."""
    return _stored(PAPERS)


def _stored(names):
    return [name for name in names if (folder() / "results" / f"{name}.csv").is_file()]


def results(paper: str) -> tuple[dict, pd.DataFrame]:
    """Read settings and rows, as `read_results` does, of a paper's kept results.

    Studies have results, too. ValueError for a name without results lists those that have some.
    """
    return read_results(kept_file(paper))


def environment(paper: str) -> dict:
    """Return what made a paper's kept results: python, versions, commit, settings.

    See `results`.
    """
    return json.loads(kept_file(paper, ".environment.json").read_text(encoding="utf-8"))


def kept_file(paper: str, ending: str = ".csv") -> Path:
    """Return the path of a paper's kept results; ValueError for a name without any."""
    choose("results", paper, _stored(STUDIES))
    return folder() / "results" / f"{paper}{ending}"
