"""A tree in words: conditions, rules, text and tables, and for programs DOT, Mermaid and JSON.

Functions of a tree's arrays, which `Tree` offers as methods.
"""

import json
import re
from collections.abc import Iterator

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_number
from ranktrees_engine.basics.kinds import Tree
from ranktrees_engine.growing.node import Node

# Signs that Mermaid or Markdown may take for their own: all but `_`, `.`, `/`, `-` within words.
SIGNS = re.compile(r"(?<![^\W_])[_./-]|[_./-](?![^\W_])|[^\w ,=()_./-]")
VERSION = 1  # of the JSON form
DOT_SIGNS = str.maketrans({"\\": r"\\", '"': r"\"", "&": "&amp;"})


def nodes(tree: Tree) -> Iterator[Node]:
    """Yield every node, breadth first."""
    return (Node(tree, t) for t in range(len(tree.parent)))


def conditions(tree: Tree) -> tuple[str, ...]:
    """Return what leads to each node from its parent, in words; empty at the root."""
    words = [""] * len(tree.parent)
    for node in nodes(tree):
        branches = node.branches
        for t in np.unique(branches[branches >= 0]):
            words[t] = node.test.describe(np.flatnonzero(branches == t))
    return tuple(words)


def path_words(tree: Tree) -> tuple[str, ...]:
    """Return all conditions on the way to each node, joined by `and`."""
    words = ["always"] * len(tree.parent)
    for t in range(1, len(tree.parent)):
        above = int(tree.parent[t])
        here = f"{Node(tree, above).name} {tree.conditions[t]}"
        words[t] = f"{words[above]} and {here}" if above else here
    return tuple(words)


def rules(tree: Tree) -> list[str]:
    """Return each leaf's path as `if ... then class (cases)` (R&M 9.1)."""
    return [f"if {node.path} then {node.summary}" for node in nodes(tree) if node.is_leaf]


def to_text(tree: Tree, max_depth: int | None = None) -> str:
    """Return the tree as indented lines, one per node; a note says what lies below `max_depth`."""
    check_number("max_depth", max_depth, 0, whole=True, none=True)
    root = Node(tree, 0)
    lines = [root.summary] if root.is_leaf else []
    pending = [*reversed(root.children)]
    while pending:
        node = pending.pop()
        end = f": {node.summary}" if node.is_leaf else ""
        lines.append("|   " * (node.depth - 1) + f"{node.parent.name} {node.condition}{end}")
        if max_depth is not None and node.depth >= max_depth and not node.is_leaf:
            lines[-1] += f": {node.summary} ... {node.n_below} nodes below"
        else:
            pending += reversed(node.children)
    return "\n".join(lines)


def to_frame(tree: Tree) -> pd.DataFrame:
    """Return a DataFrame with a row per node.

    Its columns are parent, depth, condition, test, cases, and one for each class.
    """
    tests = [node.name or "" for node in nodes(tree)]
    words = {"condition": list(tree.conditions), "test": tests}
    columns = {"parent": tree.parent, "depth": tree.depths, **words}
    frame = pd.DataFrame({**columns, "cases": tree.counts.sum(axis=1)})
    for c in range(tree.counts.shape[1]):
        frame[f"n({tree.class_name(c)})"] = tree.counts[:, c]
    return frame.rename_axis("node")


def to_dot(tree: Tree, max_depth: int | None = None) -> str:
    """Return the tree as a graph in DOT, for Graphviz; all characters of names are escaped.

    `max_depth`: most tests drawn on a path; a note says what is left out.
    """
    inner, edge = '  {id} [label="{label}"];', '  {parent} -> {id} [label="{label}"];'
    forms = inner, inner.replace("];", ", style=rounded];"), edge
    lines = _drawn(tree, max_depth, forms, r"\n", lambda text: text.translate(DOT_SIGNS))
    return "\n".join(["digraph tree {", "  node [shape=box];", *lines, "}"])


def _drawn(tree, max_depth, forms, new_line, escape):
    """Return a line per node and edge, in these forms of inner nodes, leaves and edges."""

    def shown(text):
        return escape("".join(c if c.isprintable() else " " for c in text))

    deepest = tree.depth if max_depth is None else max_depth
    check_number("max_depth", deepest, 0, whole=True)
    for node in nodes(tree):
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


def to_mermaid(tree: Tree, max_depth: int | None = None) -> str:
    """Return a Mermaid flowchart, otherwise as `to_dot`; Markdown shows it if marked `mermaid`."""

    def escape(text):
        return SIGNS.sub(lambda sign: f"#{ord(sign[0])};", text)

    forms = '  n{id}["{label}"]', '  n{id}(["{label}"])', '  n{parent} -->|"{label}"| n{id}'
    return "\n".join(["flowchart TD", *_drawn(tree, max_depth, forms, "<br>", escape)])


def to_json(tree: Tree) -> str:
    """Return the tree as JSON: `version`, `classes`, `attributes`, and all `nodes`, breadth first.

    A node has `id`, `parent` (null at the root), `condition` (what leads to it from there, in
    words), `test` (an attribute's name, null at a leaf), `attribute` (its position, or null) and
    `counts` of the classes; a test that cuts numbers in two has its `cut`. What leads to a node is
    `values`, or numbers `above` one and `up_to` another (null for no bound), and `missing` if
    missing values do. `rt.read_tree` reads it; a tree of prototypes has no attributes to read.
    """
    whole, listed = not tree.of_prototypes, []
    for node in nodes(tree):
        place = {"id": node.id, "parent": node.parent and node.parent.id}
        said = place | {"condition": node.condition, "test": node.name}
        said |= _test(tree, node) | _branch(node) if whole else {}
        listed.append(said | {"counts": node.counts.tolist()})
    classes = [tree.class_name(c) for c in range(tree.counts.shape[1])]
    said = {"version": VERSION, "classes": classes}
    if whole:
        said["attributes"] = [_attribute(info) for info in tree.schema]
    return json.dumps(said | {"nodes": listed}, ensure_ascii=False, allow_nan=False, default=str)


def _attribute(info):
    """Return an attribute as a dict: its name, kind, and values or cuts."""
    known = {"cuts": info.cuts} if info.kind == "numeric" else {"values": info.values}
    return {"name": info.name, "kind": info.kind} | known | {"missing": bool(info.missing)}


def _test(tree, node):
    """Return the position of a node's attribute, and where it cuts numbers."""
    if node.is_leaf:
        return {"attribute": None}
    said, info, cut = {"attribute": int(tree.attribute[node.id])}, node.test, tree.cut[node.id]
    return said | ({"cut": info.cuts[cut]} if 0 <= cut < len(info.cuts) else {})


def _branch(node):
    """Return the values that lead from the parent to a node, as a dict."""
    if node.parent is None:
        return {}
    info, codes = node.parent.test, np.flatnonzero(node.parent.branches == node.id)
    gap = {"missing": True} if info.missing and codes[-1] == info.size - 1 else {}
    codes = codes[: len(codes) - len(gap)]
    if info.kind != "numeric":
        return {"values": [info.values[code] for code in codes]} | gap
    if not len(codes):
        return gap
    bounds = (None, *info.cuts, None)
    return {"above": bounds[codes[0]], "up_to": bounds[codes[-1] + 1]} | gap
