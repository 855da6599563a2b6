"""The papers' declarations, and what a unit of their work measures."""

import numpy as np
import pytest
from experiments import WANG, run
from oracles import prepared, quietly

import ranktrees as rt
from ranktrees.evaluate import JavaRandom
from ranktrees_lab.papers import PAPERS, label_leak
from ranktrees_lab.papers.weka_bagging import weka_samples

WITHIN = {"C45": 0.01, "C44": 0.01, "C44-S": 0.01, "C45-S": 0.25, "C45-W": 0.1, "C44-W": 0.1}
WITHIN |= {"C45-C": 0.4, "C44-C": 0.4, "C45-M": 0.4, "C44-M": 0.4}
WITHIN |= {"C45-B": 0.01, "C44-B": 0.01, "C45-L": 0.5, "C44-L": 0.5}


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    """Two small sets in all their columns; tests/test_label_leak.py has the others."""
    _, _, frame = run(tmp_path_factory.mktemp("wang"), runs=None)
    table = rt.papers.cell_table(frame, WANG)
    return table[table["dataset"].isin(["labor", "iris"])]


class TestTheCellsOfWangAndZhang:
    def test_as_published(self, cells):
        off = cells["difference"].abs().groupby([cells["method"], cells["dataset"]]).max()
        assert len(off) == 2 * len(WITHIN)
        far = {key: value for key, value in off.items() if not value <= WITHIN[key[0]]}
        assert far == {}

    def test_the_leak_is_what_is_missing_from_the_honest_ones(self, cells):
        gap = (cells["measured"] - cells["honest"]).groupby(cells["method"]).max()
        leaky = {"C45-W", "C44-W", "C45-C", "C44-C"}
        assert gap[sorted(leaky)].min() > 1
        assert (gap.drop(sorted(leaky)) == 0).all()


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
        part = frame.query("run == 0 and fold == 3 and method == 'C45'").set_index("measure")[
            "value"
        ]
        assert part[["nodes", "leaves"]].tolist() == [len(tree), tree.n_leaves]

    def test_it_is_the_experiment_of_the_leak(self, tmp_path):
        _, _, frame = run(tmp_path, datasets=["labor"], methods=["C45-C", "C45-W"])
        want = quietly(label_leak, prepared("labor")).set_index("estimate")
        for method, estimate in {"C45-W": "wpe", "C45-C": "shrinkage+wpe"}.items():
            for reading, column in {"as_published": "leaked", "honest": "honest"}.items():
                rows = (frame["method"] == method) & (frame["reading"] == reading)
                got = frame[rows & (frame["measure"] == "auc-wang2006")]["value"]
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

    def test_all_cells_of_the_tables_are_there(self):
        cells = PAPERS["wang2006"].cells
        assert cells["table"].value_counts()[["3", "4"]].tolist() == [35 * 7, 35 * 7]
        mean = cells.groupby("method")["value"].mean().round(2)
        assert mean[["C45", "C45-C", "C44", "C44-B"]].tolist() == [81.96, 92.59, 85.36, 87.86]
        cells = PAPERS["su2004"].cells
        table = cells[cells["table"] == "1"].pivot_table("value", "dataset", "method")
        assert table.shape == (29, 3)
        text = cells[(cells["table"] == "text") & (cells["measure"] == "auc")]
        for row in text.itertuples():
            assert table[row.method].mean() == pytest.approx(row.value, abs=0.02)

    def test_all_counts_of_wins_are_there(self):
        for name, entries, sets in (("wang2006", 42, 35), ("su2004", 3, 29)):
            wins = PAPERS[name].wins
            assert len(wins) == entries
            assert (wins[["wins", "ties", "losses"]].sum(axis=1) == sets).all()
        wins = PAPERS["martinez2010"].wins.set_index(["group", "measure"])
        sizes = {"all": 30} | {g: len(PAPERS["martinez2010"].groups[g]) for g in ("nominal",)}
        for group, size in sizes.items():
            assert (wins.loc[group][["wins", "ties", "losses"]].sum(axis=1) == size).all()

    def test_the_groups_of_martinez_divide_the_sets(self):
        paper = PAPERS["martinez2010"]
        for groups in (["c=2", "c>2"], ["nominal", "numeric", "mixed"]):
            names = [name for group in groups for name in paper.groups[group]]
            assert sorted(names) == sorted(paper.datasets)
        facts = rt.datasets().drop_duplicates("name").set_index("name")
        for name in paper.groups["numeric"]:
            assert facts.loc[name, "nominal"] == 0
        for name in paper.groups["mixed"]:
            assert facts.loc[name, "nominal"] > 0
