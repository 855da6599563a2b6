"""Pictures of splits, tables, impurities and rankings show the right numbers."""

import numpy as np
import pandas as pd
import pytest

import ranktrees as rt
from ranktrees.criteria import criteria
from ranktrees.criteria.split import threshold as best_threshold
from ranktrees.evaluate import Blocks
from ranktrees_lab import plot
from ranktrees_lab.plot.splits import Cuts, bar_edges


@pytest.fixture(scope="module")
def credit():
    return rt.load("credit-g")


def steps(ax):
    from matplotlib.patches import StepPatch

    return [p.get_data() for p in ax.findobj(StepPatch)]


def bars(fig):
    """The corners (rows, classes, 4, 2) of the bars of a nominal split."""
    paths = fig.axes[0].collections[0].get_paths()
    corners = np.array([path.vertices[:4] for path in paths])
    heights = np.unique(corners[:, 0, 1])
    return corners.reshape(len(heights), -1, 4, 2)


def test_bars_are_class_shares_as_thick_as_the_values_are_frequent():
    rows = bars(plot.split(rt.load("weather.nominal"), "outlook"))
    widths = np.ptp(rows[..., 0], axis=-1)
    np.testing.assert_allclose(widths[:, 0], [500 / 14, 60, 0, 40])
    np.testing.assert_allclose(widths.sum(axis=1), 100)
    heights = np.ptp(rows[1:, 0, :, 1], axis=-1)
    np.testing.assert_allclose(heights / heights[0], [1, 0.8, 1])


def test_nominal_alt_tells_the_counts_and_the_score():
    alt = plot.split(rt.load("weather.nominal"), "outlook").alt
    assert "5 no and 9 yes" in alt
    assert "sunny: 3 no and 2 yes" in alt
    assert "information gain 0.2467" in alt


def test_scores_of_all_cuts_are_those_of_the_criterion(credit):
    for name in ("information_gain", "gini", "twoing", "auc"):
        lower = plot.split(credit, "duration", criterion=name).axes[1]
        x, score = lower.lines[0].get_data()
        duration, y = credit.X["duration"].to_numpy(), credit.y.codes
        for cut, shown in list(zip(x, score, strict=True))[:-1:5]:
            n = rt.tally((2, 2), (duration > cut).astype(int), y)
            assert shown == pytest.approx(float(rt.CRITERIA[name](n)))
        assert np.isnan(score[-1])


def test_the_best_cut_is_that_of_the_split(credit):
    amount, y = credit.X["credit_amount"].to_numpy(float), credit.y.codes
    cuts = Cuts.of(amount, y, 2, "gini")
    values, at = np.unique(amount, return_inverse=True)
    score, branch = best_threshold(rt.tally((len(values), 2), at, y), criteria.gini_gain)
    assert cuts.score.max() == pytest.approx(float(score))
    assert cuts.best == (values[branch == 0][-1] + values[branch == 1][0]) / 2


def test_lines_stand_at_the_best_and_the_chosen_cut(credit):
    fig = plot.split(credit, "duration", threshold=20)
    for ax in fig.axes:
        at = {
            line.get_label(): line.get_xdata()[0]
            for line in ax.lines
            if len(set(line.get_xdata())) == 1
        }
        assert at == {"_best": 15.5, "_chosen": 20}  # fmt: skip
    assert "The chosen cut <= 20 (information gain 0.0153) has 133 bad and 421 good" in fig.alt


def test_the_histogram_holds_every_case_by_class(credit):
    for name in ("duration", "credit_amount", "age"):
        tops = steps(plot.split(credit, name).axes[0])
        counts = [np.sum(top.values - top.baseline) for top in tops]
        assert counts == [300, 700]


@pytest.mark.parametrize("values", [[1.0], [1, 2, 5], np.arange(200.0), [0, 1e-9, 1], [0.1, 7.3]])
def test_every_value_lies_in_a_bar(values):
    edges = bar_edges(np.asarray(values, float))
    assert (np.diff(edges) > 0).all()
    assert np.histogram(values, edges)[0].sum() == len(values)


def test_a_threshold_beyond_the_values_leaves_one_side_empty(credit):
    alt = plot.split(credit, "duration", threshold=1000).alt
    assert "The chosen cut <= 1000 (information gain 0.0000) has 300 bad and 700 good below" in alt


