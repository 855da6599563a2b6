"""Results of comparisons as CSV files, exactly."""

import pandas as pd

from ranktrees_engine.basics.arguments import as_path, check_like
from ranktrees_engine.basics.kinds import AnyPath
from ranktrees_engine.evaluate.results import COLUMNS, Results, check_columns
from ranktrees_files.paths import replacing


def write_results(results: Results, path: AnyPath) -> None:
    """Write `results.frame` as CSV, exactly; it replaces an older file once it is complete."""
    check_like("results, such as rt.compare gives", results, "frame", "table")
    with replacing(as_path("path", path)) as part:
        results.frame.to_csv(part, index=False, encoding="utf-8", lineterminator="\n")


def read_results(path: AnyPath) -> Results:
    """Read what `write_results` wrote; ValueError for other columns or what is not a number."""
    frame = pd.read_csv(as_path("path", path), dtype=str, keep_default_na=False, encoding="utf-8")
    check_columns(frame)
    numbers = {name: _numbers(frame[name], int) for name in COLUMNS[2:6]}
    value = _numbers(frame["value"].replace("", "nan"), float)  # pandas' own may be rounded
    return Results(frame.assign(**numbers, value=value))


def _numbers(column, kind):
    """Convert a column of texts to numbers; ValueError, naming the row, for any other text."""
    for row, text in enumerate(column, 1):
        try:
            kind(text)
        except ValueError as error:
            raise ValueError(f"data row {row}: {column.name} cannot be {text!r}") from error
    return column.map(kind)
