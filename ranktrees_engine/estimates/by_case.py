"""Estimates that differ between the cases of a leaf, which models choose by name.

Shrinkage, WPE and both together are Wang & Zhang's (2006); a naive Bayes at the leaf is Kohavi's
(1996), votes of all leaves are Ling & Yan's (2003). The formulas stand in `shrinkage`.
"""

from collections.abc import Callable

import numpy as np

from ranktrees_engine.basics.arguments import check_number, choose, shown
from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.basics.kinds import Array
from ranktrees_engine.estimates.base import Estimate, estimate_names, make_estimate
from ranktrees_engine.estimates.nodes import laplace
from ranktrees_engine.estimates.shrinkage import at_nodes, local_of, shrink, weights_by
from ranktrees_engine.growing.tree import Tree, outcome_of


class AtEnd(Estimate):
    """The local estimate of the node at which a case ends."""

    needs = "cases"

    def local(self) -> Callable:
        """Return the function that computes the estimate, see `shrinkage`."""
        return local_of(self.name)

    def of_nodes(self, tree: Tree) -> np.ndarray:
        """Return Laplace's estimate (T, C), for pictures of the tree.

        Raises ValueError where the training cases cannot be counted.
        """
        _ = self.cases.counts
        return laplace(tree)

    def proba(self, X: Array, gaps: Array | None = None) -> np.ndarray:
        return self.at(self.tree.apply(X), X)

    def at(self, nodes: Array, X: Array) -> np.ndarray:
        """Return the local estimates (m, C) of codes X (m, A), at a node (m,) each."""
        return at_nodes(self.cases.counts, self.local(), nodes, X)

    def along(self, nodes: Array, case: Array) -> tuple[Array, Array | None]:
        return self.at(nodes, np.repeat(case[None], len(nodes), axis=0)), None


class WPE(AtEnd):
    """The estimate "wpe": each training case of the leaf votes by its similarity (Eq. 6)."""

    name = "wpe"

    def in_words(self, nodes, case, shares, weights, c, p) -> str:
        def similarities(n, _, agree, *__):
            return agree.sum(axis=0) + n

        votes = at_nodes(self.cases.counts, similarities, nodes[-1:], case[None])[0]
        name, total = self.tree.class_name(c), votes.sum()
        share = f"({votes[c]:g} + 1/{len(votes)}) / ({total:g} + 1)"
        return (
            f'Estimate "{self.name}": each case of this node weighs the number of attributes in '
            f"which it agrees with this one, plus 1; all weigh {total:g}, those of {name} "
            f"{votes[c]:g}: P({name}) = {share} = {p:.3f}."
        )


class NodeBayes(AtEnd):
    """The estimate "naive-bayes": a naive Bayes of the leaf's cases."""

    name = "naive-bayes"

    def in_words(self, nodes, case, shares, weights, c, p) -> str:
        n = self.tree.counts[nodes[-1]].sum()
        return (
            f'Estimate "{self.name}": a naive Bayes of the cases of this node, {n:g}, gives '
            f"P({self.tree.class_name(c)}) = {p:.3f}."
        )


class LeafBayes(NodeBayes):
    """The estimate "leaf-naive-bayes", which leaves out attributes that the path has settled.

    After a test with a branch per value, all cases below share one value (Su & Zhang 2004; Kohavi
    1996). After a cut in two an attribute still has several values.
    """

    name = "leaf-naive-bayes"

    def at(self, nodes: Array, X: Array) -> np.ndarray:
        return super().at(nodes, np.where(self.tree.settled[nodes], -1, X))  # as if it were new


class OnPath(AtEnd):
    """The local estimates of all nodes on a case's path, mixed.

    `weights` "diw" or "uniform"; `iterations` of Algorithm DIW.
    """

    weights: str = "diw"
    iterations: int = 1
    is_raw = False  # whether rows are not normalised

    def of_nodes(self, tree: Tree) -> np.ndarray:
        self.local(), self.weigh()  # so that a wrong parameter is refused before it is used
        return super().of_nodes(tree)

    def weigh(self) -> Callable:
        """Return the function that computes the nodes' weights, see `weights_by`."""
        return weights_by(self.weights, self.iterations)

    def proba(self, X: Array, gaps: Array | None = None) -> np.ndarray:
        proba = shrink(self.cases.counts, self.local(), self.weigh(), X)
        return proba if self.is_raw else proba / proba.sum(axis=1, keepdims=True)

    def along(self, nodes: Array, case: Array) -> tuple[Array, Array | None]:
        """Return the local estimates, from the uniform node down, and the weights of each."""
        shares, _ = super().along(nodes, case)
        shares = np.concatenate([np.full_like(shares[:1], 1 / len(self.cases.counts.y)), shares])
        weights = self.weigh()(self.cases.counts, self.local(), nodes[-1:])[0]
        return shares, weights[: len(shares)]

    def in_words(self, nodes, case, shares, weights, c, p) -> str:
        name, parts = self.tree.class_name(c), weights * shares
        terms = zip(weights[:, c], shares[:, c], strict=True)
        text = " + ".join(f"{weight:.3f} * {share:.3f}" for weight, share in terms)
        line = (
            f'Estimate "{self.name}": weight times estimate of the uniform node above the root, of '
            f"the root and of each node on the way is {text} = {parts[:, c].sum():.3f} for {name}"
        )
        if self.is_raw:
            return f"{line}; as published, it is not divided by the sum over all classes."
        total = f"the sum over all classes, {parts.sum():.3f}"
        return f"{line}; divided by {total}: P({name}) = {p:.3f}."


