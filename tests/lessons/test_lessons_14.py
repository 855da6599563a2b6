"""Lesson 14: its stepper, its explorer, its picture, and what it says of 200,000 people."""

import numpy as np
import pandas as pd
import pytest
from lesson_cells import developed

import ranktrees as rt
from ranktrees_lab import plot
from ranktrees_lab.explore.scale import BUDGETS, Bill
from ranktrees_lab.plot.rainforest import RAINFOREST, passes
from ranktrees_lab.plot.scale import in_bytes

TREE = {"criterion": "gini", "split": "binary", "n_bins": 1000, "max_depth": 6}


@pytest.fixture(scope="module")
def days():
    data = rt.load("weather.nominal")
    return rt.DecisionTree(criterion="information_gain").fit(data.X, data.y), data


def test_each_algorithm_reads_and_writes_what_it_says(days):
    ends = {(name, room): passes(*days, name, room)[-1] for name in RAINFOREST for room in (1, 2)}
    assert {key: (end.read, end.written) for key, end in ends.items()} == {
        ("RF-Read", 1): (42, 0),  # the root, B, C: a scan of 14 each
        ("RF-Read", 2): (28, 0),
        ("RF-Write", 1): (14 + 14 + 10, 10),
        ("RF-Write", 2): (38, 10),
        ("RF-Hybrid", 1): (38, 10),
        ("RF-Hybrid", 2): (28, 0),
    }


@pytest.mark.parametrize("algorithm", RAINFOREST)
def test_tables_are_those_of_the_nodes_when_they_decide(days, algorithm):
    model, data = days
    codes, where = model.encode(data.X).values, model.decision_path(data.X).toarray()
    before, sizes = frozenset(), [info.size for info in model.tree_.schema]
    for step in passes(*days, algorithm, 2):
        assert len(step.tables) <= 2
        for node in step.decided - before:
            rows = where[:, node].astype(bool)
            yes = (np.asarray(data.y) == "yes")[rows].astype(int)
            each = [rt.tally((size, 2), codes[rows, j], yes) for j, size in enumerate(sizes)]
            assert np.array_equal(step.tables[node], np.concatenate(each))
        before = step.decided
    assert before == set(np.flatnonzero(~model.tree_.is_leaf))


def test_a_row_is_counted_where_it_comes_to(days):
    steps = passes(*days, "RF-Read", 2)
    assert steps[16].words == "Row 0 comes to B and is counted."
    assert steps[16].tables[steps[16].counted].sum() == 4  # one of each attribute
    assert passes(*days, "RF-Read", 1)[19].words.endswith("counted in another scan.")
    picture = plot.rainforest(*days, "RF-Read", 2, 16)
    assert picture.alt.startswith("RF-Read: Row 0 comes to B and is counted. Room for")
    assert "tables of B: outlook = sunny 1/0, outlook = overcast 0/0" in picture.alt
    bold = {t.get_text() for t in picture.axes[-1].texts if t.get_weight() == "bold"}
    assert {"outlook = sunny", "temperature = hot", "humidity = high"} < bold


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    folder = tmp_path_factory.mktemp("people")
    rt.data.write_agrawal(folder, 30_000, function=7, noise=0.05)
    return rt.scan(folder, target="group")


@pytest.mark.parametrize(
    ("how", "budgets"),
    [
        ({"min_parent": 7_000}, [1_500_000]),
        pytest.param({"min_parent": 200}, [660_000, 1_000_000, 3_000_000], marks=pytest.mark.long),
        pytest.param({"min_gain": 0.01}, [1_500_000], marks=pytest.mark.long),
        pytest.param({"n_bins": 20}, [1_500_000], marks=pytest.mark.long),
    ],
)
def test_what_it_says_is_what_is_counted(people, how, budgets):
    bill = Bill(rt.scale.grow(rt.DecisionTree(**TREE | how), people, "rf-read"))
    for algorithm in rt.scale.ALGORITHMS:
        for budget in budgets:
            model = rt.DecisionTree(**TREE | how)
            counted = rt.scale.grow(model, people, algorithm, budget).table
            said = bill.table(algorithm, budget)
            for name in ("scans", "read", "written"):
                assert counted[name].tolist() == pytest.approx(said[name].tolist()), name


