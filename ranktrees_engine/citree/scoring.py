"""Scores of pooled cross-validated probabilities: AUC, accuracy, log loss, node by node.

Contract: `score(joint (m, K, R), y (m,), node (m,), counts (S, C)) -> (S, K)`, larger is better.
The m cases lie node by node, `node` ascending; each of K candidates gives every case the logarithms
of its joint probabilities, up to a constant: R = C or, with two classes, R = 1, the log odds.
"""

from collections.abc import Callable

import numpy as np

from ranktrees_engine.basics.places import places

DECIMALS = 9  # logarithms that agree so far differ by rounding alone: a tie
MOST_BITS = 62  # of a whole number that holds a case's node, score and class


def log_proba(joint: np.ndarray) -> np.ndarray:
    """Return log P(c) (m, K, C), normalised over the classes."""
    if joint.shape[-1] == 1:
        joint = np.concatenate([np.zeros_like(joint), joint], axis=-1)
    top = joint.max(axis=-1, keepdims=True)
    total = np.exp(joint - top).sum(axis=-1, keepdims=True)
    return joint - top - np.log(total)


def pooled_auc(joint, y, node, counts) -> np.ndarray:
    """Return the area under the ROC curve; Hand & Till's (2001) M if a node has several classes."""
    S, C = counts.shape
    if joint.shape[-1] == 1:
        below = wins(joint[:, :, 0].T, np.ones(joint.shape[1], np.intp), y, node, counts)
        return (below[:, :, 0] / (counts[:, 1] * counts[:, 0])).T
    classes = np.flatnonzero(counts.any(axis=0))
    logs = log_proba(joint)[:, :, classes].transpose(1, 2, 0)
    K = len(logs)
    below = wins(logs.reshape(K * len(classes), -1), np.tile(classes, K), y, node, counts)
    below = below.reshape(K, len(classes), S, C)
    pairs = counts.T[classes][:, :, None] * counts  # (classes, S, C) pairs of cases
    areas = below / np.maximum(pairs, 1)
    areas[:, np.arange(len(classes)), :, classes] = 0
    n_classes = np.count_nonzero(counts, axis=1)
    return (areas.sum(axis=(1, 3)) / (n_classes * (n_classes - 1))).T


def pooled_accuracy(joint, y, node, counts) -> np.ndarray:
    """Return the share of cases whose most probable class, the first of several equal, is right."""
    right = np.round(log_proba(joint), DECIMALS).argmax(axis=-1) == y[:, None]
    return _means(right.astype(float), node, counts)


def pooled_log_loss(joint, y, node, counts) -> np.ndarray:
    """Average the logarithm of the true class's probability (Good 1952): minus the log loss."""
    log_p = np.take_along_axis(log_proba(joint), y[:, None, None], axis=-1)
    return _means(log_p[:, :, 0], node, counts)


SCORINGS: dict[str, Callable] = {
    "auc": pooled_auc,
    "accuracy": pooled_accuracy,
    "log_loss": pooled_log_loss,
}
PERFECT = {"auc": 1.0, "accuracy": 1.0, "log_loss": 0.0}


def _means(values, node, counts):
    """Return the mean (S, K) over the cases of each node of values (m, K)."""
    first = np.searchsorted(node, np.arange(len(counts)))
    return np.add.reduceat(values, first, axis=0) / counts.sum(axis=1)[:, None]


def wins(score, label, y, node, counts) -> np.ndarray:
    """Count the pairs of cases that each row of scores (R, m) ranks in order: (R, S, C).

    Entry (r, s, j): pairs at node s of a case of class label[r] and one of class j that scores
    less; a tie counts one half. Node, rounded score and class are packed into one whole number,
    node first, so that a plain sort of each row does for all nodes at once.
    """
    S, C = counts.shape
    scaled = np.rint(score * 10.0**DECIMALS).astype(np.int64)
    scaled -= scaled.min()
    score_bits, class_bits = int(scaled.max()).bit_length(), (C - 1).bit_length()
    together = 1 << max(0, MOST_BITS - score_bits - class_bits)
    if together < S:
        return _wins_by_halves(score, label, y, node, counts)
    scaled += node.astype(np.int64, copy=False) << score_bits
    keys = np.sort((scaled << class_bits) | y, axis=1)
    which = places(keys & ((1 << class_bits) - 1))
    keys >>= class_bits
    last = np.ones(keys.shape, bool)  # where a group of ties ends
    np.not_equal(keys[:, 1:], keys[:, :-1], out=last[:, :-1])
    ends = np.flatnonzero(last) + 1
    starts = np.concatenate([[0], ends[:-1]])
    n_of_label = np.concatenate([[0], np.cumsum(which == label[:, None])])  # so far, row by row
    row, m = np.arange(len(keys))[:, None], keys.shape[1]
    middle = np.repeat((n_of_label.take(starts) + n_of_label.take(ends)) / 2, ends - starts)
    stop = np.searchsorted(node, np.arange(S), side="right")
    above = n_of_label.take(row * m + stop).take(row * S + node) - middle.reshape(keys.shape)
    cell = (row * S + node) * C + which
    below = np.bincount(cell.ravel(), above.ravel(), minlength=len(keys) * S * C)
    return below.reshape(len(keys), S, C)


def _wins_by_halves(score, label, y, node, counts):
    """Count the `wins` of nodes too large for one whole number: one half, then the other."""
    half = len(counts) // 2
    cut = np.searchsorted(node, half)
    first = wins(score[:, :cut], label, y[:cut], node[:cut], counts[:half])
    rest = wins(score[:, cut:], label, y[cut:], node[cut:] - half, counts[half:])
    return np.concatenate([first, rest], axis=1)
