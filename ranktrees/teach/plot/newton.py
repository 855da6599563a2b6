"""A Newton tree as masses that attract: discs, prototypes, and the pull that an example feels."""

import numpy as np

from ranktrees.newton.tree import PrototypeTree, value_text
from ranktrees.teach.plot.layout import LEAVES, WIDEST, leaves_at, readable_depth
from ranktrees.teach.plot.legend import class_legend, legend_height
from ranktrees.teach.plot.masses import Hanging, Lying, Mass, Orbs
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import cases, class_colours, shorten, some

UPRIGHT = 9.5  # inches: a tree so narrow has its root on top
FEW, WIDER = 20, 13.99  # so few leaves may take so many inches to be drawn whole
DEEPEST = 7  # levels of an upright tree
# inches for names and values, and for edges: the widest that fit
ROOMS = ((3.1, 0.45), (1.6, 0.45), (1.25, 0.4), (0.95, 0.3), (0.75, 0.25), (0.6, 0.22))
NAME = 1.2  # of a class beside its probability


def newton_tree(model, example=None, max_depth=None, figure=None) -> Picture:
    """A fitted tree of prototypes: each node a disc whose area is its mass, cut by class shares.

    Edges are labelled with the prototype that attracts, inner nodes with the attribute that is
    compared, leaves with their class; masses stand in brackets. With an `example` (one case) an
    edge is as wide as it is probable that the example comes there, the share of the attraction
    among siblings is its number, below each leaf is p(leaf), and the legend has the predicted
    probabilities. Trees of more than 30 leaves are drawn down to a depth that fits a page, which
    the picture says; `max_depth` asks for a depth. Raises TypeError for a model that has no
    prototypes, ValueError for one that is not fitted or an example that is not one case.
    """
    tree = tree_of(model)
    if max_depth is not None and max_depth < 0:
        raise ValueError(f"max_depth must be at least 0 or None, not {max_depth!r}")
    pull = None if example is None else pulled(model, example)
    depth, plan = fitting(tree, pull, max_depth)
    names = legend_names(tree, pull)
    width, height = max(plan.size[0], 3.0), plan.size[1]
    fig = picture(figure, (width, height + legend_height(names, width)))
    draw_plan(fig, plan, 0.0, class_colours(len(names)))
    class_legend(fig, names, class_colours(len(names)))
    fig.alt = sentence(tree, depth, pull)
    return fig


def tree_of(model) -> PrototypeTree:
    """The model's tree of prototypes; TypeError or ValueError where it has none."""
    found = getattr(model, "tree_", None)
    if isinstance(found, PrototypeTree):
        return found
    if found is None and hasattr(model, "attraction"):
        raise ValueError(f"this {type(model).__name__} has no tree yet: call fit(X, y) first")
    raise TypeError(
        f"a fitted NewtonTree, DistanceTree or CentreSplitting is needed, not "
        f"{type(model).__name__}: a tree without prototypes is drawn by plot.tree"
    )


def pulled(model, example) -> dict[str, np.ndarray]:
    """What an example meets: share (T,) and reach (T,) of the nodes, probabilities (C,)."""
    from ranktrees.explain import one_case

    X, leaf = one_case(model, example), model.tree_.is_leaf
    share, reach = model.attraction(X)[0], model.reach(X)[0]
    return {"share": share, "reach": reach, "proba": reach[leaf] @ model.node_proba_[leaf]}


def fitting(tree, pull, max_depth=None, room=WIDEST):
    """The depth and the plan that fit a page; a depth that was asked for may be wider."""
    depth = readable_depth(tree, max_depth)
    while True:
        whole = depth == tree.depth and tree.n_leaves <= FEW
        for limit in (room, WIDER) if whole else (room,):
            for words, curve in ROOMS[: None if limit == WIDER else -1]:
                plan = _plan(tree, depth, pull, words, curve, limit)
                if plan.size[0] <= limit:
                    return depth, plan
        if max_depth is not None or depth <= 1 or leaves_at(tree, depth) <= LEAVES // 5:
            return depth, plan
        depth -= 1


