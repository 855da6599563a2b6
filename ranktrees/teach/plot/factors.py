"""One prediction of naive Bayes as a sum: the prior, one bar an attribute, the posterior."""

import numpy as np

from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import (
    COLOURS,
    SMALL,
    class_colours,
    plain,
    shorten,
    some,
    text_width,
)

MOST = 12  # attributes drawn one by one; the weakest beyond are added up
ROW, LEFT, RIGHT = 0.27, 2.3, 1.75  # inches: a bar's row, the names, the words
WIDTH = 7.5


def factors(model, case, figure=None) -> Picture:
    """The log odds of one case, the most probable class against the next, attribute by attribute.

    `model` a fitted `NaiveBayes`, `case` a row as for its `explain`. Bars to the right speak for
    the first class, bars to the left for the second; prior and bars add up to the last one. Of more
    than 12 attributes the weakest are joined; one that takes no part is left out.
    """
    told = model.explain(case)
    order = np.argsort(-np.array(list(told.proba.values())), kind="stable")
    names = [str(name) for name in told.proba]
    first, second = order[:2]
    with np.errstate(divide="ignore"):
        prior = float(-np.diff(np.log(model.class_prior_[[first, second]]))[0])
    known = told.table[[value is not None for value in told.table["value"]]]
    rows = _rows(known, prior)
    fig = picture(figure, (WIDTH, ROW * len(rows) + 0.95))
    ax = axes(fig, LEFT, 0.5, -RIGHT, -0.35)
    palette = class_colours(len(names))
    _bars(ax, rows, [palette[first], palette[second]], [names[first], names[second]])
    _heads(fig, [names[first], names[second]])
    fig.alt = _sentence(rows, names[first], names[second], told.proba, len(told.table) - len(known))
    return fig


def _rows(known, prior):
    """(label, log odds) of the prior, the attributes by weight, and all together."""
    pairs = [(_says(name, row["value"]), float(row["log odds"])) for name, row in known.iterrows()]
    if len(pairs) > MOST:
        rest = pairs[MOST - 1 :]
        pairs = [*pairs[: MOST - 1], (f"{len(rest)} others", sum(w for _, w in rest))]
    total = prior + sum(weight for _, weight in pairs)
    return [("prior", prior), *pairs, ("together", total)]


def _says(name, value):
    """`age <= 24.6`, `age in (2, 3]` where the value is a bin, else `name = value`."""
    return f"{name} {value}" if value.startswith(("<= ", "> ", "in (")) else f"{name} = {value}"


def _fitted(label):
    """The label, of which the attribute's name gives way before its value does."""
    for mark in (" = ", " in (", " <= ", " > "):
        name, found, value = label.partition(mark)
        room = LEFT - 0.2 - text_width(found + value)
        if found and room > 0.7:
            return shorten(name, room) + plain(found + value)
    return shorten(label, LEFT - 0.2)


def _bars(ax, rows, colours, names):
    weights = np.array([weight for _, weight in rows])
    finite = np.abs(weights[np.isfinite(weights)])
    edge = 1.1 * max(float(finite.max(initial=0)), 0.5)
    drawn = np.clip(np.nan_to_num(weights, nan=0.0, posinf=edge, neginf=-edge), -edge, edge)
    sums = np.isin(np.arange(len(rows)), (0, len(rows) - 1))
    for y, (bar, whole) in enumerate(zip(drawn, sums, strict=True)):
        colour = colours[0] if bar > 0 else colours[1]
        hatch = "//" if np.isinf(weights[y]) else None
        style = {"edgecolor": "white", "hatch": hatch, "alpha": 1.0 if whole else 0.75}
        ax.barh(y, bar, height=0.72 if whole else 0.5, color=colour, **style)
    ax.axvline(0, color=COLOURS["chosen"], lw=0.8)
    for y, (label, weight) in enumerate(rows):
        weighty = "bold" if sums[y] else "normal"
        style = {"va": "center", "fontsize": SMALL, "transform": ax.get_yaxis_transform()}
        ax.text(-0.03, y, _fitted(label), ha="right", fontweight=weighty, **style)
        ax.text(1.02, y, _words(weight, names, RIGHT - 0.25), fontweight=weighty, **style)
    ax.set(xlim=(-edge, edge), ylim=(len(rows) - 0.4, -0.6), yticks=[], xlabel="log odds")
    ax.locator_params(axis="x", nbins=6)
    ax.spines["left"].set_visible(False)


def _heads(fig, names):
    """Over the bars, at each side the class that they speak for."""
    width, height = fig.get_size_inches()
    middle = (LEFT + width - RIGHT) / 2
    y, room = 1 - 0.2 / height, (width - LEFT - RIGHT) / 2 - 0.2
    style = {"va": "center", "fontsize": SMALL}
    left, right = shorten(f"← for {names[1]}", room), shorten(f"for {names[0]} →", room)
    fig.text((middle - 0.1) / width, y, left, ha="right", **style)
    fig.text((middle + 0.1) / width, y, right, ha="left", **style)


def _words(weight, names, inches=np.inf):
    """A log odds as a factor of the odds; where a class's name is too long, an arrow for it."""
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
    return plain(whole) if fits else f"{number} {'→' if first else '←'}"


def _sentence(rows, first, second, proba, gone):
    told = [f"{label} {_words(weight, [first, second])}" for label, weight in rows[1:-1]]
    absent = f" {gone} without a known value take no part." if gone else ""
    largest = max(proba.values())
    return (
        f"Odds of {first} against {second}: prior {_words(rows[0][1], [first, second])}; "
        f"{some(told, 6)}. Together {_words(rows[-1][1], [first, second])}, "
        f"P({first}) = {largest:.3f}.{absent}"
    )
