"""Lesson 02: its checks and its explorer."""

import re
import time

import numpy as np
import pandas as pd
import pytest
from test_plot import all_text, assert_readable

import ranktrees as rt
from ranktrees.bayes import lung_cancer
from ranktrees.teach.check.bayes import M_VALUES

CASE = {"Refund": "No", "Status": "Married", "Income": 92.0}


@pytest.fixture
def payers():
    return rt.load("tax-payers")


# checks


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (0.5, "likelihood"),
        (0.005, r"P\(S and M\)"),
        (0.1, r"P\(S \| not M\)"),
        (0.101, "odds"),
        (0.09, "give 3 decimals"),
        (9.17, "not per cent"),
    ],
)
def test_ward_posterior_names_the_slips(answer, words):
    assert rt.check.ward_posterior(50 / 545)
    verdict = rt.check.ward_posterior(answer)
    assert verdict.right is False
    assert re.search(words, repr(verdict))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (1 / 7, "plain share"),
        (2 / 9, "2 classes"),
        (2 / 8, "3 values"),
        (2 / 7, "total grows"),
        (2 / 6, "Cheat=Yes"),
        (2 / 13, "total is that of the class"),
        (20, "not per cent"),
    ],
)
def test_laplace_by_hand_names_the_slips(payers, answer, words):
    model = rt.NaiveBayes().fit(payers.X, payers.y)
    assert rt.check.laplace_by_hand(model.conditional("Status").loc["Divorced", "No"])
    verdict = rt.check.laplace_by_hand(answer)
    assert verdict.right is False
    assert words in repr(verdict)


def posterior(added=1, prior=True, prior_added=1, values=None, last=lambda p: p / p.sum()):
    """Naive Bayes for two classes with a choice of mistakes."""

    def function(X, y, sizes, case):
        n = np.bincount(y, minlength=2)
        p = (n + prior_added) / (n.sum() + 2 * prior_added) if prior else np.ones(2)
        for x, V, v in zip(X.T, sizes, case, strict=True):
            p = p * (np.bincount(y[x == v], minlength=2) + added) / (n + added * (values or V))
        return last(p)

    return function


def test_posterior_function_takes_a_right_one():
    assert rt.check.posterior_function(posterior())


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (posterior(last=lambda p: p), "divide by the sum"),
        (posterior(last=lambda p: 2 * p / p.sum() + 0.1), "sum to 1, but sum to"),
        (
            posterior(last=lambda p: np.exp(p / p.sum()) / np.exp(p / p.sum()).sum()),
            "once too often",
        ),
        (posterior(added=0, prior_added=0), "plain shares"),
        (posterior(prior=False), "left out the prior"),
        (posterior(prior_added=0), "prior is smoothed, too"),
        (posterior(added=7), "The first case should give"),
        (posterior(last=lambda p: p[:1]), "2 numbers"),
        (posterior(last=lambda p: p[::-1] / p.sum()), "swapped"),
        (posterior(last=lambda p: np.log(p / p.sum())), "logarithms"),
        (posterior(values=2), "You added the 2 classes"),
    ],
)
def test_posterior_function_names_the_slips(function, words):
    verdict = rt.check.posterior_function(function)
    assert verdict.right is False
    assert words in repr(verdict)


def test_posterior_function_untouched():
    assert rt.check.posterior_function(lambda *arguments: ...).right is None


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (0.75, "plain mean"),
        (0.79, "swapped"),
        (0.08, "only the part with a"),
        (0.63, "only the part without"),
        (0.213, "Given the smoking"),
        (0.24, "everyone smokes"),
        (71, "not per cent"),
    ],
)
def test_smoker_risk_names_the_slips(answer, words):
    assert rt.check.smoker_risk(lung_cancer().query("LungCancer", {"Smoker": "yes"})["yes"])
    verdict = rt.check.smoker_risk(answer)
    assert verdict.right is False
    assert words in repr(verdict)


