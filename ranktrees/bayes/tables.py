"""Conditional tables: counted in one pass, laid end to end, smoothed by one formula.

The tables of all attributes are the rows of one array (M, C): attribute j has the rows
offsets[j] ... offsets[j + 1] - 1, one per value, so that no table is padded to the widest.
"""

import numpy as np

from ranktrees.arguments import check_number, choose
from ranktrees.blocks import LIMIT, blocks

SMOOTHINGS = ("laplace", "none", "m")


def check_smoothing(smoothing, m) -> None:
    """Raise ValueError or TypeError unless both are settings of `smoothed_shares`; m is finite."""
    choose("smoothing", smoothing, SMOOTHINGS)
    check_number("m", m, 0)


def smoothed_shares(counts: np.ndarray, totals: np.ndarray, size, smoothing: str, m: float):
    """P(value) from counts of it, of all values, and the number of values; uniform where 0/0.

    Imagined cases are added to each value: 1 (Laplace), 0 (none) or m/size: the m-estimate
    (n + m p)/(N + m) with the uniform p = 1/size (Yang 2008, slides; Mitchell 1997).
    """
    size = np.asarray(size, float)
    added = {"laplace": 1, "none": 0, "m": m / size}[smoothing]
    n = np.broadcast_to(totals + size * added, counts.shape)
    uniform = np.broadcast_to(1 / size, counts.shape).copy()
    return np.divide(counts + added, n, out=uniform, where=n > 0)


def log(p: np.ndarray) -> np.ndarray:
    """Natural logarithm, -inf of 0."""
    with np.errstate(divide="ignore"):
        return np.log(p)


def offsets_of(sizes: np.ndarray) -> np.ndarray:
    """(A + 1,) first row of each attribute's table, and the number of all rows M."""
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.intp)])


def rows_of(values: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Rows (n, A) of the tables that codes (n, A) stand for; M where a code is -1."""
    rows = values.astype(np.intp) + offsets[:-1]
    return np.where(values < 0, offsets[-1], rows)


def count(values: np.ndarray, y: np.ndarray, offsets: np.ndarray, C: int) -> np.ndarray:
    """Counts (M, C) of all attributes' tables value x class; codes of -1 count nowhere."""
    cells = (offsets[-1] + 1) * C
    counts = np.zeros(cells, np.int64)
    for part in blocks(len(values), values.shape[1], max(LIMIT, cells)):
        flat = rows_of(values[part], offsets) * C + y[part, None]
        counts += np.bincount(flat.ravel(), minlength=cells)
    return counts.reshape(-1, C)[:-1]


def conditional_tables(counts: np.ndarray, offsets: np.ndarray, smoothing: str, m: float):
    """P(value | class) (M, C) from counts (M, C): each attribute's rows sum to one."""
    sizes = np.diff(offsets)
    known = np.add.reduceat(counts, offsets[:-1], axis=0)  # (A, C) cases whose value is known
    totals, size = np.repeat(known, sizes, axis=0), np.repeat(sizes, sizes)[:, None]
    return smoothed_shares(counts, totals, size, smoothing, m)


def gather(tables: np.ndarray, values: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """The row (A, n, C) of `tables` (M, C) for each code of `values` (n, A); 0 where it is -1."""
    padded = np.concatenate([tables, np.zeros((1, tables.shape[1]))])
    return padded.take(rows_of(values, offsets).T, axis=0)


def gathered_sum(tables: np.ndarray, values: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Sum (n, C) over the attributes of `gather`, in blocks of cases."""
    C = tables.shape[1]
    total = np.empty((len(values), C))
    for part in blocks(len(values), values.shape[1] * C):
        gather(tables, values[part], offsets).sum(axis=0, out=total[part])
    return total


def normalised(log_joint: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """P(c | x) (n, C) from log P(c, x), in place; the prior (C,) where all classes have none."""
    top = log_joint.max(axis=1, keepdims=True)
    impossible = np.isneginf(top[:, 0])
    log_joint[impossible], top[impossible] = log(prior), 0
    proba = np.exp(np.subtract(log_joint, top, out=log_joint), out=log_joint)
    proba /= proba.sum(axis=1, keepdims=True)
    return proba
