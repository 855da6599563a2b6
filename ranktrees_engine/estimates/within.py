"""An estimate of nodes whose probabilities are moved into the bounds of monotone constraints."""

import numpy as np

from ranktrees_engine.estimates.base import Estimate
from ranktrees_engine.growing.bounds import bounds_of
from ranktrees_engine.growing.tree import Tree


class Within(Estimate):
    """An estimate of each node, within the bounds that attributes of a `sign` (A,) set it."""

    inner: Estimate
    sign: np.ndarray

    def of_nodes(self, tree: Tree) -> np.ndarray:
        proba = self.inner.of_nodes(tree)
        within = proba[:, 1].clip(*bounds_of(tree, self.sign).T)
        moved = within != proba[:, 1]
        return np.where(moved[:, None], np.stack([1 - within, within], axis=1), proba)

    def formula(self, node: int, c: int) -> str:
        formula, p = self.inner.formula(node, c), self.inner.node_proba[node, c]
        if not formula or p == self.node_proba[node, c]:
            return formula
        return f"{formula} = {p:.3f}, and within the node's bounds"
