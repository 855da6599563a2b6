"""Weights of cases and classes, and what else scikit-learn's users expect of a model."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from model_cases import table
from sklearn.tree import DecisionTreeClassifier

import ranktrees as rt
from ranktrees_engine.growing.tree import single_leaf
from ranktrees_engine.models.bagging import bootstrap_samples
from ranktrees_engine.prune.surgery import cases_reaching
from ranktrees_engine.reading.weights import read_weights

MODELS = [
    rt.DecisionTree(numeric="thresholds", missing="value", min_child=3),
    rt.DecisionTree(discretize="entropy-mdl"),
    rt.DecisionTree(discretize="equal-frequency", significance=0.2),
    rt.DecisionTree(discretize="k-means", n_bins=4),
    rt.DecisionTree(numeric="thresholds", max_codes=6),
    rt.C45(numeric="thresholds"),
    rt.C44(estimate="shrinkage"),
    rt.C44(estimate="shrinkage+wpe"),
    rt.NaiveBayes(discretize="entropy-mdl", missing="value"),
    rt.C44(estimate="path-bayes-em"),
]
ARRAYS = ("parent", "attribute", "cut", "child", "offset", "counts")


@pytest.mark.parametrize("name", ["credit-g", "vote"])
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_whole_weight_is_so_many_rows(model, name):
    data = rt.load(name)
    weight = np.random.default_rng(len(name)).integers(0, 4, len(data.y))
    rows = np.repeat(np.arange(len(weight)), weight)
    proba = model.fit(data.X, data.y, sample_weight=weight).predict_proba(data.X)
    tree = getattr(model, "tree_", None)
    repeated = model.fit(data.X.iloc[rows], data.y[rows])
    np.testing.assert_allclose(repeated.predict_proba(data.X), proba, rtol=0, atol=1e-12)
    for part in ARRAYS if tree else ():
        assert np.array_equal(getattr(tree, part), getattr(repeated.tree_, part)), part
        assert getattr(tree, part).dtype.kind == "i"


@pytest.mark.parametrize(
    "model",
    [rt.C45(numeric="thresholds"), rt.DecisionTree(numeric="thresholds", split="binary")],
    ids=repr,
)
def test_sums_of_weights_are_exact_in_any_order(model):
    """However many attributes are cut: C4.5's raising asks for it."""
    X, y = rt.load("credit-g").X, np.asarray(rt.load("credit-g").y)
    weight = np.random.default_rng(5).exponential(size=1000)
    tree, kept = model.fit(X, y, weight).tree_, model.weight_
    end = model.apply(X)
    assert np.array_equal(cases_reaching(tree, *model.training_, kept)[0], tree.counts)
    for c, name in enumerate(model.classes_):
        ends = {t: sum(map(Fraction, kept[(y == name) & (end == t)])) for t in set(end)}
        assert Fraction(tree.counts[0, c]) == sum(ends.values())
        assert all(Fraction(tree.counts[t, c]) == ends[t] for t in ends if tree.is_leaf[t])
    order = np.random.default_rng(1).permutation(1000)
    shuffled = model.fit(X.iloc[order], y[order], weight[order]).tree_
    assert all(np.array_equal(getattr(shuffled, part), getattr(tree, part)) for part in ARRAYS)


@pytest.mark.filterwarnings("ignore:the weights claim")
@pytest.mark.parametrize("criterion", ["chi_squared", "auc", "gain_ratio"])
def test_weights_as_of_a_census(criterion):
    """Millions a case: no product of two counts leaves the whole numbers."""
    data = rt.load("credit-g")
    model = rt.DecisionTree(criterion, numeric="thresholds", max_depth=2)
    plain = model.fit(data.X, data.y).tree_
    heavy = model.fit(data.X, data.y, np.full(1000, 10**7)).tree_
    assert np.array_equal(plain.attribute, heavy.attribute)
    assert np.array_equal(plain.counts * 10**7, heavy.counts)
    assert len(rt.prune.mdl(heavy)) <= len(heavy)
    with pytest.raises(ValueError, match="as many cases as they weigh, here 10,000,000,000"):
        rt.Bagging().fit(data.X, data.y, np.full(1000, 10**7))


