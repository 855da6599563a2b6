"""Shrinkage: the local estimates of all nodes on a case's path, mixed (Wang & Zhang 2006).

A path starts with a uniform node above the root, which gives every class 1 / (number of training
cases). The weights of a path and class come from Algorithm DIW; a case that stops at an inner node
has its path end there.
"""

import numpy as np

from ranktrees.arguments import check_number, choose
from ranktrees.casewise.local import Local

WEIGHTS = ("diw", "uniform")
MOST_CELLS = 1 << 22  # local estimates, of cases times nodes times classes, held at once


def stack(local: Local, end: np.ndarray, cells: np.ndarray, own=None) -> np.ndarray:
    """Local estimates (p, depth + 2, C) of cases whose paths end at `end` (p,); 0 beyond the end.

    First comes the uniform node, then the root. Training cases, of classes `own` (p,), are left out
    of the counts.
    """
    path = local.counts.paths[end]
    proba = np.zeros((len(end), path.shape[1] + 1, local.tree.counts.shape[1]))
    proba[:, 0] = 1 / local.tree.counts[0].sum()
    for depth in range(path.shape[1]):
        here = np.flatnonzero(path[:, depth] >= 0)
        mine = None if own is None else own[here]
        proba[here, depth + 1] = local.at(path[here, depth], cells[here], mine)
    return proba


def uniform_weights(local: Local, ends: np.ndarray) -> np.ndarray:
    """The same weight for each node of a path: (E, depth + 2, C) for paths to `ends` (E,)."""
    path = local.counts.paths[ends]
    on = np.concatenate([np.ones((len(ends), 1)), path >= 0], axis=1)
    share = on / on.sum(axis=1, keepdims=True)
    return np.repeat(share[:, :, None], local.tree.counts.shape[1], axis=2)


def diw_weights(local: Local, ends: np.ndarray, iterations: int = 1) -> np.ndarray:
    """Algorithm DIW: weights (E, depth + 2, C) of each node and class on the paths to `ends` (E,).

    Every training case that came to the path's end gives each node of the path, class by class,
    the share that the node has in the mixed probability of that case (Eq. 3); these shares are
    added up and normalised (Eq. 4). More `iterations` start from the weights found before.
    """
    path, cases, times = _voters(local, ends)
    own, cells = local.counts.y[cases], local.counts.cells[cases]
    proba = stack(local, ends[path], cells, own)
    weights, start = uniform_weights(local, ends), np.searchsorted(path, np.arange(len(ends)))
    for _ in range(iterations):
        share = weights[path] * proba
        share *= (times[:, None] / share.sum(axis=1))[:, None]
        degree = np.add.reduceat(share, start, axis=0)
        weights = degree / degree.sum(axis=1, keepdims=True)
    return weights


def find_weights(local: Local, ends: np.ndarray, weights="diw", iterations=1) -> np.ndarray:
    """Weights (E, depth + 2, C) by name, "diw" or "uniform", of the paths to `ends` (E,)."""
    _check(weights, iterations)
    return (
        uniform_weights(local, ends)
        if weights == "uniform"
        else diw_weights(local, ends, iterations)
    )


def _check(weights, iterations):
    choose("weights", weights, WEIGHTS)
    check_number("iterations", iterations, 1, whole=True)


def path_of(local: Local, case: np.ndarray, weights="diw", iterations=1):
    """What the nodes of one case's path, codes (A,), say of each class, and their weights.

    Twice (K, C): the uniform node, the root, ..., the node where the case ends.
    """
    end, cells = local.tree.apply(case[None]), local.counts.cells_of(case[None])
    on = slice(local.tree.depths[end[0]] + 2)
    return stack(local, end, cells)[0, on], find_weights(local, end, weights, iterations)[0, on]


def _voters(local, ends):
    """Which path each voting case is on (p,), its row (p,), and how many cases it stands for.

    Where a local estimate is the same for all cases of a node and class, one of them votes for all.
    """
    rows = [local.counts.below(end) for end in ends]
    path = np.repeat(np.arange(len(ends)), [len(part) for part in rows])
    cases = np.concatenate([np.zeros(0, np.intp), *rows])
    if not local.interchangeable:
        return path, cases, np.ones(len(cases))
    kind = path * local.tree.counts.shape[1] + local.counts.y[cases]
    _, first, times = np.unique(kind, return_index=True, return_counts=True)
    return path[first], cases[first], times


def mix(proba: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Eq. 2: sum over a path's nodes of weight times estimate, (m, K, C) each -> (m, C).

    Raises ValueError where the weights of a path and class do not sum to one.
    """
    total = weights.sum(axis=-2)
    off = ~(np.abs(total - 1) <= 1e-9)  # so that NaN is refused, too
    if off.any():
        total = total[off][0]
        raise ValueError(f"the weights of a path must sum to 1 for every class, not to {total:.6g}")
    return (weights * proba).sum(axis=-2)


def mixed(
    local: Local, X: np.ndarray, weights: str = "diw", iterations: int = 1, normalise: bool = True
) -> np.ndarray:
    """Shrinkage of the local estimates for codes X (m, A) -> (m, C), path by path."""
    _check(weights, iterations)
    end, cells = local.tree.apply(X), local.counts.cells_of(X)
    result = np.empty((len(X), local.tree.counts.shape[1]))
    at_once = max(1, MOST_CELLS // _cells_of_a_case(local.tree))
    for ends in _blocks(local, np.unique(end)):
        rows = np.flatnonzero(np.isin(end, ends))
        table = find_weights(local, ends, weights, iterations)
        for some in np.split(rows, range(at_once, len(rows), at_once)):
            at = np.searchsorted(ends, end[some])
            result[some] = mix(stack(local, end[some], cells[some]), table[at])
    return result / result.sum(axis=1, keepdims=True) if normalise else result


def _blocks(local, ends):
    """The paths' ends in groups whose training cases fit into memory together."""
    size = np.cumsum(local.tree.counts[ends].sum(axis=1) * _cells_of_a_case(local.tree))
    return np.split(ends, np.flatnonzero(np.diff(size // MOST_CELLS)) + 1) if len(ends) else []


def _cells_of_a_case(tree):
    """Local estimates of one case, class by class along the longest path."""
    return (tree.depth + 2) * tree.counts.shape[1]
