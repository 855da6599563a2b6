"""Pictures of the lesson on the papers and its explorer, and claims against what comes true."""

import numpy as np
import pytest
from drawings import cells, data, folds
from pictures import all_text

import ranktrees as rt
from ranktrees_lab import plot
from ranktrees_lab.explore.evaluation import Kept
from ranktrees_lab.papers import PAPERS, cell_table, results, verdict
from ranktrees_lab.plot.inputs import interval
from ranktrees_lab.plot.style import COLOURS, METHODS, class_colours, model_colours


def test_residuals_places_every_cell_and_names_the_furthest():
    table = cells(9)
    table.loc[4, "measured"] = table.loc[4, "published"] + 20
    table.loc[5, "measured"] = np.nan
    fig = plot.residuals(table, most=1)
    dots = [line.get_data() for line in fig.axes[0].lines if line.get_linestyle() == "None"]
    off = (table["measured"] - table["published"]).dropna().groupby(table["method"], sort=False)
    for column, ((x, y), (name, part)) in enumerate(zip(dots, off, strict=True)):
        assert np.abs(x - column).max() < 0.35, "beside its method's name"
        assert sorted(y) == sorted(part)
        assert f"{name} {part.abs().mean():.3f}" in fig.alt
    assert "8 cells of 3 methods" in fig.alt
    assert fig.alt.split("Furthest apart: ")[1].startswith("a data set 4, two:")
    assert any(text.endswith("+20.00") for text, _, _ in all_text(fig))


@pytest.mark.parametrize("test", ["paired", "corrected", "paired, runs"])
def test_the_interval_leaves_0_out_exactly_where_the_test_finds_a_difference(test):
    for shift in (0.4, 1.0, 3.0):
        a, b = folds(shift)
        low, high = interval(a - b, test)
        assert (low > 0 or high < 0) == (verdict(a, b, 10, test) != 0)
        assert (low + high) / 2 == pytest.approx((a - b).mean())
    assert interval(a - b, "wilcoxon") is interval((a - b)[:1, :1], test) is None


def test_duel_counts_folds_and_says_the_verdict():
    a, b = folds(3)
    for one, other, test, words in [
        (b, a, "corrected", "significantly lower"),
        (a, a, "paired", "not significant"),
        (b, a, "higher", "lower on average"),
        (a, a, "higher", "the same on average"),
    ]:
        assert words in plot.duel(one, other, test=test).alt
    a[0, 0], b[1, 1] = np.nan, a[1, 1]
    fig = plot.duel(a, b, ("new", "old"), "corrected", mark=-1)
    known = (a - b)[~np.isnan(a - b)]
    assert f"in 49 folds: higher in {(known > 0).sum()}, lower in {(known < 0).sum()}" in fig.alt
    assert "equal in 1;" in fig.alt
    assert "new is significantly higher. The published difference is -1.00." in fig.alt


def test_results_shows_cells_as_printed_and_as_measured_or_honestly(monkeypatch):
    explorer = rt.explore.results("wang2006")
    _, words = explorer.draw("wang2006", "sonar", "C45-C", "C44", "corrected", "as_published")
    table = cell_table(results("wang2006")[1], PAPERS["wang2006"])
    table = table.set_index(["dataset", "method"]).loc["sonar"]
    for name in ("C45-C", "C44"):
        assert f">{table.loc[name, 'published']:g}</td>" in words
        assert f">{table.loc[name, 'measured']:.3f}</td>" in words
    readings = ("honest", "as_published")
    honest, leaked = (explorer.folds("wang2006", "vote", "C45-C", r) for r in readings)
    assert honest.mean() < leaked.mean()
    assert np.array_equal(*(explorer.folds("wang2006", "vote", "C45-M", r) for r in readings))
    with pytest.raises(ValueError, match="no paper 'su': did you mean 'su2004'"):
        rt.explore.results("su")
    for name, method, reading, match in [
        ("adult", "C45", "honest", "unknown data set 'adult'"),
        ("vehicle", "C45-C x10", "honest", "unknown method 'C45-C x10'"),
        ("vehicle", "C45", "leaked", "unknown reading"),
    ]:
        with pytest.raises(ValueError, match=match):
            explorer.folds("wang2006", name, method, reading)
    monkeypatch.setattr(Kept, "folds", lambda *names: np.array([[1.0, np.nan], [3.0, 2.0]]))
    _, words = explorer.draw("wang2006", "vote", "C45", "C44", "paired", "honest")
    assert words.count(">2.000</td>") == 2, "folds without a value are left out"


def test_shares_are_those_of_a_count_split_by_split():
    labor = data("labor")
    table = plot.fresh_shares({"C4.4": rt.C44(estimate="frequency")}, labor, splits=4, seed=3).table
    table, claimed, right, root = table.loc["C4.4"], [], [], []
    for seed in range(3, 7):
        train, new = rt.holdout(labor.y, 0.5, seed)
        model = rt.C44(estimate="frequency").fit(labor.X.iloc[train], labor.y[train])
        proba, y = model.predict_proba(labor.X.iloc[new]), labor.y[new]
        claimed += proba.max(axis=1).tolist()
        right += (model.predict(labor.X.iloc[new]) == y).tolist()
        root += (np.asarray(y) == labor.y[train].value_counts().idxmax()).tolist()
    expected = pytest.approx([np.mean(claimed), np.mean(right), len(right)])
    assert table.loc["all"].tolist() == expected
    assert table[table.index.str.startswith("depth")].iloc[-1].tolist() == expected
    assert table.loc["depth 0", "true"] == pytest.approx(np.mean(root))
    bins = table[table.index.str.contains(" to ")]
    assert bins["cases"].sum() == len(right)
    assert (bins["claimed"] * bins["cases"]).sum() == pytest.approx(np.sum(claimed))
    sure = np.mean(np.array(right)[np.array(claimed) >= 0.9])
    assert bins.loc["0.9 to 1.0", "true"] == pytest.approx(sure)


def test_a_method_has_one_colour_and_no_class_has_it():
    assert model_colours(["C4.4", "path Bayes"])[::-1] == model_colours(["Path Bayes", "c4.4"])
    assert model_colours(["DIW, C4.5's tree"]) == model_colours(["shrinkage"])
    assert model_colours(["shrinkage with WPE"]) != model_colours(["WPE"])
    assert len(set(model_colours([*"abcdefgh", "C4.4", "C4.4, crisp"]))) == 10
    assert not {*METHODS.values(), *COLOURS.values()} & {*class_colours(4)}
