"""Path Bayes: the tree and every factor of naive Bayes choose how deep to look on a path.

A case goes down a tree. Which nodes of its path should estimate the class, and which the
probability of a value in that class? The tree's class shares on the path, and each attribute's
share of the value, are averaged over all prunings of the tree by their evidence (see `mixing`),
each with its own weights. Both estimates, the tree's T and naive Bayes' B, are pooled: P(c | x) ~
sqrt(T(c | x) B(c | x)). In B all attributes weigh the same, or `path_weights` learns an exponent
for each of them and for the prior.

Naive Bayes along a path: Wang & Zhang (2006, section 7); logarithmic pools: Genest & Zidek (1986).
`ranktrees.plain.path_bayes` is the same in loops.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_like
from ranktrees_engine.basics.kinds import Array, Input, Model
from ranktrees_engine.basics.logarithms import log, normalised
from ranktrees_engine.estimates.base import Estimate
from ranktrees_engine.estimates.mixing import class_stops as class_stops
from ranktrees_engine.estimates.mixing import learnt_stops, reaching, stops, tree_estimate
from ranktrees_engine.estimates.path_counts import known_codes
from ranktrees_engine.estimates.path_factors import PathFactors
from ranktrees_engine.estimates.path_weights import (
    LeftOut,
    learn_weights,
    log_left_out,
    log_prior,
)
from ranktrees_engine.estimates.shown import (
    Pooled,
    added_by_tests,
    as_a_sum,
    between_classes,
    heaviest_first,
    shares_of_all,
    weighed,
)
from ranktrees_engine.growing.tree import Tree, less_children


class PathBayes(Estimate):
    """P(c | x) ~ sqrt(T B) of a tree with a branch per value: see the top of this file."""

    needs, pools = "tables", True
    stops: ClassVar[Callable] = staticmethod(stops)  # of the tree's own estimate
    weights: ClassVar[Array | None] = None  # (1 + A,) of the prior and the factors, or 1/2

    @property
    def factors(self) -> PathFactors:
        """Factors of the attributes along the paths."""
        return self.cases.factors

    def of_nodes(self, tree: Tree) -> np.ndarray:
        """Return T(c | x) (T, C); ValueError for a tree without a branch per value."""
        check_branches(tree)
        if self.cases is not None:
            _ = self.factors.stop  # counted now, since predictions leave a model as it is
        return tree_estimate(tree, self.stops)

    def proba(self, X: Array, gaps: Array | None = None) -> np.ndarray:
        """Return P(c | x) (m, C) of codes X (m, A).

        `gaps` (m, A) says which codes were filled in.
        """
        end = self.tree.apply(X)
        return pool(log(self.node_proba)[end], self.log_naive_bayes(known_codes(X, gaps), end))

    def log_naive_bayes(self, X: Array, end: Array) -> np.ndarray:
        """Return ln B(c | x) (m, C), not normalised: (n_c + 1/2) prod_j P(x_j | c).

        n_c are the root's counts. Each factor has the power of twice its weight, since the pool
        takes the square root.
        """
        prior, weights = log_prior(self.tree), self.weights
        total = np.tile(prior if weights is None else 2 * weights[0] * prior, (len(X), 1))
        for some, cases, log_p in self.factors.gathered(X, end):
            if weights is not None:
                log_p *= 2 * weights[1:][some, None, None]
            total[cases] += log_p.sum(axis=0)
        return total

    @property
    def all_weights(self) -> np.ndarray:
        """Weights (1 + A,) in the pool of the prior and of each attribute."""
        return np.full(1 + len(self.tree.schema), 0.5) if self.weights is None else self.weights

    def with_weights(self, weights: Array) -> "PathBayes":
        """Return this estimate with these weights (1 + A,) of the prior and each attribute."""
        other = copy.copy(self)
        other.weights = weights
        return other

    def learn_weights(self) -> np.ndarray:
        """Learn the weights (1 + A,) from the training cases.

        For cases in files each step reads them once; ValueError if they are not available.
        """
        prior, A, cases = log_prior(self.tree), len(self.tree.schema), self.cases

        def parts(X, gaps, y, weight):
            end = self.tree.apply(X)
            log_p = log_left_out([self.factors], [known_codes(X, gaps)], [end], prior, y, weight)
            return LeftOut(log(self.node_proba)[end] / 2, log_p, y, weight)

        passes = cases.each_time(parts, (1 + A) * len(prior))
        return learn_weights(passes, 1 + A, 1 / 2)

    def importances(self, A: int, impurity: Callable | None = None) -> np.ndarray:
        """Return each attribute's share (A,) in all changes of log odds over the training cases.

        An attribute changes the log odds of two classes in a case by its factor, and by each test
        of it on the path, where the tree's estimate becomes that of the branch. The absolute value
        of both together is summed over the cases and all pairs of classes, each weighted by its
        number of pairs of cases. It depends on the end of the case's path and on the value alone,
        so that tables are enough.
        """
        tree, counts = self.tree, self.factors.counts
        prior = tree.counts[0] / tree.counts[0].sum()
        by_tests = added_by_tests(tree, log(self.node_proba))
        total, with_value = np.zeros(A), np.zeros((len(tree), A))
        for values in counts.blocks():
            n = less_children(tree, counts.of_values(values).sum(axis=2))
            j = counts.attribute[values]
            by_factor = log(self.factors.of_values(values)[:-1]).reshape(*n.shape, -1)
            if self.weights is not None:
                by_factor *= 2 * self.weights[1:][j, None]
            change = between_classes(by_factor + by_tests[:, j], prior)
            total += np.bincount(j, (n * change).sum(axis=0), A)
            np.add.at(with_value.T, j, n.T)
        without = less_children(tree, tree.counts.sum(axis=1))[:, None] - with_value
        total += (without * between_classes(by_tests, prior)).sum(axis=0)
        return shares_of_all(total, tree.counts[0].sum())

    def explain(
        self, nodes: Array, case: Array, gaps: Array | None, proba: Array
    ) -> tuple[list[str], pd.DataFrame]:
        """Return lines and a table with a row for the tree's estimate and each attribute.

        The largest comes first: value, mean depth of the nodes that it mixes, its weight at each
        node, and what it adds to the log odds of the most probable class against the next. With the
        prior's they add up to the log odds of the prediction.
        """
        tree, parts = self.tree, self.parts(nodes, case, gaps)
        two, prior, adds = parts.odds(proba)
        names = ["the tree", *(info.name for info in tree.schema)]
        values = ["", *_values(tree, case, gaps)]
        table = pd.DataFrame({"value": pd.Series(values, dtype=object)})
        table["depth"] = parts.weights @ np.arange(len(nodes))
        for k, t in enumerate(nodes.tolist()):
            table[f"at node {t}"] = parts.weights[:, k]
        if self.weights is not None:
            table["weight"] = parts.shares[1:]
            table["factor"] = np.exp(parts.log_p[:, two[0]] - parts.log_p[:, two[1]])
        table["log odds"] = adds
        table.index = pd.Index(names, name="who")
        order, classes = heaviest_first(adds, table["value"].isna()), [*map(tree.class_name, two)]
        lines = [
            "The tree and each attribute mix all nodes of this path, each by its own weights.",
            as_a_sum(classes, prior, adds, "tree's"),
        ]
        if self.weights is not None:
            lines.append(weighed(classes, "tree's estimate, a half of the pool,"))
        return lines, table.iloc[order]

    def parts(self, nodes: Array, case: Array, gaps: Array | None = None) -> "PathLooks":
        """Compute the `PathLooks` of one case, codes (A,), at the nodes (d,) of its path."""
        tree, gaps = self.tree, None if gaps is None else gaps[None]
        stop = np.hstack([class_stops(tree, self.stops), self.factors.stop])
        come = reaching(tree, stop)[nodes]
        weights = np.vstack([(come * stop[nodes])[:-1], come[-1:]]).T
        log_p = np.zeros((len(weights), tree.counts.shape[1]))
        log_p[0] = log(self.node_proba[nodes[-1]])
        for some, _, part in self.factors.gathered(known_codes(case[None], gaps), nodes[-1:]):
            log_p[1:][some] += part[:, 0]
        return PathLooks(log_p, log_prior(tree), np.insert(self.all_weights, 1, 0.5), weights)


class PathBayesEM(PathBayes):
    """Path Bayes whose tree learns how deep it looks by expectation and maximisation."""

    stops: ClassVar[Callable] = staticmethod(learnt_stops)


@dataclass(frozen=True)
class PathLooks(Pooled):
    """The parts of tree and attributes in one case, and the weights (1 + A, d) of its d nodes."""

    weights: np.ndarray


def _values(tree, case, gaps):
    """Return each attribute's value as text, None where it takes no part."""
    gaps = np.zeros(len(tree.schema), bool) if gaps is None else gaps
    for info, code, gap in zip(tree.schema, case.tolist(), gaps, strict=True):
        yield None if gap or code < 0 else str(info.labels[code])


