"""What pictures are asked to draw in their tests: common cases, extremes, and odd names."""

from functools import cache
from string import ascii_lowercase as LETTERS

import numpy as np
import pandas as pd
from pictures import all_text

import ranktrees as rt
from ranktrees_engine.bayes import lung_cancer, tan_structure
from ranktrees_engine.evaluate import Repeated
from ranktrees_lab import plot
from ranktrees_lab.data import structured

CASE = {"Refund": "No", "Status": "Married", "Income": 92.0}
PLAY = "weather.nominal"
PETALS = ("petallength", "petalwidth")


@cache
def data(name):
    return rt.load(name)


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


NAME = "a method with a long name, number {}"
RANKS = {NAME.format(i): 1 + i * 24 / 25 for i in range(25)}
MANY = pd.DataFrame({name: [0.5, 0.7] for name in [*RANKS][:9]})
TIMES, LEVELS = [10, 20, 40], [0.1, 0.2, 0.1]
LINES = {"one": [1, 2, 3], "two": [1, 2, 3.01]}
YES = np.resize(["no", "yes", "no"], 80)
SCORES = {"a": np.linspace(0, 1, 80).round(1), "b": (YES == "yes") * 1.0}
XOR = [[[3, 0], [0, 3]], [[0, 3], [3, 0]]]
GROWN = {"leaves": [1, 4, 20], "train": [0.4, 0.2, 0.1], "test": [0.4, 0.3, 0.35]}
AUC = {"laplace": [0.5, 0.7, 0.75], "frequency": [0.5, 0.6, 0.5]}
SAID = {"a group of a long name": {"one": 0.0, "an estimate of a long name": 0.75}, "b": {"z": 1.0}}
TRAFFIC = [
    pd.DataFrame({"scans": [1.0, 2.11, 1.75], "read": [10, 2e9, 5e8], "written": [0, 99, 7e11]}),
    pd.DataFrame({"scans": [1.0] * 12, "read": [999_600] * 12, "written": [0] * 12}),
]


@cache
def deep(n=400):
    """A model of 20 classes and 60 attributes, and the case of the longest path."""
    rng = np.random.default_rng(8)
    y = rng.integers(0, 20, n)
    bits = {f"bit number {j} of the class": y >> (j % 5) & 1 for j in range(8)}
    noise = {f"noise {j}": rng.integers(0, 3, n) for j in range(52)}
    X = pd.DataFrame({**bits, **noise}).where(rng.random((n, 60)) < 0.85, 0).astype(str)
    names = [f"a class of a long name, {c}" for c in y]
    model = rt.DecisionTree(estimate="path-bayes").fit(X, pd.Categorical(names))
    return model, X.iloc[[int(model.tree_.depths[model.apply(X)].argmax())]]


@cache
def shop(**settings):
    """A Newton tree of baskets, one of whose attributes is the hour, and the baskets."""
    baskets = structured.baskets()
    model = rt.NewtonTree(distances={"hour": ("cyclic", 24)}, **settings)
    return model.fit(baskets.X, baskets.y), baskets


def of(*given, **named):
    return given, named


def case(name, row=0):
    return data(name).X.iloc[row]


def long_path():
    tests = [f"a test with quite a long name, number {k}" for k in range(9)]
    other = {group: {name: 1 - p for name, p in rows.items()} for group, rows in SAID.items()}
    counts = np.arange(180, 0, -1).reshape(9, 20)
    return of(tests, counts, SAID, list(LETTERS[:20]), "c", other)


