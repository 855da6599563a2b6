"""A count table as shaded cells, and the impurity of nodes with two classes."""

import numpy as np

from ranktrees.criteria import IMPURITIES
from ranktrees.teach.plot.parts import canvas, key, rectangles, spread, write
from ranktrees.teach.plot.picture import Picture, axes, picture
from ranktrees.teach.plot.style import COLOURS, DASHES, cut, some, text_width

ROW, NAME, MOST = 0.28, 2.0, 40  # inches of a row, of a name; rows drawn
WIDTH, HEIGHT = 6.0, 3.9  # inches of the curves, the nodes' names above them included
NAMES = {"entropy": "entropy (bits)", "gini": "Gini index", "dkm": "DKM"}
STEPS = 200


def table(n, rows=None, classes=None, figure=None) -> Picture:
    """A count table (V, C), value x class, with margins; the darker a cell the larger its share.

    `rows` names the V values, `classes` the C classes. Beyond 40 rows the rarest values are added
    up. Raises ValueError for counts that are no such table, or names that do not fit it.
    """
    n = np.asarray(n)
    if n.ndim != 2 or not n.size:
        raise ValueError(f"a count table has two axes, value x class, but n has shape {n.shape}")
    if not (n >= 0).all():
        raise ValueError("counts cannot be negative or missing")
    rows = _names("rows", rows, n.shape[0], "value")
    classes = _names("classes", classes, n.shape[1], "class")
    shown, labels = joined(n, rows, MOST)
    full, total = np.column_stack([shown, shown.sum(axis=1)]), n.sum()
    words = [["", *classes, "cases"]]
    for name, counts in zip([*labels, "all"], [*full, full.sum(axis=0)], strict=True):
        words.append([name, *(_number(count, total) for count in counts)])
    columns = zip(*words, strict=True)
    widths = [max(text_width(cut(word, NAME), bold=True) for word in c) for c in columns]
    edges = np.cumsum([0.05, widths[0] + 0.2, *np.maximum(np.add(widths[1:], 0.2), 0.75)])
    fig = picture(figure, (edges[-1] + 0.15, ROW * len(words) + 0.16))
    ax = canvas(fig, 0, 0, *fig.get_size_inches())
    share = shown / np.maximum(shown.sum(axis=1, keepdims=True), 1)
    colour = 1 - share.reshape(-1, 1) * (1 - np.array([0.45, 0.70, 0.87]))
    top, style = ROW * (np.arange(len(shown))[:, None] + 1.3), {"edgecolors": "white", "lw": 1.5}
    rectangles(ax, edges[1:-2], top, edges[2:-1], top + ROW, facecolors=colour, **style)
    middle = (edges[:-1] + edges[1:]) / 2
    for (r, c), word in np.ndenumerate(words):
        bold = r in (0, len(words) - 1) or c == len(classes) + 1
        style = {"ha": "center" if c else "right", "fontweight": "bold" if bold else "normal"}
        write(ax, middle[c] if c else edges[1] - 0.1, ROW * (r + 0.8), word, NAME, **style)
    parts = []
    for name, counts in zip(rows[:6], n, strict=False):
        words = some([f"{_number(k, total)} {c}" for k, c in zip(counts, classes, strict=True)])
        parts.append(f"{name}: {words}")
    more = f"; and {len(rows) - 6} more values" if len(rows) > 6 else ""
    size = f"{_number(total, total)} {'case' if total == 1 else 'cases'}"
    fig.alt = f"Count table of {size}: {'; '.join(parts)}{more}."
    return fig


def _names(what, names, size, word):
    names = [f"{word} {i}" for i in range(size)] if names is None else [str(x) for x in names]
    if len(names) != size:
        raise ValueError(f"{what} names {len(names)}, but the table has {size}")
    return names


