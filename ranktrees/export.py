"""A finished tree for other programs: pictures as DOT and Mermaid, and plain JSON.

Whatever characters the name of an attribute, value or class has, they are shown and do nothing.
"""

import json
import re
from collections.abc import Iterator

from ranktrees.arguments import check_number

# Signs that Mermaid or Markdown may take for their own: all but `_`, `.`, `/`, `-` within words.
SIGNS = re.compile(r"(?<![^\W_])[_./-]|[_./-](?![^\W_])|[^\w ,=()_./-]")


def to_dot(tree, max_depth: int | None = None) -> str:
    """The tree as a graph in DOT, for Graphviz.

    `max_depth`: most tests drawn one below another; it is said what is left out.
    """

    def escape(text):
        return text.replace("\\", r"\\").replace('"', r"\"").replace("&", "&amp;")

    inner, edge = '  {id} [label="{label}"];', '  {parent} -> {id} [label="{label}"];'
    leaf = inner.replace("];", ", style=rounded];")
    lines = _drawn(tree, max_depth, (inner, leaf, edge), r"\n", escape)
    return "\n".join(["digraph tree {", "  node [shape=box];", *lines, "}"])


def to_mermaid(tree, max_depth: int | None = None) -> str:
    """As `to_dot`, as a Mermaid flowchart: Markdown shows it in a block marked `mermaid`."""

    def escape(text):
        return SIGNS.sub(lambda sign: f"#{ord(sign[0])};", text)

    forms = '  n{id}["{label}"]', '  n{id}(["{label}"])', '  n{parent} -->|"{label}"| n{id}'
    return "\n".join(["flowchart TD", *_drawn(tree, max_depth, forms, "<br>", escape)])


def _drawn(tree, max_depth, forms, new_line, escape) -> Iterator[str]:
    """A line for each node and its edge, breadth first, in these forms of nodes, leaves, edges."""

    def shown(text):
        return escape("".join(c if c.isprintable() else " " for c in text))

    check_number("max_depth", max_depth, 0, whole=True, none=True)
    for node, parent in zip(tree.nodes(), tree.parent.tolist(), strict=True):
        if max_depth is not None and node.depth > max_depth:
            return
        label = [node.summary] if node.is_leaf else [node.name, node.summary]
        if node.depth == max_depth and not node.is_leaf:
            label = [node.summary, f"... {node.n_below} nodes below"]
        label = new_line.join(map(shown, label))
        yield forms[node.is_leaf].format(id=node.id, label=label)
        if parent >= 0:
            yield forms[2].format(parent=parent, id=node.id, label=shown(node.condition))


def to_json(tree) -> str:
    """The tree as JSON: its `classes`, and `nodes` in one list, breadth first, however deep.

    A node has `id`, `parent` (null at the root), `condition` (what leads to it from there, in
    words), `test` (an attribute's name, null at a leaf) and `counts` of the classes.
    """
    nodes = []
    for node, parent in zip(tree.nodes(), tree.parent.tolist(), strict=True):
        place = {"id": node.id, "parent": None if parent < 0 else parent}
        words = {"condition": node.condition, "test": node.name}
        nodes.append(place | words | {"counts": node.counts.tolist()})
    classes = [tree.class_name(c) for c in range(tree.counts.shape[1])]
    return json.dumps({"classes": classes, "nodes": nodes}, ensure_ascii=False, allow_nan=False)
