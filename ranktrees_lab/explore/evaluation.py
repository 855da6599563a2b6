"""Explore how models are judged: letters, pairs, folds, and the papers' results."""

from functools import cache, partial
from typing import NamedTuple

import numpy as np

from ranktrees_engine.basics.arguments import choose
from ranktrees_engine.basics.kinds import ArrayLike, Data, Model
from ranktrees_engine.evaluate import (
    auc,
    bootstrap,
    expected_hits,
    holdout,
    leave_one_out,
    random_subsampling,
)
from ranktrees_engine.evaluate.folds import fold_rows, stratified_folds
from ranktrees_engine.evaluate.outside import find_measures
from ranktrees_engine.evaluate.task import held_out, read_task
from ranktrees_lab import papers, plot
from ranktrees_lab.explore.base import Explorer, table_html
from ranktrees_lab.explore.controls import choice, named_choice, numbers
from ranktrees_lab.papers import PAPERS, cell_table, fold_grids, stored_papers, verdict
from ranktrees_lab.papers.paper import HONEST, PUBLISHED
from ranktrees_lab.papers.wins import TESTS
from ranktrees_lab.plot.inputs import scored

SCHEMES = {  # rows (train, test) of each round; k does not matter to all of them
    "holdout": lambda y, k, seed: [holdout(y, seed=seed)],
    "random subsampling": lambda y, k, seed: random_subsampling(y, k, seed=seed),
    "k-fold": lambda y, k, seed: fold_rows(np.random.default_rng(seed).permutation(len(y)) % k),
    "stratified": lambda y, k, seed: fold_rows(stratified_folds(y, k, seed)),
    "leave-one-out": lambda y, k, seed: fold_rows(leave_one_out(len(y))),
    "bootstrap": lambda y, k, seed: bootstrap(len(y), k, seed),
}
MOST_CASES = 400
READINGS = (PUBLISHED, HONEST)
SIGNS = {1: "higher", -1: "lower", 0: "no difference"}


