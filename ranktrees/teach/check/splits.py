"""Checks of exercises on splits: tables, cuts and criteria."""

import numpy as np

from ranktrees.bins import exact
from ranktrees.count import tally
from ranktrees.criteria import gini, gini_gain
from ranktrees.split import cut_tables
from ranktrees.teach.check.base import exercise, need, one_number


@exercise("Gini of each branch is 1 - sum p^2; weigh them by their shares of the cases")
def gini_of_split(answer):
    """The Gini index of the split (4, 1) | (2, 5)."""
    table = np.array([[4, 1], [2, 5]])
    each, share = gini(table), table.sum(axis=1) / table.sum()
    expected = float((share * each).sum())
    slips = {
        float(each.mean()): "You took the plain mean: weigh the branches by 5/12 and 7/12.",
        float(gini_gain(table)): "That is the gain, the drop from the parent's 0.5.",
        float((share[::-1] * each).sum()): "The weights are swapped: 5/12 goes with the first.",
    }
    one_number(answer, expected, "1 - (4/5)^2 - (1/5)^2 = 0.32 for the first", slips)
    return f"5/12 x {each[0]:.3f} + 7/12 x {each[1]:.3f} = {expected:.3f}."


@exercise('a list of three names: "multiway", "sports,luxury", "sports"')
def cartype_order(answer):
    """The three splits of CarType, the best (smallest Gini index) first."""
    names = [str(name).strip().lower() for name in answer]
    right = ["multiway", "sports,luxury", "sports"]
    known = ", ".join(map(repr, right))
    need(sorted(names) == sorted(right), f"Use these three names, each once: {known}.")
    tear = "Can tearing a branch in two ever make the weighted Gini larger?"
    need(names[0] == "multiway", tear)
    need(names == right, "Multiway is first; now compare how pure the larger branch is.")
    return "Splitting further never raises Gini; and Family is the branch worth keeping apart."


@exercise("rt.criteria.gini_gain on all cut tables at once, then argmax")
def best_cut(answer):
    """The income at which the ten tax payers are best cut by Gini gain."""
    from ranktrees.data import load

    data = load("tax-payers")
    income = data.X.select_dtypes("number").iloc[:, 0].to_numpy()
    values, code = np.unique(income, return_inverse=True)
    gains, value = gini_gain(cut_tables(tally((len(values), 2), code, data.y.codes))), float(answer)
    best = int(gains.argmax())
    here = gini_gain(tally((2, 2), (income > value).astype(int), data.y.codes))
    possible = f"{gains[best]:.3f} is possible"
    text = f"A cut at {value:g} gains {float(here):.3f}; {possible}."
    need(values[best] <= value < values[best + 1], text)
    return f"{exact(values)[best]:g} thousand, with a gain of {gains[best]:.3f}."


@exercise("tables come as (..., V, C): sum over axis -1 for branches, -2 for classes")
def criterion(answer):
    """A function of a table (..., V, C) that keeps the criteria's contract."""
    tables = np.random.default_rng(0).integers(0, 9, (20, 3, 2))
    batch = np.asarray(answer(tables), float)
    need(batch.shape == (20,), f"20 tables must give shape (20,), but gave {batch.shape}.")
    single = np.array([float(answer(table)) for table in tables])
    need(np.allclose(batch, single), "A batch must give what the tables give one by one.")
    more = np.concatenate([tables, np.zeros((20, 1, 2), int)], axis=1)
    empty = "An empty row (a value nobody has) must change nothing."
    need(np.allclose(answer(more), batch), empty)
    row = abs(float(answer(np.array([[3, 4]]))))
    need(row <= 1e-12, "A table with a single row splits nothing and must score 0.")
    pure, useless = (float(answer(np.array(n))) for n in ([[5, 0], [0, 5]], [[3, 3], [2, 2]]))
    larger = "A pure split must score more than a useless one: larger is better."
    need(pure > useless + 1e-12, larger)
    return "It keeps the contract: rt.CRITERIA can take it, and a tree grow by it."
