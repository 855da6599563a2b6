"""A tree in words: conditions, rules, text and tables for reading it."""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from ranktrees.export import to_dot, to_json, to_mermaid
from ranktrees.node import Node
from ranktrees.page import tree_html
from ranktrees.sql import to_sql


class InWords:
    """What every `Tree` says of itself; it brings the arrays."""

    to_dot, to_mermaid, to_json, to_sql = to_dot, to_mermaid, to_json, to_sql
    _repr_html_ = tree_html

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """What leads to each node from its parent, in words; empty at the root."""
        words = [""] * len(self)
        for node in self.nodes():
            branches = node.branches
            for t in np.unique(branches[branches >= 0]):
                words[t] = node.test.describe(np.flatnonzero(branches == t))
        return tuple(words)

    @cached_property
    def path_words(self) -> tuple[str, ...]:
        """All conditions on the way to each node, joined by `and`."""
        words = ["always"] * len(self)
        for t in range(1, len(self)):
            above = int(self.parent[t])
            here = f"{Node(self, above).name} {self.conditions[t]}"
            words[t] = f"{words[above]} and {here}" if above else here
        return tuple(words)

    @property
    def root(self) -> Node:
        """The node view of the root."""
        return Node(self, 0)

    def complexity(self) -> dict[str, int]:
        """Nodes, leaves, depth and attributes used: R&M's four measures (section 9.1)."""
        used = np.unique(self.attribute[~self.is_leaf])
        return {
            "nodes": len(self),
            "leaves": self.n_leaves,
            "depth": self.depth,
            "attributes": len(used),
        }

    def nodes(self) -> Iterator[Node]:
        """Every node, breadth first."""
        return (Node(self, t) for t in range(len(self)))

    def rules(self) -> list[str]:
        """Each leaf's path as `if ... then class (cases)` (R&M 9.1)."""
        return [f"if {node.path} then {node.summary}" for node in self.nodes() if node.is_leaf]

    def to_text(self, max_depth: int | None = None) -> str:
        """The tree as indented lines, one a node; below `max_depth` it is said what is left out."""
        lines = [] if not self.root.is_leaf else [f"{self.root.summary}"]
        pending = [(child, 0) for child in reversed(self.root.children)]
        while pending:
            node, depth = pending.pop()
            end = f": {node.summary}" if node.is_leaf else ""
            lines.append("|   " * depth + f"{node.parent.name} {node.condition}{end}")
            if max_depth is not None and depth + 1 >= max_depth and not node.is_leaf:
                lines[-1] += f": {node.summary} ... {node.n_below} nodes below"
            else:
                pending += [(child, depth + 1) for child in reversed(node.children)]
        return "\n".join(lines)

    def to_frame(self):
        """DataFrame, one row a node: parent, depth, condition, test, cases, a column a class."""
        import pandas as pd

        frame = pd.DataFrame(
            {
                "parent": self.parent,
                "depth": self.depths,
                "condition": [n.condition for n in self.nodes()],
                "test": [n.name or "" for n in self.nodes()],
                "cases": self.counts.sum(axis=1),
            }
        )
        for c in range(self.counts.shape[1]):
            frame[f"n({self.class_name(c)})"] = self.counts[:, c]
        return frame.rename_axis("node")

    def class_name(self, c: int) -> str:
        """The name of class code c."""
        return str(self.classes[c]) if self.classes else str(c)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"Tree({len(self)} nodes, {self.n_leaves} leaves, depth {self.depth})"
