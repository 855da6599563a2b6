"""Cut C4.5's files into names: comments, escaped marks, periods, blanks."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_SKIP = re.compile(r"(?:\s+|\|[^\n]*)*")
_PERIOD = r"\.(?:[\s|]|\Z)"  # which ends a name; within one, as in 0.5, it belongs to it
_NAME = re.compile(rf"(?:\\.|(?!{_PERIOD})[^\\,:|\n])*", re.DOTALL)
_VALUE = re.compile(rf"(?:\\.|(?!{_PERIOD})[^\\,|\n])*", re.DOTALL)
_FORMULA = re.compile(rf"(?:(?!{_PERIOD}).)*", re.DOTALL)
_CAREFUL = re.compile(r"[\\|]|\.\s|[^\s,](?:\s{2,}|[^\S ])[^\s,]")  # not to be split at commas
_BLANKS, _ESCAPED = re.compile(r"\s+"), re.compile(r"\\(.)", re.DOTALL)


class Token(NamedTuple):
    """A name, None for an unknown value; the mark after it, `,` `:` `:=` or other; its line."""

    text: str
    mark: str
    line: int


def tokens_of(text: str) -> Iterator[Token]:
    """Yield the names in a .names file. After the mark := the next token is a formula."""
    place, line, mark = 0, 1, ""
    while True:
        start = _SKIP.match(text, place).end()
        line += text.count("\n", place, start)
        if start == len(text):
            return
        found = (_FORMULA if mark == ":=" else _NAME).match(text, start)
        name = _clean(found[0])
        mark = ":=" if text.startswith(":=", found.end()) else text[found.end() : found.end() + 1]
        place = found.end() + (0 if mark in ("|", "\n") else len(mark))
        yield Token(name, mark, line)
        line += text.count("\n", start, place)


def cases_of(text: str) -> Iterator[tuple[int, list[str | None]]]:
    """Yield each case's line and values, None for ?; a comma at a line's end continues it below."""
    row, first = [], 0
    for line, words in enumerate(text.split("\n"), 1):
        values, is_open = _values(words)
        first = first if row else line
        row += values
        if row and not is_open:
            yield first, row
            row = []
    if row:
        yield first, row


def _values(line):
    """Return the values in a line, and whether its last mark is a comma."""
    if not _CAREFUL.search(line):  # most lines
        values = [value.strip() for value in line.split(",")]
        if not values[-1]:
            values.pop()
            return [None if value == "?" else value for value in values], bool(values)
        values[-1] = values[-1].removesuffix(".")
        return [None if value == "?" else value for value in values], False
    values, place, mark = [], 0, ""
    while (start := _SKIP.match(line, place).end()) < len(line):
        found = _VALUE.match(line, start)
        values.append(None if found[0].strip() == "?" else _clean(found[0]))
        mark = line[found.end() : found.end() + 1]
        place = found.end() + (mark != "|")
    return values, mark == "," and bool(values)


def _clean(text):
    """Return a name without escapes, with single blanks."""
    text = _BLANKS.sub(" ", text).strip()
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text
