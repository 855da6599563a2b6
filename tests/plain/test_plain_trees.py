"""Criteria, bins, growing and pruning against their plain forms, node by node."""

import ast
import json
import re
import runpy
import sys
import types
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import difference, loaded, prepared, quietly
from prunable import SEEDS
from prunable import grown as grown_to_prune
from strategies import TWO_BRANCHES, as_plain, coded, fits, tables

import ranktrees as rt
from ranktrees.plain import (
    bayes,
    c45,
    criteria,
    evaluate,
    growing,
    newton_values,
    pruning,
    pruning_c45,
)
from ranktrees.plain import bins as plain_bins
from ranktrees.plain.tree import Cases, Node, predict
from ranktrees.reading import bins

FEW = settings(max_examples=15, deadline=None)
GOLDEN = Path(__file__).parents[1] / "golden"
ROOM = Path(growing.__file__).parent


PLAIN_SPLITS = {"multiway": growing.multiway, "threshold": growing.cuts}


def with_accidents(seed, sizes=(2, 3, 5, 4), classes=3, n=None):
    """Codes and classes of 1 to 80 cases; values and classes that nobody has, ties, one class."""
    rng = np.random.default_rng(seed)
    n = n or int(rng.choice([2, 5, 20, 80]))
    codes, y = coded(seed, n=n, sizes=sizes, classes=classes, noise=0.4)
    if rng.random() < 0.3:
        codes.values[:, 3] = codes.values[:, 0]  # ties exactly, where both are tested
    if rng.random() < 0.3:
        y = y // 2
    y[0], y[1] = 0, 1  # the package wants two classes
    return codes, pd.Categorical.from_codes(y, [0, 1, 2][:classes])


def grown(codes, y, **params):
    params = {"split": "multiway", **params}
    return rt.DecisionTree(**params).fit(codes, y).tree_


def on_iris(file, source):
    """What the answers of a plain file, of this source, are worth in ten folds of iris."""
    module = sys.modules["plain_edited"] = types.ModuleType("plain_edited")
    exec(source, module.__dict__)
    data = rt.load("iris")
    y, fold = data.y.codes, evaluate.stratified_folds(data.y.codes, 10, 1)
    codes = rt.Encoder().fit_transform(data.X)

    def newton(X, y):
        distances = [newton_values.difference] * 4
        root = module.newton_tree(X, y, 3, distances)
        return lambda cases: [module.probabilities(root, case, distances) for case in cases]

    def shrinkage(X, y):
        root, train = c45.c45(X, y, codes.sizes, 3), Cases(X, y, codes.sizes, 3)
        return lambda cases: module.shrinkage(root, train, cases)

    fit, X = (newton, data.X.to_numpy()) if file == "newton.py" else (shrinkage, codes.values)
    proba = evaluate.cross_validate(fit, X, y, fold, 3)
    missed, M = proba.argmax(axis=1) != y, evaluate.hand_till(y, proba)
    return {"missed": missed, "wrong": missed.sum(), "sure": proba.max(axis=1).mean(), "M": M}


