"""The pictures and the explorer of the lesson on the papers."""

import numpy as np
import pandas as pd
import pytest
from pictures import all_text, assert_readable
from test_plot import cells, folds

import ranktrees as rt
from ranktrees.evaluate import corrected_t, paired_t
from ranktrees_lab import plot
from ranktrees_lab.explore.evaluation import Kept
from ranktrees_lab.papers import PAPERS, cell_table, results, stored_papers, verdict
from ranktrees_lab.papers.wins import TESTS
from ranktrees_lab.plot.inputs import interval

# pictures


SIZES = pd.DataFrame({"small": [30.0, 4], "large": [3000.0, 500]}, ["one", "two"])


def test_residuals_places_every_cell_and_names_the_furthest():
    table = cells(9)
    table.loc[4, "measured"] = table.loc[4, "published"] + 20
    table.loc[5, "measured"] = np.nan
    fig = plot.residuals(table, most=1)
    dots = [line for line in fig.axes[0].lines if line.get_linestyle() == "None"]
    off = (table["measured"] - table["published"]).dropna()
    for column, (line, (name, part)) in enumerate(
        zip(dots, off.groupby(table["method"], sort=False), strict=True)
    ):
        x, y = line.get_data()
        assert np.abs(x - column).max() < 0.35, "beside its method's name"
        assert sorted(y) == sorted(part)
        assert f"{name} {part.abs().mean():.3f}" in fig.alt
    assert "8 cells of 3 methods" in fig.alt
    assert fig.alt.split("Furthest apart: ")[1].startswith("a data set 4, two:")
    assert any(text.endswith("+20.00") for text, _, _ in all_text(fig))


def test_residuals_refuses_what_it_cannot_draw():
    with pytest.raises(ValueError, match="lack the column published"):
        plot.residuals(cells().drop(columns="published"))
    with pytest.raises(ValueError, match="no cell has both"):
        plot.residuals(cells().assign(measured=np.nan))
    with pytest.raises(ValueError, match="9 methods are too many"):
        plot.residuals(cells(methods=tuple("ABCDEFGHI")))


@pytest.mark.parametrize("test", ["paired", "corrected", "paired, runs"])
@pytest.mark.parametrize("shift", [0.0, 0.4, 1.0, 3.0])
def test_the_interval_leaves_0_out_exactly_where_the_test_finds_a_difference(test, shift):
    a, b = folds(shift)
    low, high = interval(a - b, test)
    assert (low > 0 or high < 0) == (verdict(a, b, 10, test) != 0)
    assert (low + high) / 2 == pytest.approx((a - b).mean())


def test_the_interval_is_that_of_the_test():
    d = np.subtract(*folds())
    for test, found in (
        ("paired", paired_t(d.ravel(), np.zeros(50))),
        ("corrected", corrected_t(d.ravel(), np.zeros(50), 1 / 9)),
    ):
        low, high = interval(d, test)
        spread = found.difference / found.statistic
        assert (high - low) / 2 / spread == pytest.approx(2.0096, abs=1e-4)  # t of 49 df
    assert interval(d, "wilcoxon") is None
    assert interval(d[:1, :1], "paired") is None


def test_duel_counts_folds_and_says_the_verdict():
    a, b = folds(3)
    a[0, 0], b[1, 1] = np.nan, a[1, 1]
    fig = plot.duel(a, b, ("new", "old"), "corrected", mark=-1)
    known = (a - b)[~np.isnan(a - b)]
    assert f"in 49 folds: higher in {(known > 0).sum()}, lower in {(known < 0).sum()}" in fig.alt
    assert "equal in 1;" in fig.alt
    assert "new is significantly higher. The published difference is -1.00." in fig.alt
    assert "significantly lower" in plot.duel(b, a, test="wilcoxon").alt
    assert "by the test 'higher' new is higher on average." in (
        plot.duel(a, b, ("new", "old"), "higher").alt.lower()
    )


def test_duel_writes_its_verdict_into_the_picture():
    a, b = folds(3)
    for values, test, words in [
        ((a, b), "wilcoxon", "significantly higher"),
        ((b, a), "corrected", "significantly lower"),
        ((a, a), "paired", "not significant"),
        ((b, a), "higher", "lower on average"),
        ((a, a), "higher", "the same on average"),
    ]:
        assert words in [text for text, _, _ in all_text(plot.duel(*values, test=test))]


