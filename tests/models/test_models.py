"""`DecisionTree` as an estimator: scikit-learn's conventions, estimates, and clear errors."""

import copy

import numpy as np
import pandas as pd
import pytest
from oracles import assert_every_check_passes
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import ranktrees as rt
from ranktrees.evaluate.fitting import take_rows
from ranktrees.reading.schema import AttributeInfo

X2 = pd.DataFrame({"a": list("xxyyxy"), "b": [1.0, 2, 3, 4, 5, 6]})
Y2 = ["no", "no", "yes", "yes", "no", "yes"]


class TestScikitLearn:
    @pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
    @pytest.mark.filterwarnings("ignore:Estimator DecisionTree does not inherit:UserWarning")
    @pytest.mark.filterwarnings("default:::ranktrees")
    @pytest.mark.parametrize(
        "model",
        [
            rt.DecisionTree(),
            rt.DecisionTree("gini", "binary", numeric="thresholds", estimate="laplace"),
            rt.DecisionTree(missing="error", discretize="entropy-mdl"),
        ],
        ids=["default", "thresholds", "mdl"],
    )
    def test_every_check_passes(self, model):
        assert_every_check_passes(model)

    def test_clone_keeps_parameters_and_nothing_else(self):
        model = rt.DecisionTree("gini", "binary", estimate="m", estimate_params={"m": 3}, seed=9)
        model.fit(X2, Y2)
        twin = clone(model)
        assert twin.get_params() == model.get_params()
        assert not [name for name in vars(twin) if name.endswith("_")]

    def test_get_and_set_params(self):
        model = rt.DecisionTree()
        assert model.set_params(criterion="gini", max_depth=2) is model
        assert (model.criterion, model.get_params()["max_depth"]) == ("gini", 2)
        with pytest.raises(ValueError, match=r"'depth'.*DecisionTree.*max_depth"):
            model.set_params(depth=3)
        assert repr(model) == "DecisionTree(criterion='gini', max_depth=2)"

    def test_grid_search_in_a_pipeline_on_a_frame_with_categories(self):
        data = rt.load("credit-g")
        pipe = make_pipeline(FunctionTransformer(), rt.DecisionTree(estimate="laplace"))
        grid = {
            "decisiontree__max_depth": [1, 3],
            "decisiontree__criterion": ["gini", "gain_ratio"],
        }
        search = GridSearchCV(pipe, grid, cv=3, scoring="roc_auc", error_score="raise")
        search.fit(data.X, data.y)
        best = search.best_estimator_[-1]
        assert search.best_score_ > 0.65
        assert best.feature_names_in_.tolist() == list(data.X.columns)
        assert search.predict_proba(data.X[:5]).shape == (5, 2)
        by_accuracy = GridSearchCV(pipe, grid, cv=3, error_score="raise").fit(data.X, data.y)
        assert by_accuracy.best_score_ > 0.7
        assert by_accuracy.classes_.tolist() == ["bad", "good"]
        assert cross_val_score(rt.DecisionTree(max_depth=2), data.X, data.y, cv=3).mean() > 0.65

    def test_deep_copy_predicts_the_same(self):
        model = rt.DecisionTree().fit(X2, Y2)
        assert np.array_equal(copy.deepcopy(model).predict_proba(X2), model.predict_proba(X2))


