"""Every picture: the same on a used figure, readable, true to its alt text, safe for odd names."""

import base64
import dataclasses
import html
import io
import re
import subprocess
import sys
import warnings
from functools import cache
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from matplotlib.cbook import is_math_text
from matplotlib.colors import to_rgba_array
from matplotlib.font_manager import fontManager
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from pictures import all_text, assert_readable
from PIL import Image

import ranktrees as rt
from ranktrees.bayes import lung_cancer, naive_bayes_structure, tan_structure
from ranktrees.evaluate import Repeated
from ranktrees_lab import plot
from ranktrees_lab.plot import style
from ranktrees_lab.plot.parts import legend_rows, spread
from ranktrees_lab.plot.picture import tiles
from ranktrees_lab.plot.style import CLASSES, COLOURS, other_font, plain, shorten, some, text_width

CASE = {"Refund": "No", "Status": "Married", "Income": 92.0}
PETALS = ("petallength", "petalwidth")


@cache
def data(name):
    return rt.load(name)


def some_of(name, n=120):
    whole = data(name)
    return rt.Dataset(whole.X[:n], whole.y[:n], name, "")


@cache
def fitted(kind, name, **how):
    """A model of `rt` that was fitted to a data set once."""
    return getattr(rt, kind)(**how).fit(data(name).X, data(name).y)


def grown(name, **how):
    return fitted("DecisionTree", name, **how)


