"""Newton trees (Martinez et al. 2010): masses that attract, by m / d**2.

A node's test has a prototype for each class. A training case goes to one of them; a new case goes
to all, with the probability by which each attracts it. X holds rows of values of any type, None
where missing, and `distances` (A,) functions of two values of an attribute.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ranktrees.plain.criteria import first_best, gain_ratio, information_gain
from ranktrees.plain.newton_values import (
    TIE,
    Distance,
    Prototype,
    Value,
    difference,
    nearest,
    prototypes,
)
from ranktrees.plain.tree import Array, Node, Vector

LEAST_GAIN = 1e-12
Share = Callable[..., Array]  # of a node, a value and a distance: the share of each branch
Metrics = Sequence[Distance]
Weights = dict[int, float]  # the rows of some cases, and what they weigh
Groups = list[tuple[Value, Weights]]  # each prototype of a test, and the cases that go there


@dataclass(eq=False)
class NewtonNode(Node):
    """A node each of whose branches has a prototype, that of the heaviest class first."""

    prototypes: list[Value] = field(default_factory=list)


def newton_tree(
    X: Sequence[Vector], y: Vector, C: int,
    distances: Metrics, weight: Weights | None = None, reading: str = "nearest",
) -> NewtonNode:  # fmt: skip
    """Grow the tree of the cases that have a weight; if `weight` is None, each case has weight 1.

    The slides split by the attraction, `reading="talk"`; by default by the distance alone.
    """
    weight = dict.fromkeys(range(len(y)), 1.0) if weight is None else weight
    node = NewtonNode(class_counts(y, weight, C))
    if np.count_nonzero(node.counts) < 2 or node.counts.sum() < 2 - TIE:  # step 4: it is pure
        return node
    splits = [split(X, y, a, node, d, weight, reading) for a, d in enumerate(distances)]
    tables = [np.array([class_counts(y, w, C) for _, w in groups]) for groups in splits]
    scores = [gain_ratio(n) if n.any() and information_gain(n) > LEAST_GAIN else -1 for n in tables]
    if max(scores) > 0:
        a = node.attribute = first_best(scores)  # step 2
        for value, part in splits[a]:
            node.prototypes.append(value)
            node.branches.append(newton_tree(X, y, C, distances, part, reading))
    return node


def class_counts(y: Vector, weight: Weights, C: int) -> Array:
    """Return the total weight of the cases of each class."""
    return np.bincount([y[i] for i in weight], list(weight.values()), C)


def split(
    X: Sequence[Vector], y: Vector, a: int, node: Node, d: Distance, weight: Weights, reading: str
) -> Groups:
    """Split by attribute a: the cases that go to each prototype that gets any (steps 1 and 3)."""
    values = [x[a] for x in X]
    choices = prototypes(values, y, weight, node.counts, d)
    parts: list[Weights] = [{} for _ in choices]
    for i, w in weight.items():
        if values[i] is not None:
            parts[nearest(values[i], choices, d, reading)][i] = w
    groups = [(choices[k].value, part) for k, part in enumerate(parts) if part]
    size = [sum(part.values()) for _, part in groups]
    for i, w in weight.items():
        if values[i] is None:  # it goes everywhere, its weight divided as that of the others
            for (_, part), here in zip(groups, size, strict=True):
                part[i] = w * here / sum(size)
    return groups


def attraction(node: NewtonNode, value: Value, d: Distance) -> Array:
    """Return p_k = (m_k / d_k**2) / sum_j (m_j / d_j**2) of each branch (calculation, step 1)."""
    m = np.array([branch.counts.sum() for branch in node.children])
    if value is not None:  # without a value the masses decide; at distance 0 a prototype has all
        far = [d(value, prototype) for prototype in node.prototypes]
        m = m * [(min(far) / d_k) ** 2 if d_k > 0 else 1.0 for d_k in far]
    return m / m.sum()


def to_the_nearest(node: NewtonNode, value: Value, d: Distance) -> Array:
    """Return 1 for the branch of the nearest prototype: a distance-based tree (Estruch 2008)."""
    if value is None:
        return attraction(node, value, d)
    first = nearest(value, [Prototype(u, 1) for u in node.prototypes], d)
    return np.eye(len(node.prototypes))[first]


def probabilities(node: Node, case: Vector, distances: Metrics, share: Share = attraction) -> Array:
    """Return P(c | case), (C,): the mean of (n_c + 1)/(n + C) over the leaves that it may reach."""
    if node.is_leaf:
        return (node.counts + 1) / (node.counts.sum() + len(node.counts))
    p = share(node, case[node.attribute], distances[node.attribute])
    below = [probabilities(branch, case, distances, share) for branch in node.children]
    return np.sum([p_k * vector for p_k, vector in zip(p, below, strict=True)], axis=0)


if __name__ == "__main__":
    numbers = [[1.0], [2.0], [3.0], [10.0], [11.0], [30.0]]
    root = newton_tree(numbers, [0, 0, 0, 1, 1, 1], 2, [difference])
    print("prototypes", root.prototypes, "attract 5 by", attraction(root, 5, difference))
    print("of 5:", probabilities(root, [5], [difference]).round(2))
    # prototypes [2.0, 11.0] attract 5 by [0.8 0.2]
    # of 5: [0.68 0.32]
