"""The finished tree: text, rules, frame and node views of a tree worked out by hand."""

import inspect
import sys
import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from strategies import child_of, coded, schema_of

import ranktrees as rt
from ranktrees import prune
from ranktrees.estimates import estimate_names
from ranktrees.growing.tree import Tree, descend, single_leaf
from ranktrees.reading.labels import read_classes
from ranktrees.reading.schema import AttributeInfo


@pytest.fixture(scope="module")
def weather():
    """Quinlan's tree: outlook; humidity below sunny, windy below rainy."""
    data = rt.load("weather.nominal")
    return rt.DecisionTree(criterion="information_gain").fit(data.X, data.y).tree_


def test_text(weather):
    assert weather.to_text().splitlines() == [
        "outlook = sunny",
        "|   humidity = high: no (3)",
        "|   humidity = normal: yes (2)",
        "outlook = overcast: yes (4)",
        "outlook = rainy",
        "|   windy = TRUE: no (2)",
        "|   windy = FALSE: yes (3)",
    ]
    assert str(weather) == weather.to_text()
    assert repr(weather) == "Tree(8 nodes, 5 leaves, depth 2)"


def test_text_down_to_a_depth_says_what_is_left_out(weather):
    lines = weather.to_text(max_depth=1).splitlines()
    assert len(lines) == 3
    assert lines[0] == "outlook = sunny: no (5/2) ... 2 nodes below"
    assert lines[1] == "outlook = overcast: yes (4)"


def test_rules(weather):
    assert sorted(weather.rules()) == sorted(
        [
            "if outlook = sunny and humidity = high then no (3)",
            "if outlook = sunny and humidity = normal then yes (2)",
            "if outlook = overcast then yes (4)",
            "if outlook = rainy and windy = TRUE then no (2)",
            "if outlook = rainy and windy = FALSE then yes (3)",
        ]
    )


def test_frame(weather):
    frame = weather.to_frame()
    assert frame.index.name == "node"
    assert frame["parent"].tolist() == [-1, 0, 0, 0, 1, 1, 3, 3]
    assert frame["depth"].tolist() == [0, 1, 1, 1, 2, 2, 2, 2]
    assert frame["test"].tolist() == ["outlook", "humidity", "", "windy", "", "", "", ""]
    assert frame["condition"].tolist()[:3] == ["", "= sunny", "= overcast"]
    assert frame["cases"].tolist() == [14, 5, 4, 5, 3, 2, 2, 3]
    assert frame["n(yes)"].tolist() == [9, 2, 4, 3, 0, 2, 0, 3]
    assert frame["n(no)"].tolist() == [5, 3, 0, 2, 3, 0, 2, 0]


def test_complexity(weather):
    assert weather.complexity() == {"nodes": 8, "leaves": 5, "depth": 2, "attributes": 3}


def test_node_views(weather):
    root = weather.root
    assert (root.name, root.depth, root.parent, root.condition) == ("outlook", 0, None, "")
    sunny, overcast, rainy = root.children
    assert sunny.parent == root
    assert overcast.is_leaf
    assert overcast.name is None
    assert overcast.test is None
    assert overcast.children == ()
    assert rainy.path == "outlook = rainy"
    assert rainy.children[0].path == "outlook = rainy and windy = TRUE"
    assert root.n_below == 7
    assert root.counts.tolist() == [5, 9]
    assert [node.id for node in weather.nodes()] == list(range(8))


def test_paths(weather):
    assert weather.paths().tolist() == [
        [0, -1, -1], [0, 1, -1], [0, 2, -1], [0, 3, -1],
        [0, 1, 4], [0, 1, 5], [0, 3, 6], [0, 3, 7],
    ]  # fmt: skip


def test_a_single_leaf():
    tree = single_leaf(np.array([3, 1]), ("a", "b"))
    assert (len(tree), tree.n_leaves, tree.depth) == (1, 1, 0)
    assert tree.to_text() == "a (4/1)"
    assert tree.rules() == ["if always then a (4/1)"]
    assert tree.apply(np.zeros((2, 0), int)).tolist() == [0, 0]
    assert tree.complexity() == {"nodes": 1, "leaves": 1, "depth": 0, "attributes": 0}
    assert len(tree.to_frame()) == 1