# name of the public function, and of a case unlike that of HOSTILE: what it is asked to draw
DRAWINGS = {
    "tree, many boxes": lambda: of(grown("soybean")),
    "tree, many classes": lambda: of(grown("soybean"), 3, "discs"),
    "tree, a leaf": lambda: of(grown("iris", min_parent=999), style="discs"),
    "newton_tree, large": lambda: of(fitted("NewtonTree", "glass"), case("glass", 60)),
    "newton_tree, centres": lambda: of(fitted("CentreSplitting", "iris"), case("iris")),
    "citree, large": lambda: of(fitted("CITree", "tic-tac-toe")),
    "citree, a leaf": lambda: of(fitted("CITree", "credit-g")),
    "citree, many classes": lambda: of(fitted("CITree", "soybean", max_depth=2)),
    "citree, many branches": lambda: of(wide_tree()),
    "belief_network, evidence": lambda: of(
        lung_cancer(), dict.fromkeys(lung_cancer().parents, "yes 0.12"), "Smoker"
    ),
    "belief_network, tan": lambda: of(tan_structure(data("vote").frame, "Class"), apart="Class"),
    "path, many classes": lambda: of(*path_of(6, 12), list(LETTERS[:12])),
    "one_path, deep": long_path,
    "explanation, parents": lambda: of(fitted("AODE", "labor").explain(case("labor"))),
    "explanation, of many": lambda: of(fitted("PathForest", "glass").explain(case("glass"))),
    "path_bayes, numbers": lambda: of(
        fitted("PathBayes", "credit-g", estimate="path-bayes-em"), case("credit-g", 3)
    ),
    "path_bayes, a leaf": lambda: of(
        grown("iris", min_parent=999, estimate="path-bayes"), case("iris")
    ),
    "path_bayes, deep": lambda: of(*deep()),
    "factors, zero": lambda: of(fitted("NaiveBayes", "tax-payers", smoothing="none"), CASE),
    "factors, never": lambda: of(fitted("NaiveBayes", "iris", smoothing="none"), case("iris")),
    "split, many classes": lambda: of(data("soybean"), "date"),
    "split, numeric": lambda: of(data("credit-g"), "duration", threshold=20),
    "impurity, near": lambda: of({n: (9, k) for k, n in enumerate("abcd")}),
    "gains, letters": lambda: of(YES, SCORES, letters=10),
    "operating, costs": lambda: of(YES, SCORES["a"], 0.4, 5, 0.1, "no"),
    "attribute, numbers": lambda: of(fitted("PathForest", "iris"), "petallength"),
    "dependence, many": lambda: of(data("ionosphere"), by="a09"),
    "dependence, two left": lambda: of(data("iris").X.iloc[:, 1:], data("iris").y, by="petalwidth"),
    "falling_cases, on the way": lambda: of(grown("labor"), data("labor"), 1, "good"),
    "separable, by b": lambda: of([[[9, 1], [3, 7]]] * 2, "b"),
    "series, log": lambda: of(TIMES, LINES, "n", "m", ("level", 3), {"one": LEVELS}, log=True),
    "prune_path, chosen": lambda: of(rt.prune.path(grown("labor")), 0.02),
    "sizes, with a tree": lambda: of(**GROWN, auc=AUC, chosen=1, tree=grown("soybean").tree_),
    "rounds, alone": lambda: of(["x", "y"] * 15, rounds_of(30, 30)),
    "dumbbells, log": lambda: of(ODD, "leaves", log=True),
    "strips, many": lambda: of(Repeated(MANY, "auc"), NAME.format(3)),
    "fresh_shares, many": lambda: of(dict.fromkeys([*RANKS][:7], rt.C44()), data("iris"), 2),
    "rainforest, RF-Write": lambda: of(grown(PLAY), data(PLAY), "RF-Write", step=20),
    "rainforest, with tables": lambda: of(grown(PLAY), data(PLAY), room=2, step=17),
    "residuals, eight": lambda: of(cells(methods=tuple("ABCDEFGH")), 0),
    "residuals, one cell": lambda: of(cells(1)),
    "duel, mark": lambda: of(*folds(), ("C45-C", "C45"), mark=1.2),
    "duel, ties": lambda: of(*[folds()[0]] * 2, test="wilcoxon", mark=0),
    "critical_difference, many": lambda: of(RANKS, 3),
    "traffic, five": lambda: of(dict(zip("abcde", TRAFFIC * 3, strict=False)), "b"),
    "traffic, nothing": lambda: of({"a": 0 * TRAFFIC[0]}),
    "votes, one": lambda: of([0], [0], 1, ["a"]),
    "votes, many": lambda: of(np.arange(3000) % 51, np.arange(3000) % 24, 60, list(LETTERS[:24])),
}
# names that matplotlib would read as formulas, or leave out
A, B, C = r"$a_1$", "\\b$", r"_c\$ $2$"
V, W = r"$v^2$", "_w$"
EVERY = [A, B, C, V, W]
RNG = np.random.default_rng(7)
X = pd.DataFrame({A: RNG.choice([V, W], 80), B: RNG.normal(size=80), C: RNG.random(80)})
ODD_SET = rt.Dataset(X, pd.Categorical(np.where((X[A] == V) ^ (X[B] > 0), A, B)), "odd", "")
FEW = rt.Dataset(X[:12], ODD_SET.y[:12], "odd", "")
SCORED = ODD_SET.y, {A: np.linspace(0, 1, 80), C: np.linspace(1, 0, 80).round(1)}


def odd(kind, *columns, **how):
    return getattr(rt, kind)(**how).fit(X[[*columns]] if columns else X, ODD_SET.y)


def odd_plane(kind, *more):
    return of(odd(kind, B, C, max_depth=2), ODD_SET, [B, C], *more)


def small():
    return rt.DecisionTree().fit(FEW.X, FEW.y), FEW


