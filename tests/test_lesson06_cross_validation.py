"""Lesson 06: its checks, its explorer and pictures, what it develops in view and what it says."""

import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from lesson_cells import worked_through
from scipy import stats
from test_plot import all_text, assert_readable

import ranktrees as rt
from ranktrees.evaluate import auc
from ranktrees_lab import plot
from ranktrees_lab.check.ranking import CHANCE, expected_best
from ranktrees_lab.explore.evaluation import SCHEMES


@pytest.fixture(scope="module")
def labor():
    return rt.load("labor")


@pytest.fixture(scope="module")
def developed():
    """What the lesson's code leaves behind, all cells run in order but those to be filled in."""
    with warnings.catch_warnings():
        return worked_through("06")


# checks


@pytest.mark.parametrize(
    ("check", "right", "slips"),
    [
        (
            "pooled_share",
            0,
            {
                0.5: "not all equal",
                1: "which way round",
                0.351: "the share of bad cases",
                0.3: "Hint",
            },
        ),
        (
            "corrected_limit",
            0.04 / (0.001 / 4) ** 0.5,
            {
                np.inf: "plain t",
                1.89: "let J grow",
                2.83: "plain t of one run",
                3.79: "belongs to ten folds",
                1.26: "stays under the root",
                160: "Take the root",
                7: "Hint",
            },
        ),
        (
            "sets_needed",
            35,
            {34.37: "round up", 34: "still a little above", 6: "square both sides", 40: "Hint"},
        ),
    ],
)
def test_the_checks_name_the_slips(check, right, slips):
    check = getattr(rt.check, check)
    assert check(right)
    check(-5)  # the first wrong try gets no hint
    for wrong, words in slips.items():
        verdict = check(wrong)
        assert verdict.right is False
        assert words in repr(verdict)


def test_the_checks_hold_what_they_say(labor):
    bad = np.asarray(labor.y == "bad")
    assert auc(bad, (bad.sum() - bad) / (len(bad) - 1), True) == 0.0
    five, zero = np.array([0.04, 0.00, 0.06, 0.02, 0.08]), np.zeros(5)
    assert rt.corrected_t(five, zero, 1 / 4).statistic == pytest.approx(1.886, abs=0.001)
    often = np.tile(five, 4000)
    grown = rt.corrected_t(often, 0 * often, 1 / 4).statistic / np.sqrt(0.001 / often.var(ddof=1))
    assert grown == pytest.approx(0.04 / np.sqrt(0.001 / 4), abs=0.001)
    assert rt.critical_difference(4, 35) < 0.8 < rt.critical_difference(4, 34)


def test_best_of_chance_is_what_a_simulation_finds():
    draws = np.random.default_rng(2).random((200, 100, 100))
    ranks = draws.argsort(axis=2).argsort(axis=2) + 1
    found = (ranks[:, :, :50].sum(axis=2) - 50 * 51 / 2) / 2500
    study = {m: found[:, :m].max(axis=1).mean() for m in CHANCE}
    assert rt.check.best_of_chance(study)
    assert rt.check.best_of_chance(pd.Series(study))
    assert rt.check.best_of_chance({str(m): value for m, value in study.items()})
    assert "lies between" in repr(rt.check.best_of_chance({m: 100 * study[m] for m in CHANCE}))
    assert "Give one number" in repr(rt.check.best_of_chance({m: [0.5, 0.6] for m in CHANCE}))
    assert rt.check.best_of_chance(list(study.values()))
    assert "keys 1, 10, 100" in repr(rt.check.best_of_chance([0.5, 0.6]))
    assert "its mean" not in repr(rt.check.best_of_chance(study))
    assert "is their mean" in repr(rt.check.best_of_chance(dict.fromkeys(CHANCE, 0.5)))
    worst = {m: 1 - value for m, value in study.items()}
    assert "the worst" in repr(rt.check.best_of_chance(worst))
    assert "keys 1, 10, 100" in repr(rt.check.best_of_chance({1: 0.5}))
    assert "far from" in repr(rt.check.best_of_chance({**study, 100: 0.9}))
    assert expected_best()[100] > expected_best()[10] > 0.55


