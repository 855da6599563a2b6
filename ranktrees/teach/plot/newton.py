"""A Newton tree as masses that attract: discs, prototypes, and the pull that an example feels."""

import numpy as np

from ranktrees.newton.tree import PrototypeTree, value_text
from ranktrees.teach.plot.layout import Plan, Spot, draw_plan, fit
from ranktrees.teach.plot.legend import frame
from ranktrees.teach.plot.picture import Picture
from ranktrees.teach.plot.style import cases, class_colours, cut, some
from ranktrees.teach.plot.trees import Discs, left_out

RADIUS, SMALLEST = 0.36, 0.03  # inches, of the root's disc and of any
WIDE, THIN = 8.0, 0.5  # points: an edge on which an example surely comes, and the least
# inches for names and values, and in which edges bend: the widest that fit
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
    tree = prototypes_of(model)
    pull = None if example is None else pulled(model, example)
    depth, plan = fitting(tree, pull, max_depth)
    names = legend_names(tree, pull)
    colours = class_colours(len(names))
    fig = frame(figure, max(plan.size[0], 3.0), plan.size[1], names, colours)
    draw_plan(fig, plan, 0.0, colours)
    fig.alt = sentence(tree, depth, pull)
    return fig


def prototypes_of(model) -> PrototypeTree:
    """The model's tree of prototypes; TypeError or ValueError where it has none."""
    tree = getattr(model, "tree_", None)
    if isinstance(tree, PrototypeTree):
        return tree
    if tree is None and hasattr(model, "attraction"):
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
    proba = (reach[leaf, None] * model.node_proba_[leaf]).sum(axis=0)
    return {"share": share, "reach": reach, "proba": proba}


def fitting(tree, pull, max_depth=None) -> tuple[int, Plan]:
    """The depth and the plan that fit a page; a depth that was asked for may be wider."""

    def described(node, rooms):
        t, room = node.id, rooms[0]
        words = tree.class_name(int(node.counts.argmax())) if node.is_leaf else node.name
        spot = Spot(node, cut(words, room), f"{tree.mass[t]:.4g}")
        if t:
            spot.edge = (cut(f"π = {value_text(tree.value(t))}", room),)
        if pull is not None:
            reach = float(pull["reach"][t])
            spot.force = max(THIN, WIDE * reach) / 72
            spot.end = f"p = {reach:.3f}" if node.is_leaf else ""
            spot.edge += (f"{pull['share'][t]:.2f}",) if t else ()
        return spot

    look = Discs(tree.mass[0], RADIUS, SMALLEST)
    return fit(tree, described, look, ROOMS, max_depth, smooth=True)


def legend_names(tree, pull) -> list[str]:
    """The classes, with an example's probabilities behind them."""
    names = [tree.class_name(c) for c in range(tree.counts.shape[1])]
    if pull is None:
        return names
    pairs = zip(names, pull["proba"], strict=True)
    return [f"{cut(name, NAME)} {p:.2f}" for name, p in pairs]


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
    text += left_out(tree, depth)
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
