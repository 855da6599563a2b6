"""Cases fall through a tree, level by level, and become a ranking: cases in a pile are tied."""

from functools import partial

import numpy as np

from ranktrees_engine.basics.arguments import DATASET, check_like
from ranktrees_engine.basics.kinds import Dataset
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.evaluate import Blocks
from ranktrees_engine.prune.surgery import cut_back
from ranktrees_lab.plot.inputs import check_known, check_place
from ranktrees_lab.plot.layout import NOTE, Plan, class_names, spots
from ranktrees_lab.plot.parts import LINE, canvas, frame, label, rectangles, spread, write
from ranktrees_lab.plot.picture import Picture, axes
from ranktrees_lab.plot.style import LETTERS, block, cases, class_colours, some, text_width
from ranktrees_lab.plot.trees import described

MOST, LEAVES = 120, 16  # cases and leaves that are drawn one by one
FAR = LETTERS > 1  # a slide is wide and low
# Inches: of names, conditions and bends; of the line of scores and the tree; between dots.
ROOMS = ((1.7, 1.7, 0.02),) * FAR + ((1.2, 1.3, 0.02), (0.9, 0.9, 0.02), (0.6, 0.6, 0.02))
WIDTH, WIDEST, STEP = (9.0, 9.0, 0.1) if FAR else (7.2, 7.7, 0.085)
DEEP, HIGH = (1, 5) if FAR else (2, 6)  # dots one below the other: node, pile
PILES, FOOT = (0.82, 0.5) if FAR else (0.85, 0.45)  # inches above and below the line of scores
SIDE, NAME = 0.3, 0.4  # inches beside that line, and of a score in words


def falling_cases(
    model: GrownTree,
    data: Dataset,
    level: int | None = None,
    positive: str | None = None,
    figure: Picture | None = None,
) -> Picture:
    """Draw cases that fall through a tree, and below it the line of their scores.

    `model` is a fitted model of one tree, `data` a Dataset of at most 120 cases, from its training
    or others. The cases have reached `level` (default: the last), and their score is the
    probability of the class `positive` (default: the first) in the tree that ends there. Cases of
    one score form a pile; piles that are close are moved apart, and lines lead to their scores.
    Raises ValueError for more cases, more than 16 leaves, another level or class.
    """
    check_like("a fitted model of one tree", model, "tree_", "encode")
    check_like(DATASET, data, "X", "y")
    tree, names = model.tree_, class_names(model.tree_)
    level = tree.depth if level is None else level
    check_place("level", level, tree.depth + 1)
    positive = names[0] if positive is None else positive
    check_known("positive", positive, names)
    if len(data.X) > MOST or tree.n_leaves > LEAVES:
        raise ValueError(
            f"at most {MOST} cases fall through at most {LEAVES} leaves: not {len(data.X)} cases "
            f"of data, {tree.n_leaves} leaves"
        )
    own = [str(c) for c in data.y]
    for name in sorted(set(own)):
        check_known("class", name, names)
    classes = np.array([names.index(name) for name in own], int)
    path = tree.paths()[tree.apply(model.encode(data.X).values)]
    short = model.with_tree(cut_back(tree, (tree.depths >= level) & ~tree.is_leaf))
    score = short.predict_proba(data.X)[:, names.index(positive)]
    order = np.lexsort([classes, classes != names.index(positive)])  # that class first
    return _drawn(figure, tree, path[order], level, classes[order], score[order], names, positive)


def _drawn(figure, tree, path, level, classes, score, names, positive):
    """Draw the tree with its cases at their nodes, above the line of their scores."""
    crowds = Crowds(path, level, classes)
    for room in ROOMS:
        plan = Plan(
            spots(tree, tree.depth, partial(described, fitted=block), room), crowds, True, room[-1]
        )
        if plan.size[0] <= WIDEST:
            break
    colours, wide = class_colours(len(names)), max(plan.size[0], WIDTH)
    bottom, left = PILES + FOOT, (wide - plan.size[0]) / 2
    fig = frame(figure, wide, plan.size[1] + bottom, names, colours)
    plan.draw(canvas(fig, left, bottom, left + plan.size[0], bottom + plan.size[1]), colours)
    ax = axes(fig, SIDE, FOOT, -SIDE, bottom)
    piles, ties = _piles(score), Blocks.of(classes == names.index(positive), score)
    _line(ax, piles, classes, colours, wide - 2 * SIDE)
    both = ties.positive.any() and ties.negative.any()
    auc = f", AUC {ties.auc:.3f}" if both else ""
    label(ax, f"score: P({positive}){auc}")
    parts = [f"{cases(len(rows))} of score {value:.3f}" for value, rows in piles]
    down = f"{level} of {tree.depth} levels down"
    fig.alt = f"{cases(len(score))}, {down}, in {len(piles)} pile{'s' * (len(piles) > 1)}"
    fig.alt += f"{auc}: {some(parts, 12)}."
    return fig


