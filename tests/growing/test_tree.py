"""The finished tree: text, rules, frame and node views of a tree worked out by hand."""

import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from prunable import chain
from strategies import child_of, schema_of

import ranktrees as rt
from ranktrees_engine import prune
from ranktrees_engine.estimates import estimate_names
from ranktrees_engine.growing.tree import single_leaf
from ranktrees_engine.reading.schema import AttributeInfo


@pytest.fixture(scope="module")
def weather():
    """Quinlan's tree: outlook; humidity below sunny, windy below rainy."""
    data = rt.load("weather.nominal")
    return rt.DecisionTree(criterion="information_gain").fit(data.X, data.y).tree_


def test_text_and_rules(weather):
    assert weather.to_text().splitlines() == [
        "outlook = sunny",
        "|   humidity = high: no (3)",
        "|   humidity = normal: yes (2)",
        "outlook = overcast: yes (4)",
        "outlook = rainy",
        "|   windy = TRUE: no (2)",
        "|   windy = FALSE: yes (3)",
    ]
    top = ["outlook = sunny: no (5/2) ... 2 nodes below", "outlook = overcast: yes (4)"]
    assert weather.to_text(max_depth=1).splitlines()[:2] == top
    assert weather.complexity() == {"nodes": 8, "leaves": 5, "depth": 2, "attributes": 3}
    assert weather.rules() == [
        "if outlook = overcast then yes (4)",
        "if outlook = sunny and humidity = high then no (3)",
        "if outlook = sunny and humidity = normal then yes (2)",
        "if outlook = rainy and windy = TRUE then no (2)",
        "if outlook = rainy and windy = FALSE then yes (3)",
    ]


def test_frame(weather):
    frame = weather.to_frame()
    assert frame["parent"].tolist() == [-1, 0, 0, 0, 1, 1, 3, 3]
    assert frame["test"].tolist() == ["outlook", "humidity", "", "windy", "", "", "", ""]
    assert frame["condition"].tolist()[:2] == ["", "= sunny"]
    assert frame["cases"].tolist() == [14, 5, 4, 5, 3, 2, 2, 3]
    assert frame["n(yes)"].tolist() == [9, 2, 4, 3, 0, 2, 0, 3]


def test_node_views(weather):
    root = weather.root
    assert (root.name, root.depth, root.parent, root.condition) == ("outlook", 0, None, "")
    sunny, overcast, rainy = root.children
    assert sunny.parent == root
    assert (overcast.name, overcast.test, overcast.children) == (None, None, ())
    assert rainy.children[0].path == "outlook = rainy and windy = TRUE"
    assert root.n_below == 7
    assert [node.id for node in weather.nodes()] == list(range(8))
    assert weather.paths()[[0, 3, 7]].tolist() == [[0, -1, -1], [0, 3, -1], [0, 3, 7]]


def test_a_single_leaf():
    tree = single_leaf(np.array([3, 1]), ("a", "b"))
    assert tree.to_text() == "a (4/1)"
    assert tree.rules() == ["if always then a (4/1)"]
    assert tree.apply(np.zeros((2, 0), int)).tolist() == [0, 0]


SIZE = AttributeInfo("size", "ordinal", ("S", "M", "L", "XL"))
CUT = AttributeInfo("x", "numeric", (), (1.5, 2.5), missing=True)
COLOR = AttributeInfo("color", "nominal", ("red", "green", "blue"), missing=True)


@pytest.mark.parametrize(
    ("info", "codes", "words"),
    [
        (SIZE, [0, 1], "<= M"),
        (CUT, [0], "<= 1.5"),
        (CUT, [1], "in (1.5, 2.5]"),
        (CUT, [1, 2], "> 1.5"),
        (CUT, [3], "is missing"),
        (CUT, [2, 3], "> 2.5 or missing"),
        (COLOR, [2, 0], "in {red, blue}"),
        (COLOR, [0, 3], "= red or missing"),
    ],
)
def test_conditions_in_words(info, codes, words):
    assert info.describe(codes) == words


CHAIN = 1101


