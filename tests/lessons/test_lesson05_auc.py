"""Lesson 05: its checks, its explorer and pictures, what it develops in view and what it says."""

from types import SimpleNamespace

import numpy as np
import pytest
from lesson_cells import cells_of, worked_through
from pictures import all_text
from sklearn.metrics import average_precision_score

import ranktrees as rt
from ranktrees.evaluate import auc, best_threshold, roc_curve
from ranktrees_lab import plot
from ranktrees_lab.plot.operating import Operating


@pytest.fixture
def ranked():
    """60 cases of two classes, with tied scores."""
    rng = np.random.default_rng(4)
    y = np.where(rng.random(60) < 0.4, "bad", "good")
    return y, np.round(rng.random(60) * 0.6 + 0.3 * (y == "bad"), 1)


@pytest.fixture(scope="module")
def developed():
    """What the lesson's code leaves behind, all cells run in order but those to be filled in."""
    return worked_through("05")


@pytest.fixture(scope="module")
def credit():
    """credit-g, its 20 halves as in the lesson, and whether a case is bad."""
    data = rt.load("credit-g")
    return data, rt.random_subsampling(data.y, runs=20, test=0.5), np.asarray(data.y == "bad")


# checks


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
    with pytest.raises(ValueError, match="share must be at"):
        plot.operating(*ranked, share=30)
    with pytest.raises(ValueError, match="miss"):
        plot.operating(*ranked, miss=-1)


# the explorer


def test_roc_takes_scores_that_are_no_probabilities(ranked):
    explorer = rt.explore.roc(ranked[0], 100 * ranked[1] - 50, "bad")
    slider = explorer.controls["threshold"]
    for end in (slider.min, slider.max):
        slider.value = end
        at = explorer.points(*explorer.settings.values()).here
        assert at == (0 if end == slider.max else len(np.unique(ranked[1])))
    constant = rt.explore.roc(["a", "b"], [3.0, 3.0])
    assert "threshold" in constant.picture.alt


# what is developed in view


@pytest.mark.parametrize("seed", range(10))
def test_the_curve_by_hand_is_the_packages(developed, seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(["+"] * 7 + ["-"] * 9).tolist()
    score = np.round(rng.random(16), 1).tolist()
    fpr, tpr, _ = roc_curve(y, score, pos_label="+")
    assert developed["roc"](y, score) == list(zip(fpr.tolist(), tpr.tolist(), strict=True))


# claims of the text


def test_prices_and_measures_of_the_slide_by_hand_are_the_packages(developed):
    table, weights = developed["table"], {"accuracy": [[1, 1], [1, 1]]}
    weights |= {"precision": [[1, 0], [1, 0]], "recall": [[1, 1], [0, 0]], "F": [[2, 1], [1, 0]]}
    for name, n in developed["counts"].iterrows():
        matrix = np.reshape([*n[["TP", "FN", "FP", "TN"]]], (2, 2))
        assert table["cost"][name] == rt.total_cost(matrix, [[-1, 100], [1, 0]])
        for measure, weight in weights.items():  # Yang's weighted accuracy holds them all
            assert table[measure][name] == pytest.approx(rt.weighted_accuracy(matrix, weight))
    assert table["cost"].tolist() == [3910, 4255, 4870]
    assert 190 / 295 * (250 * -1 + 45 * 100) + 310 / 205 * 5 < 3910  # M2's rates on M1's cases


def test_the_swapped_symbols_of_2004_are_always_three_fifths_too_low():
    rng = np.random.default_rng(0)
    for _ in range(50):
        s = rng.integers(0, 6, 8)
        total = rt.evaluate.midranks(s)[:3].sum()
        right = auc([1] * 3 + [0] * 5, s, 1)
        assert (total - 3 * 4 / 2) / 15 == pytest.approx(right)
        assert (total - 5 * 6 / 2) / 15 == pytest.approx(right - 0.6)


def test_a_crisp_tree_is_one_point_and_a_tree_with_probabilities_a_curve(credit):
    data, splits, bad = credit
    train, test = splits[0]
    tree = rt.C44().fit(data.X.iloc[train], data.y[train])
    proba = tree.predict_proba(data.X.iloc[test])[:, 0]
    crisp = (tree.predict(data.X.iloc[test]) == "bad").astype(float)
    for score in (proba, crisp):
        assert len(roc_curve(bad[test], score)[0]) == len(np.unique(score)) + 1
    called, hits = crisp > 0, bad[test]
    assert auc(hits, crisp) == pytest.approx((called[hits].mean() + 1 - called[~hits].mean()) / 2)
    assert auc(hits, proba) > auc(hits, crisp)
    wrong = tree.predict_proba(data.X.iloc[test])[:, 1]
    assert auc(hits, wrong) == pytest.approx(1 - auc(hits, proba))
    assert auc(hits, proba**3) == auc(hits, proba)


def test_the_cheapest_point_lies_on_the_hull_and_only_price_times_odds_counts(ranked):
    points = rt.explore.roc(*ranked, positive="bad").points
    found = [points(0.3, miss, 30) for miss in (0.5, 1, 2, 5)]
    corners = set(zip(*rt.convex_hull(found[0].fpr, found[0].tpr), strict=True))
    assert all((p.fpr[p.best], p.tpr[p.best]) in corners for p in found)
    assert points(0.3, 1, 50).best == points(0.3, 99, 1).best


def test_ten_of_eleven_alarms_are_false_though_the_auc_is_nearly_one(developed):
    fraud, precision = developed["fraud"], developed["precision"]
    score = -np.arange(len(fraud))
    assert rt.auc(fraud, score) > 0.994
    assert precision == pytest.approx(1 / 11)
    assert average_precision_score(fraud, score) == pytest.approx(precision.mean())
    n, positive = len(fraud), int(fraud.sum())
    harmonic = (1 / np.arange(1, n + 1)).sum()  # Bestgen 2015: the mean of all random rankings
    by_chance = ((positive - 1) / (n - 1) * (n - harmonic) + harmonic) / n
    assert round(by_chance, 3) == 0.002


def test_with_weights_the_pruned_tree_of_the_challenge_keeps_more_leaves():
    data = rt.load("tic-tac-toe")
    plain, heavy = rt.C45(), rt.C45(class_weight={"negative": 4})
    for train, _ in rt.random_subsampling(data.y, 3, test=0.5):
        X, y = data.X.iloc[train], data.y[train]
        assert 45 < plain.fit(X, y).tree_.n_leaves < 60
        assert 80 < heavy.fit(X, y).tree_.n_leaves < 100


def test_both_intervals_of_an_auc_hold_the_true_one_in_about_95_of_100(developed):
    known = dict(developed)
    code = next("".join(c["source"]) for c in cells_of("05") if c["id"] == "code-50")
    rng, held, true = np.random.default_rng(0), [], 0.76025  # of normals one deviation apart
    known |= {
        "credit": SimpleNamespace(y=np.repeat(["bad", "good"], [60, 140])),
        "test": slice(None),
    }
    for _ in range(400):
        known["proba"] = rng.normal(np.repeat([1.0, 0.0], [60, 140]))
        exec(code.replace("print(", "str("), known)
        errors = np.sqrt([known["delong"], known["hanley"]])
        held.append(abs(known["A"] - true) <= 1.96 * errors)
    assert (abs(np.mean(held, axis=0) - 0.95) < 0.03).all()


def test_bad_has_one_colour_whatever_the_order_in_which_a_file_declares_the_classes():
    for name in ("credit-g", "labor"):
        assert list(rt.read_classes(rt.load(name).y)[1]) == ["bad", "good"]