class TestClasses:
    def test_declared_classes_are_sorted_and_absent_ones_have_a_column(self):
        y = pd.Categorical(Y2, categories=["yes", "maybe", "no"])
        for given in (y, pd.Series(y)):
            for estimate, absent in (("frequency", 0), ("laplace", 1 / 6), ("m", 0)):
                model = rt.DecisionTree(estimate=estimate).fit(X2, given)
                assert model.classes_.tolist() == ["maybe", "no", "yes"]
                proba = model.predict_proba(X2)
                assert proba.shape == (6, 3)
                assert proba[:, 0] == pytest.approx(absent)
                assert proba.sum(axis=1) == pytest.approx(1)
                assert model.score(X2, y) == 1

    def test_other_targets(self):
        for y in ([0, 0, 1, 1, 0, 1], np.array(Y2) == "yes", pd.Series(Y2, dtype="string")):
            model = rt.DecisionTree().fit(X2, y)
            assert model.score(X2, y) == 1
            assert model.predict(X2).tolist() == list(y)
            assert model.classes_.tolist() == sorted(set(y))

    def test_equal_probabilities_give_the_first_class(self):
        X = pd.DataFrame({"a": ["x", "x", "y", "y"]})
        y = pd.Categorical(["p", "q", "p", "q"], categories=["q", "p"])
        assert rt.DecisionTree().fit(X, y).predict(X).tolist() == ["p"] * 4

    @pytest.mark.parametrize(
        ("y", "message"),
        [
            (["a"] * 6, "only one class, .*a"),
            (pd.Categorical(["a"] * 6, categories=["a", "b"]), "only one class, 'a'"),
            (["a", "b", None, "a", "b", "a"], "first in row 2"),
            ([1.0, 2, np.nan, 1, 2, 1], "first in row 2"),
            (pd.Categorical(["a", None, "b", "a", "b", "a"]), "first in row 1"),
            ([0.5, 1.2, 3.3, 1, 2, 1], "continuous"),
            ([0, 1, np.inf, 0, 1, 1], "inf"),
            (None, "y"),
            ([0, 1, 0], "6 cases, but y has 3"),
            (np.zeros((6, 2)), r"1d array.*\(6, 2\)"),
            (np.array(["a", 1, "b", 2, "a", 1], dtype=object), "mixes"),
        ],
    )
    def test_bad_targets(self, y, message):
        with pytest.raises(ValueError, match=message):
            rt.DecisionTree().fit(X2, y)


class TestEstimates:
    @pytest.fixture
    def model(self):
        data = rt.load("breast-cancer")
        return data, rt.DecisionTree(min_child=4).fit(data.X, data.y)

    def test_another_estimate_leaves_the_tree_alone(self, model):
        data, fitted = model
        before = {k: v.copy() for k, v in vars(fitted.tree_).items() if isinstance(v, np.ndarray)}
        proba = fitted.predict_proba(data.X)
        other = fitted.with_estimate("m", m=5)
        assert other.tree_ is fitted.tree_
        assert (other.estimate, other.estimate_params) == ("m", {"m": 5})
        assert fitted.estimate == "frequency"
        for name, array in before.items():
            assert np.array_equal(getattr(fitted.tree_, name), array)
        assert np.array_equal(fitted.predict_proba(data.X), proba)
        anew = rt.DecisionTree(min_child=4, estimate="m", estimate_params={"m": 5})
        assert np.array_equal(
            anew.fit(data.X, data.y).predict_proba(data.X), other.predict_proba(data.X)
        )

    def test_by_hand(self):
        X = pd.DataFrame({"a": list("xxxyyyyyyy")})
        model = rt.DecisionTree().fit(X, list("nnnyyyynnn"))
        two = X.iloc[[0, -1]]
        assert model.predict_proba(two).tolist() == [[1, 0], [3 / 7, 4 / 7]]
        assert model.with_estimate("laplace").predict_proba(two)[0].tolist() == [4 / 5, 1 / 5]
        m = model.with_estimate("m", m=2).predict_proba(two)
        assert m[0] == pytest.approx([(3 + 2 * 0.6) / 5, 2 * 0.4 / 5])
        assert m[1] == pytest.approx([(3 + 2 * 0.6) / 9, (4 + 2 * 0.4) / 9])

    def test_limits_of_m(self, model):
        data, fitted = model
        none = fitted.with_estimate("m", m=0).predict_proba(data.X)
        assert none == pytest.approx(fitted.predict_proba(data.X))
        small = fitted.with_estimate("m", m=1e-9).predict_proba(data.X)
        assert small == pytest.approx(none, abs=1e-8)
        large = fitted.with_estimate("m", m=1e12).predict_proba(data.X)
        prior = np.bincount(data.y.codes) / len(data)
        assert large == pytest.approx(np.broadcast_to(prior, large.shape), abs=1e-8)

    def test_laplace_with_many_cases_is_the_frequency(self):
        X = pd.DataFrame({"a": np.repeat(["x", "y"], 50_000)})
        y = np.where(np.arange(100_000) % 50_000 < 5_000, 0, np.repeat([0, 1], 50_000))
        model = rt.DecisionTree(estimate="laplace").fit(X, y)
        expected = model.with_estimate("frequency").predict_proba(X[-1:])
        assert model.predict_proba(X[-1:]) == pytest.approx(expected, abs=1e-4)

    @pytest.mark.parametrize("m", [-1, np.nan])
    def test_bad_m(self, model, m):
        with pytest.raises(ValueError, match="m must be at least 0"):
            model[1].with_estimate("m", m=m)

    def test_a_parameter_that_the_estimate_does_not_have(self, model):
        with pytest.raises((TypeError, ValueError), match="'m'"):
            model[1].with_estimate("laplace", m=2)