class Shrinkage(OnPath):
    """The estimate "shrinkage", of class shares (section 3), in one of `shrinkage.READINGS`.

    For class shares the paper's Note rules out more than one iteration. "as_published" treats all
    cases of a leaf alike, and t iterations only raise the estimates to the power t, until one node
    has all the weight. If each case is left out, cases of a mixed leaf differ by class, and
    iterations find weights as with WPE.
    """

    name = "shrinkage"
    reading: str = "as_written"

    def local(self) -> Callable:
        return local_of(self.name, self.reading)


class ShrinkageOfWPE(Shrinkage):
    """The estimate "shrinkage+wpe" (section 5); as published its rows are not normalised."""

    name = "shrinkage+wpe"

    @property
    def is_raw(self) -> bool:
        return self.reading == "as_published"


class ShrinkageOfBayes(OnPath):
    """The estimate "shrinkage+naive-bayes", of a naive Bayes at each node (section 7)."""

    name = "shrinkage+naive-bayes"


class LingYan(Estimate):
    """The estimate "ling-yan": all leaves vote, see `ling_yan`; `leaf` is their own estimate."""

    needs = "cases"
    name = "ling-yan"
    s: float = 0.4
    leaf: str = "laplace"

    def of_nodes(self, tree: Tree) -> np.ndarray:
        check_number("s", self.s, 0)
        if self.s > 1:
            raise ValueError(f"s must lie in [0, 1], not {shown(self.s)}")
        choose("leaf", self.leaf, estimate_names("counts"))
        return make_estimate(self.leaf).of_nodes(tree)

    def proba(self, X: Array, gaps: Array | None = None) -> np.ndarray:
        return ling_yan(self.tree, self.node_proba, X, self.s)

    def in_words(self, nodes, case, shares, weights, c, p) -> str:
        name = self.tree.class_name(c)
        return (
            f'Estimate "{self.name}" compares the whole case: P({name}) = {p:.3f}, where this node '
            f"alone has {shares[-1, c]:.3f}."
        )


def ling_yan(tree: Tree, proba: Array, X: Array, s: float = 0.4) -> Array:
    """Let all leaves vote (m, C), each with weight s ** (tests in which the case differs).

    Ling & Yan (2003): a case need not follow its own branch; for every test on a leaf's path that
    would send it elsewhere, the leaf counts s times less. Leaves vote with their estimate in
    `proba` (T, C); an empty branch votes as a leaf with its parent's estimate.
    """
    votes = np.empty((len(X), tree.counts.shape[1]))
    for block in blocks(len(X), proba.size):
        weight = _votes(tree, X[block], s)
        votes[block] = (weight[:, :, None] * proba[:, None]).sum(axis=0)  # node after node
    total = votes.sum(axis=1, keepdims=True)
    if (none := total[:, 0] == 0).any():  # s = 0 and a value that was never seen: it stops there
        votes[none], total[none] = proba[tree.apply(X[none])], 1
    return votes / total


def _votes(tree, X, s):
    """Compute the weight of each node's vote for a case (T, m): a leaf's, or of empty branches."""
    inner = np.flatnonzero(~tree.is_leaf)
    code = X.T[tree.attribute[inner]]
    outcome = outcome_of(code, tree.cut[inner, None])
    branch = tree.child[tree.offset[inner, None] + np.maximum(outcome, 0)]
    branch[code < 0] = -2  # it agrees with no branch, not even an empty one
    own = branch[np.searchsorted(inner, tree.parent[1:])] == np.arange(1, len(tree))[:, None]
    weight = np.vstack([np.ones(len(X)), np.where(own, 1, s)])
    for level in tree.levels[1:]:
        weight[level] *= weight[tree.parent[level]]
    of = np.repeat(np.arange(len(tree)), np.diff(tree.offset))
    empty = np.bincount(of[tree.child < 0], minlength=len(tree))[inner, None]
    weight[inner] *= np.where(branch == -1, 1 + (empty - 1) * s, empty * s)
    return weight