def mailing_explorer(y: ArrayLike, scores: dict, positive: object) -> Explorer:
    """Explore the direct-mailing problem: a slider for the number of letters.

    `y` (n,) classes, `scores` {model: (n,) scores of the class `positive`}. It shows whom each
    ranking reaches; cases of equal score share the letters left for them.
    """
    hits, scores, positive = scored(y, scores, positive)
    n = len(hits)

    def reached(letters):
        return {name: expected_hits(hits, score, letters) for name, score in scores.items()}

    def draw(letters):
        total, by_chance = int(hits.sum()), {"by chance": letters * hits.mean()}
        shown = (reached(letters) | by_chance).items()
        rows = [(name, k, k / total, k / max(letters, 1)) for name, k in shown]
        head = [f"{letters} letters", "reached", f"of all {total}", "of the letters"]
        picture = plot.gains(y, scores, positive=positive, letters=letters)
        return picture, table_html(head, rows, ("", ".1f", ".0%", ".0%"))

    letters = numbers("letters", 0, n, max(1, n // 50), n // 5)
    return Explorer(draw, {"reached": reached}, letters=letters)


class Rounds(NamedTuple):
    """A measure in each round (rounds,), nan where undefined, and of all predictions together.

    `pooled` is nan unless every case is tested exactly once.
    """

    values: np.ndarray
    pooled: float


def folds_explorer(data: Data, model: Model | None = None, measure: str = "auc") -> Explorer:
    """Explore fold schemes on a small data set: scheme, number of rounds, seed.

    `data` a Dataset of at most 400 cases; with `model` its `measure` (a name in
    `rt.evaluate.MEASURES`) is shown for each round. Raises ValueError for more cases.
    """
    task, score = read_task(data), find_measures([measure])[measure]
    n, name = len(task.y), "AUC" if measure == "auc" else measure
    if n > MOST_CASES:
        many = f"{n} cases are too many to see each one"
        raise ValueError(f"{many}: give a data set of at most {MOST_CASES}")

    def splits(scheme, k, seed):
        choose("scheme", scheme, SCHEMES)
        return SCHEMES[scheme](task.y, k, seed)

    @cache
    def measured(scheme, k, seed):
        return measure_rounds(model, task, splits(scheme, k, seed), score)

    def draw(scheme, k, seed):
        rounds = splits(scheme, k, seed)
        results = None if model is None else measured(scheme, k, seed)
        values = None if results is None else results.values
        picture = plot.rounds(task.y, rounds, values, name)
        rows = _in_common(rounds, n) + ([] if results is None else _estimates(results, name))
        return picture, table_html([scheme, ""], rows)

    return Explorer(
        draw,
        {"splits": splits, "measured": measured},
        scheme=choice("scheme", list(SCHEMES), "k-fold"),
        k=numbers("rounds k", 2, min(20, n), 1, 5),
        seed=numbers("seed", 1, 20, 1, 1),
    )


def measure_rounds(model, task, splits, score) -> Rounds:
    """Measure a model in each of some rounds (train, test) of a task."""
    tests = [test for _, test in splits]
    parts = held_out(model, task, splits)
    proba, values = np.full((len(task.codes), len(task.classes)), np.nan), []
    for test, rows in zip(tests, parts, strict=True):
        proba[test] = rows
        values.append(score(task.codes[test], rows))
    once = sorted(np.concatenate(tests).tolist()) == [*range(len(proba))]
    return Rounds(np.array(values), score(task.codes, proba) if once else np.nan)


def _in_common(splits, n):
    """Return lines of the table: how many rounds, and which cases they train and test on."""
    tested = np.unique(np.concatenate([test for _, test in splits]))
    distinct = np.mean([len(np.unique(train)) for train, _ in splits]) / n
    return [
        ["rounds", str(len(splits))],
        ["different training cases", f"{distinct:.1%} of all"],
        ["cases never tested", str(n - len(tested))],
    ]


def _estimates(results, name):
    """Return lines of the table: mean and spread over rounds, and the pooled value."""
    known = results.values[np.isfinite(results.values)]
    mean = f"{known.mean():.3f}" if len(known) else "no value in any round"
    if len(known) > 1:
        mean += f", standard deviation {known.std(ddof=1):.3f}"
    pooled = "-" if np.isnan(results.pooled) else f"{results.pooled:.3f}"
    return [[f"{name}, mean of {len(known)} rounds", mean], [f"{name} of all together", pooled]]


def results_explorer(paper: str | None = None) -> Explorer:
    """Explore the results that are kept with the project, starting with `paper`.

    Choose a paper, a data set, two methods, a test, and the reading. It shows the values of both
    methods in every fold, their difference, the result of each test, and the published cells.
    """
    kept = {name: Kept(name) for name in stored_papers()}

    def draw(paper, dataset, a, b, test, reading):
        results = kept[paper]
        x, y = (results.folds(dataset, method, reading) for method in (a, b))
        printed = [results.published(dataset, method) for method in (a, b)]
        mark = None if None in printed else printed[0] - printed[1]
        picture = plot.duel(x, y, (a, b), test, mark=mark)
        cells = ["" if cell is None else f"{cell:g}" for cell in printed]
        rows = [(a, np.nanmean(x), cells[0]), (b, np.nanmean(y), cells[1])]
        tests = [(name, SIGNS[verdict(x, y, results.k, name)]) for name in TESTS]
        tests = table_html(["test", f"{a} is"], tests, bold=TESTS.index(test))
        head = [f"{results.measure} on {dataset}", "measured", "printed"]
        return picture, table_html(head, rows, ".3f") + tests

    def of_paper(label, which, place, now):
        options = getattr(kept[now["paper"]], which)
        return choice(label, options, options[place], ("paper",))

    return Explorer(
        draw,
        {"folds": lambda paper, *names: kept[paper].folds(*names)},
        paper=named_choice("paper", kept, paper, none=True),
        dataset=partial(of_paper, "data set", "datasets", 0),
        a=partial(of_paper, "method", "methods", 0),
        b=partial(of_paper, "against", "methods", 1),
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
        """Return the values (runs, folds) of a method.

        The reading "honest" applies to methods that have it; others have a single reading.
        """
        choose("data set", dataset, self.datasets)
        choose("method", method, self.methods)
        choose("reading", reading, READINGS)
        (chosen,) = self.paper.chosen([method])
        reading = chosen.honest if reading == HONEST else PUBLISHED
        return self.factor * self.grids[dataset, method, reading, self.measure]

    def published(self, dataset, method) -> float | None:
        """Return the printed cell, or None."""
        value = self.cells.get((self.printed, dataset, method), np.nan)
        return None if np.isnan(value) else float(value)


def pairs_explorer(y: ArrayLike, score: ArrayLike, positive: object = None) -> Explorer:
    """Explore the grid of pairs that is the AUC: choose a case and move its score.

    `y` (n,) classes, `score` (n,) of the class `positive` (default the last), at most 12 cases of
    each class. The case's row or column moves, and with it the edge of the pairs won.
    """
    hits, scores, positive = scored(y, score, positive)
    y, start = np.asarray(y), np.asarray(scores["model"], float)
    names = [f"case {i + 1}, {label}" for i, label in enumerate(y)]
    low, high = float(np.floor(start.min())), float(np.ceil(start.max()))
    step = 1 if (start % 1 == 0).all() else (high - low) / 20

    def moved(case, score):
        now = start.copy()
        now[names.index(case)] = score
        return now

    def auc_of(case, score):
        return float(auc(hits, moved(case, score)))

    def draw(case, score):
        place = names.index(case)
        rows = [("now", score, auc_of(case, score)), ("at first", start[place], auc(hits, start))]
        words = table_html([case, "score", "AUC"], rows, ("", "g", ".3f"), bold=0)
        return plot.pairs(y, moved(case, score), positive), words

    def score_of(settings):
        first = start[names.index(settings["case"])]
        return numbers("score", low, high, step, first, follows=("case",))

    return Explorer(draw, {"auc_of": auc_of}, case=choice("case", names, names[0]), score=score_of)
