"""How much attributes depend on each other given the class, and how a split changes that."""

import numpy as np
import pandas as pd
from matplotlib.collections import LineCollection

from ranktrees_engine.basics.kinds import Classes, Data
from ranktrees_engine.bayes import conditional_mutual_information
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.growing.count import tally
from ranktrees_engine.reading.encoder import Codes, Encoder
from ranktrees_engine.reading.labels import read_classes
from ranktrees_lab.plot.inputs import check_known, frame_and_classes
from ranktrees_lab.plot.parts import row_names, write
from ranktrees_lab.plot.picture import Picture, axes, picture, title
from ranktrees_lab.plot.style import COLOURS, GREY, LETTERS, SMALL, ink, text_width

MOST, NUMBERS = 20, 9  # rows drawn; most attributes for which cells hold numbers
NAME, ROOM, FOOT = 2.5, 3.0, 0.55  # inches: of the names at most, of a matrix, below it
SCALE = "Purples"
FOLDS = "● first  ○ second folds\n│ ┆  without a split"
INK = "#444444"


def dependence(
    data: Data,
    y: Classes = None,
    by: str | GrownTree | None = None,
    figure: Picture | None = None,
) -> Picture:
    """Draw the dependence of each pair of attributes given the class, and given class and split.

    `data` a Dataset, or X with y; `by` an attribute's name or a fitted tree, whose branches or
    leaves are the split; None draws the class alone. A cell holds the conditional mutual
    information in bits minus its mean by chance (`dependence_beyond_chance`). Numbers are in bins.
    With more than 20 attributes those with the greatest sums are drawn. Raises ValueError for an
    unknown attribute, TypeError for a model without a tree.
    """
    X, y = frame_and_classes(data, y)
    classes = read_classes(y, "plot")[0]
    codes, group, words = _grouped(X, y, by)
    rest = np.array([j for j, info in enumerate(codes.schema) if info.name != by], int)
    if len(rest) < 2:
        raise ValueError("a dependence needs at least two attributes beside the split")
    matrices = {"given the class": dependence_beyond_chance(codes.values[:, rest], classes)}
    if by is not None:
        both = classes * (group.max() + 1) + group
        after = dependence_beyond_chance(codes.values[:, rest], both)
        matrices[f"given the class and {words}"] = after
    names = [codes.schema[j].name for j in rest]
    fig = _draw(matrices, names, figure)
    fig.alt = _sentence(matrices, names)
    return fig


