"""What naive Bayes believes about one attribute: P(value | class), and what it makes of a case."""

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from ranktrees.teach.plot.inputs import unknown
from ranktrees.teach.plot.legend import class_legend, legend_height
from ranktrees.teach.plot.picture import Picture, axes, picture, title
from ranktrees.teach.plot.style import BLACK, SMALL, class_colours, ink, shorten

BAR, SPACE = 0.17, 0.16  # inches: a bar, and the space between two values
BARS, CLASSES = 24, 6  # drawn at most, however many values there are
WIDTH, LEFT, RIGHT = 7.5, 1.9, 0.65


def conditionals(model, attribute, value=None, posteriors=None, figure=None) -> Picture:
    """P(value | class) as bars, the raw shares as black lines; the posterior of a case below.

    `model` a fitted `NaiveBayes`, `attribute` one with a table. `value` (a row of the table) is
    marked. `posteriors` {name: (C,)} are drawn as bars of class probabilities. Of more than six
    classes, and of more values than make 24 bars, the most frequent are drawn. Raises ValueError
    for an unknown attribute or value, or a Gaussian attribute.
    """
    estimate, raw, many = _tables(model, attribute)
    if value is not None and value not in estimate.index:
        raise unknown("value", value, estimate.index)
    keep = None if value is None else estimate.index.get_loc(value)
    classes = _common(model.class_count_, CLASSES)
    shown = _common(many.sum(axis=1), BARS // len(classes), keep)
    names, colours = [str(c) for c in estimate.columns], class_colours(estimate.shape[1])
    posteriors = dict(posteriors or {})
    group = BAR * len(classes) + SPACE
    below = 0.32 * len(posteriors) + (0.75 if posteriors else 0)
    top = legend_height(names, WIDTH, LEFT) + 0.28
    fig = picture(figure, (WIDTH, top + group * len(shown) + 0.55 + below))
    ax = axes(fig, LEFT, below + 0.55, -RIGHT, -top)
    _bars(ax, estimate.iloc[shown, classes], raw.iloc[shown, classes], value, colours, classes)
    title(ax, _title(attribute, len(shown), len(estimate)))
    if posteriors:
        _posteriors(axes(fig, LEFT, 0.1, -RIGHT, below - 0.3), posteriors, colours)
    class_legend(fig, names, colours, LEFT)
    fig.alt = _sentence(attribute, estimate, raw, shown, classes, value, posteriors)
    return fig


def _title(attribute, shown, all_values):
    few = "" if shown == all_values else f", {shown} of {all_values} values"
    return f"P({shorten(attribute, 2.5)} | class){few}; black lines: plain shares"


def _tables(model, attribute):
    """Smoothed and raw P(value | class), and counts, all (V, C), the rows named by text."""
    estimate = model.conditional(attribute)
    at = [info.name for info in model.schema_].index(attribute)
    if model.gaussian_[at]:
        raise ValueError(f"{attribute!r} is Gaussian: its density has no table of values")
    raw = model.with_smoothing("none").conditional(attribute)
    estimate.index = raw.index = [str(v) for v in estimate.index]
    k = int(np.count_nonzero(~model.gaussian_[:at]))
    return estimate, raw, model.counts_[model.offsets_[k] : model.offsets_[k + 1]]


def _common(counts, most, keep=None):
    """Places of the most frequent, and of the one to keep, in their order."""
    counts = np.array(counts, float)
    if keep is not None:
        counts[keep] = np.inf
    return np.sort(np.argsort(-counts, kind="stable")[:most])


def _bars(ax, estimate, raw, value, colours, classes):
    V, C = estimate.shape
    group = BAR * C + SPACE
    y = (np.arange(V)[:, None] * group + (np.arange(C) + 0.5) * BAR).ravel()
    p, share = estimate.to_numpy().ravel(), raw.to_numpy().ravel()
    fill = np.tile(np.array(colours)[classes], V)
    half = BAR * 0.43
    corners = np.array([[0 * p, y - half], [p, y - half], [p, y + half], [0 * p, y + half]])
    ax.add_collection(PolyCollection(corners.transpose(2, 0, 1), facecolors=fill))
    ends = np.array([[share, y - BAR / 2], [share, y + BAR / 2]]).transpose(2, 0, 1)
    ax.add_collection(LineCollection(ends, colors=BLACK, lw=2, zorder=3, clip_on=False))
    side = {"transform": ax.get_yaxis_transform(), "fontsize": SMALL, "va": "center_baseline"}
    for at, number in zip(y, p, strict=True):
        ax.text(1.02, at, f"{number:.3f}", **side)
    for v, name in enumerate(estimate.index):
        chosen = name == value
        label = ("▸ " if chosen else "") + shorten(name, LEFT - 0.4)
        style = {"ha": "right", "fontweight": "bold" if chosen else "normal", **side}
        ax.text(-0.015, v * group + BAR * C / 2, label, **style)
    ax.set(xlim=(0, 1), ylim=(V * group - SPACE / 2, -SPACE / 2), yticks=[])
    ax.set_xlabel("probability", labelpad=1)


def _posteriors(ax, posteriors, colours):
    for y, (name, proba) in enumerate(posteriors.items()):
        left = 0.0
        for c, p in enumerate(proba):
            ax.barh(y, p, left=left, height=0.7, color=colours[c])
            if p > 0.09:
                style = {"ha": "center", "va": "center_baseline", "fontsize": SMALL}
                ax.text(left + p / 2, y, f"{p:.3f}", color=ink(colours[c]), **style)
            left += p
        style = {"ha": "right", "va": "center", "fontsize": SMALL}
        label = shorten(name, LEFT - 0.2)
        ax.text(-0.015, y, label, transform=ax.get_yaxis_transform(), **style)
    ax.set(xlim=(0, 1), ylim=(len(posteriors) - 0.5, -0.5))
    ax.set_axis_off()
    title(ax, "P(class | case)")


def _sentence(attribute, estimate, raw, shown, classes, value, posteriors):
    rows = shown[:6] if value is None else [estimate.index.get_loc(value)]
    told = []
    for v in rows:
        words = ", ".join(
            f"{estimate.columns[c]} {estimate.iat[v, c]:.3f} (share {raw.iat[v, c]:.3f})"
            for c in classes
        )
        told.append(f"{estimate.index[v]}: {words}")
    text = f"P({attribute} | class): {'; '.join(told)}."
    for name, proba in posteriors.items():
        best = int(np.argmax(proba))
        text += f" With {name}, P({estimate.columns[best]}) of the case is {proba[best]:.3f}."
    return text
