"""Several methods on several data sets, with the same folds: tables, tests, ranks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import (
    as_list,
    check_like,
    check_number,
    check_text,
    choose,
)
from ranktrees_engine.basics.kinds import Dataset, Folds, Groups, Measures, Model
from ranktrees_engine.basics.warn import WarnOnce, progress_bar
from ranktrees_engine.evaluate.cross import USUAL, evaluate, in_runs
from ranktrees_engine.evaluate.fitting import check_model
from ranktrees_engine.evaluate.html import results_html
from ranktrees_engine.evaluate.outside import is_splitter
from ranktrees_engine.evaluate.significance import (
    TESTS,
    Significance,
    average_ranks,
    check_alpha,
    corrected_t,
    critical_difference,
    rank_sums,
)
from ranktrees_engine.reading.frames import refuse_twice

COLUMNS = ["dataset", "method", "run", "fold", "n_train", "n_test", "measure", "value"]
SMALLER_IS_BETTER = ("brier", "log_loss", "log-loss-clipped", "calibration-error", "seconds")


def compare(
    models: Mapping[str, Model],
    data: Iterable[Dataset],
    *,
    k: int = 10,
    runs: int = 1,
    seed: int = 1,
    folds: Folds = "stratified",
    groups: Mapping[str, Groups] | str | None = None,
    measures: Measures = USUAL,
    progress: bool | None = None,
) -> "Results":
    """Cross-validate each of `models` {name: model} on each data set of the list `data`.

    All methods have the same folds; run r draws them with seed + r. `folds`: "stratified", "weka",
    "leave-one-out" or a splitter of scikit-learn's. `groups` is the column of groups, as in
    `cross_validate`, or {set: column or groups (n,)} for sets that have them. `measures` as in
    `cross_validate`; the results also have "seconds". Of your own measures, results take larger
    values as better, so that a loss needs a minus. `progress`: True shows a bar, False none; with
    None a bar appears after two seconds. Raises TypeError or ValueError for no models or sets, sets
    without a unique name, and unknown measures. Warnings name the data set; each is given once.
    """
    models, sets, parts = named_models(models), _sets(data), []
    if not isinstance(folds, str) and not is_splitter(folds):
        raise TypeError("folds must be a name or a splitter: rows belong to one data set only")
    check_number("k", k, 2, whole=True)
    check_number("runs", runs, 1, whole=True)
    names = [one.name for one in sets]
    groups = groups if isinstance(groups, Mapping) else dict.fromkeys(names, groups)
    for name in groups:
        choose("data set with groups", name, names)
    drawn = {"k": k, "runs": runs, "seed": seed, "folds": folds}

    def one_run(task, divided, scores, seed):
        for name, model in models.items():
            for row in evaluate(model, task, divided, scores, seed):
                yield {"method": name, **row}
            advance()

    with progress_bar(len(sets) * runs * len(models), progress, "cross-validations") as advance:
        for one in sets:
            with WarnOnce(one.name):
                part = in_runs(one_run, (one, None, groups.get(one.name)), measures, False, **drawn)
            parts.append(part.assign(dataset=one.name))
    wide = pd.concat(parts, ignore_index=True)
    long = wide.melt(COLUMNS[:6], var_name="measure", ignore_index=False)
    return Results(long.sort_index(kind="stable").reset_index(drop=True))


def named_models(models) -> None:
    """Raise TypeError or ValueError unless `models` is {name: model} with at least one model."""
    if not isinstance(models, dict):
        raise TypeError(f"models must be {{name: model}}, not {type(models).__name__}")
    if not models:
        raise ValueError("there is no model to compare: give {name: model}")
    for name, model in models.items():
        if not isinstance(name, str) or not name:
            raise TypeError(f"a method's name must be text, not {name!r}")
        check_model(model)
    return models


def _sets(data):
    sets = [data] if hasattr(data, "X") else as_list("data", data)
    if not sets:
        raise ValueError("there is no data set to compare on: give a list of them")
    for one in sets:
        if not getattr(one, "name", None):
            raise TypeError(
                "each data set needs a name: give what rt.load gives, or rt.Dataset(X, y, "
                f"name=...), not {type(one).__name__}"
            )
    how = "occurs more than once: use dataclasses.replace(data, name=...)"
    refuse_twice([one.name for one in sets], "data sets need different names, but", how)
    return sets


@dataclass(frozen=True, eq=False, repr=False)
class Results:
    """Measures of methods on data sets: `frame` has a row per set, method, run, fold and measure.

    Columns: dataset, method, run, fold, n_train, n_test, measure, value (nan if a measure is not
    defined in a fold). Raises ValueError for other columns, no rows, or values given twice.
    """

    frame: pd.DataFrame

    def _repr_html_(self) -> str:
        return results_html(self)

    def __post_init__(self):
        check_columns(self.frame)
        if self.frame.empty:
            raise ValueError("results without any row")
        if (twice := self.frame.duplicated(COLUMNS[:4] + COLUMNS[6:7])).any():
            raise ValueError(f"row {int(twice.argmax())} repeats a set, method, run and fold")

    def __repr__(self) -> str:
        return (
            f"<Results: {len(self.methods)} methods on {len(self.datasets)} data sets; "
            f"{', '.join(self.measures)}>"
        )

    @property
    def methods(self) -> list[str]:
        """Names of the methods, in the order of comparison."""
        return self.frame["method"].unique().tolist()

    @property
    def datasets(self) -> list[str]:
        """Names of the data sets, in the order of comparison."""
        return self.frame["dataset"].unique().tolist()

    @property
    def measures(self) -> list[str]:
        """Names of the measures, "seconds" included."""
        return self.frame["measure"].unique().tolist()

    def table(self, measure: str = "auc") -> pd.DataFrame:
        """Return the mean of a measure (sets x methods) over runs and the folds that define it."""
        means = self._of(measure).pivot_table("value", "dataset", "method", dropna=False)
        return means.reindex(index=self.datasets, columns=self.methods)

    def pairs(
        self, measure: str = "auc", test: str = "corrected", alpha: float = 0.05
    ) -> pd.DataFrame:
        """Test each pair of methods on each data set; return a frame.

        Columns: dataset, method, other, difference (of means, method - other), statistic, p, df,
        verdict: 1 if the method is better (p < alpha), -1 if worse, else 0. `test`: "corrected"
        (for the folds' share of test cases), "paired" or "wilcoxon", whose verdict follows the sums
        of ranks. Folds in which the measure is not defined are left out; ValueError if fewer than
        two remain or a value is infinite.
        """
        choose("test", test, TESTS)
        check_alpha(alpha)
        rows, better = [], 1 if self.larger_is_better(measure) else -1
        for name, part in self._of(measure).groupby("dataset", sort=False):
            values = self._folds(name, part, measure)
            ratio = float(part["n_test"].sum() / part["n_train"].sum())
            for method, other in permutations(self.methods, 2):
                verdict, side = paired_test(test, values[method], values[other], ratio)
                sign = int(better * side) if verdict.p < alpha else 0
                rows.append((name, method, other, *verdict, sign))
        head = ["dataset", "method", "other", "difference", "statistic", "p", "df", "verdict"]
        return pd.DataFrame(rows, columns=head)

    def win_tie_loss(
        self, measure: str = "auc", test: str = "corrected", alpha: float = 0.05
    ) -> pd.DataFrame:
        """Return "wins/ties/losses" (methods x methods) of the row's method against the column's.

        They count data sets by the verdicts of `pairs`, which has the numbers and the same
        arguments.
        """
        texts = pd.DataFrame("", self.methods, self.methods)
        for pair, part in self.pairs(measure, test, alpha).groupby(["method", "other"]):
            texts.loc[pair] = "/".join(str((part["verdict"] == sign).sum()) for sign in (1, 0, -1))
        return texts

    def ranks(self, measure: str = "auc") -> pd.Series:
        """Return each method's average rank over the data sets: 1 is best, ties averaged."""
        table = self.table(measure)
        if (gap := table.isna().any(axis=1)).any():
            raise ValueError(f"{measure!r} is not defined on data set {gap.idxmax()!r}")
        return average_ranks(table, self.larger_is_better(measure))

    def critical_difference(self, measure: str = "auc", alpha: float = 0.05) -> float:
        """Return Nemenyi's critical difference of these methods' average ranks on these sets."""
        self._of(measure)
        return critical_difference(len(self.methods), len(self.datasets), alpha)

    @staticmethod
    def larger_is_better(measure: str) -> bool:
        """Return whether larger values of a measure are better: false for losses and times."""
        check_text(measure=measure)
        return measure not in SMALLER_IS_BETTER

    def _of(self, measure):
        choose("measure", measure, self.measures)
        return self.frame[self.frame["measure"] == measure]

    def _folds(self, name, part, measure):
        """Return values (folds x methods) of one data set where the measure is defined."""
        values = part.pivot_table("value", ["run", "fold"], "method", dropna=False).dropna()
        if len(values) < 2:
            raise ValueError(
                f"data set {name!r} has {len(values)} folds with a value of {measure!r}: a test "
                "needs at least two"
            )
        if np.isinf(values).any(axis=None):
            raise ValueError(
                f"{measure!r} is infinite in folds of data set {name!r}, since a true class had "
                "probability 0: smooth the estimates, or test another measure"
            )
        return values


def check_columns(frame: pd.DataFrame) -> None:
    """Raise TypeError or ValueError for a frame without the columns of results."""
    check_like("a DataFrame of results", frame, "columns", "duplicated")
    if list(frame.columns) != COLUMNS:
        raise ValueError(f"results need the columns {', '.join(COLUMNS)}")


def paired_test(test: str, a, b, ratio: float) -> tuple[Significance, float]:
    """Test a (J,) against b (J,); return also 1 if it favours larger values of a, -1 of b."""
    verdict = corrected_t(a, b, ratio) if test == "corrected" else TESTS[test](a, b)
    side = np.subtract(*rank_sums(a, b)) if test == "wilcoxon" else verdict.difference
    return verdict, np.sign(side)
