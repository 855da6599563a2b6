"""The first pass over files: schema, fills and classes, from summaries of the columns."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pandas as pd

from ranktrees_engine.basics.optional import optional
from ranktrees_engine.basics.sums import ExactSum
from ranktrees_engine.reading.bins import equal_frequency
from ranktrees_engine.reading.encoder import Encoder
from ranktrees_engine.reading.weights import bincount
from ranktrees_files.doubt import FEW, Values
from ranktrees_files.doubts import of_values, warn_of
from ranktrees_files.doubts_class import counts_from, of_counting
from ranktrees_files.scale.folder import work_folder
from ranktrees_files.scale.log import Log
from ranktrees_files.scale.memory import give_back

SMALL = 2.0**-54  # times a weight, of at most 2**53, below 1: no product is beyond a double
LEAST_MEMORY = 64 << 20  # bytes that DuckDB is given at least
VECTORS = 32  # of 2,048 values, that are fetched at a time


class Summary:
    """Summary of a column's batches: range and sum of numbers, or counts of categories.

    `declared`: whether the files declare its categories; else these are the values that occur.
    """

    def __init__(self, name: str, declared: bool):
        self.name, self.declared, self.kind = name, declared, None
        self.n, self.n_known, self.sum = 0, 0, ExactSum()
        self.first = 0  # where a column that counts the cases begins; None for others
        self.mass, self.times = 0, 1.0  # what the known ones weigh; see `ExactSum.mean`
        self.low, self.high = np.inf, -np.inf
        self.categories, self.counts = pd.Index([], dtype=object), np.zeros(0, int)

    def add(self, column, weight=None) -> None:
        """Add the column of a batch, whose cases weigh `weight` (m,), or 1 if that is None."""
        gap = column.missing
        known = column.values[~gap] if gap.any() else column.values
        weight = weight if weight is None else weight[~gap]
        if self.first is not None and len(gap):
            is_number = column.kind == "numeric" and not gap.any()
            self.first = self._counted(known) if is_number else None
        if len(known) or self.kind is None:  # without any value a number is not told from text
            self.kind = column.kind
        self.n, self.n_known = self.n + len(gap), self.n_known + len(known)
        self.mass += len(known) if weight is None else weight.sum()
        if column.kind != "numeric":
            self._count(known, column.categories, weight)
        elif len(known):
            self.low, self.high = min(self.low, known.min()), max(self.high, known.max())
            self.times = 1.0 if weight is None else SMALL
            self.sum.add(known if weight is None else known * (weight * SMALL))

    def _count(self, known, categories, weight):
        if not self.categories.equals(categories):
            new = categories[~categories.isin(self.categories)]
            if len(new):
                self.categories = self.categories.append(new) if len(self.categories) else new
                self.counts = np.append(self.counts, np.zeros(len(new), int))
        place = self.categories.get_indexer(categories)
        more = bincount(known, weight, len(place))
        self.counts = self.counts.astype(more.dtype, copy=False)
        self.counts[place] += more

    def _counted(self, known):
        """Return the first number if the numbers so far count the cases, else None."""
        first = self.first if self.n else known[0]
        return first if first in (0, 1) and counts_from(known, first + self.n) else None

    @property
    def counts_cases(self) -> bool:
        """True if these number the cases from 0 or 1 on, and are more than a few."""
        return self.first is not None and self.n > FEW

    def finish(self) -> tuple:
        """Fill for gaps, and number of values; categories that occur are sorted as in memory."""
        if self.kind == "numeric":
            if not self.n_known:
                return 0, 0
            mean = self.sum.mean(self.mass, self.times)
            return min(max(mean, self.low), self.high), 1 + (self.low < self.high)
        if not self.declared:
            order = self.categories.argsort()
            self.categories, self.counts = self.categories[order], self.counts[order]
        return int(self.counts.argmax()) if self.n_known else 0, np.count_nonzero(self.counts)

    def values(self, n_values: int) -> Values:
        """Return what `doubts` needs to know about a column with `n_values` values."""
        if self.kind == "numeric":
            return Values(self.name, None, None, n_values, self.n_known, self.n)
        occur, counts = self.categories[self.counts > 0], self.counts[self.counts > 0]
        return Values(self.name, occur, counts, n_values, self.n_known, self.n, self.declared)


def learn(
    scan, encoder: Encoder, budget: int, log: Log, weigh=None
) -> tuple[np.ndarray, np.ndarray]:
    """Let the encoder learn the scan's columns: the classes (C,), sorted, and their counts (C,).

    `weigh`, a `ranktrees_files.scale.weigh.Weigher`, weighs each case. One scan finds ranges, sums,
    categories and classes; each column whose cuts need sorted values (all but bins of equal
    width) needs one more. Raises ValueError as `Encoder.fit` does, and if the distinct values of a
    column take more than `budget` bytes.
    """
    instead = encoder.missing == "error" and 'missing="impute" or missing="value"'
    return learn_together(scan, [encoder], budget, log, weigh, instead)


def learn_together(
    scan, encoders: list[Encoder], budget: int, log: Log, weigh=None, instead: str | bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Let encoders that treat gaps alike learn the same columns in the same scans: see `learn`.

    `instead` names what takes missing values, where these are refused.
    """
    summaries = [Summary(name, "categories" in scan.types[name]) for name in scan.names]
    counts, log.n_rows = {}, 0
    for batch in log.watch(scan.batches(weigh), "reading"):
        for summary, column in zip(summaries, batch.columns, strict=True):
            summary.add(column, batch.weight)
        occur = bincount(batch.y, batch.weight, len(batch.labels)).tolist()
        for label, n in zip(batch.labels.tolist(), occur, strict=True):
            counts[label] = counts.get(label, 0) + n
        log.n_rows += len(batch.y)
    classes = _classes(counts, scan)
    ends = [summary.finish() for summary in summaries]
    schemas, seen = [], []
    for s, (fill, n_values) in zip(summaries, ends, strict=True):
        has_gap = s.n_known < s.n
        seen.append(s.values(n_values))
        if instead and has_gap:
            raise ValueError(
                f"column {s.name!r} has {s.n - s.n_known} missing values: fill them, or use "
                f"{instead}"
            )
        cuts = [()] * len(encoders)
        if s.kind == "numeric":
            cuts = _cuts(scan, encoders, s, fill, classes, budget, weigh)
        infos = zip(encoders, cuts, strict=True)
        schemas.append([e.info(s.name, s.kind, s.categories, each, has_gap) for e, each in infos])
    for encoder, schema in zip(encoders, zip(*schemas, strict=True), strict=True):
        encoder.categories_ = [s.categories if s.kind != "numeric" else None for s in summaries]
        encoder.fill_, encoder.schema_ = [fill for fill, _ in ends], schema
    counting = [s.name for s in summaries if s.counts_cases and scan.csv is None]
    warn_of(of_counting(counting) + of_values(seen, encoders[0].missing == "value"))
    return classes, np.array([counts[label] for label in classes.tolist()])


