"""The lines of a CSV file, as they stand there: those above the header, and short ones."""

import csv
import gzip
import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import dropwhile, islice

import pandas as pd

from ranktrees_engine.reading.frames import unpacking
from ranktrees_files.csv_values import IN_BATCHES
from ranktrees_files.doubt import Doubt, joined
from ranktrees_files.paths import InMemory

KNOWN = {"low_memory", "skipinitialspace", "keep_default_na", *IN_BATCHES}


@contextmanager
def opened(path) -> Iterator:
    """The bytes of a file, decompressed."""
    if isinstance(path, InMemory):
        yield io.BytesIO(path.content)
        return
    if path.suffix == ".zst":
        file = unpacking(path)
    else:
        file = (gzip.open if path.suffix == ".gz" else open)(path, "rb")
    with file:
        yield file


def records(path, options: dict) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that pandas reads, with their numbers from 0: blank and skipped ones count.

    A text in quotation marks may be longer than a line, and is a part of one. Raises csv.Error,
    TypeError, UnicodeDecodeError or OSError where the lines cannot be cut in this way.
    """
    skip, comment = options.get("skiprows"), options.get("comment")
    is_skipped = skip if callable(skip) else {*_numbers(skip)}.__contains__
    with opened(path) as source:
        lines = io.TextIOWrapper(source, options.get("encoding") or "utf-8-sig", newline="")
        how = {"delimiter": options.get("sep", ","), "skipinitialspace": True}
        for number, row in enumerate(csv.reader(lines, **how)):
            is_blank = len(row) <= 1 and not "".join(row).strip()
            if not (is_blank or is_skipped(number) or (comment and row[0][:1] == comment)):
                yield number, row


def _numbers(skip):
    """The numbers of lines that an option skips."""
    return range(skip or 0) if skip is None or pd.api.types.is_integer(skip) else skip


def _first(options):
    """The place of the header among the lines, None where there is none."""
    first = options.get("header", None if "names" in options else "infer")
    return 0 if first == "infer" else first


def above_header(path, options: dict) -> list[int]:
    """The numbers of the lines above a header in place 1 or further down, and those skipped."""
    with suppress(csv.Error, TypeError, UnicodeDecodeError):
        lines = [number for number, _ in islice(records(path, options), _first(options) + 1)]
        return [*range(lines[-1])] if lines else []
    return []


def in_file(found: list[Doubt], path, options: dict) -> list[Doubt]:
    """Doubts whose remedies count the lines as in the file, in addition to the options."""
    return [_placed(doubt, path, options) if doubt.kind == "header" else doubt for doubt in found]


def _placed(doubt, path, options):
    first, (how,) = _first(options), doubt.remedy
    said, value = doubt.sentence, doubt.remedy[how]
    if how == "header":
        if not first:  # as the doubt has counted
            return doubt
        if value is not None:
            remedy = {"header": value + first}
        else:
            remedy = {"header": None, "skiprows": above_header(path, options)}
    else:
        after = 0 if first is None else first + 1
        rows = [after + line - 1 for line in value]
        try:
            lines = [number for number, _ in islice(records(path, options), rows[-1] + 1)]
            lines = [lines[row] for row in rows]
        except (csv.Error, TypeError, UnicodeDecodeError, IndexError):
            return doubt
        skip = options.get("skiprows")
        remedy = {"skiprows": joined([] if callable(skip) else [*_numbers(skip)], lines)}
        said = said.replace(f"header={value[0]}", f"header={rows[0]}")
    for name, other in remedy.items():
        said = said.replace(f"{name}={doubt.remedy.get(name)!s:.100}", f"{name}={other!s:.100}")
    return doubt._replace(sentence=said, remedy=remedy)


def short_rows(path, frame: pd.DataFrame, options: dict) -> list[Doubt]:
    """The doubt about rows that are shorter than the header: their last values are missing."""
    if not options.keys() <= KNOWN or not frame.iloc[:, -1].hasnans:
        return []
    widths, first = [], _first(options)
    with suppress(csv.Error, TypeError, UnicodeDecodeError):
        for _, row in islice(records(path, options), first or 0, None):
            names = dropwhile(lambda cell: not cell.strip(), reversed(row))
            widths.append(len(row) if widths else len([*names]))
            if len(widths) > len(frame):
                break
    short = [n for n, width in enumerate(widths, first is None) if width < widths[0]]
    said = (
        f"{len(short)} of {len(frame)} rows are shorter than the header, the first in data "
        f"row {short[0] if short else 0}: what they lack is missing"
    )
    return [Doubt("rows", (), said, {})] if short else []
