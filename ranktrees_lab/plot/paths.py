"""One prediction: for path Bayes, how deep each attribute looks; for others, what they mix."""

from itertools import pairwise

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex

from ranktrees_engine.basics.arguments import check_like
from ranktrees_engine.basics.kinds import Case, Explanation
from ranktrees_engine.estimates import estimate_names
from ranktrees_engine.estimates.shown import two_likeliest
from ranktrees_engine.estimator.tree import GrownTree
from ranktrees_engine.explain import one_case
from ranktrees_lab.plot.cases import path
from ranktrees_lab.plot.parts import LINE, canvas, rectangles, write
from ranktrees_lab.plot.picture import Picture, picture
from ranktrees_lab.plot.style import CLASSES, both, class_colours, cut, ink, some, text_width

MOST = 16  # attributes one by one; of more the weakest are joined
MIXED = 10  # rows of a mixture
ROW, STRIP, BARS, SUMS = 0.195, 2.2, 2.1, 0.65  # inches: a row's height, widths of columns
NAMES, CELL = (1.6, 3.0), (0.34, 0.6)  # inches, least and most: who looks, a node in a strip
DEPTH = 0.7  # inches: how deep a row looks
GUIDE, NOTE, EDGE = "#999999", "#555555", "#CCCCCC"


def path_bayes(model: GrownTree, case: Case, figure: Picture | None = None) -> Picture:
    """Draw how deep the tree and each attribute look on one case's path, and what they add.

    `model` a fitted `PathBayes`, or a tree with its estimate; `case` a row as for its `explain`.
    The darker a node of the path, root first, the more it weighs; a row's weights sum to 1. Bars:
    what a row adds, by its weight in the pool, for the most probable class against the next; with
    the prior they sum to the log odds of the prediction. With more than 16 attributes the weakest
    are joined, by their mean weights; one without a known value is left out. Raises TypeError for
    another estimate.
    """
    check_estimate(model)
    codes, tree = model.encode(one_case(model, case)), model.tree_
    proba = model.predict_proba(codes)[0]
    nodes = tree.paths()[tree.apply(codes.values)[0]]
    nodes = nodes[nodes >= 0]
    gaps = None if codes.gaps is None else codes.gaps[0]
    parts = model.estimate_.parts(nodes, codes.values[0], gaps)
    two, prior, adds = parts.odds(proba)
    who, weights, adds, missing = _rows(tree, codes, parts.weights, adds)
    pairs, adds, names = pairwise(nodes), np.array([prior, *adds]), [*map(tree.class_name, two)]
    words = [f"{tree.schema[tree.attribute[s]].name} {tree.conditions[t]}" for s, t in pairs]
    sizes = zip(["all cases", *words], tree.counts[nodes].sum(axis=1), strict=True)
    path = [f"{word} ({n:g})" for word, n in sizes]
    colours, note = _colours(two, len(proba)), _note(missing)
    fig = _drawn(figure, path, who, weights, adds, names, colours, note)
    fig.alt = f"{_sentence(path, who, weights, adds, names, proba[two])} {note}".strip()
    return fig


def explanation(said: Explanation, figure: Picture | None = None) -> Picture:
    """Draw what an `Explanation` mixes, row by row: path nodes, parents of AODE, models of a bag.

    Each row has its probabilities and its weight; if only the last node of a path counts, it has
    all the weight. There are at most ten rows, for a path the last ones. A path forest is shown as
    a sum: a bar for the trees' estimate and for each attribute, with a line from the least to the
    most that one tree would add. Raises TypeError for an explanation without probabilities of each
    row, such as those of naive Bayes and path Bayes, which have their own pictures.
    """
    check_like("an Explanation, as model.explain gives it", said, "table", "proba", "lines")
    if "least" in said.table:
        return _sum(said, figure)
    groups = [name[2:-1] for name in said.table if name.startswith("P(")]
    groups = [name for name in groups if f"w({name})" in said.table] or groups
    if not set(map(str, said.proba)) & set(groups):
        raise TypeError("this one is not a mixture: rt.plot.factors or rt.plot.path_bayes draws it")
    columns = [f"P({name})" for name in groups]
    table, weights = _mixture(said.table.dropna(subset=columns), groups)
    proba = {str(name): p for name, p in said.proba.items()}
    known = sum(proba.get(name, 0) for name in groups)
    result = [proba.get(name, 1 - known) for name in groups]  # of "3 others" what is left
    fig = path(_row_words(table), table[columns], weights, groups, result, figure)
    fig.alt = f"{said.title}. {' '.join(said.lines)}"
    return fig


