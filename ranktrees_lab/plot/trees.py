"""Trees as pictures: boxes or discs with the classes in every node, prototypes that attract."""

from functools import partial

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.patches import Wedge

from ranktrees_engine.basics.kinds import Case, Names
from ranktrees_engine.estimator.classifier import Classifier
from ranktrees_engine.growing.tree import Tree
from ranktrees_engine.newton.tree import value_text
from ranktrees_lab.plot.given import Given, Size, check_given, placed
from ranktrees_lab.plot.inputs import check_known, prototypes_of, single_tree
from ranktrees_lab.plot.layout import (
    LINE,
    NOTE,
    Spot,
    class_names,
    draw_plan,
    fit,
    frame_plan,
    left_out,
)
from ranktrees_lab.plot.parts import class_legend, legend_height, rectangles, share_bars, write
from ranktrees_lab.plot.picture import Picture
from ranktrees_lab.plot.style import LETTERS, block, cases, class_colours, cut, some, text_width

ROOMS = ((1.35, 1.45, 0.2), (1.15, 1.2, 0.2), (0.95, 1.0, 0.2))  # of names, conditions, bends
BOX = 0.34  # height of a box: a line of text over a bar
FRAME = "#555555"
RADIUS, SMALLEST = 0.36, 0.03  # inches, of the root's disc and of any
WIDE, THIN = 8.0, 0.5  # points: an edge on which an example surely comes, and the least
# inches for names and values, and in which edges bend: the widest that fit
PULLS = ((3.1, 0.45), (1.6, 0.45), (1.25, 0.4), (0.95, 0.3), (0.75, 0.25), (0.6, 0.22))
NAME = 1.2  # of a class beside its probability
BESIDE = 1.1  # inches of a prototype beside an edge
FEW = 10  # ends of a tree in a part of a picture
TIGHT = ((1.35, 1.45, 0.2), (0.95, 1.0, 0.2), (0.75, 0.8, 0.2), (0.6, 0.65, 0.2))


class Boxes:
    """Boxes with a line of text over a thin bar of class shares, equally wide in a column."""

    stretch = True

    def size(self, spot, upright) -> tuple[float, float]:
        """Return width and height of a node in inches."""
        words = spot.name.split("\n")
        wide = max(map(text_width, words)) + text_width(spot.count) + 0.26
        return max(0.75, wide), BOX + LINE * (len(words) - 1)

    def draw(self, ax, spots, colours, upright) -> None:
        """Draw frames, words and bars of all nodes."""
        x, y, width, height = np.array([(s.x, s.y, s.width, s.height) for s in spots]).T
        top, end = y - height / 2, y + height / 2
        leaf = np.array([spot.node.is_leaf for spot in spots])
        style = {"facecolors": np.where(leaf, "#F0F0F0", "white"), "lw": np.where(leaf, 1.2, 0.8)}
        style["edgecolors"] = np.where(leaf, "black", FRAME)
        rectangles(ax, x, top, x + width, end, **style)
        counts = np.array([spot.node.counts for spot in spots])
        share_bars(ax, counts, x + 0.05, width - 0.1, end - 0.075, 0.07, colours)
        for spot, y in zip(spots, top + 0.12, strict=True):
            *above, last = spot.name.split("\n")
            half = (text_width(last) + text_width(spot.count) + 0.12) / 2
            middle, low = spot.x + spot.width / 2, y + LINE * len(above)
            for i, line in enumerate(above):
                write(ax, middle, y + LINE * i, line, ha="center")
            write(ax, middle - half, low, last)
            write(ax, middle + half, low, spot.count, ha="right", color="#444444")


