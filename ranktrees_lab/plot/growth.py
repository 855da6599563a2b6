"""How a tree grows: the curves of impurities, cases beside their tree, numbers in bins."""

import string
from collections.abc import Mapping, Sequence

import numpy as np

from ranktrees_engine.basics.arguments import DATASET, check_dict, check_like, floats
from ranktrees_engine.basics.kinds import ArrayLike, Dataset
from ranktrees_engine.criteria.criteria import IMPURITIES, impurity_gain
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.growing.count import tally
from ranktrees_engine.prune.surgery import cut_back
from ranktrees_engine.reading.bins import DISCRETIZERS, codes
from ranktrees_lab.plot.inputs import check_known, check_place, one_attribute
from ranktrees_lab.plot.layout import Plan, class_names, spots
from ranktrees_lab.plot.parts import canvas, frame, key, label, rectangles, row_names, spread, write
from ranktrees_lab.plot.picture import Picture, axes, picture, title
from ranktrees_lab.plot.style import COLOURS, DASHES, LETTERS, class_colours, cut, some, text_width
from ranktrees_lab.plot.trees import Boxes, described

STEPS, EDGE = 240, 0.13  # of the curve; a share so near to 0 or 1 has its words inside


def error_rate(counts) -> np.ndarray:
    """Return the share of cases (...,) that the largest class of counts (..., C) gets wrong."""
    counts = np.asarray(counts)
    return 1 - counts.max(axis=-1) / np.maximum(counts.sum(axis=-1), 1)


ROOM = 1.15, 1.45 * LETTERS, 0.2  # inches: words of a tree, and its bends
ROW, COLUMN, CASES = 0.24, 0.2, 26  # a row, between columns; more rows have leaves without letters
CURVES = 6.0, 3.9  # inches of the curves, the nodes' names above them included
NAMES = {"entropy": "entropy (bits)", "gini": "Gini index", "dkm": "DKM"}
POINTS = 200  # of these
LENSES = {**IMPURITIES, "error rate": error_rate}


def impurity(
    points: Mapping[str, Sequence[float]] | None = None, figure: Picture | None = None
) -> Picture:
    """Draw three impurities by the share p of the first class, and Gini doubled as a thin line.

    Each has its maximum at p = 1/2; scaled to the same maximum, Gini lies between the others.
    `points` {label: (n1, n2)} marks nodes by their class counts. Raises ValueError for counts that
    are negative, both 0 or not two.
    """
    marks = _marked(points)
    fig = picture(figure, CURVES)
    ax = axes(fig, 0.75, 0.5, -0.2, -0.3)
    ax.set(xlim=(0, 1), ylim=(0, 1.05), ylabel="impurity")
    ax.set_xlabel("p, the share of the first class in the node")
    first, entries = np.arange(POINTS + 1), []
    for (name, measure), dashes in zip(IMPURITIES.items(), DASHES, strict=False):
        value = measure(np.stack([first, POINTS - first], axis=1))
        factor = round(1 / float(value.max()), 9)
        style = {"color": COLOURS[name], "ls": dashes}
        lines = [(NAMES[name], 1, 2)]
        if factor != 1:
            lines.append((f"{factor:g} × {NAMES[name]}", factor, 0.9))
        for words, scale, width in lines:
            ax.plot(first / POINTS, scale * value, label=words, lw=width, **style)
            entries.append((words, {**style, "lw": width}))
    key(fig, 2.4, 1.45, entries, 2.0)
    _mark(fig, ax, marks)
    fig.alt = (
        "Entropy, Gini index and DKM of a node with two classes are 0 when it is pure and largest, "
        "1 bit, 0.5 and 1, when both classes are equally frequent."
    )
    for node, n in marks.items():
        values = [f"{NAMES[k].split(' (')[0]} {float(m(n)):.3f}" for k, m in IMPURITIES.items()]
        counts = f"({n[0]:g}, {n[1]:g})"
        name = counts if node == counts else f"{node} {counts}"
        fig.alt += f" {name}: {', '.join(values)}."
    return fig