def test_duel_refuses():
    a, b = folds()
    with pytest.raises(ValueError, match=r"not \(5, 10\) and \(5, 9\)"):
        plot.duel(a, b[:, 1:])
    with pytest.raises(ValueError, match="unknown test"):
        plot.duel(a, b, test="sign")
    with pytest.raises(ValueError, match="no fold in which both"):
        plot.duel(a * np.nan, b)


def test_a_logarithmic_axis_needs_positive_numbers():
    ax = plot.dumbbells(SIZES, "leaves", log=True).axes[0]
    assert ax.get_xscale() == "log"
    with pytest.raises(ValueError, match="no place on a logarithmic axis"):
        plot.dumbbells(SIZES - 4, "leaves", log=True)


# the explorer


@pytest.fixture(scope="module")
def explorer():
    return rt.explore.results("wang2006")


def test_every_control_of_results_changes_the_words(explorer):
    for name, value in [
        ("dataset", "sonar"),
        ("b", "C45"),
        ("a", "C45-W"),
        ("test", "paired"),
        ("reading", "honest"),
    ]:
        before = explorer.words.value
        explorer.controls[name].value = value
        assert explorer.words.value != before
    assert explorer.image.value[:4] == b"\x89PNG"
    assert "C45-W against C45 in 50 folds" in explorer.picture.alt
    assert explorer.words.value.count("<tr>") == 3 + 1 + len(TESTS)


def test_another_paper_brings_its_own_sets_and_methods():
    explorer = rt.explore.results("wang2006")
    for paper in stored_papers():
        settings = explorer.settings_with(paper=paper)
        methods = [m.name for m in PAPERS[paper].methods if m.datasets is None]
        assert [settings["a"], settings["b"]] == methods[:2]
        picture, _ = explorer.draw(**settings)
        assert f"{methods[0]} against {methods[1]}" in picture.alt
        assert_readable(picture, all_text(picture))
    explorer.controls["paper"].value = paper
    assert set(explorer.controls["dataset"].options) == set(PAPERS[paper].datasets)
    assert list(explorer.controls["a"].options) == methods


def test_results_shows_cells_as_printed_and_as_measured(explorer):
    _, words = explorer.draw("wang2006", "sonar", "C45-C", "C44", "corrected", "as_published")
    table = cell_table(results("wang2006")[1], PAPERS["wang2006"])
    table = table.set_index(["dataset", "method"]).loc["sonar"]
    for name in ("C45-C", "C44"):
        assert f">{table.loc[name, 'published']:g}</td>" in words
        assert f">{table.loc[name, 'measured']:.3f}</td>" in words
    picture, words = explorer.draw("su2004", "car", "C4.4 collapsed", "NB", "higher", "honest")
    assert "published difference" not in picture.alt  # one of them was not printed


def test_folds_without_a_value_are_left_out_of_the_means(explorer, monkeypatch):
    values = np.array([[1.0, np.nan], [3.0, 2.0]])
    monkeypatch.setattr(Kept, "folds", lambda *names: values)
    _, words = explorer.draw("wang2006", "vote", "C45", "C44", "paired", "honest")
    assert words.count(">2.000</td>") == 2


def test_the_honest_reading_is_that_of_methods_that_leak(explorer):
    honest, leaked = (
        explorer.folds("wang2006", "vote", "C45-C", reading)
        for reading in ("honest", "as_published")
    )
    assert honest.mean() < leaked.mean()
    same = [explorer.folds("wang2006", "vote", "C45-M", r) for r in ("honest", "as_published")]
    assert np.array_equal(*same)


def test_results_refuses_names_it_does_not_know(explorer):
    with pytest.raises(ValueError, match="no paper 'su': did you mean 'su2004'"):
        rt.explore.results("su")
    with pytest.raises(ValueError, match="unknown data set 'adult'"):
        explorer.folds("wang2006", "adult", "C45", "honest")
    with pytest.raises(ValueError, match="unknown method 'C45-C x10'"):
        explorer.folds("wang2006", "vehicle", "C45-C x10", "honest")
    with pytest.raises(ValueError, match="unknown reading"):
        explorer.folds("wang2006", "vehicle", "C45", "leaked")
