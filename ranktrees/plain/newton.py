"""Newton trees (Martinez et al. 2010): masses that attract, by m / d**2.

A node's test has a prototype for each class. Training cases go to the nearest one; a new case goes
everywhere, with the probability by which each prototype attracts it. X holds rows of values of any
type, None where missing, and `distances` (A,) how far two values of an attribute are apart.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ranktrees.plain.criteria import gain_ratio, information_gain
from ranktrees.plain.newton_values import Distance, Value, nearest, prototypes
from ranktrees.plain.tree import Node

LEAST_GAIN = 1e-12
TIE = 1e-9  # scores so near to each other are equal: the first attribute wins

Weights = dict[int, float]  # the rows of some cases, and what they weigh


@dataclass(eq=False)
class NewtonNode(Node):
    """A node each of whose branches stands at a prototype, that of the heaviest class first."""

    prototypes: list[Value] = field(default_factory=list)


def newton_tree(
    X: Sequence[Sequence],
    y: Sequence[int],
    C: int,
    distances: Sequence[Distance],
    weight: Weights | None = None,
    slides: bool = False,
) -> NewtonNode:
    """The tree of cases of a weight, all by default: the best gain ratio, no pruning."""
    weight = dict.fromkeys(range(len(y)), 1.0) if weight is None else weight
    node = NewtonNode(class_counts(y, weight, C))
    if np.count_nonzero(node.counts) < 2 or node.counts.sum() < 2 - TIE:
        return node
    splits = [split(X, y, a, node, d, weight, slides) for a, d in enumerate(distances)]
    scores = [score([class_counts(y, w, C) for w in s.values()]) for s in splits]
    if max(scores) > -np.inf:
        node.attribute = next(a for a, s in enumerate(scores) if s >= max(scores) - TIE)
        for prototype, w in splits[node.attribute].items():
            node.prototypes.append(prototype)
            node.branches.append(newton_tree(X, y, C, distances, w, slides))
    return node


def class_counts(y: Sequence[int], weight: Weights, C: int) -> np.ndarray:
    """What the cases of each class weigh."""
    return np.bincount([y[i] for i in weight], list(weight.values()), C)


def split(
    X: Sequence, y: Sequence, a: int, node: Node, d: Distance, weight: Weights, slides: bool
) -> dict[Value, Weights]:
    """The cases that go to each prototype of attribute a, and what they weigh there.

    A case whose value is missing goes everywhere, with its weight divided as the others' are.
    """
    values = [x[a] for x in X]
    masses = prototypes(values, y, weight, node.counts, d)
    groups: dict[Value, Weights] = {u: {} for u in masses}
    for i, w in weight.items():
        if values[i] is not None:
            groups[nearest(values[i], masses, d, slides)][i] = w
    size = {u: sum(group.values()) for u, group in groups.items() if group}
    for i, w in weight.items():
        if values[i] is None:
            for u in size:
                groups[u][i] = w * size[u] / sum(size.values())
    return {u: groups[u] for u in size}


def score(n: list[np.ndarray]) -> float:
    """Gain ratio of the branches' class counts, -inf where nothing is gained."""
    divides = len(n) > 1 and information_gain(np.array(n)) > LEAST_GAIN
    return gain_ratio(np.array(n)) if divides else -np.inf


def attraction(node: NewtonNode, value: Value, d: Distance) -> np.ndarray:
    """p_k = (m_k / d_k**2) / sum_j (m_j / d_j**2) of each branch (step 1 of the slides).

    Where a prototype lies at distance 0, it and others there have all; a missing value is drawn by
    the masses alone. Distances are taken relative to the nearest, so that no number overflows.
    """
    m = np.array([branch.counts.sum() for branch in node.branches])
    if value is not None:
        far = [d(value, prototype) for prototype in node.prototypes]
        m = m * [(min(far) / d_k) ** 2 if d_k > 0 else 1.0 for d_k in far]
    return m / m.sum()


def crisp(node: NewtonNode, value: Value, d: Distance) -> np.ndarray:
    """All to the nearest, in place of `attraction`: the distance-based tree of Estruch (2008)."""
    if value is None:
        return attraction(node, value, d)
    first = nearest(value, dict.fromkeys(node.prototypes, 1), d)
    return np.array([float(u == first) for u in node.prototypes])


def probabilities(
    node: NewtonNode, case: Sequence, distances: Sequence[Distance], share: Callable = attraction
) -> np.ndarray:
    """P(c | case), (C,): all leaves' (n_c + 1)/(n + C), by the probability of coming there."""
    if node.is_leaf:
        return (node.counts + 1) / (node.counts.sum() + len(node.counts))
    p = share(node, case[node.attribute], distances[node.attribute])
    below = [probabilities(branch, case, distances, share) for branch in node.branches]
    return sum(p_k * vector for p_k, vector in zip(p, below, strict=True))
