"""The first pass over files: schema, fills and classes, from summaries of the columns."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

import numpy as np
import pandas as pd

from ranktrees.bins import equal_frequency
from ranktrees.encode import Encoder
from ranktrees.optional import optional
from ranktrees.scale.files import Scan
from ranktrees.scale.folder import work_folder
from ranktrees.scale.log import Log

LEAST_MEMORY = 64 << 20  # bytes that DuckDB is given at least


class ExactSum:
    """The sum of doubles without any rounding, batch by batch, in whatever order.

    A double is a whole number of 53 bits times a power of two. The two halves of these numbers are
    added up for each power: sums of 2^20 halves are exact in doubles.
    """

    def __init__(self):
        self.parts = {}

    def add(self, x: np.ndarray) -> None:
        """Add finite numbers (m,), at most 2^20 of them."""
        if not len(x):
            return
        mantissa, power = np.frexp(x)
        mantissa *= 1 << 27
        high = np.floor(mantissa)
        low, least = (mantissa - high) * (1 << 26), int(power.min())
        for part, bits in ((high, 27), (low, 53)):
            sums = np.bincount(power - least, part)
            for k in sums.nonzero()[0].tolist():
                key = least + k - bits
                self.parts[key] = self.parts.get(key, 0) + int(sums[k])

    def mean(self, n: int) -> float:
        """The mean of all n numbers, bit for bit `ranktrees.encode.exact_mean`."""
        total = sum(Fraction(v) * Fraction(2) ** k for k, v in self.parts.items())
        scale = 0.5 ** n.bit_length()
        return float(total * Fraction(scale)) / (n * scale)


class Summary:
    """What a column's batches have shown: range and sum of numbers, or counts of categories.

    `declared`: whether the files declare its categories; else these are the values that occur.
    """

    def __init__(self, name: str, declared: bool):
        self.name, self.declared, self.kind = name, declared, None
        self.n, self.n_known, self.sum = 0, 0, ExactSum()
        self.low, self.high = np.inf, -np.inf
        self.categories, self.counts = pd.Index([], dtype=object), np.zeros(0, int)

    def add(self, column) -> None:
        """Take in the column of a batch."""
        gap = column.missing
        known = column.values[~gap] if gap.any() else column.values
        if len(known) or self.kind is None:  # without any value a number is not told from text
            self.kind = column.kind
        self.n, self.n_known = self.n + len(gap), self.n_known + len(known)
        if column.kind != "numeric":
            self._count(known, column.categories)
        elif len(known):
            self.low, self.high = min(self.low, known.min()), max(self.high, known.max())
            self.sum.add(known)

    def _count(self, known, categories):
        if not self.categories.equals(categories):
            new = categories[~categories.isin(self.categories)]
            if len(new):
                self.categories = self.categories.append(new) if len(self.categories) else new
                self.counts = np.append(self.counts, np.zeros(len(new), int))
        place = self.categories.get_indexer(categories)
        self.counts[place] += np.bincount(known, minlength=len(place))

    def finish(self) -> tuple:
        """Fill for gaps, and number of values; categories that occur are sorted as in memory."""
        if self.kind == "numeric":
            if not self.n_known:
                return 0, 0
            mean = self.sum.mean(self.n_known)
            return min(max(mean, self.low), self.high), 1 + (self.low < self.high)
        if not self.declared:
            order = self.categories.argsort()
            self.categories, self.counts = self.categories[order], self.counts[order]
        return int(self.counts.argmax()) if self.n_known else 0, np.count_nonzero(self.counts)


def learn(scan: Scan, encoder: Encoder, budget: int, log: Log) -> tuple[np.ndarray, np.ndarray]:
    """Let the encoder learn the scan's columns: the classes (C,), sorted, and their counts (C,).

    One scan for ranges, sums, categories and classes, and one more of each column whose cuts ask
    for its values in order (all but bins of equal width). Raises ValueError as `Encoder.fit` does,
    and where the distinct values of a column take more than `budget` bytes.
    """
    summaries = [Summary(name, "categories" in scan.types[name]) for name in scan.names]
    counts = {}
    for columns, y, labels in log.watch(scan.batches(), "reading"):
        for summary, column in zip(summaries, columns, strict=True):
            summary.add(column)
        occur = np.bincount(y, minlength=len(labels)).tolist()
        for label, n in zip(labels.tolist(), occur, strict=True):
            counts[label] = counts.get(label, 0) + n
    classes = _classes(counts, scan)
    ends = [summary.finish() for summary in summaries]
    encoder.categories_ = [s.categories if s.kind != "numeric" else None for s in summaries]
    encoder.fill_ = [fill for fill, _ in ends]
    schema = []
    for s, (fill, n_values) in zip(summaries, ends, strict=True):
        has_gap = s.n_known < s.n
        encoder.warn_of_constant(s.name, n_values, has_gap)
        if encoder.missing == "error" and has_gap:
            raise ValueError(
                f"column {s.name!r} has {s.n - s.n_known} missing values: fill them, or use "
                'missing="impute" or missing="value"'
            )
        cuts = _cuts(scan, encoder, s, fill, classes, budget) if s.kind == "numeric" else ()
        schema.append(encoder.info(s.name, s.kind, s.categories, cuts, s.n, has_gap))
    encoder.schema_ = tuple(schema)
    return classes, np.array([counts[label] for label in classes.tolist()])


def _classes(counts, scan):
    """The sorted classes, of which at least two occur."""
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


def _cuts(scan, encoder, summary, fill, classes, budget):
    """The cuts of a number, as `encoder` makes them of its values in memory."""
    in_bins = encoder.numeric == "bins"
    if not summary.n_known or (in_bins and encoder.discretize == "equal-width"):
        return encoder.cuts(np.array([summary.low, summary.high] if summary.n_known else []))
    by_class = in_bins and encoder.discretize == "entropy-mdl"
    by_rank = not in_bins or encoder.discretize == "equal-frequency"
    ranks = encoder.n_bins if in_bins else encoder.max_codes
    filled = fill if encoder.missing == "impute" else None
    with value_counts(scan, summary.name, filled, classes if by_class else None, budget) as db:
        (n_values,) = db.execute("SELECT count(*) FROM counted").fetchone()
        if by_rank and n_values > ranks:
            rows = db.execute(AT_RANKS.replace("$ranks", str(ranks))).fetchnumpy()
            counts = np.diff(rows["up_to"].astype(np.int64), prepend=0)
            return equal_frequency(rows["x"], ranks, counts=counts[:, None])
        if 8 * n_values * (len(classes) + 1) > budget:
            raise ValueError(
                f"column {summary.name!r} has {n_values:,} different numbers, whose counts take "
                f'more than the budget of {budget:,} bytes: use discretize="equal-width" or '
                '"equal-frequency", a larger budget, or a sample: data = scan.sample(100_000)'
            )
        x, *counts = db.execute("SELECT * FROM counted ORDER BY x").fetchnumpy().values()
    return encoder.cuts(x, counts=np.stack(counts, axis=1).astype(np.int64))


# The values in which a rank lies, and those after them; the others count with the next of these.
AT_RANKS = """
    WITH running AS (SELECT x, n0 AS n, sum(n0) OVER (ORDER BY x) AS up_to, sum(n0) OVER () AS n_all
                     FROM counted),
         marked AS (SELECT *, up_to * $ranks // n_all > (up_to - n) * $ranks // n_all AS has_rank
                    FROM running),
         pairs AS (SELECT *, lag(has_rank) OVER (ORDER BY x) AS is_next FROM marked)
    SELECT x, up_to FROM pairs WHERE has_rank OR is_next ORDER BY x