def joined(table, names, most) -> tuple[np.ndarray, list[str]]:
    """A count table of at most so many rows and their names; the rarest are added up."""
    if len(table) <= most:
        return table, names
    common = np.sort(np.argsort(-table.sum(axis=1), kind="stable")[: most - 1])
    rest = table.sum(axis=0) - table[common].sum(axis=0)
    shown = [names[v] for v in common]
    return np.vstack([table[common], rest]), [*shown, f"{len(table) - most + 1} others"]


def _number(count, total):
    """A count in full, a fraction short; with 100,000 cases or more the digits are in groups."""
    group = "," if total >= 100_000 else ""
    if not float(count).is_integer():
        return f"{count:{group}.1f}" if count >= 100_000 else f"{count:g}"
    return f"{count:{group}.0f}"


def impurity(points=None, figure=None) -> Picture:
    """Three impurities against the share p of the first class, and Gini doubled as a thin line.

    Each has its maximum at p = 1/2; scaled to the same maximum, Gini lies between the others.
    `points` {label: (n1, n2)} marks nodes by their class counts. Raises ValueError for counts that
    are negative, both 0 or not two.
    """
    marks = {str(label): _pair(label, n) for label, n in (points or {}).items()}
    fig = picture(figure, (WIDTH, HEIGHT))
    ax = axes(fig, 0.75, 0.5, -0.2, -0.3)
    ax.set(xlim=(0, 1), ylim=(0, 1.05), ylabel="impurity")
    ax.set_xlabel("p, the share of the first class in the node")
    first, entries = np.arange(STEPS + 1), []
    for (name, measure), dashes in zip(IMPURITIES.items(), DASHES, strict=False):
        value = measure(np.stack([first, STEPS - first], axis=1))
        factor = round(1 / float(value.max()), 9)
        style = {"color": COLOURS[name], "ls": dashes}
        lines = [(NAMES[name], 1, 2)]
        if factor != 1:
            lines.append((f"{factor:g} × {NAMES[name]}", factor, 0.9))
        for words, scale, width in lines:
            ax.plot(first / STEPS, scale * value, label=words, lw=width, **style)
            entries.append((words, {**style, "lw": width}))
    key(fig, 2.4, 1.45, entries, 2.0)
    places = {label: n[0] / n.sum() for label, n in marks.items()}
    for n, p in zip(marks.values(), places.values(), strict=True):
        ax.axvline(p, color=COLOURS["parent"], lw=0.8, ls=":")
        for name, measure in IMPURITIES.items():
            ax.plot([p], [float(measure(n))], "o", ms=5, color=COLOURS[name], clip_on=False)
    _mark_names(fig, places)
    fig.alt = (
        "Entropy, Gini index and DKM of a node with two classes are 0 when it is pure and largest, "
        "1 bit, 0.5 and 1, when both classes are equally frequent."
    )
    for label, n in marks.items():
        values = [f"{NAMES[k].split(' (')[0]} {float(m(n)):.3f}" for k, m in IMPURITIES.items()]
        counts = f"({n[0]:g}, {n[1]:g})"
        name = counts if label == counts else f"{label} {counts}"
        fig.alt += f" {name}: {', '.join(values)}."
    return fig


def _pair(label, n):
    n = np.asarray(n, dtype=float)
    if n.shape != (2,) or not (n >= 0).all() or not n.sum() > 0:
        raise ValueError(f"point {label!r} must be two class counts, at least one above 0: not {n}")
    return n


def _mark_names(fig, places):
    """The nodes' names above their lines, as near as the others let them."""
    room = (WIDTH - 0.2) / max(len(places), 1) - 0.1
    names = {name: cut(name, room) for name in sorted(places, key=places.get)}
    half = np.array([text_width(name) / 2 for name in names.values()])
    wish = [0.75 + places[name] * (WIDTH - 0.95) for name in names]
    x = spread(wish, half[:-1] + half[1:] + 0.08)
    x -= max([0.0, *(x[-1:] + half[-1:] - WIDTH + 0.05)])
    for middle, name in zip(x, names.values(), strict=True):
        write(fig, middle, HEIGHT - 0.15, name, ha="center")
