"""What models claim of the class they predict, against what comes true, on new cases."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_number
from ranktrees_engine.basics.kinds import Data
from ranktrees_engine.basics.ties import first_best
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_engine.evaluate.fitting import take_rows
from ranktrees_engine.evaluate.folds import random_subsampling
from ranktrees_engine.evaluate.results import named_models
from ranktrees_engine.evaluate.task import Task, fit_all, held_out, read_task
from ranktrees_engine.growing.tree import descend
from ranktrees_lab.plot.parts import key, label, write
from ranktrees_lab.plot.picture import Picture, axes, picture
from ranktrees_lab.plot.style import COLOURS, LARGE, LETTERS, NORMAL, STONE, model_colours, wrapped

WIDTH, LEFT, GAP, LINE = 7.7, 0.65, 0.22, 0.2  # inches: the picture, its left, between panels
ROW, MOST, SIDE = 4, 8, 2.6  # panels in a row, in all; inches of the largest
TOP = 1.04  # of both axes
KEY = 0.23  # inches of a line of the key
BINS = 10  # of the probability from 0 to 1
ALL = "all"


def fresh_shares(
    models: dict, data: Data, splits: int = 20, seed: int = 1, figure: Picture | None = None
) -> Picture:
    """Draw the probability that models claim for their class, and how often it comes true.

    `models` {name: model, not fitted}, at most eight, learn one random half of the cases; the other
    half, new to them, is predicted. `splits` such halves are taken together; split i is the holdout
    of seed + i, i from 0. A panel has four marks:

    - On the dotted diagonal predictions come true as often as claimed. Below it the model claims
      too much, above it too little.
    - A pale disc is the new cases whose predicted class has about the same probability, in steps
      of 0.1; its area is their number.
    - The large dot is the mean over all new cases, as written above the panel; the line from it to
      the diagonal is how far the model is off.
    - For a tree whose estimate is the frequency, small dots joined by a line are the tree cut at
      depth 0 (the root), 1, 2 and so on: the share of the majority class among the training cases
      of the nodes, and among the new cases that come to them.

    The picture's `table` has claimed, true and cases for each model and group of cases: "all",
    "0.6 to 0.7", "depth 3". Raises TypeError or ValueError as `rt.repeated`, and for more models.
    """
    check_number("splits", splits, 1, whole=True)
    named_models(models)
    if len(models) > MOST:
        raise ValueError(f"{len(models)} panels are too small to be read: give at most {MOST}")
    task = read_task(data)
    halves = random_subsampling(task.y, splits, 0.5, seed)
    with WarnOnce():
        rows = [
            (name, *row) for name, model in models.items() for row in _shares(model, task, halves)
        ]
    names = ["model", "group", "claimed", "true", "cases"]
    table = pd.DataFrame(rows, columns=names).set_index(names[:2])
    fig = _panels(table, list(models), figure)
    fig.table, means = table, table.xs(ALL, level="group")
    parts = [f"{name} {p:.3f}, true {share:.3f}" for name, p, share, _ in means.itertuples()]
    fig.alt = (
        f"Mean probability of the predicted class, and how often it is right, on {splits} "
        f"times {len(halves[0][1])} new cases: {'; '.join(parts)}."
    )
    return fig


def _shares(model, task: Task, halves) -> Iterator[tuple]:
    """Yield (group, claimed, true, cases) of a model: all new cases, bins, depths of a tree."""
    proba = np.concatenate(held_out(model, task, halves))
    codes = np.concatenate([task.codes[new] for _, new in halves])
    p, right = proba.max(axis=1), first_best(proba) == codes
    yield ALL, p.mean(), right.mean(), len(p)
    step = np.minimum(np.floor(BINS * p + 1e-9), BINS - 1)
    for k in np.unique(step):
        here = step == k
        words = f"{k / BINS:.1f} to {(k + 1) / BINS:.1f}"
        yield words, p[here].mean(), right[here].mean(), here.sum()
    if getattr(model, "estimate", None) == "frequency":
        yield from _depths(model, task, halves, codes)


def _depths(model, task, halves, codes):
    """Yield what the tree, cut at each depth, predicts, and how often it is right."""
    fitted = fit_all(model, task, [train for train, _ in halves])
    passed = [
        list(descend(one.tree_, one.encode(take_rows(task.X, new)).values))
        for one, (_, new) in zip(fitted, halves, strict=True)
    ]
    nodes = [np.zeros(len(new), np.intp) for _, new in halves]
    for depth in range(max(map(len, passed))):
        for node, levels in zip(nodes, passed, strict=True):
            for cases, reached in levels[depth : depth + 1]:
                node[cases] = reached
        pairs = zip(fitted, nodes, strict=True)
        counts = np.concatenate([one.tree_.counts[node] for one, node in pairs])
        share = counts.max(axis=1) / counts.sum(axis=1)
        yield f"depth {depth}", share.mean(), (first_best(counts) == codes).mean(), len(codes)


def _panels(table, names, figure):
    """Return a panel per model in rows of at most four, all with the same axes."""
    columns = min(len(names), ROW) if len(names) <= ROW else -(-len(names) // 2)
    side = min((WIDTH - LEFT - 0.1 + GAP) / columns - GAP, SIDE)
    lines = {name: wrapped(name, side, LARGE, bold=True) for name in names}
    head = LINE * (1 + max(map(len, lines.values()))) + 0.1
    rows, step = -(-len(names) // columns), head + side + 0.55
    said = _key(bool(table.index.get_level_values("group").str.startswith("depth").any()))
    beside = 2 if LETTERS == 1 else 1
    below, wide = KEY * -(-len(said) // beside) + 0.15, (WIDTH - LEFT) / beside
    fig = picture(figure, (WIDTH, rows * step + below))
    for column in range(beside):
        entries = said[column::beside]
        key(fig, LEFT + column * wide, below - 0.1, entries, wide - 0.6)
    low = min(np.floor(10 * table[["claimed", "true"]].min().min()) / 10, 0.5)
    for k, (name, colour) in enumerate(zip(names, model_colours(names), strict=True)):
        row, column = divmod(k, columns)
        left, bottom = LEFT + column * (side + GAP), below + (rows - row - 1) * step + 0.5
        ax = axes(fig, left, bottom, left + side, bottom + side)
        ax.set(xlim=(low, TOP), ylim=(low, TOP), xticks=(ticks := _ticks(low)), yticks=ticks)
        label(ax, "claimed", "" if column else "comes true", "both")
        ax.tick_params(labelleft=not column)
        _panel(ax, table.loc[name], colour, low)
        mean = table.loc[name, ALL]
        words = f"claims {mean['claimed']:.2f}, true {mean['true']:.2f}"
        write(fig, left, bottom + side + 0.15, words, points=NORMAL)
        for i, line in enumerate(reversed(lines[name])):
            place = left, bottom + side + 0.15 + LINE * (i + 1)
            write(fig, *place, line, points=LARGE, color=colour, fontweight="bold")
    return fig


def _key(trees: bool) -> list[tuple[str, dict]]:
    """Return (words, style) of the marks, which are the same in all panels."""
    dot = {"ls": "", "marker": "o", "color": STONE, "mec": "white"}
    entries = [
        ("comes true as often as claimed", {"color": COLOURS["ideal"], "lw": 1.2, "ls": ":"}),
        ("new cases with about the same claim", {**dot, "ms": 13, "alpha": 0.35, "mew": 0}),
        ("all new cases; its line: how far off", {**dot, "ms": 10, "ls": "-", "lw": 2.5}),
    ]
    cut_back = {**dot, "ms": 3.5, "ls": "-", "lw": 1.3}
    return entries + [("the tree cut at depth 0 (root), 1, 2, …", cut_back)] * trees


def _ticks(low):
    return np.arange(np.ceil(5 * low), 6) / 5 if low > 0.3 else [0, 0.5, 1]


def _panel(ax, shares, colour, low):
    """Draw the marks of one model."""
    ax.plot([low, 1], [low, 1], color=COLOURS["ideal"], lw=1.2, ls=":", zorder=1)
    bins = shares[shares.index.str.contains(" to ")]
    area = 500 * bins["cases"] / shares.loc[ALL, "cases"]
    disc = {"color": colour, "alpha": 0.3, "lw": 0, "zorder": 2, "clip_on": False}
    ax.scatter(bins["claimed"], bins["true"], area, **disc)
    depths = shares[shares.index.str.startswith("depth")]
    ax.plot(depths["claimed"], depths["true"], "o-", ms=3.5, lw=1.3, color=colour, zorder=4)
    p, share = shares.loc[ALL, ["claimed", "true"]]
    ax.plot([p, p], [share, p], color=colour, lw=2.5, zorder=3)
    ax.plot([p], [share], "o", ms=10, color=colour, mec="white", mew=1, zorder=5)
    if len(depths):
        write(ax, *depths.iloc[0, :2].tolist(), "root ", ha="right", points=NORMAL)
