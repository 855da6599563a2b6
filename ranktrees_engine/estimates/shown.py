"""What explanations of estimates have in common: tables, sums of log odds, shares of changes."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.ties import TIE
from ranktrees_engine.growing.tree import Tree

DECIMALS = 9  # numbers that agree so far differ by rounding alone: the first goes first
MOST_CLASSES = 5  # that are shown one by one


@dataclass(frozen=True)
class Pooled:
    """The parts of the tree, first, and of A attributes in a case, and their weights in a pool.

    `log_p` (..., 1 + A, C), in a forest for each tree, and `log_prior` (C,). The prior, the tree
    and the attributes have the exponents `shares` (2 + A,) in the pool.
    """

    log_p: np.ndarray
    log_prior: np.ndarray
    shares: np.ndarray

    def odds(self, proba: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        """Return the two likeliest classes (2,), the prior's log odds, others' (..., 1 + A)."""
        two = two_likeliest(proba)
        prior, log_p = self.log_prior[two], self.log_p[..., two]
        adds = self.shares[1:] * (log_p[..., 0] - log_p[..., 1])
        return two, float(self.shares[0] * (prior[0] - prior[1])), adds


def two_likeliest(proba: np.ndarray) -> np.ndarray:
    """Return the two most probable classes (..., 2) of probabilities (..., C), in order."""
    return np.argsort(-np.round(proba, DECIMALS), kind="stable")[..., :2]


def heaviest_first(weight: Array, is_last: Array) -> np.ndarray:
    """Return the rows (n,) by the size of their weight (n,), those of `is_last` (n,) at the end."""
    return np.lexsort((-np.round(np.abs(weight), DECIMALS), is_last))


def table_of_nodes(
    tree: Tree, nodes: Array, shares: Array, weights: Array | None, proba: Array
) -> pd.DataFrame:
    """Make a table with a row per node (d,) of a path: cases, counts and `shares` (K, C).

    With weights (K, C) the uniform node, -1, comes first. With very many classes the least probable
    by `proba` (C,) are put together.
    """
    names = [tree.schema[tree.attribute[t]].name for t in nodes[:-1]]
    conditions = [f"{name} {tree.conditions[t]}" for name, t in zip(names, nodes[1:], strict=True)]
    words, rows, counts = ["all cases", *conditions], nodes, tree.counts[nodes]
    if weights is not None:
        words, rows = ["uniform node", *words], [-1, *nodes]
        counts = np.concatenate([np.zeros_like(counts[:1]), counts])
    table = pd.DataFrame(
        {"condition": words, "cases": counts.sum(axis=1)}, index=pd.Index(rows, name="node")
    )
    groups = _groups(tree, proba)
    for label, values in (("n", counts), ("P", shares)):
        for name, members in groups.items():
            table[f"{label}({name})"] = values[:, members].sum(axis=1)
    for name, members in groups.items() if weights is not None else ():
        if len(members) == 1:
            table[f"w({name})"] = weights[:, members[0]]
    return table


def _groups(tree, proba):
    """Group classes by name; if there are very many, the least probable ones are together."""
    order, few = np.argsort(-proba, kind="stable"), len(proba) <= MOST_CLASSES + 1
    alone = range(len(proba)) if few else order[:MOST_CLASSES]
    groups = {tree.class_name(c): [c] for c in alone}
    return groups if few else groups | {f"{len(proba) - len(alone)} others": order[len(alone) :]}


def as_a_sum(classes: list[str], prior: float, adds: np.ndarray, owner: str) -> str:
    """Write the log odds of the first of two classes: of the prior, the trees, the attributes."""
    odds = prior + adds.sum()
    return (
        f"Log odds of {classes[0]} against {classes[1]}: {prior:+.3f} from the prior, "
        f"{adds[0]:+.3f} from the {owner} estimate, {adds[1:].sum():+.3f} from the attributes: "
        f"{odds:+.3f} in all, which is odds of {np.exp(odds):.3g} to 1."
    )


def weighed(classes: list[str], owner: str) -> str:
    """Explain the weights and factors in a table, and why the trees' part is not a sum."""
    return (
        f"An attribute adds its learnt weight times the logarithm of its factor, P(value | "
        f"{classes[0]}) over P(value | {classes[1]}). The {owner} is no sum over attributes: the "
        "tests on its paths make it together."
    )


def added_by_tests(tree: Tree, log_t: np.ndarray) -> np.ndarray:
    """Return what each attribute's tests add to ln T on the path to each node: (T, A, C)."""
    added = np.zeros((len(tree), len(tree.schema), log_t.shape[1]))
    for level in tree.levels[1:]:
        nodes, up = np.arange(level.start, level.stop), tree.parent[level]
        added[level] = added[up]
        added[nodes, tree.attribute[up]] += log_t[level] - log_t[up]
    return added


def between_classes(log_p: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Sum the differences (...) of log_p (..., C) over pairs of classes by prior (C,)."""
    order = np.argsort(log_p, axis=-1)
    share, log_p = prior[order], np.take_along_axis(log_p, order, axis=-1)
    below = share.cumsum(axis=-1) - share
    return (share * log_p * (2 * below + share - 1)).sum(axis=-1)


def shares_of_all(total: np.ndarray, n_cases: float) -> np.ndarray:
    """Return each attribute's share (A,) of all changes of log odds; rounding alone is 0."""
    total = np.where(total > TIE * n_cases, total, 0)
    return total / (total.sum() or 1)
