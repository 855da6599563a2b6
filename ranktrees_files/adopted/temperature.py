"""The estimate "temperature" of a bootstrap forest: its own average, with a learnt exponent.

    P(c | x) ~ Q(c | x)^g,   Q(c | x) = (sum_e P_e(c | x) + 1/C)/(E + 1)

P_e are the shares of tree e's own sample, shrunk by hierarchical shrinkage, and 1/C is a uniform
tree. g makes the classes of the training cases likely if each case is seen by those trees alone
whose samples lack it (Breiman 1996). `ranktrees.plain.adopted` is the same in loops.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.logarithms import normalised
from ranktrees_engine.estimates import hierarchical_shrinkage
from ranktrees_engine.growing.tree import Tree, sum_below
from ranktrees_engine.reading.weights import class_counts

SPAN = 1.5  # of ln g, to each side of 0
LAM = 1.0


@dataclass(frozen=True)
class Tempered:
    """E trees with the estimates (T, C) of their own samples, and the exponent of their average."""

    trees: list[Tree]
    node_proba: list[np.ndarray]
    exponent: float

    @classmethod
    def of(cls, model) -> Self:
        """Return what a forest's `bags_` and `temperature_` make; ValueError if it has none."""
        if model.estimate_params:
            raise ValueError("the estimate 'temperature' has no parameters: estimate_params")
        if getattr(model, "bags_", None) is None:
            raise ValueError(
                "the estimate 'temperature' needs the sample of each tree: "
                'rt.adopt(forest, X, y, estimate="temperature"), with the cases of its fit'
            )
        return cls(model.trees_, shrunk(model.trees_, model.bags_), model.temperature_)

    def each(self, codes: np.ndarray) -> np.ndarray:
        """Return each tree's probabilities (E, n, C) of codes (n, A)."""
        pairs = zip(self.trees, self.node_proba, strict=True)
        return np.stack([p[tree.apply(codes)] for tree, p in pairs])

    def proba(self, codes: np.ndarray) -> np.ndarray:
        """Return probabilities (n, C) of codes (n, A)."""
        E, total = len(self.trees), self.each(codes).sum(axis=0)
        log_q = np.log((total + 1 / total.shape[1]) / (E + 1))
        return normalised(self.exponent * log_q, np.ones(total.shape[1]))


def shrunk(trees: Sequence[Tree], bags: Sequence[Array]) -> list[Array]:
    """Return the estimates (T, C) of trees from the counts of their samples."""
    pairs = zip(trees, bags, strict=True)
    return [hierarchical_shrinkage(replace(tree, counts=bag), LAM) for tree, bag in pairs]


def learn_temperature(
    trees: list[Tree], codes: Array, y: Array, times: list[Array], weight: Array | None
) -> tuple[list[Array], float]:
    """Return the counts (T, C) of each tree's sample, and the exponent.

    `times` (n,) is how often each sample has each case of codes (n, A), or what it weighs there;
    cases of classes y (n,) weigh `weight` (n,) in the loss, or 1 if that is None.
    """
    bags, (n, C) = [], (len(y), trees[0].counts.shape[1])
    total, heard = np.zeros((n, C)), np.zeros(n)
    for tree, drawn in zip(trees, times, strict=True):
        end, out = tree.apply(codes), drawn == 0
        bags.append(sum_below(tree, class_counts(end, y, drawn, (len(tree), C))))
        total[out] += shrunk([tree], bags[-1:])[0][end[out]]
        heard += out
    log_q = np.log((total + 1 / C) / (heard[:, None] + 1))
    return bags, least_loss(log_q, y, np.ones(n) if weight is None else weight)


def least_loss(log_q: Array, y: Array, weight: Array) -> float:
    """Return the exponent g of q (n, C) with the least -sum w_i ln(q_i^g / sum_c q_ic^g) at y_i."""
    from scipy.optimize import minimize_scalar

    def loss(log_g):
        scaled = np.exp(log_g) * log_q
        top = scaled.max(axis=1)
        total = top + np.log(np.exp(scaled - top[:, None]).sum(axis=1))
        return float((weight * (total - scaled[np.arange(len(y)), y])).sum())

    found = minimize_scalar(loss, bounds=(-SPAN, SPAN), method="bounded", options={"xatol": 1e-6})
    return float(np.exp(found.x))
