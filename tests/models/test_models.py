"""`DecisionTree` as an estimator: scikit-learn's conventions, estimates, and clear errors."""

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt

X2 = pd.DataFrame({"a": list("xxyyxy"), "b": [1.0, 2, 3, 4, 5, 6]})
Y2 = ["no", "no", "yes", "yes", "no", "yes"]


class TestClasses:
    def test_declared_classes_are_sorted_and_absent_ones_have_a_column(self):
        y = pd.Categorical(Y2, categories=["yes", "maybe", "no"])
        for estimate, absent in (("frequency", 0), ("laplace", 1 / 6), ("m", 0)):
            model = rt.DecisionTree(estimate=estimate).fit(X2, pd.Series(y))
            assert model.classes_.tolist() == ["maybe", "no", "yes"]
            assert model.predict_proba(X2)[:, 0] == pytest.approx(absent)
            assert model.score(X2, y) == 1

    def test_equal_probabilities_give_the_first_class(self):
        X = pd.DataFrame({"a": ["x", "x", "y", "y"]})
        y = pd.Categorical(["p", "q", "p", "q"], categories=["q", "p"])
        assert rt.DecisionTree().fit(X, y).predict(X).tolist() == ["p"] * 4


class TestEstimates:
    @pytest.fixture
    def model(self):
        data = rt.load("breast-cancer")
        return data, rt.DecisionTree(min_child=4).fit(data.X, data.y)

    def test_another_estimate_leaves_the_tree_alone(self, model):
        data, fitted = model
        before = fitted.tree_.counts.copy()
        proba = fitted.predict_proba(data.X)
        other = fitted.with_estimate("m", m=5)
        assert other.tree_ is fitted.tree_
        assert (other.estimate, other.estimate_params) == ("m", {"m": 5})
        assert fitted.estimate == "frequency"
        assert np.array_equal(fitted.tree_.counts, before)
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
        ("setting", "value", "message"),
        [
            ("criterion", "nope", "'nope'.*'information_gain'"),
            ("split", "nope", "'nope'.*'multiway'"), ("estimate", "nope", "'nope'.*'laplace'"),
            ("child_rule", "nope", "'nope'.*'every'"), ("missing", "nope", "'nope'.*'impute'"),
            ("numeric", "nope", "'nope'.*'thresholds'"),
            ("discretize", "nope", "'nope'.*'equal-width'"),
            ("max_depth", 0, "0"), ("min_parent", 1, "1"), ("min_child", 0, "0"),
            ("min_gain", -1, "-1"), ("tie", -1, "-1"), ("min_gain", np.nan, "nan"),
            ("significance", 0, "0"), ("significance", 2, "2"), ("n_bins", 1, "at least 2"),
            ("max_codes", 1, "1"), ("n_bins", 2.5, ""), ("max_depth", "3", ""), ("tie", None, ""),
        ],
    )  # fmt: skip
    def test_settings_are_named(self, setting, value, message):
        """Before any case is seen: a column of names needs no bins."""
        with pytest.raises((ValueError, TypeError), match=rf"{setting}.*{message}"):
            rt.DecisionTree(**{setting: value}).fit(X2[["a"]], Y2)

    def test_criteria_for_two(self):
        data = rt.load("iris")
        with pytest.raises(ValueError, match=r"dkm.*two classes.*3"):
            rt.DecisionTree("dkm").fit(data.X, data.y)
        with pytest.raises(ValueError, match=r'twoing.*two branches.*split="binary"'):
            rt.DecisionTree("twoing").fit(data.X, data.y)
        assert rt.DecisionTree("twoing", "binary").fit(data.X, data.y).score(data.X, data.y) > 0.9


class TestInputsOfEveryKind:
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


class TestScore:
    def test_a_missing_label_is_named(self):
        X, y = np.arange(8).reshape(-1, 1), [0, 0, 0, 1, 1, 1, 0, 1]
        with pytest.raises(ValueError, match="missing in 1 rows of y, first 2"):
            rt.DecisionTree().fit(X, y).score(X, pd.Series([0, 0, None, 1, 1, 1, 0, 1]))

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
