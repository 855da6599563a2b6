"""`NaiveBayes` on missing values, absent classes and bad input, and its explanations."""

import math

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees.models import NaiveBayes


class TestMissing:
    X = pd.DataFrame({"a": ["x", "x", None, "y", "y", "x"], "b": [1.0, 2, 3, np.nan, 5, 6]})
    y = ("n", "n", "n", "m", "m", "m")

    def test_skip_counts_known_values_only(self):
        model = NaiveBayes().fit(self.X, self.y)
        assert model.conditional("a")["n"].tolist() == pytest.approx([3 / 4, 1 / 4])
        empty = pd.DataFrame({"a": [None], "b": [np.nan]})
        assert model.predict_proba(empty)[0] == pytest.approx(model.class_prior_)
        assert not model.log_factors(empty).any()

    def test_value(self):
        model = NaiveBayes(missing="value").fit(self.X, self.y)
        assert list(model.conditional("a").index) == ["x", "y", "missing"]
        assert model.conditional("a")["n"].tolist() == pytest.approx([3 / 6, 1 / 6, 2 / 6])
        gaussian = NaiveBayes(numeric="gaussian").fit(self.X, self.y)
        assert gaussian.conditional("b").loc["mean"].tolist() == pytest.approx([5.5, 2])
        assert gaussian.log_factors(self.X)[3, 1].tolist() == [0, 0]

    def test_a_column_without_values_warns_and_says_nothing(self):
        X = self.X.assign(c=np.nan)
        for numeric in ("bins", "gaussian"):
            with pytest.warns(UserWarning, match="'c' has no value at all: it says nothing"):
                model = NaiveBayes(numeric=numeric).fit(X, self.y)
            without = NaiveBayes(numeric=numeric).fit(self.X, self.y)
            for c in (np.nan, 7.0):
                proba = model.predict_proba(X.assign(c=c))
                assert proba == pytest.approx(without.predict_proba(self.X))


class TestClasses:
    def test_an_absent_class_has_a_column(self):
        data = rt.load("tax-payers")
        y = data.y.add_categories("perhaps")
        for numeric in ("bins", "gaussian"):
            laplace = NaiveBayes(numeric=numeric).fit(data.X, y)
            none = laplace.with_smoothing("none").predict_proba(data.X)
            assert np.all(laplace.predict_proba(data.X)[:, 2] > none[:, 2])
            assert np.all(none[:, 2] == 0)
        assert laplace.conditional("Status")["perhaps"].tolist() == pytest.approx([1 / 3] * 3)
        income = laplace.conditional("Income")["perhaps"].tolist()
        assert income == pytest.approx([data.X["Income"].mean(), data.X["Income"].std()])

    def test_a_class_of_equal_numbers_gets_the_floor(self):
        """A sixth of the mean gap between the distinct numbers 1, 2, 4, 10."""
        X = pd.DataFrame({"a": [1.0, 1, 1, 2, 4, 10]})
        model = NaiveBayes(numeric="gaussian").fit(X, list("kkklll"))
        assert model.conditional("a").loc["deviation", "k"] == pytest.approx(3 / 6)
        large = NaiveBayes(numeric="gaussian").fit(X * 1e300, list("kkklll"))
        assert large.predict_proba(X * 1e300) == pytest.approx(model.predict_proba(X))


class TestExplain:
    def test_weather(self):
        data = rt.load("weather.nominal")
        model = NaiveBayes().fit(data.X, data.y)
        case = {"outlook": "sunny", "temperature": "cool", "humidity": "high", "windy": "TRUE"}
        found = model.explain(case)
        proba = model.predict_proba(pd.DataFrame([case]))[0]
        assert found.proba == pytest.approx({"no": proba[0], "yes": proba[1]})
        assert found.title.startswith("no with probability")
        weight = found.table["log odds"]
        assert list(weight.abs()) == sorted(weight.abs(), reverse=True)
        prior = math.log(model.class_prior_[0] / model.class_prior_[1])
        assert math.exp(prior + weight.sum()) == pytest.approx(proba[0] / proba[1])
        assert found.table.loc["outlook", "P(value | yes)"] == pytest.approx(3 / 12)
        assert found.table.loc["outlook", "P(value | no)"] == pytest.approx(4 / 8)
        assert any(line.startswith("outlook sunny: times 2 for no") for line in found.lines)

    def test_intervals_and_gaps(self):
        data = rt.load("iris")
        X = pd.DataFrame({"petal": pd.cut(data.X["petallength"], 3), "sepal": data.X["sepalwidth"]})
        model = NaiveBayes().fit(X, data.y)
        for case in (X.iloc[0], X.iloc[0].to_dict()):
            assert model.explain(case).proba == model.explain(X.iloc[[0]]).proba

        case = {"petal": X.iloc[0, 0], "sepal": None}
        assert model.explain(case).table.index[-1] == "sepal"
        assert model.explain(case).lines[-2] == "sepal: missing or never seen, takes no part."
        payers = rt.load("tax-payers")
        none = NaiveBayes("none").fit(payers.X[["Refund", "Status"]], payers.y)
        lines = none.explain({"Refund": "Yes", "Status": None}).lines
        assert any("Refund Yes: impossible for Yes." in line for line in lines)


PAYERS = rt.load("tax-payers")
MODEL = NaiveBayes(numeric="gaussian").fit(PAYERS.X, PAYERS.y)


def fit(gap=1.0, **settings):
    return NaiveBayes(**settings).fit([[1.0], [gap]], [0, 1])


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: fit(smoothing="lidstone"), "'laplace', 'none', 'm'"),
        (lambda: fit(m=-1), "at least 0"),
        (lambda: fit(m=math.inf), "finite"),
        (lambda: fit(numeric="normal"), "'bins', 'gaussian'"),
        (lambda: fit(missing="drop"), "'skip'"),
        (lambda: fit(np.nan, missing="value", numeric="gaussian"), "'x0'.*row 1.*normal.*skip"),
        (lambda: MODEL.predict(PAYERS.X.assign(Income="much")), "'Income' was numeric"),
        (lambda: MODEL.conditional("Height"), "unknown attribute 'Height'.*'Refund'"),
        (lambda: MODEL.explain(PAYERS.X), "one case .* there are 10"),
        (lambda: MODEL.explain({"Refund": "Yes"}), "lacks .*Status"),
        (lambda: NaiveBayes().conditional("a"), "not fitted"),
        (lambda: NaiveBayes().with_smoothing("none"), "not fitted"),
    ],
)
def test_mistakes_are_named(use, message):
    with pytest.raises(ValueError, match=message):
        use()
