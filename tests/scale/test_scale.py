"""Every algorithm on files grows the tree of memory, and reads and writes what its paper says."""

import re

import numpy as np
import pandas as pd
import pytest
from scale_cases import (
    ALGORITHMS,
    assert_all_alike,
    assert_same_model,
    batches_of,
    least_budget,
    mixed,
    write,
)

import ranktrees as rt
from ranktrees.estimates import estimate_names
from ranktrees_scale.fit import as_bytes

LONG = [2, 3, 4, 6, 7, 8, 9]
SETS = ["weather.nominal", "iris", "vote", "labor", "credit-g"]
LONG_SETS = ["soybean", "breast-cancer", "diabetes", "glass", "ionosphere", "segment"]


def often(daily, rarely):
    """Parameters of the daily run, and those that are long."""
    return [*daily, *(pytest.param(value, marks=pytest.mark.long) for value in rarely)]


@pytest.fixture
def files(tmp_path):
    """A function that writes X and y to files of some rows and scans them."""

    def scan(X, y, sizes=(100, 0, 37)):
        return rt.scan(write(X.assign(label=y), tmp_path / "files", sizes), "label")

    return scan


@pytest.mark.parametrize("function", often([1, 5, 10], LONG))
def test_agrawal_trees_are_those_of_memory(function, files):
    data = rt.agrawal(1500, function, noise=0.1, extra=2)
    X = data.X.mask(np.random.default_rng(function).random(data.X.shape) < 0.02)
    with batches_of(256):
        for missing in ("impute", "value"):
            assert_all_alike(
                lambda missing=missing: rt.DecisionTree("gini", missing=missing, min_parent=20),
                X,
                data.y,
                files(X, data.y),
            )


@pytest.mark.parametrize("name", often(SETS, LONG_SETS))
@pytest.mark.parametrize(
    "make",
    [
        rt.C44,
        lambda: rt.C45(raising=False, max_codes=40, numeric="thresholds"),
        lambda: rt.DecisionTree("gini", "binary", numeric="thresholds", significance=0.1),
    ],
    ids=["C44", "C45", "CART"],
)
def test_real_sets_grow_the_trees_of_memory(name, make, files):
    data = rt.load(name)
    X = data.X.drop(columns=list(data.ids))
    with batches_of(256):
        assert_all_alike(make, X, data.y, files(X, data.y), 150_000)


def test_every_estimate_of_a_node(files):
    data = rt.load("vote")
    scan = files(data.X, data.y)
    model = rt.DecisionTree("gini").fit(scan)
    for name in estimate_names("counts"):
        memory = rt.DecisionTree("gini", estimate=name).fit(data.X, data.y)
        assert_same_model(model.with_estimate(name), memory)
        assert_same_model(rt.DecisionTree("gini", estimate=name).fit(scan), memory)
    for rules in ("weka", "wang2006"):
        memory = rt.C44(rules=rules).fit(data.X, data.y)
        assert_same_model(rt.C44(rules=rules).fit(scan), memory)
    with pytest.raises(ValueError, match="'laplace' has no parameter 'curt'"):
        model.with_estimate("laplace", curt=1)


@pytest.mark.parametrize("estimate", estimate_names("cases"))
def test_estimates_by_case_are_refused(estimate, files):
    data = rt.load("weather.nominal")
    scan = files(data.X, data.y, ())
    with pytest.raises(ValueError, match=re.escape(repr(estimate)) + ".*laplace.*sample"):
        rt.DecisionTree(estimate=estimate).fit(scan)
    model = rt.DecisionTree().fit(scan)
    with pytest.raises(ValueError, match=re.escape(repr(estimate)) + ".*laplace.*sample"):
        model.with_estimate(estimate)


def test_limits_stop_alike(files):
    frame = mixed(300)
    y, scan = frame.pop("label"), None
    scan = files(frame, y)
    for limits in (
        {"max_depth": 2, "min_child": 9},
        {"min_parent": 60, "child_rule": "two"},
        {"min_gain": 0.05},
        {"significance": 0.05},
    ):
        with batches_of(100):
            assert_all_alike(
                lambda limits=limits: rt.DecisionTree("gini", **limits), frame, y, scan
            )
    with pytest.raises(ValueError, match=r"column 'number' has \d+ missing values: fill them"):
        rt.DecisionTree(missing="error").fit(scan)


def test_a_root_that_is_a_leaf(files):
    X = pd.DataFrame({"a": np.zeros(20), "b": ["u"] * 20})
    y = pd.Series(["no", "yes"] * 10)
    with batches_of(9):
        model = assert_all_alike(rt.DecisionTree, X, y, files(X, y, [7]))
    assert len(model.tree_) == 1


def grown(scan, algorithm, budget, **how):
    with batches_of(250):
        return rt.scale.grow(rt.DecisionTree("gini", **how), scan, algorithm, budget)