class TestTheRoom:
    TEXT = (ROOM / "README.md").read_text(encoding="utf-8")

    def test_its_example_says_what_the_package_says(self):
        names = {}
        exec(self.TEXT.split("```python")[1].split("```")[0], names)
        codes, X = names["codes"], names["X"]
        proba = rt.C45().fit(codes, names["data"].y).predict_proba(codes)
        assert np.array_equal(predict(names["root"], X), proba)

    def test_the_files_and_names_of_its_text_are_there(self):
        files = {path.name for path in ROOM.glob("*.py")} - {"__init__.py"}
        assert {name for name in files if f"`{name}`" not in self.TEXT} == set()
        for path in re.findall(r"`(ranktrees/[a-z_/]+\.py)`", self.TEXT):
            assert (ROOM.parents[1] / path).is_file(), path
        for name in re.findall(r"`rt\.(\w+)", self.TEXT):
            assert hasattr(rt, name), name

    @pytest.mark.parametrize("row", ["newton.py", "shrinkage.py"])
    def test_what_it_tells_to_try_does_what_it_says(self, row):
        """Wrong answers, how sure they are and M, before the change of a line and after it."""
        cells = next(line for line in self.TEXT.splitlines() if line.startswith(f"| `{row}` | `"))
        old, new = re.findall(r"`([^`]+)`", cells)[1:]
        source = (ROOM / row).read_text(encoding="utf-8")
        assert source.count(old) == 1
        before, after = (on_iris(row, text) for text in (source, source.replace(old, new)))
        said = [f"{after['sure']:.2f} for {before['sure']:.2f}"]
        if row == "newton.py":
            said.append(f"{after['wrong']} flowers are wrong where {before['wrong']} were")
        else:
            said.append(f"M is {after['M']:.3f} for {before['M']:.3f}")
            said.append(f"the same {after['wrong']} are wrong")
            assert (before["missed"] == after["missed"]).all()
        assert [text for text in said if text not in cells] == []

    @pytest.mark.parametrize("path", sorted(ROOM.glob("[!_]*.py")), ids=lambda path: path.name)
    def test_the_example_at_its_end_prints_the_comment_below_it(self, path, capsys):
        runpy.run_path(str(path), run_name="__main__")
        lines = path.read_text(encoding="utf-8").splitlines()
        printed = capsys.readouterr().out.splitlines()
        assert printed
        assert [f"    # {line}" for line in printed] == lines[-len(printed) :]

    @pytest.mark.parametrize("path", sorted(ROOM.glob("*.py")), ids=lambda path: path.name)
    def test_a_file_can_be_read_whole(self, path):
        """130 lines, functions of 20 without docstring, imports of NumPy, Python and neighbours."""
        module = ast.parse(text := path.read_text(encoding="utf-8"))
        assert text.count("\n") <= 130
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef):
                words = len((ast.get_docstring(node) or "").splitlines())
                assert node.end_lineno - node.lineno + 1 - words <= 20, node.name
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                known = name.split(".")[0] in {"numpy", *sys.stdlib_module_names}
                assert known or name.startswith("ranktrees.plain")


class TestCriteria:
    @pytest.mark.parametrize("name", rt.CRITERIA)
    @given(data=st.data())
    @settings(max_examples=40, deadline=None)
    def test_each(self, name, data):
        shape = fits(name, rows=(2, 6), classes=(2, 5))
        shape["rows"] = (2, 2) if name in TWO_BRANCHES else shape["rows"]
        n = data.draw(tables(**shape))
        plain = {"gini": "gini_gain"}.get(name, name)
        fast = float(rt.CRITERIA[name](n))
        assert getattr(criteria, plain)(n) == pytest.approx(fast, abs=1e-10, rel=1e-12)

    @given(counts=tables(rows=(1, 1), classes=(2, 2)))
    def test_impurities(self, counts):
        for name, plain in (
            ("entropy", criteria.entropy),
            ("gini", criteria.gini),
            ("dkm", criteria.dkm_impurity),
        ):
            fast = rt.criteria.IMPURITIES[name](counts[0])
            assert plain(counts[0]) == pytest.approx(float(fast), abs=1e-12)


class TestBins:
    NUMBERS = st.lists(
        st.integers(-20, 20).map(lambda i: i / 4) | st.floats(-1e6, 1e6), min_size=1, max_size=40
    )

    @given(x=NUMBERS, n_bins=st.integers(2, 12))
    def test_equal_width_and_frequency(self, x, n_bins):
        x = np.array(x)
        for name in ("equal_width", "equal_frequency"):
            cuts = getattr(plain_bins, name)(x, n_bins)
            assert cuts == getattr(bins, name)(x, n_bins).tolist()
            assert plain_bins.codes(x, cuts).tolist() == bins.codes(x, cuts).tolist()

    @given(seed=SEEDS, C=st.integers(1, 4))
    @settings(max_examples=60, deadline=None)
    def test_description_length(self, seed, C):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, C, rng.integers(1, 120))
        x = np.round(rng.normal(size=len(y)) + 2 * y, rng.integers(0, 4))
        assert plain_bins.entropy_mdl(x, y, C) == bins.entropy_mdl(x, y=y).tolist()