class Discs:
    """Pies with an area in proportion to cases; words are beside or, if upright, below."""

    stretch = False

    def __init__(self, total: float, radius: float = 0.27, least: float = 0.05):
        self.total, self.largest, self.least = max(total, 1), radius, least

    def radius(self, spot) -> float:
        """Return the radius of a pie whose area is in proportion to cases, but visible."""
        share = float(spot.node.counts.sum()) / self.total
        return max(self.least, self.largest * np.sqrt(share))

    def lines(self, spot) -> list[str]:
        """Return name and cases, and the note at the end of a drawn tree."""
        return [*f"{spot.name} ({spot.count})".split("\n"), *([spot.end] if spot.end else [])]

    def size(self, spot, upright) -> tuple[float, float]:
        """Return width and height of a node in inches."""
        lines, r = self.lines(spot), self.radius(spot)
        words = max(text_width(line, bold=spot.node.is_leaf) for line in lines)
        tall = LINE * len(lines) + 0.02
        if upright:
            return max(2 * r, words), 2 * r + tall
        return 2 * r + 0.06 + words, max(2 * r, tall)

    def draw(self, ax, spots, colours, upright) -> None:
        """Draw pies and words of all nodes."""
        wedges = []
        for spot in spots:
            r, lines = self.radius(spot), self.lines(spot)
            if upright:
                middle, top = spot.x + spot.width / 2, spot.y - spot.height / 2
                centre, ha, first = (middle, top + r), "center", (middle, top + 2 * r + LINE / 2)
            else:
                centre, ha = (spot.x + r, spot.y), "left"
                first = spot.x + 2 * r + 0.06, spot.y - LINE / 2 * (len(lines) - 1)
            wedges += self.wedges(spot.node.counts, centre, r, colours)
            weight = "bold" if spot.node.is_leaf else "normal"
            for k, line in enumerate(lines):
                end = k and line == spot.end
                style = {"color": NOTE} if end else {"fontweight": weight}
                write(ax, first[0], first[1] + k * LINE, line, ha=ha, **style)
        ax.add_collection(PatchCollection(wedges, match_original=True), autolim=False)

    def wedges(self, counts, centre, r, colours) -> list[Wedge]:
        """Return a pie's pieces, one per class that occurs."""
        turn = np.cumsum(counts / max(counts.sum(), 1)) * 360 - 90
        style = {"ec": "white" if np.count_nonzero(counts) > 1 else "none", "lw": 0.5}
        pieces = zip([-90, *turn[:-1]], turn, colours, strict=True)
        return [Wedge(centre, r, a, b, fc=colour, **style) for a, b, colour in pieces if b > a]


STYLES = {"boxes": lambda total: Boxes(), "discs": Discs}


def tree(
    model_or_tree: Classifier | Tree,
    max_depth: int | None = None,
    style: str = "boxes",
    figure: Picture | None = None,
    *,
    feature_names: Names | None = None,
    ax: Given | None = None,
    figsize: Size = None,
) -> Picture | Given:
    """Draw a fitted model's tree, or a `Tree`: each node's test or class, cases, class shares.

    `style` "boxes" has a bar of class shares in each box, "discs" a pie whose area is as large as
    the node has cases. A tree of up to 30 leaves is drawn whole; of a larger one only the upper
    levels that fit a page, which the picture says. `max_depth` asks for a depth (at most 60 ends).
    `feature_names` (A,) replace those of an array's columns; the picture is an image in the axes
    `ax`, which then are returned, or stretched to `figsize` (width, height) in inches. Raises
    ValueError for an unknown style, TypeError for something without a tree.
    """
    check_given(figure, ax, figsize)
    grown = single_tree(model_or_tree)
    grown = grown if feature_names is None else grown.with_names(feature_names)
    check_known("style", style, STYLES)
    look = STYLES[style](grown.counts[0].sum())
    depth, plan = fit(grown, partial(described, fitted=block), look, ROOMS, max_depth)
    fig = frame_plan(plan, class_names(grown), figure=figure)
    fig.alt = _tree_sentence(grown, depth)
    return placed(fig, ax, figsize)


def described(node, rooms, fitted=cut) -> Spot:
    """Return a node's test or class, its cases, and its condition, `fitted` to rooms."""
    words = node.tree.class_name(int(node.counts.argmax())) if node.is_leaf else node.name
    edge = () if node.parent is None else (fitted(node.condition, rooms[1]),)
    return Spot(node, fitted(words, rooms[0]), f"{node.counts.sum():g}", edge)


def _tree_sentence(grown, depth):
    """Return size, root test, and where the root's branches lead."""
    root, pairs = grown.root, zip(grown.root.counts, class_names(grown), strict=True)
    counts = some([f"{n:g} {c}" for n, c in pairs if n])
    if root.is_leaf:
        return f"A decision tree of a single leaf: {cases(root.counts.sum())} ({counts})."
    size = f"{len(grown)} nodes, {grown.n_leaves} leaves and depth {grown.depth}"
    branches = [f"{c.condition} to {c.summary if c.is_leaf else c.name}" for c in root.children]
    test = f"the root tests {root.name} on {cases(root.counts.sum())} ({counts})"
    text = f"A decision tree with {size}: {test}; {some(branches, 5)}."
    return text + left_out(grown, depth)


