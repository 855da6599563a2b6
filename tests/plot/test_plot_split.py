"""Pictures of splits, tables, impurities and rankings show the right numbers."""

import numpy as np
import pandas as pd
import pytest
from drawings import data
from matplotlib.patches import StepPatch
from sklearn import metrics

import ranktrees as rt
from ranktrees.criteria import criteria
from ranktrees.criteria.split import threshold as best_threshold
from ranktrees_lab import plot
from ranktrees_lab.plot.splits import Cuts, bar_edges


@pytest.fixture
def credit():
    return data("credit-g")


def steps(ax):
    return [p.get_data() for p in ax.findobj(StepPatch)]


def bars(fig):
    """The corners (rows, classes, 4, 2) of the bars of a nominal split."""
    paths = fig.axes[0].collections[0].get_paths()
    corners = np.array([path.vertices[:4] for path in paths])
    heights = np.unique(corners[:, 0, 1])
    return corners.reshape(len(heights), -1, 4, 2)


def test_bars_are_class_shares_as_thick_as_the_values_are_frequent():
    fig = plot.split(data("weather.nominal"), "outlook")
    rows = bars(fig)
    widths = np.ptp(rows[..., 0], axis=-1)
    np.testing.assert_allclose(widths[:, 0], [500 / 14, 60, 0, 40])
    np.testing.assert_allclose(widths.sum(axis=1), 100)
    heights = np.ptp(rows[1:, 0, :, 1], axis=-1)
    np.testing.assert_allclose(heights / heights[0], [1, 0.8, 1])
    for words in ("5 no and 9 yes", "sunny: 3 no and 2 yes", "information gain 0.2467"):
        assert words in fig.alt


def test_scores_of_all_cuts_are_those_of_the_criterion(credit):
    duration, y = credit.X["duration"].to_numpy(), credit.y.codes
    for name in ("information_gain", "gini", "twoing", "auc"):
        lower = plot.split(credit, "duration", criterion=name).axes[1]
        x, score = lower.lines[0].get_data()
        for cut, shown in list(zip(x, score, strict=True))[:-1:5]:
            n = rt.tally((2, 2), (duration > cut).astype(int), y)
            assert shown == pytest.approx(float(rt.CRITERIA[name](n)))
        assert np.isnan(score[-1])


def test_the_best_and_the_chosen_cut(credit):
    amount, y = credit.X["credit_amount"].to_numpy(float), credit.y.codes
    cuts = Cuts.of(amount, y, 2, "gini")
    values, at = np.unique(amount, return_inverse=True)
    score, branch = best_threshold(rt.tally((len(values), 2), at, y), criteria.gini_gain)
    assert cuts.score.max() == pytest.approx(float(score))
    assert cuts.best == (values[branch == 0][-1] + values[branch == 1][0]) / 2
    fig = plot.split(credit, "duration", threshold=20)
    for ax in fig.axes:
        upright = [line for line in ax.lines if len(set(line.get_xdata())) == 1]
        assert sorted(line.get_xdata()[0] for line in upright) == [15.5, 20]
    assert "The chosen cut <= 20 (information gain 0.0153) has 133 bad and 421 good" in fig.alt
    alt = plot.split(credit, "duration", threshold=1000).alt
    assert "The chosen cut <= 1000 (information gain 0.0000) has 300 bad and 700 good below" in alt


def test_the_histogram_holds_every_case_by_class(credit):
    for name in ("duration", "credit_amount", "age"):
        tops = steps(plot.split(credit, name).axes[0])
        assert [np.sum(top.values - top.baseline) for top in tops] == [300, 700]


@pytest.mark.parametrize("values", [[1.0], [1, 2, 5], np.arange(200.0), [0, 1e-9, 1], [0.1, 7.3]])
def test_every_value_lies_in_a_bar(values):
    edges = bar_edges(np.asarray(values, float))
    assert (np.diff(edges) > 0).all()
    assert np.histogram(values, edges)[0].sum() == len(values)


def test_ordered_attributes_are_cut_by_value():
    size = pd.Categorical(list("SMLSMLXS"), categories=list("SMLX"), ordered=True)
    X, y = pd.DataFrame({"size": size}), list("aabbabab")
    by_name = plot.split(X, "size", y=y, threshold="M")
    assert by_name.alt == plot.split(X, "size", y=y, threshold=1.5).alt
    assert "The chosen cut <= M" in by_name.alt
    assert [t.get_text() for t in by_name.axes[1].get_xticklabels()] == list("SMLX")