def _marked(points):
    """Return the nodes to mark {name: class counts}; TypeError or ValueError for anything else."""
    points = {} if points is None else points
    check_dict("points", points, "{label: (n1, n2)}")
    return {str(node): _pair(node, n) for node, n in points.items()}


def _pair(node, n):
    n = floats(repr(node), n)
    if n.shape != (2,) or not (n >= 0).all() or not n.sum() > 0:
        raise ValueError(f"point {node!r} must be two class counts, at least one above 0: not {n}")
    return n


def _mark(fig, ax, marks):
    """Draw a line and dots for each node, its name above, as close as the others allow."""
    places = {node: n[0] / n.sum() for node, n in marks.items()}
    for n, p in zip(marks.values(), places.values(), strict=True):
        ax.axvline(p, color=COLOURS["parent"], lw=0.8, ls=":")
        for name, measure in IMPURITIES.items():
            ax.plot([p], [float(measure(n))], "o", ms=5, color=COLOURS[name], clip_on=False)
    room = (CURVES[0] - 0.2) / max(len(places), 1) - 0.1
    names = {name: cut(name, room) for name in sorted(places, key=places.get)}
    half = np.array([text_width(name) / 2 for name in names.values()])
    wish = [0.75 + places[name] * (CURVES[0] - 0.95) for name in names]
    x = spread(wish, half[:-1] + half[1:] + 0.08)
    x -= max([0.0, *(x[-1:] + half[-1:] - CURVES[0] + 0.05)])
    for middle, name in zip(x, names.values(), strict=True):
        write(fig, middle, CURVES[1] - 0.15, name, ha="center")


def lens(table: ArrayLike, impurity: str = "entropy", figure: Picture | None = None) -> Picture:
    """Draw an impurity's curve, on it a node and its two branches, and the gain over their chord.

    `table` (2, 2), branch x class; `impurity` "entropy", "gini", "dkm" or "error rate". The
    weighted mean of the branches is on the chord straight below the node; the gain is between them.
    Raises ValueError for another table or impurity, and for a table without a case.
    """
    check_known("impurity", impurity, LENSES)
    n, measure = floats("table", table), LENSES[impurity]
    if n.shape != (2, 2) or not (n >= 0).all() or not n.sum():
        raise ValueError(f"a lens needs a table of two branches and two classes, not {n.tolist()}")
    first = np.arange(STEPS + 1)
    curve, x = measure(np.stack([first, STEPS - first], axis=1)), first / STEPS
    fig = picture(figure, (6.6, 3.7))
    ax = axes(fig, 0.75, 0.55, -0.2, -0.35)
    ax.plot(x, curve, color=COLOURS["score"], lw=2)
    ax.set(xlim=(0, 1), ylim=(0, 1.12 * curve.max()))
    label(ax, "share of the first class", impurity)
    gain = max(0.0, float(impurity_gain(n, measure)))  # no -0.000 by rounding
    title(ax, f"gain in {impurity}: {gain:.3f}")
    fig.alt = _draw_chord(ax, n, x, curve, measure, gain)
    return fig


def _draw_chord(ax, n, x, curve, measure, gain):
    """Draw node, branches, chord and gain; return the sentence that says where they are."""
    total = n.sum(axis=0)
    p, before = total[0] / total.sum(), float(measure(total))
    words = f"The node ({total[0]:g}, {total[1]:g}) has impurity {before:.3f}"
    ax.plot([p], [before], "o", ms=9, color=COLOURS["parent"], zorder=5)
    used = n[n.any(axis=1)]
    if len(used) == 1:
        return f"{words}. One branch has no case: nothing is split, and the gain is 0."
    share, height = used[:, 0] / used.sum(axis=1), measure(used)
    ends = np.argsort(share)
    between = (x >= share.min()) & (x <= share.max())
    chord = np.interp(x[between], share[ends], height[ends])
    ax.fill_between(x[between], chord, curve[between], color=COLOURS["score"], alpha=0.15, lw=0)
    ax.plot(share, height, "o-", ms=7, lw=1.4, color=COLOURS["chosen"], zorder=4)
    ax.plot([p, p], [before - gain, before], lw=4, color=COLOURS["best"], zorder=3)
    rows = zip((True, False), used[ends], share[ends], height[ends], strict=True)
    for left, counts, at, high in rows:
        _name_branch(ax, left, f"({counts[0]:g}, {counts[1]:g})", at, high)
    parts = [f"({a:g}, {b:g}) {h:.3f}" for (a, b), h in zip(used, height, strict=True)]
    return (
        f"{words}, its branches {' and '.join(parts)}; their weighted mean, on the chord below the "
        f"node, is {before - gain:.3f}: a gain of {gain:.3f}."
    )


