"""What every tree says of itself: names, conditions and nodes here, longer texts by doors."""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
import pandas as pd

from ranktrees.basics.kinds import Array, Names
from ranktrees.growing.node import Node


class InWords:
    """The words of a `Tree`, which brings the arrays.

    Its exports stand above in the house: they are imported when they are asked for.
    """

    @property
    def root(self) -> Node:
        """The node view of the root."""
        return Node(self, 0)

    def nodes(self) -> Iterator[Node]:
        """Every node, breadth first."""
        return (Node(self, t) for t in range(len(self)))

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

    def complexity(self) -> dict[str, int]:
        """Nodes, leaves, depth and attributes used: R&M's four measures (section 9.1)."""
        used = np.unique(self.attribute[~self.is_leaf])
        sizes = {"nodes": len(self), "leaves": self.n_leaves, "depth": self.depth}
        return sizes | {"attributes": len(used)}

    def class_name(self, c: int) -> str:
        """The name of class code c."""
        return str(self.classes[c]) if self.classes else str(c)

    def __repr__(self) -> str:
        return f"Tree({len(self)} nodes, {self.n_leaves} leaves, depth {self.depth})"

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, max_depth: int | None = None) -> str:
        """The tree as indented lines, one a node; below `max_depth` it is said what is left out."""
        from ranktrees.growing import export_words as words

        return words.to_text(self, max_depth)

    def rules(self) -> list[str]:
        """Each leaf's path as `if ... then class (cases)` (R&M 9.1)."""
        from ranktrees.growing import export_words as words

        return words.rules(self)

    def to_frame(self) -> pd.DataFrame:
        """DataFrame, one row a node: parent, depth, condition, test, cases, a column a class."""
        from ranktrees.growing import export_words as words

        return words.to_frame(self)

    def to_dot(self, max_depth: int | None = None) -> str:
        """The tree as a graph in DOT, for Graphviz; whatever signs a name has, they do nothing.

        `max_depth`: most tests drawn one below another; it is said what is left out.
        """
        from ranktrees.growing import export_words as words

        return words.to_dot(self, max_depth)

    def to_mermaid(self, max_depth: int | None = None) -> str:
        """As `to_dot`, as a Mermaid flowchart: Markdown shows it in a block marked `mermaid`."""
        from ranktrees.growing import export_words as words

        return words.to_mermaid(self, max_depth)

    def to_json(self) -> str:
        """The tree as JSON: its `classes`, and `nodes` in one list, breadth first, however deep.

        A node has `id`, `parent` (null at the root), `condition` (what leads to it from there, in
        words), `test` (an attribute's name, null at a leaf) and `counts` of the classes.
        """
        from ranktrees.growing import export_words as words

        return words.to_json(self)

    def to_sql(
        self,
        table: str,
        keep: Names = (),
        proba: Array | None = None,
        fill: Sequence | None = None,
        refuse: bool = False,
    ) -> str:
        """A SELECT, for SQLite and DuckDB: class shares where each row of a table ends.

        Or of `proba` (T, C): see `export.sql.to_sql`, which says what `keep`, `fill` and `refuse`
        are. Raises ValueError for names that do not go together in SQL.
        """
        from ranktrees.explain import sql

        return sql.to_sql(self, table, keep, proba, fill, refuse)

    def _repr_html_(self) -> str:
        from ranktrees.growing import html

        return html.tree_html(self)
