"""Models compared over many random splits, since the result of a single split varies by chance."""

import hashlib
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_number, choose
from ranktrees_engine.basics.kinds import Data, Measures
from ranktrees_engine.basics.ties import TIE
from ranktrees_engine.basics.warn import WarnOnce
from ranktrees_engine.evaluate.folds import random_subsampling
from ranktrees_engine.evaluate.outside import one_measure
from ranktrees_engine.evaluate.results import SMALLER_IS_BETTER, named_models
from ranktrees_engine.evaluate.task import Task, held_out, read_task

VERBS = {"auc": "ranks better than {} in", "accuracy": "is more accurate than {} in"}
_KNOWN: dict[tuple, np.ndarray] = {}  # values (n,) measured in this session
NAMELESS = "data"  # what a Dataset without a name of its own is called


@dataclass(frozen=True, eq=False, repr=False)
class Repeated:
    """A measure of models on the same splits: `table` (splits x models), counted from split 1.

    `data` is the name of the data set, "" for one without a name.
    """

    table: pd.DataFrame
    measure: str
    data: str = ""

    def wins(self, a: str, b: str) -> int:
        """Count splits in which model a is better than model b; equal splits do not count."""
        gain = self.difference(a, b)
        return int((-gain if self.measure in SMALLER_IS_BETTER else gain).gt(TIE).sum())

    def difference(self, a: str, b: str) -> pd.Series:
        """Return a's measure minus b's in each split (n,); ValueError for an unknown model."""
        for name in (a, b):
            choose("model", name, list(self.table))
        return self.table[a] - self.table[b]

    def in_k_of(self, a: str, b: str) -> str:
        """Return a sentence, "A ranks better than B in 17 of 20", with the number of ties."""
        verb = VERBS.get(self.measure, f"is better than {{}} by {self.measure} in").format(b)
        equal = len(self.table) - self.wins(a, b) - self.wins(b, a)
        tied = f" (equal in {equal})" if equal else ""
        return f"{a} {verb} {self.wins(a, b)} of {len(self.table)}{tied}"

    def __repr__(self) -> str:
        means = ", ".join(f"{name} {mean:.3f}" for name, mean in self.table.mean().items())
        return f"<mean {self.measure} over {len(self.table)} splits: {means}>"


def repeated(
    models: dict,
    data: Data,
    n: int = 20,
    measure: Measures = "auc",
    test: float = 0.5,
    seed: int = 1,
) -> Repeated:
    """Measure `models` {name: model} on the same n random stratified splits.

    `measure`: a name, or {"name": function} as in `cross_validate`, of which larger values are
    better. `test` is the share of cases held out; split i is the holdout of seed + i, i from 0. The
    trees of all splits grow in one pass if the model can do that. Results of an equal model on the
    same data are remembered for the session. Raises TypeError or ValueError for no model, an
    unknown measure, or a measure that is not defined in a split.
    """
    check_number("n", n, 1, whole=True)
    models, task = named_models(models), read_task(data)
    splits, own = random_subsampling(task.y, n, test, seed), not isinstance(measure, str)
    measure, score = one_measure(measure, task.classes)
    mark, values = "" if own else fingerprint(task), {}
    for name, model in models.items():
        key = (mark, n, measure, test, seed, f"{type(model).__module__}.{model!r}")
        known = _KNOWN.get(key) if mark else None
        if known is None:
            with WarnOnce():
                parts = zip(splits, held_out(model, task, splits), strict=True)
                each = [float(score(task.codes[out], p)) for (_, out), p in parts]
            known = np.array(each)
            if mark and " at 0x" not in key[-1]:  # an address may be used again
                _KNOWN[key] = known
        if np.isnan(known).any():
            split = int(np.isnan(known).argmax()) + 1
            raise ValueError(f"{measure!r} of {name!r} is not defined in split {split}")
        values[name] = known
    table = pd.DataFrame(values, pd.RangeIndex(1, n + 1, name="split"))
    name = str(getattr(data, "name", ""))
    return Repeated(table, measure, "" if name == NAMELESS else name)


def fingerprint(task: Task) -> str:
    """Return a digest of cases, their columns' kinds and classes; "" where the cases are codes."""
    if not isinstance(task.X, pd.DataFrame | np.ndarray):
        return ""
    frame, digest = pd.DataFrame(task.X), hashlib.sha256()
    kinds = [(name, str(t), *getattr(t, "categories", ())) for name, t in frame.dtypes.items()]
    digest.update(repr((kinds, list(task.classes))).encode())
    digest.update(pd.util.hash_pandas_object(frame, index=False).to_numpy().tobytes())
    digest.update(task.codes.tobytes())
    return digest.hexdigest()
