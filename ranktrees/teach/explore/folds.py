"""Explore fold schemes: which case is tested when, and how far the estimates scatter."""

import html
from functools import cache
from typing import NamedTuple

import ipywidgets as widgets
import numpy as np

from ranktrees import plot
from ranktrees.arguments import choose
from ranktrees.evaluate.cross import held_out, read_task
from ranktrees.evaluate.folds import (
    bootstrap,
    fold_rows,
    holdout,
    leave_one_out,
    random_subsampling,
    stratified_folds,
)
from ranktrees.evaluate.measures import find_measures
from ranktrees.teach.explore.base import Explorer, table_html
from ranktrees.teach.plot.picture import Picture
from ranktrees.warn import WarnOnce

SCHEMES = ("holdout", "random subsampling", "k-fold", "stratified", "leave-one-out", "bootstrap")
MOST_CASES = 400


class Measured(NamedTuple):
    """A measure in each round (rounds,), nan where undefined, and of all predictions together.

    `pooled` is nan where a case is tested other than once.
    """

    values: np.ndarray
    pooled: float


def folds(data, model=None, measure: str = "auc"):
    """An explorer of fold schemes on a small data set: scheme, number of rounds, seed.

    `data` a Dataset of at most 400 cases; with `model` its `measure` (a name in
    `rt.metrics.MEASURES`) is shown for each round. Raises ValueError for more cases.
    """
    return FoldsExplorer(data, model, measure)


class FoldsExplorer(Explorer):
    """The widget behind `rt.explore.folds`."""

    def __init__(self, data, model=None, measure="auc"):
        self.task, self.model, self.measure = read_task(data), model, measure
        self.score = find_measures([measure])[measure]
        n = len(self.task.y)
        if n > MOST_CASES:
            raise ValueError(
                f"{n} cases are too many to see each one: give a data set of at most {MOST_CASES}"
            )
        self.figure, self.measured = Picture(), cache(self._measured)
        controls = {
            "scheme": widgets.Dropdown(options=SCHEMES, value="k-fold", description="scheme"),
            "k": widgets.IntSlider(value=5, min=2, max=min(20, n), description="rounds k"),
            "seed": widgets.IntSlider(value=1, min=1, max=20, description="seed"),
        }
        super().__init__(controls)

    def splits(self, scheme: str, k: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Rows (train, test) of every round of a scheme; k does not matter to all of them."""
        choose("scheme", scheme, SCHEMES)
        y, n = self.task.y, len(self.task.y)
        if scheme == "holdout":
            return [holdout(y, seed=seed)]
        if scheme == "random subsampling":
            return random_subsampling(y, k, seed=seed)
        if scheme == "k-fold":
            return fold_rows(np.random.default_rng(seed).permutation(n) % k)
        if scheme == "stratified":
            return fold_rows(stratified_folds(y, k, seed))
        return fold_rows(leave_one_out(n)) if scheme == "leave-one-out" else bootstrap(n, k, seed)

    def _measured(self, scheme, k, seed) -> Measured:
        """The model's measure in the rounds of a scheme."""
        splits, codes = self.splits(scheme, k, seed), self.task.codes
        with WarnOnce(without=("has only one value",)):  # of few cases, many columns have
            parts = held_out(self.model, self.task, splits)
        proba, values = np.full((len(codes), len(self.task.classes)), np.nan), []
        tests = [test for _, test in splits]
        for test, learnt in zip(tests, parts, strict=True):
            proba[test] = learnt
            values.append(self.score(codes[test], proba[test]))
        once = sorted(np.concatenate(tests).tolist()) == [*range(len(codes))]
        return Measured(np.array(values), self.score(codes, proba) if once else np.nan)

    def draw(self, scheme, k, seed):
        """The rounds as rows of a picture, and what they have in common."""
        splits = self.splits(scheme, k, seed)
        found = None if self.model is None else self.measured(scheme, k, seed)
        values = None if found is None else found.values
        name = "AUC" if self.measure == "auc" else self.measure
        picture = plot.rounds(self.task.y, splits, values, name, figure=self.figure)
        tested = np.bincount(np.concatenate([test for _, test in splits]))
        distinct = np.mean([len(np.unique(train)) for train, _ in splits]) / len(self.task.y)
        rows = [
            ["rounds", str(len(splits))],
            ["different training cases", f"{distinct:.1%} of all"],
            ["cases never tested", str(len(self.task.y) - int((tested > 0).sum()))],
        ]
        if found is not None:
            rows += _estimates(found, name)
        return picture, f"<p>{html.escape(picture.alt)}</p>" + table_html([scheme, ""], rows)


def _estimates(found, name):
    """Lines of the table: mean and spread over rounds, and the pooled value."""
    known = found.values[np.isfinite(found.values)]
    mean = f"{known.mean():.3f}" if len(known) else "no value in any round"
    if len(known) > 1:
        mean += f", standard deviation {known.std(ddof=1):.3f}"
    pooled = "-" if np.isnan(found.pooled) else f"{found.pooled:.3f}"
    return [[f"{name}, mean of {len(known)} rounds", mean], [f"{name} of all together", pooled]]