def draw_top(fig, tree: Tree, height: float) -> None:
    """Draw a tree in the lowest inches of a picture; of a large one its size and its top."""
    names, wide = class_names(tree), fig.get_figwidth()
    high = height - legend_height(names, wide)
    words = f"{tree.n_leaves} leaves, {len(tree)} nodes, depth {tree.depth}"
    # not so narrow that names of classes become the same
    apart = [room for room in TIGHT if len({cut(n, room[0]) for n in names}) == len(set(names))]
    size = wide, high - LINE  # below it may stand that only the top is drawn
    how = {"rooms": apart or TIGHT, "leaves": FEW, "size": size}
    depth, plan = fit(tree, described, Boxes(), **how, flat=0)  # trees of a slider all lie alike
    if plan is None:
        depth, plan = fit(tree, described, Boxes(), **how)
    if plan is None:
        write(fig, wide / 2, height / 2, f"{words}: too large to draw", ha="center", color=NOTE)
        return
    colours, left = class_colours(len(names)), (wide - plan.size[0]) / 2
    class_legend(fig, names, colours, top=height)
    draw_plan(fig, plan, (high - plan.size[1]) / 2, colours, left)
    if depth < tree.depth:
        write(fig, 0.1, 0.12, f"{words}: only the top is drawn", color=NOTE)


def newton_tree(
    model: Classifier,
    example: Case | None = None,
    max_depth: int | None = None,
    figure: Picture | None = None,
) -> Picture:
    """Draw a fitted tree of prototypes: a node's disc area is its mass, cut by class shares.

    Edges are labelled with the prototype that attracts, inner nodes with the attribute that is
    compared, leaves with their class; masses are in brackets. With an `example` (one case) an edge
    is as wide as its probability of being taken, and its number is the share of attraction among
    siblings; p(leaf) is below each leaf, and the legend has the predicted probabilities. Trees of
    more than 30 leaves are drawn down to a depth that fits a page, which the picture says;
    `max_depth` asks for a depth. Raises TypeError for a model that has no prototypes, ValueError if
    it is not fitted, or if the example is not a single case.
    """
    tree = prototypes_of(model)
    pull = None if example is None else pulled(model, example)
    depth, plan = fitting(tree, pull, max_depth)
    fig = frame_plan(plan, legend_names(tree, pull), figure=figure)
    fig.alt = sentence(tree, depth, pull)
    return fig


def pulled(model, example) -> dict[str, np.ndarray]:
    """Return an example's share (T,) and reach (T,) of the nodes, and its probabilities (C,)."""
    from ranktrees_engine.explain import one_case

    X, leaf = one_case(model, example), model.tree_.is_leaf
    share, reach = model.attraction(X)[0], model.reach(X)[0]
    proba = (reach[leaf, None] * model.node_proba_[leaf]).sum(axis=0)
    return {"share": share, "reach": reach, "proba": proba}


def fitting(tree, pull, max_depth=None) -> tuple:
    """Return the depth and the plan that fit a page; a requested depth may be wider.

    A `pull` with a "step" shows the example's numbers down to this depth, also at inner nodes.
    """
    step = None if pull is None else pull.get("step")

    def described(node, rooms):
        t, room = node.id, rooms[0]
        words = tree.class_name(int(node.counts.argmax())) if node.is_leaf else node.name
        spot = Spot(node, cut(words, room), f"{tree.mass[t]:.4g}")
        if t:
            spot.edge = (block(f"π = {value_text(tree.value(t))}", min(room, BESIDE)),)
        if pull is not None:
            reach, shown = float(pull["reach"][t]), step is None or node.depth <= step
            spot.force = max(THIN, WIDE * reach * shown) / 72
            has_end = node.is_leaf or (t and step is not None)
            spot.end = f"p = {f'{reach:.3f}' if shown else '?'}" if has_end else ""
            spot.edge += (f"{pull['share'][t]:.2f}" if shown else "?",) if t else ()
        return spot

    look = Discs(tree.mass[0], RADIUS, SMALLEST)
    low = {"flat": 0} if LETTERS > 1 else {}  # from afar a picture is wide
    return fit(tree, described, look, PULLS, max_depth, smooth=True, **low)


def legend_names(tree, pull) -> list[str]:
    """Return the classes, with an example's probabilities behind them."""
    names = class_names(tree)
    if pull is None:
        return names
    return [f"{cut(name, NAME)} {p:.2f}" for name, p in zip(names, pull["proba"], strict=True)]


def sentence(tree, depth, pull) -> str:
    """Return size, the root's attribute and masses, what is left out; an example's way, if any."""
    root = tree.root
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
    return f"{text} P({tree.class_name(best)}) = {pull['proba'][best]:.3f}."
