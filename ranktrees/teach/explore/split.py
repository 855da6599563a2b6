"""Explore one split: choose the attribute, the threshold and the criterion."""

import html
import math
from functools import cache

import ipywidgets as widgets
import numpy as np

from ranktrees import plot
from ranktrees.arguments import choose
from ranktrees.bins import exact
from ranktrees.columns import read_columns
from ranktrees.count import tally
from ranktrees.criteria import CRITERIA
from ranktrees.labels import read_classes
from ranktrees.schema import number
from ranktrees.split import cut_tables, subset
from ranktrees.teach.explore.base import Explorer, table_html
from ranktrees.teach.plot.inputs import unknown
from ranktrees.teach.plot.picture import Picture


def split(data, attribute: str | None = None, criterion: str = "information_gain"):
    """An explorer of all splits of a data set's root: attribute, threshold, criterion.

    It shows the table, the children, every criterion's score and where each would cut. Numbers and
    ordered attributes are cut in two; a nominal attribute has a branch a value.
    """
    return SplitExplorer(data, attribute, criterion)


class SplitExplorer(Explorer):
    """The widget behind `rt.explore.split`."""

    def __init__(self, data, attribute=None, criterion="information_gain"):
        self.data, self.figure = data, Picture()
        self.columns = {column.name: column for column in read_columns(data.X)}
        self.y, self.classes = read_classes(data.y)
        names = list(self.columns)
        choose("criterion", criterion, CRITERIA)
        start = attribute if attribute is not None else names[0]
        if start not in self.columns:
            raise unknown("attribute", start, names)
        self.cut_tables, self.best_cut = cache(self._cut_tables), cache(self._best_cut)
        controls = {
            "attribute": widgets.Dropdown(options=names, value=start, description="attribute"),
            "threshold": widgets.FloatSlider(description="threshold"),
            "criterion": widgets.Dropdown(
                options=list(CRITERIA), value=criterion, description="criterion"
            ),
        }
        self._fit_slider(controls["threshold"], start, criterion)
        super().__init__(controls)

    def _changed(self, change):
        if change["owner"] is self.controls["attribute"]:
            with self.controls["threshold"].hold_trait_notifications():
                self.controls["threshold"].unobserve(self._changed, names="value")
                self._fit_slider(
                    self.controls["threshold"], change["new"], self.controls["criterion"].value
                )
            self.controls["threshold"].observe(self._changed, names="value")
        super()._changed(change)

    def _fit_slider(self, slider, attribute, criterion):
        """Let the slider span the attribute's cuts, starting at the criterion's best one."""
        slider.disabled = self.columns[attribute].kind == "nominal"
        if slider.disabled:
            return
        cuts, _ = self.cut_tables(attribute)
        if not len(cuts) or not (step := _nice_step(cuts)):
            slider.disabled = True
            return
        low, high = math.floor(cuts[0] / step) * step, math.ceil(cuts[-1] / step) * step
        bounds = [("max", high), ("min", low)]  # the new span must never be an empty one
        for bound, value in bounds if low > slider.max else reversed(bounds):
            setattr(slider, bound, value)
        slider.step = step
        slider.readout_format = f".{max(0, 1 - math.floor(math.log10(step)))}f"
        best = self.best_cut(attribute, criterion)
        slider.value = cuts[0] if best is None else best[0]

    def _cut_tables(self, attribute):
        """All cuts (K,) between neighbouring values, and their tables (K, 2, C)."""
        column = self.columns[attribute]
        known = ~column.missing
        if not known.any():
            return np.zeros(0), np.zeros((0, 2, len(self.classes)), np.int64)
        values, code = np.unique(column.values[known].astype(float), return_inverse=True)
        counts = tally((len(values), len(self.classes)), code, self.y[known])
        return exact(values), cut_tables(counts)

    def _best_cut(self, attribute, criterion):
        """The best cut and its score, which no threshold changes; None where there is none."""
        cuts, tables = self.cut_tables(attribute)
        if not len(cuts) or (scores := _score(criterion, tables)) is None:
            return None
        best = int(np.argmax(scores))
        return float(cuts[best]), float(scores[best])

    def draw(self, attribute, threshold, criterion):
        """Picture and words for one split; within half a step of the best cut, that is taken."""
        column = self.columns[attribute]
        threshold = self._snap(attribute, threshold, criterion)
        known, nominal = ~column.missing, column.kind == "nominal"
        if not known.any() or not _drawable(column.values[known]):
            return self._nothing(attribute)
        uncut = nominal or not len(self.cut_tables(attribute)[0])
        picture = plot.split(
            self.data,
            attribute,
            threshold=None if uncut else threshold,
            criterion=criterion,
            figure=self.figure,
        )
        if nominal:
            code, labels = column.values[known], [f"= {v}" for v in column.categories]
        else:
            code = (column.values[known] > threshold).astype(int)
            labels = [f"<= {self._show(column, threshold)}", f"> {self._show(column, threshold)}"]
        table = tally((len(labels), len(self.classes)), code, self.y[known])
        children = table_html(
            [attribute, *map(str, self.classes), "cases"],
            [
                [label, *map(str, row), str(row.sum())]
                for label, row in zip(labels, table, strict=True)
            ],
        )
        scores = table_html(
            ["criterion", "score here", "its best cut", "score there"],
            [self._scores(name, attribute, table) for name in CRITERIA],
            bold=list(CRITERIA).index(criterion),
        )
        gap = "</div><div style='margin-left:2em'>"
        words = f"<p>{html.escape(picture.alt)}</p><div style='display:flex'><div>"
        return picture, f"{words}{children}{gap}{scores}</div></div>"

    def _nothing(self, attribute):
        blank = plot.picture(self.figure, (4.0, 0.4))
        blank.alt = f"The values of {attribute} are missing or too far apart: nothing can be drawn."
        return blank, f"<p>{html.escape(blank.alt)}</p>"

    def _snap(self, attribute, threshold, criterion):
        if self.columns[attribute].kind == "nominal":
            return threshold
        best, (cuts, _) = self.best_cut(attribute, criterion), self.cut_tables(attribute)
        if best is None or abs(best[0] - threshold) >= _nice_step(cuts) / 2:
            return threshold
        return best[0]

    def _scores(self, name, attribute, table):
        """One line of the table of criteria."""
        column, here = self.columns[attribute], _score(name, table)
        shown = "-" if here is None else f"{float(here):.3g}"
        if column.kind != "nominal":
            best = self.best_cut(attribute, name)
            if best is None:
                any_cut = len(self.cut_tables(attribute)[0])
                return [name, shown, "two classes only" if any_cut else "nothing to cut", ""]
            return [name, shown, f"<= {self._show(column, best[0])}", f"{best[1]:.3g}"]
        if _score(name, table[:2]) is None:
            return [name, "-", "two classes only", ""]
        score, branch = subset(table, CRITERIA[name])
        side = [str(v) for v, b in zip(column.categories, branch, strict=True) if b == 0]
        return [name, shown, "{" + ", ".join(side) + "} | rest", f"{float(score):.3g}"]

    def _show(self, column, cut):
        if column.kind == "ordinal":
            return str(column.categories[min(int(cut), len(column.categories) - 1)])
        return number(cut)


def _score(name, tables):
    """A criterion's scores, or None where it does not take such tables."""
    try:
        return CRITERIA[name](tables)
    except ValueError:
        return None


def _drawable(values):
    with np.errstate(over="ignore"):
        return bool(np.isfinite(np.ptp(values)))


def _nice_step(cuts):
    """A step of 1, 2 or 5 times a power of ten, about a fiftieth of the cuts' span; 0 for none."""
    if not _drawable(cuts):
        return 0.0
    span = float(cuts[-1] - cuts[0]) or abs(float(cuts[0])) or 1.0
    if not span / 50 > np.finfo(float).tiny:
        return 0.0
    power = 10.0 ** math.floor(math.log10(span / 50))
    return min((m * power for m in (1, 2, 5, 10)), key=lambda s: abs(s - span / 50))