def test_description_length_of_weights():
    """One bit a leaf, log2 of classes and of n + 1, and of n choose e: by hand for 3 and 1."""
    for counts, bits in (([3, 1], 1 + 1 + np.log2(5) + 2), ([3.0, 1.0], 4 + np.log2(5))):
        tree = single_leaf(np.array(counts))
        assert rt.prune.description_length(tree) == pytest.approx(bits, abs=1e-12)


@pytest.mark.parametrize(
    ("weight", "of_classes", "meant"),
    [
        ([0.1, 0.1, 0.1, 0.3], None, [2 / 3, 2 / 3, 2 / 3, 2]),
        ([0.5, 0.25, 0, 0], None, [4 / 3, 2 / 3, 0, 0]),
        ([0, 0.3, 0.1, 0], None, [0, 1.5, 0.5, 0]),
        ([1, 2, 0, 0.5], None, [1, 2, 0, 0.5]),
        ([0.5, 0.5, 0.5, 0.5], {"no": 2}, [2, 1, 2, 1]),
        ([0.5, 0.5, 0.5, 0.5], {"no": 0.5}, [2 / 3, 4 / 3, 2 / 3, 4 / 3]),
    ],
)
def test_weights_that_add_up_to_fewer_than_the_cases_get_a_mean_of_one(weight, of_classes, meant):
    y, classes = np.array([0, 1, 0, 1]), np.array(["no", "yes"])
    assert read_weights(weight, of_classes, y, classes) == pytest.approx(meant, rel=1e-12)


@pytest.mark.parametrize("each", [np.float32(0.1), 1e-9])
def test_equal_weights_are_none(each):
    X, y = table()
    assert rt.C45().fit(X, y, np.full(60, each)).weight_ is None
    kept = rt.C45().fit(X, y, np.where(np.arange(60) < 5, 0, each)).weight_
    assert kept.dtype.kind == "i"
    assert kept.tolist() == [1] * 55


def test_a_tree_without_enough_weight_says_so():
    X, y = table()
    few = np.isin(np.arange(60), [np.argmax(y == "no"), np.argmax(y == "yes")])
    said = "add up to 2 cases, but .* needs min_parent = 4: .* one leaf; .* lower min_child"
    for kind in (rt.C45, rt.PathBayes):
        with pytest.warns(UserWarning, match=said):
            kind().fit(X, y, few)
    model = rt.DecisionTree(min_parent=40, class_weight="balanced")
    with pytest.warns(UserWarning, match="add up to 20.*min_parent = 40:.*min_parent$"):
        model.fit_folds(X, y, [np.arange(20), np.arange(50)])


@pytest.mark.filterwarnings("error:the weights claim")
@pytest.mark.parametrize("model", [rt.C44(), rt.NaiveBayes(), rt.PathForest(2)])
def test_weights_that_claim_many_cases_are_warned_of_once(model, tmp_path):
    X, y = pd.DataFrame({"x": [*"abba"] * 10, "z": [*"pqpqq"] * 8}), np.array([*"yynny"] * 8)
    X.assign(y=y, w=50).to_parquet(tmp_path / "a.parquet")
    said = (
        r"the weights claim 2,000 cases for 40 rows, 50 for each, and estimates count .*: "
        "unless each row stands for several equal cases, divide the weights by their mean"
    )
    with pytest.warns(UserWarning, match=said) as given:
        claimed = model.fit(X, y, np.full(40, 50)).predict_proba(X)
    assert [one.filename for one in given] == [__file__]
    twice = model.fit(pd.concat([X] * 50), np.tile(y, 50))  # weight 50 stays the row 50 times
    np.testing.assert_allclose(claimed, twice.predict_proba(X), atol=1e-12)
    model.fit(X, y, np.full(40, 10))  # which is not too much
    if not isinstance(model, rt.PathForest):
        with pytest.warns(UserWarning, match=said) as given:
            model.fit(rt.scan(tmp_path, "y", weight="w"))
        assert len(given) == 1
        model = type(model)(class_weight={"y": 30, "n": 20})
        with pytest.warns(UserWarning, match="divide the weights by their mean") as given:
            rt.cross_validate(model, X, y, k=4)
        assert len(given) == 1


