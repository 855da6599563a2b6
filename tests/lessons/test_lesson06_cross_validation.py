"""Lesson 06: its checks, its explorer and pictures, what it develops in view and what it says."""

import warnings

import numpy as np
import pandas as pd
import pytest
from lesson_cells import worked_through
from scipy import stats

import ranktrees as rt
from ranktrees.evaluate import auc
from ranktrees_lab import plot
from ranktrees_lab.explore.evaluation import SCHEMES
from ranktrees_lab.sealed.bank import BOARD, RANKED, bank, draw


@pytest.fixture(scope="module")
def labor():
    return rt.load("labor")


@pytest.fixture(scope="module")
def developed():
    """What the lesson's code leaves behind, all cells run in order but those to be filled in."""
    with warnings.catch_warnings():
        return worked_through("06")


# checks


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


# the explorer


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_scheme_tests_what_it_trains_on(labor, scheme):
    splits = SCHEMES[scheme](labor.y, 4, 2)
    assert all(not np.isin(test, train).any() for train, test in splits)
    tested = np.bincount(np.concatenate([test for _, test in splits]), minlength=57)
    if scheme in ("k-fold", "stratified", "leave-one-out"):
        assert (tested == 1).all()
    assert SCHEMES[scheme](labor.y, 4, 2)[0][1].tolist() == splits[0][1].tolist()


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
def test_the_test_by_hand_is_the_packages(developed, seed):
    d = np.random.default_rng(seed).normal(0.3, 1, 9).tolist()
    for ratio in (0, 1 / 9, 1 / 4):
        right = rt.corrected_t(d, np.zeros(9), ratio)
        assert developed["t_test"](d, ratio) == pytest.approx((right.statistic, right.p))


def test_five_sets_can_never_reach_the_level():
    assert rt.wilcoxon([1, 2, 3, 4, 5], np.zeros(5)).p == 2 / 32


# claims of the text


@pytest.mark.long
def test_strata_do_not_calm_the_mean_of_the_labour_contracts(labor):
    folds = rt.explore.folds(labor, rt.C44())
    for scheme in ("k-fold", "stratified"):
        means = [np.nanmean(folds.measured(scheme, 5, s).values) for s in range(1000, 1200)]
        assert np.std(means, ddof=1) == pytest.approx(0.048, abs=0.0005)


def halfway(x, y, new):
    """The lesson's learner on each column."""
    return new > (x[y].mean(axis=0) + x[~y].mean(axis=0)) / 2


def nearest(x, y, new):
    """The class of the nearest case, for each column."""
    return y[abs(new[:, None] - x[None]).argmin(axis=1)]


def one_cut(x, y, new):
    """The cut with the best Gini gain, for each column."""
    calls = []
    for column, fresh in zip(x.T, new.T, strict=True):
        order = column.argsort()
        left, n = y[order].cumsum()[:-1], np.arange(1, len(y))
        right, m = y.sum() - left, len(y) - n
        k = (left * (n - left) / n + right * (m - right) / m).argmin()
        below, above = left[k] > n[k] / 2, right[k] > m[k] / 2
        calls.append(np.where(fresh <= column[order[k : k + 2]].mean(), below, above))
    return np.transpose(calls)


def false_alarms(learner, pairs, seed):
    """Per cent of pairs of equals that (plain, corrected) t calls different, by runs 1 and 10."""
    rng, y, p = np.random.default_rng(seed), np.arange(200) % 2 == 1, []
    for _ in range(pairs):
        x, d = rng.normal(0.5 * y[:, None], 1, (200, 2)), []
        for _ in range(10):
            fold = rng.permutation(200) % 10
            for f in range(10):
                train = fold != f
                right = learner(x[train], y[train], x[~train]) == y[~train, None]
                d.append(right[:, 0].mean() - right[:, 1].mean())
        few, zero = np.array(d[:10]), np.zeros(100)
        p.append([rt.corrected_t(v, zero[: len(v)], q).p for v in (few, d) for q in (0, 1 / 9)])
    return 100 * np.mean(np.array(p) < 0.05, axis=0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("learner", "said"),
    [(halfway, [7, 1, 57, 4]), (nearest, [11, 3, 62, 11]), (one_cut, [17, 5, 70, 14])],
)
@pytest.mark.parametrize("seed", [31, 32])
def test_false_alarms_of_equals_are_those_of_the_table(learner, said, seed):
    found = false_alarms(learner, 300, seed)
    share = np.array(said) / 100
    assert (abs(found / 100 - share) < 3.5 * np.sqrt(share * (1 - share) / 300)).all(), found


