"""A tree in words: conditions, rules, text and tables, and for programs DOT, Mermaid and JSON."""

import json
import re
from collections.abc import Iterator
from functools import cached_property

import numpy as np
import pandas as pd

from ranktrees.arguments import check_number
from ranktrees.node import Node
from ranktrees.page import tree_html
from ranktrees.sql import to_sql

# Signs that Mermaid or Markdown may take for their own: all but `_`, `.`, `/`, `-` within words.
SIGNS = re.compile(r"(?<![^\W_])[_./-]|[_./-](?![^\W_])|[^\w ,=()_./-]")
DOT_SIGNS = str.maketrans({"\\": r"\\", '"': r"\"", "&": "&amp;"})


class InWords:
    """What every `Tree` says of itself; it brings the arrays."""

    to_sql, _repr_html_ = to_sql, tree_html

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
        sizes = {"nodes": len(self), "leaves": self.n_leaves, "depth": self.depth}
        return sizes | {"attributes": len(used)}

    def nodes(self) -> Iterator[Node]:
        """Every node, breadth first."""
        return (Node(self, t) for t in range(len(self)))

    def rules(self) -> list[str]:
        """Each leaf's path as `if ... then class (cases)` (R&M 9.1)."""
        return [f"if {node.path} then {node.summary}" for node in self.nodes() if node.is_leaf]

    def to_text(self, max_depth: int | None = None) -> str:
        """The tree as indented lines, one a node; below `max_depth` it is said what is left out."""
        check_number("max_depth", max_depth, 0, whole=True, none=True)
        lines = [self.root.summary] if self.root.is_leaf else []
        pending = [*reversed(self.root.children)]
        while pending:
            node = pending.pop()
            end = f": {node.summary}" if node.is_leaf else ""
            lines.append("|   " * (node.depth - 1) + f"{node.parent.name} {node.condition}{end}")
            if max_depth is not None and node.depth >= max_depth and not node.is_leaf:
                lines[-1] += f": {node.summary} ... {node.n_below} nodes below"
            else:
                pending += reversed(node.children)
        return "\n".join(lines)

    def to_frame(self):
        """DataFrame, one row a node: parent, depth, condition, test, cases, a column a class."""
        tests = [node.name or "" for node in self.nodes()]
        words = {"condition": list(self.conditions), "test": tests}
        columns = {"parent": self.parent, "depth": self.depths, **words}
        frame = pd.DataFrame({**columns, "cases": self.counts.sum(axis=1)})
        for c in range(self.counts.shape[1]):
            frame[f"n({self.class_name(c)})"] = self.counts[:, c]
        return frame.rename_axis("node")

    def to_dot(self, max_depth: int | None = None) -> str:
        """The tree as a graph in DOT, for Graphviz; whatever signs a name has, they do nothing.

        `max_depth`: most tests drawn one below another; it is said what is left out.
        """
        inner, edge = '  {id} [label="{label}"];', '  {parent} -> {id} [label="{label}"];'
        forms = inner, inner.replace("];", ", style=rounded];"), edge
        lines = self._drawn(max_depth, forms, r"\n", lambda text: text.translate(DOT_SIGNS))
        return "\n".join(["digraph tree {", "  node [shape=box];", *lines, "}"])

    def to_mermaid(self, max_depth: int | None = None) -> str:
        """As `to_dot`, as a Mermaid flowchart: Markdown shows it in a block marked `mermaid`."""

        def escape(text):
            return SIGNS.sub(lambda sign: f"#{ord(sign[0])};", text)

        forms = '  n{id}["{label}"]', '  n{id}(["{label}"])', '  n{parent} -->|"{label}"| n{id}'
        return "\n".join(["flowchart TD", *self._drawn(max_depth, forms, "<br>", escape)])

    def _drawn(self, max_depth, forms, new_line, escape):
        """A line for each node and its edge, in these forms of inner nodes, leaves and edges."""

        def shown(text):
            return escape("".join(c if c.isprintable() else " " for c in text))

        deepest = self.depth if max_depth is None else max_depth
        check_number("max_depth", deepest, 0, whole=True)
        for node in self.nodes():
            if node.depth > deepest:
                return
            label = [node.summary] if node.is_leaf else [node.name, node.summary]
            if node.depth == deepest and not node.is_leaf:
                label = [node.summary, f"... {node.n_below} nodes below"]
            label = new_line.join(map(shown, label))
            yield forms[node.is_leaf].format(id=node.id, label=label)
            if node.parent:
                label = shown(node.condition)
                yield forms[2].format(parent=node.parent.id, id=node.id, label=label)

    def to_json(self) -> str:
        """The tree as JSON: its `classes`, and `nodes` in one list, breadth first, however deep.

        A node has `id`, `parent` (null at the root), `condition` (what leads to it from there, in
        words), `test` (an attribute's name, null at a leaf) and `counts` of the classes.
        """
        nodes = []
        for node in self.nodes():
            place = {"id": node.id, "parent": node.parent and node.parent.id}
            words = {"condition": node.condition, "test": node.name}
            nodes.append(place | words | {"counts": node.counts.tolist()})
        classes = [self.class_name(c) for c in range(self.counts.shape[1])]
        return json.dumps({"classes": classes, "nodes": nodes}, ensure_ascii=False, allow_nan=False)

    def class_name(self, c: int) -> str:
        """The name of class code c."""
        return str(self.classes[c]) if self.classes else str(c)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"Tree({len(self)} nodes, {self.n_leaves} leaves, depth {self.depth})"
