"""CITree and NBTree against their plain forms, numbers by hand, and themselves."""

from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import difference, pruned_by_subtrees, quietly
from strategies import coded

import ranktrees as rt
from ranktrees.plain import citree as plain
from ranktrees.plain import citree_scores
from ranktrees.plain.bayes import leaf_naive_bayes
from ranktrees.plain.citree import nbtree
from ranktrees.plain.tree import Cases
from ranktrees_engine.basics import blocks
from ranktrees_engine.citree import BestRanking, InnerFolds, Rule, scoring
from ranktrees_engine.growing.forest import TrainingSets

EXACT = 1e-12
SCORINGS = ("auc", "accuracy", "log_loss")
PRUNED = [("children", True), ("children", False), ("subtree", False), (None, False)]
SHAPES = [((2, 3, 5), 2), ((2, 2, 2, 2), 3), ((3, 1, 4), 5), ((4,), 4)]


def plainly(codes, y, C, k, seed, scoring="auc", folds="global", min_cases=5):
    """The plain search, which deals the very folds of the package."""
    s = citree_scores.search(codes.values, y, codes.sizes, C, seed)
    how = {"scoring": scoring, "folds": folds, "min_cases": min_cases}
    return s._replace(inner_folds=min(k, len(y)), **how)


def scored(codes, y, C, rule, seed=1, by=None):
    """Scores (S, A) at the root or, where `by` is an attribute, at the nodes below its test."""
    sets = TrainingSets.single(codes, y)
    folds = InnerFolds(sets.root, y, rule.inner_folds, rule.folds, seed)
    proposer = BestRanking(sets, C, folds, rule)
    node = np.zeros(len(y), np.intp)
    if by is not None:
        proposer.on_path[:, by] = True
        node = np.unique(codes.values[:, by], return_inverse=True)[1]
    counts = np.bincount(node * C + y, minlength=(node.max() + 1) * C).reshape(-1, C)
    with np.errstate(invalid="ignore"):  # a pure node is never scored by the driver
        levels = proposer.levels(np.arange(len(y)), node, counts)
        return np.concatenate([proposer.scores(level) for _, level in levels])


def assert_as_plain(model, s, root, codes):
    """The same tree, and the same predictions of all cases and of some with unseen values."""
    assert difference(model.tree_, root) is None
    rng = np.random.default_rng(0)
    unseen = np.where(rng.random(codes.values.shape) < 0.3, -1, codes.values)
    shuffled = rng.permuted(codes.values, axis=0)
    X = np.concatenate([codes.values, shuffled, unseen])[: 60 + len(codes)]
    expected = leaf_naive_bayes(root, Cases(s.X, s.y, s.sizes, s.C), X)
    found = model.predict_proba(rt.Codes(X, codes.schema))
    np.testing.assert_allclose(found, expected, rtol=0, atol=EXACT)


def grown_plainly(s, prune, lazy):
    """CITree; prune is "children", "subtree" or None."""
    if prune == "children":
        return plain.citree(s, lazy)
    root = plain.grow(s, np.arange(len(s.y)), [], lambda *_: True)
    return root if prune is None else pruned_by_subtrees(s, root)


def exact_accuracy(s, a):
    """The share of right answers after a split on attribute a, by fractions: no rounding at all."""
    right = 0
    for part, path in citree_scores.branches(s, np.arange(len(s.y)), [], a):
        fold = s.choosing[part] % s.inner_folds
        for i, f in zip(part, fold, strict=True):
            others = part[fold != f] if len(part) >= s.min_cases else part[:0]
            joint = [exact_joint(s, others[s.y[others] == c], path, i) for c in range(s.C)]
            joint = [p / (len(others) + s.C) for p in joint]
            right += joint.index(max(joint)) == s.y[i]
    return F(right, len(s.y))


def exact_joint(s, cases, path, i):
    """(n_c + 1) times the product of (n_cv + 1)/(n_c + V), of case i and the cases of a class."""
    p = F(len(cases) + 1)
    for b, V in enumerate(map(int, s.sizes)):
        if b not in path:
            agree = int((s.X[cases, b] == s.X[i, b]).sum())
            p *= F(agree + 1, len(cases) + V)
    return p


