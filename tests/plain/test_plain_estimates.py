"""What a tree says of a case: the fast estimates against those that are read in `plain/`."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import as_plain, by_estimate, coded

import ranktrees as rt
from ranktrees.plain import estimates as plain
from ranktrees.plain import path_bayes
from ranktrees.plain.criteria import entropy
from ranktrees_engine.estimates import importances

KINDS = ["nominal", "ordinal", "nominal", "numeric"]


@st.composite
def studies(draw):
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
    split = draw(st.sampled_from(("multiway", "binary", "threshold")))
    model = rt.C45(confidence=0.4) if draw(st.booleans()) else rt.DecisionTree("gini", split)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the weights add up to", UserWarning)
        model.fit(codes, declared, weight)
    new = rng.integers(-1, sizes, (20, len(sizes)))
    return model.tree_, np.vstack([codes.values[:20], new])


def prunings(root, x):
    n = path_bayes.class_tables(root)
    return path_bayes.mixed(root.path(x), path_bayes.stops(root, n), n)[0]


def of_path(estimate):
    return lambda root, x, **params: estimate(root.path(x), **params)


def ling_yan(root, x, s, leaf):
    return plain.ling_yan(root, x, s, {"laplace": plain.laplace, "m": plain.m_estimate}[leaf])


PLAIN = {  # and what their parameters may be
    "frequency": (of_path(plain.frequency), {}),
    "laplace": (of_path(plain.laplace), {}),
    "m": (of_path(plain.m_estimate), {"m": st.floats(0, 9)}),
    "m-branch": (of_path(plain.m_branch), {"m": st.floats(0, 9)}),
    "curtailment": (of_path(plain.curtailment), {"v": st.integers(1, 60)}),
    "shrinking": (of_path(plain.shrinking), {"theta": st.floats(0, 1)}),
    "hierarchical-shrinkage": (of_path(plain.hierarchical_shrinkage), {"lam": st.floats(0, 50)}),
    "prunings": (prunings, {}),
    "ling-yan": (
        ling_yan,
        {"s": st.sampled_from([1e-3, 0.3, 0.4, 1.0]), "leaf": st.sampled_from(["laplace", "m"])},
    ),
}


@pytest.mark.parametrize("name", PLAIN)
@settings(max_examples=20, deadline=None)
@given(studies(), st.data())
def test_each_estimate(name, study, data):
    (tree, X), (estimate, values) = study, PLAIN[name]
    params = {key: data.draw(value, key) for key, value in values.items()}
    fast, root = by_estimate(name, tree, None, None, X, **params), as_plain(tree)
    slow = [estimate(root, x, **params) for x in X]
    np.testing.assert_allclose(fast, slow, rtol=0, atol=1e-12)


@settings(max_examples=20, deadline=None)
@given(studies())
def test_importances(study):
    """The share of each attribute in the entropy that all tests take away."""
    tree, X = study
    gain = np.zeros(X.shape[1])
    for node in as_plain(tree).nodes():
        if not node.is_leaf:
            below = sum(child.counts.sum() * entropy(child.counts) for child in node.children)
            gain[node.attribute] += max(node.counts.sum() * entropy(node.counts) - below, 0)
    fast = importances(tree, X.shape[1])
    np.testing.assert_allclose(gain / (gain.sum() or 1), fast, atol=1e-12)
