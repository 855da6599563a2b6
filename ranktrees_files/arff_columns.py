"""The columns of an ARFF file, which are filled block by block."""

import math
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ranktrees_files.arff_tokens import BLANK, ScanError

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
NULL = "<null>"  # how KEEL writes a missing value
_DIGITS = frozenset("0123456789.+-eE \t")
_ROOM = {"nominal": "i", "numeric": "d"}


@dataclass
class Declared:
    """An attribute: its name, its kind, the codes of nominal values, and the column to fill.

    `kind` is "nominal", "numeric", "string" or, for a column to drop, "date" or "relational".
    """

    name: str
    kind: str
    values: dict[str, int]
    filled: array | list = field(init=False)
    unlisted: str | None = field(init=False)  # the value that a sparse row omits

    def __post_init__(self):
        self.filled = array(_ROOM[self.kind]) if self.kind in _ROOM else []
        first = next(iter(self.values), None)
        self.unlisted = {"numeric": "0", "nominal": first}.get(self.kind, "")

    def as_text(self) -> None:
        """Keep all values as they are written."""
        self.kind, self.filled = "string", []

    def add(self, texts: Sequence[str | None]) -> None:
        """Add the values of some rows, None where missing.

        Raises ScanError, with the row, for a value that the attribute cannot have.
        """
        if NULL in texts and NULL not in self.values:
            texts = [None if text == NULL else text for text in texts]
        self.filled.extend(_READ[self.kind](self, texts) if self.kind in _READ else texts)

    def column(self) -> np.ndarray | pd.Series | pd.Categorical:
        """Return all values of the attribute."""
        if self.kind not in _ROOM:
            return pd.Series(self.filled, dtype=object)
        self.filled = self.filled[:]  # without the room for more
        filled = np.frombuffer(self.filled, self.filled.typecode)
        if self.kind == "numeric":
            return filled
        return pd.Categorical.from_codes(filled, pd.Index(list(self.values), dtype="str"))


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
    """Return the number that a text means; float accepts more than ARFF, but not all blanks."""
    if text is None:
        return math.nan
    if not _NUMBER.fullmatch(text.strip(BLANK)):
        raise ScanError(f"attribute {attribute.name!r}: {text!r} is not a number", row)
    if math.isinf(number := float(text.strip(BLANK))):
        raise ScanError(f"attribute {attribute.name!r}: {text!r} is not finite", row)
    return number


_READ = {"nominal": _nominal, "numeric": _numeric}