def random_case(number):
    """Codes, classes (of which the last may be absent), number of classes."""
    rng = np.random.default_rng(number)
    sizes, C = SHAPES[number % len(SHAPES)]
    codes, y = coded(number, int(rng.integers(20, 50)), sizes, max(2, C - number // 4 % 2))
    return codes, y, C


class TestAgainstThePlainForm:
    @pytest.mark.parametrize("how", SCORINGS)
    @pytest.mark.parametrize("folds", ["global", "leaf"])
    @pytest.mark.parametrize("number", range(4))
    def test_scores_of_all_candidates(self, number, folds, how):
        codes, y, C = random_case(number)
        k, min_cases = 2 + number % 4, (1, 5, 9)[number % 3]
        s = plainly(codes, y, C, k, number, how, folds, min_cases)
        rule = Rule(how, k, folds, min_cases)
        for by in (None, 0):
            found = scored(codes, y, C, rule, number, by)
            values = [None] if by is None else np.unique(codes.values[:, by])
            for scores, v in zip(found, values, strict=True):
                here = [i for i in range(len(y)) if v is None or codes.values[i, by] == v]
                if len(set(y[here])) == 1:
                    continue
                expected = np.full(len(codes.schema), -np.inf)
                path = [] if by is None else [by]
                for a in plain.candidates(s, np.array(here), path):
                    leaves = citree_scores.branches(s, np.array(here), path, a)
                    expected[a] = citree_scores.pooled_score(s, leaves, s.choosing)
                np.testing.assert_allclose(scores, expected, rtol=0, atol=EXACT)

    @pytest.mark.parametrize(("number", "C"), [(10, 3), (68, 4), (95, 4)])
    def test_classes_that_only_rounding_tells_apart(self, number, C):
        """Noise whose equal probabilities differ in a double's last digit: the first class wins."""
        codes, y = coded(number, 24, (2, 2, 2), C, noise=1.0)
        y[:C], k = np.arange(C), 2 + number % 3
        s = plainly(codes, y, C, k, number, scoring="accuracy", min_cases=2)
        expected = [float(exact_accuracy(s, a)) for a in range(3)]
        found = scored(codes, y, C, Rule("accuracy", k, "global", 2), number)[0]
        assert found == pytest.approx(expected, abs=EXACT)

    @pytest.mark.parametrize("number", range(4))
    def test_nbtree(self, number):
        codes, y, C = random_case(number)
        k, least = (2, 5)[number % 2], (0, 0.05, 0.25)[number % 3]
        s = plainly(codes, y, C, k, number, scoring="accuracy", min_cases=3)
        how = {"min_parent": 10, "min_reduction": least}
        model = rt.NBTree(inner_folds=k, min_cases=3, seed=number, **how)
        model.fit(codes, pd.Categorical.from_codes(y, range(C)))
        assert_as_plain(model, s, nbtree(s, 10, least), codes)

    @settings(max_examples=40, deadline=None)
    @given(st.data())
    def test_whatever_is_drawn(self, data):
        sizes = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
        n, C, seed = (data.draw(st.integers(*each)) for each in ((2, 50), (2, 4), (0, 2**20)))
        noise = data.draw(st.sampled_from([0.0, 0.3, 1.0]))
        codes, y = coded(seed, n, sizes, C, noise=noise)
        y[:2] = [0, C - 1]
        k, (prune, lazy) = data.draw(st.integers(2, 7)), data.draw(st.sampled_from(PRUNED))
        how = {
            "folds": data.draw(st.sampled_from(["global", "leaf"])),
            "scoring": data.draw(st.sampled_from(SCORINGS)),
            "min_cases": data.draw(st.integers(1, 6)),
        }
        s = plainly(codes, y, C, k, seed, **how)
        model = rt.CITree(inner_folds=k, prune=prune, lazy=lazy, seed=seed, **how)
        model.fit(codes, pd.Categorical.from_codes(y, range(C)))
        assert_as_plain(model, s, grown_plainly(s, prune, lazy), codes)


def same_trees(one, two, X):
    """Equal arrays, value counts and predictions."""
    for name in ("parent", "attribute", "child", "offset", "counts", "tables"):
        assert np.array_equal(getattr(one.tree_, name), getattr(two.tree_, name)), name
    assert np.array_equal(one.predict_proba(X), two.predict_proba(X))


@pytest.mark.parametrize("how", [{"folds": "leaf"}, {"scoring": "log_loss", "min_cases": 20}])
def test_lazy_growth_is_full_growth_pruned(how):
    data = rt.load("vote")
    lazy, full = (quietly(rt.CITree(lazy=z, **how).fit, data.X, data.y) for z in (True, False))
    same_trees(lazy, full, data.X)


@pytest.mark.parametrize(
    "model",
    [
        rt.CITree(folds="leaf", prune="subtree", lazy=False, min_cases=2),
        rt.CITree(scoring="log_loss", discretize="entropy-mdl", prune="children", lazy=False),
        rt.NBTree(discretize="equal-frequency", n_bins=5),
    ],
    ids=repr,
)
def test_trees_of_folds_equal_single_fits(model):
    """Bins and, with MDL, even the numbers of bins differ by fold; bootstrap rows repeat."""
    data, rng = rt.load("glass"), np.random.default_rng(0)
    rows = [np.sort(rng.choice(214, 142, replace=False)), rng.integers(0, 214, 214)]
    together = quietly(model.fit_folds, data.X, data.y, rows)
    for fitted, mine in zip(together, rows, strict=True):
        single = quietly(type(model)(**model.get_params()).fit, data.X.iloc[mine], data.y[mine])
        same_trees(fitted, single, data.X)


@pytest.mark.parametrize(
    "tiny",
    [{(blocks, "LIMIT"): 1}, {(blocks, "LIMIT"): 97, (scoring, "MOST_BITS"): 38}],
    ids=["one by one", "few"],
)
@pytest.mark.parametrize(("how", "C"), [("auc", 2), ("accuracy", 4), ("log_loss", 4)])
def test_the_size_of_blocks_makes_no_difference(monkeypatch, tiny, C, how):
    codes, y = coded(5, 150, (3, 2, 4, 3), C)
    rules = [Rule(how, 5, folds, 4) for folds in ("global", "leaf")]

    def everything():
        model = rt.CITree(how, min_cases=4, prune="subtree", lazy=False).fit(codes, y)
        return [scored(codes, y, C, rule, 1, by) for rule in rules for by in (None, 0)], model

    scores, model = everything()
    for (module, name), cells in tiny.items():
        monkeypatch.setattr(module, name, cells)
    again, other = everything()
    for one, two in zip(scores, again, strict=True):
        np.testing.assert_allclose(one, two, rtol=0, atol=EXACT)
    same_trees(model, other, codes)
