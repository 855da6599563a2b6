"""`NaiveBayes`: the lecture's numbers, scikit-learn's, and the plain product."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from strategies import coded, schema_of

import ranktrees as rt
from ranktrees.basics.blocks import blocks
from ranktrees.bayes import tables
from ranktrees.models import NaiveBayes, naive_bayes
from ranktrees.plain import bayes as plain

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
        assert (proba.argmax(axis=1) == y).all()