"""


@contextmanager
def value_counts(scan, name, fill, classes, budget) -> Iterator:
    """A DuckDB connection with a table `counted` of a column's distinct numbers x and counts.

    n0, n1 ... are the cases of each class, or n0 all cases where `classes` is None. DuckDB groups
    out of core. Gaps are filled, or left out where `fill` is None.
    """
    duckdb, pa = optional("duckdb"), optional("pyarrow")
    known = None if classes is None else pd.Index(classes)
    schema = pa.schema([("x", pa.float64()), ("y", pa.int64())])

    def batches():
        for _, frame in scan.frames([name] if known is None else [name, scan.target]):
            x = frame[name].to_numpy(float, na_value=np.nan)
            y = np.zeros(len(x), np.int64)
            if known is not None:
                y = known.get_indexer(pd.Index(frame[scan.target])).astype(np.int64)
            x = np.where(np.isnan(x), np.nan if fill is None else fill, x)
            keep = ~np.isnan(x)  # for DuckDB NaN would be the largest number
            yield pa.record_batch([pa.array(x[keep]), pa.array(y[keep])], schema=schema)

    with work_folder() as folder, duckdb.connect() as db:
        try:
            db.execute(f"SET memory_limit = '{max(budget, LEAST_MEMORY)}B'")
            db.execute("SET temp_directory = ?", [str(folder)])
            db.register("cases", pa.RecordBatchReader.from_batches(schema, batches()))
            C = 1 if known is None else len(known)
            counts = ", ".join(f"count(*) FILTER (y = {c}) AS n{c}" for c in range(C))
            db.execute(f"CREATE TABLE counted AS SELECT x, {counts} FROM cases GROUP BY x")
            yield db
        except duckdb.Error as error:
            raise ValueError(f"column {name!r}: its values cannot be sorted: {error}") from error
