"""Bayes, folds, bagging, centres, growing from lists against their plain forms."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import difference, quietly
from prunable import SEEDS
from strategies import coded

import ranktrees as rt
from ranktrees.plain import bayes, centres, criteria, evaluate, growing
from ranktrees.plain.aode import aode
from ranktrees.plain.bagging import bagging
from ranktrees.plain.newton_values import difference as absolute
from ranktrees.plain.newton_values import jaccard, unequal
from ranktrees.plain.rainforest import rf_hybrid, rf_write
from ranktrees.plain.scale import is_open, rf_read, sprint
from ranktrees.plain.sliq import sliq
from ranktrees.plain.tree import Cases, predict

FEW = settings(max_examples=15, deadline=None)


def query(tables, parents, sizes, case, i):
    """P(column i | the known values of a case): the sum of the joint over what is -1."""
    P = np.zeros(sizes[i])
    known = enumerate(zip(case, sizes, strict=True))
    for full in product(*(range(V) if v < 0 or j == i else [v] for j, (v, V) in known)):
        P[full[i]] += bayes.joint(tables, parents, full)
    return P / P.sum()


@given(seed=SEEDS, m=st.sampled_from([None, 0.5, 2.0]), missing=st.sampled_from([0, 0.2]))
@FEW
def test_tan_and_what_it_predicts(seed, m, missing):
    sizes, rng = (2, 3, 2, 4, 3), np.random.default_rng(seed)  # the last is the class
    Z = rng.integers(0, sizes, (int(rng.integers(2, 60)), 5))
    Z[rng.random(Z.shape) < missing] = -1
    if seed % 2:
        Z[:, 2] = Z[:, 0]  # which of two equal parents: the first
    frame = pd.DataFrame(
        {
            f"x{i}": pd.Categorical.from_codes(z, range(V))
            for i, (z, V) in enumerate(zip(Z.T, sizes, strict=True))
        }
    )
    structure, parents = rt.bayes.tan_structure(frame, "x4"), bayes.tan(Z)
    assert {node: sorted(above) for node, above in structure.items()} == {
        f"x{i}": sorted(f"x{p}" for p in above) for i, above in enumerate(parents)
    }
    net = rt.BayesNet(structure, *(("laplace",) if m is None else ("m", m))).fit(frame)
    tables = bayes.learn_network(Z, sizes, parents, m)
    expected = [query(tables, parents, sizes, case, 4) for case in Z[:8]]
    assert net.predict_proba(frame[:8], "x4") == pytest.approx(np.array(expected), abs=1e-12)


@given(seed=SEEDS, min_count=st.sampled_from([1, 4, 30]), missing=st.sampled_from([0, 0.2]))
@FEW
def test_aode(seed, min_count, missing):
    """Of new cases, too, some of values that are missing or too rare for every parent."""
    sizes, C = (2, 3, 4), 3
    codes, y = coded(seed, sizes=sizes, classes=C)
    y[:C] = range(C)
    rng = np.random.default_rng(seed)
    codes.values[rng.random(codes.values.shape) < missing] = -1
    labels = pd.Categorical.from_codes(y, range(C))
    model = quietly(rt.AODE(min_count=min_count).fit, codes, labels)
    new = rng.integers(-1, sizes, (20, 3))
    found = model.predict_proba(rt.Codes(new, codes.schema))
    expected = aode(Cases(codes.values, y, sizes, C), new, min_count)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@given(seed=SEEDS, n_models=st.integers(1, 5), n=st.sampled_from([3, 30]))
@FEW
def test_bagging_is_the_mean_of_its_samples(seed, n_models, n):
    """Of three cases many a sample has a single class."""
    codes, y = coded(seed, n=n, classes=2)
    y[:2] = 0, 1

    def fit(X, y):
        node = growing.id3(X, y, codes.sizes, 2)
        return lambda cases: predict(node, cases)

    model = rt.Bagging(rt.DecisionTree("information_gain"), n_models, seed)
    quietly(model.fit, codes, pd.Categorical.from_codes(y, [0, 1]))
    expected = bagging(fit, codes.values, y, codes.values, n_models, seed)
    np.testing.assert_allclose(model.predict_proba(codes), expected, rtol=0, atol=1e-12)


@pytest.mark.filterwarnings("ignore:column :UserWarning")
@given(seed=SEEDS, C=st.integers(2, 4))
@FEW
def test_centre_splitting(seed, C):
    """Numbers, names, ordered names and sets, in the tree and for new cases."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, C, 30)
    y[:C] = range(C)
    shift = np.append(y, rng.integers(0, C, 10))
    levels = rng.integers(0, 3, 40) + shift % 2
    levels[:2] = 0, 3  # so that the training cases have the span of the declared levels
    sizes = pd.Categorical.from_codes(levels, list("smlx"), ordered=True)
    X = pd.DataFrame({
        "real": rng.normal(size=40) + shift,
        "step": rng.integers(0, 4, 40) / 4,
        "name": np.array(list("abcdefg"))[rng.integers(0, 3, 40) + shift].astype(object),
        "size": sizes,
        "set": [frozenset(rng.integers(0, k + 2, 2).tolist()) for k in shift],
    })  # fmt: skip
    rows = X.assign(size=sizes.codes).to_numpy(object).tolist()
    distances = [absolute, absolute, unequal, absolute, jaccard]
    where = centres.space(rows[:30], distances, [True, True, False, False, False])
    root = centres.centre_splitting(rows[:30], y, C, where)
    model = rt.CentreSplitting().fit(X[:30], y)
    nodes = list(root.nodes())
    assert model.tree_.counts.tolist() == [node.counts.tolist() for node in nodes]
    ends = [centres.leaf_of(root, x, where) for x in rows]
    assert model.apply(X).tolist() == [nodes.index(end) for end in ends]


