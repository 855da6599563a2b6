"""What the codes of an attribute mean: its name, kind, values and cuts."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ranktrees_engine.basics.kinds import ArrayLike
from ranktrees_engine.reading.meaning import spellings


@dataclass(frozen=True)
class AttributeInfo:
    """One attribute of a tree: the meaning of its codes 0 ... size - 1.

    `kind` is "nominal", "ordinal" or "numeric". Nominal and ordinal attributes have `values`, one
    per code; numeric ones `cuts`, ascending: code v stands for cuts[v - 1] < x <= cuts[v]. With
    `missing` the last code stands for a missing value.
    """

    name: str
    kind: str
    values: tuple = ()
    cuts: tuple[float, ...] = ()
    missing: bool = False

    @property
    def size(self) -> int:
        """Number of codes."""
        known = len(self.cuts) + 1 if self.kind == "numeric" else len(self.values)
        return max(known + self.missing, 1)

    @cached_property
    def spellings(self) -> dict[tuple, int]:
        """Table {(kind, text): code} of all spellings of the values; see `spellings`."""
        return spellings(self.name, self.values)

    @property
    def labels(self) -> list:
        """Meaning of each code: its value, or its bin in words, or "no value" at all."""
        if self.kind == "numeric":
            return [self.describe([code]) for code in range(self.size)]
        return [*self.values, *["missing"] * self.missing] or ["no value"]

    @property
    def ordered(self) -> bool:
        """True if the codes have an order, so that a split cuts them in this order."""
        return self.kind != "nominal"

    def describe(self, codes: ArrayLike) -> str:
        """Return the test "value is among these codes" in words: `<= 2.5`, `= red`, `in {a, b}`."""
        codes = np.sort(codes).tolist()
        last = self.size - 1
        if self.missing and last in codes:
            rest = codes[:-1]
            return "is missing" if not rest else f"{self.describe(rest)} or missing"
        if self.kind == "numeric":
            return self._interval(codes[0], codes[-1])
        if self.ordered and len(codes) > 1 and codes[0] == 0:
            return f"<= {self.values[codes[-1]]}"
        if self.ordered and len(codes) > 1 and codes[-1] == len(self.values) - 1:
            return f"> {self.values[codes[0] - 1]}"
        names = [str(self.values[c]) for c in codes]
        return f"= {names[0]}" if len(names) == 1 else "in {" + ", ".join(names) + "}"

    def _interval(self, first, last):
        low = None if first == 0 else number(self.cuts[first - 1])
        high = None if last == len(self.cuts) else number(self.cuts[last])
        if low is None:
            return "is any number" if high is None else f"<= {high}"
        return f"> {low}" if high is None else f"in ({low}, {high}]"


def number(x: float) -> str:
    """Format a number with at most six significant digits, without a trailing `.0`."""
    return (
        np.format_float_positional(x, precision=6, fractional=False, trim="-")
        if (1e-4 <= abs(x) < 1e7 or x == 0)
        else f"{x:.4g}"
    )