def _classes(counts, scan):
    """Return the sorted classes, of which at least two occur."""
    if not counts:
        raise ValueError(f"the files of {scan!r} hold no rows")
    occurring = [label for label, n in counts.items() if n]
    if len(occurring) < 2:
        raise ValueError(
            f"the class {scan.target!r} is {str(occurring[0])!r} in all rows of the files; at "
            "least two classes are needed to learn"
        )
    try:
        return pd.Index(sorted(counts)).to_numpy()
    except TypeError as error:
        raise ValueError(
            f"the class {scan.target!r} mixes text with numbers: classes must sort"
        ) from error


def _cuts(scan, encoders, summary, fill, classes, budget, weigh):
    """Return each encoder's cuts of a numeric column, as it makes them of its values in memory."""
    impute = encoders[0].missing == "impute"
    if not summary.n_known:  # all are filled in, or none is there
        x = np.full(int(impute), float(fill))
        return [encoder.cuts(x, np.ones((len(x), 1), int)) for encoder in encoders]
    if all(_how(encoder) == "equal-width" for encoder in encoders):
        ends = np.unique([summary.low, summary.high])
        return [encoder.cuts(ends, np.ones((len(ends), 1), int)) for encoder in encoders]
    by_class = any(_how(encoder) == "entropy-mdl" for encoder in encoders)
    how = fill if impute else None, classes if by_class else None
    dtype = np.int64 if weigh is None else weigh.dtype
    sorts = budget if len(encoders) == 1 else budget // 2  # the other half is for their table
    with value_counts(scan, summary.name, *how, sorts, weigh) as db:
        (n_values,) = db.execute("SELECT count(*) FROM counted").fetchone()
        if len(encoders) == 1 and (ranks := _ranks(encoders[0])) and n_values > ranks:
            rows = db.execute(at_ranks(ranks, dtype)).fetchnumpy()
            counts = np.diff(rows["up_to"].astype(dtype), prepend=0)
            return [equal_frequency.of_counts(rows["x"], counts[:, None], ranks)]
        if 8 * n_values * (len(classes) + 1) > budget:
            instead = 'discretize="equal-width" or "equal-frequency", ' * (len(encoders) == 1)
            raise ValueError(
                f"column {summary.name!r} has {n_values:,} different numbers, whose counts take "
                f"{8 * n_values * (len(classes) + 1):,} bytes, more than the budget of {budget:,} "
                f"bytes: use {instead}a larger budget, or a sample: data = scan.sample(100_000)"
            )
        x, counts = _fetched(db, n_values, dtype, budget)
    give_back()
    return [encoder.cuts(x, counts) for encoder in encoders]