def _plan(tree, depth, pull, words, curve, limit):
    """The root on top if that is narrow enough, else at the left."""
    root = _masses(tree, depth, pull, words)
    plan = Hanging(Orbs(root, True), root)
    if plan.size[0] <= max(UPRIGHT, limit if limit > WIDEST else 0) and depth <= DEEPEST:
        return plan
    root = _masses(tree, depth, pull, words)
    return Lying(Orbs(root, False), root, curve)


def draw_plan(fig, plan, bottom, colours) -> None:
    """Draw a plan with its lower edge so many inches above that of the picture."""
    width, height = plan.size
    ax = axes(fig, 0, bottom, max(width, 3.0), bottom + height, ticks=False)
    ax.set(xlim=(0, max(width, 3.0)), ylim=(height, 0))
    plan.draw(ax, colours)


def legend_names(tree, pull) -> list[str]:
    """The classes, with an example's probabilities behind them."""
    names = [tree.class_name(c) for c in range(tree.counts.shape[1])]
    if pull is None:
        return names
    pairs = zip(names, pull["proba"], strict=True)
    return [f"{shorten(name, NAME)} {p:.2f}" for name, p in pairs]


def _masses(tree, depth, pull, room):
    """The nodes down to a depth; what lies below is said in a note."""
    made = []
    for node in tree.nodes():
        if node.depth > depth:
            break
        made.append(_mass(node, depth, pull, room))
        if node.id:
            made[tree.parent[node.id]].children.append(made[-1])
    return made[0]


def _mass(node, depth, pull, room):
    tree, t = node.tree, node.id
    words = tree.class_name(int(node.counts.argmax())) if node.is_leaf else node.name
    cut = node.depth == depth and not node.is_leaf
    item = Mass(
        name=shorten(words, room),
        count=f"{tree.mass[t]:.4g}",
        condition=shorten(f"π = {value_text(tree.value(t))}", room) if t else "",
        counts=node.counts,
        leaf=node.is_leaf,
        level=node.depth,
        note=f"… {node.n_below} below" if cut else "",
    )
    if pull is not None:
        item.share, item.reach = float(pull["share"][t]), float(pull["reach"][t])
    return item


def sentence(tree, depth, pull) -> str:
    """Size, the root's attribute and masses, what is left out; for an example, where it goes."""
    root, names = tree.root, [tree.class_name(c) for c in range(tree.counts.shape[1])]
    if root.is_leaf:
        text = f"A tree of prototypes that is a single leaf: {cases(tree.mass[0])}."
    else:
        size = f"{len(tree)} nodes, {tree.n_leaves} leaves and depth {tree.depth}"
        masses = [f"{value_text(tree.value(c.id))} ({tree.mass[c.id]:.4g})" for c in root.children]
        text = (
            f"A tree of prototypes with {size}: the root compares {root.name} with the prototypes "
            f"of its {len(masses)} children, masses in brackets: {some(masses, 6)}."
        )
    if hidden := int((tree.depths > depth).sum()):
        levels = f"{depth} level{'s' if depth != 1 else ''}"
        text += f" Only {levels} below the root are drawn; {hidden} nodes lie below."
    if pull is None:
        return text
    leaf = int(np.where(tree.is_leaf, pull["reach"], -1).argmax())
    best = int(pull["proba"].argmax())
    if leaf:
        first = max(root.children, key=lambda child: pull["share"][child.id]).id
        text += (
            f" The example feels {pull['share'][first]:.2f} of the root's attraction from "
            f"{value_text(tree.value(first))}, and its likeliest leaf has "
            f"p = {pull['reach'][leaf]:.3f}."
        )
    return f"{text} P({names[best]}) = {pull['proba'][best]:.3f}."
