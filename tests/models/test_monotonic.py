"""Monotone constraints: brute force over all else equal, scikit-learn's trees, every way in."""

import itertools

import numpy as np
import pandas as pd
import pytest
from databases import in_sqlite
from scale_cases import assert_all_alike, batches_of, write
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

import ranktrees as rt
from ranktrees_engine.estimates import estimate_names
from ranktrees_engine.growing.bounds import bounds_of
from ranktrees_engine.growing.monotonic import signs_of

CREDIT = rt.load("credit-g")  # classes are bad and good
SIGNS = {"duration": -1, "age": 1}
SIGN_ROWS = ([1, 0, 0], [1, -1, 0], [-1, 0, 1], [1, 1, 1])


def waves(seed, n=2000):
    """Cases whose classes rise with x2, but with x0 or against it, as x1 has it."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    odds = X[:, 0] * np.sin(2 * X[:, 1]) + X[:, 2]
    return X, (rng.random(n) < 1 / (1 + np.exp(-odds))).astype(int)


def against(model, X, name, sign, values=None):
    """Return the largest step of P(second class) against the sign, over a grid of one attribute."""
    values = np.unique(X[name]) if values is None else values
    every = pd.concat([X.assign(**{name: value}) for value in values], ignore_index=True)
    p = model.predict_proba(every)[:, 1].reshape(len(values), len(X))
    return float((-sign * np.diff(p, axis=0)).max())


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("cst", SIGN_ROWS)
def test_scikit_learn_grows_the_same_tree(cst, criterion):
    for seed in (0, 1, 2):
        X, y = waves(seed)
        signs = {f"x{a}": sign for a, sign in enumerate(cst)}
        limits = {"numeric": "thresholds", "max_codes": None, "max_depth": 6, "min_child": 20}
        ours = rt.DecisionTree(criterion, monotonic=signs, **limits).fit(X, y).predict_proba(X)
        free = rt.DecisionTree(criterion, **limits).fit(X, y).predict_proba(X)
        assert np.abs(ours - free).max() > 0.05, "the signs matter"
        how = {"criterion": criterion, "max_depth": 6, "min_samples_leaf": 20}
        theirs = (  # which draws among equal tests
            DecisionTreeClassifier(**how, monotonic_cst=cst, random_state=r).fit(X, y)
            for r in range(20)
        )
        assert min(np.abs(ours - tree.predict_proba(X)).max() for tree in theirs) < 1e-12


@pytest.mark.parametrize("name", estimate_names("counts"))
@pytest.mark.parametrize(
    "how",
    [
        {},
        {"numeric": "thresholds", "criterion": "gini"},
        {"split": "binary", "criterion": "gini", "min_child": 3, "class_weight": "balanced"},
        {"numeric": "thresholds", "significance": 0.2},
        {"max_leaf_nodes": 12, "missing": "value"},
        {"criterion": "gini", "numeric": "thresholds", "ccp_alpha": 0.0005},
    ],
    ids=lambda how: " ".join(how) or "defaults",
)
def test_all_else_equal_no_probability_goes_against_a_sign(how, name):
    model = rt.DecisionTree(monotonic=SIGNS, estimate=name, **how).fit(CREDIT.X, CREDIT.y)
    assert {"duration", "age"} <= {model.tree_.schema[a].name for a in model.tree_.attribute}
    rows = CREDIT.X.iloc[::13]
    for attribute, sign in SIGNS.items():
        assert against(model, rows, attribute, sign) <= 0
    proba = model.predict_proba(rows)
    assert proba.min() >= 0
    assert proba.sum(axis=1) == pytest.approx(1)


def test_without_signs_and_without_bounds_it_goes_against_them():
    free = rt.DecisionTree("gini", numeric="thresholds").fit(CREDIT.X, CREDIT.y)
    held = rt.DecisionTree("gini", numeric="thresholds", monotonic=SIGNS, estimate="laplace")
    held.fit(CREDIT.X, CREDIT.y)
    raw = free.with_tree(held.tree_).with_estimate("laplace")  # smoothing depends on the leaf
    for model in (free, raw):
        assert min(against(model, CREDIT.X, *each) for each in SIGNS.items()) > 0.1
    sign = signs_of(SIGNS, held.tree_.schema, 2)
    low, high = bounds_of(held.tree_, sign).T
    assert (low <= high).all()
    assert np.array_equal(held.node_proba_[:, 1], raw.node_proba_[:, 1].clip(low, high))
    moved = np.flatnonzero(held.node_proba_[:, 1] != raw.node_proba_[:, 1])
    assert len(moved) > 9
    ends = held.apply(CREDIT.X)
    case = CREDIT.X.iloc[[np.flatnonzero(np.isin(ends, moved))[0]]]
    said = str(held.explain(case))
    assert f", and within the node's bounds = {held.predict_proba(case).max():.3f}" in said


def test_deep_trees_of_two_signs_in_every_corner():
    X, y = waves(3, 400)
    model = rt.DecisionTree("gini", numeric="thresholds", monotonic={"x0": 1, "x1": -1, "x2": 1})
    corners = np.array(list(itertools.product(np.linspace(-2.5, 2.5, 21), repeat=3)))
    p = model.fit(X, y).predict_proba(corners)[:, 1].reshape(21, 21, 21)
    assert model.tree_.depth > 6
    for axis, sign in enumerate((1, -1, 1)):
        step = sign * np.diff(p, axis=axis)
        assert step.min() == 0
        assert step.max() > 0.1


def test_ordered_names_are_cut_along_their_order():
    order = ["unemployed", "<1", "1<=X<4", "4<=X<7", ">=7"]
    employed = pd.Categorical(CREDIT.X["employment"].astype(object), order, ordered=True)
    X = CREDIT.X.assign(employment=employed)
    model = rt.DecisionTree("gini", monotonic={"employment": 1}).fit(X, CREDIT.y)
    each = [pd.Categorical([name] * len(X), order, ordered=True) for name in order]
    assert against(model, X, "employment", 1, each) <= 0
    free = rt.DecisionTree("gini").fit(X, CREDIT.y)
    assert against(free, X, "employment", 1, each) > 0.1


def test_files_of_few_nodes_and_folds_grow_the_tree_of_memory(tmp_path):
    data = rt.agrawal(3000, 5, noise=0.1, seed=2)
    how = {"numeric": "thresholds", "max_codes": 20, "min_child": 5, "estimate": "m"}
    signs = {"salary": 1, "age": -1}
    with batches_of(500):
        scan = rt.scan(write(data.frame, tmp_path, (1000, 700)), data.target)
        model = assert_all_alike(
            lambda: rt.DecisionTree("gini", monotonic=signs, **how), data.X, data.y, scan
        )
    assert against(model, data.X[::30], "salary", 1) <= 0
    free = rt.DecisionTree("gini", **how).fit(data.X, data.y)
    assert against(free, data.X[::30], "salary", 1) > 0.1
    rows = np.arange(0, 3000, 2)
    together = model.fit_folds(data.X, data.y, [rows, rows + 1])
    alone = clone(model).fit(data.X.iloc[rows + 1], data.y[rows + 1])
    assert np.array_equal(together[1].node_proba_, alone.node_proba_)


def test_weights_are_repeats_and_bounds_are_of_weighted_shares():
    X, y = waves(5, 600)
    weight = np.random.default_rng(5).integers(0, 4, 600)
    model = rt.DecisionTree("gini", numeric="thresholds", monotonic={"x0": 1, "x2": -1})
    rows = np.repeat(np.arange(600), weight)
    once, often = clone(model).fit(X, y, sample_weight=weight), clone(model).fit(X[rows], y[rows])
    assert np.array_equal(once.node_proba_, often.node_proba_)
    heavy = clone(model).set_params(class_weight={0: 1, 1: 2.5}).fit(X, y)
    assert len(heavy.tree_) > 9
    some = X[::10]
    steps = [
        heavy.predict_proba(np.column_stack([np.full(len(some), value), some[:, 1:]]))[:, 1]
        for value in np.linspace(-2, 2, 30)
    ]
    assert np.diff(steps, axis=0).min() == 0
    assert np.diff(steps, axis=0).max() > 0.1


def test_saved_searched_and_queried(tmp_path):
    model = rt.DecisionTree("gini", monotonic=SIGNS, estimate="laplace", max_depth=6)
    model.fit(CREDIT.X, CREDIT.y)
    rt.save(model, tmp_path / "model.json")
    twin = rt.load_model(tmp_path / "model.json")
    assert twin.monotonic == SIGNS
    proba = model.predict_proba(CREDIT.X)
    assert np.array_equal(twin.predict_proba(CREDIT.X), proba)
    rows = in_sqlite(CREDIT.X, model.to_sql("cases"))
    assert np.array_equal(np.asarray(rows)[:, -2:].astype(float), proba)
    search = GridSearchCV(rt.DecisionTree(), {"monotonic": [{"age": -1}, {"age": 1}]}, cv=3)
    assert search.fit(CREDIT.X, CREDIT.y).best_params_ == {"monotonic": {"age": 1}}
    free = rt.DecisionTree().fit(CREDIT.X, CREDIT.y)
    none = rt.DecisionTree(monotonic={"age": 0}).fit(CREDIT.X, CREDIT.y)
    assert np.array_equal(free.node_proba_, none.node_proba_)


@pytest.mark.parametrize("name", estimate_names("counts"))
def test_a_raised_subtree_keeps_the_signs(name):
    """Raising moves cases, so that shares go against signs."""
    X, y = waves(4, 500)
    frame = pd.DataFrame(X, columns=list("abc"))
    how = {"numeric": "thresholds", "monotonic": {"a": 1, "b": -1}, "estimate": name}
    model = rt.DecisionTree("gini", **how).fit(frame, y)
    codes = model.encode(frame).values
    raised, cut = (
        rt.prune.c45(model.tree_, codes, y, confidence=0.5, raising=raising)
        for raising in (True, False)
    )
    assert len(raised) != len(cut)
    other = model.with_tree(raised)
    assert max(against(other, frame, *sign) for sign in (("a", 1), ("b", -1))) <= 0
    assert against(other, frame, "a", -1) > 0.05


BAD = [
    ({"durtion": 1}, ValueError, "no attribute is called 'durtion'; nearest: duration"),
    ({"purpose": 1}, ValueError, "'purpose' is nominal, so that its values have no order: give"),
    ({"age": 2}, ValueError, "the sign of 'age' must be -1, 0 or 1, not 2"),
    ({"age": "1"}, ValueError, "the sign of 'age' must be -1, 0 or 1, not '1'"),
    ({"age": True}, ValueError, "the sign of 'age' must be -1, 0 or 1, not True"),
    ([0, 1], TypeError, 'give a dict such as {"income": -1}, not list'),
]


@pytest.mark.parametrize(("signs", "error", "words"), BAD)
def test_wrong_signs_are_named(signs, error, words):
    with pytest.raises(error, match=f"^monotonic: {words}"):
        rt.DecisionTree(monotonic=signs).fit(CREDIT.X, CREDIT.y)


def test_what_has_no_sign_is_refused():
    iris, model = rt.load("iris"), rt.DecisionTree(monotonic={"age": 1})
    with pytest.raises(ValueError, match="of the second of two classes, but y has 3: put classes"):
        rt.DecisionTree(monotonic={"petallength": 1}).fit(iris.X, iris.y)
    for name in {*rt.estimate.ESTIMATES} - {*estimate_names("counts")}:
        words = f"monotonic: the estimate '{name}' differs from case to case and keeps no sign"
        with pytest.raises(ValueError, match=words.replace("+", r"\+")):
            rt.DecisionTree(monotonic={"age": 1}, estimate=name).fit(CREDIT.X, CREDIT.y)
        with pytest.raises(ValueError, match=words.replace("+", r"\+")):
            model.fit(CREDIT.X, CREDIT.y).with_estimate(name)
    gaps = CREDIT.X.mask(CREDIT.X["age"] > 40)
    with pytest.raises(ValueError, match="'age' has missing values, which are neither small nor"):
        rt.DecisionTree(monotonic={"age": 1}, missing="value").fit(gaps, CREDIT.y)
    every = rt.DecisionTree().fit(CREDIT.X, CREDIT.y)  # a branch for each bin
    other = rt.DecisionTree(monotonic={"age": 1}, max_depth=2).fit(CREDIT.X, CREDIT.y)
    with pytest.raises(ValueError, match="monotonic: the tree does not cut 'age' in its order"):
        other.with_tree(every.tree_)
