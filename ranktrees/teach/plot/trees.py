"""A decision tree as a picture: boxes or discs, with the classes of the cases in every node."""

from ranktrees.teach.plot.inputs import unknown
from ranktrees.teach.plot.layout import LEAVES, ROOMS, WIDEST, items, readable_depth
from ranktrees.teach.plot.legend import class_legend, legend_height
from ranktrees.teach.plot.nodes import Boxes, Discs
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.plans import Sideways, Upright
from ranktrees.teach.plot.style import cases, class_colours, some
from ranktrees.tree import Tree

STYLES = {"boxes": Boxes, "discs": Discs}
UPRIGHT = 9.0  # inches: a tree so narrow has its root on top


def tree(model_or_tree, max_depth=None, style="boxes", figure=None) -> Picture:
    """A fitted model's tree, or a `Tree`: every node with its test or class, cases, class shares.

    `style` "boxes" has a bar of class shares in each box, "discs" a pie whose area is as large as
    the node has cases. A tree of up to 30 leaves is drawn whole; of a larger one only the upper
    levels that fit a page, which the picture says. `max_depth` asks for a depth (at most 60 ends).
    Raises ValueError for an unknown style, TypeError for something without a tree.
    """
    grown = _tree_of(model_or_tree)
    if style not in STYLES:
        raise unknown("style", style, STYLES)
    if max_depth is not None and max_depth < 0:
        raise ValueError(f"max_depth must be at least 0 or None, not {max_depth!r}")
    depth, plan = _fit(grown, style, max_depth)
    names = [grown.class_name(c) for c in range(grown.counts.shape[1])]
    width, height = max(plan.size[0], 3.0), plan.size[1]
    fig = picture(figure, (width, height + legend_height(names, width)))
    ax = axes(fig, 0, 0, width, height, ticks=False)
    ax.set(xlim=(0, width), ylim=(height, 0))
    colours = class_colours(len(names))
    plan.draw(ax, colours)
    class_legend(fig, names, colours)
    fig.alt = _sentence(grown, depth)
    return fig


def _tree_of(model):
    found = model if isinstance(model, Tree) else getattr(model, "tree_", None)
    if isinstance(found, Tree):
        return found
    if hasattr(model, "fit"):
        raise ValueError(f"this {type(model).__name__} has no tree yet: call fit(X, y) first")
    raise TypeError(f"a fitted model or a Tree is needed, not {type(model).__name__}")


def _fit(grown, style, max_depth):
    """The depth and the plan that fit a page; a depth that was asked for may be wider."""
    depth = readable_depth(grown, max_depth)
    while True:
        for rooms in ROOMS:
            plan = _plan(items(grown, depth, rooms), depth, STYLES[style])
            if plan.size[0] <= WIDEST:
                return depth, plan
        if max_depth is not None or depth <= 1 or grown.n_leaves <= LEAVES:
            return depth, plan
        depth -= 1


def _plan(root, depth, body):
    """The root on top if that is narrow enough, else at the left."""
    upright = Upright(body(root, upright=True), root)
    if upright.size[0] <= UPRIGHT and depth <= 5:
        return upright
    return Sideways(body(root, upright=False), root)


def _sentence(grown, depth):
    """Size, root test, and where the root's branches lead."""
    root, names = grown.root, [grown.class_name(c) for c in range(grown.counts.shape[1])]
    counts = some([f"{n:g} {c}" for n, c in zip(root.counts, names, strict=True) if n])
    if root.is_leaf:
        return f"A decision tree of a single leaf: {cases(root.counts.sum())} ({counts})."
    size = f"{len(grown)} nodes, {grown.n_leaves} leaves and depth {grown.depth}"
    branches = [f"{c.condition} to {c.summary if c.is_leaf else c.name}" for c in root.children]
    test = f"the root tests {root.name} on {cases(root.counts.sum())} ({counts})"
    text = f"A decision tree with {size}: {test}; {some(branches, 5)}."
    hidden = int((grown.depths > depth).sum())
    if hidden:
        levels = f"{depth} level{'s' if depth != 1 else ''}"
        text += f" Only {levels} below the root are drawn; {hidden} nodes lie below."
    return text