class TestWords:
    size = AttributeInfo("size", "ordinal", ("S", "M", "L", "XL"))
    cut = AttributeInfo("x", "numeric", (), (1.5, 2.5), missing=True)
    color = AttributeInfo("color", "nominal", ("red", "green", "blue"), missing=True)

    @pytest.mark.parametrize(
        ("info", "codes", "words"),
        [
            (size, [0, 1], "<= M"),
            (size, [2, 3], "> M"),
            (size, [3], "= XL"),
            (cut, [0], "<= 1.5"),
            (cut, [1], "in (1.5, 2.5]"),
            (cut, [2], "> 2.5"),
            (cut, [1, 2], "> 1.5"),
            (cut, [3], "is missing"),
            (cut, [2, 3], "> 2.5 or missing"),
            (color, [1], "= green"),
            (color, [2, 0], "in {red, blue}"),
            (color, [0, 3], "= red or missing"),
        ],
    )
    def test_describe(self, info, codes, words):
        assert info.describe(codes) == words

    def test_sizes(self):
        assert [info.size for info in (self.size, self.cut, self.color)] == [4, 4, 4]
        assert [info.ordered for info in (self.size, self.cut, self.color)] == [True, True, False]


def test_text_of_a_binary_tree_names_subsets_and_cuts():
    X = pd.DataFrame({"c": list("rgbrgb"), "n": [1.0, 1, 1, 2, 2, 2]})
    model = rt.DecisionTree("gini", "binary", numeric="thresholds").fit(X, list("abaaba"))
    lines = model.tree_.to_text().splitlines()
    assert sorted(lines) == ["c = g: b (2)", "c in {b, r}: a (4)"]
    model.fit(X, list("aaabbb"))
    assert model.tree_.to_text().splitlines() == ["n <= 1.5: a (3)", "n > 1.5: b (3)"]


def test_a_tree_deeper_than_the_stack_can_be_read():
    """A staircase of alternating classes makes a tree of n - 1 levels."""
    n, limit = 250, sys.getrecursionlimit()
    x, y = np.arange(n, dtype=float)[:, None], np.arange(n) % 2
    tree = rt.DecisionTree("gini", numeric="thresholds", max_codes=None).fit(x, y).tree_
    assert tree.depth == n - 1
    sys.setrecursionlimit(len(inspect.stack()) + 120)
    try:
        rules, below = tree.rules(), tree.root.n_below
        full, top = tree.to_text().splitlines(), tree.to_text(max_depth=3).splitlines()
    finally:
        sys.setrecursionlimit(limit)
    assert len(rules) == tree.n_leaves == n
    assert max(rule.count(" and ") for rule in rules) == n - 2
    assert below == len(full) == len(tree) - 1
    assert len(top) <= 14


CHAIN = 3001


@pytest.fixture(scope="module")
def chain():
    """Test t parts case t from those above: nodes 2t + 1 (a leaf) and 2t + 2 are below 2t."""
    X = pd.DataFrame({"a": np.arange(CHAIN, dtype=float)})
    y, inner = np.arange(CHAIN) % 2, np.arange(0, 2 * CHAIN - 2, 2)
    model = rt.DecisionTree("gini", numeric="thresholds", max_codes=None, max_depth=1)
    model.fit(X, y)
    T, rest = 2 * CHAIN - 1, np.cumsum(np.eye(2, dtype=int)[y][::-1], axis=0)[::-1]
    parent, attribute, cut, counts = np.full(T, -1), np.full(T, -1), np.full(T, -1), []
    parent[inner + 1] = parent[inner + 2] = inner
    attribute[inner], cut[inner] = 0, inner // 2
    counts = np.empty((T, 2), int)
    counts[::2], counts[1::2] = rest, np.eye(2, dtype=int)[y[:-1]]
    offset = np.append(0, np.cumsum(np.where(attribute < 0, 0, 2)))
    tree = Tree(parent, attribute, cut, np.arange(1, T), offset, counts, model.tree_.schema)
    return model.with_tree(replace(tree, classes=model.tree_.classes)), X, y