@given(seed=st.integers(0, 99), k=st.integers(2, 6), C=st.integers(1, 4))
@FEW
def test_stratified_folds(seed, k, C):
    y = np.append(np.random.default_rng(seed).integers(0, C, 30), C)
    fold = quietly(rt.evaluate.stratified_folds, y, k, seed)
    assert fold.tolist() == evaluate.stratified_folds(y, k, seed).tolist()


class Passes:
    """Cases that are read one by one, and how often they were."""

    def __init__(self, codes, y):
        self.cases, self.passes = (codes.values, y), 0

    def __call__(self):
        self.passes += 1
        return zip(*self.cases, strict=True)


def passes_of_hybrid(root, most):
    """One pass for the root, one for each level of few open nodes, and one to write the next."""
    passes, level = 1, [root]
    while level := [node for node in level if is_open(node)]:
        passes += 1
        if len(level) > max(most, 1):
            break
        level = [child for node in level for child in node.children]
    return passes


@given(seed=SEEDS, budget=st.sampled_from([0, 60, 100, 10_000]))
@FEW
def test_passes_and_partitions_grow_the_tree_of_memory(seed, budget):
    """RF-Hybrid reads all cases for every level where its tables fit, and once to divide."""
    codes, y = coded(seed, n=60, sizes=(2, 3, 5), classes=3)
    model = rt.DecisionTree("information_gain").fit(codes, pd.Categorical(y, [0, 1, 2]))
    scans = [Passes(codes, y) for _ in range(3)]
    nodes = (
        rf_read(scans[0], codes.sizes, 3, criteria.information_gain),
        rf_write(scans[1], codes.sizes, 3),
        rf_hybrid(scans[2], codes.sizes, 3, budget),
    )
    assert [difference(model.tree_, node) for node in nodes] == [None] * 3
    assert scans[0].passes <= 1 + nodes[0].height()
    assert scans[1].passes == 3
    assert scans[2].passes == passes_of_hybrid(nodes[2], budget // (sum(codes.sizes) * 3))


@given(seed=SEEDS)
@FEW
def test_sorted_lists_grow_the_tree_of_memory(seed):
    """Numbers, of which some repeat; the package cuts half-way in all training values."""
    rng = np.random.default_rng(seed)
    X = np.stack([rng.normal(size=30), rng.integers(0, 6, 30) / 4, rng.normal(size=30)], axis=1)
    y = (X[:, 0] + X[:, 1] > 1).astype(int) + (rng.random(30) < 0.2)
    model = quietly(rt.DecisionTree("gini", numeric="thresholds", max_codes=None).fit, X, y)
    C = int(y.max()) + 1
    for node in (sprint(X, y, C), sliq(X, y, C)):
        assert np.array_equal(predict(node, X), model.predict_proba(X))
        assert [n.attribute for n in node.nodes()] == model.tree_.attribute.tolist()