def test_the_formulas_predict_the_false_alarms_of_ten_runs():
    larger = np.sqrt((1 / 100 + 1 / 9) / (1 / 100))
    assert larger == pytest.approx(3.5, abs=0.05)
    assert 200 * stats.norm.sf(1.96 / larger) == pytest.approx(57, abs=0.5)
    assert pytest.approx(0.26, abs=0.005) == 1 - 0.95**6


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:.*has only one value")
def test_with_other_folds_holm_keeps_fewer(developed):
    found = []
    for seed in range(101, 141):
        p = []
        for name in developed["tests"].index:
            both = [
                rt.cross_validate(model, rt.load(name), seed=seed, measures="auc")["auc"]
                for model in developed["models"]
            ]
            p.append([rt.corrected_t(*both, ratio).p for ratio in (0, 1 / 9)])
        plain, corrected = np.transpose(p)
        found.append([(each < 0.05).sum() for each in (plain, corrected, rt.holm(corrected))])
    assert np.mean(found, axis=0) == pytest.approx([3.8, 3.3, 2.4], abs=0.051)


def test_the_best_of_forty_random_submissions(developed):
    assert developed["best"][[0, 39]] == pytest.approx([0.5, 0.55], abs=0.0051)


# the bank


def three_students(seed):
    """AUC (3, 2) on board and sealed clients: known columns, tuned by forty, all columns."""
    shown, (_, outcome, chance) = bank(str(seed)), draw(str(seed))
    outcome = outcome[-RANKED:]

    def scores(X):
        return rt.PathForest().fit(X, shown.y).predict_proba(shown.clients[list(X)])[:, 1]

    def both(score):
        parts = slice(BOARD), slice(BOARD, None)
        return [auc(outcome[part], score[part], True) for part in parts]

    columns = shown.X.drop(columns="client")
    ada, cem = scores(columns.drop(columns="call_minutes")), scores(columns)
    changes = np.random.default_rng(1).normal(0, 0.05, (38, RANKED))
    board = np.array([both(ada + change)[0] for change in changes])
    liked = ((board - board.mean())[:, None] * changes).sum(axis=0)
    ben = ada + 0.05 * liked / liked.std()
    best = auc(outcome[:BOARD], chance[-RANKED:][:BOARD], True)
    return np.array([both(ada), both(ben), both(cem), [best, np.nan]])


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:.*(no value at all|never seen|has the value)")
def test_the_three_students_and_who_falls_most():
    said = np.mean([three_students(seed) for seed in range(1, 6)], axis=0)
    assert said[:, 0] == pytest.approx([0.834, 0.855, 0.906, 0.880], abs=0.0006)
    for seeds in (range(1, 6), range(6, 16)):
        found = np.mean([three_students(seed) for seed in seeds], axis=0)
        ada, ben, cem, _ = found[:, 0] - found[:, 1]
        assert cem > 2 * ben > 2 * ada
        assert found[2, 0] > found[3, 0] > found[1, 0]


def test_a_full_tree_buys_the_632_estimate_by_learning_by_heart():
    data = rt.load("diabetes")
    shuffled = data.y[np.random.default_rng(1).permutation(len(data))]
    found = rt.bootstrap_632(rt.DecisionTree(numeric="thresholds"), data.X, shuffled, runs=5)
    larger = data.y.value_counts().max() / len(data)
    assert found.apparent == 1
    assert found.estimate > larger > found.out_of_bag
