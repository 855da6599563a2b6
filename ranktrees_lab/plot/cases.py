"""A model's estimates for one case: along its path, attribute by attribute, value by value."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.collections import LineCollection

from ranktrees_engine.basics.arguments import as_names, check_dict, check_like, floats
from ranktrees_engine.basics.kinds import ArrayLike, Case
from ranktrees_engine.models import NaiveBayes
from ranktrees_lab.plot.inputs import check_known
from ranktrees_lab.plot.parts import canvas, frame, rectangles, row_names, share_bars, write
from ranktrees_lab.plot.picture import Picture, axes, picture, title
from ranktrees_lab.plot.style import CLASSES, COLOURS, both, class_colours, cut, some, text_width

WIDTH, BAR, GAP = 7.5, 0.17, 0.16  # inches: a picture, a class's bar, between two groups of bars
BOX, FOOT = 2.35, 0.12  # a node of a path, and the room below the last one
PANELS = {"local probability": (2.6, 4.65), "weight": (5.1, 7.0)}  # inches from the left
MOST = 4  # classes of a path that are drawn, those of highest result
FACTORS, ROW = 12, 0.205  # attributes one by one, the weakest beyond added up; inches of a row
NAMES, WORDS = 3.3, 1.75  # inches of a factor's name at most, and right of the factors
BARS, FEW = 24, 6  # bars and classes of a table of values, however many there are


def path(
    nodes: Sequence,
    proba: ArrayLike,
    weights: ArrayLike,
    classes: Sequence,
    result: ArrayLike | None = None,
    figure: Picture | None = None,
) -> Picture:
    """Draw a case's path from the top down: each node's local probabilities and weights by class.

    `nodes` (K,) names, the uniform node first, `proba` and `weights` (K, C), `classes` (C,) names.
    The last row is the `result` (C,), by default the weighted sum, normalised. With more than four
    classes those with the highest result are drawn. Raises ValueError for shapes that differ.
    """
    nodes, names = as_names("nodes", nodes), as_names("classes", classes)
    proba, weights, result = _tables(proba, weights, result, (len(nodes), len(names)))
    rows = [*nodes, "the case: mixed"]
    shown = np.sort(np.argsort(-result, kind="stable")[:MOST])
    colours = class_colours(MOST)
    if len(names) <= len(CLASSES):
        colours = [class_colours(len(names))[c] for c in shown]
    pitch = max(2, len(shown)) * BAR + GAP
    middle = 0.4 + pitch * (np.arange(len(rows)) + 0.5)
    middle[-1] += 0.1
    tall = middle[-1] + pitch / 2 + FOOT
    fig = frame(figure, WIDTH, tall, [names[c] for c in shown], colours)
    _boxes(canvas(fig, 0, 0, BOX + 0.2, tall), rows, middle)
    tables = [np.vstack([proba, result]), weights]
    for (words, (left, right)), table in zip(PANELS.items(), tables, strict=True):
        ax = axes(fig, left, 0, right, tall, ticks=False)
        ax.set(xlim=(0, 1), ylim=(tall, 0))
        write(ax, 0, 0.25, words)
        y = _grouped_bars(ax, table[:, shown], middle[: len(table)], BAR, colours)
        ax.plot([0, 0], [0.4, y[-1, -1] + BAR], color="#888888", lw=0.8)
        for place, x in zip(y.ravel(), table[:, shown].ravel(), strict=True):
            if x >= 0.005:  # what would read 0.00
                write(ax, x + 0.02, place, f"{x:.2f}", color="#333333")
    fig.alt = _path_sentence(nodes, weights, names, result, shown)
    return fig


def _grouped_bars(ax, table, middle, bar, colours) -> np.ndarray:
    """Draw bars from 0, `bar` high, one per class for each row of a table (R, C), at `middle`.

    On an axis that points down; returns the bars' middles (R, C).
    """
    C = table.shape[1]
    y = np.reshape(middle, (-1, 1)) + (np.arange(C) - (C - 1) / 2) * bar
    fill = np.tile(np.asarray(colours), len(table))
    rectangles(ax, 0.0, y - 0.43 * bar, table, y + 0.43 * bar, facecolors=fill)
    return y


def _tables(proba, weights, result, shape):
    """Return both (nodes, classes), and the result (C,), by default their normalised mixture."""
    proba, weights = floats("proba", proba), floats("weights", weights)
    if not proba.shape == weights.shape == shape:
        both = f"proba {proba.shape} and weights {weights.shape}"
        raise ValueError(f"{both} must both be (nodes, classes), here {shape}")
    mixed = (weights * proba).sum(axis=0)
    result = mixed / mixed.sum() if result is None else floats("result", result)
    if result.shape != shape[1:]:
        raise ValueError(f"result must have {shape[1]} numbers, not shape {result.shape}")
    return proba, weights, result


def _boxes(ax, names, middle):
    """Draw a box for each node, joined from the top down, and one for the result."""
    ax.plot([0.1 + BOX / 2] * 2, middle[[0, -2]], color="#555555", lw=1, zorder=0)
    fill = ["white"] * (len(names) - 1) + ["#E5E5E5"]
    style = {"facecolors": fill, "edgecolors": "#555555", "lw": 0.9}
    rectangles(ax, 0.1, middle - 0.13, 0.1 + BOX, middle + 0.13, **style)
    for name, y in zip(names, middle, strict=True):
        write(ax, 0.1 + BOX / 2, y, name, BOX - 0.15, ha="center")


def _path_sentence(nodes, weights, names, result, shown):
    best = shown[int(result[shown].argmax())]
    mixed = some([f"{names[c]} {result[c]:.3f}" for c in shown], MOST)
    top = int(weights[:, best].argmax())
    rest = len(names) - len(shown)
    more = f" {rest} classes of lower result are not drawn." if rest else ""
    return (
        f"A path of {len(nodes)} nodes from {nodes[0]} to {nodes[-1]}. Mixed, the case has {mixed}."
        f"{more} For {names[best]} the greatest weight is {weights[top, best]:.3f}, of "
        f"{nodes[top]}, and the smallest {weights[:, best].min():.3f}."
    )


def factors(model: NaiveBayes, case: Case, figure: Picture | None = None) -> Picture:
    """Draw one case's log odds, the most probable class against the next, by attribute.

    `model`: a fitted `NaiveBayes`; `case`: a row as for its `explain`. Bars to the right favour the
    first class, bars to the left the second; prior and bars add up to the last one. With more than
    12 attributes the weakest are joined; an attribute that is ignored is left out.
    """
    check_like("a fitted NaiveBayes", model, "log_factors", "explain")
    said = model.explain(case)
    order = np.argsort(-np.array(list(said.proba.values())), kind="stable")[:2]
    first, second = names = [list(map(str, said.proba))[c] for c in order]
    with np.errstate(divide="ignore"):
        prior = float(-np.diff(np.log(model.class_prior_[order]))[0])
    known = said.table[[value is not None for value in said.table["value"]]]
    rows = _weights(known, prior)
    fig = picture(figure, (WIDTH, ROW * len(rows) + 0.95))
    left = 0.2 + min(max(text_width(" ".join(row[:2])) for row in rows), NAMES)
    ax = axes(fig, left, 0.5, -WORDS, -0.35)
    _weight_bars(ax, rows, [class_colours(len(said.proba))[c] for c in order], names)
    middle, top, room = (left + WIDTH - WORDS) / 2, fig.get_figheight() - 0.2, 1.5
    write(fig, middle - 0.1, top, cut(f"← for {second}", room), ha="right")
    write(fig, middle + 0.1, top, cut(f"for {first} →", room))
    parts = [f"{name} {value} {_words(weight, names)}" for name, value, weight in rows[1:-1]]
    parts += [""] * (len(known) - len(parts))  # the joined ones are others, each of them
    missing = len(said.table) - len(known)
    absent = f" {missing} without a known value take no part." if missing else ""
    fig.alt = (
        f"Odds of {first} against {second}: prior {_words(prior, names)}; {some(parts, 6)}. "
        f"Together {_words(rows[-1][2], names)}, P({first}) = {max(said.proba.values()):.3f}."
        f"{absent}"
    )
    return fig


def _weights(known, prior):
    """Return (name, value in words, log odds) of the prior, the attributes by weight, the sum."""
    rows = []
    for name, row in known.iterrows():
        bins = row["value"].startswith(("<= ", "> ", "in ("))
        rows.append((name, row["value"] if bins else f"= {row['value']}", float(row["log odds"])))
    if len(rows) > FACTORS:
        rest = rows[FACTORS - 1 :]
        rows[FACTORS - 1 :] = [(f"{len(rest)} others", "", sum(weight for *_, weight in rest))]
    total = prior + sum(weight for *_, weight in rows)
    return [("prior", "", prior), *rows, ("together", "", total)]


def _weight_bars(ax, rows, colours, names):
    """Draw a bar per row, hatched if infinite, between its label and its factor."""
    weights = np.array([weight for *_, weight in rows])
    edge = 1.1 * max(float(np.abs(weights[np.isfinite(weights)]).max(initial=0)), 0.5)
    drawn = np.clip(np.nan_to_num(weights, nan=0.0, posinf=edge, neginf=-edge), -edge, edge)
    style = {"color": [colours[0 if x > 0 else 1] for x in drawn], "edgecolor": "white"}
    style["hatch"] = ["//" if np.isinf(weight) else "" for weight in weights]
    ax.barh(range(len(rows)), drawn, [0.72, *[0.5] * (len(rows) - 2), 0.72], **style)
    labels = [both(name, value, NAMES).strip() for name, value, _ in rows]
    row_names(ax, range(len(rows)), labels, NAMES, bold=["prior", "together"])
    for y, weight in enumerate(weights):
        words = _words(weight, names, WORDS - 0.25)
        write(ax, 1.02, y, words, transform=ax.get_yaxis_transform())
    ax.axvline(0, color=COLOURS["chosen"], lw=0.8)
    ax.set(xlim=(-edge, edge), ylim=(len(rows) - 0.4, -0.6), yticks=[], xlabel="log odds")
    ax.locator_params(axis="x", nbins=6)
    ax.spines["left"].set_visible(False)


def _words(weight, names, inches=np.inf):
    """Return log odds as a factor of the odds; if a class's name is too long, an arrow for it."""
    if np.isnan(weight):
        return "impossible for both"
    if abs(weight) < 1e-12:
        return "× 1"
    first = weight > 0
    number = f"× {np.exp(min(abs(weight), 700.0)):.3g}"
    if np.isinf(weight):
        number, first = "× 0", not first  # what rules the one out, not what favours the other
    whole = f"{number} {names[0] if first else names[1]}"
    fits = text_width(whole, bold=True) <= inches
    return whole if fits else f"{number} {'→' if first else '←'}"


