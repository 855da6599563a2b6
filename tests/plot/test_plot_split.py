"""Splits, tables and rankings show the right numbers, and any picture names what it refuses."""

import numpy as np
import pandas as pd
import pytest
from drawings import PETALS, case, cells, data, fitted, folds, grown, of
from matplotlib.patches import StepPatch
from pictures import words_of
from sklearn import metrics

import ranktrees as rt
from ranktrees_engine.bayes import lung_cancer
from ranktrees_engine.criteria import criteria
from ranktrees_engine.criteria.split import threshold as best_threshold
from ranktrees_lab import plot
from ranktrees_lab.plot.splits import Cuts


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


@pytest.mark.parametrize("name", ["information_gain", "auc"])
def test_scores_of_all_cuts_are_those_of_the_criterion_and_bars_hold_every_case(name):
    credit = data("credit-g")
    upper, lower = plot.split(credit, "duration", criterion=name).axes
    assert [np.sum(top.values - top.baseline) for top in steps(upper)] == [300, 700]
    x, score = lower.lines[0].get_data()
    for cut, shown in list(zip(x, score, strict=True))[:-1:5]:
        n = rt.tally((2, 2), (credit.X["duration"] > cut).to_numpy(int), credit.y.codes)
        assert shown == pytest.approx(float(rt.CRITERIA[name](n)))
    assert np.isnan(score[-1])


def test_the_best_and_the_chosen_cut():
    credit = data("credit-g")
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
    fig = plot.split(pd.DataFrame({"id": [f"n{i}" for i in range(300)]}), "id", y=["a", "b"] * 150)
    assert len(bars(fig)) == 1 + 20
    assert "300 branches" in fig.alt
    assert "281 others" in words_of(fig)
    fig = plot.split(data("iris"), "petallength", criterion="dkm", threshold=3)
    for words in (fig.alt, fig.axes[1].texts[0].get_text()):
        assert "no dkm: dkm compares two classes" in words


def test_impurity_curves_and_points():
    fig = plot.impurity({"parent": (9, 5)})
    lines = {line.get_label(): line.get_xydata() for line in fig.axes[0].lines}
    p = np.linspace(0, 1, 201)
    np.testing.assert_allclose(lines["Gini index"], np.stack([p, 2 * p * (1 - p)], 1), atol=1e-12)
    assert lines["entropy (bits)"][20, 1] == pytest.approx(0.4690, abs=1e-4)
    assert "parent (9, 5): entropy 0.940, Gini index 0.459, DKM 0.958." in fig.alt


def test_table_shows_counts_and_margins_and_joins_rare_rows():
    fig = plot.table([[2, 3], [4, 0], [3, 2]], ["sunny", "overcast", "rainy"], ["yes", "no"])
    words = [word for word in words_of(fig) if word]
    assert words[:7] == ["yes", "no", "cases", "sunny", "2", "3", "5"]
    assert words[-4:] == ["all", "9", "5", "14"]
    assert fig.alt.startswith("Count table of 14 cases: sunny: 2 yes and 3 no; overcast: 4 yes")
    words = words_of(plot.table(np.arange(200).reshape(100, 2)))
    assert ("61 others" in words, words[-1]) == (True, str(np.arange(200).sum()))
    assert {"1,000,000", "49,990"} <= {*words_of(plot.table([[10, 10], [49_990, 949_990]]))}


def test_curves_equal_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(200) < 0.3, "yes", "no")
    score = np.round(rng.random(200) + 0.2 * (y == "yes"), 1)
    fig = plot.roc(y, {"tree": score})
    expected = metrics.roc_curve(y, score, pos_label="yes", drop_intermediate=False)
    np.testing.assert_allclose(fig.axes[0].lines[0].get_data(), 100 * np.array(expected[:2]))
    assert f"tree {metrics.roc_auc_score(y == 'yes', score):.3f}" in fig.alt
    low, high = rt.auc_interval(y, score)[1:3]
    assert f"({low:.3f} to {high:.3f})" in fig.alt
    fig = plot.pr(y, {"tree": score})
    precision, recall, _ = metrics.precision_recall_curve(y, score, pos_label="yes")
    x, height = fig.axes[0].lines[0].get_data()
    np.testing.assert_allclose(x[::-1], 100 * recall)
    np.testing.assert_allclose(height[:0:-1], 100 * precision[:-1])
    assert f"tree {metrics.average_precision_score(y == 'yes', score):.3f};" in fig.alt


