"""How much attributes depend on each other given the class, before and after a split."""

import numpy as np
import pandas as pd
from matplotlib.collections import LineCollection
from matplotlib.patches import Rectangle

from ranktrees.bayes import conditional_mutual_information
from ranktrees.count import tally
from ranktrees.encode import Codes, Encoder
from ranktrees.labels import read_classes
from ranktrees.teach.plot.inputs import frame_and_classes, unknown
from ranktrees.teach.plot.picture import Picture, axes, picture, title
from ranktrees.teach.plot.style import SMALL, ink, shorten

MOST = 20  # attributes that are drawn
NUMBERS = 9  # of so many attributes the cells still hold their numbers
NAME, ROOM, FOOT = 1.75, 3.2, 0.55  # inches: of the names, of a matrix, below it
COLOURS = "Blues"


def dependence(data, y=None, by=None, figure=None) -> Picture:
    """Dependence of each pair of attributes given the class, and given the class and a split.

    `data` a Dataset, or X with y; `by` an attribute's name or a fitted tree, whose branches or
    leaves are the split; None draws the class alone. A cell holds the conditional mutual
    information in bits less what chance adds (`dependence_beyond_chance`). Numbers are in bins. Of
    more than 20 attributes those of the greatest sums are drawn. Raises ValueError for no such
    attribute, TypeError for a model without a tree.
    """
    X, y = frame_and_classes(data, y)
    classes = read_classes(y, "plot")[0]
    codes, group, words = _grouped(X, y, by)
    names = [info.name for info in codes.schema]
    rest = np.array([j for j, name in enumerate(names) if name != by], int)
    if len(rest) < 2:
        raise ValueError("a dependence needs at least two attributes beside the split")
    matrices = {"given the class": dependence_beyond_chance(codes.values[:, rest], classes)}
    if by is not None:
        both = classes * (group.max() + 1) + group
        after = dependence_beyond_chance(codes.values[:, rest], both)
        matrices[f"given the class and {words}"] = after
    names = [names[j] for j in rest]
    fig = _draw(matrices, names, figure)
    fig.alt = _sentence(matrices, names)
    return fig


def dependence_beyond_chance(values: np.ndarray, group: np.ndarray) -> np.ndarray:
    """I(X; Y | group) in bits (A, A) for codes (n, A) from 0, less its mean under independence.

    Shares of n cases show bits where there are none: about (V - 1)(W - 1) / (2 n ln 2) of them for
    every group in which the attributes take V and W values (Miller 1955). Can be below 0.
    """
    A, known = values.shape[1], np.unique(group, return_inverse=True)[1]
    frame = pd.DataFrame({j: pd.Categorical(values[:, j]) for j in range(A)})
    bits = conditional_mutual_information(frame.assign(g=pd.Categorical(known)), "g").to_numpy()
    G, V = known.max() + 1, int(values.max()) + 1
    seen = [tally((G, V), known, values[:, j].astype(np.intp)) > 0 for j in range(A)]
    free = np.stack(seen).sum(axis=2).T - 1
    beyond = bits - free.T @ free / (2 * len(values) * np.log(2))
    np.fill_diagonal(beyond, 0)
    return beyond


def mean_of_pairs(matrix: np.ndarray) -> float:
    """The mean over the pairs of a symmetric matrix (A, A)."""
    return float(matrix[np.triu_indices(len(matrix), 1)].mean())


