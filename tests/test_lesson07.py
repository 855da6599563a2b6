"""Lesson 07: its checks, explorers and pictures."""

import numpy as np
import pandas as pd
import pytest
from test_plot import all_text, assert_readable

import ranktrees as rt
from ranktrees import plot
from ranktrees.evaluate import UndefinedMeasure, auc, best_threshold, roc_curve
from ranktrees.teach.check.ranking import CHANCE, HITS, LEAVES, RANKED, expected_best
from ranktrees.teach.explore.evaluation import SCHEMES
from ranktrees.teach.plot.operating import Operating


@pytest.fixture(scope="module")
def labor():
    return rt.load("labor")


@pytest.fixture
def ranked():
    """60 cases of two classes, with tied scores."""
    rng = np.random.default_rng(4)
    y = np.where(rng.random(60) < 0.4, "bad", "good")
    return y, np.round(rng.random(60) * 0.6 + 0.3 * (y == "bad"), 1)


# checks


def test_rank_auc_names_the_slips():
    assert rt.check.rank_auc(auc(HITS, RANKED))
    assert "n for the negatives" in repr(rt.check.rank_auc((11.5 - 3) / 6))
    assert "from the top" in repr(rt.check.rank_auc(1 - auc(HITS, RANKED)))
    assert "take away" in repr(rt.check.rank_auc(11.5 / 6))
    for broken_tie in (1.0, 5 / 6):
        assert "share rank 2.5" in repr(rt.check.rank_auc(broken_tie))
    assert "not per cent" in repr(rt.check.rank_auc(91.7))
    assert rt.check.rank_auc(0.3).right is False


def test_corners_agrees_with_the_curve_and_names_the_slips():
    y = np.repeat(["no", "yes"] * len(LEAVES), 1)
    score = np.repeat((LEAVES[:, 0] + 1) / (LEAVES.sum(axis=1) + 2), 2)
    assert rt.check.corners(len(roc_curve(y, score)[0]))
    assert "left out (0, 0)" in repr(rt.check.corners(5))
    assert "count it once" in repr(rt.check.corners(7))
    assert "crisp tree" in repr(rt.check.corners(3))
    assert "distinct shares" in repr(rt.check.corners(4))
    assert rt.check.corners(9).right is False


def test_area_under_knows_the_wrong_ends_of_a_step():
    assert rt.check.area_under(lambda x, y: np.trapezoid(y, x))
    assert "right end" in repr(rt.check.area_under(lambda x, y: (np.diff(x) * y[1:]).sum()))
    assert "left end" in repr(rt.check.area_under(lambda x, y: (np.diff(x) * y[:-1]).sum()))
    assert "above the curve" in repr(rt.check.area_under(lambda x, y: np.trapezoid(x, y)))
    assert "its AUC is" in repr(rt.check.area_under(lambda x, y: 0.5))
    assert "twice the area" in repr(rt.check.area_under(lambda x, y: 2 * np.trapezoid(y, x)))
    assert "sum the trapezia" in repr(rt.check.area_under(lambda x, y: np.diff(x) * y[1:]))
    assert rt.check.area_under(lambda x, y: ...).right is None


def test_best_of_chance_is_what_a_simulation_finds():
    draws = np.random.default_rng(2).random((200, 100, 100))
    ranks = draws.argsort(axis=2).argsort(axis=2) + 1
    found = (ranks[:, :, :50].sum(axis=2) - 50 * 51 / 2) / 2500
    study = {m: found[:, :m].max(axis=1).mean() for m in CHANCE}
    assert rt.check.best_of_chance(study)
    assert rt.check.best_of_chance(pd.Series(study))
    assert rt.check.best_of_chance({str(m): value for m, value in study.items()})
    assert "lies between" in repr(rt.check.best_of_chance({m: 100 * study[m] for m in CHANCE}))
    assert "give one number" in repr(rt.check.best_of_chance({m: [0.5, 0.6] for m in CHANCE}))
    assert "keys 1, 10, 100" in repr(rt.check.best_of_chance(list(study.values())))
    assert "its mean" not in repr(rt.check.best_of_chance(study))
    assert "is their mean" in repr(rt.check.best_of_chance(dict.fromkeys(CHANCE, 0.5)))
    worst = {m: 1 - value for m, value in study.items()}
    assert "the worst" in repr(rt.check.best_of_chance(worst))
    assert "keys 1, 10, 100" in repr(rt.check.best_of_chance({1: 0.5}))
    assert "far from" in repr(rt.check.best_of_chance({**study, 100: 0.9}))
    assert expected_best()[100] > expected_best()[10] > 0.55


# pictures


