"""What `fit` warns of: text that reads as numbers throughout, and columns without a value."""

import re
from collections.abc import Sequence

from ranktrees_engine.basics.warn import warn
from ranktrees_engine.reading.columns import Column

MANY = 20  # distinct values of a quantity, at least
MOST = 5  # sentences that a warning lists
NUMBER = re.compile(r"[+-]?((0|[1-9]\d*)(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
NO_VALUE = "has no value at all: it says nothing about the class"
TOLD = "ranktrees"  # a mark on frames about whose columns a reader has warned


def warn_of_columns(X: object, columns: Sequence[Column]) -> None:
    """Warn once of these columns of X, unless the reader that made X has done so."""
    if TOLD in getattr(X, "attrs", ()):
        return
    texts = [column for column in columns if is_text_of_numbers(column)]
    sentences = [text_of_numbers(c.name, len(c.categories), c.categories[0]) for c in texts]
    if empty := [column.name for column in columns if column.missing.all()]:
        sentences.append(about(empty, NO_VALUE))
    if sentences:
        warn(in_one_text(sentences), same="columns")


def is_text_of_numbers(column: Column) -> bool:
    """Return whether a column is text of many different values that all read as numbers."""
    if column.kind == "numeric" or column.declared or len(column.categories) <= MANY:
        return False
    values = column.categories.tolist()
    return all(isinstance(value, str) and NUMBER.fullmatch(value) for value in values)


def text_of_numbers(name: str, n_values: int, example: str) -> str:
    """Return the sentence about such a column, which says how to make it numbers or names."""
    return (
        f"column {name!r:.60} is text, and its {n_values} different values, such as {example!r}, "
        "all read as numbers: turn them into numbers, or say that they are names: "
        f'X.astype({{{name!r:.60}: "category"}})'
    )


def about(names: Sequence[str], predicate: str) -> str:
    """Return a sentence about several columns, of which a long list is cut."""
    others = ", ".join(map(repr, names[1:])) if len(names) <= MOST else f"{len(names) - 1} others"
    like = f", like {others:.200}," if len(names) > 1 else ""
    return f"column {names[0]!r:.60}{like} {predicate}"


def in_one_text(sentences: Sequence[str]) -> str:
    """Return some of the sentences in one text, and how many more there are."""
    more = len(sentences) - MOST
    return "; ".join(sentences[:MOST]) + (f"; and {more} more doubts" if more > 0 else "")
