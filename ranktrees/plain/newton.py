"""Newton trees (Martinez et al. 2010): masses that attract, by m / d**2.

A node's test has a prototype for each class. Training cases go to the nearest one; a new case goes
everywhere, with the probability by which each prototype attracts it. X holds rows of values of any
type, None where missing, and `distances` (A,) how far two values of an attribute are apart.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ranktrees.plain.criteria import first_best, gain_ratio, information_gain
from ranktrees.plain.newton_values import TIE, Distance, Value, nearest, prototypes
from ranktrees.plain.tree import Array, Node, Vector

LEAST_GAIN = 1e-12
Share = Callable[..., Array]  # of a node, a value and a distance: the share of each branch
Metrics = Sequence[Distance]
Weights = dict[int, float]  # the rows of some cases, and what they weigh


@dataclass(eq=False)
class NewtonNode(Node):
    """A node each of whose branches stands at a prototype, that of the heaviest class first."""

    prototypes: list[Value] = field(default_factory=list)


def newton_tree(
    X: Sequence[Vector], y: Vector, C: int,
    distances: Metrics, weight: Weights | None = None, slides: bool = False,
) -> NewtonNode:  # fmt: skip
    """The tree of cases that have a weight, by default all: the best gain ratio, no pruning."""
    weight = dict.fromkeys(range(len(y)), 1.0) if weight is None else weight
    node = NewtonNode(class_counts(y, weight, C))
    if np.count_nonzero(node.counts) < 2 or node.counts.sum() < 2 - TIE:
        return node
    splits = [split(X, y, a, node, d, weight, slides) for a, d in enumerate(distances)]
    tables = [np.array([class_counts(y, w, C) for w in s.values()]) for s in splits]
    scores = [gain_ratio(n) if n.any() and information_gain(n) > LEAST_GAIN else -1 for n in tables]
    if max(scores) > 0:
        a = node.attribute = first_best(scores)
        node.prototypes = list(splits[a])
        node.branches = [newton_tree(X, y, C, distances, w, slides) for w in splits[a].values()]
    return node


def class_counts(y: Vector, weight: Weights, C: int) -> Array:
    """What the cases of each class weigh."""
    return np.bincount([y[i] for i in weight], list(weight.values()), C)


def split(
    X: Sequence[Vector], y: Vector, a: int, node: Node, d: Distance, weight: Weights, slides: bool
) -> dict[Value, Weights]:
    """The cases that go to each prototype of attribute a, and what they weigh there."""
    values = [x[a] for x in X]
    masses = prototypes(values, y, weight, node.counts, d)
    groups: dict[Value, Weights] = {u: {} for u in masses}
    for i, w in weight.items():
        if values[i] is not None:
            groups[nearest(values[i], masses, d, slides)][i] = w
    size = {u: sum(group.values()) for u, group in groups.items() if group}
    for i, w in weight.items():
        if values[i] is None:  # goes everywhere, its weight divided as the others' are
            for u in size:
                groups[u][i] = w * size[u] / sum(size.values())
    return {u: groups[u] for u in size}


def attraction(node: NewtonNode, value: Value, d: Distance) -> Array:
    """p_k = (m_k / d_k**2) / sum_j (m_j / d_j**2) of each branch (step 1 of the slides)."""
    m = np.array([branch.counts.sum() for branch in node.children])
    if value is not None:  # else the masses alone draw it; at distance 0 a prototype has all
        far = [d(value, prototype) for prototype in node.prototypes]
        m = m * [(min(far) / d_k) ** 2 if d_k > 0 else 1.0 for d_k in far]
    return m / m.sum()


def probabilities(node: Node, case: Vector, distances: Metrics, share: Share = attraction) -> Array:
    """P(c | case), (C,): all leaves' (n_c + 1)/(n + C), by the probability of coming there."""
    if node.is_leaf:
        return (node.counts + 1) / (node.counts.sum() + len(node.counts))
    p = share(node, case[node.attribute], distances[node.attribute])
    below = [probabilities(branch, case, distances, share) for branch in node.children]
    return np.sum([p_k * vector for p_k, vector in zip(p, below, strict=True)], axis=0)
