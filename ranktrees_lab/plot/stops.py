"""The prunings of a small tree: the nodes' stop probabilities, and the likeliest prunings."""

from typing import NamedTuple

import numpy as np
from matplotlib.collections import LineCollection

from ranktrees_engine.basics.arguments import check_like, check_number
from ranktrees_engine.estimates.mixing import log_evidence, log_numerators, reaching
from ranktrees_engine.estimates.mixing import stops as stops_of
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_lab.plot.inputs import check_known
from ranktrees_lab.plot.layout import class_names, draw_plan, fit
from ranktrees_lab.plot.parts import canvas, frame, mark, write
from ranktrees_lab.plot.paths import check_estimate
from ranktrees_lab.plot.picture import Picture
from ranktrees_lab.plot.style import class_colours, some
from ranktrees_lab.plot.trees import ROOMS, Boxes, described

CLASS = "the class"
LEAVES, MOST = 12, 4  # of a tree whose prunings are drawn; prunings that are drawn
PANEL, TALL, HEAD = 1.7, 1.15, 0.3  # inches: a pruning, and the line above them
LEFT_OUT = "#D5D5D5"


class Pruning(NamedTuple):
    """A pruning: the nodes at which it ends, and its probability."""

    p: float
    ends: tuple[int, ...]


def who_looks(model) -> list[str]:
    """Return the voters that choose a pruning of a model's tree: the class, and each attribute."""
    return [CLASS, *(info.name for info in model.tree_.schema)]


