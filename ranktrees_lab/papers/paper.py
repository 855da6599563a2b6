"""What a paper's declaration says: methods, protocol, data sets, and the figures it printed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import as_list, check_like, check_number, choose
from ranktrees_engine.basics.typos import nearest
from ranktrees_engine.evaluate.folds import fold_numbers, fold_rows, weka_splits
from ranktrees_lab.data.files import folder
from ranktrees_lab.papers.label_leak import honest_proba

Scores = Callable[[object, object, np.ndarray], np.ndarray]
PUBLISHED, HONEST = "as_published", "honest"
ALL = "all"
COLUMNS = ("dataset", "method", "reading", "run", "fold", "measure", "value")  # of results
SIZES = {"nodes": len, "leaves": attrgetter("n_leaves")}  # of a tree


@dataclass(frozen=True)
class Method:
    """A column of a paper's table.

    `name` as printed; `model` names the fitted model that it reads (several methods may share one);
    `readings`: name -> function(fitted model, X, class codes) -> scores (m, C), where only a leak
    uses the codes. Without "honest" among them, "as_published" is honest itself. `table` as
    printed; `sizes`: whether nodes and leaves of the tree are measured, too; `datasets`: the only
    ones it was printed for, or None for all; `raw`: the model reads the columns as they are,
    whatever the protocol's preparation, and no other method may share it; `printed`: the method
    whose printed figures it is compared with, or None for its own.
    """

    name: str
    model: str
    readings: Mapping[str, Scores] = field(default_factory=lambda: {PUBLISHED: honest_proba})
    table: str = "1"
    sizes: bool = False
    datasets: tuple[str, ...] | None = None
    raw: bool = False
    printed: str | None = None

    @property
    def honest(self) -> str:
        """Reading from which conclusions may be drawn."""
        return HONEST if HONEST in self.readings else PUBLISHED


@dataclass(frozen=True)
class Protocol:
    """A paper's way of measuring: `runs` of `k` `folds` ("weka", "stratified"), of prepared data.

    `preparation`: "papers" (`rt.prepare`) or "complete-rows" (numbers stay, rows with a gap go).
    `measures`: names in `rt.evaluate.MEASURES`, the paper's own first; `printed`: the name of each
    measure in the paper's figures and the factor between the two, empty for a study of our own.
    """

    runs: int
    k: int
    folds: str
    preparation: str
    measures: tuple[str, ...]
    printed: Mapping[str, tuple[str, float]]

    def __post_init__(self):
        check_number("runs", self.runs, 1, whole=True)

    def splits(self, y: pd.Categorical, seed: int) -> list[tuple]:
        """Return training and test rows of each fold of a run; with "weka" in its order."""
        if self.folds != "weka":
            return fold_rows(fold_numbers(y, self.k, seed, self.folds))
        return [(train, np.sort(test)) for train, test in weka_splits(y, self.k, seed)]


@dataclass(frozen=True)
class Paper:
    """The experiment to repeat.

    `datasets`: name -> source, or None for the first that has it (see `rt.load`); `models`: name ->
    function that makes an unfitted model; `unavailable`: printed data sets that are not available,
    with the reason; `swapped`: (table, row) of the wins -> names that are swapped there; `groups`:
    name -> its data sets, for averages; `reference`: for a study, which printed nothing and is
    timed beforehand, the method that the others are compared with.
    """

    name: str
    title: str
    datasets: Mapping[str, str | None]
    protocol: Protocol
    models: Mapping[str, Callable[[], object]]
    methods: tuple[Method, ...]
    unavailable: Mapping[str, str] = field(default_factory=dict)
    swapped: Mapping[tuple[str, str], Mapping[str, str]] = field(default_factory=dict)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    reference: str = ""

    @cached_property
    def cells(self) -> pd.DataFrame:
        """Printed figures, in the paper's units."""
        return self._printed("")

    @cached_property
    def wins(self) -> pd.DataFrame:
        """Printed counts of wins, ties and losses."""
        return self._printed("_wins")

    def _printed(self, ending):
        if not self.protocol.printed:
            raise ValueError(f"{self.name} printed nothing to compare with: see study_table")
        return read_printed(f"{self.name}{ending}.csv")

    @property
    def all_groups(self) -> dict[str, tuple[str, ...]]:
        """Data sets of each group by its name, first of "all"."""
        return {ALL: tuple(self.datasets), **self.groups}

    def chosen(self, names: list[str] | None) -> tuple[Method, ...]:
        """Return the methods of these names, if None all, in the paper's order."""
        known = [method.name for method in self.methods]
        names = _asked("method", names, known)
        for name in names:
            choose("method", name, known)
        return tuple(method for method in self.methods if method.name in names)

    def chosen_sets(self, names: list[str] | None) -> list[str]:
        """Return the data sets of these names, if None all, in the paper's order."""
        names = _asked("data set", names, self.datasets)
        for name in names:
            if name in self.unavailable:
                raise ValueError(f"data set {name!r} is not available: {self.unavailable[name]}")
            if name not in self.datasets:
                near = nearest(name, self.datasets)
                raise ValueError(f"{self.name} has no data set {name!r}; {near}")
        return [name for name in self.datasets if name in names]


def check_rows(frame, *papers) -> None:
    """Raise TypeError or ValueError unless these are rows of results, and papers of `PAPERS`."""
    check_like("a frame of results, as read_results gives it", frame, "columns", "groupby")
    if lacking := [name for name in COLUMNS if name not in frame]:
        raise ValueError(f"the frame lacks {', '.join(lacking)}: give what read_results gives")
    for paper in papers:
        check_like("a paper, as PAPERS[name] is", paper, "protocol", "methods", "datasets")


def _asked(what, names, known):
    if names is None:
        return known
    names = as_list(f"{what}s", names)
    if not names:
        raise ValueError(f"name at least one {what} of {', '.join(known)}")
    return names


def read_printed(file: str) -> pd.DataFrame:
    """Read what a paper printed, as plain facts; columns as data/README.md says."""
    return pd.read_csv(folder() / "papers" / file, dtype={"table": str}, encoding="utf-8")