def conditionals(
    model: NaiveBayes,
    attribute: str,
    value: object = None,
    posteriors: Mapping[str, ArrayLike] | None = None,
    figure: Picture | None = None,
) -> Picture:
    """Draw P(value | class) as bars, raw shares as black lines; the posterior of a case below.

    `model` a fitted `NaiveBayes`, `attribute` one with a table. `value` (a row of the table) is
    marked. `posteriors` {name: (C,)} are drawn as bars of class probabilities. With more than six
    classes, or more values than 24 bars can show, the most frequent are drawn. Raises ValueError
    for an unknown attribute or value, or a Gaussian attribute.
    """
    estimate, raw, counts = tables_of(model, attribute)
    if value is not None:
        check_known("value", value, estimate.index)
    keep = None if value is None else estimate.index.get_loc(value)
    classes = _common(model.class_count_, FEW)
    shown = _common(counts.sum(axis=1), BARS // len(classes), keep)
    names, colours = [str(c) for c in estimate.columns], class_colours(estimate.shape[1])
    posteriors, pitch = _checked(posteriors, len(names)), BAR * len(classes) + GAP
    below = 0.55 + (0.32 * len(posteriors) + 0.75 if posteriors else 0)
    height = below + pitch * len(shown) + 0.28
    fig = frame(figure, WIDTH, height, names, colours, 1.9)
    ax = axes(fig, 1.9, below, -0.65, height - 0.28)
    few = "" if len(shown) == len(estimate) else f", {len(shown)} of {len(estimate)} values"
    title(ax, f"P({cut(attribute, 2.5)} | class){few}; black lines: plain shares")
    drawn = estimate.iloc[shown, classes], raw.iloc[shown, classes]
    _value_bars(ax, *drawn, value, [colours[c] for c in classes], pitch)
    if posteriors:
        _posteriors(axes(fig, 1.9, 0.1, -0.65, below - 0.85), posteriors, colours)
    said = shown[:6] if keep is None else [keep]
    fig.alt = _table_sentence(attribute, estimate, raw, said, classes)
    for name, proba in posteriors.items():
        best = int(np.argmax(proba))
        fig.alt += f" With {name}, P({names[best]}) of the case is {proba[best]:.3f}."
    return fig


def _checked(posteriors, C) -> dict:
    """Return the posteriors {name: (C,)}; TypeError or ValueError for anything else."""
    given = {} if posteriors is None else posteriors
    check_dict("posteriors", given, "{name: probabilities}")
    known = {str(name): floats(f"posteriors of {name!r}", p) for name, p in given.items()}
    for name, proba in known.items():
        if proba.shape != (C,):
            raise ValueError(f"posteriors of {name!r} must be {C} probabilities, one a class")
    return known


def tables_of(model, attribute: str) -> tuple:
    """Return smoothed and raw P(value | class), and counts, all (V, C), rows named by text."""
    check_like("a fitted NaiveBayes", model, "conditional")
    estimate = model.conditional(attribute)
    place = [info.name for info in model.schema_].index(attribute)
    if model.gaussian_[place]:
        raise ValueError(f"{attribute!r} is Gaussian: its density has no table of values")
    raw = model.with_smoothing("none").conditional(attribute)
    estimate.index = raw.index = [str(v) for v in estimate.index]
    k = int(np.count_nonzero(~model.gaussian_[:place]))
    return estimate, raw, model.counts_[model.offsets_[k] : model.offsets_[k + 1]]


def _common(counts, most, keep=None):
    """Return the places of the most frequent, and of the one to keep, in their order."""
    counts = np.array(counts, float)
    if keep is not None:
        counts[keep] = np.inf
    return np.sort(np.argsort(-counts, kind="stable")[:most])


def _value_bars(ax, estimate, raw, value, colours, pitch):
    """Draw the estimates as bars with numbers at the right, the raw shares as lines."""
    middle = pitch * np.arange(len(estimate)) + (pitch - GAP) / 2
    y = _grouped_bars(ax, estimate.to_numpy(), middle, BAR, colours).ravel()
    share = raw.to_numpy().ravel()
    ends = np.array([[share, y - BAR / 2], [share, y + BAR / 2]]).transpose(2, 0, 1)
    ax.add_collection(LineCollection(ends, colors="black", lw=2, zorder=3, clip_on=False))
    for place, number in zip(y, estimate.to_numpy().ravel(), strict=True):
        write(ax, 1.02, place, f"{number:.3f}", transform=ax.get_yaxis_transform())
    names = [f"▸ {name}" if name == value else name for name in estimate.index]
    row_names(ax, middle, names, 1.7, bold=[f"▸ {value}"])
    ax.set(xlim=(0, 1), ylim=(pitch * len(estimate) - GAP / 2, -GAP / 2), yticks=[])
    ax.set_xlabel("probability", labelpad=1)


def _posteriors(ax, posteriors, colours):
    """Draw the case's class probabilities as bars that are full at 1, with their numbers."""
    ax.set(xlim=(0, 1), ylim=(len(posteriors) - 0.5, -0.5))
    ax.set_axis_off()
    proba, places = np.array(list(posteriors.values()), float), np.arange(len(posteriors))
    share_bars(ax, proba, 0, 1, places, 0.7, colours, "{:.3f}")
    row_names(ax, places, list(posteriors), 1.7)
    title(ax, "P(class | case)")


def _table_sentence(attribute, estimate, raw, rows, classes):
    parts = []
    for v in rows:
        cells = [(estimate.columns[c], estimate.iat[v, c], raw.iat[v, c]) for c in classes]
        words = [f"{name} {p:.3f} (share {share:.3f})" for name, p, share in cells]
        parts.append(f"{estimate.index[v]}: {', '.join(words)}")
    return f"P({attribute} | class): {'; '.join(parts)}."