@cache
def wide_tree():
    """A CITree whose root has sixty branches."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"wide": rng.integers(0, 60, 600).astype(str)})
    y = np.where(X["wide"].astype(int) % 2, "p", "q")
    return rt.CITree(prune=None, max_depth=1).fit(X, y)


@cache
def ranked(n=80):
    """Classes of n cases, and the scores of two models: one with ties, one that is right."""
    rng = np.random.default_rng(3)
    y = rng.random(n) < 0.4
    return np.where(y, "yes", "no"), {"a": np.round(rng.random(n) + 0.3 * y, 1), "b": y * 1.0}


def probabilities():
    y, scores = ranked()
    return y, {name: score.clip(0, 1) for name, score in scores.items()}


def cells(n=40, methods=("one", "two", "three")):
    """A table of published and measured numbers."""
    rng = np.random.default_rng(2)
    printed = rng.uniform(60, 100, n)
    names = {"dataset": [f"a data set {i}" for i in range(n)], "method": np.resize(methods, n)}
    return pd.DataFrame({**names, "published": printed, "measured": printed + rng.normal(0, 2, n)})


def folds(shift=1.0, seed=3):
    """Values (5 runs, 10 folds) of two methods."""
    rng = np.random.default_rng(seed)
    return rng.normal(80 + shift, 2, (5, 10)), rng.normal(80, 2, (5, 10))


def rounds_of(n=25, k=5):
    places = np.arange(n)
    return [(np.flatnonzero(places % k != f), np.flatnonzero(places % k == f)) for f in range(k)]


def path_of(K=4, C=2):
    proba = np.random.default_rng(5).random((K, C))
    weights = np.random.default_rng(6).random((K, C))
    return [f"N{i}" for i in range(K)], proba, weights / weights.sum(axis=0)


def line(n=3):
    return [1.0] * n, [10 * 2**i for i in range(n)]


TABLE = pd.DataFrame({"said": [90.0, 80.0], "found": [70.0, 79.0]}, index=["x", "y"])
RANKS = {f"a method with a long name, number {i}": 1 + i * 24 / 25 for i in range(25)}
XOR = [[[3, 0], [0, 3]], [[0, 3], [3, 0]]]
GROWN = {"leaves": [1, 4, 20], "train": [0.4, 0.2, 0.1], "test": [0.4, 0.3, 0.35]}
AUC = {"laplace": [0.5, 0.7, 0.75], "frequency": [0.5, 0.6, 0.5]}

SAID = {"a group of a long name": {"one": 0.0, "an estimate of a long name": 0.75}, "b": {"z": 1.0}}
TRAFFIC = [
    pd.DataFrame({"scans": [1.0, 2.11, 1.75], "read": [10, 2e9, 5e8], "written": [0, 99, 7e11]}),
    pd.DataFrame({"scans": [1.0] * 12, "read": [999_600] * 12, "written": [0] * 12}),
]


@cache
def deep(n=800):
    """A model of 20 classes and 60 attributes, and the case of the longest path."""
    rng = np.random.default_rng(8)
    y = rng.integers(0, 20, n)
    bits = {f"bit number {j} of the class": y >> (j % 5) & 1 for j in range(8)}
    noise = {f"noise {j}": rng.integers(0, 3, n) for j in range(52)}
    X = pd.DataFrame({**bits, **noise}).where(rng.random((n, 60)) < 0.85, 0).astype(str)
    names = [f"a class of a long name, {c}" for c in y]
    model = rt.DecisionTree(estimate="path-bayes").fit(X, pd.Categorical(names))
    return model, X.iloc[[int(model.tree_.depths[model.apply(X)].argmax())]]


def star():
    vote = data("vote")
    return tan_structure(vote.X.assign(party=vote.y), "party")


def odd_nodes():
    return {"aid-to-nicaraguan-contras": [], "el-salvador-aid": ["aid-to-nicaraguan-contras"]}


# name of the public function, and what is drawn: a function of the figure to draw on
DRAWINGS = {
    "tree, boxes": lambda f: plot.tree(grown("weather.nominal"), figure=f),
    "tree, discs": lambda f: plot.tree(grown("credit-g"), style="discs", figure=f),
    "tree, many classes": lambda f: plot.tree(grown("soybean"), figure=f),
    "tree, many classes as discs": lambda f: plot.tree(grown("soybean"), 3, "discs", f),
    "tree, numbers": lambda f: plot.tree(
        grown("glass", split="binary", numeric="thresholds"), figure=f
    ),
    "tree, a leaf": lambda f: plot.tree(grown("iris", min_parent=1000), style="discs", figure=f),
    "newton_tree": lambda f: plot.newton_tree(fitted("NewtonTree", "iris"), figure=f),
    "newton_tree, example": lambda f: plot.newton_tree(
        fitted("NewtonTree", "soybean", max_depth=3), data("soybean").X.iloc[[60]], figure=f
    ),
    "newton_tree, large": lambda f: plot.newton_tree(
        fitted("NewtonTree", "glass"), data("glass").X.iloc[[60]], figure=f
    ),
    "newton_tree, a leaf": lambda f: plot.newton_tree(
        fitted("NewtonTree", "iris", min_parent=1000), figure=f
    ),
    "citree": lambda f: plot.citree(fitted("CITree", "vote"), figure=f),
    "citree, large": lambda f: plot.citree(fitted("CITree", "tic-tac-toe"), figure=f),
    "citree, depth": lambda f: plot.citree(fitted("CITree", "tic-tac-toe"), 1, 1, figure=f),
    "citree, a leaf": lambda f: plot.citree(fitted("CITree", "credit-g"), figure=f),
    "citree, many classes": lambda f: plot.citree(
        fitted("CITree", "soybean", max_depth=2), figure=f
    ),
    "citree, many branches": lambda f: plot.citree(wide_tree(), figure=f),
    "belief_network": lambda f: plot.belief_network(
        lung_cancer(), dict.fromkeys(lung_cancer().parents, "yes 0.12"), "Smoker", figure=f
    ),
    "belief_network, star": lambda f: plot.belief_network(
        naive_bayes_structure("y", list("abc")), figure=f
    ),
    "belief_network, tan": lambda f: plot.belief_network(star(), apart="party", figure=f),
    "path": lambda f: plot.path(*path_of(), ["a", "b"], figure=f),
    "path, many classes": lambda f: plot.path(*path_of(6, 12), list("abcdefghijkl"), figure=f),
    "one_path": lambda f: plot.one_path(
        ["root", "leaf"], [[5, 3], [4, 0]], SAID, ["a", "b"], "a", figure=f
    ),
    "one_path, deep": lambda f: plot.one_path(
        [f"a test with quite a long name, number {k}" for k in range(9)],
        np.arange(180, 0, -1).reshape(9, 20),
        SAID,
        list("abcdefghijklmnopqrst"),
        "c",
        {group: {name: 1 - p for name, p in rows.items()} for group, rows in SAID.items()},
        f,
    ),
    "explanation": lambda f: plot.explanation(
        fitted("C44", "soybean", estimate="shrinkage").explain(data("soybean").X.iloc[0]), f
    ),
    "explanation, parents": lambda f: plot.explanation(
        fitted("AODE", "labor").explain(data("labor").X.iloc[0]), f
    ),
    "explanation, a sum": lambda f: plot.explanation(
        fitted("PathForest", "soybean").explain(data("soybean").X.iloc[0]), f
    ),
    "path_bayes": lambda f: plot.path_bayes(
        fitted("PathBayes", "weather.nominal"), data("weather.nominal").X.iloc[0], figure=f
    ),
    "path_bayes, many classes": lambda f: plot.path_bayes(
        fitted("PathBayes", "soybean"), data("soybean").X.iloc[0], figure=f
    ),
    "path_bayes, missing": lambda f: plot.path_bayes(
        fitted("PathBayes", "vote"), data("vote").X.iloc[0], figure=f
    ),
    "path_bayes, numbers": lambda f: plot.path_bayes(
        fitted("PathBayes", "credit-g", estimate="path-bayes-em"), data("credit-g").X.iloc[3], f
    ),
    "path_bayes, balance": lambda f: plot.path_bayes(
        fitted("PathBayes", "balance-scale"), data("balance-scale").X.iloc[3], figure=f
    ),
    "path_bayes, a leaf": lambda f: plot.path_bayes(
        grown("iris", min_parent=1000, estimate="path-bayes"), data("iris").X.iloc[0], figure=f
    ),
    "path_bayes, deep": lambda f: plot.path_bayes(*deep(), figure=f),
    "factors, zero": lambda f: plot.factors(
        fitted("NaiveBayes", "tax-payers", smoothing="none", numeric="gaussian"), CASE, f
    ),
    "factors, never": lambda f: plot.factors(
        fitted("NaiveBayes", "iris", smoothing="none"), data("iris").X.iloc[0], figure=f
    ),
    "factors, many": lambda f: plot.factors(
        fitted("NaiveBayes", "credit-g"), data("credit-g").X.iloc[3], figure=f
    ),
    "factors, missing": lambda f: plot.factors(
        fitted("NaiveBayes", "vote"), data("vote").X.iloc[0], figure=f
    ),
    "conditionals": lambda f: plot.conditionals(
        fitted("NaiveBayes", "credit-g"), "purpose", "other", {"a": [0.05, 0.95]}, figure=f
    ),
    "conditionals, bins": lambda f: plot.conditionals(
        fitted("NaiveBayes", "soybean"), "date", figure=f
    ),
    "split, nominal": lambda f: plot.split(data("credit-g"), "purpose", figure=f),
    "split, many classes": lambda f: plot.split(data("soybean"), "date", figure=f),
    "split, numeric": lambda f: plot.split(data("credit-g"), "duration", threshold=20, figure=f),
    "table": lambda f: plot.table([[2, 3], [49_990, 949_990]], figure=f),
    "impurity": lambda f: plot.impurity({"all": (9, 5)}, figure=f),
    "impurity, near": lambda f: plot.impurity({n: (9, k) for k, n in enumerate("abcd")}, f),
    "ranking": lambda f: plot.ranking(*ranked(), figure=f),
    "gains": lambda f: plot.gains(*ranked(), letters=10, figure=f),
    "roc": lambda f: plot.roc(*ranked(), figure=f),
    "staircase": lambda f: plot.staircase(*ranked(), figure=f),
    "calibration": lambda f: plot.calibration(*probabilities(), figure=f),
    "pairs": lambda f: plot.pairs(ranked()[0][:14], ranked()[1]["a"][:14], "yes", figure=f),
    "operating": lambda f: plot.operating(
        ranked()[0], ranked()[1]["a"], 0.4, 5, 0.1, "no", figure=f
    ),
    "operating, nobody": lambda f: plot.operating(
        ranked()[0], ranked()[1]["a"], 2.0, 0.1, 0.01, figure=f
    ),
    "attribute": lambda f: plot.attribute(fitted("PathForest", "iris"), "petallength", figure=f),
    "attribute, names": lambda f: plot.attribute(fitted("PathBayes", "vote"), "crime", figure=f),
    "boundaries": lambda f: plot.boundaries(
        grown("iris", max_depth=3), data("iris"), PETALS, {"cut": (1, 2, 8)}, figure=f
    ),
    "attraction_map": lambda f: plot.attraction_map(
        fitted("NewtonTree", "iris", max_depth=2), data("iris"), PETALS, figure=f
    ),
    "dependence, attribute": lambda f: plot.dependence(data("monks-1"), by="a1", figure=f),
    "dependence, many": lambda f: plot.dependence(data("ionosphere"), by="a09", figure=f),
    "dependence, leaves": lambda f: plot.dependence(
        data("tic-tac-toe"), by=fitted("CITree", "tic-tac-toe"), figure=f
    ),
    "dependence, two left": lambda f: plot.dependence(
        data("iris").X.iloc[:, 1:], data("iris").y, by="petalwidth", figure=f
    ),
    "bins": lambda f: plot.bins(data("iris"), "petalwidth", figure=f),
    "growing": lambda f: plot.growing(grown("weather.nominal"), data("weather.nominal"), figure=f),
    "growing, half": lambda f: plot.growing(
        grown("contact-lenses"), data("contact-lenses"), 2, case=5, figure=f
    ),
    "falling_cases": lambda f: plot.falling_cases(
        grown("weather.nominal"), data("weather.nominal"), figure=f
    ),
    "falling_cases, on the way": lambda f: plot.falling_cases(
        grown("credit-g", max_depth=2, split="binary"), some_of("credit-g"), 1, "good", figure=f
    ),
    "falling_cases, wide": lambda f: plot.falling_cases(
        grown("soybean", max_depth=1),
        some_of("soybean"),
        None,
        "phytophthora-rot",
        figure=f,
    ),
    "lens": lambda f: plot.lens([[9, 1], [3, 7]], figure=f),
    "separable": lambda f: plot.separable(XOR, figure=f),
    "separable, by b": lambda f: plot.separable([[[9, 1], [3, 7]]] * 2, "b", figure=f),
    "stops": lambda f: plot.stops(grown("weather.nominal", estimate="path-bayes"), figure=f),
    "stops, of an attribute": lambda f: plot.stops(
        grown("contact-lenses", estimate="path-bayes"), "astigmatism", 0.5, figure=f
    ),
    "series": lambda f: plot.series(
        [10, 20, 40],
        {"one": [1, 2, 3], "two": [1, 2, 3.01]},
        "n",
        "m",
        ("level", 3),
        {"one": [0.1, 0.2, 0.1]},
        log=True,
        figure=f,
    ),
    "sizes": lambda f: plot.sizes(**GROWN, figure=f),
    "sizes, with a tree": lambda f: plot.sizes(
        **GROWN, auc=AUC, chosen=1, tree=grown("soybean").tree_, figure=f
    ),
    "sizes, with a small tree": lambda f: plot.sizes(
        **GROWN, auc=AUC, tree=grown("weather.nominal").tree_, figure=f
    ),
    "rounds": lambda f: plot.rounds(
        np.repeat(["x", "y", "z"], [12, 9, 4]), rounds_of(), [0.5, 0.9, np.nan, 1, 0.7], figure=f
    ),
    "rounds, alone": lambda f: plot.rounds(["x", "y"] * 15, rounds_of(30, 30), figure=f),
    "rounds, no value": lambda f: plot.rounds(
        ["x", "y"] * 15, rounds_of(30, 3), [np.nan] * 3, figure=f
    ),
    "dumbbells": lambda f: plot.dumbbells(TABLE, "AUC", ring="said", figure=f),
    "dumbbells, log": lambda f: plot.dumbbells(TABLE, "leaves", log=True, figure=f),
    "differences": lambda f: plot.differences(TABLE - TABLE.mean(), "difference of AUC", figure=f),
    "strips": lambda f: plot.strips(Repeated(TABLE, "auc"), figure=f),
    "strips, many": lambda f: plot.strips(
        Repeated(pd.DataFrame({f"a long name, number {i}": [0.5, 0.7] for i in range(9)}), "auc"),
        "a long name, number 3",
        figure=f,
    ),
    "fresh_shares": lambda f: plot.fresh_shares(
        {"C4.4, frequencies": rt.C44(estimate="frequency"), "C4.4": rt.C44()},
        data("labor"),
        splits=2,
        figure=f,
    ),
    "fresh_shares, many": lambda f: plot.fresh_shares(
        {f"a long name, number {i}": rt.C44() for i in range(7)}, data("iris"), 2, figure=f
    ),
    "rainforest": lambda f: plot.rainforest(
        grown("weather.nominal"), data("weather.nominal"), "RF-Write", step=20, figure=f
    ),
    "rainforest, with tables": lambda f: plot.rainforest(
        grown("weather.nominal"), data("weather.nominal"), room=2, step=17, figure=f
    ),
    "residuals": lambda f: plot.residuals(cells(), 10, figure=f),
    "residuals, eight": lambda f: plot.residuals(cells(methods=tuple("ABCDEFGH")), 0, figure=f),
    "residuals, one cell": lambda f: plot.residuals(cells(1), figure=f),
    "duel": lambda f: plot.duel(*folds(), ("C45-C", "C45"), mark=1.2, figure=f),
    "duel, ties": lambda f: plot.duel(*[folds()[0]] * 2, test="wilcoxon", mark=0, figure=f),
    "duel, runs": lambda f: plot.duel(*folds(), test="paired, runs", figure=f),
    "critical_difference": lambda f: plot.critical_difference(RANKS, 3, figure=f),
    "traffic": lambda f: plot.traffic(dict(zip("abcde", TRAFFIC * 3, strict=False)), "b", figure=f),
    "traffic, nothing": lambda f: plot.traffic({"a": 0 * TRAFFIC[0]}, figure=f),
    "votes": lambda f: plot.votes([3, 4, 3], [0, 0, 1], 4, ["late", "on time"], figure=f),
    "votes, one": lambda f: plot.votes([0], [0], 1, ["a"], figure=f),
    "votes, many": lambda f: plot.votes(
        np.arange(3000) % 51, np.arange(3000) % 24, 60, list("abcdefghijklmnopqrstuvwx"), figure=f
    ),
    "critical_difference, wide": lambda f: plot.critical_difference(
        {"a": 1.2, "b": 1.8}, 40, figure=f
    ),
}
USED = plot.impurity()
FUNCTIONS = set(plot.__all__) - {"COLOURS", "Picture", "class_colours", "picture"}


def test_every_public_picture_is_among_them():
    drawn, hostile = ({name.split(",")[0] for name in names} for names in (DRAWINGS, HOSTILE))
    assert drawn == FUNCTIONS == hostile


@pytest.mark.filterwarnings("ignore:column 'a02' has only one value")
@pytest.mark.parametrize("name", list(DRAWINGS))
def test_it_is_readable_reusable_and_says_what_it_shows(name):
    assert_a_good_picture(DRAWINGS[name])


def assert_a_good_picture(draw):
    """`draw(figure)` draws alike on a used picture, says in numbers what it shows, is readable.

    The used picture still shows what the test before has drawn on it.
    """
    new, again = draw(None), draw(USED)
    assert again is USED
    assert again.alt == new.alt
    assert re.fullmatch(r"[A-Za-z0-9].{30,}\.", new.alt)
    assert re.search(r"\d", new.alt)
    assert_readable(new, all_text(new))
    again.canvas.draw()
    np.testing.assert_array_equal(again.canvas.buffer_rgba(), new.canvas.buffer_rgba())


# names that matplotlib would read as formulas, or leave out


A, B, C = r"$a_1$", "\\b$", r"_c\$ $2$"
V, W = r"$v^2$", "_w$"


@cache
def hostile():
    """A data set whose attributes, values and classes have such names."""
    rng = np.random.default_rng(7)
    X = pd.DataFrame({A: rng.choice([V, W], 80), B: rng.normal(size=80), C: rng.random(80)})
    y = np.where((X[A] == V) ^ (X[B] > 0), A, B)
    return rt.Dataset(X, pd.Categorical(y), "odd", "")


@cache
def odd(kind, *columns, **how):
    columns = list(columns or hostile().X.columns)
    return getattr(rt, kind)(**how).fit(hostile().X[columns], hostile().y)


@cache
def odd_and_small():
    """A tree of a few of these cases, and these."""
    whole = hostile()
    few = rt.Dataset(whole.X.iloc[:12], whole.y[:12], "odd", "")
    return rt.DecisionTree().fit(few.X, few.y), few


def odd_scores():
    return hostile().y, {A: np.linspace(0, 1, 80), C: np.linspace(1, 0, 80).round(1)}


ODD = pd.DataFrame({A: [2.0, 3.0], B: [4.0, 6.0]}, index=[V, W])
HOSTILE = {
    "tree": (lambda: plot.tree(odd("DecisionTree")), [A, B]),
    "newton_tree": (lambda: plot.newton_tree(odd("NewtonTree", max_depth=2)), [A, B]),
    "citree": (lambda: plot.citree(odd("CITree", prune=None, max_depth=1)), [A, B]),
    "belief_network": (
        lambda: plot.belief_network({A: [], B: [A], C: [A]}, {B: V}, [B], apart=C),
        [A, B, V],
    ),
    "path": (lambda: plot.path([A, B, C], *path_of(3, 2)[1:], [V, W]), [A, V, W]),
    "one_path": (
        lambda: plot.one_path([A, B], [[1, 2], [3, 4]], {C: {V: 0.5}}, [W, B], W),
        [A, B, C, V, W],
    ),
    "explanation": (
        lambda: plot.explanation(odd("DecisionTree").explain(hostile().X.iloc[0])),
        [A, B, C],
    ),
    "explanation, a sum": (
        lambda: plot.explanation(odd("PathForest").explain(hostile().X.iloc[0])),
        [A, B, C, W],
    ),
    "path_bayes": (
        lambda: plot.path_bayes(odd("DecisionTree", estimate="path-bayes"), hostile().X.iloc[0]),
        [A, B, C, W],
    ),
    "factors": (lambda: plot.factors(odd("NaiveBayes"), hostile().X.iloc[0]), [A, B, C]),
    "conditionals": (
        lambda: plot.conditionals(odd("NaiveBayes"), A, V, {C: [0.3, 0.7]}),
        [A, B, V, C],
    ),
    "split": (lambda: plot.split(hostile(), A), [A, B, V, W]),
    "bins": (lambda: plot.bins(hostile(), B), [A, B]),
    "growing": (lambda: plot.growing(*odd_and_small(), case=3), [A, B, V, W]),
    "falling_cases": (lambda: plot.falling_cases(*odd_and_small()), [A, B]),
    "rainforest": (lambda: plot.rainforest(*odd_and_small(), step=3), [A, B, V, W]),
    "lens": (lambda: plot.lens([[9, 1], [3, 7]]), []),
    "separable": (lambda: plot.separable(XOR, classes=[A, C]), [A, C]),
    "stops": (
        lambda: plot.stops(odd("DecisionTree", A, B, n_bins=2, estimate="path-bayes"), A),
        [A, B],
    ),
    "table": (lambda: plot.table([[1, 2], [3, 4]], [A, B], [V, W]), [A, B, V, W]),
    "impurity": (lambda: plot.impurity({A: (9, 5), C: (1, 5)}), [A, C]),
    "ranking": (lambda: plot.ranking(*odd_scores()), [A, B, C]),
    "gains": (lambda: plot.gains(*odd_scores()), [A, B, C]),
    "roc": (lambda: plot.roc(*odd_scores()), [A, C]),
    "staircase": (lambda: plot.staircase(*odd_scores()), [A, B, C]),
    "calibration": (lambda: plot.calibration(*odd_scores()), [A, B, C]),
    "pairs": (lambda: plot.pairs([A, B, A, B], [0.1, 0.3, 0.4, 0.2]), [B]),
    "operating": (lambda: plot.operating(hostile().y, np.linspace(0, 1, 80)), [B]),
    "attribute": (lambda: plot.attribute(odd("PathForest"), A), [A, V, W]),
    "boundaries": (
        lambda: plot.boundaries(odd("DecisionTree", B, C), hostile(), [B, C], {W: (1, 1, 0)}),
        [A, B, C, W],
    ),
    "attraction_map": (
        lambda: plot.attraction_map(odd("NewtonTree", B, C, max_depth=2), hostile(), [B, C]),
        [A, B, C],
    ),
    "dependence": (lambda: plot.dependence(hostile(), by=A), [A, B, C]),
    "series": (lambda: plot.series([1, 2], {A: [1, 2], C: [2, 1]}, B, V, (W, 1)), [A, B, C, V, W]),
    "sizes": (lambda: plot.sizes(**GROWN, auc={A: [0.4, 0.5, 0.6], C: [0.5] * 3}), [A, C]),
    "rounds": (lambda: plot.rounds([A, B, C] * 10, rounds_of(30), range(5), V), [A, B, C, V]),
    "dumbbells": (lambda: plot.dumbbells(ODD, C, ring=A), [A, B, C, V, W]),
    "differences": (lambda: plot.differences(ODD, C), [A, B, C]),
    "strips": (lambda: plot.strips(Repeated(ODD, V)), [A, B, V]),
    "fresh_shares": (lambda: plot.fresh_shares({A: rt.C44(), B: rt.C45()}, hostile(), 2), [A, B]),
    "residuals": (
        lambda: plot.residuals(cells(4, (A, B)).assign(dataset=[A, B, V, W])),
        [A, B, V, W],
    ),
    "duel": (lambda: plot.duel(*folds(), (A, C)), [A, C]),
    "traffic": (lambda: plot.traffic({A: TRAFFIC[0], C: TRAFFIC[1]}), [A, C]),
    "votes": (lambda: plot.votes([1, 2], [0, 1], 3, [V, W]), [V, W]),
    "critical_difference": (lambda: plot.critical_difference({A: 1, C: 2}, 0.5), [A, C]),
}


@pytest.mark.parametrize("name", list(HOSTILE))
def test_odd_names_are_shown_as_they_are_written(name):
    draw, names = HOSTILE[name]
    fig = draw()
    texts = [text for text, _, _ in all_text(fig)]
    assert not [text for text in texts if is_math_text(text)]
    drawn = " ".join(texts).replace(r"\$", "$")  # as matplotlib draws what is no formula
    assert not [name for name in names if name not in drawn]
    assert not [name for name in names if name not in fig.alt and name not in drawn]


def test_dollar_signs_of_ordered_values_are_not_formulas():
    size = pd.Categorical([V, W, V, W], [V, W], ordered=True)
    texts = [t for t, *_ in all_text(plot.split(pd.DataFrame({A: size}), A, y=["a", "b"] * 2))]
    assert not any(map(is_math_text, texts))
    assert {plain(V), plain(W), plain(A)} <= set(texts)


def test_a_name_takes_one_line():
    assert plain("one\ntwo") == "one two"
    assert plain("$5") == r"\$5"


# letters that fonts lack

LETTERS = {"A": "ह", "B": "字", "C": "한\t$", "V": "ไ", "W": "\U000f0000"}
OLD = {A: "A", B: "B", C: "C", V: "V", W: "W"}


@pytest.fixture
def no_other_fonts(monkeypatch):
    """A machine that has only the fonts that matplotlib brings for text."""
    none = [""], np.zeros(0x110000, int)
    monkeypatch.setattr(style, "_machine_fonts", lambda: none)
    text_width.cache_clear()
    yield
    text_width.cache_clear()


@pytest.fixture
def unknown_letters(monkeypatch, no_other_fonts):
    """The same pictures of names in letters that no font has."""
    for name, letters in LETTERS.items():
        monkeypatch.setitem(globals(), name, letters)
    monkeypatch.setitem(globals(), "ODD", ODD.set_axis([A, B], axis=1).set_axis([V, W]))
    makers = hostile, odd, odd_and_small
    for make in makers:
        make.cache_clear()
    yield
    for make in makers:
        make.cache_clear()


@pytest.mark.parametrize("name", list(HOSTILE))
def test_letters_that_no_font_has_are_shown_as_codes(name, unknown_letters):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fig = HOSTILE[name][0]()
        fig.png()
    shown = "".join(text for text, _, _ in all_text(fig))
    assert not {*"".join(LETTERS.values())} - {*" $v2"} & {*shown}
    names = [LETTERS[OLD[name]] for name in HOSTILE[name][1]]
    assert not [name for name in names if plain(name) not in shown and name not in fig.alt]


def test_a_code_is_set_apart_and_measured(no_other_fonts):
    assert plain("a字b") == "a U+5B57 b"
    assert plain("字") == "U+5B57"
    assert plain("氏名") == "U+6C0F U+540D"
    assert plain("Θ → π…") == "Θ → π…"
    assert plain("a\tb\x07\ud800") == "a b U+0007 U+D800"
    assert text_width("字") == text_width("U+5B57")
    assert text_width(shorten("氏名" * 9, 1)) <= 1


@pytest.fixture
def fonts_of_matplotlib(monkeypatch):
    """A machine that has only the fonts that matplotlib brings, STIX among them."""
    brought = [font for font in fontManager.ttflist if "mpl-data" in str(font.fname)]
    monkeypatch.setattr(fontManager, "ttflist", brought)
    caches = style._machine_fonts, text_width
    for known in caches:
        known.cache_clear()
    yield
    for known in caches:
        known.cache_clear()


def test_a_letter_of_another_font_is_drawn_in_it(fonts_of_matplotlib):
    """STIX has circled letters, DejaVu Sans has none."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fig = plot.tree(rt.DecisionTree().fit(pd.DataFrame({"Ⓐ": [0, 1]}), ["no", "Ⓑ"]))
        fig.png()
    (text,) = [t for t in fig.findobj(Text) if t.get_text() == "Ⓐ"]
    assert text.get_fontfamily()[-1] == "STIXGeneral"
    assert plain("Ⓐ\ue000字") == "Ⓐ U+E000 U+5B57", "letters, and no boxes for what is lacking"


