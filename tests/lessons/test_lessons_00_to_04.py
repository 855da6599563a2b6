"""Lessons 00 to 04: their explorers and pictures, and what their sentences say of the data."""

import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from claim_methods import with_copies
from lesson_cells import cell_of

import ranktrees as rt
from ranktrees_engine.bayes import lung_cancer
from ranktrees_engine.criteria.split import cut_tables
from ranktrees_lab import plot
from ranktrees_lab.plot.growth import error_rate

TABLE = np.array([[5, 2], [1, 4]])  # the example of lesson 01
AT_15 = np.array([[342, 89], [358, 211]])  # credit-g, duration <= 15.5, good and bad
CUTS = {"criterion": "gini", "split": "binary", "numeric": "thresholds"}
CREDIT, PAYERS = rt.load("credit-g"), rt.load("tax-payers")
CASE = {"Refund": "No", "Status": "Married", "Income": 92.0}


def test_moving_a_case_moves_the_auc():
    classes, scores = np.array(["bad"] * 3 + ["good"] * 2), np.array([5, 4, 2, 4, 3])
    explorer = rt.explore.pairs(classes, scores, "bad")
    assert "3 are ranked right and 1 tied" in explorer.picture.alt
    explorer.controls["case"].value = "case 3, bad"
    assert explorer.controls["score"].value == 2
    explorer.controls["score"].value = 3
    assert "3 are ranked right and 2 tied" in explorer.picture.alt
    assert ">0.667</td>" in explorer.words.value, "(3 + 2/2) / 6"
    score = rt.explore.pairs(classes, scores / 10, "bad").controls["score"]
    assert (score.min, score.max, score.step) == (0, 1, 0.05)
    eleven = np.array(["bad"] * 5 + ["good"] * 6)
    grid = rt.explore.pairs(eleven, np.array([6, 10, 8, 4, 2, 7, 6, 5, 3, 1, 0]), "bad")
    assert "21 are ranked right and 1 tied" in grid.picture.alt
    aucs = [grid.auc_of("case 2, bad", 0), *(grid.auc_of("case 1, bad", s) for s in (7, 9, 10))]
    assert np.allclose(30 * np.array(aucs), [16, 22.5, 23, 23])


def test_the_gain_is_the_height_from_chord_to_curve_and_the_error_rate_may_have_none():
    ax = plot.lens(TABLE, "gini").axes[0]
    (low, high), (left, right) = ax.lines[3].get_ydata(), ax.lines[2].get_xdata()
    assert (left, right, high) == (5 / 7, 1 / 5, 0.5)
    assert high - low == pytest.approx(rt.criteria.gini_gain(TABLE))
    assert "a gain of 0.000." in plot.lens(AT_15, "error rate").alt
    assert "a gain of 0.013." in plot.lens(AT_15, "gini").alt
    assert error_rate([[3, 1], [2, 2], [0, 0]]).tolist() == [0.25, 0.5, 1]


def test_gini_and_information_gain_cut_duration_elsewhere_and_score_alike():
    values, code = np.unique(CREDIT.X["duration"], return_inverse=True)
    tables = cut_tables(rt.tally((len(values), 2), code, CREDIT.y.codes))
    best = {name: int(rt.CRITERIA[name](tables).argmax()) for name in rt.CRITERIA}
    assert values[best["information_gain"]] == 15
    assert values[best["gini"]] < 34.5 < values[best["gini"] + 1]
    assert (tables[best["information_gain"]] == AT_15).all()
    for name in ("gini", "information_gain"):
        here, there = (rt.CRITERIA[name](tables[best[n]]) for n in ("gini", "information_gain"))
        assert abs(here - there) < 0.1 * max(here, there)
    assert tables[best["gain_ratio"]].sum(axis=1).min() < 10, "cuts off a handful of cases"