def test_ordered_attributes_are_cut_by_value():
    size = pd.Categorical(list("SMLSMLXS"), categories=list("SMLX"), ordered=True)
    X, y = pd.DataFrame({"size": size}), list("aabbabab")
    by_name = plot.split(X, "size", y=y, threshold="M")
    assert by_name.alt == plot.split(X, "size", y=y, threshold=1.5).alt
    assert "The chosen cut <= M" in by_name.alt
    assert [t.get_text() for t in by_name.axes[1].get_xticklabels()] == list("SMLX")


def test_missing_values_are_left_out_and_named():
    X = pd.DataFrame({"x": [1.0, 2, np.nan, 4], "c": ["u", None, "v", "u"]})
    assert plot.split(X, "x", y=list("aabb")).alt.endswith(
        "1 case without a value of x is left out."
    )
    assert "1 case without a value of c" in plot.split(X, "c", y=list("aabb")).alt


def test_rare_values_beyond_twenty_are_one_bar():
    X = pd.DataFrame({"id": [f"n{i}" for i in range(300)]})
    fig = plot.split(X, "id", y=["a", "b"] * 150)
    assert len(bars(fig)) == 1 + 20
    assert "300 branches" in fig.alt
    assert "281 others" in [t.get_text() for t in fig.axes[0].texts]


def test_a_criterion_for_two_classes_says_so_in_the_picture():
    fig = plot.split(rt.load("iris"), "petallength", criterion="dkm", threshold=3)
    assert "no dkm: dkm compares two classes" in fig.alt
    assert "no dkm: dkm compares two classes" in fig.axes[1].texts[0].get_text()


def test_errors_of_split(credit):
    with pytest.raises(ValueError, match="no attribute 'durations': did you mean 'duration'"):
        plot.split(credit, "durations")
    with pytest.raises(ValueError, match="no criterion 'ginni': did you mean 'gini'"):
        plot.split(credit, "age", criterion="ginni")
    with pytest.raises(ValueError, match="nominal, a threshold needs numbers"):
        plot.split(credit, "housing", threshold=3)
    with pytest.raises(ValueError, match="threshold of 'age' must be a number, not 'old'"):
        plot.split(credit, "age", threshold="old")
    with pytest.raises(ValueError, match="must be finite"):
        plot.split(credit, "age", threshold=np.nan)
    with pytest.raises(ValueError, match="X is empty"):
        plot.split(credit.X.iloc[:0], "age", y=[])
    with pytest.raises(ValueError, match="give a Dataset, or y"):
        plot.split(credit.X, "age")
    with pytest.raises(ValueError, match="every value of 'x' is missing"):
        plot.split(pd.DataFrame({"x": [np.nan, np.nan]}), "x", y=["a", "b"])


def test_impurity_curves_and_points():
    fig = plot.impurity({"parent": (9, 5)})
    lines = {line.get_label(): line.get_xydata() for line in fig.axes[0].lines}
    p = np.linspace(0, 1, 201)
    np.testing.assert_allclose(lines["Gini index"], np.stack([p, 2 * p * (1 - p)], 1), atol=1e-12)
    np.testing.assert_allclose(lines["2 × Gini index"][:, 1], 4 * p * (1 - p), atol=1e-12)
    assert lines["entropy (bits)"][20, 1] == pytest.approx(0.4690, abs=1e-4)
    assert "parent (9, 5): entropy 0.940, Gini index 0.459, DKM 0.958." in fig.alt
    with pytest.raises(ValueError, match="point 'x' must be two class counts"):
        plot.impurity({"x": (0, 0)})


def test_table_shows_counts_and_margins():
    fig = plot.table([[2, 3], [4, 0], [3, 2]], ["sunny", "overcast", "rainy"], ["yes", "no"])
    words = [t.get_text() for t in fig.axes[0].texts if t.get_text()]
    assert words[:3] == ["yes", "no", "cases"]
    assert words[3:7] == ["sunny", "2", "3", "5"]
    assert words[-4:] == ["all", "9", "5", "14"]
    assert fig.alt.startswith("Count table of 14 cases: sunny: 2 yes and 3 no; overcast: 4 yes")
    with pytest.raises(ValueError, match="rows names 1, but the table has 2"):
        plot.table([[1, 2], [3, 4]], rows=["a"])
    with pytest.raises(ValueError, match="two axes"):
        plot.table([1, 2])


