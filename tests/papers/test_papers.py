"""The papers' declarations, and what a unit of their work measures."""

import numpy as np
import pytest
from experiments import WANG, WITHIN, run
from oracles import prepared, quietly

import ranktrees as rt
from ranktrees.evaluate import JavaRandom
from ranktrees_lab.papers import PAPERS, label_leak
from ranktrees_lab.papers.weka_bagging import weka_samples

NEAR = WITHIN | dict.fromkeys(["C45-B", "C44-B"], 0.01) | dict.fromkeys(["C45-L", "C44-L"], 0.5)


def test_cells_of_wang_and_zhang_and_the_leak_that_honest_ones_lack(tmp_path):
    """A small set in all its columns; tests/lab/test_label_leak.py has others."""
    _, _, frame = run(tmp_path, datasets=["labor"], runs=None)
    cells = rt.papers.cell_table(frame, WANG).query("dataset == 'labor'").set_index("method")
    assert len(cells) == len(NEAR)
    off = cells["difference"].abs()
    assert {name: value for name, value in off.items() if not value <= NEAR[name]} == {}
    gap = cells["measured"] - cells["honest"]
    leaky = ["C45-W", "C44-W", "C45-C", "C44-C"]
    assert gap[leaky].min() > 1
    assert (gap.drop(leaky) == 0).all()


class TestOneUnit:
    def test_it_is_the_cross_validation_of_the_package(self, tmp_path):
        """Trees on shared codes, and Weka's order of the cases, change no value."""
        chosen = {"datasets": ["glass"], "methods": ["C45", "C44-M"]}
        _, _, frame = run(tmp_path, runs=2, seed=2, **chosen)
        data = prepared("glass")
        how = {"folds": "weka", "runs": 2, "seed": 2, "measures": ["auc-wang2006", "auc"]}
        models = {"C45": rt.C45(), "C44-M": rt.C44(rules="wang2006", estimate="m-branch")}
        for name, model in models.items():
            want = quietly(rt.cross_validate, model, data, **how)
            for measure in how["measures"]:
                got = frame[(frame["method"] == name) & (frame["measure"] == measure)]
                np.testing.assert_allclose(got["value"], want[measure], rtol=0, atol=1e-12)
        test = quietly(rt.weka_folds, data.y, 10, 2) == 3
        tree = quietly(rt.C45().fit, data.X[~test], data.y[~test]).tree_
        part = frame.query("run == 0 and fold == 3 and method == 'C45'").set_index("measure")
        assert part["value"][["nodes", "leaves"]].tolist() == [len(tree), tree.n_leaves]

    def test_it_is_the_experiment_of_the_leak(self, tmp_path):
        _, _, frame = run(tmp_path, datasets=["labor"], methods=["C45-C", "C45-W"])
        frame = frame[frame["measure"] == "auc-wang2006"].set_index(["method", "reading"])["value"]
        want = quietly(label_leak, prepared("labor")).set_index("estimate")
        for method, estimate in {"C45-W": "wpe", "C45-C": "shrinkage+wpe"}.items():
            for reading, column in {"as_published": "leaked", "honest": "honest"}.items():
                got = frame.loc[[(method, reading)]]
                np.testing.assert_allclose(got, want.loc[estimate, column], atol=1e-12)


class TestSamplesOfWeka:
    def test_a_sample_by_hand(self):
        """Sums of Java's doubles, scaled to end at n, counted by unit intervals."""
        want = [0.7275636800328681, 0.6832234717598454, 0.30871945533265976]
        assert JavaRandom(42).doubles(3).tolist() == want, "new java.util.Random(42).nextDouble()"
        sums = np.cumsum(JavaRandom(1).doubles(6))
        places = np.ceil(sums / sums[-1] * 6).astype(int) - 1
        rows = np.array([60, 50, 40, 30, 20, 10])
        first, second = weka_samples(rows, 2, 1)
        assert first.tolist() == rows[places].tolist()
        assert second.tolist() != first.tolist()

    def test_scores_that_do_not_sum_to_one_are_added_as_they_are(self):
        data = prepared("glass")
        bag = rt.papers.WekaBagging(rt.C44(rules="wang2006"), n_models=3)
        proba = quietly(bag.fit, data.X, data.y).predict_proba(data.X)
        each = [m.predict_proba(data.X) for m in bag.models_]
        assert max(part.sum(axis=1).max() for part in each) > 1.5
        total = sum(each)
        np.testing.assert_allclose(proba, total / total.sum(axis=1, keepdims=True))


class TestTheDeclarations:
    @pytest.mark.parametrize(
        ("name", "sets", "methods", "runs", "k"),
        [("su2004", 29, 4, 10, 10), ("wang2006", 35, 16, 5, 10), ("martinez2010", 30, 3, 20, 5)],
    )
    def test_sizes_and_figures_of_known_sets_and_methods(self, name, sets, methods, runs, k):
        paper = PAPERS[name]
        assert (len(paper.datasets), len(paper.methods)) == (sets, methods)
        assert (paper.protocol.runs, paper.protocol.k) == (runs, k)
        assert set(paper.datasets) <= set(rt.datasets()["name"])
        names = {method.name for method in paper.methods}
        printed = paper.cells[paper.cells["table"] != "Fig. 3"]
        assert {*printed["method"], *paper.wins["row"], *paper.wins["column"]} <= names
        assert set(printed["dataset"]) <= {*paper.datasets, *paper.groups, "all"}

    def test_cells_have_the_averages_that_are_printed(self):
        cells = PAPERS["wang2006"].cells
        assert cells["table"].value_counts()[["3", "4"]].tolist() == [35 * 7, 35 * 7]
        mean = cells.groupby("method")["value"].mean().round(2)
        assert mean[["C45", "C45-C", "C44", "C44-B"]].tolist() == [81.96, 92.59, 85.36, 87.86]
        cells = PAPERS["su2004"].cells
        table = cells[cells["table"] == "1"].pivot_table("value", "dataset", "method")
        assert table.shape == (29, 3)
        for row in cells[(cells["table"] == "text") & (cells["measure"] == "auc")].itertuples():
            assert table[row.method].mean() == pytest.approx(row.value, abs=0.02)

    def test_wins_ties_and_losses_sum_to_the_sets(self):
        for name, entries, sets in (("wang2006", 42, 35), ("su2004", 3, 29)):
            wins = PAPERS[name].wins
            assert len(wins) == entries
            assert (wins[["wins", "ties", "losses"]].sum(axis=1) == sets).all()
        paper = PAPERS["martinez2010"]
        wins = paper.wins.set_index(["group", "measure"])[["wins", "ties", "losses"]].sum(axis=1)
        for group, size in {"all": 30, "nominal": len(paper.groups["nominal"])}.items():
            assert (wins.loc[group] == size).all()

    def test_the_groups_of_martinez_divide_the_sets(self):
        paper = PAPERS["martinez2010"]
        for groups in (["c=2", "c>2"], ["nominal", "numeric", "mixed"]):
            names = [name for group in groups for name in paper.groups[group]]
            assert sorted(names) == sorted(paper.datasets)
        nominal = rt.datasets().drop_duplicates("name").set_index("name")["nominal"]
        assert (nominal[list(paper.groups["numeric"])] == 0).all()
        assert (nominal[list(paper.groups["mixed"])] > 0).all()
