"""Evidence for or against a paper's claims: its printed figures, and what was measured."""

from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from ranktrees_engine.evaluate.results import Results, paired_test
from ranktrees_lab.papers.files import fold_grids
from ranktrees_lab.papers.paper import ALL, PUBLISHED, SIZES, Paper
from ranktrees_lab.papers.wins import verdict


class NotMeasuredError(LookupError):
    """No results are stored for a claim."""


class Compared(NamedTuple):
    """Method a against b: wins/ties/losses over `sets`, mean difference, Wilcoxon's p and side."""

    counts: tuple[int, int, int]
    difference: float
    p: float
    side: int
    sets: int


class Evidence:
    """Printed and measured figures of a paper, in its units; names of measures as printed.

    `frame` of `read_results`; `test`: the one of `wins.TESTS` that stands for the paper's own.
    """

    def __init__(self, frame: pd.DataFrame, paper: Paper, test: str):
        self.paper, self.test, self.grids = paper, test, fold_grids(frame)
        self.honest = {method.name: method.honest for method in paper.methods}
        self.compare = cache(self._compare)
        self.counted = {}
        for e in paper.wins.itertuples(index=False):
            a, b = self.named(e)
            self.counted[a, b, e.measure, e.group] = e.wins, e.ties, e.losses
            self.counted[b, a, e.measure, e.group] = e.losses, e.ties, e.wins

    def named(self, entry) -> tuple[str, str]:
        """Return the methods of a printed entry, with swapped labels corrected."""
        names = self.paper.swapped.get((entry.table, entry.row), {})
        return tuple(names.get(name, name) for name in (entry.row, entry.column))

    def measured(self, method: str, measure="auc", group=ALL, honest=True) -> dict:
        """Return {data set: values (runs, folds)} of the honest or the published reading."""
        name = {printed: name for name, (printed, _) in self.paper.protocol.printed.items()}
        reading = self.honest.get(method, PUBLISHED) if honest else PUBLISHED
        keys = {s: (s, method, reading, name.get(measure, measure)) for s in self._sets(group)}
        grids = {
            s: self.factor(measure) * self.grids[k] for s, k in keys.items() if k in self.grids
        }
        if not grids:
            raise NotMeasuredError(f"{method}, {measure}")
        return grids

    def factor(self, measure: str) -> float:
        """Return the paper's unit of a measure over the unit of the results."""
        return dict(self.paper.protocol.printed.values()).get(measure, 1)

    def _sets(self, group):
        return self.paper.all_groups.get(group, (group,))

    def means(self, *which, **more) -> pd.Series:
        """Return the mean over runs and folds of each data set; arguments of `measured`."""
        return pd.Series({s: np.nanmean(grid) for s, grid in self.measured(*which, **more).items()})

    def cells(self, method: str, measure="auc", group=ALL) -> pd.Series:
        """Return the printed cells of a method by data set; if none, the printed mean by group."""
        cells = self.paper.cells.query("method == @method and measure == @measure")
        cells = cells[cells["table"] != "text"].set_index("dataset")["value"]
        sets = cells[cells.index.isin(self._sets(group))]
        return cells[cells.index == group] if sets.empty else sets

    def text(self, value: float, measure: str, sign: str = "") -> str:
        """Format a figure with the digits of its unit."""
        digits = 0 if measure in SIZES else 2 if self.factor(measure) == 100 else 4
        return f"{value:{sign}.{digits}f}"

    def _compare(self, a, b, measure="auc", group=ALL, honest=True, test="corrected"):
        """Return `Compared`, where larger means better: errors and tree sizes change sign."""
        x, y = (self.measured(name, measure, group, honest) for name in (a, b))
        pairs = [(x[name], y[name]) for name in x if name in y]
        inner = {printed: name for name, (printed, _) in self.paper.protocol.printed.items()}
        if measure in SIZES or not Results.larger_is_better(inner.get(measure, measure)):
            pairs = [(after, before) for before, after in pairs]
        signs = [verdict(*pair, self.paper.protocol.k, test) for pair in pairs]
        means = np.array([[np.nanmean(grid) for grid in pair] for pair in pairs])
        counts = tuple(signs.count(sign) for sign in (1, 0, -1))
        result, side = paired_test("wilcoxon", *means.T, 0) if len(means) > 1 else (None, 0)
        p = 1.0 if result is None else result.p
        return Compared(counts, np.subtract(*means.T).mean(), p, int(side), len(pairs))