# pictures


def test_rounds_paints_test_cases_in_their_classes_colour():
    y = ["b", "a", "b", "a"]
    fig = plot.rounds(y, [(np.array([1, 2, 2]), np.array([0])), (np.array([0, 2]), np.array([3]))])
    image = fig.axes[0].images[0].get_array()
    assert image.shape == (2, 4, 3)
    grey = image[0, :, 0]
    assert (np.ptp(image[0, [0, 1, 3]], axis=-1) == 0).all()
    assert np.ptp(image[0, 2]) > 0  # case 0, the first of class b
    assert grey[3] < grey[0] < grey[1] == 1  # drawn twice, once, never
    assert "a case is tested 0 to 1 times" in fig.alt
    assert "Class a is 0% to 100% of the test cases, 50% of all." in fig.alt


def test_rounds_says_what_is_missing():
    halves = [(np.array([0, 1]), np.array([2, 3])), (np.array([2, 3]), np.array([0, 1]))]
    y = ["b", "a", "b", "a"]
    assert "AUC 0.500, none in 1 round." in plot.rounds(y, halves, [0.5, np.nan], "AUC").alt
    assert "AUC has no value in any round." in plot.rounds(y, halves, [np.nan] * 2, "AUC").alt
    assert "each case is tested once" in plot.rounds(y, halves).alt
    with pytest.raises(ValueError, match="3 values for 2 rounds"):
        plot.rounds(y, halves, [1, 2, 3])
    with pytest.raises(ValueError, match="no round"):
        plot.rounds(y, [])


def test_series_draws_what_it_is_given():
    fig = plot.series([1, 2], {"m": [3, 5]}, "runs", "rate", ("α", 4), {"m": [1, 1]})
    ax = fig.axes[0]
    assert ax.lines[0].get_ydata().tolist() == [3, 5]
    assert ax.collections[0].get_datalim(ax.transData).bounds == (1, 2, 1, 4)
    assert fig.alt == "Rate as runs goes from 1 to 2: m from 3 to 5; to compare: α, 4."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2], {}), "no line"),
        (([1, 2], {"m": [1]}), "'m' has shape"),
        (([1, 2], {"m": [1, np.nan]}), "not a number"),
        (([2, 1], {"m": [1, 2]}), "ascending"),
    ],
)
def test_series_refuses(arguments, message):
    with pytest.raises(ValueError, match=message):
        plot.series(*arguments, "x", "y")


def test_series_refuses_a_spread_without_its_line():
    with pytest.raises(ValueError, match="which is no line"):
        plot.series([1], {"m": [1]}, "x", "y", spreads={"n": [1]})


# the explorer


def test_folds_draws_every_scheme(labor):
    explorer = rt.explore.folds(labor, rt.NaiveBayes())
    seen = set()
    for scheme in SCHEMES:
        picture, words = explorer.draw(scheme, 5, 1)
        seen.add(words)
        assert_readable(picture, all_text(picture))
    assert len(seen) == len(SCHEMES)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_scheme_tests_what_it_trains_on(labor, scheme):
    splits = SCHEMES[scheme](labor.y, 4, 2)
    assert all(not np.isin(test, train).any() for train, test in splits)
    tested = np.bincount(np.concatenate([test for _, test in splits]), minlength=57)
    if scheme in ("k-fold", "stratified", "leave-one-out"):
        assert (tested == 1).all()
    assert SCHEMES[scheme](labor.y, 4, 2)[0][1].tolist() == splits[0][1].tolist()


def test_stratified_folds_have_the_classes_of_all(labor):
    explorer, bad = rt.explore.folds(labor), np.asarray(labor.y == "bad")
    shares = {
        scheme: [bad[test].mean() for _, test in explorer.splits(scheme, 5, 1)]
        for scheme in ("k-fold", "stratified")
    }
    assert np.ptp(shares["stratified"]) < 0.05 < np.ptp(shares["k-fold"])


