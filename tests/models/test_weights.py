"""Weights of cases and classes, and what else scikit-learn's users expect of a model."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

import ranktrees as rt
from ranktrees.prune.surgery import cases_reaching
from ranktrees.reading.weights import read_weights

MODELS = [
    rt.DecisionTree(),
    rt.DecisionTree(split="binary", criterion="gini"),
    rt.DecisionTree(numeric="thresholds", missing="value", min_child=3),
    rt.DecisionTree(discretize="entropy-mdl"),
    rt.DecisionTree(discretize="equal-frequency", significance=0.2),
    rt.DecisionTree(discretize="k-means", n_bins=4),
    rt.DecisionTree(numeric="thresholds", max_codes=6),
    rt.C45(),
    rt.C45(numeric="thresholds"),
    rt.C44(numeric="thresholds", missing="value"),
    rt.C44(estimate="shrinkage"),
    rt.C44(estimate="shrinkage+wpe"),
    rt.C44(estimate="ling-yan"),
    rt.NaiveBayes(),
    rt.NaiveBayes(discretize="entropy-mdl", missing="value"),
    rt.AODE(min_count=3),
    rt.PathBayes(),
    rt.C44(estimate="path-bayes-em"),
]
ARRAYS = ("parent", "attribute", "cut", "child", "offset", "counts")


def weights_of(n, seed=0, most=4):
    return np.random.default_rng(seed).integers(0, most, n)


def two_columns(n=60, seed=3):
    """Cases with a number, a name and classes that hang on both; some values are missing."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"x": rng.normal(size=n).round(1), "color": rng.choice(list("rgb"), n)})
    y = np.where((X["x"] > 0) ^ (X["color"] == "r") ^ (rng.random(n) < 0.15), "yes", "no")
    return X.mask(rng.random(X.shape) < 0.05), y