class TestAChainOfThreeThousandTests:
    """A staircase of alternating classes: whatever is asked of it answers, and soon."""

    @staticmethod
    def within(seconds, ask):
        """What `ask` answers; the processor's seconds, since others may be at work."""
        start = time.process_time()
        answer = ask()
        assert time.process_time() - start < seconds
        return answer

    def test_it_is_what_it_should_be(self, chain):
        model, X, y = chain
        assert model.tree_.depth == CHAIN - 1
        assert (model.apply(X)[:-1] == np.arange(1, 2 * CHAIN - 2, 2)).all()
        assert (model.predict(X) == y).all()

    def test_words(self, chain):
        tree = chain[0].tree_
        text = self.within(20, tree.to_text)
        assert text.count("\n") == 2 * CHAIN - 3
        assert text.endswith(f"{'|   ' * (CHAIN - 2)}a > {CHAIN - 1.5}: 0 (1)")
        rules = self.within(20, tree.rules)
        assert rules[:2] == ["if a <= 0.5 then 0 (1)", "if a > 0.5 and a <= 1.5 then 1 (1)"]
        assert rules[-1].count(" and ") == CHAIN - 2
        frame = self.within(20, tree.to_frame)
        assert frame["depth"].tolist()[-2:] == [CHAIN - 1] * 2

    def test_a_picture(self, chain):
        import matplotlib.pyplot as plt

        picture = self.within(20, lambda: rt.plot.tree(chain[0]))
        plt.close("all")
        assert f"{2 * CHAIN - 1} nodes" in picture.alt

    @pytest.mark.parametrize("name", estimate_names("counts", "cases"))
    def test_estimates(self, chain, name):
        model, X, y = chain
        some = slice(None) if name == "shrinkage" else slice(0, None, 10)
        proba = self.within(20, lambda: estimated(model, name, X[some]))
        assert proba.shape == (len(y[some]), 2)
        assert proba.sum(axis=1) == pytest.approx(1, abs=1e-9)

    def test_pruning(self, chain):
        model, X, y = chain
        tree, codes = model.tree_, model.encode(X).values
        ways = {
            "pessimistic": lambda: prune.pessimistic(tree),
            "minimum_error": lambda: prune.minimum_error(tree),
            "mdl": lambda: prune.mdl(tree),
            "reduced_error": lambda: prune.reduced_error(tree, codes, y),
            "collapse": lambda: prune.collapse(tree),
            "cost_complexity": lambda: prune.cost_complexity(tree).trees[-1],
            "c45": lambda: prune.c45(tree, codes, y),
        }
        leaves = {name: self.within(20, way).n_leaves for name, way in ways.items()}
        keep = {name for name, n in leaves.items() if n == CHAIN}
        assert keep == {"reduced_error", "collapse", "minimum_error"}  # it makes no error
        assert {leaves[name] for name in leaves.keys() - keep} == {1}

    def test_saving_and_explaining(self, chain, tmp_path):
        model, X, _ = chain
        self.within(20, lambda: rt.save(model, tmp_path / "chain.json"))
        again = self.within(20, lambda: rt.load_model(tmp_path / "chain.json"))
        assert again.tree_.parent.tolist() == model.tree_.parent.tolist()
        for one in (model, model.with_estimate("shrinkage+wpe")):
            said = self.within(20, lambda one=one: one.explain(X.iloc[[-1]]))
            assert len(said.table) >= CHAIN - 1


def estimated(model, name, X):
    """What the estimate of this name says of cases X, from a tree of which nothing is known yet."""
    return model.with_tree(replace(model.tree_)).with_estimate(name).predict_proba(X)


def test_apply_needs_no_contiguous_or_wide_codes(weather):
    data = rt.load("weather.nominal")
    codes = np.stack([data.X[c].cat.codes for c in data.X], axis=1)
    ends = weather.apply(codes)
    assert weather.apply(np.asfortranarray(codes)).tolist() == ends.tolist()
    assert weather.apply(codes.astype(np.int8)[:, :]).tolist() == ends.tolist()
    assert weather.apply(codes[:0]).tolist() == []
    majority = weather.counts[ends].argmax(axis=1)
    assert (majority == read_classes(data.y)[0]).all()