def test_a_family_that_has_no_regular_font_serves_in_its_medium(fonts_of_matplotlib, caplog):
    for place, font in enumerate(fontManager.ttflist):
        if font.name == "STIXGeneral":
            fontManager.ttflist[place] = dataclasses.replace(font, weight=500)
    assert plain("Ⓐ") == "Ⓐ"
    assert other_font("Ⓐ")["fontfamily"][-1] == "STIXGeneral"
    plot.tree(rt.DecisionTree().fit(pd.DataFrame({"Ⓐ": [0, 1]}), ["no", "Ⓑ"])).png()
    assert "findfont" not in caplog.text


def test_words_from_the_right_do_not_turn_what_follows():
    """Without marks <= -1.5 would follow them to the left: as 1.5- =>."""
    assert plain("العمر <= -1.5") == "\u200eالعمر\u200e <= -1.5"
    assert plain("גיל הלקוח = זקן") == "\u200eגיל הלקוח\u200e = \u200eזקן\u200e"
    assert plain(plain("العمر (54)")) == plain("العمر (54)")
    assert text_width("العمر") == pytest.approx(text_width("\u200eالعمر\u200e"))
    assert text_width(shorten("العمر <= -1.5" * 9, 1)) <= 1


# the frame


def test_the_mime_bundle_has_the_picture_and_its_sentence():
    fig = plot.impurity()
    fig.alt = 'less "<" & more.'
    bundle, metadata = fig._repr_mimebundle_()
    assert base64.b64decode(bundle["image/png"]) == fig.png() == plot.impurity().png()
    assert fig.png()[:8] == b"\x89PNG\r\n\x1a\n"
    assert bundle["text/plain"] == fig.alt
    assert metadata == {"image/png": {"alt": fig.alt}}
    alt, source = re.search(r'<img alt="([^"]*)".* src="([^"]*)">', bundle["text/html"]).groups()
    assert html.unescape(alt) == fig.alt
    assert source == "data:image/png;base64," + bundle["image/png"]


