"""A paper as a declaration: data sets, models, methods, protocol and the figures it printed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter

import numpy as np
import pandas as pd

from ranktrees.arguments import check_number, choose
from ranktrees.data.files import folder, nearest

Scores = Callable[[object, object, np.ndarray], np.ndarray]
PUBLISHED, HONEST = "as_published", "honest"
SIZES = {"nodes": len, "leaves": attrgetter("n_leaves")}  # of a tree


def own_scores(model, X, y: np.ndarray) -> np.ndarray:
    """What a fitted model itself says (m, C) of cases X; their class codes y (m,) are unused."""
    return model.predict_proba(X)


@dataclass(frozen=True)
class Method:
    """A column of a paper's table.

    `name` as printed; `model` names the fitted model that it reads (several methods may share one);
    `readings`: name -> function(fitted model, X, class codes) -> scores (m, C), where only a leak
    uses the codes. Without "honest" among them, "as_published" is honest itself. `table` as
    printed; `sizes`: whether nodes and leaves of the tree are measured, too; `datasets`: the only
    ones it was printed for (None: all).
    """

    name: str
    model: str
    readings: Mapping[str, Scores] = field(default_factory=lambda: {PUBLISHED: own_scores})
    table: str = "1"
    sizes: bool = False
    datasets: tuple[str, ...] | None = None

    @property
    def honest(self) -> str:
        """The reading from which conclusions may be drawn."""
        return HONEST if HONEST in self.readings else PUBLISHED


@dataclass(frozen=True)
class Protocol:
    """How a paper measured: `runs` of `k` `folds` ("weka", "stratified"), of data prepared as said.

    `preparation`: "papers" (`rt.prepare`) or "complete-rows" (numbers stay, rows with a gap go).
    `measures`: names in `rt.metrics.MEASURES`, the paper's own first; `printed`: the name of each
    measure in the paper's figures and the factor between the two.
    """

    runs: int
    k: int
    folds: str
    preparation: str
    measures: tuple[str, ...]
    printed: Mapping[str, tuple[str, float]]

    def __post_init__(self):
        check_number("runs", self.runs, 1, whole=True)


@dataclass(frozen=True)
class Paper:
    """What is to be repeated.

    `datasets`: name -> source (None: the first that has it; see `rt.load`); `models`: name ->
    function that makes an unfitted model; `unavailable`: printed data sets that cannot be had, with
    the reason; `swapped`: (table, row) of the wins -> names that stand for one another there;
    `groups`: name -> its data sets, for averages.
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

    @cached_property
    def cells(self) -> pd.DataFrame:
        """The printed figures, in the paper's units."""
        return read_printed(f"{self.name}.csv")

    @cached_property
    def wins(self) -> pd.DataFrame:
        """The printed counts of wins, ties and losses."""
        return read_printed(f"{self.name}_wins.csv")

    def chosen(self, names: list[str] | None) -> tuple[Method, ...]:
        """The methods of these names, all for None, in the paper's order."""
        known = [method.name for method in self.methods]
        if names is not None and not names:
            raise ValueError(f"name at least one method of {', '.join(known)}")
        for name in names or ():
            choose("method", name, known)
        return tuple(m for m in self.methods if names is None or m.name in names)

    def chosen_sets(self, names: list[str] | None) -> list[str]:
        """The data sets of these names, all for None, in the paper's order."""
        if names is not None and not names:
            raise ValueError(f"name at least one data set of {', '.join(self.datasets)}")
        for name in names or ():
            if name in self.unavailable:
                raise ValueError(f"data set {name!r} cannot be had: {self.unavailable[name]}")
            if name not in self.datasets:
                near = nearest(name, self.datasets)
                raise ValueError(f"{self.name} has no data set {name!r}; {near}")
        return [name for name in self.datasets if names is None or name in names]


def read_printed(file: str) -> pd.DataFrame:
    """What a paper printed, as plain facts; columns as data/README.md says."""
    return pd.read_csv(folder() / "papers" / file, dtype={"table": str}, encoding="utf-8")