@pytest.mark.parametrize("name", ["weather.nominal", "iris", "credit-g", "vote"])
@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.filterwarnings("ignore:column .* only one value:UserWarning")
def test_a_whole_weight_is_so_many_rows(model, name):
    data = rt.load(name)
    weight = weights_of(len(data.y), seed=len(name))
    rows = np.repeat(np.arange(len(weight)), weight)
    weighed = model.fit(data.X, data.y, sample_weight=weight)
    proba, log = weighed.predict_proba(data.X), weighed.predict_log_proba(data.X)
    tree = getattr(weighed, "tree_", None)
    repeated = model.fit(data.X.iloc[rows], data.y[rows])
    np.testing.assert_allclose(repeated.predict_proba(data.X), proba, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(np.exp(log) > 0, proba > 0)
    for part in ARRAYS if tree else ():
        assert np.array_equal(getattr(tree, part), getattr(repeated.tree_, part)), part
        assert getattr(tree, part).dtype.kind == "i"


def test_gaussians_too():
    data = rt.load("iris")
    weight = weights_of(150)
    rows = np.repeat(np.arange(150), weight)
    model = rt.NaiveBayes(numeric="gaussian")
    a = model.fit(data.X, data.y, sample_weight=weight)
    means, deviations = a.means_, a.deviations_
    b = model.fit(data.X.iloc[rows], data.y[rows])
    np.testing.assert_allclose(b.means_, means, rtol=1e-13)
    np.testing.assert_allclose(b.deviations_, deviations, rtol=1e-13)


def test_codes_too():
    data = rt.load("vote")
    codes, weight = rt.Encoder(missing="value").fit_transform(data.X), weights_of(len(data.y))
    rows = np.repeat(np.arange(len(weight)), weight)
    for model in (rt.C45(), rt.NaiveBayes()):
        proba = model.fit(codes, data.y, weight).predict_proba(codes)
        again = model.fit(codes.take(rows), data.y[rows]).predict_proba(codes)
        np.testing.assert_array_equal(again, proba)


@pytest.mark.parametrize("model", [rt.DecisionTree(numeric="thresholds"), rt.C45()], ids=repr)
def test_sums_of_weights_are_exact_in_any_order(model):
    X, y = two_columns(200)
    weight = np.random.default_rng(5).exponential(size=200)
    model.fit(X, y, weight)
    tree, kept = model.tree_, model.weight_
    end, codes = model.apply(X), pd.Series(y).map({"no": 0, "yes": 1})
    for c in range(2):
        exact = sum(Fraction(w) for w in kept[codes == c])
        assert Fraction(tree.counts[0, c]) == exact
        ends = {t: sum(Fraction(w) for w in kept[(codes == c) & (end == t)]) for t in set(end)}
        assert all(Fraction(tree.counts[t, c]) == ends[t] for t in ends if tree.is_leaf[t])
    order = np.random.default_rng(1).permutation(200)
    shuffled = model.fit(X.iloc[order], y[order], weight[order]).tree_
    assert all(np.array_equal(getattr(shuffled, part), getattr(tree, part)) for part in ARRAYS)


@pytest.mark.parametrize(
    "model",
    [
        rt.C45(numeric="thresholds"),
        rt.DecisionTree(numeric="thresholds", max_codes=None),
        rt.DecisionTree(numeric="thresholds", split="binary"),
    ],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore:column .* only one value:UserWarning")
def test_branches_weigh_what_their_cases_weigh(model):
    """However many attributes are cut, and trees grow together: C4.5's raising asks for it."""
    data = rt.load("credit-g")
    weight = np.random.default_rng(0).exponential(size=1000)
    single = model.fit(data.X, data.y, weight)
    model = type(model)(**{**model.get_params(), "class_weight": {"good": 0.3, "bad": 1.7}})
    rows = [np.arange(start, 1000, 3) for start in range(3)] + [np.arange(30, 60)]
    for fitted in (single, *model.fit_folds(data.X, data.y, rows)):
        known, weight, tree = fitted.training_, fitted.weight_, fitted.tree_
        if isinstance(fitted, rt.C45):
            assert len(rt.prune.c45(tree, *known, weight=weight)) <= len(tree)
        else:
            assert np.array_equal(cases_reaching(tree, *known, weight)[0], tree.counts)


@pytest.mark.filterwarnings("ignore:the weights claim")
@pytest.mark.parametrize("criterion", ["gini", "chi_squared", "auc", "gain_ratio"])
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


@pytest.mark.filterwarnings("ignore:the weights claim")
@pytest.mark.parametrize("split", ["multiway", "binary", "threshold"])
@pytest.mark.parametrize("discretize", ["k-means", "equal-frequency"])
def test_parts_of_cases_scale(split, discretize):
    """Cases in 16 parts each: only limits, which are set aside here, see the difference."""
    data = rt.load("credit-g")
    X, y = data.X[:200], data.y[:200]
    model = rt.DecisionTree("gini", split, discretize=discretize, n_bins=40, max_depth=2)
    weight = np.random.default_rng(1).integers(1, 40, 200)
    X, y, weight = (pd.concat([X] * 2), np.append(y, y), np.append(weight, 64 - weight))
    whole, parts = model.fit(X, y, weight), model.fit(X, y, weight / 16)
    cuts = [[info.cuts for info in fitted.schema] for fitted in (whole.tree_, parts.tree_)]
    assert cuts[0] == cuts[1]


def test_few_parts_of_cases_are_bins_of_k_means():
    x = np.array([0.0, 1, 10, 11])
    few = rt.bins.k_means.of_counts(x, np.full((4, 1), 0.125), 2)
    assert few.tolist() == rt.bins.k_means(x, 2).tolist() == [5.5]


def test_subsets_are_ordered_by_shares_of_parts_of_cases():
    table = np.array([[1, 9], [9, 1], [2, 8], [8, 2], [1, 1], [3, 2], [2, 3], [6, 1], [1, 6]])
    whole, parts = (rt.split.subset(n, rt.CRITERIA["gini"], 0) for n in (table, table / 16))
    assert parts[1].tolist() == whole[1].tolist()


def test_description_length_of_weights():
    """One bit a leaf, log2 of classes and of n + 1, and of n choose e: by hand for 3 and 1."""
    for counts, bits in (([3, 1], 1 + 1 + np.log2(5) + 2), ([3.0, 1.0], 4 + np.log2(5))):
        tree = rt.tree.single_leaf(np.array(counts))
        assert rt.prune.description_length(tree) == pytest.approx(bits, abs=1e-12)
    X, y = two_columns()
    tree = rt.DecisionTree().fit(X, y, np.linspace(0.5, 2, 60)).tree_
    assert len(rt.prune.mdl(tree)) <= len(tree)


def test_a_cross_validated_pruning_counts_by_class_weight():
    data = rt.load("credit-g")
    weight = {"good": 1, "bad": 3}
    kept = rt.prune.cost_complexity_cv(rt.C44(class_weight=weight), data.X, data.y, k=5)
    one = rt.prune.cost_complexity_cv(rt.C44(class_weight={"good": 1}), data.X, data.y, k=5)
    plain = rt.prune.cost_complexity_cv(rt.C44(), data.X, data.y, k=5)
    assert len(one.tree_) == len(plain.tree_)
    assert kept.tree_.counts[0].tolist() == [900, 700]
    cost = [
        np.where(data.y == "bad", 3, 1)[m.predict(data.X) != data.y].sum() for m in (kept, plain)
    ]
    assert cost[0] < cost[1]


def test_pruning_slider_of_weighted_trees():
    data = rt.load("credit-g")
    shown = rt.explore.pruning(data, model=rt.C45(class_weight="balanced"))
    assert shown is not None


def test_weights_of_classes_that_are_hardly_there():
    X, y = two_columns()
    with pytest.raises(ValueError, match="two classes need a weight that is not zero"):
        rt.C44(class_weight={"no": 1e-320, "yes": 1e-320}).fit(X, y)


def test_weights_of_one_change_nothing():
    X, y = two_columns()
    plain = rt.C45().fit(X, y)
    weighed = rt.C45().fit(X, y, sample_weight=np.ones(len(y)))
    assert weighed.weight_ is None
    assert np.array_equal(plain.tree_.counts, weighed.tree_.counts)


def test_shares_are_cases():
    X, y = two_columns()
    weight = np.random.default_rng(2).exponential(size=len(y))
    weight[:5] = 0
    shares = rt.C44().fit(X, y, weight / weight.sum()).tree_.counts
    assert shares[0].sum() == pytest.approx(len(y) - 5)
    cases = rt.C44().fit(X, y, weight * (len(y) - 5) / weight.sum()).tree_.counts
    np.testing.assert_allclose(shares, cases, rtol=1e-12)


class TestWeightsThatAddUpToLittle:
    """Inverse frequencies, as 1/700 and 1/300: their mean becomes 1, and trees grow as before."""

    def inverse_frequencies(self):
        data = rt.load("credit-g")
        each = {"good": 1 / 700, "bad": 1 / 300}
        return data, each, pd.Series(np.asarray(data.y)).map(each).to_numpy()

    @pytest.mark.parametrize(
        "kind",
        [
            rt.DecisionTree,
            rt.C45,
            rt.C44,
            rt.PathBayes,
            rt.PathForest,
            rt.NaiveBayes,
            rt.AODE,
            rt.Bagging,
        ],
    )
    def test_inverse_frequencies_balance_classes(self, kind):
        data, each, weight = self.inverse_frequencies()
        balanced = kind(class_weight="balanced").fit(data.X, data.y).predict_proba(data.X)
        for share in (1, 0.01, 30):
            found = kind().fit(data.X, data.y, weight * share).predict_proba(data.X)
            np.testing.assert_allclose(found, balanced, rtol=1e-9, atol=1e-9)
            of_classes = {name: share * w for name, w in each.items()}
            found = kind(class_weight=of_classes).fit(data.X, data.y).predict_proba(data.X)
            np.testing.assert_allclose(found, balanced, rtol=1e-9, atol=1e-9)

    def test_by_hand(self):
        y, classes = np.array([0, 1, 0, 1]), np.array(["no", "yes"])
        for weight, meant in [
            ([0.1, 0.1, 0.1, 0.3], [2 / 3, 2 / 3, 2 / 3, 2]),
            ([0.5, 0.25, 0, 0], [4 / 3, 2 / 3, 0, 0]),
            ([0, 0.3, 0.1, 0], [0, 1.5, 0.5, 0]),
            ([1, 1, 0, 0], [1, 1, 0, 0]),
            ([1, 2, 0, 0.5], [1, 2, 0, 0.5]),
            ([3, 0.1, 3, 0.1], [3, 0.1, 3, 0.1]),
        ]:
            assert read_weights(weight, None, y, classes) == pytest.approx(meant, rel=1e-12)
        both = read_weights([0.5, 0.5, 0.5, 0.5], {"no": 2}, y, classes)
        assert both.tolist() == [2, 1, 2, 1]
        less = read_weights([0.5, 0.5, 0.5, 0.5], {"no": 0.5}, y, classes)
        assert less == pytest.approx([2 / 3, 4 / 3, 2 / 3, 4 / 3], rel=1e-12)

    @pytest.mark.parametrize("each", [0.1, 0.3, 0.7, np.float32(0.1), 1 / 60, 1e-9])
    def test_equal_weights_are_none(self, each):
        X, y = two_columns()
        assert rt.C45().fit(X, y, np.full(60, each)).weight_ is None
        some = np.where(np.arange(60) < 5, 0, each)
        kept = rt.C45().fit(X, y, some).weight_
        assert kept.dtype.kind == "i"
        assert kept.tolist() == [1] * 55

    @pytest.mark.parametrize("n", [60, 64, 128, 200])
    def test_the_order_of_cases_changes_nothing(self, n):
        y, classes = np.arange(n) % 2, np.array([0, 1])
        rng = np.random.default_rng(n)
        weight = rng.exponential(size=n) / 7
        found = read_weights(weight, None, y, classes)
        assert found.mean() == pytest.approx(1, rel=1e-12)
        for _ in range(50):
            order = rng.permutation(n)
            again = read_weights(weight[order], None, y[order], classes)
            np.testing.assert_array_equal(again, found[order])

    @pytest.mark.filterwarnings("ignore:column .* only one value:UserWarning")
    def test_a_tree_without_enough_weight_says_so(self):
        X, y = two_columns()
        few = np.isin(np.arange(60), [np.argmax(y == "no"), np.argmax(y == "yes")])
        X = X.assign(color=["r", "g"] * 30, x=np.arange(60.0))
        said = "add up to 2 cases, but .* needs min_parent = 4: .* one leaf; .* lower min_child"
        for kind in (rt.C45, rt.PathBayes):
            with pytest.warns(UserWarning, match=said):
                kind().fit(X, y, few)
        with pytest.warns(UserWarning, match="add up to 90 cases.*min_parent = 91:.*min_parent$"):
            rt.DecisionTree(min_parent=91).fit(X, y, np.tile([1, 2], 30))
        model = rt.DecisionTree(min_parent=40, class_weight="balanced")
        with pytest.warns(UserWarning, match="add up to 20"):
            model.fit_folds(X, y, [np.arange(20), np.arange(50)])
        assert len(rt.DecisionTree(min_parent=90).fit(X, y, np.tile([1, 2], 30)).tree_) > 1
        rt.DecisionTree(min_parent=91).fit(X, y)  # as ever: no weights, no word


class TestWeightsThatClaimManyCases:
    MESSAGE = (
        r"the weights claim 2,000 cases for 40 rows, 50 for each, and estimates count .*: unless "
        "rows stand for so many equal cases, divide the weights by their mean"
    )

    def data(self):
        return pd.DataFrame({"x": [*"abba"] * 10, "z": [*"pqpqq"] * 8}), np.array([*"yynny"] * 8)

    @pytest.mark.parametrize("kind", [rt.PathBayes, rt.C44, rt.NaiveBayes, rt.PathForest])
    def test_are_warned_of_once_with_the_remedy(self, kind):
        X, y = self.data()
        with pytest.warns(UserWarning, match=self.MESSAGE) as said:
            claimed = kind().fit(X, y, np.full(40, 50))
        assert len(said) == 1
        assert said[0].filename == __file__
        twice = kind().fit(pd.concat([X] * 50), np.tile(y, 50))  # weight 50 stays the row 50 times
        np.testing.assert_allclose(claimed.predict_proba(X), twice.predict_proba(X), atol=1e-12)

    def test_ten_for_each_are_not(self):
        X, y = self.data()
        rt.C44().fit(X, y, np.full(40, 10))
        weight = np.zeros(40)
        weight[:20] = 11
        with pytest.warns(UserWarning, match="claim 220 cases for 20 rows"):
            rt.C44().fit(X, y, weight)

    def test_of_files_too_and_of_folds_once(self, tmp_path):
        X, y = self.data()
        X.assign(y=y, w=50).to_parquet(tmp_path / "a.parquet")
        for model in (rt.PathBayes(), rt.NaiveBayes()):
            with pytest.warns(UserWarning, match=self.MESSAGE) as said:
                model.fit(rt.scan(tmp_path, "y", weight="w"))
            assert len(said) == 1
        with pytest.warns(UserWarning, match="divide the weights by their mean") as said:
            rt.cross_validate(rt.C44(class_weight={"y": 30, "n": 20}), X, y, k=4)
        assert len(said) == 1


def test_boosting():
    data = rt.load("credit-g")
    X = rt.Encoder(missing="value").fit_transform(data.X).values.astype(float)
    y, half = np.asarray(data.y), np.arange(len(data.y)) % 2 == 0
    scores = []
    for stump in (rt.DecisionTree(numeric="thresholds", criterion="gini", max_depth=1), None):
        boosted = AdaBoostClassifier(stump, n_estimators=30).fit(X[half], y[half])
        assert len(boosted.estimators_) == 30
        scores.append(boosted.score(X[~half], y[~half]))
    assert abs(scores[0] - scores[1]) < 0.03  # ours and scikit-learn's own stumps
    with pytest.raises(ValueError, match=r"CITree doesn't support sample_weight"):
        AdaBoostClassifier(rt.CITree()).fit(X, y)


def test_a_stump_is_that_of_scikit_learn():
    X, y = two_columns(100)
    X = X[["x"]].fillna(0)
    weight = np.random.default_rng(7).uniform(1, 5, 100)
    ours = rt.DecisionTree(numeric="thresholds", criterion="gini", max_depth=1).fit(X, y, weight)
    theirs = DecisionTreeClassifier(max_depth=1).fit(X, y, weight)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-12)


def test_class_weights():
    X, y = two_columns()
    y[:50] = "no"
    balanced = rt.C44(class_weight="balanced").fit(X, y).tree_.counts[0]
    np.testing.assert_allclose(balanced, [30, 30], rtol=1e-12)
    named = rt.C44(class_weight={"yes": 3}).fit(X, y)
    n = np.bincount(y == "yes") * [1, 3]
    assert named.tree_.counts[0].tolist() == n.tolist()
    both = rt.NaiveBayes(class_weight={"yes": 3}).fit(X, y, np.full(60, 2))
    assert both.class_count_.tolist() == (2 * n).tolist()
    bag = rt.Bagging(rt.C44(estimate="frequency"), class_weight={"no": 1, "yes": 9}).fit(X, y)
    assert bag.predict_proba(X)[:, 1].mean() > rt.Bagging().fit(X, y).predict_proba(X)[:, 1].mean()


@pytest.mark.filterwarnings("ignore:column .* only one value:UserWarning")
@pytest.mark.parametrize("weight", ["balanced", {"good": 1, "bad": 5}, {"good": 0.3, "bad": 0}])
def test_folds_with_class_weights_are_single_fits(weight):
    data = rt.load("credit-g")
    rows = [np.arange(0, 1000, 2), np.arange(400), np.arange(300, 1000)]
    model = rt.C45(class_weight=weight)
    if weight == {"good": 0.3, "bad": 0}:
        with pytest.raises(ValueError, match="at least two classes need a weight that is not zero"):
            model.fit_folds(data.X, data.y, rows)
        return
    for fitted, part in zip(model.fit_folds(data.X, data.y, rows), rows, strict=True):
        single = rt.C45(class_weight=weight).fit(data.X.iloc[part], data.y[part])
        assert np.array_equal(fitted.tree_.counts, single.tree_.counts)
        proba = single.predict_proba(data.X)
        np.testing.assert_array_equal(fitted.predict_proba(data.X), proba)


def test_cases_of_no_weight_are_never_drawn():
    X, y = two_columns()
    weight = np.where(np.arange(60) % 3 == 0, 0.0, np.random.default_rng(0).uniform(1, 2, 60))
    for w in (weight, np.ceil(weight)):
        samples = rt.models.bagging.bootstrap_samples(
            (y == "yes").astype(int), 40, np.random.default_rng(1), read_weights(w, None, *codes(y))
        )
        assert all(len(rows) == round(w.sum()) for rows in samples)
        drawn = np.bincount(np.concatenate(samples), minlength=60)
        assert not drawn[::3].any()
        assert abs(drawn / drawn.sum() - w / w.sum()).max() < 0.01
    repeated = np.repeat(np.arange(60), np.ceil(weight).astype(int))
    bag = rt.Bagging(seed=4).fit(X, y, np.ceil(weight))
    again = rt.Bagging(seed=4).fit(X.iloc[repeated], y[repeated])
    np.testing.assert_array_equal(bag.predict_proba(X), again.predict_proba(X))


def codes(y):
    return np.unique(y, return_inverse=True)[::-1]


def test_samples_that_hold_no_two_classes_are_not_drawn_for_ever():
    X, y = two_columns()
    weight = np.where(y == "no", 1, 1e-12)
    with pytest.raises(ValueError, match="hardly any sample holds two classes"):
        rt.Bagging(n_models=2).fit(X, y, weight)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, 2], r"one number per case: shape \(60,\), not \(2,\)"),
        (np.ones((60, 1)), "one number per case"),
        ([-1.0] + [1] * 59, r"is -1.0 in row 0: weights are finite and at least 0"),
        ([1] * 59 + [np.nan], "is nan in row 59"),
        (np.zeros(60), "zero in all rows"),
        (np.full(60, 1e300), "no more than 2\\*\\*53 cases"),
    ],
)
def test_what_is_no_weight(weight, message):
    X, y = two_columns()
    for model in (rt.DecisionTree(), rt.NaiveBayes(), rt.AODE(), rt.Bagging()):
        with pytest.raises(ValueError, match=message):
            model.fit(X, y, sample_weight=weight)
    if "cases" not in message:
        with pytest.raises(ValueError, match=message):
            model.fit(X, y).score(X, y, weight)


