"""The weight of each case of a scan, from its column and its class, as in memory.

In memory all weights are seen together (`reading.weights`). Here sums of them, each of which takes
a scan of their column, decide how weights are scaled and rounded.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.sums import ExactSum
from ranktrees_engine.reading.weights import (
    NEAR,
    WHOLE,
    brought_to_mean_one,
    check_total,
    of_classes,
    rounded,
    warn_of_much,
)
from ranktrees_files.scale.sources import naming_file


class Sums(NamedTuple):
    """The sums of n weights: `total`, how `many` are above 0, if all are whole, class totals."""

    n: int
    total: float
    many: int
    are_whole: bool
    by_class: dict


class Weigher:
    """A function of a scan's frames that computes case weights, in steps from those in the file."""

    def __init__(self, scan):
        self.scan, self.steps, self.dtype = scan, [], np.dtype(float)

    @property
    def names(self) -> list[str]:
        """The columns that are read."""
        return [self.scan.target] + [self.scan.weight] * (self.scan.weight is not None)

    def __call__(self, frame) -> np.ndarray:
        """Return the weight (m,) of each case of a frame with these columns."""
        codes, labels = self.scan.labels(frame)
        weight = self.scan.weights(frame)
        for step in self.steps:
            weight = step(weight, codes, labels.tolist())
        return weight.astype(self.dtype, copy=False)

    def sums(self) -> Sums:
        """Sum the weights after the steps so far, in one scan of the columns they need."""
        n, total, many, are_whole, by_class = 0, ExactSum(), 0, True, {}
        for where, frame in self.scan.frames(self.names):
            with naming_file(where):
                weight, (codes, labels) = self(frame), self.scan.labels(frame)
            total.add(weight)
            n += len(weight)
            many += np.count_nonzero(weight)
            are_whole &= bool((weight == np.floor(weight)).all())
            for c, label in enumerate(labels.tolist()):
                by_class.setdefault(label, ExactSum()).add(weight[codes == c])
        by_class = {label: part.total() for label, part in by_class.items()}
        return Sums(n, total.total(), many, are_whole, by_class)


def weigher_of(scan, class_weight) -> Weigher | None:
    """Return the `Weigher` of a scan; None if each case counts 1.

    Raises ValueError or TypeError as `ranktrees_engine.reading.weights.read_weights` does.
    """
    if scan.weight is None and class_weight is None:
        return None
    weigh = Weigher(scan)
    sums = weigh.sums()
    if sums.many == 0 and sums.by_class:
        raise ValueError(f"the weight {scan.weight!r} is zero in all rows: some must not be zero")
    sums = _bring(weigh, sums)
    if class_weight is not None:
        classes = sorted(sums.by_class, key=str)
        each = of_classes(class_weight, np.array([sums.by_class[c] for c in classes]), classes)
        weigh.steps.append(_by_class(dict(zip(classes, each.tolist(), strict=True))))
        sums = _bring(weigh, weigh.sums())
    if np.count_nonzero([*sums.by_class.values()]) < 2:
        raise ValueError("cases of at least two classes need a weight that is not zero")
    check_total(sums.total)
    warn_of_much(sums.total, sums.many)
    if sums.total > WHOLE or not sums.are_whole:
        weigh.steps.append(lambda weight, *_: rounded(weight, sums.total))
        return weigh
    weigh.dtype = np.dtype(np.int64)
    return None if sums.n == sums.many == sums.total else weigh


def _bring(weigh, sums) -> Sums:
    """Scale weights to mean 1 if it is less; return their new sums."""
    if not 0 < sums.total < (1 - NEAR) * sums.many:
        return sums
    weigh.steps.append(lambda weight, *_: brought_to_mean_one(weight, sums.total, sums.many))
    return weigh.sums()


def _by_class(factor: dict) -> Callable:
    return lambda weight, codes, labels: weight * np.array([factor[x] for x in labels])[codes]
