"""What the cells of a CSV file mean: missing values, numbers, words for true and false.

Blanks around names and values are ignored; an empty field, ?, NA and NaN are missing. A column with
numbers only is numeric; any other column is text, exactly as it is written: how True is spelt in a
row does not depend on other rows.
"""

import re
from collections.abc import Callable, Collection
from contextlib import suppress

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import as_names
from ranktrees_engine.basics.typos import nearest

# pandas would also take "None" and "null" for missing, which are values in real tables.
MISSING = ["", "?", "NA", "NaN", "nan"]
# What spreadsheets write where a formula fails.
MISSING += ["#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"]
OWN = ("drop", "numbers")  # options that pandas does not have
IN_BATCHES = ("sep", "encoding", "header", "comment", "decimal", "thousands", "na_values", "dtype")
IN_BATCHES += ("skiprows", *OWN)  # what scans take
TEXT = ("category", "str", "string", "object", str, object)  # types that leave all as it is written
SIGNS = r"[€$£¥₹%‰]|\b(EUR|USD|GBP|CHF)\b"


def overruled(options: dict) -> dict:
    """Add the defaults to the options; a file is read whole, so that a column has one type."""
    if asked := options.get("parse_dates"):
        raise ValueError(
            f"parse_dates={asked!r:.60}: dates are not read: leave it out, and they are text, or "
            "drop= such columns; turn them into numbers to learn from them"
        )
    if (mark := options.get("thousands")) and mark == options.get("decimal", "."):
        raise ValueError(
            f"thousands={mark!r} is the mark of fractions, too: give another one, decimal="
            f"{'.' if mark == ',' else ','!r}"
        )
    options = {"skipinitialspace": True, **options}
    options |= {name: as_names(name, options.get(name, ())) for name in OWN}
    types, all_alike = asked_types(options), options.get("dtype")
    if types:
        options["dtype"] = types | {k: "str" for k, v in types.items() if is_text(v)}
    elif is_text(all_alike):
        options["dtype"] = "str"
    sep = options.get("sep")
    if isinstance(sep, str) and len(sep) > 1 and sep != r"\s+":
        options = {"engine": "python", **options}
    given = options.get("na_values")
    given = given if isinstance(given, dict) else {None: given}
    marks = {name if name is None else str(name): _as_list(mark) for name, mark in given.items()}
    common = MISSING * bool(options.get("keep_default_na", True))
    options["na_values"] = {**marks, None: [*common, *marks.get(None, ())]}
    # An engine that is named may not know the option.
    return {"low_memory": "engine" in options, **options, "keep_default_na": False}


def _as_list(marks):
    """Marks as text; of 999.0 also 999, as it may be written."""
    marks = [] if marks is None else [marks] if pd.api.types.is_scalar(marks) else [*marks]
    whole = [str(int(mark)) for mark in marks if isinstance(mark, float) and mark.is_integer()]
    return [*(str(mark).strip() for mark in marks), *whole]


def named_columns(options: dict) -> list[str]:
    """Return the columns that options name, each of which a file must have."""
    marked = [name for name in options["na_values"] if name is not None]
    return [*map(str, asked_types(options)), *marked, *options["numbers"], *options["drop"]]


def check_named(options: dict, known: Collection[str], file: str, key: Callable = str) -> None:
    """Raise ValueError, with the nearest, for a named column that is not known by its `key`."""
    for name in named_columns(options):
        if key(name) not in known:
            raise ValueError(f"{file} has no column {name!r:.60}; {nearest(name, known)}")


def masked(column: pd.Series, options: dict, name: str | None = None) -> pd.Series:
    """Mask the values that the options declare missing; numbers are compared as numbers."""
    if not options.get("na_filter", True):
        return column
    marks = options["na_values"][None] + options["na_values"].get(name or str(column.name), [])
    if isinstance(column.dtype, pd.CategoricalDtype):
        gone = [value for value in column.cat.categories if str(value) in marks]
        return column.cat.remove_categories(gone) if gone else column
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        marks = [x for mark in marks if (x := _number(mark, options)) is not None]
    is_marked = column.isin(marks) if marks else None
    return column.mask(is_marked) if marks and is_marked.any() else column


def _number(mark, options):
    """What a mark means as a number, or None."""
    thousands, decimal = options.get("thousands") or "", options.get("decimal", ".")
    for text in (mark, mark.replace(thousands, "").replace(decimal, ".")):
        with suppress(ValueError):
            return None if (x := float(text)) != x else x
    return None


def for_pandas(options: dict) -> dict:
    """Return the options that pandas can handle, except marks of thousands.

    With "." as such a mark pandas reads 1.2.2024 as a number; `clean_text` does not.
    """
    how = {name: value for name, value in options.items() if name not in (*OWN, "thousands")}
    return {"index_col": False} | how | {"na_values": options["na_values"][None]}


def is_text(dtype) -> bool:
    """Return whether a requested type keeps values as they are written."""
    return any(dtype is text or (isinstance(dtype, str) and dtype == text) for text in TEXT)