def test_table_joins_rare_rows():
    fig = plot.table(np.arange(200).reshape(100, 2))
    words = [t.get_text() for t in fig.axes[0].texts]
    assert "61 others" in words
    assert words[-1] == str(np.arange(200).sum())


def test_blocks_of_ties_by_hand():
    blocks = Blocks.of(np.array([1, 0, 1, 0, 0], bool), np.array([0.9, 0.9, 0.6, 0.2, 0.6]))
    np.testing.assert_array_equal(blocks.positive, [1, 1, 0])
    np.testing.assert_array_equal(blocks.negative, [1, 1, 1])
    assert blocks.auc == pytest.approx((0.5 + 1 + 1 + 0.5 + 1) / 6)
    assert blocks.accuracy == pytest.approx(3 / 5)


def test_curves_equal_those_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(0)
    y = np.where(rng.random(200) < 0.3, "yes", "no")
    score = np.round(rng.random(200) + 0.2 * (y == "yes"), 1)
    fig = plot.roc(y, {"tree": score})
    x, tpr = fig.axes[0].lines[0].get_data()
    expected = metrics.roc_curve(y, score, pos_label="yes", drop_intermediate=False)
    np.testing.assert_allclose(x, 100 * expected[0])
    np.testing.assert_allclose(tpr, 100 * expected[1])
    assert f"tree {metrics.roc_auc_score(y == 'yes', score):.3f}" in fig.alt


def test_gains_mark_the_letters():
    y = np.array(list("yynnnynnnn"))
    score = np.array([9, 9, 9, 9, 5, 5, 1, 1, 1, 1.0])
    fig = plot.gains(y, {"tree": score}, positive="y", letters=2)
    ideal, tree = (line.get_xydata() for line in fig.axes[0].lines[:2])
    np.testing.assert_allclose(tree, [[0, 0], [40, 200 / 3], [60, 100], [100, 100]])
    np.testing.assert_allclose(ideal, [[0, 0], [30, 100], [100, 100]])
    assert "the first 2 by score reach: tree 1.0 (33%); by chance 0.6." in fig.alt
    with pytest.raises(ValueError, match="letters must be at"):
        plot.gains(y, score, positive="y", letters=11)


def test_ranking_strips_show_the_share_of_each_tied_block():
    y = np.array(list("yynnnynnnn"))
    score = np.array([0.9, 0.9, 0.9, 0.9, 0.6, 0.6, 0.1, 0.1, 0.1, 0.1])
    fig = plot.ranking(y, {"tied": score, "own": np.arange(10)[::-1] / 10}, positive="y")
    (tied,) = steps(fig.axes[0])
    np.testing.assert_allclose(tied.values, [0.5, 0.5, 0])
    np.testing.assert_allclose(tied.edges, [0, 4, 6, 10])
    (own,) = steps(fig.axes[1])
    np.testing.assert_array_equal(own.values, y == "y")
    assert fig.axes[0].lines[0].get_xdata()[0] == 6
    assert "tied (3 distinct scores): accuracy 70.0%" in fig.alt


def test_errors_of_rankings():
    y = ["a", "b", "b"]
    with pytest.raises(ValueError, match="score of 'm' has shape"):
        plot.roc(y, {"m": [1, 2]})
    with pytest.raises(ValueError, match="two columns"):
        plot.roc(y, {"m": np.zeros((3, 2))})
    with pytest.raises(ValueError, match="score of 'm' is NaN in row 1"):
        plot.gains(y, {"m": [1, np.nan, 2]})
    with pytest.raises(ValueError, match="score of 'm' is infinite in row 2"):
        plot.gains(y, {"m": [1, 2, -np.inf]})
    with pytest.raises(ValueError, match="no class 'c': there is a, b"):
        plot.ranking(y, {"m": [1, 2, 3]}, positive="c")
    with pytest.raises(ValueError, match="scores is empty"):
        plot.ranking(y, {})
