"""The columns of an ARFF file: arrays with room for its rows, which are filled block by block."""

import math
import re
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees.reading.scan import BLANK, ScanError

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_DIGITS = frozenset("0123456789.+-eE \t")


class Declared(NamedTuple):
    """An attribute as declared: name, kind, the values of a nominal one and their codes."""

    name: str
    kind: str  # "nominal", "numeric" or "string"
    values: dict[str, int]

    @property
    def unlisted(self):
        """What a sparse row leaves out: 0, no text, or the code of the first value."""
        return {"numeric": 0.0, "string": ""}.get(self.kind, 0 if self.values else -1)

    @property
    def dtype(self) -> np.dtype:
        """Of a column: floats, texts, or codes that take no more bytes than they need."""
        if self.kind == "nominal":
            return np.min_scalar_type(-max(len(self.values), 1))
        return np.dtype(float if self.kind == "numeric" else object)


class Columns:
    """Room for `most` rows of declared attributes, of which the first n are filled.

    Numbers lie in one array, as a DataFrame has them, so that nothing is copied at the end; pages
    of room that stay empty take no memory. `lines` are the rows' lines in the file.
    """

    def __init__(self, declared: Sequence[Declared], most: int):
        self.declared, self.most, self.n = declared, most, 0
        self.is_numeric = [attribute.kind == "numeric" for attribute in declared]
        self.numbers = np.empty((sum(self.is_numeric), most))
        rows = iter(self.numbers)
        self.columns = [
            next(rows) if is_number else np.empty(most, attribute.dtype)
            for attribute, is_number in zip(declared, self.is_numeric, strict=True)
        ]
        self.lines = np.empty(most, np.int32)

    @property
    def room(self) -> int:
        """How many rows may follow."""
        return self.most - self.n

    def add(self, lines: Sequence[int], parts: Iterable[tuple[list | None, list]]) -> None:
        """Add the rows on these lines: of each attribute the rows (None: all) and texts given.

        Raises ScanError for a text that an attribute cannot have, and where there is no room.
        """
        if len(lines) > self.room:
            raise ScanError(f"more than {self.most} rows")
        here = slice(self.n, self.n + len(lines))
        for attribute, column, (rows, texts) in zip(
            self.declared, self.columns, parts, strict=True
        ):
            if rows is None:
                column[here] = _READ[attribute.kind](attribute, texts)
                continue
            column[here] = attribute.unlisted
            try:
                column[here][rows] = _READ[attribute.kind](attribute, texts)
            except ScanError as error:
                raise ScanError(str(error), rows[error.row]) from None
        self.lines[here] = lines
        self.n += len(lines)

    def frame(self) -> pd.DataFrame:
        """The rows as a frame, whose columns stand as declared."""
        names = [attribute.name for attribute in self.declared]
        numbers = self.numbers[:, : self.n].T
        frame = pd.DataFrame(numbers, columns=list(compress(names, self.is_numeric)), copy=False)
        for place, attribute in enumerate(self.declared):
            if attribute.kind != "numeric":
                column = pd.Series(self.columns[place][: self.n], dtype=attribute.dtype)
                if attribute.kind == "nominal":
                    values = pd.Index(list(attribute.values), dtype="str")
                    column = pd.Categorical.from_codes(column, values)
                frame.insert(place, attribute.name, column)
        frame.columns = names
        return frame


def _nominal(attribute, texts):
    code = attribute.values.get
    codes = [-1 if text is None else code(text) for text in texts]
    if None in codes:
        row = codes.index(None)
        values = ", ".join(map(repr, attribute.values)) or "nothing"
        raise ScanError(
            f"attribute {attribute.name!r} does not declare {texts[row]!r}, only {values}", row
        )
    return codes


def _numeric(attribute, texts):
    try:
        number = {text: float("nan" if text is None else text) for text in set(texts)}
        finite = math.inf not in map(abs, number.values())
        if finite and _DIGITS.issuperset("".join(filter(None, number))):
            return [number[text] for text in texts]
    except ValueError:
        pass
    return [_number(attribute, text, row) for row, text in enumerate(texts)]


def _number(attribute, text, row):
    """What a text means, where float takes more than ARFF does, and less of blanks."""
    if text is None:
        return math.nan
    if not _NUMBER.fullmatch(text.strip(BLANK)):
        raise ScanError(f"attribute {attribute.name!r}: {text!r} is not a number", row)
    if math.isinf(number := float(text.strip(BLANK))):
        raise ScanError(f"attribute {attribute.name!r}: {text!r} is not finite", row)
    return number


_READ = {"nominal": _nominal, "numeric": _numeric, "string": lambda attribute, texts: texts}
