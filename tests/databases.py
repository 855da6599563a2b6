"""A query of a model, asked of two databases."""

import sqlite3

import numpy as np
import pytest


def make_table(frame, kind=""):
    """The command that makes a table with the frame's columns."""
    names = (str(name).replace('"', '""') for name in frame)
    columns = ", ".join(f'"{name}" {kind}' for name in names)
    return f"CREATE TABLE cases ({columns})"


def duck(**options):
    """A connection to DuckDB, which is looked for when it is needed."""
    return pytest.importorskip("duckdb").connect(**options)


def in_sqlite(frame, query):
    """What a query says of a table that holds the frame, as an array."""
    rows = frame.astype(object).where(frame.notna(), None).to_numpy(object).tolist()
    with sqlite3.connect(":memory:") as connection:
        connection.execute(make_table(frame))
        places = ", ".join("?" * len(frame.columns))
        connection.executemany(f"INSERT INTO cases VALUES ({places})", rows)
        return np.array(connection.execute(query).fetchall(), float)


def in_duckdb(frame, query):
    """The same from DuckDB, which reads the frame itself: NaN, categories and integers."""
    connection = duck(config={"memory_limit": "1GB", "threads": 1})
    connection.register("cases", frame)
    return np.array(connection.execute(query).fetchall(), float)
