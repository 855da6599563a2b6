"""Explore smoothing: what imagined cases do to P(value | class), and to one prediction."""

import html

import ipywidgets as widgets
import numpy as np

from ranktrees import plot
from ranktrees.arguments import choose
from ranktrees.bayes import NaiveBayes
from ranktrees.bayes.inputs import labels
from ranktrees.encode import Codes
from ranktrees.teach.explore.base import Explorer, table_html
from ranktrees.teach.plot.inputs import unknown
from ranktrees.teach.plot.picture import Picture

NAMES = {"none": "plain shares", "laplace": "Laplace", "m": "m-estimate"}
MOST = 12  # rows of the table of words


def smoothing(data, attribute: str | None = None, case=0, smoothing: str = "laplace"):
    """An explorer of naive Bayes on a data set: attribute, its value, and the smoothing.

    `case`: the number of a row, or a row as for `NaiveBayes.explain`; its `attribute` takes the
    value chosen, all its other values stay. Numbers are binned.
    """
    return SmoothingExplorer(data, attribute, case, smoothing)


class SmoothingExplorer(Explorer):
    """The widget behind `rt.explore.smoothing`."""

    def __init__(self, data, attribute=None, case=0, smoothing="laplace"):
        choose("smoothing", smoothing, NAMES)
        self.figure = Picture()
        self.model = NaiveBayes().fit(data.X, data.y)
        self.values = {info.name: [str(v) for v in labels(info)] for info in self.model.schema_}
        start = attribute if attribute is not None else next(iter(self.values))
        if start not in self.values:
            raise unknown("attribute", start, self.values)
        self.case = self._codes(data.X, case)
        super().__init__(
            {
                "attribute": widgets.Dropdown(
                    options=list(self.values), value=start, description="attribute"
                ),
                "value": widgets.Dropdown(
                    options=self.values[start], value=self._own(start), description="value"
                ),
                "smoothing": widgets.Dropdown(
                    options=list(NAMES), value=smoothing, description="smoothing"
                ),
                "m": widgets.FloatSlider(min=0, max=50, step=0.5, value=3, description="m"),
            }
        )
        self.controls["m"].disabled = smoothing != "m"

    def _codes(self, X, case):
        """The case as codes (1, A)."""
        from ranktrees.explain import one_case

        if isinstance(case, int | np.integer):
            if not 0 <= case < len(X):
                raise ValueError(f"case must be one of the rows 0 to {len(X) - 1}, not {case}")
            case = X.iloc[[case]]
        values, _ = self.model._read(one_case(self.model, case))
        return values

    def _own(self, attribute):
        """The case's own value of an attribute, the first one where that is missing."""
        code = int(self.case[0, list(self.values).index(attribute)])
        return self.values[attribute][max(code, 0)]

    def _changed(self, change):
        control = self.controls
        if change["owner"] is control["attribute"]:
            control["value"].unobserve(self._changed, names="value")
            control["value"].options = self.values[change["new"]]
            control["value"].value = self._own(change["new"])
            control["value"].observe(self._changed, names="value")
        control["m"].disabled = control["smoothing"].value != "m"
        super()._changed(change)

    def posterior(self, attribute, value, smoothing, m=0.0) -> np.ndarray:
        """P(class | case) (C,) where the case has this value of the attribute."""
        codes = self.case.copy()
        codes[0, list(self.values).index(attribute)] = self.values[attribute].index(value)
        model = self.model.with_smoothing(smoothing, m)
        return model.predict_proba(Codes(codes, self.model.schema_))[0]

    def draw(self, attribute, value, smoothing, m):
        """Bars of the estimates and of the posterior; a value of another attribute is replaced."""
        if value not in self.values[attribute]:
            value = self._own(attribute)
        model = self.model.with_smoothing(smoothing, m)
        name = f"m = {m:g}" if smoothing == "m" else NAMES[smoothing]
        posteriors = {NAMES["none"]: self.posterior(attribute, value, "none")}
        if smoothing != "none":
            posteriors[name] = self.posterior(attribute, value, smoothing, m)
        picture = plot.conditionals(model, attribute, value, posteriors, self.figure)
        words = f"<p>{html.escape(picture.alt)}</p>" + self._table(attribute, value, smoothing, m)
        return picture, words

    def _table(self, attribute, value, smoothing, m):
        """The chosen value's counts, how many cases are imagined, and the estimate, by class."""
        model, v = self.model, self.values[attribute].index(value)
        at = list(self.values).index(attribute)
        counts = model.counts_[model.offsets_[at] : model.offsets_[at + 1]]
        size = len(counts)
        added = {"none": 0.0, "laplace": 1.0, "m": m / size}[smoothing]
        p = model.with_smoothing(smoothing, m).conditional(attribute).to_numpy()
        rows = []
        for c, name in list(enumerate(model.classes_))[:MOST]:
            top, below = f"{counts[v, c]} + {added:.3g}", f"{counts[:, c].sum()} + {size * added:g}"
            rows.append([str(name), f"({top}) / ({below})", f"{p[v, c]:.3f}"])
        return table_html(["class", f"P({attribute} = {value} | class)", "estimate"], rows)