class TestPrediction:
    def test_unseen_and_missing_values(self):
        model = rt.DecisionTree().fit(X2[["a"]], Y2)
        new = pd.DataFrame({"a": ["x", "never", None, "y"]})
        assert model.predict_proba(new).tolist() == [[1, 0], [0.5, 0.5], [1, 0], [0, 1]]
        values = rt.DecisionTree(missing="value").fit(X2[["a"]], Y2)
        assert values.predict_proba(new)[2].tolist() == [0.5, 0.5], "missing was never seen"

    def test_missing_as_a_value_of_its_own(self):
        X = pd.DataFrame({"a": ["x", None, "y", None, "x", "y"], "b": [1, np.nan] * 3})
        y = [0, 1, 0, 1, 0, 0]
        for split in ("multiway", "binary", "threshold"):
            model = rt.DecisionTree("gini", split, missing="value").fit(X[["a"]], y)
            assert model.score(X[["a"]], y) == 1
        assert (
            rt.DecisionTree(missing="value").fit(X[["b"]], [0, 1] * 3).score(X[["b"]], [0, 1] * 3)
            == 1
        )

    def test_names_and_order_of_columns(self):
        model = rt.DecisionTree().fit(X2, Y2)
        with pytest.raises(ValueError, match="same order"):
            model.predict(X2[["b", "a"]])
        with pytest.raises(ValueError, match=r"unseen at fit time:\n- c\n.*now missing:\n- b"):
            model.predict(X2.rename(columns={"b": "c"}))
        with pytest.raises(ValueError, match="now missing:\n- b"):
            model.predict(X2[["a"]])
        with pytest.raises(ValueError, match=r"3 features.*expecting 2"):
            rt.DecisionTree().fit(np.eye(2), [0, 1]).predict(np.eye(3))

    def test_not_fitted(self):
        for use in ("predict", "predict_proba", "apply"):
            with pytest.raises(NotFittedError, match=r"DecisionTree is not fitted.*fit\(X, y\)"):
                getattr(rt.DecisionTree(), use)(X2)
        with pytest.raises(NotFittedError):
            rt.DecisionTree().with_estimate("laplace")

    def test_apply_gives_the_nodes_of_the_probabilities(self):
        model = rt.DecisionTree(estimate="laplace").fit(X2, Y2)
        node = model.apply(X2)
        counts = model.tree_.counts[node]
        want = (counts + 1) / (counts.sum(axis=1, keepdims=True) + 2)
        assert np.array_equal(model.predict_proba(X2), want)

    def test_a_depth_of_many_categories_at_once(self):
        """A thousand declared values, few of which occur, cost no wrong answers."""
        X = pd.DataFrame(
            {"a": pd.Categorical(list("pqpq"), categories=[*map(str, range(999)), "p", "q"])}
        )
        model = rt.DecisionTree().fit(X, [0, 1, 0, 1])
        assert model.predict(X).tolist() == [0, 1, 0, 1]
        assert model.predict_proba(pd.DataFrame({"a": ["7"]})).tolist() == [[0.5, 0.5]]