def _name_branch(ax, left, text, at, high):
    """Write the counts beside an end of the chord: outside of the curve if they have room there."""
    inside = at < EDGE if left else at > 1 - EDGE
    outward = -1 if left else 1
    above = not inside and (at <= 0.5 if left else at >= 0.5)
    x = at + 0.02 * (outward if not inside else -outward)
    y = high + (0.05 if above else -0.06) * ax.get_ylim()[1]
    ha = "right" if left != inside else "left"
    write(ax, x, max(y, 0.04 * ax.get_ylim()[1]), text, ha=ha)


def growing(
    model: GrownTree,
    data: Dataset,
    splits: int | None = None,
    case: int | None = None,
    figure: Picture | None = None,
) -> Picture:
    """Draw the cases of a small Dataset, leaf by leaf, beside the tree after its first `splits`.

    `model` is the fitted tree; its splits are made in the order of its nodes. A `case`, by its
    position, is marked in the table, and thick edges lead it down. Raises ValueError for more than
    26 cases, and for a number of splits or a case that does not exist.
    """
    check_like("a fitted model of one tree", model, "tree_", "encode")
    check_like(DATASET, data, "X", "y")
    inner = np.flatnonzero(~model.tree_.is_leaf)
    splits = len(inner) if splits is None else splits
    _check_growing(len(inner), len(data.X), splits, case)
    tree = cut_back(model.tree_, np.isin(np.arange(len(model.tree_)), inner[splits:]))
    leaf = tree.apply(model.encode(data.X).values)
    letters = dict(zip(np.flatnonzero(tree.is_leaf).tolist(), string.ascii_uppercase, strict=False))
    path = set() if case is None else _above(tree, int(leaf[case]))
    order = np.argsort(leaf, kind="stable")
    rows = [(letters.get(leaf[i], "-"), str(i), *texts(data.frame.iloc[i])) for i in order]
    words = [("leaf", "case", *map(str, data.frame)), *rows]
    whole, plan = (upright_plan(t, letters if t is tree else {}, path) for t in (model.tree_, tree))
    wide = sum(widths(words)) + 0.2
    high = max(ROW * len(words) + 0.2, whole.size[1], plan.size[1])
    names, colours = class_names(tree), class_colours(len(tree.classes))
    fig = frame(figure, wide + max(whole.size[0], plan.size[0]), high, names, colours)
    ax = canvas(fig, 0.1, 0, wide, high)
    draw_rows(ax, words, leaf[order], None if case is None else order.tolist().index(case))
    plan.draw(canvas(fig, wide, 0, wide + plan.size[0], high), colours)
    leaves = [node for node in tree.nodes() if node.is_leaf]
    ends = [f"{letters.get(node.id, '-')}, {node.path}: {node.summary}" for node in leaves]
    fig.alt = f"After {splits} of {len(inner)} splits: {'; '.join(ends)}."
    if case is not None:
        fig.alt += f" Case {case} goes to leaf {letters.get(leaf[case], '-')}."
    return fig


def _check_growing(most, n, splits, case):
    """Raise ValueError for too many cases, or a number of splits or a case that does not exist."""
    if n > CASES:
        raise ValueError(f"{n} cases are too many to be read one by one: at most {CASES}")
    check_place("splits", splits, most + 1)
    check_place("case", case, n, none=True)