def test_its_settings_are_drawn_and_said(people):
    model = rt.DecisionTree(**TREE, min_parent=7_000)
    explorer = rt.explore.budget(rt.scale.grow(model, people, "rf-read"))
    assert [b for _, b in explorer.controls["budget"].options] == BUDGETS
    picture, words = explorer.draw("rf-hybrid", BUDGETS[1], 1)
    heading = f"rf-hybrid: 30,000 rows, {in_bytes(BUDGETS[1])}"
    assert picture.axes[0].get_title(loc="left") == heading
    assert f"budget of {in_bytes(BUDGETS[1])}," in picture.alt
    assert words.count("<tr>") == 2
    wide = rt.DecisionTree(**TREE | {"n_bins": 4000, "max_depth": 2})
    explorer = rt.explore.budget(rt.scale.grow(wide, people, "rf-read"))
    assert [b for _, b in explorer.controls["budget"].options] == [4 * b for b in BUDGETS]
    assert explorer.tables(4 * BUDGETS[0], 1)["rf-read"]["scans"].tolist() == [1, 2]


def test_traffic_says_what_it_draws():
    table = pd.DataFrame({"scans": [1.0, 2.5], "read": [10, 2_000], "written": [0, 400]})
    fig = plot.traffic({"one": table, "two": 2 * table}, "two")
    assert "by two, level by level: 2, 5." in fig.alt
    assert "one reads 2.01 KB and writes 400 B and two reads 4.02 KB" in fig.alt
    heights = [path.vertices[:, 1].max() for path in fig.axes[0].collections[0].get_paths()]
    assert heights == [2, 5]
    sizes = {0: "0 B", 999: "999 B", 1_000: "1 KB", 96_960: "97 KB", 4.6e13: "46 TB"}
    assert [in_bytes(n) for n in sizes] == [*sizes.values()]


def test_the_plain_sliq_counts_what_the_package_counts():
    names, payers = developed("14", "c03", "c13"), rt.load("tax-payers")
    cheats = (payers.y == "Yes").astype(int)
    apart = payers.X["Status"] != "Married"
    income = payers.X.loc[apart, "Income"].rank().astype(int) - 1
    counted = rt.tally((apart.sum(), 2), income, cheats[apart])
    left = [below.tolist() for _, _, _, below in names["cuts"][names["open_node"]]]
    assert left == counted.cumsum(axis=0)[:-1].tolist()
    assert [case for _, case in names["income"][0]] == payers.X["Income"].argsort().tolist()


def test_what_the_text_says_of_200_000_people(tmp_path):
    rt.data.write_agrawal(tmp_path, 200_000, function=7, noise=0.05, seed=1)
    model, people = rt.DecisionTree(**TREE, min_parent=1000), rt.scan(tmp_path, target="group")
    bill = Bill(grown := rt.scale.grow(model, people, "rf-read"))
    assert (grown.table["tables"] / 96_960).tolist() == [1, 2, 4, 8, 16, 26]
    read, write, hybrid = (bill.table(f"rf-{how}", 700_000) for how in ("read", "write", "hybrid"))
    assert read["scans"].tolist() == [1, 1, 1, 2, 3, 4]
    assert write["scans"].round(2).tolist() == [1, 2, 2, 2, 2, 1.97]
    assert (write["written"] / 1e6).round(2).tolist() == [0, 4, 4, 4, 4, 3.92]
    assert hybrid["scans"].round(2).tolist() == [1, 1, 1, 2, 0.96, 0.96]
    assert (bill.table("rf-read", 64_000_000)["scans"] == 1).all()
    assert bill.table("sprint", 64_000_000)["read"].sum() > 8 * grown.table["read"].sum()
    assert bill.table("rf-read", 100_000)["scans"].sum() == 1 + 2 + 4 + 8 + 16 + 26
    assert write["read"].sum() == bill.table("rf-write", 100_000)["read"].sum()
    quarter = bill.table("rf-read", 250_000)["scans"].tolist()
    assert rt.check.scans_per_level(quarter).right
    assert bill.table("rf-hybrid", 1_600_000)["written"].any()
    assert not bill.table("rf-hybrid", 3_200_000)["written"].any()


@pytest.mark.long
def test_a_tenth_of_200_000_people_ranks_as_well_as_all(tmp_path):
    """On other people, other samples and other new people than the lesson's."""
    rt.data.write_agrawal(tmp_path, 200_000, function=7, noise=0.05, seed=11)
    scan, people = rt.scan(tmp_path, target="group"), rt.agrawal(20_000, 7, noise=0.05, seed=12)

    def auc(model):
        return rt.auc(people.y, model.predict_proba(people.X)[:, 1])

    tenths = [scan.sample(20_000, seed) for seed in (4, 5, 6)]
    gaps = [auc(rt.C44().fit(scan)) - auc(rt.C44().fit(tenth.X, tenth.y)) for tenth in tenths]
    assert max(gaps) < 0.004
