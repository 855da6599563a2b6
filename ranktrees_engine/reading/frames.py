"""Frames of other libraries as pandas ones: polars, pyarrow, DuckDB and what narwhals knows."""

import numpy as np
import pandas as pd

FRAMES = {"cudf", "duckdb", "ibis", "modin", "narwhals", "polars", "pyarrow"}


def as_pandas(values):
    """Convert a frame, or Series y, of polars, pyarrow or what narwhals knows to pandas.

    Names, gaps and declared categories stay. A masked array becomes a plain one with gaps;
    everything else is returned unchanged. Raises TypeError for a lazy frame, and ImportError,
    saying what to install, if narwhals or pyarrow is missing.
    """
    if isinstance(getattr(values, "dtype", None), pd.ArrowDtype):  # a dictionary declares values
        return from_arrow(pd.Series(values))
    if isinstance(values, np.ma.MaskedArray):
        return _with_gaps(values)
    library = type(values).__module__.partition(".")[0]
    if library not in FRAMES:
        return _of_known_types(values) if isinstance(values, pd.DataFrame) else values
    try:
        import narwhals as nw
        import pyarrow as pa
    except ImportError as error:
        advice = "pip install narwhals pyarrow, or give X.to_pandas()"
        raise ImportError(f"to read {type(values).__name__} of {library}: {advice}") from error
    if isinstance(values, pa.Array | pa.RecordBatch):  # narwhals knows what has chunks
        values = pa.chunked_array([values]) if isinstance(values, pa.Array) else pa.table(values)
    if isinstance(values, pa.Table):  # of which narwhals says less
        refuse_twice(values.column_names)
    given = nw.from_native(values, allow_series=True)
    if isinstance(given, nw.LazyFrame):
        advice = "give X.collect(), in DuckDB X.to_arrow_table()"  # df() declares false orders
        raise TypeError(f"{type(values).__name__} is lazy: {advice}")
    frame = _through_arrow(given.to_frame() if isinstance(given, nw.Series) else given, nw)
    return as_pandas(frame.iloc[:, 0] if isinstance(given, nw.Series) else frame)


def _through_arrow(frame, nw):
    """Convert a narwhals frame to pandas, with its categories."""
    kinds = frame.schema
    if frame.implementation.is_polars():  # the order of categories depends on the process
        wide = nw.selectors.by_dtype(nw.Int128, nw.UInt128).cast(nw.Float64)  # unknown to Arrow
        frame = frame.with_columns(nw.selectors.categorical().cast(nw.String), wide)
    frame = frame.to_arrow().to_pandas(types_mapper=pd.ArrowDtype)
    for name, kind in kinds.items():
        if kind == nw.Enum:  # older polars keeps their order to itself
            frame[name] = from_arrow(frame[name]).cat.as_ordered()
        elif kind == nw.Categorical:
            frame[name] = from_arrow(frame[name]).astype("category")
    return frame


def _of_known_types(frame):
    """Convert columns of string_view, a type that pandas does not know, to text."""
    for place, dtype in enumerate(frame.dtypes):
        if isinstance(dtype, pd.ArrowDtype) and str(dtype) == "string_view[pyarrow]":
            frame = frame.copy(deep=False)
            frame.isetitem(place, from_arrow(frame.iloc[:, place]))
    return frame


def unpacking(path):
    """Return a stream of the content of a .zst file; ImportError without pyarrow."""
    import pyarrow as pa

    return pa.input_stream(path, compression="zstd")


def _with_gaps(values):
    """Convert a masked array to a plain one, with gaps where it is masked."""
    mask, plain = np.ma.getmaskarray(values), np.ma.getdata(values)
    if mask.any():
        plain = plain.astype(float if plain.dtype.kind in "fiu" else object)
        plain[mask] = np.nan
    return plain


def from_arrow(x):
    """Convert an Arrow-backed Series to one of pandas' types; dictionary codes get a sign."""
    array = x.array.__arrow_array__()
    if hasattr(array.type, "index_type"):  # older pyarrow reads no others
        import pyarrow as pa

        kind = pa.dictionary(pa.int32(), array.type.value_type, array.type.ordered)
        array = array.cast(kind)
    return pd.Series(array.to_pandas())


def refuse_twice(names, what="column", how="occurs more than once: give each its own name"):
    """Raise ValueError if a name occurs twice; `what` and `how` are parts of the message."""
    names = pd.Index(map(str, names), dtype=object)
    if not names.is_unique:
        raise ValueError(f"{what} {names[names.duplicated()][0]!r:.300} {how}")
