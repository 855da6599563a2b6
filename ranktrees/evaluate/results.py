"""What a comparison found: tables, tests, ranks."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from ranktrees.arguments import choose
from ranktrees.evaluate.significance import (
    TESTS,
    average_ranks,
    check_alpha,
    corrected_t,
    critical_difference,
    rank_sums,
)

COLUMNS = ["dataset", "method", "run", "fold", "n_train", "n_test", "measure", "value"]
SMALLER_IS_BETTER = ("brier", "log_loss", "seconds")


@dataclass(frozen=True, eq=False, repr=False)
class Results:
    """Measures of methods on data sets: `frame` has a row per set, method, run, fold and measure.

    Its columns: dataset, method, run, fold, n_train, n_test, measure, value (nan where a measure is
    not defined in a fold). Raises ValueError for other columns, no rows, or values given twice.
    """

    frame: pd.DataFrame

    def __post_init__(self):
        _check_columns(self.frame)
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
        """Mean of a measure (sets x methods) over runs and the folds that define it."""
        found = self._of(measure).pivot_table("value", "dataset", "method", dropna=False)
        return found.reindex(index=self.datasets, columns=self.methods)

    def pairs(
        self, measure: str = "auc", test: str = "corrected", alpha: float = 0.05
    ) -> pd.DataFrame:
        """A frame with a test of each method against each other on each data set.

        Columns: dataset, method, other, difference (of means, method - other), statistic, p, df,
        verdict: 1 where the method is better (p < alpha), -1 where worse, else 0. `test`:
        "corrected" (for the folds' share of test cases), "paired" or "wilcoxon", whose verdict goes
        by the sums of ranks. Folds in which the measure is not defined are left out; ValueError
        where fewer than two remain or a value is infinite.
        """
        choose("test", test, TESTS)
        check_alpha(alpha)
        rows, better = [], 1 if self.larger_is_better(measure) else -1
        for name, part in self._of(measure).groupby("dataset", sort=False):
            values, ratio = self._folds(name, part, measure)
            for i, method in enumerate(self.methods):
                for other in self.methods[i + 1 :]:
                    found, side = _test(test, values[method], values[other], ratio)
                    verdict = int(better * side) if found.p < alpha else 0
                    rows += [
                        (name, method, other, *found, verdict),
                        _mirror(name, method, other, found, verdict),
                    ]
        head = ["dataset", "method", "other", "difference", "statistic", "p", "df", "verdict"]
        return pd.DataFrame(rows, columns=head)

    def win_tie_loss(
        self, measure: str = "auc", test: str = "corrected", alpha: float = 0.05
    ) -> pd.DataFrame:
        """Texts "wins/ties/losses" (methods x methods) of the row's method against the column's.

        Counts of data sets by the verdicts of `pairs`, which has the numbers; arguments as there.
        """
        found = self.pairs(measure, test, alpha)
        counts = {
            pair: [int((verdict == sign).sum()) for sign in (1, 0, -1)]
            for pair, verdict in found.groupby(["method", "other"])["verdict"]
        }
        rows = [
            ["/".join(map(str, counts[a, b])) if a != b else "" for b in self.methods]
            for a in self.methods
        ]
        return pd.DataFrame(rows, self.methods, self.methods)

    def ranks(self, measure: str = "auc") -> pd.Series:
        """Average rank of each method over the data sets: 1 is best, ties averaged."""
        table = self.table(measure)
        if (gap := table.isna().any(axis=1)).any():
            raise ValueError(f"{measure!r} is not defined on data set {gap.idxmax()!r}")
        return average_ranks(table, self.larger_is_better(measure))

    def critical_difference(self, measure: str = "auc", alpha: float = 0.05) -> float:
        """Nemenyi's critical difference of the average ranks of these methods on these sets."""
        self._of(measure)
        return critical_difference(len(self.methods), len(self.datasets), alpha)

    @staticmethod
    def larger_is_better(measure: str) -> bool:
        """Whether larger values of a measure are better: not for losses and times."""
        return measure not in SMALLER_IS_BETTER

    def to_csv(self, path) -> None:
        """Write the frame as CSV, exactly."""
        self.frame.to_csv(Path(path), index=False, encoding="utf-8", lineterminator="\n")

    @classmethod
    def read_csv(cls, path) -> "Results":
        """Read what `to_csv` wrote; ValueError for other columns or no numbers."""
        frame = pd.read_csv(Path(path), dtype=str, keep_default_na=False, encoding="utf-8")
        _check_columns(frame)
        numbers = {name: frame[name].map(int) for name in COLUMNS[2:6]}
        value = frame["value"].map(lambda text: float(text or "nan"))  # pandas' own may be rounded
        return cls(frame.assign(**numbers, value=value))

    def _of(self, measure):
        choose("measure", measure, self.measures)
        return self.frame[self.frame["measure"] == measure]

    def _folds(self, name, part, measure):
        """Values (folds x methods) where the measure is defined, and test to training cases."""
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
        return values, part["n_test"].sum() / part["n_train"].sum()


def _check_columns(frame):
    if list(frame.columns) != COLUMNS:
        raise ValueError(f"results need the columns {', '.join(COLUMNS)}")


def _test(test, a, b, ratio):
    """The test of a against b, and 1 where it speaks for larger values of a, -1 of b."""
    found = corrected_t(a, b, float(ratio)) if test == "corrected" else TESTS[test](a, b)
    side = np.subtract(*rank_sums(a, b)) if test == "wilcoxon" else found.difference
    return found, np.sign(side)


def _mirror(name, method, other, found, verdict):
    """The same test seen from the other method; Wilcoxon's smaller sum has no sign."""
    statistic = found.statistic if found.df is None else -found.statistic
    return name, other, method, -found.difference, statistic, found.p, found.df, -verdict