@pytest.fixture(scope="module")
def loans(tmp_path_factory):
    """A scan of 6,000 applicants, their tree of depth 4, and the bytes of one node's tables."""
    folder = tmp_path_factory.mktemp("loans")
    rt.data.write_agrawal(folder, 6000, 5, 0.05, extra=3)
    scan = rt.scan(folder, "group")
    model = rt.DecisionTree("gini", min_parent=40, max_depth=4).fit(scan)
    return scan, model.tree_, least_budget(rt.DecisionTree("gini"), scan)


def open_nodes(tree):
    """Which nodes (T,) are worth a test."""
    mixed_up = (tree.counts > 0).sum(axis=1) > 1
    return (tree.counts.sum(axis=1) >= 40) & mixed_up & (tree.depths < 4)


@pytest.mark.parametrize("room", [1, 5, 16, 1000])
def test_rf_read_scans_as_often_as_the_tables_need(loans, room):
    scan, tree, node_bytes = loans
    model, table = grown(scan, "rf-read", room * node_bytes, min_parent=40, max_depth=4)
    assert isinstance(model, rt.DecisionTree)
    n_open = np.bincount(tree.depths[open_nodes(tree)])
    expected = -(-n_open // room)
    assert table["scans"].tolist() == expected.tolist()
    assert (table["rows read"] == 6000 * expected).all()
    assert (table["read"] == 6000 * 13 * expected).all(), "12 attributes and the class, a byte each"
    assert (table["written"] == 0).all()
    assert table["tables"].tolist() == (np.minimum(n_open, room) * node_bytes).tolist()
    assert (table["memory"] > 0).all()


def test_rf_write_writes_the_cases_of_open_nodes(loans):
    scan, tree, node_bytes = loans
    _, table = grown(scan, "rf-write", 5 * node_bytes, min_parent=40, max_depth=4)
    n, depth = tree.counts.sum(axis=1), tree.depths
    is_open = open_nodes(tree)
    cases = np.bincount(depth[is_open], n[is_open])
    written = table["rows written"].reindex(range(5), fill_value=0)
    read = table["rows read"].reindex(range(5), fill_value=0)
    assert written.tolist() == [0, *cases[1:], 0], "a level's files are written when it is reached"
    # a level is read for its tables, and to divide it
    assert read[0] == 6000
    divided = np.unique(tree.parent[is_open & (depth > 0)])
    again = np.bincount(depth[divided] + 1, n[divided], minlength=len(cases))
    assert read.tolist() == [*(cases + again), 0]
    assert table["written"].sum() == 13 * cases[1:].sum()


def test_what_each_algorithm_moves(loans):
    scan, _, node_bytes = loans

    def table_of(algorithm, room=1000):
        return grown(scan, algorithm, room * node_bytes, min_parent=40, max_depth=4).table

    def moved(table):
        return int((table["read"] + table["written"]).sum())

    tables = {algorithm: table_of(algorithm) for algorithm in ALGORITHMS}
    read, sliq, sprint = (tables[name] for name in ("rf-read", "sliq", "sprint"))
    assert moved(sprint) > 5 * moved(read)
    assert moved(sliq) > 2 * moved(read)
    lists = 6000 * 12
    assert sliq["written"].sum() == 2 * lists * 5, "code and case, raw and sorted"
    assert sprint["written"][0] >= 2 * lists * 6, "and the class"
    assert moved(table_of("rf-hybrid", 5)) < moved(table_of("rf-read", 5))
    wide = grown(scan, "rf-hybrid", "64MB", min_parent=40, max_depth=4).table
    assert wide["read"].sum() == 6000 * 13, "the cases fit in the budget: read once"


def test_budgets_in_words():
    given = (1, "1", "1B", "2 kb", "1.5MB", 1e9, "1tb")
    assert [as_bytes(b) for b in given] == [1, 1, 1, 2000, 1_500_000, 10**9, 10**12]


@pytest.mark.parametrize(
    "budget", [0, True, "", "many", "nan", "infMB", "-1MB", "1e400", "5XB", 0.2, [1]]
)
def test_nonsense_budgets_are_refused(budget, loans):
    with pytest.raises((ValueError, TypeError), match=r'budget must be a number of bytes.*"256MB"'):
        rt.DecisionTree().fit(loans[0], budget=budget)


def test_budgets_too_small_say_how_much_is_needed(loans):
    scan, _, node_bytes = loans
    with pytest.raises(ValueError, match=r"budget.*block.*851,968 bytes"):
        rt.DecisionTree().fit(scan, budget=5000)
    with batches_of(100):
        assert len(rt.DecisionTree(max_depth=1).fit(scan, budget=node_bytes).tree_) > 1
        with pytest.raises(ValueError, match=rf"one node take {node_bytes:,} bytes"):
            rt.DecisionTree().fit(scan, budget=node_bytes - 1)
