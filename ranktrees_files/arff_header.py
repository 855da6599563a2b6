"""The header of an ARFF file, or of one of KEEL: relation, attributes, inputs and outputs."""

import re
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import NamedTuple

from ranktrees_engine.basics.typos import brief
from ranktrees_files import arff_tokens as scan
from ranktrees_files.arff_columns import Declared
from ranktrees_files.arff_tokens import BLANK, QUOTED, ScanError
from ranktrees_files.paths import InMemory, located

CSV = "; a table of names and values is read by rt.read_csv"
_ATTRIBUTE = re.compile(rf"({QUOTED}|[^\x00-\x20{{'\"][^\x00-\x20{{]*)[\x00-\x20]*(.*)", re.DOTALL)


class ArffError(ValueError):
    """A malformed ARFF file: the message has the file, the line (from 1) and what is wrong."""

    def __init__(self, message: str, path: Path | str | InMemory, line: int):
        self.path, self.line = located(path), line
        super().__init__(f"{self.path.name}, line {line}: {brief(message)}")


class Header(NamedTuple):
    """Relation, attributes, and the number of the line @data; KEEL's inputs and outputs."""

    relation: str
    declared: list[Declared]
    line: int
    inputs: list[str]
    outputs: list[str]


def header_of(lines: Iterator[tuple[int, str]], path: Path | InMemory, drop: list[str]) -> Header:
    """Read the header from numbered lines up to @data; ArffError for what cannot be read."""
    relation, declared, number = PurePath(path.stem).stem, {}, 0
    ends = {"@input": [], "@output": []}
    try:
        for number, line in lines:
            keyword, rest = _keyword(line)
            if keyword == "@data":
                if rest and not rest.startswith("%"):
                    raise ScanError(f"@data must stand alone on its line, not with {rest[:40]!r}")
                if not declared:
                    raise ScanError("@data without any @attribute before it")
                return Header(relation, list(declared.values()), number, *ends.values())
            if keyword == "@relation":
                quoted = re.match(QUOTED, rest)  # the name means nothing, so that any text will do
                name = scan.unquote(quoted[0]) if quoted else rest.partition(" %")[0].strip(BLANK)
                relation = name or relation
            elif keyword == "@attribute":
                if _declare(rest, declared, drop) == "relational":
                    next(n for n, line in lines if _keyword(line)[0] == "@end")
            elif keyword.removesuffix("s") in ends:
                ends[keyword.removesuffix("s")] += _names(keyword, rest, declared)
            elif keyword:
                line = line.strip(BLANK)[:40]
                raise ScanError(f"expected @relation, @attribute or @data, not {line!r}{CSV}")
        number += 1
        raise ScanError("the file ends without @data")
    except ScanError as error:
        raise ArffError(str(error), path, number) from None


def _keyword(line):
    """Return a header line's first word in lower case and the rest; "" for an empty line."""
    line = line.strip(BLANK)
    if not line or line.startswith("%"):
        return "", ""
    keyword, rest = re.match(rf"([^{BLANK}]+)(.*)", line, re.DOTALL).groups()
    return keyword.lower(), rest.strip(BLANK)


def _names(keyword, text, declared):
    """Return the attributes that KEEL lists as inputs or outputs."""
    names = [name or "?" for name in scan.split_values(text)[0]]
    for name in names:
        if name not in declared:
            raise ScanError(f"{keyword} names {name!r}, which no @attribute declares above it")
    return names


def _declare(text, known, drop):
    """Add an attribute to the known ones: its kind."""
    match = _ATTRIBUTE.fullmatch(text)
    if not match:
        raise ScanError("unclosed quote in @attribute" if text else "@attribute without a name")
    name, kind = match.groups()
    name = scan.unquote(name) if name[0] in "'\"" else name
    if name in known:
        raise ScanError(f"attribute {name!r} is declared twice")
    values, rest = {}, re.sub(r"^[^\x00-\x20\[%{]+", "", kind).lstrip(BLANK)
    if kind.startswith("{"):
        values, rest = _values(name, kind)
    if rest.startswith("{"):
        raise ScanError(f"attribute {name!r}: weights of attributes are not read: remove {rest!r}")
    if values and rest:
        raise ScanError(f"attribute {name!r}: unexpected {rest!r} after its values")
    word = "nominal" if kind.startswith("{") else _kind(name, kind, drop)
    known[name] = Declared(name, word, values)
    return word


def _values(name, text):
    """Return the declared values with their codes, and the text after them."""
    inside, rest = scan.split_braces(text)
    codes = {}
    for value in scan.split_values(inside)[0]:
        value = "?" if value is None else value
        if value in codes:
            raise ScanError(f"attribute {name!r} declares {value!r} twice")
        codes[value] = len(codes)
    return codes, rest


def _kind(name, text, drop):
    word = re.match(r"[^\x00-\x20\[%]*", text)[0].lower()
    if word in ("numeric", "real", "integer", "string"):
        return "string" if word == "string" else "numeric"
    if word in ("date", "relational") and name in drop:
        return word
    if word in ("date", "relational"):
        raise ScanError(
            f"attribute {name!r}: {word} attributes are not read; drop=[{name!r}] leaves it out, "
            "or turn it into numbers or nominal values"
        )
    raise ScanError(f"attribute {name!r}: unknown type {text!r} (numeric, string or {{values}})")