def asked_types(options: dict) -> dict:
    """Return the requested types by column."""
    return dtype if isinstance(dtype := options.get("dtype"), dict) else {}


def declared(options: dict, name: str) -> bool:
    """Return whether the options set the type of a column."""
    named = {
        str(key).strip() for key in [*asked_types(options), *(options.get("converters") or ())]
    }
    return name in named or not isinstance(options.get("dtype"), dict | None)


def clean(frame: pd.DataFrame, options: dict) -> pd.DataFrame:
    """Strip blanks around names and values; text with numbers only becomes numeric."""
    frame = frame.set_axis([str(name).strip() for name in frame], axis=1)
    for name, column in frame.items():
        kind = pd.api.types.infer_dtype(column, skipna=True)
        if kind == "string":
            frame[name] = clean_text(column.str.strip(), name, options)
            continue
        plain = column
        if kind == "integer" and column.dtype == object:  # beyond 64 bits
            plain = column.map(lambda n: float(str(n)), na_action="ignore").astype("float64")
        if kind.startswith(("date", "time")):
            raise ValueError(
                f"column {name!r:.60} holds dates, which are not read: drop=[{name!r:.60}] leaves "
                "it out, without parse_dates= it is text"
            )
        if (plain := masked(plain, options, name)) is not column:
            frame[name] = plain
    return frame


def clean_text(column: pd.Series, name: str, options: dict) -> pd.Series:
    """Mask the missing values of text, which becomes numbers if all of it reads as numbers."""
    column = masked(column, options, name)
    known = column.dropna()
    if declared(options, name) or not as_options_say(known.iloc[:1], name, options).all():
        return column
    if not as_options_say(known.drop_duplicates(), name, options).all():
        return column
    known = bare(known) if name in options["numbers"] else known
    thousands, decimal = options.get("thousands") or "", options.get("decimal", ".")
    known = known.str.replace(thousands, "", regex=False) if thousands else known
    plain = known.str.replace(decimal, ".", regex=False).astype("float64")
    return masked(plain.reindex(column.index), options, name)


def as_options_say(texts: pd.Series, name: str, options: dict) -> pd.Series:
    """Return which texts (V,) of a column are numbers under the options."""
    signs, thousands = name in options["numbers"], options.get("thousands") or ""
    return written_numbers(texts, signs, thousands, options.get("decimal", "."))


def written_numbers(
    texts: pd.Series, signs: bool = False, thousands: str = "", decimal: str = "."
) -> pd.Series:
    """Return which texts (V,) are numbers with these marks, and signs that `bare` removes."""
    texts = bare(texts) if signs else texts
    return texts.str.fullmatch(_pattern(thousands, decimal), case=False, flags=re.ASCII)


def is_number(text: str) -> bool:
    """Return whether a text is a number as Python writes it."""
    return re.fullmatch(_pattern(), text, re.ASCII | re.IGNORECASE) is not None


def _pattern(thousands="", decimal="."):
    """The regular expression of a number with these marks."""
    group, point = rf"{re.escape(thousands)}\d{{3}}", re.escape(decimal)
    number = rf"([1-9]\d{{0,2}}({group})+|\d+)({point}\d*)?|{point}\d+"
    return rf"[+-]?({number})(e[+-]?\d+)?"


def bare(texts: pd.Series) -> pd.Series:
    """Strip signs of percent, currency and units from texts (V,); parentheses mean negative."""
    texts = texts.str.replace("\u2212", "-").str.replace(SIGNS, "", regex=True).str.strip()
    texts = texts.str.replace(r"^\((.*)\)$", r"-\1", regex=True)
    return texts.str.replace(r"(?<=\d)\s*[^\W\d_]{1,4}[²³]?$", "", regex=True)


def as_classes(column: pd.Series) -> pd.Series:
    """Turn a column into class labels: numbers without a point, true and false as booleans."""
    known = column.dropna()
    if pd.api.types.is_float_dtype(column) and len(known) == len(column):
        is_whole = (column % 1 == 0).all() and column.abs().max() <= 2**53
        return column.astype("int64") if is_whole else column
    if isinstance(column.dtype, pd.CategoricalDtype) or not pd.api.types.is_string_dtype(known):
        return column
    truth = {"true": True, "false": False}
    return column.str.lower().map(truth) if are_truths(known) else column


def are_truths(texts: pd.Series) -> bool:
    """Return whether all texts are words for true and false, in any spelling."""
    return bool(len(texts)) and texts.str.lower().isin(["true", "false"]).all()


def check_finite(column: pd.Series, file: str, first: int = 1) -> None:
    """Raise ValueError, which names the row, for infinity in a column of numbers."""
    if not pd.api.types.is_numeric_dtype(column) or not (infinite := np.isinf(column)).any():
        return
    marks = [mark for mark in ("inf", "-inf") if (column == float(mark)).any()]
    raise ValueError(
        f"{file}: column {column.name!r:.60} is infinite in data row {first + infinite.argmax()}: "
        f"na_values={marks} makes it missing"
    )