def test_folds_measures_as_cross_validate_does(labor):
    model = rt.NaiveBayes()
    explorer = rt.explore.folds(labor, model)
    found = explorer.measured("stratified", 5, 3)
    table = rt.cross_validate(model, labor, k=5, seed=3, measures="auc")
    assert found.values.tolist() == table["auc"].tolist()
    one = explorer.measured("leave-one-out", 5, 1)
    assert np.isnan(one.values).all()
    together = rt.cross_validate(model, labor, folds="leave-one-out", measures="auc")["auc"]
    assert one.pooled == together.item()
    assert np.isnan(explorer.measured("bootstrap", 5, 1).pooled)


def test_folds_refuses_many_cases_and_unknown_schemes(labor):
    many = rt.Dataset(pd.DataFrame({"x": np.arange(500.0)}), pd.Categorical(["a", "b"] * 250))
    with pytest.raises(ValueError, match="500 cases are too many"):
        rt.explore.folds(many)
    with pytest.raises(ValueError, match="scheme"):
        rt.explore.folds(labor).splits("thirds", 3, 1)
    with pytest.raises(ValueError, match="measure"):
        rt.explore.folds(labor, measure="acuracy")


# what is developed in view


@pytest.mark.parametrize("seed", range(5))
def test_folds_dealt_by_hand_are_the_packages(developed, seed):
    y = np.repeat([0, 1, 2], [8, 4, 11])
    fold = np.array(developed["deal"](y, 4, seed, True))
    assert fold.tolist() == rt.stratified_folds(pd.Categorical(y), 4, seed).tolist()
    assert all(np.ptp(np.bincount(fold[y == c], minlength=4)) <= 1 for c in range(3))
    plain = np.bincount(developed["deal"](y, 4, seed, False))
    assert np.ptp(plain) <= 1


@pytest.mark.parametrize("seed", range(5))
def test_tests_by_hand_are_the_packages(developed, seed):
    rng = np.random.default_rng(seed)
    d = (rng.normal(0.3, 1, 9)).tolist()
    for ratio in (0, 1 / 9, 1 / 4):
        right = rt.corrected_t(d, np.zeros(9), ratio)
        assert developed["t_test"](d, ratio) == pytest.approx((right.statistic, right.p))
    assert developed["wilcoxon_p"](d) == pytest.approx(rt.wilcoxon(d, np.zeros(9)).p)
    wins = sum(x > 0 for x in d)
    assert developed["sign_p"](d) == pytest.approx(stats.binomtest(wins, 9).pvalue)
    assert developed["sign_p"]([0.0, *d]) == developed["sign_p"](d)


def test_folds_by_hand_are_the_packages(developed, labor):
    fold = developed["deal"](labor.y.codes, 5, 3, stratified=True)
    assert fold == rt.stratified_folds(labor.y, 5, 3).tolist()
    table = rt.cross_validate(rt.C44(), labor, k=5, measures="auc")
    assert developed["by_hand"] == table["auc"].tolist()


def test_ranks_and_critical_difference_by_hand_are_the_packages(developed):
    results = developed["results"]
    assert np.allclose(developed["ranks"], results.ranks("auc"))
    assert abs(developed["cd"] - results.critical_difference("auc")) < 0.001


def test_five_sets_can_never_reach_the_level(developed):
    assert developed["wilcoxon_p"]([1, 2, 3, 4, 5]) == developed["sign_p"]([1] * 5) == 2 / 32


def test_of_equals_neither_is_better_on_average(developed):
    rng = np.random.default_rng(5)
    d = np.array([developed["differences_of_equals"](rng, n=60, runs=1, k=5) for _ in range(300)])
    assert d.shape == (300, 1, 5)
    means = d.mean(axis=(1, 2))
    assert abs(means.mean()) < 3 * means.std() / np.sqrt(300)