def test_repeated_splits_name_their_data_and_mark_what_they_are_compared_with():
    found = rt.repeated({"a": rt.DecisionTree(), "b": rt.C44()}, data("labor"), n=3)
    fig = plot.strips(found, against="b")
    assert "labor" in [text.get_text() for text in fig.texts]
    assert fig.alt.startswith("Mean AUC on labor in 3 splits, ")
    grey, one = (fig.axes[0].lines[2 * k].get_color() for k in (1, 0))
    assert grey == plot.style.COLOURS["parent"] != one
    nameless = rt.Dataset(data("labor").X, data("labor").y)
    fig = plot.strips(rt.repeated({"a": rt.DecisionTree()}, nameless, n=3))
    assert fig.alt.startswith("Mean AUC in 3 splits, ")


def test_marks_of_calibration_are_named_once():
    models = {"a": rt.DecisionTree(estimate="laplace"), "b": rt.C44(estimate="laplace")}
    fig = plot.fresh_shares(models, data("labor"), splits=2)
    words = [text.get_text() for text in fig.texts]
    assert sum("as often as claimed" in text for text in words) == 1
    assert not any("depth 0" in text for text in words), "there is no tree cut back"
    fig = plot.fresh_shares({"a": rt.DecisionTree()}, data("labor"), splits=2)
    assert sum("depth 0" in text.get_text() for text in fig.texts) == 1


