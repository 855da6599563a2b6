"""Lesson 13: its checks, its reading of column W, and what its prose claims of the papers."""

import numpy as np
import pandas as pd
import pytest
from lesson_cells import cells_of

import ranktrees as rt
from ranktrees_lab.check.papers import _duels, published_gains
from ranktrees_lab.papers import PAPERS, average_table, fold_grids, label_leak, results, verdict

WANG = PAPERS["wang2006"]


def pivoted(cells, value="published"):
    return cells.pivot_table(value, "dataset", "method")


class TestChecks:
    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (0.005, "Half a step"),
            (0.01, "the step"),
            (0.05, "one decimal"),
            (0.5, "whole points"),
            (0.0, "Not yet"),
        ],
    )
    def test_rounding_error(self, answer, words):
        verdict = rt.check.rounding_error(answer)
        assert verdict.right is (answer == 0.005)
        assert words in repr(verdict)

    def test_higher_means_names_the_slips(self):
        def right(cells, a, b):
            table = pivoted(cells)
            return (table[a] > table[b]).sum(), (table[a] < table[b]).sum()

        def measured(cells, a, b):
            table = pivoted(cells, "measured")
            return (table[a] > table[b]).sum(), (table[a] < table[b]).sum()

        def not_lower(cells, a, b):
            table = pivoted(cells)
            return (table[a] >= table[b]).sum(), (table[a] < table[b]).sum()

        assert rt.check.higher_means(right)
        assert "measured cells" in repr(rt.check.higher_means(measured))
        assert "both are the same" in repr(rt.check.higher_means(not_lower))
        assert "other way round" in repr(rt.check.higher_means(lambda c, a, b: right(c, b, a)))
        assert "two numbers" in repr(rt.check.higher_means(lambda c, a, b: right(c, a, b)[0]))
        assert rt.check.higher_means(lambda c, a, b: ...).right is None

    def test_honest_share_names_the_slips(self, monkeypatch):
        gains = published_gains()
        monkeypatch.setattr("ranktrees_lab.check.papers.published_gains", lambda: gains)
        share = {tree: honest / published for tree, (published, _, honest) in gains.items()}
        assert share["C45"] == pytest.approx(0.595, abs=0.005)
        assert rt.check.honest_share(share)
        percent = {tree: 100 * value for tree, value in share.items()}
        assert "not per cent" in repr(rt.check.honest_share(percent))
        assert "not per cent" in repr(rt.check.honest_share({"C45": 59.5, "C44": 46.5}))
        lost = {tree: 1 - value for tree, value in share.items()}
        assert "share that is lost" in repr(rt.check.honest_share(lost))
        flipped = {tree: 1 / value for tree, value in share.items()}
        assert "Upside down" in repr(rt.check.honest_share(flipped))

    def test_forest_duel(self, monkeypatch):
        duels = _duels()
        monkeypatch.setattr("ranktrees_lab.check.papers._duels", lambda: duels)
        assert duels["corrected"] == (3, 24, 8)
        assert rt.check.forest_duel((3, 24, 8))
        assert rt.check.forest_duel(np.array([3, 24, 8]))
        assert "other way round" in repr(rt.check.forest_duel((8, 24, 3)))
        assert "plain t" in repr(rt.check.forest_duel(duels["paired"]))
        assert "bare means" in repr(rt.check.forest_duel(duels["higher"]))
        assert "Over 35 sets" in repr(rt.check.forest_duel((3, 24, 9)))
        assert "three numbers" in repr(rt.check.forest_duel(3))
        assert "by folds" in repr(rt.check.forest_duel((4, 24, 7)))


@pytest.fixture(scope="module")
def lesson():
    return cells_of("13")


@pytest.fixture(scope="module")
def four_readings(lesson):
    (cell,) = [c for c in lesson if "by-hand" in c["metadata"].get("tags", [])]
    names = {}
    exec("".join(cell["source"]), names)
    return names["four_readings"]