ODD = pd.DataFrame({A: [2.0, 3.0], B: [4.0, 6.0]}, index=[V, W])
ORDERED = pd.DataFrame({A: pd.Categorical([V, W, V, W], [V, W], ordered=True)})
HOSTILE = {  # what is drawn, and the names that must be seen
    "tree": (lambda: of(odd("DecisionTree")), [A, B]),
    "newton_tree": (lambda: of(odd("NewtonTree", max_depth=2)), [A, B]),
    "citree": (lambda: of(odd("CITree", prune=None, max_depth=1)), [A, B]),
    "belief_network": (lambda: of({A: [], B: [A], C: [A]}, {B: V}, [B], apart=C), [A, B, V]),
    "path": (lambda: of([A, B, C], *path_of(3, 2)[1:], [V, W]), [A, V, W]),
    "one_path": (lambda: of([A, B], [[1, 2], [3, 4]], {C: {V: 0.5}}, [W, B], W), EVERY),
    "explanation": (lambda: of(odd("DecisionTree").explain(X.iloc[0])), [A, B, C]),
    "explanation, a sum": (lambda: of(odd("PathForest").explain(X.iloc[0])), [A, B, C, W]),
    "path_bayes": (lambda: of(odd("PathBayes"), X.iloc[0]), [A, B, C, W]),
    "factors": (lambda: of(odd("NaiveBayes"), X.iloc[0]), [A, B, C]),
    "conditionals": (lambda: of(odd("NaiveBayes"), A, V, {C: [0.3, 0.7]}), [A, B, V, C]),
    "split": (lambda: of(ODD_SET, A), [A, B, V, W]),
    "split, ordered": (lambda: of(ORDERED, A, [A, B] * 2), [A, B, V, W]),
    "bins": (lambda: of(ODD_SET, B), [A, B]),
    "growing": (lambda: of(*small(), case=3), [A, B, V, W]),
    "falling_cases": (lambda: of(*small()), [A, B]),
    "rainforest": (lambda: of(*small(), step=3), [A, B, V, W]),
    "lens": (lambda: of([[9, 1], [3, 7]]), []),
    "separable": (lambda: of(XOR, classes=[A, C]), [A, C]),
    "stops": (lambda: of(odd("DecisionTree", A, B, n_bins=2, estimate="path-bayes"), A), [A, B]),
    "table": (lambda: of([[1, 2], [3, 4]], [A, B], [V, W]), [A, B, V, W]),
    "impurity": (lambda: of({A: (9, 5), C: (1, 5)}), [A, C]),
    "ranking": (lambda: of(*SCORED), [A, B, C]),
    "gains": (lambda: of(*SCORED), [A, B, C]),
    "roc": (lambda: of(*SCORED), [A, C]),
    "pr": (lambda: of(*SCORED), [A, C]),
    "prune_path": (lambda: of(rt.prune.path(odd("DecisionTree"))), []),
    "staircase": (lambda: of(*SCORED), [A, B, C]),
    "calibration": (lambda: of(*SCORED), [A, B, C]),
    "pairs": (lambda: of([A, B, A, B], [0.1, 0.3, 0.4, 0.2]), [B]),
    "operating": (lambda: of(ODD_SET.y, np.linspace(0, 1, 80)), [B]),
    "attribute": (lambda: of(odd("PathForest"), A), [A, V, W]),
    "boundaries": (lambda: odd_plane("DecisionTree", {W: (1, 1, 0)}), [A, B, C, W]),
    "attraction_map": (lambda: odd_plane("NewtonTree"), [A, B, C]),
    "dependence": (lambda: of(ODD_SET, by=A), [A, B, C]),
    "series": (lambda: of([1, 2], {A: [1, 2], C: [2, 1]}, B, V, (W, 1)), EVERY),
    "sizes": (lambda: of(**GROWN, auc={A: [0.4, 0.5, 0.6], C: [0.5] * 3}), [A, C]),
    "rounds": (lambda: of([A, B, C] * 10, rounds_of(30), [0.5, np.nan] * 2 + [1], V), [A, B, V]),
    "dumbbells": (lambda: of(ODD, C, ring=A), EVERY),
    "differences": (lambda: of(ODD, C), [A, B, C]),
    "strips": (lambda: of(Repeated(ODD, V)), [A, B, V]),
    "fresh_shares": (lambda: of({A: rt.C44(), B: rt.C45()}, ODD_SET, 2), [A, B]),
    "residuals": (lambda: of(cells(4, (A, B)).assign(dataset=[A, B, V, W])), [A, B, V, W]),
    "duel": (lambda: of(*folds(), (A, C)), [A, C]),
    "traffic": (lambda: of({A: TRAFFIC[0], C: TRAFFIC[1]}), [A, C]),
    "votes": (lambda: of([1, 2], [0, 1], 3, [V, W]), [V, W]),
    "critical_difference": (lambda: of({A: 1, C: 2}, 0.5), [A, C]),
}


def draw(name, figure=None):
    """A call of the public function of this name, on a figure."""
    make = HOSTILE[name][0] if name in HOSTILE else DRAWINGS[name]
    given, named = make()
    return getattr(plot, name.split(",")[0])(*given, **named, figure=figure)


@cache
def drawn(name):
    """The picture of this name, drawn once, and its texts."""
    picture = draw(name)
    return picture, all_text(picture)
