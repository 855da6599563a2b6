"""Reading for naive Bayes: bins and categories without a code for what is missing."""

from dataclasses import replace

import numpy as np

from ranktrees.columns import Column
from ranktrees.encode import Encoder
from ranktrees.schema import AttributeInfo
from ranktrees.warn import WarnOnce, warn


def learn_encoder(columns: list[Column], y: np.ndarray, discretize, n_bins, missing) -> Encoder:
    """An encoder that has learnt the columns; with missing="skip" a missing value becomes -1."""
    skip = missing == "skip"
    encoder = Encoder("bins", discretize, n_bins, missing="value" if skip else missing)
    with WarnOnce(without=("it is never split on",)):  # that concerns trees alone
        encoder.learn(columns, y)
    if skip:
        encoder.schema_ = tuple(replace(info, missing=False) for info in encoder.schema_)
    return encoder


def warn_of_empty(columns: list[Column]) -> None:
    """Warn of each column in which nothing is known."""
    for column in columns:
        if column.missing.all():
            warn(f"column {column.name!r} has no value at all: it says nothing about the class")


def labels(info: AttributeInfo) -> list:
    """What each code of an attribute stands for: its values, or its bins in words."""
    if info.kind == "numeric":
        return [info.describe([v]) for v in range(info.size)]
    return [*info.values, *["missing"] * info.missing]
