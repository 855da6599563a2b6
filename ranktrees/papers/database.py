"""Results in an SQLite file: one transaction per run of folds, which are grown together.

A killed process, two at once, a full disk: SQLite keeps whole transactions and nothing else. Its
journal is the default one, which is rolled back. WAL would let others read during a write, but a
write takes milliseconds every few seconds; and WAL does not work on the network folders of a
cluster, and leaves two more files beside the first.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

PATIENCE = 60.0  # seconds to wait for another process that writes
MARK = 0x52416E6B  # SQLite's "application id" of our files
SCHEMA = (
    f"PRAGMA application_id = {MARK}",
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE folds (dataset TEXT, run INTEGER, method TEXT, reading TEXT, fold INTEGER, "
    "measure TEXT, value REAL)",  # NULL for a value that a fold leaves undefined
    "CREATE INDEX units ON folds (dataset, run)",
)
FOREIGN = "is no results of this package: name another file with --out"
DAMAGED = "is damaged: remove it, or name another file with --out"
IN_USE = "is in use by another process: wait for it, or name another file with --out"
REASONS = {
    sqlite3.SQLITE_NOTADB: FOREIGN,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_BUSY: IN_USE,
}


class ResultsError(OSError):
    """Results that cannot be read or written as asked; the message says why and what to do."""


@contextmanager
def opened(path: Path, settings: Mapping) -> Iterator[sqlite3.Connection]:
    """The database at `path` for results of these settings (JSON values); a new one if none is.

    ResultsError, here and for what SQLite refuses within: a file of others, another paper, version
    or seed, damage, a full disk, a lock that is not given up.
    """
    try:
        with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as db:
            _begin(db, path, settings)
            yield db
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without its finer part
        reason = REASONS.get(code) or cannot_write(error)
        raise ResultsError(f"{path} {reason}") from error


def cannot_write(error) -> str:
    """What to say of a file that the system does not let us write."""
    return (
        f"cannot be written ({error}): see to that and start the same command again, which goes "
        "on where it was"
    )


def _begin(db, path, settings):
    """Make a new file ours; of an old one, see that it is whole and holds the same work."""
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
        rows = db.execute("SELECT name, value FROM settings").fetchall()
    check_settings(path, {name: json.loads(value) for name, value in rows}, settings)


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Keeps all that is written within, or nothing; meanwhile no other process writes."""
    db.execute("BEGIN IMMEDIATE")  # the lock comes first, lest two wait for one another
    with db:
        yield


def check_settings(path: Path, known: Mapping, wanted: Mapping) -> None:
    """Raise ResultsError, naming the first that differs, unless the settings are as wanted."""
    for name in ("paper", "version", *sorted(wanted)):
        if known.get(name) != wanted.get(name):
            raise ResultsError(
                f"{path} holds other results: its {name} is {_short(known.get(name))}, not "
                f"{_short(wanted.get(name))}; name another file with --out"
            )


def _short(value):
    text = json.dumps(value, sort_keys=True)
    return text if len(text) <= 80 else f"{text[:77]}..."


def finished_units(db: sqlite3.Connection) -> set[tuple[str, int]]:
    """The units (data set, run) that are done."""
    return set(db.execute("SELECT DISTINCT dataset, run FROM folds"))


def write_unit(db: sqlite3.Connection, unit: tuple, rows: Iterable[tuple]) -> None:
    """Keep a unit's rows, as of `measure`; a unit that is done stays as it is."""
    with transaction(db):
        if unit not in finished_units(db):  # or another process was faster, with the same values
            values = [(*unit, *row) for row in rows]
            db.executemany("INSERT INTO folds VALUES (?, ?, ?, ?, ?, ?, ?)", values)


def read_unit(db: sqlite3.Connection, unit: tuple) -> list[tuple]:
    """A unit's rows as they were written: dataset, method, reading, run, fold, measure, value.

    The value is None for NaN.
    """
    columns = "dataset, method, reading, run, fold, measure, value"
    query = f"SELECT {columns} FROM folds WHERE dataset = ? AND run = ? ORDER BY rowid"
    return db.execute(query, unit).fetchall()
