"""The codes of a path forest: fine ones for its trees, and three grids for its factors.

Nominal attributes have the same codes in all four, and numbers have their distinct values counted
once: so the work on a column is done once, not four times.
"""

from collections.abc import Iterator

import numpy as np

from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.estimates.path_forest import without_gaps
from ranktrees_engine.reading.bins import equal_frequency, exact, value_table
from ranktrees_engine.reading.columns import Column
from ranktrees_engine.reading.encoder import Codes, Encoder

GRIDS = ("entropy-mdl", 10), ("equal-frequency", 5), ("equal-frequency", 10)
MOST_CUTS = 255  # of a number, for the trees


class FineEncoder(Encoder):
    """Codes for trees that cut numbers in two: between all values, or in 255 bins if many."""

    def __init__(self):
        super().__init__("thresholds", missing="value")

    def cuts(self, values: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Return the cuts half-way between at most 256 distinct numbers, else those of 255 bins."""
        if len(values) - 1 > MOST_CUTS:
            return equal_frequency.of_counts(values, counts, MOST_CUTS)
        return exact.of_counts(values, counts)


def new_encoders() -> tuple[FineEncoder, list[Encoder]]:
    """Return the encoder for the trees, and those of the grids, which have learnt nothing yet."""
    return FineEncoder(), [Encoder("bins", *grid, missing="value") for grid in GRIDS]


def learn_encoders(
    columns: list[Column], y: Array, weight: Array | None
) -> tuple[FineEncoder, list[Encoder]]:
    """Return the encoder for the trees, and those of the grids, as if each had learnt alone."""
    fine, grids = new_encoders()
    encoders, schemas = [fine, *grids], []
    categories = [column.categories for column in columns]
    fill = [fine.fill_value(column, weight) for column in columns]
    for column in columns:
        cuts = [()]
        if column.kind == "numeric":
            counted = value_table(column.values, y, weight)
            cuts = [encoder.cuts(*counted) for encoder in encoders]
        what = column.name, column.kind, column.categories
        infos = [fine.info(*what, each, column.missing.any()) for each in cuts]
        schemas.append(infos * (len(encoders) // len(infos)))
    for encoder, schema in zip(encoders, zip(*schemas, strict=True), strict=True):
        encoder.categories_, encoder.fill_, encoder.schema_ = categories, fill, schema
    return fine, grids


def in_grids(fine: Codes, columns: list[Column], grids: list[Encoder]) -> Iterator[Codes]:
    """Yield columns in the codes of each grid, -1 for gaps; `fine` are those of the trees."""
    for grid in grids:
        largest = max(info.size for info in grid.schema_)
        values = fine.values.astype(np.min_scalar_type(-largest))
        for j, (info, column) in enumerate(zip(grid.schema_, columns, strict=True)):
            if info.kind == "numeric" and column.kind == "numeric":
                values[:, j] = np.searchsorted(info.cuts, column.values)
                values[column.missing, j] = -1
            elif info.kind == "numeric":  # it holds categories now
                values[:, j] = grid.encode(j, column)
        yield without_gaps(Codes(values, grid.schema_))