def _sum(said, figure):
    """Draw a path forest's explanation."""
    proba = np.array([*said.proba.values()])
    two = two_likeliest(proba)
    names, colours = [str([*said.proba][c]) for c in two], _colours(two, len(proba))
    known = said.table[said.table["value"].notna()]
    table = known.loc[["the trees", *known.index.drop("the trees")]]
    who = [(str(name), value) for name, value in zip(table.index, table["value"], strict=True)]
    columns = table[["log odds", "least", "most", "depth"]].to_numpy()
    if (rest := len(table) - MOST - 1) > 0:
        who = [*who[:MOST], (f"{rest + 1} others", "")]
        others = columns[MOST:]
        joined = [*others[:, :1].sum(axis=0), np.nan, np.nan, others[:, 3].mean()]
        columns = np.vstack([columns[:MOST], joined])
    adds, spans, depths = columns[:, 0], columns[:, 1:3], columns[:, 3]
    prior = np.log(proba[two[0]] / proba[two[1]]) - said.table["log odds"].sum()
    note = _note(len(said.table) - len(known))
    wish = max(text_width(" ".join(row)) for row in who) + 0.25
    start = float(np.clip(wish, *NAMES))
    left, adds = start + DEPTH, np.append(prior, adds)
    page, middle = _page(figure, left, 0.1 + 2 * LINE, len(adds), note)
    spans = np.vstack([[prior, prior], np.where(np.isnan(spans), adds[1:, None], spans)])
    _bars(page, (start, left), middle, who, adds, names, colours, note, spans)
    write(page, start, middle[0] - ROW / 2 - 0.1, "depth", color=NOTE)
    for y, depth in zip(middle[1:], depths, strict=False):
        write(page, start + 0.05, y, f"{depth:.1f}", color=NOTE)
    parts = [f"{' '.join(row).strip()} {x:+.2f}" for row, x in zip(who, adds[1:], strict=True)]
    words = f"{' '.join(said.lines[1:])} {some(parts, MOST + 1)}."
    page.figure.alt = f"{said.title}. {words} {note}".strip()
    return page.figure


def _colours(two, n_classes):
    """Return the colours of two classes, if so few classes have colours of their own."""
    every = class_colours(n_classes)
    return [every[c] for c in two] if n_classes <= len(CLASSES) else CLASSES


def _note(missing):
    return f"{missing} without a known value take no part." if missing else ""


def _mixture(table, groups):
    """Return the rows that are drawn, and their weights (K, G)."""
    own = [f"w({name})" for name in groups]
    if set(own) <= set(table):
        weights = table[own].to_numpy()
    elif column := [name for name in ("share", "p(leaf)") if name in table]:
        weights = np.repeat(table[column].to_numpy(), len(groups), axis=1)
    elif table.index.name == "model":
        weights = np.full((len(table), len(groups)), 1 / len(table))
    else:
        weights = np.zeros((len(table), len(groups)))
        weights[-1] = 1
    shown = slice(-MIXED, None) if "condition" in table else slice(MIXED)
    return table[shown], weights[shown]


def _row_words(table):
    """Return what each row is, in words."""
    for name in ("condition", "path"):
        if name in table:
            return list(table[name])
    values = table["value"] if "value" in table else [""] * len(table)
    kind = "model " if table.index.name == "model" else ""
    return [f"{kind}{row} {value}".strip() for row, value in zip(table.index, values, strict=True)]


def check_estimate(model) -> None:
    """Raise TypeError, which names the estimate, unless it is one of path Bayes."""
    name = getattr(model, "estimate", None)
    if name not in estimate_names("tables"):
        kind = type(model).__name__
        raise TypeError(f"give PathBayes() or estimate='path-bayes', not {kind} with {name!r}")


def _rows(tree, codes, weights, adds):
    """Return (name, value), weights (R, d), what they add (R,), and how many take no part."""
    values = codes.values[0] if codes.gaps is None else np.where(codes.gaps, -1, codes.values)[0]
    order = np.flatnonzero(values >= 0)
    order = order[np.argsort(-np.abs(adds[1 + order]).round(9), kind="stable")]
    alone = order if len(order) <= MOST else order[: MOST - 1]
    who = [(tree.schema[j].name, tree.schema[j].describe([values[j]])) for j in alone]
    rows = [[0], *[[1 + j] for j in alone]]
    if rest := len(order) - len(alone):
        who, rows = [*who, (f"{rest} others", "")], [*rows, 1 + order[-rest:]]
    weights = np.array([weights[row].mean(axis=0) for row in rows])
    adds, who = np.array([adds[row].sum() for row in rows]), [("the tree's estimate", ""), *who]
    return who, weights, adds, len(values) - len(order)


def _drawn(figure, path, who, weights, adds, names, colours, note):
    """Draw the path as a staircase; below it a line per row: name, weights, bar, number."""
    wish = max(text_width(" ".join(row)) for row in who) + 0.25
    start, cell = float(np.clip(wish, *NAMES)), float(np.clip(STRIP / len(path), *CELL))
    left, head = start + max(STRIP, cell * len(path)) + 0.2, 0.1 + LINE * (len(path) + 1)
    page, middle = _page(figure, left, head, len(adds), note)
    _strips(page, path, weights, start, cell, head, middle[1:-1])
    _bars(page, (start, left), middle, who, adds, names, colours, note)
    return page.figure


