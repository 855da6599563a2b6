"""`NaiveBayes`: the lecture's numbers, scikit-learn's, the plain product, odd data and words."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from strategies import coded, schema_of

import ranktrees as rt
from ranktrees.plain import bayes as plain
from ranktrees_engine.basics.blocks import blocks
from ranktrees_engine.bayes import tables
from ranktrees_engine.models import NaiveBayes, naive_bayes

PLAIN = ["Refund", "Status"]


PAYERS = rt.load("tax-payers")


class TestLecture:
    """Yang 2008, slides: ten tax payers."""

    def test_shares(self):
        model = NaiveBayes("none").fit(PAYERS.X[PLAIN], PAYERS.y)
        assert dict(zip(model.classes_, model.class_prior_, strict=True)) == {"No": 0.7, "Yes": 0.3}
        status, refund = model.conditional("Status"), model.conditional("Refund")
        assert status.loc["Married", "No"] == pytest.approx(4 / 7)
        assert refund.loc["Yes", "Yes"] == 0
        assert list(status.index) == ["Single", "Married", "Divorced"]

    def test_laplace_by_hand_and_the_slip(self):
        """Adding the number of class labels, as the slide has it, P(Status | Yes) sums to 1.2."""
        model = NaiveBayes().fit(PAYERS.X[PLAIN], PAYERS.y)
        assert model.conditional("Status")["Yes"].tolist() == pytest.approx([3 / 6, 1 / 6, 2 / 6])
        assert model.class_prior_.tolist() == pytest.approx([8 / 12, 4 / 12])
        n = model.counts_[model.offsets_[1] :, 1]
        assert ((n + 1) / (n.sum() + len(model.classes_))).sum() == pytest.approx(1.2)

    def test_m_estimate_by_hand(self):
        model = NaiveBayes("m", m=1).fit(PAYERS.X[PLAIN], PAYERS.y)
        assert model.conditional("Refund")["Yes"].tolist() == pytest.approx([0.5 / 4, 3.5 / 4])
        assert model.class_prior_.tolist() == pytest.approx([0.7, 0.3])

    def test_gaussian_income(self):
        model = NaiveBayes(numeric="gaussian").fit(PAYERS.X, PAYERS.y)
        income = model.conditional("Income")
        assert income.loc["mean"].tolist() == pytest.approx([110, 90])
        assert (income.loc["deviation"] ** 2).tolist() == pytest.approx([2975, 25])
        case = pd.DataFrame({"Refund": ["No"], "Status": ["Married"], "Income": [120.0]})
        density = np.exp(model.log_factors(case)[0, 2, 0])
        assert density == pytest.approx(0.0072, abs=5e-5)
        none = model.with_smoothing("none")
        assert none.predict_proba(case).tolist() == [[1, 0]], "no married payer cheats"
        assert model.smoothing == "laplace"


class TestOtherImplementations:
    def test_categorical(self):
        codes, y = coded(3, n=200, sizes=(2, 7, 4), classes=4)
        ours = NaiveBayes().fit(codes, y)
        other = CategoricalNB(alpha=1, min_categories=codes.sizes).fit(codes.values, y)
        for j, theirs in enumerate(other.feature_log_prob_):
            assert ours.conditional(f"a{j}").to_numpy() == pytest.approx(np.exp(theirs.T))
        m = NaiveBayes("m", m=0).fit(codes, y)
        assert m.class_prior_ == pytest.approx(np.exp(other.class_log_prior_))
        other.class_log_prior_ = np.log(ours.class_prior_)
        assert ours.predict_proba(codes) == pytest.approx(other.predict_proba(codes.values))

    def test_gaussian(self):
        """GaussianNB divides by n, we by n - 1: means agree, variances up to that factor."""
        data = rt.load("iris")
        X = data.X.to_numpy()
        ours = NaiveBayes("none", numeric="gaussian").fit(X, data.y)
        other = GaussianNB(var_smoothing=0).fit(X, data.y)
        assert ours.means_ == pytest.approx(other.theta_.T)
        assert ours.deviations_**2 == pytest.approx(other.var_.T * 50 / 49)
        other.var_ = other.var_ * 50 / 49
        assert ours.predict_proba(X) == pytest.approx(other.predict_proba(X), abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 10**6),
    st.lists(st.integers(1, 5), min_size=1, max_size=4),
    st.sampled_from(tables.SMOOTHINGS),
    st.floats(1e-6, 50),  # the plain product would underflow for a tinier one
)
def test_equals_the_plain_product(seed, sizes, smoothing, m):
    rng = np.random.default_rng(seed)
    C, n = int(rng.integers(2, 5)), int(rng.integers(2, 25))
    values = np.stack([rng.integers(-1, V, n) for V in sizes], axis=1)
    y = np.append([0, 1], rng.integers(0, C, n - 2))
    classes = pd.Categorical.from_codes(y, categories=list("abcd")[:C])
    model = NaiveBayes(smoothing, m).fit(rt.Codes(values, schema_of(sizes)), classes)
    new = np.stack([rng.integers(-1, V, 12) for V in sizes], axis=1)
    added = {"laplace": None, "none": 0, "m": m}[smoothing]
    known = plain.learn(values, y, sizes, C, added)
    expected = [plain.posterior(known, case) for case in new]
    found = model.predict_proba(rt.Codes(new, schema_of(sizes)))
    assert found == pytest.approx(np.array(expected), abs=1e-12)


class TestLimits:
    def test_blocks_change_nothing(self, monkeypatch):
        codes, y = coded(5, n=300)
        X = np.random.default_rng(2).standard_normal((300, 3))

        def proba():
            return [
                NaiveBayes().fit(codes, y).predict_proba(codes),
                NaiveBayes(numeric="gaussian").fit(X, y).predict_proba(X),
            ]

        whole = proba()
        for module in (tables, naive_bayes):
            monkeypatch.setattr(module, "blocks", lambda n, cells, limit=0: blocks(n, cells, 100))
        assert np.array_equal(proba(), whole)

    @pytest.mark.filterwarnings("ignore:column 'none' has no value at all")
    @pytest.mark.parametrize("kind", [NaiveBayes, rt.AODE])
    def test_an_imputed_column_without_any_value(self, kind):
        X = pd.DataFrame({"a": list("xxyy"), "none": pd.Series([None] * 4, dtype=object)})
        model = kind(missing="impute").fit(X, list("kkll"))
        assert model.conditional("none").index.tolist() == ["no value"]
        assert model.explain(X[:1]).table.loc["none", "value"] == "no value"

    def test_nothing_possible_gives_the_prior(self):
        X = pd.DataFrame({"a": list("xxyy"), "b": list("pppq")})
        model = NaiveBayes("none").fit(X, list("kkll"))
        new = pd.DataFrame({"a": ["x"], "b": ["q"]})
        assert np.isneginf(model.log_factors(new)).any(axis=1).all()
        assert model.predict_proba(new).tolist() == [[0.5, 0.5]]
        far = NaiveBayes(numeric="gaussian").fit(np.array([[0.0], [1], [2], [4]]), [0, 0, 0, 1])
        assert far.predict_proba([[1e300]])[0] == pytest.approx(far.class_prior_)

    def test_many_attributes_do_not_underflow(self):
        rng = np.random.default_rng(4)
        y = rng.integers(0, 2, 100)
        X = np.where(rng.random((100, 2000)) < 0.5, y[:, None], rng.integers(0, 2, (100, 2000)))
        codes = rt.Codes(X, schema_of([2] * 2000))
        proba = NaiveBayes().fit(codes, y).predict_proba(codes)
        assert (proba.argmax(axis=1) == y).all()


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
        y = PAYERS.y.add_categories("perhaps")
        for numeric in ("bins", "gaussian"):
            laplace = NaiveBayes(numeric=numeric).fit(PAYERS.X, y)
            none = laplace.with_smoothing("none").predict_proba(PAYERS.X)
            assert np.all(laplace.predict_proba(PAYERS.X)[:, 2] > none[:, 2])
            assert np.all(none[:, 2] == 0)
        assert laplace.conditional("Status")["perhaps"].tolist() == pytest.approx([1 / 3] * 3)
        income = laplace.conditional("Income")["perhaps"].tolist()
        assert income == pytest.approx([PAYERS.X["Income"].mean(), PAYERS.X["Income"].std()])

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
        none = NaiveBayes("none").fit(PAYERS.X[PLAIN], PAYERS.y)
        lines = none.explain({"Refund": "Yes", "Status": None}).lines
        assert any("Refund Yes: impossible for Yes." in line for line in lines)


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
