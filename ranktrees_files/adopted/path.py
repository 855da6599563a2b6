"""The estimate "path" of one adopted tree: prunings with a price, and factors in three grids.

    ln P(c | x) = 2/3 ln T(c | x) + w_0 ln(n_c + 1/2) + sum_j w_j mean_g ln f_gj(c) - const

T averages the tree's class shares over all of its prunings. A fully grown tree chose each test
among many, so a pruning goes on below a node with probability 1/(2A) only, not 1/2. Each
attribute's factor is averaged over its own prunings in each of three grids, along the path that the
case takes; the weights w are learnt as in a path forest, of which this is one with three members
and a single tree. `ranktrees.plain.adopted` is the same in loops.
"""

from functools import partial

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_number
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.basics.logarithms import normalised
from ranktrees_engine.estimates import Estimate, TrainingCases, hierarchical_shrinkage
from ranktrees_engine.estimates.mixing import stops, tree_estimate
from ranktrees_engine.estimates.path_forest import TREES, Member, learn, log_pool
from ranktrees_engine.estimates.path_weights import log_prior
from ranktrees_engine.estimates.shown import Pooled, as_a_sum, heaviest_first, weighed
from ranktrees_engine.explain.many import LEAST, Sum, member_parts
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.reading.encoder import Codes
from ranktrees_engine.reading.schema import AttributeInfo


class Path(Estimate):
    """The estimate "path": see the top of this file.

    `further` is the probability of going on below a node, 1/(2A) if None. With `lam` the class
    shares are not averaged over prunings, but shrunk to the parent's by hierarchical shrinkage.
    `grids` are the attributes (A,) of each grid; a model sets them before it lets the estimate
    learn.
    """

    name = "path"
    needs = "cases"
    further: float | None = None
    lam: float | None = None
    grids = ()

    def of_nodes(self, tree: Tree) -> np.ndarray:
        """Return T(c | x) (T, C)."""
        check_number("lam", self.lam, 0, none=True)
        check_number("further", self.further, 0, none=True)
        if self.lam is not None:
            return hierarchical_shrinkage(tree, self.lam)
        further = 1 / (2 * len(tree.schema)) if self.further is None else self.further
        if not 0 < further < 1:
            raise ValueError(f"further is a probability between 0 and 1, not {further}")
        return tree_estimate(tree, partial(stops, further=further))

    def learn(self, tree: Tree, cases: TrainingCases | None = None) -> "Path":
        learnt = super().learn(tree, cases)
        log_t, learnt.members = np.log(np.maximum(learnt.node_proba, LEAST)), []
        codings = zip(self.in_grids(cases.X, tree.schema), self.grids, strict=True)
        for g, (codes, schema) in enumerate(codings):
            known = Codes(codes, schema)
            member = Member(tree, cases.X, known, cases.y, cases.weight, g)
            member.log_t = log_t
            learnt.members.append(member)
        learnt.pool_weights = learn(learnt.members)
        return learnt

    def in_grids(self, X: Array, schema: tuple[AttributeInfo, ...]) -> list[Array]:
        """Return codes (m, A) in each grid of codes X (m, A) of this schema; -1 if missing.

        Each cut of a grid is one of the schema's, so that a code lies in one bin of the grid.
        """
        return [
            np.stack([bins_of(*pair)[x] for *pair, x in zip(schema, grid, X.T, strict=True)], 1)
            for grid in self.grids
        ]

    def proba(self, X: Array, gaps: Array | None = None) -> np.ndarray:
        log_p = log_pool(self.members, X, self.in_grids(X, self.tree.schema), self.pool_weights)
        return normalised(log_p, np.ones(log_p.shape[1]))

    def parts(self, X: Array) -> Sum:
        """Return the sum that each prediction for codes X (n, A) is."""
        grids = self.in_grids(X, self.tree.schema)
        return member_parts(self.members, self.pool_weights, X, grids)

    def explain(
        self, nodes: Array, case: Array, gaps: Array | None, proba: Array
    ) -> tuple[list[str], pd.DataFrame]:
        """Return lines and a table with a row for the tree and each attribute, largest first."""
        tree, E = self.tree, len(self.members)
        log_p = np.zeros((1 + len(tree.schema), tree.counts.shape[1]))
        for member, grid in zip(self.members, self.in_grids(case[None], tree.schema), strict=True):
            log_p[0] += member.log_t[nodes[-1]] / E
            for some, _, log_f in member.factors.gathered(grid, nodes[-1:]):
                log_p[1:][some] += log_f[:, 0] / E
        pooled = Pooled(log_p, log_prior(tree), np.insert(self.pool_weights, 1, TREES))
        two, prior, adds = pooled.odds(proba)
        values = ["", *(_value(info, code) for info, code in zip(tree.schema, case, strict=True))]
        table = pd.DataFrame({"value": pd.Series(values, dtype=object)})
        table["weight"], table["log odds"] = pooled.shares[1:], adds
        table["factor"] = np.exp(log_p[:, two[0]] - log_p[:, two[1]])
        table = table[["value", "weight", "factor", "log odds"]]
        table.index = pd.Index(["the tree", *(info.name for info in tree.schema)], name="who")
        classes = [*map(tree.class_name, two)]
        lines = [
            "The tree and each attribute mix all nodes of this path, each by its own weights.",
            as_a_sum(classes, prior, adds, "tree's"),
            weighed(classes, "tree's estimate, two thirds of the pool,"),
        ]
        return lines, table.iloc[heaviest_first(adds, table["value"].isna())]


def bins_of(info: AttributeInfo, grid: AttributeInfo) -> np.ndarray:
    """Return the bin in a grid of each code (V,) of an attribute; -1 of no value, which is last.

    An unseen code, -1, reads the last place: it is -1 there, too.
    """
    bins = np.searchsorted(np.array(grid.cuts), np.append(info.cuts, np.inf))
    return np.append(bins, -1)


def _value(info, code):
    """Return the meaning of a code as text, None of a missing one."""
    return None if code < 0 or (info.missing and code == info.size - 1) else info.describe([code])