def test_cases_of_no_weight_are_never_drawn():
    y = table()[1] == "yes"
    weight = np.where(np.arange(60) % 3 == 0, 0.0, np.random.default_rng(0).uniform(1, 2, 60))
    w = read_weights(weight, None, y.astype(int), np.array([0, 1]))
    samples = bootstrap_samples(y.astype(int), 40, np.random.default_rng(1), w)
    assert all(len(rows) == round(weight.sum()) for rows in samples)
    drawn = np.bincount(np.concatenate(samples), minlength=60)
    assert not drawn[::3].any()
    assert abs(drawn / drawn.sum() - weight / weight.sum()).max() < 0.01


@pytest.mark.parametrize(
    ("model", "weight", "message"),
    [
        (rt.C44(class_weight={"maybe": 2}), None, "names 'maybe', but the classes are 'no', 'yes'"),
        (rt.C44(class_weight={"no": -1}), None, "of 'no' must be at least 0, but it is -1"),
        (rt.C44(class_weight={"no": "big"}), None, "of 'no' must be a number, not 'big'"),
        (rt.C44(class_weight="heavy"), None, 'must be "balanced", None or {class: weight}'),
        (rt.C44(class_weight={"no": 1e-320, "yes": 1e-320}), None, "two classes need a weight"),
        (rt.C44(class_weight={"no": 0}), None, "two classes need a weight that is not zero"),
        (rt.C44(), np.full(60, 1e300), r"no more than 2\*\*53 cases"),
        (rt.C44(), [1 + 2j] * 60, "must hold numbers only.* these are complex numbers"),
        (rt.Bagging(n_models=2, class_weight={"no": 1e-12}), None, "hardly any sample"),
        (rt.C44(estimate="shrinkage+wpe"), np.linspace(0.5, 2, 60), "give weights that are whole"),
    ],
)
def test_what_is_no_weight(model, weight, message):
    with pytest.raises((ValueError, TypeError), match=message):
        model.fit(*table(), weight)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_a_small_tree_and_its_importances_are_those_of_scikit_learn(criterion):
    data = rt.load("iris")
    X, weight = data.X.iloc[:, [0, 2]], np.random.default_rng(7).uniform(1, 5, 150)
    ours = rt.DecisionTree(criterion=criterion, numeric="thresholds", max_depth=2)
    theirs = DecisionTreeClassifier(criterion=criterion, max_depth=2, random_state=0)
    ours.fit(X, data.y, weight)
    theirs.fit(X, np.asarray(data.y), weight)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-12)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_)


def test_importances_by_hand():
    """Weather: outlook gains 14 * .247 bits, humidity all .971 of 5 cases, windy of 5."""
    data = rt.load("weather.nominal")
    model = rt.DecisionTree().fit(data.X, data.y)
    gains = np.array([14 * 0.24675, 0, 5 * 0.97095, 5 * 0.97095])  # temperature: nothing
    assert model.feature_importances_ == pytest.approx(gains / gains.sum(), abs=1e-5)
    bag = rt.Bagging(rt.C44(), n_models=3).fit(data.X, data.y)
    each = [one.feature_importances_ for one in bag.models_]
    np.testing.assert_array_equal(bag.feature_importances_, np.mean(each, axis=0))


def test_a_path_has_all_nodes_down_to_the_last():
    X, y = table()
    model = rt.C44().fit(X, y)
    new = X.assign(real=np.nan)
    new.loc[:9, "word"] = "never"
    parent, path = model.tree_.parent, model.decision_path(new).toarray()
    for row, last in zip(path, model.apply(new), strict=True):
        above = [last]
        while parent[above[-1]] >= 0:
            above.append(parent[above[-1]])
        assert sorted(above) == np.flatnonzero(row).tolist()