def test_criteria_that_are_multiples_of_each_other_and_those_that_grow_with_the_cases():
    tables = np.random.default_rng(2).integers(1, 30, size=(1000, 2, 2))
    scored = {name: criterion(tables) for name, criterion in rt.CRITERIA.items()}
    assert np.allclose(scored["gini"], 2 * scored["twoing"])
    assert np.allclose(scored["auc"], scored["kolmogorov_smirnov"] / 2)
    grow = {c for c, f in rt.CRITERIA.items() if not np.isclose(f(TABLE), f(10 * TABLE))}
    assert grow == {"chi_squared", "likelihood_ratio", "hypergeometric"}


def test_on_breast_cancer_a_fresh_batch_differs_most():
    trees = {c: rt.DecisionTree(c, "binary") for c in ("gain_ratio", "kolmogorov_smirnov")}
    means = rt.repeated(trees, rt.load("breast-cancer"), seed=201).table.mean()
    assert round(np.ptp(means), 3) == 0.035


@pytest.mark.filterwarnings("ignore:.*client")
def test_a_tree_that_may_use_the_clients_number_asks_for_nothing_else():
    bank = rt.sealed.data()
    for criterion in ("gini", "information_gain", "gain_ratio"):
        model = rt.DecisionTree(criterion, "binary").fit(bank.X, bank.y)
        assert model.tree_.complexity()["attributes"] == 1
        assert len(np.unique(model.predict_proba(bank.clients), axis=0)) == 1


def test_the_eight_criteria_to_look_up_have_the_packages_values():
    found = re.findall(r"(?m)^\| .+? \|.*= (\.\d+|\d\.\d+)\$ \|$", cell_of("01", "e03299cf"))
    names = ["dkm", "distance", "likelihood_ratio", "hypergeometric", "twoing", "orthogonal"]
    names += ["kolmogorov_smirnov", "auc"]
    values = [rt.CRITERIA[name](TABLE) for name in names]
    assert np.allclose(np.array(found, float), values, rtol=0, atol=5e-4)


def test_the_last_step_is_the_model_s_tree():
    model = rt.DecisionTree(**CUTS).fit(PAYERS.X, PAYERS.y)
    text = plot.growing(model, PAYERS, case=7).alt
    for node in model.tree_.nodes():
        assert not node.is_leaf or f"{node.path}: {node.summary}" in text
    assert text.endswith("Case 7 goes to leaf D.")
    texts = plot.growing(model, PAYERS, 2, 6).axes[0].texts
    bold = {text.get_text() for text in texts if text.get_fontweight() == "bold"}
    assert {"6", "Yes", "Divorced", "220", "No", "B"} <= bold, "the marked row is the case"


def test_bins_are_cut_where_the_picture_says():
    text = plot.bins(CREDIT, "duration", 4).alt
    x = CREDIT.X["duration"].to_numpy(float)
    for method, cuts_of in rt.bins.DISCRETIZERS.items():
        assert f"{method} cuts at {cuts_of(x, 4, CREDIT.y.codes)[0]:.4g}" in text
    assert "entropy-mdl cuts at 15.5, with 431 and 569 cases" in text
    assert "entropy-mdl cuts at nowhere" in plot.bins(CREDIT, "age").alt


def test_mdl_by_hand_cuts_duration_once():
    bits = [rt.criteria.entropy(n) for n in ([700, 300], *AT_15)]
    whole, first, second = bits
    assert np.round(bits, 3).tolist() == [0.881, 0.735, 0.951]
    assert np.round([np.log2(999), np.log2(7)], 3).tolist() == [9.964, 2.807]
    price = (np.log2(999) + np.log2(7) - 2 * whole + 2 * first + 2 * second) / 1000
    gain = whole - 0.431 * first - 0.569 * second
    assert (round(gain, 4), round(price, 4)) == (0.0233, 0.0144)