def _grouped(X, y, by) -> tuple[Codes, np.ndarray | None, str]:
    """The codes, the branch or leaf (n,) of each case, and the split in words."""
    if by is None:
        return Encoder().fit_transform(X, y), None, ""
    if isinstance(by, str):
        names = [str(name) for name in X.columns]
        if by not in names:
            raise unknown("attribute", by, names)
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
    """The lower triangles side by side, a name and a number at each row."""
    shown = np.arange(len(names))
    if len(names) > MOST:
        total = sum(np.maximum(m, 0).sum(axis=1) for m in matrices.values())
        shown = np.sort(np.argsort(-total, kind="stable")[:MOST])
    cell = min(0.45, ROOM / len(shown))
    side = cell * len(shown)
    wide = NAME + len(matrices) * (max(side, 2.4) + 0.35)
    fig = picture(figure, (wide, side + FOOT + 0.35))
    top = max(0.01, *(float(m.max()) for m in matrices.values()))
    for k, (words, matrix) in enumerate(matrices.items()):
        left = NAME + k * (max(side, 2.4) + 0.35)
        ax = axes(fig, left, FOOT, left + side, FOOT + side, ticks=False)
        _triangle(ax, matrix[np.ix_(shown, shown)], top)
        title(ax, shorten(words.replace("given the class and", "and given"), max(side, 2.4), 11))
        fig.text(
            left / wide,
            (FOOT - 0.2) / fig.get_figheight(),
            f"mean {mean_of_pairs(matrix):.3f} bits",
            fontsize=SMALL,
        )
        if k == 0:
            for i, j in enumerate(shown):
                name = shorten(names[j], NAME - 0.25)
                ax.text(-0.25, i + 0.5, name, ha="right", va="center", fontsize=SMALL)
    _scale(fig, top)
    return fig


def _triangle(ax, matrix, top):
    """Coloured cells below the diagonal, the attribute's number on it."""
    A = len(matrix)
    ax.set(xlim=(0, A), ylim=(A, 0))
    below = np.ma.masked_where(~np.tri(A, k=-1, dtype=bool), np.maximum(matrix, 0))
    mesh = ax.imshow(below, COLOURS, vmin=0, vmax=top, extent=(0, A, A, 0), interpolation="none")
    steps = [[(0, i), (i, i), (i, A)] for i in range(A + 1)]
    ax.add_collection(LineCollection(steps, colors="#DDDDDD", lw=0.6), autolim=False)
    for i in range(A):
        centre = {"ha": "center", "va": "center"}
        ax.text(i + 0.5, i + 0.5, f"{i + 1}", fontsize=SMALL, **centre)
        for j in range(i if A <= NUMBERS else 0):
            value = matrix[i, j]
            text, on = f"{abs(value):.2f}", mesh.cmap(max(value, 0) / top)
            sign = "-" if text != "0.00" and value < 0 else ""
            ax.text(j + 0.5, i + 0.5, sign + text, fontsize=SMALL, color=ink(on), **centre)


def _scale(fig, top):
    """What the colours mean, along the lower edge."""
    wide, high = fig.get_size_inches()
    ax = axes(fig, 0.1, 0.12, 0.85, 0.24, ticks=False)
    ax.imshow(np.linspace(0, 1, 64)[None], cmap=COLOURS, aspect="auto")
    ax.add_patch(Rectangle((-0.5, -0.5), 64, 1, fc="none", ec="#888888", lw=0.8))
    words = f"0 to {top:.2f} bits beyond chance"
    fig.text(0.93 / wide, 0.18 / high, words, fontsize=SMALL, va="center")


def _sentence(matrices, names):
    """Means, the strongest pair of each, and for how many pairs it fell."""
    parts = []
    for words, matrix in matrices.items():
        i, j = np.unravel_index(np.tril(matrix, -1).argmax(), matrix.shape)
        text = f"{words[0].upper()}{words[1:]}, {len(names)} attributes depend on each other by "
        text += f"{mean_of_pairs(matrix):.3f} bits beyond chance in the mean"
        if matrix[i, j] > 0:
            text += f", most {names[j]} and {names[i]} by {matrix[i, j]:.3f}"
        parts.append(f"{text}.")
    if len(matrices) == 2:
        before, after = matrices.values()
        pairs = np.triu_indices(len(names), 1)
        fell = int((after[pairs] < before[pairs]).sum())
        parts.append(f"The split lowers it for {fell} of {len(pairs[0])} pairs.")
    if len(names) > MOST:
        parts.append(f"The {MOST} of the greatest sums are drawn.")
    return " ".join(parts)