def test_the_palette_keeps_the_colours_of_classes_and_pale_bands():
    colours = [*CLASSES, *dict.fromkeys(COLOURS.values()), "#F0F0F0", "#F7F7F7", "white"]
    fig = plot.Picture((4, 2))
    for k, colour in enumerate(colours):
        fig.add_artist(Rectangle((k / len(colours), 0), 1 / len(colours), 1, color=colour))
    fig.text(0.1, 0.5, "ends of letters are grey", color="white")
    pixels = Image.open(io.BytesIO(fig.png()))
    assert (pixels.mode, pixels.size, fig.width) == ("P", (800, 400), 400)
    middles = (np.arange(len(colours)) + 0.5) * 800 / len(colours)
    seen = np.asarray(pixels.convert("RGB"), float)[20, middles.astype(int)] / 255
    assert np.abs(seen - to_rgba_array(colours)[:, :3]).max() < 0.012
    assert (seen[-1] == 1).all(), "white stays white"


def test_headings_of_small_multiples_are_texts(no_other_fonts):
    shots = tiles([("a $x$ 字", plot.Picture((1, 1)).png(), "nothing")])
    assert [text.get_text() for text in shots.texts] == [r"a \$x\$ U+5B57"]


def test_small_multiples_stand_at_three_quarters():
    fig = plot.Picture((4, 2))
    fig.set_facecolor("#0072B2")
    shots = tiles([(f"n = {n}", fig.png(), "blue") for n in range(3)])
    assert shots.get_size_inches() == pytest.approx((6, 2 * 1.8))
    pixels = np.asarray(Image.open(io.BytesIO(shots.png())).convert("RGB"))
    blue = (np.abs(pixels - (0, 114.0, 178)) < 3).all(axis=2)
    assert blue.sum() == pytest.approx(3 * 600 * 300, rel=0.02)
    assert shots.alt == "n = 0: blue n = 1: blue n = 2: blue"