def dependence_beyond_chance(values: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Return I(X; Y | group) in bits (A, A) for codes (n, A), minus its mean under independence.

    Even for independent attributes, shares of n cases show about (V - 1)(W - 1) / (2 n ln 2) bits
    for every group in which the attributes take V and W values (Miller 1955). Can be below 0.
    """
    A, known = values.shape[1], np.unique(group, return_inverse=True)[1]
    frame = pd.DataFrame({j: pd.Categorical(values[:, j]) for j in range(A)})
    bits = conditional_mutual_information(frame.assign(g=pd.Categorical(known)), "g").to_numpy()
    G, V = known.max() + 1, int(values.max()) + 1
    seen = [tally((G, V), known, values[:, j].astype(np.intp)) > 0 for j in range(A)]
    free = np.stack(seen).sum(axis=2) - 1
    chance = (free[:, None] * free).sum(axis=-1) / (2 * len(values) * np.log(2))
    beyond = bits - chance
    np.fill_diagonal(beyond, 0)
    return beyond


def mean_of_pairs(matrix: np.ndarray) -> float:
    """Average over the pairs of a symmetric matrix (A, A)."""
    return float(matrix[np.triu_indices(len(matrix), 1)].mean())


def _grouped(X, y, by) -> tuple[Codes, np.ndarray | None, str]:
    """Return the codes, the branch or leaf (n,) of each case, and the split in words."""
    if by is None:
        return Encoder().fit_transform(X, y), None, ""
    if isinstance(by, str):
        names = [str(name) for name in X.columns]
        check_known("attribute", by, names)
        codes = Encoder().fit_transform(X, y)
        return codes, codes.values[:, names.index(by)].astype(np.intp), by
    if not hasattr(by, "tree_"):
        raise TypeError(f"by must be an attribute's name or a fitted tree, not {by!r}")
    codes = by.encode(X)
    if (codes.values < 0).any():
        raise ValueError("the data hold values that the tree has never seen: give it its own")
    n = by.tree_.n_leaves
    return codes, by.tree_.apply(codes.values), f"the {n} leaves" if n > 1 else "a single leaf"


def _draw(matrices, names, figure):
    """Draw the lower triangles side by side, a name and a number at each row."""
    total = sum(np.maximum(m, 0).sum(axis=1) for m in matrices.values())
    shown = np.sort(np.argsort(-total, kind="stable")[:MOST])
    side = min(0.45 * len(shown), ROOM)
    step, top = max(side, 2.4) + 0.35, max(0.01, *(float(m.max()) for m in matrices.values()))
    start = max(1.0, min(NAME, max(text_width(names[j]) for j in shown))) + 0.2
    fig = picture(figure, (start + len(matrices) * step, side + FOOT + 0.35))
    for k, (words, matrix) in enumerate(matrices.items()):
        left = start + k * step
        ax = axes(fig, left, FOOT, left + side, FOOT + side, ticks=False)
        _triangle(ax, matrix[np.ix_(shown, shown)], top)
        title(ax, words.replace("given the class and", "and given"), step - 0.35)
        write(fig, left, FOOT - 0.17, f"mean {mean_of_pairs(matrix):.3f} bits")
        if k == 0:
            row_names(ax, np.arange(len(shown)) + 0.5, [names[j] for j in shown], NAME)
    scale = axes(fig, 0.1, 0.12, 0.85, 0.24, ticks=False)
    scale.imshow(np.linspace(0, 1, 64)[None], cmap=SCALE, aspect="auto")
    write(fig, 0.93, 0.18, f"0 to {top:.2f} bits beyond chance")
    return fig


def _triangle(ax, matrix, top):
    """Draw coloured cells below the diagonal, the attribute's number on it."""
    A = len(matrix)
    below = np.ma.masked_where(~np.tri(A, k=-1, dtype=bool), np.maximum(matrix, 0))
    mesh = ax.imshow(below, SCALE, vmin=0, vmax=top, extent=(0, A, A, 0), interpolation="none")
    steps = [[(0, i), (i, i), (i, A)] for i in range(A + 1)]
    ax.add_collection(LineCollection(steps, colors="#DDDDDD", lw=0.6), autolim=False)
    for i in range(A):
        write(ax, i + 0.5, i + 0.5, f"{i + 1}", ha="center", va="center")
        for j in range(i if A <= NUMBERS else 0):
            colour = ink(mesh.cmap(max(matrix[i, j], 0) / top))
            words = f"{matrix[i, j]:.2f}".replace("-0.00", "0.00")
            write(ax, j + 0.5, i + 0.5, words, ha="center", va="center", color=colour)


def _sentence(matrices, names):
    """Return means, the strongest pair of each, and for how many pairs it fell."""
    parts = []
    for words, matrix in matrices.items():
        i, j = np.unravel_index(np.tril(matrix, -1).argmax(), matrix.shape)
        most = f", most {names[j]} and {names[i]} by {matrix[i, j]:.3f}" if matrix[i, j] > 0 else ""
        parts.append(
            f"{words[0].upper()}{words[1:]}, {len(names)} attributes depend on each other by "
            f"{mean_of_pairs(matrix):.3f} bits beyond chance in the mean{most}."
        )
    if len(matrices) == 2:
        before, after = (m[np.triu_indices(len(names), 1)] for m in matrices.values())
        fell = int((after < before).sum())
        parts.append(f"The split lowers it for {fell} of {len(before)} pairs.")
    if len(names) > MOST:
        parts.append(f"The {MOST} of the greatest sums are drawn.")
    return " ".join(parts)


def _alone(ax, scores):
    """Draw a line at the unsplit node's score on the first folds, a dashed one on the second."""
    for place, dashes in zip(scores, ("-", (0, (4, 2))), strict=False):
        ax.axvline(place, color=GREY, lw=1.2, ls=dashes)


def _few_numbers(ax, rows, heading, words, margin):
    """Set up axes of `rows` rows from the top down, under a heading, with few numbers below."""
    ax.set(ylim=(rows - 0.5, -0.5), yticks=[])
    ax.spines["left"].set_visible(False)
    ax.margins(x=margin)
    ax.locator_params(axis="x", nbins=3)
    ax.set_xlabel(words, fontsize=SMALL)
    title(ax, heading)
    ax.tick_params(labelsize=SMALL)


def candidates_and_tree(frame, alone, best, stage, lines, rows, figure=None) -> Picture:
    """Draw a step of a CITree's growth: a node's candidates at the left, the tree at the right.

    `frame` (A, 2), `alone` (2,) and `best` as in `Candidates`; `stage` 0 shows the candidates, 1
    marks the best, 2 has its score on the second folds beside the node's own. `lines` of the tree
    are (depth, text, look), the look "here", "new", "gone" or "". There is room for `rows` lines.
    """
    height, foot = 0.21 * max(rows, 2), 0.8 + 0.45 * (LETTERS - 1)
    fig = picture(figure, (7.95, height + (foot + 0.3)))
    left = axes(fig, NAME + 0.2, foot, 4.25, foot + height)
    right = axes(fig, 4.4, foot, 7.9, foot + height, ticks=False)
    order = frame.sort_values("choosing", ascending=False, kind="stable")[:MOST]
    y, marked = np.arange(len(order)), stage > 0
    colours = [COLOURS["best"] if marked and name == best else INK for name in order.index]
    _alone(left, alone if stage == 2 else alone[:1])
    left.scatter(order["choosing"], y, 30, colours, zorder=3)
    if stage == 2:
        ring = {"edgecolors": COLOURS["best"], "linewidths": 1.4}
        left.scatter([frame["pruning"][best]], [order.index.get_loc(best)], 46, "white", **ring)
    row_names(left, y, list(order.index), NAME, [best] if marked else (), colours)
    heading = ("1  candidates", "2  the best splits", "3  does it stay?")[stage]
    _few_numbers(left, max(rows, len(order)), heading, f"inner AUC\n{FOLDS}", 0.1)
    right.set(xlim=(0, 3.5), ylim=(max(rows, len(lines)) - 0.5, -0.5))
    title(right, "the tree so far")
    looks = {"here": {"fontweight": "bold"}, "new": {"color": COLOURS["best"]}}
    looks["gone"] = {"color": GREY, "fontstyle": "italic"}
    for k, (depth, text, look) in enumerate(lines):
        write(right, 0.2 * depth, k, text, 3.45 - 0.2 * depth, **looks.get(look, {}))
    return fig
