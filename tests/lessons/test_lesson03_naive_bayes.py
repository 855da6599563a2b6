"""Lesson 03: its checks, its explorer, and what its sentences say of the data."""

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt

CASE = {"Refund": "No", "Status": "Married", "Income": 92.0}
WAYS = {
    "gaussian": rt.NaiveBayes(numeric="gaussian"),
    "ten bins": rt.NaiveBayes(),
    "entropy-mdl": rt.NaiveBayes(discretize="entropy-mdl"),
}


@pytest.fixture
def payers():
    return rt.load("tax-payers")


class TestSentences:
    def test_shares_without_smoothing(self, payers):
        plain = rt.NaiveBayes(smoothing="none", numeric="gaussian").fit(payers.X, payers.y)
        assert np.allclose(plain.class_prior_, [7 / 10, 3 / 10])
        assert np.isclose(plain.conditional("Status").loc["Married", "No"], 4 / 7)
        assert plain.conditional("Refund").loc["Yes", "Yes"] == 0
        assert plain.predict_proba(pd.DataFrame([CASE])).tolist() == [[1, 0]]

    def test_both_classes_meet_a_zero_where_income_is_binned(self, payers):
        binned = rt.NaiveBayes("none").fit(payers.X, payers.y)
        factors = binned.log_factors(pd.DataFrame([CASE]))
        assert np.isneginf(factors).any(axis=1).all()
        assert np.allclose(binned.predict_proba(pd.DataFrame([CASE])), [[0.7, 0.3]])

    def test_much_smoothing_leads_back_to_the_prior(self, payers):
        explorer = rt.explore.smoothing(payers, "Status", CASE, smoothing="m")
        cheats = [explorer.posterior("Status", "Married", "m", m)[1] for m in (0, 1, 6, 50)]
        assert np.isclose(cheats[0], 0.3)
        assert np.round(cheats[1:], 3).tolist() == [0.812, 0.615, 0.368]

    def test_missing_values_have_no_factor(self):
        vote = rt.load("vote")
        absent = vote.X.isna().to_numpy()
        assert absent.any()
        assert (rt.NaiveBayes().fit(vote.X, vote.y).log_factors(vote.X)[absent] == 0).all()

    def test_the_brier_score_is_a_mean_over_declared_classes_one_of_glass_is_empty(self):
        glass = rt.load("glass")
        assert glass.y.value_counts().eq(0).sum() == 1
        P = WAYS["ten bins"].fit(glass.X, glass.y).predict_proba(glass.X)
        assert P.shape[1] == len(glass.y.categories) == 7
        squares = (P - np.eye(7)[rt.read_classes(glass.y)[0]]) ** 2
        assert rt.brier(glass.y, P) == pytest.approx(squares.mean())

    def test_one_vote_separates_the_parties_far_better_than_the_others(self):
        vote = rt.load("vote")
        one = {name: rt.NaiveBayes().fit(vote.X[[name]], vote.y) for name in vote.X}
        ranked = sorted(
            (rt.auc(vote.y, m.predict_proba(vote.X[[n]])[:, 1]), n) for n, m in one.items()
        )
        assert ranked[-1][1] == "physician-fee-freeze"
        assert ranked[-1][0] - ranked[-2][0] > 0.05

    def test_a_prediction_is_odds_times_factors(self):
        credit = rt.load("credit-g")
        lender = rt.NaiveBayes().fit(credit.X, credit.y)
        told = lender.explain(credit.X.iloc[3])
        prior = np.log(lender.class_prior_[0] / lender.class_prior_[1])
        total = prior + told.table["log odds"].sum()
        assert np.isclose(1 / (1 + np.exp(-total)), told.proba["bad"])
        assert told.table.index[:2].tolist() == ["checking_status", "other_parties"]
        assert told.table["log odds"].iloc[0] > 0 > told.table["log odds"].iloc[1]
        assert "and 15 others." in rt.plot.factors(lender, credit.X.iloc[3]).alt


class TestExplorer:
    def test_agrees_with_the_model(self, payers):
        explorer = rt.explore.smoothing(payers, "Status", CASE, smoothing="m")
        for m in (0.5, 3, 50):
            model = rt.NaiveBayes(smoothing="m", m=m).fit(payers.X, payers.y)
            for status in ("Single", "Married", "Divorced"):
                right = model.predict_proba(pd.DataFrame([{**CASE, "Status": status}]))[0]
                assert np.allclose(explorer.posterior("Status", status, "m", m), right)
        explorer.controls["m"].value = 3
        assert "(0 + 1) / (3 + 3)" in explorer.words.value
        assert "Yes 0.167 (share 0.000)" in explorer.picture.alt

    @pytest.mark.parametrize(
        ("wrong", "words"),
        [
            ({"attribute": "nonsense"}, "Refund"),
            ({"case": 10}, "case must be 0 to 9, not 10"),
            ({"case": {"Refund": "No"}}, "lacks 'Status'"),
            ({"smoothing": "much"}, "laplace"),
        ],
    )
    def test_names_what_is_wrong(self, payers, wrong, words):
        with pytest.raises(ValueError, match=words):
            rt.explore.smoothing(payers, **wrong)
