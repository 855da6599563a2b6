"""Reading for naive Bayes: bins and categories without a code for what is missing."""

import warnings
from dataclasses import replace

import numpy as np

from ranktrees.columns import Column
from ranktrees.encode import Encoder
from ranktrees.schema import AttributeInfo


def learn_encoder(columns: list[Column], y: np.ndarray, discretize, n_bins, missing) -> Encoder:
    """An encoder that has learnt the columns; with missing="skip" a missing value becomes -1."""
    skip = missing == "skip"
    encoder = Encoder("bins", discretize, n_bins, missing="value" if skip else missing)
    with warnings.catch_warnings():
        # that a constant attribute is never split on concerns trees alone
        warnings.filterwarnings("ignore", ".*it is never split on", UserWarning)
        encoder.learn(columns, y)
    if skip:
        encoder.schema_ = tuple(replace(info, missing=False) for info in encoder.schema_)
    return encoder


def warn_of_empty(columns: list[Column]) -> None:
    """Warn of each column in which nothing is known."""
    for column in columns:
        if column.missing.all():
            warnings.warn(
                f"column {column.name!r} has no value at all: it says nothing about the class",
                stacklevel=4,
            )


def labels(info: AttributeInfo) -> list:
    """What each code of an attribute stands for: its values, or its bins in words."""
    if info.kind == "numeric":
        return [info.describe([v]) for v in range(info.size)]
    return [*info.values, *["missing"] * info.missing]
