"""Explore the kept results: two methods of a paper on one data set, fold by fold."""

import numpy as np

from ranktrees import papers, plot
from ranktrees.arguments import choose
from ranktrees.papers import PAPERS, cell_table, fold_grids, stored_papers, verdict
from ranktrees.papers.catalog import HONEST, PUBLISHED
from ranktrees.papers.summary import TESTS
from ranktrees.teach.explore.base import Explorer, choice, table_html
from ranktrees.teach.plot.picture import Picture

READINGS = (PUBLISHED, HONEST)
SIGNS = {1: "higher", -1: "lower", 0: "no difference"}


def results_explorer(paper: str | None = None) -> Explorer:
    """An explorer of the results that are kept with the project, starting with `paper`.

    Choose a paper, a data set, two methods, a test, and the reading: the values of both methods in
    every fold, their difference, what each test says of it, and the published cells beside.
    """
    kept, figure = {name: Kept(name) for name in stored_papers()}, Picture()
    paper = next(iter(kept)) if paper is None else paper
    choose("paper", paper, kept)

    def draw(paper, dataset, a, b, test, reading):
        results = kept[paper]
        x, y = (results.folds(dataset, method, reading) for method in (a, b))
        printed = [results.published(dataset, method) for method in (a, b)]
        mark = None if None in printed else printed[0] - printed[1]
        picture = plot.duel(x, y, (a, b), test, mark=mark, figure=figure)
        cells = ["" if cell is None else f"{cell:g}" for cell in printed]
        rows = [(a, np.nanmean(x), cells[0]), (b, np.nanmean(y), cells[1])]
        tests = [(name, SIGNS[verdict(x, y, results.k, name)]) for name in TESTS]
        tests = table_html(["test", f"{a} is"], tests, bold=TESTS.index(test))
        head = [f"{results.measure} on {dataset}", "measured", "printed"]
        return picture, table_html(head, rows, ".3f") + tests

    def of_paper(label, which, place=0):
        def control(now):
            options = getattr(kept[now["paper"]], which)
            return choice(label, options, options[place], ("paper",))

        return control

    return Explorer(
        draw,
        {"folds": lambda paper, *names: kept[paper].folds(*names)},
        paper=choice("paper", list(kept), paper),
        dataset=of_paper("data set", "datasets"),
        a=of_paper("method", "methods"),
        b=of_paper("against", "methods", 1),
        test=choice("test", TESTS, "corrected"),
        reading=choice("reading", READINGS, PUBLISHED),
    )


class Kept:
    """The kept results of a paper in its own measure and unit, and its published cells."""

    def __init__(self, name):
        self.paper, (_, frame) = PAPERS[name], papers.results(name)
        cells = cell_table(frame, self.paper).set_index(["measure", "dataset", "method"])
        self.grids, self.cells = fold_grids(frame), cells["published"].to_dict()
        known = {dataset for dataset, *_ in self.grids}
        self.datasets = [dataset for dataset in self.paper.datasets if dataset in known]
        self.methods = [method.name for method in self.paper.methods if method.datasets is None]
        self.k, self.measure = self.paper.protocol.k, self.paper.protocol.measures[0]
        self.printed, self.factor = self.paper.protocol.printed[self.measure]

    def folds(self, dataset, method, reading) -> np.ndarray:
        """Values (runs, folds) of a method.

        The reading "honest" is that of a method which has it; others have one reading only.
        """
        choose("data set", dataset, self.datasets)
        choose("method", method, self.methods)
        choose("reading", reading, READINGS)
        (chosen,) = self.paper.chosen([method])
        reading = chosen.honest if reading == HONEST else PUBLISHED
        return self.factor * self.grids[dataset, method, reading, self.measure]

    def published(self, dataset, method) -> float | None:
        """The printed cell, or None."""
        value = self.cells.get((self.printed, dataset, method), np.nan)
        return None if np.isnan(value) else float(value)
