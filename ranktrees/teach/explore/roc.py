"""Explore a threshold: where it lies on the ROC curve, and what it costs."""

import html

import ipywidgets as widgets
import numpy as np

from ranktrees import plot
from ranktrees.teach.explore.base import Explorer, table_html
from ranktrees.teach.plot.inputs import scored
from ranktrees.teach.plot.operating import Operating
from ranktrees.teach.plot.picture import Picture


def roc(y, score, positive=None):
    """An explorer of thresholds: its point on the ROC curve, confusion matrix, costs.

    `y` (n,) classes, `score` (n,) of the class `positive` (default the last). Sliders: the
    threshold, how many false alarms a miss costs, and the share of positive cases where the model
    will be used.
    """
    return RocExplorer(y, score, positive)


class RocExplorer(Explorer):
    """The widget behind `rt.explore.roc`."""

    def __init__(self, y, score, positive=None):
        self.hits, scores, self.positive = scored(y, score, positive)
        self.score, self.figure = scores["model"], Picture()
        self.y = np.where(self.hits, self.positive, f"not {self.positive}")
        low, high = float(self.score.min()), float(self.score.max())
        step = 0.01 if low >= 0 and high <= 1 else (high - low) / 100 or 1.0
        low, high = (0.0, 1.0) if step == 0.01 else (low, high + step)
        share = round(100 * float(self.hits.mean()))
        controls = {
            "threshold": widgets.FloatSlider(
                value=(low + high) / 2, min=low, max=high, step=step, description="threshold"
            ),
            "miss": widgets.SelectionSlider(
                options=[0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100], value=1, description="miss costs"
            ),
            "share": widgets.IntSlider(
                value=min(99, max(1, share)), min=1, max=99, description="positive %"
            ),
        }
        super().__init__(controls)

    def points(self, threshold, miss, share) -> Operating:
        """The curve's corners and their costs at these settings; `share` in per cent."""
        return Operating.of(self.hits, self.score, threshold, miss, share / 100)

    def draw(self, threshold, miss, share):
        """The curve with this threshold, and the thresholds compared."""
        picture = plot.operating(
            self.y,
            self.score,
            threshold=threshold,
            miss=miss,
            share=share / 100,
            positive=self.positive,
            figure=self.figure,
        )
        points = self.points(threshold, miss, share)
        rows = [
            self._row(name, points, place)
            for name, place in (
                ("this threshold", points.here),
                ("the cheapest", points.best),
                ("call nobody", 0),
                ("call everybody", len(points.cost) - 1),
            )
        ]
        head = ["", "from score", "true positive rate", "false positive rate", "cost of a case"]
        return picture, f"<p>{html.escape(picture.alt)}</p>" + table_html(head, rows, bold=0)

    def _row(self, name, points, place):
        numbers = points.tpr[place], points.fpr[place], points.cost[place]
        rates = [f"{numbers[0]:.1%}", f"{numbers[1]:.1%}", f"{numbers[2]:.3f}"]
        return [name, f"{points.threshold[place]:.3f}", *rates]
