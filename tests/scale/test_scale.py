"""Every algorithm on files grows the tree of memory, and reads and writes what its paper says."""

import re

import numpy as np
import pandas as pd
import pytest
from scale_cases import (
    assert_all_alike,
    assert_same_model,
    batches_of,
    least_budget,
    mixed,
    write,
)

import ranktrees as rt
from ranktrees_engine.estimates import estimate_names
from ranktrees_files.scale.fit import as_bytes

LONG = [1, 2, 3, 4, 6, 7, 8, 9, 10]
SETS = ["iris", "vote", "labor"]
LONG_SETS = ["credit-g", "soybean", "breast-cancer", "diabetes", "glass", "ionosphere", "segment"]


def often(daily, rarely):
    """Parameters of the daily run, and those that are long."""
    return [*daily, *(pytest.param(value, marks=pytest.mark.long) for value in rarely)]


@pytest.fixture
def files(tmp_path):
    """A function that writes X and y to files of some rows and scans them, in small batches."""
    with batches_of(150):
        yield lambda X, y, sizes=(100, 0, 37): rt.scan(
            write(X.assign(label=y), tmp_path, sizes), "label"
        )


@pytest.mark.parametrize("function", often([5], LONG))
def test_agrawal_trees_are_those_of_memory(function, files):
    data = rt.agrawal(1500, function, noise=0.1, extra=2)
    X = data.X.mask(np.random.default_rng(function).random(data.X.shape) < 0.02)
    scan = files(X, data.y)
    for missing in ("impute", "value"):
        how = {"missing": missing, "min_parent": 20}
        assert_all_alike(lambda how=how: rt.DecisionTree("gini", **how), X, data.y, scan)


@pytest.mark.parametrize("name", often(SETS, LONG_SETS))
@pytest.mark.parametrize(
    "make",
    [
        lambda: rt.C44(rules="weka"),
        lambda: rt.C45(raising=False, max_codes=40, numeric="thresholds"),
        lambda: rt.DecisionTree("gini", "binary", numeric="thresholds", significance=0.1),
    ],
    ids=["C44", "C45", "CART"],
)
def test_real_sets_grow_the_trees_of_memory(name, make, files):
    data = rt.load(name)
    X = data.X.drop(columns=list(data.ids))
    assert_all_alike(make, X, data.y, files(X, data.y), 250_000)


def test_every_estimate_of_a_node(files):
    data = rt.load("vote")
    scan = files(data.X, data.y)
    model = rt.DecisionTree("gini").fit(scan)
    for name in estimate_names("counts"):
        memory = rt.DecisionTree("gini", estimate=name).fit(data.X, data.y)
        assert_same_model(model.with_estimate(name), memory)
        assert_same_model(rt.DecisionTree("gini", estimate=name).fit(scan), memory)
    for name in estimate_names("cases"):
        for ask in (model.with_estimate, lambda name: rt.DecisionTree(estimate=name).fit(scan)):
            with pytest.raises(ValueError, match=re.escape(repr(name)) + ".*laplace.*sample"):
                ask(name)


def test_limits_stop_alike(files):
    frame = mixed(300)
    X, y = frame.drop(columns="label"), frame["label"]
    scan = files(X, y)
    for limits in (
        {"max_depth": 2, "min_child": 9},
        {"min_parent": 60, "child_rule": "two", "min_gain": 0.05},
        {"significance": 0.05},
    ):
        assert_all_alike(lambda how=limits: rt.DecisionTree("gini", **how), X, y, scan)
    with pytest.raises(ValueError, match=r"column 'number' has \d+ missing values: fill them"):
        rt.DecisionTree(missing="error").fit(scan)


def test_a_root_that_is_a_leaf(files):
    X, y = pd.DataFrame({"a": np.zeros(20), "b": ["u"] * 20}), pd.Series(["no", "yes"] * 10)
    assert len(assert_all_alike(rt.DecisionTree, X, y, files(X, y, [7])).tree_) == 1


N = 2000


def grown(scan, algorithm, budget):
    with batches_of(250):
        model = rt.DecisionTree("gini", min_parent=15, max_depth=4)
        return rt.scale.grow(model, scan, algorithm, budget).table


