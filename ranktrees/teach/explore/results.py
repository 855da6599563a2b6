"""Explore the kept results: two methods of a paper on one data set, fold by fold."""

import html

import ipywidgets as widgets
import numpy as np

from ranktrees import plot
from ranktrees.arguments import choose
from ranktrees.papers import PAPERS, cell_table, fold_grids, stored_papers, verdict
from ranktrees.papers import results as kept
from ranktrees.papers.paper import HONEST, PUBLISHED
from ranktrees.papers.wins import TESTS
from ranktrees.teach.explore.base import Explorer, table_html
from ranktrees.teach.plot.picture import Picture

READINGS = (PUBLISHED, HONEST)
SIGNS = {1: "higher", -1: "lower", 0: "no difference"}


def results(paper: str | None = None):
    """An explorer of the results that are kept with the project, starting with `paper`.

    Choose a paper, a data set, two methods, a test, and the reading: the values of both methods in
    every fold, their difference, what each test says of it, and the published cells beside.
    """
    return ResultsExplorer(paper)


class ResultsExplorer(Explorer):
    """The widget behind `rt.explore.results`."""

    def __init__(self, paper=None):
        names = stored_papers()
        paper = names[0] if paper is None else paper
        choose("paper", paper, names)
        self.kept, self.figure, self._filling = {}, Picture(), False
        for name in names:  # now, so that no move has to wait for a file
            self._of(name)
        methods = self._methods(paper)
        controls = {
            "paper": widgets.Dropdown(options=names, value=paper, description="paper"),
            "dataset": widgets.Dropdown(options=self._datasets(paper), description="data set"),
            "a": widgets.Dropdown(options=methods, value=methods[0], description="method"),
            "b": widgets.Dropdown(options=methods, value=methods[1], description="against"),
            "test": widgets.Dropdown(options=TESTS, value="corrected", description="test"),
            "reading": widgets.Dropdown(options=READINGS, description="reading"),
        }
        super().__init__(controls)

    def _of(self, paper):
        """Folds and published cells of a paper, read when it is first chosen."""
        if paper not in self.kept:
            _, frame = kept(paper)
            cells = cell_table(frame, PAPERS[paper]).set_index(["measure", "dataset", "method"])
            self.kept[paper] = fold_grids(frame), cells["published"].to_dict()
        return self.kept[paper]

    def _methods(self, paper):
        return [method.name for method in PAPERS[paper].methods if method.datasets is None]

    def _datasets(self, paper):
        known = {key[0] for key in self._of(paper)[0]}
        return [name for name in PAPERS[paper].datasets if name in known]

    def folds(self, paper, dataset, method, reading):
        """Values (runs, folds) of a method in the paper's own measure and unit.

        The reading "honest" is that of a method which has it; others have one reading only.
        """
        choose("data set", dataset, self._datasets(paper))
        choose("method", method, self._methods(paper))
        choose("reading", reading, READINGS)
        (mine,) = PAPERS[paper].chosen([method])
        measure, _, factor = self._measure(paper)
        reading = mine.honest if reading == HONEST else PUBLISHED
        return factor * self._of(paper)[0][dataset, method, reading, measure]

    def _measure(self, paper):
        """The paper's first measure: our name, its name, the factor between the two."""
        protocol = PAPERS[paper].protocol
        own = protocol.measures[0]
        return own, *protocol.printed[own]

    def published(self, paper, dataset, method) -> float | None:
        """The printed cell, or None."""
        _, printed, _ = self._measure(paper)
        value = self._of(paper)[1].get((printed, dataset, method))
        return None if value is None or value != value else float(value)

    def draw(self, paper, dataset, a, b, test, reading):
        """The differences in the folds, both methods' cells, and the verdicts of all tests."""
        x, y = (self.folds(paper, dataset, method, reading) for method in (a, b))
        printed = [self.published(paper, dataset, method) for method in (a, b)]
        mark = None if None in printed else printed[0] - printed[1]
        picture = plot.duel(x, y, (a, b), test, mark=mark, figure=self.figure)
        rows = [
            [name, f"{np.nanmean(values):.3f}", "" if cell is None else f"{cell:g}"]
            for name, values, cell in ((a, x, printed[0]), (b, y, printed[1]))
        ]
        cells = table_html([f"{self._measure(paper)[0]} on {dataset}", "measured", "printed"], rows)
        k = PAPERS[paper].protocol.k
        tests = [[name, SIGNS[verdict(x, y, k, name)]] for name in TESTS]
        verdicts = table_html(["test", f"{a} is"], tests, bold=TESTS.index(test))
        return picture, f"<p>{html.escape(picture.alt)}</p>{cells}{verdicts}"

    def _changed(self, change):
        """Another paper brings its own data sets and methods; only then is the picture drawn."""
        if self._filling:
            return
        if change["owner"] is self.controls["paper"]:
            self._fill(change["new"])
        self.redraw()

    def _fill(self, paper):
        methods = self._methods(paper)
        self._filling = True
        try:
            self.controls["dataset"].options = self._datasets(paper)
            for name, place in (("a", 0), ("b", 1)):
                self.controls[name].options = methods
                self.controls[name].value = methods[place]
        finally:
            self._filling = False
