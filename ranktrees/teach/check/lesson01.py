"""Checks of lesson 01, what is a good split."""

import numpy as np

from ranktrees.bins import exact
from ranktrees.count import tally
from ranktrees.criteria import gini, gini_gain
from ranktrees.split import cut_tables
from ranktrees.teach.check.base import Verdict, close, exercise


@exercise("Gini of each branch is 1 - sum p^2; weigh them by their shares of the cases")
def gini_of_split(answer) -> Verdict:
    """The Gini index of the split (4, 1) | (2, 5)."""
    table = np.array([[4, 1], [2, 5]])
    each, share = gini(table), table.sum(axis=1) / table.sum()
    expected = float((share * each).sum())
    slips = {
        float(each.mean()): "You took the plain mean: weigh the branches by 5/12 and 7/12.",
        float(gini_gain(table)): "That is the gain, the drop from the parent's 0.5.",
        float((share[::-1] * each).sum()): "The weights are swapped: 5/12 goes with the first.",
    }
    praise = f"5/12 x {each[0]:.3f} + 7/12 x {each[1]:.3f} = {expected:.3f}."
    return close(answer, expected, praise, "1 - (4/5)^2 - (1/5)^2 = 0.32 for the first", slips)


@exercise('a list of three names: "multiway", "sports,luxury", "sports"')
def cartype_order(answer) -> Verdict:
    """The three splits of CarType, the best (smallest Gini index) first."""
    names = [str(name).strip().lower() for name in answer]
    right = ["multiway", "sports,luxury", "sports"]
    if sorted(names) != sorted(right):
        return Verdict(False, f"Use these three names, each once: {', '.join(map(repr, right))}.")
    if names == right:
        return Verdict(
            True,
            "Splitting further never raises Gini; and Family is the branch worth keeping apart.",
        )
    if names[0] != "multiway":
        return Verdict(False, "Can tearing a branch in two ever make the weighted Gini larger?")
    return Verdict(False, "Multiway is first; now compare how pure the larger branch is.")


@exercise("rt.criteria.gini_gain on all cut tables at once, then argmax")
def best_cut(answer) -> Verdict:
    """The income at which the ten tax payers are best cut by Gini gain."""
    from ranktrees.data import load

    data = load("tax-payers")
    income = data.X.select_dtypes("number").iloc[:, 0].to_numpy()
    values, code = np.unique(income, return_inverse=True)
    tables = cut_tables(tally((len(values), 2), code, data.y.codes))
    gains, value = gini_gain(tables), float(answer)
    best = int(gains.argmax())
    if values[best] <= value < values[best + 1]:
        cut = exact(values)[best]
        return Verdict(True, f"{cut:g} thousand, with a gain of {gains[best]:.3f}.")
    here = gini_gain(tally((2, 2), (income > value).astype(int), data.y.codes))
    possible = f"{gains[best]:.3f} is possible"
    return Verdict(False, f"A cut at {value:g} gains {float(here):.3f}; {possible}.")


@exercise("tables come as (..., V, C): sum over axis -1 for branches, -2 for classes")
def criterion(answer) -> Verdict:
    """A function of a table (..., V, C) that keeps the criteria's contract."""
    rng = np.random.default_rng(0)
    tables = rng.integers(0, 9, (20, 3, 2))
    batch = np.asarray(answer(tables), float)
    if batch.shape != (20,):
        return Verdict(False, f"20 tables must give shape (20,), but gave {batch.shape}.")
    single = np.array([float(answer(table)) for table in tables])
    if not np.allclose(batch, single):
        return Verdict(False, "A batch must give what the tables give one by one.")
    empty = np.concatenate([tables, np.zeros((20, 1, 2), int)], axis=1)
    if not np.allclose(answer(empty), batch):
        return Verdict(False, "An empty row (a value nobody has) must change nothing.")
    if abs(float(answer(np.array([[3, 4]])))) > 1e-12:
        return Verdict(False, "A table with a single row splits nothing and must score 0.")
    pure, useless = answer(np.array([[5, 0], [0, 5]])), answer(np.array([[3, 3], [2, 2]]))
    if not float(pure) > float(useless) + 1e-12:
        return Verdict(False, "A pure split must score more than a useless one: larger is better.")
    return Verdict(True, "It keeps the contract: rt.CRITERIA can take it, and a tree grow by it.")
