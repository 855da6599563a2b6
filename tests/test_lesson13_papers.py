"""Lesson 13: its checks, its reading of column W, and what its prose claims of the papers."""

import numpy as np
import pandas as pd
import pytest
from lesson_cells import cells_of, developed, put_out_in_words

import ranktrees as rt
from ranktrees.plain.tree import Cases
from ranktrees_lab.check.papers import published_gains
from ranktrees_lab.papers import (
    PAPERS,
    average_table,
    fold_grids,
    label_leak,
    results,
    size_table,
    verdict,
)

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

    def test_numbers_kept_names_the_slips(self):
        sizes = size_table(results("su2004")[1], PAPERS["su2004"]).loc["vote"]
        leaves, nodes = (sizes.xs(size, level="measure") for size in ("leaves", "nodes"))
        right = {"CITree": 66 * leaves["CITree"], "C4.4": 2 * leaves["C4.4"]}
        assert rt.check.numbers_kept(right)
        assert rt.check.numbers_kept({tree: round(n) for tree, n in right.items()})
        assert rt.check.numbers_kept({"CITree": 66 * 10.8, "C4.4": 2 * 24.2})
        for wrong, words in [
            ({**right, "CITree": 66 * nodes["CITree"]}, "not `nodes`"),
            ({**right, "C4.4": leaves["C4.4"]}, "number of leaves"),
            ({**right, "CITree": 33 * leaves["CITree"]}, "two classes"),
            ({**right, "CITree": 64 * leaves["CITree"]}, "cases of each class"),
            ({**right, "CITree": 34 * leaves["CITree"]}, "two values"),
            ({"CITree": 1}, "keys CITree and C4.4"),
        ]:
            assert words in repr(rt.check.numbers_kept(wrong))
        rt.check.numbers_kept({**right, "C4.4": 7})
        assert "C4.4: 7.0 is not it" in repr(rt.check.numbers_kept({**right, "C4.4": 7}))


@pytest.fixture(scope="module")
def lesson():
    return cells_of("13")


@pytest.fixture(scope="module")
def four_readings():
    return developed("13")["four_readings"]


class TestColumnW:
    def test_on_paper(self, four_readings):
        leaf = Cases([[0, 0], [0, 1], [1, 1]], [0, 1, 1], (2, 2), 2)
        found = four_readings(leaf, (0, 0), 1)  # votes 3, and 2 + 1
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
                D = Cases(known[leaf == at], classes[leaf == at], (), 2)
                rows.append(four_readings(D, x, own))
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

    def test_without_wpe_the_row_of_breast_cancer_lies_between_60_and_68(self):
        row = WANG.cells.query("dataset == 'breast-cancer' and table == '3'").set_index("method")
        assert row.loc["C45-W", "value"] == 92.21
        assert row.drop(["C45-W", "C45-C"])["value"].between(60, 68).all()

    def test_permuted_trees_are_nearly_all_one_leaf(self):
        sizes = []
        for seed in (1, 2, 3):
            data = rt.papers.permuted(rt.load("breast-cancer"), seed)
            fold = rt.weka_folds(data.y, 10, 1)
            trees = [rt.C45().fit(data.X[fold != f], data.y[fold != f]) for f in range(10)]
            sizes += [len(tree.tree_) for tree in trees]
        assert len(sizes) == 30
        assert sizes.count(1) >= 27

    def test_what_is_said_of_citree(self):
        su = PAPERS["su2004"]
        frame, cells = results("su2004")[1], su.cells.query("measure == 'auc' and dataset != 'all'")
        cells = cells.pivot_table(["value", "deviation"], "dataset", "method")
        same = [cells[column, "CITree"] == cells[column, "NB"] for column in ("value", "deviation")]
        assert (same[0] & same[1]).sum() == 4
        signs, grids = [], fold_grids(frame)
        for name in su.datasets:
            a, b = (grids[name, m, "as_published", "auc-su2004"] for m in ("CITree", "NB"))
            signs.append([verdict(a[[r]], b[[r]], 10, "paired") for r in range(10)])
        assert np.mean(np.equal(signs, 1), axis=1).sum().round(1) == 13.7
        assert np.mean(np.equal(signs, -1), axis=1).sum().round(1) == 1.3
        one_leaf = grids["credit-g", "CITree", "as_published", "nodes"] == 1
        assert one_leaf.sum() == 67
        a, b = (grids["credit-g", m, "as_published", "auc-su2004"] for m in ("CITree", "NB"))
        assert (a[one_leaf] == b[one_leaf]).all()
        leaves = size_table(frame, su).drop("average")["CITree", "leaves"]
        assert leaves["letter"] / leaves.sum() == pytest.approx(0.43, abs=0.005)

    def test_a_perfect_model_of_zoo_is_not_perfect_in_the_convention_of_2006(self, lesson):
        (cell,) = [c for c in lesson if c["id"] == "c39"]
        words = put_out_in_words(cell)
        assert "'standard': 100.0, 'wang2006': 82.14, 'su2004': 100.0" in words.replace(
            "np.float64", ""
        )
        printed = WANG.cells.query("dataset == 'zoo' and method == 'C45-C'")
        assert printed["value"].item() == 88.48

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
        assert "we did not try the address of their program" in text
        for words in ("met only if", "settles it", "the leaky one"):
            assert words not in text