@pytest.mark.parametrize(
    ("weight", "error", "message"),
    [
        ({"maybe": 2}, ValueError, "names 'maybe', but the classes are 'no', 'yes'"),
        ({"no": -1}, ValueError, "class_weight of 'no' must be at least 0, but it is -1"),
        ({"no": "big"}, TypeError, "class_weight of 'no' must be a number, not 'big'"),
        ("heavy", TypeError, 'must be "balanced", None or {class: weight}'),
    ],
)
def test_what_is_no_class_weight(weight, error, message):
    X, y = two_columns()
    with pytest.raises(error, match=message):
        rt.C44(class_weight=weight).fit(X, y)


def test_words_where_weights_are_no_numbers():
    X, y = two_columns()
    with pytest.raises(ValueError, match="sample_weight must hold numbers only"):
        rt.C44().fit(X, y, ["a"] * 60)


@pytest.mark.parametrize("make", [list, np.array, pd.Series], ids=lambda make: make.__name__)
def test_complex_weights_are_refused(make):
    X, y = two_columns()
    with pytest.raises(ValueError, match=r"must hold numbers only.* these are complex numbers"):
        rt.C44().fit(X, y, sample_weight=make([1 + 2j] * 60))


def test_estimates_that_count_whole_cases():
    X, y = two_columns()
    model = rt.C44().fit(X, y, np.linspace(0.5, 2, 60))
    assert model.with_estimate("ling-yan").predict_proba(X).shape == (60, 2)
    with pytest.raises(ValueError, match=r"whole cases: give weights that are whole numbers"):
        model.with_estimate("shrinkage+wpe")