def test_pairs_shades_the_auc():
    y, score = list("++-+-+--"), [0.9, 0.8, 0.7, 0.6, 0.6, 0.4, 0.3, 0.1]
    fig = plot.pairs(y, score, "+")
    x, height = fig.axes[0].lines[-1].get_data()
    assert np.trapezoid(height, x) / 16 == auc(y, score, "+") == 12.5 / 16
    assert "12 are ranked right and 1 tied" in fig.alt
    assert fig.axes[0].get_ylim() == (0, 4)


def test_pairs_refuses_more_than_can_be_read(ranked):
    with pytest.raises(ValueError, match="at most 12 cases of each class"):
        plot.pairs(*ranked)


@pytest.mark.parametrize("miss", [0.1, 1, 5, 50])
def test_operating_finds_the_threshold_of_least_cost(ranked, miss):
    y, score = ranked
    hits = y == "bad"
    points = Operating.of(hits, score, 0.5, miss, hits.mean())
    best = best_threshold(y, score, [[0, miss], [1, 0]], pos_label="bad")
    assert points.cost.min() == pytest.approx(best.cost)
    assert points.threshold[points.best] == best.threshold
    called = score >= 0.5
    assert points.tpr[points.here] == called[hits].mean()
    assert points.fpr[points.here] == called[~hits].mean()


def test_operating_counts_and_prices_the_decisions(ranked):
    y, score = ranked
    fig = plot.operating(y, score, threshold=0.5, miss=3, positive="bad")
    called = np.where(score >= 0.5, "bad", "good")
    table = rt.confusion_matrix(y, called)
    shown = [t.get_text() for t in fig.axes[1].texts]
    for count in table.to_numpy().ravel():
        assert str(count) in shown
    cost = rt.expected_cost(table, [[0, 3], [1, 0]])
    assert f"a case costs {cost:.3f}" in fig.alt


def test_operating_names_its_threshold_and_the_extremes(ranked):
    y, score = ranked
    dear = plot.operating(y, 1 - score, threshold=0.3, miss=1000, share=0.9, positive="bad")
    assert dear.alt.endswith("calling everybody.")
    assert any(text.startswith("from 0.3 on a case costs") for text, _, _ in all_text(dear))
    cheap = plot.operating(y, 1 - score, miss=0.001, share=0.1, positive="bad")
    assert cheap.alt.endswith("calling nobody.")


def test_lines_of_equal_cost_have_equal_cost(ranked):
    y, score = ranked
    points = Operating.of(y == "bad", score, 0.5, 4, 0.25)
    x, height = points.fpr[points.here], points.tpr[points.here]
    there = x + 0.1, height + 0.1 * points.slope
    assert 0.25 * 4 * (1 - there[1]) + 0.75 * there[0] == pytest.approx(points.cost[points.here])


def test_operating_refuses_what_is_no_share(ranked):
    with pytest.raises(ValueError, match="share must lie between 0 and 1"):
        plot.operating(*ranked, share=30)
    with pytest.raises(ValueError, match="miss"):
        plot.operating(*ranked, miss=-1)


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


# explorers


def test_every_control_of_roc_changes_picture_and_words(ranked):
    explorer = rt.explore.roc(*ranked, positive="bad")
    assert explorer.controls["share"].value == round(100 * (ranked[0] == "bad").mean())
    seen = {(bytes(explorer.image.value), explorer.words.value)}
    for name, value in [("threshold", 0.2), ("miss", 10), ("share", 5)]:
        explorer.controls[name].value = value
        seen.add((bytes(explorer.image.value), explorer.words.value))
    assert len(seen) == 4
    assert not explorer.controls["threshold"].continuous_update
    points = explorer.points(0.2, 10, 5)
    assert f"{points.cost[points.here]:.3f}</td>" in explorer.words.value


def test_roc_takes_scores_that_are_no_probabilities(ranked):
    explorer = rt.explore.roc(ranked[0], 100 * ranked[1] - 50, "bad")
    slider = explorer.controls["threshold"]
    for end in (slider.min, slider.max):
        slider.value = end
        at = explorer.points(*explorer.settings.values()).here
        assert at == (0 if end == slider.max else len(np.unique(ranked[1])))
    constant = rt.explore.roc(["a", "b"], [3.0, 3.0])
    assert "threshold" in constant.picture.alt


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


# claims of the lesson that rest on the package


def test_the_share_of_the_others_ranks_everything_wrong_when_pooled(labor):
    bad = np.asarray(labor.y == "bad")
    assert auc(bad, (bad.sum() - bad) / (len(bad) - 1), True) == 0.0


def test_perfect_scores_are_not_perfect_in_the_convention_of_2006():
    y = np.repeat(np.arange(3), [4, 4, 0])
    perfect = np.eye(3)[y]
    assert rt.hand_till(y, perfect, range(3), "wang2006") == pytest.approx((1 + 2 / 2) / 3)
    assert rt.hand_till(y, perfect, range(3)) == 1
    with pytest.raises(UndefinedMeasure):
        rt.hand_till(y[:4], perfect[:4], range(3))