def test_gains_and_strips_show_the_share_of_each_tied_block():
    y = np.array(list("yynnnynnnn"))
    score = np.array([9, 9, 9, 9, 5, 5, 1, 1, 1, 1.0])
    fig = plot.gains(y, {"tree": score}, positive="y", letters=2)
    ideal, tree = (line.get_xydata() for line in fig.axes[0].lines[:2])
    np.testing.assert_allclose(tree, [[0, 0], [40, 200 / 3], [60, 100], [100, 100]])
    np.testing.assert_allclose(ideal, [[0, 0], [30, 100], [100, 100]])
    assert "the first 2 by score reach: tree 1.0 (33%); by chance 0.6." in fig.alt
    shares = np.choose(score.astype(int) // 4, [0.1, 0.6, 0.9])
    fig = plot.ranking(y, {"tied": shares, "own": np.arange(10)[::-1] / 10}, positive="y")
    (tied,), (each,) = (steps(ax) for ax in fig.axes[:2])
    np.testing.assert_allclose(tied.values, [0.5, 0.5, 0])
    np.testing.assert_allclose(tied.edges, [0, 4, 6, 10])
    np.testing.assert_array_equal(each.values, y == "y")
    assert fig.axes[0].lines[0].get_xdata()[0] == 6
    assert "tied (3 distinct scores): accuracy 70.0%" in fig.alt


Y = ["a", "b", "b"]


def both(name, *more):
    return of(grown(name), data(name), *more)


def credit_by(*more, **named):
    return of(data("credit-g"), *more, **named)


CASES = [
    ("tree", lambda: of(grown("iris"), style="boxs"), "no style 'boxs': did you mean 'boxes'"),
    ("tree", lambda: of(grown("iris"), max_depth=-1), "max_depth must be at least 0"),
    ("tree", lambda: of(rt.DecisionTree()), "call fit"),
    ("tree", lambda: of([1, 2]), "a fitted model or a Tree is needed, not list"),
    ("boundaries", lambda: both("weather.nominal"), "two numeric attributes are needed"),
    ("boundaries", lambda: both("iris", ("petalwidths", "a")), "did you mean 'petalwidth'"),
    ("boundaries", lambda: both("labor", ("duration", "vacation")), "choose two of duration"),
    ("boundaries", lambda: both("iris", PETALS[:1] * 2), "two different names"),
    ("boundaries", lambda: both("iris", PETALS, {"l": (0, 0, 1)}), "both weights are 0"),
    ("newton_tree", lambda: of(grown("iris")), r"DecisionTree: a tree without .* plot\.tree"),
    ("newton_tree", lambda: of(rt.NewtonTree()), r"no tree yet: call fit\(X, y\) first"),
    ("newton_tree", lambda: of(fitted("NewtonTree", "iris"), data("iris").X), "there are 150"),
    ("attraction_map", lambda: of(fitted("NaiveBayes", "iris"), data("iris")), r"plot\.tree"),
    ("citree", lambda: of(rt.CITree()), "a fitted CITree or NBTree"),
    ("citree", lambda: of(fitted("C45", "vote")), "naive Bayes at its leaves"),
    ("citree", lambda: of(fitted("CITree", "vote"), strongest=-1), "strongest must be at least 0"),
    ("dependence", lambda: of(data("vote"), by="crimes"), "did you mean 'crime'"),
    ("dependence", lambda: of(data("vote"), by=7), "an attribute's name or a fitted tree"),
    ("dependence", lambda: of(data("iris").X.iloc[:3, :2], Y, by="sepalwidth"), "at least two"),
    ("explanation", lambda: of(fitted("NaiveBayes", "iris").explain(case("iris"))), "plot.factors"),
    ("belief_network", lambda: of(lung_cancer(), evidence="Smokers"), "Smoker"),
    ("belief_network", lambda: of({"y": []}, apart="y"), "only node"),
    ("conditionals", lambda: of(fitted("NaiveBayes", "iris", numeric="gaussian"), *PETALS), "Gaus"),
    ("conditionals", lambda: of(fitted("NaiveBayes", "tax-payers"), "Status", "Maried"), "Married"),
    ("conditionals", lambda: of(fitted("NaiveBayes", "tax-payers"), "nonsense"), "Refund"),
    ("path_bayes", lambda: of(grown("iris"), case("iris")), "give PathBayes.* not DecisionTree"),
    ("path_bayes", lambda: of(rt.PathBayes(), case("iris")), "not fitted yet"),
    ("path_bayes", lambda: of(fitted("PathBayes", "iris"), data("iris").X[:2]), "there are 2"),
    ("split", lambda: credit_by("durations"), "'durations': did you mean 'duration'"),
    ("split", lambda: credit_by("age", criterion="ginni"), "'ginni': did you mean 'gini'"),
    ("split", lambda: credit_by("housing", threshold=3), "nominal, a threshold needs numbers"),
    ("split", lambda: credit_by("age", threshold="old"), "of 'age' must be a number, not 'old'"),
    ("split", lambda: credit_by("age", threshold=np.nan), "must be finite"),
    ("split", lambda: of(data("credit-g").X.iloc[:0], "age", y=[]), "X is empty"),
    ("split", lambda: of(data("credit-g").X, "age"), "give a Dataset, or y"),
    ("split", lambda: of(pd.DataFrame({"x": [np.nan] * 3}), "x", y=Y), "every value of 'x' is"),
    ("impurity", lambda: of({"x": (0, 0)}), "point 'x' must be two class counts"),
    ("table", lambda: of([[1, 2], [3, 4]], rows=["a"]), "rows names 1, but the table has 2"),
    ("table", lambda: of([1, 2]), "two axes"),
    ("roc", lambda: of(Y, {"m": [1, 2]}), "score of 'm' has shape"),
    ("roc", lambda: of(Y, {"m": np.zeros((3, 2))}), "two columns"),
    ("roc", lambda: of(Y, {"m": [1, 2, 3]}, positive="c"), "no class 'c': there is a, b"),
    ("pr", lambda: of(Y, {"m": [1, 2, 3]}, positive="c"), "no class 'c': there is a, b"),
    ("gains", lambda: of(Y, {"m": [1, np.nan, 2]}), "score of 'm' is NaN in row 1"),
    ("gains", lambda: of(Y, {"m": [1, 2, -np.inf]}), "score of 'm' is infinite in row 2"),
    ("gains", lambda: of(Y, {"m": [1, 2, 3]}, letters=4), "letters must be at"),
    ("ranking", lambda: of(Y, {}), "scores is empty"),
    ("calibration", lambda: of(Y, {"m": [0.1, 1.4, 0.3]}), "probabilit"),
    ("residuals", lambda: of(cells().drop(columns="published")), "lack the column published"),
    ("residuals", lambda: of(cells().assign(measured=np.nan)), "no cell has both"),
    ("residuals", lambda: of(cells(methods=tuple("ABCDEFGHI"))), "9 methods are too many"),
    ("duel", lambda: of(folds()[0], folds()[1][:, 1:]), r"not \(5, 10\) and \(5, 9\)"),
    ("duel", lambda: of(*folds(), test="sign"), "unknown test"),
    ("duel", lambda: of(folds()[0] * np.nan, folds()[1]), "no fold in which both"),
    ("dumbbells", lambda: of(pd.DataFrame({"a": [0, 1], "b": [2, 3]}), "n", log=True), "no place"),
    ("fresh_shares", lambda: of(dict.fromkeys("abcdefghi", rt.C44()), data("iris")), "9 panels"),
    ("fresh_shares", lambda: of(rt.DecisionTree(), data("iris")), "not DecisionTree"),
    ("fresh_shares", lambda: of({"tree": rt.DecisionTree()}, data("iris"), 0), "splits"),
]


@pytest.mark.parametrize(("name", "make", "words"), CASES, ids=[case[2] for case in CASES])
def test_what_is_refused_is_named(name, make, words):
    given, named = make()
    with pytest.raises((TypeError, ValueError), match=words):
        getattr(plot, name)(*given, **named)