def pool(log_t: np.ndarray, log_b: np.ndarray) -> np.ndarray:
    """Return sqrt(T B) (m, C), normalised: the logarithmic pool, in which both weigh the same."""
    return normalised((log_t + log_b) / 2, np.ones(log_t.shape[1]))


def check_branches(tree: Tree) -> None:
    """Raise ValueError, which names the attribute, unless each value has its own branch."""
    joined = np.bincount(tree.child[tree.child >= 0], minlength=len(tree)) > 1
    wrong = np.flatnonzero((tree.cut >= 0) | np.isin(np.arange(len(tree)), tree.parent[joined]))
    if len(wrong):
        name = tree.schema[tree.attribute[wrong[0]]].name
        raise ValueError(
            f"path Bayes needs a branch per value, but node {wrong[0]} splits {name!r} in two: "
            'take split="multiway", numeric="bins" and a column without order '
            "(Series.cat.as_unordered()), or rt.PathBayes"
        )


def both_estimates(model: Model, X: Input) -> tuple[np.ndarray, np.ndarray]:
    """Return T(c | x) and B(c | x), (m, C) each, of cases X, by a fitted model that pools them."""
    check_like("a fitted model, such as PathBayes()", model, "encode", "estimate_")
    check_like("a fitted model, such as PathBayes()", model.estimate_, "log_naive_bayes")
    codes, learnt = model.encode(X), model.estimate_
    end = learnt.tree.apply(codes.values)
    log_b = learnt.log_naive_bayes(known_codes(codes.values, codes.gaps), end)
    return learnt.node_proba[end], normalised(log_b, np.ones(log_b.shape[1]))