def _above(tree, node):
    """Return a node and all above it."""
    path = set()
    while node >= 0:
        path.add(node)
        node = int(tree.parent[node])
    return path


def upright_plan(tree, letters, path):
    """Lay a tree out from the top, `letters` {id: letter} in its nodes, a path in thick edges."""

    def letter(node, rooms):
        spot = described(node, rooms)
        if node.id in letters:
            spot.name = f"{letters[node.id]}: {spot.name}"
        spot.force = 4 / 72 if node.id in path else 1 / 72
        return spot

    return Plan(spots(tree, tree.depth, letter, ROOM), Boxes(), upright=True)


def texts(row):
    """Return the values of a row as a table shows them."""
    return [f"{value:g}" if isinstance(value, float) else str(value) for value in row]


def widths(words):
    """Return the width in inches of each column of rows of words."""
    return [
        max(text_width(w, bold=True) for w in column) + COLUMN
        for column in zip(*words, strict=True)
    ]


def draw_rows(ax, words, leaf, marked):
    """Draw rows of words under a heading, with a line before each leaf, one row marked."""
    left = np.cumsum([0, *widths(words)])
    if marked is not None:
        top = ROW * (marked + 1) + 0.08
        rectangles(ax, [0], [top], left[-1:] - 0.05, [top + ROW], facecolors=COLOURS["marked"])
    for r, row in enumerate(words):
        weight = "bold" if r == 0 or r - 1 == marked else "normal"
        for x, word in zip(left, row, strict=False):
            write(ax, x + 0.05, ROW * (r + 0.5) + 0.08, word, fontweight=weight)
        if r == 1 or (r > 1 and leaf[r - 1] != leaf[r - 2]):
            ax.plot([0, left[-1] - 0.05], [ROW * r + 0.08] * 2, color=COLOURS["parent"], lw=0.8)


def bins(data: Dataset, attribute: str, n_bins: int = 5, figure: Picture | None = None) -> Picture:
    """Draw the bins of a numeric attribute by each method, as wide as they are, with class shares.

    Raises ValueError for an attribute that is not there or not numeric, and fewer than two bins.
    """
    column, x, y, names = one_attribute(data, attribute)
    if column.kind != "numeric":
        raise ValueError(f"{attribute!r} is {column.kind}: bins are of numbers")
    left, colours, parts = 0.3 + 1.2 * LETTERS, class_colours(len(names)), []
    fig = frame(figure, 7.0, 0.62 * len(DISCRETIZERS) + 0.7, names, colours, left)
    ax = axes(fig, left, 0.55, -0.25, 0.6 + 0.62 * len(DISCRETIZERS))
    for row, (method, cuts_of) in enumerate(DISCRETIZERS.items()):
        cuts = cuts_of(x, n_bins, y)
        table = tally((len(cuts) + 1, len(names)), codes(x, cuts), y)
        edges, share = np.array([x.min(), *cuts, x.max()]), np.cumsum(table, axis=1)
        share = share / np.maximum(share[:, -1:], 1)
        low = np.column_stack([np.zeros(len(table)), share[:, :-1]])
        for c, colour in enumerate(colours):
            low_c, high_c = row + 0.36 - 0.72 * low[:, c], row + 0.36 - 0.72 * share[:, c]
            style = {"facecolors": colour, "edgecolors": "white", "lw": 0.8}
            rectangles(ax, edges[:-1], low_c, edges[1:], high_c, **style)
        at = some([f"{cut:.4g}" for cut in cuts], 12) if len(cuts) else "nowhere"
        parts.append(f"{method} cuts at {at}, with {some(table.sum(axis=1).tolist(), 12)} cases")
    ax.set(xlim=(x.min(), x.max()), ylim=(len(DISCRETIZERS) - 0.5, -0.5), yticks=[])
    row_names(ax, range(len(DISCRETIZERS)), list(DISCRETIZERS), left - 0.15)
    label(ax, attribute)
    fig.alt = f"{attribute} in bins: {'; '.join(parts)}."
    return fig
