"""Newton trees (Martinez et al. 2010): masses that attract, by m / d**2.

A node's test has a prototype for each class. Training cases go to the nearest one; a new case goes
everywhere, with the probability by which each prototype attracts it.

    root = grow(X, y, C, distances)               # X: rows of values of any type, None if missing
    probabilities(root, X[0], distances)          # (C,)
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ranktrees.plain.criteria import gain_ratio, information_gain
from ranktrees.plain.newton_values import Distance, Value, nearest, prototypes
from ranktrees.plain.tree import Node

LEAST_GAIN = 1e-12
TIE = 1e-9  # scores so near to each other are equal: the first attribute wins


@dataclass(eq=False)
class NewtonNode(Node):
    """A node each of whose branches stands at a prototype, that of the heaviest class first."""

    prototypes: list[Value] = field(default_factory=list)

    @property
    def mass(self) -> float:
        """The training cases of the node."""
        return self.counts.sum()


def grow(
    X: Sequence[Sequence],
    y: Sequence[int],
    C: int,
    distances: Sequence[Distance],
    slides: bool = False,
    weight: dict[int, float] | None = None,
) -> NewtonNode:
    """The tree of the cases {row: weight}, all by default: the best gain ratio, no pruning."""
    weight = dict.fromkeys(range(len(y)), 1.0) if weight is None else weight
    node = NewtonNode(class_counts(y, C, weight))
    if node.mass < 2 or np.count_nonzero(node.counts) < 2:
        return node
    splits = [split(X, y, node, a, distances[a], slides, weight) for a in range(len(distances))]
    scores = [score(np.array([class_counts(y, C, w) for w in s.values()])) for s in splits]
    if max(scores) > -np.inf:
        node.attribute = next(a for a, s in enumerate(scores) if s >= max(scores) - TIE)
        best = splits[node.attribute]
        node.prototypes = list(best)
        node.branches = [grow(X, y, C, distances, slides, cases) for cases in best.values()]
    return node


def class_counts(y: Sequence[int], C: int, weight: dict[int, float]) -> np.ndarray:
    """What the cases {row: weight} of each class weigh."""
    counts = np.zeros(C)
    for i, w in weight.items():
        counts[y[i]] += w
    return counts


def split(
    X: Sequence, y: Sequence, node: Node, a: int, distance: Distance, slides: bool, weight: dict
) -> dict[Value, dict[int, float]]:
    """The cases of a node that go to each prototype of attribute a, {prototype: {row: weight}}.

    A case whose value is missing goes everywhere, with its weight divided as the others are.
    """
    masses = prototypes([x[a] for x in X], y, weight, node.counts, distance)
    groups: dict[Value, dict[int, float]] = {u: {} for u in masses}
    for i, w in weight.items():
        if X[i][a] is not None:
            groups[nearest(X[i][a], masses, distance, slides)][i] = w
    size = {u: sum(cases.values()) for u, cases in groups.items() if cases}
    for i, w in weight.items():
        if X[i][a] is None:
            for u in size:
                groups[u][i] = w * size[u] / sum(size.values())
    return {u: groups[u] for u in size}


def score(n: np.ndarray) -> float:
    """Gain ratio of the branches' class counts n (K, C), -inf where nothing is gained."""
    divides = len(n) > 1 and information_gain(n) > LEAST_GAIN
    return gain_ratio(n) if divides else -np.inf


def probabilities(
    node: NewtonNode,
    case: Sequence,
    distances: Sequence[Distance],
    share: Callable | None = None,
) -> np.ndarray:
    """P(c | case), (C,): all leaves' (n_c + 1)/(n + C), by the probability of coming there."""
    if node.is_leaf:
        return (node.counts + 1) / (node.mass + len(node.counts))
    p = (share or attraction)(node, case[node.attribute], distances[node.attribute])
    below = [probabilities(branch, case, distances, share) for branch in node.branches]
    return sum(p_k * vector for p_k, vector in zip(p, below, strict=True))


def attraction(node: NewtonNode, value: Value, distance: Distance) -> np.ndarray:
    """p_k = (m_k / d_k**2) / sum_j (m_j / d_j**2) of each branch (step 1 of the slides).

    Where a prototype lies at distance 0, it and others there have all; a missing value is drawn by
    the masses alone. Distances are taken relative to the nearest, so that no number overflows.
    """
    m = np.array([branch.mass for branch in node.branches])
    if value is not None:
        d = [distance(value, prototype) for prototype in node.prototypes]
        m = m * [(min(d) / d_k) ** 2 if d_k > 0 else 1.0 for d_k in d]
    return m / m.sum()


def crisp(node: NewtonNode, value: Value, distance: Distance) -> np.ndarray:
    """All to the nearest: the `share` of a distance-based tree (Estruch 2008)."""
    if value is None:
        return attraction(node, value, distance)
    masses = {u: branch.mass for u, branch in zip(node.prototypes, node.branches, strict=True)}
    first = nearest(value, masses, distance, slides=False)
    return np.array([float(u == first) for u in node.prototypes])