@pytest.mark.parametrize("model", [rt.CITree(), rt.NBTree(), rt.NewtonTree()], ids=repr)
def test_models_without_weights_say_so(model):
    X, y = two_columns()
    with pytest.raises(TypeError, match=r"takes no sample_weight, since (its|a) .*; DecisionTree"):
        model.fit(X, y, sample_weight=np.full(60, 2))
    with pytest.raises(TypeError, match="has no class_weight: DecisionTree, C45, C44"):
        type(model)(class_weight="balanced")
    with pytest.raises(TypeError, match="has no argument 'weights'"):
        model.fit(X, y, weights=None)


@pytest.mark.parametrize("model", [rt.NewtonTree(), rt.Bagging(rt.NewtonTree())], ids=repr)
def test_prototypes_of_codes_say_so(model):
    data = rt.load("iris")
    with pytest.raises(TypeError, match="measures values, not Codes: give it X"):
        model.fit(rt.Encoder().fit_transform(data.X), data.y)


def test_files_have_their_weights_with_them(tmp_path):
    X, y = two_columns()
    X.assign(y=y).to_csv(tmp_path / "cases.csv", index=False)
    scan = rt.scan(tmp_path / "cases.csv", target="y")
    for kind in (rt.DecisionTree, rt.NaiveBayes, rt.AODE):
        with pytest.raises(TypeError, match=r"a scan names the column of its weights: rt\.scan\("):
            kind().fit(scan, sample_weight=np.ones(60))
    assert rt.DecisionTree().fit(scan).weight_ is None


