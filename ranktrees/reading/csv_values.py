"""What the cells of a CSV file mean: which are missing, numbers, words for true and false.

Blanks around names and values do not count; an empty field, ?, NA and NaN are missing. A column
all of whose values are numbers is one of numbers; any other one is text, letter by letter as it is
written: whether True is spelt so or TRUE, no other row changes it.
"""

import re

import pandas as pd

# pandas would also take "None" and "null" for missing, which are values in real tables.
DEFAULTS = {
    "keep_default_na": False,
    "na_values": ["", "?", "NA", "NaN", "nan"],
    "skipinitialspace": True,
    "index_col": False,
}
IN_BATCHES = ("sep", "encoding", "decimal", "thousands", "na_values", "dtype")  # what scans take
TEXT = ("category", "str", "string", "object", str, object)  # types that leave all as it is written


def overruled(options: dict) -> dict:
    """The options with the defaults; read whole, so that a column has one type."""
    types, all_alike = asked_types(options), options.get("dtype")
    if types:
        options = options | {"dtype": types | {k: "str" for k, v in types.items() if is_text(v)}}
    elif is_text(all_alike):
        options = options | {"dtype": "str"}
    # An engine that is named may not know the option.
    return {**DEFAULTS, "low_memory": "engine" in options, **options}


def is_text(dtype) -> bool:
    """Whether a type that is asked for leaves values as they are written."""
    return any(dtype is text or (isinstance(dtype, str) and dtype == text) for text in TEXT)


def asked_types(options: dict) -> dict:
    """The types that are asked for by column."""
    return dtype if isinstance(dtype := options.get("dtype"), dict) else {}


def declared(options: dict, name: str) -> bool:
    """Whether the options say of what type a column is."""
    named = {
        str(key).strip() for key in [*asked_types(options), *(options.get("converters") or ())]
    }
    return name in named or not isinstance(options.get("dtype"), dict | None)


def clean(frame: pd.DataFrame, options: dict) -> pd.DataFrame:
    """A frame of pandas without blanks around names and values; text that is numbers is numbers."""
    frame = frame.rename(columns=lambda name: name.strip() if isinstance(name, str) else name)
    for name, column in frame.items():
        kind = pd.api.types.infer_dtype(column, skipna=True)
        if kind == "string":
            frame[name] = _clean_text(column.str.strip(), str(name), options)
        elif kind == "integer" and column.dtype == object:  # beyond 64 bits
            frame[name] = column.map(lambda n: float(str(n)), na_action="ignore").astype("float64")
    return frame


def _clean_text(column, name, options):
    is_gap = column.isin(marks_of(options, name))
    column = column.mask(is_gap) if options.get("na_filter", True) else column
    thousands, decimal = options.get("thousands") or "", options.get("decimal", ".")
    known = column.dropna()
    if declared(options, name) or not numbers(known.iloc[:1], thousands, decimal).all():
        return column
    if not numbers(known.drop_duplicates(), thousands, decimal).all():
        return column
    known = known.str.replace(thousands, "", regex=False) if thousands else known
    plain = known.str.replace(decimal, ".", regex=False).astype("float64")
    return plain.reindex(column.index)


def marks_of(options: dict, name: str) -> list[str]:
    """How a missing value is written in a column."""
    marks = options["na_values"]
    marks = marks.get(name, []) if isinstance(marks, dict) else marks
    return [str(mark) for mark in ([marks] if pd.api.types.is_scalar(marks) else marks)]


def numbers(texts: pd.Series, thousands: str = "", decimal: str = ".") -> pd.Series:
    """Which texts (V,) are numbers written with these marks of thousands and fractions."""
    group, point = rf"{re.escape(thousands)}\d{{3}}", re.escape(decimal)
    number = rf"(\d{{1,3}}({group})+|\d+)({point}\d*)?|{point}\d+"
    return texts.str.fullmatch(rf"[+-]?({number})(e[+-]?\d+)?", case=False, flags=re.ASCII)


def as_classes(column: pd.Series) -> pd.Series:
    """Labels of a class: whole numbers without a point, and words for true and false as truth."""
    known = column.dropna()
    if pd.api.types.is_float_dtype(column) and len(known) == len(column):
        is_whole = (column % 1 == 0).all() and column.abs().max() <= 2**53
        return column.astype("int64") if is_whole else column
    if not pd.api.types.is_string_dtype(known) or not are_truths(known):
        return column
    return column.str.lower().map({"true": True, "false": False})


def are_truths(texts: pd.Series) -> bool:
    """Whether texts are nothing but words for true and false, however they are spelt."""
    return bool(len(texts)) and texts.str.lower().isin(["true", "false"]).all()
