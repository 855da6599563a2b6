"""What one attribute adds to the log odds of a class, by its value, over all training cases."""

import numpy as np
import pandas as pd

from ranktrees_engine.basics.arguments import check_like
from ranktrees_engine.basics.kinds import Model
from ranktrees_engine.basics.logarithms import log

BAND = 0.05, 0.95  # the shares of training cases below and up to the ends of a band


def attribute_effect(model: Model, j: int, c: int) -> pd.DataFrame:
    """Compute what attribute j adds to the log odds of class c, a row for each of its values.

    `model` is a fitted `PathBayes` or `PathForest`. For each value, every training case is given
    that value: `mean` is the mean of what the factor then adds, and nine tenths of the cases lie
    from `low` to `high`. With more than two classes the odds are against the mean logarithm of the
    others. For a number, a row is an interval of the bins of all grids, `up_to` a cut, or infinity.
    """
    check_like("a fitted PathBayes or PathForest", model, "path_factors")
    each, weight = model.path_factors()
    infos = [schema[j] for *_, schema in each]
    cuts = sorted({cut for info in infos for cut in info.cuts})
    total = 0.0
    for (factors, end, weights, _), info in zip(each, infos, strict=True):
        values = np.flatnonzero(factors.counts.attribute == j)
        log_f = log(factors.of_values(values)[:-1]).reshape(-1, len(values), len(model.classes_))
        others = (log_f.sum(axis=2) - log_f[..., c]) / max(log_f.shape[2] - 1, 1)
        effect = (log_f[..., c] - others) * weights[j]
        if info.kind == "numeric":
            effect = effect[:, [*np.searchsorted(info.cuts, cuts), len(info.cuts)]]
        total = total + effect[end]
    table = pd.DataFrame({"mean": np.average(total, axis=0, weights=weight)})
    table["low"], table["high"] = _quantiles(total, weight)
    if infos[0].kind == "numeric":
        table["up_to"] = [*cuts, np.inf]
    else:
        table.index = pd.Index(list(map(str, infos[0].labels))[: len(table)], name=infos[0].name)
    return table


def _quantiles(values, weight):
    """Return the ends of the `BAND` of values (n, K), in which each row weighs `weight` (n,)."""
    order = np.argsort(values, axis=0, kind="stable")
    share = np.cumsum(weight[order], axis=0) / weight.sum()
    ordered = np.take_along_axis(values, order, axis=0)
    last = len(values) - 1
    rows = [np.minimum((share < q - 1e-12).sum(axis=0), last) for q in BAND]
    return [ordered[row, np.arange(values.shape[1])] for row in rows]