def test_saved_weights(tmp_path):
    X, y = two_columns()
    kept, left = weights_of(60, most=3) + 1, np.linspace(0.5, 2, 60)
    for estimate, weight in (("wpe", kept), ("frequency", left)):
        model = rt.C45(estimate=estimate, class_weight={"no": 2}).fit(X, y, weight)
        rt.save(model, tmp_path / "model.json")
        again = rt.load_model(tmp_path / "model.json")
        if estimate == "wpe":  # which asks for the cases: they are saved
            np.testing.assert_array_equal(again.weight_, model.weight_)
            assert again.weight_.dtype == model.weight_.dtype
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_score_by_weight():
    X, y = two_columns()
    model = rt.C45().fit(X, y)
    right = model.predict(X) == y
    weight = np.arange(60)
    assert model.score(X, y, weight) == pytest.approx(weight[right].sum() / weight.sum())


class TestWhatTreesHave:
    """Importances, paths, logarithms, and words of scikit-learn."""

    def test_importances_by_hand(self):
        """Weather: outlook gains 14 * .247 bits, humidity all .971 of 5 cases, windy of 5."""
        data = rt.load("weather.nominal")
        model = rt.DecisionTree().fit(data.X, data.y)
        share = dict(zip(model.feature_names_in_, model.feature_importances_, strict=True))
        gains = {"outlook": 14 * 0.24675, "humidity": 5 * 0.97095, "windy": 5 * 0.97095}
        for name in data.X:
            assert share[name] == pytest.approx(gains.get(name, 0) / sum(gains.values()), abs=1e-5)
        bag = rt.Bagging(rt.C44(), n_models=3).fit(data.X, data.y)
        each = [one.feature_importances_ for one in bag.models_]
        np.testing.assert_array_equal(bag.feature_importances_, np.mean(each, axis=0))

    @pytest.mark.parametrize("criterion", ["gini", "entropy"])
    def test_importances_are_those_of_scikit_learn(self, criterion):
        data = rt.load("iris")
        ours = rt.DecisionTree(criterion=criterion, numeric="thresholds", max_depth=2)
        theirs = DecisionTreeClassifier(criterion=criterion, max_depth=2, random_state=0)
        X = (
            data.X[["petal length", "sepal length"]]
            if "petal length" in data.X
            else data.X.iloc[:, [0, 2]]
        )
        ours.fit(X, data.y)
        theirs.fit(X, np.asarray(data.y))
        np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_)

    def test_importances_where_there_is_no_test(self):
        X, y = two_columns()
        assert rt.DecisionTree(min_gain=9).fit(X, y).feature_importances_.tolist() == [0, 0]
        assert rt.NewtonTree(max_depth=2).fit(X, y).feature_importances_.sum() == pytest.approx(1)
        with pytest.raises(NotFittedError):
            _ = rt.C45().feature_importances_
        with pytest.raises(NotFittedError):
            rt.C45().decision_path(X)
        centres = rt.CentreSplitting(max_depth=2).fit(X, y)
        assert not hasattr(centres, "feature_importances_")

    def test_a_path_has_all_nodes_down_to_the_last(self):
        X, y = two_columns()
        model = rt.C44().fit(X, y)
        new = pd.concat([X, pd.DataFrame({"x": [0.3, np.nan], "color": ["never", "r"]})])
        path = model.decision_path(new)
        assert path.shape == (62, len(model.tree_))
        end, tree = model.apply(new), model.tree_
        for row, last in zip(path.toarray(), end, strict=True):
            above = [last]
            while tree.parent[above[-1]] >= 0:
                above.append(tree.parent[above[-1]])
            assert sorted(above) == np.flatnonzero(row).tolist()

    def test_logarithms(self):
        data = rt.load("weather.nominal")
        found = rt.DecisionTree().fit(data.X, data.y).predict_log_proba(data.X)
        assert set(found.ravel()) == {0, -np.inf}

    def test_entropy_is_information_gain(self):
        X, y = two_columns()
        trees = [rt.DecisionTree(c).fit(X, y).tree_ for c in ("entropy", "information_gain")]
        assert str(trees[0]) == str(trees[1])
        assert rt.DecisionTree("entropy").get_params()["criterion"] == "entropy"

    @pytest.mark.parametrize(
        "kind", [rt.C45, rt.CITree, rt.NewtonTree, rt.NaiveBayes, rt.AODE, rt.Bagging]
    )
    def test_random_state_is_seed(self, kind):
        with pytest.raises(TypeError, match="has no random_state: it is called seed"):
            kind(random_state=0)
        with pytest.raises(ValueError, match="it is called seed"):
            kind().set_params(random_state=0)
