"""A path forest's SQL on credit-g, asked of SQLite and DuckDB with ever more rows."""

import sqlite3
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

import ranktrees as rt

ROWS = 1_000, 20_000, 100_000
EXACT = 1e-9


def sql_table(rows: tuple[int, ...] = ROWS) -> tuple[pd.DataFrame, list[str]]:
    """Measure processor seconds by database, dialect and number of rows; list what was missing.

    DuckDB has one thread. Raises AssertionError if a database says something else than the model.
    """
    data = rt.load("credit-g")
    X = data.X.apply(lambda x: x if x.dtype.kind in "fi" else x.astype(object))
    model = rt.PathForest().fit(X, data.y)
    proba, table, missing = model.predict_proba(X), {}, []
    for name, dialect, ask in (
        ("SQLite", "any", _sqlite),
        ("DuckDB", "any", _duckdb),
        ("DuckDB", "duckdb", _duckdb),
    ):
        query = model.to_sql("cases", dialect=dialect)
        try:
            seconds = [_seconds(ask, X, query, proba, n) for n in rows]
        except ModuleNotFoundError as error:
            missing.append(f"{name}: {error}")
            continue
        label = f"{name}, dialect {dialect!r}"
        table[label] = [len(query.encode()) / 1e6, *seconds]
    columns = ["query, MB", *(f"{n:,} rows" for n in rows)]
    return pd.DataFrame.from_dict(table, "index", columns=columns).rename_axis("database"), missing


def _seconds(ask: Callable, X, query, proba, n):
    which = np.arange(n) % len(X)
    seconds, said = ask(X.iloc[which].reset_index(drop=True), query)
    assert np.abs(said - proba[which]).max() < EXACT
    return seconds


def _sqlite(frame, query):
    with sqlite3.connect(":memory:") as connection:
        frame.to_sql("cases", connection, index=False)
        start = time.process_time()
        said = connection.execute(query).fetchall()
        return time.process_time() - start, np.array(said)


def _duckdb(frame, query):
    import duckdb

    connection = duckdb.connect(config={"threads": 1})
    connection.register("frame", frame)
    connection.execute("CREATE TABLE cases AS SELECT * FROM frame")
    start = time.process_time()
    said = connection.execute(query).fetchnumpy()
    return time.process_time() - start, np.array(list(said.values())).T