def test_neither_results_nor_pyplot_are_imported():
    """A picture takes what it draws: results and papers stand above it."""
    code = (
        "import sys, ranktrees_lab.plot;"
        "assert not [m for m in sys.modules if m.startswith('ranktrees_lab.papers')];"
        "import ranktrees as rt; from ranktrees import plot; d = rt.load('weather.nominal');"
        "plot.split(d, 'outlook').png(); plot.tree(rt.DecisionTree().fit(d.X, d.y)).png();"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_only_a_picture_can_be_redrawn():
    from matplotlib.figure import Figure

    with pytest.raises(TypeError, match=r"rt\.plot\.Picture"):
        plot.picture(Figure())


def test_class_colours_differ_and_yellow_comes_last():
    for n in (1, 2, 8, 9, 19):
        assert len(set(plot.class_colours(n))) == n
    assert plot.class_colours(8)[-1] == "#F0E442"


def test_shortened_text_fits_and_keeps_short_names():
    assert shorten("outlook", 2) == "outlook"
    short = shorten("a name that is much too long for its place", 1)
    assert short.endswith("…")
    assert text_width(short) <= 1
    assert shorten("cost $5", 2) == r"cost \$5"


def test_names_in_words():
    assert some(["a"]) == "a"
    assert some(["a", "b", "c"]) == "a, b and c"
    assert some("abcdef", 4) == "a, b, c and 3 others"


def test_a_legend_says_how_many_names_it_leaves_out():
    rows = legend_rows([f"class number {i}" for i in range(100)], 5)
    shown = sum(map(len, rows)) - 1
    assert rows[-1][-1] == (None, f"+ {100 - shown} more")
    assert legend_rows(["a", "b"], 5) == [[(0, "a"), (1, "b")]]


def test_spread_keeps_the_order_and_the_least_distance():
    places = np.array([0.0, 0.1, 0.15, 3.0, 3.05])
    moved = spread(places, 0.5)
    assert (np.diff(moved) >= 0.5 - 1e-12).all()
    assert moved[:3].mean() == pytest.approx(places[:3].mean())
    np.testing.assert_array_equal(spread(np.array([0.0, 1, 2]), 0.5), [0, 1, 2])
    uneven = spread([0, 0, 0], [1.0, 3.0])
    assert [round(b - a, 12) for a, b in pairwise(uneven)] == [1, 3]
    assert len(spread([], 0.5)) == 0