class TestTheRecord:
    @pytest.fixture(params=["multiway", "binary", "threshold"])
    def grown(self, request):
        codes, y = coded(
            7, n=400, sizes=(3, 4, 60, 2), kinds=["nominal", "ordinal", "numeric", "nominal"]
        )
        model = rt.DecisionTree("gini", request.param, numeric="thresholds").fit(codes, y)
        return codes, y, model.tree_

    def test_ids(self, grown):
        _, _, tree = grown
        assert tree.parent[0] == -1
        assert (tree.parent[1:] < np.arange(1, len(tree))).all()
        assert (np.diff(tree.depths) >= 0).all(), "breadth first"
        children = tree.child[tree.child >= 0]
        assert sorted(set(children.tolist())) == list(range(1, len(tree)))
        for t in range(len(tree)):
            below = tree.child[tree.offset[t] : tree.offset[t + 1]]
            assert (len(below) == 0) == bool(tree.is_leaf[t])
            assert (tree.parent[below[below >= 0]] == t).all(), "padded child ids"
        assert tree.offset[-1] == len(tree.child)
        assert (tree.child >= -1).all()

    def test_counts_of_children_sum_to_the_parent(self, grown):
        _, y, tree = grown
        assert tree.counts[0].tolist() == np.bincount(y).tolist()
        sums = np.zeros_like(tree.counts)
        np.add.at(sums, tree.parent[1:], tree.counts[1:])
        assert np.array_equal(sums[~tree.is_leaf], tree.counts[~tree.is_leaf])
        assert (tree.counts.sum(axis=1) > 0).all()

    def test_arrays_are_read_only(self, grown):
        _, _, tree = grown
        for name in ("parent", "attribute", "cut", "child", "offset", "counts", "depths"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(tree, name)[0] = 5
        with pytest.raises(AttributeError):
            tree.counts = None

    def test_apply_follows_the_conditions(self, grown):
        codes, y, tree = grown
        ends = tree.apply(codes.values)
        assert tree.is_leaf[ends].all()
        for t in np.unique(ends):
            assert np.bincount(y[ends == t], minlength=3).tolist() == tree.counts[t].tolist()
        for case, end in zip(codes.values[:60], ends[:60], strict=True):
            at = 0
            while not tree.is_leaf[at]:
                at = child_of(tree, at, case[tree.attribute[at]])
            assert at == end

    def test_growing_again_gives_the_same(self, grown):
        codes, y, tree = grown
        again = rt.DecisionTree("gini", "multiway", numeric="thresholds").fit(codes, y).tree_
        once = rt.DecisionTree("gini", "multiway", numeric="thresholds").fit(codes, y).tree_
        for name in ("parent", "attribute", "cut", "child", "offset", "counts"):
            assert np.array_equal(getattr(again, name), getattr(once, name))
        assert len(tree) > 10


class TestEmptyBranches:
    def test_a_case_stops_at_the_inner_node(self):
        X = np.array([[0, 0], [0, 1], [2, 0], [2, 1]])
        codes, y = rt.Codes(X, schema_of((4, 2))), np.array([0, 0, 1, 0])
        tree = rt.DecisionTree("information_gain").fit(codes, y).tree_
        assert tree.apply(np.array([[1, 0], [3, 1], [-1, 0]])).tolist() == [0, 0, 0]
        below = child_of(tree, 0, 2)
        assert tree.apply(np.array([[2, -1]])).tolist() == [below]
        assert not tree.is_leaf[below]
        assert child_of(tree, 0, 1) == -1
        assert child_of(tree, 0, 3) == -1

    def test_the_inner_nodes_estimate_is_used(self):
        X = pd.DataFrame({"a": pd.Categorical(list("xxyyz"), categories=list("xyzw"))})
        model = rt.DecisionTree().fit(X, [0, 0, 1, 1, 1])
        assert model.predict_proba(pd.DataFrame({"a": ["w", "unheard", "x"]})).tolist() == [
            [0.4, 0.6], [0.4, 0.6], [1, 0],
        ]  # fmt: skip


class TestDescend:
    """One walk serves prediction, pruning and routing."""

    def test_each_level_has_the_cases_that_went_on(self):
        data = rt.load("weather.nominal")
        model = rt.DecisionTree().fit(data.X, data.y)
        codes, tree = model.encode(data.X).values, model.tree_
        before = range(14)
        for depth, (cases, node) in enumerate(descend(tree, codes)):
            assert (tree.depths[node] == depth).all()
            assert (tree.paths()[tree.apply(codes)[cases], depth] == node).all()
            assert set(cases) <= set(before)
            before = cases
        assert depth == tree.depth

    def test_cases_start_at_their_roots_and_stop_at_unseen_values(self):
        data = rt.load("weather.nominal")
        model = rt.DecisionTree().fit(data.X, data.y)
        codes = model.encode(data.X).values.copy()
        codes[:, model.tree_.attribute[0]] = -1
        assert [len(cases) for cases, _ in descend(model.tree_, codes)] == [14]
        root = np.full(14, int(np.flatnonzero(model.tree_.is_leaf)[0]))
        levels = list(descend(model.tree_, codes, root))
        assert len(levels) == 1
        assert (levels[0][1] == root).all()
