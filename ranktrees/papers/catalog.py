"""The papers that can be repeated, as declarations: `PAPERS`, name -> `Paper`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from operator import attrgetter

import numpy as np
import pandas as pd

from ranktrees.arguments import check_number, choose
from ranktrees.bayes import NaiveBayes
from ranktrees.data.files import folder, nearest
from ranktrees.models import C44, C45, CITree, NewtonTree
from ranktrees.papers.label_leak import honest_proba, leaked_proba
from ranktrees.papers.weka_bagging import WekaBagging

Scores = Callable[[object, object, np.ndarray], np.ndarray]
PUBLISHED, HONEST = "as_published", "honest"
SIZES = {"nodes": len, "leaves": attrgetter("n_leaves")}  # of a tree


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
    readings: Mapping[str, Scores] = field(default_factory=lambda: {PUBLISHED: honest_proba})
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
        names = _asked("method", names, known)
        for name in names:
            choose("method", name, known)
        return tuple(method for method in self.methods if method.name in names)

    def chosen_sets(self, names: list[str] | None) -> list[str]:
        """The data sets of these names, all for None, in the paper's order."""
        names = _asked("data set", names, self.datasets)
        for name in names:
            if name in self.unavailable:
                raise ValueError(f"data set {name!r} cannot be had: {self.unavailable[name]}")
            if name not in self.datasets:
                near = nearest(name, self.datasets)
                raise ValueError(f"{self.name} has no data set {name!r}; {near}")
        return [name for name in self.datasets if name in names]


def _asked(what, names, known):
    if names is None:
        return known
    if not names:
        raise ValueError(f"name at least one {what} of {', '.join(known)}")
    return names


def read_printed(file: str) -> pd.DataFrame:
    """What a paper printed, as plain facts; columns as data/README.md says."""
    return pd.read_csv(folder() / "papers" / file, dtype={"table": str}, encoding="utf-8")


def _sets(names):
    """Data sets of these names from the first source; of segment the file in UCI's order."""
    return dict.fromkeys(name for name in names if name != "all") | {"segment": "uci"}


def _weka(runs, measure, **sizes):
    """The protocol of the two papers that used Weka, each with an AUC of its own."""
    printed = {measure: ("auc", 100), **sizes}
    return Protocol(runs, 10, "weka", "papers", (measure, "auc"), printed)


SU2004 = Paper(
    name="su2004",
    title="J. Su and H. Zhang: Learning Conditional Independence Tree for Ranking, ICDM 2004",
    datasets=_sets(read_printed("su2004.csv")["dataset"]),
    protocol=_weka(10, "auc-su2004", nodes=("nodes", 1)),
    models={
        "CITree": CITree,
        "NB": NaiveBayes,
        "C4.4": partial(C44, rules="wang2006"),
        "C4.4 collapsed": C44,
    },
    methods=(
        Method("CITree", "CITree", sizes=True),
        Method("NB", "NB"),
        Method("C4.4", "C4.4", sizes=True),
        Method("C4.4 collapsed", "C4.4 collapsed", sizes=True),  # not printed; nearer in size
    ),
)


def _honest(name):
    return {PUBLISHED: partial(honest_proba, estimate=name)}


def _both(name, **params):
    """The reading that meets the paper's cells, and the same without the leak."""
    return {
        PUBLISHED: partial(leaked_proba, estimate=name, **params),
        HONEST: partial(honest_proba, estimate=name, **params),
    }


def _columns(tree, table, all_leaves):
    """The seven columns of a table; `all_leaves` names the tree whose leaves vote in column L."""
    return (
        Method(f"{tree}-C", tree, _both("shrinkage+wpe"), table),
        Method(f"{tree}-S", tree, _honest("shrinkage"), table),
        Method(f"{tree}-W", tree, _both("wpe"), table),
        Method(tree, tree, table=table, sizes=True),
        Method(f"{tree}-M", tree, _honest("m-branch"), table),
        Method(f"{tree}-L", all_leaves, _honest("ling-yan"), table),
        Method(f"{tree}-B", f"{tree}-B", table=table),
    )


ROUNDS = {n: _both("shrinkage+wpe", iterations=n) for n in (10, 100)}  # of Algorithm DIW, Fig. 3
S_FOR_W = {"C44-S": "C44-W", "C44-W": "C44-S"}
WANG2006 = Paper(
    name="wang2006",
    title="B. Wang and H. Zhang: Improving the Ranking Performance of Decision Trees, ECML 2006",
    datasets=_sets(read_printed("wang2006.csv")["dataset"]),
    protocol=_weka(5, "auc-wang2006"),
    models={
        "C45": C45,
        "C44": partial(C44, rules="wang2006"),
        "C45 collapsed": C44,  # C4.5 before it is pruned
        "C45-B": partial(WekaBagging, C45()),
        "C44-B": partial(WekaBagging, C44(rules="wang2006")),
    },
    methods=(
        *_columns("C45", "3", "C45 collapsed"),
        *_columns("C44", "4", "C44"),
        Method("C45-C x10", "C45", ROUNDS[10], "Fig. 3", datasets=("vehicle",)),
        Method("C45-C x100", "C45", ROUNDS[100], "Fig. 3", datasets=("vehicle",)),
    ),
    # Table 4's own means show that Table 2 prints each of these two under the other's name, but
    # not in the row of C44-B, whose entries are met as they are printed.
    swapped={("2", row): S_FOR_W for row in ("C44-S", "C44-W", "C44", "C44-M", "C44-L")},
)

GROUPS = {
    "c=2": "kr-vs-kp monks-1 monks-2 monks-3 tic-tac-toe vote breast-cancer ionosphere sonar "
    "diabetes breast-w credit-g credit-a heart-c hepatitis",
    "c>2": "car nursery balance-scale iris glass vehicle wine ecoli segment waveform-5000 cmc tae "
    "autos lymph zoo",
    "nominal": "car kr-vs-kp monks-1 monks-2 monks-3 tic-tac-toe nursery vote breast-cancer",
    "numeric": "balance-scale iris glass ionosphere sonar vehicle diabetes wine ecoli segment "
    "waveform-5000 breast-w",
    "mixed": "credit-g credit-a heart-c cmc tae autos lymph zoo hepatitis",
}
GROUPS = {group: tuple(names.split()) for group, names in GROUPS.items()}

MARTINEZ2010 = Paper(
    name="martinez2010",
    title="F. Martinez-Plumed et al.: Newton Trees, AI 2010 (slides; our choice of 30 sets, the "
    "paper's list is not known)",
    datasets=_sets(GROUPS["nominal"] + GROUPS["numeric"] + GROUPS["mixed"]),
    protocol=Protocol(
        runs=20,
        k=5,
        folds="stratified",
        preparation="complete-rows",
        measures=("auc", "accuracy", "brier"),
        printed={"accuracy": ("accuracy", 100), "auc": ("auc", 1), "brier": ("mse", 1)},
    ),
    models={"Newton": NewtonTree, "J48": partial(C44, numeric="thresholds")},
    methods=(
        Method("Newton", "Newton", table="averages", sizes=True),
        Method("J48", "J48", table="averages", sizes=True),
    ),
    groups=GROUPS,
)

PAPERS = {paper.name: paper for paper in (SU2004, WANG2006, MARTINEZ2010)}
