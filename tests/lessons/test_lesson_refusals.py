"""What pictures, explorers and made-up data of the lessons refuse, and the words that say it."""

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees_lab import plot
from ranktrees_lab.data import structured
from ranktrees_lab.explore import Candidates
from ranktrees_lab.explore.paths import own_weights

CUTS = rt.C45(prune=False, numeric="thresholds")
NO, YES = ["no"] * 13, ["yes"] * 13
TWO = [(np.array([0, 1]), np.array([2, 3])), (np.array([2, 3]), np.array([0, 1]))]
SAID = pd.DataFrame({"said": [90.0, 80.0], "found": [70.0, 79.0]}, index=["x", "y"])
TRAFFIC = pd.DataFrame({"scans": [1.0], "read": [10], "written": [0]})
GAP = pd.DataFrame({"one": [np.nan]})


def grown(name, **how):
    data = rt.load(name)
    return rt.DecisionTree(**how).fit(data.X, data.y), data


def smoothing(**how):
    return rt.explore.smoothing(rt.load("tax-payers"), **how)


def pruning(name="iris", **how):
    return rt.explore.pruning(rt.load(name), **how)


def candidates(values, classes):
    return Candidates(pd.DataFrame({"same": [*values] * 10}), pd.Categorical([*classes] * 10))