class TestErrors:
    @pytest.mark.parametrize(
        ("setting", "known"),
        [
            ("criterion", "information_gain"), ("split", "multiway"), ("estimate", "laplace"),
            ("child_rule", "every"), ("numeric", "thresholds"), ("discretize", "equal-width"),
            ("missing", "impute"),
        ],
    )  # fmt: skip
    def test_unknown_names_list_the_known(self, setting, known):
        with pytest.raises(ValueError, match=rf"{setting} 'nope'.*'{known}'"):
            rt.DecisionTree(**{setting: "nope"}).fit(X2, Y2)
        if setting == "estimate":
            with pytest.raises(ValueError, match=r"'nope'.*'laplace'"):
                rt.DecisionTree().fit(X2, Y2).with_estimate("nope")

    @pytest.mark.parametrize(
        ("setting", "value"),
        [
            ("max_depth", 0), ("min_parent", 1), ("min_child", 0), ("min_gain", -1), ("tie", -1),
            ("min_gain", np.nan), ("significance", 0), ("significance", 2), ("n_bins", 1),
            ("max_codes", 1),
        ],
    )  # fmt: skip
    def test_numbers_out_of_range_are_named(self, setting, value):
        with pytest.raises(ValueError, match=rf"{setting}.*{value}"):
            rt.DecisionTree(**{setting: value}).fit(X2, Y2)

    def test_n_bins_is_checked_even_without_numbers(self):
        with pytest.raises(ValueError, match="n_bins must be at least 2"):
            rt.DecisionTree(n_bins=1).fit(X2[["a"]], Y2)

    def test_criteria_for_two(self):
        data = rt.load("iris")
        with pytest.raises(ValueError, match=r"dkm.*two classes.*3"):
            rt.DecisionTree("dkm").fit(data.X, data.y)
        with pytest.raises(ValueError, match=r'twoing.*two branches.*split="binary"'):
            rt.DecisionTree("twoing").fit(data.X, data.y)
        assert rt.DecisionTree("twoing", "binary").fit(data.X, data.y).score(data.X, data.y) > 0.9

    def test_nothing_to_learn_from(self):
        for X in (X2[:0], X2[[]]):
            with pytest.raises(ValueError, match="X is empty"):
                rt.DecisionTree().fit(X, Y2[: len(X)])

    def test_infinite_numbers_and_dates_are_refused_at_predict_too(self):
        model = rt.DecisionTree().fit(X2, Y2)
        with pytest.raises(ValueError, match=r"'b'.*inf"):
            model.predict(X2.assign(b=np.inf))
        with pytest.raises(TypeError, match=r"'b'.*dates"):
            model.predict(X2.assign(b=pd.Timestamp("2020-01-01")))