def stop_probabilities(model, who: str = CLASS, times: float = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return each node's stop probability (T,) for `who`, and which nodes are its ends (T,).

    Every training case counts `times` times: with 0 each choice has probability one half. Raises
    ValueError for an unknown attribute, TypeError for a model with another estimate.
    """
    check_estimate(model)
    check_like("a fitted model, such as PathBayes()", model, "tree_")
    tree, everybody = model.tree_, who_looks(model)
    check_known("attribute", who, everybody)
    check_number("times", times, 0)
    j = everybody.index(who) - 1
    if j < 0:
        n = tree.counts[:, None, :]
    else:
        counts = model.cases_.factors.counts
        n = counts.of_values(np.flatnonzero(counts.attribute == j)).swapaxes(1, 2)
    n, V = times * n, n.shape[2]
    log_e = log_evidence(log_numerators(n).sum(axis=2), n.sum(axis=2), V).sum(axis=1)
    tested = tree.attribute == j if j >= 0 else np.zeros(len(tree), bool)
    return stops_of(tree, log_e[:, None], tested[:, None])[:, 0], tested | tree.is_leaf


def likeliest(tree, stop: np.ndarray, is_end: np.ndarray, most: int = MOST) -> list[Pruning]:
    """Return the `most` most probable prunings of a tree, from the leaves up.

    At a node these are: to stop there, or the best combinations of its children's prunings.
    """
    best: dict[int, list[Pruning]] = {}
    for t in reversed(range(len(tree))):
        here = [Pruning(float(stop[t]), (t,))]
        if not is_end[t]:
            whole = [Pruning(1 - float(stop[t]), ())]
            for s in np.flatnonzero(tree.parent == t):
                pairs = [Pruning(a.p * b.p, a.ends + b.ends) for a in whole for b in best[s]]
                whole = _best(pairs, most)
            here += whole
        best[t] = _best(here, most)
    return best[0]


def _best(prunings, most):
    """Return the `most` most probable; of equal ones those that were found first."""
    return sorted(prunings, key=lambda each: -round(each.p, 12))[:most]


def stops(
    model: GrownTree, who: str = CLASS, times: float = 1, figure: Picture | None = None
) -> Picture:
    """Draw a tree with the stop probability of each node, and below it the likeliest prunings.

    `model`: a fitted `PathBayes`, or a small tree with its estimate; `who` chooses: "the class", or
    an attribute, which looks no deeper than the node that tests it. Every case counts `times`
    times. Raises ValueError for a tree of more than twelve leaves, TypeError for another estimate.
    """
    stop, is_end = stop_probabilities(model, who, times)
    tree = model.tree_
    if tree.n_leaves > LEAVES:
        raise ValueError(f"{tree.n_leaves} leaves are too many to be read: at most {LEAVES}")
    prunings = likeliest(tree, stop, is_end)
    reached = reaching(tree, is_end[:, None])[:, 0] > 0

    def with_stop(node, rooms):
        spot = described(node, rooms)
        spot.name = f"{spot.name} ({spot.count})"
        inner = reached[node.id] and not is_end[node.id]
        spot.count = f"stops {stop[node.id]:.2f}" if inner else "end" * bool(reached[node.id])
        return spot

    _, plan = fit(tree, with_stop, Boxes(), ROOMS, tree.depth)
    names = class_names(tree)
    wide, below = max(plan.size[0], MOST * PANEL), HEAD + TALL
    fig = frame(figure, wide, plan.size[1] + below, names, class_colours(len(names)))
    draw_plan(fig, plan, below, class_colours(len(names)), (wide - plan.size[0]) / 2)
    rest = max(1 - sum(each.p for each in prunings), 0)
    many = f"the {len(prunings)} most probable prunings"
    title = many if len(prunings) > 1 else "the only pruning"
    others = f"; all others together {rest:.3f}" * (rest > 5e-4)
    write(fig, 0.1, TALL + HEAD / 2, f"for {who}, {title}{others}:", wide - 0.2)
    for k, pruning in enumerate(prunings):
        _skeleton(canvas(fig, k * PANEL, 0, (k + 1) * PANEL, TALL), plan, pruning)
    fig.alt = _sentence(tree, who, times, stop, reached & ~is_end, prunings)
    return fig


def _skeleton(ax, plan, pruning):
    """Draw a pruning as dots at the tree's nodes: its ends filled, what is cut off pale."""
    along = max(spot.node.depth for spot in plan.spots) or 1
    across = np.array([spot.across for spot in plan.spots])
    low, reach = across.min(), np.ptp(across) or 1
    x = 0.25 + (PANEL - 0.5) * (across - low) / reach
    y = [0.36 + (TALL - 0.5) * spot.node.depth / along for spot in plan.spots]
    place = {s.node.id: point for s, *point in zip(plan.spots, x, y, strict=True)}
    tree, kept = plan.spots[0].node.tree, set(pruning.ends)
    for t in sorted(place, reverse=True):  # children stand behind their node
        if t in kept and t:
            kept.add(int(tree.parent[t]))
    pairs = [(int(tree.parent[t]), t) for t in place if t]
    lines = [[place[up], place[t]] for up, t in pairs]
    colours = ["black" if t in kept else LEFT_OUT for _, t in pairs]
    ax.add_collection(LineCollection(lines, colors=colours, lw=1.1, zorder=1), autolim=False)
    for t, (x, y) in place.items():
        look = mark("black" if t in pruning.ends else "white", "s" if t in kept else "o")
        edge = "black" if t in kept else LEFT_OUT
        ax.plot([x], [y], **{**look, "mec": edge, "ms": 8 if t in pruning.ends else 5})
    write(ax, PANEL / 2, 0.13, f"{pruning.p:.3f}", ha="center", fontweight="bold")


def named_ends(tree, pruning: Pruning) -> str:
    """Describe where a pruning ends: at the root, at all leaves, or without some tests."""
    if pruning.ends == (0,):
        return "the root alone"
    cut = [_test(tree, t) for t in pruning.ends if not tree.is_leaf[t]]
    return f"all leaves, but no test of {some(cut)}" if cut else "all leaves"


def _test(tree, t):
    """Return what a node tests, and where it stands, in words."""
    return f"{tree.schema[tree.attribute[t]].name}" + f" ({tree.conditions[t]})" * bool(t)


def _sentence(tree, who, times, stop, inner, prunings):
    counted = "" if times == 1 else f", each case counted {times:g} times"
    tests = [f"{_test(tree, t)} {stop[t]:.2f}" for t in np.flatnonzero(inner)]
    says = "Nothing to choose"
    if tests:
        says = f"Probability to stop at each test: {some(tests, LEAVES)}"
    each = [f"{named_ends(tree, pruning)} {pruning.p:.3f}" for pruning in prunings]
    return f"Prunings chosen by {who}{counted}. {says}. The most probable: {'; '.join(each)}."