class TestGrowing:
    @pytest.mark.parametrize(
        ("criterion", "split"),
        [
            ("information_gain", "multiway"),
            ("gini", "multiway"),
            ("chi_squared", "multiway"),
            ("distance", "multiway"),
            ("gini", "threshold"),
        ],
    )
    @given(seed=SEEDS, min_child=st.integers(1, 3))
    @FEW
    def test_trees(self, criterion, split, seed, min_child):
        """And what they say of new cases: values never seen and empty branches stop a case."""
        codes, y = with_accidents(seed, sizes=(2, 3, 9, 4))
        plain = getattr(criteria, {"gini": "gini_gain"}.get(criterion, criterion))
        known, branches = (codes.values, y.codes, codes.sizes, 3), PLAIN_SPLITS[split]
        node = growing.decision_tree(*known, branches, plain, min_child)
        model = rt.DecisionTree(criterion, split, min_child=min_child).fit(codes, y)
        assert difference(model.tree_, node) is None
        new = np.random.default_rng(seed).integers(-1, codes.sizes, (40, 4))
        assert np.array_equal(predict(node, new), model.predict_proba(rt.Codes(new, codes.schema)))

    @given(seed=SEEDS)
    @FEW
    def test_cart_takes_a_best_subset_at_every_node(self, seed):
        """Of subsets that tie the package takes another where two classes are left."""
        codes, y = with_accidents(seed)
        tree = grown(codes, y, criterion="gini", split="binary")
        X, ends = codes.values, tree.paths()[tree.apply(codes.values)]
        for t in range(len(tree)):
            here = (ends == t).any(axis=1)
            best = growing.cart(X[here], y.codes[here], codes.sizes, 3)
            assert best.attribute == tree.attribute[t]
            if best.is_leaf:
                continue
            sides = np.array([child.counts for child in best.children])
            score = rt.criteria.gini_gain(np.stack([sides, tree.counts[tree.parent == t]]))
            assert score[0] == pytest.approx(score[1], abs=1e-12)

    @pytest.mark.parametrize("y", [[1], [2, 2, 2], [0, 1, 2]])
    def test_what_cannot_be_split_is_a_leaf(self, y):
        """One case, one class, cases alike: the package refuses the first two."""
        X = np.zeros((len(y), 2), int)
        for grow in (growing.id3, growing.cart, c45.c45, c45.c44):
            node = grow(X, np.array(y), (3, 1), 3)
            assert node.is_leaf
            assert node.counts.tolist() == np.bincount(y, minlength=3).tolist()


class TestC45:
    @given(seed=SEEDS, min_child=st.integers(1, 4), confidence=st.sampled_from([0.05, 0.25, 0.5]))
    @settings(max_examples=30, deadline=None)
    def test_codes(self, seed, min_child, confidence):
        codes, y = with_accidents(seed, sizes=(2, 3, 40, 4))
        known = codes.values, y.codes, codes.sizes, 3, min_child
        for raising in (False, True):
            fast = rt.C45(min_child=min_child, confidence=confidence, raising=raising)
            node = c45.c45(*known[:4], min_child=min_child, confidence=confidence, raising=raising)
            assert difference(fast.fit(codes, y).tree_, node) is None
        for collapse in (False, True):
            fast = rt.C44(min_child=min_child, collapse=collapse).fit(codes, y)
            node = c45.c44(*known)
            if collapse:
                pruning_c45.collapse(node)
            assert difference(fast.tree_, node) is None

    @given(seed=SEEDS)
    @FEW
    def test_numbers(self, seed):
        """Numbers that repeat, that lie within 1e-5, and words of many values."""
        rng = np.random.default_rng(seed)
        y = pd.Categorical.from_codes(rng.integers(0, 3, 60), [0, 1, 2])
        words = rng.integers(0, 5, 60)
        X = pd.DataFrame({
            "near": rng.choice([0, 4e-6, 1.2e-5, 1, 2], 60) + (y.codes > 1),
            "tenths": rng.integers(0, 20, 60) / 10 + y.codes,
            "words": pd.Categorical.from_codes(words, list("abcde")),
            "normal": rng.normal(size=60),
        })  # fmt: skip
        plain = X.assign(words=words).to_numpy(float)
        for fast, how in ((rt.C45, c45.c45), (rt.C44, c45.c44)):
            model = quietly(fast(numeric="thresholds", collapse=fast is rt.C45).fit, X, y)
            node = how(plain, y.codes, (0, 0, 5, 0), 3)
            assert difference(model.tree_, node) is None


def save_most(root, leaf_cost):
    """Make a leaf of the node that saves most, again and again (Rokach & Maimon, Fig. 9.2)."""

    def cost(node):
        return leaf_cost(node) if node.is_leaf else sum(map(cost, node.children))

    while True:
        saved = {node: cost(node) - leaf_cost(node) for node in root.nodes()}
        most = max(saved.values())
        if most <= 1e-9:
            return
        next(node for node in saved if saved[node] >= most - 1e-9).make_leaf()