def test_missing_rare_and_undefined_are_named():
    X = pd.DataFrame({"x": [1.0, 2, np.nan, 4], "c": ["u", None, "v", "u"]})
    for name in X:
        alt = plot.split(X, name, y=list("aabb")).alt
        assert alt.endswith(f"1 case without a value of {name} is left out.")
    X = pd.DataFrame({"id": [f"n{i}" for i in range(300)]})
    fig = plot.split(X, "id", y=["a", "b"] * 150)
    assert len(bars(fig)) == 1 + 20
    assert "300 branches" in fig.alt
    assert "281 others" in [t.get_text() for t in fig.axes[0].texts]
    fig = plot.split(data("iris"), "petallength", criterion="dkm", threshold=3)
    for words in (fig.alt, fig.axes[1].texts[0].get_text()):
        assert "no dkm: dkm compares two classes" in words


def test_impurity_curves_and_points():
    fig = plot.impurity({"parent": (9, 5)})
    lines = {line.get_label(): line.get_xydata() for line in fig.axes[0].lines}
    p = np.linspace(0, 1, 201)
    np.testing.assert_allclose(lines["Gini index"], np.stack([p, 2 * p * (1 - p)], 1), atol=1e-12)
    np.testing.assert_allclose(lines["2 × Gini index"][:, 1], 4 * p * (1 - p), atol=1e-12)
    assert lines["entropy (bits)"][20, 1] == pytest.approx(0.4690, abs=1e-4)
    assert "parent (9, 5): entropy 0.940, Gini index 0.459, DKM 0.958." in fig.alt


def test_table_shows_counts_and_margins_and_joins_rare_rows():
    fig = plot.table([[2, 3], [4, 0], [3, 2]], ["sunny", "overcast", "rainy"], ["yes", "no"])
    words = [t.get_text() for t in fig.axes[0].texts if t.get_text()]
    assert words[:7] == ["yes", "no", "cases", "sunny", "2", "3", "5"]
    assert words[-4:] == ["all", "9", "5", "14"]
    assert fig.alt.startswith("Count table of 14 cases: sunny: 2 yes and 3 no; overcast: 4 yes")
    words = [t.get_text() for t in plot.table(np.arange(200).reshape(100, 2)).axes[0].texts]
    assert "61 others" in words
    assert words[-1] == str(np.arange(200).sum())
    fig = plot.table([[10, 10], [49_990, 949_990]])
    assert fig.alt.startswith("Count table of 1,000,000 cases: value 0: 10 class 0")
    assert {"1,000,000", "49,990", "20"} <= {t.get_text() for t in fig.axes[0].texts}
    assert plot.table([[0.5, 0.5]]).alt.startswith("Count table of 1 case:")


def test_curves_equal_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(200) < 0.3, "yes", "no")
    score = np.round(rng.random(200) + 0.2 * (y == "yes"), 1)
    fig = plot.roc(y, {"tree": score})
    expected = metrics.roc_curve(y, score, pos_label="yes", drop_intermediate=False)
    np.testing.assert_allclose(fig.axes[0].lines[0].get_data(), 100 * np.array(expected[:2]))
    assert f"tree {metrics.roc_auc_score(y == 'yes', score):.3f}" in fig.alt


def test_gains_and_strips_show_the_share_of_each_tied_block():
    y = np.array(list("yynnnynnnn"))
    score = np.array([9, 9, 9, 9, 5, 5, 1, 1, 1, 1.0])
    fig = plot.gains(y, {"tree": score}, positive="y", letters=2)
    ideal, tree = (line.get_xydata() for line in fig.axes[0].lines[:2])
    np.testing.assert_allclose(tree, [[0, 0], [40, 200 / 3], [60, 100], [100, 100]])
    np.testing.assert_allclose(ideal, [[0, 0], [30, 100], [100, 100]])
    assert "the first 2 by score reach: tree 1.0 (33%); by chance 0.6." in fig.alt
    own = np.arange(10)[::-1] / 10
    shares = np.choose(score.astype(int) // 4, [0.1, 0.6, 0.9])
    fig = plot.ranking(y, {"tied": shares, "own": own}, positive="y")
    (tied,), (each,) = (steps(ax) for ax in fig.axes[:2])
    np.testing.assert_allclose(tied.values, [0.5, 0.5, 0])
    np.testing.assert_allclose(tied.edges, [0, 4, 6, 10])
    np.testing.assert_array_equal(each.values, y == "y")
    assert fig.axes[0].lines[0].get_xdata()[0] == 6
    assert "tied (3 distinct scores): accuracy 70.0%" in fig.alt
