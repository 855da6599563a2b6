"""Lesson 14: its checks, its explorer, its picture, and what it develops in view."""

import time

import numpy as np
import pandas as pd
import pytest
from lesson_cells import developed
from test_plot import all_text, assert_readable

import ranktrees as rt
from ranktrees_lab import plot
from ranktrees_lab.check.scale import STUDY
from ranktrees_lab.explore.scale import BUDGETS, Bill
from ranktrees_lab.plot.scale import in_bytes

TREE = {"criterion": "gini", "split": "binary", "n_bins": 1000, "max_depth": 6}


def scans(n, each, budget):
    return -(-n // (budget // each))


class TestChecks:
    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (20, "fewer than the root's"),
            (10, "for each of the two classes"),
            (30, "the root's group"),
            (22, "two values left"),
            (36, "rows do not matter"),
            (16, "Single and Divorced"),
            (21, "is not it"),
        ],
    )
    def test_group_of_a_child(self, answer, words):
        verdict = rt.check.group_of_a_child(answer)
        assert verdict.right is (answer == 20)
        assert words in repr(verdict)

    @pytest.mark.parametrize(
        ("function", "words"),
        [
            (scans, "Whole nodes"),
            (lambda n, each, budget: n * each / budget, "round up"),
            (lambda n, each, budget: -(-n * each // budget), "only whole nodes fit"),
            (lambda n, each, budget: n // (budget // each) + 1, "How many nodes fit"),
            (lambda n, each, budget: "x", "cannot be read"),
        ],
    )
    def test_scans_function(self, function, words):
        verdict = rt.check.scans_function(function)
        assert verdict.right is (function is scans)
        assert words in repr(verdict)

    def test_scans_function_untouched(self):
        assert rt.check.scans_function(lambda *how: ...).right is None

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (320, "Below 320 rows"),
            (3200, "bytes of the tables"),
            (40, "takes 8 bytes"),
            (160, "each value and each class"),
            (355.56, "The class takes a byte"),
            (1, "is not it"),
        ],
    )
    def test_rows_or_tables(self, answer, words):
        verdict = rt.check.rows_or_tables(answer)
        assert verdict.right is (answer == 320)
        assert words in repr(verdict)

    def test_sample_study(self):
        assert rt.check.sample_study(STUDY)
        wrong = rt.check.sample_study({**STUDY, 1_000: (0.5, 0.5, 0.5)})
        assert "of 1,000 with seeds" in repr(wrong)
        assert "three AUCs each" in repr(rt.check.sample_study({**STUDY, 50_000: 0.93}))
        assert "keys" in repr(rt.check.sample_study({1_000: 0.9}))


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    folder = tmp_path_factory.mktemp("people")
    rt.data.write_agrawal(folder, 30_000, function=7, noise=0.05)
    return rt.scan(folder, target="group")


@pytest.fixture(scope="module")
def growth(people):
    return rt.scale.grow(rt.DecisionTree(**TREE, min_parent=200), people, "rf-read")


class TestExplorer:
    @pytest.mark.parametrize("budget", [660_000, 1_000_000, 1_600_000, 3_000_000])
    @pytest.mark.parametrize("algorithm", rt.scale.ALGORITHMS)
    def test_what_it_says_is_what_is_counted(self, people, growth, algorithm, budget):
        model = rt.DecisionTree(**TREE, min_parent=200)
        counted = rt.scale.grow(model, people, algorithm, budget).table
        said = Bill(growth).table(algorithm, budget)
        for name in ("scans", "read", "written"):
            assert counted[name].tolist() == pytest.approx(said[name].tolist()), name

    @pytest.mark.parametrize("how", [{"min_parent": 7_000}, {"min_gain": 0.01}, {"n_bins": 20}])
    def test_trees_that_end_early_and_small_codes(self, people, how):
        made = [rt.DecisionTree(**TREE | how) for _ in range(1 + len(rt.scale.ALGORITHMS))]
        bill = Bill(rt.scale.grow(made.pop(), people, "rf-read"))
        for algorithm in rt.scale.ALGORITHMS:
            counted = rt.scale.grow(made.pop(), people, algorithm, 1_500_000).table
            said = bill.table(algorithm, 1_500_000)
            for name in ("scans", "read", "written"):
                assert counted[name].tolist() == pytest.approx(said[name].tolist())

    def test_every_setting_draws_and_says(self, growth):
        explorer = rt.explore.budget(growth)
        algorithm, budget, times = (explorer.controls[n] for n in ("algorithm", "budget", "times"))
        assert list(algorithm.options) == list(rt.scale.ALGORITHMS)
        assert [b for _, b in budget.options] == BUDGETS
        seen = set()
        for name in algorithm.options:
            for _, size in budget.options:
                picture, words = explorer.draw(name, size, 1)
                assert f"Scans of the data by {name}" in picture.alt
                assert f"budget of {in_bytes(size)}," in picture.alt
                assert words.count("<tr>") == 2
                heading = f"{name}: 30,000 rows, {in_bytes(size)}"
                assert picture.axes[0].get_title(loc="left") == heading
            seen.add(picture.alt)
        assert len(seen) == len(algorithm.options)
        for _, factor in times.options:
            picture, _ = explorer.draw("rf-hybrid", 100_000, factor)
            assert picture.alt.startswith(f"{factor * 30_000:,} rows")
            assert_readable(picture, all_text(picture))

    def test_a_wide_tree_has_budgets_that_hold_a_node(self, people):
        wide = rt.DecisionTree(**TREE | {"n_bins": 4000, "max_depth": 2})
        explorer = rt.explore.budget(rt.scale.grow(wide, people, "rf-read"))
        budgets = [b for _, b in explorer.controls["budget"].options]
        assert budgets == [4 * b for b in BUDGETS]
        assert explorer.tables(budgets[0], 1)["rf-read"]["scans"].tolist() == [1, 2]

    def test_less_memory_means_more_scans_and_never_fewer(self, growth):
        bill = Bill(growth)
        read = [bill.table("rf-read", budget)["scans"].sum() for budget in BUDGETS]
        assert read == sorted(read, reverse=True)
        assert read[0] == sum(len(nodes) for nodes in bill.open)
        assert read[-1] == len(bill.open)

    def test_a_move_is_quick(self, growth):
        explorer, times = rt.explore.budget(growth), []
        for budget in BUDGETS[:3]:
            start = time.process_time()
            explorer.controls["budget"].value = budget
            times.append(time.process_time() - start)
        assert min(times) < 0.3


class TestPicture:
    table = pd.DataFrame({"scans": [1.0, 2.5], "read": [10, 2_000], "written": [0, 400]})

    def test_it_says_what_it_draws(self):
        fig = plot.traffic({"one": self.table, "two": 2 * self.table}, "two")
        assert "by two, level by level: 2, 5." in fig.alt
        assert "one reads 2.01 KB and writes 400 B and two reads 4.02 KB" in fig.alt
        heights = [path.vertices[:, 1].max() for path in fig.axes[0].collections[0].get_paths()]
        assert heights == [2, 5]

    @pytest.mark.parametrize(
        ("heading", "text"), [(None, "one: scans per level"), ("ten rows", "ten rows")]
    )
    def test_its_heading(self, heading, text):
        fig = plot.traffic({"one": self.table}, heading=heading)
        assert fig.axes[0].get_title(loc="left") == text

    def test_wrong_input_is_named(self):
        with pytest.raises(ValueError, match="nothing to draw"):
            plot.traffic({})
        with pytest.raises(ValueError, match="one or two, not 'three'"):
            plot.traffic({"one": self.table, "two": self.table}, "three")

    @pytest.mark.parametrize(
        ("n", "text"),
        [(0, "0 B"), (999, "999 B"), (1_000, "1 KB"), (96_960, "97 KB"), (4.6e13, "46 TB")],
    )
    def test_bytes_in_words(self, n, text):
        assert in_bytes(n) == text


def test_by_hand_counts_what_the_package_counts():
    names, payers = developed("14"), rt.load("tax-payers")
    table = names["count_tables"](names["rows"])["Status"]
    status = payers.X["Status"].astype("category")
    counted = rt.tally((3, 2), status.cat.codes, (payers.y == "Yes").astype(int))
    assert {v: list(counted[k]) for k, v in enumerate(status.cat.categories)} == table


def test_sliq_counts_the_table_of_a_node_from_its_two_lists():
    names = developed("14")
    single = names["count_tables"]([row for row in names["rows"] if row[1] != "Married"])
    assert names["table"] == single["Income"]
    assert list(names["table"]) == sorted(names["table"])


def test_rainforest_scans_once_for_the_classes_and_once_a_level():
    names = developed("14")
    levels = {node.depth for node in names["own"].nodes() if not node.is_leaf}
    assert len(names["log"]) == 1 + len(levels) == 3
    assert set(names["log"]) == {10 * 3}
    assert np.array_equal(names["counts"], names["own"].counts)
    tests = {node.name for node in names["own"].nodes() if not node.is_leaf}
    assert tests == {"Income", "Status"}


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
    writes = [bill.table("rf-hybrid", 2**k * 10**5)["written"].any() for k in (4, 5)]
    assert writes == [True, False]
