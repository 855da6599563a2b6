"""Numbers as people type them: .7, 0,7, 7/10, 70 %, 0.9 bits, 17 of 20."""

import re

NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:/(\d+\.?\d*|\.\d+))?(%?)")
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?%?")
OF = re.compile(r"\s+(?:out\s+)?of\s+(\d+)\b.*")
UNIT = re.compile(r"(?<=[\d.%])\s*[A-Za-z][^\d%]*$")
PER_CENT = ("%", "per cent")


def read_number(text: str, unit: str = "") -> float:
    """Return the number that was typed, in this unit; ValueError says what to type instead.

    The unit "share" is from 0 to 1 and also accepts per cent; a comma is a decimal point unless
    three digits follow.
    """
    typed = bare(text, unit == "share")
    typed = typed.replace(",", "" if THOUSANDS.fullmatch(typed) else ".")
    found = NUMBER.fullmatch(typed)
    if not found:
        raise ValueError(f"Please type {wanted(unit)}.")
    above, below, per_cent = float(found[1]), float(found[2] or 1), bool(found[3])
    if not below:
        raise ValueError("Nothing can be divided by 0.")
    if per_cent and unit != "share" and unit not in PER_CENT:
        raise ValueError(f"Not in per cent, please: type {wanted(unit)}.")
    value = above / below / (100 if per_cent and unit == "share" else 1)
    if unit == "share" and not 0 <= value <= 1:
        raise ValueError(f"A share lies between 0 and 1. Did you mean {above / below:g} %?")
    return value


def bare(text: str, share: bool = False) -> str:
    """Strip blanks, unit, "step": the 17 of "17 of 20"; if a share is asked for, the fraction."""
    typed = re.sub(r"per ?cent\b", "%", text.strip().lstrip("=≈~ ")).replace("−", "-")
    typed = re.sub(r"^step\b", "", typed, flags=re.IGNORECASE)
    return re.sub(r"\s", "", UNIT.sub("", OF.sub(r"/\1" if share else "", typed)))


def wanted(unit: str) -> str:
    """Describe what the reader should type."""
    if unit == "share":
        return "a share from 0 to 1, such as 0.7, or per cent, such as 70 %"
    if unit in PER_CENT:
        return "a number in per cent, such as 70"
    return f"a number of {unit}" if unit else "a number"


def written(value: float, unit: str = "", digits: int = 2) -> str:
    """Format a number with this many decimals and its unit; a share also in per cent."""
    if unit == "share":
        return f"{value:.{digits}f} ({100 * value:.{max(digits - 2, 0)}f} %)"
    return f"{value:,.{digits}f} {unit}".strip()
