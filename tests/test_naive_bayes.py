"""`NaiveBayes`: the lecture's numbers, scikit-learn's, and a slow literal transcription."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.utils.estimator_checks import check_estimator
from strategies import coded, schema_of

import ranktrees as rt
from ranktrees.bayes import NaiveBayes, tables

PLAIN = ["Refund", "Status"]


@pytest.fixture(scope="module")
def payers():
    return rt.load("tax-payers")


class TestScikitLearn:
    @pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
    @pytest.mark.filterwarnings("ignore:Estimator NaiveBayes does not inherit:UserWarning")
    @pytest.mark.filterwarnings("default:::ranktrees")
    @pytest.mark.parametrize(
        "model",
        [
            NaiveBayes(),
            NaiveBayes("none", numeric="gaussian"),
            NaiveBayes("m", missing="error", discretize="entropy-mdl"),
        ],
        ids=["default", "gaussian", "mdl"],
    )
    def test_every_check_passes(self, model):
        results = check_estimator(model, on_fail=None)
        failed = {r["check_name"]: str(r["exception"]) for r in results if r["status"] == "failed"}
        assert not failed
        assert {r["check_name"] for r in results if r["status"] == "skipped"} <= {
            "check_array_api_input"
        }
        assert len(results) > 45


class TestLecture:
    """Yang 2008, slides: ten tax payers."""

    def test_shares(self, payers):
        model = NaiveBayes("none").fit(payers.X[PLAIN], payers.y)
        assert dict(zip(model.classes_, model.class_prior_, strict=True)) == {"No": 0.7, "Yes": 0.3}
        status, refund = model.conditional("Status"), model.conditional("Refund")
        assert status.loc["Married", "No"] == pytest.approx(4 / 7)
        assert refund.loc["Yes", "Yes"] == 0
        assert status.sum().tolist() == pytest.approx([1, 1])
        assert (status.index.name, list(status.index)) == (
            "Status",
            ["Single", "Married", "Divorced"],
        )

    def test_one_zero_decides_alone(self, payers):
        proba = NaiveBayes("none").fit(payers.X[PLAIN], payers.y).predict_proba(payers.X[PLAIN])
        assert np.all(proba[payers.X["Refund"] == "Yes", 1] == 0)
        laplace = NaiveBayes().fit(payers.X[PLAIN], payers.y).predict_proba(payers.X[PLAIN])
        assert laplace.min() > 0

    def test_laplace_by_hand_and_the_slip(self, payers):
        """Adding the number of class labels, as the slide has it, P(Status | Yes) sums to 1.2."""
        model = NaiveBayes().fit(payers.X[PLAIN], payers.y)
        assert model.conditional("Status")["Yes"].tolist() == pytest.approx([3 / 6, 1 / 6, 2 / 6])
        assert model.class_prior_.tolist() == pytest.approx([8 / 12, 4 / 12])
        n = model.counts_[model.offsets_[1] :, 1]
        assert ((n + 1) / (n.sum() + len(model.classes_))).sum() == pytest.approx(1.2)

    def test_m_estimate_by_hand(self, payers):
        model = NaiveBayes("m", m=3).fit(payers.X[PLAIN], payers.y)
        assert model.conditional("Status")["Yes"].tolist() == pytest.approx([3 / 6, 1 / 6, 2 / 6])
        model = NaiveBayes("m", m=1).fit(payers.X[PLAIN], payers.y)
        assert model.conditional("Refund")["Yes"].tolist() == pytest.approx([0.5 / 4, 3.5 / 4])
        assert model.class_prior_.tolist() == pytest.approx([0.7, 0.3])

    def test_gaussian_income(self, payers):
        model = NaiveBayes(numeric="gaussian").fit(payers.X, payers.y)
        income = model.conditional("Income")
        assert income.loc["mean"].tolist() == pytest.approx([110, 90])
        assert (income.loc["deviation"] ** 2).tolist() == pytest.approx([2975, 25])
        case = pd.DataFrame({"Refund": ["No"], "Status": ["Married"], "Income": [120.0]})
        density = np.exp(model.log_factors(case)[0, 2, 0])
        assert density == pytest.approx(0.0072, abs=5e-5)
        none = model.with_smoothing("none")
        assert none.predict_proba(case).tolist() == [[1, 0]], "no married payer cheats"
        assert none.class_prior_.tolist() == pytest.approx([0.7, 0.3])
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


def slow(codes, y, sizes, C, smoothing, m, case):
    """The definition, one product after the other; the prior where nothing is possible."""
    n = [int((y == c).sum()) for c in range(C)]
    laplace = smoothing == "laplace"
    prior = [(n[c] + laplace) / (len(y) + laplace * C) for c in range(C)]
    joint = list(prior)
    for j, V in enumerate(sizes):
        added = {"laplace": 1, "none": 0, "m": m / V}[smoothing]
        for c in range(C) if case[j] >= 0 else ():
            here = codes[(y == c) & (codes[:, j] >= 0), j]
            total = len(here) + V * added
            joint[c] *= ((here == case[j]).sum() + added) / total if total else 1 / V
    joint = joint if sum(joint) else prior
    return [p / sum(joint) for p in joint]


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.lists(st.integers(1, 5), min_size=1, max_size=4),
    st.sampled_from(tables.SMOOTHINGS),
    st.floats(1e-6, 50),  # the plain product would underflow for a tinier one
)
def test_equals_a_literal_transcription(seed, sizes, smoothing, m):
    rng = np.random.default_rng(seed)
    C, n = int(rng.integers(2, 5)), int(rng.integers(2, 25))
    values = np.stack([rng.integers(-1, V, n) for V in sizes], axis=1)
    y = np.append([0, 1], rng.integers(0, C, n - 2))
    classes = pd.Categorical.from_codes(y, categories=list("abcd")[:C])
    model = NaiveBayes(smoothing, m).fit(rt.Codes(values, schema_of(sizes)), classes)
    new = np.stack([rng.integers(-1, V, 12) for V in sizes], axis=1)
    expected = [slow(values, y, sizes, C, smoothing, m, case) for case in new]
    found = model.predict_proba(rt.Codes(new, schema_of(sizes)))
    assert found == pytest.approx(np.array(expected), abs=1e-9)


class TestInvariance:
    def test_rows_and_columns(self):
        data = rt.load("credit-g")
        rng = np.random.default_rng(0)
        for numeric in ("bins", "gaussian"):
            proba = NaiveBayes(numeric=numeric).fit(data.X, data.y).predict_proba(data.X)
            rows, columns = rng.permutation(len(data)), rng.permutation(data.X.shape[1])
            X = data.X.iloc[rows, columns]
            again = NaiveBayes(numeric=numeric).fit(X, data.y[rows]).predict_proba(X)
            assert again == pytest.approx(proba[rows], abs=1e-12)

    def test_classes(self):
        data = rt.load("weather.nominal")
        proba = NaiveBayes().fit(data.X, data.y).predict_proba(data.X)
        turned = data.y.reorder_categories(list(data.y.categories[::-1]))
        other = NaiveBayes().fit(data.X, turned).predict_proba(data.X)
        assert other == pytest.approx(proba[:, ::-1])

    def test_blocks_change_nothing(self, monkeypatch):
        codes, y = coded(5, n=300)
        X = np.random.default_rng(2).standard_normal((300, 3))
        whole = NaiveBayes().fit(codes, y), NaiveBayes(numeric="gaussian").fit(X, y)
        expected = whole[0].predict_proba(codes), whole[1].predict_proba(X)
        monkeypatch.setattr(tables, "BLOCK_CELLS", 100)
        parts = NaiveBayes().fit(codes, y), NaiveBayes(numeric="gaussian").fit(X, y)
        assert np.array_equal(parts[0].counts_, whole[0].counts_)
        assert np.array_equal(parts[0].predict_proba(codes), expected[0])
        assert np.array_equal(parts[1].predict_proba(X), expected[1])

    def test_tables_are_not_padded(self):
        codes, y = coded(1, sizes=(2, 3000, 3))
        model = NaiveBayes().fit(codes, y)
        assert model.tables_.shape == (3005, 3)
        assert model.offsets_.tolist() == [0, 2, 3002, 3005]

    def test_frame_and_codes_agree(self):
        data = rt.load("soybean")
        frame = NaiveBayes(missing="impute").fit(data.X, data.y)
        codes = rt.Encoder().fit_transform(data.X)
        assert np.array_equal(
            NaiveBayes().fit(codes, data.y).predict_proba(codes), frame.predict_proba(data.X)
        )


class TestLimits:
    def test_small_and_large_m(self):
        data = rt.load("soybean")
        none = NaiveBayes("none").fit(data.X, data.y)
        zero, tiny, huge = (none.with_smoothing("m", m) for m in (0, 1e-9, 1e12))
        assert np.array_equal(zero.predict_proba(data.X), none.predict_proba(data.X))
        assert np.exp(tiny.tables_) == pytest.approx(np.exp(none.tables_), abs=1e-9)
        assert np.ptp(np.exp(huge.tables_), axis=1).max() < 1e-9
        assert huge.predict_proba(data.X[:3]) == pytest.approx(
            np.tile(none.class_prior_, (3, 1)), abs=1e-6
        )

    def test_nothing_possible_gives_the_prior(self):
        X = pd.DataFrame({"a": list("xxyy"), "b": list("pppq")})
        y = ["k", "k", "l", "l"]
        model = NaiveBayes("none").fit(X, y)
        new = pd.DataFrame({"a": ["x"], "b": ["q"]})
        assert np.isneginf(model.log_factors(new)).any(axis=1).all()
        assert model.predict_proba(new).tolist() == [[0.5, 0.5]]
        far = NaiveBayes(numeric="gaussian").fit(np.array([[0.0], [1], [2], [4]]), [0, 0, 0, 1])
        assert far.predict_proba([[1e300]])[0] == pytest.approx(far.class_prior_)

    def test_many_attributes_do_not_underflow(self):
        rng = np.random.default_rng(4)
        y = rng.integers(0, 2, 100)
        X = np.where(rng.random((100, 3000)) < 0.5, y[:, None], rng.integers(0, 2, (100, 3000)))
        codes = rt.Codes(X, schema_of([2] * 3000))
        proba = NaiveBayes().fit(codes, y).predict_proba(codes)
        assert np.isfinite(proba).all()
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

    def test_skip_is_what_lacking_the_attribute_is(self):
        one = NaiveBayes().fit(self.X[["a"]], self.y)
        both = NaiveBayes().fit(self.X, self.y)
        new = pd.DataFrame({"a": ["x", "y"], "b": [np.nan, np.nan]})
        assert both.predict_proba(new) == pytest.approx(one.predict_proba(new[["a"]]))

    def test_gaussian_skip(self):
        model = NaiveBayes(numeric="gaussian").fit(self.X, self.y)
        assert model.conditional("b").loc["mean"].tolist() == pytest.approx([5.5, 2])
        assert model.log_factors(self.X)[3, 1].tolist() == [0, 0]
        filled = NaiveBayes(numeric="gaussian", missing="impute").fit(self.X, self.y)
        assert filled.conditional("b").loc["mean", "m"] == pytest.approx((3.4 + 5 + 6) / 3)

    def test_value(self):
        model = NaiveBayes(missing="value").fit(self.X, self.y)
        assert list(model.conditional("a").index) == ["x", "y", "missing"]
        assert model.conditional("a")["n"].tolist() == pytest.approx([3 / 6, 1 / 6, 2 / 6])
        with pytest.raises(ValueError, match=r"'b'.*row 3.*normal density.*skip"):
            NaiveBayes(missing="value", numeric="gaussian").fit(self.X, self.y)

    def test_error(self):
        for numeric in ("bins", "gaussian"):
            model = NaiveBayes(missing="error", numeric=numeric)
            with pytest.raises(ValueError, match=r"'b'.*row 3"):
                model.fit(self.X[["b"]], self.y)

    def test_an_unseen_value_takes_no_part(self):
        model = NaiveBayes().fit(self.X[["a"]], self.y)
        new = pd.DataFrame({"a": ["never"]})
        assert model.predict_proba(new)[0] == pytest.approx(model.class_prior_)

    def test_a_column_without_values_warns_and_says_nothing(self):
        X = self.X.assign(c=np.nan)
        for numeric in ("bins", "gaussian"):
            with pytest.warns(UserWarning, match="'c' has no value at all: it says nothing"):
                model = NaiveBayes(numeric=numeric).fit(X, self.y)
            without = NaiveBayes(numeric=numeric).fit(self.X, self.y)
            assert model.predict_proba(X) == pytest.approx(without.predict_proba(self.X))
            known = X.assign(c=7.0)
            assert model.predict_proba(known) == pytest.approx(model.predict_proba(X))


class TestClasses:
    def test_an_absent_class_has_a_column(self):
        data = rt.load("tax-payers")
        y = data.y.add_categories("perhaps")
        for numeric in ("bins", "gaussian"):
            laplace = NaiveBayes(numeric=numeric).fit(data.X, y)
            proba = laplace.predict_proba(data.X)
            assert proba.shape == (10, 3)
            assert np.isfinite(proba).all()
            assert np.all(proba[:, 2] > 0)
            none = laplace.with_smoothing("none").predict_proba(data.X)
            assert np.all(none[:, 2] == 0)
        assert laplace.conditional("Status")["perhaps"].tolist() == pytest.approx([1 / 3] * 3)
        income = laplace.conditional("Income")["perhaps"].tolist()
        assert income == pytest.approx([data.X["Income"].mean(), data.X["Income"].std()])

    def test_declared_values_count(self):
        X = pd.DataFrame({"a": pd.Categorical(["x", "x"], categories=["x", "y", "z"])})
        table = NaiveBayes().fit(X, ["k", "l"]).conditional("a")
        assert table["k"].tolist() == pytest.approx([2 / 4, 1 / 4, 1 / 4])

    def test_a_class_of_equal_numbers_gets_the_floor(self):
        """A sixth of the mean gap between the distinct numbers 1, 2, 4, 10."""
        X = pd.DataFrame({"a": [1.0, 1, 1, 2, 4, 10]})
        model = NaiveBayes(numeric="gaussian").fit(X, list("kkklll"))
        assert model.conditional("a").loc["deviation", "k"] == pytest.approx(3 / 6)
        assert np.isfinite(model.predict_proba(X)).all()
        large = NaiveBayes(numeric="gaussian").fit(X * 1e300, list("kkklll"))
        assert large.predict_proba(X * 1e300) == pytest.approx(model.predict_proba(X))


class TestExplain:
    def test_weather(self):
        data = rt.load("weather.nominal")
        model = NaiveBayes().fit(data.X, data.y)
        case = {"outlook": "sunny", "temperature": "cool", "humidity": "high", "windy": "TRUE"}
        found = model.explain(case)
        proba = model.predict_proba(pd.DataFrame([case]))[0]
        assert found.proba == pytest.approx({"yes": proba[0], "no": proba[1]})
        assert found.title.startswith("no with probability")
        weight = found.table["log odds"]
        assert list(weight.abs()) == sorted(weight.abs(), reverse=True)
        prior = math.log(model.class_prior_[1] / model.class_prior_[0])
        assert math.exp(prior + weight.sum()) == pytest.approx(proba[1] / proba[0])
        assert found.table.loc["outlook", "P(value | yes)"] == pytest.approx(3 / 12)
        assert found.table.loc["outlook", "P(value | no)"] == pytest.approx(4 / 8)
        assert any(line.startswith("outlook sunny: times 2 for no") for line in found.lines)

    def test_every_kind_of_case(self):
        data = rt.load("tax-payers")
        model = NaiveBayes(numeric="gaussian").fit(data.X, data.y)
        expected = model.predict_proba(data.X[:1])[0].tolist()
        row = data.X.iloc[0]
        for case in (data.X[:1], row, row.to_dict(), row.tolist(), row.to_numpy()):
            assert list(model.explain(case).proba.values()) == pytest.approx(expected)
        by_array = NaiveBayes(numeric="gaussian").fit(data.X[["Income"]].to_numpy(), data.y)
        for case in ([125.0], np.array([125.0]), np.array([[125.0]])):
            assert by_array.explain(case).table["value"].tolist() == ["125"]
        codes, y = coded(1)
        one = rt.Codes(codes.values[:1], codes.schema)
        assert NaiveBayes().fit(codes, y).explain(one).table.index.name == "attribute"

    def test_zeros_and_gaps(self):
        data = rt.load("tax-payers")
        model = NaiveBayes("none").fit(data.X[PLAIN], data.y)
        text = "\n".join(model.explain({"Refund": "Yes", "Status": None}).lines)
        assert "Refund Yes: impossible for Yes." in text
        assert "Status: missing or never seen, takes no part." in text

    def test_wrong_cases(self):
        data = rt.load("tax-payers")
        model = NaiveBayes().fit(data.X, data.y)
        for case, message in (
            (data.X, "one case .* there are 10"),
            ({"Refund": "Yes"}, "lacks .*Status"),
            ({**data.X.iloc[0], "Height": 3}, "Height.*unknown to the model"),
        ):
            with pytest.raises(ValueError, match=message):
                model.explain(case)


class TestBadInput:
    @pytest.mark.parametrize(
        ("params", "message"),
        [
            ({"smoothing": "lidstone"}, "'laplace', 'none', 'm'"),
            ({"m": -1}, "at least 0"),
            ({"m": math.inf}, "finite"),
            ({"numeric": "normal"}, "'bins', 'gaussian'"),
            ({"missing": "drop"}, "'skip'"),
            ({"n_bins": 1}, "at least 2"),
            ({"discretize": "width"}, "'equal-width'"),
        ],
    )
    def test_parameters(self, params, message):
        with pytest.raises(ValueError, match=message):
            NaiveBayes(**params).fit([[1.0], [2.0]], [0, 1])

    def test_data(self):
        data = rt.load("tax-payers")
        model = NaiveBayes(numeric="gaussian").fit(data.X, data.y)
        with pytest.raises(ValueError, match="'Income' was numeric"):
            model.predict(data.X.assign(Income="much"))
        with pytest.raises(TypeError, match="hold no numbers"):
            model.predict(rt.Encoder().fit_transform(data.X))
        with pytest.raises(ValueError, match=r"unknown attribute 'Height'.*'Refund'"):
            model.conditional("Height")
        codes, y = coded(1)
        with pytest.raises(TypeError, match="fitted on Codes"):
            NaiveBayes().fit(codes, y).predict(data.X)
        with pytest.raises(ValueError, match="not fitted"):
            NaiveBayes().conditional("a")
        with pytest.raises(ValueError, match="not fitted"):
            NaiveBayes().explain([1])
        with pytest.raises(ValueError, match="not fitted"):
            NaiveBayes().with_smoothing("none")
