"""A tree is its root: a node has class counts, perhaps a test, and a branch for each outcome."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Vector = Array | Sequence[Any]  # the values of a case, or counts of classes
Sizes = Sequence[int]  # of each attribute the number of its codes


@dataclass(eq=False)
class Node:
    """A node and all that is below it.

    `counts` (C,): training cases of each class. `attribute`: what is tested, -1 at a leaf. The test
    has a branch for each code, with two exceptions: with a `threshold`, values up to it take branch
    0 and larger ones branch 1; with `groups` (V,), code v takes branch groups[v], -1 for none. A
    branch without training cases is None.
    """

    counts: Array
    attribute: int = -1
    threshold: float | None = None
    groups: Sequence[int] | None = None
    branches: list["Node | None"] = field(default_factory=list)

    @property
    def is_leaf(self) -> bool:
        """True if nothing is tested here."""
        return self.attribute < 0

    @property
    def distribution(self) -> Array:
        """The share (C,) of each class among the node's training cases."""
        return self.counts / self.counts.sum()

    @property
    def children(self) -> list["Node"]:
        """The branches that have training cases."""
        return [branch for branch in self.branches if branch is not None]

    def outcome(self, case: Vector) -> int:
        """Return the branch of a case (A,); -1 if its value is missing or was never seen."""
        return self.branch_of(case[self.attribute])

    def branch_of(self, value: Any) -> int:
        """Return the branch of a value of the tested attribute."""
        is_missing = np.isnan(value) if isinstance(value, float) else value < 0
        if is_missing:  # numbers are NaN, codes -1
            return -1
        if self.threshold is not None:
            return int(value > self.threshold)
        return int(value) if self.groups is None else self.groups[int(value)]

    def path(self, case: Vector) -> list["Node"]:
        """Return the nodes that a case (A,) passes, from this one to the one where it stops."""
        branch = -1 if self.is_leaf else self.outcome(case)
        below = self.branches[branch] if branch >= 0 else None
        return [self] if below is None else [self, *below.path(case)]

    def leaf_of(self, case: Vector) -> "Node":
        """Return the node where a case (A,) stops: a leaf, or one with no branch for its value."""
        return self.path(case)[-1]

    def nodes(self) -> Iterator["Node"]:
        """Yield this node and all below it, level by level, as the package numbers them."""
        nodes = [self]
        for node in nodes:
            yield node
            nodes += node.children

    def leaves(self) -> list["Node"]:
        """Return the leaves below this node, or the node itself."""
        return [node for node in self.nodes() if node.is_leaf]

    def height(self) -> int:
        """Return the number of nodes on the longest path down; a leaf has 1."""
        return 1 + max((child.height() for child in self.children), default=0)

    def make_leaf(self) -> None:
        """Remove the test and all that is below."""
        self.attribute, self.threshold, self.groups, self.branches = -1, None, None, []


def predict(root: Node, X: Array) -> Array:
    """Return class probabilities (n, C) of cases (n, A): the shares where each one stops."""
    return np.array([root.leaf_of(case).distribution for case in X])


class Cases(NamedTuple):
    """Training cases: codes X (n, A) below sizes (A,), classes y (n,) below C."""

    X: Array
    y: Array
    sizes: Sizes
    C: int

    def take(self, rows: list[int]) -> "Cases":
        """Return some of the cases."""
        return self._replace(X=self.X[rows], y=self.y[rows])


def training_cases(root: Node, X: Array) -> dict[Node, list[int]]:
    """Return the rows of the training cases X (n, A) that reach each node."""
    rows: dict[Node, list[int]] = {node: [] for node in root.nodes()}
    for i, case in enumerate(X):
        for node in root.path(case):
            rows[node].append(i)
    return rows


if __name__ == "__main__":
    left, right = Node(np.array([3, 0])), Node(np.array([1, 2]))
    root = Node(np.array([4, 2]), attribute=0, threshold=1.5, branches=[left, right])
    print(predict(root, np.array([[1.0], [2.0], [np.nan]])).round(2).tolist())
    # [[1.0, 0.0], [0.33, 0.67], [0.67, 0.33]]
