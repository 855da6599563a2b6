"""Several methods on several data sets, all on the same folds."""

import pandas as pd

from ranktrees.arguments import check_number
from ranktrees.evaluate.cross import STANDARD, check_runs, evaluate
from ranktrees.evaluate.fitting import check_model, find_measures, read_task
from ranktrees.evaluate.folds import fold_numbers
from ranktrees.evaluate.progress import bar
from ranktrees.evaluate.results import Results
from ranktrees.warn import WarnOnce


def compare(
    models,
    data,
    *,
    k=10,
    runs=1,
    seed=1,
    folds="stratified",
    measures=STANDARD,
    progress=None,
) -> Results:
    """Cross-validate every one of `models` {name: model} on every data set of the list `data`.

    All methods meet the same folds; run r draws them with seed + r. `folds`: "stratified", "weka"
    or "leave-one-out". `measures` as in `cross_validate`, "seconds" always among the results.
    `progress`: True for a bar, False for none, None for one once the work has taken two seconds.
    Raises TypeError or ValueError for no models or sets, sets without a name of their own, unknown
    measures. Warnings name the data set, each once.
    """
    models, sets, scores = _named(models), _sets(data), find_measures(measures)
    if not isinstance(folds, str):
        raise TypeError("folds must be a name: fold numbers belong to one data set only")
    check_runs(runs, seed, folds)
    check_number("k", k, 2, whole=True)
    rows = []
    with bar(len(sets) * runs * len(models), progress, "cross-validations") as advance:
        for one in sets:
            with WarnOnce(one.name):
                task = read_task(one)
                for run in range(runs):
                    fold = fold_numbers(task.y, k, seed + run, folds)
                    for name, model in models.items():
                        head = {"dataset": one.name, "method": name, "run": run}
                        rows += [head | row for row in evaluate(model, task, fold, scores)]
                        advance()
    return Results(_long(pd.DataFrame(rows), ["seconds", *scores]))


def _long(wide, measures):
    keys = ["dataset", "method", "run", "fold", "n_train", "n_test"]
    long = wide.melt(keys, measures, "measure", "value", ignore_index=False)
    return long.sort_index(kind="stable").reset_index(drop=True)


def _named(models):
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
    sets = [data] if hasattr(data, "X") else list(data)
    if not sets:
        raise ValueError("there is no data set to compare on: give a list of them")
    for one in sets:
        if not getattr(one, "name", None):
            raise TypeError(
                "each data set needs a name: give what rt.load gives, or rt.Dataset(X, y, "
                f"name=...), not {type(one).__name__}"
            )
    names = [one.name for one in sets]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(
            f"data sets need different names, but {', '.join(map(repr, twice))} occurs more than "
            "once: use dataclasses.replace(data, name=...)"
        )
    return sets