def _page(figure, left, head, n_rows, note):
    """Return a page for bars from `left`, below `head`, and the middle (R + 1,) of its lines."""
    middle = head + ROW * (np.arange(n_rows + 1) + 0.5)
    fig = picture(figure, (left + BARS + SUMS, middle[-1] + 0.2 + LINE * bool(note)))
    return canvas(fig, 0, 0, *fig.get_size_inches()), middle


def _bars(page, columns, middle, who, adds, names, colours, note, spans=None):
    """Draw, for the prior and each row, its name at `start`, its bar from `left`, its number.

    `spans` (R, 2), from the least to the most of some, are drawn as lines over the bars.
    """
    start, left = columns
    zero, wide, head = left + BARS / 2, left + BARS + SUMS, middle[0] - ROW / 2
    reach = adds if spans is None else np.append(spans, adds)
    scale = BARS / 2 / max(np.abs(reach).max(), 0.5)
    ends = zero + adds * scale
    box = np.minimum(zero, ends), middle[:-1] - 0.07, np.maximum(zero, ends), middle[:-1] + 0.07
    rectangles(page, *box, facecolors=[colours[int(x < 0)] for x in adds])
    page.plot([zero, zero], [head, middle[-2] + ROW / 2], color="black", lw=0.8)
    if spans is not None:
        lines = [[(x, y) for x in zero + s * scale] for s, y in zip(spans, middle, strict=False)]
        page.add_collection(LineCollection(lines, colors="black", lw=1.2), autolim=False)
    labels = ["prior", *[both(*row, start - 0.2).strip() for row in who], "log odds together"]
    for y, name, x in zip(middle, labels, [*adds, adds.sum()], strict=True):
        style = {"ha": "right", "fontweight": "bold" if y == middle[-1] else "normal"}
        write(page, start - 0.1, y, name, **style)
        write(page, wide - 0.1, y, f"{round(x, 2) + 0:+.2f}", **style)
    odds = float(f"{np.exp(min(adds.sum(), 700.0)):.3g}")
    write(page, start, middle[-1], f"odds of {odds:,.7g} to 1")
    write(page, 0.1, middle[-1] + 0.05 + LINE, note, color=NOTE)
    top, room = (head - 0.1, BARS / 2) if spans is None else (head - 0.1 - LINE, zero)
    write(page, zero - 0.08, top, f"← for {cut(names[1], room - 0.3)}", ha="right")
    write(page, zero + 0.08, top, f"for {cut(names[0], BARS / 2 + SUMS - 0.55)} →")


def _strips(page, path, weights, start, cell, head, middle):
    """Draw the path's conditions as a staircase, each over its column: the darker, the heavier."""
    x, y = start + cell * np.arange(len(path)), middle[:, None]
    fill = [to_hex([1 - 0.8 * weight] * 3) for weight in weights.clip(0, 1).ravel()]
    box = x, y - ROW / 2 + 0.015, x + cell, y + ROW / 2 - 0.015
    rectangles(page, *box, facecolors=fill, edgecolors=EDGE, lw=0.6)
    for ((r, k), weight), colour in zip(np.ndenumerate(weights), fill, strict=True):
        if weight >= 0.05:
            style = {"ha": "center", "color": ink(colour)}
            write(page, x[k] + cell / 2, middle[r], f"{weight:.2f}".lstrip("0"), **style)
    tops = 0.1 + LINE * (np.arange(len(path)) + 0.5)
    for left, top, words in zip(x, tops, path, strict=True):
        write(page, left, top, words, page.get_xlim()[1] - left - 0.1)
    lines = [[(left, top + 0.09), (left, head)] for left, top in zip(x + 0.06, tops, strict=True)]
    page.add_collection(LineCollection(lines, colors=GUIDE, lw=0.9), autolim=False)
    for y, words in [(tops[0], "the path:"), (head - 0.1, "weights of its nodes:")]:
        write(page, start - 0.1, y, words, ha="right", color=NOTE)


def _sentence(path, who, weights, adds, names, proba):
    classes = ", ".join(f"P({name}) = {p:.3f}" for name, p in zip(names, proba, strict=True))
    who = ["prior", *[" ".join(row).strip() for row in who]]
    parts = [f"{name} {x:+.2f}" for name, x in zip(who, adds, strict=True)]
    parts[MOST // 2 :] = ["smaller ones"] * (len(parts) > MOST // 2)
    rows = zip(who[1:5], weights.argmax(axis=1), weights.max(axis=1), strict=False)
    deep = some([f"{name} {weight:.2f} at {path[k]}" for name, k, weight in rows])
    text = f"Path Bayes gives {classes}, log odds of {adds.sum():+.2f}: {some(parts, MOST)}. "
    return text + f"On the path each weighs one node most: {deep}."