class TestInputsOfEveryKind:
    def test_codes_beyond_the_fitted_values_are_refused(self):
        two = AttributeInfo("a", "nominal", ("x", "y"))
        three = AttributeInfo("a", "nominal", ("x", "y", "z"))
        model = rt.DecisionTree().fit(rt.Codes(np.array([[0], [1]]), (two,)), [0, 1])
        with pytest.raises(ValueError, match="'a' has codes outside its values, 0 to 1"):
            model.predict(rt.Codes(np.array([[2]]), (three,)))

    @pytest.mark.parametrize("y", [[np.nan, "b", "a", "b"], [None, "b", "a", "b"]])
    def test_a_missing_class_in_a_list_is_no_class(self, y):
        with pytest.raises(ValueError, match="lacks the class of 1 of its 4 cases, first in row 0"):
            rt.DecisionTree().fit(np.arange(4.0)[:, None], y)

    def test_a_list_keeps_numbers_apart_from_text(self):
        with pytest.raises(ValueError, match="mixes text"):
            rt.DecisionTree().fit(np.arange(4.0)[:, None], ["a", 1, "a", 1])
        X = [["a", np.nan], ["b", 1.5], ["a", 10], ["b", 2]]
        kinds = [info.kind for info in rt.DecisionTree().fit(X, [0, 1, 0, 1]).tree_.schema]
        assert kinds == ["nominal", "numeric"]

    def test_integer_column_names_are_checked_too(self):
        X = pd.DataFrame({0: [1.0, 2, 3, 4], 1: [4.0, 4, 2, 1]})
        model = rt.DecisionTree().fit(X, list("abab"))
        with pytest.raises(ValueError, match="same order"):
            model.predict(X[[1, 0]])
        with pytest.raises(ValueError, match="unseen at fit time"):
            model.predict(X.rename(columns={0: 5}))

    def test_names_that_read_alike_are_refused(self):
        X = pd.DataFrame([[1, 2], [3, 4]], columns=[0, "0"])
        with pytest.raises(ValueError, match="more than once"):
            rt.DecisionTree().fit(X, [0, 1])

    @pytest.mark.parametrize("gap", [[None], pd.Categorical([None])])
    def test_a_number_that_is_missing_altogether_at_predict_is_imputed(self, gap):
        X = pd.DataFrame({"a": [1.0, 2, 3, 4]})
        model = rt.DecisionTree().fit(X, list("aabb"))
        assert model.predict(pd.DataFrame({"a": gap})) == model.predict(pd.DataFrame({"a": [2.5]}))

    @pytest.mark.parametrize(
        "settings",
        [
            {"n_bins": 2.5},
            {"n_bins": "3"},
            {"max_depth": "3"},
            {"significance": "0.05"},
            {"tie": None},
        ],
    )
    def test_a_setting_of_the_wrong_type_is_named(self, settings):
        with pytest.raises(TypeError, match=next(iter(settings))):
            rt.DecisionTree(**settings).fit(X2, Y2)


@pytest.mark.parametrize("name", ["vote", "iris", "contact-lenses", "soybean"])
@pytest.mark.parametrize("coded", [False, True])
def test_folds_predicted_together_equal_those_predicted_alone(name, coded):
    """Missing values (vote, soybean), bins (iris) and neither (contact-lenses)."""
    data = rt.load(name)
    X = rt.Encoder().fit_transform(data.X) if coded else data.X
    fold = rt.stratified_folds(data.y, 3, seed=2)
    tests = [np.flatnonzero(fold == f) for f in range(3)]
    model = rt.C45(estimate="ling-yan")
    models = model.fit_folds(X, data.y, [np.flatnonzero(fold != f) for f in range(3)])
    together = model.predict_folds(models, X, tests)
    alone = [
        fitted.predict_proba(take_rows(X, rows)) for fitted, rows in zip(models, tests, strict=True)
    ]
    assert all(np.array_equal(a, b) for a, b in zip(together, alone, strict=True))


class TestScore:
    def test_labels_of_another_kind_are_refused(self):
        X, y = np.arange(8).reshape(-1, 1), [0, 0, 0, 1, 1, 1, 0, 1]
        model = rt.DecisionTree().fit(X, y)
        assert model.score(X, y) == np.mean(model.predict(X) == y)
        with pytest.raises(
            ValueError, match="none of the classes 0, 1: its labels are such as 'p'"
        ):
            model.score(X, list("pqpqpqpq"))
        with pytest.raises(ValueError, match="8 cases, but y has 7"):
            model.score(X, y[:-1])
        with pytest.raises(ValueError, match="missing in 1 rows of y, first 2"):
            model.score(X, pd.Series([0, 0, None, 1, 1, 1, 0, 1]))

    def test_a_class_that_was_not_learnt_is_an_error_of_the_model(self):
        X = np.arange(4).reshape(-1, 1)
        assert rt.DecisionTree().fit(X, list("aabb")).score(X, list("aabc")) == 0.75


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"k": 2}, "estimate 'm' has no parameter 'k': only 'm'"),
        ({"tree": 2}, "estimate 'm' has no parameter 'tree'"),
        (5, "estimate_params must be a dict"),
    ],
)
def test_unknown_parameters_of_an_estimate_are_named(params, message):
    data = rt.load("weather.nominal")
    model = rt.DecisionTree(estimate="m", estimate_params=params)
    with pytest.raises((ValueError, TypeError), match=message):
        model.fit(data.X, data.y)
