"""Explore the kept results: two methods of a paper on one data set, fold by fold."""

import numpy as np

from ranktrees import papers, plot
from ranktrees.arguments import choose
from ranktrees.papers import PAPERS, cell_table, fold_grids, stored_papers, verdict
from ranktrees.papers.paper import HONEST, PUBLISHED
from ranktrees.papers.wins import TESTS
from ranktrees.teach.explore.base import Explorer, choice, table_html
from ranktrees.teach.plot.picture import Picture

READINGS = (PUBLISHED, HONEST)
SIGNS = {1: "higher", -1: "lower", 0: "no difference"}


def results_explorer(paper: str | None = None) -> Explorer:
    """An explorer of the results that are kept with the project, starting with `paper`.

    Choose a paper, a data set, two methods, a test, and the reading: the values of both methods in
    every fold, their difference, what each test says of it, and the published cells beside.
    """
    names = stored_papers()
    paper = names[0] if paper is None else paper
    choose("paper", paper, names)
    kept, figure = {name: Kept(name) for name in names}, Picture()

    def draw(paper, dataset, a, b, test, reading):
        x, y = (kept[paper].folds(dataset, method, reading) for method in (a, b))
        printed = [kept[paper].published(dataset, method) for method in (a, b)]
        mark = None if None in printed else printed[0] - printed[1]
        rows = [
            [name, np.nanmean(values), "" if cell is None else f"{cell:g}"]
            for name, values, cell in ((a, x, printed[0]), (b, y, printed[1]))
        ]
        cells = table_html(
            [f"{kept[paper].measure} on {dataset}", "measured", "printed"], rows, ".3f"
        )
        tests = [[name, SIGNS[verdict(x, y, kept[paper].k, name)]] for name in TESTS]
        verdicts = table_html(["test", f"{a} is"], tests, bold=TESTS.index(test))
        return plot.duel(x, y, (a, b), test, mark=mark, figure=figure), cells + verdicts

    def method(label, place):
        return lambda now: choice(
            label, kept[now["paper"]].methods, kept[now["paper"]].methods[place], ("paper",)
        )

    def dataset(now):
        known = kept[now["paper"]].datasets
        return choice("data set", known, known[0], ("paper",))

    return Explorer(
        draw,
        {"folds": lambda paper, *names: kept[paper].folds(*names)},
        paper=choice("paper", names, paper),
        dataset=dataset,
        a=method("method", 0),
        b=method("against", 1),
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