def test_columns_are_chosen_by_the_training_cases_alone(developed):
    rng = np.random.default_rng(0)
    X, y = rng.random((40, 50)), np.repeat(["no", "yes"], 20)
    X[20:, 7] += 2
    model = developed["Chooses"]().fit(X[::2], y[::2])
    assert model.best[0] == 7
    assert len(model.best) == 10
    assert model.predict_proba(X[1::2]).shape == (20, 2)


# claims of the text


def test_one_holdout_says_less_than_folds_and_strata_calm_them(developed):
    std = developed["spread"].std()
    assert std["holdout"] > 2 * std["k-fold"] > 2 * std["stratified"]
    assert developed["width"]["holdout"] > 0.3


def test_one_split_of_vote_says_the_opposite_of_another(developed):
    gain = developed["halves"].difference("naive Bayes", "C4.4")
    assert gain[6] == pytest.approx(0.027, abs=0.0005)
    assert (gain < -0.01).any()


def test_of_equals_the_plain_test_finds_one_better_and_the_corrected_one_does_not(developed):
    plain, corrected = developed["alarms"]["plain t"], developed["alarms"]["corrected t"]
    assert plain[0] < 8
    assert min(plain[-1], developed["by_ranks"]) > 50
    assert max(corrected) < 8
    assert developed["ahead"] > 75


def test_holm_and_the_critical_difference_agree_on_ten_sets(developed):
    tested, ranks, table = developed["tested"], developed["ranks"], developed["table"]
    for a, b in combinations(table, 2):
        row = tested.loc[f"{a} against {b}"]
        assert row["Wilcoxon p"] == pytest.approx(rt.wilcoxon(table[a], table[b]).p)
        assert (abs(ranks[a] - ranks[b]) > developed["cd"]) == (row["Holm"] < 0.05)
    by_accuracy = developed["results"].ranks("accuracy").round(2)
    assert (by_accuracy["C4.5"], by_accuracy["C4.4"]) == (2.4, 3.3)
    assert ranks["C4.4"] < ranks["C4.5"]


def test_what_looks_at_the_class_leaks_and_equal_widths_hardly_do(developed):
    leak = developed["leak"]
    assert leak["10 of 500 columns"].min() > 0
    assert leak["MDL bins"].min() > 0
    assert abs(leak["equal width"].mean()) < 0.001


def test_a_full_tree_buys_the_632_estimate_by_learning_by_heart():
    data = rt.load("diabetes")
    shuffled = data.y[np.random.default_rng(1).permutation(len(data))]
    found = rt.bootstrap_632(rt.DecisionTree(numeric="thresholds"), data.X, shuffled, runs=5)
    larger = data.y.value_counts().max() / len(data)
    assert found.apparent == 1
    assert found.estimate > larger > found.out_of_bag


@pytest.mark.filterwarnings("ignore:.*has only one value")
def test_only_the_corrected_test_doubts_on_the_labour_contracts(labor):
    pair = {"naive Bayes": rt.NaiveBayes(), "C4.4": rt.C44()}
    duel = rt.compare(pair, [labor], runs=4, measures=["auc"], progress=False)
    p = {test: duel.pairs("auc", test)["p"].iloc[0] for test in ("paired", "corrected", "wilcoxon")}
    assert p["paired"] < 0.01
    assert p["wilcoxon"] < 0.01
    assert p["corrected"] > 0.1
    assert rt.repeated(pair, labor).wins("naive Bayes", "C4.4") >= 17


@pytest.mark.parametrize(("n", "drawn"), [(10, 0.651), (100, 0.634), (1000, 0.632)])
def test_two_thirds_nearly_are_drawn(n, drawn):
    assert 1 - (1 - 1 / n) ** n == pytest.approx(drawn, abs=0.0005)
    shares = [len(np.unique(rows)) / n for rows, _ in rt.bootstrap(n, runs=200)]
    assert np.mean(shares) == pytest.approx(drawn, abs=0.02)
