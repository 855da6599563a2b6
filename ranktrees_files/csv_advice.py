"""What would make a table of a CSV file that is none with the options that were given."""

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice, product
from json import dumps

MARKS = (",", ";", r"\s+", "\t", "|")
HEADS = ({}, {"header": None}, {"index_col": 0}, {"header": None, "index_col": 0})
FIRST = 20  # lines among which comments are looked for


def advice(options: dict, parse: Callable) -> str:
    """Return the keywords that make columns of a file's first rows, as the end of a sentence.

    `parse` reads the file with other options. Separators, no header and names of rows are tried
    together, the fewest changes first.
    """
    given = options.get("sep", ",")
    for more, sep in product(HEADS, MARKS):
        if more.keys() & options.keys() or (not more and sep == given):
            continue
        new = more if sep == given else {"sep": sep, **more}
        with suppress(ValueError):
            some = parse({**options, **new, "nrows": 5})
            if some.shape[1] > 1 and _is_table(some, sep, more):
                return _in_words(new)
    return ""


def _is_table(some, sep, more):
    """Whether some rows are a table, and not the words of sentences or a title's above it."""
    known = some.notna()
    if sep == r"\s+" and len(some) < 2 + ("header" in more):
        return False
    least = 0.75 if sep == r"\s+" or "header" in more else 0
    return some.empty or bool(known.any().all() and known.to_numpy().mean() > least)


def _in_words(new):
    """: give its separator, sep=";", and header=None"""
    words = [f"give its separator, sep={dumps(new['sep'])}"] if "sep" in new else []
    others = [f"{name}={value}" for name, value in new.items() if name != "sep"]
    does = {"header": "its first line is a case", "index_col": "its first column names the rows"}
    why = [does[name] for name in new if name != "sep"]
    if not others:
        return f": {words[0]}"
    said = " and ".join(others) + f" ({', '.join(why)})"
    return f": {', and '.join([*words, said])}" if words else f": give {said}"


@contextmanager
def comments_first(path, options: dict, opened: Callable) -> Iterator[None]:
    """Replace an error of a file that begins with comments by one that says so."""
    try:
        yield
    except ValueError:
        if "comment" in options or not _has_comments(path, options, opened):
            raise
        said = 'begins with comments: comment="#" leaves out lines that begin with #'
        raise ValueError(f"{path.name} {said}") from None


def _has_comments(path, options, opened):
    """Whether lines of # stand above a table, and not a header whose first name begins so."""
    with suppress(OSError, csv.Error, EOFError, ValueError), opened(path) as source:
        text = io.TextIOWrapper(source, options.get("encoding") or "latin-1", newline="")
        lines = [line for line in islice(text, FIRST) if line.strip()]
        above = [line for line in lines if line.startswith("#")]
        if not above or not lines[0].lstrip("\ufeff\u00ef\u00bb\u00bf").startswith("#"):
            return False
        rows = [line.count(options.get("sep", ",")) for line in lines]
        below = rows[len(above) : len(above) + 1]
        return len(above) > 1 or above[0].startswith("# ") or rows[:1] != below
    return False