@pytest.mark.parametrize("first", [0, pytest.param(100, marks=pytest.mark.long)])
def test_trees_of_nine_tenths_share_the_root_and_little_else(first):
    grown, bad = set(), []
    model = rt.DecisionTree(**CUTS, max_depth=4)
    for seed in range(first, first + 20):
        kept = np.random.default_rng(seed).random(len(CREDIT)) < 0.9
        tree = model.fit(CREDIT.X[kept], CREDIT.y[kept]).tree_
        assert tree.root.name == "checking_status"
        grown.add(tuple(node.name for node in tree.nodes() if not node.is_leaf))
        bad.append(model.predict(CREDIT.X) == "bad")
    assert len(grown) == 20
    assert 0.05 < np.mean([(a != b).mean() for a, b in combinations(bad, 2)]) < 0.15


def test_the_explorer_agrees_with_the_model_and_much_smoothing_leads_back_to_the_prior():
    explorer = rt.explore.smoothing(PAYERS, "Status", CASE, smoothing="m")
    for m in (0.5, 50):
        model = rt.NaiveBayes(smoothing="m", m=m).fit(PAYERS.X, PAYERS.y)
        for status in ("Single", "Married", "Divorced"):
            right = model.predict_proba(pd.DataFrame([{**CASE, "Status": status}]))[0]
            assert np.allclose(explorer.posterior("Status", status, "m", m), right)
    explorer.controls["m"].value = 3
    assert "(0 + 1) / (3 + 3)" in explorer.words.value
    assert "Yes 0.167 (share 0.000)" in explorer.picture.alt
    cheats = [explorer.posterior("Status", "Married", "m", m)[1] for m in (0, 1, 6, 50)]
    assert np.round(cheats, 3).tolist() == [0.3, 0.812, 0.615, 0.368]


def test_one_vote_separates_the_parties_far_better_than_the_others():
    vote, aucs = rt.load("vote"), {}
    for name in vote.X:
        one = vote.X[[name]]
        aucs[name] = rt.auc(vote.y, rt.NaiveBayes().fit(one, vote.y).predict_proba(one)[:, 1])
    second, best = sorted(aucs, key=aucs.get)[-2:]
    assert best == "physician-fee-freeze"
    assert aucs[best] - aucs[second] > 0.05


def test_one_attribute_ten_times():
    def mean(X, measure="auc", n=20):
        data = rt.Dataset(X, CREDIT.y)
        return rt.repeated({"it": rt.NaiveBayes()}, data, measure=measure, n=n).table["it"].mean()

    raised = mean(with_copies(CREDIT.X, "checking_status"), "brier") / mean(CREDIT.X, "brier")
    assert 1.75 < raised < 2, "nearly double"
    names, usual = ("checking_status", "residence_since", "duration", "purpose"), mean(CREDIT.X)
    loss = [usual - mean(with_copies(CREDIT.X, name)) for name in names]
    assert np.round(loss[:2], 2).tolist() == [0.01, 0.04]
    assert min(loss[2:]) > 0.07
    alone = {name: mean(CREDIT.X[[name]], n=5) for name in CREDIT.X}
    assert max(alone, key=alone.get) == "checking_status"
    assert 0.47 < alone["residence_since"] < 0.51


def test_smoking_explains_the_cancer_away():
    cancer, smoker = {"LungCancer": "yes"}, {"Smoker": "yes"}
    known = {}, smoker, cancer, cancer | smoker
    found = [lung_cancer().query("FamilyHistory", one)["yes"] for one in known]
    assert np.allclose(found, [0.1, 0.1, 0.19, 0.113], atol=0.0005)
    assert lung_cancer().query("LungCancer", {"Dyspnea": "yes"})["yes"].round(2) == 0.7


def test_the_strongest_links_of_the_votes_are_foreign_policy():
    vote = rt.load("vote")
    frame = vote.X.assign(party=vote.y)
    table = rt.bayes.conditional_mutual_information(frame, "party")
    el_salvador = table["el-salvador-aid"].drop("el-salvador-aid")
    assert {*el_salvador.nlargest(2).index} == {"aid-to-nicaraguan-contras", "mx-missile"}
    assert np.isclose(el_salvador.max(), np.triu(table, k=1).max())
    tree = rt.bayes.tan_structure(frame, "party")
    picture = rt.plot.belief_network(tree, apart="party")
    assert "17 nodes and 31 arrows: 16 depend on party" in picture.alt
