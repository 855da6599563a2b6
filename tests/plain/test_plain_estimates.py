"""What a tree says of a case: the fast estimates against those that are read in `plain/`."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import as_plain, by_estimate, coded, node_estimate

import ranktrees as rt
from ranktrees.estimates import importances
from ranktrees.plain import estimates as plain
from ranktrees.plain import path_bayes
from ranktrees.plain.criteria import entropy

KINDS = ["nominal", "ordinal", "nominal", "numeric"]
SPLITS = ("multiway", "binary", "threshold")


@st.composite
def studies(draw, splits=SPLITS):
    """A tree, pruned or not, and codes of cases, some of values that are new or have no branch.

    Classes and values may be absent; whole or fractional weights; there may be no test at all.
    """
    C, seed = draw(st.integers(2, 4)), draw(st.integers(0, 2**31))
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    rng, n = np.random.default_rng(seed), draw(st.integers(2, 50))
    codes, y = coded(seed, n, sizes, C, KINDS[: len(sizes)], draw(st.sampled_from([0.0, 0.4, 1.0])))
    y[:2] = 0, 1
    declared = pd.Categorical.from_codes(y, range(C + draw(st.integers(0, 1))))
    weight = {"none": None, "whole": rng.integers(1, 4, n), "real": rng.random(n) + 0.1}
    weight = weight[draw(st.sampled_from(list(weight)))]
    split = draw(st.sampled_from(splits))
    model = rt.C45(confidence=0.4) if draw(st.booleans()) else rt.DecisionTree("gini", split)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the weights add up to", UserWarning)
        model.fit(codes, declared, weight)
    new = rng.integers(-1, sizes, (20, len(sizes)))
    return model.tree_, np.vstack([codes.values[:20], new])


PLAIN = {
    "frequency": plain.frequency,
    "laplace": plain.laplace,
    "m": plain.m_estimate,
    "m-branch": plain.m_branch,
    "curtailment": plain.curtailment,
    "shrinking": plain.shrinking,
    "hierarchical-shrinkage": plain.hierarchical_shrinkage,
}
PARAMS = {
    "m": {"m": st.floats(0, 9)},
    "m-branch": {"m": st.floats(0, 9)},
    "curtailment": {"v": st.integers(1, 60)},
    "shrinking": {"theta": st.floats(0, 1)},
    "hierarchical-shrinkage": {"lam": st.floats(0, 50)},
}


@pytest.mark.parametrize("name", PLAIN)
@settings(max_examples=30, deadline=None)
@given(studies(), st.data())
def test_estimates_of_a_path(name, study, data):
    tree, X = study
    params = {key: data.draw(values, key) for key, values in PARAMS.get(name, {}).items()}
    fast, root = node_estimate(name, tree, **params)[tree.apply(X)], as_plain(tree)
    slow = [PLAIN[name](root.path(x), **params) for x in X]
    np.testing.assert_allclose(fast, slow, rtol=0, atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(studies())
def test_the_mean_over_prunings(study):
    tree, X = study
    fast, root = node_estimate("prunings", tree), as_plain(tree)
    n = path_bayes.class_tables(root)
    stop = path_bayes.stops(root, n)
    slow = [path_bayes.mixed(root.path(x), stop, n)[0] for x in X]
    np.testing.assert_allclose(fast[tree.apply(X)], slow, rtol=0, atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(studies(), st.sampled_from([1e-3, 0.3, 0.4, 1.0]), st.sampled_from(["laplace", "m"]))
def test_all_leaves_vote(study, s, leaf):
    tree, X = study
    fast, root = by_estimate("ling-yan", tree, None, None, X, s=s, leaf=leaf), as_plain(tree)
    slow = [plain.ling_yan(root, x, s, PLAIN[leaf]) for x in X]
    np.testing.assert_allclose(fast, slow, rtol=0, atol=1e-12)


def shares_of_the_gain(root, A):
    """The share (A,) of each attribute in the entropy that all tests take away."""
    gain = np.zeros(A)
    for node in root.nodes():
        if not node.is_leaf:
            below = sum(child.counts.sum() * entropy(child.counts) for child in node.children)
            gain[node.attribute] += max(node.counts.sum() * entropy(node.counts) - below, 0)
    return gain / (gain.sum() or 1)


@settings(max_examples=30, deadline=None)
@given(studies())
def test_importances(study):
    tree, X = study
    fast = importances(tree, X.shape[1])
    np.testing.assert_allclose(shares_of_the_gain(as_plain(tree), X.shape[1]), fast, atol=1e-12)