@pytest.fixture(scope="module")
def loans(tmp_path_factory):
    """A scan of applicants, their tree of depth 4, and the bytes of one node's tables."""
    folder = tmp_path_factory.mktemp("loans")
    rt.data.write_agrawal(folder, N, 5, 0.05, extra=3)
    scan = rt.scan(folder, "group")
    model = rt.DecisionTree("gini", min_parent=15, max_depth=4).fit(scan)
    return scan, model.tree_, least_budget(rt.DecisionTree("gini"), scan)


def open_nodes(tree):
    """Which nodes (T,) are worth a test."""
    mixed_up = (tree.counts > 0).sum(axis=1) > 1
    return (tree.counts.sum(axis=1) >= 15) & mixed_up & (tree.depths < 4)


@pytest.mark.parametrize("room", [1, 5, 1000])
def test_rf_read_scans_as_often_as_the_tables_need(loans, room):
    scan, tree, node_bytes = loans
    table = grown(scan, "rf-read", room * node_bytes)
    n_open = np.bincount(tree.depths[open_nodes(tree)])
    expected = -(-n_open // room)
    assert table["scans"].tolist() == expected.tolist()
    assert (table["rows read"] == N * expected).all()
    assert (table["read"] == N * 13 * expected).all(), "12 attributes and the class, a byte each"
    assert (table["written"] == 0).all()
    assert table["tables"].tolist() == (np.minimum(n_open, room) * node_bytes).tolist()
    assert (table["memory"] > 0).all()


def test_rf_write_writes_the_cases_of_open_nodes(loans):
    scan, tree, node_bytes = loans
    n, depth, is_open = tree.counts.sum(axis=1), tree.depths, open_nodes(tree)
    cases = np.bincount(depth[is_open], n[is_open])
    table = grown(scan, "rf-write", 5 * node_bytes).reindex(range(5), fill_value=0)
    written, read = table["rows written"], table["rows read"]
    assert written.tolist() == [0, *cases[1:], 0], "a level's files are written when it is reached"
    # a level is read for its tables, and to divide it
    assert read[0] == N
    divided = np.unique(tree.parent[is_open & (depth > 0)])
    again = np.bincount(depth[divided] + 1, n[divided], minlength=len(cases))
    assert read.tolist() == [*(cases + again), 0]
    assert table["written"].sum() == 13 * cases[1:].sum()


def test_what_each_algorithm_moves(loans):
    scan, _, node_bytes = loans

    def moved(table):
        return int((table["read"] + table["written"]).sum())

    names, lists = ("rf-read", "sliq", "sprint"), N * 12
    read, sliq, sprint = (grown(scan, name, 1000 * node_bytes) for name in names)
    assert moved(sprint) > 5 * moved(read)
    assert moved(sliq) > 2 * moved(read)
    assert sliq["written"].sum() == 2 * lists * 5, "code and case, raw and sorted"
    assert sprint["written"][0] >= 2 * lists * 6, "and the class"
    few = [moved(grown(scan, name, 5 * node_bytes)) for name in ("rf-hybrid", "rf-read")]
    assert few[0] < few[1]
    assert grown(scan, "rf-hybrid", "64MB")["read"].sum() == N * 13, "they fit: read once"


def test_budgets_in_words_and_those_that_are_too_small(loans):
    given = (1, "1", "1B", "2 kb", "1.5MB", 1e9, "1tb")
    assert [as_bytes(b) for b in given] == [1, 1, 1, 2000, 1_500_000, 10**9, 10**12]
    scan, _, least = loans
    for budget in (0, True, "", "many", "nan", "infMB", "-1MB", "1e400", "5XB", 0.2, [1]):
        with pytest.raises((ValueError, TypeError), match=r'budget must be a number.*"256MB"'):
            rt.DecisionTree().fit(scan, budget=budget)
    with pytest.raises(ValueError, match=r"budget.*block.*851,968 bytes"):
        rt.DecisionTree().fit(scan, budget=5000)
    with batches_of(100):
        assert len(rt.DecisionTree(max_depth=1).fit(scan, budget=least).tree_) > 1
        with pytest.raises(ValueError, match=rf"one node take {least:,} bytes"):
            rt.DecisionTree().fit(scan, budget=least - 1)