def test_m_study_measures_itself():
    data, study = rt.load("breast-cancer"), {}
    for m in M_VALUES:
        model = rt.NaiveBayes(smoothing="m", m=m)
        study[m] = rt.cross_validate(model, data, k=5, measures=("auc",))["auc"].mean()
    verdict = rt.check.m_study(study)
    assert verdict
    assert f"m = {max(study, key=study.get):g}" in repr(verdict)
    wrong = rt.check.m_study({**study, 20: study[20] + 0.05})
    assert wrong.right is False
    assert "m = 20 should give" in repr(wrong)
    assert "keys" in repr(rt.check.m_study({0.5: 0.7}))
    assert "between 0 and 1" in repr(rt.check.m_study(dict.fromkeys(M_VALUES, 70)))


# the explorer


def test_smoothing_follows_every_control(payers):
    explorer = rt.explore.smoothing(payers, "Status", CASE)
    seen = {(bytes(explorer.image.value), explorer.words.value)}
    for name, value in [
        ("value", "Single"),
        ("smoothing", "m"),
        ("m", 20.0),
        ("smoothing", "none"),
        ("attribute", "Income"),
    ]:
        explorer.controls[name].value = value
        seen.add((bytes(explorer.image.value), explorer.words.value))
    assert len(seen) == 6
    assert not explorer.controls["m"].continuous_update
    assert explorer.controls["m"].disabled
    assert explorer.controls["value"].value == "in (76, 92]"


def test_smoothing_agrees_with_the_model(payers):
    explorer = rt.explore.smoothing(payers, "Status", CASE, smoothing="m")
    for m in (0.5, 3, 50):
        model = rt.NaiveBayes(smoothing="m", m=m).fit(payers.X, payers.y)
        for status in ("Single", "Married", "Divorced"):
            right = model.predict_proba(pd.DataFrame([{**CASE, "Status": status}]))[0]
            assert np.allclose(explorer.posterior("Status", status, "m", m), right)
    explorer.controls["m"].value = 3
    assert "(0 + 1) / (3 + 3)" in explorer.words.value
    assert "Yes 0.167 (share 0.000)" in explorer.picture.alt


def test_smoothing_m_zero_is_plain_and_huge_m_is_the_prior(payers):
    explorer = rt.explore.smoothing(payers, "Status", 1)
    plain = explorer.posterior("Status", "Single", "none")
    assert np.allclose(explorer.posterior("Status", "Single", "m", 0), plain)
    assert np.allclose(explorer.posterior("Status", "Single", "m", 1e9), [0.7, 0.3])


@pytest.mark.parametrize("name", ["glass", "soybean", "vote", "labor", "weather.nominal"])
def test_smoothing_draws_every_attribute(name):
    explorer = rt.explore.smoothing(rt.load(name))
    for attribute in explorer.controls["attribute"].options[:4]:
        values = explorer.values[attribute]
        assert explorer.settings_with(attribute=attribute)["value"] in values
        for value in (values[0], values[-1]):
            picture, _ = explorer.draw(attribute, value, "laplace", 3)
            assert f"P({attribute} | class): {value}: " in picture.alt
    assert_readable(picture, all_text(picture))


def test_smoothing_multiples_and_speed(payers):
    explorer = rt.explore.smoothing(payers, "Status", CASE, smoothing="m")
    before = explorer.settings, bytes(explorer.image.value)
    tiles = explorer.multiples("m", [0, 30])
    assert (explorer.settings, bytes(explorer.image.value)) == before
    assert all(f"m = {m}: " in tiles.alt for m in (0, 30))
    assert "attribute = Income" in explorer.multiples("attribute", ["Income"]).alt
    start = time.process_time()
    explorer.redraw()
    assert time.process_time() - start < 0.8, "0.1 s on an idle machine"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"attribute": "nonsense"}, "Refund"),
        ({"case": 10}, "rows 0 to 9"),
        ({"case": {"Refund": "No"}}, "lacks 'Status'"),
        ({"smoothing": "much"}, "laplace"),
    ],
)
def test_smoothing_names_what_is_wrong(payers, wrong, words):
    with pytest.raises(ValueError, match=words):
        rt.explore.smoothing(payers, **wrong)
