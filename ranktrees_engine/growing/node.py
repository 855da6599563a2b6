"""The view of one node of a tree, for reading it."""

from dataclasses import dataclass

import numpy as np

from ranktrees_engine.basics.kinds import Tree
from ranktrees_engine.reading.schema import AttributeInfo


@dataclass(frozen=True)
class Node:
    """A view of one node: it holds the tree and an id, nothing else."""

    tree: Tree
    id: int

    @property
    def is_leaf(self) -> bool:
        """True if nothing is tested here."""
        return bool(self.tree.attribute[self.id] < 0)

    @property
    def counts(self) -> np.ndarray:
        """Training cases (C,) of each class."""
        return self.tree.counts[self.id]

    @property
    def depth(self) -> int:
        """Number of tests above."""
        return int(self.tree.depths[self.id])

    @property
    def test(self) -> AttributeInfo | None:
        """Attribute tested here, None at a leaf."""
        return None if self.is_leaf else self.tree.schema[self.tree.attribute[self.id]]

    @property
    def name(self) -> str | None:
        """Name of the tested attribute, None at a leaf."""
        return None if self.is_leaf else self.test.name

    @property
    def parent(self) -> "Node | None":
        """Node above, None at the root."""
        above = int(self.tree.parent[self.id])
        return None if above < 0 else Node(self.tree, above)

    @property
    def model(self):
        """Model of this node's cases; AttributeError if the tree has none.

        For a CITree or NBTree, with up to 2**26 value counts, it is a `NaiveBayes` over the
        attributes that are not settled; it predicts `Codes`, as the model's `encode` makes them.
        """
        if self.tree.node_model is None:
            raise AttributeError(
                "this tree keeps only class counts; a CITree or NBTree of moderate size "
                "has a naive Bayes at its nodes"
            )
        return self.tree.node_model(self.tree, self.id)

    @property
    def branches(self) -> np.ndarray:
        """Child id (V,) of each value code, -1 where no training case went."""
        return self.tree.branches_of(self.id)

    @property
    def children(self) -> tuple["Node", ...]:
        """Nodes below, in the order of their branches."""
        ids = self.branches
        return tuple(Node(self.tree, int(t)) for t in np.unique(ids[ids >= 0]))

    @property
    def condition(self) -> str:
        """Condition that leads here from the parent, in words; empty at the root."""
        return self.tree.conditions[self.id]

    @property
    def path(self) -> str:
        """Conditions from the root, joined by `and`; `always` at the root."""
        return self.tree.path_words[self.id]

    @property
    def summary(self) -> str:
        """Majority class, with cases and errors: `no (5.0/1.0)` as `no (5/1)`."""
        best, cases = int(self.counts.argmax()), self.counts.sum()
        wrong = cases - self.counts[best]
        tail = f"{cases:g}/{wrong:g}" if wrong else f"{cases:g}"
        return f"{self.tree.class_name(best)} ({tail})"

    @property
    def n_below(self) -> int:
        """Number of nodes in the subtree below this one."""
        return int(self.tree.n_below[self.id])