@pytest.fixture(scope="module")
def staircase():
    """A model of 1,101 cases of alternating classes, whose tree is a chain; X and y."""
    X, y = pd.DataFrame({"x": np.arange(CHAIN, dtype=float)}), np.arange(CHAIN) % 2
    model = rt.DecisionTree("gini", numeric="thresholds", max_codes=None, max_depth=1).fit(X, y)
    tree = replace(chain(CHAIN - 1), schema=model.tree_.schema, classes=model.tree_.classes)
    return model.with_tree(tree), X, y


class TestAChainOfElevenHundredTests:
    """Deeper than Python's stack: whatever is asked of it answers, and soon."""

    @pytest.fixture(autouse=True)
    def soon(self, staircase):
        start = time.process_time()
        yield
        assert time.process_time() - start < 20

    def test_words_and_pictures(self, staircase):
        model, X, y = staircase
        tree = model.tree_
        assert (model.predict(X) == y).all()
        assert tree.to_text().endswith(f"{'|   ' * (CHAIN - 2)}x > {CHAIN - 1.5}: 0 (1)")
        rules = tree.rules()
        assert rules[:2] == ["if x <= 0.5 then 0 (1)", "if x > 0.5 and x <= 1.5 then 1 (1)"]
        assert rules[-1].count(" and ") == CHAIN - 2
        assert tree.to_frame()["depth"].tolist()[-2:] == [CHAIN - 1] * 2
        assert tree.root.n_below == len(tree) - 1
        assert f"{2 * CHAIN - 1} nodes" in rt.plot.tree(model).alt

    @pytest.mark.parametrize("name", estimate_names("counts", "cases"))
    def test_estimates(self, staircase, name):
        model, X, _ = staircase
        some = slice(None) if name == "shrinkage" else slice(0, None, 10)
        anew = model.with_tree(replace(model.tree_))  # a tree of which nothing is known yet
        proba = anew.with_estimate(name).predict_proba(X[some])
        assert proba.sum(axis=1) == pytest.approx(1, abs=1e-9)

    def test_pruning(self, staircase):
        model, X, y = staircase
        tree, codes = model.tree_, model.encode(X).values
        for without_errors in (prune.minimum_error, prune.collapse):
            assert without_errors(tree).n_leaves == CHAIN
        assert prune.reduced_error(tree, codes, y).n_leaves == CHAIN
        for short in (prune.pessimistic, prune.mdl, lambda t: prune.cost_complexity(t).trees[-1]):
            assert len(short(tree)) == 1
        assert len(prune.c45(tree, codes, y)) == 1

    def test_saving_and_explaining(self, staircase, tmp_path):
        model, X, _ = staircase
        rt.save(model, tmp_path / "chain.json")
        again = rt.load_model(tmp_path / "chain.json")
        assert again.tree_.parent.tolist() == model.tree_.parent.tolist()
        for one in (model, model.with_estimate("shrinkage+wpe")):
            assert len(one.explain(X.iloc[[-1]]).table) >= CHAIN - 1


def test_a_case_without_a_branch_stops_at_the_inner_node_and_has_its_estimate():
    X = np.array([[0, 0], [0, 1], [2, 0], [2, 1]])
    codes, y = rt.Codes(X, schema_of((4, 2))), np.array([0, 0, 1, 0])
    tree = rt.DecisionTree("information_gain").fit(codes, y).tree_
    assert tree.apply(np.array([[1, 0], [3, 1], [-1, 0]])).tolist() == [0, 0, 0]
    below = child_of(tree, 0, 2)
    assert tree.apply(np.array([[2, -1]])).tolist() == [below]
    assert not tree.is_leaf[below]
    X = pd.DataFrame({"a": pd.Categorical(list("xxyyz"), categories=list("xyzw"))})
    model, new = rt.DecisionTree().fit(X, [0, 0, 1, 1, 1]), pd.DataFrame({"a": ["w", "new", "x"]})
    assert model.predict_proba(new).tolist() == [[0.4, 0.6], [0.4, 0.6], [1, 0]]
