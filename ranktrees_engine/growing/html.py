"""A tree as a notebook shows it: lists that fold."""

from ranktrees_engine.basics.html import cut, page
from ranktrees_engine.basics.kinds import Tree
from ranktrees_engine.growing.node import Node

SHOWN, OPEN = 300, 30  # nodes of a tree, and of those how many lie open


def tree_html(tree: Tree) -> str:
    """Return a tree as lists that fold, the first nodes open; a line counts those left out."""
    return page(repr(tree), f"<ul>{_item(Node(tree, 0))}</ul>")


def _item(node):
    test = f"{node.parent.name} {node.condition}" if node.id else "all cases"
    words = cut(f"{test}: {node.summary}")
    if node.is_leaf:
        return f"<li>{words}</li>"
    shown = [child for child in node.children if child.id < SHOWN]
    left = node.n_below - sum(1 + child.n_below for child in shown)
    items = [*map(_item, shown), *[f"<li>… {left} nodes are left out here</li>"] * (left > 0)]
    is_open = " open" if node.children[-1].id < OPEN else ""
    below = "".join(items)
    return f"<li><details{is_open}><summary>{words}</summary><ul>{below}</ul></details></li>"