class TestColumnW:
    def test_on_paper(self, four_readings):
        cases, classes = [["a", "x"], ["a", "y"], ["b", "y"]], [0, 1, 1]
        found = four_readings(["a", "x"], 1, cases, classes, 2)  # votes 3, and 2 + 1
        each = [(3.5, 3.5), (3.5, 5.5), (3.5, 6.5), (3.5, 9.5)]  # own: +2, +3, and +2 +4
        assert np.allclose(found, [np.array(w) / sum(w) for w in each])

    def test_as_the_package_reads_it_with_and_without_the_leak(self, four_readings):
        data = rt.prepare(rt.load("labor"), "papers")
        measure, fold = rt.evaluate.MEASURES["auc-wang2006"], rt.weka_folds(data.y, 10, 1)
        found = label_leak(data).query("estimate == 'wpe'").set_index("fold")
        for f in range(10):
            train, test = np.flatnonzero(fold != f), np.flatnonzero(fold == f)
            tree = rt.C45().fit(data.X.iloc[train], data.y[train])
            (known, classes), X = tree.training_, tree.encode(data.X.iloc[test]).values
            leaf, codes, rows = tree.tree_.apply(known), data.y[test].codes, []
            for x, own, at in zip(X, codes, tree.tree_.apply(X), strict=True):
                rows.append(four_readings(x, own, known[leaf == at], classes[leaf == at], 2))
            honest, leaked = np.array(rows).swapaxes(0, 1)[:2]
            assert np.allclose(honest, tree.with_estimate("wpe").predict_proba(data.X.iloc[test]))
            assert measure(codes, honest) == pytest.approx(found.loc[f, "honest"])
            assert measure(codes, leaked) == pytest.approx(found.loc[f, "leaked"])


@pytest.fixture(scope="module")
def grids():
    return fold_grids(results("wang2006")[1])


def counted(grids, a, b):
    signs = []
    for s in WANG.datasets:
        x, y = (grids[s, m, "as_published", "auc-wang2006"] for m in (a, b))
        signs.append(verdict(x, y, 10, "corrected"))
    return [signs.count(sign) for sign in (1, 0, -1)]


class TestClaims:
    def test_every_row_of_table_2_but_bs_is_nearer_to_our_folds_with_s_and_w_swapped(self, grids):
        swap = {"C44-S": "C44-W", "C44-W": "C44-S"}
        for e in WANG.wins.query("table == '2' and column in ['C44-S', 'C44-W']").itertuples():
            off = []
            for names in ({}, swap):
                ours = counted(grids, names.get(e.row, e.row), names.get(e.column, e.column))
                off.append(np.abs(np.subtract(ours, (e.wins, e.ties, e.losses))).sum())
            assert bool(off[0] < off[1]) is (e.row == "C44-B"), e

    @pytest.mark.parametrize(
        ("other", "wins", "losses"),
        [("C44-C", 2, 11), ("C44-M", 2, 11), ("C44-L", 8, 11), ("C44-B", 1, 15), ("C44-S", 7, 6)],
    )
    def test_honest_w(self, grids, other, wins, losses):
        reading = "honest" if other == "C44-C" else "as_published"
        x = {s: grids[s, "C44-W", "honest", "auc-wang2006"] for s in WANG.datasets}
        y = {s: grids[s, other, reading, "auc-wang2006"] for s in WANG.datasets}
        signs = [verdict(x[s], y[s], 10, "corrected") for s in x]
        assert (signs.count(1), signs.count(-1)) == (wins, losses)

    def test_honest_w_has_the_lowest_mean_of_the_techniques(self):
        means = average_table(results("wang2006")[1], WANG).set_index("method")["honest"]
        six = means[[f"C44-{name}" for name in "CSWMLB"]].astype(float)
        assert six.idxmin() == "C44-W"
        assert six.round(2).to_dict() == {
            "C44-C": 87.81,
            "C44-S": 86.56,
            "C44-W": 86.31,
            "C44-M": 86.90,
            "C44-L": 86.65,
            "C44-B": 87.84,
        }

    def test_newton_counts_disagree_where_the_text_says_so(self):
        paper = PAPERS["martinez2010"]
        table = rt.papers.win_tie_loss(results(paper.name)[1], paper, tests=["wilcoxon"])
        table = table.set_index(["group", "measure"])[["published", "wilcoxon"]]
        assert table.loc["numeric", "mse"].tolist() == ["7/3/2", "3/4/5"]
        assert table.loc["mixed", "mse"].tolist() == ["5/1/3", "7/1/1"]
        assert table.loc["all", "auc"].tolist() == ["18/8/4", "17/11/2"]

    def test_forests(self):
        frame = results("path-bayes")[1].query("measure == 'auc'")
        means = 100 * pd.pivot_table(frame, "value", "dataset", "method").mean()
        assert means["random forest (raw)"] - means["random forest"] == pytest.approx(1, abs=0.1)
        assert means["boosting (raw)"] < means["boosting"]

    def test_nobody_is_said_to_be_proved_guilty(self, lesson):
        text = "".join(map("".join, (c["source"] for c in lesson if c["cell_type"] == "markdown")))
        assert "nobody has asked the authors" in text
        assert "was not tried" in text
        for words in ("met only if", "settles it", "the leaky one"):
            assert words not in text