def shrinkage(**how):
    return rt.explore.shrinkage(rt.prepare(rt.load("breast-cancer"), "papers"), **how)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rt.explore.pairs([*NO, "yes", "yes"], range(15), "no"), "13 x 2 pairs are too"),
        (lambda: rt.explore.pairs(["no", "yes"], [1, 2], "ugly"), "ugly"),
        (lambda: plot.lens([[1, 2]]), "two branches and two classes"),
        (lambda: plot.lens([[1, 2], [2, 1]], "entrophy"), "impurity"),
        (lambda: rt.explore.lens((6, 6), (7, 0)), "does not have"),
        (lambda: plot.growing(*grown("tax-payers"), splits=9), "splits must be 0 to"),
        (lambda: plot.growing(*grown("tax-payers"), case=10), "case must be 0 to 9"),
        (lambda: plot.growing(*grown("credit-g", max_depth=1)), "1000 cases are too many"),
        (lambda: plot.bins(rt.load("tax-payers"), "Status"), "bins are of numbers"),
        (lambda: plot.bins(rt.load("tax-payers"), "status"), "no attribute"),
        (lambda: rt.explore.bins(rt.load("vote")), "no numeric attribute"),
        (lambda: smoothing(attribute="nonsense"), "Refund"),
        (lambda: smoothing(case=10), "case must be 0 to 9, not 10"),
        (lambda: smoothing(case={"Refund": "No"}), "lacks 'Status'"),
        (lambda: smoothing(smoothing="much"), "laplace"),
        (lambda: plot.pairs(NO + YES, range(26)), "at most 12 cases of each class"),
        (lambda: plot.operating(NO + YES, range(26), share=30), "share must be at"),
        (lambda: plot.operating(NO + YES, range(26), miss=-1), "miss"),
        (lambda: plot.rounds(["b", "a", "b", "a"], TWO, [1, 2, 3]), "3 values for 2 rounds"),
        (lambda: plot.rounds(["b", "a", "b", "a"], []), "no round"),
        (lambda: plot.series([1, 2], {}, "x", "y"), "no line"),
        (lambda: plot.series([1, 2], {"m": [1]}, "x", "y"), "'m' has shape"),
        (lambda: plot.series([1, 2], {"m": [1, np.nan]}, "x", "y"), "not a number"),
        (lambda: plot.series([2, 1], {"m": [1, 2]}, "x", "y"), "ascending"),
        (lambda: plot.series([1], {"m": [1]}, "x", "y", spreads={"n": [1]}), "which is no line"),
        (lambda: rt.explore.folds(rt.load("credit-g")), "1000 cases are too many"),
        (lambda: rt.explore.folds(rt.load("labor")).splits("thirds", 3, 1), "scheme"),
        (lambda: rt.explore.folds(rt.load("labor"), measure="acuracy"), "measure"),
        (lambda: pruning(method="magic"), "cost complexity"),
        (lambda: pruning(estimate="magic"), "curtailment"),
        (lambda: pruning(train=np.arange(50)), "train cases need at least two classes"),
        (lambda: pruning(split=21), "split must be"),
        (lambda: pruning(model=CUTS, estimate="path-bayes"), "path Bayes needs a branch per value"),
        (lambda: plot.sizes([1, 2], [0.1], [0.1, 0.2]), "'training' has shape"),
        (lambda: plot.sizes([0, 2], [0.1, 0.2], [0.1, 0.2]), "of 1 or more"),
        (lambda: plot.sizes([1, 2], [0, 1], [0, 1], {"test": [1, 1]}), "other names"),
        (lambda: plot.sizes([1, 2], [0, 1], [0, 1], None, 2), "chosen must be 0 to 1"),
        (lambda: plot.staircase([*"ab"], {str(i): [0, 1] for i in range(5)}, "b"), "at most four"),
        (lambda: candidates("xx", "uv"), "every attribute is constant"),
        (lambda: candidates("xy", "uu"), "only one class"),
        (lambda: candidates("xy", "uv").proba("magic"), "unknown attribute 'magic'"),
        (lambda: rt.explore.newton(rt.load("iris"), case=150), "case must be 0 to 149"),
        (lambda: rt.explore.newton(rt.load("iris"), attribute="petalwidht"), "did you mean"),
        (lambda: rt.explore.newton(rt.load("iris"), depth=0), "max_depth"),
        (lambda: structured.baskets(0), "n must be at least"),
        (lambda: structured.baskets(2.5), "n must be a whole"),
        (lambda: structured.fragments(10, mutation=float("nan")), "from 0 to 1"),
        (lambda: structured.board(noise=1.5), "noise"),
        (lambda: own_weights([0, 0, 0]), "all weights are 0"),
        (lambda: own_weights([1, -0.5, 0.5]), "weight of N1 is -0.5"),
        (lambda: own_weights([[1, 2]]), "a row of numbers"),
        (lambda: shrinkage(estimate="magic"), "naive Bayes"),
        (lambda: shrinkage(weights="magic"), "uniform"),
        (lambda: shrinkage(case=999), "case must be 0 to 142"),
        (lambda: shrinkage(train=np.arange(286)), "train holds every row"),
        (lambda: plot.path(["u"], np.ones((2, 2)) / 2, np.ones((2, 2)) / 2, [*"ab"]), r"\(2, 2\)"),
        (lambda: plot.votes([1, 2], [0], 4, ["a", "b"]), "as many numbers"),
        (lambda: plot.votes([5], [0], 4, ["a", "b"]), "between 0 and the 4 attributes"),
        (lambda: plot.votes([1], [2], 4, ["a", "b"]), "codes from 0 to 1"),
        (lambda: plot.dumbbells(SAID, "AUC", "nobody"), "ring must be one of"),
        (lambda: plot.dumbbells(SAID.where(SAID > 75), "AUC"), "not a number"),
        (lambda: plot.dumbbells(SAID.iloc[:0], "AUC"), "empty"),
        (lambda: plot.rainforest(*grown("weather.nominal"), "rf"), "no algorithm 'rf'"),
        (lambda: plot.rainforest(*grown("weather.nominal"), step=99), "not 99"),
        (lambda: plot.rainforest(*grown("iris")), "150 rows are too many"),
        (lambda: plot.traffic({}), "nothing to draw"),
        (lambda: plot.traffic({"one": TRAFFIC, "two": TRAFFIC}, "three"), "one or two, not 'three"),
        (lambda: plot.differences(pd.DataFrame(), "difference"), "there is no column"),
        (lambda: plot.differences(GAP, "difference"), "the column 'one' has none"),
    ],
)
def test_what_cannot_be_drawn_or_made_is_named(call, words):
    with pytest.raises((ValueError, TypeError), match=words):
        call()
