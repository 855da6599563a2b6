"""What the tree and each attribute add to predictions of path Bayes: of one case, and of all."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees.basics.logarithms import log
from ranktrees.basics.ties import TIE
from ranktrees.estimates.path_bayes import STOPS, class_stops, reaching, tree_word
from ranktrees.estimates.path_counts import known_codes
from ranktrees.explain.explanation import heaviest_first, two_likeliest
from ranktrees.growing.tree import Tree, less_children


class Looks(NamedTuple):
    """What the tree's estimate, first, and the attributes add for a case whose path has d nodes.

    `weights` (1 + A, d) of the nodes; `log_p` (1 + A, C), of which path Bayes takes half, as it
    does of the logarithm of the prior (C,).
    """

    weights: np.ndarray
    log_p: np.ndarray
    log_prior: np.ndarray

    def odds(self, proba: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
        """The two most probable classes (2,), their prior's log odds, and the others' (1 + A,)."""
        two = two_likeliest(proba)
        prior, log_p = self.log_prior[two], self.log_p[:, two]
        return two, (prior[0] - prior[1]) / 2, (log_p[:, 0] - log_p[:, 1]) / 2


def path_looks(model, codes, nodes: np.ndarray) -> Looks:
    """The `Looks` of one case, `codes` (1, A), at the nodes (d,) of its path."""
    tree, known = model.tree_, model.path_factors_
    stop = np.hstack([class_stops(tree, STOPS[model.estimate]), known.stop])
    come = reaching(tree, stop)[nodes]
    weights = np.vstack([(come * stop[nodes])[:-1], come[-1:]]).T
    log_p = np.zeros((len(weights), tree.counts.shape[1]))
    log_p[0] = log(tree_word(tree, STOPS[model.estimate])[nodes[-1]])
    for some, _, part in known.gathered(known_codes(codes.values, codes.gaps), nodes[-1:]):
        log_p[1:][some] += part[:, 0]
    return Looks(weights, log_p, log(tree.counts[0] + 0.5))


def path_says(model, codes, nodes: np.ndarray, proba: np.ndarray) -> tuple[list, pd.DataFrame]:
    """Lines and table for one case, `codes` (1, A), with the nodes (d,) of its path.

    The table has a row for the tree's estimate and for each attribute, the largest first: value,
    how deep it looks (the mean depth of the nodes that it mixes), its weight at each node, and what
    it adds to the log odds of the most probable class against the next. With the prior's they add
    up to the log odds of the prediction.
    """
    tree, looks = model.tree_, path_looks(model, codes, nodes)
    two, prior, adds = looks.odds(proba)
    names = ["the tree", *(info.name for info in tree.schema)]
    table = pd.DataFrame({"value": pd.Series(["", *_values(tree, codes)], dtype=object)})
    table["depth"] = looks.weights @ np.arange(len(nodes))
    for k, t in enumerate(nodes.tolist()):
        table[f"at node {t}"] = looks.weights[:, k]
    table["log odds"] = adds
    table.index = pd.Index(names, name="who")
    order, classes = heaviest_first(adds, table["value"].isna()), [*map(tree.class_name, two)]
    lines = [
        "The tree and each attribute mix all nodes of this path, each by its own weights.",
        as_a_sum(classes, prior, adds, "tree's"),
    ]
    return lines, table.iloc[order]


def as_a_sum(classes: list[str], prior: float, adds: np.ndarray, owner: str) -> str:
    """The log odds of the first of two classes: of the prior, the trees and the attributes."""
    odds = prior + adds.sum()
    return (
        f"Log odds of {classes[0]} against {classes[1]}: {prior:+.3f} from the prior, "
        f"{adds[0]:+.3f} from the {owner} estimate, {adds[1:].sum():+.3f} from the attributes: "
        f"{odds:+.3f} in all, which is odds of {np.exp(odds):.3g} to 1."
    )


def _values(tree, codes):
    """Each attribute's value as text, None where it takes no part."""
    gaps = np.zeros(len(tree.schema), bool) if codes.gaps is None else codes.gaps[0]
    for info, code, gap in zip(tree.schema, codes.values[0].tolist(), gaps, strict=True):
        yield None if gap or code < 0 else str(info.labels[code])


def path_importances(model) -> np.ndarray:
    """The share (A,) of each attribute in all changes of log odds, over the training cases.

    An attribute changes the log odds of two classes in a case by its factor, and by each test of it
    on the path: there the tree's estimate becomes that of the branch. The absolute sum of both is
    added up over the cases and all pairs of classes, each weighted by its number of pairs of cases.
    It depends on a case by the end of its path and the value alone, so that tables are enough.
    """
    tree, known, A = model.tree_, model.path_factors_, model.n_features_in_
    prior = tree.counts[0] / tree.counts[0].sum()
    by_tests = added_by_tests(tree, log(model.node_proba_))
    total, with_value = np.zeros(A), np.zeros((len(tree), A))
    for values in known.counts.blocks():
        n = less_children(tree, known.counts.of_values(values).sum(axis=2))
        j = known.counts.attribute[values]
        by_factor = log(known.factors(values)[:-1]).reshape(*n.shape, -1)
        change = between_classes(by_factor + by_tests[:, j], prior)
        total += np.bincount(j, (n * change).sum(axis=0), A)
        np.add.at(with_value.T, j, n.T)
    without = less_children(tree, tree.counts.sum(axis=1))[:, None] - with_value
    total += (without * between_classes(by_tests, prior)).sum(axis=0)
    return shares_of_all(total, tree.counts[0].sum())


def shares_of_all(total: np.ndarray, n_cases) -> np.ndarray:
    """Each attribute's share (A,) in all changes of log odds; what rounding alone made is 0."""
    total = np.where(total > TIE * n_cases, total, 0)
    return total / (total.sum() or 1)


def added_by_tests(tree: Tree, log_t: np.ndarray) -> np.ndarray:
    """What the tests of each attribute on the paths to the nodes add to ln T: (T, A, C)."""
    added = np.zeros((len(tree), len(tree.schema), log_t.shape[1]))
    for level in tree.levels[1:]:
        nodes, up = np.arange(level.start, level.stop), tree.parent[level]
        added[level] = added[up]
        added[nodes, tree.attribute[up]] += log_t[level] - log_t[up]
    return added


def between_classes(log_p: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """The differences (...) of log_p (..., C), summed over pairs of classes by prior (C,)."""
    order = np.argsort(log_p, axis=-1)
    share, log_p = prior[order], np.take_along_axis(log_p, order, axis=-1)
    below = share.cumsum(axis=-1) - share
    return (share * log_p * (2 * below + share - 1)).sum(axis=-1)