def _fetched(db, n_values, dtype, budget):
    """Fetch the values (V,) of a table `counted`, in order, and their counts (V, C)."""
    names = [name for name, *_ in db.execute("DESCRIBE counted").fetchall()][1:]
    (most,) = db.execute(
        f"SELECT greatest(0, {', '.join(f'max({n})' for n in names)}) FROM counted"
    ).fetchone()
    dtype = np.min_scalar_type(-int(most) - 1) if np.dtype(dtype).kind == "i" else dtype
    x, counts = np.empty(n_values), np.empty((n_values, len(names)), dtype)
    less = max(budget // 2 - x.nbytes - counts.nbytes, LEAST_MEMORY)
    try:
        _fill(db, less, x, counts)
    except optional("duckdb").OutOfMemoryException:  # of rows with many classes
        _fill(db, max(budget // 2, LEAST_MEMORY), x, counts)
    return x, counts


def _fill(db, memory, x, counts):
    """Fetch a table `counted` in order into x (V,) and counts (V, C), sorted in this memory."""
    db.execute(f"SET memory_limit = '{memory}B'")
    db.execute("SELECT * FROM counted ORDER BY x")
    first = 0
    while len(frame := db.fetch_df_chunk(VECTORS)):
        rows = slice(first, first + len(frame))
        x[rows], counts[rows] = frame["x"], frame.iloc[:, 1:]
        first += len(frame)


def _how(encoder):
    return encoder.discretize if encoder.numeric == "bins" else ""


def _ranks(encoder):
    """Return the number of ranks from which cuts by frequency come; None for other cuts."""
    if encoder.numeric == "bins":
        return encoder.n_bins if encoder.discretize == "equal-frequency" else None
    return encoder.max_codes


def at_ranks(ranks: int, dtype: np.dtype) -> str:
    """Return SQL for values that contain a rank, and the next; others count with the next.

    With fractional weights, a value that a rank only touches may be among them, too.
    """
    if np.dtype(dtype).kind == "i":
        has_rank = f"up_to * {ranks} // n_all > (up_to - n) * {ranks} // n_all"
    else:
        share = f"{ranks} / n_all"
        has_rank = f"floor(up_to * {share} + 1e-6) > floor((up_to - n) * {share} - 1e-6)"
    return f"""
    WITH running AS (SELECT x, n0 AS n, sum(n0) OVER (ORDER BY x) AS up_to, sum(n0) OVER () AS n_all
                     FROM counted),
         marked AS (SELECT *, {has_rank} AS has_rank FROM running),
         pairs AS (SELECT *, lag(has_rank) OVER (ORDER BY x) AS is_next FROM marked)
    SELECT x, up_to FROM pairs WHERE has_rank OR is_next ORDER BY x
    """


@contextmanager
def value_counts(scan, name, fill, classes, budget, weigh=None) -> Iterator:
    """Yield a DuckDB connection with a table `counted`: a column's distinct numbers x, counts.

    n0, n1 ... are the cases of each class, or n0 all cases if `classes` is None, weighted by
    `weigh`. DuckDB groups out of core. Gaps are filled, or left out if `fill` is None.
    """
    duckdb, pa = optional("duckdb"), optional("pyarrow")
    known = None if classes is None else pd.Index(classes)
    dtype = np.dtype(np.int64 if weigh is None else weigh.dtype)
    schema = pa.schema([("x", pa.float64()), ("y", pa.int64()), ("w", pa.from_numpy_dtype(dtype))])

    def batches():
        names = [name, scan.target][: 1 if known is None else 2] if weigh is None else weigh.names
        for _, frame in scan.frames(list(dict.fromkeys([name, *names]))):
            x = frame[name].to_numpy(float, na_value=np.nan)
            y, w = np.zeros(len(x), np.int64), np.ones(len(x), dtype)
            if known is not None:
                y = known.get_indexer(pd.Index(frame[scan.target])).astype(np.int64)
            if weigh is not None:
                w = weigh(frame)
            x = np.where(np.isnan(x), np.nan if fill is None else fill, x)
            keep = ~np.isnan(x) & (w > 0)  # for DuckDB NaN would be the largest number
            yield pa.record_batch([pa.array(part[keep]) for part in (x, y, w)], schema=schema)

    with work_folder() as folder, duckdb.connect() as db:
        try:
            db.execute(f"SET memory_limit = '{max(budget, LEAST_MEMORY)}B'")
            db.execute("SET temp_directory = ?", [str(folder)])
            db.register("cases", pa.RecordBatchReader.from_batches(schema, batches()))
            C = 1 if known is None else len(known)
            n = "count(*)" if weigh is None else "sum(w)"
            counts = [f"coalesce({n} FILTER (y = {c}), 0) AS n{c}" for c in range(C)]
            db.execute(
                f"CREATE TABLE counted AS SELECT x, {', '.join(counts)} FROM cases GROUP BY x"
            )
            yield db
        except duckdb.Error as error:
            raise ValueError(f"column {name!r}: its values cannot be sorted: {error}") from error