PRUNED = {
    "collapse": (rt.prune.collapse, pruning_c45.collapse),
    "reduced error": (rt.prune.reduced_error, pruning.reduced_error),
    "minimum error": (rt.prune.minimum_error, pruning.minimum_error),
    "yang": (lambda tree: rt.prune.pessimistic(tree, "yang"), pruning.pessimistic),
    "rokach": (rt.prune.pessimistic, pruning.pessimistic_top_down),
    "standard error": (
        lambda tree: rt.prune.pessimistic(tree, "standard-error"),
        lambda node: pruning.pessimistic_top_down(node, standard_error=True),
    ),
    "description length": (
        rt.prune.mdl,
        lambda node: pruning.minimum_description_length(node, (3, 4, 2, 5)),
    ),
    "greedy": (
        lambda tree: rt.prune.greedy(tree, rt.prune.pessimistic_costs(tree, 1)),
        lambda node: save_most(node, lambda node: pruning_c45.errors(node) + 1),
    ),
}


class TestPruning:
    @pytest.mark.parametrize("name", PRUNED)
    @given(seed=SEEDS, split=st.sampled_from(["multiway", "binary", "threshold"]))
    @FEW
    def test_each_rule(self, name, seed, split):
        """On a set for pruning that has values no branch has, and may be small."""
        tree, _, _ = grown_to_prune(seed, split)
        rng = np.random.default_rng(seed)
        X = rng.integers(-1, (3, 4, 2, 5), (rng.integers(1, 60), 4))
        y = rng.integers(0, 3, len(X))
        node, (fast, plain) = as_plain(tree), PRUNED[name]
        cases = (X, y) if name == "reduced error" else ()
        plain(node, *cases)
        assert difference(fast(tree, *cases), node) is None

    @pytest.mark.parametrize("risk", ["error", "impurity"])
    @given(seed=SEEDS)
    @FEW
    def test_cost_complexity(self, risk, seed):
        tree, X, y = grown_to_prune(seed)
        path = rt.prune.cost_complexity(tree, risk)
        trees = pruning.cost_complexity(as_plain(tree), risk == "impurity")
        assert [alpha for alpha, _ in trees] == pytest.approx(path.alphas, abs=1e-12)
        for one, (_, other) in zip(path.trees, trees, strict=True):
            assert difference(one, other) is None
        y = np.random.default_rng(seed).permutation(y)
        for rule in ("best", "one-se"):
            one = rt.prune.cost_complexity_best(path, X, y, rule)
            other = pruning.best_of([node for _, node in trees], X, y, rule == "one-se")
            assert difference(one, other) is None


def laplace(node: Node, X):
    """C4.4's estimate of cases (n, A)."""
    counts = np.array([node.leaf_of(case).counts for case in X])
    return (counts + 1) / (counts.sum(axis=1, keepdims=True) + counts.shape[1])


class TestWeka:
    """Weka's recorded trees and probabilities hold the plain trees, too."""

    @pytest.mark.parametrize("name", ["vote", "glass", "soybean", "iris", "labor"])
    def test_on_codes(self, name):
        data = prepared(name)
        codes, y = quietly(rt.Encoder().fit_transform, data.X), data.y.codes
        C = len(data.y.categories)
        known = codes.values, y, codes.sizes, C
        unpruned, model = c45.c44(*known), bayes.learn(*known)
        pruning_c45.collapse(unpruned)
        compare(predict(c45.c45(*known), codes.values), name, "J48")
        compare(laplace(unpruned, codes.values), name, "J48 -U -A")
        compare([bayes.posterior(model, case) for case in codes.values], name, "NaiveBayes")

    @pytest.mark.parametrize("name", ["iris", "glass"])
    def test_j48_on_numbers(self, name):
        data = loaded(name)
        X, y = data.X.to_numpy(float), data.y.codes
        node = c45.c45(X, y, [0] * X.shape[1], len(data.y.categories))
        compare(predict(node, X), name, "J48", "raw")


def compare(ours, name, learner, kind="coded"):
    """Probabilities (n, C) are those that are recorded, to the eighth decimal."""
    path = GOLDEN / "probabilities" / f"{name}.json"
    record = json.loads(path.read_text(encoding="utf-8"))[kind][learner]["all"]
    assert np.abs(ours - np.array(record["rows"])[record["index"]]).max() < 1e-8
