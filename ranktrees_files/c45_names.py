"""What a .names file of C4.5 declares: the classes, and the columns of the cases."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ranktrees_engine.basics.typos import brief, nearest
from ranktrees_files.arff_columns import Declared
from ranktrees_files.c45_tokens import Token, tokens_of
from ranktrees_files.paths import lines_of

LATER = {  # kinds of attributes that C5.0 has and C4.5 has not
    "date": "turn it into numbers in the file",
    "time": "turn it into numbers in the file",
    "timestamp": "turn it into numbers in the file",
    "label": "write ignore for it",
}
FORMULA = "compute it in the file, or from data.X"
WEIGHT = "give its numbers to fit as sample_weight"
IN_WORDS = (
    "a .names file that describes the data in words is not one of C4.5: "
    'rt.read_csv("{}.data", header=None) reads the cases alone'
)


@dataclass
class Names:
    """The declarations of a .names file: classes, or the attribute that is the class; columns.

    A column to ignore or to drop is None.
    """

    classes: list[str]
    declared: set[str] = field(default_factory=set)  # formulas, too
    columns: dict[str, Declared | None] = field(default_factory=dict)
    most: dict[str, int] = field(default_factory=dict)  # values of "discrete n"
    ordered: set[str] = field(default_factory=set)


class NamesError(ValueError):
    """An invalid line of a .names file."""

    def __init__(self, line: int, said: str):
        super().__init__(said)
        self.line = line


def wrong(path: Path, line: int, said: str) -> ValueError:
    """Return an error about a line of a file."""
    return ValueError(f"{path.name}, line {line}: {brief(said)}")


def read_names(path: Path, drop: list[str]) -> Names:
    """Read a .names file; ValueError, naming the line, for what cannot be read."""
    tokens = tokens_of(lines_of(path.read_bytes()).read())
    try:
        names = Names(_classes(tokens))
        for token in tokens:
            _declare(token, tokens, names, drop)
        _check_names(names)
    except NamesError as error:
        said = str(error).replace("{}", path.stem)
        raise wrong(path, error.line, said) from None
    for name in drop:
        if name not in names.declared:
            advice = nearest(name, names.columns)
            raise ValueError(f"{path.name} has no attribute {name!r:.60} to drop; {advice}")
    return names


def _classes(tokens):
    """Return the classes, or the single name of the attribute that is the class."""
    entry = _entry(tokens)
    if not entry:
        raise NamesError(1, "the file is empty: its first entry names the classes, as good, bad.")
    if entry[-1].mark in (":", ":="):
        raise NamesError(
            entry[-1].line,
            f"the first entry names the classes, as good, bad.; it cannot be {entry[-1].text!r} "
            "with a colon (C5.0 cuts a number into classes so: turn it into classes in the file)",
        )
    return list(dict.fromkeys(token.text for token in entry))


def _entry(tokens: Iterator[Token]) -> list[Token]:
    """Return the next tokens up to one that is not followed by a comma."""
    entry = []
    for token in tokens:
        entry.append(token)
        if token.mark != ",":
            break
    return entry


def _declare(head, tokens, names, drop):
    """Add the attribute that begins with this token."""
    name, line = head.text, head.line
    if head.mark not in (":", ":="):
        said = f"{name!r} needs a colon and its kind: continuous, its values, or ignore"
        raise NamesError(line, f"{said}; {IN_WORDS}")
    if not name:
        raise NamesError(line, "a name is missing before the colon")
    if name.lower() in ("attributes included", "attributes excluded"):
        how = "drop=[...] leaves attributes out"
        raise NamesError(line, f"{name!r} of C5.0 is not read: remove this entry, and {how}")
    if name in names.declared:
        raise NamesError(line, f"attribute {name!r} is declared twice")
    names.declared.add(name)
    if head.mark == ":=":  # tokens_of has taken its formula for one token
        next(tokens, None)
        return _refuse_later(line, name, "a formula", FORMULA, drop)
    values = [token.text for token in _entry(tokens)]
    if not values or not all(values):
        raise NamesError(line, f"attribute {name!r} has an empty value")
    if name == "case weight":
        _refuse_later(line, name, "the weights of cases", WEIGHT, drop)
    names.columns[name] = None if name in drop else _column(line, name, values, names, drop)
    return None


def _column(line, name, values, names, drop):
    """Return the empty column of an attribute; None for one that is ignored."""
    first, _, rest = values[0].partition(" ")
    if len(values) > 1:
        if first == "[ordered]":
            names.ordered.add(name)
            values[0] = rest
        return Declared(
            name, "nominal", {value: v for v, value in enumerate(dict.fromkeys(values))}
        )
    if values == ["continuous"]:
        return Declared(name, "numeric", {})
    if values == ["ignore"]:
        return None
    if first == "discrete":
        if not rest.isdecimal() or int(rest) < 2:
            raise NamesError(
                line, f"attribute {name!r}: discrete needs a number of 2 or more values"
            )
        names.most[name] = int(rest)
        return Declared(name, "string", {})
    if first in LATER:
        return _refuse_later(line, name, f"of the kind {first}", LATER[first], drop)
    raise NamesError(
        line,
        f"attribute {name!r} is {values[0]!r}: give continuous, discrete n, ignore, or two values "
        f"or more; {IN_WORDS}",
    )


def _refuse_later(line, name, what, instead, drop):
    """Raise NamesError for what only C5.0 has, unless it is dropped."""
    if name not in drop:
        raise NamesError(
            line,
            f"attribute {name!r} is {what}, which C5.0 has and C4.5 has not: drop=[{name!r}] "
            f"leaves it out, or {instead}",
        )


def _check_names(names):
    """Raise NamesError unless the class is an attribute and another is left to learn from."""
    known = [name for name, column in names.columns.items() if column is not None]
    if len(names.classes) == 1:
        name = names.classes[0]
        if name not in known or names.columns[name].kind != "nominal":
            raise NamesError(
                1,
                f"the first entry is the single name {name!r}: it must be two classes or more, or "
                f"the attribute with the classes as its values; {IN_WORDS}",
            )
        known.remove(name)
    if not known:
        raise NamesError(1, f"there is no attribute to learn from; {IN_WORDS}")