class Crowds:
    """Look of a tree whose nodes show the cases that are there, under its test or class."""

    stretch = False

    def __init__(self, path, level, classes):
        self.path, self.classes = path, classes
        self.now = path[:, : level + 1].max(axis=1)  # the ids grow on the way down

    def size(self, spot, upright) -> tuple[float, float]:
        """Return width and height of a node in inches, with room for all cases that pass."""
        n = int((self.path == spot.node.id).any(axis=1).sum())
        lines = spot.name.split("\n")
        words = max(text_width(line, bold=spot.node.is_leaf) for line in lines)
        wide = max(words, STEP * -(-n // DEEP)) + 0.12
        return wide, LINE * len(lines) + STEP * min(max(n, 1), DEEP) + 0.06

    def draw(self, ax, spots, colours, upright) -> None:
        """Draw names, and the cases as dots."""
        for spot in spots:
            top, middle = spot.y - spot.height / 2, spot.x + spot.width / 2
            style = {"facecolors": "white", "edgecolors": NOTE, "lw": 0.8}
            rectangles(ax, [spot.x], [top], [spot.x + spot.width], [top + spot.height], **style)
            weight = "bold" if spot.node.is_leaf else "normal"
            lines, rows = spot.name.split("\n"), np.flatnonzero(self.now == spot.node.id)
            first = top + 0.01 if len(rows) else spot.y - LINE * len(lines) / 2
            for k, line in enumerate(lines):
                y = first + LINE * (k + 0.5)
                write(ax, middle, y, line, ha="center", fontweight=weight)
            column, row = np.divmod(np.arange(len(rows)), DEEP)
            x = middle + STEP * (column - column.max(initial=0) / 2)
            y = top + LINE * len(lines) + STEP * (row + 0.5)
            _dots(ax, x, y, [colours[c] for c in self.classes[rows]])


def _dots(ax, x, y, colours):
    size = (72 * 0.85 * STEP) ** 2  # points
    ax.scatter(x, y, s=size, c=colours, linewidths=0, zorder=3, clip_on=False)


def _piles(score):
    """Return (score, rows) of each pile, the lowest first; rounding alone makes no new pile."""
    values, pile = np.unique(score.round(9), return_inverse=True)
    return [(float(value), np.flatnonzero(pile == k)) for k, value in enumerate(values)]


def _line(ax, piles, classes, colours, wide):
    """Draw piles over a line from 0 to 1, each with its score below, led to its place."""
    ax.set(xlim=(0, wide), ylim=(0, PILES), yticks=[])
    ax.set_xticks(np.linspace(0, wide, 6), [f"{tick:.1f}" for tick in np.linspace(0, 1, 6)])
    ax.spines["left"].set_visible(False)
    columns = np.array([-(-len(rows) // HIGH) for _, rows in piles])
    at = np.array([value for value, _ in piles]) * wide
    places = spread(at, np.maximum(STEP * (columns[1:] + columns[:-1] + 1) / 2, NAME))
    places -= min(0, places[0]) + max(0, places[-1] - wide)  # none leaves the line
    low = 0.1 + LINE  # of the piles: below are their names, and the lines to the scores
    for (value, rows), x, place, k in zip(piles, at, places, columns, strict=True):
        column, row = np.divmod(np.arange(len(rows)), HIGH)
        dots = place + STEP * (column - (k - 1) / 2), low + STEP * (row + 0.5)
        _dots(ax, *dots, [colours[c] for c in classes[rows]])
        ax.plot([x, place], [0, 0.09], color=NOTE, lw=0.8, clip_on=False)
        write(ax, place, 0.1 + LINE / 2, f"{value:.3f}".lstrip("0"), ha="center")
